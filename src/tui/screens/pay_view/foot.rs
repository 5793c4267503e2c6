//! The foot of Pay: its keys, what stands in the way, and that the house is asked.

use crate::domain::text::width;
use crate::tui::action::Action;
use crate::tui::canvas::{cells, last_columns, row};
use crate::tui::keymap::KeyPlace;
use crate::tui::screens::pay::{PayMeans, PayStop, Taking};
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
            (Some(note), _) => (self.shared.keyed(note), theme.warning),
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
        let first = last.saturating_sub(cells(lines.len()));
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
        let area = row(self.inner, at);
        let [take, leave, leave_short] = self.keys();
        let room = usize::from(area.width).saturating_sub(width(&take) + 2);
        let leave = if width(&leave) <= room {
            leave
        } else {
            leave_short
        };
        let style = self.shared.theme.key;
        self.text(at, &take, style);
        self.canvas.text_right(area, &leave, style);
        if take.starts_with('>') {
            self.canvas.hit(area, Target::Act(Action::Main));
        } else {
            self.canvas.hit_keys(area, &take);
        }
        let leave = last_columns(area, cells(width(&leave)));
        self.canvas.hit(leave, Target::Act(Action::Close));
    }

    /// Keys that take the money and that leave, in words and in fewer words.
    fn keys(&self) -> [String; 3] {
        let rest = self
            .pay
            .rest()
            .map_or_else(String::new, |rest| wording::money(rest, self.currency));
        let typed = self.pay.given.text();
        let part = self.pay.short(self.currency).is_some();
        let taken = if part { typed } else { rest };
        let stay = "<pay.close>  back, seats stay yours";
        let (take, leave) = match (self.pay.stop, self.pay.means) {
            (PayStop::Amount, PayMeans::Cash) if self.pay.taking == Taking::PartTaken => {
                let key = |action| self.shared.keymap.key_text(KeyPlace::Pay, action);
                let (cash, card) = (key(Action::Cash), key(Action::Card));
                (
                    format!("{cash}  exactly the rest    {card}  card"),
                    "<pay.close>  back",
                )
            }
            (PayStop::Amount, PayMeans::Cash) if part => {
                (format!("> <pay.main>  take the part {taken}"), stay)
            }
            (PayStop::Amount, PayMeans::Cash) => (format!("> <pay.main>  take {taken}"), stay),
            (PayStop::Button, _) => (
                format!("> <pay.main>  {taken} paid by card"),
                "<pay.close>  not paid, seats stay",
            ),
            (
                PayStop::Amount
                | PayStop::Reference
                | PayStop::Name
                | PayStop::Phone
                | PayStop::Tickets
                | PayStop::Print,
                _,
            ) => ("> <pay.main>  next".to_owned(), stay),
        };
        [take.as_str(), leave, "<pay.close>  back"].map(|words| self.shared.keyed(words))
    }
}
