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
    AddPerformances, AnyAnswer, AnyOperation, ApplyPrices, ChangePerformances, CopyPerformance, Nights,
    PerformancePatch, PricesChanged, RenamePrices, Revised,
};
use crate::engine::reads::carts::CartView;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::receipts::ReceiptView;
use crate::engine::reads::{
    Question, Rehearse, Snapshot, bookings, calendar, carts, catalog, credits, customers, find, free_time, inspect,
    jobs, offers, presence, receipts, seat_map, stays, tills, tonight, waitlist, worklist,
};
use crate::engine::{Failure, Fault};
use crate::tui::data::compound::{
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

/// Questions with their values, and the subjects that touch them; what hangs on more is in `reads/holding.rs`.
macro_rules! queries {
    ($($name:ident($question:ty): $value:ty $(=> $by:pat)?,)+) => {
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
            /// True if its answer may be another after a change of a subject; where the table names none, of any.
            pub(super) fn is_of(&self, subject: &Subject) -> bool {
                match self {
                    $(Self::$name(_) => true $(&& matches!(subject, $by))?,)+
                }
            }

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
    SeatMap(seat_map::ReadSeatMap): Box<seat_map::SeatMap>,
    Cart(carts::ReadCart): Box<carts::CartView>,
    OpenCarts(carts::ReadOpenCarts): Vec<carts::CartRow> => Subject::Cart(_) | Subject::Customer,
    Aside(ReadAside): Vec<carts::CartRow>,
    Reservations(carts::ReadReservations): Vec<carts::CartRow> => Subject::Cart(_) | Subject::Customer,
    Tonight(tonight::ReadTonight): Box<tonight::Tonight>,
    Performances(tonight::ReadPerformances): Vec<tonight::PerformanceRow> => Subject::Performance(_),
    Receipts(receipts::ReadReceipts): Vec<receipts::ReceiptRow> => Subject::Receipt(_) | Subject::Customer,
    Receipt(receipts::ReadReceipt): Box<receipts::ReceiptView>,
    Correction(receipts::ReadCorrection): Vec<receipts::ReceiptView>,
    Credit(credits::ReadCredit): Box<credits::CreditView> => Subject::Other,
    Offers(offers::ReadOffers): Vec<offers::FreeEqual> => Subject::Worklist,
    Story(inspect::ReadSeatStory): inspect::SeatStory,
    Hits(find::ReadFind): Vec<find::Hit>,
    Customers(customers::ReadPerformanceCustomers): Vec<customers::PerformanceCustomer>,
    Door(customers::ReadDoor): Vec<customers::PerformanceCustomer>,
    Stays(stays::ReadStays): Vec<stays::Stay> => Subject::Day(..) | Subject::Booking(_) | Subject::Customer,
    Tally(tonight::ReadTally): Vec<(String, tonight::Tally)>,
    Pace(tonight::ReadPace): Vec<tonight::Pace> => Subject::Receipt(_),
    Present(presence::ReadPresence): Vec<Present> => Subject::Other,
    Settings(catalog::ReadSettings): Box<Settings> => Subject::Settings,
    Jobs(jobs::ReadJobs): Vec<jobs::JobView>,
    Runs(jobs::runs::ReadRuns): Vec<jobs::runs::RunView>,
    Waiting(waitlist::ReadWaitlist): Vec<waitlist::WaitView>,
    Resources(ReadAllResources): ResourceList,
    Page(calendar::ReadCalendar): Vec<CalendarView>,
    Displaced(ReadDisplacedTime): Vec<worklist::WorkView> => Subject::Worklist,
    Checks(ReadChecks): Vec<calendar::Check> => Subject::Day(..),
    Free(free_time::ReadFree): Vec<free_time::FreeResource>,
    Elsewhere(ReadElsewhere): Vec<free_time::FreeResource> => Subject::Day(..),
    Booking(bookings::ReadBooking): Box<bookings::BookingView>,
    Series(bookings::ReadSeries): Box<bookings::SeriesView> => Subject::Day(..),
    Theaters(catalog::ReadTheaters): Vec<catalog::TheaterView> => Subject::Other,
    Performance(catalog::ReadPerformance): Box<catalog::PerformanceView>,
    PlanFile(ReadPlanFile): Box<PlanRead>,
    Nights(Rehearse<AddPerformances>): Box<Nights> => Subject::Day(..),
    Copies(Rehearse<CopyPerformance>): Box<Nights> => Subject::Day(..),
    Changes(Rehearse<ChangePerformances>): Vec<Revised<Performance, PerformancePatch>> => Subject::Day(..),
    Run(catalog::ReadRun): Vec<catalog::SeasonNight> => Subject::Performance(_),
    Renames(Rehearse<RenamePrices>): Box<PricesChanged> => Subject::Day(..),
    Applies(Rehearse<ApplyPrices>): Box<PricesChanged> => Subject::Day(..),
    Till(tills::ReadOpenTill): Box<tills::TillNow> => Subject::Other,
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
