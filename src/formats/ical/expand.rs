//! Events to the times that they mean: recurrences expanded, exceptions left out, changed times in their place.

use std::collections::HashMap;

use chrono::NaiveDateTime;

use crate::domain::recurrence::{LocalSlot, RepeatError, TIMES_MAX};
use crate::domain::time::{Slot, TimeError};

use super::event::{Event, Reader, Standing, Which};
use super::lines::Component;
use super::zones::{Zone, Zones};
use super::{CalendarEntry, ENTRIES_MAX, FreeTime, IcalError, IcalProblem, ImportedCalendar, Reading};

pub(super) fn all(file: &Component, reading: &Reading) -> Result<ImportedCalendar, IcalError> {
    let zones = Zones::of(file);
    let reader = Reader { zones: &zones, zone: reading.zone };
    let mut out = ImportedCalendar::default();
    let mut events = Vec::new();
    for part in file.parts("VEVENT") {
        match reader.event(part) {
            Ok(event) => events.push(event),
            Err(problem) => out.problems.push(problem),
        }
        if events.len() > ENTRIES_MAX {
            return Err(IcalError::TooMany);
        }
    }
    on_the_wall_of_the_first(&mut events);
    let changed = changed(&events);
    for event in &events {
        let others = changed.get(event.uid.as_str()).map_or(&[][..], Vec::as_slice);
        expand(event, others, (reading, &mut out))?;
        if out.entries.len() > ENTRIES_MAX {
            return Err(IcalError::TooMany);
        }
    }
    Ok(out)
}

/// A changed time names the one that it stands for; in whichever zone it does, it is read on the recurrence's wall.
fn on_the_wall_of_the_first(events: &mut [Event]) {
    let mut walls: HashMap<String, Zone> = HashMap::new();
    for event in events.iter().filter(|event| event.instead_of.is_none()) {
        walls.entry(event.uid.clone()).or_insert_with(|| event.zone.clone());
    }
    for event in events {
        if let (Some(Which::At(at)), Some(wall)) = (event.instead_of, walls.get(&event.uid))
            && let Ok(at) = event.zone.instant(at)
        {
            event.instead_of = Some(Which::At(wall.wall(at)));
        }
    }
}

/// Times of each recurrence that a separate event replaces.
fn changed(events: &[Event]) -> HashMap<&str, Vec<Which>> {
    let mut changed: HashMap<&str, Vec<Which>> = HashMap::new();
    for event in events {
        if let Some(which) = event.instead_of {
            changed.entry(&event.uid).or_default().push(which);
        }
    }
    changed
}

fn expand(
    event: &Event,
    changed: &[Which],
    (reading, out): (&Reading, &mut ImportedCalendar),
) -> Result<(), IcalError> {
    let left_out = match event.standing {
        Standing::Canceled => Some("it is canceled"),
        Standing::Free if reading.free == FreeTime::LeaveOut => Some("it is marked as free time"),
        Standing::Moment => Some("it takes no time: it ends when it starts"),
        Standing::Takes | Standing::Free => None,
    };
    if let Some(what) = left_out {
        out.left_out.push(event.problem(what));
        return Ok(());
    }
    let starts = match event.starts(reading) {
        Ok(starts) => starts,
        Err(RepeatError::Endless { .. }) => {
            return Err(IcalError::Endless {
                line: event.repeat.as_ref().map_or(event.line, |(line, _)| *line),
                title: event.title.clone(),
            });
        }
        Err(error) => {
            let what = match error {
                RepeatError::TooMany { .. } => {
                    format!("it comes more than {TIMES_MAX} times; ask for a shorter time, with --until")
                }
                RepeatError::Rule { .. }
                | RepeatError::Endless { .. }
                | RepeatError::TooOften { .. }
                | RepeatError::Never { .. }
                | RepeatError::NotAtStart { .. } => error.to_string(),
            };
            out.problems.push(event.problem(&what));
            return Ok(());
        }
    };
    if starts.is_empty() {
        out.left_out.push(event.problem("it is not in the time that was asked for"));
    }
    let gone = |start: &NaiveDateTime| {
        let mut other = event.never.iter().chain(if event.instead_of.is_none() { changed } else { &[] });
        other.any(|which| which.is(*start))
    };
    for start in starts.into_iter().filter(|start| !gone(start)) {
        let local = event.first.starting(start);
        match slot(local, event, reading) {
            Ok(slot) => out.entries.push(event.entry(start, (local, slot))),
            Err(error) => out.problems.push(event.problem(&error.to_string())),
        }
    }
    Ok(())
}

impl Event {
    /// The local times at which it comes, in order, each once.
    fn starts(&self, reading: &Reading) -> Result<Vec<NaiveDateTime>, RepeatError> {
        let first = self.first.start();
        let wall = |at| self.zone.wall(at);
        let (from, until) = (reading.window.from.map(wall), reading.window.until.map(wall));
        let is_wanted =
            |at: &NaiveDateTime| from.is_none_or(|from| from <= *at) && until.is_none_or(|until| *at < until);
        let mut starts = match &self.repeat {
            Some((_, repeat)) => repeat.starts(first, wall, reading.window)?,
            None => Vec::new(),
        };
        // the first time counts, whatever the rule says
        starts.extend(self.also.iter().copied().chain([first]).filter(is_wanted));
        starts.sort_unstable();
        starts.dedup();
        Ok(starts)
    }

    fn entry(&self, start: NaiveDateTime, (local, slot): (LocalSlot, Slot)) -> CalendarEntry {
        let which = match (self.instead_of, &self.repeat, self.also.is_empty()) {
            (Some(which), _, _) => Some(which),
            (None, None, true) => None,
            (None, _, _) => Some(match local {
                LocalSlot::Days(date, _) => Which::On(date),
                LocalSlot::Times(..) => Which::At(start),
            }),
        };
        CalendarEntry {
            line: self.line,
            uid: match which {
                Some(which) => format!("{}/{}", self.uid, which.text()),
                None => self.uid.clone(),
            },
            title: self.title.clone(),
            note: self.note.clone(),
            local,
            slot,
        }
    }

    fn problem(&self, what: &str) -> IcalProblem {
        IcalProblem { line: self.line, title: self.title.clone(), what: what.to_owned() }
    }
}

/// The slot of a local one: whole days are those of the reading's zone.
fn slot(local: LocalSlot, event: &Event, reading: &Reading) -> Result<Slot, TimeError> {
    match (local, &event.zone) {
        (LocalSlot::Days(..), _) => local.slot(reading.zone),
        (LocalSlot::Times(..), Zone::Named(zone)) => local.slot(*zone),
        (LocalSlot::Times(from, until), zone) => Slot::new(zone.instant(from)?, zone.instant(until)?),
    }
}
