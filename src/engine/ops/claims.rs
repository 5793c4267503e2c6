//! Taking and freeing cells for a performance's seats, and ending the late owners that a taker meets.

use std::collections::BTreeSet;

use crate::domain::availability::{
    self, Act, Applied, CellRange, CellSet, CellSetError, ChunkKey, Claim, Grip, RefusedCells,
    RefusedWhy,
};
use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{Disable, Keep};
use crate::domain::ids::PerformanceId;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Refusal, SeatFact};
use crate::engine::ops::{ending, line};
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;

/// The chunk of a row of a performance.
pub(super) fn chunk_of(performance: PerformanceId, row: u32) -> ChunkKey {
    ChunkKey {
        resource: performance.to_string(),
        number: row,
    }
}

/// The cells of some seats; `None` when there are no seats.
pub(super) fn cells_of(
    performance: PerformanceId,
    seats: &[SeatRef],
) -> Result<Option<CellSet>, Failure> {
    let ranges = seats.iter().map(|seat| CellRange {
        chunk: chunk_of(performance, seat.row),
        from: seat.seat,
        to: seat.seat,
    });
    match CellSet::new(ranges.collect()) {
        Ok(cells) => Ok(Some(cells)),
        Err(CellSetError::Empty) => Ok(None),
        Err(error) => {
            Err(Fault::Broken(format!("seats that were checked make no set: {error:?}")).into())
        }
    }
}

/// The seats that a stretch of cells stands for.
pub(super) fn seats_of(range: &CellRange) -> impl Iterator<Item = SeatRef> {
    let row = range.chunk.number;
    range.cells().map(move |seat| SeatRef { row, seat })
}

/// Applies an act to seats of a performance, all or none, and ends the late owners that it met.
///
/// # Errors
/// The seats that stood in the way, with whose they are.
pub(super) fn act(
    work: &mut UnitOfWork<'_>,
    seats: (PerformanceId, &[SeatRef]),
    (owner, act): (&Owner, Act),
) -> Result<Applied, Failure> {
    let Some(cells) = cells_of(seats.0, seats.1)? else {
        return Err(Refusal::NothingChosen.into());
    };
    let mut chunks = work.chunks(&cells.chunk_keys())?;
    match availability::apply(&mut chunks, &cells, owner, (act, work.now())) {
        Ok(done) => {
            work.put_chunks(&chunks)?;
            end_late(work, &done.late)?;
            if matches!(act, Act::Release | Act::Enable) {
                line::nudge(work, seats.0)?;
            }
            Ok(done)
        }
        Err(refused) => Err(explain(work, (seats.0, act), &refused)?.into()),
    }
}

/// Frees what an owner still has of seats, late or not.
pub(super) fn free(
    work: &mut UnitOfWork<'_>,
    (performance, seats): (PerformanceId, &[SeatRef]),
    owner: &Owner,
) -> Result<(), Failure> {
    let Some(cells) = cells_of(performance, seats)? else {
        return Ok(());
    };
    let mut chunks = work.chunks(&cells.chunk_keys())?;
    availability::free_of(&mut chunks, &cells, owner);
    work.put_chunks(&chunks)?;
    line::nudge(work, performance)
}

/// Ends, whole, every owner whose deadline had passed where an act took cells.
pub(super) fn end_late<'o>(
    work: &mut UnitOfWork<'_>,
    late: impl IntoIterator<Item = &'o Owner>,
) -> Result<(), Failure> {
    for owner in late {
        match owner {
            Owner::Line(line) => {
                let mut cart: Cart = work.get(line.cart)?;
                if cart.state == CartState::Active {
                    ending::end(work, &mut cart, CartState::Expired)?;
                }
            }
            Owner::Keep(keep) => {
                let mut keep: Keep = work.get(keep)?;
                let seats = std::mem::take(&mut keep.live);
                free(work, (keep.performance, &seats), owner)?;
                ending::put_keep(work, &keep)?;
            }
            Owner::Disable(..) | Owner::Booking(..) | Owner::DisableTime(..) => {}
        }
    }
    Ok(())
}

/// A refusal of the kernel in the words of the desk.
fn explain(
    work: &mut UnitOfWork<'_>,
    (performance, act): (PerformanceId, Act),
    refused: &[RefusedCells],
) -> Result<Refusal, Failure> {
    let plan = work.get::<Performance>(performance)?.plan;
    let house = work.house(plan)?;
    let seats: Vec<SeatRef> = refused
        .iter()
        .flat_map(|one| seats_of(&one.cells))
        .collect();
    let names = house.names(&seats);
    if refused
        .iter()
        .all(|one| matches!(one.why, RefusedWhy::NotYours | RefusedWhy::Expired))
    {
        let lack = if act == Act::Enable {
            Lack::OutOfUse
        } else {
            Lack::InCart
        };
        return Ok(Refusal::NotYours { seats: names, lack });
    }
    if act == Act::Disable {
        let claims = refused.iter().filter_map(|one| one.claim.as_ref());
        let operators = claims.filter_map(|claim| claim.owner.operator());
        return Ok(disabled_by(names, operators));
    }
    let mut details = Vec::new();
    for one in refused {
        let (state, by) = match &one.claim {
            Some(claim) => owner_in_words(work, claim)?,
            None => ("closed".into(), "not open yet".into()),
        };
        let until = one.claim.as_ref().and_then(|claim| claim.until);
        let fact = |seat| SeatFact {
            seat: house.plan.seat_name(seat).to_owned(),
            state: state.clone(),
            by: by.clone(),
            until,
        };
        details.extend(seats_of(&one.cells).map(fact));
    }
    Ok(Refusal::SeatsTaken {
        seats: names,
        details,
        alternatives: Vec::new(),
    })
}

/// The refusal that seats give which other operators took out of use.
pub(super) fn disabled_by<'o>(
    seats: Vec<String>,
    operators: impl IntoIterator<Item = &'o str>,
) -> Refusal {
    let operators: BTreeSet<&str> = operators.into_iter().collect();
    Refusal::DisabledByAnother {
        seats,
        operators: operators.into_iter().map(str::to_owned).collect(),
    }
}

/// A claim's state and its owner, in words.
pub(super) fn owner_in_words(
    work: &mut UnitOfWork<'_>,
    claim: &Claim,
) -> Result<(String, String), Failure> {
    Ok(match (&claim.owner, claim.grip) {
        (Owner::Line(line), Grip::Held) => {
            let cart = work.get::<Cart>(line.cart)?;
            if cart.reservation.is_some() {
                ("reserved".into(), cart.customer.name)
            } else {
                ("held".into(), cart.station)
            }
        }
        (Owner::Line(_), _) => ("booked".into(), "a receipt".into()),
        (Owner::Keep(keep), _) => (
            "kept".into(),
            format!("the house ({})", work.get::<Keep>(keep)?.reason),
        ),
        (Owner::Disable(disable, operator), _) => (
            "disabled".into(),
            format!("{operator} ({})", work.get::<Disable>(disable)?.reason),
        ),
        (Owner::Booking(used, booking), _) => {
            (used.word().into(), work.get::<Booking>(booking)?.title)
        }
        (Owner::DisableTime(booking, operator), _) => (
            "disabled".into(),
            format!("{operator} ({})", work.get::<Booking>(booking)?.title),
        ),
    })
}
