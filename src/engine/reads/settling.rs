//! Settling of a canceled performance: its paid orders, and what was given back for them.

use std::collections::BTreeMap;

use crate::domain::cart::{Cart, CartState};
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::receipt::Receipt;
use crate::domain::refusal::CorrectionRefusal;
use crate::engine::reads::customers::losses;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Paid order that a canceled performance took seats from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanceledOrder {
    pub receipt: Receipt,
    pub customer: Customer,
    /// Names of the seats that are still to be settled.
    pub seats: Vec<String>,
    /// Reason of the cancellation.
    pub reason: String,
    /// The corrections by which the performance's orders were settled.
    pub settled: Vec<Receipt>,
}

/// Lists the paid orders of a canceled performance, by customer and number; refuses one that takes place.
#[derive(Clone, Copy, Debug)]
pub struct ReadCanceledOrders(pub PerformanceId);

impl Question for ReadCanceledOrders {
    type Answer = Vec<CanceledOrder>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CanceledOrder>, Failure> {
        let performance: Performance = snapshot.get(self.0)?;
        if performance.state != PerformanceState::Canceled {
            let title = performance.title;
            return Err(CorrectionRefusal::TakesPlace { title }.into());
        }
        let seating = snapshot.seating(performance.plan)?;
        let lost = losses(snapshot, &performance)?.into_iter();
        let reasons: BTreeMap<CartId, String> = lost.map(|(cart, loss)| (cart, loss.reason)).collect();
        let keys: Vec<String> = reasons.keys().map(ToString::to_string).collect();
        let carts: Vec<Cart> = snapshot.all(&keys)?;
        let paid = carts.iter().filter_map(|cart| match cart.state {
            CartState::Done(receipt) => Some(receipt.to_string()),
            CartState::Active | CartState::Canceled | CartState::Expired => None,
        });
        let receipts: Vec<Receipt> = snapshot.all(&paid.collect::<Vec<_>>())?;
        let mut orders = snapshot.each(&receipts, |snapshot, receipt| {
            let by: Vec<String> = receipt.corrected_by.iter().map(ToString::to_string).collect();
            let mut settled: Vec<Receipt> = snapshot.all(&by)?;
            settled.retain(|by| {
                let correction = by.correction.as_ref();
                correction.is_some_and(|one| one.settles == Some(self.0))
            });
            Ok(CanceledOrder {
                customer: snapshot.customer(receipt.customer)?,
                seats: seating.names(&receipt.lost_of(self.0)),
                reason: reasons.get(&receipt.cart).cloned().unwrap_or_default(),
                settled,
                receipt: receipt.clone(),
            })
        })?;
        orders.sort_by_cached_key(|order| {
            let name = order.customer.name.to_lowercase();
            (name, order.receipt.issued_at, order.receipt.id)
        });
        Ok(orders)
    }
}
