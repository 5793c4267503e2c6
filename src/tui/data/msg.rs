//! Messages to the screen and effects from it, as plain data.
//!
//! Every input is a [`Msg`]; every output is an [`Effect`]. Neither names the engine's handle: only the runtime
//! turns effects into calls and answers into messages.

use chrono::NaiveDate;
use ratatui::layout::Size;

use crate::domain::calendar::CalendarView;
use crate::domain::house::Settings;
use crate::domain::house::WorklistItem;
use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::operator::Operator;
use crate::domain::performance::Performance;
use crate::domain::presence::Present;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{
    AddPerformances, AnyAnswer, AnyOperation, ChangePerformances, CopyPerformance, Nights, PerformancePatch, Revised,
};
use crate::engine::reads::bookings::{BookingView, ReadBooking, ReadSeries, SeriesView};
use crate::engine::reads::calendar::{Check, ReadCalendar};
use crate::engine::reads::carts::{CartRow, CartView, ReadCart, ReadOpenCarts, ReadReservations};
use crate::engine::reads::catalog::{
    PerformanceView, ReadPerformance, ReadRun, ReadSettings, ReadTheaters, SeasonNight, TheaterView,
};
use crate::engine::reads::credits::{CreditView, ReadCredit};
use crate::engine::reads::customers::{PerformanceCustomer, ReadDoor, ReadPerformanceCustomers};
use crate::engine::reads::find::{Hit, ReadFind};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::inspect::{ReadSeatStory, SeatStory};
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::reads::jobs::{JobView, ReadJobs};
use crate::engine::reads::offers::{FreeEqual, ReadOffers};
use crate::engine::reads::presence::ReadPresence;
use crate::engine::reads::receipts::{ReadCorrection, ReadReceipt, ReadReceipts, ReceiptRow, ReceiptView};
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use crate::engine::reads::stays::{ReadStays, Stay};
use crate::engine::reads::tills::{ReadOpenTill, TillNow};
use crate::engine::reads::tonight::{
    Pace, PerformanceRow, ReadPace, ReadPerformances, ReadTally, ReadTonight, Tally, Tonight,
};
use crate::engine::reads::waitlist::{ReadWaitlist, WaitView};
use crate::engine::reads::worklist::WorkView;
use crate::engine::reads::{Question, Rehearse, Snapshot};
use crate::engine::{Failure, Fault};
use crate::tui::data::questions::{
    PlanRead, ReadAllResources, ReadAside, ReadChecks, ReadDisplacedTime, ReadElsewhere, ReadPlanFile, ResourceList,
};
use crate::tui::data::ticket::Ticket;
use crate::tui::kit::input::{Key, Pointer};
use crate::tui::kit::theme::Background;
use crate::words::printing::Printer;

pub(crate) use crate::words::ClockJump;

/// Input of the screen.
#[derive(Debug)]
pub(crate) enum Msg {
    Key(Key),
    /// Text pasted as one event, cleaned.
    Paste(String),
    /// Key played by the tour; unlike a pressed key it does not reach the tour bar.
    Played(Key),
    /// Letter of a text that the tour types.
    Typed(Key),
    Pointer(Pointer),
    Resize(Size),
    /// Background of the terminal, as reported by it.
    Background(Background),
    /// Current time of the engine.
    Tick(Instant),
    /// The machine's clock jumped, or agrees with the desk's time again.
    ClockJumped(ClockJump),
    /// Start of a database outage; none when the database is back.
    Away(Option<Instant>),
    /// Answer of the engine.
    Answer(Ticket, Answer),
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
    /// Sign in by a PIN; the answer has the ticket.
    SignIn(Ticket, String),
    /// End what was signed in.
    SignOut,
    /// Run an operation that the operator with a PIN approves; the answer has the ticket.
    Approve(Ticket, Box<AnyOperation>, String),
    /// Print a text; the answer has the ticket.
    Print(Ticket, Printer, String),
    /// Send a tick after some time, as well as each second.
    TickIn(Span),
    /// Copy a text to the terminal's clipboard.
    Copy(String),
    /// Give the mouse to the program or the terminal.
    Mouse(Mouse),
    Redraw,
    /// Suspend, as Ctrl-Z does.
    Suspend,
    /// Send a command to the demo.
    Demo(DemoCommand),
    Quit,
}

