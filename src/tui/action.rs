//! Everything a key can mean, by name.
//!
//! What an action is called in help, on the key bar and in the palette, and which keys mean it, stands in
//! `assets/keymap.toml`; here are only the names.

use std::str::FromStr;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)+) => {
        /// What a key, a click or the palette can mean.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[$doc])* $name,)+ }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name in keymaps and in the palette.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }
        }
    };
}

actions! {
    /// The screen Tonight.
    ShowTonight = "tonight",
    /// The screen Seats.
    ShowSeats = "seats",
    /// The screen Calendar.
    ShowCalendar = "calendar",
    /// The screen Orders.
    ShowOrders = "orders",
    /// The screen Jobs.
    ShowJobs = "jobs",
    /// The cursor to the left.
    Left = "left",
    /// The cursor to the right.
    Right = "right",
    /// The cursor up.
    Up = "up",
    /// The cursor down.
    Down = "down",
    /// The cursor to the left, marking.
    ExtendLeft = "extend-left",
    /// The cursor to the right, marking.
    ExtendRight = "extend-right",
    /// The cursor up, marking.
    ExtendUp = "extend-up",
    /// The cursor down, marking.
    ExtendDown = "extend-down",
    /// The first of the row or list.
    First = "first",
    /// The last of the row or list.
    Last = "last",
    /// A page up, on the map the block before.
    PageUp = "page-up",
    /// A page down, on the map the block after.
    PageDown = "page-down",
    /// The next panel or field.
    NextStop = "next-stop",
    /// The panel or field before.
    PreviousStop = "previous-stop",
    /// The main thing with what is under the cursor.
    Main = "main",
    /// Closes the topmost thing that is open.
    Close = "close",
    /// Find anything.
    Find = "find",
    /// Go to, inside this screen.
    GoTo = "go-to",
    /// Commands by name.
    Palette = "commands",
    /// The keys of this place.
    Help = "help",
    /// What was said and refused.
    Messages = "messages",
    /// Carts that are open.
    OpenCarts = "open-carts",
    /// Undo.
    Undo = "undo",
    /// What is under the cursor, with its history.
    Inspect = "inspect",
    /// Copy what is under the cursor.
    Copy = "copy",
    /// The mouse on or off.
    Mouse = "mouse",
    /// End.
    Quit = "quit",
    /// The tour and crowd bar.
    Demo = "demo",
    /// Draw everything anew.
    Redraw = "redraw",
    /// The machine's clock is right.
    ConfirmClock = "confirm-clock",
    /// Stop a wait.
    Interrupt = "interrupt",
    /// Stop the program as Ctrl-Z does.
    Suspend = "suspend",
    /// Pick or give back.
    Pick = "pick",
    /// Mark.
    Mark = "mark",
    /// The best seats.
    Best = "best",
    /// Accept what is offered.
    Accept = "accept",
    /// Show one category.
    Category = "category",
    /// Free seats as numbers or as squares.
    Numbers = "numbers",
    /// Who waits for seats.
    WaitingList = "waiting-list",
    /// The next wheelchair place.
    Wheelchair = "wheelchair",
    /// The next ticket type.
    TicketType = "ticket-type",
    /// Give back this one.
    GiveBack = "give-back",
    /// Pay.
    Pay = "pay",
    /// Extend the hold.
    Extend = "extend",
    /// Reserve, to be paid later.
    Reserve = "reserve",
    /// A later time.
    PutOff = "put-off",
    /// Run this job now.
    RunNow = "run-now",
    /// Park this job, or put it back in its turn.
    Park = "park",
    /// The next customer.
    NextCustomer = "next-customer",
    /// Cancel the cart.
    CancelCart = "cancel-cart",
    /// Out of use, or back.
    OutOfUse = "out-of-use",
    /// Larger.
    ZoomIn = "zoom-in",
    /// Smaller.
    ZoomOut = "zoom-out",
    /// Earlier.
    Earlier = "earlier",
    /// Later.
    Later = "later",
    /// The way the list is sorted.
    Sort = "sort",
    /// What the list shows.
    Filter = "filter",
    /// This need is dealt with.
    Seen = "seen",
    /// Tickets stay at the desk, or are handed over.
    Collect = "collect",
    /// Tickets again.
    TicketsAgain = "tickets-again",
    /// Pay in cash.
    Cash = "cash",
    /// Pay by card.
    Card = "card",
    /// Pause or go on.
    Pause = "pause",
    /// One step.
    Step = "step",
    /// Faster.
    Faster = "faster",
    /// Slower.
    Slower = "slower",
    /// Leave the tour.
    Leave = "leave",
    /// Book time.
    Book = "book",
    /// Move this.
    Move = "move",
    /// All dates of a repeat.
    Series = "series",
    /// What was displaced.
    Displaced = "displaced",
    /// Cancel this booking.
    CancelBooking = "cancel-booking",
    /// This moment.
    Today = "today",
}

/// There is no such action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no action {0:?}")]
pub struct NoSuchAction(pub String);

impl FromStr for Action {
    type Err = NoSuchAction;

    fn from_str(word: &str) -> Result<Self, NoSuchAction> {
        Self::ALL
            .iter()
            .find(|action| action.word() == word)
            .copied()
            .ok_or_else(|| NoSuchAction(word.to_owned()))
    }
}

impl TryFrom<String> for Action {
    type Error = NoSuchAction;

    fn try_from(word: String) -> Result<Self, NoSuchAction> {
        word.parse()
    }
}
