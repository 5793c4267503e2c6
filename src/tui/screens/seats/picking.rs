//! Adding and removing seats, ticket types, and the alternatives of a refusal.

use crate::domain::cart::CartState;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{HoldSeats, SeatChoice};
use crate::engine::reads::carts::{LineView, TimeView};
use crate::engine::reads::seat_map::{Holder, SeatMap, SeatState};
use crate::tui::data::own_cart::{CartWish, OwnCart};
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::{Seats, SeatsFocus};
use crate::tui::widgets::cart_panel::CartPlace;

impl Seats {
    /// Seats that a command acts on: the marked ones, else the seat under the cursor.
    pub(super) fn chosen(&self) -> Vec<SeatRef> {
        if self.marked.is_empty() { self.cursor.into_iter().collect() } else { self.marked.clone() }
    }

    /// Handles Space: removes the seats if all are in this cart, else adds those shown as free.
    pub(super) fn pick(&mut self, context: &mut Context<'_>) {
        let chosen = self.chosen();
        let Some(performance) = self.performance.filter(|_| !chosen.is_empty()) else {
            self.no_seat(context);
            return;
        };
        let cart = &context.shared.cart;
        let (mine, others): (Vec<SeatRef>, Vec<SeatRef>) =
            chosen.into_iter().partition(|seat| cart.will_have(performance, *seat));
        if others.is_empty() {
            if !mine.is_empty() {
                context.want(CartWish::GiveBack { performance, seats: mine });
            }
        } else {
            self.take(others, context);
        }
        self.drop_marks();
    }

    /// Adds the seats shown as free; if none is, says who has them.
    fn take(&mut self, seats: Vec<SeatRef>, context: &mut Context<'_>) {
        let (free, taken): (Vec<SeatRef>, Vec<SeatRef>) = seats.into_iter().partition(|seat| self.is_shown_free(*seat));
        match taken.as_slice() {
            _ if !free.is_empty() => self.hold(free, context),
            [one] => {
                self.tell_holder(*one, context);
            }
            several => {
                let words = self.taken_words(several);
                context.note(format!("{words}; nothing to take"));
            }
        }
    }

    /// True if the map shows the seat as free.
    fn is_shown_free(&self, seat: SeatRef) -> bool {
        self.map().is_none_or(|map| map.is_free(seat))
    }

    fn hold(&self, seats: Vec<SeatRef>, context: &mut Context<'_>) {
        if let Some(performance) = self.performance {
            context.want(CartWish::Hold(HoldSeats::new(performance, SeatChoice::Seats(seats))));
        }
    }

    /// Asks how many places are wanted, where there is standing room alone.
    fn no_seat(&self, context: &mut Context<'_>) {
        match self.map() {
            Some(_) => Prompt::ask(PromptPurpose::Best, "", context),
            None if self.performance.is_none() => {
                context.note("No performance is chosen; <tonight.new-night> on Tonight adds one");
            }
            None => context.note("The map is on its way; try again"),
        }
    }

    /// Handles Enter: adds free seats, never removes any.
    pub(super) fn main(&mut self, context: &mut Context<'_>) {
        let (Some(performance), Some(seat)) = (self.performance, self.cursor) else {
            self.no_seat(context);
            return;
        };
        let chosen = self.chosen();
        let cart = &context.shared.cart;
        let wanted: Vec<SeatRef> = chosen.iter().filter(|seat| !cart.will_have(performance, **seat)).copied().collect();
        if chosen.len() > 1 {
            if !wanted.is_empty() {
                self.take(wanted, context);
            }
            self.drop_marks();
            return;
        }
        if wanted.is_empty() {
            self.stand_in_cart(CartPlace::Seat(performance, seat), context.shared);
            return;
        }
        if !self.open_lost(seat) {
            self.take(wanted, context);
        }
        self.drop_marks();
    }