/// Change in the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Unknown extent: everything may have changed.
    Everything,
    These(Vec<Subject>),
}

/// Subject of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Seats(PerformanceId),
    Performance(PerformanceId),
    Cart(CartId),
    Receipt(ReceiptId),
    Day(ResourceId, NaiveDate),
    Resource(ResourceId),
    Booking(BookingId),
    Customer,
    Worklist,
    Settings,
    Other,
}

impl Changed {
    /// True if a subject matching the predicate may have changed.
    pub(crate) fn touches(&self, matters: impl Fn(Subject) -> bool) -> bool {
        match self {
            Self::Everything => true,
            Self::These(subjects) => subjects.iter().any(|subject| matters(subject.clone())),
        }
    }

    /// True if the calendar of a resource may have changed.
    pub(crate) fn touches_days(&self) -> bool {
        self.touches(|subject| matches!(subject, Subject::Day(..)))
    }
}

/// State of the demo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DemoState {
    /// Speed of the crowd: `x4`; empty without a crowd.
    pub crowd: String,
    /// True if the crowd or tour is paused.
    pub paused: bool,
    /// Caption of the tour's current step.
    pub caption: Option<String>,
    /// Number of the tour's current step, and of all; none without a tour.
    pub step: Option<(u32, u32)>,
    /// Title of the chapter that is played; none of the whole tour.
    pub chapter: Option<&'static str>,
    /// Titles of the chapters, the whole tour first.
    pub chapters: Vec<&'static str>,
    /// PINs of its operators, in a line.
    pub pins: String,
    /// True if any key leaves the tour, as on a stand.
    pub gives_way: bool,
}

/// Command to the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DemoCommand {
    Pause,
    /// Run one step of the tour.
    Step,
    /// Go back to the step before.
    Back,
    /// Play a chapter, by its place in the list.
    Chapter(usize),
    /// A key or a click, whatever it is for.
    Touched,
    Faster,
    Slower,
    /// Leave the tour and hand the house to the operator.
    Leave,
}

/// Owner of the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mouse {
    /// Program.
    #[default]
    On,
    /// Terminal, which then selects text.
    Off,
}

/// Answer of an operation that was run, or of printing.
#[derive(Clone, Debug)]
pub(crate) enum Finished {
    /// Cart as it is now.
    Cart(Box<CartView>),
    /// Receipt as it is now.
    Receipt(Box<ReceiptView>),
    /// Receipt of a completed sale.
    Sold(Box<ReceiptView>),
    /// Receipt of a completed sale whose card was charged more than its total.
    Owed(Box<ReceiptView>, WorklistItem),
    /// Money taken without a sale.
    Unissued,
    JobRan(Box<RunView>),
    /// Answer of any other operation, unchanged.
    Ran(AnyAnswer),
    Printed,
}

/// Question of a screen or dialog, with the type of its answer.
pub(crate) trait Readable: Clone + PartialEq + Into<Query> {
    /// Answer of the engine.
    type Value: 'static;

    /// True if a query is this question.
    fn is(&self, query: &Query) -> bool;

    /// Answer to a question of this type; none for any other answer.
    fn value(answer: &Answer) -> Option<&Result<Self::Value, Failure>>;
}

