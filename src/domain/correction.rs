//! Corrections: receipts that take cells back, or give money back, after a sale.
//!
//! A correcting receipt stands in the series of the station that issues it, on its own day. The receipts that it corrects keep
//! lines, total and payments as issued; only their live cells shrink. On every receipt the lines plus the fee less the returned
//! cells are the payments less what was paid back.

use serde::{Deserialize, Serialize};

use crate::domain::credit::CreditCode;
use crate::domain::ids::{BookingId, PerformanceId, ReceiptId};
use crate::domain::is_default;
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::money::{self, MoneyError};
use crate::domain::prices::{self, PricePart};
use crate::domain::private;

/// Kind of a receipt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ReceiptKind {
    #[default]
    Sale,
    /// Cells came back, and money was given for them.
    Refund,
    /// Cells came back, and others were taken.
    Exchange,
    /// Cells came back without money.
    Release,
    /// Money was given back, and the cells stay with the customer.
    Goodwill,
    /// Cells that the house took away were given up without money.
    Waiver,
    /// A sale of the same station and day was undone whole, and paid back as it was paid.
    Void,
}

worded!(ReceiptKind);

/// Correction of earlier receipts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub kind: ReceiptKind,
    /// The corrected receipts.
    pub of: Vec<ReceiptId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Returned>,
    /// The booking whose payment is given back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booking: Option<BookingId>,
    /// The canceled performance whose orders are settled, one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settles: Option<PerformanceId>,
    /// Price of the returned cells that the house keeps, in minor units; below zero what it gives beyond their price.
    pub fee: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paid_back: Vec<PaidBack>,
    /// Amount given back beyond what its means paid, approved by the operator, in minor units.
    #[serde(default, skip_serializing_if = "is_default")]
    pub beyond: i64,
    /// Fee that the house keeps of what was paid for the booking, in minor units.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kept: i64,
    #[serde(with = "private")]
    pub reason: String,
}

/// Money that was given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaidBack {
    #[serde(flatten)]
    pub by: BackBy,
    /// Amount in minor units, above zero.
    pub minor: i64,
    /// Credit that the amount was added to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<CreditCode>,
}

/// Cells of a receipt's line that come back, at the price stamped on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returned {
    /// Number in the cart that brings them back, counted with its lines.
    pub number: u32,
    pub receipt: ReceiptId,
    /// Number of the receipt's line.
    pub line: u32,
    pub cells: CellGroup,
    /// The ticket type; time has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Given away at the sale.
    #[serde(default, skip_serializing_if = "is_default")]
    pub comp: bool,
    /// Price of one seat or segment, in minor units.
    pub unit_price: i64,
    /// Number of seats or segments.
    pub count: u32,
    /// Parts of the price, where rules of a list made it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PricePart>,
    /// Exchanged without a fee, because the performance moved after the sale.
    #[serde(default, skip_serializing_if = "is_default")]
    pub moved: bool,
}

/// Means of paying back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "lowercase")]
pub enum BackBy {
    Cash,
    /// The reference of the card that paid.
    Card {
        reference: String,
    },
    /// A credit, to pay with later.
    Owed,
}

impl Correction {
    /// Money that was given back, in minor units.
    pub fn back(&self) -> i64 {
        self.paid_back.iter().map(|paid| paid.minor).sum()
    }
}

impl Returned {
    /// Returns whether it is of a receipt's line.
    pub fn is_of(&self, receipt: ReceiptId, line: &Line) -> bool {
        self.receipt == receipt && self.line == line.number
    }

    /// Price of the cells, in minor units.
    pub fn total(&self) -> Result<i64, MoneyError> {
        if self.parts.is_empty() { money::times(self.unit_price, self.count) } else { prices::total(&self.parts) }
    }
}

/// Price of returned cells, in minor units.
pub fn price_of(returned: &[Returned]) -> Result<i64, MoneyError> {
    let totals: Result<Vec<i64>, MoneyError> = returned.iter().map(Returned::total).collect();
    money::sum(totals?)
}

/// Fee of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeFee {
    /// The cart's.
    #[default]
    Usual,
    Waived {
        #[serde(with = "private")]
        reason: String,
    },
    /// Exchange that costs nothing: the house bears the difference in price, or keeps it.
    Even,
}

impl ExchangeFee {
    /// Waived for a reason; the cart's without one.
    pub fn waived(reason: Option<String>) -> Self {
        reason.map_or(Self::Usual, |reason| Self::Waived { reason })
    }
}
