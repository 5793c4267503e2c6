//! Cart of this desk: pending wishes, the engine's answers, and undo.
//!
//! Wishes wait in a queue and are sent one at a time, so that each is resolved against the cart that the previous
//! one left; keys may come faster than answers. A cart line is looked up when its wish is sent, not when the key is
//! pressed.
//!
//! # Invariants
//! - Nothing counts as this desk's before the engine has answered so.
//! - A refusal stays until seats are added to the cart, or it is closed.

use std::collections::VecDeque;

use crate::domain::cart::CartState;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AnyOperation, CartPart, ChargeBooking, GiveBack, HoldSeats, HoldSlot, ReturnCells, Retype};
use crate::engine::reads::carts::{CartView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::data::desk_act::Undoing;

mod cart_answers;
mod granted;
mod sending;
mod undo;
mod wish;

use undo::Undoable;
pub(crate) use undo::{Doubt, UndoEntry, UndoNumber};
pub(crate) use wish::CartWish;

/// Blink of refused seats: their own signs show between these two times after the refusal.
const BLINK: [Span; 2] = [Span::from_millis(250), Span::from_millis(500)];

/// Refusal shown below the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CartRefused {
    /// The engine's refusal.
    pub refusal: Refusal,
    /// Performance of the seats.
    pub performance: Option<PerformanceId>,
    /// Ticket type of the wish.
    pub ticket_type: Option<String>,
    /// Time of the refusal.
    pub at: Instant,
}

/// Outcome of a wish, for the dialog that waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CartOutcome {
    /// The wish was granted.
    Granted,
    /// The wish was refused or failed.
    Refused,
    /// The payment was refused; the cart is unchanged.
    PaymentRefused,
    /// The sale is complete.
    Sold,
    /// The money was taken without a sale.
    Unissued,
}

/// Answer to a wish, for the dialog that waits for it.
#[derive(Clone, Debug)]
pub(crate) struct CartReply {
    /// Number that the wish was given; none is zero.
    pub number: u64,
    /// The wish; none when the cart was only read again.
    pub wish: Option<CartWish>,
    pub outcome: CartOutcome,
    /// Reason of a refusal; empty when granted.
    pub sentence: String,
}

/// Cart of this desk, with its queue of wishes and its undo stack.
#[derive(Debug, Default)]
pub(crate) struct OwnCart {
    view: Option<CartView>,
    /// Wishes that wait, each with the number of its reply.
    queue: VecDeque<(u64, CartWish, Undoing)>,
    /// Wish under way.
    flight: Option<(u64, CartWish, Undoing)>,
    /// Number of the read under way.
    reading: Option<u64>,
    undo: Vec<Undoable>,
    /// Number of the newest undo entry.
    last_undo: UndoNumber,
    refused: Option<CartRefused>,
    sold: Option<ReceiptView>,
    /// Seats added by best seats or by name, until the map shows them.
    chosen: Option<(PerformanceId, Vec<SeatRef>)>,
    /// Deadline that a warning was given for.
    warned: Option<Instant>,
}

impl OwnCart {
    /// Cart as last answered by the engine; none before the first pick.
    pub(crate) const fn view(&self) -> Option<&CartView> {
        self.view.as_ref()
    }

    /// Puts the last sale away; false if none is shown.
    pub(crate) fn put_sold_away(&mut self) -> bool {
        self.sold.take().is_some()
    }

    /// Receipt of the last sale, kept until the next pick or customer.
    pub(crate) const fn sold(&self) -> Option<&ReceiptView> {
        self.sold.as_ref()
    }

    pub(crate) const fn refused(&self) -> Option<&CartRefused> {
        self.refused.as_ref()
    }

    /// True while refused seats blink with their own signs.
    pub(crate) fn refused_blink(&self, now: Instant) -> bool {
        let [from, until] = BLINK;
        self.refused.as_ref().is_some_and(|refused| (from..until).contains(&now.since(refused.at)))
    }

    /// Time until refused seats change their signs; none when the blink is over.
    pub(crate) fn blinks_in(&self, now: Instant) -> Option<Span> {
        let ago = now.since(self.refused.as_ref()?.at);
        let next = BLINK.into_iter().find(|at| *at > ago)?;
        Some(Span::from_millis(next.millis() - ago.millis()))
    }

    /// Takes the seats added by best seats or by name.
    pub(crate) const fn take_chosen(&mut self) -> Option<(PerformanceId, Vec<SeatRef>)> {
        self.chosen.take()
    }

    /// Closes the refusal, if there is one.
    pub(crate) fn close_refusal(&mut self) {
        self.refused = None;
    }

