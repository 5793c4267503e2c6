//! PIN: signs an operator in at a locked desk, or approves the one act that was refused for its role.
//!
//! A locked desk shows nothing of its screen. What was typed below stays, and comes back with the PIN.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::data::ticket::Refused;
use crate::tui::kit::canvas::{Canvas, centred, from_row, inset};
use crate::tui::kit::context::{Context, Go, Leaving};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::input::Key;
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::paragraph;
use crate::words;

/// Columns of the dialog.
const COLUMNS: u16 = 60;

/// Most lines of the sentence above.
const LINES_MAX: usize = 4;

/// Most digits that are typed.
const DIGITS_MAX: usize = 12;

/// A PIN to type.
#[derive(Debug)]
pub(crate) struct PinDialog {
    /// Act to approve; signs in if `None`.
    refused: Option<Refused>,
    digits: String,
    /// True while the house is asked.
    asked: bool,
    note: String,
}

impl PinDialog {
    /// Signs in.
    pub(crate) const fn sign_in() -> Self {
        Self { refused: None, digits: String::new(), asked: false, note: String::new() }
    }

    /// Approves an act.
    pub(crate) const fn approval(refused: Refused) -> Self {
        Self { refused: Some(refused), digits: String::new(), asked: false, note: String::new() }
    }

    /// Act that it is to approve.
    pub(crate) const fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref()
    }

    /// Says what is wrong with the PIN; another one may be typed.
    pub(crate) fn refuse(&mut self, problem: String) {
        (self.note, self.asked) = (problem, false);
        self.digits.clear();
    }

    fn enter(&mut self, context: &mut Context<'_>) {
        if self.digits.is_empty() && !self.asked {
            "No PIN is typed: it has 4 to 12 digits.".clone_into(&mut self.note);
        } else if !self.asked {
            self.asked = true;
            context.prove(self.digits.clone(), self.refused.as_ref());
        }
    }
}

impl Dialog for PinDialog {
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        if self.refused.is_some() {
            &[("Enter", "approves it"), ("Esc", "leaves it")]
        } else {
            &[("Enter", "signs in"), ("q", "quits")]
        }
    }

    fn covers(&self) -> bool {
        self.refused.is_none()
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        match (key.code, key.text()) {
            (KeyCode::Enter, _) => self.enter(context),
            (KeyCode::Esc, _) => {
                if let Some(refused) = self.refused.clone() {
                    return Flow::Go(Go::Unapproved(Box::new(refused)));
                }
                self.digits.clear();
            }
            (KeyCode::Backspace, _) => drop(self.digits.pop()),
            (_, Some('q')) if self.refused.is_none() => return Flow::Go(Go::Quit(Leaving::Held)),
            (_, Some(digit)) if digit.is_ascii_digit() && self.digits.len() < DIGITS_MAX && !self.asked => {
                self.note.clear();
                self.digits.push(digit);
            }
            _ => {}
        }
        Flow::Stay
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn paste(&mut self, _text: &str, _context: &mut Context<'_>) {}

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let (title, text) = match &self.refused {
            Some(refused) => ("Approve?", words::failure(&refused.failure, shared.here())),
            None => ("Who is there?", "This desk is locked. Type your PIN.".to_owned()),
        };
        if self.covers() {
            canvas.cover(area);
        }
        let pins = shared.demo.as_ref().map_or("", |demo| demo.pins.as_str());
        let columns = usize::from(COLUMNS.min(area.width).saturating_sub(4));
        let [text, note, pins] =
            [text.as_str(), self.note.as_str(), pins].map(|text| paragraph(text, columns, LINES_MAX));
        let inner =
            inset(canvas.dialog(centred(area, COLUMNS, text.len() + note.len().max(1) + pins.len() + 7), title, ""));
        let shown = "*".repeat(self.digits.len());
        let typed =
            Line::from(vec![Span::styled("PIN  ", theme.quiet), Span::styled(format!("{shown}_"), theme.strong)]);
        let lines = text.into_iter().map(|text| Line::styled(text, theme.text));
        let lines = lines.chain([Line::default(), typed, Line::default()]);
        let lines = lines.chain(note.into_iter().map(|note| Line::styled(note, theme.warning)));
        canvas.lines(from_row(inner, 1), lines.chain(pins.into_iter().map(|pins| Line::styled(pins, theme.quiet))));
    }
}
