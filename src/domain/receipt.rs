//! Receipts: lines, total and payments as issued, which never change; a line becomes two where some of its units are lost.
//!
//! Later only the live cells, the whereabouts of the tickets, the counts of prints, and the names of the receipts that correct it
//! change. The total is the sum of the payments less what was paid back.

use serde::{Deserialize, Serialize};

use crate::domain::correction::{BackBy, Correction, ReceiptKind};
use crate::domain::credit::CreditCode;
use crate::domain::ids::{CartId, CustomerId, PerformanceId, ReceiptId};
use crate::domain::is_default;
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::money::{self, Currency, MoneyError};
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::refusal::{CorrectionRefusal, CreditRefusal, Problem, Refusal};
use crate::domain::tax::Taxed;
use crate::domain::ticket_code::{TicketCode, TicketKey, TicketPlace};
use crate::domain::time::Instant;

/// The receipt of a checkout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub id: ReceiptId,
    /// Number, without gaps per station: `till-2/457`.
    pub number: String,
    pub station: String,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    pub issued_at: Instant,
    pub cart: CartId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    /// The one currency of all its amounts.
    pub currency: Currency,
    /// The seats and time that were bought, as issued, with what is left of them; lost units have a line of their own.
    pub lines: Vec<Line>,
    /// The total, in minor units: the lines; on a correction with the fee, less the returned cells.
    pub total: i64,
    /// Payments; their sum less the amounts paid back is the total.
    pub payments: Vec<Payment>,
    /// Tax within the total by rate; none if the house has no rates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taxes: Vec<Taxed>,
    /// Reason of its comps.
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub comp: String,
    /// Correction of earlier receipts; none of a sale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Box<Correction>>,
    /// The receipts that correct it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrected_by: Vec<ReceiptId>,
    /// Part of the price of its lines that its corrections gave back or set against other cells, in minor units.
    #[serde(default, skip_serializing_if = "is_default")]
    pub credited: i64,
    /// Prints of its tickets; rows from before the receipt's own prints were counted name it so.
    #[serde(default, rename = "reprints")]
    pub tickets_printed: u32,
    /// Prints of the receipt itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub receipt_printed: u32,
    /// Time of the last print of its tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed_at: Option<Instant>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub tickets: Tickets,
    /// Its tickets that were admitted, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<TicketUse>,
    /// Issues of its tickets after the first one, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reissues: Vec<MadeAgain>,
    /// Copies of its papers, oldest first; rows from before a reason was asked have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<MadeAgain>,
}

/// Admission by a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketUse {
    /// Number of the line.
    pub line: u32,
    pub seat: SeatRef,
    pub at: Instant,
    pub station: String,
}

/// Papers of a receipt that were made again: copies, or a new issue of its tickets, whose codes before are dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeAgain {
    pub at: Instant,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    #[serde(with = "private")]
    pub reason: String,
}

impl TicketUse {
    /// Returns whether it is of a ticket of its receipt.
    pub fn is_of(&self, place: &TicketPlace) -> bool {
        (self.line, self.seat) == (place.line, place.seat)
    }
}

/// Where the tickets of a receipt are: with the customer, or at the desk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(tag = "are", rename_all = "snake_case")]
pub enum Tickets {
    /// With the customer: they were handed over when they were paid.
    #[default]
    Given,
    Waiting {
        /// The last start that it was told before, that nobody had collected them; or the last of all, if the check
        /// ended after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Instant>,
    },
    Collected {
        operator: String,
        at: Instant,
    },
}

worded!(Tickets);

impl Tickets {
    /// Returns whether they are kept at the desk for collection.
    pub const fn wait(&self) -> bool {
        matches!(self, Self::Waiting { .. })
    }
}

/// Papers of a receipt to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Papers {
    #[default]
    None,
    /// A ticket for each seat.
    Tickets,
    Receipt,
    Both,
}

impl Papers {
    /// All of them: the first bit of the index is for tickets, the second for the receipt.
    pub const ALL: [Self; 4] = [Self::None, Self::Tickets, Self::Receipt, Self::Both];

    /// True if tickets are chosen.
    pub const fn tickets(self) -> bool {
        matches!(self, Self::Tickets | Self::Both)
    }

