//! Wishes about the cart: operations whose cart or line is resolved when they are sent.

use std::fmt;
use std::sync::Arc;

use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::engine::ops::{
    AnyOperation, ChargeBooking, HoldSeats, HoldSlot, ReturnCells, SeatChoice, TakeFrom, TakeOver,
};

/// Wish about the cart of this desk.
#[derive(Clone, Debug)]
pub(crate) enum CartWish {
    Hold(HoldSeats),
    /// Add time of resources; the text names resources and time in the success message.
    HoldTime(HoldSlot, String),
    /// Bring back cells of a receipt; the text names them in the success message.
    Return(ReturnCells, String),
    /// Add a payment for a booking; the text names it in the success message.
    Charge(ChargeBooking, String),
    GiveBackTime {
        /// Numbers of the lines.
        lines: Vec<u32>,
        /// Resources and time, for the success message.
        words: String,
    },
    GiveBack {
        performance: PerformanceId,
        seats: Vec<SeatRef>,
    },
    /// Change the ticket type of seats.
    Retype {
        performance: PerformanceId,
        seats: Vec<SeatRef>,
        ticket_type: String,
    },
    /// Run an operation on the cart that this desk has when the wish is sent.
    OfCart(OfCart),
    /// Run an operation unchanged.
    Run(AnyOperation),
}

/// Builds an operation for a cart.
#[derive(Clone)]
pub(crate) struct OfCart(Arc<dyn Fn(CartId) -> AnyOperation + Send + Sync>);

impl OfCart {
    /// Builds the operation for this cart.
    pub(super) fn operation(&self, cart: CartId) -> AnyOperation {
        (self.0)(cart)
    }
}

impl fmt::Debug for OfCart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OfCart")
    }
}

impl CartWish {
    /// Wish to run an operation unchanged.
    pub(crate) fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Run(operation.into())
    }

    /// Wish to run an operation on this desk's cart.
    pub(crate) fn of_cart<O: Into<AnyOperation>>(operation: impl Fn(CartId) -> O + Send + Sync + 'static) -> Self {
        Self::OfCart(OfCart(Arc::new(move |cart| operation(cart).into())))
    }

    /// Wish to take over a cart.
    pub(crate) fn take_over(cart: CartId, from: TakeFrom) -> Self {
        Self::run(TakeOver { cart, from })
    }

    /// True if the wish adds seats to the cart.
    pub(super) const fn takes_seats(&self) -> bool {
        matches!(
            self,
            Self::Hold(_) | Self::HoldTime(..) | Self::Run(AnyOperation::ReviveCart(_) | AnyOperation::TakeOver(_))
        )
    }

    /// True if the wish pays the cart.
    pub(super) const fn pays(&self) -> bool {
        matches!(self, Self::Run(AnyOperation::Checkout(_)))
    }

    /// Ended cart that the wish brings back.
    pub(super) fn revives(&self) -> Option<CartId> {
        if let Self::Run(AnyOperation::ReviveCart(revive)) = self {
            return Some(revive.cart);
        }
        None
    }

    /// True if the wish takes over a cart, set aside or not.
    pub(crate) const fn is_take_over(&self) -> bool {
        matches!(self, Self::Run(AnyOperation::TakeOver(_)))
    }

    /// Cart set aside that the wish takes over.
    pub(super) fn takes_over(&self) -> Option<CartId> {
        if let Self::Run(AnyOperation::TakeOver(take)) = self {
            return (take.from == TakeFrom::SetAside).then_some(take.cart);
        }
        None
    }

    /// Seats of a performance in the wish.
    pub(super) fn seats_of(&self, of: PerformanceId) -> &[SeatRef] {
        let (Self::Hold(HoldSeats { performance, seats: SeatChoice::Seats(seats), .. })
        | Self::GiveBack { performance, seats }) = self
        else {
            return &[];
        };
        if *performance == of { seats } else { &[] }
    }

    /// True if the cart has the seat once the wish is granted, false if not; none when the wish does not name the
    /// seat.
    pub(super) fn changes(&self, performance: PerformanceId, seat: SeatRef) -> Option<bool> {
        self.seats_of(performance).contains(&seat).then_some(matches!(self, Self::Hold(_)))
    }
}
