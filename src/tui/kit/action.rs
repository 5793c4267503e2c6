//! Names of all actions that a key can have.
//!
//! Labels and keys of the actions, for help, key bar and palette, are in `assets/keymap.toml`.

use std::str::FromStr;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)+) => {
        /// Action of a key, a click or the palette.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[$doc])* $name,)+ }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Name in keymaps and in the palette.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }
        }
    };
}

actions! {
    /// Show the screen Tonight.
    ShowTonight = "tonight",
    /// Show the screen Seats.
    ShowSeats = "seats",
    /// Show the screen Calendar.
    ShowCalendar = "calendar",
    /// Show the screen Orders.
    ShowOrders = "orders",
    /// Show the screen Jobs.
    ShowJobs = "jobs",
    /// Move the cursor left.
    Left = "left",
    /// Move the cursor right.
    Right = "right",
    /// Move the cursor up.
    Up = "up",
    /// Move the cursor down.
    Down = "down",
    /// Extend the mark to the left.
    ExtendLeft = "extend-left",
    /// Extend the mark to the right.
    ExtendRight = "extend-right",
    /// Extend the mark upwards.
    ExtendUp = "extend-up",
    /// Extend the mark downwards.
    ExtendDown = "extend-down",
    /// Go to the first of the row or list.
    First = "first",
    /// Go to the last of the row or list.
    Last = "last",
    /// Go a page up; on the map to the previous block.
    PageUp = "page-up",
    /// Go a page down; on the map to the next block.
    PageDown = "page-down",
    /// Focus the next panel or field.
    NextStop = "next-stop",
    /// Focus the previous panel or field.
    PreviousStop = "previous-stop",
    /// Default action on the item under the cursor.
    Main = "main",
    /// Close the topmost dialog or mark.
    Close = "close",
    /// Open the search.
    Find = "find",
    /// Go to a place on this screen.
    GoTo = "go-to",
    /// Open the command palette.
    Palette = "commands",
    /// Show the keys in force.
    Help = "help",
    /// Show past messages.
    Messages = "messages",
    /// List the open carts.
    OpenCarts = "open-carts",
    /// Undo the last act.
    Undo = "undo",
    /// Show the item under the cursor with its history.
    Inspect = "inspect",
    /// Copy the item under the cursor.
    Copy = "copy",
    /// Switch the mouse on or off.
    Mouse = "mouse",
    /// End the program.
    Quit = "quit",
    /// Open the tour and crowd bar.
    Demo = "demo",
    /// Redraw the screen.
    Redraw = "redraw",
    /// Confirm the machine's clock.
    ConfirmClock = "confirm-clock",
    /// Lock the desk, for another operator to sign in.
    Lock = "lock",
    /// Interrupt a wait.
    Interrupt = "interrupt",
    /// Suspend the program, as Ctrl-Z does.
    Suspend = "suspend",
    /// Add or remove seats.
    Pick = "pick",
    /// Start or drop a mark.
    Mark = "mark",
    /// Find the best seats.
    Best = "best",
    /// Accept the offered alternative.
    Accept = "accept",
    /// Show one category only.
    Category = "category",
    /// Draw free seats as numbers or as squares.
    Numbers = "numbers",
    /// Show the waiting list.
    WaitingList = "waiting-list",
    /// Go to the next wheelchair place.
    Wheelchair = "wheelchair",
    /// Change to the next ticket type.
    TicketType = "ticket-type",
    /// Remove the item under the cursor from the cart.
    GiveBack = "give-back",
    /// Open the payment.
    Pay = "pay",
    /// Extend the hold.
    Extend = "extend",
    /// Reserve the cart, to be paid later.
    Reserve = "reserve",
    /// Postpone the item under the cursor.
    PutOff = "put-off",
    /// Run the job now.
    RunNow = "run-now",
    /// Park or unpark the job.
    Park = "park",
    /// Set the cart aside for the next customer.
    NextCustomer = "next-customer",
    /// Cancel the cart.
    CancelCart = "cancel-cart",
    /// Take out of use, or put back.
    OutOfUse = "out-of-use",
    /// Zoom in.
    ZoomIn = "zoom-in",
    /// Zoom out.
    ZoomOut = "zoom-out",
    /// Go to an earlier time.
    Earlier = "earlier",
    /// Go to a later time.
    Later = "later",
    /// Change the sort order.
    Sort = "sort",
    /// Change the filter.
    Filter = "filter",
    /// Mark the need as seen.
    Seen = "seen",
    /// Keep the tickets at the desk, or hand them over.
    Collect = "collect",
    /// Print tickets again.
    TicketsAgain = "tickets-again",
    /// Give back seats, time or money of an order.
    Refund = "refund",
    /// Give money back as it was paid.
    AsPaid = "as-paid",
    /// Pay in cash.
    Cash = "cash",
    /// Pay by card.
    Card = "card",
    /// Pay with a credit, or owe money.
    Owed = "owed",
    /// Pause or resume.
    Pause = "pause",
    /// Run one step.
    Step = "step",
    /// Go back to the step before.
    StepBack = "step-back",
    /// Speed up.
    Faster = "faster",
    /// Slow down.
    Slower = "slower",
    /// Leave the tour.
    Leave = "leave",
    /// Book time.
    Book = "book",
    /// Move the booking.
    Move = "move",
    /// Postpone the performance.
    Postpone = "postpone",
    /// Open this station's till.
    Till = "till",
    /// Cancel the performance.
    CancelNight = "cancel-night",
    /// Add a performance.
    NewNight = "new-night",
    /// Add performances like the one under the cursor.
    CopyNight = "copy-night",
    /// Add a theater.
    NewTheater = "new-theater",
    /// Add a resource.
    NewResource = "new-resource",
    /// Change what was entered of the item under the cursor.
    Change = "change",
    /// Show all dates of the series.
    Series = "series",
    /// Show displaced bookings.
    Displaced = "displaced",
    /// Cancel the booking.
    CancelBooking = "cancel-booking",
    /// List who comes: for tickets, or to stay.
    Who = "who",
    /// Scan tickets at the door.
    Scan = "scan",
    /// Check the guest in or out.
    CheckGuest = "check-guest",
    /// Keep seats for the house, or put kept ones on sale.
    HouseSeats = "house-seats",
    /// Set, add and take away price lists, and choose the comps.
    PriceLists = "price-lists",
    /// Close days, or open them again.
    ClosedDays = "closed-days",
    /// Follow a calendar of others.
    Follow = "follow",
    /// Write the list that is shown as CSV.
    WriteList = "write-list",
    /// Go to the current time.
    Today = "today",
}

/// Unknown name of an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no action {0:?}")]
pub struct NoSuchAction(pub String);

impl FromStr for Action {
    type Err = NoSuchAction;

    fn from_str(word: &str) -> Result<Self, NoSuchAction> {
        Self::ALL.iter().find(|action| action.word() == word).copied().ok_or_else(|| NoSuchAction(word.to_owned()))
    }
}
