//! Position of each straightened block on the map: as in the house, at the smallest scale at which no two
//! blocks overlap, with long empty stretches shortened.

use super::shape::{Rect, Shape};
use super::vector::{Vector, median, round, span};

/// Cells kept free between two blocks.
const BETWEEN: i32 = 1;

/// Largest scale; blocks that overlap even then lie on one another, and one is moved away.
const SCALE_MAX: f64 = 3.0;

/// Steps and factor by which the scale grows while blocks rounded to cells overlap.
const GROWTHS_MAX: usize = 20;
const GROWTH: f64 = 1.03;

/// The longest empty stretch that stays, in columns and in lines.
const EMPTY_COLUMNS_MAX: i32 = 3;
const EMPTY_LINES_MAX: i32 = 2;

/// The way from the house's geometry to the cells of the map.
pub(super) struct Frame {
    unit: Vector,
    scale: f64,
    columns: Shortening,
    lines: Shortening,
}

impl Rect {
    /// Returns whether two are nearer than the cells kept between blocks.
    fn crowds(self, other: Self) -> bool {
        self.left < other.right + BETWEEN
            && other.left < self.right + BETWEEN
            && self.top < other.bottom + BETWEEN
            && other.top < self.bottom + BETWEEN
    }

    fn moved(self, columns: i32, lines: i32) -> Self {
        Self {
            left: self.left + columns,
            top: self.top + lines,
            right: self.right + columns,
            bottom: self.bottom + lines,
        }
    }
}

/// The cell of each shape's own origin, and the frame they stand in; a stage between them keeps its lines.
pub(super) fn place(shapes: &[Shape], stage: Vector) -> (Vec<(i32, i32)>, Frame) {
    let mut frame =
        Frame { unit: unit(shapes), scale: 1.0, columns: Shortening::default(), lines: Shortening::default() };
    frame.scale = smallest_scale(shapes, frame.unit);
    let mut origins = frame.origins(shapes);
    for _ in 0..GROWTHS_MAX {
        if !any_crowded(&rects(shapes, &origins)) {
            break;
        }
        frame.scale *= GROWTH;
        origins = frame.origins(shapes);
    }
    part(shapes, &mut origins);
    let placed = rects(shapes, &origins);
    frame.columns = Shortening::new(placed.iter().map(|rect| (rect.left, rect.right)).collect(), EMPTY_COLUMNS_MAX);
    let mut lines: Vec<(i32, i32)> = placed.iter().map(|rect| (rect.top, rect.bottom)).collect();
    let (_, line) = frame.cell(stage);
    let is_above = placed.iter().any(|rect| rect.bottom <= line);
    if is_above && placed.iter().any(|rect| rect.top > line) {
        lines.push((line - 1, line + 2));
    }
    frame.lines = Shortening::new(lines, EMPTY_LINES_MAX);
    for (shape, origin) in shapes.iter().zip(&mut origins) {
        let outer = (origin.0 + shape.outer.left, origin.1 + shape.outer.top);
        origin.0 += frame.columns.apply(outer.0) - outer.0;
        origin.1 += frame.lines.apply(outer.1) - outer.1;
    }
    (origins, frame)
}

impl Frame {
    /// The cell at which a place of the house is drawn.
    pub(super) fn cell(&self, at: Vector) -> (i32, i32) {
        (
            self.columns.apply(round(at.x / self.unit.x * self.scale)),
            self.lines.apply(round(at.y / self.unit.y * self.scale)),
        )
    }

    /// Number of columns for a width of the house.
    pub(super) fn columns(&self, width: f64) -> i32 {
        round(width / self.unit.x * self.scale)
    }

    fn origins(&self, shapes: &[Shape]) -> Vec<(i32, i32)> {
        shapes
            .iter()
            .map(|shape| {
                (
                    origin(shape.centre.x / self.unit.x * self.scale, shape.width),
                    origin(shape.centre.y / self.unit.y * self.scale, shape.height),
                )
            })
            .collect()
    }
}

/// The first cell of a length whose middle stands at `centre`.
fn origin(centre: f64, length: i32) -> i32 {
    round(centre - f64::from(length - 1) / 2.0)
}

