//! Drawing of an order: seats at the left, paper at the right.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::receipt::Tickets;
use crate::domain::text::clean;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::remote::Remote;
use crate::tui::screens::orders::order::{Order, Paper};
use crate::tui::screens::orders::seat_list::Seats;
use crate::tui::shared::Shared;
use crate::tui::widgets::paragraph;
use crate::tui::wording;

/// Width of the paper with its frame.
const PAPER_COLUMNS: u16 = 52;
/// Minimum width of the seats; below, the paper is left out.
const SEATS_COLUMNS_MIN: u16 = 26;

impl Order {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(view) = self.view.value() else {
            self.on_its_way(shared, area, canvas);
            return;
        };
        let paper = if area.width >= PAPER_COLUMNS + SEATS_COLUMNS_MIN {
            PAPER_COLUMNS
        } else {
            0
        };
        let seats = Rect {
            width: area.width - paper,
            ..area
        };
        let theme = &shared.theme;
        let inner = canvas.panel(
            seats,
            Frame {
                title: Line::styled(
                    format!(" Order {} ", clean(&view.receipt.number)),
                    theme.title,
                ),
                right: Line::default(),
                set: shared.glyphs.frame,
                style: theme.focus,
            },
        );
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
        };
        self.seats.draw(shared, (list, &shown), canvas);
        if paper > 0 {
            let area = Rect {
                x: seats.right(),
                width: paper,
                ..area
            };
            self.draw_paper(shared, area, canvas);
        }
    }

    fn on_its_way(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let frame = Frame {
            title: Line::styled(" Order ", theme.title),
            right: Line::default(),
            set: shared.glyphs.frame,
            style: theme.focus,
        };
        let inner = canvas.panel(area, frame);
        let text = if let Remote::Failed(problem) = &self.view {
            problem.clone()
        } else {
            shared.still_to_come()
        };
        canvas.text(row(inner, 1), &format!("  {text}"), theme.quiet);
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
        let customer = format!("{} {}", receipt.customer.name, receipt.customer.phone);
        let money = format!(
            "{} {}, {}",
            receipt.currency,
            wording::money(receipt.total, receipt.currency),
            wording::count(receipt.seat_count(), "seat")
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

    fn draw_paper(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let lines = self.paper_lines();
        let title = match self.paper {
            Paper::Receipt => " Receipt ",
            Paper::Tickets => " Tickets ",
        };
        let other = match self.paper {
            Paper::Receipt => " <order.next-stop> tickets ",
            Paper::Tickets => " <order.next-stop> receipt ",
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
        if lines.len() > first + room {
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
                " PgDn more ",
                theme.hint,
            );
        }
    }
}
