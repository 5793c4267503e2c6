//! How Pay looks: at the right, over the cart, so that the left of the map stays in view.
//!
//! Import cycle with `pay`: the drawing of that dialog.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::money::Currency;
use crate::domain::receipt::Tender;
use crate::domain::text::{fit, width};
use crate::tui::dialogs::pay::{
    BUTTON, GIVEN, NAME, NO_FEE, PHONE, PRINT, Pay, PayMeans, REASON, REFERENCE, TICKETS, Taking,
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

/// Columns of the dialog.
const WIDTH: u16 = 60;
/// Lines of the dialog.
const HEIGHT: u16 = 19;
/// Lines inside the frame from which the first is air.
const AIRY: u16 = HEIGHT - 2;

/// Draws Pay over the right of an area.
pub(crate) fn view(pay: &Pay, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let above = area.height.saturating_sub(HEIGHT) / 3;
    let area = first_rows(from_row(last_columns(area, WIDTH), above), HEIGHT);
    let theme = &shared.theme;
    let cart = shared.cart.view();
    let cart = cart.map_or_else(String::new, |view| view.cart.id.tail());
    let right = shared.cart.left(shared.now).map_or_else(
        || Line::styled(" hold ended ", theme.danger),
        |left| {
            let style = theme.countdown(left.millis() / 1000);
            Line::styled(format!(" hold {} ", left.clock()), style)
        },
    );
    let inner = inset(canvas.dialog_with(area, &format!("Pay   cart {cart}"), right));
    let air = u16::from(inner.height >= AIRY);
    Sheet {
        pay,
        shared,
        currency: shared.cart.currency().unwrap_or(Currency::EUR),
        inner: from_row(inner, air),
        canvas,
    }
    .draw();
}

struct Sheet<'a, 'b, 'c> {
    pay: &'a Pay,
    shared: &'a Shared,
    currency: Currency,
    inner: Rect,
    canvas: &'b mut Canvas<'c>,
}

