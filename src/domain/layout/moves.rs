//! Arrow-key moves: along a line to the next seat across aisles, else to the nearest seat that way.
//!
//! # Invariants
//! - Every seat is reachable from every other: each line of the map is linked both ways, and so are the lines.
//!
//! Import cycle with [`layout`](super): the layout holds the moves between its own places.

use std::collections::HashSet;

use crate::domain::plan::SeatRef;

use super::{Direction, SeatPlace};

/// A step aside costs as much as this many steps ahead.
const ASIDE: i64 = 2;

/// Factor by which a seat of the same block counts as nearer.
const SAME_BLOCK: i64 = 2;

/// The neighbours of one seat, as positions in the map's list of places.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moves {
    left: Option<usize>,
    right: Option<usize>,
    up: Option<usize>,
    down: Option<usize>,
}

impl Moves {
    pub(super) fn to(&self, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Left => self.left,
            Direction::Right => self.right,
            Direction::Up => self.up,
            Direction::Down => self.down,
        }
    }
}

/// A seat on a line of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSeat {
    pub(super) column: u16,
    pub(super) seat: SeatRef,
    place: usize,
    block: u16,
}

/// A line of the map that has seats, from left to right.
#[derive(Clone, Debug)]
pub(super) struct MapLine {
    pub(super) number: u16,
    pub(super) stops: Vec<LineSeat>,
}

/// The lines that have seats, from top to bottom.
pub(super) fn map_lines(places: &[SeatPlace]) -> Vec<MapLine> {
    let mut sorted: Vec<(u16, LineSeat)> = places
        .iter()
        .enumerate()
        .map(|(index, place)| {
            let stop = LineSeat { column: place.column, seat: place.seat, place: index, block: place.block };
            (place.line, stop)
        })
        .collect();
    sorted.sort_by_key(|(line, stop)| (*line, stop.column));
    sorted
        .chunk_by(|(one, _), (next, _)| one == next)
        .map(|chunk| MapLine {
            number: chunk.first().map_or(0, |(line, _)| *line),
            stops: chunk.iter().map(|(_, stop)| *stop).collect(),
        })
        .collect()
}

/// The four moves of every place, in the order of places.
pub(super) fn moves(lines: &[MapLine], places: usize) -> Vec<Moves> {
    let mut moves = vec![Moves::default(); places];
    for (index, line) in lines.iter().enumerate() {
        let above = lines.get(..index).unwrap_or_default();
        let below = lines.get(index + 1..).unwrap_or_default();
        for (position, stop) in line.stops.iter().enumerate() {
            let (before, after) = (line.stops.get(..position).and_then(<[_]>::last), line.stops.get(position + 1));
            let Some(own) = moves.get_mut(stop.place) else {
                continue;
            };
            own.up = ahead(stop, line.number, above.iter().rev());
            own.down = ahead(stop, line.number, below.iter());
            own.left = before.map(|stop| stop.place).or_else(|| aside(stop, index, lines, first_left));
            own.right = after.map(|stop| stop.place).or_else(|| aside(stop, index, lines, first_right));
        }
    }
    if !is_connected(lines, &moves) {
        link_lines(lines, &mut moves);
    }
    moves
}

/// The nearest seat on the lines ahead, nearest line first.
fn ahead<'a>(from: &LineSeat, line: u16, ahead: impl Iterator<Item = &'a MapLine>) -> Option<usize> {
    let mut best: Option<(i64, usize)> = None;
    for other in ahead {
        let far = i64::from(line.abs_diff(other.number));
        if best.is_some_and(|(cost, _)| cost <= far - SAME_BLOCK) {
            break;
        }
        let right = other.stops.partition_point(|stop| stop.column < from.column);
        let nearest = [right.checked_sub(1), Some(right)];
        for stop in nearest.into_iter().flatten().filter_map(|at| other.stops.get(at)) {
            let bonus = if stop.block == from.block { SAME_BLOCK } else { 0 };
            let cost = far + ASIDE * i64::from(stop.column.abs_diff(from.column)) - bonus;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, stop.place));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// The nearest seat of another block on a side, for a seat at the end of its line.
fn aside(
    from: &LineSeat,
    index: usize,
    lines: &[MapLine],
    first: fn(&MapLine, &LineSeat) -> Option<LineSeat>,
) -> Option<usize> {
    let own = lines.get(index)?.number;
    let mut best: Option<(i64, usize)> = None;
    let mut consider = |line: &MapLine| {
        let far = ASIDE * i64::from(line.number.abs_diff(own));
        if best.is_some_and(|(cost, _)| cost <= far) {
            return false;
        }
        if let Some(stop) = first(line, from) {
            let cost = far + i64::from(stop.column.abs_diff(from.column));
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, stop.place));
            }
        }
        true
    };
    let below = lines.get(index + 1..).unwrap_or_default();
    let above = lines.get(..index).unwrap_or_default();
    // Nearest lines first, until no further one can be nearer.
    let _ = below.iter().all(&mut consider);
    let _ = above.iter().rev().all(&mut consider);
    best.map(|(_, place)| place)
}

