//! Tickets as plain text, as wide as their station's paper: one for each seat and each slot of a resource, to be cut apart.

use crate::domain::money::priced;

use super::receipt::{Sheet, SheetGoods, SheetLine, copy};

/// The text of a receipt's tickets, one after the other; every line ends with a line break.
pub fn text(sheet: &Sheet<'_>) -> String {
    let tickets = sheet.lines.iter().flat_map(|line| match &line.goods {
        SheetGoods::Seats { on_ticket, .. } => on_ticket.iter().map(|seat| seat_ticket(sheet, line, seat)).collect(),
        SheetGoods::Words(when) => vec![time_ticket(sheet, line, when)],
    });
    let tickets: Vec<Vec<String>> = tickets.collect();
    let count = tickets.len();
    let numbered = tickets.into_iter().zip(1..);
    numbered.map(|(lines, number)| finished(lines, sheet, &format!("{number} of {count}"))).collect()
}

fn seat_ticket(sheet: &Sheet<'_>, line: &SheetLine, seat: &str) -> Vec<String> {
    let paper = sheet.paper;
    let mut lines = vec![paper.rule('-')];
    if let SheetGoods::Seats { theater, start, zone, .. } = &line.goods {
        lines.extend([paper.centred(theater), String::new()]);
        lines.extend(paper.middle(&line.title));
        lines.push(paper.centred(&start.format(*zone, "%A %-d %B %Y %H:%M")));
    }
    lines.push(String::new());
    lines.extend(paper.middle(seat));
    lines.push(String::new());
    let price = priced(line.unit_price, sheet.receipt.currency);
    lines.push(paper.sides(&line.kind, &price));
    lines
}

fn time_ticket(sheet: &Sheet<'_>, line: &SheetLine, when: &str) -> Vec<String> {
    let paper = sheet.paper;
    let mut lines = vec![paper.rule('-')];
    lines.extend(paper.middle(&line.title));
    lines.push(paper.centred(when));
    lines.push(String::new());
    let price = priced(line.total, sheet.receipt.currency);
    lines.push(paper.sides(&sheet.customer.name, &price));
    lines
}

fn finished(mut lines: Vec<String>, sheet: &Sheet<'_>, place: &str) -> String {
    let (receipt, paper) = (sheet.receipt, sheet.paper);
    lines.push(paper.sides(&receipt.number, place));
    lines.extend(copy(receipt.tickets_printed).map(|copy| paper.sides("", &copy)));
    lines.push(paper.rule('-'));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::text;
    use crate::domain::text::width;
    use crate::formats::paper::tests::plain;
    use crate::formats::receipt::tests::{line, named, receipt};
    use crate::formats::receipt::{Sheet, SheetGoods};

    #[test]
    fn each_seat_has_a_ticket() {
        let (receipt, customer) = (receipt(), named(""));
        let mut sheet = Sheet {
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
    fn a_copy_says_so_and_nothing_is_wider_than_the_paper() {
        let (mut receipt, customer) = (receipt(), named(""));
        receipt.tickets_printed = 3;
        let sheet = Sheet {
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
