//! Answer of the terminal to the query for its background (`OSC 11`), which arrives as keys at any time.
//!
//! A slow line may deliver the answer long after the desk has opened, where its letters would sell seats. So it is
//! recognized by its first characters at any time; the first character that cannot belong to it is a key again.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::kit::theme::Background;

/// Prefix of every answer.
const BEGINS: &str = "11;rgb";
/// Maximum length of an answer.
const LETTERS_MAX: usize = 40;

/// Answer received so far.
#[derive(Debug, Default)]
pub(super) struct Reply {
    text: String,
    ending: bool,
}

/// Meaning of a key for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The key belongs to the answer.
    More,
    /// The key ends the answer; none when the answer cannot be parsed.
    Background(Option<Background>),
}

impl Reply {
    /// Handles a key; none when the key is not part of the answer.
    pub(super) fn hear(&mut self, event: &KeyEvent) -> Option<Heard> {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        match (event.code, control) {
            (KeyCode::Char('g'), true) => Some(self.end()),
            (KeyCode::Char('\\'), false) if alt || self.ending => Some(self.end()),
            (KeyCode::Esc, false) if !self.text.is_empty() => {
                self.ending = true;
                Some(Heard::More)
            }
            (KeyCode::Char(letter), false) if !alt && self.has_room_for(letter) => {
                self.text.push(letter);
                Some(Heard::More)
            }
            _ => None,
        }
    }

    fn end(&self) -> Heard {
        Heard::Background(Background::of_reply(&self.text))
    }

    /// True if an answer may continue with this letter.
    fn has_room_for(&self, letter: char) -> bool {
        let at = self.text.len();
        match BEGINS.chars().nth(at) {
            Some(expected) => letter == expected,
            None => at < LETTERS_MAX && (letter.is_ascii_hexdigit() || matches!(letter, ':' | '/')),
        }
    }
}