/// Usual size of a column and a line in the house.
fn unit(shapes: &[Shape]) -> Vector {
    let of = |length: fn(&Shape) -> f64| median(shapes.iter().map(length).collect()).unwrap_or(1.0).max(1.0);
    Vector { x: of(|shape| shape.unit.x), y: of(|shape| shape.unit.y) }
}

/// Smallest scale of the centres at which no two blocks overlap; blocks that lie on one another do not count.
fn smallest_scale(shapes: &[Shape], unit: Vector) -> f64 {
    let mut scale: f64 = 0.0;
    for (index, one) in shapes.iter().enumerate() {
        for other in shapes.iter().skip(index + 1) {
            let off = other.centre.minus(one.centre);
            let wide = outer_width(one) + outer_width(other);
            let high = outer_height(one) + outer_height(other);
            let needed = f64::min(
                (f64::from(wide) / 2.0 + f64::from(BETWEEN)) / (off.x / unit.x).abs(),
                (f64::from(high) / 2.0 + f64::from(BETWEEN)) / (off.y / unit.y).abs(),
            );
            if needed <= SCALE_MAX {
                scale = scale.max(needed);
            }
        }
    }
    if scale > 0.0 { scale } else { 1.0 }
}

fn outer_width(shape: &Shape) -> i32 {
    shape.outer.right - shape.outer.left
}

fn outer_height(shape: &Shape) -> i32 {
    shape.outer.bottom - shape.outer.top
}

fn rects(shapes: &[Shape], origins: &[(i32, i32)]) -> Vec<Rect> {
    shapes.iter().zip(origins).map(|(shape, (column, line))| shape.outer.moved(*column, *line)).collect()
}

fn any_crowded(rects: &[Rect]) -> bool {
    rects.iter().enumerate().any(|(index, one)| rects.iter().skip(index + 1).any(|other| one.crowds(*other)))
}

/// Moves a block that overlaps an earlier one away from the centre of the house.
fn part(shapes: &[Shape], origins: &mut [(i32, i32)]) {
    let placed = rects(shapes, origins);
    let (left, right) = span(placed.iter().map(|rect| f64::from(rect.left + rect.right)));
    let (top, bottom) = span(placed.iter().map(|rect| f64::from(rect.top + rect.bottom)));
    let mut standing: Vec<Rect> = Vec::new();
    for (mut rect, origin) in placed.into_iter().zip(origins) {
        let off = Vector {
            x: f64::from(rect.left + rect.right) - f64::midpoint(left, right),
            y: f64::from(rect.top + rect.bottom) - f64::midpoint(top, bottom),
        };
        let sideways = off.x.abs() * (bottom - top) > off.y.abs() * (right - left);
        while let Some(other) = standing.iter().find(|other| other.crowds(rect)) {
            let (columns, lines) = if sideways && off.x < 0.0 {
                (other.left - BETWEEN - rect.right, 0)
            } else if sideways {
                (other.right + BETWEEN - rect.left, 0)
            } else if off.y < 0.0 {
                (0, other.top - BETWEEN - rect.bottom)
            } else {
                (0, other.bottom + BETWEEN - rect.top)
            };
            rect = rect.moved(columns, lines);
            origin.0 += columns;
            origin.1 += lines;
        }
        standing.push(rect);
    }
}

/// A coordinate with its long empty stretches shortened.
#[derive(Default)]
struct Shortening {
    /// Start coordinate and number of removed cells from there on, ascending.
    cuts: Vec<(i32, i32)>,
}

impl Shortening {
    fn new(mut taken: Vec<(i32, i32)>, empty_max: i32) -> Self {
        taken.sort_unstable();
        let mut cuts = Vec::new();
        let mut removed = 0;
        let mut end: Option<i32> = None;
        for (from, until) in taken {
            let empty = from - end.unwrap_or(from);
            if empty > empty_max {
                removed += empty - empty_max;
                cuts.push((from, removed));
            }
            end = Some(end.map_or(until, |end| end.max(until)));
        }
        Self { cuts }
    }

    fn apply(&self, at: i32) -> i32 {
        let passed = self.cuts.partition_point(|(from, _)| *from <= at);
        let removed = passed.checked_sub(1).and_then(|index| self.cuts.get(index)).map_or(0, |(_, removed)| *removed);
        // Inside a stretch that is cut, nothing lies beyond its end.
        self.cuts.get(passed).map_or(at - removed, |(from, then)| (at - removed).min(from - then))
    }
}
