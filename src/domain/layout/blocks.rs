//! Which rows stand together: blocks, found from directions and distances alone.
//!
//! Two rows of a zone are joined when they run the same way and are stacked or side by side. Rows of different zones
//! never are: a block has one name, and what it counts is that zone's. Rows on arcs round one point are compared by
//! radius and angle, so that a short row at the side of a long one is beside it.

use super::arcs::Arc;
use super::strands::Strand;
use super::vector::{Vector, median, span};

/// Rows run the same way when their directions differ by at most this, in radians (8 degrees).
const TURN_MAX: f64 = 8.0 * std::f64::consts::PI / 180.0;

/// Rows nearer than this across, in pitches, are on one line.
pub(super) const LINE_REACH: f64 = 0.4;

/// Rows up to this far across, in pitches, are stacked; further in a house whose rows are wider apart.
const STACK_REACH: f64 = 1.9;

/// The reach in usual row distances of the zone, up to [`STACK_REACH_MAX`] pitches.
const STACK_REACH_ROWS: f64 = 1.35;
const STACK_REACH_MAX: f64 = 4.0;

/// Stacked rows overlap by at least this part of the shorter one.
const OVERLAP_MIN: f64 = 0.3;

/// The widest aisle inside a block, in pitches; real ones measure up to 2.63.
const AISLE_MAX: f64 = 2.65;

/// Position of a row relative to a parallel one, in pitches.
struct Relation {
    across: f64,
    /// The part of the shorter row beside which the other one lies.
    overlap: f64,
    /// Between the nearest ends when they lie one after the other.
    gap: f64,
}

/// The rows of each block, as indices into `strands`; blocks and rows in the order of the plan.
pub(super) fn joined(strands: &[Strand]) -> Vec<Vec<usize>> {
    let relations = relations(strands);
    let reaches = stack_reaches(strands, &relations);
    let mut blocks = UnionFind::new(strands.len());
    for (one, other, relation) in &relations {
        let (Some(first), Some(second)) = (strands.get(*one), strands.get(*other)) else {
            continue;
        };
        let on_one_line = relation.across < LINE_REACH;
        let beside = relation.overlap >= OVERLAP_MIN;
        let reach = reaches.get(first.zone).copied().unwrap_or(STACK_REACH);
        let together = (!on_one_line && beside && relation.across <= reach)
            || (on_one_line && !beside && relation.gap <= AISLE_MAX);
        if together && (first.zone, first.side) == (second.zone, second.side) {
            blocks.join(*one, *other);
        }
    }
    blocks.groups()
}

/// Every pair of rows that run the same way and are near enough to matter.
fn relations(strands: &[Strand]) -> Vec<(usize, usize, Relation)> {
    let mut found = Vec::new();
    for (index, one) in strands.iter().enumerate() {
        let axis = Vector::at_angle(one.angle);
        let own = extent(one, axis);
        for (other_index, other) in strands.iter().enumerate().skip(index + 1) {
            let is_alike = (one.zone, one.side) == (other.zone, other.side);
            if let (true, Some(arc), Some(other_arc)) = (is_alike, one.arc, other.arc) {
                let relation = arc.relation(&other_arc, one.pitch);
                if relation.across <= STACK_REACH_MAX {
                    found.push((index, other_index, relation));
                }
                continue;
            }
            if turn(one.angle, other.angle) > TURN_MAX {
                continue;
            }
            let off = other.middle.minus(one.middle);
            let across = (off.y * axis.x - off.x * axis.y).abs() / one.pitch;
            if across > STACK_REACH_MAX {
                continue;
            }
            let relation = relation(across, own, (extent(other, axis), one.pitch));
            if relation.overlap > 0.0 || relation.gap <= AISLE_MAX {
                found.push((index, other_index, relation));
            }
        }
    }
    found
}

impl Arc {
    /// Two arcs round one point as rows that are unrolled.
    fn relation(&self, other: &Self, pitch: f64) -> Relation {
        let radius = f64::midpoint(self.radius, other.radius);
        let unrolled = |arc: &Self| (arc.from * radius, arc.until * radius);
        let across = (self.radius - other.radius).abs() / pitch;
        relation(across, unrolled(self), (unrolled(other), pitch))
    }
}

/// Begin and end of a row along an axis.
fn extent(strand: &Strand, axis: Vector) -> (f64, f64) {
    span(strand.seats.iter().map(|knot| knot.at.dot(axis)))
}

fn relation(across: f64, one: (f64, f64), (other, pitch): ((f64, f64), f64)) -> Relation {
    let common = one.1.min(other.1) - one.0.max(other.0);
    let shorter = (one.1 - one.0).min(other.1 - other.0);
    Relation {
        across,
        // A seat has a width: rows of one seat each can be stacked.
        overlap: ((common + pitch) / (shorter + pitch)).clamp(0.0, 1.0),
        gap: (-common / pitch).max(0.0),
    }
}

/// The angle between two undirected directions.
fn turn(one: f64, other: f64) -> f64 {
    let half = std::f64::consts::PI;
    let between = (one - other).abs() % half;
    between.min(half - between)
}

/// Largest distance at which each zone's rows are stacked, in pitches.
fn stack_reaches(strands: &[Strand], relations: &[(usize, usize, Relation)]) -> Vec<f64> {
    let mut nearest: Vec<Option<f64>> = vec![None; strands.len()];
    for (one, other, relation) in relations {
        let same_zone = strands.get(*one).map(|row| row.zone) == strands.get(*other).map(|row| row.zone);
        if !same_zone || relation.across < LINE_REACH || relation.overlap < OVERLAP_MIN {
            continue;
        }
        for index in [*one, *other] {
            if let Some(known) = nearest.get_mut(index) {
                *known = Some(known.map_or(relation.across, |least| least.min(relation.across)));
            }
        }
    }
    let zones = strands.iter().map(|strand| strand.zone + 1).max();
    (0..zones.unwrap_or_default())
        .map(|zone| {
            let steps = strands
                .iter()
                .zip(&nearest)
                .filter(|(strand, _)| strand.zone == zone)
                .filter_map(|(_, step)| *step)
                .collect();
            let usual = median(steps).unwrap_or_default();
            STACK_REACH.max(usual * STACK_REACH_ROWS).min(STACK_REACH_MAX)
        })
        .collect()
}

struct UnionFind {
    above: Vec<usize>,
}

impl UnionFind {
    fn new(things: usize) -> Self {
        Self { above: (0..things).collect() }
    }

    fn top(&mut self, thing: usize) -> usize {
        let mut at = thing;
        while let Some(next) = self.above.get(at).copied().filter(|next| *next != at) {
            let over = self.above.get(next).copied().unwrap_or(next);
            if let Some(slot) = self.above.get_mut(at) {
                *slot = over;
            }
            at = over;
        }
        at
    }

    /// Joins two sets under the earlier top, so that blocks keep the order of the plan.
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.top(one), self.top(other));
        if let Some(slot) = self.above.get_mut(one.max(other)) {
            *slot = one.min(other);
        }
    }

    fn groups(mut self) -> Vec<Vec<usize>> {
        let things = self.above.len();
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); things];
        for thing in 0..things {
            let top = self.top(thing);
            if let Some(group) = groups.get_mut(top) {
                group.push(thing);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}
