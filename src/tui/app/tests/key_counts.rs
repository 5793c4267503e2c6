//! Number of keys of the usual acts at the desk.

use super::till::{Till, desk};
use crate::tui::app::tests::calendar::calendar;

/// Presses keys that have to be so many.
#[track_caller]
fn press(till: &mut Till, keys: &str, count: usize) {
    assert_eq!(keys.split(' ').count(), count, "{keys}");
    till.keys(keys);
}

#[test]
fn usual_sales_take_no_more_keys_than_promised() {
    let mut till = desk();
    press(&mut till, "b 4 Enter p Enter", 5);
    till.shows("Sold   receipt till-2/1");
    press(&mut till, "b 4 Enter p 2 0 0 Enter", 8);
    till.shows("CHANGE").shows("160.00");
    till.keys("b 1 Enter");
    press(&mut till, "p d", 2);
    till.types("t123");
    press(&mut till, "Enter Enter", 2);
    assert_eq!(till.sales(), 3);
}

#[test]
fn a_snatched_seat_is_replaced_and_a_cart_set_aside_by_a_key_or_two() {
    let mut till = desk();
    till.keys("2 g").types("c8-9").keys("Enter");
    till.ben_holds(&["C9"]).keys("Space");
    press(&mut till, "a", 1);
    till.shows("2 seats");
    press(&mut till, "n Enter", 2);
    till.shows("no seats yet").shows("1 on hold");
    press(&mut till, "o Enter", 2);
    till.shows("2 seats").keys("q").shows("Quit?");
    press(&mut till, "k", 1);
    assert!(till.quit);
    assert_eq!(till.open_carts(), 2);
}

#[test]
fn a_room_for_an_hour_takes_a_key_its_title_and_enter() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter");
    press(&mut till, "n", 1);
    till.types("Choir");
    press(&mut till, "Enter", 1);
    till.said("Booked: Choir");
}
