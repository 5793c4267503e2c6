//! Drawing of an order: seats at the left, paper at the right.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::domain::receipt::Tickets;
use crate::domain::text::clean;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::screens::orders::order::{Order, Paper};
use crate::tui::screens::orders::seat_list::Seats;
use crate::tui::shared::Shared;
use crate::tui::widgets::paragraph;
use crate::tui::widgets::table::Keys;
use crate::tui::wording;

/// Width of the paper with its frame.
const PAPER_COLUMNS: u16 = 52;
/// Minimum width of the seats; below, the paper is left out.
const SEATS_COLUMNS_MIN: u16 = 26;
/// Minimum height of the paper below the seats of a preview.
const PAPER_LINES_MIN: u16 = 8;

impl Order {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let has_paper =
            area.width >= PAPER_COLUMNS + SEATS_COLUMNS_MIN && self.view.value().is_some();
        let [seats, paper] = area.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if has_paper { PAPER_COLUMNS } else { 0 }),
        ]));
        self.draw_seats(shared, (seats, Keys::Here), canvas);
        if has_paper {
            let other = match self.paper {
                Paper::Receipt => " <order.next-stop> tickets ",
                Paper::Tickets => " <order.next-stop> receipt ",
            };
            self.draw_paper(shared, (paper, other), canvas);
        }
    }

    /// Draws the order beside the list: its seats, and the receipt as printed where there is room below them.
    pub(super) fn draw_preview(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let facts = self.facts(shared, area.width.saturating_sub(2)).len();
        let lines = self.view.value().map_or(0, |view| {
            self.seats.height(shared, (&view.lines, area.width - 2))
        });
        let seats = u16::try_from(facts + lines + 4).unwrap_or(u16::MAX);
        let has_paper = lines > 0 && seats.saturating_add(PAPER_LINES_MIN) <= area.height;
        let paper = if has_paper { area.height - seats } else { 0 };
        let [seats, paper] = area.layout(&Layout::vertical([
            Constraint::Fill(1),
            Constraint::Length(paper),
        ]));
        self.draw_seats(shared, (seats, Keys::Elsewhere), canvas);
        if has_paper {
            self.draw_paper(shared, (paper, ""), canvas);
        }
    }

    fn draw_seats(&self, shared: &Shared, (area, keys): (Rect, Keys), canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let style = if keys == Keys::Here {
            theme.focus
        } else {
            theme.border
        };
        let number = self.view.value().map_or("", |view| &view.receipt.number);
        let frame = Frame {
            title: Line::styled(
                format!(" {} ", format!("Order {}", clean(number)).trim()),
                theme.title,
            ),
            right: Line::default(),
            set: shared.glyphs.frame,
            style,
        };
        let inner = canvas.panel(area, frame);
        let Some(view) = self.view.value() else {
            let text = shared.placeholder(&self.view).unwrap_or_default();
            canvas.text(row(inner, 1), &format!("  {text}"), theme.quiet);
            return;
        };
        let facts = self.facts(shared, inner.width);
        let head = u16::try_from(facts.len()).unwrap_or(0) + 1;
        for (line, at) in facts.iter().zip(0..inner.height) {
            canvas.line(row(inner, at), line);
        }
        let list = Rect {
            y: inner.y + head.min(inner.height),
            height: inner.height.saturating_sub(head),
            ..inner
        };
        let shown = Seats {
            lines: &view.lines,
            currency: Some(view.receipt.currency),
            lost: &|line, seat| view.receipt.lost_of(line.id.number).contains(&seat),
            keys,
        };
        self.seats.draw(shared, (list, &shown), canvas);
    }

    /// Customer, time, total, and number of prints.
    fn facts(&self, shared: &Shared, columns: u16) -> Vec<Line<'static>> {
        let Some(view) = self.view.value() else {
            return Vec::new();
        };
        let (receipt, theme) = (&view.receipt, &shared.theme);
        let columns = usize::from(columns).saturating_sub(2);
        let issued = format!(
            "{} by {} at {}",
            wording::day_time(receipt.issued_at, view.zone),
            receipt.operator,
            receipt.station
        );
        let customer = format!("{} {}", view.customer.name, view.customer.phone);
        let money = format!(
            "{} {}, {}",
            receipt.currency,
            wording::money(receipt.total, receipt.currency),
            wording::contents(receipt.seat_count(), receipt.slot_count())
        );
        let printed = match receipt.reprints {
            0 => String::new(),
            1 => "printed again once".to_owned(),
            times => format!("printed again {times} times"),
        };
        let waits = match &receipt.tickets {
            Tickets::Given => String::new(),
            Tickets::Waiting { .. } => "! its tickets wait here to be collected".to_owned(),
            Tickets::Collected { operator, at } => format!(
                "tickets collected {}, from {operator}",
                wording::day_time(*at, view.zone)
            ),
        };
        let waits_style = if receipt.tickets.wait() {
            theme.warning
        } else {
            theme.quiet
        };
        let lost = if view.lost.is_empty() {
            String::new()
        } else {
            format!("! lost {}: out of use", wording::span_of(&view.lost))
        };
        [
            (issued, theme.text),
            (customer, theme.strong),
            (money, theme.money),
            (printed, theme.quiet),
            (waits, waits_style),
            (lost, theme.danger),
        ]
        .into_iter()
        .filter(|(text, _)| !text.trim().is_empty())
        .flat_map(|(text, style)| {
            paragraph(&clean(&text), columns, 2)
                .into_iter()
                .map(move |line| Line::styled(format!(" {line}"), style))
        })
        .collect()
    }

    /// Draws the paper, with words at its upper right edge.
    fn draw_paper(&self, shared: &Shared, (area, other): (Rect, &str), canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let lines = self.paper_lines();
        let title = match self.paper {
            Paper::Receipt => " Receipt ",
            Paper::Tickets => " Tickets ",
        };
        let frame = Frame {
            title: Line::styled(title, theme.title),
            right: Line::styled(shared.keyed(other), theme.hint),
            set: shared.glyphs.frame,
            style: theme.border,
        };
        let inner = canvas.panel(area, frame);
        let room = usize::from(inner.height);
        let first = self.scrolled.min(lines.len().saturating_sub(room));
        for (line, at) in lines.iter().skip(first).zip(0..inner.height) {
            canvas.text(row(inner, at), &format!(" {line}"), theme.text);
        }
        if lines.len() > first + room && !other.is_empty() {
            let more = Rect {
                y: area.bottom().saturating_sub(1),
                height: 1,
                ..area
            };
            canvas.text_right(
                Rect {
                    width: more.width.saturating_sub(2),
                    ..more
                },
                &shared.keyed(" <page-down> more "),
                theme.hint,
            );
        }
    }
}
