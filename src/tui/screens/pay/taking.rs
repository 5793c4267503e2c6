//! The money is taken: all of the rest, or a part of it.

use crate::domain::customer::Customer;
use crate::domain::money::{Currency, parse_amount};
use crate::domain::receipt::{Tender, reads_as_amount};
use crate::domain::text::clean;
use crate::engine::ops::Checkout;
use crate::tui::context::Context;
use crate::tui::own_cart::CartWish;
use crate::tui::screens::pay::{Pay, PayMeans, PayStop, Taking};
use crate::tui::wording;

impl Pay {
    /// Takes the money shown, or waits until every asked seat is answered.
    pub(crate) fn take(&mut self, context: &mut Context<'_>) {
        if !context.shared.cart.is_settled() {
            self.taking = Taking::OnceAnswered;
            return;
        }
        self.taking = Taking::NotYet;
        let (Some(seen), Some(rest), Some(currency)) =
            (self.seen, self.rest(), context.shared.cart.currency())
        else {
            self.note = Some("The total is on its way".to_owned());
            return;
        };
        let tender = match self.tender(rest, currency) {
            Ok(tender) => tender,
            Err(problem) => {
                self.note = Some(problem);
                return;
            }
        };
        let (tender, covers) = tender;
        if covers < rest {
            self.part(tender, (covers, rest), currency);
            return;
        }
        let mut tenders: Vec<Tender> = self
            .parts
            .iter()
            .map(|(tender, _)| tender.clone())
            .collect();
        tenders.push(tender);
        let customer = Customer {
            name: clean(&self.name.text()),
            phone: clean(&self.phone.text()),
        };
        self.taking = Taking::UnderWay;
        let (customer, tickets) = ((!customer.is_unknown()).then_some(customer), self.tickets);
        context.want(CartWish::of_cart(move |cart| Checkout {
            cart,
            tenders: tenders.clone(),
            seen: Some(seen),
            customer: customer.clone(),
            tickets,
        }));
    }

    fn part(&mut self, tender: Tender, (covers, rest): (i64, i64), currency: Currency) {
        self.parts.push((tender, covers));
        self.given.clear();
        self.reference.clear();
        self.choose(PayMeans::Cash);
        self.taking = Taking::PartTaken;
        self.note = Some(format!(
            "{} taken; {} is left: type what is given, or <pay.cash> for exactly that, <pay.card> for a card",
            wording::money(covers, currency),
            wording::money(rest - covers, currency)
        ));
    }

    /// Next payment, and the amount of the rest that it covers.
    fn tender(&mut self, rest: i64, currency: Currency) -> Result<(Tender, i64), String> {
        let typed = self.given.text();
        let typed = if typed.is_empty() {
            None
        } else {
            Some(parse_amount(&typed, currency).map_err(|error| error.to_string())?)
        };
        if typed == Some(0) && rest > 0 {
            return Err(
                "0 is no payment; type what was given, or nothing for the exact amount".to_owned(),
            );
        }
        match self.means {
            PayMeans::Cash => {
                let given = typed.unwrap_or(rest);
                Ok((Tender::Cash { given: Some(given) }, given))
            }
            PayMeans::Card if self.reference.is_empty() => {
                self.stop = PayStop::Reference;
                Err("Type the reference from the card slip".to_owned())
            }
            PayMeans::Card
                if typed.is_some_and(|charged| charged > rest.max(self.charged_most)) =>
            {
                Err(format!(
                    "A card is charged at most {}, there is no change on it",
                    wording::money(rest, currency)
                ))
            }
            PayMeans::Card => {
                let charged = typed.unwrap_or(rest);
                let reference = clean(&self.reference.text());
                if typed.is_none() && reads_as_amount(&reference, currency) {
                    self.stop = PayStop::Reference;
                    return Err(format!(
                        "{reference} reads as an amount: type the reference from the card slip, or what was charged too"
                    ));
                }
                Ok((
                    Tender::Card {
                        reference,
                        charged: Some(charged),
                    },
                    charged,
                ))
            }
        }
    }

    /// The house did not take the payment; the cart is as it was.
    pub(crate) fn refused(&mut self, sentence: String) {
        self.taking = Taking::NotYet;
        self.note = Some(sentence);
    }
}
