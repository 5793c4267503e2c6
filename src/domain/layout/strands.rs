//! The plan's rows as they physically run: ordered seats, a direction, the usual step.
//!
//! Numbers and labels say nothing here: houses count odd and even, from the centre, or in a serpentine, and files
//! list seats in any order. Only positions count.
//!
//! Import cycle with `arcs` and `rings`: an arc is found along a strand, and is a part of one; a ring is cut into strands.

use crate::domain::plan::{Plan, PlanRow, SeatRef};

use super::arcs::{self, Arc};
use super::rings;
use super::vector::{Vector, count, mean, median};

/// The step between seats where nothing can be measured: 25 units, the usual one of real files.
const PITCH_USUAL: f64 = 2_500.0;

/// A seat and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub(super) seat: SeatRef,
    pub(super) at: Vector,
}

/// Row of the plan with the positions of its seats.
#[derive(Debug)]
pub(super) struct Strand {
    pub(super) zone: usize,
    pub(super) label: String,
    /// Side of the house that it is, as a part of a row that goes all the way round.
    pub(super) side: Option<u8>,
    /// In physical order, from either end.
    pub(super) seats: Vec<Knot>,
    /// The undirected direction of the row in radians, in (-90, 90] degrees.
    pub(super) angle: f64,
    /// The usual step between seats of this zone.
    pub(super) pitch: f64,
    pub(super) middle: Vector,
    /// Arc of the row if all rows of its zone share a center.
    pub(super) arc: Option<Arc>,
}

impl Strand {
    /// The steps from each seat to the next.
    pub(super) fn steps(&self) -> impl Iterator<Item = f64> + '_ {
        steps(&self.seats)
    }

    /// Returns whether the other is more of the same row, cut into pieces by the file.
    pub(super) fn continues_in(&self, other: &Self) -> bool {
        self.label == other.label && self.zone == other.zone
    }
}

/// Every row that has seats, in the order of the plan.
pub(super) fn strands(plan: &Plan) -> Vec<Strand> {
    let mut number = 0;
    let mut strands = Vec::new();
    for (index, zone) in plan.zones.iter().enumerate() {
        let mut of_zone: Vec<(Strand, bool)> = Vec::new();
        for row in &zone.rows {
            if !row.seats.is_empty() && !row.is_standing() {
                of_zone.push(strand(number, index, row));
            }
            number += 1;
        }
        adopt_angles(&mut of_zone);
        let mut of_zone: Vec<Strand> = of_zone.into_iter().flat_map(|(strand, _)| rings::sides(strand)).collect();
        of_zone.sort_by_key(|strand| strand.side);
        strands.extend(of_zone);
    }
    set_pitches(&mut strands);
    for rows in strands.chunk_by_mut(|one, next| (one.zone, one.side) == (next.zone, next.side)) {
        arcs::note(rows);
    }
    strands
}

/// Row as a strand, and whether it has a direction: a single seat has none.
fn strand(number: u32, zone: usize, row: &PlanRow) -> (Strand, bool) {
    let listed: Vec<Knot> = row
        .seats
        .iter()
        .zip(0u32..)
        .map(|(seat, index)| Knot { seat: SeatRef { row: number, seat: index }, at: seat.at.into() })
        .collect();
    let middle = mean(listed.iter().map(|knot| knot.at));
    let angle = direction(&listed, middle);
    let strand = Strand {
        zone,
        label: row.label.clone(),
        side: None,
        seats: ordered(listed, angle.unwrap_or_default()),
        angle: angle.unwrap_or_default(),
        pitch: PITCH_USUAL,
        middle,
        arc: None,
    };
    (strand, angle.is_some())
}

/// The main axis of the seats: right for bowed rows too, and whatever order the file lists them in.
pub(super) fn direction(seats: &[Knot], middle: Vector) -> Option<f64> {
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for knot in seats {
        let off = knot.at.minus(middle);
        xx += off.x * off.x;
        yy += off.y * off.y;
        xy += off.x * off.y;
    }
    (xx + yy > 1.0).then(|| 0.5 * (2.0 * xy).atan2(xx - yy))
}

/// The seats as one would walk along them: in the file's order where that is the shorter walk (rows that bend
/// far round), else along the main axis (files that list odd seats first, then even ones).
fn ordered(listed: Vec<Knot>, angle: f64) -> Vec<Knot> {
    let axis = Vector::at_angle(angle);
    let mut sorted = listed.clone();
    sorted.sort_by(|a, b| a.at.dot(axis).total_cmp(&b.at.dot(axis)));
    let (walk_listed, walk_sorted): (f64, f64) = (steps(&listed).sum(), steps(&sorted).sum());
    if walk_listed < walk_sorted - 1.0 { listed } else { sorted }
}

fn steps(seats: &[Knot]) -> impl Iterator<Item = f64> + '_ {
    seats.iter().zip(seats.iter().skip(1)).map(|(one, next)| next.at.minus(one.at).length())
}

/// A seat alone takes the direction of the row before it in its zone, else of the one behind.
fn adopt_angles(rows: &mut [(Strand, bool)]) {
    let mut known = rows.iter().find(|(_, own)| *own).map_or(0.0, |(strand, _)| strand.angle);
    for (strand, own) in rows {
        if *own {
            known = strand.angle;
        } else {
            strand.angle = known;
        }
    }
}

/// The median step of each zone, which knows nothing of numbers; of the whole plan where a zone has none.
fn set_pitches(strands: &mut [Strand]) {
    let zones = strands.iter().map(|strand| strand.zone + 1).max();
    let mut steps: Vec<Vec<f64>> = vec![Vec::new(); zones.unwrap_or_default()];
    for strand in strands.iter() {
        if let Some(of_zone) = steps.get_mut(strand.zone) {
            of_zone.extend(strand.steps().filter(|step| *step > 1.0));
        }
    }
    let whole = median(steps.concat()).unwrap_or(PITCH_USUAL);
    let pitches: Vec<f64> = steps.into_iter().map(|of_zone| median(of_zone).unwrap_or(whole)).collect();
    for strand in strands {
        strand.pitch = pitches.get(strand.zone).copied().unwrap_or(whole);
    }
}

/// The mean of undirected directions, each weighing as much as its row has seats.
pub(super) fn mean_angle<'a>(strands: impl Iterator<Item = &'a Strand>) -> f64 {
    let sum = strands.fold(Vector::default(), |sum, strand| {
        sum.plus(Vector::at_angle(2.0 * strand.angle).times(count(strand.seats.len())))
    });
    0.5 * sum.y.atan2(sum.x)
}
