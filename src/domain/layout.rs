//! From a plan's geometry to a map of characters: blocks, lines, columns, the stage, and the way of the arrows.
//!
//! Rounding every position onto one grid makes seats collide and gaps look like aisles. So rows are joined to
//! blocks (`blocks`), each block is straightened in its own axes (`shape`), blocks stand where they are in the
//! house at the smallest scale at which none overlaps (`placing`), and arrows go from seat to seat (`moves`).
//! Nothing here reads a number or a label: houses count in every way there is. It never knows what is sold.
//!
//! # Invariants
//! - Every numbered seat of the plan has one place, and no two seats share a cell (up to 65,535 columns and lines).
//! - Every seat is reachable from every other by arrows.
//! - A label is never on a seat's cell.

use crate::domain::plan::{Plan, Point, SeatRef};

mod arcs;
mod blocks;
mod drawing;
mod lines;
mod moves;
mod placing;
mod rings;
mod shape;
mod stage;
mod strands;
mod tables;
mod vector;

#[cfg(test)]
pub(crate) mod tests;

use moves::{MapLine, Moves};
use shape::Shape;

/// A plan as a map of characters: one column a seat, one line a row.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Columns, at one column a seat; labels and stage included.
    pub width: u16,
    /// Lines; the stage included.
    pub height: u16,
    /// Every numbered seat's place, in chunk order.
    pub places: Vec<SeatPlace>,
    pub labels: Vec<RowLabel>,
    pub blocks: Vec<Block>,
    /// Stage; `None` only without seats.
    pub stage: Option<Stage>,
    /// The middle of the stage in the house, in the plan's positions.
    focus: Point,
    /// For each row of the plan, the position of its first seat in `places`; one more at the end.
    firsts: Vec<usize>,
    lines: Vec<MapLine>,
    moves: Vec<Moves>,
    runs: Vec<Vec<SeatRef>>,
    tables: Vec<Vec<SeatRef>>,
    spots: Vec<RowSpot>,
}

/// Position of a seat on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatPlace {
    pub seat: SeatRef,
    /// Column, at one column per seat.
    pub column: u16,
    pub line: u16,
    /// Index into [`Layout::blocks`].
    pub block: u16,
}

/// The name of a row, beside its first or last seat; above or below where the row runs down the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowLabel {
    /// A short text; at one column a seat each of its columns is one cell, and free.
    pub text: String,
    pub column: u16,
    pub line: u16,
}

/// Seats that stand together in the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Name of its zone, numbered where the zone has several blocks.
    pub name: String,
    pub zone: String,
    /// Column of the first seat; row labels are left of it.
    pub left: u16,
    pub top: u16,
    pub width: u16,
    pub height: u16,
    pub seats: u32,
}

/// The stage, which all seats face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub text: String,
    pub column: u16,
    pub line: u16,
    /// Columns, at least two more than the text needs.
    pub width: u16,
}

/// Direction of an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Position of a seat in its row.
#[derive(Clone, Copy, Debug, Default)]
struct RowSpot {
    /// Index into `runs`.
    run: usize,
    rank: usize,
    /// The first and last run of its row.
    row: (usize, usize),
}

impl Layout {
    /// The map of a plan. It never fails, whatever the positions are.
    pub fn new(plan: &Plan) -> Self {
        let strands = strands::strands(plan);
        let shapes: Vec<Shape> = blocks::joined(&strands)
            .into_iter()
            .map(|rows| {
                let rows: Vec<_> = rows.iter().filter_map(|row| strands.get(*row)).collect();
                shape::straighten(&rows)
            })
            .collect();
        let front = strands.first().map_or(0.0, |strand| 3.0 * strand.pitch);
        let sight = stage::sight(plan, front);
        let (origins, frame) = placing::place(&shapes, sight.at);
        let focus = Point { x: vector::round(sight.at.x), y: vector::round(sight.at.y) };
        let drawn = drawing::drawn(&shapes, &origins);
        let stage = (!shapes.is_empty()).then(|| stage::spot(sight, &frame, &drawn));
        let mut layout = Self {
            width: 0,
            height: 0,
            places: Vec::new(),
            labels: Vec::new(),
            blocks: Vec::new(),
            stage: None,
            focus,
            firsts: firsts(plan),
            lines: Vec::new(),
            moves: Vec::new(),
            runs: Vec::new(),
            tables: Vec::new(),
            spots: Vec::new(),
        };
        layout.draw(&shapes, &origins, (&drawn, stage));
        layout.name_blocks(plan, &shapes);
        layout.places.sort_by_key(|place| place.seat);
        layout.lines = moves::map_lines(&layout.places);
        layout.moves = moves::moves(&layout.lines, layout.places.len());
        layout.spots = vec![RowSpot::default(); layout.places.len()];
        for strip in shapes.into_iter().flat_map(|shape| shape.strips) {
            layout.add_strip(strip);
        }
        layout.tables = tables::tables(plan, &layout.runs);
        layout
    }

