//! Navigation: where a screen or dialog sends the operator.
//!
//! Import cycle with `dialog`: see there.

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::plan::SeatRef;
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;
use crate::engine::reads::carts::CartRow;
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
    /// Show the map of a performance, to sell.
    Sell(PerformanceId),
    /// Show the map of a performance with the prompt for best seats.
    SellBest(PerformanceId),
    /// Show a seat on the map.
    Seat(PerformanceId, SeatRef),
    /// Show a time of a resource on the calendar.
    Time(ResourceId, Instant),
    /// Show a booking at a time of a resource.
    Booking(BookingId, ResourceId, Instant),
    Receipt(ReceiptId),
    /// Show a reservation among the orders.
    Reservation(CartId),
    /// Show the orders whose tickets wait at the desk.
    ToCollect,
    /// Show the orders that lost seats.
    LostSeats,
    /// Show a job in the list of jobs.
    Job(JobName),
    /// Take over a reservation, and open its payment.
    PayReservation(CartId),
    /// Show the list of open carts, with the cursor on a cart.
    OpenCarts(Option<CartId>),
    /// Take over an open cart.
    TakeOver(Box<CartRow>),
    /// Run an action, as if its key were pressed.
    Act(Action),
    /// Go to the screen of an action and run it there, as if its key were pressed.
    ActAt(KeyPlace, Action),
    /// Pick seats by a line, as after `best`.
    SellLine(String),
    Open(Box<dyn Dialog>),
    /// Handle the line of the open prompt.
    Typed(Typed),
    /// Send a wish for the cart.
    Want(CartWish),
    /// Undo an act, while it is the newest one.
    Undo(UndoNumber),
    Send(DeskAct),
    /// Sign in, or approve, by the PIN of the open dialog.
    Pin(String),
    /// Leave an act refused.
    Unapproved(Box<Refused>),
    /// End the program; a cart keeps its hold.
    Quit,
    /// Drop a payment, and the wishes behind it; the sentence says why.
    Unpaid(&'static str),
    /// Cancel the cart, then end the program.
    GiveBackAndQuit,
    /// Choose a printer for a receipt's tickets.
    PrintAgain(ReceiptId),
}

impl Go {
    /// Show an order.
    pub(crate) const fn order(order: OrderId) -> Self {
        match order {
            OrderId::Receipt(receipt) => Self::Receipt(receipt),
            OrderId::Reservation(cart) => Self::Reservation(cart),
        }
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
