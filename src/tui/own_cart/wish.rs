//! A wish of the desk about its cart: an operation whose cart, or line, is known when it is sent.

use std::fmt;
use std::sync::Arc;

use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::engine::ops::{AnyOperation, HoldSeats, HoldSlot, TakeFrom, TakeOver, Wanted};
use crate::tui::screens::Screen;

/// A wish of the desk about its cart.
#[derive(Clone, Debug)]
pub enum CartWish {
    /// Take seats.
    Hold(HoldSeats),
    /// Take time of resources, with the words of success: the resources and the time.
    HoldTime(HoldSlot, String),
    /// Give lines of time back.
    GiveBackTime {
        /// The lines' numbers.
        lines: Vec<u32>,
        /// The resource and the time in words.
        words: String,
    },
    /// Give seats back.
    GiveBack {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: Vec<SeatRef>,
    },
    /// Sell seats as another ticket type.
    Retype {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: Vec<SeatRef>,
        /// The ticket type.
        ticket_type: String,
    },
    /// Run an operation about the cart that this desk has when it is sent.
    OfCart(OfCart),
    /// Run an operation as it stands.
    Run(AnyOperation),
}

/// Makes an operation for a cart.
#[derive(Clone)]
pub struct OfCart(Arc<dyn Fn(CartId) -> AnyOperation + Send + Sync>);

impl OfCart {
    /// The operation for this cart.
    pub(super) fn operation(&self, cart: CartId) -> AnyOperation {
        (self.0)(cart)
    }
}

impl fmt::Debug for OfCart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OfCart")
    }
}

/// Whether a wish can be undone once it is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undoing {
    /// Recorded as an act of this screen.
    Remember(Screen),
    /// It was an undo itself.
    Forget,
}

impl CartWish {
    /// A wish for an operation as it stands.
    pub fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Run(operation.into())
    }

    /// A wish for an operation about this desk's cart.
    pub fn of_cart<O: Into<AnyOperation>>(
        operation: impl Fn(CartId) -> O + Send + Sync + 'static,
    ) -> Self {
        Self::OfCart(OfCart(Arc::new(move |cart| operation(cart).into())))
    }

    /// A wish to take a cart over.
    #[must_use]
    pub fn take_over(cart: CartId, from: TakeFrom) -> Self {
        Self::run(TakeOver { cart, from })
    }

    /// The same wish about other seats.
    pub(super) fn about(&self, seats: Vec<SeatRef>) -> Self {
        let mut wish = self.clone();
        if let Self::GiveBack { seats: mine, .. } | Self::Retype { seats: mine, .. } = &mut wish {
            *mine = seats;
        }
        wish
    }

    /// Whether it brings seats into the cart.
    pub(super) const fn takes_seats(&self) -> bool {
        matches!(
            self,
            Self::Hold(_)
                | Self::HoldTime(..)
                | Self::Run(AnyOperation::ReviveCart(_) | AnyOperation::TakeOver(_))
        )
    }

    /// Whether it pays the cart.
    pub(super) const fn pays(&self) -> bool {
        matches!(self, Self::Run(AnyOperation::Checkout(_)))
    }

    /// The cart that it brings back: one that ended.
    pub(super) fn revives(&self) -> Option<CartId> {
        if let Self::Run(AnyOperation::ReviveCart(revive)) = self {
            return Some(revive.cart);
        }
        None
    }

    /// The cart that it takes over from the rack of those that are set aside.
    pub(super) fn takes_over(&self) -> Option<CartId> {
        if let Self::Run(AnyOperation::TakeOver(take)) = self {
            return (take.from == TakeFrom::SetAside).then_some(take.cart);
        }
        None
    }

    /// The seats of a performance that it names.
    pub(super) fn seats_of(&self, of: PerformanceId) -> &[SeatRef] {
        let (Self::Hold(HoldSeats {
            performance,
            seats: Wanted::Seats(seats),
            ..
        })
        | Self::GiveBack { performance, seats }) = self
        else {
            return &[];
        };
        if *performance == of { seats } else { &[] }
    }

    /// Whether the cart will have a seat after it; none when it does not name the seat.
    pub(super) fn changes(&self, performance: PerformanceId, seat: SeatRef) -> Option<bool> {
        self.seats_of(performance)
            .contains(&seat)
            .then_some(matches!(self, Self::Hold(_)))
    }
}
