//! A cart under a customer's name, to be paid later.

use clap::Args;

use crate::cli::call::Call;
use crate::cli::stop::Stop;
use crate::cli::values;
use crate::domain::cart::Cart;
use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::engine::ops::{PayBy, ReserveCart};
use crate::engine::reads::carts::ReadCart;

#[derive(Debug, Args)]
pub(in crate::cli) struct Reserve {
    /// Id, or end of an id
    cart: String,
    /// The customer's name; needed unless the cart has one already
    #[arg(long, value_name = "NAME")]
    customer: Option<String>,
    /// The customer's phone number
    #[arg(long, allow_hyphen_values = true)]
    phone: Option<String>,
    /// Pay-by time: thu, '27 nov 18:00', +3h (default: the house's time)
    #[arg(long, value_name = "TIME")]
    pay_by: Option<String>,
    /// Time from now to the first reminder that it is not paid
    #[arg(long, value_name = "TIME")]
    alert: Option<String>,
    /// Time from now to the last reminder
    #[arg(long = "final", value_name = "TIME")]
    last: Option<String>,
}

impl Reserve {
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Cart, Stop> {
        let cart: CartId = call.named(&self.cart)?;
        let before = call.read(ReadCart(cart))?.customer;
        let customer = (self.customer.is_some() || self.phone.is_some()).then(|| Customer {
            name: self.customer.clone().unwrap_or(before.name),
            phone: self.phone.clone().unwrap_or(before.phone),
        });
        let now = call.now_in(call.settings.time_zone);
        let pay_by = self.pay_by.as_deref();
        let pay_by = pay_by
            .map(|text| values::deadline("pay-by", text, now).map(PayBy::At))
            .transpose()?;
        let span = |field, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| values::span(field, text)).transpose()
        };
        call.run(ReserveCart {
            cart,
            customer,
            pay_by: pay_by.unwrap_or(PayBy::Usual),
            alert: span("alert", &self.alert)?,
            last: span("final", &self.last)?,
        })
    }
}
