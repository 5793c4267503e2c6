//! Tables: rows of the plan whose seats face each other.
//!
//! A party sits at a table on both sides. So the seats of a table are a run of their own, back and forth: each seat of it
//! stands beside or opposite the next.

use std::collections::BTreeMap;

use crate::domain::plan::{Plan, SeatRef};

use super::vector::{Vector, count};

/// Widest table, in steps from seat to seat.
const WIDTH_MAX: f64 = 3.0;

/// How far a seat may stand beside the one opposite, in steps.
const BESIDE_MAX: f64 = 0.5;

/// The seats of each table, back and forth, given the runs of the plan.
pub(super) fn tables(plan: &Plan, runs: &[Vec<SeatRef>]) -> Vec<Vec<SeatRef>> {
    let mut by_row: BTreeMap<u32, Vec<&[SeatRef]>> = BTreeMap::new();
    for run in runs {
        if let Some(first) = run.first() {
            by_row.entry(first.row).or_default().push(run);
        }
    }
    let sides = by_row.values().filter_map(|sides| match sides.as_slice() {
        [one, two] if faces(plan, (one, two)) => Some((*one, *two)),
        _ => None,
    });
    sides.map(|(one, two)| back_and_forth(one, two)).collect()
}

/// Returns whether two runs are the sides of a table: as long as each other, all of one row, and seat opposite seat.
fn faces(plan: &Plan, (one, two): (&[SeatRef], &[SeatRef])) -> bool {
    let at = |seat: &SeatRef| plan.seat(*seat).map(|seat| Vector::from(seat.at));
    let (Some(first), Some(last)) = (one.first().and_then(at), one.last().and_then(at)) else {
        return false;
    };
    let is_one_row = one.iter().chain(two).all(|seat| one.first().is_some_and(|first| first.row == seat.row));
    if one.len() < 2 || one.len() != two.len() || !is_one_row {
        return false;
    }
    let along = last.minus(first);
    let step = along.length() / count(one.len() - 1);
    one.iter().zip(two).all(|(seat, opposite)| {
        let across = at(opposite).zip(at(seat)).map(|(opposite, seat)| opposite.minus(seat));
        across.is_some_and(|across| {
            across.length() <= WIDTH_MAX * step && across.dot(along).abs() <= BESIDE_MAX * step * along.length()
        })
    })
}

/// Both sides of a table as one run: over it, to the next seat, and back over it.
fn back_and_forth(one: &[SeatRef], two: &[SeatRef]) -> Vec<SeatRef> {
    let pairs = one.iter().zip(two).enumerate();
    pairs.flat_map(|(at, (one, two))| if at.is_multiple_of(2) { [*one, *two] } else { [*two, *one] }).collect()
}
