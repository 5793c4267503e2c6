//! Refusals about corrections of receipts.

use serde::{Deserialize, Serialize};

use crate::domain::correction::BackBy;
use crate::domain::money::Currency;
use crate::domain::refusal::Refusal;

/// Refusal about cells or money that come back. Amounts are in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CorrectionRefusal {
    /// The cells came back before.
    AlreadyReturned { receipt: String, cells: Vec<String> },
    /// The receipt was not issued for the cells.
    NotOnReceipt { receipt: String, cells: Vec<String> },
    /// The customer still has the cells, so nothing can be waived.
    NotLost { receipt: String },
    /// More than what was paid and not given back yet.
    MoreThanPaid { receipt: String, left: i64, currency: Currency },
    /// Nothing was paid for it.
    NothingPaid,
    /// The booking has no price.
    NoPrice { title: String },
    /// Less of the booking's price is open.
    BookingPaid { title: String, open: i64, currency: Currency },
    /// Money that was taken is given back, not waived.
    MoneyNotWaived,
    /// More than a means paid, less what went back to it.
    BeyondPaid { by: BackBy, left: i64, currency: Currency },
    /// The card did not pay; those did that are named.
    CardNeverPaid { reference: String, cards: Vec<String> },
    /// The named means make another amount.
    BackDiffers { back: i64, named: i64, currency: Currency },
    /// More would be kept than can go back.
    KeptOver { left: i64, currency: Currency },
    /// The receipt paid for a booking, whose money goes back from the worklist.
    PaidForBooking { receipt: String },
    /// The money of the item went back; it is only approved.
    GoneBack,
    /// The item is settled, not approved.
    NotApproved,
    /// Money is to be given, not taken.
    GiveBackHow { back: i64, currency: Currency },
    /// Money is to be taken, or none.
    NothingToGiveBack { total: i64, currency: Currency },
    /// More seats are taken than come back, and the difference in price is waived.
    MoreThanReturned { returned: u32 },
    /// The worklist item is not about time that was lost.
    NoTimeLost,
    /// Nothing like what was lost is free.
    NothingEqualFree,
    /// The performance is not canceled, so its orders are not settled.
    TakesPlace { title: String },
    /// Nothing of the receipt is to be settled.
    Settled { receipt: String },
    /// The sale can't be voided.
    NotVoidable { receipt: String, why: VoidProblem },
}

/// Reason why a sale can't be voided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidProblem {
    /// The receipt is a correction.
    NoSale,
    /// Another station issued it.
    Station(String),
    /// Issued on an earlier day.
    Day,
    /// Something of it was corrected already.
    Corrected,
    /// Tickets of it were collected, or printed again.
    Printed,
    /// Payment for a booking.
    Booking,
}

impl From<CorrectionRefusal> for Refusal {
    fn from(refusal: CorrectionRefusal) -> Self {
        Self::Correction(refusal)
    }
}
