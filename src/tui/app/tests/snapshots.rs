//! Snapshots of every screen and dialog at two sizes: the text, and below it the styles in both themes of many colours.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use ratatui::style::{Color, Style};
use unicode_width::UnicodeWidthChar;

use super::calendar::calendar;
use super::dialogs::{CALENDAR, SCREENS, SEATS};
use super::till::Till;
use crate::tui::kit::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use crate::tui::widgets::testing::lines;

const SIZES: [(u16, u16); 2] = [(80, 24), (100, 30)];
/// Names of styles, in the order in which they occur.
const NAMES: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A desk with a sale, a hold of another station, a seat out of use and two rooms.
pub(super) fn evening() -> Till {
    let (mut till, _, _) = calendar();
    till.keys("2 b 4 Enter p Enter Esc");
    till.ben_holds(&["C8", "C9"]).disable(&["A1"]).notice();
    till
}

/// The styles of a cell, dark and light.
type Pair = [Style; 2];

/// Text and styles of the screen; both themes have to draw the same text.
fn looks(till: &mut Till) -> String {
    let [dark, light] = [ThemeName::Dark, ThemeName::Light].map(|name| {
        till.app.shared.theme = Theme::named(name).unwrap();
        till.drawn()
    });
    let text = lines(&dark).join("\n");
    assert_eq!(text, lines(&light).join("\n"));
    let mut pairs: Vec<Pair> = Vec::new();
    let mut styles = String::new();
    let cells = dark.content().iter().zip(light.content());
    for ((dark, light), cell) in cells.zip(0..) {
        if cell % usize::from(till.app.shared.size.width) == 0 {
            styles.push('\n');
        }
        let pair = [dark.style(), light.style()];
        let at = pairs.iter().position(|known| *known == pair);
        let at = at.unwrap_or_else(|| {
            pairs.push(pair);
            pairs.len() - 1
        });
        styles.push(NAMES.chars().nth(at).unwrap());
    }
    let mut said = format!("{}\n{styles}\n", without_handles(&text));
    for (name, [dark, light]) in NAMES.chars().zip(pairs) {
        let _ = write!(said, "\n{name}  {}  |  {}", words(dark), words(light));
    }
    said
}

/// A name that every file system takes.
fn file_name((width, height): (u16, u16), way: &str) -> String {
    let words = way.split(' ').map(|key| match key {
        "/" => "slash",
        "?" => "question",
        "!" => "bang",
        ":" => "colon",
        "+" => "plus",
        "-" => "minus",
        key => key,
    });
    let words: Vec<&str> = words.collect();
    format!("{width}x{height}-{}", words.join("-"))
}

/// The text with the random handles of documents hidden, as `3b9ebb`.
fn without_handles(text: &str) -> String {
    let mut said = String::new();
    for part in text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let is_handle = part.len() >= 6 && part.bytes().take(6).all(|byte| byte.is_ascii_hexdigit());
        let rest = part.get(6..).filter(|_| is_handle);
        let _ = match rest {
            Some(rest) => write!(said, "######{rest}"),
            None => write!(said, "{part}"),
        };
    }
    said
}

fn words(style: Style) -> String {
    let colour = |colour: Option<Color>| match colour {
        None | Some(Color::Reset) => "default".to_owned(),
        Some(colour) => colour.to_string(),
    };
    let modifiers = style.add_modifier.iter_names();
    let modifiers = modifiers.fold(String::new(), |said, (name, _)| format!("{said} {}", name.to_lowercase()));
    format!("{} on {}{modifiers}", colour(style.fg), colour(style.bg))
}

/// Terminals that draw for East Asia give other signs of ambiguous width two columns.
#[test]
fn signs_of_ambiguous_width_are_blocks_lines_and_three_marks() {
    let is_meant = |letter: &char| matches!(letter, '\u{2500}'..='\u{259f}' | '…' | '·' | '–');
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui/app/tests/snapshots");
    let shown = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let glyphs = format!("{:?}", Glyphs::of(GlyphSet::Unicode));
    let all: BTreeSet<char> = shown.chain([glyphs]).flat_map(|text| text.chars().collect::<Vec<_>>()).collect();
    let is_ambiguous = |letter: &char| letter.width_cjk() != letter.width();
    let foreign: Vec<char> = all.into_iter().filter(is_ambiguous).filter(|letter| !is_meant(letter)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn screens_and_dialogs_look_as_in_their_snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        // the help over Jobs is the one over Tonight, but covers random handles in part
        let screens = SCREENS.iter().filter(|way| **way != "5 ?");
        for way in screens.chain(&SEATS).chain(&CALENDAR) {
            for (width, height) in SIZES {
                let mut till = evening();
                till.resize(width, height).keys(way);
                insta::assert_snapshot!(file_name((width, height), way), looks(&mut till));
            }
        }
    });
}
