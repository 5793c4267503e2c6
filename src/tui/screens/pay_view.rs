//! How Pay looks: at the right, over the cart, so that the left of the map stays in view.
//!
//! Import cycle with `pay`: the drawing of that dialog.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::money::Currency;
use crate::domain::text::fit;
use crate::engine::ops::TicketsTo;
use crate::tui::action::Action;
use crate::tui::canvas::{
    Canvas, after, first_columns, first_rows, from_row, inset, last_columns, row,
};
use crate::tui::dialogs::form::TextLine;
use crate::tui::field::Field;
use crate::tui::keymap::KeyPlace;
use crate::tui::screens::pay::{Pay, PayMeans, PayStop};
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::theme::boxed;
use crate::tui::wording;

mod bought;
mod foot;

/// Columns of the dialog.
const WIDTH: u16 = 60;
/// Lines of the dialog.
const HEIGHT: u16 = 17;

/// Draws Pay over the right of an area.
pub(crate) fn view(pay: &Pay, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let above = area.height.saturating_sub(HEIGHT) / 3;
    let area = first_rows(from_row(last_columns(area, WIDTH), above), HEIGHT);
    let theme = &shared.theme;
    let cart = shared
        .cart
        .view()
        .map_or_else(String::new, |view| view.cart.id.tail());
    let left = shared.cart.left(shared.now);
    let right = left.map_or_else(
        || Line::styled(" hold ended ", theme.danger),
        |left| {
            Line::styled(
                format!(" hold {} ", left.clock()),
                theme.countdown(left.millis() / 1000),
            )
        },
    );
    let inner = inset(canvas.dialog_with(area, &format!("Pay   cart {cart}"), right));
    let currency = shared.cart.currency().unwrap_or(Currency::EUR);
    Sheet {
        pay,
        shared,
        currency,
        inner,
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
            PayMeans::Cash => self.cash(),
            PayMeans::Card => self.card(),
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

    fn due(&mut self) {
        let theme = &self.shared.theme;
        let money = |minor| format!("{} {}", self.currency, wording::money(minor, self.currency));
        let (label, value) = match (self.pay.total(), self.pay.rest()) {
            (Some(total), Some(rest)) if rest != total => {
                (format!("STILL TO PAY of {}", money(total)), money(rest))
            }
            (Some(total), _) => ("TO PAY".to_owned(), money(total)),
            (None, _) => (
                "TO PAY".to_owned(),
                "as soon as the seats are yours".to_owned(),
            ),
        };
        self.pair(1, (&label, &value), theme.money);
        let rule = self.shared.rule(self.inner.width);
        self.text(2, &rule, theme.border);
    }

    fn means(&mut self) {
        let theme = &self.shared.theme;
        let choice = |means: PayMeans, words: &str| {
            let on = self.pay.means == means;
            let style = if on { theme.selection } else { theme.key };
            let text = if on {
                boxed(words, style)
            } else {
                format!(" {words} ")
            };
            Span::styled(text, style)
        };
        let key = |action| self.shared.keymap.key_text(KeyPlace::Pay, action);
        let line = Line::from(vec![
            choice(PayMeans::Cash, &format!("{} Cash", key(Action::Cash))),
            Span::raw("   "),
            choice(PayMeans::Card, &format!("{} Card", key(Action::Card))),
            Span::styled("     split cash and card: type part", theme.quiet),
        ]);
        let area = row(self.inner, 3);
        self.canvas.line(area, &line);
        let mut rest = area;
        for means in [Action::Cash, Action::Card] {
            self.canvas.hit(first_columns(rest, 9), Target::Act(means));
            rest = after(rest, 11);
        }
        for (index, (tender, covers)) in (0u16..).zip(&self.pay.parts).take(2) {
            let words = match tender {
                crate::domain::receipt::Tender::Cash { .. } => "cash".to_owned(),
                crate::domain::receipt::Tender::Card { reference, .. } => {
                    format!("card {reference}")
                }
            };
            let text = format!("taken {} {words}", wording::money(*covers, self.currency));
            let half = after(row(self.inner, 4), index * 28);
            self.canvas.text(half, &text, theme.done);
        }
    }

    fn cash(&mut self) {
        self.field(
            5,
            ("Given", PayStop::Amount),
            (&self.pay.given, "empty = exact amount"),
        );
        let words = |minor| wording::money(minor, self.currency);
        if let Some(change) = self.pay.change(self.currency) {
            self.pair(6, ("CHANGE", &words(change)), self.shared.theme.money);
        } else if let Some(short) = self.pay.short(self.currency) {
            self.pair(6, ("STILL TO PAY", &words(short)), self.shared.theme.money);
        }
    }

    fn card(&mut self) {
        let theme = &self.shared.theme;
        let rest = self
            .pay
            .rest()
            .map_or_else(String::new, |rest| wording::money(rest, self.currency));
        let waits = self.shared.cart.left(self.shared.now).and_then(|_| {
            let until = self.shared.cart.view()?.cart.expires_at;
            Some(wording::clock(until, self.shared.zone))
        });
        self.text(5, &format!("Take {rest} on the card terminal."), theme.text);
        let words = waits.map_or_else(
            || "The seats went back; they are taken again if they are free.".to_owned(),
            |until| format!("The seats wait for it: nobody gets them before {until}."),
        );
        self.text(6, &words, theme.text);
        self.field(
            7,
            ("Amount", PayStop::Amount),
            (&self.pay.given, "empty = all of it"),
        );
        self.field(
            8,
            ("Reference", PayStop::Reference),
            (&self.pay.reference, "from the slip"),
        );
        let on = self.pay.stop == PayStop::Button;
        let style = if on { theme.button_on } else { theme.button };
        self.text(9, if on { ">" } else { " " }, theme.strong);
        let area = after(row(self.inner, 9), 1);
        self.canvas
            .text(area, &boxed(" Paid by card ", style), style);
    }

    /// For whom, and what becomes of the papers; where lines are few, one is for all but the name.
    fn who(&mut self) {
        let tall = self.inner.height >= 15;
        let first = if tall {
            10
        } else {
            self.inner.height.saturating_sub(3).min(11)
        };
        let (name, phone) = (&self.pay.name, &self.pay.phone);
        self.field(first, ("Name", PayStop::Name), (name, "optional"));
        let below = [PayStop::Phone, PayStop::Tickets, PayStop::Print];
        let only = below.iter().find(|stop| **stop == self.pay.stop);
        let only = *only.unwrap_or(&PayStop::Phone);
        let shown = below.iter().filter(|stop| tall || **stop == only);
        for (line, stop) in (first + 1..).zip(shown) {
            if *stop == PayStop::Tickets {
                self.tickets(line);
            } else if *stop == PayStop::Print {
                self.print(line);
            } else {
                self.field(line, ("Phone", PayStop::Phone), (phone, "optional"));
            }
        }
    }

    fn tickets(&mut self, line: u16) {
        let words = match self.pay.tickets {
            TicketsTo::Customer => "[ ] keep at the desk",
            TicketsTo::Desk => "[x] keep at the desk",
        };
        self.choice(line, ("Tickets", PayStop::Tickets), (words, ""));
    }

    /// A line that Space changes.
    fn choice(&mut self, line: u16, (label, stop): (&str, PayStop), (words, hint): (&str, &str)) {
        let theme = &self.shared.theme;
        let on = self.pay.stop == stop;
        let spans = vec![
            Span::styled(if on { ">" } else { " " }, theme.strong),
            Span::raw(format!("{label:<10}")),
            Span::styled(words.to_owned(), if on { theme.field } else { theme.text }),
        ];
        let area = row(self.inner, line);
        self.canvas.line(area, &Line::from(spans));
        let hint = if on { "Space changes it" } else { hint };
        self.canvas.text_right(area, hint, theme.quiet);
        self.canvas.hit(area, stop.target());
    }

    fn print(&mut self, line: u16) {
        let theme = &self.shared.theme;
        let on = self.pay.stop == PayStop::Print;
        let tick = |chosen: bool| if chosen { "[x]" } else { "[ ]" };
        let Some(printer) = &self.shared.printer else {
            let words = self
                .shared
                .keyed("No printer set. Tickets: <orders> Orders");
            let mark = if on { ">" } else { " " };
            self.text(line, &format!("{mark}Print     {words}"), theme.quiet);
            return;
        };
        let words = format!(
            "{} tickets   {} receipt",
            tick(self.pay.papers.tickets()),
            tick(self.pay.papers.receipt())
        );
        let hint = fit(&printer.to_string(), 16);
        self.choice(line, ("Print", PayStop::Print), (&words, &hint));
    }

    fn field(&mut self, line: u16, (label, stop): (&str, PayStop), (field, hint): (&Field, &str)) {
        let area = row(self.inner, line);
        let here = self.pay.stop == stop;
        let line = TextLine {
            label,
            field,
            hint,
            here,
        };
        line.draw(self.shared, area, self.canvas);
        self.canvas.hit(area, stop.target());
    }
}