/// The nearest seat of a line that is to the left, in another block.
fn first_left(line: &MapLine, from: &LineSeat) -> Option<LineSeat> {
    let end = line.stops.partition_point(|stop| stop.column < from.column);
    let left = line.stops.get(..end).unwrap_or_default();
    left.iter().rev().find(|stop| stop.block != from.block).copied()
}

/// The nearest seat of a line that is to the right, in another block.
fn first_right(line: &MapLine, from: &LineSeat) -> Option<LineSeat> {
    let begin = line.stops.partition_point(|stop| stop.column <= from.column);
    let right = line.stops.get(begin..).unwrap_or_default();
    right.iter().find(|stop| stop.block != from.block).copied()
}

/// Returns whether every line leads to every other.
fn is_connected(lines: &[MapLine], moves: &[Moves]) -> bool {
    let mut line_of = vec![0; moves.len()];
    for (index, line) in lines.iter().enumerate() {
        for stop in &line.stops {
            if let Some(slot) = line_of.get_mut(stop.place) {
                *slot = index;
            }
        }
    }
    let mut forth: Vec<HashSet<usize>> = vec![HashSet::new(); lines.len()];
    let mut back = forth.clone();
    for (place, own) in moves.iter().enumerate() {
        for next in [own.up, own.down].into_iter().flatten() {
            let (Some(from), Some(to)) = (line_of.get(place), line_of.get(next)) else {
                continue;
            };
            if let Some(set) = forth.get_mut(*from) {
                set.insert(*to);
            }
            if let Some(set) = back.get_mut(*to) {
                set.insert(*from);
            }
        }
    }
    reached(&forth) == lines.len() && reached(&back) == lines.len()
}

/// Counts the lines reachable from the first.
fn reached(links: &[HashSet<usize>]) -> usize {
    let mut seen = HashSet::from([0]);
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        for next in links.get(at).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    seen.len().min(links.len())
}

/// Links each line with the next, both ways, by their nearest seats, where no move does so yet.
fn link_lines(lines: &[MapLine], moves: &mut [Moves]) {
    for (line, next) in lines.iter().zip(lines.iter().skip(1)) {
        let Some((upper, lower)) = nearest(line, next) else {
            continue;
        };
        let leads = |from: &MapLine, to: &MapLine, direction: Direction, moves: &[Moves]| {
            let goals: HashSet<usize> = to.stops.iter().map(|stop| stop.place).collect();
            from.stops.iter().any(|stop| {
                let own = moves.get(stop.place).and_then(|own| own.to(direction));
                own.is_some_and(|goal| goals.contains(&goal))
            })
        };
        let down = leads(line, next, Direction::Down, moves);
        let up = leads(next, line, Direction::Up, moves);
        if let Some(own) = moves.get_mut(upper).filter(|_| !down) {
            own.down = Some(lower);
        }
        if let Some(own) = moves.get_mut(lower).filter(|_| !up) {
            own.up = Some(upper);
        }
    }
}

/// The two places, one of each line, that are nearest to one another.
fn nearest(line: &MapLine, next: &MapLine) -> Option<(usize, usize)> {
    line.stops
        .iter()
        .flat_map(|stop| {
            let right = next.stops.partition_point(|other| other.column < stop.column);
            [right.checked_sub(1), Some(right)]
                .into_iter()
                .flatten()
                .filter_map(|at| next.stops.get(at))
                .map(|other| (stop.column.abs_diff(other.column), stop.place, other.place))
        })
        .min()
        .map(|(_, upper, lower)| (upper, lower))
}
