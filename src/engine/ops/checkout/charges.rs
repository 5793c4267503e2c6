//! Card charges of a checkout: the charge of each card, the part that pays the total, and the part for the worklist.
//!
//! Import cycle with [`checkout`](super): methods of its operation.

use crate::domain::cart::Cart;
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::money::{self, Currency};
use crate::domain::receipt::{Tender, not_negative};
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::engine::ops::checkout::Checkout;
use crate::engine::ops::worklist::put_on_worklist;
use crate::engine::work::{Failure, UnitOfWork};

/// Sign between the references of several cards.
pub(super) const SLIPS: &str = ", ";

impl Checkout {
    pub(super) fn cleaned(&self) -> Vec<Tender> {
        self.tenders.iter().map(clean_reference).collect()
    }

    /// Reduces the cards to the total; returns the excess of each.
    pub(super) fn cut(&self, tenders: &mut [Tender], cart: &Cart, most: i64) -> Result<Vec<(String, i64)>, Failure> {
        let mut rest = cart.total()?;
        let mut cards = self.cards(cart)?.into_iter();
        let taken = money::sum(cards.clone().map(|(_, minor)| minor))?;
        let mut owed = Vec::new();
        if taken <= rest || taken > most {
            return Ok(owed);
        }
        for tender in tenders {
            let Tender::Card { charged, .. } = tender else {
                continue;
            };
            if let Some((slip, minor)) = cards.next() {
                let covers = minor.min(rest);
                rest -= covers;
                *charged = Some(covers);
                if minor > covers {
                    owed.push((slip, minor - covers));
                }
            }
        }
        Ok(owed)
    }

    /// Charge of each card, by reference: as given, or the rest of the total that the operator saw or the cart costs.
    /// Refuses a card without a reference, and one without a charge if the cart costs less than when the payment began.
    pub(super) fn cards(&self, cart: &Cart) -> Result<Vec<(String, i64)>, Failure> {
        let said = money::sum(self.tenders.iter().filter_map(Tender::amount))?;
        let cost = cart.total()?;
        let rest = self.seen.unwrap_or(cost).saturating_sub(said).max(0);
        let mut cards = Vec::new();
        for tender in self.cleaned() {
            let Tender::Card { reference, charged } = tender else {
                continue;
            };
            if reference.is_empty() {
                return Err(Refusal::CardReferenceMissing.into());
            }
            if charged.or(self.seen).is_none() && cost < cart.payment_due {
                return Err(charge_unsaid(cart, cost).into());
            }
            cards.push((reference, not_negative(charged.unwrap_or(rest))?));
        }
        Ok(cards)
    }
}

fn charge_unsaid(cart: &Cart, cost: i64) -> Refusal {
    let currency = cart.currency.unwrap_or(Currency::EUR);
    Refusal::ChargeUnsaid { due: cart.payment_due, total: cost, currency }
}

/// Puts charged money without a receipt on the worklist, if there is any.
pub(super) fn unissued(
    work: &mut UnitOfWork<'_>,
    cart: &Cart,
    cards: &[(String, i64)],
) -> Result<Option<WorklistItem>, Failure> {
    let minor = money::sum(cards.iter().map(|(_, minor)| *minor))?;
    let Some(currency) = cart.currency.filter(|_| minor > 0) else {
        return Ok(None);
    };
    let references: Vec<&str> = cards.iter().map(|(slip, _)| slip.as_str()).collect();
    let what = WorkKind::UnissuedPayment {
        cart: cart.id,
        reference: references.join(SLIPS),
        minor,
        currency,
        station: work.actor().station.clone(),
    };
    put_on_worklist(work, what).map(Some)
}

fn clean_reference(tender: &Tender) -> Tender {
    match tender {
        Tender::Cash { given } => Tender::Cash { given: *given },
        Tender::Card { reference, charged } => Tender::Card { reference: clean(reference), charged: *charged },
        owed @ Tender::Owed { .. } => owed.clone(),
    }
}
