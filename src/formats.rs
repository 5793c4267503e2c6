//! Files and texts of others, to and from domain values.
//!
//! Bytes come in, values or a refusal that names the place go out. Nothing here opens a file, and nothing that
//! was read is believed: text is cleaned, numbers are bounded, and everything is counted.

#![expect(missing_docs, reason = "fields and variants whose names say all")]

use thiserror::Error;

use crate::domain::plan::Plan;

pub mod customers;
mod escpos;
pub mod ical;
pub mod list;
mod names;
mod paper;
pub mod pretix;
pub mod qr;
pub mod receipt;
pub mod rows;
pub mod season;
pub mod text;
pub mod ticket;
pub mod till;
pub mod toml;

pub use crate::domain::plan::{ROW_SEATS_MAX, ROWS_MAX, SEATS_MAX};

/// The largest plan file, in bytes.
pub const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Treatment of odd files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Take what can be understood and report the rest.
    Lenient,
    Strict,
}

/// Something in a file that is not as the format has it, and was understood all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// Path in the file: `zones[1].rows[3].seats[7]`.
    pub place: String,
    pub what: String,
}

/// A plan read from a file, and its oddities.
#[derive(Clone, Debug)]
pub struct ImportedPlan {
    /// The plan; every seat has its unique name.
    pub plan: Plan,
    /// Every oddity with its place, in the order of the file.
    pub oddities: Vec<Oddity>,
}

/// Why a plan was refused: each names the place and says what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlanError {
    #[error("The plan is empty. Give row lengths such as 5x16 or 1,2,3, or a pretix seating plan.")]
    Empty,
    #[error(
        "'{part}' is no row length. Write rows x seats, a length or standing room, with commas between: 5x16, 12, Gallery=60."
    )]
    RowLength { part: String },
    #[error("{problem}.")]
    Area { problem: String },
    #[error("This is no JSON at line {line}, column {column}: {reason}. Export the plan again.")]
    NotJson {
        /// The line, from 1.
        line: usize,
        column: usize,
        reason: String,
    },
    #[error("At {place} there should be {expected}. Is this a pretix seating plan? Correct it there.")]
    Foreign { place: String, expected: String },
    /// A seat's category is not in the list.
    #[error("{place} is of category '{name}', which the plan's categories don't have. Add it to them.")]
    UnknownCategory { place: String, name: String },
    #[error("The position of {place} is beyond a million units. Correct it, or export the plan again.")]
    FarAway {
        /// The seat or shape that is too far away.
        place: String,
    },
    #[error("The plan has no seats. Draw rows of seats and export it again.")]
    NoSeats,
    #[error("There are two areas or zones called {name}. Give each a name of its own.")]
    AreaTwice { name: String },
    #[error("The plan has more than {most} {what}. Split it into several theaters.")]
    TooMany {
        /// The thing counted: `seats`, `rows`, `categories`, `bytes`.
        what: &'static str,
        most: usize,
    },
    #[error("{row} has more than {ROW_SEATS_MAX} seats. Cut it into rows with labels of their own, such as A1 and A2.")]
    LongRow {
        /// The row, as the plan names it.
        row: String,
    },
    #[error(
        "{count} things are odd, the first at {}: {}. Correct them, or import without --strict.",
        first.place,
        first.what
    )]
    Odd { first: Oddity, count: usize },
}
