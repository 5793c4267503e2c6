//! Tickets as plain text, 48 columns wide: one for each seat and each slot of a resource, to be cut apart.

use crate::domain::money::priced;
use crate::domain::receipt::Receipt;

use super::paper::{centred, rule, sides, wrapped};
use super::receipt::{Sheet, SheetLine, SheetSlot, copy};

/// The text of a receipt's tickets, one after the other; every line ends with a line break.
#[must_use]
pub fn text(sheet: &Sheet<'_>) -> String {
    let seats: usize = sheet.lines.iter().map(|line| line.seats.len()).sum();
    let count = seats + sheet.slots.len();
    let place = |number: usize| format!("{number} of {count}");
    let each_seat = sheet
        .lines
        .iter()
        .flat_map(|line| line.seats.iter().map(move |seat| (line, seat)));
    let for_seats = each_seat
        .zip(1..)
        .map(|((line, seat), number)| seat_ticket(sheet.receipt, line, (seat, &place(number))));
    let for_slots = sheet
        .slots
        .iter()
        .zip(seats + 1..)
        .map(|(slot, number)| slot_ticket(sheet.receipt, slot, &place(number)));
    for_seats.chain(for_slots).collect()
}

fn seat_ticket(receipt: &Receipt, line: &SheetLine, (seat, place): (&str, &str)) -> String {
    let mut lines = vec![rule('-'), centred(&line.theater), String::new()];
    lines.extend(wrapped(&line.title, 0).iter().map(|title| centred(title)));
    lines.push(centred(&line.start.format(line.zone, "%A %-d %B %Y %H:%M")));
    lines.push(String::new());
    lines.extend(
        wrapped(&format!("Seat {seat}"), 0)
            .iter()
            .map(|seat| centred(seat)),
    );
    lines.push(String::new());
    let price = priced(line.unit_price, receipt.currency);
    lines.push(sides(&line.ticket_type, &price));
    finished(lines, receipt, place)
}

fn slot_ticket(receipt: &Receipt, slot: &SheetSlot, place: &str) -> String {
    let mut lines = vec![rule('-')];
    lines.extend(wrapped(&slot.name, 0).iter().map(|name| centred(name)));
    lines.push(centred(&slot.when));
    lines.push(String::new());
    let price = priced(slot.total, receipt.currency);
    lines.push(sides(&receipt.customer.name, &price));
    finished(lines, receipt, place)
}

fn finished(mut lines: Vec<String>, receipt: &Receipt, place: &str) -> String {
    lines.push(sides(&receipt.number, place));
    if receipt.reprints > 0 {
        lines.push(sides("", &copy(receipt)));
    }
    lines.push(rule('-'));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::text;
    use crate::domain::text::width;
    use crate::formats::receipt::Sheet;
    use crate::formats::receipt::tests::{line, receipt};

    #[test]
    fn each_seat_has_a_ticket() {
        let receipt = receipt("");
        let mut sheet = Sheet {
            slots: Vec::new(),
            receipt: &receipt,
            zone: Tz::UTC,
            lines: vec![line("Action Movie 5")],
        };
        if let Some(line) = sheet.lines.first_mut() {
            line.seats.truncate(1);
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
        let mut receipt = receipt("");
        receipt.reprints = 2;
        let sheet = Sheet {
            slots: Vec::new(),
            receipt: &receipt,
            zone: Tz::UTC,
            lines: vec![line(&"劇場の席".repeat(20))],
        };
        let text = text(&sheet);
        assert_eq!(text.matches("COPY 2").count(), 3);
        assert!(text.lines().all(|line| width(line) <= 48), "{text}");
    }
}
