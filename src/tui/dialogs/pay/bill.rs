//! How Pay looks: on the cart's panel, or beside the seats of the cart, which stay in view.
//!
//! Import cycle with `pay`: the drawing of that dialog.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::money::Currency;
use crate::domain::receipt::Tender;
use crate::domain::text::{fit, width};
use crate::tui::dialogs::pay::{
    BUTTON, CONTACT, GIVEN, NAME, NO_FEE, PRINT, Pay, PayMeans, REASON, REFERENCE, TICKETS, Taking,
};
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{
    Canvas, after, cells, first_columns, first_rows, from_row, inset, last_columns, last_row, row,
};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::kit::theme::boxed;
use crate::tui::widgets::lines::{CHANGE_LINES, draw_change};
use crate::tui::widgets::paragraph;
use crate::words;

mod bought;

/// Columns of the dialog: those of the cart's panel, so that no seat is hidden.
pub(super) const WIDTH: u16 = 35;
/// Lines of the dialog.
const HEIGHT: u16 = 21;
/// Maximum number of lines about what stands in the way.
const NOTE_LINES: u16 = 4;

/// Draws Pay over the right of an area.
pub(crate) fn view(pay: &Pay, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let area = first_rows(last_columns(area, WIDTH), HEIGHT);
    let theme = &shared.theme;
    let right = shared.cart.left(shared.now).map_or_else(
        || Line::styled(" hold ended ", theme.danger),
        |left| {
            let style = theme.countdown(left.millis() / 1000);
            Line::styled(format!(" hold {} ", left.clock()), style)
        },
    );
    let inner = inset(canvas.dialog_with(area, "Pay", right));
    BillPainter { pay, shared, currency: shared.cart.currency().unwrap_or(Currency::EUR), inner, canvas }.draw();
}

struct BillPainter<'a, 'b, 'c> {
    pay: &'a Pay,
    shared: &'a Shared,
    currency: Currency,
    inner: Rect,
    canvas: &'b mut Canvas<'c>,
}

