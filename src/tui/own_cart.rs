//! The cart that this desk works on: what is asked, what is answered, what can be undone.
//!
//! Wishes wait in a queue and go to the house one at a time, so that a wish always knows the cart as the wish
//! before left it; keys may come faster than answers. A line is looked up when a wish is sent, not when it is
//! made.
//!
//! # Invariants
//! - Nothing counts as the desk's own before the house has answered so.
//! - What a refusal says stands until seats are this desk's, or somebody closes it.

use std::collections::VecDeque;

use crate::domain::cart::CartState;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AnyOperation, GiveBack, HoldSeats, HoldSlot, Retype};
use crate::engine::reads::carts::{CartView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::remote::Ticket;
use crate::tui::shared::{Context, Tone};

mod answers;
mod undo;
mod wish;
mod words;

use undo::Undo;
pub use undo::{Doubt, UndoNumber, Undone};
pub use wish::CartWish;
use wish::Undoing;

/// Refused seats blink once: their own signs stand from the first to the second of these times after the refusal.
const BLINK: [Span; 2] = [Span::from_millis(250), Span::from_millis(500)];

/// A refusal as it stands under the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartRefused {
    /// What the house said.
    pub refusal: Refusal,
    /// The performance whose seats were wanted.
    pub performance: Option<PerformanceId>,
    /// As which ticket type.
    pub ticket_type: Option<String>,
    /// When the house said so.
    pub at: Instant,
}

/// What came of an answer, for whoever waits on the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CartOutcome {
    /// A wish was granted.
    Granted,
    /// A wish was refused or failed.
    Refused,
    /// The payment was refused, and the cart is as it was.
    PaymentRefused,
    /// The sale is done.
    Sold,
    /// The money was taken, but there is no sale.
    Unissued,
}

/// An answered wish, for whoever waits on the cart.
#[derive(Clone, Debug)]
pub struct CartReply {
    /// The wish; none when the cart was only read again.
    pub wish: Option<CartWish>,
    /// The outcome.
    pub outcome: CartOutcome,
    /// Why it was refused; empty when it was granted.
    pub sentence: String,
}

/// The cart of this desk.
#[derive(Debug, Default)]
pub struct OwnCart {
    view: Option<CartView>,
    queue: VecDeque<(CartWish, Undoing)>,
    flight: Option<(Ticket, CartWish, Undoing)>,
    reading: Option<Ticket>,
    undo: Vec<Undo>,
    /// The number of the newest act that can be undone.
    last_undo: UndoNumber,
    refused: Option<CartRefused>,
    sold: Option<ReceiptView>,
    /// Seats that came without being pointed at, until the map shows them.
    chosen: Option<(PerformanceId, Vec<SeatRef>)>,
    /// The deadline that was warned of.
    warned: Option<Instant>,
}

impl OwnCart {
    /// The cart as the house last answered it; none before the first pick.
    #[must_use]
    pub const fn view(&self) -> Option<&CartView> {
        self.view.as_ref()
    }

    /// What the last sale left; stays until the next pick.
    #[must_use]
    pub const fn sold(&self) -> Option<&ReceiptView> {
        self.sold.as_ref()
    }

    /// The refusal that stands.
    #[must_use]
    pub const fn refused(&self) -> Option<&CartRefused> {
        self.refused.as_ref()
    }

    /// Whether the refused seats show their own signs for a moment, so that the eye finds them.
    #[must_use]
    pub fn refused_blink(&self, now: Instant) -> bool {
        let [from, until] = BLINK;
        self.refused
            .as_ref()
            .is_some_and(|refused| (from..until).contains(&now.since(refused.at)))
    }

    /// How long until refused seats change their signs; none when they stay.
    #[must_use]
    pub fn blinks_in(&self, now: Instant) -> Option<Span> {
        let ago = now.since(self.refused.as_ref()?.at);
        let next = BLINK.into_iter().find(|at| *at > ago)?;
        Some(Span::from_millis(next.millis() - ago.millis()))
    }

    /// The seats that the house chose or a name told, once.
    pub const fn take_chosen(&mut self) -> Option<(PerformanceId, Vec<SeatRef>)> {
        self.chosen.take()
    }

    /// Closes the refusal; says whether there was one.
    pub fn close_refusal(&mut self) -> bool {
        self.refused.take().is_some()
    }

