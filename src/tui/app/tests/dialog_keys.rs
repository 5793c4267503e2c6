//! The keys of dialogs: each line of their places, remapped, and their help.

use super::Till;
use super::calendar::displaced::two_displaced;
use super::calendar::{calendar, weekly};
use super::keys::{at, places};
use super::{actor, desk};
use crate::domain::money::{Currency, Price};
use crate::engine::ops::ChangeBooking;
use crate::engine::reads::bookings::ReadBookings;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::msg::{DemoCommand, DemoState, Effect, Msg};
use crate::tui::kit::action::Action;
use crate::tui::kit::keymap::{KeyEntry, KeyPlace};

/// A desk where a line of a dialog has an effect, where that is not at the end of the dialog's usual way.
fn before(place: KeyPlace, action: Action) -> (Till, &'static str) {
    match (place, action) {
        (KeyPlace::Booking, Action::Displaced) => (two_displaced(), "3 Enter"),
        (KeyPlace::Booking, Action::Series) => (weekly(), "3 Esc Tab Enter"),
        (KeyPlace::Booking, Action::Pay) => (priced(8000), "3 Esc Tab Enter"),
        (KeyPlace::Booking, Action::Refund) => {
            let mut till = priced(8000);
            till.keys("3 Esc Tab Enter p Enter");
            price(&mut till, 5000);
            (till, "3 Enter")
        }
        (KeyPlace::Pay, Action::Cash) => (desk(), "2 b 2 Enter p d Tab"),
        _ => at(place),
    }
}

/// A desk at the calendar where Yoga costs something.
fn priced(minor: i64) -> Till {
    let mut till = calendar().0;
    price(&mut till, minor);
    till
}

fn price(till: &mut Till, minor: i64) {
    let ada = till.engine.desk(actor("ada", "till-2"));
    let yoga = ada.read(ReadBookings { text: Some("yoga".into()), ..ReadBookings::default() }).unwrap();
    let price = Some(Price { minor, currency: Currency::EUR });
    ada.run(ChangeBooking { price, ..ChangeBooking::of(yoga[0].id) }).unwrap();
    till.notice();
}

/// A desk in front of a line of a dialog, which is on F9 alone.
fn in_front_of(place: KeyPlace, line: &KeyEntry) -> Till {
    let (mut till, way) = before(place, line.action);
    till.keys(way);
    let here = till.app.bar_place();
    assert!(here == Some(place) || place == KeyPlace::List, "{way} leads to {here:?}, not to {place:?}");
    let own = format!("[{}]\n{} = [\"F9\"]", line.place.word(), line.action.word());
    till.app.shared.keymap = till.app.shared.keymap.remapped(&own).unwrap();
    till
}

/// Dialogs had keys of their own, which no help listed and no keymap changed.
#[test]
fn every_line_of_every_dialogs_keys_does_something_on_its_own_key() {
    let moves = |action: Action| {
        let word = action.word();
        ["up", "down", "first", "last"].contains(&word) || word.starts_with("page-")
    };
    for place in places() {
        let (mut till, way) = at(place);
        till.keys(way);
        if till.app.modal.is_none() {
            continue;
        }
        // the moves of all lists are tried in one that is long enough
        let lines = till.app.shared.keymap.all(place).filter(|line| line.place == place || !moves(line.action));
        for line in lines {
            let (mut till, word) = (in_front_of(place, line), line.action.word());
            let before = till.draw();
            let after = till.keys("F9").draw();
            assert_ne!(after, before, "{word} of {place:?} does nothing");
            let may_close = line.action == Action::Close || line.help.starts_with("close");
            if till.app.modal.is_none() && !may_close {
                let closed = in_front_of(place, line).keys("Esc").draw();
                assert_ne!(after, closed, "{word} of {place:?} does no more than Esc");
            }
        }
    }
}

#[test]
fn every_line_of_the_demos_bar_does_something() {
    let lines: Vec<KeyEntry> = desk().app.shared.keymap.of(KeyPlace::Demo).cloned().collect();
    for line in lines {
        let mut till = desk();
        till.app.shared.demo = Some(DemoState { crowd: "x1".into(), chapters: vec!["A", "B"], ..DemoState::default() });
        till.keys("0");
        assert_eq!(till.app.bar, DemoBar::Open);
        till.app.chapter = usize::from(line.action == Action::Up);
        let before = till.app.chapter;
        let effects = till.app.update(Msg::Key(line.keys[0]));
        let commands = effects.iter().any(|effect| matches!(effect, Effect::Demo(_)));
        assert!(
            commands || till.app.chapter != before || till.app.bar == DemoBar::Closed,
            "{} does nothing",
            line.action.word()
        );
    }
}

#[test]
fn on_a_stand_any_key_takes_the_house_over_and_the_list_plays_a_chapter() {
    let mut till = desk();
    let chapters = vec!["The whole tour", "A sale", "A lost race"];
    let idle = DemoState { chapters, gives_way: true, ..DemoState::default() };
    let touring = DemoState { caption: Some("Four seats".into()), step: Some((1, 2)), ..idle.clone() };
    till.send(Msg::Demo(touring.clone()));
    till.shows(" tour 1/2  Four seats");
    till.send(Msg::Demo(DemoState { chapter: Some("A lost race"), ..touring.clone() }));
    till.shows(" A lost race 1/2  Four seats");
    let long = Some("Four seats in a row. ".repeat(12));
    till.send(Msg::Demo(DemoState { chapter: Some("A chapter of a long name"), caption: long, ..touring }));
    till.shows(" 1/2  Four seats").hides("of a long name");
    let wanted = |effects: Vec<Effect>| {
        let demo = effects.into_iter().filter_map(|effect| if let Effect::Demo(of) = effect { Some(of) } else { None });
        demo.collect::<Vec<_>>()
    };
    let effects = till.app.update(Msg::Key("b".parse().unwrap()));
    assert_eq!(wanted(effects), [DemoCommand::Leave]);
    till.said("The house is yours").hides("best seats:");
    till.send(Msg::Demo(idle));
    till.hides("A lost race").keys("0").shows("2  A lost race").keys("Down Down Down Up");
    let effects = till.app.update(Msg::Key("Enter".parse().unwrap()));
    assert_eq!(wanted(effects), [DemoCommand::Chapter(1)]);
    till.keys("0 q").hides("A lost race");
}

#[test]
fn the_help_of_a_dialog_lists_its_keys_and_runs_one_in_it() {
    let mut till = desk();
    till.keys("2 b 2 Enter n Enter o ?").shows("Keys | Open carts");
    till.keys("Esc").shows("Open carts").keys("?").types("take this");
    till.keys("Enter").hides("Open carts").said("yours");
    let (mut till, _, _) = calendar();
    till.keys("3 Esc Tab i ?").shows("Keys | Month of one resource");
    till.types("next month").keys("Enter").shows("December 2026");
}

/// The answer went to the help, and the dialog stayed empty.
#[test]
fn a_dialog_below_the_help_of_its_keys_gets_its_answers() {
    let mut till = desk();
    till.keys("2 b 2 Enter n Enter").burst("o ?");
    till.shows("Keys | Open carts").keys("Esc");
    till.shows("set aside till-2").shows("B7-B8: Hamlet");
}
