//! Seats and time that a cart lost, with display names.

use serde::Serialize;

use crate::domain::loss::{CellGroup, Loss};
use crate::domain::plan::SeatRef;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, Wall};
use crate::engine::reads::Snapshot;
use crate::engine::reads::carts::{PerformanceLabel, label, named};
use crate::engine::work::Failure;

/// Loss of a cart, with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LossView {
    pub what: LostWhat,
    pub reason: String,
}

/// Seats or time that a cart lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LostWhat {
    Seats(PerformanceLabel, Vec<(SeatRef, String)>),
    /// Time of a resource: its id, its name with the number of units lost, its wall clock and the stretches.
    Time(ResourceId, String, Wall, Vec<Slot>),
}

pub(super) fn losses(snapshot: &mut Snapshot<'_>, lost: &[Loss]) -> Result<Vec<LossView>, Failure> {
    let mut out = Vec::with_capacity(lost.len());
    for one in lost {
        let what = match &one.cells {
            CellGroup::Seats { performance, seats } => {
                LostWhat::Seats(label(snapshot, *performance)?, named(snapshot, *performance, seats)?)
            }
            CellGroup::Time { resource, slots } => {
                let of: Resource = snapshot.get(resource)?;
                let name = one.told(&of);
                LostWhat::Time(of.id, name, of.grid.into(), slots.clone())
            }
        };
        out.push(LossView { what, reason: one.reason.clone() });
    }
    Ok(out)
}
