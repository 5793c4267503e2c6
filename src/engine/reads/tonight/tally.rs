//! Sales of a performance by zone.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Claim, Grip};
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Seats of a zone, by state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub free: u32,
    pub held: u32,
    /// Reserved and unpaid.
    pub reserved: u32,
    pub kept: u32,
    /// Sold.
    pub booked: u32,
    pub disabled: u32,
    /// Free seats by category index of the plan.
    pub free_by_category: Vec<u32>,
}

/// Reads the sales of a performance by zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadTally(pub PerformanceId);

impl Question for ReadTally {
    type Answer = Vec<(String, Tally)>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let performance: Performance = snapshot.get(self.0)?;
        let seating = snapshot.seating(performance.plan)?;
        let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
        let reserved = reserved_carts(snapshot)?;
        let mut zones: Vec<(String, Tally)> = Vec::new();
        for ((_, zone, row), chunk) in seating.plan.rows().zip(&chunks) {
            // standing room that was added comes after all other zones
            if zones.iter().all(|(name, _)| *name != zone.name) {
                let free_by_category = vec![0; seating.plan.categories.len()];
                zones.push((zone.name.clone(), Tally { free_by_category, ..Tally::default() }));
            }
            let Some((_, tally)) = zones.iter_mut().find(|(name, _)| *name == zone.name) else {
                continue;
            };
            for (seat, cell) in row.seats.iter().zip(0_u32..) {
                tally.count(chunk.claim_at(cell, now), seat.category, &reserved);
            }
        }
        Ok(zones)
    }
}

impl Tally {
    fn count(&mut self, claim: Option<&Claim>, category: u16, reserved: &HashSet<CartId>) {
        let place = match claim {
            None => {
                if let Some(free) = self.free_by_category.get_mut(usize::from(category)) {
                    *free += 1;
                }
                &mut self.free
            }
            Some(claim) => match (&claim.owner, claim.grip) {
                (Owner::Keep(_), _) => &mut self.kept,
                (Owner::Line(line), Grip::Held) if reserved.contains(&line.cart) => &mut self.reserved,
                (_, Grip::Held) => &mut self.held,
                (_, Grip::Booked) => &mut self.booked,
                (_, Grip::Disabled) => &mut self.disabled,
            },
        };
        *place += 1;
    }
}

fn reserved_carts(snapshot: &mut Snapshot<'_>) -> Result<HashSet<CartId>, Failure> {
    let rows = snapshot.query("SELECT key FROM cart WHERE state = 'active' AND reserved = 1", &[])?;
    let ids = rows.iter().filter_map(|row| row.text(0).parse().ok());
    Ok(ids.collect())
}
