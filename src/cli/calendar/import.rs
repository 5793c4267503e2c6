//! Times of an iCalendar file become bookings, maintenance, or days on which the house is closed.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::cli::answers::booking::{Booked, BookedList, BookingAnswer, SkippedAnswer};
use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::cli::stop::{Cannot, Stop};
use crate::cli::{reading, times, values};
use crate::domain::booking::Cause;
use crate::domain::recurrence::{LocalSlot, Window};
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::engine::ops::{CloseDays, ForeignTime, ImportTimes};
use crate::engine::reads::bookings::ReadAnsweredBooking;
use crate::formats::ical::{BYTES_MAX, FreeTime, IcalError, Imported, Problem, Reading, read};

use super::book::{conflicts, left_out, past};

/// What a file's events become.
const BOOKINGS: &str = "bookings";
const CLOSED_DAYS: &str = "closed-days";

/// How many problems a refusal names.
const NAMED_MAX: usize = 3;

#[derive(Debug, Args)]
pub(in crate::cli) struct Import {
    /// The file: an .ics of Google, Outlook, calcurse or others
    file: PathBuf,
    /// What it books: id or name
    #[arg(long)]
    resource: Option<String>,
    /// What its events become: bookings, maintenance, relocation, any other cause, or closed-days
    #[arg(long = "as", value_name = "WHAT", default_value = BOOKINGS)]
    what: String,
    /// Only from a time or a date on; from now on unless said
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only until a time or a date
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Leave out what is not free or cannot be understood, and list it
    #[arg(long)]
    skip_conflicts: bool,
    /// Also what is past
    #[arg(long)]
    past: bool,
}

/// What an import did.
#[derive(Serialize)]
struct ImportAnswer {
    bookings: BookedList,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    closed_days: Vec<String>,
    skipped: Vec<SkippedAnswer>,
    problems: Vec<ProblemAnswer>,
    left_out: Vec<ProblemAnswer>,
    known: u32,
}

/// Something of a file that was not imported.
#[derive(Serialize)]
struct ProblemAnswer {
    line: usize,
    title: String,
    problem: String,
}

impl From<&Problem> for ProblemAnswer {
    fn from(problem: &Problem) -> Self {
        Self {
            line: problem.line,
            title: problem.title.clone(),
            problem: problem.what.clone(),
        }
    }
}

impl ProblemAnswer {
    fn said(&self) -> String {
        format!("line {} ({}): {}", self.line, self.title, self.problem)
    }
}

impl Answer for ImportAnswer {
    fn people(&self) -> String {
        let mut lines = Vec::new();
        if self.closed_days.is_empty() {
            lines.push(self.bookings.people());
        } else {
            lines.push(format!("Closed on {}.", self.closed_days.join(", ")));
        }
        lines.extend(
            self.skipped
                .iter()
                .map(|one| format!("Not free: {}", one.said)),
        );
        lines.extend(
            self.problems
                .iter()
                .map(|one| format!("Not understood: {}", one.said())),
        );
        lines.extend(
            self.left_out
                .iter()
                .map(|one| format!("Left out: {}", one.said())),
        );
        if self.known > 0 {
            lines.push(format!(
                "{} were imported before, and left alone.",
                self.known
            ));
        }
        lines.join("\n")
    }
}

