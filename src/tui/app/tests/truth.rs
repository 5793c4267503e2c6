//! The map shows and says the truth: marks, lost seats, chosen seats, refusals, numbers.

use super::till::price;
use super::{NOON, Till, actor, desk};
use crate::domain::plan::SeatKind;
use crate::domain::time::Span;
use crate::engine::ops::{AddPerformance, AddTheater, NamedPrice};
use crate::formats::rows;
use crate::tui::kit::input::PointerAct;
use crate::tui::widgets::testing::{SIZES, numbers};

impl Till {
    fn cart_seats(&self) -> Vec<String> {
        let view = self.app.shared.cart.view();
        let lines = view.iter().flat_map(|view| &view.lines);
        lines.flat_map(|line| line.named().map(|(_, name)| name.to_owned())).collect()
    }

    fn cursor(&mut self) -> String {
        let seat = self.app.seats.cursor().unwrap();
        self.app.seats.map().unwrap().plan.seat_name(seat).to_owned()
    }
}

#[test]
fn space_takes_the_free_seats_of_a_mark_and_says_so_before() {
    let mut till = desk();
    till.ben_holds(&["C8", "C9"]).notice();
    till.keys("2 g").types("c8-10").keys("Enter");
    till.shows("3 seats: C8-C9 are held").shows("Space takes C10 only");
    till.keys("Space").hides("gone");
    assert_eq!(till.cart_seats(), ["C10"]);
}

#[test]
fn a_click_takes_the_free_seats_of_a_dragged_mark() {
    let mut till = desk();
    till.ben_holds(&["C8", "C9"]).notice();
    till.keys("2");
    let (from, to) = (till.seat_cell("C8"), till.seat_cell("C10"));
    till.mouse(from, &[PointerAct::Press]);
    till.mouse(to, &[PointerAct::Drag, PointerAct::Release]);
    till.shows("Space takes C10 only");
    till.click("C9").hides("gone");
    assert_eq!(till.cart_seats(), ["C10"]);
}

#[test]
fn seats_that_were_not_free_are_not_reported_as_gone() {
    let mut till = desk();
    till.ben_holds(&["C8", "C9"]).notice();
    till.keys("2 g").types("c8-9").keys("Enter").shows("nothing to take");
    till.keys("Space").said("C8-C9 are held; nothing to take").hides("gone");
    till.keys("g").types("c8").keys("Enter Space").said("C8 is held by ben");
    till.hides("gone");
    assert_eq!(till.cart_seats(), [""; 0]);
}

#[test]
fn a_lost_seat_opens_its_order_with_its_customer() {
    let mut till = desk();
    till.keys("2").types("gc8").keys("Enter Space p Tab").types("Mrs Smith");
    till.keys("Tab").types("07700 900417").keys("Shift-Tab Shift-Tab Enter");
    till.disable(&["C8"]);
    till.notice().keys("2 g").types("c8").keys("Enter");
    till.shows("An order lost C8; Enter opens it").hides("Needs you has it");
    till.keys("Enter")
        .shows("Order till-2/1")
        .shows("Mrs Smith 07700 900417")
        .shows("! lost C8: out of use")
        .hides("re-seat");
    till.keys("2 i").shows("receipt till-2/1   Mrs Smith   07700 900417");
    till.keys("Enter").shows("Order till-2/1");
    till.keys("1 Tab").shows("C8 lost: Mrs Smith").keys("i").shows("Order till-2/1");
}

#[test]
fn cursor_and_viewport_move_to_the_best_seats_taken() {
    let mut till = desk();
    till.keys("2").types("ga1").keys("Enter");
    till.burst("b 2 Enter");
    let taken = till.cart_seats();
    assert_eq!(taken.len(), 2);
    assert_eq!(till.cursor(), taken[0]);
    till.shows(&format!("{}  yours", taken[0]));
}

#[test]
fn a_refusal_disappears_at_the_next_move_and_stays_in_the_messages() {
    let mut till = desk();
    till.keys("2").types("gc9").keys("Enter");
    till.ben_holds(&["C9"]).keys("Space").shows("C9 is gone");
    till.wait(Span::seconds(60)).shows("C9 is gone");
    till.keys("Right").hides("C9 is gone").said("C9 is gone");
    till.types("gc12").keys("Enter").ben_holds(&["C12"]).keys("Space");
    till.shows("C12 is gone").click("A1").hides("C12 is gone");
}

#[test]
fn seat_numbers_are_drawn_whole_or_not_at_all_at_every_size() {
    let mut till = desk();
    till.ben_holds(&["C8"]).keys("2 b 4 Enter").notice();
    till.resize(300, 90);
    let whole = numbers(&till.draw());
    for (width, height) in SIZES {
        let screen = till.resize(width, height).draw();
        let seen = numbers(&screen);
        assert!(seen.is_subset(&whole), "{:?} in\n{screen}", seen.difference(&whole));
    }
}

