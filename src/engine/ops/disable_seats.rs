//! Seats go out of use.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::house::{Disable, WorkItem};
use crate::domain::ids::{DisableId, PerformanceId, TheaterId};
use crate::domain::owner::Owner;
use crate::domain::performance::{BrokenSeat, Performance, PerformanceState, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::domain::time::{Instant, day_start};
use crate::engine::ops::claims::{self, seats_of};
use crate::engine::ops::displacing::displace;
use crate::engine::work::{Failure, Operation, Work};

/// Takes seats out of use, whoever has them; a broken seat of a theater stays so until it is enabled.
#[derive(Clone, Debug, Serialize)]
pub struct DisableSeats {
    /// Of which performances.
    pub which: Which,
    /// The seats, by their unique names.
    pub seats: Vec<String>,
    /// Why.
    pub reason: String,
}

/// One performance, or all of a theater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// This one.
    Performance(PerformanceId),
    /// All that start on or after a date and have not started, and all to come.
    Theater {
        /// The theater.
        theater: TheaterId,
        /// The first local date; today when not said.
        from: Option<NaiveDate>,
    },
}

/// What a disable did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledSeats {
    /// What is out of use now, one per performance.
    pub disables: Vec<Disable>,
    /// Whom it displaced.
    pub displaced: Vec<WorkItem>,
    /// Names that a plan lacks.
    pub unknown: Vec<String>,
}

impl Operation for DisableSeats {
    const VERB: &'static str = "disable_seats";
    type Answer = DisabledSeats;

    fn run(&self, work: &mut Work<'_>) -> Result<DisabledSeats, Failure> {
        if self.seats.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        let mut done = DisabledSeats::default();
        match &self.which {
            Which::Performance(id) => {
                let performance: Performance = work.get(id)?;
                let seats = work.house(performance.plan)?.seats(&self.seats)?;
                self.disable(work, (&performance, &seats), &mut done)?;
            }
            Which::Theater { theater, from } => {
                self.disable_all(work, (*theater, *from), &mut done)?;
            }
        }
        Ok(done)
    }
}

impl DisableSeats {
    fn disable(
        &self,
        work: &mut Work<'_>,
        (performance, seats): (&Performance, &[SeatRef]),
        done: &mut DisabledSeats,
    ) -> Result<(), Failure> {
        let (id, operator, reason) = (
            DisableId::random(),
            work.actor().operator.clone(),
            clean(&self.reason),
        );
        let owner = Owner::Disable(id, operator.clone());
        let taken = claims::act(work, (performance.id, seats), (&owner, Act::Disable))?;
        if taken.changed.is_empty() {
            return Ok(());
        }
        done.displaced
            .extend(displace(work, performance.id, &taken.displaced, &reason)?);
        let live = taken.changed.iter().flat_map(seats_of).collect();
        let disable = Disable {
            id,
            performance: performance.id,
            live,
            reason,
            operator,
        };
        work.create(&disable)?;
        done.disables.push(disable);
        Ok(())
    }

    fn disable_all(
        &self,
        work: &mut Work<'_>,
        (id, from): (TheaterId, Option<NaiveDate>),
        done: &mut DisabledSeats,
    ) -> Result<(), Failure> {
        let mut theater: Theater = work.get(id)?;
        let from = from.unwrap_or_else(|| work.now().in_zone(theater.time_zone).date_naive());
        for performance in to_come(work, &theater, day_start(from, theater.time_zone))? {
            let house = work.house(performance.plan)?;
            let (known, unknown): (Vec<String>, Vec<String>) = self
                .seats
                .iter()
                .cloned()
                .partition(|name| house.seats(std::slice::from_ref(name)).is_ok());
            done.unknown.extend(
                unknown
                    .into_iter()
                    .filter(|name| !done.unknown.contains(name))
                    .collect::<Vec<_>>(),
            );
            let seats = house.seats(&known)?;
            if !seats.is_empty() {
                self.disable(work, (&performance, &seats), done)?;
            }
        }
        let house = work.house(theater.plan)?;
        let names = house.names(&house.seats(&self.seats)?);
        theater
            .out_of_use
            .retain(|broken| !names.contains(&broken.seat));
        let (reason, operator) = (clean(&self.reason), work.actor().operator.clone());
        theater
            .out_of_use
            .extend(names.into_iter().map(|seat| BrokenSeat {
                seat,
                from,
                reason: reason.clone(),
                operator: operator.clone(),
            }));
        work.put(&theater)
    }
}

/// Performances of a theater that take place from an instant on and have not started.
pub(super) fn to_come(
    work: &mut Work<'_>,
    theater: &Theater,
    from: Instant,
) -> Result<Vec<Performance>, Failure> {
    let from = from.max(work.now());
    let rows = work.query(
        "SELECT key FROM performance WHERE theater = $1 AND start_at >= $2 ORDER BY start_at, key",
        &[theater.id.to_string().into(), from.millis().into()],
    )?;
    let mut found = Vec::new();
    for row in rows {
        let performance: Performance = work.get(row.text(0))?;
        if performance.state == PerformanceState::Open {
            found.push(performance);
        }
    }
    Ok(found)
}
