//! Enables seats.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::ids::BookingId;
use crate::domain::performance::{BrokenSeat, Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{CellName, Fact, Lack, Refusal};
use crate::engine::ops::booking::Whose;
use crate::engine::ops::claims::none_foreign;
use crate::engine::ops::season::Season;
use crate::engine::ops::seat_acts::{Disables, Which, all_of};
use crate::engine::ops::{claims, outages, seats};
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Enables seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnableSeats {
    pub which: Which,
    /// Unique names of the seats.
    pub seats: Vec<String>,
    pub whose: Whose,
}

/// Seats still disabled after one act on them ended, because another act of its operator includes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillOut {
    /// Unique names of the seats.
    pub seats: Vec<String>,
    /// Reasons of the other acts.
    pub reasons: Vec<String>,
}

impl Operation for EnableSeats {
    const VERB: &'static str = "enable_seats";
    /// `None` if all seats are enabled.
    type Answer = Option<StillOut>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Option<StillOut>, Failure> {
        if self.seats.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        let mut still = StillOut::default();
        match &self.which {
            Which::Performance(id) => {
                let performance: Performance = work.get(id)?;
                let seating = work.seating(performance.plan)?;
                let seats = seats::named(work, (&seating, performance.id), &self.seats, seats::OUT_OF_USE)?;
                let acts = Disables::of(work, performance.id, &seats)?;
                if !acts.in_use.is_empty() {
                    let of = (performance.id, acts.in_use.as_slice());
                    return Err(claims::not_yours(work, of, Lack::OutOfUse)?.into());
                }
                let ends = |seat| acts.first(seat);
                let left = self.enable(work, (&performance, &seating), (&acts, &ends))?;
                still.add(&seating, &left);
            }
            Which::Theater { theater, .. } => {
                let theater: Theater = work.get(theater)?;
                self.enable_all(work, theater, &mut still)?;
            }
        }
        Ok((!still.seats.is_empty()).then_some(still))
    }
}

impl EnableSeats {
    /// Ends one act on each seat; returns the remaining acts.
    fn enable(
        &self,
        work: &mut UnitOfWork<'_>,
        (performance, seating): (&Performance, &SeatingPlan),
        (acts, ends): (&Disables, &dyn Fn(SeatRef) -> Option<BookingId>),
    ) -> Result<Disables, Failure> {
        let mut ended: BTreeMap<BookingId, Vec<SeatRef>> = BTreeMap::new();
        for seat in &acts.out {
            if let Some(act) = ends(*seat) {
                ended.entry(act).or_default().push(*seat);
            }
        }
        self.allowed(work, seating, (acts, &ended))?;
        for (act, seats) in &ended {
            let act = work.get(*act)?;
            outages::end(work, act, Some(seats))?;
        }
        Disables::of(work, performance.id, &acts.out)
    }

    /// Checks that the actor may end the acts.
    fn allowed(
        &self,
        work: &UnitOfWork<'_>,
        seating: &SeatingPlan,
        (acts, ended): (&Disables, &BTreeMap<BookingId, Vec<SeatRef>>),
    ) -> Result<(), Refusal> {
        if self.whose == Whose::Anybody {
            return Ok(());
        }
        let me = work.actor().operator.as_str();
        let mut foreign = Vec::new();
        for act in acts.all.values().filter(|act| act.operator != me) {
            let seats = ended.get(&act.id).into_iter().flatten();
            foreign.extend(seats.map(|seat| (seat, act)));
        }
        foreign.sort_unstable_by_key(|(seat, _)| **seat);
        let fact = |(seat, act): (&SeatRef, &Booking)| {
            let name = CellName::Seat(seating.plan.seat_name(*seat).to_owned());
            Fact::disabled(name, (&act.operator, act.approved.as_deref()), &act.title)
        };
        none_foreign(foreign.into_iter().map(fact).collect())
    }

    /// Removes the oldest entry of each seat from the theater's list, and ends its acts; for a seat
    /// not listed, ends one act in each performance to come.
    fn enable_all(&self, work: &mut UnitOfWork<'_>, theater: Theater, still: &mut StillOut) -> Result<(), Failure> {
        let now = work.now();
        let mut season = Season::load(work, theater, now)?;
        let names = season.names(&self.seats)?;
        let mut listed: BTreeMap<String, BrokenSeat> = BTreeMap::new();
        let mut list = Vec::new();
        for broken in std::mem::take(&mut season.theater.out_of_use) {
            if names.contains(&broken.seat) && !listed.contains_key(&broken.seat) {
                listed.insert(broken.seat.clone(), broken);
            } else {
                list.push(broken);
            }
        }
        if self.whose == Whose::Mine {
            all_of(&work.actor().operator, listed.values())?;
        }
        let mut left: BTreeSet<&String> = names.iter().collect();
        left.retain(|name| !listed.contains_key(*name));
        for (performance, seating) in &season.performances {
            let known: Vec<SeatRef> = names.iter().filter_map(|name| seating.seat(name)).collect();
            let acts = Disables::of(work, performance.id, &known)?;
            for name in seating.names(&acts.out) {
                left.remove(&name);
            }
            let ends = |seat| match listed.get(seating.plan.seat_name(seat)) {
                Some(entry) => acts.standing(seat, entry.act),
                None => acts.first(seat),
            };
            let left = self.enable(work, (performance, seating), (&acts, &ends))?;
            still.add(seating, &left);
        }
        if !left.is_empty() {
            let lack = Lack::OutOfUse;
            let facts = left.into_iter().map(|seat| Fact::free(seat.clone()));
            let facts = facts.collect();
            return Err(Refusal::NotYours { lack, facts }.into());
        }
        season.theater.out_of_use = list;
        work.touch(&season.theater)
    }
}

impl StillOut {
    fn add(&mut self, seating: &SeatingPlan, left: &Disables) {
        self.seats.extend(seating.names(&left.out));
        self.seats.dedup();
        for act in left.all.values() {
            let wanted = left.out.iter().any(|seat| act.wants(*seat));
            if wanted && !self.reasons.contains(&act.title) {
                self.reasons.push(act.title.clone());
            }
        }
    }
}
