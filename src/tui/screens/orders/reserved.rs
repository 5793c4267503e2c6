//! One reservation: for whom, by when, which seats; and the keys that pay it, move it, cancel it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::cart::{CartState, Told};
use crate::domain::ids::CartId;
use crate::domain::plan::SeatRef;
use crate::domain::text::{clean, fit};
use crate::engine::reads::carts::{CartRow, CartView, LineView};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::msg::{Answer, Query, Trouble, only};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::table::{HEADING, Keys, Table};
use crate::tui::widgets::{Look, padded, paragraph};
use crate::tui::wording;

/// An opened reservation.
#[derive(Debug)]
pub(super) struct Reserved {
    id: CartId,
    view: Remote<Box<CartView>>,
    cursor: usize,
}

impl Reserved {
    pub(super) fn new(id: CartId) -> Self {
        Self {
            id,
            view: Remote::default(),
            cursor: 0,
        }
    }

    pub(super) const fn id(&self) -> CartId {
        self.id
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        if let Some(ticket) = self.view.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Cart(self.id));
        }
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.view.awaits(ticket)
    }

    pub(super) fn answer(&mut self, answer: Result<Answer, Trouble>, context: &mut Context<'_>) {
        let view = only!(answer, Answer::Cart(view) => view);
        if self.view.settle(view) == Again::Yes {
            self.ask(context);
        }
    }

    /// Does what a key means.
    pub(super) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        let last = self.seats().len().saturating_sub(1);
        match Some(action) {
            Some(Action::Up) => self.cursor = self.cursor.saturating_sub(1),
            Some(Action::Down) => self.cursor = (self.cursor + 1).min(last),
            Some(Action::First | Action::PageUp) => self.cursor = 0,
            Some(Action::Last | Action::PageDown) => self.cursor = last,
            Some(Action::Main) => self.show_seat(context),
            Some(Action::Pay) => self.go(|row| Go::PayReservation(row.id), context),
            Some(Action::PutOff) => self.go(Go::PutOff, context),
            Some(Action::CancelCart) => self.go(Go::CancelReservation, context),
            Some(Action::Left | Action::Right | Action::NextStop | Action::PreviousStop) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    pub(super) fn click(&mut self, index: usize, click: Click, context: &mut Context<'_>) {
        match click {
            Click::Single => self.cursor = index,
            Click::Double => self.show_seat(context),
            Click::WheelUp => self.cursor = self.cursor.saturating_sub(1),
            Click::WheelDown => {
                self.cursor = (self.cursor + 1).min(self.seats().len().saturating_sub(1));
            }
            Click::Drag | Click::Release => {}
        }
    }

    fn go(&self, go: impl FnOnce(Box<CartRow>) -> Go, context: &mut Context<'_>) {
        let Some(view) = self.view.value() else {
            return;
        };
        if view.cart.state_at(context.shared.now) != CartState::Active {
            context.say(Tone::Note, "It is no longer reserved; Esc goes back");
            return;
        }
        context.go(go(Box::new(row_of(view))));
    }

    fn show_seat(&self, context: &mut Context<'_>) {
        if let Some((line, seat, _)) = self.seats().get(self.cursor) {
            context.go(Go::Seat(line.performance.id, *seat));
        }
    }

    fn seats(&self) -> Vec<(&LineView, SeatRef, &str)> {
        let lines = self
            .view
            .value()
            .map_or(&[][..], |view| view.lines.as_slice());
        lines
            .iter()
            .flat_map(|line| {
                let named = line.seats.iter();
                named.map(move |(seat, name)| (line, *seat, name.as_str()))
            })
            .collect()
    }

    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let name = self
            .view
            .value()
            .map_or("", |view| &view.cart.customer.name);
        let title = format!(" Reservation {} ", fit(&clean(name), 40));
        let inner = canvas.panel(
            area,
            Frame {
                title: Line::styled(title, theme.title),
                right: Line::default(),
                set: shared.glyphs.frame,
                style: theme.focus,
            },
        );
        let Some(view) = self.view.value() else {
            let text = match &self.view {
                Remote::Failed(problem) => problem.as_str(),
                Remote::Unasked | Remote::Waiting(..) | Remote::Here(_) | Remote::Stale(..) => {
                    "..."
                }
            };
            canvas.text(row(inner, 1), &format!("  {text}"), theme.quiet);
            return;
        };
        let facts = facts(shared, view, inner.width);
        let head = u16::try_from(facts.len()).unwrap_or(0) + 1;
        for (line, at) in facts.iter().zip(0..inner.height) {
            canvas.line(row(inner, at), line);
        }
        let keys = self.draw_keys(shared, inner, canvas);
        let list = Rect {
            y: inner.y + head.min(inner.height),
            height: inner.height.saturating_sub(head + keys),
            ..inner
        };
        let table = Table {
            lines: self.lines(shared, inner.width),
            cursor: Some(self.cursor),
            keys: Keys::Here,
            list: List::OrderSeats,
        };
        let look = Look {
            theme,
            glyphs: &shared.glyphs,
        };
        table.draw(list, look, canvas);
    }

    /// What can be done with it, at the foot; gives how many lines that took.
    fn draw_keys(&self, shared: &Shared, inner: Rect, canvas: &mut Canvas<'_>) -> u16 {
        let live = self
            .view
            .value()
            .is_some_and(|view| view.cart.state_at(shared.now) == CartState::Active);
        if !live {
            return 0;
        }
        let keys = [
            (Action::Pay, "p", "pay it now: it comes to this desk"),
            (Action::PutOff, "e", "a later pay-by"),
            (Action::CancelCart, "C", "cancel it, asks"),
        ];
        let first = inner.height.saturating_sub(3);
        for (line, (action, key, words)) in (first..).zip(keys) {
            let area = row(inner, line);
            let text = Line::from(vec![
                Span::styled(format!(" {key}  "), shared.theme.key),
                Span::styled(words, shared.theme.text),
            ]);
            canvas.line(area, &text);
            canvas.hit(area, Target::Act(action));
        }
        4
    }

    fn lines(&self, shared: &Shared, columns: u16) -> Vec<(usize, Line<'static>)> {
        let theme = &shared.theme;
        let columns = usize::from(columns);
        let currency = self.view.value().and_then(|view| view.cart.currency);
        let mut lines = Vec::new();
        let mut before = None;
        for (index, (line, _, name)) in self.seats().into_iter().enumerate() {
            let performance = &line.performance;
            if before != Some(performance.id) {
                let when = wording::day_time(performance.start, performance.zone);
                let text = format!("{}, {}  {when}", performance.title, performance.theater);
                let text = format!(" {}", fit(&clean(&text), columns.saturating_sub(2)));
                lines.push((HEADING, Line::styled(text, theme.title)));
            }
            before = Some(performance.id);
            let price = currency.map_or(String::new(), |currency| {
                wording::money(line.unit_price, currency)
            });
            let names = columns.saturating_sub(3 + 11 + 9).clamp(3, 24);
            lines.push((
                index,
                Line::from(vec![
                    Span::styled(if index == self.cursor { ">" } else { " " }, theme.strong),
                    Span::styled(format!("{} ", padded(name, names)), theme.strong),
                    Span::styled(padded(&line.ticket_type, 11), theme.text),
                    Span::styled(format!("{price:>8}"), theme.money),
                ]),
            ));
        }
        lines
    }
}

