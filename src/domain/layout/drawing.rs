//! Straightened and placed blocks put together to one map.

use std::collections::HashSet;

use crate::domain::plan::Plan;

use super::shape::{Shape, Strip, columns};
use super::stage::{self, Drawn};
use super::{Block, Layout, RowLabel, RowSpot, SeatPlace, Stage};

impl Layout {
    /// Puts seats, labels, blocks and stage on one grid that starts at 0.
    pub(super) fn draw(
        &mut self,
        shapes: &[Shape],
        origins: &[(i32, i32)],
        (drawn, stage): (&Drawn, Option<stage::StageSpot>),
    ) {
        let stage_cells = stage.as_ref().map(|stage| (stage.column, stage.line));
        let (column, line) = stage_cells.unwrap_or((drawn.columns.0, drawn.lines.0));
        let (left, top) = (drawn.columns.0.min(column), drawn.lines.0.min(line));
        let stage_end = stage.as_ref().map_or(0, |stage| stage.column + stage.width);
        self.width = cell(drawn.columns.1.max(stage_end) - left);
        self.height = cell(drawn.lines.1.max(line + 1) - top);
        self.stage = stage.map(|stage| Stage {
            text: stage.text,
            column: cell(stage.column - left),
            line: cell(stage.line - top),
            width: cell(stage.width),
        });
        for ((shape, origin), block) in shapes.iter().zip(origins).zip(0u16..) {
            let (column, line) = (origin.0 - left, origin.1 - top);
            self.places.extend(shape.seats.iter().map(|at| SeatPlace {
                seat: at.what,
                column: cell(column + at.column),
                line: cell(line + at.line),
                block,
            }));
            self.labels.extend(shape.labels.iter().map(|at| RowLabel {
                text: at.what.clone(),
                column: cell(column + at.column),
                line: cell(line + at.line),
            }));
            self.blocks.push(Block {
                name: String::new(),
                zone: String::new(),
                left: cell(column),
                top: cell(line),
                width: cell(shape.width),
                height: cell(shape.height),
                seats: u32::try_from(shape.seats.len()).unwrap_or(u32::MAX),
            });
        }
    }

    /// Names each block after its zone, with a number if the zone has several blocks.
    pub(super) fn name_blocks(&mut self, plan: &Plan, shapes: &[Shape]) {
        let mut number_of = vec![0; plan.zones.len()];
        for (block, shape) in self.blocks.iter_mut().zip(shapes) {
            let Some(zone) = plan.zones.get(shape.zone) else {
                continue;
            };
            block.zone.clone_from(&zone.name);
            let alone = shapes.iter().filter(|other| other.zone == shape.zone).count() == 1;
            let number = number_of.get_mut(shape.zone).map_or(0, |number| {
                *number += 1;
                *number
            });
            block.name = if alone { zone.name.clone() } else { format!("{} {number}", zone.name) };
        }
    }

    /// Adds the seat runs of one row, and the position of each seat in them.
    pub(super) fn add_strip(&mut self, strip: Strip) {
        let first = self.runs.len();
        let last = first + strip.len().saturating_sub(1);
        for (run, seats) in (first..).zip(strip) {
            for (rank, seat) in seats.iter().enumerate() {
                let position = self.position(*seat);
                if let Some(spot) = position.and_then(|at| self.spots.get_mut(at)) {
                    *spot = RowSpot { run, rank, row: (first, last) };
                }
            }
            self.runs.push(seats);
        }
    }
}

/// Every cell that a seat or a label takes.
pub(super) fn drawn(shapes: &[Shape], origins: &[(i32, i32)]) -> Drawn {
    let mut cells = HashSet::new();
    for (shape, (column, line)) in shapes.iter().zip(origins) {
        cells.extend(shape.seats.iter().map(|at| (column + at.column, line + at.line)));
        for label in &shape.labels {
            let from = column + label.column;
            let until = from + columns(&label.what);
            cells.extend((from..until).map(|column| (column, line + label.line)));
        }
    }
    let columns = cells.iter().map(|(column, _)| *column);
    let lines = cells.iter().map(|(_, line)| *line);
    Drawn { columns: extent(columns), lines: extent(lines), cells }
}

/// Half-open extent: minimum, and maximum plus one; (0, 0) without cells.
fn extent(cells: impl Iterator<Item = i32> + Clone) -> (i32, i32) {
    let last = cells.clone().max().map_or(0, |last| last + 1);
    (cells.min().unwrap_or_default(), last)
}

/// Coordinate clamped to the range of `u16`.
fn cell(at: i32) -> u16 {
    u16::try_from(at.max(0)).unwrap_or(u16::MAX)
}
