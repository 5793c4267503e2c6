//! Disables seats.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::house::WorklistItem;
use crate::domain::ids::{BookingId, CartId, KeepId, TheaterId};
use crate::domain::performance::{BrokenSeat, Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::refusal::Refusal;
use crate::domain::time::day_start;
use crate::engine::ops::changes::in_use;
use crate::engine::ops::season::Season;
use crate::engine::ops::seat_acts::{Which, all_of, new_disable};
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::{outages, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Disables seats, taken or not; a broken seat of a theater stays disabled until it is enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisableSeats {
    pub which: Which,
    /// Unique names of the seats.
    pub seats: Vec<String>,
    #[serde(with = "private")]
    pub reason: String,
}

/// Result of disabling seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledSeats {
    pub disables: Vec<Booking>,
    pub displaced: Vec<WorklistItem>,
    /// Open carts that lost seats.
    #[serde(default)]
    pub carts: Vec<CartId>,
    /// Keeps of the house that lost seats.
    #[serde(default)]
    pub keeps: Vec<KeepId>,
    /// Names that a plan does not have.
    pub unknown: Vec<String>,
}

impl Operation for DisableSeats {
    const VERB: &'static str = "disable_seats";
    type Answer = DisabledSeats;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<DisabledSeats, Failure> {
        if self.seats.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        let mut done = DisabledSeats::default();
        match &self.which {
            Which::Performance(id) => {
                let performance: Performance = work.get(id)?;
                in_use(&performance)?;
                let seating = work.seating(performance.plan)?;
                let seats = seats::named(work, (&seating, performance.id), &self.seats, seats::IN_USE)?;
                self.disable(work, (&performance, seats), (None, &mut done))?;
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
        work: &mut UnitOfWork<'_>,
        (performance, seats): (&Performance, Vec<SeatRef>),
        (standing, done): (Option<BookingId>, &mut DisabledSeats),
    ) -> Result<(), Failure> {
        let reason = reasoned(&self.reason)?;
        let act = new_disable(work, (performance.id, seats), standing, &reason);
        let (disable, displaced) = outages::disable(work, act)?;
        done.displaced.extend(displaced.items);
        done.carts.extend(displaced.carts);
        done.carts.sort_unstable();
        done.carts.dedup();
        done.keeps.extend(displaced.keeps);
        done.disables.push(disable);
        Ok(())
    }

    fn disable_all(
        &self,
        work: &mut UnitOfWork<'_>,
        (id, from): (TheaterId, Option<NaiveDate>),
        done: &mut DisabledSeats,
    ) -> Result<(), Failure> {
        let theater: Theater = work.get(id)?;
        let zone = theater.time_zone;
        let from = from.unwrap_or_else(|| work.now().in_zone(zone).date_naive());
        let mut season = Season::load(work, theater, day_start(from, zone))?;
        let names = season.names(&self.seats)?;
        let act = BookingId::random();
        for (performance, seating) in &season.performances {
            let seats: Vec<SeatRef> = names.iter().filter_map(|name| seating.seat(name)).collect();
            let lacks = |name: &&String| seating.seat(name).is_none() && !done.unknown.contains(name);
            let lacking: Vec<String> = names.iter().filter(lacks).cloned().collect();
            done.unknown.extend(lacking);
            if !seats.is_empty() {
                self.disable(work, (performance, seats), (Some(act), done))?;
            }
        }
        let of_them = |broken: &&BrokenSeat| names.contains(&broken.seat);
        all_of(&work.actor().operator, season.theater.out_of_use.iter().filter(of_them))?;
        for seat in names {
            season.theater.out_of_use.push(BrokenSeat {
                act,
                from,
                seat,
                reason: reasoned(&self.reason)?,
                operator: work.actor().operator.clone(),
                approved: work.approved().map(str::to_owned),
            });
        }
        work.touch(&season.theater)
    }
}
