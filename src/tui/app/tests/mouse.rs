//! Everything can be done with the mouse alone.

use ratatui::layout::Position;

use super::till::{Till, desk};
use crate::domain::time::Span;
use crate::tui::data::msg::Msg;
use crate::tui::kit::input::{Pointer, PointerAct};

/// Clicks where a text stands on the screen.
#[track_caller]
pub(super) fn click_on<'a>(till: &'a mut Till, text: &str) -> &'a mut Till {
    let at = place_of(till, text);
    for what in [PointerAct::Press, PointerAct::Release] {
        till.send(Msg::Pointer(Pointer { at, what }));
    }
    till.settle();
    till.wait(Span::from_millis(400))
}

#[track_caller]
pub(super) fn place_of(till: &mut Till, text: &str) -> Position {
    let screen = till.draw();
    let found = (0u16..).zip(screen.lines()).find_map(|(y, line)| {
        let (before, _) = line.split_once(text)?;
        Some((u16::try_from(before.chars().count()).unwrap(), y))
    });
    let (x, y) = found.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"));
    Position::new(x, y)
}

#[test]
fn two_seats_are_sold_with_the_mouse_alone() {
    let mut till = desk();
    click_on(&mut till, "Hamlet");
    till.wait(Span::seconds(1));
    click_on(&mut till, "2 Seats").shows("S T A G E");
    till.click("C7").wait(Span::from_millis(400));
    till.click("C8").wait(Span::from_millis(400));
    click_on(&mut till, "p  pay").shows("TO PAY");
    click_on(&mut till, "> Enter  take 20.00").shows("Sold   receipt till-2/1");
    assert_eq!(till.sales(), 1);
    till.click("D4").wait(Span::from_millis(400));
    till.hides("Sold   receipt").shows("1 seat ");
    click_on(&mut till, "p  pay").shows("TO PAY");
    click_on(&mut till, "> Enter  take 10.00").shows("Sold   receipt till-2/2");
    assert_eq!(till.sales(), 2);
    assert_eq!(till.asked_for().split_off(2).len(), 5, "three picks, two sales");
    till.free(77);
}

#[test]
fn pay_takes_a_card_and_closes_by_mouse() {
    let mut till = desk();
    till.keys("2 b 2 Enter p");
    click_on(&mut till, "d Card").shows("on the card");
    click_on(&mut till, "c Cash").shows("[exact]");
    click_on(&mut till, "Esc  back").hides("TO PAY");
    click_on(&mut till, "? keys").shows("Esc closes");
    click_on(&mut till, "Esc closes").hides("Esc closes");
    assert_eq!(till.sales(), 0);
}

#[test]
fn a_double_click_presses_a_key_once_and_does_nothing_beside_a_dialog() {
    let mut till = desk();
    till.keys("2 b 2 Enter");
    let screen = till.draw();
    click_on(&mut till, "p  pay").shows("TO PAY");
    let line = screen.lines().position(|line| line.contains("C  cancel"));
    let at = Position::new(70, u16::try_from(line.unwrap()).unwrap());
    let (what, again) = (PointerAct::Press, PointerAct::Press);
    for what in [what, again] {
        till.send(Msg::Pointer(Pointer { at, what }));
    }
    till.settle();
    till.shows("TO PAY").hides("Give all back");
}

#[test]
fn a_double_click_pays_once_and_does_not_reach_the_next_screen() {
    let mut till = desk();
    till.keys("2 b 2 Enter p");
    let at = place_of(&mut till, "> Enter  take 20.00");
    for what in [PointerAct::Press, PointerAct::Release].repeat(2) {
        till.send(Msg::Pointer(Pointer { at, what }));
        till.settle();
    }
    till.shows("Sold   receipt").free(78);
    assert_eq!(till.asked_for().split_off(2), ["hold_seats", "checkout"]);
}

