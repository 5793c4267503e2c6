//! Choice and prices of seats.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Chunks, Claim, Grip};
use crate::domain::best::{self, Access, Aisle, SeatWish};
use crate::domain::ids::PerformanceId;
use crate::domain::is_default;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::{SeatRef, StandingRoom};
use crate::domain::refusal::{Lack, Refusal};
use crate::domain::typed;
use crate::engine::ops::claims::chunk_of;
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::chunks::{BETWEEN, chunk_at, rows_of};

/// Criteria for the best free seats together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestSeats {
    pub count: u32,
    /// Required category, by name.
    pub category: Option<String>,
    /// Required zone, by name.
    pub zone: Option<String>,
    pub aisle: Aisle,
    #[serde(default, skip_serializing_if = "is_default")]
    pub access: Access,
}

/// Loads all rows of a performance.
pub(super) fn all_chunks(
    work: &mut UnitOfWork<'_>,
    seating: &SeatingPlan,
    performance: &Performance,
) -> Result<Chunks, Failure> {
    let keys: Vec<_> = seating.plan.rows().map(|(row, _, _)| chunk_of(performance.id, row)).collect();
    work.chunks(&keys)
}

/// Finds the best free seats that are sold as a ticket type.
pub(super) fn best(
    work: &mut UnitOfWork<'_>,
    seating: &SeatingPlan,
    performance: &Performance,
    (seats, ticket_type): (&BestSeats, &str),
) -> Result<Vec<SeatRef>, Failure> {
    if seats.count == 0 {
        return Err(Refusal::NothingChosen.into());
    }
    let named = seats.category.as_deref();
    let category = named.map(|name| category(seating, name)).transpose()?;
    let named = seats.zone.as_deref();
    let zone = named.map(|name| zone(seating, name)).transpose()?;
    let types = performance.ticket_types(category);
    if !types.iter().any(|known| known.eq_ignore_ascii_case(ticket_type)) {
        return Err(not_on_sale(Vec::new(), ticket_type, &types).into());
    }
    let chunks = all_chunks(work, seating, performance)?;
    let now = work.late_at();
    let rows = seating.plan.rows();
    let rows: Vec<_> = rows.map(|(row, ..)| chunks.get(&chunk_of(performance.id, row))).collect();
    let free = |seat: SeatRef| {
        let row = usize::try_from(seat.row).ok();
        let chunk = row.and_then(|row| *rows.get(row)?);
        chunk.is_some_and(|chunk| chunk.is_free(seat.seat, now)) && seating.sells(performance, seat, ticket_type)
    };
    let known = seating.search(&free);
    let asked = SeatWish { count: seats.count, category, zone, aisle: seats.aisle, access: seats.access };
    if let Some(choice) = best::best(&known, &asked) {
        return Ok(choice.seats);
    }
    let number = |seats: usize| u32::try_from(seats).unwrap_or(u32::MAX);
    let most = best::most_together(&known, &asked).map_or(0, |choice| choice.seats.len());
    Err(Refusal::NoSeatsTogether {
        count: seats.count,
        most_together: number(most),
        free: number(best::fitting(&known, &asked)),
    }
    .into())
}

/// Sorts and checks seats: in the plan, and each once.
pub(super) fn checked(seating: &SeatingPlan, seats: &[SeatRef]) -> Result<Vec<SeatRef>, Refusal> {
    let mut sorted = seats.to_vec();
    sorted.sort_unstable();
    if let Some(seat) = sorted.iter().find(|seat| seating.plan.seat(**seat).is_none()) {
        return Err(Refusal::UnknownSeat { seats: vec![format!("row {} seat {}", seat.row + 1, seat.seat + 1)] });
    }
    match sorted.windows(2).find_map(|pair| pair.first().filter(|seat| pair.last() == Some(*seat))) {
        Some(seat) => Err(Refusal::RepeatedSeat { seat: seating.plan.seat_name(*seat).to_owned() }),
        None => Ok(sorted),
    }
}

