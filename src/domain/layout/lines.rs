//! A block in its own axes: each row with its seats by distance along, and rows gathered into lines by their
//! rank across.
//!
//! Bends are unrolled: along a bowed row the distance counts, not its shadow on the axis.

use super::blocks::LINE_REACH;
use super::strands::{Knot, Strand, mean_angle};
use super::vector::{Vector, count, median};

/// Seats further apart than this, in pitches, have an aisle between them.
pub(super) const AISLE_MIN: f64 = 1.5;

/// Lines further apart than this, in the block's usual distance, have a cross aisle between them.
const CROSS_AISLE_MIN: f64 = 1.5;

/// Rows steeper than this (60 degrees) run down the map, all others across it.
const STEEP: f64 = 60.0 * std::f64::consts::PI / 180.0;

/// The block's own axes.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    pub(super) along: Vector,
    pub(super) across: Vector,
    pub(super) upright: bool,
}

/// A row in the block's axes.
pub(super) struct Laid<'a> {
    pub(super) strand: &'a Strand,
    /// Each seat with its distance along the row, bends unrolled.
    seats: Vec<(Knot, f64)>,
    across: f64,
}

/// Rows on one line, from left to right, at a number across.
pub(super) struct RowsLine<'a> {
    pub(super) rows: Vec<Laid<'a>>,
    pub(super) number: i32,
}

/// Seats of one row without an aisle between them.
pub(super) struct AisleRun<'a> {
    pub(super) strand: &'a Strand,
    /// Each seat with its distance along the row.
    pub(super) seats: &'a [(Knot, f64)],
    /// True if an aisle separates it from the run before.
    pub(super) after_aisle: bool,
}

impl Axes {
    /// Two lengths (along, across) as (x, y) of the map.
    pub(super) fn turned(self, along: f64, across: f64) -> Vector {
        if self.upright { Vector { x: along, y: across } } else { Vector { x: across, y: along } }
    }
}

/// The axes of a block, from the directions of its rows.
pub(super) fn axes(strands: &[&Strand]) -> Axes {
    let angle = mean_angle(strands.iter().copied());
    let upright = angle.abs() <= STEEP;
    let direction = Vector::at_angle(angle);
    let along = if upright || direction.y >= 0.0 { direction } else { direction.times(-1.0) };
    let across = Vector { x: -along.y, y: along.x };
    Axes { along, across: if upright { across } else { across.times(-1.0) }, upright }
}

/// Each row in the block's axes.
pub(super) fn lay<'a>(strands: &[&'a Strand], axes: Axes) -> Vec<Laid<'a>> {
    let mut laid: Vec<Laid> = strands
        .iter()
        .map(|strand| Laid { strand, seats: unrolled(strand, axes.along), across: across(strand, axes) })
        .collect();
    laid.sort_by(|a, b| a.across.total_cmp(&b.across).then(a.from().total_cmp(&b.from())));
    laid
}

/// Position of a row across the axis; for an arc, at its middle in the middle of the zone.
fn across(strand: &Strand, axes: Axes) -> f64 {
    let middle = strand.middle.dot(axes.across);
    strand.arc.map_or(middle, |arc| {
        let centre = arc.centre.dot(axes.across);
        centre + arc.radius * arc.bows_to(axes.across)
    })
}

impl Laid<'_> {
    pub(super) fn from(&self) -> f64 {
        self.seats.first().map_or(0.0, |(_, along)| *along)
    }

    fn until(&self) -> f64 {
        self.seats.last().map_or(0.0, |(_, along)| *along)
    }
}

/// The seats in the direction of the axis with their distances along the row, which keeps its middle.
fn unrolled(strand: &Strand, along: Vector) -> Vec<(Knot, f64)> {
    let mut knots = strand.seats.clone();
    let ends = knots.last().zip(knots.first()).map(|(last, first)| last.at.minus(first.at).dot(along));
    if ends.unwrap_or_default() < 0.0 {
        knots.reverse();
    }
    let mut distance = 0.0;
    let mut before: Option<Vector> = None;
    let mut seats: Vec<(Knot, f64)> = knots
        .into_iter()
        .map(|knot| {
            distance += before.map_or(0.0, |at| knot.at.minus(at).length());
            before = Some(knot.at);
            (knot, distance)
        })
        .collect();
    let mean_distance = seats.iter().map(|(_, distance)| distance).sum::<f64>() / count(seats.len().max(1));
    let shift = strand.middle.dot(along) - mean_distance;
    for (_, distance) in &mut seats {
        *distance += shift;
    }
    seats
}

/// The rows gathered into numbered lines, and the usual distance between lines where there are two.
pub(super) fn lines(rows: Vec<Laid<'_>>) -> (Vec<RowsLine<'_>>, Option<f64>) {
    let mut lines: Vec<RowsLine> = Vec::new();
    for row in rows {
        match lines.last_mut().filter(|line| line.takes(&row)) {
            Some(line) => line.rows.push(row),
            None => lines.push(RowsLine { rows: vec![row], number: 0 }),
        }
    }
    for line in &mut lines {
        line.rows.sort_by(|a, b| a.from().total_cmp(&b.from()));
    }
    let steps: Vec<f64> =
        lines.iter().zip(lines.iter().skip(1)).map(|(one, next)| next.across() - one.across()).collect();
    let usual = median(steps);
    let mut number = 0;
    let mut before: Option<f64> = None;
    for line in &mut lines {
        let across = line.across();
        if let Some(before) = before {
            let wide = usual.is_some_and(|usual| across - before > CROSS_AISLE_MIN * usual);
            number += if wide { 2 } else { 1 };
        }
        line.number = number;
        before = Some(across);
    }
    (lines, usual)
}

impl RowsLine<'_> {
    fn across(&self) -> f64 {
        self.rows.first().map_or(0.0, |row| row.across)
    }

    /// Returns whether a row lies on this line, beside all rows that are on it already.
    fn takes(&self, row: &Laid) -> bool {
        (row.across - self.across()).abs() < LINE_REACH * row.strand.pitch
            && self.rows.iter().all(|other| row.from() > other.until() || row.until() < other.from())
    }

    /// The line cut at its aisles and where one row ends and the next begins.
    pub(super) fn runs(&self) -> Vec<AisleRun<'_>> {
        let mut runs: Vec<AisleRun> = Vec::new();
        for row in &self.rows {
            let reach = AISLE_MIN * row.strand.pitch;
            let cut = row.seats.chunk_by(|(_, one), (_, next)| next - one <= reach);
            for (index, seats) in cut.enumerate() {
                let before = runs.last().and_then(|run| run.seats.last());
                let gap = before.zip(seats.first()).map(|((one, _), (next, _))| next.at.minus(one.at).length());
                runs.push(AisleRun {
                    strand: row.strand,
                    seats,
                    after_aisle: index > 0 || gap.is_some_and(|gap| gap > reach),
                });
            }
        }
        runs
    }
}
