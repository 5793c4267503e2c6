//! Carts: opened, filled, changed, given up, paid.

use clap::{Args, Subcommand};

use crate::cli::answers;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::{correction, receipt, values};
use crate::domain::ids::CartId;
use crate::domain::typed;
use crate::engine::ops::{
    BeginPayment, CancelCart, ExtendCart, NameCustomer, OpenCart, ReturnCells, SetAside, SetCount, TakeFrom, TakeOver,
    Unreturn,
};
use crate::engine::reads::carts::{CartView, ReadAnsweredCart, ReadCart, ReadCarts, ReadOpenCarts, ReadReservations};
use crate::engine::reads::receipts::ReadReceipt;
use crate::words;

pub(super) mod checkout;
mod reserve;
pub(super) mod seats;

#[derive(Debug, Subcommand)]
pub(super) enum CartVerb {
    /// Open a cart
    Open {
        /// Hold time: 10m (default: the house's)
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        hold: Option<String>,
        /// Currency in which the customer pays what has prices in several: USD (default: the house's)
        #[arg(long, value_name = "CURRENCY")]
        currency: Option<String>,
    },
    /// Take seats into a cart, all or none
    Add(seats::AddSeatsArgs),
    /// Sell seats of a line as another ticket type
    Retype {
        #[command(flatten)]
        part: seats::Part,
        /// The new ticket type
        #[arg(long = "type", value_name = "TYPE")]
        ticket_type: String,
    },
    /// Change how many places of standing room, or units of a counted resource, a line has
    Set {
        /// Id, or end of an id
        cart: String,
        /// The line, by its number
        #[arg(long, allow_hyphen_values = true)]
        line: String,
        /// This many places, or units at each time
        #[arg(long, allow_hyphen_values = true)]
        count: String,
    },
    /// Give back a line, or some of its seats
    Remove(seats::Part),
    /// One cart
    Show(OneCart),
    /// The carts that are open, by deadline
    List(ListCartsArgs),
    /// Move a cart's deadline
    Extend(OneCart),
    /// Give a cart up; its seats go back
    Cancel(OneCart),
    /// Open a new cart with the lines of one that ended
    Revive(OneCart),
    /// Set a cart aside for the next customer
    SetAside(OneCart),
    /// Take a cart over to this station
    TakeOver {
        /// Id, or end of an id
        cart: String,
        /// Also while another station works on it
        #[arg(long = "override")]
        anybody: bool,
    },
    /// Reserve a cart under a customer's name, to be paid later; repeat it to change the pay-by
    Reserve(reserve::Reserve),
    /// Begin a card payment; the deadline moves once
    BeginPayment(OneCart),
    /// Set the customer of a cart
    Name {
        /// Id, or end of an id
        cart: String,
        /// The customer's name
        #[arg(long, required_unless_present = "phone")]
        name: Option<String>,
        /// The customer's phone number
        #[arg(long, allow_hyphen_values = true)]
        phone: Option<String>,
        /// The customer's mail
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
    },
    /// Bring back seats or time of a receipt with this cart; they stay the customer's until it is paid
    Return {
        /// Id, or end of an id
        cart: String,
        /// The receipt: number, number at this station, id, or end of an id
        #[arg(long)]
        receipt: String,
        #[command(flatten)]
        cells: correction::Cells,
    },
    /// Take a line out of what the cart brings back
    Unreturn {
        /// Id, or end of an id
        cart: String,
        /// The line, by its number
        #[arg(long, allow_hyphen_values = true)]
        line: String,
    },
    /// Pay a cart; the answer is its receipt
    Checkout(checkout::Paid),
}

#[derive(Debug, Args)]
pub(super) struct OneCart {
    /// Id, or end of an id
    cart: String,
}

