//! Drawing of the list of orders.

use chrono::NaiveDate;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::cart::AlertRaised;
use crate::domain::money::Currency;
use crate::domain::text::{clean, fit_end, width};
use crate::domain::time::Instant;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::receipts::ReceiptRow;
use crate::tui::kit::canvas::{Canvas, Focus, from_row, row};
use crate::tui::kit::list::{HEADING, LazyLine, heading};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::RowList;
use crate::tui::screens::orders::listed::{RESERVATIONS, reservations};
use crate::tui::screens::orders::opened::{has_preview, split};
use crate::tui::screens::orders::{OrderFilter, OrderLine, Orders, Sort};
use crate::tui::widgets::padded;
use crate::words;

/// Minimum width of a row that names the operator, and the maximum width of that name.
const WITH_OPERATOR: usize = 74;
const OPERATOR_MAX: usize = 9;

impl Orders {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if let Some(open) = &self.open {
            open.draw(shared, (area, &self.house), canvas);
            return;
        }
        let shown = self.preview(shared);
        let [list, preview] = match &shown {
            Some(_) => split(area),
            None => [area, Rect::ZERO],
        };
        if let Some(order) = &shown {
            order.draw_preview(shared, (preview, &self.house), canvas);
        }
        self.draw_list(shared, list, canvas);
    }

    fn draw_list(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let titles = [self.title(shared), shared.keyed(&self.count_words(shared))];
        let inner = canvas.panel(area, titles, Focus::Here);
        let listed = self.listed(shared);
        if listed.is_empty() {
            self.nothing(shared, inner, canvas);
            return;
        }
        let columns = Columns::new(&listed, inner.width, shared);
        canvas.line(row(inner, 0), &columns.head(shared));
        let rows = listed.iter().map(OrderLine::chosen);
        let view = self.selected.view(RowList::Receipts, from_row(inner, 1), rows);
        view.draw(canvas, self.lines(shared, &listed, &columns), |line| line());
    }

    fn title(&self, shared: &Shared) -> String {
        let day = self
            .day_bounds(shared)
            .map_or_else(|| "all days".to_owned(), |(from, _)| shared.here().format(from, "%a %-d %b"));
        let filter = match self.filter {
            OrderFilter::All => String::new(),
            OrderFilter::Unpaid => " | not paid".to_owned(),
            OrderFilter::Station => format!(" | {} only", shared.station),
            OrderFilter::Lost => " | lost a seat".to_owned(),
            OrderFilter::ToCollect => " | to be collected".to_owned(),
        };
        let sort = match self.sort {
            Sort::Newest => "",
            Sort::Customer => " | by customer",
            Sort::Largest => " | largest first",
        };
        format!("Orders | {day}{filter}{sort}")
    }

    fn count_words(&self, shared: &Shared) -> String {
        let receipts = words::count(self.receipts(shared).len(), "receipt");
        let reserved = words::count(reservations(shared).len(), "reservation");
        if self.lists_reservations() && shared.reads.goes_on(&RESERVATIONS) {
            return format!("first {reserved}  <last> for more");
        }
        if self.filter == OrderFilter::Unpaid {
            return reserved;
        }
        let goes_on = shared.reads.goes_on(&self.question(shared));
        let receipts = if goes_on { format!("latest {receipts}  <last> for more") } else { receipts };
        if self.lists_reservations() && !reservations(shared).is_empty() {
            format!("{reserved}  {receipts}")
        } else {
            receipts
        }
    }

    fn nothing(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let narrowed = self.filter != OrderFilter::All || self.day.is_some();
        let asked = shared.still_to_come();
        let missing = match self.filter {
            OrderFilter::Unpaid => shared.in_place_of(&RESERVATIONS),
            OrderFilter::All | OrderFilter::Station | OrderFilter::Lost | OrderFilter::ToCollect => {
                shared.in_place_of(&self.question(shared))
            }
        };
        let text = match (&missing, self.filter) {
            (Some(missing), _) => missing,
            (None, OrderFilter::Unpaid) => {
                "Nothing is reserved. <reserve> on Seats reserves a cart; <filter> shows all orders."
            }
            (None, _) if !self.lists_receipts(shared) => &asked,
            (None, _) if shared.reads.goes_on(&self.question(shared)) => {
                "None among the latest receipts. <last> reads on; <filter> changes the filter."
            }
            (None, _) if narrowed => "No such receipt. <filter> changes the filter, <earlier> and <later> the day.",
            (None, _) => "No receipt yet. <seats> shows the seats; a receipt is issued for what is paid.",
        };
        canvas.note(area, &shared.keyed(text));
    }

    /// Sum of a day that is read whole, where all of it is of one currency.
    fn of_day(&self, shared: &Shared, listed: &[OrderLine<'_>], day: NaiveDate) -> Option<DaySum> {
        let on = |at: Instant| at.in_zone(shared.zone).date_naive() == day;
        let rows = listed.iter().filter_map(|one| match one {
            OrderLine::Receipt(row) if on(row.issued_at) => Some(*row),
            OrderLine::Receipt(_) | OrderLine::Reservation(_) => None,
        });
        let first = rows.clone().next()?;
        let goes_on = shared.reads.goes_on(&self.question(shared))
            && self.rows(shared).last().is_some_and(|row| on(row.issued_at));
        let is_whole = !goes_on && rows.clone().all(|row| row.currency == first.currency);
        is_whole.then(|| DaySum { receipts: rows.clone().count(), total: rows.map(|row| row.total).sum() })
    }

    /// Rows in time order, with a heading for each day.
    fn lines<'a>(
        &self,
        shared: &'a Shared,
        listed: &[OrderLine<'a>],
        columns: &'a Columns,
    ) -> Vec<(usize, LazyLine<'a>)> {
        let mut lines = Vec::new();
        let mut before = None;
        for (index, one) in listed.iter().enumerate() {
            let row = match *one {
                OrderLine::Receipt(row) => row,
                OrderLine::Reservation(row) => {
                    if index == 0 {
                        let words = "  Unpaid reservations";
                        lines.push(heading(words, shared.theme.title));
                    }
                    lines.push((index, Box::new(move || columns.reserved(shared, row))));
                    continue;
                }
            };
            let day = row.issued_at.in_zone(shared.zone).date_naive();
            if self.sort == Sort::Newest && before != Some(day) {
                let of_day = self.of_day(shared, listed, day);
                lines.push((HEADING, Box::new(move || columns.day(shared, row.issued_at, of_day.as_ref()))));
            }
            before = Some(day);
            lines.push((index, Box::new(move || columns.row(shared, row))));
        }
        lines
    }
}

