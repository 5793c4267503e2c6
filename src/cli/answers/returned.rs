//! Returned cells, of a cart or a correcting receipt.

use serde_json::Value;

use crate::domain::money::{Currency, amount};
use crate::domain::time::Instant;
use crate::engine::reads::carts::{ReturnedCells, ReturnedView};

/// Returned cells as JSON: `seats` or `slots` by name.
pub(super) fn returned(view: &ReturnedView, currency: Currency, now: Instant) -> Value {
    let (seats, slots) = match view.cells {
        ReturnedCells::Seats(_) => (view.names(now), Vec::new()),
        ReturnedCells::Time(..) => (Vec::new(), view.names(now)),
    };
    object! {
        view { receipt, line, title },
        "unit_price": amount(view.unit_price, currency),
        "total": amount(view.total, currency),
        ? "seats": seats,
        ? "slots": slots,
    }
}
