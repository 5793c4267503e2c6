//! Cancels a performance.

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Claim, Grip};
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::WorklistItem;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::job::JobKind;
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::private;
use crate::engine::ops::changes::in_use;
use crate::engine::ops::displacement::{Displaced, take_away};
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::worklist::resolve;
use crate::engine::ops::{claims, ending, halls, seats, waitlist};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Cancels a performance: its holds, reservations and offers end, and sold seats go to the worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelPerformance {
    pub performance: PerformanceId,
    #[serde(with = "private")]
    pub reason: String,
}

/// Result of a canceled performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanceledPerformance {
    pub performance: Performance,
    pub displaced: Vec<WorklistItem>,
    /// Open carts that lost seats.
    pub carts: Vec<CartId>,
}

impl Operation for CancelPerformance {
    const VERB: &'static str = "cancel_performance";
    type Answer = CanceledPerformance;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure> {
        let reason = reasoned(&self.reason)?;
        let why = format!("the performance was canceled: {reason}");
        let mut performance: Performance = work.get(self.performance)?;
        in_use(&performance)?;
        if performance.state == PerformanceState::Canceled {
            return Ok(CanceledPerformance { performance, displaced: Vec::new(), carts: Vec::new() });
        }
        let seating = work.seating(performance.plan)?;
        let chunks = seats::all_chunks(work, &seating, &performance)?;
        let claimed: Vec<(CellRange, Claim)> = chunks
            .values()
            .flat_map(|chunk| chunk.claims_from(0))
            .filter(|(_, claim)| claim.grip != Grip::Disabled)
            .collect();
        let live = claims::live(work, claimed);
        let mut lost = take_away(work, &live, &why)?;
        end_unpaid(work, &mut lost, &why)?;
        // every row is written, so that a seat taken meanwhile is a conflict
        let rows: Vec<_> = chunks.keys().cloned().collect();
        for chunk in work.chunks(&rows)?.values() {
            work.touch(chunk)?;
        }
        halls::free(work, &performance, &why)?;
        work.end_job(JobKind::SalesClose, performance.id);
        waitlist::nudge(work, performance.id)?;
        performance.state = PerformanceState::Canceled;
        work.put(&performance)?;
        halls::pass_on(work, &performance)?;
        Ok(CanceledPerformance { performance, displaced: lost.items, carts: lost.carts.into_iter().collect() })
    }
}

/// Resolves the items of carts that were not paid, and ends those that have nothing left: reservations, offers, and carts
/// that were set aside. Nothing is owed for them.
fn end_unpaid(work: &mut UnitOfWork<'_>, lost: &mut Displaced, why: &str) -> Result<(), Failure> {
    let mut listed = Vec::with_capacity(lost.items.len());
    for mut item in std::mem::take(&mut lost.items) {
        let owner = item.what.displaced().and_then(Owner::cart);
        let cart = owner.map(|cart| work.get::<Cart>(cart)).transpose()?;
        match cart.filter(|cart| !matches!(cart.state, CartState::Done(_))) {
            None => listed.push(item),
            Some(mut cart) => {
                resolve(work, &mut item, why)?;
                if cart.state == CartState::Active && cart.is_empty() {
                    ending::end_cart(work, &mut cart, CartState::Canceled)?;
                }
                lost.carts.insert(cart.id);
            }
        }
    }
    lost.items = listed;
    Ok(())
}
