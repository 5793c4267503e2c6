//! Every "no" of the desk, with the facts to show.
//!
//! A refusal is not a fault: the business says no, nothing has changed, and the facts say what to do next.
//! The sentences that people read are made from these facts, not kept here.

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::is_default;
use crate::domain::money::Currency;
use crate::domain::time::{Instant, Slot, Span};

mod change;
mod correction;
mod count;
mod credit;
mod customer;
mod facts;
mod job;
mod kind;
mod night;
mod operator;
mod price;
mod problem;
mod season;
mod stay;
mod ticket;
mod till;

pub use change::{Ahead, ChangeRefusal, RefusedNight};
pub use correction::{CorrectionRefusal, VoidProblem};
pub use count::CountRefusal;
pub use credit::CreditRefusal;
pub use customer::{CustomerRefusal, OpenMatter};
pub use facts::{
    Alternative, CellName, Fact, Lack, MarkedResource, NotWhole, OwnerName, Purpose, SlotAt, WantedCells, names,
    operators,
};
pub use job::JobRefusal;
pub use night::{NightRefusal, Play};
pub use operator::OperatorRefusal;
pub use price::PriceRefusal;
pub use problem::{Limit, Problem, Requirement};
pub use season::{SeasonRefusal, WrongLine, WrongWhy};
pub use stay::StayRefusal;
pub use ticket::TicketRefusal;
pub use till::TillRefusal;

/// Time of a calendar that differs from the one it was imported with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeDiffers {
    pub here: Slot,
    pub there: Slot,
}

