//! Wording of corrections: kinds of receipts, means of paying back, and refusals.

use crate::domain::correction::{BackBy, PaidBack, ReceiptKind};
use crate::domain::money::{Currency, Price, grouped, priced};
use crate::domain::operator::hands;
use crate::domain::refusal::{CorrectionRefusal, CreditRefusal, VoidProblem};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Local};
use crate::engine::reads::receipts::ReceiptView;
use crate::words::names::{is_are, list};
use crate::words::{capital, day_time};

/// Label of a receipt's kind.
#[must_use]
pub const fn kind_of_receipt(kind: ReceiptKind) -> &'static str {
    match kind {
        ReceiptKind::Sale => "sale",
        ReceiptKind::Refund => "refund",
        ReceiptKind::Exchange => "exchange",
        ReceiptKind::Release => "given up",
        ReceiptKind::Goodwill => "goodwill",
        ReceiptKind::Waiver => "waived",
        ReceiptKind::Void => "void",
    }
}

/// Title of a receipt in a list, behind its kind if it is no sale: `refund: Hamlet`.
#[must_use]
pub fn titled(kind: ReceiptKind, title: &str) -> String {
    match (kind, title) {
        (ReceiptKind::Sale, title) => title.to_owned(),
        (kind, "") => kind_of_receipt(kind).to_owned(),
        (kind, title) => format!("{}: {title}", kind_of_receipt(kind)),
    }
}

/// Word for a receipt that was issued just now.
#[must_use]
pub const fn issued(kind: ReceiptKind) -> &'static str {
    match kind {
        ReceiptKind::Sale => "Sold",
        ReceiptKind::Refund | ReceiptKind::Goodwill => "Given back",
        ReceiptKind::Exchange => "Exchanged",
        ReceiptKind::Release | ReceiptKind::Waiver => "Given up",
        ReceiptKind::Void => "Voided",
    }
}

/// Sentences for the corrections of a receipt, oldest first, then for its papers that were made again:
/// `Refund Sat 21 Nov 18:03 by ada, receipt till-2/2: K13, EUR 10.00 given back. Ill`.
pub fn history(view: &ReceiptView, now: Instant) -> impl Iterator<Item = String> + '_ {
    let here = Local { now, zone: view.zone };
    let again = [("Issued anew", &view.receipt.reissues), ("Copy", &view.receipt.copies)];
    let again = again.into_iter().flat_map(|(what, made)| made.iter().map(move |one| (what, one)));
    let again = again.map(move |(what, one)| {
        let by = hands(&one.operator, one.approved.as_deref());
        clean(&format!("{what} {} by {by}. {}", day_time(one.at, here), capital(&one.reason)))
    });
    let corrected = view.corrected_by.iter().map(move |by| {
        let back = match by.back {
            0 => String::new(),
            back => format!(", {} given back", priced(back, view.receipt.currency)),
        };
        let cells = match by.cells.as_slice() {
            [] => String::new(),
            cells => format!(": {}", cells.join(", ")),
        };
        clean(&format!(
            "{} {} by {}, receipt {}{cells}{back}. {}",
            capital(kind_of_receipt(by.kind)),
            day_time(by.issued_at, here),
            hands(&by.operator, by.approved.as_deref()),
            by.number,
            by.reason
        ))
    });
    corrected.chain(again)
}

/// Means of paying back: `cash`, `card REF`.
#[must_use]
pub fn back_by(by: &BackBy) -> String {
    match by {
        BackBy::Cash => "cash".to_owned(),
        BackBy::Card { reference } => format!("card {reference}"),
        BackBy::Owed => "credit".to_owned(),
    }
}

