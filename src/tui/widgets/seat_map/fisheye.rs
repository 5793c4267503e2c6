//! The map with squares in the zone of the cursor and half blocks in all others, which stay where they are in the house.
//!
//! Blocks beside the cursor's zone form a band with it, from left to right; the others are above and below it.

use std::ops::Range;

use ratatui::layout::Rect;

use crate::domain::layout::Block;
use crate::domain::plan::SeatRef;
use crate::tui::widgets::seat_map::chart::{Chart, Spare};
use crate::tui::widgets::seat_map::grid::{BlockSpot, Grid, outer_columns, unsigned};

/// Columns a seat in squares.
const STEP: u16 = 2;

/// Half lines of a line.
const HALVES: u16 = 2;

/// Cells of a house with the cursor's zone in squares; none where that zone, or the lines of all, do not fit.
pub(super) fn grid(chart: &Chart, cursor: Option<SeatRef>, area: Rect) -> Option<Grid> {
    let layout = chart.layout();
    let here = cursor.and_then(|seat| layout.place(seat)).or_else(|| layout.places.first().copied())?;
    let own = layout.blocks.get(usize::from(here.block))?;
    let is_open = |block: &Block| block.zone == own.zone && is_beside(block, own);
    // roomy with blanks where they fit
    let ways = [
        (Titles::All, true),
        (Titles::All, false),
        (Titles::Between, false),
        (Titles::None, true),
        (Titles::None, false),
    ];
    ways.into_iter().find_map(|(titles, has_aisles)| {
        let stack = Stack { chart, titles, has_aisles, open: layout.blocks.iter().map(is_open).collect() };
        stack.grid(own, area)
    })
}

/// True for blocks that share a line.
fn is_beside(one: &Block, other: &Block) -> bool {
    one.top < other.top + other.height && other.top < one.top + one.height
}

/// Zones with a line for their name above them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Titles {
    All,
    /// Those below another folded zone.
    Between,
    None,
}

/// Ways to set blocks one above the other.
struct Stack<'a> {
    chart: &'a Chart,
    titles: Titles,
    /// True if blank lines between the open rows stay.
    has_aisles: bool,
    /// For each block, true if its seats are squares.
    open: Vec<bool>,
}

