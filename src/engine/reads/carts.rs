//! One cart with what people read of it, and the carts that are open.

use chrono_tz::Tz;

use crate::domain::cart::{Cart, CartState, Customer};
use crate::domain::ids::{CartId, LineId, PerformanceId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::time::Instant;

/// A cart with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartView {
    /// The cart.
    pub cart: Cart,
    /// Its state when it was read: past its deadline it is expired.
    pub state: CartState,
    /// The number of its receipt, when it is done.
    pub receipt: Option<String>,
    /// Its lines.
    pub lines: Vec<LineView>,
    /// What they cost, in minor units.
    pub total: i64,
}

/// A line with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    /// Its id.
    pub id: LineId,
    /// The performance.
    pub performance: PerformanceLabel,
    /// The ticket type.
    pub ticket_type: String,
    /// The price of one seat, in minor units.
    pub unit_price: i64,
    /// The seats with their unique names, sorted.
    pub seats: Vec<(SeatRef, String)>,
    /// The price of all its seats, in minor units.
    pub total: i64,
}

/// A performance in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerformanceLabel {
    /// Its id.
    pub id: PerformanceId,
    /// Its title.
    pub title: String,
    /// Its theater's name.
    pub theater: String,
    /// Its start.
    pub start: Instant,
    /// Its theater's local time.
    pub zone: Tz,
}

/// A cart in one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartRow {
    /// Its id.
    pub id: CartId,
    /// Its state when it was read.
    pub state: CartState,
    /// Who works on it.
    pub operator: String,
    /// Where.
    pub station: String,
    /// Whether it is set aside.
    pub set_aside: bool,
    /// For whom.
    pub customer: Customer,
    /// When it was opened.
    pub created_at: Instant,
    /// Its deadline.
    pub expires_at: Instant,
    /// How many seats it has.
    pub seats: usize,
    /// What they cost, in minor units.
    pub total: i64,
    /// In which currency; none when it is empty.
    pub currency: Option<Currency>,
    /// The title of the performance of its first line.
    pub title: String,
}

/// Asks for one cart.
#[derive(Clone, Copy, Debug)]
pub struct ReadCart(pub CartId);

/// Asks for the carts that are active and not past their deadline, by deadline.
#[derive(Clone, Copy, Debug)]
pub struct ReadOpenCarts;
