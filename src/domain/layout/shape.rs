//! A block straightened in its own axes: lines by rank across, columns by distance along, aisles kept open.

use crate::domain::plan::SeatRef;
use crate::domain::text;

use super::lines::{AISLE_MIN, AisleRun, Axes, Laid, RowsLine, axes, lay, lines};
use super::strands::Strand;
use super::vector::{Vector, count, median, round, span};

/// The most columns a row's label takes; longer ones keep their last word.
const LABEL_WIDTH_MAX: usize = 4;

/// Cells from `left` to before `right` and from `top` to before `bottom`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// Something at a cell of the block's own grid, whose first seat column and line are 0.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) what: T,
    pub(super) column: i32,
    pub(super) line: i32,
}

/// Rows of one label that follow one another on one line, cut into runs by aisles.
pub(super) type Strip = Vec<Vec<SeatRef>>;

#[derive(Debug)]
pub(super) struct Shape {
    pub(super) zone: usize,
    pub(super) seats: Vec<At<SeatRef>>,
    pub(super) labels: Vec<At<String>>,
    pub(super) strips: Vec<Strip>,
    /// Everything, labels included.
    pub(super) outer: Rect,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) centre: Vector,
    /// Size of its column and line in the house.
    pub(super) unit: Vector,
    /// True if rows run across the map, false if down.
    upright: bool,
}

pub(super) fn straighten(strands: &[&Strand]) -> Shape {
    let axes = axes(strands);
    let (lines, line_step) = lines(lay(strands, axes));
    let pitch = usual_pitch(strands);
    let base = span(lines.iter().flat_map(|line| &line.rows).map(Laid::from)).0;
    let mut shape = Shape {
        zone: strands.first().map_or(0, |strand| strand.zone),
        seats: Vec::new(),
        labels: Vec::new(),
        strips: Vec::new(),
        outer: Rect::default(),
        width: 0,
        height: 0,
        centre: centre(strands, axes),
        unit: axes.turned(pitch, line_step.unwrap_or(pitch)),
        upright: axes.upright,
    };
    for line in &lines {
        shape.add_line(line, base, pitch);
    }
    shape.settle();
    shape
}

/// The middle of the block's own frame, in the house.
fn centre(strands: &[&Strand], axes: Axes) -> Vector {
    let middle = |axis: Vector| {
        let seats = strands.iter().flat_map(|strand| &strand.seats);
        let (least, most) = span(seats.map(|knot| knot.at.dot(axis)));
        axis.times(f64::midpoint(least, most))
    };
    middle(axes.along).plus(middle(axes.across))
}

fn usual_pitch(strands: &[&Strand]) -> f64 {
    let steps = strands
        .iter()
        .flat_map(|strand| strand.steps().filter(|step| *step > 1.0 && *step <= AISLE_MIN * strand.pitch));
    median(steps.collect()).or_else(|| strands.first().map(|strand| strand.pitch)).unwrap_or(1.0)
}

impl Shape {
    /// Adds one line: each run of seats as a whole at its distance, at least a column after the run before, and
    /// row labels at both ends of each strip. Columns run along the row here, lines across it.
    fn add_line(&mut self, line: &RowsLine, base: f64, pitch: f64) {
        let mut strips: Vec<(&Strand, Strip, (i32, i32))> = Vec::new();
        let mut end: Option<i32> = None;
        for run in line.runs() {
            let least = end.map_or(i32::MIN, |end| end + i32::from(run.after_aisle));
            let first = column_of(&run, base, pitch).max(least);
            let next = first + i32::try_from(run.seats.len()).unwrap_or(i32::MAX);
            self.add_seats(&run, first, line.number);
            let names: Vec<SeatRef> = run.seats.iter().map(|(knot, _)| knot.seat).collect();
            match strips.last_mut() {
                Some((strand, strip, (_, end))) if strand.continues_in(run.strand) => {
                    match strip.last_mut().filter(|_| !run.after_aisle) {
                        Some(before) => before.extend(names),
                        None => strip.push(names),
                    }
                    *end = next;
                }
                _ => strips.push((run.strand, vec![names], (first, next))),
            }
            end = Some(next);
        }
        self.add_labels(&strips, line.number);
        self.strips.extend(strips.into_iter().map(|(_, strip, _)| strip));
    }

    fn add_seats(&mut self, run: &AisleRun, first: i32, line: i32) {
        let seats = run.seats.iter().zip(first..);
        self.seats.extend(seats.map(|((knot, _), column)| At { what: knot.seat, column, line }));
    }

    /// A label goes where it meets neither a seat nor another label, with a blank before the next strip.
    fn add_labels(&mut self, strips: &[(&Strand, Strip, (i32, i32))], line: i32) {
        let mut taken_until = i32::MIN;
        let starts = strips.iter().skip(1).map(|(_, _, (from, _))| *from);
        let next_starts = starts.chain(std::iter::once(i32::MAX));
        for ((strand, _, (from, until)), next_start) in strips.iter().zip(next_starts) {
            let label = short_label(&strand.label);
            // Down the map a word is one cell long, however wide.
            let width = if self.upright { columns(&label) } else { columns(&label).min(1) };
            if width == 0 {
                taken_until = *until;
                continue;
            }
            if from - width >= taken_until {
                self.labels.push(At { what: label.clone(), column: from - width, line });
            }
            taken_until = *until;
            if until.saturating_add(width) <= next_start {
                self.labels.push(At { what: label, column: *until, line });
                taken_until = until + width;
            }
        }
    }

    /// Turns rows down the map where the block asks for it, and starts the grid at its first seat.
    fn settle(&mut self) {
        if !self.upright {
            for seat in &mut self.seats {
                (seat.column, seat.line) = (seat.line, seat.column);
            }
            for label in &mut self.labels {
                (label.column, label.line) = (label.line, label.column);
            }
        }
        let left = self.seats.iter().map(|seat| seat.column).min();
        let top = self.seats.iter().map(|seat| seat.line).min();
        let (left, top) = (left.unwrap_or_default(), top.unwrap_or_default());
        for seat in &mut self.seats {
            seat.column -= left;
            seat.line -= top;
            self.width = self.width.max(seat.column + 1);
            self.height = self.height.max(seat.line + 1);
        }
        self.outer = Rect { left: 0, top: 0, right: self.width, bottom: self.height };
        for label in &mut self.labels {
            label.column -= left;
            label.line -= top;
            let width = columns(&label.what);
            self.outer.left = self.outer.left.min(label.column);
            self.outer.right = self.outer.right.max(label.column + width);
            self.outer.top = self.outer.top.min(label.line);
            self.outer.bottom = self.outer.bottom.max(label.line + 1);
        }
    }
}

/// Column of a run's first seat that keeps the middle of the run in its place.
fn column_of(run: &AisleRun, base: f64, pitch: f64) -> i32 {
    let (from, until) = span(run.seats.iter().map(|(_, along)| *along));
    let half = count(run.seats.len().saturating_sub(1)) / 2.0;
    round((f64::midpoint(from, until) - base) / pitch - half)
}

/// The columns a label takes.
pub(super) fn columns(label: &str) -> i32 {
    i32::try_from(text::width(label)).unwrap_or_default()
}

/// A label that fits beside its row: whole, else its last word (`Box 12` is `12`), else cut.
fn short_label(label: &str) -> String {
    if text::width(label) <= LABEL_WIDTH_MAX {
        return label.to_owned();
    }
    text::fit(label.split_whitespace().last().unwrap_or_default(), LABEL_WIDTH_MAX)
}
