//! Payment: turns a cart into a receipt, in one transaction.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::back::ReturnTerms;
use crate::domain::cart::{Cart, CartState, Recorded};
use crate::domain::correction::{Correction, ExchangeFee, ReceiptKind};
use crate::domain::customer::Customer;
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::money::{self, Currency};
use crate::domain::receipt::{Means, Receipt, Tender, settle};
use crate::domain::refusal::{CorrectionRefusal, Refusal, TillRefusal};
use crate::domain::rights;
use crate::domain::text::clean;
use crate::engine::ops::carts::new_cart;
use crate::engine::ops::ending::{self, put_changed};
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::receipts::{self, Due};
use crate::engine::ops::{cart_claims, credits, customers, means, returns};
use crate::engine::work::{Failure, Operation, UnitOfWork};

mod charges;

use charges::{SLIPS, unissued};

/// Pays a cart. The same command id sent again returns the same receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkout {
    pub cart: CartId,
    pub tenders: Vec<Tender>,
    /// Total shown to the operator, in minor units.
    pub seen: Option<i64>,
    /// Customer, if not set before.
    pub customer: Option<Customer>,
    #[serde(default)]
    pub tickets: TicketsTo,
    /// Terms for what the cart brings back, needed if it does; their reason is also that of comps.
    pub returns: Option<ReturnTerms>,
}

/// Result of a checkout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedOut {
    /// Sold.
    Receipt(Receipt),
    /// Sold; the card was charged more than the price, and the excess is on the worklist.
    Owed(Receipt, Box<WorklistItem>),
    /// Not sold although the card was charged: the money is on the worklist.
    Unissued(Box<WorklistItem>),
}

/// Amounts of the receipt, and the excess of each card, by reference.
struct Settled {
    due: Due,
    owed: Vec<(String, i64)>,
}

impl Checkout {
    /// Payment for a cart that brings nothing back, whose tickets go to the customer.
    pub const fn new(cart: CartId, tenders: Vec<Tender>) -> Self {
        Self { cart, tenders, seen: None, customer: None, tickets: TicketsTo::Customer, returns: None }
    }
}

impl Operation for Checkout {
    const VERB: &'static str = "checkout";
    type Answer = CheckedOut;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CheckedOut, Failure> {
        let mut cart: Cart = work.get(self.cart)?;
        if let Some(customer) = &self.customer {
            cart.customer = customers::named(work, customer, cart.customer)?;
        }
        let charged = cart.payment_began_at.is_some() && self.has_card();
        match cart.state_at(work.now()) {
            CartState::Active if self.is_unissued(work, &cart)? => {
                Err(Refusal::PaymentRecorded { receipt: None }.into())
            }
            CartState::Active if charged => {
                let sold = work.attempt(|work| {
                    let mut cart = cart.clone();
                    let settled = self.settled(work, &cart, cart.payment_due)?;
                    self.sell(work, &mut cart, settled)
                })?;
                sold.or_else(|refusal| self.keep(work, cart, refusal))
            }
            CartState::Active => {
                ending::not_elsewhere(work, &cart)?;
                let settled = self.settled(work, &cart, 0)?;
                self.sell(work, &mut cart, settled)
            }
            CartState::Expired | CartState::Canceled if charged => {
                if cart.state == CartState::Active {
                    ending::end_cart(work, &mut cart, CartState::Expired)?;
                }
                let sold = work.attempt(|work| self.sell_late(work, cart.clone()))?;
                sold.or_else(|refusal| self.keep(work, cart, refusal))
            }
            CartState::Done(receipt) if charged && !self.paid_for(work, receipt)? => {
                let refusal = ending::refusal_of_ended(work, &cart, cart.state)?;
                self.keep(work, cart, refusal)
            }
            state @ (CartState::Done(_) | CartState::Canceled | CartState::Expired) => {
                Err(self.refusal(work, &cart, state)?.into())
            }
        }
    }
}

impl Checkout {
    fn has_card(&self) -> bool {
        self.tenders.iter().any(|tender| matches!(tender, Tender::Card { .. }))
    }

    /// Returns whether one of the cards has a reference.
    fn has_slip(&self, slip: &str) -> bool {
        let cleaned = self.cleaned();
        cleaned.iter().any(|tender| matches!(tender, Tender::Card { reference, .. } if reference == slip))
    }

