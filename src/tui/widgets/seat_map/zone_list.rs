//! List of the zones beside a small map: free seats and their prices; a click goes to a zone.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::money::grouped;
use crate::domain::text::{fit, width};
use crate::tui::canvas::{Canvas, row};
use crate::tui::targets::Target;
use crate::tui::widgets::padded;
use crate::tui::widgets::seat_map::SeatMapWidget;
use crate::tui::widgets::seat_map::blocks::Count;

/// Maximum width of a name.
const NAME_MAX: usize = 14;
/// Width of the free seats.
const FREE: usize = 6;

/// Width of the list.
pub(super) fn columns(widget: &SeatMapWidget<'_>, counts: &[Count]) -> u16 {
    let prices = counts.iter().map(|count| prices(widget, count).len());
    let columns = 3 + name_columns(widget) + FREE + 7 + prices.max().unwrap_or(0);
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// Draws the list in the middle of its area.
pub(super) fn draw(widget: &SeatMapWidget<'_>, counts: &[Count], area: Rect, canvas: &mut Canvas<'_>) {
    let (layout, theme) = (widget.chart.layout(), widget.look.theme);
    let current = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let count = u16::try_from(counts.len()).unwrap_or(u16::MAX);
    let top = area.height.saturating_sub(count) / 2;
    let zones = layout.blocks.iter().zip(counts).enumerate();
    for ((index, (block, count)), at) in zones.zip(top..area.height) {
        let cells = row(area, at);
        let is_current = current.is_some_and(|place| usize::from(place.block) == index);
        let name = fit(&block.name, name_columns(widget));
        let name_style = if is_current { theme.strong } else { theme.text };
        canvas.line(
            cells,
            &Line::from(vec![
                Span::styled(if is_current { " > " } else { "   " }, theme.strong),
                Span::styled(padded(&name, name_columns(widget)), name_style),
                Span::styled(format!("{:>FREE$}", count.free), theme.strong),
                Span::styled(" free  ", theme.quiet),
                Span::styled(prices(widget, count), theme.money),
            ]),
        );
        canvas.hit(cells, Target::Block(index));
    }
}

fn name_columns(widget: &SeatMapWidget<'_>) -> usize {
    let blocks = widget.chart.layout().blocks.iter();
    let longest = blocks.map(|block| width(&block.name)).max();
    longest.unwrap_or(0).min(NAME_MAX)
}

/// Prices of the free seats: `38.00-68.00`; empty when none is free.
fn prices(widget: &SeatMapWidget<'_>, count: &Count) -> String {
    let money = |minor| grouped(minor, widget.map.performance.currency);
    match count.prices {
        None => String::new(),
        Some((low, high)) if low == high => money(low),
        Some((low, high)) => format!("{}-{}", money(low), money(high)),
    }
}
