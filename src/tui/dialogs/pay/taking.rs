//! The money is taken: all of the rest, or a part of it.

use crate::domain::back::{Back, ReturnTerms};
use crate::domain::correction::{BackBy, ExchangeFee};
use crate::domain::credit::CreditCode;
use crate::domain::customer::Customer;
use crate::domain::house::USUAL_REASON;
use crate::domain::money::{Currency, parse_amount};
use crate::domain::receipt::{Tender, reads_as_amount};
use crate::engine::ops::{Checkout, TicketsTo};
use crate::engine::reads::receipts::ReadCorrection;
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::pay::{CONTACT, GIVEN, NAME, NO_FEE, Pay, PayMeans, REASON, REFERENCE, TICKETS, Taking};
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::words;

impl Pay {
    /// Takes the money shown, or waits until every asked seat is answered.
    pub(crate) fn take(&mut self, context: &mut Context<'_>) {
        if !context.shared.cart.is_settled() {
            self.taking = Taking::OnceAnswered;
            return;
        }
        self.taking = Taking::NotYet;
        let (Some(seen), Some(rest), Some(currency)) = (self.seen, self.rest(), context.shared.cart.currency()) else {
            self.form.note = Some("The total is on its way".to_owned());
            return;
        };
        let said = self.terms(seen).and_then(|returns| Ok((returns, self.form.customer([NAME, CONTACT])?)));
        let said = match said {
            Ok(said) => said,
            Err((row, problem)) => {
                self.form.refuse(row, problem);
                return;
            }
        };
        if seen < 0 {
            self.send((Vec::new(), seen), said, context);
            return;
        }
        let (tender, covers) = match self.tender(rest, currency, context.shared) {
            Ok(tender) => tender,
            Err((row, problem)) => {
                self.form.refuse(row, problem);
                return;
            }
        };
        if covers < rest {
            self.part(tender, (covers, rest), currency);
            return;
        }
        let parts = self.parts.iter().map(|(tender, _)| tender.clone());
        let tenders: Vec<Tender> = parts.chain([tender]).collect();
        self.send((tenders, seen), said, context);
    }

    /// Terms for what the cart brings back or gives away; none if nothing. Or the row with a problem.
    fn terms(&self, seen: i64) -> Result<Option<ReturnTerms>, (usize, String)> {
        if !self.brings_back && !self.gives_away {
            return Ok(None);
        }
        let reason = self.form.clean(REASON);
        if reason.is_empty() {
            let words =
                if self.gives_away { "Type why it is given away" } else { "Choose why it comes back, or type it" };
            return Err((REASON, words.to_owned()));
        }
        let back = self.back();
        if seen < 0 && back.parts.iter().any(|part| part.by == BackBy::Card { reference: String::new() }) {
            let words = "Type the reference of the card that paid";
            return Err((REFERENCE, words.to_owned()));
        }
        let back = if seen < 0 { back } else { Back::default() };
        Ok(Some(ReturnTerms { reason, back, fee: ExchangeFee::waived(self.no_fee()) }))
    }

    /// The means by which money goes back.
    fn back(&self) -> Back {
        match self.means {
            PayMeans::AsPaid => Back::default(),
            PayMeans::Cash => BackBy::Cash.into(),
            PayMeans::Owed => BackBy::Owed.into(),
            PayMeans::Card => BackBy::Card { reference: self.form.clean(REFERENCE) }.into(),
        }
    }

    /// The checkout that would give money back, whatever the reason.
    fn giving(&self) -> Option<Checkout> {
        let terms =
            ReturnTerms { reason: USUAL_REASON.to_owned(), back: self.back(), fee: ExchangeFee::waived(self.no_fee()) };
        let cart = self.cart.filter(|_| self.gives_back())?;
        Some(Checkout { returns: Some(terms), ..Checkout::new(cart, Vec::new()) })
    }

    /// Question for the receipt by which money would go back.
    pub(super) fn preview(&self) -> Option<ReadCorrection> {
        self.giving().map(ReadCorrection::Cart)
    }

    /// Why the fee of the exchange is waived.
    pub(super) fn no_fee(&self) -> Option<String> {
        Some(self.form.clean(NO_FEE)).filter(|reason| self.fee > 0 && !reason.is_empty())
    }

