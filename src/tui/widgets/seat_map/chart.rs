//! A plan with its layout, prepared once for drawing: owners of labels, lines that may go, and the house's real curves.

use std::collections::{BTreeMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::domain::layout::{Layout, RowLabel, SeatPlace};
use crate::domain::plan::{Plan, SeatKind};
use crate::domain::text::width;
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::kit::canvas::cells;

/// Maximum number of columns between a row's label and its seat.
const LABEL_GAP_MAX: u16 = 4;
/// Part of a row's real bend that is drawn, as a divisor.
const EASE: f64 = 3.0;
/// Positions along a row, per seat.
pub(super) const FINE: i32 = 100;

/// A plan with its layout, prepared once for drawing.
#[derive(Clone, Debug)]
pub struct Chart {
    layout: Arc<Layout>,
    /// Fixed properties of each seat, in the order of [`Layout::places`].
    pub(super) makes: Vec<SeatTraits>,
    /// Rows of the plan.
    pub(super) rows: Vec<ChartRow>,
    /// Owner of each label of the layout.
    pub(super) owners: Vec<Owner>,
    /// For each line of the layout, how readily it goes where lines are short.
    pub(super) spare: Vec<Spare>,
    /// Lines of the layout without the stage and without needless blanks.
    pub(super) tight: Vec<u16>,
    /// Number of lines with seats before each line of the layout.
    pub(super) ranks: Vec<u16>,
    /// Zones with their blocks, in the order of the layout.
    pub(super) zones: Vec<Vec<usize>>,
    /// For each seat its column in hundredths and its line, rows bent as in the house.
    pub(super) bent: Vec<(i32, u16)>,
    /// Columns in hundredths, and lines of the bent rows.
    pub(super) bent_size: (i32, u16),
    /// For each seat true if it moves by half a seat where rows stand in turn.
    pub(super) turned: Vec<bool>,
    /// Line of `tight` at which a stage stands that has seats above and below it.
    pub(super) stage_within: Option<u16>,
}

/// Fixed properties of a seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatTraits {
    pub(super) category: u16,
    pub(super) kind: SeatKind,
}

/// Seats of a row by their index in [`Layout::places`], and the lines that they are on.
#[derive(Clone, Debug)]
pub(super) struct ChartRow {
    pub(super) seats: Range<usize>,
    pub(super) lines: RangeInclusive<u16>,
}

/// Block of a row's label, and where the label stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub(super) block: usize,
    pub(super) is_left: bool,
}

/// Worth of a line, the first to go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spare {
    /// A second blank line in a gap.
    SecondBlank,
    /// Labels that stand at the other end of their rows too.
    Labels,
    /// The stage and the blanks beside it.
    Stage,
    Blank,
    /// A blank inside a block.
    Aisle,
    Never,
}

impl Chart {
    /// Prepares a plan and its layout.
    #[must_use]
    pub fn new(plan: &Plan, layout: Arc<Layout>) -> Self {
        let makes = plan.seats().map(|(_, seat)| SeatTraits { category: seat.category, kind: seat.kind }).collect();
        let rows = rows(&layout);
        let owners: Vec<Owner> = layout.labels.iter().map(|label| owner(&layout, label)).collect();
        let spare = spare(&layout, &owners);
        let mut kept = 0;
        let tight = spare.iter().map(|spare| {
            let line = kept;
            kept += u16::from(*spare > Spare::Stage);
            line
        });
        let tight: Vec<u16> = tight.collect();
        let mut rank = 0;
        let ranks = spare.iter().map(|spare| {
            let before = rank;
            rank += u16::from(*spare == Spare::Never);
            before
        });
        let ranks = ranks.collect();
        let (bent, bent_size) = bent(plan, &layout, &tight);
        let turned = turned(&layout, &tight, &bent);
        let mut zones: Vec<(&str, Vec<usize>)> = Vec::new();
        for (index, block) in layout.blocks.iter().enumerate() {
            match zones.iter_mut().find(|(name, _)| *name == block.zone) {
                Some((_, blocks)) => blocks.push(index),
                None => zones.push((&block.zone, vec![index])),
            }
        }
        let zones = zones.into_iter().map(|(_, blocks)| blocks).collect();
        let within = layout
            .stage
            .as_ref()
            .map(|stage| stage.line)
            .filter(|line| layout.line_range().is_some_and(|(first, last)| (first + 1..last).contains(line)));
        let stage_within = within.and_then(|line| tight.get(usize::from(line)).copied());
        Self { layout, makes, rows, owners, spare, tight, ranks, zones, bent, bent_size, turned, stage_within }
    }

    /// Positions of the seats.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Passes each seat with its state on a map and what it is made for, in the order of [`Layout::places`]; a seat
    /// unknown to the map has no state.
    pub(super) fn each_seat(&self, map: &SeatMap, mut take: impl FnMut(&SeatPlace, Option<&SeatState>, SeatTraits)) {
        let mut seats = self.layout.places.iter().zip(&self.makes);
        for row in &map.rows {
            for (state, (place, make)) in row.iter().zip(seats.by_ref()) {
                take(place, Some(state), *make);
            }
        }
        for (place, make) in seats {
            take(place, None, *make);
        }
    }

