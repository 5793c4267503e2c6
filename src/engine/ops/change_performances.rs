//! Changes many performances in one act: the nights of a run, or those that one act opened.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::ids::PerformanceId;
use crate::domain::performance::{Performance, Theater};
use crate::domain::refusal::{ChangeRefusal, Limit, Problem, Refusal, RefusedNight};
use crate::domain::season::NIGHTS_MAX;
use crate::engine::ops::change_performance::{ChangePerformance, PerformancePatch};
use crate::engine::ops::changes::Revised;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes performances, all or none, each as [`ChangePerformance`] does. A refusal names every night that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePerformances {
    pub changes: Vec<ChangePerformance>,
}

impl ChangePerformances {
    /// Changes a night by a patch, and others alike: with its words, prices and length, and as much earlier or later on
    /// the wall.
    pub fn alike(patch: &PerformancePatch, first: &Performance, others: &[(&Performance, Tz)]) -> Self {
        let other = |(night, zone): &(&Performance, Tz)| {
            let start = patch.start.map(|start| night.start.moved_on_wall((first.start, start), *zone));
            let length = patch.end.map(|end| end.since(patch.start.unwrap_or(first.start)));
            ChangePerformance {
                performance: night.id,
                patch: PerformancePatch {
                    start,
                    end: length.map(|length| start.unwrap_or(night.start) + length),
                    // amounts are of the first one's currency
                    currency: patch.currency.or_else(|| (!patch.prices.is_empty()).then_some(first.currency)),
                    ..patch.clone()
                },
            }
        };
        let first = ChangePerformance { performance: first.id, patch: patch.clone() };
        Self { changes: std::iter::once(first).chain(others.iter().map(other)).collect() }
    }

    /// Retires performances.
    pub fn retiring(performances: impl Iterator<Item = PerformanceId>) -> Self {
        let patch = PerformancePatch { retired: Some(true), ..PerformancePatch::default() };
        Self {
            changes: performances.map(|performance| ChangePerformance { performance, patch: patch.clone() }).collect(),
        }
    }

    /// Takes changes back, the last one first.
    pub fn back(of: &[Revised<Performance, PerformancePatch>]) -> Self {
        let back = |one: &Revised<Performance, PerformancePatch>| ChangePerformance {
            performance: one.after.id,
            patch: one.back.clone(),
        };
        Self { changes: of.iter().rev().map(back).collect() }
    }
}

impl Operation for ChangePerformances {
    const VERB: &'static str = "change_performances";
    type Answer = Vec<Revised<Performance, PerformancePatch>>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure> {
        if self.changes.len() > NIGHTS_MAX {
            return Err(Refusal::bad("performances", Problem::AtMost(NIGHTS_MAX, Limit::Nights)).into());
        }
        let (mut changed, mut nights) = (Vec::new(), Vec::new());
        for change in &self.changes {
            let night: Performance = work.get(change.performance)?;
            match work.attempt(|work| change.run(work))? {
                Ok(one) => changed.push(one),
                Err(why) => {
                    let zone = work.get::<Theater>(night.theater)?.time_zone;
                    nights.push(RefusedNight { performance: night.title, start: night.start, zone, why: why.into() });
                }
            }
        }
        match nights.as_slice() {
            [] => Ok(changed),
            _ => Err(Refusal::from(ChangeRefusal::NightsStay { nights }).into()),
        }
    }
}
