//! Requests that a screen or dialog makes while it handles input: effects, navigation, wishes for the cart.

use crate::engine::ops::AnyOperation;
use crate::tui::go::Go;
use crate::tui::msg::{Effect, Query, Trouble};
use crate::tui::own_cart::CartWish;
use crate::tui::remote::{Remote, Ticket};
use crate::tui::shared::{Shared, Tone};

/// Shared state and pending requests while a screen handles input.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Shared state.
    pub shared: &'a mut Shared,
    asked: Asked,
}

/// Requests made while input was handled.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Effects outside the screen.
    pub effects: Vec<Effect>,
    /// Navigation.
    pub goes: Vec<Go>,
    /// Wishes for the cart.
    pub wishes: Vec<CartWish>,
}

impl<'a> Context<'a> {
    /// Context without requests.
    pub(crate) fn new(shared: &'a mut Shared) -> Self {
        Self {
            shared,
            asked: Asked::default(),
        }
    }

    /// Sends a query; the answer has the returned ticket.
    pub(crate) fn read(&mut self, query: Query) -> Ticket {
        let ticket = self.shared.tickets.draw();
        self.read_with(ticket, query);
        ticket
    }

    /// Sends a query with an issued ticket.
    pub(crate) fn read_with(&mut self, ticket: Ticket, query: Query) {
        self.asked.effects.push(Effect::Read(ticket, query));
    }

    /// Sends a query for data, unless its answer is awaited already; then it is sent again after that.
    pub(crate) fn load<T>(&mut self, data: &mut Remote<T>, query: Query) {
        if let Some(ticket) = data.want(&mut self.shared.tickets) {
            self.read_with(ticket, query);
        }
    }

    /// Sends an operation; the answer has the returned ticket.
    pub(crate) fn run(&mut self, operation: impl Into<AnyOperation>) -> Ticket {
        let ticket = self.shared.tickets.draw();
        let run = Effect::Run(ticket, operation.into());
        self.asked.effects.push(run);
        ticket
    }

    /// Requests an effect.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.asked.effects.push(effect);
    }

    /// Requests navigation.
    pub(crate) fn go(&mut self, go: Go) {
        self.asked.goes.push(go);
    }

    /// Shows a message.
    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    /// Shows why a request failed.
    pub(crate) fn refuse(&mut self, trouble: &Trouble) {
        let sentence = trouble.sentence(self.shared.zone);
        self.say(Tone::Refused, sentence);
    }

    /// Queues a wish for the cart.
    pub(crate) fn want(&mut self, wish: CartWish) {
        self.asked.wishes.push(wish);
    }

    /// Returns the collected requests.
    #[must_use]
    pub(crate) fn finish(self) -> Asked {
        self.asked
    }
}
