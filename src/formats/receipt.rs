//! A receipt as plain text, 48 columns wide, for a screen, a file or a printer.

use chrono_tz::Tz;

use crate::domain::customer::Customer;
use crate::domain::money::{grouped, priced};
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::time::Instant;

use super::paper::{centred, rule, sides, wrapped};

/// A receipt with the names that people read.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    pub receipt: &'a Receipt,
    pub customer: &'a Customer,
    /// The local time that it is dated in.
    pub zone: Tz,
    /// Lines as issued, in their order.
    pub lines: Vec<SheetLine>,
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
    },
    /// Time of a resource, in words.
    Time(String),
}

/// The receipt's text; every line ends with a line break.
pub fn text(sheet: &Sheet<'_>) -> String {
    let receipt = sheet.receipt;
    let mut lines = vec![rule('='), centred(&format!("RECEIPT {}", receipt.number))];
    if receipt.reprints > 0 {
        lines.push(centred(&copy(receipt)));
    }
    lines.push(sides(
        &receipt.issued_at.format(sheet.zone, "%a %-d %b %Y %H:%M"),
        &receipt.operator,
    ));
    if !sheet.customer.is_unknown() {
        lines.push(sides(&sheet.customer.name, &sheet.customer.phone));
    }
    lines.push(rule('-'));
    for line in &sheet.lines {
        lines.extend(bought(line, receipt));
    }
    lines.push(rule('-'));
    lines.push(sides("TOTAL", &priced(receipt.total, receipt.currency)));
    lines.extend(
        receipt
            .payments
            .iter()
            .flat_map(|payment| paid(payment, receipt)),
    );
    lines.push(rule('='));
    lines.join("\n") + "\n"
}

/// Mark of a reprint: `COPY 2`.
pub(super) fn copy(receipt: &Receipt) -> String {
    format!("COPY {}", receipt.reprints)
}

fn bought(line: &SheetLine, receipt: &Receipt) -> Vec<String> {
    let mut lines = wrapped(&line.title, 0);
    match &line.goods {
        SheetGoods::Seats {
            theater,
            start,
            zone,
            seats,
        } => {
            lines.push(sides(theater, &start.format(*zone, "%a %-d %b %Y %H:%M")));
            lines.extend(wrapped(&seats.join(", "), 2));
        }
        SheetGoods::Time(when) => lines.extend(wrapped(when, 2)),
    }
    let each = grouped(line.unit_price, receipt.currency);
    let words = [&line.count.to_string(), "x", &line.kind, &each];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    lines.push(sides(
        &words.join(" "),
        &grouped(line.total, receipt.currency),
    ));
    lines
}

fn paid(payment: &Payment, receipt: &Receipt) -> Vec<String> {
    let currency = receipt.currency;
    match &payment.means {
        Means::Card { reference } => vec![sides(
            &format!("Card {reference}"),
            &grouped(payment.minor, currency),
        )],
        Means::Cash { given } => {
            let mut lines = vec![sides("Cash", &grouped(*given, currency))];
            if payment.change() > 0 {
                lines.push(sides("Change", &grouped(payment.change(), currency)));
            }
            lines
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chrono_tz::Tz;

    use super::{Sheet, SheetGoods, SheetLine, text};
    use crate::domain::customer::Customer;
    use crate::domain::ids::{CartId, ReceiptId};
    use crate::domain::money::Currency;
    use crate::domain::receipt::{Means, Payment, Receipt, Tickets};
    use crate::domain::text::width;
    use crate::domain::time::Instant;

    pub(in crate::formats) fn named(name: &str) -> Customer {
        Customer {
            name: name.into(),
            phone: String::new(),
        }
    }

    pub(in crate::formats) fn receipt() -> Receipt {
        Receipt {
            id: ReceiptId::random(),
            number: "till-1/7".into(),
            station: "till-1".into(),
            operator: "ada".into(),
            issued_at: Instant::from_millis(1_795_262_400_000),
            cart: CartId::random(),
            customer: None,
            currency: Currency::EUR,
            lines: vec![],
            total: 3000,
            payments: vec![
                Payment {
                    means: Means::Card {
                        reference: "A7".into(),
                    },
                    minor: 1200,
                },
                Payment {
                    means: Means::Cash { given: 2000 },
                    minor: 1800,
                },
            ],
            reprints: 0,
            tickets: Tickets::Given,
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
            },
            kind: "Adult".into(),
            count: 3,
            unit_price: 1000,
            total: 3000,
        }
    }

    #[test]
    fn a_receipt_says_what_was_bought_and_how_it_was_paid() {
        let (receipt, customer) = (receipt(), named("Ann Lee"));
        let sheet = Sheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line("Action Movie 5")],
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
        let sheet = Sheet {
            receipt: &receipt,
            customer: &customer,
            zone: Tz::UTC,
            lines: vec![line(&"\u{1b}[2J\u{202e}席".repeat(60))],
        };
        let text = text(&sheet);
        assert!(text.lines().all(|line| width(line) <= 48), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
    }
}
