//! What a checkout leaves: lines, total and payments as issued, which never change.
//!
//! Live cells and reprints are added to; the sum of the lines is always the sum of the payments.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Customer;
use crate::domain::ids::{CartId, LineId, PerformanceId, ReceiptId};
use crate::domain::money::{self, Currency, amount};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// What a checkout leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its id.
    pub id: ReceiptId,
    /// Its number, without gaps per station: `till-2/457`.
    pub number: String,
    /// Where it was issued.
    pub station: String,
    /// By whom.
    pub operator: String,
    /// When.
    pub issued_at: Instant,
    /// The cart it came from.
    pub cart: CartId,
    /// For whom.
    #[serde(default, skip_serializing_if = "Customer::is_unknown")]
    pub customer: Customer,
    /// The one currency of all its amounts.
    pub currency: Currency,
    /// What was bought.
    pub lines: Vec<ReceiptLine>,
    /// What it cost, in minor units.
    pub total: i64,
    /// How it was paid; the amounts add up to the total.
    pub payments: Vec<Payment>,
    /// How often it was printed again.
    #[serde(default)]
    pub reprints: u32,
}

/// A line as issued, with what is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptLine {
    /// The id it had in the cart.
    pub id: LineId,
    /// The performance.
    pub performance: PerformanceId,
    /// The ticket type.
    pub ticket_type: String,
    /// The price of one seat, in minor units.
    pub unit_price: i64,
    /// The seats as issued.
    pub seats: Vec<SeatRef>,
    /// The seats it still has: its claims are exactly these.
    pub live: Vec<SeatRef>,
}

impl ReceiptLine {
    /// The price of all its seats as issued.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.seats
            .iter()
            .fold(0_i64, |total, _| total.saturating_add(self.unit_price))
    }
}

/// Money that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// How it was paid.
    #[serde(flatten)]
    pub means: Means,
    /// How much of the total it covers, in minor units.
    pub minor: i64,
}

/// How money is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "lowercase")]
pub enum Means {
    /// Notes and coins.
    Cash {
        /// What the customer gave, in minor units; the change is what it exceeds the payment by.
        given: i64,
    },
    /// A card terminal.
    Card {
        /// The reference from its slip.
        reference: String,
    },
}

impl Payment {
    /// What goes back to the customer.
    #[must_use]
    pub fn change(&self) -> i64 {
        match &self.means {
            Means::Cash { given } => given.saturating_sub(self.minor),
            Means::Card { .. } => 0,
        }
    }
}

impl Receipt {
    /// What goes back to the customer.
    #[must_use]
    pub fn change(&self) -> i64 {
        self.payments.iter().map(Payment::change).sum()
    }
}

/// What an operator says was paid, before it is checked against what is due.
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
        /// The reference from its slip.
        reference: String,
        /// In minor units.
        charged: Option<i64>,
    },
}

/// Turns what was given into payments of exactly the total: cards first, cash covers the rest and gives change.
///
/// # Errors
/// [`Refusal::PaymentShort`], [`Refusal::CardOver`], or a card without a reference.
pub fn settle(total: i64, currency: Currency, tenders: &[Tender]) -> Result<Vec<Payment>, Refusal> {
    let mut rest = total;
    let mut payments = Vec::new();
    for tender in tenders {
        let Tender::Card { reference, charged } = tender else {
            continue;
        };
        if reference.trim().is_empty() {
            return Err(Refusal::CardReferenceMissing);
        }
        let minor = charged.unwrap_or(rest);
        if minor > rest {
            return Err(Refusal::CardOver {
                due: amount(rest, currency),
                charged: amount(minor, currency),
                currency,
            });
        }
        rest -= minor;
        payments.push(Payment {
            means: Means::Card {
                reference: reference.clone(),
            },
            minor,
        });
    }
    for tender in tenders {
        let Tender::Cash { given } = tender else {
            continue;
        };
        let given = given.unwrap_or(rest);
        let minor = given.min(rest);
        if given > 0 {
            rest -= minor;
            payments.push(Payment {
                means: Means::Cash { given },
                minor,
            });
        }
    }
    if rest > 0 {
        let paid = money::amount(total - rest, currency);
        return Err(Refusal::PaymentShort {
            total: amount(total, currency),
            paid,
            missing: amount(rest, currency),
            currency,
        });
    }
    Ok(payments)
}

#[cfg(test)]
mod tests {
    use super::{Means, Tender, settle};
    use crate::domain::money::Currency;
    use crate::domain::refusal::Refusal;

    fn cash(given: i64) -> Tender {
        Tender::Cash { given: Some(given) }
    }

    fn card(minor: i64) -> Tender {
        Tender::Card {
            reference: "R1".into(),
            charged: Some(minor),
        }
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
        assert_eq!(
            payments.iter().map(super::Payment::change).sum::<i64>(),
            800
        );
    }

    #[test]
    fn short_and_over_are_refused() {
        assert!(matches!(
            settle(3000, Currency::EUR, &[cash(2999)]),
            Err(Refusal::PaymentShort { .. })
        ));
        assert!(matches!(
            settle(3000, Currency::EUR, &[]),
            Err(Refusal::PaymentShort { .. })
        ));
        assert!(matches!(
            settle(3000, Currency::EUR, &[card(3001)]),
            Err(Refusal::CardOver { .. })
        ));
        let blank = Tender::Card {
            reference: " ".into(),
            charged: None,
        };
        assert_eq!(
            settle(3000, Currency::EUR, &[blank]),
            Err(Refusal::CardReferenceMissing)
        );
        assert_eq!(settle(0, Currency::EUR, &[]), Ok(vec![]));
    }
}
