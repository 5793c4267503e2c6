//! The palette: actions of every screen, in words, done where they live.

use super::till::{Till, desk};
use crate::domain::time::Span;
use crate::engine::ops::AnyOperation;
use crate::tui::data::msg::Msg;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Screen;

impl Till {
    /// Returns whether this desk sent an act on a job, which the journal does not have.
    fn steers_a_job(&self) -> bool {
        self.ran.iter().any(|operation| matches!(operation, AnyOperation::ControlJob(_)))
    }
}

/// On Jobs, `pos` found `close`, and nobody found what another screen can do.
#[test]
fn an_action_of_another_screen_is_found_by_its_words_and_opened_there() {
    let mut till = desk();
    till.keys("2 5 :").types("postpone").shows("Tonight").hides("put-off").keys("Enter");
    till.shows("[1 Tonight]").shows("Postpone   Hamlet");
    till.keys("Esc 5 :").types("waiting list").shows("Seats: the map").keys("Enter");
    till.shows("Waiting list  Hamlet");
    till.keys("Esc 4 :").types("best seats").keys("Enter").shows("[2 Seats]").shows("best seats");
}

/// The cursor of another screen is on something that was not seen yet.
#[test]
fn an_act_on_what_nobody_has_seen_is_shown_with_its_key_and_not_done() {
    let mut till = desk();
    till.keys("4 :").types("pick / give back this seat").keys("Enter").shows("[2 Seats]");
    till.newest("Seats: the map: Space  pick / give back this seat");
    assert_eq!(till.open_carts(), 0);
    till.keys("5 :").types("give back the marked seats or all").keys("Enter").shows("[4 Orders]").said("One order: R");
    till.keys("1 :").types("run now").keys("Enter").shows("[5 Jobs]").said("Jobs: r");
    assert!(!till.steers_a_job(), "{:?}", till.ran);
}

#[test]
fn an_action_of_this_screen_is_done_at_once() {
    let mut till = desk();
    till.keys("2 :").types("pick / give back this seat").keys("Enter");
    assert_eq!(till.open_carts(), 1);
    till.keys(":").types("cancel the cart").keys("Enter").shows("Cancel the cart?");
}

/// No command of any place sells, gives back or breaks anything by itself when it is chosen from another screen.
#[test]
fn every_command_of_another_place_is_listed_with_it_and_changes_nothing_unasked() {
    let mut till = desk();
    till.keys("2 b 2 Enter");
    let before = till.asked_for();
    let keymap = till.app.shared.keymap.clone();
    for place in KeyPlace::listed() {
        for entry in keymap.of(place).filter(|entry| entry.help != "close") {
            till.app.modal = None;
            till.keys(if Screen::with(place) == Some(Screen::Jobs) { "4" } else { "5" }).burst(":");
            let help = keymap.fill(place, &entry.help);
            let words: String = help.chars().take(20).collect();
            till.send(Msg::Paste(words.clone()));
            till.settle();
            till.shows(&words).shows(&place.title().chars().take(21).collect::<String>());
            till.app.act_at(place, entry.action);
            till.wait(Span::seconds(1));
            assert_eq!(till.asked_for(), before, "{}.{}", place.word(), entry.action.word());
            assert!(!till.steers_a_job(), "{}.{}", place.word(), entry.action.word());
        }
    }
    assert_eq!((till.open_carts(), till.sales()), (1, 0));
}

/// `4 stalls cash` promised seats, and then refused the word.
#[test]
fn a_typed_sale_says_what_it_takes_and_does_not_promise_what_it_refuses() {
    let mut till = desk();
    till.keys("2 5 :").types("4 stalls cash").shows("\"cash\" is no zone, category or price here").keys("Enter");
    till.shows("Commands, or one line to sell").shows("[5 Jobs]");
    till.keys("Ctrl-U").types("4 stalls").shows("Takes the best 4 seats in Stalls: Hamlet");
    till.keys("Enter").shows("[2 Seats]");
    assert_eq!(till.open_carts(), 1);
}
