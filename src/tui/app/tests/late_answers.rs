//! Answers that come late, twice or out of order: each reaches the place that asked, and is shown for its own question.

use super::calendar::{book_choir, calendar};
use super::desk;
use crate::domain::time::Span;
use crate::engine::clock::Clock;
use crate::tui::app::tests::till::Till;
use crate::tui::data::msg::{Changed, Msg, Subject};
use crate::tui::kit::input::Key;
use crate::words::printing::Printer;

impl Till {
    /// Keys whose answers are still to come.
    fn hurries(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.send(Msg::Key(key.parse::<Key>().unwrap()));
        }
        self
    }

    /// Sends answers that were kept back, and waits for all others.
    fn lets_go(&mut self, kept: Vec<Msg>) -> &mut Self {
        for msg in kept {
            self.send(msg);
        }
        self.settle();
        self
    }

    fn count_said(&self, text: &str) -> usize {
        let says = self.app.shared.says.newest_first();
        says.filter(|message| message.text.contains(text)).count()
    }
}

#[test]
fn two_acts_sent_in_a_row_are_both_reported() {
    let (mut till, one, _) = calendar();
    till.keys("Tab C c");
    book_choir(&till, &one);
    till.notice();
    till.keys("Tab C c").said("Choir canceled").said("Yoga canceled");
    till.burst("u u");
    assert_eq!(till.count_said("stands again"), 2);
    assert_eq!(till.count_said("Choir stands again"), 1);

    let mut till = desk();
    let before = till.keys("2 b 4 Enter 5").count_said("");
    assert_eq!(till.burst("r r").count_said(""), before + 2);
}

#[test]
fn each_of_two_copies_that_were_counted_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printed.txt");
    let mut till = desk();
    till.app.shared.printer = Printer::named(&path.display().to_string());
    till.keys("2 b 2 Enter p Enter t Enter").types("lost").hurries("Enter");
    till.clock.set(till.clock.now() + Span::seconds(1));
    till.send(Msg::Tick(till.clock.now()));
    till.hurries("t Enter").settle();
    till.shows("why a copy").types("jam").keys("Enter");
    let printed = std::fs::read_to_string(&path).unwrap();
    assert!(printed.contains("COPY 1"), "{printed}");
    assert!(printed.contains("COPY 2"), "{printed}");
}

#[test]
fn tickets_to_collect_are_reported_after_their_order_was_closed() {
    let mut till = desk();
    till.keys("2 b 2 Enter p Enter 4 Enter").burst("c Esc");
    till.said("The tickets wait here");
}

#[test]
fn a_late_read_of_the_cart_does_not_undo_what_came_after_it() {
    let mut till = desk();
    till.keys("2 Space").shows("TOTAL EUR 10.00");
    let cart = till.app.shared.cart.view().unwrap().cart.id;
    till.send(Msg::Changed(Changed::These(vec![Subject::Cart(cart)])));
    let kept = till.keeps_back();
    till.keys("Right Space").shows("TOTAL EUR 20.00");
    till.lets_go(kept).shows("TOTAL EUR 20.00");
    assert_eq!(till.count_said("out of use"), 0);
}

#[test]
fn a_change_while_the_open_carts_are_read_is_read_afterwards() {
    let mut till = desk();
    till.hurries("o");
    let kept = till.keeps_back();
    till.ben_holds(&["A1"]);
    till.send(Msg::Changed(Changed::Everything));
    till.lets_go(kept).wait(Span::seconds(1)).shows("ben@till-1");
}

#[test]
fn nothing_is_said_to_be_missing_before_the_question_is_answered() {
    let mut till = desk();
    till.keys("/").types("Hamz").shows("nothing found");
    till.hurries("Backspace").hides("nothing found").settle();
    till.shows("Hamlet");

    let (mut till, _, _) = calendar();
    till.keys("b").types("2h").shows("choice 1 of");
    till.hurries("Backspace Backspace 3 h");
    till.hides("nothing is free").hides("choice 1 of").settle();
    till.shows("choice 1 of");
}

