//! Requests that a screen or dialog makes while it handles input: effects, navigation, wishes for the cart.
//!
//! Import cycle with `dialog`, which makes requests by its context, and is what a context opens.

use std::path::PathBuf;

use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Span};
use crate::engine::Failure;
use crate::engine::ops::AnyOperation;
use crate::engine::reads::find::HitTarget;
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::worklist::OrderId;
use crate::tui::data::desk_act::{DeskAct, SentAct, Undoing};
use crate::tui::data::msg::{Effect, Query, Readable};
use crate::tui::data::own_cart::{CartWish, UndoNumber};
use crate::tui::data::ticket::{Refused, Ticket, TicketOwner};
use crate::tui::kit::action::Action;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::Typed;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::{Shared, Tone};
use crate::words;
use crate::words::printing::Printer;

/// Message about an act whose row went away before it.
const GONE: &str = "What the cursor stood on is gone; press again to act on what it stands on now";

/// Shared state and pending requests while a screen handles input.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub shared: &'a mut Shared,
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
    /// Context without requests.
    pub(crate) fn new(shared: &'a mut Shared) -> Self {
        Self { shared, asked: Asked::default() }
    }

    /// Adds an effect whose answer goes to the owner; returns the number of its ticket.
    fn send(&mut self, owner: TicketOwner, effect: impl FnOnce(Ticket) -> Effect) -> u64 {
        let number = self.shared.tickets.draw();
        self.asked.effects.push(effect(Ticket { owner, number }));
        number
    }

    /// Sends a query; returns the number of its ticket.
    pub(crate) fn read(&mut self, owner: TicketOwner, query: impl Into<Query>) -> u64 {
        self.send(owner, |ticket| Effect::Read(ticket, query.into()))
    }

    /// True if an act is meant for the row under a cursor; the first one after the row has gone is told so.
    pub(crate) fn aims<K>(&mut self, cursor: &mut Cursor<K>) -> bool {
        let aims = cursor.aims();
        if !aims {
            self.note(GONE);
        }
        aims
    }

    /// Row of an answer that an act under a cursor is meant for; none for the first act after the row has gone.
    pub(crate) fn aimed<Q: Readable<Value = Vec<R>>, R: Clone, K: PartialEq>(
        &mut self,
        cursor: &mut Cursor<K>,
        question: &Q,
        key: fn(&R) -> K,
    ) -> Option<R> {
        let aims = self.aims(cursor);
        let mut rows = self.shared.reads.rows(question).iter();
        rows.find(|row| aims && Some(&key(row)) == cursor.key()).cloned()
    }

    /// Asks for a tick after some time.
    pub(crate) fn tick_in(&mut self, span: Span) {
        self.asked.effects.push(Effect::TickIn(span));
    }

    /// Sends an operation; returns the number of its ticket.
    pub(crate) fn run(&mut self, owner: TicketOwner, operation: impl Into<AnyOperation>) -> u64 {
        self.send(owner, |ticket| Effect::Run(ticket, operation.into()))
    }

    /// Sends an act, which is told of and can be undone; returns the number of its ticket.
    pub(crate) fn act(&mut self, act: DeskAct) -> u64 {
        let undoing = Undoing::Remember(self.shared.on);
        self.act_with(act, undoing)
    }

    /// Sends what a form or a question ends in; returns the number that its answer or reply has.
    pub(crate) fn send_off(&mut self, sent: Sent) -> u64 {
        match sent {
            Sent::Act(act) => self.act(act),
            Sent::Want(wish) => self.want_told(wish),
        }
    }

    /// Signs in by a PIN, or approves what was refused.
    pub(crate) fn prove(&mut self, pin: String, refused: Option<&Refused>) {
        if let Some(Refused { ticket, operation, .. }) = refused {
            self.asked.effects.push(Effect::Approve(ticket.clone(), operation.clone(), pin));
        } else {
            self.send(TicketOwner::SignIn, |ticket| Effect::SignIn(ticket, pin));
        }
    }

    /// Sends an act that undoes another.
    pub(crate) fn undo(&mut self, act: DeskAct) {
        self.act_with(act, Undoing::Forget);
    }

    fn act_with(&mut self, act: DeskAct, undoing: Undoing) -> u64 {
        let operation = act.operation();
        self.run(TicketOwner::Act(Box::new(SentAct { act, undoing })), operation)
    }

    /// Opens a dialog.
    pub(crate) fn open(&mut self, dialog: impl Dialog) {
        self.go(Go::Open(Box::new(dialog)));
    }

    /// Prints a text, with its success message.
    pub(crate) fn print(&mut self, (printer, text): (Printer, String), done: String) {
        self.send(TicketOwner::Printed(done), |ticket| Effect::Print(ticket, printer, text));
    }

    /// Writes a text into a new file, with its success message.
    pub(crate) fn write(&mut self, (path, text): (PathBuf, String), done: String) {
        self.send(TicketOwner::Written(done), |ticket| Effect::Print(ticket, Printer::NewFile(path), text));
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

    /// Shows why a request failed; returns the sentence.
    pub(crate) fn refuse(&mut self, failure: &Failure) -> String {
        let sentence = words::failure(failure, self.shared.here());
        self.say(Tone::Refused, sentence.clone());
        sentence
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

/// Navigation requested by a screen.
#[derive(Debug)]
pub(crate) enum Go {
    Screen(Screen),
    /// Show something that can be found, where it lives.
    Show(HitTarget),
    /// Show a time of a resource on the calendar.
    Time(ResourceId, Instant),
    /// Show the orders that wait for somebody.
    Orders(OrdersOf),
    /// Show a job in the list of jobs.
    Job(JobName),
    /// Take over a reservation, and open its payment.
    PayReservation(CartId),
    /// Run an action, as if its key were pressed.
    Act(Action),
    /// Go to the screen of an action and run it there, as if its key were pressed.
    ActAt(KeyPlace, Action),
    /// Pick seats by a line, as after `best`.
    SellLine(String),
    Open(Box<dyn Dialog>),
    /// Handle the line of the open prompt.
    Typed(Typed),
    /// Undo an act, while it is the newest one.
    Undo(UndoNumber),
    Send(Sent),
    /// Leave an act refused.
    Unapproved(Box<Refused>),
    /// Drop a payment, and the wishes behind it; the sentence says why.
    Unpaid(&'static str),
    /// End the program.
    Quit(Leaving),
}

/// Operation that a form or a question ends in.
#[derive(Debug)]
pub(crate) enum Sent {
    Act(DeskAct),
    /// On the cart of this desk.
    Want(CartWish),
}

impl Sent {
    /// Operation whose answer has all data of the success message.
    pub(crate) fn run(operation: impl Into<AnyOperation>) -> Self {
        Self::Act(DeskAct::run(operation))
    }

    /// Operation with its success message.
    pub(crate) fn worded(operation: impl Into<AnyOperation>, done: impl Into<String>) -> Self {
        Self::Act(DeskAct::worded(operation, done))
    }
}

/// Orders that wait for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrdersOf {
    /// Their tickets lie at the desk.
    ToCollect,
    LostSeats,
}

/// Fate of the cart when the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    Held,
    /// Canceled first.
    GivenBack,
}

impl Go {
    /// Show an order.
    pub(crate) const fn order(order: OrderId) -> Self {
        match order {
            OrderId::Receipt(receipt) => Self::Show(HitTarget::Receipt(receipt)),
            OrderId::Reservation(cart) => Self::Show(HitTarget::Reservation(cart)),
        }
    }

    /// Show the map of a performance, to sell.
    pub(crate) const fn sell(performance: PerformanceId) -> Self {
        Self::Show(HitTarget::Performance(performance))
    }

    /// Show the open carts with the cursor on one.
    pub(crate) const fn cart(cart: CartId) -> Self {
        Self::Show(HitTarget::Cart(cart))
    }
}

/// Key of a job: its kind and subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct JobName {
    /// Word of the kind.
    pub kind: String,
    /// Id of the watched subject.
    pub subject: String,
}

impl JobName {
    /// Key of a job.
    pub(crate) fn of(job: &JobView) -> Self {
        Self { kind: job.kind.clone(), subject: job.subject.clone() }
    }
}
