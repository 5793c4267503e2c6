//! The one table of keys against what the screens do with them.

use strum::IntoEnumIterator;

use super::calendar::displaced::two_displaced;
use super::calendar::{calendar, weekly};
use super::dialogs::SCREENS;
use super::hits::runs;
use super::reserving::reserved;
use super::{Till, desk};
use crate::domain::customer::Customer;
use crate::domain::time::Span;
use crate::engine::ops::AddWaiting;
use crate::tui::data::msg::{DemoState, Msg};
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::{KeyEntry, KeyPlace};

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
pub(super) fn at(place: KeyPlace) -> (Till, &'static str) {
    match place {
        KeyPlace::Map => (desk(), "2 Esc Space"),
        KeyPlace::Cart => (desk(), "2 Space Tab"),
        KeyPlace::Tonight => (desk(), "1"),
        KeyPlace::Needs => (lapsing(), "1 Tab"),
        KeyPlace::Calendar => (calendar().0, "3 Esc Tab"),
        KeyPlace::Moving => (calendar().0, "3 Esc Tab m"),
        KeyPlace::Orders => (reserved(), "4"),
        KeyPlace::Order => (sold(), "4 Enter"),
        KeyPlace::Reservation => (reserved(), "4 Enter"),
        KeyPlace::Ended => (canceled(), "4 Enter"),
        KeyPlace::Jobs => (reserved(), "5"),
        KeyPlace::Messages => (desk(), "2 Space Space !"),
        KeyPlace::List => (three_carts(), "2 o Down"),
        KeyPlace::Carts => (desk(), "2 b 2 Enter n Enter o"),
        KeyPlace::Story => (sold(), "2 i"),
        KeyPlace::Booking => (calendar().0, "3 Esc Tab Enter"),
        KeyPlace::Displaced => (two_displaced(), "3 d Tab"),
        KeyPlace::Month => (calendar().0, "3 Esc Tab i >"),
        KeyPlace::Series => (weekly(), "3 Esc Tab s"),
        KeyPlace::Form => (desk(), "2 b 2 Enter r"),
        KeyPlace::Waiting => (one_waits(), "2 W Shift-Tab"),
        KeyPlace::Pay => (desk(), "2 b 2 Enter p"),
        KeyPlace::Everywhere | KeyPlace::Demo => unreachable!("they are keys of every place, and of a bar"),
    }
}

/// Places that a way leads to: all but the keys of every screen, and those of the demo's bar.
pub(super) fn places() -> impl Iterator<Item = KeyPlace> {
    KeyPlace::iter().filter(|place| !matches!(place, KeyPlace::Everywhere | KeyPlace::Demo))
}

fn three_carts() -> Till {
    let mut till = desk();
    till.ben_holds(&["A1"]).ben_holds(&["A2"]).ben_holds(&["A3"]);
    till
}

