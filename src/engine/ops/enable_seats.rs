//! Seats come back into use.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Act, Grip};
use crate::domain::house::Disable;
use crate::domain::owner::Owner;
use crate::domain::performance::{BrokenSeat, Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Refusal};
use crate::engine::ops::claims::{self, chunk_of};
use crate::engine::ops::disable_seats::{Which, all_of};
use crate::engine::ops::season::Season;
use crate::engine::work::{Failure, Operation, Work};

/// Puts seats back into use.
#[derive(Clone, Debug, Serialize)]
pub struct EnableSeats {
    /// Of which performances.
    pub which: Which,
    /// The seats, by their unique names.
    pub seats: Vec<String>,
    /// Whose act may be taken back.
    pub whose: Whose,
}

/// Whose disable may be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// Only the actor's own.
    Mine,
    /// Anybody's; on purpose.
    Anybody,
}

impl Operation for EnableSeats {
    const VERB: &'static str = "enable_seats";
    type Answer = ();

    fn run(&self, work: &mut Work<'_>) -> Result<(), Failure> {
        if self.seats.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        match &self.which {
            Which::Performance(id) => {
                let performance: Performance = work.get(id)?;
                let seats = work.house(performance.plan)?.seats(&self.seats)?;
                self.enable(work, &performance, &seats)
            }
            Which::Theater { theater, .. } => {
                let theater: Theater = work.get(theater)?;
                self.enable_all(work, theater)
            }
        }
    }
}

impl EnableSeats {
    fn enable(
        &self,
        work: &mut Work<'_>,
        performance: &Performance,
        seats: &[SeatRef],
    ) -> Result<(), Failure> {
        let house = work.house(performance.plan)?;
        let (owners, unowned) = disables(work, performance, seats)?;
        if !unowned.is_empty() {
            return Err(Refusal::NotYours {
                seats: house.names(&unowned),
                lack: Lack::OutOfUse,
            }
            .into());
        }
        let me = work.actor().operator.as_str();
        let foreign = || {
            owners
                .iter()
                .filter(|(owner, _)| owner.operator() != Some(me))
        };
        if self.whose == Whose::Mine && foreign().next().is_some() {
            let seats: Vec<SeatRef> = foreign().flat_map(|(_, seats)| seats).copied().collect();
            let operators = foreign().filter_map(|(owner, _)| owner.operator());
            return Err(claims::disabled_by(house.names(&seats), operators).into());
        }
        for (owner, seats) in &owners {
            claims::act(work, (performance.id, seats), (owner, Act::Enable))?;
            if let Owner::Disable(id, _) = owner {
                let mut disable: Disable = work.get(id)?;
                disable.live.retain(|seat| !seats.contains(seat));
                work.put(&disable)?;
            }
        }
        Ok(())
    }

    fn enable_all(&self, work: &mut Work<'_>, theater: Theater) -> Result<(), Failure> {
        let now = work.now();
        let mut season = Season::load(work, theater, now)?;
        let names = season.names(&self.seats)?;
        let mut left: BTreeSet<&String> = names.iter().collect();
        let (listed, list): (Vec<BrokenSeat>, Vec<BrokenSeat>) =
            std::mem::take(&mut season.theater.out_of_use)
                .into_iter()
                .partition(|broken| names.contains(&broken.seat));
        if self.whose == Whose::Mine {
            all_of(&work.actor().operator, &listed)?;
        }
        left.retain(|name| listed.iter().all(|broken| broken.seat != **name));
        for (performance, house) in &season.performances {
            let known: Vec<SeatRef> = names.iter().filter_map(|name| house.seat(name)).collect();
            let (owners, _) = disables(work, performance, &known)?;
            let disabled: Vec<SeatRef> = owners.into_values().flatten().collect();
            for name in house.names(&disabled) {
                left.remove(&name);
            }
            if !disabled.is_empty() {
                self.enable(work, performance, &disabled)?;
            }
        }
        if !left.is_empty() {
            let seats = left.into_iter().cloned().collect();
            let lack = Lack::OutOfUse;
            return Err(Refusal::NotYours { seats, lack }.into());
        }
        season.theater.out_of_use = list;
        work.touch(&season.theater)
    }
}

type ByOwner = BTreeMap<Owner, Vec<SeatRef>>;

/// The disables that seats are under, and the seats that are under none.
fn disables(
    work: &mut Work<'_>,
    performance: &Performance,
    seats: &[SeatRef],
) -> Result<(ByOwner, Vec<SeatRef>), Failure> {
    let Some(cells) = claims::cells_of(performance.id, seats)? else {
        return Ok((ByOwner::new(), Vec::new()));
    };
    let chunks = work.chunks(&cells.chunk_keys())?;
    let mut owners = ByOwner::new();
    let mut unowned = Vec::new();
    for seat in seats {
        let claim = chunks
            .get(&chunk_of(performance.id, seat.row))
            .and_then(|chunk| chunk.claim(seat.seat));
        match claim.filter(|claim| claim.grip == Grip::Disabled) {
            Some(claim) => owners.entry(claim.owner.clone()).or_default().push(*seat),
            None => unowned.push(*seat),
        }
    }
    Ok((owners, unowned))
}