    /// Returns whether a receipt already has one of the cards: the same payment sent again.
    fn paid_for(&self, work: &mut UnitOfWork<'_>, receipt: ReceiptId) -> Result<bool, Failure> {
        let receipt: Receipt = work.get(receipt)?;
        let mut slips = receipt.payments.iter();
        Ok(slips.any(|payment| matches!(&payment.means, Means::Card { reference } if self.has_slip(reference))))
    }

    /// Returns whether the worklist already has one of the cards for a cart.
    fn is_unissued(&self, work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<bool, Failure> {
        let Some(Recorded::Unissued(item)) = cart.recorded else {
            return Ok(false);
        };
        let item: WorklistItem = work.get(item)?;
        let slips = matches!(&item.what, WorkKind::UnissuedPayment { reference, .. }
            if reference.split(SLIPS).any(|slip| self.has_slip(slip)));
        Ok(slips)
    }

    /// Refusal of paying an ended cart.
    fn refusal(&self, work: &mut UnitOfWork<'_>, cart: &Cart, state: CartState) -> Result<Refusal, Failure> {
        Ok(match cart.recorded.filter(|_| self.has_card()) {
            None => ending::refusal_of_ended(work, cart, state)?,
            Some(Recorded::Unissued(_)) => Refusal::PaymentRecorded { receipt: None },
            Some(Recorded::Receipt(id)) => Refusal::PaymentRecorded { receipt: Some(work.get::<Receipt>(id)?.number) },
        })
    }

    /// Checks the payments against the total and the amount the operator saw. Cards charged more
    /// than the total, up to `most`, pay the total; the excess is owed.
    fn settled(&self, work: &mut UnitOfWork<'_>, cart: &Cart, most: i64) -> Result<Settled, Failure> {
        let Some(currency) = cart.currency.filter(|_| !cart.is_empty()) else {
            return Err(Refusal::CartEmpty.into());
        };
        let (fee, total) = self.fee_and_total(cart)?;
        let mut tenders = self.cleaned();
        credits::tender(work, &mut tenders, (total, currency))?;
        let owed = if most > total { self.cut(&mut tenders, cart, most)? } else { Vec::new() };
        if let Some(seen) = self.seen.filter(|seen| *seen != total && (owed.is_empty() || *seen < total)) {
            return Err(Refusal::TotalChanged { total, seen, currency }.into());
        }
        let comp = self.comp(cart)?;
        if !comp.is_empty() {
            work.allow(rights::GIVE_AWAY)?;
        }
        let correction = self.correction(work, (cart, currency), (fee, total))?;
        let due = Due { total, currency, payments: settle(total, currency, &tenders)?, correction, comp };
        Ok(Settled { due, owed })
    }

    /// Fee of the exchange, and the total with it, in minor units.
    fn fee_and_total(&self, cart: &Cart) -> Result<(i64, i64), Failure> {
        let usual = cart.fee()?;
        let without = money::sum([cart.total()?, -usual])?;
        let fee = match self.returns.as_ref().map(|terms| &terms.fee) {
            None | Some(ExchangeFee::Usual) => usual,
            Some(ExchangeFee::Waived { .. }) => 0,
            Some(ExchangeFee::Even) if over(cart) => {
                let returned = cart.returned_seats();
                return Err(CorrectionRefusal::MoreThanReturned { returned }.into());
            }
            Some(ExchangeFee::Even) => -without,
        };
        Ok((fee, money::sum([without, fee])?))
    }

    /// Reason of the comps in a cart; refuses comps without one.
    fn comp(&self, cart: &Cart) -> Result<String, Failure> {
        let comps = cart.lines.iter().filter(|line| line.comp);
        let mut types: Vec<String> = comps.map(|line| line.kind.clone()).collect();
        types.dedup();
        let reason = self.returns.as_ref().map(|terms| clean(&terms.reason)).unwrap_or_default();
        if types.is_empty() {
            return Ok(String::new());
        }
        if reason.is_empty() { Err(TillRefusal::CompReason { types }.into()) } else { Ok(reason) }
    }

    /// The correction by what the cart brings back.
    fn correction(
        &self,
        work: &mut UnitOfWork<'_>,
        (cart, currency): (&Cart, Currency),
        (fee, total): (i64, i64),
    ) -> Result<Option<Correction>, Failure> {
        let terms = self.returns.clone().unwrap_or_default();
        if cart.returns.is_empty() {
            return if terms.back.parts.is_empty() {
                Ok(None)
            } else {
                Err(CorrectionRefusal::NothingToGiveBack { total, currency }.into())
            };
        }
        if total < 0 {
            work.allow(rights::PAY_BACK)?;
        }
        let kind = if cart.lines.is_empty() { ReceiptKind::Refund } else { ReceiptKind::Exchange };
        let terms = terms.checked(total, currency)?;
        let paid = means::paid(work, &returns::receipts_of(&cart.returns))?;
        let given = paid.give((-total).max(0), &terms.back, currency)?;
        Ok(Some(receipts::correction(cart, kind, fee, (given, terms.reason))))
    }

    /// Issues the receipt; the excess of the cards goes to the worklist.
    fn sell(&self, work: &mut UnitOfWork<'_>, cart: &mut Cart, settled: Settled) -> Result<CheckedOut, Failure> {
        let owed = unissued(work, cart, &settled.owed)?;
        returns::stand(work, cart)?;
        let receipt = receipts::issue(work, cart, (settled.due, self.tickets))?;
        Ok(match owed {
            Some(item) => CheckedOut::Owed(receipt, Box::new(item)),
            None => CheckedOut::Receipt(receipt),
        })
    }

    /// Creates a cart with the same cells at the old prices, and sells it at once.
    fn sell_late(&self, work: &mut UnitOfWork<'_>, mut old: Cart) -> Result<CheckedOut, Failure> {
        let settled = self.settled(work, &old, i64::MAX)?;
        if cart_claims::is_closed(work, &old)? {
            return Err(ending::refusal_of_ended(work, &old, old.state)?.into());
        }
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, Some(old.hold));
        cart.currency = old.currency;
        cart.customer = old.customer;
        cart.lost.clone_from(&old.lost);
        for line in &old.lines {
            cart.add_line(line.clone());
        }
        for returned in &old.returns {
            cart.add_return(returned.clone());
        }
        let until = cart.expires_at;
        cart_claims::act_all(work, &cart, Act::Hold { until })?;
        let sold = self.sell(work, &mut cart, settled)?;
        if let CheckedOut::Receipt(receipt) | CheckedOut::Owed(receipt, _) = &sold {
            old.record(Recorded::Receipt(receipt.id));
        }
        work.put(&old)?;
        Ok(sold)
    }

