//! Zones of a house with their prices and free seats: a table instead of the map, and a list beside it.

use ratatui::layout::Rect;

use crate::domain::layout::Block;
use crate::domain::money::grouped;
use crate::domain::performance::ADULT;
use crate::domain::text::{clean, fit, width};
use crate::tui::kit::canvas::{Canvas, after, cells, first_columns, row};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::bar::fill_bar;
use crate::tui::widgets::seat_map::{Marks, SeatMapWidget};
use crate::tui::widgets::{first_in_view, padded};

/// Maximum width of a name.
const NAME_MAX: u16 = 24;
/// Least width of a table with prices.
const PRICES_FROM: u16 = 24;
/// Columns of prices and of free seats, and least columns of a bar between them.
const PRICE_COLUMNS: u16 = 10;
const FREE_COLUMNS: u16 = 7;
const BAR_LEAST: u16 = 8;

/// Free seats of a part of a house.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) free: u32,
    seats: u32,
    /// Lowest and highest price of the free seats.
    prices: Option<(i64, i64)>,
}

impl Count {
    fn and(self, other: Self) -> Self {
        let prices = match (self.prices, other.prices) {
            (Some((low, high)), Some((other_low, other_high))) => Some((low.min(other_low), high.max(other_high))),
            (one, other) => one.or(other),
        };
        Self { free: self.free + other.free, seats: self.seats + other.seats, prices }
    }
}

/// Free seats of each block.
pub(super) fn counts(widget: &SeatMapWidget<'_>) -> Vec<Count> {
    let Marks { category: only, .. } = widget.marks;
    let on_sale = widget.on_sale();
    let free = &widget.free.counts;
    let blocks = widget.chart.layout().blocks.iter().enumerate();
    let count = |(index, block): (usize, &Block)| {
        let free = free.iter().skip(index * on_sale.len()).zip((0..).zip(&on_sale));
        let offered = free.filter(|(_, (category, on_sale))| **on_sale && only.is_none_or(|only| only == *category));
        let all = Count { seats: block.seats, ..Count::default() };
        offered.filter(|(free, _)| **free > 0).fold(all, |all, (free, (category, _))| {
            let price = widget.map.performance.price(category, ADULT);
            all.and(Count { free: *free, seats: 0, prices: price.map(|price| (price, price)) })
        })
    };
    blocks.map(count).collect()
}

/// Draws the zones, one a line, as many as fit; returns their number. A click goes to a zone.
pub(super) fn draw(widget: &SeatMapWidget<'_>, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let (chart, theme) = (widget.chart, widget.look.theme);
    let blocks = &chart.layout().blocks;
    let counts = counts(widget);
    let here = widget.marks.cursor.and_then(|seat| chart.layout().place(seat));
    let here = here.and_then(|place| chart.zone_of(place.block.into())).unwrap_or(0);
    let first = first_in_view(here, chart.zones.len(), area.height.into());
    let has_prices = area.width >= PRICES_FROM;
    let names = names_columns(widget, area.width);
    for ((index, zone), line) in chart.zones.iter().enumerate().skip(first).zip(area.rows()) {
        let count = zone.iter().filter_map(|block| counts.get(*block)).fold(Count::default(), |all, one| all.and(*one));
        let name = zone.first().and_then(|block| blocks.get(*block)).map_or("", |block| &block.zone);
        let name = padded(&fit(&clean(name), names), names);
        let style = if index == here { theme.strong } else { theme.text };
        canvas.text(line, &name, style);
        let rest = after(line, cells(names) + 1);
        let rest = first_columns(rest, rest.width.saturating_sub(u16::from(has_prices)));
        canvas.text_right(rest, &count.free.to_string(), theme.strong);
        if has_prices {
            canvas.text(rest, &prices(widget, count), theme.quiet);
            let bar = after(rest, PRICE_COLUMNS);
            if let Some(columns) = bar.width.checked_sub(FREE_COLUMNS).filter(|columns| *columns >= BAR_LEAST) {
                fill_bar(first_columns(bar, columns), (count.seats - count.free, count.seats), canvas);
            }
        }
        if index == here {
            canvas.style(line, theme.selection);
        }
        canvas.hit(line, Target::Block(zone.first().copied().unwrap_or_default()));
    }
    cells(chart.zones.len()).min(area.height)
}

/// Columns of the names in a list of some columns.
fn names_columns(widget: &SeatMapWidget<'_>, columns: u16) -> usize {
    if columns < PRICES_FROM {
        return columns.saturating_sub(5).into();
    }
    let names = widget.chart.layout().blocks.iter().map(|block| width(&block.zone));
    names.max().unwrap_or(0).min((columns / 2).min(NAME_MAX).into())
}

/// Draws the zones as a table in the middle of its area.
pub(super) fn table(widget: &SeatMapWidget<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = widget.look.theme;
    let wide = area.width.min(72);
    let count = cells(widget.chart.zones.len()) + 2;
    let inner = Rect {
        x: area.x + (area.width - wide) / 2,
        y: area.y + area.height.saturating_sub(count) / 2,
        width: wide,
        height: area.height.min(count),
    };
    let head = row(inner, 0);
    canvas.text(head, "Zones", theme.title);
    if wide >= PRICES_FROM {
        let prices = after(head, cells(names_columns(widget, wide)) + 1);
        canvas.text(prices, "price", theme.quiet);
        canvas.text_right(first_columns(head, wide - 1), "free", theme.quiet);
        if wide >= PRICES_FROM + PRICE_COLUMNS + FREE_COLUMNS {
            canvas.text(after(prices, PRICE_COLUMNS), "taken", theme.quiet);
        }
    }
    draw(widget, crate::tui::kit::canvas::from_row(inner, 2), canvas);
}

/// Prices of the free seats: `38.00–68.00`; empty when none is free.
fn prices(widget: &SeatMapWidget<'_>, count: Count) -> String {
    let money = |minor| {
        let money = grouped(minor, widget.map.performance.currency);
        money.strip_suffix(".00").map_or_else(|| money.clone(), str::to_owned)
    };
    match count.prices {
        None => String::new(),
        Some((low, high)) if low == high => money(low),
        Some((low, high)) => format!("{}–{}", money(low), money(high)),
    }
}
