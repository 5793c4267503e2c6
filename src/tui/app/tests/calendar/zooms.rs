//! Zooms of the calendar: each fits every size, and keeps the cursor in view.

use super::calendar;

#[test]
fn every_zoom_fits_every_size() {
    let (mut till, _, _) = calendar();
    for (width, height) in [(100, 30), (80, 24), (200, 60), (60, 18)] {
        till.resize(width, height);
        for zoom in ["hours", "day", "week", "nights", "month"] {
            till.keys(if zoom == "hours" { "+ + + +" } else { "-" });
            let screen = till.draw();
            assert!(screen.contains(&format!("[{zoom}]")), "{zoom} at {width}:\n{screen}");
        }
    }
    till.resize(80, 24);
    let screen = till.keys("i").draw();
    assert!(screen.contains("November 2026"), "{screen}");
}

#[test]
fn the_small_hours_are_in_view_where_the_evening_before_does_not_leave_room() {
    let (mut till, _, _) = calendar();
    till.resize(80, 24).types("g22 nov 02:00").keys("Enter");
    till.shows("Su22").shows("02:00");
}
