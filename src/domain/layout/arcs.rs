//! Rows on arcs round one point: their common centre, found from the positions alone.
//!
//! The mean of a long arc lies far inside it, that of a short one on it. So rows on arcs are ordered and joined by
//! radius, never by their means.

use super::strands::Strand;
use super::vector::{Vector, count, mean, span};

/// No seat of a row on an arc lies further off it than this, in pitches.
const OFF_MAX: f64 = 0.35;

/// The zone's longest arc is bowed by at least this, in pitches; what is flatter is a straight row.
const BOW_MIN: f64 = 1.0;

/// A row as a part of a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) centre: Vector,
    pub(super) radius: f64,
    /// From the centre to the middle of the zone's rows.
    facing: Vector,
    /// Ends, in radians off the middle of the zone's arcs.
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Arc {
    /// On which side of the centre the zone lies along an axis: 1 or -1.
    pub(super) fn bows_to(&self, axis: Vector) -> f64 {
        if self.facing.dot(axis) < 0.0 { -1.0 } else { 1.0 }
    }
}

/// Notes for each row of a zone which part of a circle it is; for none where they have no centre in common.
pub(super) fn note(rows: &mut [Strand]) {
    let Some(centre) = centre(rows) else {
        return;
    };
    let middle = mean(rows.iter().map(|row| row.middle)).minus(centre);
    let facing = middle.times(1.0 / middle.length().max(1.0));
    let arcs: Vec<Option<Arc>> = rows.iter().map(|row| arc(row, centre, facing)).collect();
    let bow = rows.iter().zip(&arcs).filter_map(|(row, arc)| {
        let Arc { radius, from, until, .. } = arc.as_ref()?;
        Some(radius * (1.0 - ((until - from) / 2.0).cos()) / row.pitch)
    });
    let bow = bow.fold(0.0, f64::max);
    if bow < BOW_MIN || arcs.iter().any(Option::is_none) {
        return;
    }
    for (row, arc) in rows.iter_mut().zip(arcs) {
        row.arc = arc;
    }
}

/// The point from which every row has one distance, by least squares: for a seat p of a row, p * p - 2 c * p is the
/// same all along the row.
fn centre(rows: &[Strand]) -> Option<Vector> {
    let (mut xx, mut xy, mut yy, mut xq, mut yq) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let origin = mean(rows.iter().map(|row| row.middle));
    for row in rows {
        let offs: Vec<Vector> = row.seats.iter().map(|knot| knot.at.minus(origin)).collect();
        let middle = mean(offs.iter().copied());
        let square = offs.iter().map(|off| off.dot(*off)).sum::<f64>() / count(offs.len().max(1));
        for off in offs {
            let (way, more) = (off.minus(middle), off.dot(off) - square);
            xx += way.x * way.x;
            xy += way.x * way.y;
            yy += way.y * way.y;
            xq += way.x * more / 2.0;
            yq += way.y * more / 2.0;
        }
    }
    let determinant = xx * yy - xy * xy;
    (determinant.abs() > 1e-9 * (xx + yy) * (xx + yy))
        .then(|| origin.plus(Vector { x: (xq * yy - yq * xy) / determinant, y: (yq * xx - xq * xy) / determinant }))
}

fn arc(row: &Strand, centre: Vector, facing: Vector) -> Option<Arc> {
    let radii = row.seats.iter().map(|knot| knot.at.minus(centre).length());
    let (least, most) = span(radii);
    let angles = row.seats.iter().map(|knot| {
        let off = knot.at.minus(centre);
        (facing.x * off.y - facing.y * off.x).atan2(off.dot(facing))
    });
    let (from, until) = span(angles);
    (least > 0.0 && most - least <= 2.0 * OFF_MAX * row.pitch).then(|| Arc {
        centre,
        radius: f64::midpoint(least, most),
        facing,
        from,
        until,
    })
}
