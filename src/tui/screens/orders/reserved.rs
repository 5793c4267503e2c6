//! An opened reservation: customer, pay-by time and seats, with the keys to pay, move or cancel.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::cart::{AlertRaised, CartState};
use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::engine::ops::CancelCart;
use crate::engine::reads::carts::{CartRow, CartView, LineView, ReadCart};
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus, cells, from_row};
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::order_foot;
use crate::tui::screens::orders::seat_list::{self, SeatList, Seats};
use crate::tui::widgets;
use crate::words;

#[derive(Debug)]
pub(super) struct Reserved {
    pub(super) id: CartId,
    pub(super) seats: SeatList,
}

impl Reserved {
    pub(super) fn new(id: CartId) -> Self {
        Self { id, seats: SeatList::default() }
    }

    /// True if the reservation was paid, was canceled, or has lapsed.
    pub(super) fn has_ended(&self, shared: &Shared) -> bool {
        let view = self.view(shared);
        view.is_some_and(|view| view.state != CartState::Active)
    }

    pub(super) const fn question(&self) -> ReadCart {
        ReadCart(self.id)
    }

    fn view<'s>(&self, shared: &'s Shared) -> Option<&'s CartView> {
        shared.reads.get(&self.question()).map(|view| &**view)
    }

    pub(super) fn lines<'s>(&self, shared: &'s Shared) -> &'s [LineView] {
        self.view(shared).map_or(&[], |view| &view.lines)
    }

    pub(super) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match Some(action) {
            Some(Action::Pay) => self.go(|row| Go::PayReservation(row.id), context),
            Some(Action::PutOff) => self.go(|row| Go::Open(Box::new(Reserve::later(row))), context),
            Some(Action::CancelCart) => self.go(|row| Go::Open(Box::new(canceling(row))), context),
            Some(Action::NextStop | Action::PreviousStop) => {}
            _ => {
                let lines = self.lines(context.shared).to_vec();
                return self.seats.act(action, &lines, context);
            }
        }
        Handled::Yes
    }

    pub(super) fn click(&mut self, index: usize, click: Click, context: &mut Context<'_>) {
        let lines = self.lines(context.shared).to_vec();
        self.seats.click((index, click), &lines, context);
    }

    fn go(&self, go: impl FnOnce(&CartRow) -> Go, context: &mut Context<'_>) {
        let Some(view) = self.view(context.shared) else {
            return;
        };
        if view.cart.state_at(context.shared.now) != CartState::Active {
            context.note("It is no longer reserved; <reservation.close> goes back");
            return;
        }
        let go = go(&view.row());
        context.go(go);
    }

    /// Draws the reservation; without the keyboard focus, as a preview, no cursor.
    pub(super) fn draw(&self, shared: &Shared, (area, focus): (Rect, Focus), canvas: &mut Canvas<'_>) {
        let view = self.view(shared);
        let name = view.map_or("", |view| &view.customer.name);
        let title = format!("Reservation {}", fit(&clean(name), 40));
        let inner = canvas.panel(area, [&*title, ""], focus);
        let Some(view) = view else {
            canvas.note(inner, &shared.in_place_of(&self.question()).unwrap_or_default());
            return;
        };
        let facts = facts(shared, view, inner.width);
        let below = from_row(inner, cells(facts.len() + 1));
        canvas.lines(inner, facts);
        let live = view.cart.state_at(shared.now) == CartState::Active;
        let acts = if live { order_foot::OF_RESERVATION } else { &[] };
        let seats = seat_list::height(shared, &view.lines, inner.width);
        let list = order_foot::draw_below(shared, (below, seats), (KeyPlace::Reservation, acts), canvas);
        let seats = Seats { lines: &view.lines, currency: view.cart.currency, gone: &|_, _| None, focus };
        self.seats.draw(shared, (list, &seats), canvas);
    }
}

/// Question before a reservation is canceled.
fn canceling(of: &CartRow) -> QuestionDialog {
    let seats = words::count(of.seats, "seat");
    let name = &of.customer.name;
    let done = format!("{name}'s reservation is canceled; {seats} went back");
    let text = vec![format!("{seats} of {name} go back, for anybody to take.")];
    QuestionDialog::new("Cancel the reservation?", text, ('k', "keep it")).choice(
        'c',
        "cancel it",
        Go::Send(Sent::worded(CancelCart { cart: of.id }, done)),
    )
}

/// Customer, total, pay-by time, and alerts sent.
fn facts(shared: &Shared, view: &CartView, columns: u16) -> Vec<Line<'static>> {
    let (cart, theme, here) = (&view.cart, &shared.theme, shared.here());
    let price = |currency| format!("{currency} {}", words::money(view.total, currency));
    let money = cart.currency.map_or_else(String::new, price);
    let until = words::day_time(cart.expires_at, here);
    let state = match (cart.state_at(shared.now), &view.receipt) {
        (CartState::Active, _) => {
            format!("not paid; pay by {until}, in {}", words::left(cart.expires_at.since(shared.now)))
        }
        (CartState::Done(_), Some(number)) => format!("paid, receipt {number}"),
        (state, _) => format!("{}: its seats went back", state.word()),
    };
    let told = cart.reservation.map(|made| match made.told {
        AlertRaised::Nothing => format!("reminder {}", words::day_time(made.alert_at, here)),
        AlertRaised::Alert => format!(
            "! reminder {}; last reminder {}",
            words::day_time(made.alert_at, here),
            words::day_time(made.final_at, here)
        ),
        AlertRaised::Final => format!("!! last reminder {}", words::day_time(made.final_at, here)),
    });
    let told_style = match cart.reservation.map(|made| made.told) {
        None | Some(AlertRaised::Nothing) => theme.quiet,
        Some(AlertRaised::Alert) => theme.warning,
        Some(AlertRaised::Final) => theme.danger,
    };
    let made = cart.reservation.map(|made| {
        let at = words::day_time(made.made_at, here);
        format!("reserved {at} by {} at {}", cart.operator, cart.station)
    });
    let [customer, phone] = widgets::contact(&view.customer, columns);
    let told = [
        (customer, theme.strong),
        (phone, theme.strong),
        (state, theme.text),
        (format!("{money}, {}", words::contents(cart.seat_count(), cart.slot_count())), theme.money),
        (told.unwrap_or_default(), told_style),
        (made.unwrap_or_default(), theme.quiet),
    ];
    widgets::facts(told, (columns, 2))
}