    /// True if the receipt is chosen.
    pub const fn receipt(self) -> bool {
        matches!(self, Self::Receipt | Self::Both)
    }
}

/// Money that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    #[serde(flatten)]
    pub means: Means,
    /// Part of the total covered by the payment, in minor units.
    pub minor: i64,
}

/// Means of payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "lowercase")]
pub enum Means {
    Cash {
        /// The cash given, in minor units; the change is the excess over the payment.
        given: i64,
    },
    Card {
        /// The reference from its slip.
        reference: String,
    },
    /// Money that the house owed.
    Owed { credit: CreditCode },
}

impl Receipt {
    /// Kind of the receipt.
    pub fn kind(&self) -> ReceiptKind {
        self.correction.as_ref().map_or(ReceiptKind::Sale, |correction| correction.kind)
    }

    /// Amount given back, in minor units.
    pub fn back(&self) -> i64 {
        self.correction.as_ref().map_or(0, |one| one.back())
    }

    /// Card payments net of card refunds, in minor units.
    pub fn by_card(&self) -> i64 {
        self.net(|means| matches!(means, Means::Card { .. }), |by| matches!(by, BackBy::Card { .. }))
    }

    /// Cash payments net of cash refunds, in minor units.
    pub fn in_cash(&self) -> i64 {
        self.net(|means| matches!(means, Means::Cash { .. }), |by| *by == BackBy::Cash)
    }

    /// Payments net of refunds, by means, in minor units.
    fn net(&self, means: fn(&Means) -> bool, by: fn(&BackBy) -> bool) -> i64 {
        let paid = self.payments.iter().filter(|one| means(&one.means));
        let back = self.correction.iter().flat_map(|one| &one.paid_back);
        let back = back.filter(|one| by(&one.by)).map(|one| one.minor);
        paid.map(|one| one.minor).sum::<i64>() - back.sum::<i64>()
    }

    /// Returns whether it sells or takes back seats of a performance.
    pub fn is_of(&self, performance: PerformanceId) -> bool {
        let sold = self.lines.iter().filter_map(|line| line.goods.performance());
        let returned = self.correction.iter().flat_map(|one| &one.returned);
        let returned = returned.filter_map(|one| match one.cells {
            CellGroup::Seats { performance, .. } => Some(performance),
            CellGroup::Time { .. } => None,
        });
        sold.chain(returned).any(|one| one == performance)
    }

    /// Price of the lines that no correction has credited, in minor units.
    pub fn left(&self) -> Result<i64, MoneyError> {
        let totals: Result<Vec<i64>, MoneyError> = self.lines.iter().map(Line::total).collect();
        Ok(money::sum(totals?)? - self.credited)
    }
}

impl Payment {
    /// The change due to the customer, in minor units.
    pub fn change(&self) -> i64 {
        match &self.means {
            Means::Cash { given } => given.saturating_sub(self.minor),
            Means::Card { .. } | Means::Owed { .. } => 0,
        }
    }
}

impl Receipt {
    /// Counts a print of some of its papers.
    pub fn print(&mut self, papers: Papers, now: Instant) {
        if papers.tickets() {
            self.tickets_printed = self.tickets_printed.saturating_add(1);
            self.printed_at = Some(now);
        }
        if papers.receipt() {
            self.receipt_printed = self.receipt_printed.saturating_add(1);
        }
    }

    /// Returns whether some of the papers were printed before.
    pub const fn is_copy(&self, papers: Papers) -> bool {
        papers.tickets() && self.tickets_printed > 0 || papers.receipt() && self.receipt_printed > 0
    }

    /// Prints after the first one, of the paper that was printed most.
    pub fn reprints(&self) -> u32 {
        self.tickets_printed.max(self.receipt_printed).saturating_sub(1)
    }

    /// True if its tickets were printed for the first time when they were collected.
    pub fn is_printed_at_collection(&self) -> bool {
        let collected = match &self.tickets {
            Tickets::Collected { at, .. } => Some(*at),
            Tickets::Given | Tickets::Waiting { .. } => None,
        };
        self.tickets_printed == 1 && collected.is_some() && self.printed_at == collected
    }

    /// Time at which its tickets were printed last.
    pub fn tickets_of(&self) -> Instant {
        self.printed_at.unwrap_or(self.issued_at)
    }

