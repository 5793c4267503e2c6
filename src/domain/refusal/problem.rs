//! Problems of a value that makes no sense.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::money::Currency;
use crate::domain::refusal::{OwnerName, Refusal};

/// Problem of a value; the sentence is made where it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// Text that cannot be read, in the words of its parser.
    Unread(String),
    Between(u32, u32),
    AtMost(usize, Limit),
    Missing(Requirement),
    Amount,
    Negative,
    /// An amount of zero, which would do nothing.
    Nothing,
    /// Price in another currency than the booking was paid in.
    PaidIn(Currency),
    /// Price in another currency than all prices will have.
    PricedIn(Currency),
    /// An exchange fee in another currency than the house's.
    FeeIn(Currency),
    /// No price is for that category and ticket type; names of those that there are.
    NoPrice(Vec<String>),
    /// Number of seats that have numbers of their own.
    Numbered,
    /// Number that would leave nothing of a line.
    NoneLeft,
    /// Two amounts in one currency.
    Twice(Currency),
    /// Two prices for one category and ticket type.
    PriceTwice,
    /// A buffer longer than a week.
    LongBuffer,
    /// A reservation of more than a year.
    LongReservation,
    /// A slot before 1970.
    EarlySlot,
    LateSlot,
    /// A slot of more than three years.
    LongSlot,
    /// A calendar of more than three years.
    LongCalendar,
    /// Opening hours of a resource that is booked by the day.
    HoursOfDays,
    OtherCause(String),
    /// Title of a booking that is not out of use.
    Booked(String),
    OtherCells(String),
    /// Receipt without a seat of a performance to come.
    Over,
    NoCondition(String),
    /// Name that too many resources have, almost.
    CommonName,
    PartOfItself(String),
    /// Name that two seats of a plan have.
    SeatTwice(String),
    /// Seat of a category that its plan has not.
    NoCategory(String),
    /// Standing room with rows that are not its own, or before rows of seats.
    OddArea(String),
    /// Text that is no address of mail.
    NoMail,
    /// Circle of parts: the whole is a part of its own part.
    PartOfPart {
        whole: String,
        part: String,
    },
    TooDeep,
    /// Text that is no seal, or one copied wrongly.
    NoSeal,
    /// Seal of the journal before it was moved.
    SealOfBefore,
    OtherGrid {
        parent: String,
        zone: Tz,
        minutes: u32,
    },
    TakenWhole(String, OwnerName),
}

/// Limit of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    ClosedDays,
    CartSlots,
    Resources,
    ImportTimes,
    ImportCustomers,
    OpenDays,
    Repeats,
    /// Nights of one list.
    Nights,
    /// Letters of a name or phone.
    Letters,
    /// Dates of a repeat times its resources.
    Choices,
    Rows,
    RowSeats,
    Seats,
}

/// Part of an operation that cannot be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    Name,
    Letter,
    Reason,
    Kind,
    Cause,
    Id,
    Seats,
    Price,
    Amount,
    /// Opening hours, for what is for hire.
    Hours,
    /// End of the time that some units are out of use.
    End,
}

impl Refusal {
    /// Refusal of a value.
    pub fn bad(field: &str, problem: Problem) -> Self {
        let field = field.to_owned();
        Self::BadValue { field, problem }
    }

    /// Refusal of text that a parser cannot read.
    pub fn unread(field: &str, error: &impl ToString) -> Self {
        Self::bad(field, Problem::Unread(error.to_string()))
    }
}