/// Money that goes back by its means: `10.00 credit, 20.00 card R1, 10.00 cash`.
#[must_use]
pub fn paid_back(back: &[PaidBack], currency: Currency) -> String {
    let one = |one: &PaidBack| {
        let to = one.credit.map_or_else(|| back_by(&one.by), |code| format!("credit {code}"));
        format!("{} {to}", grouped(one.minor, currency))
    };
    back.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Sentence for an item whose lost cells have no free equal.
#[must_use]
pub fn nothing_equal_free() -> String {
    refusal(&CorrectionRefusal::NothingEqualFree)
}

pub(super) fn refusal(refusal: &CorrectionRefusal) -> String {
    match refusal {
        CorrectionRefusal::AlreadyReturned { receipt, cells } => {
            let are = cells_are(cells);
            format!("Of receipt {receipt} {are} given back already. Look at it for what is left.")
        }
        CorrectionRefusal::NotOnReceipt { receipt, cells } => {
            let are = cells_are(cells);
            format!("{are} not on receipt {receipt}. Look at it for its seats and time.")
        }
        CorrectionRefusal::NotLost { receipt } => format!(
            "The customer of receipt {receipt} still has that. Only what was taken away can be waived; refund or release it instead."
        ),
        CorrectionRefusal::MoreThanPaid { receipt, left, currency } => format!(
            "At most {} can be given back for receipt {receipt}. Name a smaller amount.",
            priced(*left, *currency)
        ),
        CorrectionRefusal::NothingPaid => "Nothing was paid for it. Book it elsewhere, or waive it.".to_owned(),
        CorrectionRefusal::NoPrice { title } => format!("{title} has no price. Set one first: then it can be paid."),
        CorrectionRefusal::BookingPaid { title, open, currency } => {
            booking_paid(title, Price { minor: *open, currency: *currency })
        }
        CorrectionRefusal::MoneyNotWaived => {
            "The money was taken and bought nothing. Give it back, or sell seats for it.".to_owned()
        }
        CorrectionRefusal::GiveBackHow { back, currency } => {
            let back = priced(*back, *currency);
            format!("{back} is to be given back, not taken. Take no payment: it goes back as it was paid.")
        }
        CorrectionRefusal::NothingToGiveBack { total, currency } => {
            let total = priced(*total, *currency);
            format!("Nothing is to be given back: the total is {total}. Take the payment instead.")
        }
        CorrectionRefusal::MoreThanReturned { returned } => format!(
            "Only {} back, and more would be given for nothing. Take as many as come back, or name the payment.",
            come(*returned)
        ),
        CorrectionRefusal::NoTimeLost => {
            "No time was lost here, so none can be moved. Reseat, refund or waive it.".to_owned()
        }
        CorrectionRefusal::NothingEqualFree => {
            "Nothing like it is free. Choose something else, refund or waive it.".to_owned()
        }
        CorrectionRefusal::TakesPlace { title } => {
            format!("{title} takes place. Cancel the performance first, or refund single receipts.")
        }
        CorrectionRefusal::Settled { receipt } => {
            format!("Receipt {receipt} is settled already. Look at it for what was given back.")
        }
        CorrectionRefusal::NotVoidable { receipt, why } => not_voidable(receipt, why),
        CorrectionRefusal::BeyondPaid { by, left, currency } => beyond_paid(by, *left, *currency),
        CorrectionRefusal::CardNeverPaid { reference, cards } => card_never_paid(reference, cards),
        CorrectionRefusal::BackDiffers { back, named, currency } => format!(
            "{} is to be given back, and the means named make {}. Leave the amount of one of them out.",
            priced(*back, *currency),
            priced(*named, *currency)
        ),
        CorrectionRefusal::KeptOver { left, currency } => {
            format!("At most {} can be kept. Keep less, or release it without money.", priced(*left, *currency))
        }
        CorrectionRefusal::PaidForBooking { receipt } => format!(
            "Receipt {receipt} paid for a booking. Cancel or change the booking: what was paid too much then goes back from the worklist, less a fee where one is kept."
        ),
        CorrectionRefusal::GoneBack => {
            "That money went back already. Approve it once a supervisor has looked at it.".to_owned()
        }
        CorrectionRefusal::NotApproved => {
            "Only money that went back otherwise than it was paid is approved. Settle this instead.".to_owned()
        }
    }
}

fn card_never_paid(reference: &str, cards: &[String]) -> String {
    if cards.is_empty() {
        return "No card paid this, so none gets its money. Give it back as it was paid, or as a credit.".to_owned();
    }
    let did = list(cards);
    format!("Card {reference} did not pay this; {did} did. Name that, or give it back as it was paid.")
}

/// Cells with their verb: `B6 and B7 are`.
fn cells_are(cells: &[String]) -> String {
    format!("{} {}", list(cells), is_are(cells.len()))
}

fn booking_paid(title: &str, open: Price) -> String {
    if open.minor == 0 {
        return format!("{title} is paid. Nothing is open.");
    }
    let open = priced(open.minor, open.currency);
    format!("At most {open} is open of {title}. Take no more than that.")
}

pub(super) fn credit_refusal(refusal: &CreditRefusal, here: Local) -> String {
    match refusal {
        CreditRefusal::Short { code, left: 0, .. } => {
            format!("Nothing is left of credit {code}. Take another payment.")
        }
        CreditRefusal::Short { code, left, currency } => {
            let left = priced(*left, *currency);
            format!("Only {left} is left of credit {code}. Take that, and the rest otherwise.")
        }
        CreditRefusal::Expired { code, until } => {
            let until = day_time(*until, here);
            format!("Credit {code} expired on {until}. Take another payment.")
        }
        CreditRefusal::OtherCurrency { code, currency, due } => {
            format!("Credit {code} is in {currency}, and {due} is due. Take another payment.")
        }
        CreditRefusal::Over { due, currency } => {
            let due = priced(*due, *currency);
            format!("Only {due} is due. A credit pays at most that; the rest of it is kept.")
        }
    }
}

/// `1 seat comes`, `2 seats come`.
fn come(seats: u32) -> String {
    match seats {
        1 => "1 seat comes".to_owned(),
        seats => format!("{seats} seats come"),
    }
}

fn beyond_paid(by: &BackBy, left: i64, currency: Currency) -> String {
    let what = match (by, left) {
        (BackBy::Card { reference }, 0) => format!("Nothing can go back to card {reference} any more"),
        (BackBy::Card { reference }, left) => {
            format!("At most {} can go back to card {reference}", priced(left, currency))
        }
        (_, 0) => "Nothing of this was paid in cash".to_owned(),
        (_, left) => format!("At most {} can go back in cash, no more was paid so", priced(left, currency)),
    };
    format!("{what}. Give it back as it was paid, or as a credit; or override it, and a supervisor is told.")
}

fn not_voidable(receipt: &str, why: &VoidProblem) -> String {
    let why = match why {
        VoidProblem::NoSale => "it is a correction, not a sale".to_owned(),
        VoidProblem::Station(station) => format!("{station} issued it, and only {station} can"),
        VoidProblem::Day => "it was issued on an earlier day".to_owned(),
        VoidProblem::Corrected => "something of it was given back already".to_owned(),
        VoidProblem::Printed => "its tickets were collected or printed again".to_owned(),
        VoidProblem::Booking => "it paid for a booking".to_owned(),
    };
    format!("Receipt {receipt} can't be voided: {why}. Refund it instead.")
}