    /// Adds the chosen seats; true if the cart has, or asked for, each of them.
    pub(crate) fn take_chosen(&mut self, context: &mut Context<'_>) -> bool {
        let Some(performance) = self.performance else {
            return false;
        };
        let cart = &context.shared.cart;
        let wanted: Vec<SeatRef> =
            self.chosen().into_iter().filter(|seat| !cart.will_have(performance, *seat)).collect();
        let all = wanted.iter().all(|seat| self.is_shown_free(*seat));
        if !wanted.is_empty() {
            self.take(wanted, context);
        }
        self.drop_marks();
        all
    }

    /// Moves cursor and viewport to seats that a search or best seats added to the cart.
    pub(super) fn seats_came(&mut self, performance: PerformanceId, seats: &[SeatRef]) {
        if self.performance == Some(performance)
            && !self.cursor.is_some_and(|cursor| seats.contains(&cursor))
            && let Some(first) = seats.first().filter(|first| self.is_on_map(**first))
        {
            self.cursor = Some(*first);
            self.stop = SeatsFocus::Map;
        }
    }

    /// Seats and slots of the cart, in the panel's order.
    pub(super) fn cart_places(shared: &Shared) -> Vec<CartPlace> {
        let lines = shared.cart.view().into_iter().flat_map(|view| &view.lines);
        let places = |line: &LineView| match line.performance() {
            Some(label) => line.seats().iter().map(|(seat, _)| CartPlace::Seat(label.id, *seat)).collect(),
            None => vec![CartPlace::Slot(line.id)],
        };
        lines.flat_map(places).collect()
    }

    /// Moves the focus to a seat or slot in the cart panel, if the cart has it.
    pub(super) fn stand_in_cart(&mut self, place: CartPlace, shared: &Shared) {
        let places = Self::cart_places(shared);
        let at = places.iter().position(|mine| *mine == place);
        self.stop = if at.is_some() { SeatsFocus::Cart } else { SeatsFocus::Map };
        self.in_cart.stand(at.unwrap_or(0), places);
    }

    /// Focused slot in the cart panel.
    pub(super) fn cart_time<'s>(&self, shared: &'s Shared) -> Option<(&'s LineView, &'s TimeView)> {
        let Some(CartPlace::Slot(id)) = self.in_cart.key().filter(|_| self.stop == SeatsFocus::Cart) else {
            return None;
        };
        let line = shared.cart.view()?.lines.iter().find(|line| line.id == *id)?;
        Some((line, line.time()?))
    }

    /// Wish that removes the focused slot.
    fn meant_time(&self, shared: &Shared) -> Option<CartWish> {
        let (line, time) = self.cart_time(shared)?;
        Some(CartWish::GiveBackTime {
            lines: vec![line.id.number],
            words: format!("{} {}", time.name, time.when(shared.now)),
        })
    }

    /// Seats of the cart that `t` and `x` act on.
    fn meant(&self, shared: &Shared) -> Option<(PerformanceId, Vec<SeatRef>)> {
        let (performance, chosen) = match (self.stop, self.in_cart.key()) {
            (SeatsFocus::Map, _) => (self.performance?, self.chosen()),
            (SeatsFocus::Cart, Some(CartPlace::Seat(performance, seat))) => (*performance, vec![*seat]),
            (SeatsFocus::Cart, Some(CartPlace::Slot(_)) | None) => return None,
        };
        let mine = |seat: &SeatRef| shared.cart.line_of(performance, *seat).is_some();
        let seats: Vec<SeatRef> = chosen.into_iter().filter(mine).collect();
        (!seats.is_empty()).then_some((performance, seats))
    }

    pub(super) fn give_back(&mut self, context: &mut Context<'_>) {
        if let Some(wish) = self.meant_time(context.shared) {
            context.want(wish);
            return;
        }
        match self.meant(context.shared) {
            Some((performance, seats)) => {
                context.want(CartWish::GiveBack { performance, seats });
                self.drop_marks();
            }
            None => context.note("This seat is not in your cart"),
        }
    }

    pub(super) fn next_ticket_type(&mut self, context: &mut Context<'_>) {
        let Some((performance, seats)) = self.meant(context.shared) else {
            if context.shared.cart.sold().is_some() {
                Self::print_again(context);
            } else {
                context.note("The ticket type is changed on seats of your cart");
            }
            return;
        };
        let next = self.type_after(performance, &seats, context.shared);
        match next {
            Some(ticket_type) => context.want(CartWish::Retype { performance, seats, ticket_type }),
            None => context.note("This seat is sold as one ticket type only"),
        }
    }

    fn type_after(&self, performance: PerformanceId, seats: &[SeatRef], shared: &Shared) -> Option<String> {
        let first = *seats.first()?;
        let map = self.map().filter(|map| map.performance.id == performance)?;
        let types = map.performance.ticket_types(map.plan.seat(first)?.category);
        let now = &shared.cart.line_of(performance, first)?.kind;
        let at = types.iter().position(|one| one == now).unwrap_or(0);
        let next = types.get((at + 1) % types.len().max(1))?;
        (next != now).then(|| (*next).to_owned())
    }

    /// Handles `a`: takes the refusal's first alternative.
    pub(super) fn accept(context: &mut Context<'_>) {
        let offer = context.shared.cart.refused().and_then(|refused| {
            let Refusal::Taken { instead, .. } = &refused.refusal else {
                return None;
            };
            Some((refused.performance?, instead.first()?.seats().to_vec(), refused.ticket_type.clone()))
        });
        match offer {
            Some((performance, names, ticket_type)) => context.want(CartWish::Hold(HoldSeats {
                ticket_type,
                ..HoldSeats::new(performance, SeatChoice::Named(names))
            })),
            None => context.note("Nothing is offered here"),
        }
    }
}