    /// Zone of a block, as an index.
    pub(super) fn zone_of(&self, block: usize) -> Option<usize> {
        self.zones.iter().position(|blocks| blocks.contains(&block))
    }
}

fn rows(layout: &Layout) -> Vec<ChartRow> {
    let mut until = 0;
    let rows = layout.places.chunk_by(|one, next| one.seat.row == next.seat.row).map(|row| {
        let from = until;
        until += row.len();
        let lines = row.iter().map(|place| place.line);
        ChartRow {
            seats: from..until,
            lines: lines.clone().min().unwrap_or_default()..=lines.max().unwrap_or_default(),
        }
    });
    rows.collect()
}

/// Columns of a label.
pub(super) fn label_width(label: &RowLabel) -> u16 {
    cells(width(&label.text)).max(1)
}

/// The nearest seat beside a label, above or below it, tells its block.
fn owner(layout: &Layout, label: &RowLabel) -> Owner {
    let end = label.column + label_width(label);
    let block = |column: Option<u16>, line: u16| {
        let seat = layout.seat_at(column?, line)?;
        layout.place(seat).map(|place| usize::from(place.block))
    };
    let beside = (0..LABEL_GAP_MAX).find_map(|gap| {
        let right = block(Some(end + gap), label.line).map(|block| Owner { block, is_left: true });
        right.or_else(|| {
            let left = block(label.column.checked_sub(gap + 1), label.line);
            left.map(|block| Owner { block, is_left: false })
        })
    });
    let stacked =
        || block(Some(label.column), label.line + 1).or_else(|| block(Some(label.column), label.line.checked_sub(1)?));
    beside.unwrap_or_else(|| Owner { block: stacked().unwrap_or_default(), is_left: false })
}

fn spare(layout: &Layout, owners: &[Owner]) -> Vec<Spare> {
    let count = usize::from(layout.height);
    let mut spare = vec![Spare::Blank; count];
    let mut set = |line: u16, to: Spare| {
        if let Some(at) = spare.get_mut(usize::from(line)) {
            *at = (*at).max(to);
        }
    };
    for block in &layout.blocks {
        for line in block.top..block.top + block.height {
            set(line, Spare::Aisle);
        }
    }
    for place in &layout.places {
        set(place.line, Spare::Never);
    }
    let mut labels: Vec<Spare> = vec![Spare::Blank; count];
    for (label, owner) in layout.labels.iter().zip(owners) {
        let opens = layout.blocks.get(owner.block).is_none_or(|block| label.line < block.top);
        if let Some(at) = labels.get_mut(usize::from(label.line)) {
            *at = if opens || *at == Spare::Never { Spare::Never } else { Spare::Labels };
        }
    }
    for (at, of_labels) in spare.iter_mut().zip(labels) {
        *at = match (*at, of_labels) {
            (Spare::Blank | Spare::Aisle, Spare::Labels | Spare::Never) => of_labels,
            (own, _) => own,
        };
    }
    let first = spare.iter().position(|spare| matches!(spare, Spare::Never | Spare::Labels)).unwrap_or(0);
    let last = spare.iter().rposition(|spare| matches!(spare, Spare::Never | Spare::Labels)).unwrap_or(0);
    let stage = layout.stage.as_ref().map(|stage| usize::from(stage.line));
    for (line, at) in spare.iter_mut().enumerate() {
        if line < first || line > last {
            *at = Spare::Stage;
        } else if Some(line) == stage {
            *at = Spare::Never;
        }
    }
    for line in 1..count {
        let before = spare.get(line - 1).copied();
        if let Some(at) = spare.get_mut(line).filter(|at| **at == Spare::Blank)
            && matches!(before, Some(Spare::Blank | Spare::SecondBlank))
        {
            *at = Spare::SecondBlank;
        }
    }
    spare
}

/// Real position of a row in a block: the means of its seats.
#[derive(Clone, Copy, Default)]
struct RowMeans {
    seats: f64,
    /// Sums of the real positions and of the layout's columns.
    x: f64,
    y: f64,
    column: f64,
    /// Line of its last seat on the map.
    line: Option<u16>,
    /// True for a row that runs down the map.
    is_turned: bool,
}