    /// First and last line with a seat.
    pub fn line_range(&self) -> Option<(u16, u16)> {
        Some((self.lines.first()?.number, self.lines.last()?.number))
    }

    /// Position of a seat; `None` outside the plan.
    pub fn place(&self, seat: SeatRef) -> Option<SeatPlace> {
        self.places.get(self.position(seat)?).copied()
    }

    /// The seat at a cell of the map.
    pub fn seat_at(&self, column: u16, line: u16) -> Option<SeatRef> {
        let at = self.lines.binary_search_by_key(&line, |line| line.number).ok()?;
        let stops = &self.lines.get(at)?.stops;
        let at = stops.binary_search_by_key(&column, |stop| stop.column).ok()?;
        stops.get(at).map(|stop| stop.seat)
    }

    /// Neighbour in a direction: along the line across aisles, else the nearest seat that way.
    pub fn neighbour(&self, seat: SeatRef, to: Direction) -> Option<SeatRef> {
        let next = self.moves.get(self.position(seat)?)?.to(to)?;
        self.places.get(next).map(|place| place.seat)
    }

    /// The seats to the left and right in the house (above and below where the row runs down the map), with no
    /// aisle between: at most 1.5 usual steps away.
    pub fn beside(&self, seat: SeatRef) -> [Option<SeatRef>; 2] {
        let Some((run, rank)) = self.in_run(seat) else {
            return [None, None];
        };
        [rank.checked_sub(1).and_then(|at| run.get(at)).copied(), run.get(rank + 1).copied()]
    }

    /// Every unbroken run of seats, each from left to right (from the top where rows run down the map).
    pub fn runs(&self) -> &[Vec<SeatRef>] {
        &self.runs
    }

    /// Seats at which a party sits together: every run, and the seats of every table as another one, back and forth.
    pub fn together(&self) -> impl Iterator<Item = &Vec<SeatRef>> {
        self.runs.iter().chain(&self.tables)
    }

    /// Number of seats between this one and the nearest aisle or end of the row.
    pub fn to_aisle(&self, seat: SeatRef) -> u32 {
        self.in_run(seat).map_or(0, |(run, rank)| {
            let nearest = rank.min(run.len() - 1 - rank);
            u32::try_from(nearest).unwrap_or(u32::MAX)
        })
    }

    /// The first (`Left`, `Up`) or last (`Right`, `Down`) seat of this seat's row, across aisles.
    pub fn edge(&self, seat: SeatRef, to: Direction) -> Option<SeatRef> {
        let (first, last) = self.spots.get(self.position(seat)?)?.row;
        match to {
            Direction::Left | Direction::Up => self.runs.get(first)?.first().copied(),
            Direction::Right | Direction::Down => self.runs.get(last)?.last().copied(),
        }
    }

    /// The runs of this seat's row, across aisles.
    pub fn row(&self, seat: SeatRef) -> &[Vec<SeatRef>] {
        let spot = self.position(seat).and_then(|at| self.spots.get(at));
        spot.and_then(|spot| self.runs.get(spot.row.0..=spot.row.1)).unwrap_or_default()
    }

    /// The middle of the stage, in the plan's positions: what every seat looks at.
    pub fn focus(&self) -> Point {
        self.focus
    }

    /// The position of a seat in [`Layout::places`], which is its position in [`Plan::seats`].
    pub fn position(&self, seat: SeatRef) -> Option<usize> {
        let row = usize::try_from(seat.row).ok()?;
        let position = self.firsts.get(row)? + usize::try_from(seat.seat).ok()?;
        (position < *self.firsts.get(row + 1)?).then_some(position)
    }

    fn in_run(&self, seat: SeatRef) -> Option<(&[SeatRef], usize)> {
        let spot = self.spots.get(self.position(seat)?)?;
        let run = self.runs.get(spot.run)?;
        Some((run, spot.rank))
    }
}

/// For each row the number of seats before it, and the number of all.
fn firsts(plan: &Plan) -> Vec<usize> {
    let mut seats = 0;
    let mut firsts = vec![0];
    for (_, _, row) in plan.rows().filter(|(_, _, row)| !row.is_standing()) {
        seats += row.seats.len();
        firsts.push(seats);
    }
    firsts
}