impl BillPainter<'_, '_, '_> {
    fn draw(&mut self) {
        self.what();
        self.due();
        self.means();
        match self.pay.means {
            means if self.pay.gives_back() => self.back(means),
            PayMeans::AsPaid | PayMeans::Cash => self.cash(),
            PayMeans::Card => self.card(),
            PayMeans::Owed => self.owed(),
        }
        self.who();
        self.foot();
    }

    fn text(&mut self, line: u16, text: &str, style: Style) {
        self.canvas.text(row(self.inner, line), text, style);
    }

    fn pair(&mut self, line: u16, (label, value): (&str, &str), style: Style) {
        self.text(line, label, style);
        let area = row(self.inner, line);
        self.canvas.text_right(area, value, style);
    }

    fn form(&mut self, line: u16, row_and_words: (usize, &str)) {
        let at = (row(self.inner, line), &mut *self.canvas);
        self.pay.form.draw(row_and_words, self.shared, at);
    }

    fn money(&self, minor: i64) -> String {
        words::money(minor, self.currency)
    }

    /// The rest to pay, in words; empty until the total is known.
    fn rest(&self) -> String {
        let rest = self.pay.rest();
        rest.map_or_else(String::new, |rest| self.money(rest))
    }

    fn due(&mut self) {
        let money = |minor| format!("{} {}", self.currency, self.money(minor));
        let (label, value) = match (self.pay.total(), self.pay.rest()) {
            (Some(total), Some(rest)) if rest != total => {
                (format!("STILL TO PAY of {}", self.money(total)), self.money(rest))
            }
            (Some(total), _) if total < 0 => ("TO GIVE BACK".to_owned(), money(-total)),
            (Some(total), _) => ("TO PAY".to_owned(), money(total)),
            (None, _) => ("TO PAY".to_owned(), "once the seats are yours".to_owned()),
        };
        let line = if self.is_tall() { 2 } else { 1 };
        self.pair(line, (&label, &value), self.shared.theme.money);
        if self.is_tall() {
            let rule = self.shared.rule(self.inner.width);
            self.text(line + 1, &rule, self.shared.theme.border);
        }
    }

    /// Line below the first one with means.
    const fn below_means(&self) -> u16 {
        if self.is_tall() { 5 } else { 3 }
    }

    fn means(&mut self) {
        let theme = &self.shared.theme;
        let below = self.below_means();
        let mut area = row(self.inner, below - 1);
        let gives_back = self.pay.gives_back();
        for (means, action, words) in [
            (PayMeans::AsPaid, Action::AsPaid, "As paid"),
            (PayMeans::Cash, Action::Cash, "Cash"),
            (PayMeans::Card, Action::Card, "Card"),
            (PayMeans::Owed, Action::Owed, "Credit"),
        ]
        .into_iter()
        .filter(|(means, ..)| gives_back || *means != PayMeans::AsPaid)
        {
            let key = self.shared.keymap.key_text(KeyPlace::Pay, action);
            let words = format!("{key} {words}");
            let (text, style) = if self.pay.means == means {
                (boxed(&words, theme.selection), theme.selection)
            } else {
                (format!(" {words} "), theme.key)
            };
            if area.width < cells(width(&text)) {
                area = row(self.inner, below);
            }
            let width = self.canvas.text(area, &text, style);
            self.canvas.hit(Rect { width, ..area }, Target::Act(action));
            area = after(area, width + 2);
        }
        if let Some(words) = self.pay.by_means(self.shared) {
            self.canvas.text(row(self.inner, below + 1), &words, theme.text);
        }
        for (index, (tender, covers)) in (0u16..).zip(&self.pay.parts).take(2) {
            let words = match tender {
                Tender::Cash { .. } => "cash",
                Tender::Card { .. } => "card",
                Tender::Owed { .. } => "credit",
            };
            let text = format!("{} {words} taken", self.money(*covers));
            let half = after(row(self.inner, below), index * (self.inner.width / 2));
            self.canvas.text(half, &text, theme.done);
        }
    }

    fn cash(&mut self) {
        let line = self.below_means() + 1;
        self.form(line, (GIVEN, ""));
        self.notes(line + 1);
        let Some(beyond) = self.pay.beyond(self.currency) else {
            return;
        };
        let words = self.money(beyond.abs());
        if beyond > 0 && self.is_tall() {
            // above the button, so that nothing moves when it comes
            let first = self.inner.height.saturating_sub(2 + CHANGE_LINES);
            draw_change(&words, first_rows(from_row(self.inner, first), CHANGE_LINES), self.canvas);
        } else if beyond > 0 {
            draw_change(&words, first_rows(from_row(self.inner, line + 2), 1), self.canvas);
        } else {
            let label = if beyond < 0 { "STILL TO PAY" } else { "CHANGE" };
            self.pair(line + 2, (label, &words), self.shared.theme.money);
        }
    }

    /// The sums that are likely given; Left, Right and a click put one into the amount.
    fn notes(&mut self, line: u16) {
        let theme = &self.shared.theme;
        let given = self.pay.form.text(GIVEN);
        let mut rest = after(row(self.inner, line), 1);
        for (index, sum) in self.pay.sums(self.currency).iter().enumerate() {
            let words = if sum.is_empty() { "exact" } else { sum };
            let (text, style) = if *sum == given {
                (boxed(words, theme.selection), theme.selection)
            } else {
                (format!(" {words} "), theme.key)
            };
            if cells(width(&text)) > rest.width {
                return;
            }
            let width = self.canvas.text(rest, &text, style);
            self.canvas.hit(Rect { width, ..rest }, Target::Word(GIVEN, index));
            rest = after(rest, width);
        }
    }

    /// Money to be given.
    fn back(&mut self, means: PayMeans) {
        let mut line = self.below_means() + 2;
        if means == PayMeans::Card {
            self.form(line, (REFERENCE, "of the card that paid"));
            line += 1;
        }
        let words = format!("give back {}", self.money(-self.pay.total().unwrap_or(0)));
        self.button(line, &words);
        self.form(line + 1, (REASON, ""));
        self.reason("why it comes back");
        if self.pay.has_fee() {
            self.no_fee(line + 2);
        }
    }

    /// The one button of a payment that is not cash.
    fn button(&mut self, line: u16, words: &str) {
        let at = (after(row(self.inner, line), 1), &mut *self.canvas);
        self.pay.form.draw((BUTTON, words), self.shared, at);
    }

    /// Two lines at most; where lines are few, one.
    fn lines(&mut self, line: u16, text: &str, style: Style) {
        let most = if self.is_tall() { 2 } else { 1 };
        for (line, text) in (line..).zip(paragraph(text, usize::from(self.inner.width), most)) {
            self.text(line, &text, style);
        }
    }

    /// Amount of the button: the part that is typed, or all of the rest.
    fn taken(&self) -> String {
        let typed = self.pay.form.text(GIVEN);
        if typed.is_empty() { self.rest() } else { typed }
    }

    /// Meaning of the reason, for which its row has no room.
    fn reason(&mut self, why: &str) {
        if self.is_tall() {
            let line = self.inner.height.saturating_sub(if self.pay.has_fee() { 4 } else { 2 });
            self.text(line, &format!("Reason: {why}"), self.shared.theme.quiet);
        }
    }

    /// Reason without which the fee of the exchange is taken.
    fn no_fee(&mut self, line: u16) {
        let words = format!("Fee: why; empty = {} is taken", self.money(self.pay.fee));
        self.form(line, (NO_FEE, ""));
        if self.is_tall() {
            self.text(self.inner.height.saturating_sub(3), &words, self.shared.theme.quiet);
        }
    }

    fn card(&mut self) {
        let line = self.below_means() + 1;
        self.form(line, (GIVEN, "empty = all"));
        self.form(line + 1, (REFERENCE, "from the slip"));
        self.button(line + 2, &format!("{} paid by card", self.taken()));
        let cart = self.shared.cart.view();
        let is_held = self.shared.cart.left(self.shared.now).is_some();
        let until = cart.filter(|_| is_held).map(|view| words::clock(view.cart.expires_at, self.shared.zone));
        let words = until.map_or_else(
            || "The seats went back; they are taken again if free".to_owned(),
            |until| format!("Charge {} on the card; the seats wait until {until}", self.taken()),
        );
        self.lines(line + 3, &words, self.shared.theme.text);
    }

    fn owed(&mut self) {
        let theme = &self.shared.theme;
        let (words, style) = match self.pay.credit(self.shared) {
            Some(view) => {
                let credit = &view.credit;
                let left = words::money(credit.left(), credit.currency);
                let words = format!("{} {left} left   {}", credit.currency, view.customer.name);
                (words, theme.done)
            }
            None => ("The code stands on the slip".to_owned(), theme.text),
        };
        let line = self.below_means() + 1;
        self.form(line, (GIVEN, "empty = all"));
        self.form(line + 1, (REFERENCE, "twelve letters"));
        self.button(line + 2, "paid with the credit");
        self.lines(line + 3, &words, style);
    }

    /// True if each row has a line of its own.
    const fn is_tall(&self) -> bool {
        self.inner.height >= HEIGHT - 2
    }

    /// For whom, and what becomes of the papers: as many rows as there are lines above the keys, the current one with them.
    fn who(&mut self) {
        if self.pay.gives_back() {
            return;
        }
        let tall = self.is_tall();
        let first = self.below_means()
            + match self.pay.means {
                PayMeans::AsPaid | PayMeans::Cash => 4,
                PayMeans::Card | PayMeans::Owed if tall => 6,
                PayMeans::Card | PayMeans::Owed => 5,
            };
        let why = if self.pay.gives_away { "why it is given away" } else { "why it comes back" };
        let (at_first, below): (_, &[usize]) = if self.pay.has_fee() {
            ((REASON, why), &[NO_FEE, TICKETS, PRINT])
        } else if self.pay.brings_back {
            ((REASON, why), &[TICKETS, PRINT])
        } else if self.pay.gives_away {
            ((REASON, why), &[NAME, CONTACT, TICKETS, PRINT])
        } else {
            ((NAME, "optional"), &[CONTACT, TICKETS, PRINT])
        };
        self.form(first, at_first);
        if at_first.0 == REASON {
            self.reason(why);
        }
        // below them stands what is in the way
        let above = self.inner.height.saturating_sub(if tall { 1 } else { 1 + NOTE_LINES });
        let lines = usize::from(above.max(self.note_line()).saturating_sub(first + 1));
        let at = below.iter().position(|stop| *stop == self.pay.form.at()).unwrap_or(0);
        let shown = below.iter().skip((at + 1).saturating_sub(lines)).take(lines);
        let printer = self.shared.printer.as_ref();
        let printer = printer.map(|printer| fit(&printer.to_string(), 16));
        for (line, stop) in (first + 1..).zip(shown) {
            match (*stop, &printer) {
                (PRINT, Some(printer)) => {
                    let lines = first_rows(from_row(self.inner, line), if tall { 2 } else { 1 });
                    self.pay.form.draw((PRINT, printer), self.shared, (lines, &mut *self.canvas));
                }
                (PRINT, None) => {
                    let mark = if self.pay.form.at() == PRINT { ">" } else { " " };
                    let words = "Print     no printer: <orders> Orders";
                    let words = self.shared.keyed(words);
                    self.text(line, &format!("{mark}{words}"), self.shared.theme.quiet);
                }
                (CONTACT, _) => self.form(line, (CONTACT, "phone, mail")),
                (NO_FEE, _) => self.no_fee(line),
                (stop, _) => self.form(line, (stop, "")),
            }
        }
    }

    /// First line for what stands in the way where lines are few.
    const fn note_line(&self) -> u16 {
        self.below_means() + 7
    }

    /// The keys, and above them what stands in the way; or that the house is asked.
    fn foot(&mut self) {
        let theme = &self.shared.theme;
        let last = last_row(self.inner);
        let waits = match self.pay.taking {
            Taking::UnderWay => Some("the house is asked; it can't be taken twice"),
            Taking::OnceAnswered => Some("taken once every seat is yours"),
            Taking::NotYet | Taking::PartTaken => None,
        };
        if let Some(words) = waits {
            let sign = self.shared.waiting_sign().unwrap_or(' ');
            let words = format!("{sign} {words}");
            self.canvas.text(last, &words, theme.asked);
            return;
        }
        self.keys_line(last);
        let Some(note) = &self.pay.form.note else {
            return;
        };
        let text = self.shared.keyed(note);
        let lines = paragraph(&text, usize::from(self.inner.width), usize::from(NOTE_LINES));
        // where lines are few, it stands over words, never over a row that takes keys
        let above_keys = self.inner.height.saturating_sub(1 + cells(lines.len()));
        let first = match self.pay.means {
            _ if self.is_tall() || self.pay.gives_back() => above_keys,
            PayMeans::AsPaid | PayMeans::Cash | PayMeans::Card | PayMeans::Owed => above_keys.max(self.note_line()),
        };
        for (line, text) in (first..self.inner.height - 1).zip(&lines) {
            self.canvas.cover(row(self.inner, line));
            self.text(line, text, theme.warning);
        }
    }

    /// The keys; a click on one presses it.
    fn keys_line(&mut self, area: Rect) {
        let theme = &self.shared.theme;
        let (take, leave) = self.keys();
        let (take, leave) = (self.shared.keyed(&take), self.shared.keyed(&leave));
        let style = match self.pay.form.at() {
            GIVEN if take.starts_with('>') => theme.button_on,
            _ => theme.key,
        };
        let took = self.canvas.text(area, &format!("{take} "), style);
        if take.starts_with('>') {
            let words = first_columns(area, took);
            self.canvas.hit(words, Target::Act(Action::Main));
        } else {
            self.canvas.hit_keys(area, &take);
        }
        let room = usize::from(area.width.saturating_sub(took + 1));
        let back = leave.split(", ").next().unwrap_or_default();
        if let Some(leave) = [leave.as_str(), back].into_iter().find(|leave| width(leave) <= room) {
            let leave = last_columns(area, self.canvas.text_right(area, leave, theme.key));
            self.canvas.hit(leave, Target::Act(Action::Close));
        }
    }

    /// Keys that take the money and that leave, in words; on the button Enter presses it.
    fn keys(&self) -> (String, String) {
        let part = self.pay.beyond(self.currency).is_some_and(|beyond| beyond < 0);
        let place = if self.pay.is_typing() { "form" } else { "pay" };
        let take = match (self.pay.form.at(), self.pay.means) {
            (BUTTON, _) => String::new(),
            (GIVEN, PayMeans::Cash) if self.pay.taking == Taking::PartTaken => {
                "<pay.cash>  all the rest  <pay.card>  card".to_owned()
            }
            (GIVEN, PayMeans::Cash) if part => format!("> <pay.main>  take the part {}", self.taken()),
            (GIVEN, PayMeans::Cash) => format!("> <pay.main>  take {}", self.rest()),
            _ => format!("<{place}.main>  next"),
        };
        let leave = if self.pay.gives_back() {
            "back, nothing is given"
        } else if self.pay.form.at() == BUTTON {
            "not paid, seats stay"
        } else {
            "back, seats stay yours"
        };
        (take, format!("<{place}.close>  {leave}"))
    }
}