    /// True if every wish has been answered.
    pub(crate) fn is_settled(&self) -> bool {
        self.flight.is_none() && self.queue.is_empty()
    }

    /// True if a wish waits to be sent.
    pub(crate) fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    /// True if the cart has seats, or has requested some.
    pub(crate) fn has_seats(&self) -> bool {
        !self.is_settled() || self.view.as_ref().is_some_and(|view| !view.is_empty())
    }

    /// Remaining time of the hold; none without a cart that has a hold.
    pub(crate) fn left(&self, now: Instant) -> Option<Span> {
        let view = self.view.as_ref().filter(|view| !view.is_empty())?;
        (view.state == CartState::Active).then(|| view.cart.expires_at.since(now))
    }

    /// Currency of the cart.
    pub(crate) fn currency(&self) -> Option<Currency> {
        self.view.as_ref()?.cart.currency
    }

    /// True if a card payment has begun; the money may then come in after the deadline.
    pub(crate) fn payment_began(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.cart.payment_began_at.is_some())
    }

    /// Cart line of a seat.
    pub(crate) fn line_of(&self, performance: PerformanceId, seat: SeatRef) -> Option<&LineView> {
        self.view
            .as_ref()?
            .lines
            .iter()
            .find(|line| line.is_of(performance) && line.seats().iter().any(|(mine, _)| *mine == seat))
    }

    /// True if the cart will have the seat once all pending wishes are granted.
    pub(crate) fn will_have(&self, performance: PerformanceId, seat: SeatRef) -> bool {
        self.pending()
            .filter_map(|wish| wish.changes(performance, seat))
            .next_back()
            .unwrap_or_else(|| self.line_of(performance, seat).is_some())
    }

    /// Seats of a performance in wishes that are not answered yet.
    pub(crate) fn asked(&self, performance: PerformanceId) -> impl Iterator<Item = SeatRef> + '_ {
        self.pending().flat_map(move |wish| wish.seats_of(performance).iter().copied())
    }

    /// Wishes that are not answered yet.
    fn pending(&self) -> impl DoubleEndedIterator<Item = &CartWish> {
        let waiting = self.flight.iter().chain(&self.queue);
        waiting.map(|(_, wish, _)| wish)
    }

    /// Drops the wishes not sent yet; the one in flight will be answered.
    pub(crate) fn drop_queue(&mut self) {
        self.queue.clear();
    }

    /// Resolves a wish to an operation; none when its subject is gone.
    fn operation(&self, wish: &CartWish) -> Option<AnyOperation> {
        let cart = self.view.as_ref().map(|view| view.cart.id);
        let seats = |performance: PerformanceId, mut seats: Vec<SeatRef>| {
            seats.retain(|seat| self.line_of(performance, *seat).is_some());
            (!seats.is_empty()).then_some(CartPart::Seats { performance, seats })
        };
        Some(match wish.clone() {
            CartWish::Hold(hold) => HoldSeats { cart: self.live_cart(), ..hold }.into(),
            CartWish::HoldTime(hold, _) => HoldSlot { cart: self.live_cart(), ..hold }.into(),
            CartWish::Return(bring, _) => ReturnCells { cart: self.live_cart(), ..bring }.into(),
            CartWish::Charge(charge, _) => ChargeBooking { cart: self.live_cart(), ..charge }.into(),
            CartWish::GiveBackTime { lines, .. } => GiveBack { cart: cart?, part: CartPart::Lines(lines) }.into(),
            CartWish::GiveBack { performance, seats: mine } => {
                GiveBack { cart: cart?, part: seats(performance, mine)? }.into()
            }
            CartWish::Retype { performance, seats: mine, ticket_type } => {
                Retype { cart: cart?, part: seats(performance, mine)?, ticket_type }.into()
            }
            CartWish::OfCart(of) => of.operation(cart?),
            CartWish::Run(operation) => operation,
        })
    }

    /// True if it brings cells of a receipt back.
    pub(crate) fn brings_back(&self) -> bool {
        let view = self.view.as_ref();
        view.is_some_and(|view| !view.returns.is_empty())
    }

    /// Fee of the exchange, in minor units.
    pub(crate) fn fee(&self) -> i64 {
        let view = self.view.as_ref();
        view.and_then(|view| view.cart.fee().ok()).unwrap_or(0)
    }

    /// The cart, while it can be sold.
    pub(crate) fn live_cart(&self) -> Option<CartId> {
        self.view.as_ref().filter(|view| view.state == CartState::Active).map(|view| view.cart.id)
    }
}