    /// Changes of credits by this receipt, in minor units: negative for payments, positive for amounts owed.
    pub fn credits(&self) -> impl Iterator<Item = (CreditCode, i64)> {
        let paid = self.payments.iter().filter_map(|one| match one.means {
            Means::Owed { credit } => Some((credit, -one.minor)),
            Means::Cash { .. } | Means::Card { .. } => None,
        });
        let back = self.correction.iter().flat_map(|one| &one.paid_back);
        paid.chain(back.filter_map(|one| Some((one.credit?, one.minor))))
    }

    /// Issue of its tickets, counted from 1.
    pub const fn issue(&self) -> usize {
        self.reissues.len() + 1
    }

    /// Codes of the tickets that it still has, by line and seat.
    pub fn codes(&self, key: &TicketKey) -> Vec<(TicketPlace, TicketCode)> {
        let of = |(line, seat): (u32, &SeatRef)| {
            let place = TicketPlace { receipt: self.id, line, seat: *seat };
            Some((place, key.code(&place, self.issue())?))
        };
        self.lines
            .iter()
            .flat_map(|line| line.goods.seats().iter().map(|seat| (line.number, seat)))
            .filter_map(of)
            .collect()
    }

    /// Line, place and issue of the ticket that a code was made for.
    pub fn ticket_of(&self, key: &TicketKey, code: TicketCode) -> Option<(&Line, TicketPlace, usize)> {
        let place = |(line, seat): (&Line, SeatRef)| TicketPlace { receipt: self.id, line: line.number, seat };
        let tickets = self.lines.iter().flat_map(|line| line.goods.issued().into_iter().map(move |seat| (line, seat)));
        let mut issues =
            tickets.flat_map(|ticket| (1..=self.issue()).map(move |issue| (ticket.0, place(ticket), issue)));
        issues.find(|(_, place, issue)| key.code(place, *issue) == Some(code))
    }

    /// Counts the seats it was issued for.
    pub fn seat_count(&self) -> usize {
        self.lines.iter().map(|line| line.goods.issued().len()).sum()
    }

    /// Number of seats that it takes back.
    pub fn returned_seats(&self) -> i64 {
        let returned = self.correction.iter().flat_map(|one| &one.returned);
        let seats = returned.filter(|one| matches!(one.cells, CellGroup::Seats { .. }));
        seats.map(|one| i64::from(one.count)).sum()
    }

    /// Number of slots of time.
    pub fn slot_count(&self) -> usize {
        let slots = self.lines.iter().filter(|line| line.goods.is_time());
        slots.count()
    }

    /// Correction that took a seat back, in a word; `None` while the customer has the seat.
    pub fn gone(&self, line: u32, seat: SeatRef) -> Option<&'static str> {
        let line = self.lines.iter().find(|one| one.number == line)?;
        if line.goods.lost().contains(&seat) {
            return Some("lost");
        }
        let is_back = line.goods.returned().contains(&seat);
        is_back.then_some("returned")
    }

    /// Seats that a line still has.
    pub fn live_of(&self, number: u32) -> &[SeatRef] {
        let mut lines = self.lines.iter();
        let line = lines.find(|line| line.number == number);
        line.map_or(&[], |line| line.goods.seats())
    }

    /// The seats of a performance that were taken away and are not settled, in order.
    pub fn lost_of(&self, performance: PerformanceId) -> Vec<SeatRef> {
        let lines = self.lines.iter().filter(|line| line.goods.performance() == Some(performance));
        let mut lost: Vec<SeatRef> = lines.flat_map(|line| line.goods.lost()).copied().collect();
        lost.sort_unstable();
        lost
    }

    /// The change due to the customer, in minor units.
    pub fn change(&self) -> i64 {
        self.payments.iter().map(Payment::change).sum()
    }
}

/// A tendered payment, before it is checked against the amount due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "lowercase")]
pub enum Tender {
    /// Notes and coins; nothing given means exactly the rest.
    Cash {
        /// In minor units.
        given: Option<i64>,
    },
    /// A card terminal; nothing charged means exactly the rest.
    Card {
        reference: String,
        /// In minor units.
        charged: Option<i64>,
    },
    /// A credit; no amount means as much of it as is due.
    Owed {
        credit: CreditCode,
        /// In minor units.
        amount: Option<i64>,
    },
}