/// Screens B3: the reservation dialog was dead to the mouse, its caret at the end, long text out of sight.
#[test]
fn the_reservation_dialog_is_filled_and_sent_with_the_mouse() {
    let mut till = desk();
    till.keys("2 b 2 Enter r").types("Weber");
    till.keys("Left Left X").shows("WebX_er");
    click_on(&mut till, "Contact").types("030");
    till.shows("> Contact   030_".trim_start_matches("> "));
    click_on(&mut till, "Name").keys("Ctrl-U").types(&"abcdefghij".repeat(6));
    till.shows("ghij_");
    click_on(&mut till, "Esc closes, nothing is done").hides("[ Reserve ]");
    till.keys("r").types("Weber");
    click_on(&mut till, "[ Reserve ]");
    till.said("Reserved for Weber").hides("[ Reserve ]");
    till.keys("W");
    click_on(&mut till, "together").types("2");
    click_on(&mut till, "Name").types("Ben");
    click_on(&mut till, "[ Put on the list ]");
    till.said("Ben is on the waiting list");
}

/// Screens B4: Shift-Tab went forward in questions.
#[test]
fn shift_tab_goes_back_in_a_question() {
    let mut till = desk();
    till.keys("2 Space q Shift-Tab Enter");
    assert!(till.quit);
    assert_eq!(till.open_carts(), 0, "the last answer gives the seat back");
}

/// Screens B5: a drag that ended beside the seats left marking on.
#[test]
fn a_drag_ends_wherever_the_button_is_released() {
    // on a tab, and where nothing is
    for ground in [Position::new(0, 0), Position::new(99, 28)] {
        let mut till = desk();
        till.keys("2");
        let (from, over) = (till.seat_cell("A2"), till.seat_cell("A4"));
        till.mouse(from, &[PointerAct::Press]);
        till.mouse(over, &[PointerAct::Drag]);
        till.mouse(ground, &[PointerAct::Release]);
        till.keys("Right Right").keys("Space");
        let view = till.app.shared.cart.view().unwrap();
        assert_eq!(view.cart.seat_count(), 3, "let go at {ground}");
    }
}

/// Screens B5: a drag from empty ground over seats left marking on.
#[test]
fn a_drag_that_begins_beside_the_seats_marks_nothing() {
    let ground = Position::new(99, 28);
    for on_a_seat in [true, false] {
        let mut till = desk();
        till.keys("2");
        let (from, over) = (till.seat_cell("A2"), till.seat_cell("A4"));
        let end = if on_a_seat { over } else { ground };
        till.mouse(ground, &[PointerAct::Press]);
        till.mouse(from, &[PointerAct::Drag]);
        till.mouse(over, &[PointerAct::Drag]);
        till.mouse(end, &[PointerAct::Release]);
        till.keys("Right Right").keys("Space");
        let view = till.app.shared.cart.view().unwrap();
        assert_eq!(view.cart.seat_count(), 1, "let go at {end}");
    }
}

/// After each size the seats stand elsewhere, and the mouse hits what is drawn there now.
#[test]
fn a_drag_over_seats_goes_on_where_a_resize_has_moved_them() {
    for (width, height) in [(60, 18), (80, 24), (200, 60)] {
        let mut till = desk();
        till.keys("2");
        let (from, over) = (till.seat_cell("A2"), till.seat_cell("A4"));
        till.mouse(from, &[PointerAct::Press]).mouse(over, &[PointerAct::Drag]);
        till.resize(width, height).shows("A2-A4   3 seats");
        let further = till.seat_cell("A6");
        till.mouse(further, &[PointerAct::Drag, PointerAct::Release]).shows("A2-A6   5 seats");
        till.wait(Span::seconds(1)).click("A3").shows("A2-A6 are yours");
    }
    // let go while the terminal shows nothing
    let mut till = desk();
    till.keys("2");
    let (from, over) = (till.seat_cell("A2"), till.seat_cell("A4"));
    till.mouse(from, &[PointerAct::Press]).mouse(over, &[PointerAct::Drag]).resize(30, 8);
    till.mouse(over, &[PointerAct::Drag, PointerAct::Release]).resize(100, 30).shows("A2-A4   3 seats");
    let beside = till.seat_cell("B9");
    till.mouse(beside, &[PointerAct::Drag]).shows("A2-A4   3 seats").free(80);
}