impl Stack<'_> {
    fn grid(&self, own: &Block, area: Rect) -> Option<Grid> {
        let blocks = &self.chart.layout().blocks;
        let (mut top, mut bottom) = (own.top, own.top + own.height);
        // blocks beside a block beside it are beside it too
        while let Some(more) = blocks.iter().find(|block| {
            block.top < bottom
                && top < block.top + block.height
                && (block.top < top || block.top + block.height > bottom)
        }) {
            (top, bottom) = (top.min(more.top), bottom.max(more.top + more.height));
        }
        let mut grid = Grid { step: (STEP, 1), spots: vec![None; blocks.len()], ..Grid::default() };
        let below_above = self.folded(&mut grid, area, (|block: &Block| block.top < top, 0));
        let from = below_above.div_ceil(HALVES);
        let until = self.band(&mut grid, area, (top..bottom, from))?;
        let end = self.folded(&mut grid, area, (|block: &Block| block.top >= bottom, until * HALVES));
        grid.size = (area.width, end.div_ceil(HALVES));
        (grid.size.1 <= area.height).then_some(grid)
    }

    /// Number of lines with seats before a line of the layout.
    fn rank(&self, line: u16) -> u16 {
        let ranks = &self.chart.ranks;
        ranks.get(usize::from(line)).copied().unwrap_or_else(|| ranks.last().map_or(0, |last| last + 1))
    }

    /// Sets the folded blocks above or below the band, from a half line on, in the middle of the area; returns the first
    /// half line after them.
    fn folded(&self, grid: &mut Grid, area: Rect, (is_here, from): (impl Fn(&Block) -> bool, u16)) -> u16 {
        let layout = self.chart.layout();
        let here = layout.blocks.iter().enumerate().filter(|(_, block)| is_here(block));
        let mut here: Vec<(usize, &Block)> = here.collect();
        here.sort_by_key(|(_, block)| block.top);
        let mut end = from;
        let mut row: Option<(u16, u16)> = None;
        for (index, block) in here {
            // blocks that begin beside one another stand on the same half lines
            let half = match row {
                Some((top, half)) if self.rank(block.top) < self.rank(top) + (end - half) => {
                    half + self.rank(block.top) - self.rank(top)
                }
                Some(_) | None => {
                    let has_title = self.titles == Titles::All || self.titles == Titles::Between && end > from;
                    let title = if has_title { HALVES } else { 0 };
                    let half = end.next_multiple_of(HALVES) + title;
                    row = Some((block.top, half));
                    half
                }
            };
            let left = i32::from(area.width / 2) + i32::from(block.left) - i32::from(layout.width / 2);
            let is_seen = left >= 0 && left + i32::from(block.width) <= i32::from(area.width);
            if let Some(spot) = grid.spots.get_mut(index).filter(|_| is_seen) {
                *spot = Some(BlockSpot { left: unsigned(left), half: Some(half) });
            }
            end = end.max(half + self.rank(block.top + block.height) - self.rank(block.top));
        }
        end
    }

    /// Sets the open blocks and those beside them from a line on; returns the first line after them.
    fn band(&self, grid: &mut Grid, area: Rect, (rows, from): (Range<u16>, u16)) -> Option<u16> {
        let (top, bottom) = (rows.start, rows.end);
        let layout = self.chart.layout();
        let is_open = |index: usize| self.open.get(index) == Some(&true);
        let here = layout.blocks.iter().enumerate().filter(|(_, block)| block.top >= top && block.top < bottom);
        let here: Vec<(usize, &Block)> = here.collect();
        let last = here.iter().filter(|(index, _)| is_open(*index)).map(|(_, block)| block.top + block.height).max()?;
        let first = here.iter().filter(|(index, _)| is_open(*index)).map(|(_, block)| block.top).min()?;
        grid.lines = vec![None; layout.height.into()];
        let mut has_seats = vec![false; layout.height.into()];
        for place in layout.places.iter().filter(|place| is_open(place.block.into())) {
            if let Some(line) = has_seats.get_mut(usize::from(place.line)) {
                *line = true;
            }
        }
        let mut line = from;
        let lines = self.chart.spare.iter().zip(has_seats).zip(&mut grid.lines);
        for (at, ((spare, has_seats), cell)) in (0u16..).zip(lines) {
            let is_within = at >= first && at < last;
            if is_within && (has_seats || self.has_aisles || *spare == Spare::Labels) {
                *cell = Some(line);
                line += 1;
            }
        }
        let groups = self.groups(&here, area.width)?;
        let mut end = line;
        let mut taken: Vec<Rect> = Vec::new();
        for (group, at) in groups {
            for (index, block) in here.iter().filter(|(index, _)| group.blocks.contains(index)) {
                let left = at + i32::from(block.left - group.left) * group.step;
                let half = (!is_open(*index)).then(|| {
                    let lines = self.rank(block.top + block.height) - self.rank(block.top);
                    let mut half = from * HALVES + self.rank(block.top) - self.rank(top);
                    let area = |half: u16| Rect::new(unsigned(left), half, block.width, lines);
                    while let Some(other) = taken.iter().find(|other| other.intersects(area(half))) {
                        half = other.bottom();
                    }
                    taken.push(area(half));
                    end = end.max((half + lines).div_ceil(HALVES));
                    half
                });
                if half.is_none() {
                    let lines = grid.line(block.top).zip(grid.line(block.top + block.height - 1));
                    let (first, last) = lines.unwrap_or_default();
                    let area =
                        Rect::new(unsigned(left), first * HALVES, block.width * STEP, (last + 1 - first) * HALVES);
                    taken.push(area);
                }
                if let Some(spot) = grid.spots.get_mut(*index) {
                    *spot = Some(BlockSpot { left: unsigned(left), half });
                }
            }
        }
        Some(end)
    }

    /// Blocks of a band by columns, each with its first column on the map; outer folded ones go where room is short.
    fn groups(&self, here: &[(usize, &Block)], room: u16) -> Option<Vec<(Group, i32)>> {
        let sides = outer_columns(self.chart, STEP);
        let mut here = here.to_vec();
        here.sort_by_key(|(_, block)| block.left);
        let mut groups: Vec<Group> = Vec::new();
        for (index, block) in here {
            let is_open = self.open.get(index) == Some(&true);
            let [left, width] = [block.left, block.width].map(i32::from);
            let labels = sides.get(index).filter(|_| is_open).map_or((0, 0), |(from, until)| {
                let step = i32::from(STEP);
                (left * step - from, until - (left + width) * step)
            });
            let new = Group {
                blocks: vec![index],
                left: block.left,
                right: block.left + block.width,
                step: if is_open { i32::from(STEP) } else { 1 },
                labels,
            };
            match groups.last_mut().filter(|last| block.left < last.right) {
                Some(last) => last.join(new),
                None => groups.push(new),
            }
        }
        let wide = |groups: &[Group]| {
            groups.iter().map(Group::width).sum::<i32>() + i32::try_from(groups.len()).unwrap_or(0) - 1
        };
        while wide(&groups) > i32::from(room) {
            let is_folded = |group: Option<&Group>| group.is_some_and(|group| group.step == 1);
            if is_folded(groups.last()) {
                groups.pop();
            } else if is_folded(groups.first()) {
                groups.remove(0);
                continue;
            } else {
                return None;
            }
            // both sides lose theirs, so that the house stays in the middle
            if is_folded(groups.first()) {
                groups.remove(0);
            }
        }
        let mut at = (i32::from(room) - wide(&groups)) / 2;
        let placed = groups.into_iter().map(|group| {
            let from = at + group.labels.0;
            at += group.width() + 1;
            (group, from)
        });
        Some(placed.collect())
    }
}

/// Blocks one above the other, with columns in common.
struct Group {
    blocks: Vec<usize>,
    left: u16,
    right: u16,
    /// Columns a seat.
    step: i32,
    /// Columns of the labels at the left and at the right.
    labels: (i32, i32),
}

impl Group {
    fn width(&self) -> i32 {
        i32::from(self.right - self.left) * self.step + self.labels.0 + self.labels.1
    }

    fn join(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
        self.right = self.right.max(other.right);
        self.step = self.step.max(other.step);
        self.labels = (self.labels.0.max(other.labels.0), self.labels.1.max(other.labels.1));
    }
}
