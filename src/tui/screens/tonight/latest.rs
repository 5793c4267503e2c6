//! Latest sales beside the picture: curves of the last days and hours, and the receipts just issued.

use chrono::NaiveDate;
use chrono_tz::Tz;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::text::width;
use crate::domain::time::{Instant, Span as Time};
use crate::engine::reads::receipts::ReceiptRow;
use crate::engine::reads::tonight::SoldByHour;
use crate::tui::kit::canvas::{Canvas, Focus, row};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::tonight_questions::LATEST;
use crate::tui::widgets::bar::curve;
use crate::tui::widgets::padded;
use crate::words;

/// Lines of the curve, without its hours.
const CURVE_LINES: u16 = 4;
/// Minimum width of a receipt with its number.
const WITH_NUMBER: u16 = 48;
/// Minimum height of curve and receipts together.
const BOTH_MIN: u16 = 14;
/// Hours of the curve by hour, and between two that are named below it.
const HOURS: usize = 24;
const HOURS_NAMED: usize = 6;
/// Days between two that are named below the curve by day.
const DAYS_NAMED: usize = 2;

/// Values of a curve over time, with the names below it.
struct Curve {
    title: &'static str,
    /// `9 seats in 24 hours`.
    sum: String,
    values: Vec<u32>,
    /// Values between two names, and the names.
    names: (usize, Vec<String>),
}

impl TonightScreen {
    /// Draws curves of sales above the latest receipts; the receipts alone where both do not fit.
    pub(super) fn latest_panels(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let curves = self.page(shared).map_or_else(Vec::new, |page| {
            let days = by_day(&page.sold, page.zone);
            let earlier = days.values.split_last().is_some_and(|(_, days)| days.iter().any(|seats| *seats > 0));
            earlier.then_some(days).into_iter().chain([by_hour(&page.sold, page.zone)]).collect()
        });
        let mut rest = area;
        for curve in curves {
            if rest.height < BOTH_MIN {
                break;
            }
            let [above, below] =
                rest.layout(&Layout::vertical([Constraint::Length(CURVE_LINES + 3), Constraint::Fill(1)]));
            curve.draw(shared, above, canvas);
            rest = below;
        }
        if rest.height > 0 {
            receipts_panel(shared, rest, canvas);
        }
    }
}

/// Draws the receipts just issued.
fn receipts_panel(shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = canvas.panel(area, ["Just sold", ""], Focus::Elsewhere);
    let latest = shared.reads.get(&LATEST);
    let rows = latest.into_iter().flatten();
    let number = rows.clone().map(|receipt| width(&receipt.number)).max().unwrap_or(0);
    let columns = [
        Column::text("", 6),
        Column::text("", if inner.width < WITH_NUMBER { 0 } else { number + 1 }),
        Column::text("", 0).up_to(inner.width.into()),
        Column::number("", 9),
    ];
    let table = Table::new(columns, usize::from(inner.width).saturating_sub(3));
    canvas.lines(inner, rows.map(|receipt| table.line(sale(receipt, shared))));
    if latest.is_some_and(Vec::is_empty) {
        canvas.text(row(inner, 0), "  nothing yet", shared.theme.quiet);
    }
}

impl Curve {
    fn new(title: &'static str, unit: &str, (values, names): (Vec<u32>, (usize, Vec<String>))) -> Self {
        let seats = usize::try_from(values.iter().sum::<u32>()).unwrap_or(0);
        let sum = format!("{} in {} {unit}", words::count(seats, "seat"), values.len());
        Self { title, sum, values, names }
    }

    fn draw(self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let inner = canvas.panel(area, [self.title, &self.sum], Focus::Elsewhere);
        let columns = (usize::from(inner.width.saturating_sub(2)) / self.values.len().max(1)).max(1);
        let lines = curve(&self.values, (columns, CURVE_LINES), &shared.glyphs);
        let style = Style { bg: None, ..shared.theme.bar };
        let lines = lines.iter();
        canvas.lines(inner, lines.map(|line| Line::styled(format!("  {line}"), style)));
        let (step, names) = self.names;
        let names: String = names.iter().map(|name| padded(name, columns * step)).collect();
        canvas.text(row(inner, CURVE_LINES), &format!("  {names}"), shared.theme.quiet);
    }
}

/// Sales of the last [`HOURS`] hours.
fn by_hour(sold: &SoldByHour, zone: Tz) -> Curve {
    let first = sold.hours.len().saturating_sub(HOURS);
    let hours = sold.hours.iter().skip(first).copied().collect();
    let starts = starts(sold).skip(first).step_by(HOURS_NAMED);
    let names = starts.map(|(start, _)| start.format(zone, "%H:%M")).collect();
    Curve::new("Sold by hour", "hours", (hours, (HOURS_NAMED, names)))
}

/// Sales of each day.
fn by_day(sold: &SoldByHour, zone: Tz) -> Curve {
    let mut days: Vec<(NaiveDate, u32)> = Vec::new();
    for (start, seats) in starts(sold) {
        let date = start.in_zone(zone).date_naive();
        match days.last_mut() {
            Some((day, sum)) if *day == date => *sum += seats,
            Some(_) | None => days.push((date, seats)),
        }
    }
    let names = days.iter().step_by(DAYS_NAMED).map(|(day, _)| day.format("%-d %b").to_string());
    let names = (DAYS_NAMED, names.collect());
    Curve::new("Sold by day", "days", (days.into_iter().map(|(_, seats)| seats).collect(), names))
}

/// Start and seats of each hour.
fn starts(sold: &SoldByHour) -> impl Iterator<Item = (Instant, u32)> {
    let starts = (0..).map(|hour| sold.from + Time::minutes(60 * hour));
    starts.zip(sold.hours.iter().copied())
}

/// Cells of a receipt: time, number, as much of what it is for as fits, total.
fn sale(of: &ReceiptRow, shared: &Shared) -> [(String, Style); 4] {
    let theme = &shared.theme;
    let title = words::titled(of.kind, &of.title);
    [
        (of.issued_at.format(shared.zone, "%H:%M"), theme.quiet),
        (of.number.clone(), theme.text),
        (if of.seats == 0 { title } else { format!("{title}, {}", words::count(of.seats, "seat")) }, theme.quiet),
        (words::money(of.total, of.currency), theme.money),
    ]
}
