//! Events that the desk sends to listeners: alerts, expiries, take-overs, offers, sales, bookings, performances.
//!
//! An event is told by the command that made it true, in the same transaction. The
//! journal, `--follow` and the listeners know each variant.

use serde::{Deserialize, Serialize};

use crate::domain::ids::{BookingId, CartId, CustomerId, KeepId, PerformanceId, ReceiptId, WaitId};
use crate::domain::job::ParkReason;
use crate::domain::owner::Owner;
use crate::domain::private;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Slot};

/// An event: a fact that listeners may react to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A cart's deadline passed, and its seats are free.
    CartExpired {
        cart: CartId,
        /// The operator who worked on it.
        operator: String,
        station: String,
        customer: Option<CustomerId>,
        seats: usize,
        expired_at: Instant,
    },
    /// A reservation is not paid, some time after it was made.
    ReservationAlert(Unpaid),
    /// A reservation is not paid: last alert before its seats are released.
    ReservationFinal(Unpaid),
    /// A cart that waits aside is about to run out.
    CartRunsOut {
        cart: CartId,
        customer: Option<CustomerId>,
        /// Station that set it aside.
        station: String,
        seats: usize,
        expires_at: Instant,
    },
    /// Seats that came free are held for an entry of a waiting list.
    SeatsOffered(Offer),
    /// An offer was not taken in time, or given up: the next in line gets the seats.
    OfferLapsed(Offer),
    /// Seats that the house kept are on sale.
    KeepReleased {
        keep: KeepId,
        performance: PerformanceId,
        /// For whom or why they were kept; told by the keep, not stored.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        seats: usize,
    },
    /// A performance has started: nothing is sold any more.
    SalesClosed {
        performance: PerformanceId,
        title: String,
        /// Number of waiting-list entries left.
        waiting: usize,
    },
    /// Paid tickets are uncollected shortly before the start of their performance.
    TicketsUncollected(Uncollected),
    TakenOver {
        cart: CartId,
        from_operator: String,
        from_station: String,
        operator: String,
        station: String,
    },
    /// A disable, a mark or the end of a performance took cells from their owners.
    ResourceTakenOver {
        /// The resource, or the performance of seats.
        resource: String,
        /// The owners that lost something.
        owners: Vec<Owner>,
        /// From the first to the last instant that they lost; of seats, when their performance is.
        slot: Slot,
    },
    /// Something was sold, or paid for. Told, as all below of documents that changed, only where a listener waits for it.
    ReceiptIssued(Sale),
    /// Cells or money came back by a receipt of their own.
    ReceiptCorrected {
        #[serde(flatten)]
        sale: Sale,
        /// The receipts that it corrects.
        of: Vec<ReceiptId>,
    },
    BookingMade(Booked),
    /// A booking has another time, or another resource.
    BookingMoved {
        #[serde(flatten)]
        booked: Booked,
        /// Time before.
        was: Slot,
    },
    BookingCanceled(Booked),
    /// The words, times or prices of a performance are others.
    PerformanceChanged(Night),
    PerformancePostponed {
        #[serde(flatten)]
        night: Night,
        /// Start before.
        was: Instant,
    },
    PerformanceCanceled(Night),
    /// A job was parked until an operator has seen it.
    JobParked {
        kind: String,
        subject: String,
        reason: ParkReason,
    },
    /// A listener's command failed, or took too long. No listener hears of this.
    ListenerFailed {
        /// Event of the failed call.
        heard: String,
        number: i64,
        command: String,
        #[serde(with = "private")]
        problem: String,
    },
}

/// Seats held for an entry of a waiting list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub waiting: WaitId,
    pub cart: CartId,
    pub performance: PerformanceId,
    pub customer: Option<CustomerId>,
    pub seats: usize,
    pub until: Instant,
}

/// Paid tickets that nobody has collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncollected {
    pub receipt: ReceiptId,
    pub number: String,
    pub customer: Option<CustomerId>,
    pub performance: PerformanceId,
    pub title: String,
    pub start: Instant,
    pub seats: usize,
}

/// A receipt that was issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sale {
    pub receipt: ReceiptId,
    pub number: String,
    pub customer: Option<CustomerId>,
    /// Amount paid, as text; below zero if money went back.
    pub total: String,
    pub currency: String,
    pub seats: usize,
}

/// A booking as it is now; a canceled one as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booked {
    pub booking: BookingId,
    pub customer: Option<CustomerId>,
    pub resources: Vec<ResourceId>,
    pub slot: Slot,
}

/// A performance as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Night {
    pub performance: PerformanceId,
    pub title: String,
    pub start: Instant,
    pub end: Instant,
}

/// A reservation that is not paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaid {
    pub cart: CartId,
    pub customer: Option<CustomerId>,
    pub seats: usize,
    /// By when it has to be paid; then its seats go back.
    pub pay_by: Instant,
}

worded!(Event);

impl Event {
    /// Words of the events that a listener can be set for: all but the failure of a listener.
    pub fn words() -> Vec<&'static str> {
        let words = <Self as strum::VariantNames>::VARIANTS.iter().copied();
        words.filter(|word| *word != "listener_failed").collect()
    }

    /// Customer it is about, if known.
    pub const fn customer(&self) -> Option<CustomerId> {
        match self {
            Self::CartExpired { customer, .. } | Self::CartRunsOut { customer, .. } => *customer,
            Self::ReservationAlert(unpaid) | Self::ReservationFinal(unpaid) => unpaid.customer,
            Self::SeatsOffered(offer) | Self::OfferLapsed(offer) => offer.customer,
            Self::TicketsUncollected(tickets) => tickets.customer,
            Self::ReceiptIssued(sale) | Self::ReceiptCorrected { sale, .. } => sale.customer,
            Self::BookingMade(booked) | Self::BookingMoved { booked, .. } | Self::BookingCanceled(booked) => {
                booked.customer
            }
            Self::KeepReleased { .. }
            | Self::SalesClosed { .. }
            | Self::TakenOver { .. }
            | Self::ResourceTakenOver { .. }
            | Self::PerformanceChanged(_)
            | Self::PerformancePostponed { .. }
            | Self::PerformanceCanceled(_)
            | Self::JobParked { .. }
            | Self::ListenerFailed { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Event;
    use crate::domain::ids::CartId;

    #[test]
    fn an_event_is_written_under_its_word() {
        let event = Event::TakenOver {
            cart: CartId::random(),
            from_operator: "ada".into(),
            from_station: "till-1".into(),
            operator: "ben".into(),
            station: "till-2".into(),
        };
        let text = serde_json::to_value(&event).unwrap();
        assert_eq!(text["event"], event.word());
        assert!(Event::words().contains(&event.word()));
        assert_eq!(serde_json::from_value::<Event>(text).unwrap(), event);
    }
}
