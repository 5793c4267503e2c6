//! Messages to the screen and effects from it, as plain data.
//!
//! Every input is a [`Msg`]; every output is an [`Effect`]. Neither names the engine's handle: only the runtime
//! turns effects into calls and answers into messages.
//!
//! Import cycle with `input`: a message carries a key, and input makes messages.

use ratatui::layout::Size;

use crate::domain::house::WorkItem;
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::engine::ops::{AnyAnswer, AnyOperation};
use crate::engine::reads::carts::{CartRow, CartView};
use crate::engine::reads::find::{Hit, ReadFind};
use crate::engine::reads::inspect::{ReadSeatStory, SeatStory};
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow, ReceiptView};
use crate::engine::reads::seat_map::SeatMap;
use crate::engine::reads::tonight::{
    PerformanceRow, ReadPerformances, ReadTonight, Tally, Tonight,
};
use crate::engine::reads::waitlist::WaitView;
use crate::tui::input::{Key, Pointer};
use crate::tui::printing::Printer;
use crate::tui::remote::Ticket;
use crate::tui::theme::Ground;
use crate::tui::time::{TimeAnswer, TimeQuery};

mod demo;

pub(crate) use demo::{DemoCommand, DemoState};

mod changed;
pub(super) mod clock;

pub(crate) use changed::{Changed, Subject};

pub(super) mod trouble;

pub(crate) use clock::ClockJump;
pub(crate) use trouble::Trouble;
pub(super) use trouble::only;

/// Answer of the engine to a request, or its failure.
pub(crate) type Answered = Result<Answer, Trouble>;

/// Input of the screen.
#[derive(Debug)]
pub(crate) enum Msg {
    /// Key pressed.
    Key(Key),
    /// Text pasted as one event, cleaned.
    Paste(String),
    /// Key played by the tour; unlike a pressed key it does not reach the tour bar.
    Played(Key),
    /// Mouse event.
    Pointer(Pointer),
    /// Terminal resized.
    Resize(Size),
    /// Background of the terminal, as reported by it.
    Ground(Ground),
    /// Current time of the engine.
    Tick(Instant),
    /// The machine's clock jumped, or agrees with the desk's time again.
    ClockJumped(ClockJump),
    /// Start of a database outage; none when the database is back.
    Away(Option<Instant>),
    /// Answer of the engine.
    Answer(Ticket, Answered),
    /// Change in the house.
    Changed(Changed),
    /// State of the demo's crowd or tour.
    Demo(DemoState),
    /// Request of terminal or system to end the program.
    Stop,
}

/// Output of the screen.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Run a query; the answer has the ticket.
    Read(Ticket, Query),
    /// Run an operation; the answer has the ticket.
    Run(Ticket, AnyOperation),
    /// Print a text; the answer has the ticket.
    Print(Ticket, Printer, String),
    /// Copy a text to the terminal's clipboard.
    Copy(String),
    /// Give the mouse to the program or the terminal.
    Mouse(Mouse),
    /// Redraw everything.
    Redraw,
    /// Suspend, as Ctrl-Z does.
    Suspend,
    /// Send a command to the demo.
    Demo(DemoCommand),
    /// End the program.
    Quit,
}

/// Owner of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mouse {
    /// Program.
    On,
    /// Terminal, which then selects text.
    Off,
}

/// Query to the engine.
#[derive(Clone, Debug)]
pub(crate) enum Query {
    /// Seats of a performance.
    SeatMap(PerformanceId),
    /// Cart by id.
    Cart(CartId),
    /// Open carts.
    OpenCarts,
    /// Unpaid reservations, starting after a cart.
    Reservations(Option<CartId>),
    /// Front page.
    Tonight(ReadTonight),
    /// Performances by start.
    Performances(ReadPerformances),
    /// Receipts, newest first.
    Receipts(ReadReceipts),
    /// Receipt by id.
    Receipt(ReceiptId),
    /// History of a seat.
    Story(ReadSeatStory),
    /// Full-text search.
    Find(ReadFind),
    /// Sales of a performance, by zone.
    Tally(PerformanceId),
    /// Stations on line.
    Presence,
    /// Parked and scheduled jobs, of one kind or all.
    Jobs(Option<String>),
    /// Runs of jobs, newest first.
    Runs(ReadRuns),
    /// Waiting list of a performance.
    Waiting(PerformanceId),
    /// Query about time.
    Time(TimeQuery),
}

/// Answer of the engine.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Seats of a performance.
    SeatMap(Box<SeatMap>),
    /// Current cart; the answer to every command about a cart.
    Cart(Box<CartView>),
    /// Open carts.
    OpenCarts(Vec<CartRow>),
    /// Front page.
    Tonight(Box<Tonight>),
    /// Performances.
    Performances(Vec<PerformanceRow>),
    /// Receipts.
    Receipts(Vec<ReceiptRow>),
    /// Receipt.
    Receipt(Box<ReceiptView>),
    /// History of a seat.
    Story(SeatStory),
    /// Search results.
    Hits(Vec<Hit>),
    /// Sales of a performance, by zone.
    Tally(Vec<(String, Tally)>),
    /// Receipt of a completed sale.
    Sold(Box<ReceiptView>),
    /// Receipt of a completed sale whose card was charged more than its total.
    Owed(Box<ReceiptView>, WorkItem),
    /// Money taken without a sale.
    Unissued,
    /// Stations on line.
    Present(Vec<Present>),
    /// Jobs.
    Jobs(Vec<JobView>),
    /// Runs of jobs.
    Runs(Vec<RunView>),
    /// Waiting list.
    Waiting(Vec<WaitView>),
    /// Answer about time.
    Time(Box<TimeAnswer>),
    /// Answer of any other operation, unchanged.
    Ran(AnyAnswer),
    /// Done, without data.
    Done,
}