/// Claims that let a place of standing room be chosen, late ones left out.
type Suits = fn(Option<&Claim>) -> bool;

/// Places to choose, best first, and what the others lack.
type SeatChecks = (&'static [Suits], Option<Lack>);

/// Free places.
pub(super) const FREE: SeatChecks = (&[is_free], None);
/// Free places, then those that the house keeps.
pub(super) const FREE_OR_KEPT: SeatChecks = (&[is_free, is_kept], None);
/// Places that the house keeps.
pub(super) const KEPT: SeatChecks = (&[is_kept], Some(Lack::Kept));
/// Free places, then those that somebody has.
pub(super) const IN_USE: SeatChecks =
    (&[is_free, |claim| claim.is_some_and(|claim| claim.grip != Grip::Disabled)], None);
/// Places out of use.
pub(super) const OUT_OF_USE: SeatChecks =
    (&[|claim| claim.is_some_and(|claim| claim.grip == Grip::Disabled)], Some(Lack::OutOfUse));

const fn is_free(claim: Option<&Claim>) -> bool {
    claim.is_none()
}

fn is_kept(claim: Option<&Claim>) -> bool {
    claim.is_some_and(|claim| matches!(claim.owner, Owner::Keep(_)))
}

/// Seats by name or range, and of standing room as many places as are wanted: `B7`, `K13-K16`, `Floor=3`.
pub(super) fn named(
    work: &mut UnitOfWork<'_>,
    (seating, performance): (&SeatingPlan, PerformanceId),
    names: &[String],
    suits: SeatChecks,
) -> Result<Vec<SeatRef>, Failure> {
    let area = |name: &str| seating.plan.area(name.rsplit_once('=')?.0);
    let (standing, numbered): (Vec<String>, Vec<String>) = names.iter().cloned().partition(|name| area(name).is_some());
    let mut unknown = numbered.iter().filter(|name| seating.seat(name).is_none());
    if let Some((name, _)) = unknown.find_map(|name| name.rsplit_once('=')) {
        let known = seating.plan.standing();
        return Err(Refusal::none_of("area", name, known.iter().map(|area| area.name)).into());
    }
    let mut seats = seating.seats(&numbered)?;
    let mut wanted: Vec<(StandingRoom<'_>, u32)> = Vec::new();
    for text in &standing {
        let (name, count) = typed::wanted_places("count", text)?;
        match wanted.iter_mut().find(|(known, _)| known.name.eq_ignore_ascii_case(&name)) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => wanted.extend(area(text).map(|area| (area, count))),
        }
    }
    for (area, count) in wanted {
        seats.extend(places(work, performance, (&area, count), suits)?);
    }
    Ok(seats)
}

/// Chooses places of standing room. All rows are read before the refusal says how many are left: late holds are not among a row's stored free places.
pub(super) fn places(
    work: &mut UnitOfWork<'_>,
    performance: PerformanceId,
    (area, count): (&StandingRoom<'_>, u32),
    (suits, lack): SeatChecks,
) -> Result<Vec<SeatRef>, Failure> {
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    let rows = rows_in_turn(work, performance, area)?;
    let capacity = work.get::<Performance>(performance)?.capacity;
    // a night with fewer places gets them back by its capacity alone
    let is_lowered = |claim: &Claim| {
        let act = claim.owner.booking();
        act.is_some_and(|act| capacity.iter().any(|one| one.acts.contains(&act)))
    };
    let now = work.late_at();
    let mut found = Vec::new();
    for suit in suits {
        for row in &rows {
            let left = wanted - found.len();
            if left == 0 {
                return Ok(found);
            }
            let chunks = work.chunks(&[chunk_of(performance, *row)])?;
            let cells = chunks.values().flat_map(|chunk| {
                let chosen = |claim: Option<&Claim>| suit(claim) && !claim.is_some_and(&is_lowered);
                let cells = (0..chunk.cells).filter(move |cell| chosen(chunk.claim_at(*cell, now)));
                cells.map(|seat| SeatRef { row: *row, seat })
            });
            found.extend(cells.take(left));
        }
    }
    if found.len() == wanted {
        return Ok(found);
    }
    let free = u32::try_from(found.len()).unwrap_or(u32::MAX);
    Err(Refusal::AreaShort { area: area.name.clone(), wanted: count, free, lack }.into())
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Rows of standing room, those with room before the others: a full row that was loaded would be one more to conflict
/// over. They begin at the station's own row, which is another one after each conflict: stations that meet part, and none
/// waits for the same other one again and again.
fn rows_in_turn(
    work: &mut UnitOfWork<'_>,
    performance: PerformanceId,
    area: &StandingRoom<'_>,
) -> Result<Vec<u32>, Failure> {
    let first = hashed(&(&work.actor().station, work.conflicts()));
    let mut rows = area.rows.clone();
    let count = u64::try_from(rows.len()).unwrap_or(1).max(1);
    rows.rotate_left(usize::try_from(first % count).unwrap_or_default());
    let sql = format!("SELECT key FROM chunk WHERE {BETWEEN} AND free > 0");
    let roomy = work.query(&sql, &rows_of(&performance.to_string()))?;
    let roomy: HashSet<u32> = roomy.iter().filter_map(|row| Some(chunk_at(row.text(0))?.number)).collect();
    rows.sort_by_key(|row| !roomy.contains(row));
    Ok(rows)
}

pub(super) fn category(seating: &SeatingPlan, name: &str) -> Result<u16, Refusal> {
    let mut known = (0_u16..).zip(&seating.plan.categories);
    let found = known.find(|(_, category)| category.name.eq_ignore_ascii_case(name.trim()));
    let names = seating.plan.categories.iter().map(|category| &category.name);
    found.map(|(place, _)| place).ok_or_else(|| Refusal::none_of("category", name, names))
}

fn zone(seating: &SeatingPlan, name: &str) -> Result<String, Refusal> {
    let found = seating.plan.zones.iter().find(|zone| zone.name.eq_ignore_ascii_case(name.trim()));
    let names = seating.plan.zones.iter().map(|zone| &zone.name);
    found.map(|zone| zone.name.clone()).ok_or_else(|| Refusal::none_of("zone", name, names))
}

pub(super) type PricedSeats = Vec<(i64, Vec<SeatRef>)>;

/// Groups seats by their price for a ticket type, and places by their area; returns the type's canonical name; refuses seats not sold as it.
pub(super) fn price(
    seating: &SeatingPlan,
    performance: &Performance,
    (seats, wanted): (&[SeatRef], &str),
) -> Result<(String, PricedSeats), Refusal> {
    let ticket_type = performance.ticket_type(wanted).unwrap_or(wanted).to_owned();
    let mut priced: PricedSeats = Vec::new();
    let mut unsold = Vec::new();
    for seat in seats {
        let category = seating.plan.seat(*seat).map_or(0, |found| found.category);
        match performance.price(category, &ticket_type) {
            None => unsold.push(*seat),
            Some(minor) => match priced.iter_mut().find(|(price, same)| {
                let area = same.first().and_then(|one| seating.plan.area_of(*one));
                *price == minor && area == seating.plan.area_of(*seat)
            }) {
                Some((_, same)) => same.push(*seat),
                None => priced.push((minor, vec![*seat])),
            },
        }
    }
    if unsold.is_empty() {
        return Ok((ticket_type, priced));
    }
    let category = unsold.first().and_then(|seat| seating.plan.seat(*seat)).map_or(0, |found| found.category);
    Err(not_on_sale(seating.names(&unsold), &ticket_type, &performance.ticket_types(category)))
}

fn not_on_sale(seats: Vec<String>, ticket_type: &str, types: &[&str]) -> Refusal {
    let ticket_types = types.iter().map(|&known| known.to_owned()).collect();
    Refusal::NotOnSale { seats, ticket_type: ticket_type.to_owned(), ticket_types }
}
