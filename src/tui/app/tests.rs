//! Stories of a desk: keys in, screen out, on a real engine whose clock stands still until it is moved.

use ratatui::layout::Size;

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatKind;
use crate::domain::receipt::Tender;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AddPerformance, AddTheater, BePresent, Checkout, DisableSeats, HoldSeats, SeatChoice, Which};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::tui::data::left::LeftAt;
use crate::tui::data::msg::{Changed, ClockJump, Effect, Msg, Subject};
use crate::tui::kit::input::{Pointer, PointerAct};
use crate::tui::kit::screen::Screen;
use crate::words::printing::Printer;

mod after_sale;
mod broken_seats;
mod calendar;
mod commands;
mod counter;
mod dialog_keys;
mod dialogs;
mod doubled_enter;
mod early;
mod hands;
mod hits;
mod house_ways;
mod jobs;
mod key_counts;
mod keys;
mod late_answers;
mod mouse;
mod moving;
mod names;
mod other_night;
mod outages;
mod palette;
mod paying;
mod planning;
mod questions;
mod reading_again;
mod reserving;
mod rights;
mod sliding;
mod snapshots;
mod standing;
pub(crate) mod till;
mod tills;
mod truth;
mod waiting;
mod zones;

use till::{Till, actor, desk, desk_in};

/// Saturday 21 November 2026, noon in UTC.
const NOON: Instant = Instant::from_millis(1_795_262_400_000);

#[test]
fn four_best_are_sold_for_cash_in_five_keys() {
    let mut till = desk();
    till.keys("2 b 4 Enter").shows("are yours until").shows("TOTAL EUR 40.00");
    till.keys("p").shows("TO PAY").shows("EUR 40.00");
    till.keys("Enter").shows("Sold   receipt till-2/1").shows("CHANGE");
    assert_eq!(till.sales(), 1);
    till.free(76);
}

#[test]
fn best_seats_taken_by_another_station_are_no_longer_offered() {
    let mut till = desk();
    till.keys("2 b 4").shows("B7-B10   4 seats");
    till.ben_holds(&["B8"]).notice();
    till.hides("B7-B10   4 seats").shows("4 seats   40.00");
    till.wait(Span::seconds(1)).keys("Enter");
    till.shows("are yours until").hides("gone").free(75);
}

/// Each digit of a wish sent the whole map to the terminal.
#[test]
fn a_zoomed_in_map_scrolls_to_a_suggestion_when_typing_rests() {
    let mut till = desk_in("40x60");
    till.keys("2");
    let plan = till.app.seats.map().unwrap().plan.clone();
    let last = plan.seats().last().unwrap().1.name.clone();
    till.keys("g").types(&last).keys("Enter Esc + + + b");
    let effects = till.app.update(Msg::Key("4".parse().unwrap()));
    let [Effect::TickIn(rest)] = effects[..] else { panic!("a key asks for a tick, and nothing else: {effects:?}") };
    till.carry_out(effects);
    till.settle();
    let suggestion = "29  30  31  32";
    till.shows("4 seats   40.00").hides(suggestion);
    till.wait(Span::from_millis(rest.millis() - 1));
    till.hides(suggestion);
    till.wait(Span::from_millis(1)).shows(suggestion);
    till.keys("Esc").hides(suggestion).shows("[60]");
}

/// Seats of a house that only fits in quadrants could be told apart by the strip of one row alone.
#[test]
fn a_big_house_has_the_rows_round_the_cursor_in_squares_beside_it() {
    let mut till = desk_in("40x60");
    till.resize(120, 36).keys("2").shows("Near the cursor").shows("N   1 1 1 1 1 1 1 1 1 1 1 1 1   N");
    let plan = till.app.seats.map().unwrap().plan.clone();
    let last = plan.seats().last().unwrap().1.name.clone();
    till.keys("g").types(&last).keys("Enter").shows("Near the cursor").hides("N   1 1 1");
    till.keys("+").hides("Near the cursor");
}

#[test]
fn a_sale_may_be_typed_ahead_in_one_burst() {
    let mut till = desk();
    till.burst("2").burst("b 4 Enter p Enter");
    assert_eq!(till.sales(), 1);
    till.shows("Sold   receipt till-2/1").free(76);
}

