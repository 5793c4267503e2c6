//! The map at one to three columns a seat.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Margin, Rect};

use crate::domain::layout::{Layout, RowLabel, SeatPlace, Stage};
use crate::domain::text;
use crate::tui::canvas::Canvas;
use crate::tui::targets::Target;
use crate::tui::theme::Theme;
use crate::tui::widgets::seat_map::view::View;
use crate::tui::widgets::seat_map::{Make, MapZoom, SeatMapWidget, SeatSign, gutters, minimap};

/// Maximum number of columns between a row's label and its seat.
const LABEL_GAP_MAX: u16 = 4;

pub(super) fn draw(widget: &SeatMapWidget<'_>, signs: &[(SeatSign, Make)], area: Rect, canvas: &mut Canvas<'_>) {
    let layout = widget.chart.layout();
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let size = widget.zoom.size(layout);
    let gutter = gutters::columns(layout, (size.0, area));
    let at = |place: SeatPlace| (widget.zoom.columns(place.column), place.line);
    let view = widget.view(area.inner(Margin::new(gutter, 0)), size, at);
    let stage = layout.stage.iter();
    let stage = stage.map(|stage| (widget.zoom.columns(stage.column), stage.line));
    let drawn = layout.places.iter().map(|place| at(*place)).chain(stage);
    let sheet = Sheet { widget, view: view.without_blank_end(drawn) };
    sheet.labels(canvas.buffer);
    if let Some(stage) = &layout.stage {
        sheet.stage(canvas.buffer, stage);
    }
    sheet.seats(signs, canvas);
    for (seat, sign) in widget.overlays() {
        if let Some(place) = layout.place(seat) {
            sheet.seat(canvas.buffer, &place, (sign, 0));
        }
    }
    if let Some(place) = cursor {
        sheet.cursor(canvas.buffer, place);
    }
    sheet.view.bars(canvas);
    if gutter > 0 {
        let labels = sheet.label_places();
        let seats = layout.places.iter().map(|place| at(*place));
        gutters::draw((widget, sheet.view), (area, gutter), labels, (seats, &mut *canvas));
    }
    minimap::draw((widget, signs), (sheet.view, area), at, canvas);
}

/// State of drawing one map.
struct Sheet<'a> {
    widget: &'a SeatMapWidget<'a>,
    view: View,
}

impl Sheet<'_> {
    fn labels(&self, buf: &mut Buffer) {
        let style = self.widget.look.theme.label;
        for (from, line, text) in self.label_places() {
            self.view.write(buf, (from, line), (text, style));
        }
    }

    /// Labels of the rows, each with its first column and its line.
    fn label_places(&self) -> impl Iterator<Item = (u16, u16, &str)> {
        let (chart, zoom) = (self.widget.chart, self.widget.zoom);
        let labels = chart.layout().labels.iter().zip(&chart.left_labels);
        labels.map(move |(label, is_left)| {
            let width = label_width(label);
            let from = if *is_left && zoom.step() > 1 {
                ((label.column + width) * zoom.step()).saturating_sub(width)
            } else {
                zoom.columns(label.column)
            };
            (from, label.line, label.text.as_str())
        })
    }

    fn stage(&self, buf: &mut Buffer, stage: &Stage) {
        let zoom = self.widget.zoom;
        let from = zoom.columns(stage.column);
        let gap = u16::from(zoom.step() > 1);
        let width = stage.width.saturating_mul(zoom.step()).saturating_sub(gap);
        let look = self.widget.look;
        let signs = stage_line(&stage.text, width, look.glyphs.stage);
        self.view.write(buf, (from, stage.line), (&signs, look.theme.stage));
    }

    fn seats(&self, signs: &[(SeatSign, Make)], canvas: &mut Canvas<'_>) {
        let places = &self.widget.chart.layout().places;
        for (place, (sign, make)) in places.iter().zip(signs) {
            if let Some((x, y)) = self.seat(canvas.buffer, place, (*sign, make.category)) {
                let step = self.widget.zoom.step();
                let before = u16::from(step > 1 && x > 0);
                let cells = Rect::new(x - before, y, step.max(2) - 1 + before, 1);
                canvas.hit(cells, Target::Seat(place.seat));
            }
        }
    }

    fn seat(&self, buf: &mut Buffer, place: &SeatPlace, (sign, category): (SeatSign, u16)) -> Option<(u16, u16)> {
        let column = self.widget.zoom.columns(place.column);
        let is_seen = |column| self.view.at(column, place.line).is_some();
        if !is_seen(column) && !is_seen(column + 1) {
            return None;
        }
        let look = self.widget.look;
        let style = sign.style(category, look.theme);
        let mut glyph = sign.glyph(look.glyphs);
        if self.widget.zoom == MapZoom::Large {
            let [first, second] = sign.large(look.glyphs);
            self.view.put(buf, (column + 1, place.line), (second, style));
            glyph = first;
        }
        self.view.put(buf, (column, place.line), (glyph, style))
    }

    fn cursor(&self, buf: &mut Buffer, place: SeatPlace) {
        let (theme, step) = (self.widget.look.theme, self.widget.zoom.step());
        let column = self.widget.zoom.columns(place.column);
        let mut cell_at = |column: u16, change: fn(&mut Cell, &Theme)| {
            let at = self.view.at(column, place.line);
            if let Some(cell) = at.and_then(|at| buf.cell_mut(at)) {
                change(cell, theme);
            }
        };
        if step == 1 {
            return cell_at(column, super::reverse);
        }
        for column in column..column + step - 1 {
            cell_at(column, super::ground);
        }
        let brackets = [(column.saturating_sub(1), '['), (column + step - 1, ']')];
        for (column, sign) in brackets {
            self.view.put(buf, (column, place.line), (sign, theme.cursor));
        }
    }
}

/// `└──── S T A G E ────┘` in a number of columns, cut to fit.
pub(super) fn stage_line(name: &str, columns: u16, [left, stroke, right]: [char; 3]) -> String {
    let name = text::clean(name).to_uppercase();
    let spaced: String = name.chars().flat_map(|letter| [letter, ' ']).collect();
    let columns = usize::from(columns);
    let spaced = spaced.trim_end();
    let (name, air) = if text::width(spaced) + 4 <= columns {
        (spaced.to_owned(), " ")
    } else if text::width(&name) + 4 <= columns {
        (name, " ")
    } else {
        (text::fit(&name, columns.saturating_sub(2)), "")
    };
    let rest = columns.saturating_sub(text::width(&name) + 2 + 2 * air.len());
    let strokes = |count| std::iter::repeat_n(stroke, count).collect::<String>();
    let (before, after) = (strokes(rest / 2), strokes(rest - rest / 2));
    format!("{left}{before}{air}{name}{air}{after}{right}")
}

fn label_width(label: &RowLabel) -> u16 {
    u16::try_from(text::width(&label.text)).unwrap_or(1).max(1)
}

/// True for a label left of its row, which ends beside its seat; any other starts beside it.
pub(super) fn is_left_of_its_row(layout: &Layout, label: &RowLabel) -> bool {
    let end = label.column + label_width(label);
    let seat = |column: Option<u16>| column.and_then(|column| layout.seat_at(column, label.line)).is_some();
    let right = (0..LABEL_GAP_MAX).position(|gap| seat(Some(end + gap)));
    let left = (1..=LABEL_GAP_MAX).position(|gap| seat(label.column.checked_sub(gap)));
    match (right, left) {
        (Some(right), Some(left)) => right < left,
        (found, _) => found.is_some(),
    }
}