impl Tender {
    /// Stated amount in minor units; `None` means exactly the rest.
    pub const fn amount(&self) -> Option<i64> {
        match self {
            Self::Cash { given } => *given,
            Self::Card { charged, .. } => *charged,
            Self::Owed { amount, .. } => *amount,
        }
    }

    /// In which order tenders are taken: a card or a credit never pays too much, so it comes before the cash that gives
    /// change, and what takes the rest comes after all that have an amount.
    const fn order(&self) -> u8 {
        match (self.amount(), self) {
            (Some(_), Self::Card { .. } | Self::Owed { .. }) => 0,
            (Some(_), Self::Cash { .. }) => 1,
            (None, _) => 2,
        }
    }
}

/// Converts tenders into payments of exactly the total; the excess is change. A total below zero takes none.
///
/// # Errors
/// [`Refusal::PaymentShort`], [`Refusal::CardOver`], a card without a reference, or an amount below zero.
pub fn settle(total: i64, currency: Currency, tenders: &[Tender]) -> Result<Vec<Payment>, Refusal> {
    if total < 0 {
        let back = -total;
        return if tenders.is_empty() {
            Ok(Vec::new())
        } else {
            Err(CorrectionRefusal::GiveBackHow { back, currency }.into())
        };
    }
    let mut rest = total;
    let mut payments = Vec::new();
    let mut in_order: Vec<&Tender> = tenders.iter().collect();
    in_order.sort_by_key(|tender| tender.order());
    for tender in in_order {
        let said = tender.amount().unwrap_or(rest);
        let means = means(tender, (said, rest), currency)?;
        let minor = said.min(rest);
        if said > 0 {
            rest -= minor;
            payments.push(Payment { means, minor });
        }
    }
    if rest > 0 {
        return Err(Refusal::PaymentShort { total, paid: total - rest, missing: rest, currency });
    }
    Ok(payments)
}

/// Least number of digits of a whole number that is a slip's number, not an amount.
const SLIP_DIGITS: usize = 6;

/// Returns whether a card reference without an amount behind it may be an amount in the wrong place: `12.00`, `30`. Slips'
/// numbers are longer, or begin with 0.
pub fn reads_as_amount(reference: &str, currency: Currency) -> bool {
    let bare = reference.trim();
    let slip = bare.len() >= SLIP_DIGITS || bare.starts_with('0') && bare.len() > 1;
    let digits_only = bare.bytes().all(|byte| byte.is_ascii_digit());
    money::parse_amount(bare, currency).is_ok() && !(slip && digits_only)
}

/// Checks a tendered amount, in minor units.
pub fn not_negative(minor: i64) -> Result<i64, Refusal> {
    if minor < 0 {
        return Err(Refusal::bad("pay", Problem::Negative));
    }
    Ok(minor)
}