/// True if an action answers the current refusal; any other action closes it.
pub(super) const fn answers_refusal(action: Action) -> bool {
    matches!(action, Action::Accept | Action::Best | Action::WaitingList | Action::Close | Action::Undo)
}

/// Applies the cart's latest state to a map that was read before, given its seats there; returns whether other seats are
/// free.
pub(super) fn overlay(
    map: &mut SeatMap,
    (performance, cart): (PerformanceId, &OwnCart),
    overlaid: &mut Option<(CartId, Vec<SeatRef>)>,
) -> bool {
    let Some(view) = cart.view() else {
        return false;
    };
    let live = view.state == CartState::Active;
    let before = overlaid.take().filter(|(cart, _)| *cart == view.cart.id);
    let before = before.map_or_else(|| seats_of(map, view.cart.id), |(_, seats)| seats);
    let mut changed = false;
    let lines = view.lines.iter().filter(|line| live && line.is_of(performance));
    let now: Vec<(&LineView, SeatRef)> =
        lines.flat_map(|line| line.named().map(move |(seat, _)| (line, seat))).collect();
    for seat in before.iter().filter(|seat| !now.iter().any(|(_, its)| its == *seat)) {
        changed |= map.set(*seat, SeatState::Free);
    }
    for (line, seat) in &now {
        let holder = Holder {
            cart: view.cart.id,
            line: line.id.number,
            operator: view.cart.operator.clone(),
            station: view.cart.station.clone(),
            set_aside: false,
            reserved: None,
            offered_to: None,
            until: view.cart.expires_at,
        };
        changed |= map.set(*seat, SeatState::Held(Box::new(holder)));
    }
    *overlaid = Some((view.cart.id, now.into_iter().map(|(_, seat)| seat).collect()));
    changed
}

/// Seats that a cart holds on a map.
fn seats_of(map: &SeatMap, cart: CartId) -> Vec<SeatRef> {
    let is_its = |state: &SeatState| matches!(state, SeatState::Held(holder) if holder.cart == cart);
    let rows = (0..).zip(&map.rows);
    let seats = rows
        .flat_map(|(row, states)| (0..).zip(states.iter()).map(move |(seat, state)| (SeatRef { row, seat }, state)));
    seats.filter(|(_, state)| is_its(state)).map(|(seat, _)| seat).collect()
}
