//! Pay: the keypad. In here digits are money.
//!
//! # Invariants
//! - Money is taken by Enter at the amount or on the button, nowhere else, once every asked seat is answered
//!   and the total is the one on the screen.
//! - While the answer is under way nothing closes it and nothing is taken twice.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::ids::CartId;
use crate::domain::money::{Currency, parse_amount};
use crate::domain::receipt::Tender;
use crate::engine::ops::{BeginPayment, TicketsTo};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Effect;
use crate::tui::own_cart::{CartWish, OwnCart};
use crate::tui::printing::Papers;
use crate::tui::screens::{Click, pay_view};
use crate::tui::shared::{Shared, Tone};
use crate::tui::targets::Target;

mod stops;
mod taking;

pub(crate) use stops::{PayMeans, PayStop};

/// Progress of the payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Taking {
    /// Nobody has asked for it.
    #[default]
    NotYet,
    /// Enter was pressed before every seat was answered.
    OnceAnswered,
    /// A part was taken; what pays the rest is still to be said, so that a doubled Enter pays nothing more.
    PartTaken,
    /// The house was asked to take it.
    UnderWay,
}

/// The keypad's state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pay {
    /// Means of the rest.
    pub means: PayMeans,
    /// Focused field.
    pub stop: PayStop,
    /// The amount as typed; empty means exactly the rest.
    pub given: Field,
    /// The reference from the card slip.
    pub reference: Field,
    /// The customer's name.
    pub name: Field,
    /// The customer's phone number.
    pub phone: Field,
    /// Place of the paid tickets.
    pub tickets: TicketsTo,
    /// Papers to print.
    pub papers: Papers,
    /// Part amounts taken so far, with what they cover in minor units.
    pub parts: Vec<(Tender, i64)>,
    /// Progress of the payment.
    pub taking: Taking,
    /// Problem in a sentence.
    pub note: Option<String>,
    seen: Option<i64>,
    /// The highest charge that a card may have had before the total fell, in minor units.
    charged_most: i64,
    cart: Option<CartId>,
}

impl Pay {
    /// The keypad for a cart, with the name and phone the cart has.
    #[must_use]
    pub(crate) fn open(cart: &OwnCart) -> Self {
        let mut pay = Self::default();
        pay.reopen(cart);
        pay
    }

    /// True if the typed amounts belong to this cart; another customer's must never count.
    #[must_use]
    pub(crate) fn is_for(&self, cart: &OwnCart) -> bool {
        self.cart == cart.view().map(|view| view.cart.id)
    }

    /// The keypad as it was left, for the cart as it is now.
    pub(crate) fn reopen(&mut self, cart: &OwnCart) {
        self.taking = Taking::NotYet;
        self.note = None;
        self.seen = None;
        if let Some(view) = cart.view() {
            for (field, known) in [
                (&mut self.name, &view.customer.name),
                (&mut self.phone, &view.customer.phone),
            ] {
                if field.is_empty() {
                    *field = Field::with(known);
                }
            }
        }
        self.look(cart);
    }

    /// Amount still to pay, in minor units; `None` until the total is known.
    #[must_use]
    pub(crate) fn rest(&self) -> Option<i64> {
        Some(self.seen? - self.parts.iter().map(|(_, minor)| minor).sum::<i64>())
    }

    /// The total on the screen, in minor units, once every asked seat is answered.
    #[must_use]
    pub(crate) const fn total(&self) -> Option<i64> {
        self.seen
    }

    /// The change for what is typed, in minor units; none when it does not cover the rest.
    #[must_use]
    pub(crate) fn change(&self, currency: Currency) -> Option<i64> {
        if self.given.is_empty() || self.means == PayMeans::Card {
            return None;
        }
        let given = parse_amount(&self.given.text(), currency).ok()?;
        Some(given - self.rest()?).filter(|change| *change >= 0)
    }

    /// Amount left to pay after the typed amount, in minor units; `None` if it covers the rest.
    #[must_use]
    pub(crate) fn short(&self, currency: Currency) -> Option<i64> {
        let given = parse_amount(&self.given.text(), currency).ok()?;
        Some(self.rest()? - given).filter(|short| *short > 0 && given > 0)
    }

    fn field(&mut self) -> Option<&mut Field> {
        match self.stop {
            PayStop::Reference => Some(&mut self.reference),
            PayStop::Name => Some(&mut self.name),
            PayStop::Phone => Some(&mut self.phone),
            PayStop::Amount | PayStop::Button | PayStop::Tickets | PayStop::Print => None,
        }
    }

    fn money_key(&mut self, key: Key) {
        self.begin_amount();
        self.given.key(key);
    }

    /// Goes to the amount; another one is not taken before another Enter.
    fn begin_amount(&mut self) {
        self.note = None;
        self.stop = PayStop::Amount;
        self.taking = Taking::NotYet;
    }

