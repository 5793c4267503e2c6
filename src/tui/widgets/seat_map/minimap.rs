//! Small picture of the whole house in a corner of a map that is larger than its area, with the part in view on a
//! ground of its own. A click on it goes to the block there.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::domain::layout::SeatPlace;
use crate::tui::canvas::{Canvas, cells};
use crate::tui::targets::Target;
use crate::tui::widgets::seat_map::view::View;
use crate::tui::widgets::seat_map::{Make, SeatMapWidget, SeatSign};

/// Minimum size of a map with a small picture.
const FROM: (u16, u16) = (60, 16);
/// Most columns of the picture.
const COLUMNS: u16 = 24;

/// A cell of the picture.
#[derive(Clone, Copy, Default)]
struct MiniCell {
    block: Option<u16>,
    /// Category of a free seat.
    free: Option<u16>,
    is_seen: bool,
}

/// Draws the picture, unless the whole house is in view; the position of a seat on the map tells whether it is.
pub(super) fn draw(
    (widget, signs): (&SeatMapWidget<'_>, &[(SeatSign, Make)]),
    (view, area): (View, Rect),
    at: impl Fn(SeatPlace) -> (u16, u16),
    canvas: &mut Canvas<'_>,
) {
    if !view.is_cut() || area.width < FROM.0 || area.height < FROM.1 {
        return;
    }
    let layout = widget.chart.layout();
    let (across, down) = (layout.width.max(1), layout.height.max(1));
    let columns = COLUMNS.min(area.width / 4).min(across);
    let most = u32::from(area.height / 3);
    let lines = u32::from(columns) * u32::from(down) / u32::from(across) / 2;
    let lines = cells(usize::try_from(lines.clamp(2, most)).unwrap_or(2));
    // a division for each column and line, not for each seat
    let scaled = |room: u16, whole: u16| {
        let at = (0..usize::from(whole)).map(|at| at * usize::from(room) / usize::from(whole));
        at.collect::<Vec<_>>()
    };
    let (across, down) = (scaled(columns, across), scaled(lines, down));
    let mut spots = vec![MiniCell::default(); usize::from(columns) * usize::from(lines)];
    for (place, (sign, make)) in layout.places.iter().zip(signs) {
        let column = across.get(usize::from(place.column)).copied();
        let line = down.get(usize::from(place.line)).copied();
        let (Some(column), Some(line)) = (column, line) else {
            continue;
        };
        if let Some(spot) = spots.get_mut(line * usize::from(columns) + column) {
            let (x, y) = at(*place);
            spot.block = Some(place.block);
            spot.free = spot.free.or_else(|| sign.is_free().then_some(make.category));
            spot.is_seen |= view.at(x, y).is_some();
        }
    }
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let cursor = cursor.map(&at).and_then(|(x, y)| view.at(x, y));
    let corner = corner(area, (columns + 2, lines), cursor);
    canvas.cover(corner);
    let (theme, glyphs) = (widget.look.theme, widget.look.glyphs);
    let inner = Rect { x: corner.x + 1, width: columns, ..corner };
    for (position, spot) in inner.positions().zip(spots) {
        let (Some(block), Some(cell)) = (spot.block, canvas.buffer.cell_mut(position)) else {
            continue;
        };
        let (sign, style) = match spot.free {
            Some(category) => (glyphs.free, theme.category(category)),
            None => (glyphs.sold, theme.sold),
        };
        cell.set_char(sign).set_style(style);
        match theme.selection.bg {
            Some(ground) if spot.is_seen => cell.set_bg(ground),
            None if spot.is_seen => cell.set_style(Modifier::REVERSED),
            Some(_) | None => cell,
        };
        canvas.hit(Rect::from((position, (1, 1).into())), Target::Block(block.into()));
    }
}

/// The lower right corner of a map, or the lower left one when the cursor is near the right.
fn corner(area: Rect, (width, height): (u16, u16), cursor: Option<(u16, u16)>) -> Rect {
    // its shadow lies on the map too
    let right = area.right().saturating_sub(width + 1);
    let y = area.bottom().saturating_sub(height + 1);
    let is_hidden = cursor.is_some_and(|(column, line)| column + 1 >= right && line >= y);
    Rect { x: if is_hidden { area.x } else { right }, y, width, height }
}
