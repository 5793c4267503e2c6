//! Cells of the seats on a map with a square for each: the layout's blocks, moved together where room is short.

use ratatui::layout::Rect;

use crate::domain::layout::{Block, SeatPlace};
use crate::domain::text::width;
use crate::tui::kit::canvas::cells;
use crate::tui::widgets::seat_map::chart::{Chart, Spare, label_width};
use crate::tui::widgets::seat_map::zoom::MapZoom;

/// Columns kept free between blocks that are moved together.
const BETWEEN: i32 = 2;

/// Cells of a map by block and line.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    /// Columns and lines a seat.
    pub(super) step: (u16, u16),
    /// Place of each block; none of a zone without room.
    pub(super) spots: Vec<Option<BlockSpot>>,
    /// Line of the map for each line of the layout, where seats are squares; none of one that is left out.
    pub(super) lines: Vec<Option<u16>>,
    /// Column, line and width of the stage; none where it stands elsewhere.
    pub(super) stage: Option<(u16, u16, u16)>,
    /// Columns and lines.
    pub(super) size: (u16, u16),
}

/// Place of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockSpot {
    /// Column of its first seats.
    pub(super) left: u16,
    /// For a folded block, the half line of its first row.
    pub(super) half: Option<u16>,
}

impl Grid {
    /// Cells of a house at a zoom, with lines left out and blocks moved to the middle as far as an area asks for.
    pub(super) fn new(chart: &Chart, zoom: MapZoom, area: Rect) -> Self {
        let layout = chart.layout();
        let (step, rise) = zoom.step();
        let room = area.height / rise;
        let (kept, height) = kept_lines(&chart.spare, room);
        let mut line = 0;
        let mut lines = Vec::with_capacity(kept.len());
        for kept in kept {
            lines.push(kept.then_some(line));
            line += if kept { rise } else { 0 };
        }
        let sides = outer_columns(chart, step);
        let shifts = shifts(chart, &sides, area.width);
        let lefts: Vec<i32> = layout
            .blocks
            .iter()
            .zip(&shifts)
            .map(|(block, shift)| i32::from(block.left) * i32::from(step) + shift)
            .collect();
        let ends = sides.iter().zip(&shifts).map(|((from, until), shift)| (from + shift, until + shift));
        let first = ends.clone().map(|(from, _)| from).min().unwrap_or_default();
        let last = ends.map(|(_, until)| until).max().unwrap_or_default();
        let stage = layout.stage.as_ref().and_then(|stage| {
            let line = lines.get(usize::from(stage.line)).copied().flatten()?;
            let width = (i32::from(stage.width) * i32::from(step)).min(last - first);
            let middle = i32::from(stage.column * 2 + stage.width) * i32::from(step) / 2 - first;
            let from = (middle - width / 2).clamp(0, (last - first - width).max(0));
            Some((unsigned(from), line, unsigned(width)))
        });
        let spots = lefts.into_iter().map(|left| Some(BlockSpot { left: unsigned(left - first), half: None }));
        Self {
            step: (step, rise),
            spots: spots.collect(),
            lines,
            stage,
            size: (unsigned(last - first), height.saturating_mul(rise)),
        }
    }

    /// Place of the block of a seat.
    pub(super) fn spot(&self, place: SeatPlace) -> Option<BlockSpot> {
        self.spots.get(usize::from(place.block)).copied().flatten()
    }

    /// First cell of a seat in squares, given its block.
    pub(super) fn cell(&self, place: SeatPlace, (spot, block): (BlockSpot, &Block)) -> (u16, u16) {
        let column = spot.left.saturating_add((place.column - block.left).saturating_mul(self.step.0));
        (column, self.line(place.line).unwrap_or_default())
    }

    /// Line of the map for a line of the layout; none of one that is left out.
    pub(super) fn line(&self, line: u16) -> Option<u16> {
        self.lines.get(usize::from(line)).copied().flatten()
    }

    /// Labels of the rows in squares, each with its first column, its line and its index.
    pub(super) fn labels<'a>(&'a self, chart: &'a Chart) -> impl Iterator<Item = (u16, u16, usize)> + 'a {
        let layout = chart.layout();
        let labels = layout.labels.iter().zip(&chart.owners).enumerate();
        labels.filter_map(move |(index, (label, owner))| {
            let spot = self.spots.get(owner.block).copied().flatten().filter(|spot| spot.half.is_none())?;
            let block = layout.blocks.get(owner.block)?;
            let from = label_column((label.column, label_width(label)), block.left, (self.step.0, owner.is_left));
            Some((unsigned(i32::from(spot.left) + from), self.line(label.line)?, index))
        })
    }
}

