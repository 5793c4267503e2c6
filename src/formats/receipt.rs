//! A receipt as plain text, as wide as its station's paper, for a screen, a file or a printer.

use chrono_tz::Tz;

use crate::domain::correction::{BackBy, Correction, PaidBack, ReceiptKind};
use crate::domain::customer::Customer;
use crate::domain::money::{Currency, grouped, priced};
use crate::domain::paper::Paper;
use crate::domain::plan::counted;
use crate::domain::prices::PricePart;
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::ticket_code::TicketCode;
use crate::domain::time::Instant;
use crate::formats::escpos;

/// A receipt with the names that people read.
#[derive(Clone, Debug)]
pub struct ReceiptSheet<'a> {
    pub receipt: &'a Receipt,
    pub customer: &'a Customer,
    /// The local time that it is dated in.
    pub zone: Tz,
    /// Lines as issued, in their order.
    pub lines: Vec<SheetLine>,
    /// Cells that it takes back, each with the number of the receipt that they were sold by.
    pub returned: Vec<(String, SheetLine)>,
    /// Numbers of the receipts that it corrects.
    pub of: Vec<String>,
    /// Title of the booking whose payment it gives back.
    pub booking: Option<&'a str>,
    pub paper: &'a Paper,
}

/// A line of a receipt with the names that people read.
#[derive(Clone, Debug)]
pub struct SheetLine {
    /// The performance's title, or the resource's name.
    pub title: String,
    /// The cells, as paper tells of them.
    pub goods: SheetGoods,
    /// The ticket type; time has none.
    pub kind: String,
    pub count: u32,
    /// The price of one of them, in minor units.
    pub unit_price: i64,
    /// Parts of the price, where rules of a list made it.
    pub parts: Vec<PricePart>,
    /// The price of them all, in minor units.
    pub total: i64,
}

/// The cells of a line on paper.
#[derive(Clone, Debug)]
pub enum SheetGoods {
    Seats {
        theater: String,
        start: Instant,
        zone: Tz,
        seats: Vec<String>,
        /// Seats in the words of a ticket.
        on_ticket: Vec<OnTicket>,
    },
    /// Cells in words: time of a resource, or what is returned.
    Words(String),
}

/// A seat on its ticket.
#[derive(Clone, Debug)]
pub struct OnTicket {
    /// The seat in words.
    pub words: String,
    pub code: Option<TicketCode>,
}

/// The receipt for a printer that speaks ESC/POS.
pub fn escpos(sheet: &ReceiptSheet<'_>) -> String {
    escpos::cut(&escpos::letters(&text(sheet)))
}

/// The receipt's text; every line ends with a line break.
pub fn text(sheet: &ReceiptSheet<'_>) -> String {
    let (receipt, paper) = (sheet.receipt, sheet.paper);
    let mut lines = vec![paper.rule('=')];
    lines.extend(paper.head());
    lines.extend(paper.middle(&heading(sheet)));
    lines.extend(copy(receipt.receipt_printed).map(|copy| paper.centred(&copy)));
    lines.push(paper.sides(&receipt.issued_at.format(sheet.zone, "%a %-d %b %Y %H:%M"), &receipt.operator));
    if !sheet.customer.is_unknown() {
        lines.push(paper.sides(&sheet.customer.name, &sheet.customer.phone));
    }
    lines.push(paper.rule('-'));
    for line in &sheet.lines {
        lines.extend(bought(paper, line, receipt));
    }
    for (of, line) in &sheet.returned {
        lines.extend(paper.wrapped(&format!("RETURNED, receipt {of}"), 0));
        lines.extend(bought(paper, line, receipt));
    }
    let correction = receipt.correction.as_ref();
    if let Some(correction) = correction {
        lines.extend(terms(sheet, correction));
    }
    lines.push(paper.rule('-'));
    lines.push(paper.sides("TOTAL", &priced(receipt.total, receipt.currency)));
    lines.extend(receipt.payments.iter().flat_map(|payment| paid(paper, payment, receipt)));
    let paid_back = correction.map_or(&[][..], |correction| &correction.paid_back);
    lines.extend(paid_back.iter().flat_map(|back| given_back(paper, back, receipt.currency)));
    let taxes = receipt.taxes.iter().map(|one| {
        let within = format!("Tax, {} % in {}", one.rate, grouped(one.gross, receipt.currency));
        paper.sides(&within, &grouped(one.tax, receipt.currency))
    });
    lines.extend(taxes);
    if !receipt.comp.is_empty() {
        lines.extend(paper.wrapped(&format!("Given away: {}", receipt.comp), 0));
    }
    if !paper.letterhead.footer.is_empty() {
        lines.push(paper.rule('-'));
        lines.extend(paper.middle(&paper.letterhead.footer));
    }
    lines.push(paper.rule('='));
    lines.join("\n") + "\n"
}