impl Import {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = self.resource.as_deref();
        let resource = resource.map(|text| call.resource(text)).transpose()?;
        let found = self.read(call)?;
        if let (Some(first), false) = (found.problems.first(), self.skip_conflicts) {
            return Err(self.odd(first, &found.problems).into());
        }
        let mut answer = ImportAnswer {
            bookings: BookedList::many(Vec::new()),
            closed_days: Vec::new(),
            skipped: Vec::new(),
            problems: found.problems.iter().map(ProblemAnswer::from).collect(),
            left_out: found.left_out.iter().map(ProblemAnswer::from).collect(),
            known: 0,
        };
        match (self.what.trim().to_lowercase().as_str(), resource) {
            (CLOSED_DAYS, _) => self.close(call, (&found, &mut answer))?,
            (_, None) => {
                return Err(values::bad("resource", "say what it books, with --resource").into());
            }
            (word, Some(resource)) => self.book(call, (&resource, word), (&found, &mut answer))?,
        }
        call.answer(&answer)
    }

    fn read(&self, call: &Call<'_>) -> Result<Imported, Stop> {
        let zone = call.out.zone;
        let now = call.now_in(zone);
        let from = times::some_moment("from", self.from.as_deref(), now)?;
        let reading = Reading {
            zone,
            window: Window {
                from: from.or((!self.past).then_some(now.0)),
                until: times::some_moment("until", self.until.as_deref(), now)?,
            },
            free: if self.what.trim().eq_ignore_ascii_case(CLOSED_DAYS) {
                FreeTime::Read
            } else {
                FreeTime::LeaveOut
            },
        };
        read(&bytes(&self.file)?, &reading).map_err(|error| self.refused(&error).into())
    }

    fn refused(&self, error: &IcalError) -> Cannot {
        Cannot::Calendar {
            path: self.file.clone(),
            line: error.line(),
            problem: error.to_string(),
        }
    }

    fn odd(&self, first: &Problem, all: &[Problem]) -> Cannot {
        let named: Vec<String> = all
            .iter()
            .take(NAMED_MAX)
            .map(|problem| ProblemAnswer::from(problem).said())
            .collect();
        let more = match all.len().saturating_sub(NAMED_MAX) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        Cannot::Calendar {
            path: self.file.clone(),
            line: Some(first.line),
            problem: format!(
                "{}{more}. Nothing was imported; correct the file, or leave these out with --skip-conflicts.",
                named.join("; ")
            ),
        }
    }

    fn book(
        &self,
        call: &mut Call<'_>,
        (resource, word): (&Resource, &str),
        (found, answer): (&Imported, &mut ImportAnswer),
    ) -> Done {
        let times = found.entries.iter().map(|entry| ForeignTime {
            uid: entry.uid.clone(),
            title: entry.title.clone(),
            note: entry.note.clone(),
            slot: entry.slot,
        });
        let done = call.run(ImportTimes {
            resource: resource.id.clone(),
            cause: cause(word)?,
            times: times.collect(),
            conflicts: conflicts(self.skip_conflicts),
            past: past(self.past),
        })?;
        let mut list: Vec<Booked> = Vec::new();
        for booking in done.bookings {
            let view = call.read(ReadAnsweredBooking(booking))?;
            list.extend(BookingAnswer::of(&view));
        }
        answer.bookings = BookedList::many(list);
        let skipped = done.skipped.iter();
        answer.skipped = skipped
            .map(|one| left_out(call, one.slot, one.why.as_ref()))
            .collect();
        answer.known = done.known;
        Ok(())
    }

    /// Whole days are closed; what is only a part of a day closes none.
    fn close(&self, call: &mut Call<'_>, (found, answer): (&Imported, &mut ImportAnswer)) -> Done {
        let mut close = Vec::new();
        for entry in &found.entries {
            match entry.local {
                LocalSlot::Days(from, until) => {
                    close.extend(from.iter_days().take_while(|day| *day < until));
                }
                LocalSlot::Times(..) => {
                    let problem = Problem {
                        line: entry.line,
                        title: entry.title.clone(),
                        what: "it is not a whole day".to_owned(),
                    };
                    if !self.skip_conflicts {
                        return Err(self.odd(&problem, std::slice::from_ref(&problem)).into());
                    }
                    answer.problems.push((&problem).into());
                }
            }
        }
        answer.closed_days = close.iter().map(ToString::to_string).collect();
        call.run(CloseDays {
            close,
            open: Vec::new(),
        })?;
        Ok(())
    }
}

/// What the events are; what has a verb of its own is none.
fn cause(word: &str) -> Result<Cause, Refusal> {
    match word {
        BOOKINGS | "booking" => Ok(Cause::Booking),
        "disabled" | "disable" | "performance" | "out of service" | "" => Err(values::bad(
            "as",
            format!(
                "{word:?} is none; write bookings, maintenance, relocation, another word, or closed-days"
            ),
        )),
        word => Ok(Cause::of_word(word)),
    }
}

/// The file's bytes; of one that is too large no more is read.
fn bytes(path: &Path) -> Result<Vec<u8>, Stop> {
    reading::at_most(path, BYTES_MAX)?.ok_or_else(|| {
        Cannot::Calendar {
            path: path.to_owned(),
            line: None,
            problem: IcalError::TooLarge.to_string(),
        }
        .into()
    })
}
