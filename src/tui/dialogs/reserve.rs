//! Reserve dialog: for whom, and by when it has to be paid.

use std::borrow::Cow;

use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::domain::time::{Instant, typed};
use crate::engine::ops::{PayBy, ReserveCart};
use crate::engine::reads::carts::{CartRow, GoodsView};
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::own_cart::{CartWish, OwnCart};
use crate::tui::data::reads::Needs;
use crate::tui::kit::form::{Form, FormRow, contact};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::widgets::cart_panel::count_words;
use crate::words;

const NAME: usize = 0;
const CONTACT: usize = 1;
const PAY_BY: usize = 2;

/// A reservation being made or moved.
#[derive(Clone, Debug)]
pub(crate) struct Reserve {
    whose: Whose,
    /// Subject in a few words.
    title: String,
    form: Form,
}

/// Cart of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Cart of this desk.
    Own,
    /// One that is reserved already.
    Reserved(CartId),
}

impl Reserve {
    /// For the cart of this desk, with the name and phone that it has.
    pub(crate) fn own(cart: &OwnCart) -> Self {
        let customer = cart.view().map(|view| view.customer.clone());
        let customer = customer.unwrap_or_default();
        let contents = cart.view().map(count_words).unwrap_or_default();
        Self::new((Whose::Own, NAME), &customer, contents)
    }

    /// For a reservation whose pay-by is to be moved.
    pub(crate) fn later(of: &CartRow) -> Self {
        let title = format!("{}, {}", clean(&of.customer.name), words::count(of.seats, "seat"));
        Self::new((Whose::Reserved(of.id), PAY_BY), &of.customer, title)
    }

    fn new((whose, first): (Whose, usize), customer: &Customer, title: String) -> Self {
        Self {
            whose,
            title,
            form: Form::new(
                vec![
                    FormRow::text("Name", &customer.name),
                    FormRow::text("Contact", &contact(customer)),
                    FormRow::text("Pay by", ""),
                    FormRow::Button,
                ],
                first,
            ),
        }
    }

    /// The pay-by as typed; none when nothing is.
    fn typed(&self, shared: &Shared) -> Result<Option<Instant>, String> {
        let text = self.form.text(PAY_BY);
        if text.is_empty() {
            return Ok(None);
        }
        let read = typed::deadline(&text, shared.here());
        read.map(Some).map_err(|error| error.to_string())
    }

    /// The pay-by of this desk's cart while none is typed.
    fn usual(&self, shared: &Shared) -> Option<Instant> {
        let cart = shared.cart.view().filter(|_| self.whose == Whose::Own && self.form.text(PAY_BY).is_empty())?;
        let starts = cart.lines.iter().filter_map(|line| match &line.goods {
            GoodsView::Seats { performance, .. } => Some(performance.start),
            GoodsView::Time(time) => time.booking.is_none().then_some(time.wanted.from()),
        });
        Some(shared.reads.get(&ReadSettings)?.usual_pay_by(shared.now, starts.min()?))
    }
}

impl FormSheet for Reserve {
    const SIZE: (u16, usize) = (62, 12);

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        let title = match self.whose {
            Whose::Own => "Reserve",
            Whose::Reserved(_) => "Later pay-by",
        };
        format!("{title}   {}", fit(&self.title, 34))
    }

    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let told = |at| words::day_time(at, shared.here());
        let means = match (self.usual(shared), self.typed(shared)) {
            (Some(at), _) => format!("empty: {}", told(at)).into(),
            (None, Ok(Some(at))) => told(at).into(),
            (None, Ok(None) | Err(_)) => "thu   27 nov 18:00   +3h".into(),
        };
        vec![(NAME, "needed".into()), (CONTACT, "phone, mail".into()), (PAY_BY, means)]
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
    }

    fn does(&self) -> &'static str {
        match self.whose {
            Whose::Own => "reserve",
            Whose::Reserved(_) => "move the pay-by",
        }
    }

    fn then(&self) -> &'static str {
        "Kept until then. What is not paid by then goes back on sale, and Tonight says so before."
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let customer = self.form.customer([NAME, CONTACT])?;
        if customer.name.is_empty() {
            return Err((NAME, "Type the customer's name".to_owned()));
        }
        let pay_by = self.typed(shared).map_err(|problem| (PAY_BY, problem))?;
        Ok(match self.whose {
            Whose::Own => Sent::Want(CartWish::of_cart(move |cart| reserve(cart, customer.clone(), pay_by))),
            Whose::Reserved(cart) => Sent::run(reserve(cart, customer, pay_by)),
        })
    }

    /// Of a reservation another pay-by has to be typed.
    fn is_ready(&self, shared: &Shared) -> bool {
        let is_typed = !self.form.text(PAY_BY).is_empty();
        self.operation(shared).is_ok() && (self.whose == Whose::Own || is_typed)
    }

    fn refused_at(&self) -> usize {
        PAY_BY
    }
}

fn reserve(cart: CartId, customer: Customer, pay_by: Option<Instant>) -> ReserveCart {
    ReserveCart {
        cart,
        customer: Some(customer),
        pay_by: pay_by.map_or(PayBy::Usual, PayBy::At),
        alert: None,
        last: None,
    }
}
