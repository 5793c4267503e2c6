//! What the desk wants of the house for its cart.

use crate::domain::cart::Customer;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Tender;
use crate::domain::time::Instant;
use crate::engine::ops::SlotWanted;
use crate::tui::msg::{TicketsTo, WantedSeats};
use crate::tui::screens::Screen;

/// Something the desk wants of the house for its cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Take seats.
    Hold {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: WantedSeats,
        /// As which ticket type; an adult when absent.
        ticket_type: Option<String>,
    },
    /// Take time of resources.
    HoldTime {
        /// The wanted slots, all or none.
        wants: Vec<SlotWanted>,
        /// The words of success: the resources and the time.
        words: String,
    },
    /// Give lines of time back.
    GiveBackTime {
        /// The lines' numbers.
        lines: Vec<u32>,
        /// What it is, as it is said.
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
    /// Move the deadline.
    Extend,
    /// Put the cart under a customer's name, to be paid later.
    Reserve {
        /// For whom.
        customer: Customer,
        /// By when; the house's time when absent.
        pay_by: Option<Instant>,
    },
    /// Give up the cart.
    Cancel,
    /// Bring a cart that ended back.
    Revive(CartId),
    /// Set the cart aside.
    SetAside,
    /// Take over a cart that was set aside.
    TakeOver(CartId),
    /// Take over a cart that somebody works on.
    TakeOverAnyway(CartId),
    /// The customer pays by card now.
    BeginPayment,
    /// Take the money.
    Checkout {
        /// What was paid.
        tenders: Vec<Tender>,
        /// The total on the screen, in minor units.
        seen: i64,
        /// For whom, when that was asked.
        customer: Option<Customer>,
        /// Where the tickets are from then on.
        tickets: TicketsTo,
    },
}

/// Whether a wish can be undone once it is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undoing {
    /// Recorded as an act of this screen.
    Remember(Screen),
    /// It was an undo itself.
    Forget,
}

impl Wish {
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
            Self::Hold { .. }
                | Self::HoldTime { .. }
                | Self::Revive(_)
                | Self::TakeOver(_)
                | Self::TakeOverAnyway(_)
        )
    }

    /// The seats of a performance that it names.
    pub(super) fn seats_of(&self, of: PerformanceId) -> &[SeatRef] {
        let (Self::Hold {
            performance,
            seats: WantedSeats::Seats(seats),
            ..
        }
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
            .then_some(matches!(self, Self::Hold { .. }))
    }
}
