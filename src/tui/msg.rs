//! What reaches the screen and what the screen wants done, as plain data.
//!
//! Everything that happens is a [`Msg`]; everything that the screen causes is an [`Effect`]. Neither names the
//! engine's handle: only the runtime turns effects into calls and answers into messages.

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

pub use demo::{DemoCommand, DemoState};

mod changed;
mod clock;

pub use changed::{Changed, Subject};

mod trouble;

pub use clock::ClockJump;
pub use trouble::Trouble;
pub(super) use trouble::only;

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// A key.
    Key(Key),
    /// Text pasted as one event, cleaned.
    Paste(String),
    /// A key that the tour plays: it goes past the tour bar, like one that was pressed without it.
    Played(Key),
    /// The mouse.
    Pointer(Pointer),
    /// The terminal has this size now.
    Resize(Size),
    /// The terminal's ground, as it says itself.
    Ground(Ground),
    /// The engine's time.
    Tick(Instant),
    /// The machine's clock has jumped and is not followed, or agrees with the desk's time again.
    ClockJumped(ClockJump),
    /// The database is away since then, or there again.
    Away(Option<Instant>),
    /// The engine answered.
    Answer(Ticket, Result<Answer, Trouble>),
    /// Something in the house changed.
    Changed(Changed),
    /// The demo's crowd or tour moved on.
    Demo(DemoState),
    /// The terminal or the system asks the program to end.
    Stop,
}

/// Something to be done outside the screen.
#[derive(Debug)]
pub enum Effect {
    /// Ask the house; the answer comes back with the ticket.
    Read(Ticket, Query),
    /// Run an operation; the answer comes back with the ticket.
    Run(Ticket, AnyOperation),
    /// Print a text; the answer comes back with the ticket.
    Print(Ticket, Printer, String),
    /// Put a text on the terminal's clipboard.
    Copy(String),
    /// Let the program have the mouse, or the terminal.
    Mouse(Mouse),
    /// Draw everything anew.
    Redraw,
    /// Stop as Ctrl-Z does.
    Suspend,
    /// Tell the demo.
    Demo(DemoCommand),
    /// End.
    Quit,
}

/// Who has the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    /// The program.
    On,
    /// The terminal, which selects text again.
    Off,
}

/// A question to the house.
#[derive(Clone, Debug)]
pub enum Query {
    /// The seats of a performance.
    SeatMap(PerformanceId),
    /// One cart.
    Cart(CartId),
    /// Carts that are open.
    OpenCarts,
    /// Carts that are reserved and not paid, those after one.
    Reservations(Option<CartId>),
    /// The front page.
    Tonight(ReadTonight),
    /// Performances by start.
    Performances(ReadPerformances),
    /// Receipts, newest first.
    Receipts(ReadReceipts),
    /// One receipt.
    Receipt(ReceiptId),
    /// A seat's story.
    Story(ReadSeatStory),
    /// Anything, by what people remember of it.
    Find(ReadFind),
    /// How a performance sells, by zone.
    Tally(PerformanceId),
    /// Which stations are on.
    Presence,
    /// Jobs that are parked and that come due, of one kind or of all.
    Jobs(Option<String>),
    /// What was run, newest first.
    Runs(ReadRuns),
    /// Who waits for seats of a performance.
    Waiting(PerformanceId),
    /// About time.
    Time(TimeQuery),
}

/// What the house answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The seats of a performance.
    SeatMap(Box<SeatMap>),
    /// A cart as it is now; every command about a cart answers it.
    Cart(Box<CartView>),
    /// Open carts.
    OpenCarts(Vec<CartRow>),
    /// The front page.
    Tonight(Box<Tonight>),
    /// Performances.
    Performances(Vec<PerformanceRow>),
    /// Receipts.
    Receipts(Vec<ReceiptRow>),
    /// A receipt.
    Receipt(Box<ReceiptView>),
    /// A seat's story.
    Story(SeatStory),
    /// What was found.
    Hits(Vec<Hit>),
    /// How a performance sells, by zone.
    Tally(Vec<(String, Tally)>),
    /// The sale is done: its receipt.
    Sold(Box<ReceiptView>),
    /// The sale is done, and a card was charged with more than its total.
    Owed(Box<ReceiptView>, WorkItem),
    /// Money was taken, and nothing could be sold for it.
    Unissued(WorkItem),
    /// The stations that are on.
    Present(Vec<Present>),
    /// Jobs.
    Jobs(Vec<JobView>),
    /// Runs of jobs.
    Runs(Vec<RunView>),
    /// Who waits.
    Waiting(Vec<WaitView>),
    /// About time.
    Time(Box<TimeAnswer>),
    /// Any other operation's answer, as the engine gave it.
    Ran(AnyAnswer),
    /// Done; there is nothing more to say.
    Done,
}
