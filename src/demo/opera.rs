//! An opera of 3,006 seats: rows bent round the stage, with two aisles that part them, in four tiers.

use std::vec::IntoIter;

use crate::domain::plan::{Area, Category, Plan, PlanRow, Point, Zone};
use crate::formats::{PlanError, rows};

/// Seats of its rows, from the stage on.
const ROWS: &str = "44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,8x74,8x76,6x78,3x80";
/// Its tiers, with their rows and the price of a seat in hundredths.
pub(super) const TIERS: [(&str, usize, i64); 4] =
    [("Parterre", 18, 18_000), ("Grand Tier", 8, 12_000), ("Dress Circle", 8, 7_500), ("Balcony", 9, 3_000)];

/// From a seat to the next, and from a row to the next.
const PITCH: i32 = 2500;
/// Half seats from the middle to an aisle, and its width.
const AISLE_AT: i32 = 26;
const AISLE: i32 = 2 * PITCH;
/// Nearness to the stage of a row's ends: the larger, the straighter is a row.
const STRAIGHT: i32 = 66;

/// The plan.
pub(super) fn plan() -> Result<Plan, PlanError> {
    let straight = rows::parse(ROWS)?;
    let mut rows = straight.zones.into_iter().flat_map(|zone| zone.rows).collect::<Vec<_>>().into_iter();
    let mut line = 0;
    let zones = (0u16..).zip(TIERS).map(|(category, (name, count, _))| {
        line += 2;
        Zone { name: name.to_owned(), rows: tier(&mut rows, count, (category, &mut line)) }
    });
    Ok(Plan {
        name: "Opera".to_owned(),
        zones: zones.collect(),
        categories: TIERS.map(|(name, ..)| Category { name: name.to_owned(), color: None }).to_vec(),
        areas: vec![Area {
            at: Point { x: 0, y: -2 * PITCH },
            extent: Point { x: 14 * PITCH, y: PITCH },
            text: "Stage".to_owned(),
        }],
    })
}

fn tier(rows: &mut IntoIter<PlanRow>, count: usize, (category, line): (u16, &mut i32)) -> Vec<PlanRow> {
    let mut tier: Vec<PlanRow> = rows.by_ref().take(count).collect();
    for row in &mut tier {
        let seats = i32::try_from(row.seats.len()).unwrap_or_default();
        for (at, seat) in (0..).zip(&mut row.seats) {
            let half = 2 * at + 1 - seats;
            let aisle = if half.abs() > AISLE_AT { AISLE * half.signum() } else { 0 };
            let x = half * PITCH / 2 + aisle;
            let hundredth = x / 100;
            seat.category = category;
            seat.at = Point { x, y: *line * PITCH - hundredth * hundredth / STRAIGHT };
        }
        *line += 1;
    }
    tier
}

/// Seats that subscribers have: some three side by side, all over the house.
pub(super) fn subscribed(plan: &Plan) -> Vec<String> {
    let has = |(row, at): (usize, usize)| (row * 7 + at / 3 * 5 + row * (at / 3) * 3) % 11 < 5;
    let rows = plan.rows().enumerate().flat_map(|(row, (_, _, of))| {
        let seats = of.seats.iter().enumerate();
        seats.filter(move |(at, _)| has((row, *at))).map(|(_, seat)| seat.name.clone())
    });
    rows.collect()
}
