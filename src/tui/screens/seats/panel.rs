//! The cart panel: what this desk sells now, or what the last sale left.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::cart::CartState;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Means;
use crate::domain::text::fit;
use crate::domain::time::Span as Time;
use crate::engine::reads::carts::{CartView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::wording;

/// Columns from which the panel writes in full.
const FULL_FROM: u16 = 28;

/// Draws the panel; `at` is the seat that has the keys, `under` the one under the map's cursor.
pub(super) fn view(
    (shared, at): (&Shared, Option<usize>),
    under: Option<SeatRef>,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let theme = &shared.theme;
    let view = shared.cart.view().filter(|view| !view.lines.is_empty());
    let sold = shared.cart.sold().filter(|_| view.is_none());
    let (title, right) = titles(shared, (view, sold), area.width);
    let inner = canvas.panel(
        area,
        Frame {
            title: Line::styled(title, theme.title),
            right,
            set: shared.glyphs.frame,
            style: if at.is_some() {
                theme.focus
            } else {
                theme.border
            },
        },
    );
    let inner = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    };
    let mut sheet = Sheet {
        shared,
        inner,
        canvas,
        line: 0,
    };
    match (view, sold) {
        (Some(view), _) => sheet.cart(view, at, under),
        (None, Some(sold)) => sheet.sold(sold),
        (None, None) => sheet.empty(),
    }
}

fn titles(
    shared: &Shared,
    (view, sold): (Option<&CartView>, Option<&ReceiptView>),
    columns: u16,
) -> (String, Line<'static>) {
    let theme = &shared.theme;
    let full = columns >= FULL_FROM;
    match (view, sold) {
        (Some(view), _) => {
            let left = view.cart.expires_at.since(shared.now);
            let clock = if view.state == CartState::Active {
                left.clock()
            } else {
                "ended".to_owned()
            };
            let title = if full {
                format!(" Cart {} ", view.cart.id.tail())
            } else {
                " Cart ".to_owned()
            };
            (
                title,
                Line::styled(format!(" {clock} "), theme.countdown(left.millis() / 1000)),
            )
        }
        (None, Some(sold)) => {
            let number = if full {
                format!(" Sold   receipt {} ", sold.receipt.number)
            } else {
                " Sold ".to_owned()
            };
            (number, Line::default())
        }
        (None, None) => (" Cart ".to_owned(), Line::default()),
    }
}

/// The cart in one line, where there is no room for a panel.
pub(super) fn one_line(shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = &shared.theme;
    let view = shared.cart.view().filter(|view| !view.lines.is_empty());
    let text = match (view, shared.cart.sold()) {
        (Some(view), _) => {
            let names = view
                .lines
                .iter()
                .flat_map(|line| line.seats.iter().map(|(seat, name)| (*seat, name.as_str())));
            let currency = view
                .cart
                .currency
                .unwrap_or(crate::domain::money::Currency::EUR);
            format!(
                " cart  {}  {}  p pay",
                wording::seats(names),
                wording::money(view.total, currency)
            )
        }
        (None, Some(sold)) => {
            let change = wording::money(sold.receipt.change(), sold.receipt.currency);
            format!(" sold {}  CHANGE {change}", sold.receipt.number)
        }
        (None, None) => " cart  empty".to_owned(),
    };
    canvas.text(area, &fit(&text, usize::from(area.width)), theme.strong);
}

struct Sheet<'a, 'b, 'c> {
    shared: &'a Shared,
    inner: Rect,
    canvas: &'b mut Canvas<'c>,
    line: u16,
}