    /// Puts the charged amount of a cart that can't be sold on the worklist. Refuses as without a card if nothing was
    /// charged, and what can be put right where it was typed.
    fn keep(&self, work: &mut UnitOfWork<'_>, mut cart: Cart, refusal: Refusal) -> Result<CheckedOut, Failure> {
        if is_mistyped(&refusal, cart.state) {
            return Err(refusal.into());
        }
        let cards = self.cards(&cart)?;
        let Some(item) = unissued(work, &cart, &cards)? else {
            return Err(match cart.state {
                CartState::Active => refusal,
                ended @ (CartState::Done(_) | CartState::Canceled | CartState::Expired) => {
                    ending::refusal_of_ended(work, &cart, ended)?
                }
            }
            .into());
        };
        cart.record(Recorded::Unissued(item.id));
        put_changed(work, &mut cart)?;
        Ok(CheckedOut::Unissued(Box::new(item)))
    }
}

/// Returns whether a cart has more seats than it brings back.
fn over(cart: &Cart) -> bool {
    u32::try_from(cart.seat_count()).is_ok_and(|seats| seats > cart.returned_seats())
}

/// Returns whether a refusal is of what was typed. The rest of a total can still be paid, and a till opened or filled, as long
/// as the cart is active.
fn is_mistyped(refusal: &Refusal, state: CartState) -> bool {
    let of_till = matches!(refusal, Refusal::Till(TillRefusal::TillClosed { .. } | TillRefusal::TillShort { .. }));
    if of_till || matches!(refusal, Refusal::PaymentShort { .. } | Refusal::TotalChanged { .. }) {
        return state == CartState::Active;
    }
    matches!(
        refusal,
        Refusal::CardReferenceMissing
            | Refusal::CardOver { .. }
            | Refusal::ChargeUnsaid { .. }
            | Refusal::BadValue { .. }
            | Refusal::NameMissing
            | Refusal::NotFound { .. }
            | Refusal::Credit(_)
            | Refusal::Till(TillRefusal::CompReason { .. })
            | Refusal::Correction(CorrectionRefusal::NothingToGiveBack { .. })
    )
}
