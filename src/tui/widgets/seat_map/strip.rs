//! The cursor's row in one line: every seat's number on the ground of its state, at every zoom. A click picks.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::plan::SeatRef;
use crate::domain::text::{clean, fit, width};
use crate::tui::kit::canvas::{Canvas, after, cells, first_columns};
use crate::tui::kit::targets::Target;
use crate::tui::kit::theme::boxed;
use crate::tui::widgets::seat_map::SeatMapWidget;
use crate::tui::widgets::seat_map::signs::{Face, SeatSign};

/// Most columns of a number, and of a row's name.
const NUMBER_MAX: usize = 5;
const NAME_MAX: usize = 8;

/// A seat on the strip.
struct StripSeat<'a> {
    seat: SeatRef,
    label: &'a str,
    /// Columns before it: one, and one more after an aisle.
    gap: u16,
}

/// Draws the row of the cursor as far as it fits, from its first seat on where that shows the cursor; returns the columns
/// used.
pub(super) fn draw(widget: &SeatMapWidget<'_>, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let (look, plan) = (widget.look, &widget.map.plan);
    let Some((cursor, (_, row))) = widget.marks.cursor.and_then(|seat| Some((seat, plan.row(seat.row)?))) else {
        return 0;
    };
    let name = row.label.split_whitespace().last().unwrap_or_default();
    let name = boxed(&fit(&clean(name), width(name).min(NAME_MAX)), look.theme.tab_on);
    let name_columns = canvas.text(area, &name, look.theme.tab_on);
    let rest = after(area, name_columns);
    let runs = widget.chart.layout().row(cursor).iter();
    let seats = runs.flat_map(|run| run.iter().enumerate().map(|(rank, seat)| (*seat, 1 + u16::from(rank == 0))));
    let seats: Vec<(SeatRef, u16)> = seats.collect();
    let at = seats.iter().position(|(seat, _)| *seat == cursor).unwrap_or_default();
    // of a row that is longer than the strip, no more than may be in view
    let reach = usize::from(area.width) / 3 + 1;
    let near = at.saturating_sub(reach)..seats.len().min(at + reach);
    let is_cut = near.start > 0;
    let stops = seats.get(near.clone()).unwrap_or_default().iter();
    let stops = stops
        .filter_map(|(seat, gap)| Some(StripSeat { seat: *seat, label: plan.seat(*seat)?.label.trim(), gap: *gap }));
    let stops: Vec<StripSeat<'_>> = stops.collect();
    let at = at - near.start;
    let columns = stops.iter().map(|stop| width(stop.label)).max().unwrap_or(1).clamp(2, NUMBER_MAX);
    let wide =
        |stops: &[StripSeat<'_>]| stops.iter().map(|stop| stop.gap + cells(columns)).fold(1, u16::saturating_add);
    // scrolls only as far as the cursor and its neighbour ask for
    let until = stops.get(..(at + 2).min(stops.len())).unwrap_or_default();
    let first = (0..=at).find(|first| wide(until.get(*first..).unwrap_or_default()) <= rest.width.saturating_sub(1));
    let first = first.unwrap_or(at);
    let signs = widget.signs_of(stops.iter().map(|stop| stop.seat));
    let mut x = 0;
    let mut brackets = None;
    for (stop, (sign, category)) in stops.iter().zip(signs).skip(first) {
        let from = x + stop.gap - u16::from(x == 0 && stop.gap > 1);
        if from + cells(columns) >= rest.width {
            canvas.text(after(rest, rest.width - 1), look.glyphs.more, look.theme.quiet);
            break;
        }
        let cells_of = first_columns(after(rest, from), cells(columns));
        let (text, style) = number(widget, stop, (sign, category));
        canvas.text(cells_of, &format!("{text:>columns$}"), style);
        canvas.hit(cells_of, Target::Seat(stop.seat));
        if stop.seat == cursor {
            brackets = Some(from);
        }
        x = from + cells(columns);
    }
    if first > 0 || is_cut {
        canvas.text(rest, look.glyphs.less, look.theme.quiet);
    }
    if let Some(from) = brackets {
        canvas.text(first_columns(after(rest, from - 1), 1), "[", look.theme.strong);
        canvas.text(first_columns(after(rest, from + cells(columns)), 1), "]", look.theme.strong);
    }
    name_columns + x + 1
}

/// Number of a seat in its style; without colours the sign of a taken one.
fn number(widget: &SeatMapWidget<'_>, stop: &StripSeat<'_>, (sign, category): (SeatSign, u16)) -> (String, Style) {
    let (look, theme) = (widget.look, widget.look.theme);
    let label = fit(&clean(stop.label), width(stop.label).min(NUMBER_MAX));
    match sign.face(category, look) {
        _ if sign.is_free() && theme.floor.bg.is_none() => (label, sign.style(category, theme)),
        _ if sign.is_free() => (label, theme.number_on(sign.style(category, theme))),
        Face::Name(style) if stop.seat.seat % 2 == 1 => (label, theme.in_turn(style)),
        Face::Name(style) => (label, style),
        Face::Square(_) => (label, theme.floor.patch(theme.number_sold)),
        Face::Letter(letter, style) if look.is_plain() => (letter.to_string(), style),
        Face::Letter(_, style) => (label, theme.floor.patch(style)),
    }
}