macro_rules! queries {
    ($($name:ident($question:ty): $value:ty,)+) => {
        /// Query to the engine.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Query {
            $(
                #[doc = stringify!($question)]
                $name($question),
            )+
        }

        /// Answer of the engine: to a query, by its name, or to an operation.
        #[derive(Clone, Debug)]
        pub(crate) enum Answer {
            $(
                #[doc = stringify!($question)]
                $name(Result<$value, Failure>),
            )+
            /// Operation or printing.
            Ran(Result<Finished, Failure>),
            /// Operation that the operator may not do, and another may approve.
            Unallowed(Box<AnyOperation>, Failure),
            /// Operator who has signed in.
            SignedIn(Result<Operator, Failure>),
        }

        $(
            impl From<$question> for Query {
                fn from(question: $question) -> Self {
                    Self::$name(question)
                }
            }

            impl Readable for $question {
                type Value = $value;

                fn is(&self, query: &Query) -> bool {
                    matches!(query, Query::$name(question) if question == self)
                }

                fn value(answer: &Answer) -> Option<&Result<$value, Failure>> {
                    if let Answer::$name(value) = answer { Some(value) } else { None }
                }
            }
        )+

        impl Question for Query {
            type Answer = Answer;

            fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Answer, Failure> {
                Ok(match self {
                    $(Self::$name(question) => Answer::$name(Ok(question.ask(snapshot)?.into())),)+
                })
            }
        }

        impl Query {
            /// Answer of a query that failed.
            pub(crate) fn failed(&self, failure: Failure) -> Answer {
                match self {
                    $(Self::$name(_) => Answer::$name(Err(failure)),)+
                }
            }
        }

        impl Answer {
            /// Reason of a question or an operation that has failed.
            pub(crate) fn failure(&self) -> Option<&Failure> {
                match self {
                    $(Self::$name(value) => value.as_ref().err(),)+
                    Self::Ran(done) => done.as_ref().err(),
                    Self::Unallowed(_, failure) => Some(failure),
                    Self::SignedIn(done) => done.as_ref().err(),
                }
            }
        }
    };
}

queries! {
    SeatMap(ReadSeatMap): Box<SeatMap>,
    Cart(ReadCart): Box<CartView>,
    OpenCarts(ReadOpenCarts): Vec<CartRow>,
    Aside(ReadAside): Vec<CartRow>,
    Reservations(ReadReservations): Vec<CartRow>,
    Tonight(ReadTonight): Box<Tonight>,
    Performances(ReadPerformances): Vec<PerformanceRow>,
    Receipts(ReadReceipts): Vec<ReceiptRow>,
    Receipt(ReadReceipt): Box<ReceiptView>,
    Correction(ReadCorrection): Vec<ReceiptView>,
    Credit(ReadCredit): Box<CreditView>,
    Offers(ReadOffers): Vec<FreeEqual>,
    Story(ReadSeatStory): SeatStory,
    Hits(ReadFind): Vec<Hit>,
    Customers(ReadPerformanceCustomers): Vec<PerformanceCustomer>,
    Door(ReadDoor): Vec<PerformanceCustomer>,
    Stays(ReadStays): Vec<Stay>,
    Tally(ReadTally): Vec<(String, Tally)>,
    Pace(ReadPace): Vec<Pace>,
    Present(ReadPresence): Vec<Present>,
    Settings(ReadSettings): Box<Settings>,
    Jobs(ReadJobs): Vec<JobView>,
    Runs(ReadRuns): Vec<RunView>,
    Waiting(ReadWaitlist): Vec<WaitView>,
    Resources(ReadAllResources): ResourceList,
    Page(ReadCalendar): Vec<CalendarView>,
    Displaced(ReadDisplacedTime): Vec<WorkView>,
    Checks(ReadChecks): Vec<Check>,
    Free(ReadFree): Vec<FreeResource>,
    Elsewhere(ReadElsewhere): Vec<FreeResource>,
    Booking(ReadBooking): Box<BookingView>,
    Series(ReadSeries): Box<SeriesView>,
    Theaters(ReadTheaters): Vec<TheaterView>,
    Performance(ReadPerformance): Box<PerformanceView>,
    PlanFile(ReadPlanFile): Box<PlanRead>,
    Nights(Rehearse<AddPerformances>): Box<Nights>,
    Copies(Rehearse<CopyPerformance>): Box<Nights>,
    Changes(Rehearse<ChangePerformances>): Vec<Revised<Performance, PerformancePatch>>,
    Run(ReadRun): Vec<SeasonNight>,
    Till(ReadOpenTill): Box<TillNow>,
}

impl Answer {
    /// Answer of an operation.
    ///
    /// # Errors
    /// The operation failed, or the answer is that of a query; only a defect of the program causes the latter.
    pub(crate) fn ran(self) -> Result<Finished, Failure> {
        if let Self::Ran(finished) = self {
            return finished;
        }
        Err(wrong_answer())
    }
}

/// Fault for an answer that does not match its question; only a defect of the program causes it.
pub(crate) fn wrong_answer() -> Failure {
    let words = "The desk got an answer to another question. Please report this.";
    Fault::Broken(words.to_owned()).into()
}
