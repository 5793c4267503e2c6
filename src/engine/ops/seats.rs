//! Choice and prices of seats.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Chunks;
use crate::domain::best::{self, Access, Aisle, SeatWish};
use crate::domain::is_default;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::ops::claims::chunk_of;
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, UnitOfWork};

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

/// Groups seats by their price for a ticket type; returns the type's canonical name; refuses seats not sold as it.
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
            Some(minor) => match priced.iter_mut().find(|(price, _)| *price == minor) {
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