/// For whom, how much, by when, and what has been told.
fn facts(shared: &Shared, view: &CartView, columns: u16) -> Vec<Line<'static>> {
    let (cart, theme, zone) = (&view.cart, &shared.theme, shared.zone);
    let columns = usize::from(columns).saturating_sub(2);
    let price = |currency| format!("{currency} {}", wording::money(view.total, currency));
    let money = cart.currency.map_or_else(String::new, price);
    let until = wording::day_time(cart.expires_at, zone);
    let state = match (cart.state_at(shared.now), &view.receipt) {
        (CartState::Active, _) => format!(
            "not paid; to be paid by {until}, in {}",
            wording::left(cart.expires_at.since(shared.now))
        ),
        (CartState::Done(_), Some(number)) => format!("paid, receipt {number}"),
        (state, _) => format!("{}: its seats went back", state.word()),
    };
    let told = cart.reservation.map(|made| match made.told {
        Told::Nothing => format!(
            "told unpaid from {}",
            wording::day_time(made.alert_at, zone)
        ),
        Told::Alert => format!(
            "! told unpaid at {}; for the last time at {}",
            wording::day_time(made.alert_at, zone),
            wording::day_time(made.final_at, zone)
        ),
        Told::Final => format!(
            "!! told unpaid for the last time at {}",
            wording::day_time(made.final_at, zone)
        ),
    });
    let told_style = match cart.reservation.map(|made| made.told) {
        None | Some(Told::Nothing) => theme.quiet,
        Some(Told::Alert) => theme.warning,
        Some(Told::Final) => theme.danger,
    };
    let made = cart.reservation.map(|made| {
        let at = wording::day_time(made.made_at, zone);
        format!("reserved {at} by {} at {}", cart.operator, cart.station)
    });
    [
        (
            format!("{} {}", cart.customer.name, cart.customer.phone),
            theme.strong,
        ),
        (state, theme.text),
        (
            format!("{money}, {}", wording::count(cart.seat_count(), "seat")),
            theme.money,
        ),
        (told.unwrap_or_default(), told_style),
        (made.unwrap_or_default(), theme.quiet),
    ]
    .into_iter()
    .filter(|(text, _)| !text.trim().is_empty())
    .flat_map(|(text, style)| {
        let lines = paragraph(&clean(&text), columns, 2);
        lines
            .into_iter()
            .map(move |line| Line::styled(format!(" {line}"), style))
    })
    .collect()
}

fn row_of(view: &CartView) -> CartRow {
    let cart = &view.cart;
    CartRow {
        id: cart.id,
        state: view.state,
        operator: cart.operator.clone(),
        station: cart.station.clone(),
        set_aside: cart.set_aside,
        reservation: cart.reservation,
        customer: cart.customer.clone(),
        created_at: cart.created_at,
        expires_at: cart.expires_at,
        seats: cart.seat_count(),
        total: view.total,
        currency: cart.currency,
        title: String::new(),
    }
}
