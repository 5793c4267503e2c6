//! Number of keys of the usual acts at the desk.

use super::NOON;
use super::calendar::calendar;
use super::counter::{expected, kept, waiting};
use super::keys::at;
use super::till::{Till, actor, desk, price};
use crate::domain::plan::Category;
use crate::domain::time::Span;
use crate::engine::ops::{AddPerformance, AddTheater, NamedPrice};
use crate::formats::rows;
use crate::tui::kit::keymap::KeyPlace;

/// Presses keys that have to be so many.
#[track_caller]
pub(super) fn press(till: &mut Till, keys: &str, count: usize) {
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
fn named_seats_are_sold_for_cash_in_nine_keys() {
    let mut till = desk();
    till.keys("2");
    press(&mut till, "g c 1 3 - 1 6 Tab Enter", 9);
    till.shows("Sold   receipt till-2/1").free(76);
    till.keys("g").types("c12-13").keys("Tab").hides("TO PAY").shows("1 seat ").said("C12 is yours");
    till.keys("g").types("fri").keys("Tab").shows("no seats to take").keys("Esc");
    assert_eq!(till.sales(), 1);
}

/// Adds "Lear" on Friday: its first row at 54.00, the others at 38.00.
pub(super) fn lear(till: &mut Till) {
    let mut plan = rows::parse("5x16").unwrap();
    let named = |name: &str| Category { name: name.to_owned(), color: None };
    plan.categories = ["Stalls", "Circle"].map(named).to_vec();
    for seat in plan.zones[0].rows.iter_mut().skip(1).flat_map(|row| &mut row.seats) {
        seat.category = 1;
    }
    let of = |category: &str, ticket_type, minor| NamedPrice {
        category: Some(category.to_owned()),
        ..price(ticket_type, minor)
    };
    let office = till.engine.desk(actor("dora", "office"));
    let studio = AddTheater { name: "Studio".into(), plan, time_zone: Some(chrono_tz::Tz::UTC) };
    let start = NOON + Span::minutes(6 * 24 * 60);
    let lear = AddPerformance::new(
        office.run(studio).unwrap().id,
        "Lear",
        (start, start + Span::minutes(150)),
        vec![of("Stalls", None, 5400), of("Circle", None, 3800), of("Circle", Some("Child"), 1900)],
    );
    office.run(lear).unwrap();
    till.notice();
}

/// 3-screens 2: two near the aisle on Friday, the cheaper ones, one for a child, to be paid by Thursday.
#[test]
fn an_order_by_phone_takes_its_words_and_sixteen_keys() {
    let mut till = desk();
    lear(&mut till);
    press(&mut till, "g f r i Enter b", 6);
    till.types("2 aisle 38");
    press(&mut till, "Enter t r", 3);
    till.types("Weber");
    press(&mut till, "Tab", 1);
    till.types("030 1234");
    press(&mut till, "Tab t h u Enter Enter", 6);
    till.said("Reserved for Weber until Thu 26 Nov");
    till.keys("4 Enter").shows("57.00").shows("Lear");
}

#[test]
fn a_card_is_taken_after_the_end_of_the_hold_by_two_keys_and_its_reference() {
    let mut till = desk();
    till.keys("b 4 Enter");
    press(&mut till, "p d", 2);
    till.wait(Span::minutes(61)).types("004417");
    press(&mut till, "Enter Enter", 2);
    till.shows("Sold   receipt till-2/1");
}

#[test]
fn the_first_need_is_opened_by_two_keys_and_quitting_takes_two() {
    let mut till = at(KeyPlace::Needs).0;
    till.keys("1");
    press(&mut till, "Tab Enter", 2);
    till.shows("Reservation Weber");
    till.keys("2 b 2 Enter");
    press(&mut till, "q g", 2);
    assert!(till.quit);
    assert_eq!(till.open_carts(), 1, "the reservation is kept");
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

/// A week of somebody who has seen only the screen: eight Fridays but one, a typo and a price, house seats kept and sold, tickets
/// handed over by name, a till that is counted. Keys are counted, words that are typed are not.
#[test]
fn a_week_at_the_counter_takes_its_words_and_few_keys() {
    let mut till = waiting();
    kept(&till, "Ada Blum", ["D1", "D2"]);
    till.notice().keys("1");
    press(&mut till, "t", 1);
    till.types("100");
    press(&mut till, "Enter", 1);
    till.newest("Till till-2/1 has EUR 100.00 in it");
    // seven nights in one form
    press(&mut till, "N", 1);
    for (words, keys, count) in [("Lera", "Enter Enter", 2), ("fri 19:30", "Enter", 1), ("22:00", "Enter", 1)] {
        till.types(words);
        press(&mut till, keys, count);
    }
    till.types("18");
    press(&mut till, "Enter", 1);
    till.types("x8 except 25 dec");
    press(&mut till, "Enter Enter", 2);
    till.newest("Lera opened on 7 dates");
    // the typo and the price of all of them
    press(&mut till, "j E", 2);
    till.types("Lear");
    press(&mut till, "Tab Tab Tab Tab", 4);
    till.types("20");
    press(&mut till, "Tab Tab a Tab Enter", 5);
    till.newest("7 performances changed: title, prices");
    // four seats for the house, two of them sold
    press(&mut till, "k 2 g", 3);
    till.types("c1-4");
    press(&mut till, "Enter K", 2);
    till.types("the director");
    press(&mut till, "Tab", 1);
    till.types("18:30");
    press(&mut till, "Enter Enter", 2);
    till.newest("C1-C4 kept for the director");
    press(&mut till, "g", 1);
    till.types("c1-2");
    press(&mut till, "Enter K s Space p Enter", 6);
    till.shows("Sold   receipt till-2/1").keys("Esc");
    // three hand-overs by name
    press(&mut till, "1 w", 2);
    for (name, whole) in [("web", "Weber, Ida"), ("ad", "Adams, Zoe"), ("bl", "Blum, Ada")] {
        till.types(name);
        press(&mut till, "Enter", 1);
        till.newest(&format!("Handed over: {whole}")).notice();
    }
    // counted
    press(&mut till, "Esc t", 2);
    till.types("120");
    press(&mut till, "Enter Enter", 2);
    till.newest("Till till-2/1 counted and closed");
}

#[test]
fn tickets_by_name_take_six_keys_and_a_guest_four() {
    let mut till = waiting();
    press(&mut till, "1 w w e b Enter", 6);
    till.newest("Handed over: Weber, Ida, A1-A2");
    let mut till = expected();
    press(&mut till, "w w e Enter", 4);
    till.newest("Checked in: Weber, Ida");
}
