//! Money is taken: a cart becomes a receipt, in one transaction.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, CartState, Customer, SlotLine};
use crate::domain::house::{Station, WorkItem, WorkKind, WorkState};
use crate::domain::ids::{CartId, LineId, ReceiptId, WorkId};
use crate::domain::money::{self, Currency, amount};
use crate::domain::receipt::{
    Payment, Receipt, ReceiptLine, ReceiptSlot, Tender, Tickets, not_negative, settle,
};
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::engine::ops::cart_claims;
use crate::engine::ops::ending::{self, put_changed};
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::name_customer::cleaned;
use crate::engine::ops::open_cart::new_cart;
use crate::engine::ops::tickets;
use crate::engine::work::{Failure, Operation, Work};

/// Pays a cart. Sent again under its command id it gives the same receipt.
#[derive(Clone, Debug, Serialize)]
pub struct Checkout {
    /// The cart.
    pub cart: CartId,
    /// What was given, in any mix.
    pub tenders: Vec<Tender>,
    /// The total that the operator saw, in minor units.
    pub seen: Option<i64>,
    /// For whom, when it is said only now.
    pub customer: Option<Customer>,
    /// Where the tickets are from then on.
    pub tickets: TicketsTo,
}

/// What a checkout gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedOut {
    /// The seats are sold.
    Receipt(Receipt),
    /// The card was charged too late and a seat is gone: the money waits on the worklist.
    Unissued(WorkItem),
}

impl Operation for Checkout {
    const VERB: &'static str = "checkout";
    type Answer = CheckedOut;

    fn run(&self, work: &mut Work<'_>) -> Result<CheckedOut, Failure> {
        let mut cart: Cart = work.get(self.cart)?;
        if let Some(customer) = &self.customer {
            cart.customer = cleaned(customer);
        }
        let began = cart.payment_began_at.is_some() && self.has_card();
        match cart.state_at(work.now()) {
            CartState::Active if began && cart.is_empty() => {
                self.keep(work, cart, Refusal::CartEmpty.into())
            }
            CartState::Active => Ok(CheckedOut::Receipt(self.pay(work, &mut cart)?)),
            CartState::Expired if began => self.pay_late(work, cart),
            state @ (CartState::Done(_) | CartState::Canceled | CartState::Expired) => {
                Err(ending::ended(work, &cart, state)?.into())
            }
        }
    }
}

impl Checkout {
    fn has_card(&self) -> bool {
        self.tenders
            .iter()
            .any(|tender| matches!(tender, Tender::Card { .. }))
    }

    /// The cart's payments, checked against its total and the one the operator saw.
    fn payments(&self, cart: &Cart) -> Result<(i64, Currency, Vec<Payment>), Failure> {
        let Some(currency) = cart.currency.filter(|_| !cart.is_empty()) else {
            return Err(Refusal::CartEmpty.into());
        };
        let total = cart.total()?;
        if let Some(seen) = self.seen.filter(|seen| *seen != total) {
            return Err(Refusal::TotalChanged {
                total: amount(total, currency),
                seen: amount(seen, currency),
                currency,
            }
            .into());
        }
        let tenders: Vec<Tender> = self.tenders.iter().map(clean_reference).collect();
        Ok((total, currency, settle(total, currency, &tenders)?))
    }

    fn pay(&self, work: &mut Work<'_>, cart: &mut Cart) -> Result<Receipt, Failure> {
        let (total, currency, payments) = self.payments(cart)?;
        cart_claims::act_all(work, cart, Act::Settle)?;
        let mut receipt = issue(work, cart, (total, currency, payments))?;
        if self.tickets == TicketsTo::Desk {
            tickets::keep(work, &mut receipt)?;
        }
        work.create(&receipt)?;
        cart.state = CartState::Done(receipt.id);
        ending::end_jobs(work, cart);
        ending::offer_ended(work, cart)?;
        put_changed(work, cart)?;
        Ok(receipt)
    }

    /// Money that was taken is never dropped: the same cells at the old prices, or an unissued payment where a
    /// cell is gone or the card was charged with more than the cart still costs.
    fn pay_late(&self, work: &mut Work<'_>, mut old: Cart) -> Result<CheckedOut, Failure> {
        let due = self.payments(&old);
        let gone = cart_claims::gone(work, &old)?;
        if old.state == CartState::Active {
            ending::end(work, &mut old, CartState::Expired)?;
        }
        match due {
            Ok(_) if !gone => self.sell_late(work, old),
            Ok(_) => {
                let ended = ending::ended(work, &old, CartState::Expired)?;
                self.keep(work, old, ended.into())
            }
            Err(failure) if is_hopeless(&failure, gone) => self.keep(work, old, failure),
            Err(failure) => Err(failure),
        }
    }