/// Receipts of a day, and their sum in their common currency.
struct DaySum {
    receipts: usize,
    total: i64,
}

/// Total; with its currency where that differs from the heading's.
fn total_of(row: &OrderLine<'_>, all: Option<Currency>) -> String {
    let Some(currency) = row.currency() else {
        return String::new();
    };
    let money = words::money(row.total(), currency);
    if all == Some(currency) { money } else { format!("{currency} {money}") }
}

/// `today`, `yesterday`, or the day's name.
fn day_words(shared: &Shared, at: Instant) -> String {
    let day = |at: Instant| at.in_zone(shared.zone).date_naive();
    let name = at.format(shared.zone, "%A %-d %B %Y");
    match (day(shared.now) - day(at)).num_days() {
        0 => format!("Today, {name}"),
        1 => format!("Yesterday, {name}"),
        _ => name,
    }
}

/// Minimum width for pay-by times with weekday, and for long numbers.
const WIDE_FROM: usize = 88;
/// Minimum width of a row with its number, which the preview beside it names.
const NUMBER_FROM: usize = 72;
/// Minimum width of a title.
const TITLE_MIN: usize = 4;

/// Columns of a row, in their order.
const CUSTOMER: usize = 1;
const NUMBER: usize = 2;
const TITLE: usize = 3;
const OPERATOR: usize = 4;
const ALL: usize = 8;

/// Columns of a row, with what all rows share.
struct Columns {
    table: Table<ALL>,
    number: usize,
    total: usize,
    /// Common currency of all rows, named in the heading.
    currency: Option<Currency>,
    pay_by: &'static str,
    /// Note of tickets that wait; `-2` seats that are lost stand there too.
    to_collect: &'static str,
}