impl Sheet<'_, '_, '_> {
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
            (Some(total), Some(rest)) if rest != total => (format!("STILL TO PAY of {}", money(total)), money(rest)),
            (Some(total), _) if total < 0 => ("TO GIVE BACK".to_owned(), money(-total)),
            (Some(total), _) => ("TO PAY".to_owned(), money(total)),
            (None, _) => ("TO PAY".to_owned(), "as soon as the seats are yours".to_owned()),
        };
        self.pair(1, (&label, &value), self.shared.theme.money);
        let rule = self.shared.rule(self.inner.width);
        self.text(2, &rule, self.shared.theme.border);
    }

    fn means(&mut self) {
        let theme = &self.shared.theme;
        let mut area = row(self.inner, 3);
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
            let width = self.canvas.text(area, &text, style);
            self.canvas.hit(Rect { width, ..area }, Target::Act(action));
            area = after(area, width + 3);
        }
        if let Some(words) = self.pay.by_means(self.shared) {
            self.canvas.text(row(self.inner, 4), &words, theme.text);
        }
        if !gives_back {
            let words = "a part: type how much";
            self.canvas.text_right(area, words, theme.quiet);
        }
        for (index, (tender, covers)) in (0u16..).zip(&self.pay.parts).take(2) {
            let words = match tender {
                Tender::Cash { .. } => "cash".to_owned(),
                Tender::Card { reference, .. } => format!("card {reference}"),
                Tender::Owed { .. } => "credit".to_owned(),
            };
            let text = format!("taken {} {words}", self.money(*covers));
            let half = after(row(self.inner, 4), index * 28);
            self.canvas.text(half, &text, theme.done);
        }
    }

    fn cash(&mut self) {
        self.form(5, (GIVEN, "empty = exact amount"));
        let Some(beyond) = self.pay.beyond(self.currency) else {
            return;
        };
        let lines = if self.is_tall() { CHANGE_LINES } else { 1 };
        let words = self.money(beyond.abs());
        if beyond > 0 {
            let room = first_rows(from_row(self.inner, 6), lines);
            draw_change(&words, room, self.canvas);
        } else {
            let label = if beyond < 0 { "STILL TO PAY" } else { "CHANGE" };
            self.pair(6 + lines / 2, (label, &words), self.shared.theme.money);
        }
    }

    /// Money to be given.
    fn back(&mut self, means: PayMeans) {
        let first = match means {
            PayMeans::AsPaid | PayMeans::Cash | PayMeans::Owed => 5,
            PayMeans::Card => {
                self.form(5, (REFERENCE, "of the card that paid"));
                7
            }
        };
        let at = (after(row(self.inner, first), 11), &mut *self.canvas);
        self.pay.form.draw((BUTTON, "give it back"), self.shared, at);
        self.form(first + 2, (REASON, "why it comes back"));
        if self.pay.has_fee() {
            self.no_fee(first + 3);
        }
    }

    /// Reason without which the fee of the exchange is taken.
    fn no_fee(&mut self, line: u16) {
        let words = format!("why; empty = {} is taken", self.money(self.pay.fee));
        self.form(line, (NO_FEE, &words));
    }

    fn card(&mut self) {
        let theme = &self.shared.theme;
        let words = format!("Take {} on the card terminal.", self.rest());
        self.text(5, &words, theme.text);
        let cart = self.shared.cart.view();
        let is_held = self.shared.cart.left(self.shared.now).is_some();
        let until = cart.filter(|_| is_held).map(|view| view.cart.expires_at);
        let words = until.map_or_else(
            || "The seats went back; they are taken again if they are free.".to_owned(),
            |until| {
                let until = words::clock(until, self.shared.zone);
                format!("The seats wait for it: nobody gets them before {until}.")
            },
        );
        self.text(6, &words, theme.text);
        self.form(7, (GIVEN, "empty = all of it"));
        self.form(8, (REFERENCE, "from the slip"));
        let at = (after(row(self.inner, 9), 11), &mut *self.canvas);
        self.pay.form.draw((BUTTON, "paid by card"), self.shared, at);
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
            None => ("The code stands on the slip.".to_owned(), theme.text),
        };
        self.text(5, &words, style);
        self.form(7, (GIVEN, "empty = all it can pay"));
        self.form(8, (REFERENCE, "twelve letters"));
        let at = (after(row(self.inner, 9), 11), &mut *self.canvas);
        self.pay.form.draw((BUTTON, "paid with it"), self.shared, at);
    }

    /// True if each row has a line of its own.
    const fn is_tall(&self) -> bool {
        self.inner.height >= AIRY - 1
    }

    /// For whom, and what becomes of the papers; where lines are few, one is for all but the name.
    fn who(&mut self) {
        if self.pay.gives_back() {
            return;
        }
        let tall = self.is_tall();
        let few = self.inner.height.saturating_sub(3).min(11);
        let first = match self.pay.means {
            _ if !tall => few,
            PayMeans::AsPaid | PayMeans::Cash => 9,
            PayMeans::Card | PayMeans::Owed => 10,
        };
        let why = if self.pay.gives_away { "why it is given away" } else { "why it comes back" };
        let (at_first, below): (_, &[usize]) = if self.pay.has_fee() {
            ((REASON, why), &[NO_FEE, TICKETS, PRINT])
        } else if self.pay.brings_back {
            ((REASON, why), &[TICKETS, PRINT])
        } else if self.pay.gives_away {
            ((REASON, why), &[NAME, TICKETS, PRINT])
        } else {
            ((NAME, "optional"), &[PHONE, TICKETS, PRINT])
        };
        self.form(first, at_first);
        let only = below.iter().find(|stop| **stop == self.pay.form.at());
        let only = *only.or(below.first()).unwrap_or(&PHONE);
        let shown = below.iter().filter(|stop| tall || **stop == only);
        let printer = self.shared.printer.as_ref();
        let printer = printer.map(|printer| fit(&printer.to_string(), 16));
        for (line, stop) in (first + 1..).zip(shown) {
            match (*stop, &printer) {
                (PRINT, Some(printer)) => self.form(line, (PRINT, printer)),
                (PRINT, None) => {
                    let mark = if self.pay.form.at() == PRINT { ">" } else { " " };
                    let words = "Print     No printer set. Tickets: <orders> Orders";
                    let words = self.shared.keyed(words);
                    self.text(line, &format!("{mark}{words}"), self.shared.theme.quiet);
                }
                (PHONE, _) => self.form(line, (PHONE, "optional")),
                (NO_FEE, _) => self.no_fee(line),
                (stop, _) => self.form(line, (stop, "")),
            }
        }
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
        let lines = paragraph(&text, usize::from(self.inner.width), 3);
        // where lines are few, it stands over words, never over a row that takes keys
        let above_keys = self.inner.height.saturating_sub(1 + cells(lines.len()));
        let (first, room) = match self.pay.means {
            _ if self.is_tall() || self.pay.gives_back() => (above_keys, 3),
            PayMeans::AsPaid | PayMeans::Cash => (7, 3),
            PayMeans::Card | PayMeans::Owed => (5, 2),
        };
        for (line, text) in (first..first + room).zip(&lines) {
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
            GIVEN | BUTTON if take.starts_with('>') => theme.button_on,
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
        let leave = if width(&leave) <= room { &leave } else { back };
        let leave = last_columns(area, self.canvas.text_right(area, leave, theme.key));
        self.canvas.hit(leave, Target::Act(Action::Close));
    }

    /// Keys that take the money and that leave, in words.
    fn keys(&self) -> (String, String) {
        let beyond = self.pay.beyond(self.currency);
        let part = beyond.is_some_and(|beyond| beyond < 0);
        let taken = if part { self.pay.form.text(GIVEN) } else { self.rest() };
        let place = if self.pay.is_typing() { "form" } else { "pay" };
        let take = match (self.pay.form.at(), self.pay.means) {
            (BUTTON, _) if self.pay.gives_back() => {
                let total = self.pay.total().unwrap_or(0);
                format!("> <pay.main>  give back {}", self.money(-total))
            }
            (GIVEN, PayMeans::Cash) if self.pay.taking == Taking::PartTaken => {
                "<pay.cash>  exactly the rest    <pay.card>  card".to_owned()
            }
            (GIVEN, PayMeans::Cash) if part => format!("> <pay.main>  take the part {taken}"),
            (GIVEN, PayMeans::Cash) => format!("> <pay.main>  take {taken}"),
            (BUTTON, PayMeans::Owed) => "> <pay.main>  paid with the credit".to_owned(),
            (BUTTON, _) => format!("> <pay.main>  {taken} paid by card"),
            _ => format!("> <{place}.main>  next"),
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
