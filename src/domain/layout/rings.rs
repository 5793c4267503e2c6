//! Rows that go all the way round, cut into their four sides.
//!
//! A closed row has no direction of its own: straightened as a whole it would be a line as long as the house is round.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use super::strands::{Knot, Strand, direction};
use super::vector::{Vector, mean, span};

/// A row goes all the way round if it turns by more than this about its own middle, in radians (280 degrees).
const ROUND_MIN: f64 = 280.0 * PI / 180.0;

/// Least seats of a row that is cut.
const SEATS_MIN: usize = 12;

/// A row as it is, or its parts at the top, at the right, at the bottom and at the left of the house.
pub(super) fn sides(strand: Strand) -> Vec<Strand> {
    let turns = turns(&strand);
    let turned: f64 = turns.iter().zip(turns.iter().skip(1)).map(|(one, next)| between(*one, *next)).sum();
    if strand.seats.len() < SEATS_MIN || turned.abs() < ROUND_MIN {
        return vec![strand];
    }
    // clockwise from the top left corner
    let mut knots: Vec<(u8, f64, Knot)> = Vec::new();
    for (turn, knot) in turns.into_iter().zip(&strand.seats) {
        let from_corner = (turn + FRAC_PI_2 + FRAC_PI_4).rem_euclid(TAU);
        let side = (1..4u8).rfind(|side| from_corner >= f64::from(*side) * FRAC_PI_2).unwrap_or(0);
        knots.push((side, from_corner, *knot));
    }
    knots.sort_by(|one, other| one.1.total_cmp(&other.1));
    let sides = knots.chunk_by(|one, other| one.0 == other.0).map(|part| {
        let seats: Vec<Knot> = part.iter().map(|(.., knot)| *knot).collect();
        let middle = mean(seats.iter().map(|knot| knot.at));
        let side = part.first().map(|(side, ..)| *side);
        // a side of one seat runs as the others of its side do
        let along = if matches!(side, Some(1 | 3)) { FRAC_PI_2 } else { 0.0 };
        let angle = direction(&seats, middle).unwrap_or(along);
        Strand { label: strand.label.clone(), side, seats, angle, middle, arc: None, ..strand }
    });
    sides.collect()
}

/// Direction of each seat from the middle of its row, in radians; the house taken as high as wide.
fn turns(strand: &Strand) -> Vec<f64> {
    let (left, right) = span(strand.seats.iter().map(|knot| knot.at.x));
    let (top, bottom) = span(strand.seats.iter().map(|knot| knot.at.y));
    let middle = Vector { x: f64::midpoint(left, right), y: f64::midpoint(top, bottom) };
    let (wide, high) = ((right - left).max(1.0), (bottom - top).max(1.0));
    let turn = |knot: &Knot| {
        let off = knot.at.minus(middle);
        (off.y / high).atan2(off.x / wide)
    };
    strand.seats.iter().map(turn).collect()
}

/// From one direction to the next, the shorter way.
fn between(one: f64, next: f64) -> f64 {
    (next - one + PI).rem_euclid(TAU) - PI
}
