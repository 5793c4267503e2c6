//! Drawing of an order: seats at the left, paper at the right.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::domain::correction::ReceiptKind;
use crate::domain::operator::acting;
use crate::domain::receipt::Tickets;
use crate::domain::text::clean;
use crate::tui::kit::canvas::{Canvas, Focus, cells, from_row, last_columns};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::order::{Order, Paper};
use crate::tui::screens::orders::order_foot::{self, Acts};
use crate::tui::screens::orders::seat_list::{self, Seats};
use crate::tui::widgets;
use crate::words;

/// Width of the paper with its frame.
const PAPER_COLUMNS: u16 = 52;
/// Minimum width of the seats; below, the paper is left out.
const SEATS_COLUMNS_MIN: u16 = 26;
/// Minimum height of the paper below the seats of a preview.
const PAPER_LINES_MIN: u16 = 8;

impl Order {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let has_paper = area.width >= PAPER_COLUMNS + SEATS_COLUMNS_MIN && self.view(shared).is_some();
        let [seats, paper] = area.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if has_paper { PAPER_COLUMNS } else { 0 }),
        ]));
        self.draw_seats(shared, (seats, Focus::Here), canvas);
        if has_paper {
            self.draw_paper(shared, (paper, self.other_paper()), canvas);
        }
    }

    /// Draws the order in a column: its seats, and below them the receipt as printed; beside the list only where both fit.
    pub(super) fn draw_column(&self, shared: &Shared, (area, focus): (Rect, Focus), canvas: &mut Canvas<'_>) {
        let facts = self.facts(shared, area.width.saturating_sub(2)).len();
        let lines =
            self.view(shared).map_or(0, |view| seat_list::height(shared, &view.lines, area.width.saturating_sub(2)));
        let wanted = cells(facts + lines + order_foot::lines(self.acts(shared)) + 4);
        let paper = match focus {
            Focus::Here => area.height.saturating_sub(wanted).max(PAPER_LINES_MIN.min(area.height / 2)),
            Focus::Elsewhere => area.height.saturating_sub(wanted),
        };
        let has_paper = area.width >= PAPER_COLUMNS && lines > 0 && paper >= PAPER_LINES_MIN;
        let paper = if has_paper { paper } else { 0 };
        let [seats, paper] = area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(paper)]));
        self.draw_seats(shared, (seats, focus), canvas);
        if has_paper {
            self.draw_paper(shared, (paper, if focus == Focus::Here { self.other_paper() } else { "" }), canvas);
        }
    }

    /// Words for the paper that is not shown.
    const fn other_paper(&self) -> &'static str {
        match self.paper {
            Paper::Receipt => " <order.next-stop> tickets ",
            Paper::Tickets => " <order.next-stop> receipt ",
        }
    }

    fn acts(&self, shared: &Shared) -> Acts {
        let waits = self.view(shared).is_some_and(|view| view.receipt.tickets.wait());
        if waits { order_foot::OF_WAITING } else { order_foot::OF_RECEIPT }
    }

    fn draw_seats(&self, shared: &Shared, (area, focus): (Rect, Focus), canvas: &mut Canvas<'_>) {
        let number = self.view(shared).map_or("", |view| &view.receipt.number);
        let title = format!("Order {}", clean(number));
        let inner = canvas.panel(area, [title.trim(), ""], focus);
        let Some(view) = self.view(shared) else {
            canvas.note(inner, &shared.in_place_of(&self.question()).unwrap_or_default());
            return;
        };
        let facts = self.facts(shared, inner.width);
        let below = from_row(inner, cells(facts.len() + 1));
        let seats = seat_list::height(shared, &view.lines, inner.width);
        let list = order_foot::draw_below(shared, (below, seats), (KeyPlace::Order, self.acts(shared)), canvas);
        canvas.lines(inner, facts);
        let shown = Seats {
            lines: &view.lines,
            currency: Some(view.receipt.currency),
            gone: &|line, seat| view.receipt.gone(line.id.number, seat),
            focus,
        };
        self.seats.draw(shared, (list, &shown), canvas);
    }

    /// Customer, time, total, number of prints, and what corrects it.
    fn facts(&self, shared: &Shared, columns: u16) -> Vec<Line<'static>> {
        let Some(view) = self.view(shared) else {
            return Vec::new();
        };
        let (receipt, theme, here) = (&view.receipt, &shared.theme, shared.here());
        let issued = format!(
            "{} by {} at {}",
            words::day_time(receipt.issued_at, here.in_zone(view.zone)),
            acting(&receipt.operator, receipt.approved.as_deref()),
            receipt.station
        );
        let [customer, phone] = widgets::contact(&view.customer, columns);
        let money = format!(
            "{} {}, {}",
            receipt.currency,
            words::money(receipt.total, receipt.currency),
            match receipt.kind() {
                ReceiptKind::Sale | ReceiptKind::Exchange => {
                    words::contents(receipt.seat_count(), receipt.slot_count())
                }
                kind @ (ReceiptKind::Refund
                | ReceiptKind::Release
                | ReceiptKind::Goodwill
                | ReceiptKind::Waiver
                | ReceiptKind::Void) => words::kind_of_receipt(kind).to_owned(),
            }
        );
        let printed = match receipt.reprints() {
            0 => String::new(),
            1 => "printed again once".to_owned(),
            times => format!("printed again {times} times"),
        };
        let waits = match &receipt.tickets {
            Tickets::Given => String::new(),
            Tickets::Waiting { .. } => "! its tickets wait here to be collected".to_owned(),
            Tickets::Collected { operator, at } => {
                format!("tickets collected {}, from {operator}", words::day_time(*at, here.in_zone(view.zone)))
            }
        };
        let waits_style = if receipt.tickets.wait() { theme.warning } else { theme.quiet };
        let lost = if view.lost.is_empty() {
            String::new()
        } else {
            format!("! lost {}: out of use", words::span_of(&view.lost))
        };
        let void = view
            .void
            .first()
            .map_or_else(String::new, |void| format!("! {}", words::void_tickets(void.start, here.in_zone(void.zone))));
        let told = [
            (issued, theme.text),
            (customer, theme.strong),
            (phone, theme.strong),
            (money, theme.money),
            (printed, theme.quiet),
            (waits, waits_style),
            (lost, theme.danger),
            (void, theme.warning),
        ];
        let history = words::history(view, shared.now).map(|line| (line, theme.text));
        widgets::facts(told.into_iter().chain(history), (columns, 3))
    }

    /// Draws the paper, with words at its upper right edge.
    fn draw_paper(&self, shared: &Shared, (area, other): (Rect, &str), canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let lines = self.paper_lines(shared);
        let title = match self.paper {
            Paper::Receipt => " Receipt ",
            Paper::Tickets => " Tickets ",
        };
        let titles = [Line::styled(title, theme.title), Line::styled(shared.keyed(other), theme.hint)];
        let inner = canvas.frame(area, titles, Focus::Elsewhere);
        let (room, count) = (usize::from(inner.height), lines.len());
        let first = self.scrolled.min(count.saturating_sub(room));
        let shown = lines.iter().skip(first);
        let shown = shown.map(|line| Line::styled(format!(" {line}"), theme.text));
        canvas.lines(inner, shown);
        if count > room {
            canvas.scroll_bar(last_columns(inner, 1), first, count);
        }
        if count > first + room && !other.is_empty() {
            let more = shared.keyed(" <page-down> more ");
            canvas.edge(area, &Line::styled(more, theme.hint));
        }
    }
}
