//! Seats come back into use.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Act, Grip};
use crate::domain::house::Disable;
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::ops::claims::{self, chunk_of};
use crate::engine::ops::disable_seats::{Which, to_come};
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
            }
            .into());
        }
        let me = &work.actor().operator;
        let foreign = owners
            .keys()
            .filter(|owner| !matches!(owner, Owner::Disable(_, operator) if operator == me));
        let foreign: Vec<&Owner> = foreign.collect();
        if self.whose == Whose::Mine && !foreign.is_empty() {
            return Err(of_another(&owners, &foreign, |seats| house.names(seats)).into());
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

    fn enable_all(&self, work: &mut Work<'_>, mut theater: Theater) -> Result<(), Failure> {
        let (plan_house, me) = (work.house(theater.plan)?, work.actor().operator.clone());
        let names = plan_house.names(&plan_house.seats(&self.seats)?);
        let foreign = theater
            .out_of_use
            .iter()
            .filter(|broken| names.contains(&broken.seat) && broken.operator != me);
        let operators: Vec<String> = foreign.map(|broken| broken.operator.clone()).collect();
        if self.whose == Whose::Mine && !operators.is_empty() {
            return Err(Refusal::DisabledByAnother {
                seats: names,
                operators,
            }
            .into());
        }
        theater
            .out_of_use
            .retain(|broken| !names.contains(&broken.seat));
        let now = work.now();
        for performance in to_come(work, &theater, now)? {
            let house = work.house(performance.plan)?;
            let known: Vec<SeatRef> = names
                .iter()
                .filter_map(|name| house.seats(std::slice::from_ref(name)).ok())
                .flatten()
                .collect();
            let (owners, _) = disables(work, &performance, &known)?;
            let disabled: Vec<SeatRef> = owners.into_values().flatten().collect();
            if !disabled.is_empty() {
                self.enable(work, &performance, &disabled)?;
            }
        }
        work.put(&theater)
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

fn of_another(
    owners: &ByOwner,
    foreign: &[&Owner],
    names: impl Fn(&[SeatRef]) -> Vec<String>,
) -> Refusal {
    let seats: Vec<SeatRef> = foreign
        .iter()
        .filter_map(|owner| owners.get(owner))
        .flatten()
        .copied()
        .collect();
    let mut operators: Vec<String> = foreign
        .iter()
        .filter_map(|owner| match owner {
            Owner::Disable(_, operator) => Some(operator.clone()),
            Owner::Line(_) | Owner::Keep(_) => None,
        })
        .collect();
    operators.dedup();
    Refusal::DisabledByAnother {
        seats: names(&seats),
        operators,
    }
}