#[test]
fn a_sale_may_be_typed_ahead_from_tonight_before_any_answer() {
    let mut till = desk();
    till.burst("b 4 Enter p 2 0 0 Enter");
    assert_eq!(till.sales(), 1);
    till.shows("CHANGE").shows("160.00");
}

#[test]
fn the_change_stays_until_the_next_pick() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 2 0 0 Enter").shows("160.00");
    till.keys("g").types("a1").keys("Enter").shows("160.00");
    till.keys("Enter Enter").shows("is yours").hides("160.00");
    assert_eq!(till.sales(), 1, "Enter on the map picks, it never pays");
}

#[test]
fn a_doubled_enter_holds_once_and_sells_once() {
    let mut till = desk();
    till.burst("2").burst("b 4 Enter Enter").shows("4 seats");
    till.burst("p Enter Enter Enter Enter");
    assert_eq!(till.sales(), 1);
    till.keys("g").types("a1").keys("Enter").burst("Enter Enter");
    assert_eq!(till.open_carts(), 1, "one seat is picked, once");
    till.keys("C Enter").shows("1 seat ");
    till.keys("q Enter Enter");
    assert!(!till.quit);
}

#[test]
fn a_snatched_seat_is_named_and_replaced_with_one_key() {
    let mut till = desk();
    till.keys("2 g").types("c8-9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.keys("Space").shows("C9 is gone").shows("till-1").shows("take ");
    assert!(till.app.shared.cart.view().is_none(), "nothing was taken");
    till.wait(Span::seconds(60)).shows("C9 is gone");
    till.keys("a").shows("2 seats").hides("is gone");
}

#[test]
fn esc_closes_a_refusal_and_then_nothing() {
    let mut till = desk();
    till.keys("2 g").types("c9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.keys("Space").shows("C9 is gone");
    till.keys("Esc").wait(Span::seconds(4)).hides("C9 is gone");
    till.keys("Esc").hides("Nothing is open");
}

#[test]
fn a_refusal_closes_pay_and_drops_what_was_typed_behind_it() {
    let mut till = desk();
    till.keys("2 Space").shows("1 seat");
    till.keys("g").types("c9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.burst("Space p 2 0 0 Enter").said("Not paid").hides("TO PAY");
    assert_eq!(till.sales(), 0);
    till.burst("Enter q").hides("Quit?");
    till.wait(Span::seconds(1));
    till.keys("p").shows("[exact]").shows("Given     _");
}

#[test]
fn esc_leaves_pay_and_loses_nothing() {
    let mut till = desk();
    till.keys("2 b 2 Enter p 5 0 Esc").hides("TO PAY").shows("2 seats");
    till.keys("p").shows("50_").shows("30.00");
}

#[test]
fn a_closed_prompt_gives_its_text_back() {
    let mut till = desk();
    till.keys("2 b").types("3 aisle").keys("Esc b").hides("3 aisle_");
    till.keys("Up").shows("3 aisle_");
}

#[test]
fn part_amounts_may_be_mixed() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5 Enter").shows("STILL TO PAY of 40.00").shows("25.00 │");
    till.keys("d").shows("Charge 25.00 on the card").types("R77").keys("Enter Enter");
    till.shows("Sold").shows("card R77");
    assert_eq!(till.sales(), 1);
}

#[test]
fn likely_sums_are_chosen_by_arrows_and_a_click_with_their_change() {
    let mut till = desk();
    till.keys("2 b 2 Enter p").shows("[exact] 50.00  100.00  200.00");
    till.keys("Right").shows("50.00_").shows("30.00").shows("take 20.00");
    till.keys("Right Left Left Left").shows("200.00_").shows("180.00");
    till.keys("Right Enter").shows("Sold   receipt till-2/1").hides("180.00");
    till.keys("b 1 Enter p 1 2").shows("12_").keys("Left 3").shows("13_2").shows("122.00");
}

#[test]
fn pay_leaves_the_seats_of_the_cart_in_view() {
    for (size, seat) in [((80, 24), "a16"), ((80, 24), "a1"), ((100, 30), "e16"), ((120, 36), "c16")] {
        let mut till = desk();
        till.resize(size.0, size.1).keys("2 g").types(seat).keys("Enter Space");
        let at = till.seat_cell(&seat.to_uppercase());
        let before = till.drawn()[at].clone();
        till.keys("p").shows("TO PAY");
        assert_eq!(till.drawn()[at], before, "{seat} at {size:?}\n{}", till.draw());
    }
}

/// The number of the seat in the row below the map stands elsewhere than the seat.
#[test]
fn pay_leaves_the_seats_of_a_big_house_in_view() {
    let mut till = desk_in("30x40");
    till.resize(80, 24).keys("2 g").types("a20").keys("Enter Space");
    let at = till.seat_cell("A20");
    let before = till.drawn()[at].clone();
    till.keys("p").shows("TO PAY");
    assert_eq!(till.drawn()[at], before, "{}", till.draw());
}

#[test]
fn pay_shows_each_row_that_has_a_line() {
    let mut till = desk();
    till.resize(60, 18).keys("2 b 2 Enter p").shows("Contact").shows("keep at the desk");
    // what stands in the way hides no row that takes keys
    till.types("x").shows("x does nothing in Pay").shows("Contact").shows("keep at the desk");
    till.keys("Tab Tab Tab Tab").shows(">Print").resize(80, 22).shows("Contact").shows("no printer");
}

#[test]
fn a_message_that_the_screen_says_itself_is_not_said_twice() {
    let mut till = desk();
    till.keys("2 g").types("c9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.keys("Space");
    let screen = till.draw();
    assert_eq!(screen.matches("C9 is gone").count(), 1, "{screen}");
}

#[test]
fn uncollected_tickets_are_part_of_the_sale() {
    let mut till = desk();
    till.keys("2 b 2 Enter p Tab").types("Weber").keys("Tab Tab");
    till.shows("Enter  next").shows("[ ] keep at the desk");
    till.burst("Space").shows("[x] keep at the desk");
    till.keys("Tab Tab Enter").shows("Sold   receipt till-2/1");
    till.keys("4 Enter").shows("its tickets wait here to be collected");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_card_sale_goes_by_reference_and_two_enters() {
    let mut till = desk();
    till.keys("2 b 2 Enter p d").types("004417").keys("Enter Enter").shows("Sold").shows("card 004417");
}

#[test]
fn the_hold_ends_while_the_card_terminal_works_and_no_money_is_lost() {
    let mut till = desk();
    till.keys("2 b 2 Enter p d");
    till.wait(Span::minutes(61)).shows("If the card was charged");
    till.types("004417").keys("Enter Enter").shows("Sold");
    assert_eq!(till.sales(), 1);
}

#[test]
fn the_hold_ends_and_u_brings_the_cart_back() {
    let mut till = desk();
    till.keys("2 b 2 Enter p").wait(Span::minutes(31)).hides("TO PAY").said("the hold has ended");
    till.wait(Span::seconds(1)).free(80).keys("Enter").free(79);
    till.keys("u u").free(78).shows("2 seats");
}

#[test]
fn u_undoes_picking_and_giving_back() {
    let mut till = desk();
    till.keys("2 Space").shows("u undo: pick").keys("u").free(80);
    till.keys("Space Space").shows("u undo: give back").free(80);
    till.keys("u").free(79);
    till.keys("t").shows("Child").shows("5.00").keys("u").shows("Adult");
}

#[test]
fn n_sets_the_cart_aside_for_the_next_customer() {
    let mut till = desk();
    till.keys("2 b 3 Enter n").shows("set aside for");
    till.types("Weber").keys("Enter").said("Set aside").shows("no seats yet").free(77);
    till.shows("1 on hold: Weber 12:3");
    till.keys("o")
        .shows("set aside till-2")
        .shows("Weber")
        .shows(": Hamlet Sat 21 Nov 19:30")
        .keys("Enter")
        .shows("3 seats");
}

#[test]
fn another_stations_cart_is_taken_over_only_on_purpose() {
    let mut till = desk();
    till.ben_holds(&["A1", "A2"]);
    till.keys("2 o Enter").shows("ben at till-1 works on it now").keys("Enter").hides("2 seats  ");
    till.keys("o Enter t").shows("2 seats").shows("A1");
}

#[test]
fn quitting_with_a_cart_asks_and_enter_stays() {
    let mut till = desk();
    till.keys("2 Space q").shows("Quit?").keys("Enter").hides("Quit?");
    assert!(!till.quit);
    till.keys("q g");
    assert!(till.quit);
    assert_eq!(till.open_carts(), 0);
    let mut other = desk();
    other.keys("2 Space q k");
    assert!(other.quit);
    assert_eq!(other.open_carts(), 1);
    let mut empty = desk();
    empty.keys("q");
    assert!(empty.quit, "without a cart nobody is asked");
}

#[test]
fn seats_go_out_of_use_only_after_a_reason_and_a_question() {
    let mut till = desk();
    till.keys("2 g").types("c3").keys("Enter");
    till.ben_holds(&["C3"]);
    till.notice().keys("D").types("broken").keys("Enter").shows("C3 is held by ben at till-1");
    till.keys("Enter").free(79).keys("D").types("broken").keys("Enter d").said("C3 out of use");
    till.notice().shows("C3 is out of use (broken), by ada");
    till.keys("D").shows("Back into use?").keys("b").said("Back into use").free(80);
}

#[test]
fn pay_refuses_a_changed_total() {
    let mut till = desk();
    till.keys("2 b 2 Enter p").shows("EUR 20.00");
    let first = till.app.shared.cart.view().unwrap().lines[0].seats()[0].1.clone();
    till.engine
        .desk(actor("ben", "till-1"))
        .run(DisableSeats { which: Which::Performance(till.show), seats: vec![first], reason: "leak".into() })
        .unwrap();
    till.keys("Enter");
    assert_eq!(till.sales(), 0);
    till.shows("EUR 10.00").keys("Enter");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_key_that_means_nothing_says_so() {
    let mut till = desk();
    till.keys("2 B").shows("B does nothing here (Caps Lock?); ? shows keys");
    till.keys("z").shows("z does nothing here; ? shows keys");
}

#[test]
fn below_the_smallest_size_enter_does_not_pay() {
    let mut till = desk();
    till.keys("2 b 2 Enter p");
    till.send(Msg::Resize(Size::new(50, 12)));
    till.keys("Enter").shows("50x12 is too small");
    assert_eq!(till.sales(), 0);
    till.send(Msg::Resize(Size::new(100, 30)));
    till.keys("Enter");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_terminal_of_any_size_shows_what_to_do() {
    let mut till = desk();
    let shown = |till: &mut Till, width, height| {
        till.resize(width, height);
        till.draw().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = ["40x10 is too small", "make it 60x18 or more", "q quits"];
    assert_eq!(shown(&mut till, 40, 10)[..3], whole);
    let wrapped = ["20x6 is too small", "make it 60x18 or", "more", "q quits"];
    assert_eq!(shown(&mut till, 20, 6)[..4], wrapped);
    assert_eq!(shown(&mut till, 20, 2), ["make it 60x18", "q quits"]);
    assert_eq!(shown(&mut till, 10, 3), ["make it", "60x18", "q quits"]);
    assert_eq!(shown(&mut till, 9, 1), ["60x18"]);
    assert_eq!(shown(&mut till, 1, 1), ["…"]);
    till.resize(59, 23).shows("59x23 is too small");
    till.resize(79, 23).shows("Hamlet").hides("too small");
    till.resize(100, 30).keys("2 Space").resize(20, 6);
    till.keys("q").shows("Esc stay, k keep it,").shows("g give it back");
    till.keys("Esc").shows("q quits");
    assert!(!till.quit);
}

#[test]
fn a_dialog_is_unchanged_after_the_terminal_was_too_small() {
    let mut till = desk();
    till.keys("2 b 2 Enter r").types("Weber").keys("Tab");
    till.types("030");
    for (width, height) in [(20, 6), (1, 1), (79, 23), (40, 10)] {
        till.resize(width, height);
    }
    till.types("xyz").keys("Enter q").shows("your cart is open");
    till.keys("Esc").resize(100, 30);
    till.shows("Weber").shows("030_").hides("xyz");
    till.resize(40, 10).keys("q").resize(100, 30);
    till.shows("Quit?").keys("Enter").shows("030_");
    till.keys("Esc C").shows("Cancel the cart?");
    till.resize(40, 10).keys("c Tab Enter").shows("q quits");
    till.resize(100, 30).shows("Cancel the cart?");
    assert_eq!(till.open_carts(), 1, "nobody answers what nobody can see");
}

#[test]
fn a_click_picks_and_a_double_click_does_not_give_back() {
    let mut till = desk();
    till.keys("2").click("B7").click("B7").shows("1 seat ").shows("B7 is yours");
    till.wait(Span::seconds(2)).click("B7").shows("B7 given back");
}

#[test]
fn dragging_marks_and_a_click_on_the_mark_picks() {
    let mut till = desk();
    till.keys("2");
    let (from, to) = (till.seat_cell("B3"), till.seat_cell("B6"));
    for (at, what) in [(from, PointerAct::Press), (to, PointerAct::Drag), (to, PointerAct::Release)] {
        till.send(Msg::Pointer(Pointer { at, what }));
    }
    till.shows("B3-B6   4 seats").free(80);
    till.wait(Span::seconds(1)).click("B4").shows("B3-B6 are yours");
}

#[test]
fn a_paste_on_a_screen_opens_find_with_its_text() {
    let mut till = desk();
    till.send(Msg::Paste("\u{1b}hamlet\u{7}".into()));
    till.settle();
    till.shows("╭ Find ─").shows("Hamlet").keys("Enter").shows("[2 Seats]");
}

#[test]
fn another_stations_hold_appears_on_the_map() {
    let mut till = desk();
    till.keys("2 g").types("d4").keys("Enter").ben_holds(&["D4"]);
    till.notice().shows("D4 is held by ben at till-1");
}

#[test]
fn every_screen_and_dialog_draws_at_every_size() {
    for (width, height) in [(60, 18), (80, 24), (100, 30), (200, 60), (40, 10), (1, 1)] {
        let mut till = desk();
        till.send(Msg::Resize(Size::new(width, height)));
        for keys in
            ["1", "4", "2", "b 2 Enter", "?", "Esc :", "Esc !", "Esc o", "Esc /", "Esc i", "Esc p", "d", "Esc Tab", "q"]
        {
            till.keys(keys);
        }
        till.draw();
    }
}

#[test]
fn a_tick_without_a_change_draws_nothing() {
    let mut till = desk();
    till.keys("2").wait(Span::seconds(60));
    till.app.take_dirty();
    till.wait(Span::seconds(1));
    assert!(!till.app.take_dirty(), "an idle desk draws nothing");
    till.keys("Space");
    till.app.take_dirty();
    till.wait(Span::seconds(1));
    assert!(till.app.take_dirty(), "a countdown draws once a second");
}

#[test]
fn on_the_overview_space_goes_to_the_seats_and_picks_nothing() {
    let mut till = desk();
    till.keys("Enter - - - -").shows("80 free").shows("Zones");
    till.keys("Space").hides("Zones").shows("S T A G E").free(80);
    till.keys("Space").free(79);
}

#[test]
fn one_command_line_sells() {
    let mut till = desk();
    till.keys("2 :").types("3 aisle").keys("Enter").shows("3 seats");
    till.keys(":").types("3 balcony").keys("Enter").shows("\"balcony\" is no zone").keys("Esc");
    till.keys(":").types("und").keys("Enter").free(80);
}

#[test]
fn a_doubled_enter_behind_a_part_amount_does_not_take_the_rest() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5").shows("STILL TO PAY").shows("take the part 15");
    till.burst("Enter Enter Enter").shows("STILL TO PAY of");
    assert_eq!(till.sales(), 0, "the rest is asked for, not taken");
    till.keys("c Enter").shows("Sold   receipt");
    assert_eq!(till.sales(), 1);
}

#[test]
fn money_of_one_customer_never_counts_for_the_next() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5 Enter Esc n Enter").keys("b 2 Enter p").hides("STILL TO PAY").shows("take 20.00");
}

#[test]
fn a_mark_says_which_of_its_seats_are_not_free() {
    let mut till = desk();
    till.ben_holds(&["C9"]).notice();
    till.keys("2 g")
        .types("c8-10")
        .keys("Enter")
        .shows("3 seats: C9 is held")
        .shows("Space takes C8, C10 only")
        .shows("2 seats   20.00");
}

#[test]
fn below_the_smallest_size_q_asks_over_pay_and_pay_is_kept() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 5");
    till.resize(59, 17).hides("k keep").keys("Enter q");
    assert_eq!(till.sales(), 0);
    till.shows("k keep").keys("Esc").resize(60, 18);
    till.keys("p").shows("5_").shows("Contact");
}

#[test]
fn seats_set_aside_get_a_sign_of_their_own_at_once() {
    let mut till = desk();
    till.keys("2 b 4 Enter").notice().keys("n Enter").shows("Set aside");
    let cart = till.engine.desk(actor("ben", "till-1"));
    let id = cart.read(ReadOpenCarts::default()).unwrap()[0].id;
    till.send(Msg::Changed(Changed::These(vec![Subject::Cart(id)])));
    till.settle();
    till.shows("%  %  %  %");
}

#[test]
fn a_restarted_desk_reports_its_cart_and_o_takes_it() {
    let mut till = desk();
    till.keys("2 b 4 Enter").shows("4 seats");
    till.restart(LeftAt::default());
    till.said("Your cart from before is held until");
    till.keys("o Enter").shows("[2 Seats]").shows("TOTAL EUR 40.00");
}

/// Look 5: a desk opened on Tonight, whatever its station had on the screen.
#[test]
fn a_desk_opens_on_the_screen_performance_and_zoom_that_its_station_left() {
    let mut till = desk();
    key_counts::lear(&mut till);
    till.keys("1 g").types("fri").keys("Enter Enter");
    till.shows("Lear").keys("-");
    let left = till.app.left_at();
    till.restart(left).shows("[2 Seats]").shows("Lear");
    assert_eq!(till.app.left_at(), left);
    let tonight = LeftAt { screen: Screen::Tonight, ..left };
    till.restart(tonight).shows("[1 Tonight]").keys("2");
    assert_eq!(till.app.left_at(), left);
    let gone = LeftAt { performance: Some(PerformanceId::random()), ..left };
    till.restart(gone).shows("[2 Seats]").shows("Hamlet");
    assert_eq!(till.app.left_at().zoom, None);
}

#[test]
fn a_jumped_clock_is_reported_and_followed_only_after_confirmation() {
    let mut till = desk();
    till.types(":confirm-clock").keys("Enter").said("agree");
    till.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
    till.shows("Clock jumped 61 min ahead (13:01); this desk keeps 12:00. : confirm-clock");
    till.wait(Span::seconds(10)).shows("clock?");
    till.types(":confirm-clock").keys("Enter").shows("Holds whose time is over then end at once");
    till.keys("Enter").hides("it is right").shows("clock?");
    till.types(":confirm-clock").keys("Enter f").said("follows its machine's clock again");
    till.send(Msg::ClockJumped(ClockJump::None));
    till.said("agree again").hides("clock?");
}

#[test]
fn a_desk_whose_clock_disagrees_with_the_house_asks_before_it_writes() {
    let mut till = desk();
    let seen = NOON + Span::minutes(60);
    till.send(Msg::ClockJumped(ClockJump::Apart { seen }));
    till.shows("Is the machine's clock right?")
        .shows("This machine's clock says 21 Nov 2026 12:00")
        .shows("the house's said 21 Nov 2026 13:00")
        .shows("this desk writes nothing, and runs no jobs");
    till.keys("n").hides("Is the machine's clock right?").shows("clock?");
    till.types(":confirm-clock").keys("Enter f").said("follows its machine's clock again");
    till.send(Msg::ClockJumped(ClockJump::None));
    till.hides("clock?");
}

#[test]
fn a_station_sees_other_stations_until_they_leave_or_time_out() {
    let mut till = desk();
    till.keys("2").hides("also here");
    let here = crate::tui::kit::screen_state::ScreenState::showing(&till.app.seats, till.app.shared.now).unwrap();
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.run(BePresent::At(here.clone())).unwrap();
    till.send(Msg::Changed(Changed::These(Vec::new())));
    till.settle();
    till.shows("also here: till-1 (ben)");
    till.keys("1").shows("Stations").shows("till-1 ben");
    ben.run(BePresent::Off).unwrap();
    till.wait(Span::seconds(11)).hides("till-1 ben");
    ben.run(BePresent::At(here)).unwrap();
    till.wait(Span::seconds(11)).shows("till-1 ben");
    till.wait(Span::seconds(26)).hides("till-1 ben");
}

#[test]
fn a_click_or_enter_on_a_sold_seat_names_the_buyer_and_takes_nothing() {
    let mut till = desk();
    till.keys("2").types("gc8").keys("Enter Space p Tab").types("Mrs Smith");
    till.keys("Shift-Tab Enter").shows("Sold   receipt till-2/1");
    till.keys("Right Left").shows("C8 is sold; Enter shows the buyer");
    till.keys("Enter").said("C8 is sold: receipt till-2/1, Mrs Smith");
    till.click("C8").said("C8 is sold: receipt till-2/1, Mrs Smith");
    till.hides("is gone");
    till.ben_holds(&["D1"]).notice().click("D1").said("D1 is held by ben at till-1");
    assert_eq!((till.sales(), till.open_carts()), (1, 1));
}

#[test]
fn a_lost_seat_is_paid_back_from_the_list_of_needs() {
    let mut till = desk();
    till.keys("2").types("gc8").keys("Enter Space p Enter 1");
    till.disable(&["C8"]);
    till.notice().wait(Span::seconds(2)).shows("C8 lost: receipt");
    till.keys("2").types("gc8").keys("Enter").shows("An order lost C8; Enter opens it");
    till.keys("1 Tab Space")
        .shows("B8 in its place   or C7 · C9")
        .types("c")
        .shows("TO GIVE BACK   EUR 10.00")
        .keys("Enter")
        .newest("EUR 10.00 given back: receipt till-2/2");
    till.notice().shows("Nothing now.");
}

#[test]
fn g_goes_to_a_day_of_the_programme_and_to_a_receipt() {
    let mut till = desk();
    till.types("g5 dec").keys("Enter").shows("5 Dec to 11 Dec");
    till.types("gnever").keys("Enter").shows("is not a date").keys("Esc");
    till.keys("2 b 2 Enter p Enter 4").types("g1").keys("Enter").shows("Order till-2/1");
    till.types("gtill-2/7").keys("Enter").said("There is no receipt till-2/7");
    till.types("gtoday").keys("Enter").shows("Today, Saturday").shows("till-2/1");
    till.types("gfri").keys("Enter").shows("20 Nov").hides("till-2/1");
}

#[test]
fn a_bare_number_is_a_receipt_of_this_station_before_any_other() {
    let mut till = desk();
    let ben = till.engine.desk(actor("ben", "till-1"));
    let seats = SeatChoice::Named(vec!["D1".into()]);
    let cart = ben.run(HoldSeats::new(till.show, seats)).unwrap().id;
    ben.run(Checkout::new(cart, vec![Tender::Cash { given: None }])).unwrap();
    till.keys("2 b 2 Enter p Enter 4").types("g1").keys("Enter");
    till.shows("Order till-2/1").keys("Esc");
    till.types("gtill-1/1").keys("Enter").shows("Order till-1/1");
}

#[test]
fn every_choice_of_a_refusal_is_visible_in_a_small_terminal() {
    let mut till = desk();
    till.resize(80, 24).keys("2").types("gc9").keys("Enter");
    till.ben_holds(&["C9"]).keys("Space").shows("C9 is gone");
    till.shows("  a  take").shows("  b  others");
}

#[test]
fn a_sale_prints_what_pay_says_and_tickets_again_are_counted() {
    let mut till = desk();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tickets.txt");
    let printed = || std::fs::read_to_string(&path).unwrap_or_default();
    till.app.shared.printer = Printer::named(&path.display().to_string());
    till.keys("2 b 2 Enter p").shows("[x] tickets").shows("[x] receipt");
    till.keys("Enter").said("2 tickets and the receipt of till-2/1 printed");
    assert_eq!(printed().matches("of 2").count(), 2, "{}", printed());
    assert!(printed().contains("TOTAL") && !printed().contains("COPY"), "{}", printed());
    till.keys("t").shows("print the tickets to").keys("Enter");
    till.shows("why a copy").keys("Enter").shows("a copy has a reason").types("left at home").keys("Enter");
    till.said("2 tickets of till-2/1 printed");
    assert!(printed().contains("COPY 1"), "{}", printed());
    till.keys("4 Enter").shows("Copy").shows("Left at home");
    till.keys("t").shows("Tickets").keys("Ctrl-U").types("|exit 3").keys("Enter").types("jam").keys("Enter");
    till.said("Not printed: exit 3 ended with");
    till.keys("t Ctrl-U Enter").said("Shown, not printed");
}

#[test]
fn tickets_kept_at_the_desk_are_printed_when_they_are_collected_if_they_never_were() {
    let mut till = desk();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tickets.txt");
    let printed = || std::fs::read_to_string(&path).unwrap_or_default();
    till.keys("2 b 2 Enter p Enter 4 Enter").shows("Order till-2/1").hides("printed again");
    till.keys("c").said("The tickets wait here");
    till.app.shared.printer = Printer::named(&path.display().to_string());
    till.keys("c").said("2 tickets of till-2/1 printed");
    assert!(printed().contains("1 of 2") && !printed().contains("COPY"), "{}", printed());
    till.keys("c c").shows("tickets collected").hides("printed again");
    assert_eq!(printed().matches("1 of 2").count(), 1, "{}", printed());
    till.keys("t Enter").types("lost").keys("Enter").notice().shows("printed again once");
    assert_eq!(printed().matches("COPY 1").count(), 2, "{}", printed());
}

/// Enter pressed twice or thrice at once, in every question and dialog of a sale.
#[test]
fn a_doubled_enter_confirms_no_unread_question() {
    let mut till = desk();
    till.keys("2 b 2 Enter C").burst("Enter Enter Enter");
    till.free(78).hides("Cancel the cart?");
    till.keys("C Tab").burst("Enter Enter Enter").free(80);
    assert_eq!(till.open_carts(), 0, "it is canceled, and nothing is picked");
    till.keys("u").free(78).burst("Enter Enter");
    assert_eq!(till.open_carts(), 1);
    till.keys("n").burst("Enter Enter").free(78);
    assert_eq!(till.open_carts(), 1, "set aside once, nothing new is begun");
    till.ben_holds(&["A1"]);
    till.keys("o").burst("Enter Enter Enter");
    assert_eq!(till.open_carts(), 2);
    till.keys("g").types("a1").keys("Enter D").types("leak");
    till.notice().burst("Enter Enter Enter").free(77);
    till.keys("Esc g").types("e1").keys("Enter D").types("leak");
    till.burst("Enter Enter Enter").free(77);
    till.shows("Out of use?").keys("Esc D");
    till.burst("Enter Enter Enter").free(77);
    assert_eq!(till.sales(), 0);
}

/// The Royal with wheelchair places and their companions in the middle of row E.
fn with_wheelchairs() -> Till {
    let mut till = desk();
    let mut plan = crate::formats::rows::parse("5x16").unwrap();
    let row = plan.zones[0].rows.last_mut().unwrap();
    for (at, kind) in
        [(4, SeatKind::Companion), (5, SeatKind::Wheelchair), (10, SeatKind::Wheelchair), (11, SeatKind::Companion)]
    {
        row.seats[at].kind = kind;
    }
    let ada = till.engine.desk(actor("ada", "till-2"));
    let theater = ada.run(AddTheater { name: "The Studio".into(), plan, time_zone: Some(chrono_tz::Tz::UTC) }).unwrap();
    let start = NOON + Span::minutes(400);
    ada.run(AddPerformance::new(
        theater.id,
        "Lear",
        (start, start + Span::minutes(100)),
        vec![till::price(None, 1000)],
    ))
    .unwrap();
    till.notice().keys("1 Home Enter").shows("Lear");
    till
}

#[test]
fn best_takes_a_wheelchair_place_with_its_companion_only_when_it_is_asked_for() {
    let mut till = with_wheelchairs();
    till.keys("b").types("2 wheelchair").shows("E5-E6   2 seats");
    till.keys("Tab").shows("E11-E12   2 seats").keys("Shift-Tab Enter");
    till.newest("E5-E6 are yours until").shows("2 seats");
    till.shows("E5  yours");
    till.keys("b").types("2 wheelchair").keys("Enter");
    till.newest("E11-E12 are yours until");
    till.keys("b").types("1 wheelchair").keys("Enter").shows("4 seats");
    till.keys("Esc b").types("14").shows("14 seats").keys("Enter");
    till.shows("18 seats").newest("B1-B14 are yours until");
}
