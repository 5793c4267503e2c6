//! Number of keys of the usual acts on the calendar.

use super::{adding, book, calendar};
use crate::domain::time::{Grid, Segment};
use crate::engine::ops::AddResource;
use crate::tui::app::tests::key_counts::press;
use crate::tui::app::tests::{actor, desk};

/// The hour of Tuesday 1 December, 18:00.
const SECOND: i64 = 10 * 24 + 6;

/// 3-screens 2: Tuesdays without the one that another has; then a leak hits a date.
#[test]
fn a_series_takes_its_words_and_eleven_keys_and_a_displaced_date_two() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (SECOND, SECOND + 1), "Panto");
    till.keys("1");
    press(&mut till, "3 g r e h Enter n", 7);
    till.types("Tango");
    press(&mut till, "Shift-Tab Shift-Tab", 2);
    till.types("tue 18-20 until 15 dec").shows("4 dates, 3 free");
    press(&mut till, "Enter Enter", 2);
    till.said("Booked 3 dates, 1 left out");
    till.types("g24 nov 18:00").keys("Enter");
    press(&mut till, "D", 1);
    till.types("leak");
    press(&mut till, "Up d Up Enter", 4);
    till.shows("1 displaced   Tango lost Rehearsal 1");
    press(&mut till, "d a", 2);
    till.keys("Esc").hides("displaced");
    assert!(till.line("Rehearsal 2").contains("Tango"));
}

#[test]
fn a_weekly_booking_but_for_two_dates_takes_its_words_and_five_keys() {
    let (mut till, _, _) = calendar();
    till.types("g18:00 today").keys("Enter");
    press(&mut till, "n", 1);
    till.types("Tango");
    press(&mut till, "Shift-Tab Shift-Tab", 2);
    till.types("weekly x6 except 5 dec, 19 dec").shows("4 dates, 4 free");
    press(&mut till, "Enter Enter", 2);
    till.said("Booked 4 dates");
}

/// 3-screens 2: five nights in five rooms, of which one goes out of order.
#[test]
fn nights_of_five_rooms_take_twelve_keys_and_their_title() {
    let mut till = desk();
    for number in 11..17 {
        let room = AddResource {
            kind: "hotel".into(),
            grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(1440).unwrap() },
            ..adding(&format!("Room {number}"))
        };
        till.engine.desk(actor("dora", "office")).run(room).unwrap();
    }
    till.notice().keys("3").types("groom 11").keys("Enter");
    press(&mut till, "-", 1);
    till.shows("[nights]");
    press(&mut till, "v Right Right Right Right Down Down Down Down n", 10);
    till.shows("New booking   Room 11, Room 12, Room 13, Room 14");
    till.types("Lotus").keys("Enter").said("Booked: Lotus");
    press(&mut till, "D", 1);
    till.types("boiler");
    press(&mut till, "Up d Up Enter", 4);
    till.shows("1 displaced   Lotus lost Room 15");
    press(&mut till, "d a", 2);
    till.keys("Esc").hides("displaced");
    till.said("Lotus moved to Room 16");
}
