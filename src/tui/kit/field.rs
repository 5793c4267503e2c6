//! Text field of one line: caret, erasing, pasting. Every character is text, never a command.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::text::{clean, fit, fit_end, width};
use crate::tui::kit::input::Key;
use crate::tui::kit::shared::Shared;

/// Maximum number of characters.
const CHARS_MAX: usize = 120;

/// Text field with a caret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    before: String,
    after: String,
    /// Texts to choose from by Left and Right while none is typed, from the one in the field on.
    choices: Vec<String>,
    /// True for a prefilled text that no key has touched: the first character typed replaces it.
    selected: bool,
}

/// Effect of a key on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldEdit {
    /// The text has changed.
    Changed,
    /// Only the caret moved, or there was nothing to erase.
    Kept,
    /// The key is not for a field.
    Foreign,
}

impl Field {
    /// Field prefilled with a text, which is selected; the caret is at its end.
    pub(crate) fn with(text: &str) -> Self {
        Self { before: text.to_owned(), selected: !text.is_empty(), ..Self::default() }
    }

    /// Field prefilled with the first of several texts.
    pub(crate) fn among(choices: Vec<String>) -> Self {
        let first = choices.first().cloned().unwrap_or_default();
        Self { choices, ..Self::with(&first) }
    }

    /// Text of the field.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// Text with its caret in the style of a focused field; a selected text stands out.
    pub(crate) fn span(&self, shared: &Shared, columns: usize) -> Span<'static> {
        let (theme, caret) = (&shared.theme, shared.glyphs.caret);
        let style = if self.selected { theme.selection } else { theme.field };
        Span::styled(self.with_caret(caret, columns), style)
    }

    /// Text with its caret, cut to a number of columns around the caret.
    fn with_caret(&self, caret: char, columns: usize) -> String {
        let ahead = width(&self.after).min(columns / 4);
        let before = fit_end(&self.before, columns.saturating_sub(1 + ahead));
        let room = columns.saturating_sub(1 + width(&before));
        format!("{before}{caret}{}", fit(&self.after, room))
    }

    /// True if the field is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { choices: std::mem::take(&mut self.choices), ..Self::default() };
    }

    /// True if Left and Right choose among several texts.
    pub(crate) fn has_choices(&self) -> bool {
        self.choices.len() > 1 && (self.selected || self.is_empty())
    }

    /// Takes the choice at the left or the right of the one in the field.
    fn choose(&mut self, code: KeyCode) -> bool {
        if !self.has_choices() {
            return false;
        }
        if code == KeyCode::Right {
            self.choices.rotate_left(1);
        } else if code == KeyCode::Left {
            self.choices.rotate_right(1);
        } else {
            return false;
        }
        *self = Self::among(std::mem::take(&mut self.choices));
        true
    }

    /// Inserts a text at the caret, without characters that fields refuse.
    pub(crate) fn paste(&mut self, text: &str) {
        self.replace_selected();
        for character in clean(text).chars() {
            self.push(character);
        }
    }

    pub(crate) fn key(&mut self, key: Key) -> FieldEdit {
        if let Some(character) = key.text() {
            self.replace_selected();
            self.push(character);
            return FieldEdit::Changed;
        }
        if key.modifiers.is_empty() && self.choose(key.code) {
            return FieldEdit::Changed;
        }
        match (key.code, key.modifiers) {
            (KeyCode::Backspace, _) => self.erase(|field| field.take_before().is_some()),
            (KeyCode::Delete, KeyModifiers::NONE) => self.erase(|field| field.take_after().is_some()),
            (KeyCode::Char('w'), KeyModifiers::CONTROL) => self.erase(Self::erase_word),
            (KeyCode::Char('u'), KeyModifiers::CONTROL) => self.erase(|field| {
                let any = !field.is_empty();
                field.clear();
                any
            }),
            (KeyCode::Left, KeyModifiers::NONE) => self.caret(|field| {
                if let Some(letter) = field.take_before() {
                    field.after.insert_str(0, &letter);
                }
            }),
            (KeyCode::Right, KeyModifiers::NONE) => self.caret(|field| {
                let letter = field.take_after();
                field.before.extend(letter);
            }),
            (KeyCode::Home, KeyModifiers::NONE) => self.caret(|field| {
                field.after = field.text();
                field.before.clear();
            }),
            (KeyCode::End, KeyModifiers::NONE) => {
                self.caret(|field| field.before.push_str(&std::mem::take(&mut field.after)))
            }
            _ => FieldEdit::Foreign,
        }
    }

    /// Removes the letter before the caret, with its accents.
    fn take_before(&mut self) -> Option<String> {
        let (start, _) = self.before.grapheme_indices(true).next_back()?;
        Some(self.before.split_off(start))
    }

    /// Removes the letter after the caret, with its accents.
    fn take_after(&mut self) -> Option<String> {
        let letter = self.after.graphemes(true).next()?.to_owned();
        self.after.drain(..letter.len());
        Some(letter)
    }

    fn replace_selected(&mut self) {
        if self.selected {
            self.clear();
        }
    }

    fn push(&mut self, character: char) {
        if self.text().chars().count() < CHARS_MAX && !character.is_control() {
            self.before.push(character);
        }
    }

    fn erase(&mut self, erase: impl FnOnce(&mut Self) -> bool) -> FieldEdit {
        self.selected = false;
        if erase(self) { FieldEdit::Changed } else { FieldEdit::Kept }
    }

    fn caret(&mut self, step: impl FnOnce(&mut Self)) -> FieldEdit {
        self.selected = false;
        step(self);
        FieldEdit::Kept
    }

    fn erase_word(&mut self) -> bool {
        let kept = self.before.trim_end().rfind(' ').map_or(0, |space| space + 1);
        let any = kept < self.before.len();
        self.before.truncate(kept);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, FieldEdit};
    use crate::tui::kit::input::Key;

    fn typed(keys: &str) -> Field {
        let mut field = Field::default();
        for key in keys.split(' ') {
            field.key(key.parse::<Key>().unwrap());
        }
        field
    }

    #[test]
    fn a_field_takes_text_and_erases_it() {
        assert_eq!(typed("a d a Space L Backspace M").text(), "ada M");
        assert_eq!(typed("a b Left Left x Del").text(), "xb");
        assert_eq!(typed("a Home b End c").text(), "bac");
        assert_eq!(typed("a d a Space l o Ctrl-W m").text(), "ada m");
        assert_eq!(typed("a d a Ctrl-U m").text(), "m");
        assert_eq!(Field::default().key("Up".parse().unwrap()), FieldEdit::Foreign);
    }

    /// Covers a letter with a combining accent, and an emoji of several joined characters.
    #[test]
    fn a_letter_is_erased_and_passed_with_its_accents() {
        let keys = |keys: &str| {
            let mut field = Field::with("ae\u{301}👩\u{200d}🌾");
            for key in keys.split(' ') {
                field.key(key.parse::<Key>().unwrap());
            }
            field.text()
        };
        assert_eq!(keys("Backspace"), "ae\u{301}");
        assert_eq!(keys("Backspace Backspace"), "a");
        assert_eq!(keys("Left Left x"), "axe\u{301}👩\u{200d}🌾");
        assert_eq!(keys("Home Right Del"), "a👩\u{200d}🌾");
    }

    #[test]
    fn the_caret_is_in_view_however_long_the_text_is() {
        assert_eq!(typed("a d a Left").with_caret('_', 20), "ad_a");
        assert_eq!(Field::default().with_caret('_', 20), "_");
        let mut long = Field::with(&"abcdefghij".repeat(4));
        assert_eq!(long.with_caret('_', 12), "…abcdefghij_");
        for _ in 0..10 {
            long.key("Left".parse().unwrap());
        }
        assert_eq!(long.with_caret('_', 12), "…defghij_ab…");
        long.key("Home".parse().unwrap());
        assert_eq!(long.with_caret('_', 12), "_abcdefghij…");
    }

    /// A name that the form knew took what was typed at its end: `TanakaOkonkwo`.
    #[test]
    fn the_first_character_or_paste_replaces_a_prefilled_text_and_other_keys_edit_it() {
        let after = |keys: &str| {
            let mut field = Field::with("Ada");
            for key in keys.split(' ') {
                field.key(key.parse::<Key>().unwrap());
            }
            field.text()
        };
        assert_eq!(after("J o"), "Jo");
        assert_eq!(after("Backspace m"), "Adm");
        assert_eq!(after("End m"), "Adam");
        assert_eq!(after("Left m"), "Adma");
        assert_eq!(after("Home m"), "mAda");
        assert_eq!(after("Tab m"), "m");
        let mut field = Field::with("Ada");
        field.paste("Jo");
        field.paste("y");
        assert_eq!(field.text(), "Joy");
    }

    #[test]
    fn a_pasted_text_is_cleaned_and_limited() {
        let mut field = Field::with("x");
        field.paste("\u{1b}[31mred\nline");
        assert!(!field.text().contains('\u{1b}'));
        field.paste(&"a".repeat(500));
        assert!(field.text().chars().count() <= 120);
    }
}