    fn act(&mut self, action: Option<Action>, key: Key, context: &mut Context<'_>) -> Flow {
        match action {
            Some(Action::Main) => return self.enter(context),
            Some(Action::Close) => return Flow::Close,
            Some(Action::NextStop | Action::Down) => self.step(1),
            Some(Action::PreviousStop | Action::Up) => self.step(-1),
            Some(Action::Cash) => self.choose(PayMeans::Cash),
            Some(Action::Card) => self.card(context),
            Some(Action::Interrupt) => {
                context.say(Tone::Note, "<pay.close> goes back; a sale is never cut off");
            }
            _ if key == Key::plain(KeyCode::Down) => self.step(1),
            _ if key == Key::plain(KeyCode::Up) => self.step(-1),
            _ => {
                let text = format!(
                    "{key} does nothing in Pay: digits are money, <pay.main> takes it, <pay.close> goes back"
                );
                self.note = Some(text);
            }
        }
        Flow::Stay
    }

    fn choose(&mut self, means: PayMeans) {
        self.means = means;
        self.note = None;
        if self.taking == Taking::PartTaken {
            self.taking = Taking::NotYet;
        }
        self.stop = match means {
            PayMeans::Cash => PayStop::Amount,
            PayMeans::Card => PayStop::Reference,
        };
    }

    fn card(&mut self, context: &mut Context<'_>) {
        self.choose(PayMeans::Card);
        if !context.shared.cart.payment_began() {
            context.want(CartWish::of_cart(|cart| BeginPayment { cart }));
        }
    }

    /// Changes what is chosen at this stop; says whether there is anything.
    fn toggle(&mut self) -> bool {
        match self.stop {
            PayStop::Tickets => self.tickets = self.tickets.other(),
            PayStop::Print => self.papers = self.papers.next(),
            PayStop::Amount
            | PayStop::Reference
            | PayStop::Button
            | PayStop::Name
            | PayStop::Phone => return false,
        }
        self.note = None;
        true
    }

    fn step(&mut self, by: isize) {
        self.stop = self.stop.after(self.means, by);
    }

    fn enter(&mut self, context: &mut Context<'_>) -> Flow {
        match (self.stop, self.means) {
            (
                PayStop::Name
                | PayStop::Phone
                | PayStop::Reference
                | PayStop::Tickets
                | PayStop::Print,
                _,
            ) => self.step(1),
            (PayStop::Amount, PayMeans::Card) if self.reference.is_empty() => {
                self.stop = PayStop::Reference;
            }
            (PayStop::Amount, PayMeans::Cash)
                if self.taking == Taking::PartTaken && self.given.is_empty() => {}
            (PayStop::Amount | PayStop::Button, _) => self.take(context),
        }
        Flow::Stay
    }

    /// The cart changed or was answered: the total may be known now, or be another one. True if Enter
    /// was pressed before and the money can be taken now.
    pub(crate) fn look(&mut self, cart: &OwnCart) -> bool {
        if self.taking == Taking::UnderWay || !cart.is_settled() {
            return false;
        }
        let total = cart.view().map(|view| view.total);
        let before = self.seen;
        self.seen = total;
        self.charged_most = cart.view().map_or(0, |view| view.cart.payment_due);
        self.cart = cart.view().map(|view| view.cart.id);
        if !self.parts.is_empty() && self.rest().is_some_and(|rest| rest <= 0) {
            self.parts.clear();
            self.note = Some(
                "The total is below what was taken before: give that back, and begin anew"
                    .to_owned(),
            );
            return false;
        }
        if before.is_some() && total.is_some() && before != total {
            self.taking = Taking::NotYet;
            self.note = Some("The total has changed: look at it, then take it".to_owned());
            return false;
        }
        total.is_some() && self.taking == Taking::OnceAnswered
    }
}

impl Dialog for Pay {
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        let action = context.shared.keymap.action(KeyPlace::Pay, key);
        if let Some(effect) = action.and_then(on_terminal) {
            context.effect(effect);
            return Flow::Stay;
        }
        if self.taking == Taking::UnderWay {
            return Flow::Stay;
        }
        if let Some(field) = self.field() {
            if field.key(key) != FieldEdit::Foreign {
                self.note = None;
                return Flow::Stay;
            }
        } else if key.text() == Some(' ') && self.toggle() {
            return Flow::Stay;
        } else if is_money(key) {
            self.money_key(key);
            return Flow::Stay;
        }
        self.act(action, key, context)
    }

    fn paste(&mut self, text: &str, _context: &mut Context<'_>) {
        if self.taking == Taking::UnderWay {
            return;
        }
        let is_money = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
        if let Some(field) = self.field() {
            field.paste(text);
        } else if text.trim().chars().all(is_money) {
            self.begin_amount();
            self.given.paste(text.trim());
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if self.taking == Taking::UnderWay || click == Click::Double {
            return Flow::Stay;
        }
        if let Target::Act(action) = *target {
            return self.act(Some(action), Key::plain(KeyCode::Enter), context);
        }
        // a click on a stop changes it as Space does
        if let Some(stop) = target.dialog_row().and_then(|row| PayStop::ALL.get(row)) {
            self.stop = *stop;
            self.toggle();
        }
        Flow::Stay
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        pay_view::view(self, shared, area, canvas);
    }
}

/// Effect of an action on the terminal, whatever is under way.
fn on_terminal(action: Action) -> Option<Effect> {
    (action == Action::Redraw)
        .then_some(Effect::Redraw)
        .or_else(|| (action == Action::Suspend).then_some(Effect::Suspend))
}

fn is_money(key: Key) -> bool {
    key.text()
        .is_some_and(|letter| letter.is_ascii_digit() || letter == '.' || letter == ',')
        || key == Key::plain(KeyCode::Backspace)
}