impl Columns {
    fn new(listed: &[OrderLine<'_>], columns: u16, shared: &Shared) -> Self {
        let columns = usize::from(columns);
        let has_number = columns >= NUMBER_FROM || !has_preview(shared.size);
        let is_wide = columns >= WIDE_FROM;
        let (pay_by, number_max, to_collect) =
            if is_wide { ("pay by %a %-d %b %H:%M", 20, "to collect") } else { ("pay by %-d %b %H:%M", 12, "collect") };
        let pay_by = if has_number { pay_by } else { "by %-d %b %H:%M" };
        let is_collected = |row: &OrderLine<'_>| matches!(row, OrderLine::Receipt(row) if row.to_collect);
        let note = if listed.iter().any(is_collected) { to_collect.len() } else { 2 };
        let currencies = listed.iter().filter_map(OrderLine::currency);
        let first = currencies.clone().next();
        let currency = first.filter(|first| currencies.clone().all(|other| other == *first));
        let widest = |of: &dyn Fn(&OrderLine<'_>) -> usize| listed.iter().map(of).max().unwrap_or(0);
        let number = widest(&|row| match row {
            OrderLine::Receipt(row) => width(&row.number),
            OrderLine::Reservation(_) => 0,
        });
        let number = if has_number { number.clamp(7, number_max) } else { 0 };
        let operator = widest(&|row| width(row.operator())).clamp("by".len(), OPERATOR_MAX);
        let total = widest(&|row| total_of(row, currency).len()).max(9);
        let table = [
            Column::text("time", 5),
            // without the number there is room for a longer name
            Column::text("customer", 0).up_to(columns / if has_number { 8 } else { 6 }),
            // two blanks behind it
            Column::text("order", if has_number { number + 1 } else { 0 }),
            Column::text("show", TITLE_MIN).up_to(usize::MAX),
            Column::text("by", if columns >= WITH_OPERATOR { operator } else { 0 }),
            Column::number("seats", "seats".len()),
            Column::text("", note),
            Column::number("total", total),
        ];
        let table = Table::new(table, columns.saturating_sub(3));
        Self { table, number, total, currency, pay_by, to_collect }
    }

    fn head(&self, shared: &Shared) -> Line<'static> {
        let total = self.currency.map_or_else(|| "total".to_owned(), |currency| format!("total {currency}"));
        let is_wide = self.table.width(CUSTOMER..NUMBER) > "customer".len();
        let customer = if is_wide { "customer" } else { "name" };
        let names = ["time", customer, "order", "show", "by", "seats", "", &total];
        self.table.line(names.map(|name| (name, shared.theme.quiet)))
    }

    /// Heading of a day: its name, and at the right its sum below the totals.
    fn day(&self, shared: &Shared, at: Instant, sum: Option<&DaySum>) -> Line<'static> {
        let name = format!("  {}", day_words(shared, at));
        let Some(sum) = sum else {
            return Line::styled(name, shared.theme.title);
        };
        let count = words::count(sum.receipts, "receipt");
        let total = self.currency.map_or_else(String::new, |currency| words::money(sum.total, currency));
        let room = (1 + self.table.width(0..ALL)).saturating_sub(width(&name));
        let said = format!("{count}  {total:>width$}", width = self.total);
        let said = if width(&said) < room { said } else { total };
        Line::from(vec![
            Span::styled(name, shared.theme.title),
            Span::styled(format!("{said:>room$}"), shared.theme.quiet),
        ])
    }

    /// Row of a reservation: when to pay, with a mark for each alert, in place of its number.
    fn reserved(&self, shared: &Shared, of: &CartRow) -> Line<'static> {
        let theme = &shared.theme;
        let told = of.reservation.map(|reservation| reservation.told);
        let (marks, style) = match told {
            None | Some(AlertRaised::Nothing) => ("", theme.strong),
            Some(AlertRaised::Alert) => (" !", theme.warning),
            Some(AlertRaised::Final) => (" !!", theme.danger),
        };
        let number = self.table.width(NUMBER..TITLE);
        let pay_by = shared.here().format(of.expires_at, self.pay_by) + marks + if number > 0 { "  " } else { " " };
        let pay_by = padded(&pay_by, width(&pay_by).max(number));
        let (time, room) = (self.table.width(0..CUSTOMER), self.table.width(NUMBER..OPERATOR));
        let fits = self.table.width(CUSTOMER..NUMBER) > 0 && width(&pay_by) <= room;
        let (indent, room) = if fits { (time, room) } else { (0, time + room) };
        let title = padded(&of.title, room.saturating_sub(width(&pay_by) + 1));
        let total = total_of(&OrderLine::Reservation(of), self.currency);
        let mut line = Line::raw(" ".repeat(2 + indent));
        line.extend(self.table.cells(CUSTOMER, [(&of.customer.name, theme.strong)]));
        line.extend([Span::styled(pay_by, style), Span::styled(format!("{title} "), theme.text)]);
        let rest = [
            (of.operator.clone(), theme.quiet),
            (seats(of.seats), theme.text),
            (String::new(), theme.text),
            (total, theme.money),
        ];
        line.extend(self.table.cells(OPERATOR, rest));
        line
    }

    fn row(&self, shared: &Shared, of: &ReceiptRow) -> Line<'static> {
        let theme = &shared.theme;
        let (note, style) = match of.lost {
            0 if of.to_collect => (self.to_collect.to_owned(), theme.strong),
            0 => (String::new(), theme.text),
            lost => (format!("-{lost}"), theme.danger),
        };
        self.table.line([
            (of.issued_at.format(shared.zone, "%H:%M"), theme.text),
            (of.customer.clone(), theme.strong),
            // numbers differ at their end
            (fit_end(&clean(&of.number), self.number), theme.text),
            (words::titled(of.kind, &of.title), theme.text),
            (of.operator.clone(), theme.quiet),
            (seats(of.seats), theme.text),
            (note, style),
            (total_of(&OrderLine::Receipt(of), self.currency), theme.money),
        ])
    }
}

/// Number of seats of an order; nothing of one that has time only.
fn seats(number: usize) -> String {
    if number == 0 { String::new() } else { number.to_string() }
}
