//! Labels on a map with several seats a cell: names of zones above them, letters of rows beside them.
//!
//! Import cycle with `dots`: both share the grain of the cells.

use std::ops::Range;

use crate::domain::layout::RowLabel;
use crate::domain::text;
use crate::tui::canvas::{Canvas, cells};
use crate::tui::widgets::seat_map::SeatMapWidget;
use crate::tui::widgets::seat_map::blocks::Count;
use crate::tui::widgets::seat_map::dots::Grain;
use crate::tui::widgets::seat_map::view::View;

/// Maximum distance of a zone's label from the middle of the zone.
const LABEL_SHIFT: u16 = 6;

/// Name and free seats of a zone, with the columns and the line of the map that they take.
pub(super) struct ZoneLabel {
    name: String,
    free: String,
    cells: Range<u16>,
    line: u16,
}

impl ZoneLabel {
    /// True if the name is part of it.
    pub(super) const fn is_named(&self) -> bool {
        !self.name.is_empty()
    }
}

/// Labels of the zones in the line above their first row, whole or not at all: where no seat, label or stage is in
/// the way, at most a few columns beside the middle; without the name where only the number fits.
pub(super) fn of_zones(
    widget: &SeatMapWidget<'_>,
    grain: &Grain,
    counts: &[Count],
) -> Vec<ZoneLabel> {
    let layout = widget.chart.layout();
    let room = widget.zoom.size(layout).0;
    let stage = grain.stage(widget);
    let above = |top: u16| (top / grain.lines + grain.first).checked_sub(1);
    let height = usize::from(widget.zoom.size(layout).1);
    let mut seats: Vec<Option<Vec<u16>>> = vec![None; height];
    for line in layout.blocks.iter().filter_map(|block| above(block.top)) {
        if let Some(columns) = seats.get_mut(usize::from(line)) {
            *columns = Some(Vec::new());
        }
    }
    for place in &layout.places {
        let (column, line) = grain.cell(*place).0;
        if let Some(Some(columns)) = seats.get_mut(usize::from(line)) {
            columns.push(column);
        }
    }
    let mut labels: Vec<ZoneLabel> = Vec::new();
    for (block, count) in layout.blocks.iter().zip(counts) {
        let is_below_stage = |line: &u16| layout.stage.is_none() || *line >= grain.first;
        let Some(line) = above(block.top).filter(is_below_stage) else {
            continue;
        };
        let seats = seats.get(usize::from(line)).into_iter().flatten().flatten();
        let others = labels.iter().filter(|other| other.line == line);
        let taken: Vec<Range<u16>> = seats
            .map(|column| *column..*column + 1)
            .chain(others.map(|other| other.cells.clone()))
            .chain(
                stage
                    .clone()
                    .filter(|(at, _)| *at == line)
                    .map(|(_, columns)| columns),
            )
            .collect();
        let middle = (block.left + block.width / 2) / grain.columns;
        let named = (text::clean(&block.name) + ":", format!(" {}", count.free));
        let ways = [named, (String::new(), format!("{} free", count.free))];
        labels.extend(ways.into_iter().find_map(|(name, free)| {
            let columns = cells(text::width(&name) + free.len());
            let last = room.checked_sub(columns)?;
            let wanted = middle.saturating_sub(columns / 2).min(last);
            let near = wanted.saturating_sub(LABEL_SHIFT)..=last.min(wanted + LABEL_SHIFT);
            // a blank at each side
            let is_beside =
                |from: u16, one: &Range<u16>| one.end < from || from + columns < one.start;
            let fits = |from: &u16| taken.iter().all(|one| is_beside(*from, one));
            let from = near.filter(fits).min_by_key(|from| from.abs_diff(wanted))?;
            let cells = from..from + columns;
            Some(ZoneLabel {
                name,
                free,
                cells,
                line,
            })
        }));
    }
    labels
}

/// Draws the labels of zones.
pub(super) fn draw(
    widget: &SeatMapWidget<'_>,
    labels: &[ZoneLabel],
    (view, canvas): (View, &mut Canvas<'_>),
) {
    let theme = widget.look.theme;
    for label in labels {
        let (from, line) = (label.cells.start, label.line);
        let free = label.cells.end - cells(label.free.len());
        view.write(canvas.buffer, (from, line), (&label.name, theme.label));
        view.write(canvas.buffer, (free, line), (&label.free, theme.strong));
    }
}

/// Draws the letters of the rows beside their seats where there is room, those of a cell's two rows side by side;
/// none among dots.
pub(super) fn draw_rows(
    widget: &SeatMapWidget<'_>,
    grain: &Grain,
    (view, canvas): (View, &mut Canvas<'_>),
) {
    if grain.columns > 1 {
        return;
    }
    let is_letter = |label: &&RowLabel| label.text.chars().all(|sign| sign.is_ascii_alphabetic());
    let labels = widget.chart.layout().labels.iter().filter(is_letter);
    let line_of = |label: &RowLabel| label.line / grain.lines + grain.first;
    let mut drawn: Vec<&RowLabel> = Vec::new();
    for label in labels.clone() {
        if drawn.iter().any(|one| std::ptr::eq(*one, label)) {
            continue;
        }
        let line = line_of(label);
        let is_near =
            |other: &&RowLabel| line_of(other) == line && other.column.abs_diff(label.column) < 3;
        let mut near: Vec<&RowLabel> = labels.clone().filter(is_near).collect();
        near.sort_by_key(|label| (label.line, label.column));
        let letters: String = near.iter().map(|label| label.text.as_str()).collect();
        let columns = near.iter().map(|label| label.column);
        let first = columns.clone().min().unwrap_or(label.column);
        let last = columns.max().unwrap_or(label.column);
        let is_blank = |from: &u16| {
            (*from..*from + cells(letters.len())).all(|column| {
                let cell = view.at(column, line).and_then(|at| canvas.buffer.cell(at));
                cell.is_some_and(|cell| cell.symbol() == " ")
            })
        };
        let beside = [first, last, last.saturating_sub(1), last.saturating_sub(2)];
        if let Some(from) = beside.into_iter().find(is_blank) {
            let letters = (&*letters, widget.look.theme.label);
            view.write(canvas.buffer, (from, line), letters);
        }
        drawn.extend(near);
    }
}
