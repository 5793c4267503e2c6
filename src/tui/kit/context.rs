//! Requests that a screen or dialog makes while it handles input: effects, navigation, wishes for the cart.
//!
//! Import cycle with `dialog`: see there.

use crate::domain::time::Span;
use crate::engine::Failure;
use crate::engine::ops::AnyOperation;
use crate::tui::data::msg::{Effect, Query};
use crate::tui::data::own_cart::CartWish;
use crate::tui::data::ticket::{Ticket, TicketOwner};
use crate::tui::data::time::{SentAct, TimeAct, Undoing};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::go::Go;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::{Shared, Tone};
use crate::words;

/// Message about an act whose row went away before it.
const GONE: &str = "What the cursor stood on is gone; press again to act on what it stands on now";

/// Shared state and pending requests while a screen handles input.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub shared: &'a mut Shared,
    /// Place that gets the answers.
    owner: TicketOwner,
    asked: Asked,
}

/// Requests made while input was handled.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Effects outside the screen.
    pub effects: Vec<Effect>,
    pub goes: Vec<Go>,
    /// Wishes for the cart, by the number of their replies.
    pub wishes: Vec<(u64, CartWish)>,
}

impl<'a> Context<'a> {
    /// Context without requests; answers go to the owner.
    pub(crate) fn new(shared: &'a mut Shared, owner: impl Into<TicketOwner>) -> Self {
        Self { shared, owner: owner.into(), asked: Asked::default() }
    }

    /// Makes requests whose answers go to another owner.
    pub(crate) fn on_behalf<R>(&mut self, owner: TicketOwner, does: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.owner, owner);
        let result = does(self);
        self.owner = before;
        result
    }

    fn ticket(&self, number: u64) -> Ticket {
        Ticket { owner: self.owner.clone(), number }
    }

    /// Sends a query; returns the number of its ticket.
    pub(crate) fn read(&mut self, query: impl Into<Query>) -> u64 {
        let number = self.shared.tickets.draw();
        let read = Effect::Read(self.ticket(number), query.into());
        self.asked.effects.push(read);
        number
    }

    /// True if an act is meant for the row under a cursor; the first one after the row has gone is told so.
    pub(crate) fn aims<K>(&mut self, cursor: &mut Cursor<K>) -> bool {
        let aims = cursor.aims();
        if !aims {
            self.note(GONE);
        }
        aims
    }

    /// Asks for a tick after some time.
    pub(crate) fn tick_in(&mut self, span: Span) {
        self.asked.effects.push(Effect::TickIn(span));
    }

    /// Sends an operation; returns the number of its ticket.
    pub(crate) fn run(&mut self, operation: impl Into<AnyOperation>) -> u64 {
        let number = self.shared.tickets.draw();
        let run = Effect::Run(self.ticket(number), operation.into());
        self.asked.effects.push(run);
        number
    }

    /// Sends an operation whose answer goes to another owner.
    pub(crate) fn run_for(&mut self, owner: TicketOwner, operation: impl Into<AnyOperation>) -> u64 {
        self.on_behalf(owner, |context| context.run(operation))
    }

    /// Sends an act on time; returns the number of its ticket.
    pub(crate) fn act(&mut self, act: TimeAct) -> u64 {
        self.send(act, Undoing::Remember(Screen::Calendar))
    }

    /// Sends an act on time that undoes another.
    pub(crate) fn undo(&mut self, act: TimeAct) {
        self.send(act, Undoing::Forget);
    }

    fn send(&mut self, act: TimeAct, undoing: Undoing) -> u64 {
        let operation = act.operation();
        let owner = TicketOwner::Act(Box::new(SentAct { act, undoing }));
        self.run_for(owner, operation)
    }

    /// Opens a dialog.
    pub(crate) fn open(&mut self, dialog: impl Dialog) {
        self.go(Go::Open(Box::new(dialog)));
    }

    pub(crate) fn print(&mut self, printer: crate::words::printing::Printer, text: String) {
        let number = self.shared.tickets.draw();
        let print = Effect::Print(self.ticket(number), printer, text);
        self.asked.effects.push(print);
    }

    pub(crate) fn go(&mut self, go: Go) {
        self.asked.goes.push(go);
    }

    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.say(Tone::Note, text);
    }

    /// Copies a text to the clipboard.
    pub(crate) fn copy(&mut self, text: String) {
        self.note(format!("{text} is on the clipboard"));
        self.asked.effects.push(Effect::Copy(text));
    }

    /// Shows why a request failed.
    pub(crate) fn refuse(&mut self, failure: &Failure) {
        let sentence = words::failure(failure, self.shared.here());
        self.say(Tone::Refused, sentence);
    }

    /// Queues a wish for the cart.
    pub(crate) fn want(&mut self, wish: CartWish) {
        self.want_told(wish);
    }

    /// Queues a wish for the cart; returns the number that its reply has.
    pub(crate) fn want_told(&mut self, wish: CartWish) -> u64 {
        let number = self.shared.tickets.draw();
        self.asked.wishes.push((number, wish));
        number
    }

    /// Returns the collected requests.
    pub(crate) fn finish(self) -> Asked {
        self.asked
    }
}
