//! Claims of all lines of a cart, seats and time.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::cart::Cart;
use crate::domain::ids::PerformanceId;
use crate::domain::line::Line;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Refusal};
use crate::domain::resource::Resource;
use crate::domain::time::Instant;
use crate::engine::ops::{claims, seats};
use crate::engine::work::{Failure, UnitOfWork};

/// Applies an act to all cells of a cart, all or none.
pub(super) fn act_all(work: &mut UnitOfWork<'_>, cart: &Cart, act: Act) -> Result<(), Failure> {
    for line in &cart.lines {
        claims::act(work, &line.goods, (&line.owner(cart.id), act))?;
    }
    Ok(())
}

/// Sets the deadline of every claim of a cart, possibly to an earlier one.
pub(super) fn move_deadline(work: &mut UnitOfWork<'_>, cart: &Cart, until: Instant) -> Result<(), Failure> {
    let act = if until < cart.expires_at {
        // a hold cannot be shortened: free it and hold again
        free_all(work, cart)?;
        Act::Hold { until }
    } else {
        Act::Extend { until }
    };
    act_all(work, cart, act)
}

/// Holds the lines from a number on until the cart's deadline; a refusal lists all conflicts.
pub(super) fn hold_from(work: &mut UnitOfWork<'_>, cart: &Cart, first: u32) -> Result<(), Failure> {
    let until = cart.expires_at;
    let mut refused: Option<Refusal> = None;
    for line in cart.lines.iter().filter(|line| line.number >= first) {
        let owner = line.owner(cart.id);
        match claims::act(work, &line.goods, (&owner, Act::Hold { until })) {
            Ok(_) => {}
            Err(Failure::Refused(refusal)) => refused = Some(Refusal::join(refused, refusal)),
            Err(fault @ Failure::Fault(_)) => return Err(fault),
        }
    }
    refused.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Frees seats of a line, and removes them from the cart.
pub(super) fn give_up(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    line: &Line,
    (performance, seats): (PerformanceId, &[SeatRef]),
) -> Result<(), Failure> {
    claims::free(work, (performance, seats), &line.owner(cart.id))?;
    cart.give_up(line.number, seats);
    Ok(())
}

/// Frees all remaining cells of a cart, late or not.
pub(super) fn free_all(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    for line in &cart.lines {
        claims::free(work, &line.goods, &line.owner(cart.id))?;
    }
    Ok(())
}

/// Returns whether a performance of a cart is canceled, or a resource of it out of service.
pub(super) fn is_closed(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<bool, Failure> {
    for line in &cart.lines {
        if let Some(id) = line.goods.performance()
            && work.get::<Performance>(id)?.state == PerformanceState::Canceled
        {
            return Ok(true);
        }
        for taken in line.goods.taken() {
            let resource: Resource = work.get(&taken.resource)?;
            if taken.live.iter().any(|slot| resource.marked(*slot).is_some()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Part of a cart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CartPart {
    /// Lines as a whole, by their numbers.
    Lines(Vec<u32>),
    /// Some seats of a line.
    SeatsOf { line: u32, seats: Vec<SeatRef> },
    /// Seats of a performance, in whatever lines they are.
    Seats { performance: PerformanceId, seats: Vec<SeatRef> },
}

impl CartPart {
    /// A line, or some of its seats.
    #[must_use]
    pub fn of(line: u32, seats: Option<Vec<SeatRef>>) -> Self {
        seats.map_or_else(|| Self::Lines(vec![line]), |seats| Self::SeatsOf { line, seats })
    }
}

/// Seats of a line of a cart.
pub(super) struct LineSeats {
    pub(super) line: Line,
    pub(super) performance: Performance,
    pub(super) seats: Vec<SeatRef>,
}

/// Finds the seats of a part of a cart, line by line; refuses none, repeated ones and those that are elsewhere.
pub(super) fn chosen(work: &mut UnitOfWork<'_>, cart: &Cart, part: &CartPart) -> Result<Vec<LineSeats>, Failure> {
    match part {
        CartPart::Lines(numbers) => {
            let numbers: BTreeSet<u32> = numbers.iter().copied().collect();
            numbers.into_iter().map(|number| whole(work, cart, number)).collect()
        }
        CartPart::SeatsOf { line, seats } => {
            let (line, performance) = seated(cart, *line)?;
            of_lines(work, &[line], (performance, seats))
        }
        CartPart::Seats { performance, seats } => {
            let lines = cart.lines.iter().filter(|line| line.goods.performance() == Some(*performance));
            of_lines(work, &lines.collect::<Vec<_>>(), (*performance, seats))
        }
    }
}

/// All seats of a line.
pub(super) fn whole(work: &mut UnitOfWork<'_>, cart: &Cart, number: u32) -> Result<LineSeats, Failure> {
    let (line, performance) = seated(cart, number)?;
    Ok(LineSeats { line: line.clone(), performance: work.get(performance)?, seats: line.goods.seats().to_vec() })
}

/// Line of seats by its number, with its performance.
fn seated(cart: &Cart, number: u32) -> Result<(&Line, PerformanceId), Refusal> {
    let found = cart.lines.iter().find(|line| line.number == number);
    let found = found.and_then(|line| Some((line, line.goods.performance()?)));
    found.ok_or_else(|| Refusal::UnknownLine { line: number.to_string() })
}

fn of_lines(
    work: &mut UnitOfWork<'_>,
    lines: &[&Line],
    (performance, seats): (PerformanceId, &[SeatRef]),
) -> Result<Vec<LineSeats>, Failure> {
    let performance: Performance = work.get(performance)?;
    let mut seats = seats::checked(&*work.seating(performance.plan)?, seats)?;
    if seats.is_empty() {
        return Err(Refusal::NothingChosen.into());
    }
    let mut chosen = Vec::new();
    for line in lines {
        let (mine, others): (Vec<SeatRef>, Vec<SeatRef>) =
            seats.into_iter().partition(|seat| line.goods.seats().contains(seat));
        seats = others;
        if !mine.is_empty() {
            chosen.push(LineSeats { line: (*line).clone(), performance: performance.clone(), seats: mine });
        }
    }
    if seats.is_empty() {
        Ok(chosen)
    } else {
        Err(claims::not_yours(work, (performance.id, &seats), Lack::InCart)?.into())
    }
}
