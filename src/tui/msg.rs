//! What reaches the screen and what the screen wants done, as plain data.
//!
//! Everything that happens is a [`Msg`]; everything that the screen causes is an [`Effect`]. Neither names the
//! engine's handle: only the runtime turns effects into calls and answers into messages.

use ratatui::layout::Size;

use crate::domain::cart::Customer;
use crate::domain::house::{Disable, WorkItem};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId, WorkId};
use crate::domain::plan::SeatRef;
use crate::domain::presence::Present;
use crate::domain::receipt::Tender;
use crate::domain::time::Instant;
use crate::engine::ops::ControlJob;
use crate::engine::ops::{SlotWanted, StillOut};
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
use crate::tui::time::{TimeAnswer, TimeCommand, TimeQuery};

mod demo;

pub use demo::{DemoCommand, DemoState};

mod changed;
mod clock;
mod waiting;
mod wanted;

pub use crate::engine::ops::TicketsTo;
pub use changed::{Changed, Subject};

mod trouble;

pub use clock::ClockJump;
pub use trouble::Trouble;
pub(super) use trouble::only;
pub use waiting::WaitingCommand;
pub use wanted::{BestWish, WantedSeats};

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
    /// Have the house do something; the answer comes back with the ticket.
    Run(Ticket, Command),
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

/// Something the house is to do, in the screen's words.
#[derive(Clone, Debug)]
pub enum Command {
    /// Say that this station is on, and what is on its screen.
    BePresent(String),
    /// Take seats; without a cart a new one is opened.
    Hold {
        /// The cart.
        cart: Option<CartId>,
        /// The performance.
        performance: PerformanceId,
        /// Which seats.
        seats: WantedSeats,
        /// As which ticket type; an adult when absent.
        ticket_type: Option<String>,
    },
    /// Take time of a resource; without a cart a new one is opened.
    HoldTime {
        /// The cart.
        cart: Option<CartId>,
        /// The wanted slots, all or none.
        wants: Vec<SlotWanted>,
    },
    /// Give back a line's seats; all of them when none are named.
    GiveBack {
        /// The cart.
        cart: CartId,
        /// The line's number.
        line: u32,
        /// The seats.
        seats: Option<Vec<SeatRef>>,
    },
    /// Change the ticket type of a line's seats.
    Retype {
        /// The cart.
        cart: CartId,
        /// The line's number.
        line: u32,
        /// The seats.
        seats: Option<Vec<SeatRef>>,
        /// The new ticket type.
        ticket_type: String,
    },
    /// Move a cart's deadline.
    Extend(CartId),
    /// Put a cart under a customer's name, to be paid later; again moves its pay-by.
    Reserve {
        /// The cart.
        cart: CartId,
        /// For whom.
        customer: Customer,
        /// By when; the house's time when absent.
        pay_by: Option<Instant>,
    },
    /// Give up a cart.
    Cancel(CartId),
    /// Bring a cart that ended back, as a new one.
    Revive(CartId),
    /// Set a cart aside for the next customer.
    SetAside(CartId),
    /// Take over a cart that was set aside.
    TakeOver(CartId),
    /// Take over a cart that somebody is working on.
    TakeOverAnyway(CartId),
    /// The customer pays by card now: the seats wait for it.
    BeginPayment(CartId),
    /// Say for whom a cart is.
    Name(CartId, Customer),
    /// Take the money and issue the receipt.
    Checkout {
        /// The cart.
        cart: CartId,
        /// What was paid.
        tenders: Vec<Tender>,
        /// The total on the screen, in minor units.
        seen: i64,
        /// For whom, when that was asked.
        customer: Option<Customer>,
        /// Where the tickets are from then on.
        tickets: TicketsTo,
    },
    /// Take seats of a performance out of use.
    Disable {
        /// The performance.
        performance: PerformanceId,
        /// The seats' names.
        seats: Vec<String>,
        /// Why.
        reason: String,
    },
    /// Put seats of a performance back into use.
    Enable {
        /// The performance.
        performance: PerformanceId,
        /// The seats' names.
        seats: Vec<String>,
        /// Whose acts may be undone.
        whose: EnableWhose,
    },
    /// Count a print of a receipt.
    Reprint(ReceiptId),
    /// Something on the worklist is dealt with.
    Resolve(WorkId, String),
    /// Something on the worklist was not dealt with after all.
    Reopen(WorkId),
    /// The machine's clock is right although it has jumped.
    ConfirmClock,
    /// A receipt's tickets stay at the desk, or are handed over.
    HandOver(ReceiptId, TicketsTo),
    /// Something about a job.
    Job(Box<ControlJob>),
    /// Something about a waiting list.
    Waiting(Box<WaitingCommand>),
    /// Something about time.
    Time(Box<TimeCommand>),
}

/// Whose disabled seats may be put back into use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnableWhose {
    /// Only this operator's.
    Mine,
    /// Anybody's: that is written down.
    Anybody,
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
    /// Seats are out of use.
    Disabled(DisabledAnswer),
    /// Something on the worklist is dealt with.
    Resolved,
    /// The desk follows the machine's clock again.
    ClockConfirmed,
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
    /// Seats that another act keeps out of use.
    StillOut(StillOut),
    /// Done; there is nothing more to say.
    Done,
}

/// What a disable did.
#[derive(Clone, Debug)]
pub struct DisabledAnswer {
    /// The disables that were made.
    pub disables: Vec<Disable>,
    /// Whom they displaced.
    pub displaced: Vec<WorkItem>,
    /// The open carts that lost seats.
    pub carts: Vec<CartId>,
    /// Names that the plan does not have.
    pub unknown: Vec<String>,
}