impl Sheet<'_, '_, '_> {
    fn text(&mut self, text: &str, style: Style) {
        let area = row(self.inner, self.line);
        self.canvas
            .text(area, &fit(text, usize::from(area.width)), style);
        self.line += 1;
    }

    fn pair(&mut self, left: &str, right: &str, style: Style) {
        let area = row(self.inner, self.line);
        self.text(left, style);
        self.canvas.text_right(area, right, style);
    }

    fn rule(&mut self) {
        let rule = self
            .shared
            .glyphs
            .rule
            .to_string()
            .repeat(usize::from(self.inner.width));
        self.text(&rule, self.shared.theme.border);
    }

    fn key(&mut self, action: Action, words: &str) {
        let area = row(self.inner, self.line);
        let key = self
            .shared
            .keymap
            .key_text(crate::tui::keymap::Place::Cart, action);
        let theme = &self.shared.theme;
        let line = Line::from(vec![
            Span::styled(format!("{key}  "), theme.key),
            Span::styled(
                fit(words, usize::from(area.width).saturating_sub(3)),
                theme.hint,
            ),
        ]);
        self.canvas.line(area, &line);
        self.canvas.hit(area, Target::Act(action));
        self.line += 1;
    }

    fn room(&self) -> u16 {
        self.inner.height.saturating_sub(self.line)
    }

    fn full(&self) -> bool {
        self.inner.width + 4 >= FULL_FROM
    }

    fn empty(&mut self) {
        let theme = &self.shared.theme;
        self.line = 1;
        self.text("Nothing picked yet.", theme.text);
        self.line += 1;
        for words in [
            "Space picks the seat under",
            "the cursor, b finds the best,",
            "a click picks, too.",
        ] {
            if self.full() {
                self.text(words, theme.quiet);
            }
        }
        self.line += 1;
        self.key(Action::Best, "best seats");
        self.key(Action::OpenCarts, "open carts");
    }

    fn cart(&mut self, view: &CartView, at: Option<usize>, under: Option<SeatRef>) {
        let theme = &self.shared.theme;
        self.bar(view);
        let until = wording::clock(view.cart.expires_at, self.shared.zone);
        match (view.state == CartState::Active, self.full()) {
            (true, true) => self.text(&format!("held until {until}  e extends"), theme.text),
            (true, false) => self.text(&format!("until {until}"), theme.text),
            (false, _) => self.text("The hold has ended.", theme.danger),
        }
        if !view.cart.customer.name.is_empty() {
            self.text(&view.cart.customer.name, theme.strong);
        }
        self.line += u16::from(self.inner.height > 16);
        self.lines(view, at, under);
        self.rule();
        let seats = wording::count(view.cart.seat_count(), "seat");
        let currency = view
            .cart
            .currency
            .unwrap_or(crate::domain::money::Currency::EUR);
        let total = wording::money(view.total, currency);
        let total = if self.full() {
            format!("TOTAL {currency} {total}")
        } else {
            total
        };
        self.pair(&seats, &total, theme.money);
        self.keys();
    }

    fn bar(&mut self, view: &CartView) {
        let theme = &self.shared.theme;
        let left = view.cart.expires_at.since(self.shared.now);
        let all = view.cart.hold.millis().max(left.millis()).max(1);
        let width = i64::from(self.inner.width);
        let filled = u16::try_from(left.millis() * width / all)
            .unwrap_or(0)
            .min(self.inner.width);
        let style = match left.millis() / 1000 {
            ..=30 => theme.danger,
            31..=120 => theme.warning,
            _ => theme.bar,
        };
        let area = row(self.inner, self.line);
        self.canvas.text(
            area,
            &self
                .shared
                .glyphs
                .bar
                .to_string()
                .repeat(usize::from(filled)),
            style,
        );
        let rest = Rect {
            x: area.x + filled,
            width: area.width - filled,
            ..area
        };
        let empty = self
            .shared
            .glyphs
            .bar_rest
            .to_string()
            .repeat(usize::from(rest.width));
        self.canvas.text(rest, &empty, theme.bar_rest);
        self.line += 1;
        if left < Time::minutes(2) && view.state == CartState::Active {
            self.text("then the seats go back", style);
        }
    }

    fn lines(&mut self, view: &CartView, at: Option<usize>, under: Option<SeatRef>) {
        let heads = view.lines.len().min(4);
        let keys = if self.full() { 9 } else { 8 };
        let room = usize::from(self.room()).saturating_sub(keys + heads);
        let seats = view.cart.seat_count();
        let first = at.map_or(0, |at| (at + 1).saturating_sub(room.max(1)));
        let last = first
            + if seats - first > room {
                room.saturating_sub(1).max(1)
            } else {
                room.max(1)
            };
        let mut index = 0;
        let mut shown_performance = None;
        for line in &view.lines {
            for (seat, name) in &line.seats {
                if (first..last).contains(&index) {
                    if shown_performance != Some(line.performance.id) {
                        self.heading(line);
                        shown_performance = Some(line.performance.id);
                    }
                    let marked = at.map_or(under == Some(*seat), |at| at == index);
                    self.seat((line, *seat, name), marked, at == Some(index));
                }
                index += 1;
            }
        }
        if last < seats {
            let more = format!("and {} more", seats - last);
            self.text(&more, self.shared.theme.quiet);
        }
    }

    fn heading(&mut self, line: &LineView) {
        let label = &line.performance;
        let theme = &self.shared.theme;
        let when = wording::day_time(label.start, label.zone);
        if self.full() {
            let room = usize::from(self.inner.width).saturating_sub(when.len() + 3);
            self.text(
                &format!("{}   {when}", fit(&label.title, room)),
                theme.strong,
            );
        } else {
            self.text(
                &fit(&label.title, usize::from(self.inner.width)),
                theme.strong,
            );
        }
    }

    fn seat(
        &mut self,
        (line, seat, name): (&LineView, SeatRef, &str),
        marked: bool,
        selected: bool,
    ) {
        let theme = &self.shared.theme;
        let area = row(self.inner, self.line);
        let mark = if marked { ">" } else { " " };
        let currency = self
            .shared
            .cart
            .currency()
            .unwrap_or(crate::domain::money::Currency::EUR);
        let text = if self.full() {
            format!("{mark}{:<5} {}", fit(name, 12), fit(&line.ticket_type, 10))
        } else {
            format!("{mark}{:<4}{}", fit(name, 6), fit(&line.ticket_type, 5))
        };
        self.pair(
            &text,
            &wording::money(line.unit_price, currency),
            theme.text,
        );
        if selected {
            self.canvas.style(area, theme.selection);
        }
        self.canvas.hit(area, Target::CartSeat(line.id, seat));
    }

    fn keys(&mut self) {
        let keys = [
            (Action::Pay, "pay"),
            (Action::TicketType, "ticket type"),
            (Action::GiveBack, "give back"),
            (Action::Extend, "extend the hold"),
            (Action::NextCustomer, "next customer, sets aside"),
            (Action::CancelCart, "cancel, give all back"),
        ];
        self.line += u16::from(usize::from(self.room()) > keys.len() + 1);
        for (action, words) in keys {
            if self.room() > 0 {
                self.key(action, words);
            }
        }
    }

    fn sold(&mut self, view: &ReceiptView) {
        let theme = &self.shared.theme;
        let receipt = &view.receipt;
        let money = |minor| wording::money(minor, receipt.currency);
        if !self.full() {
            self.text(&format!("receipt {}", receipt.number), theme.text);
        }
        self.line += 1;
        let mut shown = None;
        for line in &view.lines {
            if shown != Some(line.performance.id) {
                self.heading(line);
                shown = Some(line.performance.id);
            }
            let names =
                wording::seats(line.seats.iter().map(|(seat, name)| (*seat, name.as_str())));
            self.text(
                &format!("{names}   {} {}", line.seats.len(), line.ticket_type),
                theme.text,
            );
        }
        self.rule();
        self.pair("TOTAL", &money(receipt.total), theme.money);
        for payment in &receipt.payments {
            match &payment.means {
                Means::Cash { given } => self.pair("cash", &money(*given), theme.text),
                Means::Card { reference } => {
                    let words = format!("card {reference}");
                    self.pair(&words, &money(payment.minor), theme.text);
                }
            }
        }
        self.line += 1;
        self.change(&money(receipt.change()));
        self.line += 1;
        self.key(Action::TicketType, "print again");
        self.text("the next pick starts a new", theme.quiet);
        self.text("cart; this stays until then", theme.quiet);
    }

    /// The change, in a frame of its own: it is what the eye has to find.
    fn change(&mut self, text: &str) {
        let theme = &self.shared.theme;
        let area = Rect {
            y: self.inner.y + self.line,
            height: 3.min(self.room()),
            ..self.inner
        };
        if area.height < 3 {
            self.pair("CHANGE", text, theme.money);
            return;
        }
        let frame = Frame {
            title: Line::default(),
            right: Line::default(),
            set: self.shared.glyphs.frame,
            style: theme.focus,
        };
        let inner = self.canvas.panel(area, frame);
        self.line += 1;
        let saved = self.inner;
        self.inner = Rect {
            x: inner.x + 1,
            width: inner.width.saturating_sub(2),
            ..saved
        };
        self.pair("CHANGE", text, theme.money);
        self.inner = saved;
        self.line += 1;
    }
}