    /// Sends the checkout.
    fn send(
        &mut self,
        (tenders, seen): (Vec<Tender>, i64),
        (returns, customer): (Option<ReturnTerms>, Customer),
        context: &mut Context<'_>,
    ) {
        self.taking = Taking::UnderWay;
        let customer = (!customer.is_unknown()).then_some(customer);
        let tickets = match self.form.picked(TICKETS) {
            0 => TicketsTo::Customer,
            _ => TicketsTo::Desk,
        };
        context.want(CartWish::of_cart(move |cart| Checkout {
            cart,
            tenders: tenders.clone(),
            seen: Some(seen),
            customer: customer.clone(),
            tickets,
            returns: returns.clone(),
        }));
    }

    fn part(&mut self, tender: Tender, (covers, rest): (i64, i64), currency: Currency) {
        self.parts.push((tender, covers));
        self.form.set(GIVEN, "");
        self.form.set(REFERENCE, "");
        self.choose(PayMeans::Cash);
        self.taking = Taking::PartTaken;
        self.form.note = Some(format!(
            "{} taken, {} is left: type what is given, or <pay.cash> for all of it, <pay.card> for a card",
            words::money(covers, currency),
            words::money(rest - covers, currency)
        ));
    }

    /// Next payment, and the amount of the rest that it covers; or the row with a problem.
    fn tender(&self, rest: i64, currency: Currency, shared: &Shared) -> Result<(Tender, i64), (usize, String)> {
        let typed = self.form.text(GIVEN);
        let typed = match typed.as_str() {
            "" => None,
            typed => {
                let read = parse_amount(typed, currency);
                Some(read.map_err(|error| (GIVEN, error.to_string()))?)
            }
        };
        if typed == Some(0) && rest > 0 {
            let words = "0 is no payment; type what was given, or nothing for the exact amount";
            return Err((GIVEN, words.to_owned()));
        }
        let covers = typed.unwrap_or(rest);
        let tender = match self.means {
            PayMeans::Owed => return self.owed((typed, rest), currency, shared),
            PayMeans::AsPaid | PayMeans::Cash => Tender::Cash { given: Some(covers) },
            PayMeans::Card => {
                Tender::Card { reference: self.reference((typed, rest), currency)?, charged: Some(covers) }
            }
        };
        Ok((tender, covers))
    }

    /// Payment by the credit whose code is typed: the amount, or as much as is due and left.
    fn owed(
        &self,
        (typed, rest): (Option<i64>, i64),
        currency: Currency,
        shared: &Shared,
    ) -> Result<(Tender, i64), (usize, String)> {
        let text = self.form.text(REFERENCE);
        let credit: CreditCode =
            text.parse().map_err(|_| (REFERENCE, "Type the twelve letters on the slip".to_owned()))?;
        let known = self.credit(shared);
        let known = known.ok_or_else(|| (REFERENCE, "The house is asked for it".to_owned()))?;
        let covers = typed.unwrap_or_else(|| known.credit.left().min(rest));
        if known.credit.left() <= 0 {
            return Err((REFERENCE, "Nothing is left of it".to_owned()));
        }
        if covers > rest {
            let most = words::money(rest, currency);
            return Err((GIVEN, format!("Only {most} is due; the rest of it is kept")));
        }
        let amount = Some(covers);
        Ok((Tender::Owed { credit, amount }, covers))
    }

    /// The reference from the card slip, for what is charged.
    fn reference(&self, (typed, rest): (Option<i64>, i64), currency: Currency) -> Result<String, (usize, String)> {
        let reference = self.form.clean(REFERENCE);
        if self.form.text(REFERENCE).is_empty() {
            let words = "Type the reference from the card slip";
            return Err((REFERENCE, words.to_owned()));
        }
        if typed.is_some_and(|charged| charged > rest.max(self.charged_most)) {
            let most = words::money(rest, currency);
            let words = format!("A card is charged at most {most}, there is no change on it");
            return Err((GIVEN, words));
        }
        if typed.is_none() && reads_as_amount(&reference, currency) {
            let words =
                format!("{reference} reads as an amount: type the reference of the slip, or what was charged too");
            return Err((REFERENCE, words));
        }
        Ok(reference)
    }

    /// The house did not take the payment; the cart is as it was.
    pub(crate) fn refused(&mut self, sentence: String) {
        self.taking = Taking::NotYet;
        self.form.note = Some(sentence);
    }
}