/// Money given back; a credit with its code in a line of its own.
fn given_back(paper: &Paper, back: &PaidBack, currency: Currency) -> Vec<String> {
    let means = match &back.by {
        BackBy::Cash => "Given back in cash".to_owned(),
        BackBy::Card { reference } => format!("Given back to card {reference}"),
        BackBy::Owed => "Owed to the customer".to_owned(),
    };
    let mut lines = vec![paper.sides(&means, &grouped(back.minor, currency))];
    lines.extend(back.credit.map(|code| paper.centred(&format!("CREDIT {code}"))));
    lines
}

/// The kind of a receipt, as the heading of its paper.
fn heading(sheet: &ReceiptSheet<'_>) -> String {
    let receipt = sheet.receipt;
    let kind = receipt.kind();
    if kind == ReceiptKind::Sale {
        return format!("RECEIPT {}", receipt.number);
    }
    let mut words = vec![kind.word().to_uppercase(), receipt.number.clone()];
    // a rehearsed one has no number
    words.retain(|word| !word.is_empty());
    if !sheet.of.is_empty() {
        words.push(format!("of {}", sheet.of.join(", ")));
    }
    words.join(" ")
}

/// Fee and reason of a correction.
fn terms(sheet: &ReceiptSheet<'_>, correction: &Correction) -> Vec<String> {
    let (paper, booking, currency) = (sheet.paper, sheet.booking, sheet.receipt.currency);
    let mut lines = Vec::new();
    if let Some(title) = booking {
        lines.extend(paper.wrapped(title, 0));
        lines.push(paper.sides("Given back of what was paid", &grouped(correction.back(), currency)));
    }
    let kept = correction.kept.max(correction.fee);
    if kept > 0 {
        lines.push(paper.sides("Kept", &grouped(kept, currency)));
    } else if booking.is_none() && correction.fee < 0 {
        lines.push(paper.sides("Given without return", &grouped(correction.fee, currency)));
    }
    if correction.beyond > 0 {
        lines.push(paper.sides("Otherwise than it was paid, on purpose", &grouped(correction.beyond, currency)));
    }
    lines.extend(paper.wrapped(&correction.reason, 0));
    lines
}

/// Mark of a paper by the count of its prints, which the first one has none of: `COPY 2`.
pub(super) fn copy(printed: u32) -> Option<String> {
    let copies = printed.checked_sub(1).filter(|copies| *copies > 0)?;
    Some(format!("COPY {copies}"))
}

fn bought(paper: &Paper, line: &SheetLine, receipt: &Receipt) -> Vec<String> {
    let mut lines = paper.wrapped(&line.title, 0);
    match &line.goods {
        SheetGoods::Seats { theater, start, zone, seats, .. } => {
            lines.push(paper.sides(theater, &start.format(*zone, "%a %-d %b %Y %H:%M")));
            lines.extend(paper.wrapped(&counted(seats).join(", "), 2));
        }
        SheetGoods::Words(words) => lines.extend(paper.wrapped(words, 2)),
    }
    let money = |minor| grouped(minor, receipt.currency);
    let part = |part: &PricePart| {
        let total = part.each.saturating_mul(i64::from(part.count)) * line.total.signum();
        (part.rule.clone(), part.count, part.each, total)
    };
    let mut priced: Vec<(String, u32, i64, i64)> = line.parts.iter().map(part).collect();
    if priced.is_empty() {
        priced.push((line.kind.clone(), line.count, line.unit_price, line.total));
    }
    for (word, count, each, total) in priced {
        let words = [count.to_string(), "x".to_owned(), word, money(each)];
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        lines.push(paper.sides(&words.join(" "), &money(total)));
    }
    lines
}