/// A change of the house took the form, or what was typed into it.
#[test]
fn a_change_while_a_form_is_typed_leaves_the_form_and_what_is_typed() {
    for way in ["2 b 2 Enter r", "1 N", "2 W", "3 n", "3 N", "2 v K", "2 b 2 Enter p Tab"] {
        let mut till = desk();
        let dialog = till.keys(way).types("Zed").shows("Zed").app.dialog_type();
        till.ben_holds(&["E16"]).notice().wait(Span::seconds(1)).shows("Zed");
        assert_eq!(till.app.dialog_type(), dialog, "{way}");
    }
}

/// The answers that were kept back, once more.
fn again(kept: &[Msg]) -> Vec<Msg> {
    let answer = |msg: &Msg| {
        let Msg::Answer(ticket, answer) = msg else { return None };
        Some(Msg::Answer(ticket.clone(), answer.clone()))
    };
    kept.iter().filter_map(answer).collect()
}

/// An answer that came again was told again, and taken for that of the wish after it.
#[test]
fn an_answer_that_comes_again_is_taken_in_once() {
    let mut till = desk();
    till.keys("2").hurries("Space");
    let kept = till.keeps_back();
    let copies = again(&kept);
    till.lets_go(kept).shows("TOTAL EUR 10.00").hurries("Right Space").lets_go(copies).shows("TOTAL EUR 20.00");
    till.free(78).keys("p").hurries("Enter");
    let kept = till.keeps_back();
    let copies = again(&kept);
    till.lets_go(kept).lets_go(copies);
    assert_eq!((till.sales(), till.count_said("Sold: receipt")), (1, 1));

    let (mut till, _, _) = calendar();
    till.keys("Tab C").hurries("c");
    let kept = till.keeps_back();
    let copies = again(&kept);
    till.lets_go(kept).lets_go(copies);
    assert_eq!(till.count_said("Yoga canceled"), 1);
    till.keys("u").said("Yoga stands again").keys("u").newest("There is nothing to undo");
}

/// An answer for a place that was left opens, picks and sells nothing.
#[test]
fn an_answer_for_a_place_that_was_left_does_nothing_where_the_operator_is() {
    for (way, asks) in [
        ("1", "2 o"),
        ("1", "d"),
        ("2", "b 2 Enter"),
        ("2 b 2 Enter", "p"),
        ("2 b 2 Enter", "r"),
        ("2", "W"),
        ("2", "i"),
        ("4", "3 n"),
        ("5", "1 N"),
        ("1", "/ H a m"),
    ] {
        let mut till = desk();
        till.keys(way).hurries(asks);
        let kept = till.keeps_back();
        till.burst("Esc Esc 5").shows("[5 Jobs]");
        let before = till.asked_for();
        till.lets_go(kept).wait(Span::seconds(1)).shows("[5 Jobs]").shows("Jobs | ");
        assert!(till.app.modal.is_none(), "{way} {asks}: {}", till.draw());
        assert_eq!((till.asked_for(), till.sales()), (before, 0), "{way} {asks}");
    }
}

/// A form that the palette opened on another screen lost what was typed, or acted on what stood there before.
#[test]
fn a_form_that_the_palette_opened_from_another_screen_stays_what_it_is() {
    let mut till = desk();
    till.keys("2 Space 5 :").types("waiting list").keys("Enter").shows("Waiting list  Hamlet").types("Zed");
    let dialog = till.app.dialog_type();
    till.ben_holds(&["E16"]).notice().wait(Span::seconds(1)).shows("Zed");
    assert_eq!(till.app.dialog_type(), dialog);
    let before = till.asked_for();
    till.keys("Esc").shows("[2 Seats]").shows("TOTAL EUR 10.00");
    assert_eq!((till.asked_for(), till.sales(), till.open_carts()), (before, 0, 2));
}
