//! The foot of Pay: its keys, what stands in the way, and that the house is asked.

use crate::domain::text::width;
use crate::tui::action::Action;
use crate::tui::canvas::{after, row};
use crate::tui::screens::pay::{Means, PayStop, Taking};
use crate::tui::screens::pay_view::Sheet;
use crate::tui::targets::Target;
use crate::tui::widgets::paragraph;
use crate::tui::wording;

impl Sheet<'_, '_, '_> {
    pub(super) fn foot(&mut self) {
        let theme = &self.shared.theme;
        let last = self.inner.height.saturating_sub(1);
        let (text, style) = match (&self.pay.note, self.pay.taking) {
            (_, Taking::UnderWay) => (
                self.wait("the house is asked; it can't be taken twice"),
                theme.asked,
            ),
            (_, Taking::OnceAnswered) => (self.wait("taken once every seat is yours"), theme.asked),
            (Some(note), _) => (note.clone(), theme.warning),
            (None, _) => (String::new(), theme.key),
        };
        let asked = matches!(self.pay.taking, Taking::UnderWay | Taking::OnceAnswered);
        if asked {
            self.text(last, &text, style);
            return;
        }
        self.keys_line(last);
        if self.pay.note.is_none() {
            return;
        }
        let lines = paragraph(&text, usize::from(self.inner.width), 3);
        let first = last.saturating_sub(u16::try_from(lines.len()).unwrap_or(1));
        for (line, text) in (first..last).zip(&lines) {
            self.canvas.cover(row(self.inner, line));
            self.text(line, text, style);
        }
    }

    /// Words about a wait, behind its sign once that is shown.
    fn wait(&self, words: &str) -> String {
        let sign = self.shared.waiting_sign().unwrap_or(' ');
        format!("{sign} {words}")
    }

    /// The keys; a click on one presses it.
    fn keys_line(&mut self, at: u16) {
        let words = self.keys();
        let area = row(self.inner, at);
        self.text(at, &words, self.shared.theme.key);
        let column = |word: &str| {
            let (before, _) = words.split_once(word)?;
            u16::try_from(width(before)).ok()
        };
        for (word, action) in [("> Enter", Action::Main), ("Esc", Action::Close)] {
            if let Some(column) = column(word) {
                self.canvas.hit(after(area, column), Target::Act(action));
            }
        }
    }

    fn keys(&self) -> String {
        let rest = self
            .pay
            .rest()
            .map_or_else(String::new, |rest| wording::money(rest, self.currency));
        let typed = self.pay.given.text();
        let part = self.pay.short(self.currency).is_some();
        let taken = if part { typed } else { rest };
        match (self.pay.stop, self.pay.means) {
            (PayStop::Amount, Means::Cash) if self.pay.taking == Taking::PartTaken => {
                "c  exactly the rest    d  card    Esc  back".to_owned()
            }
            (PayStop::Amount, Means::Cash) if part => {
                format!("> Enter  take the part {taken}     Esc  back, seats stay yours")
            }
            (PayStop::Amount, Means::Cash) => {
                format!("> Enter  take {taken}       Esc  back, seats stay yours")
            }
            (PayStop::Button, _) => {
                format!("> Enter  {taken} paid by card    Esc  not paid, seats stay")
            }
            (
                PayStop::Amount
                | PayStop::Reference
                | PayStop::Name
                | PayStop::Phone
                | PayStop::Print,
                _,
            ) => "> Enter  next       Esc  back, seats stay yours".to_owned(),
        }
    }
}
