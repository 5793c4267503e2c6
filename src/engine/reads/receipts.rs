//! Receipts: a page of them, and one with what people read of it.

use chrono_tz::Tz;

use crate::domain::ids::ReceiptId;
use crate::domain::money::Currency;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::reads::carts::LineView;

/// A receipt in one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    /// Its id.
    pub id: ReceiptId,
    /// Its number.
    pub number: String,
    /// When it was issued.
    pub issued_at: Instant,
    /// Where.
    pub station: String,
    /// By whom.
    pub operator: String,
    /// The customer's name, when known.
    pub customer: String,
    /// How many seats it was issued for.
    pub seats: usize,
    /// How many of them it no longer has.
    pub lost: usize,
    /// The title of the performance of its first line.
    pub title: String,
    /// What it cost, in minor units.
    pub total: i64,
    /// Its currency.
    pub currency: Currency,
}

/// A receipt with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptView {
    /// The receipt.
    pub receipt: Receipt,
    /// Its lines as issued.
    pub lines: Vec<LineView>,
    /// Names of the seats it no longer has.
    pub lost: Vec<String>,
    /// The house's local time.
    pub zone: Tz,
}

/// Asks for receipts, newest first.
#[derive(Clone, Debug, Default)]
pub struct ReadReceipts {
    /// Issued at or after this.
    pub from: Option<Instant>,
    /// Issued before this.
    pub before: Option<Instant>,
    /// Only those of this station.
    pub station: Option<String>,
    /// Only those after (older than) this one.
    pub after: Option<ReceiptId>,
}

/// Asks for one receipt.
#[derive(Clone, Copy, Debug)]
pub struct ReadReceipt(pub ReceiptId);
