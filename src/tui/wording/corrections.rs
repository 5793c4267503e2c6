//! Wording of corrections: kinds of receipts, means of paying back, and refusals.

use crate::domain::correction::{BackBy, ReceiptKind};
use crate::domain::money::priced;
use crate::domain::refusal::CorrectionRefusal;
use crate::tui::wording::names::{is_are, list};

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
    }
}

/// Means of paying back: `cash`, `card REF`.
#[must_use]
pub fn back_by(by: &BackBy) -> String {
    match by {
        BackBy::Cash => "cash".to_owned(),
        BackBy::Card { reference } => format!("card {reference}"),
    }
}

pub(super) fn refusal(refusal: &CorrectionRefusal) -> String {
    match refusal {
        CorrectionRefusal::AlreadyReturned { receipt, cells } => {
            let (named, are) = (list(cells), is_are(cells.len()));
            format!(
                "{named} of receipt {receipt} {are} given back already. Look at the receipt for what is left."
            )
        }
        CorrectionRefusal::NotOnReceipt { receipt, cells } => {
            let (named, are) = (list(cells), is_are(cells.len()));
            format!(
                "{named} {are} not on receipt {receipt}. Look at the receipt for its seats and time."
            )
        }
        CorrectionRefusal::NotLost { receipt } => format!(
            "The customer of receipt {receipt} still has that. Only what was taken away can be waived; refund or release it instead."
        ),
        CorrectionRefusal::MoreThanPaid {
            receipt,
            left,
            currency,
        } => {
            let left = priced(*left, *currency);
            format!(
                "At most {left} can be given back for receipt {receipt}. Name a smaller amount."
            )
        }
        CorrectionRefusal::NothingPaid => {
            "Nothing was paid for it, so nothing can be given back. Book it elsewhere, or waive it."
                .to_owned()
        }
        CorrectionRefusal::NoPrice { title } => {
            format!("{title} has no price. Set one first: then it can be paid.")
        }
        CorrectionRefusal::BookingPaid { title, open: 0, .. } => {
            format!("{title} is paid. Nothing is open.")
        }
        CorrectionRefusal::BookingPaid {
            title,
            open,
            currency,
        } => {
            let open = priced(*open, *currency);
            format!("At most {open} is open of {title}. Take no more than that.")
        }
        CorrectionRefusal::MoneyNotWaived => {
            "The money was taken and bought nothing. Give it back, or sell seats for it.".to_owned()
        }
        CorrectionRefusal::GiveBackHow { back, currency } => {
            let back = priced(*back, *currency);
            format!(
                "{back} is to be given back, not taken. Say how: in cash, or to a card with its reference."
            )
        }
        CorrectionRefusal::NothingToGiveBack { total, currency } => {
            let total = priced(*total, *currency);
            format!("Nothing is to be given back: the total is {total}. Take the payment instead.")
        }
    }
}
