//! The keys of dialogs: each line of their places, remapped, and their help.

use super::calendar::calendar;
use super::desk;
use super::keys::at;
use crate::tui::action::Action;
use crate::tui::keymap::{KeyEntry, KeyPlace};

/// Places of dialogs that are reached by keys.
const DIALOGS: [KeyPlace; 8] = [
    KeyPlace::Messages,
    KeyPlace::Carts,
    KeyPlace::Story,
    KeyPlace::Booking,
    KeyPlace::Displaced,
    KeyPlace::Month,
    KeyPlace::Form,
    KeyPlace::Waiting,
];

/// Dialogs had keys of their own, which no help listed and no keymap changed.
#[test]
fn every_line_of_every_dialogs_keys_does_something_on_its_own_key() {
    let moves = ["up", "down", "left", "right", "first", "last", "accept", "give-back", "cancel-booking", "series"];
    let idle = |line: &KeyEntry| {
        let word = line.action.word();
        moves.contains(&word) || word.contains("page-") || word.contains("-stop")
    };
    for place in DIALOGS {
        let (till, way) = at(place);
        let lines = till.app.shared.keymap.all(place);
        let lines: Vec<KeyEntry> = lines.filter(|line| !idle(line)).cloned().collect();
        for line in lines {
            let (word, action) = (line.action.word(), line.action);
            let empty = matches!(place, KeyPlace::Displaced | KeyPlace::Waiting | KeyPlace::Booking);
            if action != Action::Close && empty && line.place == place {
                continue;
            }
            let mut till = at(place).0;
            till.keys(way);
            assert_eq!(till.app.bar_place(), Some(place), "{way}");
            let own = format!("[{}]\n{word} = [\"F9\"]", line.place.word());
            till.app.shared.keymap = till.app.shared.keymap.remapped(&own).unwrap();
            let before = till.draw();
            till.keys("F9");
            assert_ne!(till.draw(), before, "{place:?} {word}");
        }
    }
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
    till.shows("set aside till-2").shows("B8-B9: Hamlet");
}