/// Columns from a block's first seats to a label, which at the left stands a blank before its row.
fn label_column((column, width): (u16, u16), left: u16, (step, is_left): (u16, bool)) -> i32 {
    let [column, width, left, step] = [column, width, left, step].map(i32::from);
    if is_left { (column + width - left) * step - width - 1 } else { (column - left) * step }
}

/// First and last column of each block with its labels, at a number of columns a seat.
pub(super) fn outer_columns(chart: &Chart, step: u16) -> Vec<(i32, i32)> {
    let layout = chart.layout();
    let seats = |block: &Block| {
        let [left, width, step] = [block.left, block.width, step].map(i32::from);
        (left * step, (left + width) * step)
    };
    let mut sides: Vec<(i32, i32)> = layout.blocks.iter().map(seats).collect();
    for (label, owner) in layout.labels.iter().zip(&chart.owners) {
        let block = layout.blocks.get(owner.block);
        if let Some((block, side)) = block.zip(sides.get_mut(owner.block)) {
            let from = label_column((label.column, label_width(label)), block.left, (step, owner.is_left));
            let from = i32::from(block.left) * i32::from(step) + from;
            side.0 = side.0.min(from);
            side.1 = side.1.max(from + i32::from(cells(width(&label.text))));
        }
    }
    sides
}

/// Lines that stay, and their count: the first to go first, until they fit.
fn kept_lines(spare: &[Spare], room: u16) -> (Vec<bool>, u16) {
    let mut kept = vec![true; spare.len()];
    let mut excess = spare.len().saturating_sub(usize::from(room));
    for worth in [Spare::SecondBlank, Spare::Labels, Spare::Stage, Spare::Blank, Spare::Aisle] {
        // the stage goes with its blanks: it is named above the map then
        let mut whole = worth == Spare::Stage && excess > 0;
        for (kept, own) in kept.iter_mut().zip(spare).rev() {
            if *own == worth && (excess > 0 || whole) {
                *kept = false;
                excess = excess.saturating_sub(1);
                whole = worth == Spare::Stage;
            }
        }
    }
    let count = cells(kept.iter().filter(|kept| **kept).count());
    if count > room { (vec![true; spare.len()], cells(spare.len())) } else { (kept, count) }
}

/// Columns that each block moves to the middle, given the sides of all, so that the house fits a width.
fn shifts(chart: &Chart, sides: &[(i32, i32)], room: u16) -> Vec<i32> {
    let blocks = &chart.layout().blocks;
    let mut shifts = vec![0; blocks.len()];
    let first = sides.iter().map(|side| side.0).min().unwrap_or_default();
    let last = sides.iter().map(|side| side.1).max().unwrap_or_default();
    let excess = last - first - i32::from(room);
    if excess <= 0 {
        return shifts;
    }
    let middle = i32::midpoint(first, last);
    for (to_right, most) in [(true, (excess + 1) / 2), (false, excess / 2)] {
        // mirrored at the right, so that both sides are one
        let mirror = |(from, until): (i32, i32)| if to_right { (from, until) } else { (-until, -from) };
        let middle = if to_right { middle } else { -middle };
        let sides: Vec<(i32, i32)> = sides.iter().map(|side| mirror(*side)).collect();
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(sides.get(*at).map(|side| side.1)));
        let mut moved: Vec<(usize, i32)> = Vec::new();
        for at in order {
            let (Some(block), Some(side)) = (blocks.get(at), sides.get(at)) else { continue };
            let is_beside =
                |other: &Block| block.top <= other.top + other.height && other.top <= block.top + block.height;
            let others = blocks.iter().zip(&sides).enumerate();
            let others = others.filter(|(index, (other, of))| *index != at && is_beside(other) && of.0 >= side.1);
            let room = others.map(|(index, (_, of))| {
                let shift = moved.iter().find(|(moved, _)| *moved == index).map_or(0, |(_, shift)| *shift);
                of.0 + shift - side.1 - BETWEEN
            });
            let room = room.min().unwrap_or(0);
            if side.1 <= middle && room > 0 {
                moved.push((at, room.min(most)));
            }
        }
        for (at, shift) in moved {
            if let Some(own) = shifts.get_mut(at) {
                *own = if to_right { shift } else { -shift };
            }
        }
    }
    shifts
}

/// A coordinate as a size on the screen.
pub(super) fn unsigned(at: i32) -> u16 {
    u16::try_from(at.max(0)).unwrap_or(u16::MAX)
}
