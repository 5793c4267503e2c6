//! Latest sales beside the picture: a curve of the last hours, and the receipts just issued.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, width};
use crate::domain::time::Span as Time;
use crate::engine::reads::receipts::ReceiptRow;
use crate::engine::reads::tonight::SOLD_HOURS;
use crate::tui::canvas::{Canvas, row};
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::view::panel;
use crate::tui::shared::Shared;
use crate::tui::widgets::bar::curve;
use crate::tui::widgets::padded;
use crate::tui::wording;

/// Lines of the curve, without its hours.
const CURVE_LINES: u16 = 4;
/// Minimum height of curve and receipts together.
const BOTH_MIN: u16 = 14;
/// Hours between two that are named below the curve.
const NAMED: usize = 6;

impl TonightScreen {
    /// Draws the curve above the latest receipts; the receipts alone where both do not fit.
    pub(super) fn latest_panels(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if area.height == 0 {
            return;
        }
        let curve = if area.height < BOTH_MIN {
            0
        } else {
            CURVE_LINES + 3
        };
        let [above, below] = area.layout(&Layout::vertical([
            Constraint::Length(curve),
            Constraint::Fill(1),
        ]));
        if curve > 0 {
            self.curve_panel(shared, above, canvas);
        }
        self.receipts_panel(shared, below, canvas);
    }

    fn curve_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(page) = self.page.value() else {
            return;
        };
        let seats: u32 = page.sold.iter().sum();
        let seats = wording::count(usize::try_from(seats).unwrap_or(0), "seat");
        let right = format!("{seats} in {SOLD_HOURS} hours");
        let title = ("Sold by hour".to_owned(), right);
        let inner = panel(shared, (area, false), title, canvas);
        let hour = (usize::from(inner.width.saturating_sub(2)) / SOLD_HOURS).max(1);
        let lines = curve(&page.sold, (hour, CURVE_LINES), &shared.glyphs);
        for (line, at) in lines.iter().zip(0..inner.height) {
            let style = shared.theme.category(0);
            canvas.line(row(inner, at), &Line::styled(format!("  {line}"), style));
        }
        let mut hours = String::from("  ");
        for at in (0..SOLD_HOURS).step_by(NAMED) {
            let back = i64::try_from(SOLD_HOURS - at).unwrap_or(0);
            let from = page.at - Time::minutes(60 * back);
            let name = from.format(page.zone, "%H:%M");
            hours.push_str(&padded(&name, hour * NAMED));
        }
        canvas.text(row(inner, CURVE_LINES), &hours, shared.theme.quiet);
    }

    fn receipts_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let title = ("Just sold".to_owned(), String::new());
        let inner = panel(shared, (area, false), title, canvas);
        let rows = self.latest.value().map_or(&[][..], Vec::as_slice);
        for (receipt, at) in rows.iter().zip(0..inner.height) {
            canvas.line(row(inner, at), &sale(receipt, inner.width, shared));
        }
        if self.latest.value().is_some_and(Vec::is_empty) {
            canvas.text(row(inner, 0), "  nothing yet", shared.theme.quiet);
        }
    }
}

/// A receipt in a line: time, number, seats, total, and as much of the title as fits.
fn sale(of: &ReceiptRow, columns: u16, shared: &Shared) -> Line<'static> {
    let theme = &shared.theme;
    let time = of.issued_at.format(shared.zone, "%H:%M");
    let money = format!("{:>10}", wording::money(of.total, of.currency));
    let seats = format!("{:>9}", wording::count(of.seats, "seat"));
    let number = padded(&clean(&of.number), 12);
    let fixed = 2 + 5 + 2 + 12 + 1 + width(&seats) + width(&money) + 2;
    let title = padded(&of.title, usize::from(columns).saturating_sub(fixed));
    Line::from(vec![
        Span::styled(format!("  {time}  "), theme.quiet),
        Span::styled(format!("{number} "), theme.text),
        Span::styled(title, theme.quiet),
        Span::styled(seats, theme.text),
        Span::styled(money, theme.money),
    ])
}