/// A desk with somebody on the waiting list.
fn one_waits() -> Till {
    let till = desk();
    let customer = Customer { name: "Ann".to_owned(), ..Customer::default() };
    let add = AddWaiting { performance: till.show, customer, seats: 2, category: None, priority: None };
    till.engine.desk(super::actor("ada", "till-2")).run(add).unwrap();
    till
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

pub(super) fn sold() -> Till {
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
fn every_key_in_the_help_of_every_place_does_something() {
    for place in places() {
        let (mut till, way) = at(place);
        till.keys(way);
        if till.app.modal.is_some() {
            continue;
        }
        // actions of the app itself are driven on one screen
        let is_apps = |line: &KeyEntry| APPS.contains(&line.action.word()) && place != KeyPlace::Map;
        let lines = till.app.shared.keymap.all(place);
        let lines: Vec<KeyEntry> = lines.filter(|line| !is_apps(line)).cloned().collect();
        for line in lines {
            let Some(key) = line.keys.first() else {
                continue;
            };
            if place != KeyPlace::Ended || till.app.screen_place() != place {
                till.app.modal = None;
                for key in way.split(' ') {
                    till.burst(key);
                    till.app.modal = None;
                }
            }
            if till.app.screen_place() != place {
                till = at(place).0;
                if place != KeyPlace::Ended {
                    till.keys(way);
                }
            }
            assert_eq!(till.app.screen_place(), place, "before {key}");
            till.wait(Span::seconds(1)).burst(&key.to_string());
            let said = till.app.shared.says.newest_first().next();
            let said = said.map_or("", |message| &message.text);
            assert!(!said.contains("does nothing here"), "{place:?} {} {key}: {said}", line.action.word());
        }
    }
}

/// Look B6: the key bar is that of the mode.
#[test]
fn the_key_bar_shows_the_keys_of_the_mode() {
    let (mut till, _, _) = calendar();
    till.keys("Tab m").shows("Enter put it there").hides("n new");
    till.keys("Esc").shows("m move").hides("put it there");
    let mut till = lapsing();
    till.keys("1 Tab").shows("e later  Tab perf").hides("b best seats");
    till.keys("Tab").shows("b best seats");
}

/// Screens C1: a canceled reservation can't be paid or canceled again.
#[test]
fn an_ended_reservation_offers_only_keys_that_work() {
    let mut till = canceled();
    till.shows("Esc back").hides("p pay").hides("C cancel");
    till.keys("p").newest("p does nothing here");
}

/// Screens B1: one action moved to another key is offered and done by that key alone.
#[test]
fn a_remapped_key_is_shown_and_works() {
    let mut till = reserved();
    let own = "[reservation]\npay = [\"P\"]\n[pay]\ncard = [\"v\"]\n[everywhere]\nopen-carts = [\"O\"]\n[map]\nextend = [\"E\"]\nnext-customer = [\"N\"]";
    till.app.shared.keymap = till.app.shared.keymap.remapped(own).unwrap();
    till.keys("4 Enter").shows("P  pay it now").hides("p  pay it now");
    till.keys("p").newest("p does nothing here");
    till.keys("P").shows("TO PAY").shows("v Card").hides("d Card");
    till.keys("v").shows("on the card").keys("Esc");
    till.shows("E extends").hides("e extends");
    till.keys("N").keys("b 2 Enter N Enter").newest("Set aside, held until");
    till.said("O takes it back").shows("O 1 on hold");
    till.keys("O").shows("Open carts").keys("O").hides("Open carts ");
}

/// A sign in the colour of keys is a key.
#[test]
fn every_key_on_a_screen_is_a_key_of_the_keymap() {
    let mut foreign = Vec::new();
    for way in SCREENS.iter().filter(|way| !way.ends_with('?')) {
        let mut till = desk();
        till.keys(way);
        all_moved(&mut till);
        till.wait(Span::seconds(20));
        let key = till.app.shared.theme.key.fg;
        for run in runs(&till.drawn(), |cell| Some(cell.fg) == key) {
            let name = run.text.trim_start().split(' ').next().unwrap_or_default();
            let is_foreign = name.parse::<Key>().is_ok_and(|key| !key.to_string().starts_with('F'));
            foreign.extend(is_foreign.then(|| format!("{way}: {:?}", run.text)));
        }
    }
    assert!(foreign.is_empty(), "{}", foreign.join("\n"));
}

/// Gives each action one function key, in every place the same.
fn all_moved(till: &mut Till) {
    let standard = &till.app.shared.keymap;
    let mut actions: Vec<Action> = Vec::new();
    let mut own: Vec<String> = Vec::new();
    for place in KeyPlace::iter() {
        own.push(format!("[{}]", place.word()));
        let mut seen = Vec::new();
        for line in standard.of(place).filter(|line| !line.keys.is_empty()) {
            let known = actions.iter().position(|action| *action == line.action);
            let at = known.unwrap_or(actions.len());
            if known.is_none() {
                actions.push(line.action);
            }
            if !seen.contains(&at) {
                own.push(format!("{} = [\"F{}\"]", line.action.word(), at + 13));
                seen.push(at);
            }
        }
    }
    till.app.shared.keymap = standard.remapped(&own.join("\n")).unwrap();
}

/// Fails where a standard key is named, by its name or with its words in the key bar.
fn names_no_standard_key(till: &mut Till, where_: &str) {
    let standard = crate::tui::kit::keymap::Keymap::standard().unwrap();
    all_moved(till);
    till.wait(Span::seconds(20));
    let screen = till.draw();
    let is_named = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
        ["Enter", "Esc", "Tab", "Space", "Shift-Tab", "Ctrl-C"].contains(&word)
    };
    let named = screen.split_whitespace().find(|word| is_named(word));
    assert_eq!(named, None, "{where_}:\n{screen}");
    for line in KeyPlace::iter().flat_map(|place| standard.of(place)) {
        let key = line.keys.first().map_or(String::new(), ToString::to_string);
        let shown = format!(" {key} {} ", line.bar);
        assert!(line.bar.is_empty() || !screen.contains(&shown), "{where_}: {shown} in\n{screen}");
    }
}

/// Prose named the standard keys also where they mean something else.
#[test]
fn no_screen_or_dialog_names_a_key_that_was_remapped() {
    for place in KeyPlace::iter().skip(1).take(11) {
        let (mut till, way) = at(place);
        till.keys(way);
        names_no_standard_key(&mut till, way);
    }
    for way in [
        "2 b 2 Enter p",
        "2 b 2 Enter p 5 Enter",
        "2 Space !",
        "2 b 2 Enter n Enter o",
        "2 i",
        "1 ?",
        "2 ?",
        "3 ?",
        "0",
    ] {
        let mut till = desk();
        till.app.shared.demo = Some(DemoState { crowd: "x1".into(), chapters: vec!["A", "B"], ..DemoState::default() });
        till.keys(way);
        if way.ends_with('?') {
            // the list has a field, whose keys are fixed
            all_moved(&mut till);
            till.hides("Space picks").shows("F13");
        } else {
            names_no_standard_key(&mut till, way);
        }
    }
    for way in ["3 Esc Tab Enter", "3 Esc Tab i", "3 d", "3 f Space"] {
        let mut till = calendar().0;
        till.keys(way);
        if way.starts_with("3 f") {
            till.keys("Ctrl-U").types("nothing of it").keys("Enter");
        }
        names_no_standard_key(&mut till, way);
    }
}

/// Below the smallest size `q` was named and worked, whatever key quits.
#[test]
fn the_remapped_quit_key_works_below_the_smallest_size() {
    let mut till = desk();
    till.app.shared.keymap =
        till.app.shared.keymap.remapped("[everywhere]\nquit = [\"Q\"]\n[tonight]\nquit = [\"Q\"]").unwrap();
    till.keys("2").resize(40, 10).shows("Q quits").keys("q");
    assert!(!till.quit);
    till.keys("Q");
    assert!(till.quit);
}

/// A dialog of actions closes by the own key, and by a click on its words.
#[test]
fn a_dialog_closes_by_the_key_that_it_names() {
    let (mut till, _, _) = calendar();
    till.keys("Tab");
    let own = "[everywhere]\nclose = [\"X\"]\nmessages = [\"F9\"]";
    till.app.shared.keymap = till.app.shared.keymap.remapped(own).unwrap();
    till.keys("Enter").shows("X closes").keys("Esc").shows("X closes");
    till.keys("X").hides("X closes").keys("Enter");
    super::mouse::click_on(&mut till, "X closes").hides("X closes");
    till.keys("F9").shows("X closes").keys("X").hides("X closes");
    // fields and answers keep their keys
    till.keys("g").shows("Esc close").keys("Esc").hides("Esc close");
}

/// The waiting list named `x` whatever key gives back.
#[test]
fn the_remapped_key_closes_the_waiting_list() {
    let mut till = desk();
    let own = "[map]\ngive-back = [\"X\"]";
    till.app.shared.keymap = till.app.shared.keymap.remapped(own).unwrap();
    till.keys("2 W").types("Ann").keys("Tab Tab").types("4");
    till.keys("Enter Enter Enter Shift-Tab").shows("X off the list");
    till.keys("x").shows("1   Ann").keys("X");
    till.shows("X again takes Ann off the list").keys("X");
    till.said("Ann is off the list");
}

/// The tour quoted and pressed the standard keys.
#[test]
fn the_tour_names_and_presses_remapped_keys() {
    let mut till = desk();
    all_moved(&mut till);
    till.send(Msg::Demo(DemoState {
        crowd: "x1".into(),
        paused: false,
        caption: Some("Four: <best>, then 4. <pay.main> takes the money.".into()),
        step: Some((1, 2)),
        ..DemoState::default()
    }));
    let best = till.app.shared.keymap.key_text(KeyPlace::Map, Action::Best);
    let take = till.app.shared.keymap.key_text(KeyPlace::Pay, Action::Main);
    till.shows(&format!("Four: {best}, then 4. {take} takes the money."));
    for key in ["2", "b", "2", "Enter", "p", "Enter"] {
        till.send(Msg::Played(key.parse().unwrap()));
        till.settle();
        till.wait(Span::seconds(1));
    }
    till.shows("Sold: receipt till-2/1");
}

/// Look 5: commands and keys were found by parts of words alone.
#[test]
fn commands_and_keys_are_found_by_the_letters_of_their_words() {
    let mut till = desk();
    till.keys("2 b 2 Enter :").types("nxtcust");
    till.shows(" Seats: the map ").shows(">  next customer: sets this cart aside").keys("Enter Enter");
    till.said("Set aside, held until").keys("?");
    till.types("cmra wheel").shows("No key here has these words");
    till.keys("Ctrl-U").types("plce whlchr").shows(">w ");
}

#[test]
fn an_unknown_command_line_is_refused_with_how_to_sell() {
    let mut till = desk();
    till.keys("2 :").types("sell 4 best stalls");
    till.shows("No command has these words. To sell, begin with how many seats");
    till.keys("Enter").shows("Commands, or one line to sell");
    till.keys("Esc :").types("2");
    till.keys("Enter").hides("Commands, or one line");
    till.keys("?").types("zzzz").shows("No key here has these words");
}

#[test]
fn an_extension_up_to_the_cap_says_that_it_is_the_latest() {
    let mut till = desk();
    till.keys("2 Space");
    let hold = till.app.shared.cart.view().unwrap().cart.hold;
    let nearly = Span::from_millis(hold.millis() - 1000);
    till.wait(nearly).keys("e").said("Held until");
    till.hides("the latest it can be held");
    till.wait(nearly).keys("e").said("Held until");
    till.said("This is the latest it can be held.");
}

/// Feet of screens repeated the key bar two lines above it.
#[test]
fn keys_stand_on_the_bar_alone_where_a_screen_has_no_panel_at_the_side() {
    let mut till = desk();
    for (size, keys, words) in [((80, 24), "5", "run now"), ((100, 30), "5", "later"), ((100, 30), "3", "find free")] {
        let screen = till.resize(size.0, size.1).keys(keys).draw();
        assert_eq!(screen.matches(words).count(), 1, "{words}\n{screen}");
        assert!(screen.lines().last().is_some_and(|bar| bar.contains(words)), "{screen}");
    }
}

/// The bar offered keys that only said why they do nothing.
#[test]
fn the_key_bar_of_each_screen_has_the_keys_that_are_of_use_at_the_moment() {
    let mut till = desk();
    till.resize(160, 45);
    let mut bar = |keys: &str, has: &[&str], lacks: &[&str]| {
        let screen = till.keys(keys).draw();
        let bar = screen.lines().last().unwrap_or_default();
        assert!(has.iter().all(|words| bar.contains(words)), "{keys}: {has:?} in {bar}");
        assert!(!lacks.iter().any(|words| bar.contains(words)), "{keys}: {lacks:?} in {bar}");
    };
    bar("1", &["Enter sell", "b best seats", "w will call"], &[]);
    bar("> > > >", &["t till", "N new"], &["Enter sell", "best seats", "will call", "E change"]);
    bar("2", &["Space pick", "b best"], &["p pay"]);
    bar("b 2 Enter", &["p pay", "n next customer"], &["W waiting list"]);
    bar("v Right", &["D out of use"], &["p pay"]);
    bar("Esc 4", &["f filter"], &["Enter open"]);
    bar("5", &["Enter go there", "r run now"], &[]);
    bar("f", &["f filter"], &["Enter go there", "r run now", "D park"]);
}
