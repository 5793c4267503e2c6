//! What a terminal answers when the desk asks for its ground (`OSC 11`): it arrives as keys, at any time.
//!
//! A slow line may bring it long after the desk has opened, and its letters would sell seats. So it is known by how
//! it begins, however late it is; the first letter that it cannot have is a key again.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::theme::Ground;

/// How every answer begins.
const BEGINS: &str = "11;rgb";
/// No answer is longer.
const LETTERS_MAX: usize = 40;

/// An answer on its way in.
#[derive(Debug, Default)]
pub(super) struct Reply {
    text: String,
    ending: bool,
}

/// What a key means to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It belongs to it.
    More,
    /// It ends it, and this is the ground; none when the answer cannot be read.
    Ground(Option<Ground>),
}

impl Reply {
    /// Takes a key; none when it is not of this answer.
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
        Heard::Ground(Ground::of_reply(&self.text))
    }

    /// Whether an answer may go on with a letter.
    fn has_room_for(&self, letter: char) -> bool {
        let at = self.text.len();
        match BEGINS.chars().nth(at) {
            Some(expected) => letter == expected,
            None => at < LETTERS_MAX && (letter.is_ascii_hexdigit() || matches!(letter, ':' | '/')),
        }
    }
}
