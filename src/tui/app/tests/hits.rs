//! Hit targets are what is drawn: every key on the screen can be clicked, every target of an action shows its key, and
//! a click does not move what it hits.

use std::collections::HashSet;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

use super::dialogs::{CALENDAR, SCREENS, SEATS};
use super::snapshots::evening;
use super::till::Till;
use crate::domain::time::Span;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::targets::{RowList, Target};

/// Ways to screens and dialogs beside those of the snapshots: the needs, an order, a question.
const MORE: [&str; 4] = ["1 Tab", "4 Enter", "2 Space q", "2 b 2 Enter r"];
const SIZES: [(u16, u16); 3] = [(60, 18), (80, 24), (100, 30)];

/// Ways to every screen and dialog.
fn ways() -> impl Iterator<Item = &'static str> {
    SCREENS.iter().chain(&SEATS).chain(&CALENDAR).chain(&MORE).copied()
}

/// A text in one style on one line.
pub(super) struct StyledText {
    pub(super) text: String,
    at: Position,
}

/// Texts that are drawn in a style.
pub(super) fn runs(buffer: &Buffer, is_drawn: impl Fn(&Cell) -> bool) -> Vec<StyledText> {
    let mut runs: Vec<StyledText> = Vec::new();
    let mut open = false;
    for at in buffer.area.positions() {
        let cell = &buffer[at];
        if !is_drawn(cell) || at.x == 0 {
            open = false;
        }
        if !is_drawn(cell) {
            continue;
        }
        match runs.last_mut().filter(|_| open) {
            Some(run) => run.text.push_str(cell.symbol()),
            None => runs.push(StyledText { text: cell.symbol().to_owned(), at }),
        }
        open = true;
    }
    runs
}

/// Cells of each target.
fn cells_of(till: &Till, area: Rect) -> Vec<(Target, Vec<Position>)> {
    let mut found: Vec<(Target, Vec<Position>)> = Vec::new();
    for at in area.positions() {
        let Some(target) = till.app.targets().at(at) else {
            continue;
        };
        match found.iter_mut().rfind(|(known, _)| known == target) {
            Some((_, cells)) => cells.push(at),
            None => found.push((target.clone(), vec![at])),
        }
    }
    found
}

/// Keys that are shown and can't be clicked.
fn dead_keys(till: &Till, drawn: &Buffer) -> Vec<String> {
    let mut dead = Vec::new();
    let theme = till.app.shared.theme.clone();
    let is_key = |cell: &Cell| Some(cell.fg) == theme.key.fg;
    for StyledText { text, at } in runs(drawn, is_key) {
        let blanks = text.len() - text.trim_start().len();
        let at = Position::new(at.x + u16::try_from(blanks).unwrap(), at.y);
        let name = text.trim_start().split(' ').next().unwrap_or_default();
        // the signs of the fields of search and commands
        let is_sign = at.y > 0 && drawn[(at.x - 2, at.y)].symbol() == "│" && "/:".contains(name);
        let is_key = name.parse::<Key>().is_ok() && !is_sign;
        if is_key && till.app.targets().at(at).is_none() {
            dead.push(format!("{name:?} of {text:?} at {at} can't be clicked"));
        }
    }
    dead
}

/// Targets of an action without its key.
fn nameless_targets(till: &Till, drawn: &Buffer) -> Vec<String> {
    let mut nameless = Vec::new();
    for (target, cells) in cells_of(till, drawn.area) {
        let text: String = cells.iter().map(|at| drawn[*at].symbol()).collect();
        let keymap = &till.app.shared.keymap;
        let screen = till.app.shared.on.place();
        let dialog = till.app.shown().and_then(Dialog::place);
        let shows = |key: &str| !key.is_empty() && text.contains(key);
        let is_shown = if let Target::Act(action) = &target {
            let below = [KeyPlace::Pay, screen, till.app.screen_place()];
            let places = dialog.into_iter().chain(below);
            let mut keys = places.map(|place| keymap.key_text(place, *action));
            keys.any(|key| shows(&key))
        } else if let Target::Key(key) = &target {
            shows(&key.to_string())
        } else if let Target::Tab(to) = &target {
            shows(&keymap.key_text(till.app.screen_place(), to.action()))
        } else {
            !text.trim().is_empty() || matches!(target, Target::Map | Target::Time(..))
        };
        if !is_shown {
            nameless.push(format!("{target:?} in {text:?} has no key"));
        }
    }
    nameless
}

#[test]
fn a_key_that_is_shown_can_be_clicked_and_a_target_that_runs_an_action_shows_its_key() {
    let mut wrong = Vec::new();
    for way in ways() {
        let mut till = evening();
        till.keys(way);
        for (width, height) in SIZES {
            let drawn = till.resize(width, height).drawn();
            let found = dead_keys(&till, &drawn).into_iter().chain(nameless_targets(&till, &drawn));
            wrong.extend(found.map(|found| format!("{way} at {width}x{height}: {found}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// True for targets that a click only selects.
fn is_selected(target: &Target) -> bool {
    let is_row = matches!(target, Target::Row(list, _) if *list != RowList::OrderSeats);
    // a few of each line
    let is_time = matches!(target, Target::Time(_, column) if column % 9 == 0);
    is_row || is_time || matches!(target, Target::CartSeat(..) | Target::CartTime(_))
}

/// Targets that a click moves away or does not select; none once a row was run.
fn moved_by_clicks(till: &mut Till) -> Vec<String> {
    let mut moved = Vec::new();
    let drawn = till.drawn();
    let open = |till: &Till| (till.app.at, till.app.dialog_type());
    let opened = open(till);
    for (target, cells) in cells_of(till, drawn.area) {
        if !is_selected(&target) {
            continue;
        }
        let ends: HashSet<Position> = [cells.first(), cells.last()].into_iter().flatten().copied().collect();
        for at in ends {
            till.drawn();
            if till.app.targets().at(at) != Some(&target) {
                moved.push(format!("{target:?} is no longer at {at}"));
                break;
            }
            till.click_at(at).wait(Span::from_millis(500));
            let after = till.drawn();
            if open(till) != opened {
                return moved;
            }
            if till.app.targets().at(at) != Some(&target) {
                let now = till.app.targets().at(at);
                moved.push(format!("{target:?} at {at} is {now:?} after a click"));
            }
            let line = (0..=at.x).map(|x| after[(x, at.y)].symbol());
            let text: String = cells.iter().map(|at| drawn[*at].symbol()).collect();
            let is_row = matches!(target, Target::Row(list, _) if list != RowList::Lines);
            let is_button = text.trim_start_matches('>').trim_start().starts_with("[ ");
            let row = cells.iter().map(|at| at.y).min().unwrap_or(at.y);
            if is_row && !is_button && row == at.y && !line.collect::<String>().contains('>') {
                moved.push(format!("{target:?} at {at} is not selected by a click"));
            }
        }
    }
    moved
}

/// The first click on a row scrolled the list, and the second of a double click hit another row.
#[test]
fn a_click_does_not_move_what_it_hits() {
    let mut wrong = Vec::new();
    for way in ways() {
        let at_way = || {
            let mut till = evening();
            till.keys(way);
            till
        };
        let mut till = at_way();
        let opened = (till.app.at, till.app.dialog_type());
        for (width, height) in SIZES {
            if (till.app.at, till.app.dialog_type()) != opened {
                till = at_way();
            }
            let moved = moved_by_clicks(till.resize(width, height));
            wrong.extend(moved.into_iter().map(|moved| format!("{way} at {width}x{height}: {moved}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
