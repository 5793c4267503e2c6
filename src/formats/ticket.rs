//! Tickets as plain text, as wide as their station's paper: one for each seat and each slot of a resource, to be cut apart.

use crate::domain::money::priced;
use crate::domain::text::width;
use crate::domain::ticket_code::TicketCode;

use super::receipt::{OnTicket, ReceiptSheet, SheetGoods, SheetLine, copy};
use super::{escpos, qr};

/// A ticket: its lines, and its code below them.
struct Ticket {
    lines: Vec<String>,
    code: Option<TicketCode>,
}

/// The text of a receipt's tickets, one after the other; every line ends with a line break.
pub fn text(sheet: &ReceiptSheet<'_>) -> String {
    let paper = sheet.paper;
    let drawn = |code: TicketCode| {
        let squares = qr::half_blocks(code);
        let left = squares.first().map_or(0, |first| (paper.columns - width(first)) / 2);
        let squares = squares.iter().map(|row| format!("{}{row}", " ".repeat(left)).trim_end().to_owned());
        squares.chain([paper.centred(&code.to_string())]).map(|line| line + "\n").collect::<String>()
    };
    finished(sheet, |lines, code, end| format!("{lines}{}{end}", code.map_or_else(String::new, drawn))).collect()
}

/// The tickets for a printer that speaks ESC/POS, each cut off.
pub fn escpos(sheet: &ReceiptSheet<'_>) -> String {
    let printed = |lines: &str, code: Option<TicketCode>, end: &str| {
        let code = code.map_or_else(String::new, escpos::code);
        escpos::cut(&format!("{}{code}{}", escpos::letters(lines), escpos::letters(end)))
    };
    finished(sheet, printed).collect()
}

/// Tickets, each put together of the lines above its code, the code, and the lines below.
fn finished<'s>(
    sheet: &'s ReceiptSheet<'_>,
    put: impl Fn(&str, Option<TicketCode>, &str) -> String + 's,
) -> impl Iterator<Item = String> + 's {
    let tickets = sheet.lines.iter().flat_map(|line| match &line.goods {
        SheetGoods::Seats { on_ticket, .. } => on_ticket.iter().map(|seat| seat_ticket(sheet, line, seat)).collect(),
        SheetGoods::Words(when) => vec![time_ticket(sheet, line, when)],
    });
    let tickets: Vec<Ticket> = tickets.collect();
    let count = tickets.len();
    tickets.into_iter().zip(1..).map(move |(ticket, number)| {
        let end = end(sheet, &format!("{number} of {count}"));
        put(&(ticket.lines.join("\n") + "\n"), ticket.code, &end)
    })
}

fn seat_ticket(sheet: &ReceiptSheet<'_>, line: &SheetLine, seat: &OnTicket) -> Ticket {
    let paper = sheet.paper;
    let mut lines = vec![paper.rule('-')];
    if let SheetGoods::Seats { theater, start, zone, .. } = &line.goods {
        lines.extend([paper.centred(theater), String::new()]);
        lines.extend(paper.middle(&line.title));
        lines.push(paper.centred(&start.format(*zone, "%A %-d %B %Y %H:%M")));
    }
    lines.push(String::new());
    lines.extend(paper.middle(&seat.words));
    lines.push(String::new());
    let price = priced(line.unit_price, sheet.receipt.currency);
    lines.push(paper.sides(&line.kind, &price));
    Ticket { lines, code: seat.code }
}

fn time_ticket(sheet: &ReceiptSheet<'_>, line: &SheetLine, when: &str) -> Ticket {
    let paper = sheet.paper;
    let mut lines = vec![paper.rule('-')];
    lines.extend(paper.middle(&line.title));
    lines.push(paper.centred(when));
    lines.push(String::new());
    let price = priced(line.total, sheet.receipt.currency);
    lines.push(paper.sides(&sheet.customer.name, &price));
    Ticket { lines, code: None }
}

/// Lines below the code.
fn end(sheet: &ReceiptSheet<'_>, place: &str) -> String {
    let (receipt, paper) = (sheet.receipt, sheet.paper);
    let mut lines = vec![paper.sides(&receipt.number, place)];
    lines.extend(copy(receipt.tickets_printed).map(|copy| paper.sides("", &copy)));
    lines.push(paper.rule('-'));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::{escpos, text};
    use crate::domain::text::width;
    use crate::formats::paper::tests::plain;
    use crate::formats::receipt::tests::{line, named, receipt};
    use crate::formats::receipt::{ReceiptSheet, SheetGoods};

    #[test]
    fn each_seat_has_a_ticket() {
        let (receipt, customer) = (receipt(), named(""));
        let mut sheet = ReceiptSheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line("Action Movie 5")],
            returned: vec![],
            of: vec![],
            booking: None,
            paper: &plain(48),
        };
        if let Some(SheetGoods::Seats { on_ticket, .. }) = sheet.lines.first_mut().map(|line| &mut line.goods) {
            on_ticket.truncate(1);
        }
        insta::assert_snapshot!(text(&sheet), @r"
        ------------------------------------------------
                           The Royal

                         Action Movie 5
                Saturday 21 November 2026 19:30

                            Seat B6

        Adult                                  EUR 10.00
        till-1/7                                  1 of 1
        ------------------------------------------------
        ");
    }

    #[test]
    fn a_printer_gets_the_code_to_draw_and_cuts_each_ticket() {
        let (receipt, customer) = (receipt(), named(""));
        let paper = plain(32);
        let mut line = line("Müller’s Première");
        let code = "4K7Q-9C2M-XR0B-VT1H-8N5D".parse().unwrap();
        if let SheetGoods::Seats { on_ticket, .. } = &mut line.goods {
            on_ticket.truncate(2);
            on_ticket[0].code = Some(code);
        }
        let sheet = ReceiptSheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line],
            returned: vec![],
            of: vec![],
            booking: None,
            paper: &paper,
        };
        let golden = include_str!("../../tests/data/tickets.escpos");
        assert_eq!(escpos(&sheet), golden, "{:?}", escpos(&sheet));
        let plain = text(&sheet);
        assert!(plain.contains("4K7Q-9C2M-XR0B-VT1H-8N5D") && plain.lines().all(|line| width(line) <= 32), "{plain}");
    }

    #[test]
    fn a_copy_says_so_and_nothing_is_wider_than_the_paper() {
        let (mut receipt, customer) = (receipt(), named(""));
        receipt.tickets_printed = 3;
        let sheet = ReceiptSheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line(&"劇場の席".repeat(20))],
            returned: vec![],
            of: vec![],
            booking: None,
            paper: &plain(48),
        };
        let text = text(&sheet);
        assert_eq!(text.matches("COPY 2").count(), 3);
        assert!(text.lines().all(|line| width(line) <= 48), "{text}");
    }
}