    /// Whether every wish has been answered.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.flight.is_none() && self.queue.is_empty()
    }

    /// Whether something is wanted that the house has not been asked for yet.
    #[must_use]
    pub fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Whether the cart has seats, or has asked for some.
    #[must_use]
    pub fn has_seats(&self) -> bool {
        !self.is_settled() || self.view.as_ref().is_some_and(|view| !view.is_empty())
    }

    /// How long the cart's seats are still held; none without a cart that has any.
    #[must_use]
    pub fn left(&self, now: Instant) -> Option<Span> {
        let view = self.view.as_ref().filter(|view| !view.is_empty())?;
        (view.state == CartState::Active).then(|| view.cart.expires_at.since(now))
    }

    /// The currency of the cart.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.view.as_ref()?.cart.currency
    }

    /// Whether its card payment has begun: then money may come in after the deadline.
    #[must_use]
    pub fn payment_began(&self) -> bool {
        self.view
            .as_ref()
            .is_some_and(|view| view.cart.payment_began_at.is_some())
    }

    /// The line that has a seat of a performance.
    #[must_use]
    pub fn line_of(&self, performance: PerformanceId, seat: SeatRef) -> Option<&LineView> {
        self.view.as_ref()?.lines.iter().find(|line| {
            line.is_of(performance) && line.seats().iter().any(|(mine, _)| *mine == seat)
        })
    }

    /// Whether a seat will be this desk's when everything asked is granted.
    #[must_use]
    pub fn will_have(&self, performance: PerformanceId, seat: SeatRef) -> bool {
        let flight = self.flight.iter().map(|(_, wish, _)| wish);
        flight
            .chain(self.queue.iter().map(|(wish, _)| wish))
            .filter_map(|wish| wish.changes(performance, seat))
            .next_back()
            .unwrap_or_else(|| self.line_of(performance, seat).is_some())
    }

    /// Seats of a performance that something was asked about and not answered yet.
    pub fn asked(&self, performance: PerformanceId) -> impl Iterator<Item = SeatRef> + '_ {
        let flight = self.flight.iter().map(|(_, wish, _)| wish);
        flight
            .chain(self.queue.iter().map(|(wish, _)| wish))
            .flat_map(move |wish| wish.seats_of(performance).iter().copied())
    }

    /// Wants something; it is sent as soon as what was wanted before is answered.
    pub fn want(&mut self, wish: CartWish, context: &mut Context<'_>) {
        let undoing = Undoing::Remember(context.shared.on);
        self.want_with(wish, undoing, context);
    }

    /// Drops what waits to be sent; what is under way will be answered.
    pub fn drop_queue(&mut self) {
        self.queue.clear();
    }

    fn want_with(&mut self, wish: CartWish, undoing: Undoing, context: &mut Context<'_>) {
        if wish.takes_seats() {
            self.sold = None;
        }
        self.queue.push_back((wish, undoing));
        self.advance(context);
    }

    fn advance(&mut self, context: &mut Context<'_>) {
        while self.flight.is_none() {
            let Some((wish, undoing)) = self.queue.pop_front() else {
                return;
            };
            let (now, rest) = self.split(wish);
            if let Some(rest) = rest {
                self.queue.push_front((rest, undoing));
            }
            if let Some(operation) = self.operation(&now) {
                let ticket = context.run(operation.clone());
                // what is said of an operation about the cart is told by the operation
                let now = if matches!(now, CartWish::OfCart(_)) {
                    CartWish::Run(operation)
                } else {
                    now
                };
                self.flight = Some((ticket, now, undoing));
            } else {
                context.say(Tone::Note, "That is not in your cart any more");
            }
        }
    }

    /// A wish about several lines is one command for each line.
    fn split(&self, wish: CartWish) -> (CartWish, Option<CartWish>) {
        if let CartWish::GiveBackTime { lines, words } = &wish
            && let [now, rest @ ..] = lines.as_slice()
            && !rest.is_empty()
        {
            let about = |lines: &[u32]| CartWish::GiveBackTime {
                lines: lines.to_vec(),
                words: words.clone(),
            };
            return (about(&[*now]), Some(about(rest)));
        }
        let (CartWish::GiveBack { performance, seats }
        | CartWish::Retype {
            performance, seats, ..
        }) = &wish
        else {
            return (wish, None);
        };
        let first = seats
            .iter()
            .find_map(|seat| self.line_of(*performance, *seat));
        let (now, rest): (Vec<SeatRef>, Vec<SeatRef>) = seats.iter().partition(|seat| {
            first.is_some_and(|line| line.seats().iter().any(|(mine, _)| mine == *seat))
        });
        let rest = (!rest.is_empty() && !now.is_empty()).then(|| wish.about(rest));
        (wish.about(now), rest)
    }

    /// The operation that a wish is now; none when there is nothing it could be about.
    fn operation(&self, wish: &CartWish) -> Option<AnyOperation> {
        let cart = self.view.as_ref().map(|view| view.cart.id);
        let line = |performance: PerformanceId, seats: &[SeatRef]| {
            Some(self.line_of(performance, *seats.first()?)?.id.number)
        };
        Some(match wish.clone() {
            CartWish::Hold(hold) => HoldSeats {
                cart: self.live_cart(),
                ..hold
            }
            .into(),
            CartWish::HoldTime(hold, _) => HoldSlot {
                cart: self.live_cart(),
                ..hold
            }
            .into(),
            CartWish::GiveBackTime { lines, .. } => GiveBack {
                cart: cart?,
                line: *lines.first()?,
                seats: None,
            }
            .into(),
            CartWish::GiveBack { performance, seats } => GiveBack {
                cart: cart?,
                line: line(performance, &seats)?,
                seats: Some(seats),
            }
            .into(),
            CartWish::Retype {
                performance,
                seats,
                ticket_type,
            } => Retype {
                cart: cart?,
                line: line(performance, &seats)?,
                seats: Some(seats),
                ticket_type,
            }
            .into(),
            CartWish::OfCart(of) => of.operation(cart?),
            CartWish::Run(operation) => operation,
        })
    }

    fn live_cart(&self) -> Option<CartId> {
        self.view
            .as_ref()
            .filter(|view| view.state == CartState::Active)
            .map(|view| view.cart.id)
    }
}
