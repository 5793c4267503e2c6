//! Keys and mouse events of the operator.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;

/// Key with its modifiers; letters carry their case, so Shift is kept only for named keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Key code.
    pub code: KeyCode,
    /// Modifiers held down.
    pub modifiers: KeyModifiers,
}

/// Mouse event, in screen cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// Cell.
    pub at: Position,
    /// Kind of event.
    pub what: PointerAct,
}

/// Kind of mouse event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerAct {
    /// Left button pressed.
    Press,
    /// Moved with the left button down.
    Drag,
    /// Left button released.
    Release,
    /// Wheel turned away from the operator.
    WheelUp,
    /// Wheel turned towards the operator.
    WheelDown,
}

impl Key {
    /// Key without modifiers.
    #[must_use]
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, modifiers: KeyModifiers::NONE }
    }

    /// Direction between stops: 1 for Tab and Down, -1 for Shift-Tab and Up; none for any other key.
    #[must_use]
    pub fn step(&self) -> Option<isize> {
        if matches!(self.code, KeyCode::Tab | KeyCode::BackTab) {
            let back = self.code == KeyCode::BackTab || self.modifiers.contains(KeyModifiers::SHIFT);
            return Some(if back { -1 } else { 1 });
        }
        (self.modifiers.is_empty() && self.code == KeyCode::Down)
            .then_some(1)
            .or_else(|| (self.modifiers.is_empty() && self.code == KeyCode::Up).then_some(-1))
    }

    /// Character that the key types; none for a command key.
    #[must_use]
    pub fn text(&self) -> Option<char> {
        self.code.as_char().filter(|_| self.modifiers.is_empty())
    }

    /// Normalizes a key as keymaps name it: no Shift on characters, back-tab as Shift-Tab, Ctrl-H as Backspace.
    pub(crate) fn normal(event: KeyEvent) -> Self {
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::SHIFT);
        let control = held.contains(KeyModifiers::CONTROL);
        let (code, modifiers) = match (event.code.as_char(), control) {
            (Some('h' | 'H'), true) => (KeyCode::Backspace, KeyModifiers::NONE),
            (Some(letter), true) => (KeyCode::Char(letter.to_ascii_lowercase()), KeyModifiers::CONTROL),
            (Some(letter), false) => (KeyCode::Char(letter), KeyModifiers::NONE),
            (None, _) if event.code == KeyCode::BackTab => (KeyCode::Tab, KeyModifiers::SHIFT),
            (None, _) => (event.code, held),
        };
        Self { code, modifiers }
    }
}

const NAMED: [(&str, KeyCode); 14] = [
    ("Space", KeyCode::Char(' ')),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Backspace", KeyCode::Backspace),
    ("Del", KeyCode::Delete),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
];

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            text.push_str("Ctrl-");
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            text.push_str("Shift-");
        }
        let named = NAMED.iter().find(|named| named.1 == self.code);
        match (named, self.code.as_char()) {
            (Some((name, _)), _) => text.push_str(name),
            (None, Some(letter)) if text.is_empty() => text.push(letter),
            (None, Some(letter)) => text.push(letter.to_ascii_uppercase()),
            (None, None) => text.push_str(&self.code.to_string()),
        }
        out.pad(&text)
    }
}

/// Text that names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a key; write it like b, Space, Shift-Tab or Ctrl-K")]
pub struct NotAKey(pub String);

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let wrong = || NotAKey(text.to_owned());
        let mut rest = text;
        let mut modifiers = KeyModifiers::NONE;
        for (prefix, modifier) in [("Ctrl-", KeyModifiers::CONTROL), ("Shift-", KeyModifiers::SHIFT)] {
            if let Some(stripped) = rest.strip_prefix(prefix) {
                rest = stripped;
                modifiers |= modifier;
            }
        }
        let named = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest));
        let function = rest.strip_prefix('F').and_then(|number| number.parse().ok());
        let mut letters = rest.chars();
        let code = match (named, function, letters.next(), letters.next()) {
            (Some((_, code)), ..) => *code,
            (None, Some(number), ..) => KeyCode::F(number),
            (None, None, Some(letter), None) if modifiers.is_empty() => KeyCode::Char(letter),
            (None, None, Some(letter), None) => KeyCode::Char(letter.to_ascii_lowercase()),
            _ => return Err(wrong()),
        };
        Ok(Self { code, modifiers })
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn keys_are_parsed_as_they_print() {
        for text in ["b", "B", "Space", "Shift-Tab", "Ctrl-K", "Shift-Left", "$", "F5", "<"] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
        assert!("Hyper-X".parse::<Key>().is_err());
    }
}
