//! The one table of keys against what the screens do with them.

use super::calendar::calendar;
use super::reserving::reserved;
use super::{Till, desk};
use crate::domain::time::Span;
use crate::tui::keymap::{Entry, Place};

/// Actions of the app on every screen.
const APPS: [&str; 16] = [
    "tonight",
    "seats",
    "calendar",
    "orders",
    "jobs",
    "find",
    "commands",
    "help",
    "messages",
    "open-carts",
    "mouse",
    "quit",
    "demo",
    "redraw",
    "interrupt",
    "suspend",
];

/// A desk that stands in a place; the keys bring it back there.
fn at(place: Place) -> (Till, &'static str) {
    match place {
        Place::Map => (desk(), "2 Esc Space"),
        Place::Cart => (desk(), "2 Space Tab"),
        Place::Tonight => (desk(), "1"),
        Place::Needs => (lapsing(), "1 Tab"),
        Place::Calendar => (calendar().0, "3 Esc Tab"),
        Place::Moving => (calendar().0, "3 Esc Tab m"),
        Place::Orders => (reserved(), "4"),
        Place::Order => (sold(), "4 Enter"),
        Place::Reservation => (reserved(), "4 Enter"),
        Place::Ended => (canceled(), "4 Enter"),
        Place::Jobs => (reserved(), "5"),
        Place::Everywhere | Place::Pay | Place::Demo => unreachable!("no screen"),
    }
}

/// A desk with a reservation that needs somebody.
fn lapsing() -> Till {
    let mut till = reserved();
    till.wait(Span::minutes(210));
    let ben = till.engine.desk(super::actor("ben", "till-1"));
    ben.sweep().unwrap();
    till.notice().wait(Span::seconds(2));
    till
}

fn sold() -> Till {
    let mut till = desk();
    till.keys("2 b 2 Enter p Enter");
    till
}

/// A desk whose opened reservation is canceled by another.
fn canceled() -> Till {
    let mut till = reserved();
    till.keys("4 Enter C c").notice();
    till
}

/// Screens A3: nine lines of the help answered "does nothing here".
#[test]
fn every_line_of_every_places_help_does_something() {
    for place in [
        Place::Map,
        Place::Cart,
        Place::Tonight,
        Place::Needs,
        Place::Calendar,
        Place::Moving,
        Place::Orders,
        Place::Order,
        Place::Reservation,
        Place::Ended,
        Place::Jobs,
    ] {
        let (mut till, way) = at(place);
        // what the app itself does on every screen is driven on one
        let is_apps = |line: &Entry| APPS.contains(&line.action.word()) && place != Place::Map;
        let lines = till.app.shared.keymap.all(place);
        let lines: Vec<Entry> = lines.filter(|line| !is_apps(line)).cloned().collect();
        for line in lines {
            let Some(key) = line.keys.first() else {
                continue;
            };
            if place != Place::Ended || till.app.screen_place() != place {
                till.app.modal = None;
                for key in way.split(' ') {
                    till.burst(key);
                    till.app.modal = None;
                }
            }
            if till.app.screen_place() != place {
                till = at(place).0;
                if place != Place::Ended {
                    till.keys(way);
                }
            }
            assert_eq!(till.app.screen_place(), place, "before {key}");
            till.wait(Span::seconds(1)).burst(&key.to_string());
            let said = till.app.shared.says.newest_first().next();
            let said = said.map_or("", |message| &message.text);
            assert!(
                !said.contains("does nothing here"),
                "{place:?} {} {key}: {said}",
                line.action.word()
            );
        }
    }
}

/// Look B6: the key bar is that of the mode.
#[test]
fn the_key_bar_is_the_modes() {
    let (mut till, _, _) = calendar();
    till.keys("Tab m")
        .shows("Enter put it there")
        .hides("n new");
    till.keys("Esc").shows("n new").hides("put it there");
    let mut till = lapsing();
    till.keys("1 Tab")
        .shows("e later  Tab perf")
        .hides("b best seats");
    till.keys("Tab").shows("b best seats");
}

/// Screens C1: a canceled reservation can't be paid or canceled again.
#[test]
fn an_ended_reservation_has_only_the_keys_that_it_can_follow() {
    let mut till = canceled();
    till.shows("Esc back").hides("p pay").hides("C cancel");
    till.keys("p").newest("p does nothing here");
}

/// Screens B1: one action moved to another key is offered and done by that key alone.
#[test]
fn a_remapped_key_is_the_one_that_is_shown_and_works() {
    let mut till = reserved();
    let own = "[reservation]\npay = [\"P\"]\n[pay]\ncard = [\"v\"]\n[everywhere]\nopen-carts = [\"O\"]\n[map]\nextend = [\"E\"]\nnext-customer = [\"N\"]";
    till.app.shared.keymap = till.app.shared.keymap.remapped(own).unwrap();
    till.keys("4 Enter")
        .shows("P  pay it now")
        .hides("p  pay it now");
    till.keys("p").newest("p does nothing here");
    till.keys("P")
        .shows("TO PAY")
        .shows("v Card")
        .hides("d Card");
    till.keys("v").shows("on the card terminal").keys("Esc");
    till.shows("E extends").hides("e extends");
    till.keys("N")
        .keys("b 2 Enter N")
        .newest("Set aside, held until");
    till.said("O takes it back").shows("O 1 set aside");
    till.keys("O")
        .shows("Open carts")
        .keys("O")
        .hides("Open carts ");
}