fn paid(paper: &Paper, payment: &Payment, receipt: &Receipt) -> Vec<String> {
    let currency = receipt.currency;
    match &payment.means {
        Means::Card { reference } => vec![paper.sides(&format!("Card {reference}"), &grouped(payment.minor, currency))],
        Means::Owed { credit } => vec![paper.sides(&format!("Credit {credit}"), &grouped(payment.minor, currency))],
        Means::Cash { given } => {
            let mut lines = vec![paper.sides("Cash", &grouped(*given, currency))];
            if payment.change() > 0 {
                lines.push(paper.sides("Change", &grouped(payment.change(), currency)));
            }
            lines
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chrono_tz::Tz;

    use super::{OnTicket, ReceiptSheet, SheetGoods, SheetLine, text};
    use crate::domain::customer::Customer;
    use crate::domain::ids::{CartId, ReceiptId};
    use crate::domain::money::Currency;
    use crate::domain::receipt::{Means, Payment, Receipt, Tickets};
    use crate::domain::text::width;
    use crate::domain::time::Instant;
    use crate::formats::paper::tests::plain;

    pub(in crate::formats) fn named(name: &str) -> Customer {
        Customer { name: name.into(), ..Customer::default() }
    }

    pub(in crate::formats) fn receipt() -> Receipt {
        Receipt {
            id: ReceiptId::random(),
            number: "till-1/7".into(),
            station: "till-1".into(),
            operator: "ada".into(),
            approved: None,
            issued_at: Instant::from_millis(1_795_262_400_000),
            cart: CartId::random(),
            customer: None,
            currency: Currency::EUR,
            lines: vec![],
            total: 3000,
            payments: vec![
                Payment { means: Means::Card { reference: "A7".into() }, minor: 1200 },
                Payment { means: Means::Cash { given: 2000 }, minor: 1800 },
            ],
            taxes: vec![],
            comp: String::new(),
            correction: None,
            corrected_by: vec![],
            credited: 0,
            tickets_printed: 0,
            receipt_printed: 0,
            printed_at: None,
            tickets: Tickets::Given,
            used: Vec::new(),
            reissues: Vec::new(),
            copies: Vec::new(),
        }
    }

    pub(in crate::formats) fn line(title: &str) -> SheetLine {
        SheetLine {
            title: title.into(),
            goods: SheetGoods::Seats {
                theater: "The Royal".into(),
                start: Instant::from_millis(1_795_289_400_000),
                zone: Tz::UTC,
                seats: vec!["B6".into(), "B7".into(), "B8".into()],
                on_ticket: ["Seat B6", "Seat B7", "Seat B8"]
                    .map(|words| OnTicket { words: words.into(), code: None })
                    .into(),
            },
            kind: "Adult".into(),
            count: 3,
            unit_price: 1000,
            parts: Vec::new(),
            total: 3000,
        }
    }

    #[test]
    fn a_receipt_says_what_was_bought_and_how_it_was_paid() {
        let (receipt, customer) = (receipt(), named("Ann Lee"));
        let sheet = ReceiptSheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line("Action Movie 5")],
            returned: vec![],
            of: vec![],
            booking: None,
            paper: &plain(48),
        };
        insta::assert_snapshot!(text(&sheet), @r"
        ================================================
                        RECEIPT till-1/7
        Sat 21 Nov 2026 12:00                        ada
        Ann Lee
        ------------------------------------------------
        Action Movie 5
        The Royal                  Sat 21 Nov 2026 19:30
          B6, B7, B8
        3 x Adult 10.00                            30.00
        ------------------------------------------------
        TOTAL                                  EUR 30.00
        Card A7                                    12.00
        Cash                                       20.00
        Change                                      2.00
        ================================================
        ");
    }

    #[test]
    fn wide_and_hostile_names_break_nothing() {
        let (receipt, customer) = (receipt(), named(&"劇場".repeat(30)));
        let sheet = ReceiptSheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line(&"\u{1b}[2J\u{202e}席".repeat(60))],
            returned: vec![],
            of: vec![],
            booking: None,
            paper: &plain(48),
        };
        let text = text(&sheet);
        assert!(text.lines().all(|line| width(line) <= 48), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
    }
}
