//! Dialogs at every size of a terminal, and clicks on the rows that their forms draw.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ratatui::layout::Size;

use super::calendar::calendar;
use super::desk;
use super::hands;
use super::keys::{at, places};
use super::till::Till;
use crate::tui::data::msg::Msg;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::kit::theme::{GlyphSet, Glyphs};

const SIZES: [(u16, u16); 7] = [(20, 6), (60, 18), (80, 24), (100, 30), (132, 43), (200, 60), (300, 90)];
/// The ways to the dialogs over Tonight and Seats.
pub(super) const SEATS: [&str; 23] = [
    "1 N",
    "1 T",
    "1 t",
    "1 d",
    "1 w",
    "1 : p r i c e Space l i s t s Enter",
    "1 m",
    "1 C",
    "2 b",
    "2 W",
    "2 b 2 Enter r",
    "2 b 2 Enter p",
    "2 b 2 Enter p d",
    "2 b 2 Enter C",
    "2 i",
    "2 K",
    "2 o",
    "2 !",
    "2 /",
    "2 ?",
    "2 :",
    "2 b 2 Enter p Enter 4 Enter R",
    "2 b 2 Enter p Enter 4 Enter m p",
];
/// The ways to the dialogs over the calendar.
pub(super) const CALENDAR: [&str; 11] = [
    "3 : c l o s e d Enter",
    "3 : f o l l o w Enter",
    "3 N",
    "3 n",
    "3 D",
    "3 d",
    "3 i",
    "3 b",
    "3 g",
    "3 f",
    "3 Esc Tab Enter",
];

fn opened(mut till: Till, way: &str) -> Till {
    till.resize(100, 30).keys(way);
    assert!(till.app.modal.is_some(), "{way} opens no dialog");
    till
}

/// Every dialog, opened in each of its ways.
fn all() -> impl Iterator<Item = Till> {
    let over_seats = SEATS.iter().map(|way| opened(desk(), way));
    let over_time = CALENDAR.iter().map(|way| opened(calendar().0, way));
    let by_keys = places().filter_map(|place| {
        let (mut till, way) = at(place);
        till.keys(way);
        till.app.modal.is_some().then_some(till)
    });
    over_seats.chain(over_time).chain(by_keys).chain([hands::locked()])
}

/// Files below a folder.
pub(super) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Types of dialogs in the sources below a folder.
fn written(folder: &Path) -> BTreeSet<String> {
    let is_dialog = |line: &str| {
        let (what, name) = line.strip_prefix("impl")?.split_once(" for ")?;
        let is_one = what.ends_with("FormSheet") || what.ends_with("Dialog") && !what.contains("FormSheet");
        is_one.then(|| name.split(['<', ' ']).next().unwrap().to_owned())
    };
    let of = |path: PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().filter_map(is_dialog).collect::<Vec<_>>()
    };
    sources(folder).into_iter().flat_map(of).collect()
}

/// A new dialog was drawn and driven by no test until somebody thought of it.
#[test]
fn every_dialog_is_opened_by_one_of_the_ways() {
    let name = |till: Till| {
        let said = format!("{:?}", till.app.modal.unwrap());
        let end = said.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(said.len());
        said[..end].to_owned()
    };
    let opened: BTreeSet<String> = all().map(name).collect();
    assert_eq!(opened, written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui")));
}

/// The calendar's dialogs, Reserve and the waiting list were drawn at no size but 100x30.
#[test]
fn every_dialog_draws_at_every_size_and_stays_open() {
    for mut till in all() {
        for (width, height) in SIZES {
            till.send(Msg::Resize(Size::new(width, height)));
            till.draw();
        }
        assert!(till.app.modal.is_some());
    }
}

/// Screens and zooms.
pub(super) const SCREENS: [&str; 13] = [
    "1",
    "1 ?",
    "2",
    "2 +",
    "2 -",
    "2 - -",
    "2 - - -",
    "2 - - - -",
    "3",
    "4",
    "2 b 2 Enter p Enter 4 Enter",
    "5",
    "5 ?",
];

#[test]
fn the_ascii_set_draws_letters_digits_and_punctuation_only() {
    let screens = SCREENS.iter().chain(&SEATS).map(|way| (*way, desk()));
    let time = CALENDAR.iter().map(|way| (*way, calendar().0));
    let mut foreign = Vec::new();
    for (way, mut till) in screens.chain(time) {
        till.app.shared.glyphs = Glyphs::of(GlyphSet::Ascii);
        till.resize(100, 30).keys("2 b 2 Enter Enter").keys(way);
        for (width, height) in SIZES {
            till.send(Msg::Resize(Size::new(width, height)));
            let drawn = till.draw();
            let lines = drawn.lines().filter(|line| !line.is_ascii());
            foreign.extend(lines.map(|line| format!("{way} at {width}x{height}: {line}")));
        }
    }
    assert!(foreign.is_empty(), "{}", foreign.join("\n"));
}

#[test]
fn a_click_hits_the_form_row_drawn_there() {
    let forms = vec![
        (opened(desk(), "2 b 2 Enter r"), 3),
        (opened(desk(), "2 W"), 4),
        (opened(calendar().0, "3 n"), 9),
        (opened(calendar().0, "3 D"), 4),
    ];
    for (mut till, rows) in forms {
        let skipped = (0..rows).filter(|row| till.app.modal.as_mut().unwrap().form().unwrap().is_skipped(*row));
        let skipped: Vec<usize> = skipped.collect();
        for size in [(80, 24), (100, 30)] {
            till.resize(size.0, size.1);
            for row in (0..=rows).filter(|row| !skipped.contains(row)) {
                till.draw();
                let target = Target::Row(RowList::Form, row);
                let cell = till.app.targets().find(&target);
                let cell = cell.unwrap_or_else(|| panic!("row {row} on\n{}", till.draw()));
                if row < rows {
                    till.click_at(cell);
                    let marked = till.draw();
                    let line = marked.lines().nth(usize::from(cell.y)).unwrap();
                    assert!(line.contains('>'), "row {row} has no focus on\n{marked}");
                }
            }
        }
    }
}
