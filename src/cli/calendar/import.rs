//! Imports an iCalendar file as bookings, maintenance, or days on which the house is closed.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::answers::booking::{self, Row};
use crate::cli::answers::object;
use crate::cli::calendar::named_views;
use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::cli::stop::{Cannot, Stop};
use crate::cli::{reading, times, values};
use crate::domain::booking::Cause;
use crate::domain::recurrence::{LocalSlot, Window};
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::engine::ops::{CloseDays, ForeignTime, ImportTimes, Past, Skipped, WhatStands};
use crate::formats::ical::{BYTES_MAX, FreeTime, IcalError, IcalProblem, ImportedCalendar, Reading, read};
use crate::words::count;

use super::book::{conflicts, left_out};

/// Words of `--as` besides the causes.
const BOOKINGS: &str = "bookings";
const CLOSED_DAYS: &str = "closed-days";

/// Problems named in a refusal, at most.
const NAMED_MAX: usize = 3;

#[derive(Debug, Args)]
pub(in crate::cli) struct ImportCalendarArgs {
    /// The file: an .ics of Google, Outlook, calcurse or others
    pub(in crate::cli) file: PathBuf,
    /// The resource: id or name
    #[arg(long)]
    resource: Option<String>,
    /// Meaning of the events: bookings, maintenance, relocation, any other cause, or closed-days
    #[arg(long = "as", value_name = "WHAT", default_value = BOOKINGS)]
    what: String,
    /// Units of a counted resource that each event takes: 40, "40 chairs"
    #[arg(long, value_name = "NUMBER")]
    count: Option<String>,
    /// Only from a time or a date on (default: from now on)
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only until a time or a date
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Leave out events that are not free or cannot be read, and list them
    #[arg(long)]
    skip_conflicts: bool,
    /// Also past events
    #[arg(long)]
    past: bool,
}

#[derive(Default)]
struct Effects {
    bookings: Vec<Row>,
    closed_days: Vec<String>,
    skipped: Vec<Rendered>,
    problems: Vec<IcalProblem>,
    left_out: Vec<IcalProblem>,
    notes: Vec<IcalProblem>,
    known: u32,
    own: u32,
}

pub(super) fn problem_words(problem: &IcalProblem) -> String {
    format!("line {} ({}): {}", problem.line, problem.title, problem.what)
}

pub(super) fn problem_json(problem: &IcalProblem) -> Value {
    json!({
        "line": problem.line,
        "title": problem.title,
        "problem": problem.what,
    })
}

impl Effects {
    fn render(&self) -> Rendered {
        let bookings = booking::list(&self.bookings, &[]);
        let problems = |all: &[IcalProblem]| all.iter().map(problem_json).collect::<Vec<_>>();
        let json = object! {
            "bookings": bookings.json,
            "skipped": self.skipped.iter().map(|one| &one.json).collect::<Vec<_>>(),
            "problems": problems(&self.problems),
            "left_out": problems(&self.left_out),
            "known": self.known,
            ? "own": (self.own > 0).then_some(self.own),
            ? "notes": problems(&self.notes),
            ? "closed_days": self.closed_days,
        };
        let mut lines = vec![if self.closed_days.is_empty() {
            bookings.people
        } else {
            format!("Closed on {}.", self.closed_days.join(", "))
        }];
        let (skipped, odd) = (self.skipped.iter(), self.problems.iter());
        lines.extend(skipped.map(|one| format!("Not free: {}", one.people)));
        lines.extend(odd.map(|one| format!("Not understood: {}", problem_words(one))));
        let left_out = self.left_out.iter();
        lines.extend(left_out.map(|one| format!("Left out: {}", problem_words(one))));
        lines.extend(self.notes.iter().map(|one| format!("Note: {}", problem_words(one))));
        if self.known > 0 {
            let were = if self.known == 1 { "was" } else { "were" };
            lines.push(format!("{} {were} imported before, and left alone.", self.known));
        }
        if self.own > 0 {
            lines.push(format!(
                "{} of this house, and left alone.",
                count(usize::try_from(self.own).unwrap_or_default(), "event")
            ));
        }
        Rendered::new(json, lines.join("\n"))
    }
}

