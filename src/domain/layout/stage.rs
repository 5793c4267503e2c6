//! Position of the stage: in the house, for the best seats, and on the map, for drawing.

use std::collections::HashSet;

use crate::domain::plan::{Area, Plan, SeatKind};
use crate::domain::text;

use super::placing::Frame;
use super::vector::{Vector, count, span};

const WORDS: [&str; 20] = [
    "stage",
    "bühne",
    "buehne",
    "field",
    "arena",
    "pitch",
    "podium",
    "spielfeld",
    "scène",
    "scene",
    "escenario",
    "palcoscenico",
    "court",
    "screen",
    "leinwand",
    "manege",
    "ring",
    "rink",
    "catwalk",
    "dj",
];

/// The label of a stage that the plan does not name.
const STAGE: &str = "STAGE";

/// An all-around house has at least this part of its seats on each of the four sides.
const SIDE_MIN: f64 = 0.08;

/// And no seat within this part of its half extent around the middle.
const HOLLOW: f64 = 0.25;

/// The widest stage, in columns, where the plan gives no width.
const WIDTH_USUAL: i32 = 31;

/// Blank lines between a stage at the edge and the seats, and the stage's own.
const EDGE: i32 = 2;

pub(super) struct Sight {
    /// Middle, in hundredths of the plan's unit.
    pub(super) at: Vector,
    text: String,
    /// Width in the house, where an area gives one.
    width: f64,
}

/// The stage on the map; its text stands in the middle of its columns.
pub(super) struct StageSpot {
    pub(super) text: String,
    pub(super) column: i32,
    pub(super) line: i32,
    pub(super) width: i32,
}

/// Everything drawn so far, and its extent.
pub(super) struct Drawn {
    pub(super) cells: HashSet<(i32, i32)>,
    pub(super) columns: (i32, i32),
    pub(super) lines: (i32, i32),
}

/// Point of sight: an area that says so; the middle of a house all around; else in front of the first row,
/// by the distance `front`, which is also the least half extent of a house all around.
pub(super) fn sight(plan: &Plan, front: f64) -> Sight {
    let numbered = plan.seats().filter(|(_, seat)| seat.kind != SeatKind::Standing);
    let seats: Vec<Vector> = numbered.map(|(_, seat)| seat.at.into()).collect();
    let (left, right) = span(seats.iter().map(|at| at.x));
    let (top, bottom) = span(seats.iter().map(|at| at.y));
    let middle = Vector { x: f64::midpoint(left, right), y: f64::midpoint(top, bottom) };
    let half = Vector { x: (right - left) / 2.0, y: (bottom - top) / 2.0 };
    if let Some(area) = plan.areas.iter().find(|area| is_stage(area)) {
        return Sight { at: area.at.into(), text: text::clean(&area.text), width: 2.0 * f64::from(area.extent.x) };
    }
    let at = if half.x.min(half.y) > front && is_all_around(&seats, middle, half) {
        middle
    } else {
        Vector { x: middle.x, y: top - front }
    };
    Sight { at, text: STAGE.to_owned(), width: 0.0 }
}

fn is_stage(area: &Area) -> bool {
    let text = area.text.to_lowercase();
    text.split(|letter: char| !letter.is_alphanumeric()).any(|word| WORDS.contains(&word))
        || ["bühne", "stage"].iter().any(|word| text.contains(word))
}

/// Seats on all four sides of an empty middle.
fn is_all_around(seats: &[Vector], middle: Vector, half: Vector) -> bool {
    let (mut left, mut right, mut top, mut bottom) = (0, 0, 0, 0);
    for seat in seats {
        let off = Vector { x: (seat.x - middle.x) / half.x.max(1.0), y: (seat.y - middle.y) / half.y.max(1.0) };
        if off.x.abs().max(off.y.abs()) < HOLLOW {
            return false;
        }
        let side = match (off.x.abs() > off.y.abs(), off.x < 0.0, off.y < 0.0) {
            (true, true, _) => &mut left,
            (true, false, _) => &mut right,
            (false, _, true) => &mut top,
            (false, _, false) => &mut bottom,
        };
        *side += 1;
    }
    let least = left.min(right).min(top).min(bottom);
    count(least) >= SIDE_MIN * count(seats.len()).max(1.0)
}

/// A free place on the map for the stage, as near as can be to where it is; the line above everything is always free.
pub(super) fn spot(sight: Sight, frame: &Frame, drawn: &Drawn) -> StageSpot {
    let (column, line) = frame.cell(sight.at);
    let edges = (drawn.lines.0 - EDGE, drawn.lines.1 + EDGE - 1);
    let line = line.clamp(edges.0, edges.1);
    let extent = drawn.columns.1 - drawn.columns.0;
    let least = i32::try_from(text::width(&sight.text)).unwrap_or_default() + 2;
    // Odd in an odd house, even in an even one: so it can stand in the middle.
    let least = least + (extent - least).rem_euclid(2);
    let wanted = if sight.width > 1.0 { frame.columns(sight.width).min(extent) } else { (extent / 2).min(WIDTH_USUAL) };
    let wanted = wanted + (extent - wanted).rem_euclid(2);
    let wanted = wanted.max(least);
    let mut sizes = vec![(wanted, 1), (i32::midpoint(wanted, least), 1), (least, 1), (least, 0)];
    sizes.dedup();
    for (width, margin) in sizes {
        let left = centred(column, width, drawn.columns);
        let mut lines: Vec<i32> = (edges.0..=edges.1).collect();
        lines.sort_by_key(|candidate| (candidate - line).abs());
        let near = lines.into_iter().filter(|candidate| margin == 0 || (candidate - line).abs() <= extent.max(8) / 4);
        for candidate in near {
            if drawn.is_free((left - margin, left + width + margin), (candidate - margin, candidate + margin)) {
                return StageSpot { text: sight.text, column: left, line: candidate, width };
            }
        }
    }
    StageSpot { text: sight.text, column: centred(column, least, drawn.columns), line: edges.0, width: least }
}

/// The first column of a width around a column; exactly in the middle of the map when that is meant.
fn centred(column: i32, width: i32, (left, right): (i32, i32)) -> i32 {
    let doubled = left + right - 1;
    let middle = if (2 * column - doubled).abs() <= 3 { doubled } else { 2 * column };
    (middle - width + 1).div_euclid(2)
}

impl Drawn {
    fn is_free(&self, (left, right): (i32, i32), (top, bottom): (i32, i32)) -> bool {
        (top..=bottom).all(|line| (left..right).all(|column| !self.cells.contains(&(column, line))))
    }
}
