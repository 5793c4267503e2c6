//! The map at one or two cells a seat.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};

use crate::domain::layout::{Layout, RowLabel, SeatPlace, Stage};
use crate::domain::text;
use crate::tui::canvas::Canvas;
use crate::tui::targets::Target;
use crate::tui::widgets::seat_map::view::View;
use crate::tui::widgets::seat_map::{MapZoom, SeatMapWidget, SeatSign, gutters, minimap};

/// Maximum number of columns between a row's label and its seat.
const LABEL_GAP_MAX: u16 = 4;

pub(super) fn draw(widget: &SeatMapWidget<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let layout = widget.chart.layout();
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let size = widget.zoom.size(layout);
    let gutter = gutters::columns(layout, (size.0, area));
    let sheet = Sheet {
        widget,
        view: widget.view(area.inner(Margin::new(gutter, 0)), size, |place| {
            (column(widget.zoom, place), place.line)
        }),
    };
    sheet.labels(canvas.buffer);
    if let Some(stage) = &layout.stage {
        sheet.stage(canvas.buffer, stage);
    }
    sheet.seats(canvas);
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
        let seats = layout.places.iter();
        let seats = seats.map(|place| (column(widget.zoom, *place), place.line));
        gutters::draw(
            (widget, sheet.view),
            (area, gutter),
            labels,
            (seats, &mut *canvas),
        );
    }
    let at = |place: SeatPlace| (column(widget.zoom, place), place.line);
    minimap::draw(widget, (sheet.view, area), at, canvas);
}

/// Column of a seat's sign.
fn column(zoom: MapZoom, place: SeatPlace) -> u16 {
    if zoom == MapZoom::Wide {
        place.column.saturating_mul(2).saturating_add(1)
    } else {
        place.column
    }
}

/// State of drawing one map.
struct Sheet<'a> {
    widget: &'a SeatMapWidget<'a>,
    view: View,
}

impl Sheet<'_> {
    fn is_wide(&self) -> bool {
        self.widget.zoom == MapZoom::Wide
    }

    fn labels(&self, buf: &mut Buffer) {
        let style = self.widget.look.theme.label;
        for (from, line, text) in self.label_places() {
            self.view.write(buf, (from, line), (text, style));
        }
    }

    /// Labels of the rows, each with its first column and its line.
    fn label_places(&self) -> impl Iterator<Item = (u16, u16, &str)> {
        let chart = self.widget.chart;
        let labels = chart.layout().labels.iter().zip(&chart.label_columns);
        labels.map(|(label, wide)| {
            let from = if self.is_wide() { *wide } else { label.column };
            (from, label.line, label.text.as_str())
        })
    }

    fn stage(&self, buf: &mut Buffer, stage: &Stage) {
        let (from, width) = if self.is_wide() {
            (
                stage.column.saturating_mul(2).saturating_add(1),
                stage.width.saturating_mul(2).saturating_sub(1),
            )
        } else {
            (stage.column, stage.width)
        };
        let look = self.widget.look;
        let signs = stage_line(&stage.text, width, look.glyphs.stage);
        self.view
            .write(buf, (from, stage.line), (&signs, look.theme.stage));
    }

    fn seats(&self, canvas: &mut Canvas<'_>) {
        let places = &self.widget.chart.layout().places;
        for (place, (sign, make)) in places.iter().zip(self.widget.signs()) {
            if let Some((x, y)) = self.seat(canvas.buffer, place, (sign, make.category)) {
                let before = u16::from(self.is_wide() && x > 0);
                let cells = Rect::new(x - before, y, 1 + before, 1);
                canvas.hit(cells, Target::Seat(place.seat));
            }
        }
    }

    fn seat(
        &self,
        buf: &mut Buffer,
        place: &SeatPlace,
        (sign, category): (SeatSign, u16),
    ) -> Option<(u16, u16)> {
        let look = self.widget.look;
        self.view.put(
            buf,
            (column(self.widget.zoom, *place), place.line),
            (sign.glyph(look.glyphs), sign.style(category, look.theme)),
        )
    }

    fn cursor(&self, buf: &mut Buffer, place: SeatPlace) {
        let column = column(self.widget.zoom, place);
        let style = self.widget.look.theme.cursor;
        if self.is_wide() {
            let before = column.saturating_sub(1);
            self.view.put(buf, (before, place.line), ('[', style));
            self.view.put(buf, (column + 1, place.line), (']', style));
            let at = self.view.at(column, place.line);
            if let Some(cell) = at.and_then(|at| buf.cell_mut(at)) {
                super::ground(cell, self.widget.look.theme);
            }
        } else if let Some(cell) = self
            .view
            .at(column, place.line)
            .and_then(|at| buf.cell_mut(at))
        {
            super::reverse(cell, self.widget.look.theme);
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

/// First column of a label at two columns a seat: a label left of its row ends beside it, any other starts there.
pub(super) fn label_column(layout: &Layout, label: &RowLabel) -> u16 {
    let width = u16::try_from(text::width(&label.text)).unwrap_or(1).max(1);
    let end = label.column + width;
    let seat = |column: Option<u16>| {
        column
            .and_then(|column| layout.seat_at(column, label.line))
            .is_some()
    };
    let right = (0..LABEL_GAP_MAX).position(|gap| seat(Some(end + gap)));
    let left = (1..=LABEL_GAP_MAX).position(|gap| seat(label.column.checked_sub(gap)));
    let is_left_of_its_row = match (right, left) {
        (Some(right), Some(left)) => right < left,
        (found, _) => found.is_some(),
    };
    if is_left_of_its_row {
        (end * 2).saturating_sub(width)
    } else {
        label.column * 2 + 1
    }
}
