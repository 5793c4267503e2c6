//! Row labels at the edges of a map that is wider than its room, for rows whose own labels are out of view.

use ratatui::layout::Rect;

use crate::domain::layout::Layout;
use crate::domain::text::width;
use crate::tui::kit::canvas::Canvas;
use crate::tui::widgets::seat_map::SeatMapWidget;
use crate::tui::widgets::seat_map::viewport::{Side, View};

/// Labels and seats of a line, by column of the map.
#[derive(Clone, Copy, Default)]
struct Edges<'a> {
    /// Nearest labels out of view, at the left and at the right.
    outside: [Option<(u16, &'a str)>; 2],
    /// First and last label in view.
    labels: Option<[u16; 2]>,
    /// First and last seat in view.
    seats: Option<[u16; 2]>,
}

/// Width of a gutter; zero where the whole width of the map is in view.
pub(super) fn columns(layout: &Layout, (map, area): (u16, Rect)) -> u16 {
    if map <= area.width {
        return 0;
    }
    let longest = layout.labels.iter().map(|label| width(&label.text)).max();
    let columns = u16::try_from(longest.unwrap_or(0) + 1).unwrap_or(u16::MAX);
    if columns > area.width / 8 { 0 } else { columns }
}

/// Draws both gutters of an area beside a view; `column` gives the column of a seat.
pub(super) fn draw<'a>(
    (widget, view): (&SeatMapWidget<'_>, View),
    (area, gutter): (Rect, u16),
    labels: impl Iterator<Item = (u16, u16, &'a str)>,
    (seats, canvas): (impl Iterator<Item = (u16, u16)>, &mut Canvas<'_>),
) {
    let mut lines = vec![Edges::default(); usize::from(area.height)];
    let spread = |seen: Option<[u16; 2]>, column: u16| {
        let [first, last] = seen.unwrap_or([column; 2]);
        Some([first.min(column), last.max(column)])
    };
    for (column, line, text) in labels {
        let Some(edges) = view.line(line).and_then(|at| lines.get_mut(at)) else {
            continue;
        };
        let nearest = |before: Option<(u16, &'a str)>, nearer: fn(u16, u16) -> bool| {
            before.is_none_or(|(before, _)| nearer(column, before))
        };
        let [left, right] = &mut edges.outside;
        match view.side(column) {
            None => edges.labels = spread(edges.labels, column),
            Some(Side::Left) if nearest(*left, |new, old| new > old) => {
                *left = Some((column, text));
            }
            Some(Side::Right) if nearest(*right, |new, old| new < old) => {
                *right = Some((column, text));
            }
            Some(_) => {}
        }
    }
    for (column, line) in seats {
        if view.side(column).is_none()
            && let Some(edges) = view.line(line).and_then(|at| lines.get_mut(at))
        {
            edges.seats = spread(edges.seats, column);
        }
    }
    let style = widget.look.theme.label;
    for (edges, y) in lines.iter().zip(view.top()..) {
        let Some([first, last]) = edges.seats else {
            continue;
        };
        let [left, right] = edges.outside;
        // a label in view beyond the first seat names that seat's row already
        let has_left = edges.labels.is_none_or(|[label, _]| label > first);
        let has_right = edges.labels.is_none_or(|[_, label]| label < last);
        let cells = Rect::new(area.x, y, gutter, 1);
        if let Some((_, text)) = left.filter(|_| has_left) {
            canvas.text(cells, text, style);
        }
        if let Some((_, text)) = right.filter(|_| has_right) {
            let x = area.right().saturating_sub(gutter);
            canvas.text_right(Rect { x, ..cells }, text, style);
        }
    }
}
