//! Reserve dialog: for whom, and by when it has to be paid.

use ratatui::layout::Rect;

use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::domain::time::{Instant, typed};
use crate::engine::Failure;
use crate::engine::ops::{PayBy, ReserveCart};
use crate::engine::reads::carts::CartRow;
use crate::tui::canvas::{Canvas, after, centred, from_row, inset, last_row, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::form::{Form, FormRow};
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Finished;
use crate::tui::own_cart::{CartWish, OwnCart};
use crate::tui::shared::{Shared, Tone};
use crate::tui::widgets::cart_panel::count_words;
use crate::words;

/// A reservation being made or moved.
#[derive(Clone, Debug)]
pub(crate) struct Reserve {
    whose: Whose,
    /// Subject in a few words.
    title: String,
    form: Form,
    asked: Asked,
}

const NAME: usize = 0;
const PHONE: usize = 1;
const PAY_BY: usize = 2;
const DO: usize = 3;

/// Cart of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Cart of this desk.
    Own,
    /// One that is reserved already.
    Reserved(CartId),
}

/// Progress of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    No,
    /// For this desk's cart: the cart answers.
    Cart,
    /// For another: the answer comes to this number.
    Number(u64),
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
                    FormRow::text("Phone", &customer.phone),
                    FormRow::text("Pay by", ""),
                    FormRow::Button,
                ],
                first,
            ),
            asked: Asked::No,
        }
    }

    /// Words of the button.
    const fn does(&self) -> &'static str {
        match self.whose {
            Whose::Own => "reserve",
            Whose::Reserved(_) => "move the pay-by",
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

    fn ask(&mut self, context: &mut Context<'_>) {
        let customer = Customer { name: self.form.clean(NAME), phone: self.form.clean(PHONE) };
        if customer.name.is_empty() {
            self.form.refuse(NAME, "Type the customer's name");
            return;
        }
        let pay_by = match self.typed(context.shared) {
            Ok(pay_by) => pay_by,
            Err(problem) => {
                self.form.refuse(PAY_BY, problem);
                return;
            }
        };
        self.form.note = None;
        self.asked = match self.whose {
            Whose::Own => {
                context.want(CartWish::of_cart(move |cart| reserve(cart, customer.clone(), pay_by)));
                Asked::Cart
            }
            Whose::Reserved(cart) => Asked::Number(context.run(reserve(cart, customer, pay_by))),
        };
    }

    /// Shows a refusal; the typed text stays.
    pub(crate) fn refused(&mut self, sentence: String) {
        self.asked = Asked::No;
        self.form.refuse(PAY_BY, sentence);
    }
}

impl Dialog for Reserve {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Form)
    }

    fn form(&mut self) -> Option<&mut Form> {
        (self.asked == Asked::No).then_some(&mut self.form)
    }

    /// Another pay-by has to be typed.
    fn is_ready(&self, shared: &Shared) -> bool {
        let typed = self.typed(shared);
        let enough = match self.whose {
            Whose::Own => typed.is_ok(),
            Whose::Reserved(_) => typed.is_ok_and(|at| at.is_some()),
        };
        enough && !self.form.clean(NAME).is_empty()
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        self.ask(context);
        Flow::Stay
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.form.enter(self.does().to_owned(), self.is_ready(shared))
    }

    /// Another desk's reservation was moved, or not.
    fn ran(&mut self, number: u64, done: Result<Finished, Failure>, context: &mut Context<'_>) -> Flow {
        if self.asked != Asked::Number(number) {
            return Flow::Stay;
        }
        let here = context.shared.here();
        match done {
            Ok(Finished::Cart(view)) => {
                let until = words::day_time(view.cart.expires_at, here);
                let name = &view.customer.name;
                context.say(Tone::Done, format!("{name} has to pay by {until} now"));
                Flow::Close
            }
            Ok(_) => Flow::Close,
            Err(failure) => {
                self.refused(words::failure(&failure, here));
                Flow::Stay
            }
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(area, 62, 12);
        let title = match self.whose {
            Whose::Own => "Reserve",
            Whose::Reserved(_) => "Later pay-by",
        };
        let title = format!("{title}   {}", fit(&self.title, 34));
        let inner = inset(canvas.dialog(area, &title, ""));
        let means = match self.typed(shared) {
            Ok(Some(at)) => words::day_time(at, shared.here()),
            Ok(None) => "empty: the house's time".to_owned(),
            Err(_) => "thu   27 nov 18:00   +3h".to_owned(),
        };
        for (line, words) in (1..).zip(["needed", "optional", &means]) {
            let (at, field) = ((row(inner, line), &mut *canvas), usize::from(line) - 1);
            let words = self.form.hint(field, (self.does(), words), self.is_ready(shared));
            self.form.draw((field, &words), shared, at);
        }
        let at = (after(row(inner, 5), 1), &mut *canvas);
        self.form.draw((DO, self.does()), shared, at);
        let then = "Nobody else gets the seats until then. You are told when they are not paid; then they go back.";
        self.form.draw_note(then, shared, (from_row(inner, 6), canvas));
        if self.asked != Asked::No {
            canvas.text(last_row(inner), " ...  the house is asked", theme.key);
        }
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
