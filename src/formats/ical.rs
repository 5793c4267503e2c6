//! iCalendar: calendars of others in, and the house's own out.
//!
//! Files of Google, Outlook and calcurse differ in nearly everything but the letters: zones by Windows's names
//! or by description, times without any zone, events without a name of their own. What can be understood is
//! read; what cannot is told with the line of the file that it stands on, event by event. A library reads and writes
//! lines; what an event means is decided here.
//!
//! # Invariants
//! - Of two versions of an event the newer counts, and one that cannot be read leaves no time of an older.
//! - An entry's [`CalendarEntry::uid`] is the same whenever the same file is read, also for each time of a recurrence.
//! - Nothing endless or huge is read: bytes, events and times are counted.

use chrono_tz::Tz;
use thiserror::Error;

use crate::domain::recurrence::{LocalSlot, Window};
use crate::domain::time::{Instant, Slot};

mod event;
mod expand;
mod lines;
mod values;
mod windows;
mod write;
mod zones;

pub use write::{Exported, Privacy, write};

/// The largest calendar file, in bytes.
pub const BYTES_MAX: usize = 16 * 1024 * 1024;

/// The most times of one file, recurrences counted.
pub const ENTRIES_MAX: usize = 20_000;

/// Options of reading a file.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The zone of whole days and of starts that name none.
    pub zone: Tz,
    pub window: Window,
    /// Treatment of events marked as free time, as holidays are.
    pub free: FreeTime,
}

/// Treatment of events marked as free time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeTime {
    LeaveOut,
    Read,
}

/// The events of a file, and its problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedCalendar {
    pub entries: Vec<CalendarEntry>,
    /// Events that could not be understood or do not exist, in the order of the file.
    pub problems: Vec<IcalProblem>,
    /// Events left out by rule: canceled, marked as free, outside of the window, older than another version.
    pub left_out: Vec<IcalProblem>,
    /// Lines without meaning for the times, and the zone taken where the file names another.
    pub notes: Vec<IcalProblem>,
    /// Names of events, or of times of a series, that stand in the file and cannot be understood.
    pub unread: Vec<String>,
    /// Time of the newest event's version.
    pub stamp: Option<Instant>,
    /// How the file is cut off, if it is; then what is whole was read.
    pub cut_off: Option<IcalError>,
}

/// One time of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The line of the file on which its event begins.
    pub line: usize,
    /// Unique id: the event's, and for a recurrence its start too.
    pub uid: String,
    /// The title; empty when the file has none.
    pub title: String,
    /// Description and location.
    pub note: String,
    pub local: LocalSlot,
    pub slot: Slot,
}

/// Something of a file that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IcalProblem {
    pub line: usize,
    pub title: String,
    pub what: String,
}

/// Why a file was refused: each names the line and says what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum IcalError {
    #[error("The file is empty. Export the calendar again.")]
    Empty,
    #[error("The file has more than {} MB. Export a shorter time of that calendar.", BYTES_MAX / 1_048_576)]
    TooLarge,
    #[error("Line {line} is no UTF-8 text. Export the calendar again, as UTF-8.")]
    NotText { line: usize },
    #[error("Line {line} is no line of a calendar: '{text}'. Is this an .ics file? Export it again.")]
    NotALine { line: usize, text: String },
    #[error("The {name} that begins on line {line} does not end: the file is cut off. Export it again.")]
    Unclosed { line: usize, name: String },
    #[error("Line {line} ends {name} where {open} is open. The file is broken; export it again.")]
    Mismatched { line: usize, name: String, open: String },
    #[error("Line {line} is too deep in other parts. The file is broken; export it again.")]
    TooDeep { line: usize },
    #[error("There is no calendar in the file: it has no BEGIN:VCALENDAR. Is this an .ics file?")]
    NotACalendar,
    /// A recurrence without an end, and no window was asked for.
    #[error("'{title}' on line {line} comes again without an end. Say until when it is wanted, with --until.")]
    Endless { line: usize, title: String },
    #[error("The file has more than {ENTRIES_MAX} times. Ask for a shorter time, with --from and --until.")]
    TooMany,
}

impl IcalError {
    /// The line of the file that it is about.
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::NotText { line }
            | Self::NotALine { line, .. }
            | Self::Unclosed { line, .. }
            | Self::Mismatched { line, .. }
            | Self::TooDeep { line }
            | Self::Endless { line, .. } => Some(*line),
            Self::Empty | Self::TooLarge | Self::NotACalendar | Self::TooMany => None,
        }
    }
}

/// Reads a calendar file.
///
/// # Errors
/// A file that is broken, huge, or endless where no end was asked for. What is wrong with one event is among
/// [`ImportedCalendar::problems`].
pub fn read(bytes: &[u8], reading: &Reading) -> Result<ImportedCalendar, IcalError> {
    let (file, cut_off) = lines::read(bytes)?;
    Ok(ImportedCalendar { cut_off, ..expand::all(&file, reading)? })
}

#[cfg(test)]
mod tests;
