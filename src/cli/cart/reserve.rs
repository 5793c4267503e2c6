//! A cart under a customer's name, to be paid later.

use clap::Args;

use crate::cli::call::Call;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::cart::Cart;
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
    /// The customer's mail
    #[arg(long, value_name = "ADDRESS")]
    mail: Option<String>,
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
        let told = [&self.customer, &self.phone, &self.mail].map(Option::as_ref);
        let now = call.now_in(call.settings.time_zone);
        let deadline = |text: &str| times::deadline("pay-by", text, now);
        let pay_by = values::some(self.pay_by.as_ref(), deadline)?;
        call.run(ReserveCart {
            cart,
            customer: values::customer(told, before),
            pay_by: pay_by.map_or(PayBy::Usual, PayBy::At),
            alert: values::some(self.alert.as_ref(), |text| values::span("alert", text))?,
            last: values::some(self.last.as_ref(), |text| values::span("final", text))?,
        })
    }
}