/// Columns in hundredths and lines of all seats: along a row as in the house, bent by a part of the real bend.
fn bent(plan: &Plan, layout: &Layout, tight: &[u16]) -> (Vec<(i32, u16)>, (i32, u16)) {
    let mut rows: BTreeMap<(u16, u32), RowMeans> = BTreeMap::new();
    let mut units: Vec<Vec<f64>> = vec![Vec::new(); layout.blocks.len()];
    let mut before: Option<(SeatPlace, f64)> = None;
    for (place, (_, seat)) in layout.places.iter().zip(plan.seats()) {
        let row = rows.entry((place.block, place.seat.row)).or_default();
        let (x, y) = (f64::from(seat.at.x), f64::from(seat.at.y));
        row.seats += 1.0;
        row.x += x;
        row.y += y;
        row.column += f64::from(place.column);
        row.is_turned |= row.line.replace(place.line).is_some_and(|line| line != place.line);
        if let Some((last, at)) = before
            && last.line == place.line
            && last.column.abs_diff(place.column) == 1
            && let Some(units) = units.get_mut(usize::from(place.block))
        {
            units.push((x - at).abs());
        }
        before = Some((*place, x));
    }
    let units: Vec<f64> = units
        .into_iter()
        .map(|mut steps| {
            steps.sort_by(f64::total_cmp);
            steps.get(steps.len() / 2).copied().filter(|step| *step > 1.0).unwrap_or(f64::INFINITY)
        })
        .collect();
    let blocks = block_means(&rows, layout.blocks.len());
    let spots: Vec<(i32, i32)> = layout
        .places
        .iter()
        .zip(plan.seats())
        .map(|(place, (_, seat))| {
            let line = i32::from(tight.get(usize::from(place.line)).copied().unwrap_or_default());
            let unit = units.get(usize::from(place.block)).copied().unwrap_or(f64::INFINITY);
            let row = rows.get(&(place.block, place.seat.row)).filter(|row| !row.is_turned && unit.is_finite());
            let Some(row) = row else {
                return (i32::from(place.column) * FINE, line);
            };
            let (row_x, row_column) = (row.x / row.seats, row.column / row.seats);
            let (x, column) = blocks.get(usize::from(place.block)).copied().unwrap_or_default();
            // a row stands as in the house, less than a seat off its place on the map
            let off = (column + (row_x - x) / unit - row_column).clamp(-0.5, 0.5);
            let column = row_column + off + (f64::from(seat.at.x) - row_x) / unit;
            let bend = (f64::from(seat.at.y) - row.y / row.seats) / unit / EASE;
            (rounded(column * f64::from(FINE)), line + rounded(bend))
        })
        .collect();
    let left = spots.iter().map(|(x, _)| *x).min().unwrap_or_default();
    let top = spots.iter().map(|(_, y)| *y).min().unwrap_or_default();
    let spots: Vec<(i32, u16)> =
        spots.into_iter().map(|(x, y)| (x - left, u16::try_from(y - top).unwrap_or(u16::MAX))).collect();
    let right = spots.iter().map(|(x, _)| *x).max().unwrap_or_default();
    let bottom = spots.iter().map(|(_, y)| *y).max().unwrap_or_default();
    (spots, (right, bottom + 1))
}

/// Seats on every other line of a block, where half a seat to the right parts them from those below and above.
fn turned(layout: &Layout, tight: &[u16], spots: &[(i32, u16)]) -> Vec<bool> {
    let is_odd = |line: u16| tight.get(usize::from(line)).is_some_and(|line| line % 2 == 1);
    let seats = || layout.places.iter().zip(spots);
    let mut stand: HashSet<(u16, i32, u16)> = HashSet::new();
    let mut touching = |by: i32| {
        // seats of one block by quarters of a seat
        let quarter = |place: &SeatPlace, x: i32| ((x + if is_odd(place.line) { by } else { 0 }) * 4).div_euclid(FINE);
        let places = || seats().map(|(place, (x, y))| (place.block, quarter(place, *x), *y));
        stand.clear();
        stand.extend(places());
        let mut counts = vec![0_usize; layout.blocks.len()];
        for (block, x, y) in places() {
            let below = (x - 1..=x + 1).filter(|x| stand.contains(&(block, *x, y + 1))).count();
            if let Some(count) = counts.get_mut(usize::from(block)) {
                *count += below;
            }
        }
        counts
    };
    let (before, after) = (touching(0), touching(FINE / 2));
    let is_better: Vec<bool> = before.iter().zip(&after).map(|(before, after)| after < before).collect();
    let is_turned = |place: &SeatPlace| is_odd(place.line) && is_better.get(usize::from(place.block)) == Some(&true);
    layout.places.iter().map(is_turned).collect()
}

/// Mean real position along the map, and mean column, of each block.
fn block_means(rows: &BTreeMap<(u16, u32), RowMeans>, count: usize) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0, 0.0); count];
    for ((block, _), row) in rows {
        if let Some((seats, x, column)) = sums.get_mut(usize::from(*block)) {
            *seats += row.seats;
            *x += row.x;
            *column += row.column;
        }
    }
    sums.into_iter().map(|(seats, x, column)| (x / f64::max(seats, 1.0), column / f64::max(seats, 1.0))).collect()
}

/// Nearest whole number, within the range of a map.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "clamped to a range that fits")]
pub(super) fn rounded(value: f64) -> i32 {
    value.round().clamp(-1e7, 1e7) as i32
}
