//! Payment of a cart: its receipt, or a worklist item for a payment that came too late.

use clap::Args;

use crate::cli::answers::receipt;
use crate::cli::call::{Call, Done};
use crate::cli::means::Means;
use crate::cli::values;
use crate::cli::worklist::item_view;
use crate::domain::back::{Back, ReturnTerms};
use crate::domain::correction::ExchangeFee;
use crate::domain::ids::CartId;
use crate::domain::receipt::Tender;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{CheckedOut, Checkout, TicketsTo};
use crate::engine::reads::carts::ReadCart;
use crate::engine::reads::receipts::ReadAnsweredReceipt;

#[derive(Debug, Args)]
pub(in crate::cli) struct Paid {
    /// Id, or end of an id
    cart: String,
    /// A payment: cash=30.00, card=REF:12.00, owed=CODE:20.00, or without an amount for exactly the rest
    #[arg(long, value_name = "MEANS=AMOUNT")]
    pay: Vec<String>,
    #[command(flatten)]
    means: Means,
    /// Why seats or time come back, or are given away
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Exchange without the house's fee, and why
    #[arg(long, value_name = "TEXT", requires = "reason")]
    no_fee: Option<String>,
    /// The expected total: if it is another by now, nothing is sold
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    total: Option<String>,
    /// The customer's name
    #[arg(long)]
    name: Option<String>,
    /// The customer's phone number
    #[arg(long, allow_hyphen_values = true)]
    phone: Option<String>,
    /// The customer's mail
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
    /// Keep the tickets at the desk until they are collected, under the customer's name
    #[arg(long)]
    collect: bool,
}

impl Paid {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let cart: CartId = call.named(&self.cart)?;
        let before = call.read(ReadCart(cart))?;
        let currency = before.cart.currency.unwrap_or(call.settings.currency);
        let tenders = self.pay.iter().map(|text| values::tender(text, currency));
        let tenders: Result<Vec<Tender>, Refusal> = tenders.collect();
        let money = |text: &str| match text.strip_prefix('-') {
            Some(below) if !before.returns.is_empty() => values::money("total", below, currency).map(|minor| -minor),
            _ => values::money("total", text, currency),
        };
        let back = self.means.of(currency)?;
        let returns = (back != Back::default() || self.reason.is_some()).then(|| ReturnTerms {
            reason: self.reason.clone().unwrap_or_default(),
            back,
            fee: ExchangeFee::waived(self.no_fee.clone()),
        });
        let told = [&self.name, &self.phone, &self.mail].map(Option::as_ref);
        let done = call.run(Checkout {
            cart,
            tenders: tenders?,
            seen: values::some(self.total.as_ref(), money)?,
            customer: values::customer(told, before.customer),
            tickets: if self.collect { TicketsTo::Desk } else { TicketsTo::Customer },
            returns,
        })?;
        answer(call, done)
    }
}

/// Answers with the receipt, or with the worklist item for a payment that came too late.
pub(in crate::cli) fn answer(call: &mut Call<'_>, done: CheckedOut) -> Done {
    match done {
        CheckedOut::Receipt(receipt) => {
            let view = call.read(ReadAnsweredReceipt(receipt))?;
            call.answer(&receipt::receipt(&view, None, call.present()))
        }
        CheckedOut::Owed(receipt, item) => {
            let view = call.read(ReadAnsweredReceipt(receipt))?;
            let owed = item_view(call, *item)?;
            call.answer(&receipt::with_owed(&view, &owed, call.out.here()))
        }
        CheckedOut::Unissued(item) => {
            let item = item_view(call, *item)?;
            call.answer(&receipt::unissued(&item, call.out.zone))
        }
    }
}
