//! Form: labelled rows with one focus, for dialogs that take several values.
//!
//! A dialog makes its rows once, says what its button does, and draws each row where it wants it; the trait of dialogs
//! hands over keys, clicks and pastes, and follows up each [`FormEvent`]. Caret, scrolling, Tab and Shift-Tab, Enter and
//! clicks are the same in every form: Enter on the first row acts at once when nothing is missing, and the row says so;
//! elsewhere it goes on.

use crossterm::event::KeyCode;

use crate::domain::customer::{Customer, is_mail};
use crate::domain::refusal::Problem;
use crate::domain::text::clean;
use crate::tui::kit::action::Action;
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Click;
use crate::tui::kit::targets::{RowList, Target};
use crate::words;

mod rows;

pub(crate) use rows::draw_button;

#[derive(Clone, Debug)]
pub(crate) enum FormRow {
    /// A label and a text field.
    Text(&'static str, Field),
    /// A label and words to choose from; the number is the chosen one.
    Pick(&'static str, &'static [&'static str], usize),
    /// A label and words to tick; the number has a bit for each ticked one.
    Ticks(&'static str, &'static [&'static str], usize),
    Button,
    /// A part of the dialog that takes its own keys, as a list does.
    Part,
}

impl FormRow {
    /// A text row with a text.
    pub(crate) fn text(label: &'static str, text: &str) -> Self {
        Self::Text(label, Field::with(text))
    }

    /// A text row with the first of several texts; the others are chosen by Left and Right.
    pub(crate) fn among(label: &'static str, choices: Vec<String>) -> Self {
        Self::Text(label, Field::among(choices))
    }
}

/// Phone and mail of a customer, as they are typed.
pub(crate) fn contact(of: &Customer) -> String {
    clean(&format!("{} {}", of.phone, of.mail))
}

/// The effect of a key, click or paste on a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormEvent {
    /// None, or only the focus or the caret moved.
    Nothing,
    /// A row has another value.
    Changed(usize),
    /// The button of a row was pressed.
    Pressed(usize),
    /// Esc.
    Close,
}

/// Rows, the focus, and a note on what is wrong.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    rows: Vec<FormRow>,
    /// The row that has the focus first.
    first: usize,
    at: usize,
    /// Rows that Tab and Enter pass over.
    skipped: Vec<usize>,
    /// The problem with what was typed, or the refusal.
    pub note: Option<String>,
    /// Number of the request under way.
    pub asked: Option<u64>,
}

impl Form {
    /// A form with the focus on a row.
    pub(crate) const fn new(rows: Vec<FormRow>, first: usize) -> Self {
        Self { rows, first, at: first, skipped: Vec::new(), note: None, asked: None }
    }

    /// The words of Enter where it acts: on a button, and on the first row when nothing is missing.
    pub(crate) fn enter<T>(&self, words: T, ready: bool) -> Option<T> {
        let on_button = matches!(self.rows.get(self.at), Some(FormRow::Button));
        (on_button || ready && self.at == self.first).then_some(words)
    }

    /// The hint of a row, with its key by name: what Enter does from the first row, or other words while something is missing.
    pub(crate) fn hint(&self, row: usize, (does, words): (&str, &str), ready: bool) -> String {
        let acts = ready && row == self.first && row == self.at;
        if acts { format!("<form.main>  {does}") } else { words.to_owned() }
    }

    /// The row with the focus.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Row of the button, which every form has.
    pub(crate) fn button(&self) -> usize {
        let button = |row: &FormRow| matches!(row, FormRow::Button);
        self.rows.iter().position(button).unwrap_or(self.first)
    }

    pub(crate) const fn focus(&mut self, row: usize) {
        self.at = row;
    }

    /// Passes over rows that are not there for now.
    pub(crate) fn skip(&mut self, rows: &[usize]) {
        rows.clone_into(&mut self.skipped);
    }

    /// Passes over one row while it is not there.
    pub(crate) fn skip_unless(&mut self, is_there: bool, row: usize) {
        self.skipped = if is_there { Vec::new() } else { vec![row] };
    }

    /// Returns whether Tab and Enter pass over a row.
    pub(crate) fn is_skipped(&self, row: usize) -> bool {
        self.skipped.contains(&row)
    }

    /// Gives a text row another label.
    pub(crate) fn label(&mut self, row: usize, label: &'static str) {
        if let Some(FormRow::Text(of, _)) = self.rows.get_mut(row) {
            *of = label;
        }
    }

    /// Moves the focus to a row that has a problem.
    pub(crate) fn refuse(&mut self, row: usize, problem: impl Into<String>) {
        self.at = row;
        self.note = Some(problem.into());
    }

    /// The text of a row as typed; empty for rows without text.
    pub(crate) fn text(&self, row: usize) -> String {
        match self.rows.get(row) {
            Some(FormRow::Text(_, field)) => field.text(),
            Some(FormRow::Pick(..) | FormRow::Ticks(..) | FormRow::Button | FormRow::Part) | None => String::new(),
        }
    }

    /// The text of a row, trimmed and without control characters.
    pub(crate) fn clean(&self, row: usize) -> String {
        clean(&self.text(row))
    }

    /// The text of a row; or the row, with what to type there.
    pub(crate) fn needed(&self, row: usize, said: &str) -> Result<String, (usize, String)> {
        Some(self.clean(row)).filter(|text| !text.is_empty()).ok_or_else(|| (row, said.to_owned()))
    }

    /// The customer by a row with the name and one with phone and mail; or the row of a mail that is no address.
    pub(crate) fn customer(&self, [name, contact]: [usize; 2]) -> Result<Customer, (usize, String)> {
        let (name, typed) = (self.clean(name), self.clean(contact));
        let words = typed.split_whitespace().map(|word| word.trim_end_matches([',', ';']));
        let (mails, phone): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains('@'));
        match mails.as_slice() {
            [] => Ok(Customer { name, phone: typed, mail: String::new() }),
            [mail] if is_mail(mail) => Ok(Customer { name, phone: phone.join(" "), mail: (*mail).to_owned() }),
            _ => Err((contact, words::capital(&words::problem(&Problem::NoMail)))),
        }
    }

    /// Puts another text into a row.
    pub(crate) fn set(&mut self, row: usize, text: &str) {
        if let Some(FormRow::Text(_, field)) = self.rows.get_mut(row) {
            *field = Field::with(text);
        }
    }

    /// Puts another row in the place of one.
    pub(crate) fn put(&mut self, at: usize, row: FormRow) {
        if let Some(place) = self.rows.get_mut(at) {
            *place = row;
        }
    }

    /// The chosen word of a row, counted from the first, or the bits of the ticked ones.
    pub(crate) fn picked(&self, row: usize) -> usize {
        match self.rows.get(row) {
            Some(FormRow::Pick(_, _, at) | FormRow::Ticks(_, _, at)) => *at,
            Some(FormRow::Text(..) | FormRow::Button | FormRow::Part) | None => 0,
        }
    }

    /// An action of a form: the next or previous row, closing, or what Enter does: it presses the button, from the
    /// first row when the form is ready, and else moves on.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions mean a form")]
    pub(crate) fn act(&mut self, action: Action, ready: bool) -> FormEvent {
        let count = self.rows.len().max(1);
        let by = match action {
            Action::Close => return FormEvent::Close,
            Action::PreviousStop => count - 1,
            Action::Main if self.enter((), ready).is_some() => return FormEvent::Pressed(self.button()),
            Action::Main | Action::NextStop => 1,
            _ => return FormEvent::Nothing,
        };
        for _ in 0..count {
            self.at = (self.at + by) % count;
            if !self.skipped.contains(&self.at) {
                break;
            }
        }
        FormEvent::Nothing
    }

    /// A key goes to the row.
    pub(crate) fn key(&mut self, key: Key) -> FormEvent {
        let edit = match self.rows.get_mut(self.at) {
            Some(FormRow::Text(_, field)) => field.key(key),
            Some(FormRow::Pick(_, words, chosen)) => pick(key, words, chosen),
            Some(FormRow::Ticks(_, words, ticked)) => tick(key, words, ticked),
            Some(FormRow::Button | FormRow::Part) | None => FieldEdit::Foreign,
        };
        self.edited(edit)
    }

    /// A click moves the focus to its row, presses a button, chooses a word.
    pub(crate) fn click(&mut self, target: &Target, click: Click) -> FormEvent {
        if click == Click::Double {
            return FormEvent::Nothing;
        }
        if let Target::Row(RowList::Form, row) = *target {
            self.at = row;
            if matches!(self.rows.get(row), Some(FormRow::Button)) {
                return FormEvent::Pressed(row);
            }
        } else if let Target::Word(row, word) = *target {
            match self.rows.get_mut(row) {
                Some(FormRow::Pick(_, _, chosen)) => *chosen = word,
                Some(FormRow::Ticks(_, _, ticked)) => *ticked ^= 1 << word,
                Some(FormRow::Text(..) | FormRow::Button | FormRow::Part) | None => {}
            }
            self.at = row;
            return self.edited(FieldEdit::Changed);
        }
        FormEvent::Nothing
    }

    /// A paste goes into the text row with the focus.
    pub(crate) fn paste(&mut self, text: &str) -> FormEvent {
        let Some(FormRow::Text(_, field)) = self.rows.get_mut(self.at) else {
            return FormEvent::Nothing;
        };
        field.paste(text);
        self.edited(FieldEdit::Changed)
    }

    fn edited(&mut self, edit: FieldEdit) -> FormEvent {
        if edit != FieldEdit::Foreign {
            self.note = None;
        }
        if edit == FieldEdit::Changed { FormEvent::Changed(self.at) } else { FormEvent::Nothing }
    }
}

/// A key in a row of words: Left and Right, Space, and the first letter of a word; again for the next with that letter.
fn pick(key: Key, words: &[&str], chosen: &mut usize) -> FieldEdit {
    let last = words.len().saturating_sub(1);
    let letter = key.text();
    let next = if key.code == KeyCode::Left {
        chosen.saturating_sub(1)
    } else if key.code == KeyCode::Right {
        (*chosen + 1).min(last)
    } else if letter == Some(' ') {
        (*chosen + 1) % words.len().max(1)
    } else if let Some(letter) = letter {
        let others = (1..=words.len()).map(|step| (*chosen + step) % words.len());
        let mut found = others.filter(|at| words.get(*at).is_some_and(|word| word.starts_with(letter)));
        found.next().unwrap_or(*chosen)
    } else {
        return FieldEdit::Foreign;
    };
    *chosen = next;
    FieldEdit::Changed
}

/// A key in words to tick: Space goes through all combinations, the first letter of a word ticks it.
fn tick(key: Key, words: &[&str], ticked: &mut usize) -> FieldEdit {
    let Some(letter) = key.text() else {
        return FieldEdit::Foreign;
    };
    let found = words.iter().position(|word| word.starts_with(letter));
    *ticked = match found {
        _ if letter == ' ' => (*ticked + 1) % (1 << words.len()),
        Some(word) => *ticked ^ (1 << word),
        None => return FieldEdit::Kept,
    };
    FieldEdit::Changed
}

#[cfg(test)]
mod tests {
    use super::{Form, FormEvent, FormRow};
    use crate::tui::kit::action::Action;
    use crate::tui::kit::keymap::{KeyPlace, Keymap};
    use crate::tui::kit::screen::Click;
    use crate::tui::kit::targets::{RowList, Target};

    fn form() -> Form {
        Form::new(
            vec![FormRow::Pick("How", &["maintenance", "disable"], 0), FormRow::text("Name", "Ann"), FormRow::Button],
            0,
        )
    }

    fn keys(form: &mut Form, keys: &str) -> FormEvent {
        let keymap = Keymap::standard().unwrap();
        let events = keys.split(' ').map(|key| {
            let key = key.parse().unwrap();
            let action = keymap.action(KeyPlace::Form, key);
            match action {
                Some(action) => form.act(action, false),
                None => form.key(key),
            }
        });
        events.last().unwrap()
    }

    #[test]
    fn enter_goes_on_and_presses_only_the_button() {
        let mut form = form();
        assert_eq!(keys(&mut form, "Enter Enter"), FormEvent::Nothing);
        assert_eq!(form.at(), 2);
        assert_eq!(keys(&mut form, "Enter"), FormEvent::Pressed(2));
        assert_eq!(keys(&mut form, "Esc"), FormEvent::Close);
    }

    #[test]
    fn enter_on_the_first_row_presses_the_button_when_the_form_is_ready() {
        let mut form = form();
        assert_eq!(form.enter("do it", false), None);
        assert_eq!(form.enter("do it", true), Some("do it"));
        assert_eq!(form.act(Action::Main, true), FormEvent::Pressed(2));
        keys(&mut form, "Tab");
        assert_eq!(form.act(Action::Main, true), FormEvent::Nothing);
        assert_eq!(form.at(), 2);
    }

    #[test]
    fn tab_and_shift_tab_go_around_the_ends() {
        let mut form = form();
        keys(&mut form, "Shift-Tab");
        assert_eq!(form.at(), 2);
        keys(&mut form, "Tab Down");
        assert_eq!(form.at(), 1);
    }

    #[test]
    fn typing_a_paste_and_a_choice_say_which_row_changed_and_end_the_note() {
        let mut form = form();
        form.refuse(1, "Type a name");
        assert_eq!(keys(&mut form, "End x"), FormEvent::Changed(1));
        assert_eq!((form.text(1), form.note.clone()), ("Annx".to_owned(), None));
        assert_eq!(form.paste("y\u{1b}"), FormEvent::Changed(1));
        assert_eq!(form.clean(1), "Annxy");
        keys(&mut form, "Up");
        assert_eq!(keys(&mut form, "d"), FormEvent::Changed(0));
        assert_eq!(form.picked(0), 1);
        keys(&mut form, "Left");
        assert_eq!(form.picked(0), 0);
    }

    #[test]
    fn space_a_letter_and_a_click_tick_words_and_skipped_rows_are_passed_over() {
        let print = FormRow::Ticks("Print", &["tickets", "receipt"], 1);
        let mut form = Form::new(vec![print, FormRow::text("Name", ""), FormRow::Button], 0);
        for ticked in [2, 3, 0, 1] {
            assert_eq!(keys(&mut form, "Space"), FormEvent::Changed(0));
            assert_eq!(form.picked(0), ticked);
        }
        keys(&mut form, "r t");
        assert_eq!(form.picked(0), 2);
        form.click(&Target::Word(0, 0), Click::Single);
        assert_eq!(form.picked(0), 3);
        form.skip(&[1]);
        keys(&mut form, "Tab");
        assert_eq!(form.at(), 2);
    }

    #[test]
    fn a_click_goes_to_a_row_chooses_a_word_and_presses_a_button_once() {
        let mut form = form();
        let row = |row| Target::Row(RowList::Form, row);
        assert_eq!(form.click(&row(1), Click::Single), FormEvent::Nothing);
        assert_eq!(form.at(), 1);
        let word = Target::Word(0, 1);
        assert_eq!(form.click(&word, Click::Single), FormEvent::Changed(0));
        assert_eq!(form.picked(0), 1);
        assert_eq!(form.click(&row(2), Click::Single), FormEvent::Pressed(2));
        assert_eq!(form.click(&row(2), Click::Double), FormEvent::Nothing);
    }
}