/// A desk at "School show" in a studio of two rows of four, where A1 is a wheelchair place.
fn at_school(prices: Vec<NamedPrice>) -> Till {
    let mut till = desk();
    let office = till.engine.desk(actor("dora", "office"));
    let mut plan = rows::parse("2x4").unwrap();
    plan.zones[0].rows[0].seats[0].kind = SeatKind::Wheelchair;
    let studio = AddTheater { name: "Studio".into(), plan, time_zone: None };
    let start = NOON + Span::minutes(24 * 60);
    let school =
        AddPerformance::new(office.run(studio).unwrap().id, "School show", (start, start + Span::minutes(60)), prices);
    office.run(school).unwrap();
    till.notice().keys("/").types("school").keys("Enter");
    till.shows("School show");
    till
}

#[test]
fn best_seats_exclude_seats_without_an_adult_price() {
    let mut till = at_school(vec![price(Some("Child"), 500)]);
    till.keys("b 2").shows("no 2 free seats together");
    till.keys("Enter").shows("No such seat has a price for \"Adult\". Choose Child.");
    assert_eq!(till.cart_seats(), [""; 0]);
}

#[test]
fn b_takes_a_wheelchair_place_only_when_it_is_asked_for() {
    let mut till = at_school(vec![price(None, 500)]);
    till.keys("b").types("4 wheelchair").shows("A1-A4   4 seats");
    till.keys("Esc b").types("4").shows("B1-B4   4 seats");
    till.keys("Esc b").types("2 wheelchair").keys("Enter");
    till.shows("A1-A2 are yours");
    assert_eq!(till.cart_seats(), ["A1", "A2"]);
}

impl Till {
    fn at_seat(&mut self, show: &str, seat: &str) -> &mut Self {
        self.keys("/").types(show).keys("Enter g").types(seat);
        self.keys("Enter")
    }
}

/// The seat of the same name in another performance was given back.
#[test]
fn enter_goes_to_the_seats_own_line_of_the_cart() {
    let mut till = at_school(vec![price(None, 500)]);
    till.at_seat("hamlet", "a1").keys("Space");
    till.at_seat("school", "a1").keys("Space Enter x");
    let cart = &till.app.shared.cart.view().unwrap().cart;
    let left: Vec<_> = cart.lines.iter().map(|line| line.goods.performance()).collect();
    assert_eq!(left, [Some(till.show)]);
}

/// After a look at one sold seat, the seat of the same name in another performance never named its buyer.
#[test]
fn enter_on_a_sold_seat_names_its_receipt_in_each_performance() {
    let mut till = at_school(vec![price(None, 500)]);
    till.at_seat("hamlet", "a1").keys("Space p Enter Esc");
    till.at_seat("school", "a1").keys("Space p Enter Esc");
    till.at_seat("hamlet", "a1").keys("Enter").said("receipt till-2/1");
    till.at_seat("school", "a1").keys("Enter").said("receipt till-2/2");
}

/// A message stayed for its four seconds, over whatever came next.
#[test]
fn an_old_message_goes_with_the_next_key_or_click_and_a_new_one_stays() {
    let mut till = desk();
    till.keys("2 F7").shows("F7 does nothing here");
    till.keys("Right").shows("F7 does nothing here");
    till.wait(Span::seconds(2)).shows("F7 does nothing here");
    till.keys("Right").hides("does nothing here");
    till.keys("F7").shows("F7 does nothing here");
    till.wait(Span::seconds(2));
    let seat = till.seat_cell("C8");
    till.mouse(seat, &[PointerAct::Press]).hides("does nothing here");
}

/// The seats of a mark went back by an act for each ticket type, and each had an undo of its own.
#[test]
fn a_mark_over_two_ticket_types_is_given_back_and_taken_again_as_one() {
    let mut till = desk();
    till.keys("2 g").types("a1").keys("Enter Space t Right Space").shows("TOTAL EUR 15.00");
    till.keys("Left v Right x").free(80).said("given back");
    assert_eq!(till.asked_for().iter().filter(|verb| *verb == "give_back").count(), 1);
    till.keys("u").shows("TOTAL EUR 15.00").free(78).keys("u").hides("TOTAL EUR 15.00");
}

/// The history said `booked` and `disabled` of what the map calls sold and out of use.
#[test]
fn the_history_of_a_seat_says_the_words_of_the_map() {
    let mut till = desk();
    till.keys("2 b 2 Enter p Enter Esc").keys("i").shows("sold ").hides("booked").keys("Esc");
    till.disable(&["C4"]).keys("g").types("c4").keys("Enter i").shows("out of use").hides("disabled");
}