#[derive(Debug, Args)]
pub(super) struct ListCartsArgs {
    /// Also carts that ended, oldest first
    #[arg(long)]
    all: bool,
    /// Only reservations, by pay-by
    #[arg(long, conflicts_with = "all")]
    reserved: bool,
    /// Only those after this one
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

impl CartVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let cart = match self {
            Self::List(list) => return list.run(call),
            Self::Checkout(pay) => return pay.run(call),
            Self::Show(one) => return one.show(call),
            Self::Open { hold, currency } => {
                let hold = values::some(hold.as_ref(), |text| values::span("hold", text))?;
                let currency = values::some(currency.as_ref(), typed::currency)?;
                call.run(OpenCart { hold, currency })?
            }
            Self::Add(add) => add.run(call)?,
            Self::Retype { part, ticket_type } => part.retype(call, ticket_type.clone())?,
            Self::Set { cart, line, count } => {
                let (line, count) = (values::line(line)?, values::count("count", count)?);
                call.run(SetCount { cart: call.named(cart)?, line, count })?
            }
            Self::Remove(part) => part.give_back(call)?,
            Self::Extend(one) => call.run(ExtendCart { cart: one.id(call)? })?,
            Self::Cancel(one) => call.run(CancelCart { cart: one.id(call)? })?,
            Self::Revive(one) => seats::revive(call, one.id(call)?)?,
            Self::SetAside(one) => call.run(SetAside { cart: one.id(call)? })?,
            Self::TakeOver { cart, anybody } => {
                let from = if *anybody { TakeFrom::Anybody } else { TakeFrom::SetAside };
                call.run(TakeOver { cart: call.named(cart)?, from })?
            }
            Self::Reserve(reserve) => reserve.run(call)?,
            Self::Return { cart, receipt, cells } => {
                let cart = Some(call.named(cart)?);
                let receipt = receipt::named(call, receipt)?;
                let view = call.read(ReadReceipt(receipt))?;
                let cells = cells.of(call, &view)?;
                call.run(ReturnCells { cart, receipt, cells })?
            }
            Self::Unreturn { cart, line } => {
                call.run(Unreturn { cart: call.named(cart)?, line: values::line(line)? })?
            }
            Self::BeginPayment(one) => call.run(BeginPayment { cart: one.id(call)? })?,
            Self::Name { cart, name, phone, mail } => {
                let cart: CartId = call.named(cart)?;
                let before = call.read(ReadCart(cart))?.customer;
                let customer = values::customer([name, phone, mail].map(Option::as_ref), before);
                let customer = customer.unwrap_or_default();
                call.run(NameCustomer { cart, customer })?
            }
        };
        let view = call.read(ReadAnsweredCart(cart))?;
        let is_latest = matches!(self, Self::Extend(_)) && view.cart.is_at_cap();
        answer(call, &view, is_latest.then_some(words::AT_CAP))
    }
}

fn answer(call: &mut Call<'_>, view: &CartView, note: Option<&str>) -> Done {
    let (here, currency) = (call.now_in(call.settings.time_zone), call.settings.currency);
    call.answer(&answers::cart::cart(view, here, currency).noted(note))
}

impl OneCart {
    fn id(&self, call: &Call<'_>) -> Result<CartId, Stop> {
        call.named(&self.cart)
    }

    fn show(&self, call: &mut Call<'_>) -> Done {
        let view = call.read(ReadCart(self.id(call)?))?;
        answer(call, &view, None)
    }
}

impl ListCartsArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let after: Option<CartId> = values::some(self.after.as_ref(), |text| call.named(text))?;
        let rows = if self.all {
            call.pages(after, |after| ReadCarts { after }, |row| row.id)?
        } else if self.reserved {
            call.pages(after, |after| ReadReservations { after }, |row| row.id)?
        } else {
            call.pages(after, |after| ReadOpenCarts { after, station: None }, |row| row.id)?
        };
        let (here, currency) = (call.now_in(call.settings.time_zone), call.settings.currency);
        call.answer(&answers::cart::list(&rows, here, currency))
    }
}