/// Means of payment of a tender, from its stated amount and the amount still due.
fn means(tender: &Tender, (said, rest): (i64, i64), currency: Currency) -> Result<Means, Refusal> {
    not_negative(said)?;
    match tender {
        Tender::Cash { .. } => Ok(Means::Cash { given: said }),
        Tender::Card { reference, .. } if reference.trim().is_empty() => Err(Refusal::CardReferenceMissing),
        Tender::Card { .. } if said > rest => Err(Refusal::CardOver { due: rest, charged: said, currency }),
        Tender::Card { reference, .. } => Ok(Means::Card { reference: reference.clone() }),
        Tender::Owed { .. } if said > rest => Err(CreditRefusal::Over { due: rest, currency }.into()),
        Tender::Owed { credit, .. } => Ok(Means::Owed { credit: *credit }),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Means, Receipt, Tender, settle};
    use crate::domain::money::Currency;
    use crate::domain::plan::SeatRef;
    use crate::domain::refusal::Refusal;
    use crate::domain::ticket_code::{TicketCode, TicketKey, TicketPlace};

    fn cash(given: i64) -> Tender {
        Tender::Cash { given: Some(given) }
    }

    fn card(minor: i64) -> Tender {
        Tender::Card { reference: "R1".into(), charged: Some(minor) }
    }

    #[test]
    fn cash_over_the_total_gives_change_and_is_recorded_as_what_was_due() {
        let payments = settle(3000, Currency::EUR, &[cash(5000)]).unwrap();
        assert_eq!((payments[0].minor, payments[0].change()), (3000, 2000));
        assert_eq!(payments[0].means, Means::Cash { given: 5000 });
    }

    #[test]
    fn mixed_payments_add_up_whatever_their_order() {
        let payments = settle(3000, Currency::EUR, &[cash(2000), card(1800)]).unwrap();
        assert_eq!(payments.iter().map(|p| p.minor).sum::<i64>(), 3000);
        assert_eq!(payments.iter().map(super::Payment::change).sum::<i64>(), 800);
    }

    #[test]
    fn what_has_no_amount_takes_what_the_others_leave() {
        let rest = Tender::Card { reference: "R1".into(), charged: None };
        let payments = settle(3000, Currency::EUR, &[rest, cash(2000)]).unwrap();
        let minors: Vec<i64> = payments.iter().map(|payment| payment.minor).collect();
        assert_eq!(minors, [2000, 1000], "no change, and the card pays a third");
        assert_eq!(settle(0, Currency::EUR, &[card(0)]), Ok(vec![]), "nothing is no payment");
    }

    #[test]
    fn an_amount_in_the_place_of_a_reference_is_noticed() {
        for amount in ["12.00", "30", "5", "30,01", " 20 ", "0.5", "4711"] {
            assert!(super::reads_as_amount(amount, Currency::EUR), "{amount:?}");
        }
        for slip in ["X1", "004417", "471199", "A30", "12.345", "", "12-30"] {
            assert!(!super::reads_as_amount(slip, Currency::EUR), "{slip:?}");
        }
    }

    #[test]
    fn no_forged_code_is_a_ticket_of_the_receipt_that_it_names() {
        let id = crate::domain::ids::ReceiptId::random();
        let performance = crate::domain::ids::PerformanceId::random();
        let receipt: Receipt = serde_json::from_value(serde_json::json!({
            "id": id, "number": "till-1/7", "station": "till-1", "operator": "ada", "issued_at": 0,
            "cart": crate::domain::ids::CartId::random(), "currency": "EUR", "total": 1000, "payments": [],
            "lines": [{
                "number": 1, "unit_price": 1000, "count": 1,
                "goods": { "seats": { "performance": performance, "seats": [[0, 3, 1]] } },
            }],
        }))
        .unwrap();
        let place = TicketPlace { receipt: id, line: 1, seat: SeatRef { row: 0, seat: 3 } };
        let (house, other) = (TicketKey::random(), TicketKey::random());
        let good = house.code(&place, 1).unwrap();
        assert_eq!(receipt.ticket_of(&house, good).map(|(_, place, issue)| (place, issue)), Some((place, 1)));
        let foreign = (1..=1000).filter_map(|issue| other.code(&place, issue));
        // a million where `WILLCALL_ROUNDS` asks for more than usual
        let most = if std::env::var_os("WILLCALL_ROUNDS").is_some() { 999_000 } else { 99_000 };
        // the worst: they begin as the receipt's own codes do, so that it is found
        let begin = &good.letters()[..7];
        let tried = (0..most).map(|_| {
            let letters: String = Uuid::new_v4().simple().to_string().to_uppercase();
            format!("{begin}{}", &letters[..13]).parse::<TicketCode>().unwrap()
        });
        assert_eq!(tried.chain(foreign).filter(|forged| receipt.ticket_of(&house, *forged).is_some()).count(), 0);
    }

    #[test]
    fn short_and_over_are_refused() {
        assert!(matches!(settle(3000, Currency::EUR, &[cash(2999)]), Err(Refusal::PaymentShort { .. })));
        assert!(matches!(settle(3000, Currency::EUR, &[]), Err(Refusal::PaymentShort { .. })));
        assert!(matches!(settle(3000, Currency::EUR, &[card(3001)]), Err(Refusal::CardOver { .. })));
        assert!(matches!(settle(3000, Currency::EUR, &[card(-1), cash(3001)]), Err(Refusal::BadValue { .. })));
        let blank = Tender::Card { reference: " ".into(), charged: None };
        assert_eq!(settle(3000, Currency::EUR, &[blank]), Err(Refusal::CardReferenceMissing));
        assert_eq!(settle(0, Currency::EUR, &[]), Ok(vec![]));
    }
}
