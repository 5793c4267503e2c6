//! Cancels a performance.

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Claim, Grip};
use crate::domain::house::WorklistItem;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::job::JobKind;
use crate::domain::performance::{Performance, PerformanceState};
use crate::engine::ops::displacement::take_away;
use crate::engine::ops::{claims, halls, seats, waitlist};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Cancels a performance: its holds end, and sold seats go to the worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CancelPerformance {
    pub performance: PerformanceId,
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
        let mut performance: Performance = work.get(self.performance)?;
        if performance.state == PerformanceState::Canceled {
            return Ok(CanceledPerformance {
                performance,
                displaced: Vec::new(),
                carts: Vec::new(),
            });
        }
        let seating = work.seating(performance.plan)?;
        let chunks = seats::all_chunks(work, &seating, &performance)?;
        let claimed: Vec<(CellRange, Claim)> = chunks
            .values()
            .flat_map(|chunk| chunk.claims_from(0))
            .filter(|(_, claim)| claim.grip != Grip::Disabled)
            .collect();
        let live = claims::live(work, claimed);
        let lost = take_away(work, &live, "the performance was canceled")?;
        // every row is written, so that a seat taken meanwhile is a conflict
        let rows: Vec<_> = chunks.keys().cloned().collect();
        for chunk in work.chunks(&rows)?.values() {
            work.touch(chunk)?;
        }
        halls::free(work, &performance, "the performance was canceled")?;
        work.end_job(JobKind::SalesClose, performance.id);
        waitlist::nudge(work, performance.id)?;
        performance.state = PerformanceState::Canceled;
        work.put(&performance)?;
        halls::pass_on(work, &performance)?;
        Ok(CanceledPerformance {
            performance,
            displaced: lost.items,
            carts: lost.carts.into_iter().collect(),
        })
    }
}