impl ImportCalendarArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = values::some(self.resource.as_ref(), |text| call.resource(text))?;
        let found = self.read(call)?;
        if let Some(error) = &found.cut_off {
            return Err(refused(&self.file, error).into());
        }
        if let (Some(first), false) = (found.problems.first(), self.skip_conflicts) {
            return Err(self.odd(first, &found.problems).into());
        }
        let mut done = Effects {
            problems: found.problems.clone(),
            left_out: found.left_out.clone(),
            notes: found.notes.clone(),
            ..Effects::default()
        };
        match (self.what.trim().to_lowercase().as_str(), resource) {
            (CLOSED_DAYS, _) => self.close(call, (&found, &mut done))?,
            (_, None) => {
                return Err(values::bad("resource", "say what it books, with --resource").into());
            }
            (word, Some(resource)) => self.book(call, (&resource, word), (&found, &mut done))?,
        }
        call.answer(&done.render())
    }

    fn read(&self, call: &Call<'_>) -> Result<ImportedCalendar, Stop> {
        let zone = call.out.zone;
        let here = call.now_in(zone);
        let from = times::some_moment("from", self.from.as_ref(), here)?;
        let since = (from.unwrap_or(here.now), here);
        let reading = Reading {
            zone,
            window: Window {
                from: from.or((!self.past).then_some(here.now)),
                until: values::some(self.until.as_ref(), |until| times::end("until", until, since))?,
            },
            free: if self.what.trim().eq_ignore_ascii_case(CLOSED_DAYS) { FreeTime::Read } else { FreeTime::LeaveOut },
        };
        read(&bytes(&self.file)?, &reading).map_err(|error| refused(&self.file, &error).into())
    }

    fn odd(&self, first: &IcalProblem, all: &[IcalProblem]) -> Cannot {
        let named: Vec<String> = all.iter().take(NAMED_MAX).map(problem_words).collect();
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
        (found, effects): (&ImportedCalendar, &mut Effects),
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
            past: if self.past { Past::Record } else { Past::Closed },
            count: values::some(self.count.as_ref(), |text| values::units(resource, text))?,
        })?;
        let views = named_views(call, done.bookings)?;
        effects.bookings.extend(views.iter().flat_map(booking::rows));
        let told = |one: &Skipped| {
            let mut told = left_out(call, one.slot, one.why.as_ref());
            if let Some(entry) = found.entries.iter().find(|entry| entry.slot == one.slot) {
                told.people = format!("line {} ({}): {}", entry.line, entry.title, told.people);
            }
            told
        };
        effects.skipped = done.skipped.iter().map(told).collect();
        effects.known = done.known;
        effects.own = done.own;
        Ok(())
    }

    /// Closes the whole days among the events; an event of part of a day closes none.
    fn close(&self, call: &mut Call<'_>, (found, effects): (&ImportedCalendar, &mut Effects)) -> Done {
        let mut close = Vec::new();
        for entry in &found.entries {
            match entry.local {
                LocalSlot::Days(from, until) => {
                    close.extend(from.iter_days().take_while(|day| *day < until));
                }
                LocalSlot::Times(..) => {
                    let problem = IcalProblem {
                        line: entry.line,
                        title: entry.title.clone(),
                        what: "it is not a whole day".to_owned(),
                    };
                    if !self.skip_conflicts {
                        return Err(self.odd(&problem, std::slice::from_ref(&problem)).into());
                    }
                    effects.problems.push(problem);
                }
            }
        }
        effects.closed_days = close.iter().map(ToString::to_string).collect();
        let stands = if self.skip_conflicts { WhatStands::Stays } else { WhatStands::Refuse };
        call.run(CloseDays { close, open: Vec::new(), stands })?;
        Ok(())
    }
}

/// Parses `--as`; causes that have a verb of their own are refused.
fn cause(word: &str) -> Result<Cause, Refusal> {
    match word {
        BOOKINGS | "booking" => Ok(Cause::Booking),
        "disabled" | "disable" | "performance" | "out of service" | "" => Err(values::bad(
            "as",
            format!("{word:?} is none; write bookings, maintenance, relocation, another word, or closed-days"),
        )),
        word => Ok(Cause::of_word(word)),
    }
}

pub(super) fn refused(path: &Path, error: &IcalError) -> Cannot {
    Cannot::Calendar { path: path.to_owned(), line: error.line(), problem: error.to_string() }
}

pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Stop> {
    reading::at_most(path, BYTES_MAX)?.ok_or_else(|| refused(path, &IcalError::TooLarge).into())
}