    /// A new cart with the same cells at the old prices, held, settled and receipted at once.
    fn sell_late(&self, work: &mut Work<'_>, mut old: Cart) -> Result<CheckedOut, Failure> {
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, Some(old.hold));
        cart.currency = old.currency;
        cart.customer.clone_from(&old.customer);
        for line in &old.lines {
            cart.add_line(
                line.performance,
                (&line.ticket_type, line.unit_price),
                line.seats.clone(),
            );
        }
        old.payment_began_at = None; // a late payment is recorded once
        work.put(&old)?;
        for line in &old.slots {
            cart.copy_slot(line);
        }
        let until = cart.expires_at;
        cart_claims::act_all(work, &cart, Act::Hold { until })?;
        Ok(CheckedOut::Receipt(self.pay(work, &mut cart)?))
    }

    /// Puts what the cards took on the worklist. Where nothing was taken, or nobody says how much, the checkout is
    /// refused as it would have been without a card.
    fn keep(
        &self,
        work: &mut Work<'_>,
        mut cart: Cart,
        otherwise: Failure,
    ) -> Result<CheckedOut, Failure> {
        let (Some(currency), Some(cards)) = (cart.currency, self.cards(&cart)?) else {
            return Err(otherwise);
        };
        let minor = money::sum(cards.iter().map(|(_, minor)| *minor))?;
        if minor == 0 {
            return Err(otherwise);
        }
        let references: Vec<&str> = cards.iter().map(|(slip, _)| slip.as_str()).collect();
        let item = WorkItem {
            id: WorkId::random(),
            what: WorkKind::UnissuedPayment {
                cart: cart.id,
                reference: references.join(", "),
                minor,
                currency,
                station: work.actor().station.clone(),
            },
            since: work.now(),
            state: WorkState::Open,
        };
        cart.payment_began_at = None; // it is recorded once
        put_changed(work, &mut cart)?;
        work.create(&item)?;
        Ok(CheckedOut::Unissued(item))
    }

    /// What each card was charged with, by its slip: where it is not said, the rest of what the operator saw, or of
    /// what the cart costs.
    fn cards(&self, cart: &Cart) -> Result<Option<Vec<(String, i64)>>, Failure> {
        let said = money::sum(self.tenders.iter().filter_map(Tender::amount))?;
        let cost = if cart.is_empty() {
            None
        } else {
            Some(cart.total()?)
        };
        let rest = self
            .seen
            .or(cost)
            .map(|due| due.saturating_sub(said).max(0));
        let mut cards = Vec::new();
        for tender in self.tenders.iter().map(clean_reference) {
            let Tender::Card { reference, charged } = tender else {
                continue;
            };
            if reference.is_empty() {
                return Err(Refusal::CardReferenceMissing.into());
            }
            let Some(minor) = charged.or(rest) else {
                return Ok(None);
            };
            cards.push((reference, not_negative(minor)?));
        }
        Ok(Some(cards))
    }
}

/// Whether nothing that an operator types can make the payment fit: the card was charged with more than there is
/// left to buy, or with less for seats that are gone.
const fn is_hopeless(failure: &Failure, gone: bool) -> bool {
    match failure {
        Failure::Refused(Refusal::CardOver { .. } | Refusal::CartEmpty) => true,
        Failure::Refused(Refusal::PaymentShort { .. }) => gone,
        Failure::Refused(_) | Failure::Fault(_) => false,
    }
}

fn clean_reference(tender: &Tender) -> Tender {
    match tender {
        Tender::Cash { given } => Tender::Cash { given: *given },
        Tender::Card { reference, charged } => Tender::Card {
            reference: clean(reference),
            charged: *charged,
        },
    }
}

/// The receipt with the station's next number.
fn issue(
    work: &mut Work<'_>,
    cart: &Cart,
    (total, currency, payments): (i64, Currency, Vec<Payment>),
) -> Result<Receipt, Failure> {
    let name = work.actor().station.clone();
    let mut station = work
        .find::<Station>(&name)?
        .unwrap_or(Station { name, receipts: 0 });
    station.receipts += 1;
    let line = |line: &crate::domain::cart::Line| ReceiptLine {
        id: cart.line_id(line),
        performance: line.performance,
        ticket_type: line.ticket_type.clone(),
        unit_price: line.unit_price,
        seats: line.seats.clone(),
        live: line.seats.clone(),
    };
    let slot = |line: &SlotLine| ReceiptSlot {
        id: LineId {
            cart: cart.id,
            number: line.number,
        },
        taken: line.taken.clone(),
        unit_price: line.unit_price,
        segments: line.segments,
    };
    let receipt = Receipt {
        id: ReceiptId::random(),
        number: format!("{}/{}", station.name, station.receipts),
        station: station.name.clone(),
        operator: work.actor().operator.clone(),
        issued_at: work.now(),
        cart: cart.id,
        customer: cart.customer.clone(),
        currency,
        lines: cart.lines.iter().map(line).collect(),
        total,
        payments,
        slots: cart.slots.iter().map(slot).collect(),
        reprints: 0,
        tickets: Tickets::Given,
    };
    work.put(&station)?;
    Ok(receipt)
}
