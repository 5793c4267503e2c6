//! Labels on a map with several seats a cell: names of zones above them, letters of rows beside them.
//!
//! Import cycle with `dots`: both share the grain of the cells.

use std::ops::Range;

use crate::domain::layout::{Layout, RowLabel};
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

/// Labels of the zones in the line above their first row, whole or not at all: where no seat, label or stage is in
/// the way, at most a few columns beside the middle.
pub(super) fn of_zones(widget: &SeatMapWidget<'_>, grain: &Grain, counts: &[Count]) -> Vec<ZoneLabel> {
    let layout = widget.chart.layout();
    let (room, height) = grain.size(widget);
    let stage = grain.stage(widget);
    let above = |top: u16| (top / grain.lines + grain.first).checked_sub(1);
    let mut seats: Vec<Option<Vec<u16>>> = vec![None; usize::from(height)];
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
        // a name may hide the letters of its own zone
        let own = block.left..block.left + block.width;
        let rows = letters(layout, grain).filter(|row| grain.line(row) == line);
        let rows = rows.filter(|row| !own.contains(&row.column));
        let rows = rows.map(|row| row.column + grain.left);
        let taken: Vec<Range<u16>> = seats
            .map(|column| *column..*column + 1)
            .chain(rows.map(|column| column.saturating_sub(2)..column + 2))
            .chain(others.map(|other| other.cells.clone()))
            .chain(stage.clone().filter(|(at, _)| *at == line).map(|(_, columns)| columns))
            .collect();
        let middle = (block.left + block.width / 2) / grain.columns + grain.left;
        let name = text::clean(&block.name) + ":";
        let free = format!(" {}", count.free);
        let columns = cells(text::width(&name) + free.len());
        let Some(last) = room.checked_sub(columns) else {
            continue;
        };
        let wanted = middle.saturating_sub(columns / 2).min(last);
        let near = wanted.saturating_sub(LABEL_SHIFT)..=last.min(wanted + LABEL_SHIFT);
        // a blank at each side
        let is_beside = |from: u16, one: &Range<u16>| one.end < from || from + columns < one.start;
        let fits = |from: &u16| taken.iter().all(|one| is_beside(*from, one));
        let from = near.filter(fits).min_by_key(|from| from.abs_diff(wanted));
        labels.extend(from.map(|from| ZoneLabel { name, free, cells: from..from + columns, line }));
    }
    labels
}

/// Draws the labels of zones.
pub(super) fn draw(widget: &SeatMapWidget<'_>, labels: &[ZoneLabel], (view, canvas): (View, &mut Canvas<'_>)) {
    let theme = widget.look.theme;
    for label in labels {
        let (from, line) = (label.cells.start, label.line);
        let free = label.cells.end - cells(label.free.len());
        view.write(canvas.buffer, (from, line), (&label.name, theme.label));
        view.write(canvas.buffer, (free, line), (&label.free, theme.strong));
    }
}

/// Labels of rows that are letters; none among dots.
fn letters<'a>(layout: &'a Layout, grain: &Grain) -> impl Iterator<Item = &'a RowLabel> + Clone {
    let has_room = grain.columns == 1;
    let is_letter = |label: &&RowLabel| label.text.chars().all(|sign| sign.is_ascii_alphabetic());
    let labels = layout.labels.iter().filter(is_letter);
    labels.filter(move |_| has_room)
}

/// Draws the letters of the rows beside their seats where there is room, those of a cell's two rows side by side and
/// the cursor's as its seat is; none among dots.
pub(super) fn draw_rows(widget: &SeatMapWidget<'_>, grain: &Grain, (view, canvas): (View, &mut Canvas<'_>)) {
    let theme = widget.look.theme;
    let cursor = widget.marks.cursor;
    let cursor = cursor.and_then(|seat| widget.chart.layout().place(seat));
    let labels = letters(widget.chart.layout(), grain);
    let mut drawn: Vec<&RowLabel> = Vec::new();
    for label in labels.clone() {
        if drawn.iter().any(|one| std::ptr::eq(*one, label)) {
            continue;
        }
        let line = grain.line(label);
        let is_near = |other: &&RowLabel| grain.line(other) == line && other.column.abs_diff(label.column) < 3;
        let mut near: Vec<&RowLabel> = labels.clone().filter(is_near).collect();
        near.sort_by_key(|label| (label.line, label.column));
        let letters: String = near.iter().map(|label| label.text.as_str()).collect();
        let columns = near.iter().map(|label| label.column + grain.left);
        let first = columns.clone().min().unwrap_or_default();
        let last = columns.max().unwrap_or_default();
        let is_blank = |from: &u16| {
            (*from..*from + cells(letters.len())).all(|column| {
                let cell = view.at(column, line).and_then(|at| canvas.buffer.cell(at));
                cell.is_some_and(|cell| cell.symbol() == " ")
            })
        };
        let beside = [first, last, last.saturating_sub(1), last.saturating_sub(2)];
        if let Some(mut from) = beside.into_iter().find(is_blank) {
            for label in &near {
                let is_here = cursor.is_some_and(|place| place.line == label.line);
                let style = if is_here { theme.half_cursor } else { theme.label };
                view.write(canvas.buffer, (from, line), (&label.text, style));
                from += cells(label.text.len());
            }
        }
        drawn.extend(near);
    }
}
