//! Theater with its performances to come, whose plans may differ.

use std::sync::Arc;

use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, UnitOfWork};

/// Theater with its performances to come.
pub(super) struct Season {
    pub(super) theater: Theater,
    /// Performances that have not started, each with the plan it sells, by start.
    pub(super) performances: Vec<(Performance, Arc<SeatingPlan>)>,
    /// Current plan of the theater.
    plan: Arc<SeatingPlan>,
}

impl Season {
    /// Loads the performances that start at `from` or later, and not before now.
    pub(super) fn load(work: &mut UnitOfWork<'_>, theater: Theater, from: Instant) -> Result<Self, Failure> {
        let from = from.max(work.now());
        let found: Vec<Performance> = work.select(
            "WHERE theater = $1 AND start_at >= $2 ORDER BY start_at, key",
            &[theater.id.to_string().into(), from.millis().into()],
        )?;
        let mut performances = Vec::new();
        for performance in found {
            if performance.state == PerformanceState::Open {
                let seating = work.seating(performance.plan)?;
                performances.push((performance, seating));
            }
        }
        Ok(Self { plan: work.seating(theater.plan)?, theater, performances })
    }

    /// Canonical seat names, from the current plan, the plans of the performances to come, or the
    /// theater's list of broken seats; refuses none, repeated and unknown ones.
    pub(super) fn names(&self, wanted: &[String]) -> Result<Vec<String>, Refusal> {
        let mut names: Vec<String> = Vec::with_capacity(wanted.len());
        let mut unknown = Vec::new();
        for name in wanted {
            let range = || Some(self.plan.names(&self.plan.range(name)?));
            let found = self.spelled(name.trim()).map(|seat| vec![seat]).or_else(range);
            if found.is_none() {
                unknown.push(name.trim().to_owned());
            }
            for seat in found.unwrap_or_default() {
                if names.contains(&seat) {
                    return Err(Refusal::RepeatedSeat { seat });
                }
                names.push(seat);
            }
        }
        if !unknown.is_empty() {
            Err(Refusal::UnknownSeat { seats: unknown })
        } else if names.is_empty() {
            Err(Refusal::NothingChosen)
        } else {
            Ok(names)
        }
    }

    fn spelled(&self, name: &str) -> Option<String> {
        let plans = self.performances.iter().map(|(_, seating)| seating);
        let mut plans = std::iter::once(&self.plan).chain(plans);
        let listed = || {
            let is = |seat: &&String| seat.to_lowercase() == name.to_lowercase();
            let mut seats = self.theater.out_of_use.iter().map(|broken| &broken.seat);
            seats.find(is).cloned()
        };
        plans.find_map(|seating| Some(seating.plan.seat_name(seating.seat(name)?).to_owned())).or_else(listed)
    }
}
