//! Payment: turns a cart into a receipt, in one transaction.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, CartState, Recorded};
use crate::domain::correction::{Correction, ExchangeFee, ReceiptKind, ReturnTerms};
use crate::domain::customer::Customer;
use crate::domain::house::WorklistItem;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::money::{self, Currency};
use crate::domain::receipt::{Means, Receipt, Tender, settle};
use crate::domain::refusal::{CorrectionRefusal, Refusal};
use crate::engine::ops::carts::new_cart;
use crate::engine::ops::ending::{self, put_changed};
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::receipts::{self, Due};
use crate::engine::ops::{cart_claims, credits, customers, paying, returns};
use crate::engine::work::{Failure, Operation, UnitOfWork};

mod charges;

use charges::unissued;

/// Pays a cart. The same command id sent again returns the same receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checkout {
    pub cart: CartId,
    pub tenders: Vec<Tender>,
    /// Total shown to the operator, in minor units.
    pub seen: Option<i64>,
    /// Customer, if not set before.
    #[serde(skip)]
    pub customer: Option<Customer>,
    pub tickets: TicketsTo,
    /// Terms for what the cart brings back; needed if it does.
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

impl Operation for Checkout {
    const VERB: &'static str = "checkout";
    type Answer = CheckedOut;

    fn customer(&self) -> Option<&Customer> {
        self.customer.as_ref()
    }

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CheckedOut, Failure> {
        let mut cart: Cart = work.get(self.cart)?;
        if let Some(customer) = &self.customer {
            cart.customer = customers::named(work, customer, cart.customer)?;
        }
        let charged = cart.payment_began_at.is_some() && self.has_card();
        match cart.state_at(work.now()) {
            CartState::Active if charged && cart.is_empty() => self.keep(work, cart, Refusal::CartEmpty.into()),
            CartState::Active => {
                if !charged {
                    ending::not_elsewhere(work, &cart)?;
                }
                let most = if charged { cart.payment_due } else { 0 };
                let settled = self.settled(work, &cart, most)?;
                self.sell(work, &mut cart, settled)
            }
            CartState::Expired | CartState::Canceled if charged => self.pay_late(work, cart),
            CartState::Done(receipt) if charged && !self.paid_for(work, receipt)? => {
                let refusal = ending::refusal_of_ended(work, &cart, cart.state)?;
                self.keep(work, cart, refusal.into())
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

    /// Returns whether a receipt already has one of the cards: the same payment sent again.
    fn paid_for(&self, work: &mut UnitOfWork<'_>, receipt: ReceiptId) -> Result<bool, Failure> {
        let receipt: Receipt = work.get(receipt)?;
        let slips = receipt.payments.iter().map(|payment| &payment.means);
        let has = |wanted: &str| {
            slips.clone().any(|means| matches!(means, Means::Card { reference } if reference.as_str() == wanted))
        };
        Ok(self
            .cleaned()
            .iter()
            .any(|tender| matches!(tender, Tender::Card { reference, .. } if has(reference.as_str()))))
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
        let correction = self.correction(cart, (fee, total), currency)?;
        let due = Due { total, currency, payments: settle(total, currency, &tenders)?, correction };
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

    /// The correction by what the cart brings back.
    fn correction(
        &self,
        cart: &Cart,
        (fee, total): (i64, i64),
        currency: Currency,
    ) -> Result<Option<Correction>, Refusal> {
        let terms = self.returns.clone().unwrap_or_default();
        if cart.returns.is_empty() {
            return match terms.by {
                Some(_) => Err(CorrectionRefusal::NothingToGiveBack { total, currency }.into()),
                None => Ok(None),
            };
        }
        let kind = if cart.lines.is_empty() { ReceiptKind::Refund } else { ReceiptKind::Exchange };
        let terms = terms.checked(total, currency)?;
        Ok(Some(receipts::correction(cart, kind, terms, (fee, total))))
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

    /// Sells the same cells at the old prices, or puts the money on the worklist if a cell is gone.
    fn pay_late(&self, work: &mut UnitOfWork<'_>, mut old: Cart) -> Result<CheckedOut, Failure> {
        let settled = self.settled(work, &old, i64::MAX);
        let gone = cart_claims::gone(work, &old)? || is_back(work, &old)? || paying::is_closed(work, &old)?;
        if old.state == CartState::Active {
            ending::end_cart(work, &mut old, CartState::Expired)?;
        }
        match settled {
            Ok(settled) if !gone => self.sell_late(work, old, settled),
            Ok(_) => {
                let ended = ending::refusal_of_ended(work, &old, old.state)?;
                self.keep(work, old, ended.into())
            }
            Err(failure) if is_hopeless(&failure, gone) => self.keep(work, old, failure),
            Err(failure) => Err(failure),
        }
    }

    /// Creates a cart with the same cells at the old prices, and sells it at once.
    fn sell_late(&self, work: &mut UnitOfWork<'_>, mut old: Cart, settled: Settled) -> Result<CheckedOut, Failure> {
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, Some(old.hold));
        cart.currency = old.currency;
        cart.customer = old.customer;
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

    /// Puts the charged amount on the worklist. If nothing was charged, the checkout is refused as without a card.
    fn keep(&self, work: &mut UnitOfWork<'_>, mut cart: Cart, otherwise: Failure) -> Result<CheckedOut, Failure> {
        let cards = self.cards(&cart)?;
        let Some(item) = unissued(work, &cart, &cards)? else {
            return Err(otherwise);
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

/// Returns whether cells that a cart brings back came back meanwhile.
fn is_back(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<bool, Failure> {
    match returns::stand(work, cart) {
        Ok(()) => Ok(false),
        Err(Failure::Refused(_)) => Ok(true),
        Err(fault @ Failure::Fault(_)) => Err(fault),
    }
}

/// Returns whether no input of the operator can make the payment succeed: the cart is empty, or a cell is gone.
const fn is_hopeless(failure: &Failure, gone: bool) -> bool {
    match failure {
        Failure::Refused(Refusal::CartEmpty) => true,
        Failure::Refused(Refusal::PaymentShort { .. } | Refusal::TotalChanged { .. }) => gone,
        Failure::Refused(_) | Failure::Fault(_) => false,
    }
}