/// The desk says no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refusal {
    Taken {
        wanted: WantedCells,
        facts: Vec<Fact>,
        /// Free cells instead, best first.
        instead: Vec<Alternative>,
    },
    NotYours {
        lack: Lack,
        facts: Vec<Fact>,
    },
    /// The cells are out of use by another operator.
    DisabledByAnother {
        facts: Vec<Fact>,
    },
    NoSeatsTogether {
        count: u32,
        most_together: u32,
        /// Number of free seats in all.
        free: u32,
    },
    /// Standing room has too few places.
    AreaShort {
        area: String,
        wanted: u32,
        /// Number of places that there are.
        free: u32,
        /// Reason why the other places cannot be taken; `None` if they are sold or held.
        lack: Option<Lack>,
    },
    UnknownSeat {
        seats: Vec<String>,
    },
    RepeatedSeat {
        seat: String,
    },
    NothingChosen,
    TooManySeats {
        wanted: u32,
        seats_max: u32,
    },
    /// The seats have no price of that ticket type.
    NotOnSale {
        /// Named seats; none if any were asked for.
        seats: Vec<String>,
        ticket_type: String,
        ticket_types: Vec<String>,
    },
    /// The performance has started or was canceled.
    SalesClosed {
        performance: String,
        start: Instant,
        canceled: bool,
    },
    CartExpired {
        at: Instant,
    },
    CartCanceled,
    CartDone {
        receipt: String,
    },
    /// The cart is active: this needs one that ended.
    CartActive,
    CartEmpty,
    CartElsewhere {
        operator: String,
        station: String,
    },
    HoldCap {
        until: Instant,
    },
    UnknownLine {
        line: String,
    },
    OtherCurrency {
        cart: Currency,
        performance: Currency,
    },
    /// The total is not the one the operator saw.
    TotalChanged {
        total: i64,
        /// The total that the operator saw.
        seen: i64,
        /// Currency of the amounts, which are in minor units.
        currency: Currency,
    },
    PaymentShort {
        total: i64,
        paid: i64,
        missing: i64,
        /// Currency of the amounts, which are in minor units.
        currency: Currency,
    },
    /// A card can't be charged more than is due.
    CardOver {
        due: i64,
        charged: i64,
        /// Currency of the amounts, which are in minor units.
        currency: Currency,
    },
    /// The total has fallen since the card payment began, and nobody says what the card was charged with.
    ChargeUnsaid {
        /// The total when the payment began.
        due: i64,
        total: i64,
        /// Currency of the amounts, which are in minor units.
        currency: Currency,
    },
    /// The card payment of a cart that ended is recorded already.
    PaymentRecorded {
        /// The number of its receipt; none when it was put on the worklist.
        receipt: Option<String>,
    },
    /// A card payment began on the cart a moment ago, at another station.
    PaymentUnderWay {
        operator: String,
        station: String,
    },
    /// A card payment needs the reference from its slip.
    CardReferenceMissing,
    /// An amount, date, name or the like makes no sense.
    BadValue {
        field: String,
        problem: Problem,
    },
    EndsBeforeStart,
    InThePast {
        at: Instant,
    },
    /// A reservation has to be paid some time before the earliest start.
    PayByTooLate {
        until: Instant,
        /// The performance that starts first.
        performance: String,
        start: Instant,
    },
    /// Too late to reserve: the latest moment to pay by is past.
    TooLateToReserve {
        /// The performance that starts first.
        performance: String,
        start: Instant,
    },
    /// A reservation's alerts come one after the other, before its pay-by.
    AlertsOutOfOrder {
        alert: Span,
        last: Span,
        until: Instant,
    },
    NameMissing,
    NotFound {
        what: String,
        name: String,
        /// Names that there are; none where a list tells them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<String>,
    },
    /// The name or id tail means several things.
    Ambiguous {
        what: String,
        name: String,
        count: u32,
        /// Names that mean one of them each.
        which: Vec<String>,
    },
    Exists {
        what: String,
        name: String,
    },
    /// This process's clock disagrees with the house; nothing is written before an operator has confirmed it.
    ClockInDoubt {
        /// The time of this process's clock.
        at: Instant,
        /// The time of the other clock.
        seen: Instant,
        station: String,
    },
    /// This machine was switched on a short time ago, and nothing agrees with its clock yet: it ends nothing.
    ClockAlone {
        /// The time from which it believes its clock.
        until: Instant,
    },
    /// The command id was already used for another command.
    CommandReused {
        command: String,
    },
    /// The command was done before the journal of the house was moved into this program's form; its answer is left behind.
    DoneBefore {
        command: String,
    },
    /// Two dates of a repeat take the same time of a resource.
    DatesOverlap {
        resource: String,
        first: Slot,
        second: Slot,
        zone: Tz,
        /// True if the resource is booked by the night.
        #[serde(default, skip_serializing_if = "is_default")]
        nights: bool,
    },
    /// Times of a calendar differ from those that they were imported with.
    TimesDiffer {
        resource: String,
        times: Vec<TimeDiffers>,
        zone: Tz,
        /// True if the resource is booked by the night.
        #[serde(default, skip_serializing_if = "is_default")]
        nights: bool,
    },
    NotOpen {
        resource: String,
        from: Instant,
        /// The first day that is not open, where its days are opened in order.
        horizon: Option<NaiveDate>,
        zone: Tz,
    },
    /// The resource is out of service until further notice.
    OutOfService(Box<MarkedResource>),
    OutsideHours {
        resource: String,
        /// Its opening hours: `08:00-23:00`.
        hours: String,
        /// True if it only has to begin and to end within.
        #[serde(default, skip_serializing_if = "is_default")]
        hire: bool,
    },
    /// The house is closed that day.
    HouseClosed {
        day: NaiveDate,
    },
    /// A slot that was to be given back or moved has no whole segment that the booking no longer needs.
    NoWholeSegment(NotWhole),
    /// A resource was named twice, or together with what it is a part of.
    RepeatedResource {
        resource: String,
    },
    BookingCanceled {
        title: String,
    },
    /// Time out of use is not a booking; enabling it gives it back.
    NotABooking {
        title: String,
    },
    /// The booking is the hall of a performance; canceling the performance releases it.
    HallOfPerformance {
        title: String,
    },
    /// The resource's policy does not allow this act.
    WrongPolicy {
        resource: String,
        /// The policy: `open-ended` or `preallocated`.
        policy: String,
    },
    InService {
        resource: String,
    },
    AlreadyResolved {
        operator: String,
        /// Operator who approved it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
    },
    /// A length of time is out of its range.
    OutOfRange {
        field: String,
        least: Span,
        most: Span,
    },
    /// Cells or money can't be given back.
    #[serde(untagged)]
    Correction(CorrectionRefusal),
    /// A performance can't move, or its tickets are void.
    #[serde(untagged)]
    Night(NightRefusal),
    /// Something entered stays as it is, or is retired.
    #[serde(untagged)]
    Change(ChangeRefusal),
    /// A guest is not checked in or out.
    #[serde(untagged)]
    Stay(StayRefusal),
    /// A credit can't pay.
    #[serde(untagged)]
    Credit(CreditRefusal),
    /// An act on a customer is not done.
    #[serde(untagged)]
    Customer(CustomerRefusal),
    /// A job is not in the state, or of the kind, that was asked for.
    #[serde(untagged)]
    Job(JobRefusal),
    /// A till is not in the state that was asked for, or a sale lacks what the house asks.
    #[serde(untagged)]
    Till(TillRefusal),
    /// The operator may not do it, or did not sign in.
    #[serde(untagged)]
    Operator(OperatorRefusal),
    /// No rule can work out a price, or a list is in use.
    #[serde(untagged)]
    Price(PriceRefusal),
    /// A number of units is refused.
    #[serde(untagged)]
    Count(CountRefusal),
    /// Lines of a season are wrong.
    #[serde(untagged)]
    Season(SeasonRefusal),
    /// A ticket admits nobody.
    #[serde(untagged)]
    Ticket(TicketRefusal),
}
