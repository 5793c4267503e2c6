//! Receipts: one with its lines and payments, and a page of them.

use serde::Serialize;

use crate::cli::answers::cart::{CustomerAnswer, LineAnswer};
use crate::cli::answers::day_time;
use crate::cli::answers::slots::SlotAnswer;
use crate::cli::answers::worklist::WorkAnswer;
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::money::{Currency, amount};
use crate::domain::receipt::{Means, Payment};
use crate::domain::text::clean;
use crate::engine::reads::carts::{LineView, SlotView};
use crate::engine::reads::receipts::{ReceiptRow, ReceiptView};
use crate::tui::printing::Papers;

/// A receipt.
#[derive(Serialize)]
pub(in crate::cli) struct ReceiptAnswer {
    id: String,
    number: String,
    station: String,
    operator: String,
    issued_at: String,
    cart: String,
    customer: CustomerAnswer,
    lines: Vec<IssuedAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slots: Vec<SlotAnswer>,
    total: String,
    currency: String,
    payments: Vec<PaymentAnswer>,
    change: String,
    lost: Vec<String>,
    reprints: u32,
    /// Where its tickets are: given, waiting, collected.
    tickets: &'static str,
    /// The charge of its card beyond the total, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<WorkAnswer>,
    /// Its text, when it was printed into the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip)]
    paper: String,
}

/// A line as issued, with the seats it still has.
#[derive(Serialize)]
struct IssuedAnswer {
    #[serde(flatten)]
    line: LineAnswer,
    live: Vec<String>,
}

#[derive(Serialize)]
struct PaymentAnswer {
    means: &'static str,
    amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
}

impl PaymentAnswer {
    fn new(payment: &Payment, currency: Currency) -> Self {
        let covered = amount(payment.minor, currency);
        match &payment.means {
            Means::Card { reference } => Self {
                means: "card",
                amount: covered,
                reference: Some(reference.clone()),
                given: None,
                change: None,
            },
            Means::Cash { given } => Self {
                means: "cash",
                amount: covered,
                reference: None,
                given: Some(amount(*given, currency)),
                change: Some(amount(payment.change(), currency)),
            },
        }
    }
}

impl ReceiptAnswer {
    pub(in crate::cli) fn new(view: &ReceiptView) -> Self {
        let (receipt, zone) = (&view.receipt, view.zone);
        let currency = receipt.currency;
        let issued = |(line, issued): (&LineView, &crate::domain::receipt::ReceiptLine)| {
            let live = line.seats.iter().filter(|(at, _)| issued.live.contains(at));
            IssuedAnswer {
                line: LineAnswer::new(line, currency),
                live: live.map(|(_, name)| name.clone()).collect(),
            }
        };
        let slot = |line: &SlotView| SlotAnswer::new(line, currency);
        let payments = receipt
            .payments
            .iter()
            .map(|payment| PaymentAnswer::new(payment, currency));
        Self {
            id: receipt.id.to_string(),
            number: receipt.number.clone(),
            station: receipt.station.clone(),
            operator: receipt.operator.clone(),
            issued_at: receipt.issued_at.rfc3339(zone),
            cart: receipt.cart.to_string(),
            customer: (&receipt.customer).into(),
            lines: view.lines.iter().zip(&receipt.lines).map(issued).collect(),
            slots: view.slots.iter().map(slot).collect(),
            total: amount(receipt.total, currency),
            currency: currency.to_string(),
            payments: payments.collect(),
            change: amount(receipt.change(), currency),
            lost: view.lost.clone(),
            reprints: receipt.reprints,
            tickets: receipt.tickets.word(),
            owed: None,
            text: None,
            paper: Papers::Receipt.text(view),
        }
    }

    /// With what its card was charged with beyond the total.
    pub(in crate::cli) fn with_owed(self, owed: WorkAnswer) -> Self {
        Self {
            owed: Some(owed),
            ..self
        }
    }

    /// With the text that was printed.
    pub(in crate::cli) fn with_text(self, text: String) -> Self {
        Self {
            text: Some(text),
            ..self
        }
    }
}

impl Answer for ReceiptAnswer {
    fn people(&self) -> String {
        let mut text = self.text.as_ref().unwrap_or(&self.paper).clone();
        if !self.lost.is_empty() {
            let lost = clean(&self.lost.join(", "));
            text = format!("{text}No longer its: {lost}\n");
        }
        if let Some(owed) = &self.owed {
            let owed = owed.people();
            text = format!(
                "{text}\nThe card was charged more than this. The rest is on the worklist:\n\n{owed}"
            );
        }
        text
    }
}

/// Receipts, newest first.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct ReceiptList(pub(in crate::cli) Vec<RowAnswer>);

/// A receipt in one row.
#[derive(Serialize)]
pub(in crate::cli) struct RowAnswer {
    pub(in crate::cli) id: String,
    number: String,
    station: String,
    operator: String,
    issued_at: String,
    customer: String,
    title: String,
    seats: usize,
    lost: usize,
    total: String,
    currency: String,
    #[serde(skip)]
    when: String,
}

impl RowAnswer {
    pub(in crate::cli) fn new(row: &ReceiptRow, zone: chrono_tz::Tz) -> Self {
        Self {
            id: row.id.to_string(),
            number: row.number.clone(),
            station: row.station.clone(),
            operator: row.operator.clone(),
            issued_at: row.issued_at.rfc3339(zone),
            customer: row.customer.clone(),
            title: row.title.clone(),
            seats: row.seats,
            lost: row.lost,
            total: amount(row.total, row.currency),
            currency: row.currency.to_string(),
            when: day_time(row.issued_at, zone),
        }
    }
}

impl Answer for ReceiptList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("RECEIPT"),
            words("ISSUED"),
            words("OPERATOR"),
            words("CUSTOMER"),
            words("PERFORMANCE"),
            numbers("SEATS"),
            numbers("TOTAL"),
        ]);
        for row in &self.0 {
            table.row([
                row.number.clone(),
                row.when.clone(),
                row.operator.clone(),
                row.customer.clone(),
                row.title.clone(),
                row.seats.to_string(),
                format!("{} {}", row.currency, row.total),
            ]);
        }
        table.text_or("No receipt yet.")
    }
}

/// A card payment that was recorded too late for its seats.
#[derive(Serialize)]
pub(in crate::cli) struct UnissuedAnswer {
    unissued: WorkAnswer,
}

impl UnissuedAnswer {
    pub(in crate::cli) const fn new(unissued: WorkAnswer) -> Self {
        Self { unissued }
    }
}

impl Answer for UnissuedAnswer {
    fn people(&self) -> String {
        format!(
            "Nothing is left to sell for the card payment; no receipt was issued. It is on the worklist: give \
             the money back, or find other seats.\n\n{}",
            self.unissued.people()
        )
    }
}
