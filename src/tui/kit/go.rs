//! Navigation: where a screen or dialog sends the operator.
//!
//! Import cycle with `dialog`: see there.

use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;
use crate::engine::ops::AnyOperation;
use crate::engine::reads::find::HitTarget;
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::worklist::OrderId;
use crate::tui::data::acts::DeskAct;
use crate::tui::data::own_cart::{CartWish, UndoNumber};
use crate::tui::data::ticket::Refused;
use crate::tui::kit::action::Action;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::Typed;
use crate::tui::kit::screen::Screen;

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
