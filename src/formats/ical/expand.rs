//! Events to the times that they mean: versions chosen, recurrences expanded, exceptions left out, changed times in their
//! place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDateTime;

use crate::domain::recurrence::{LocalSlot, RepeatError, TIMES_MAX};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};

use super::event::{Event, Lasting, Odd, Reader, Standing, Which, is_onward, problem, times, uid};
use super::lines::{Component, shown};
use super::values::{Written, written};
use super::zones::Zones;
use super::{CalendarEntry, ENTRIES_MAX, FreeTime, IcalError, IcalProblem, ImportedCalendar, Reading};

pub(super) fn all(file: &Component, reading: &Reading) -> Result<ImportedCalendar, IcalError> {
    let zones = Zones::of(file);
    let reader = Reader { zones: &zones, zone: reading.zone };
    let mut out = ImportedCalendar { notes: notes(file, reading), ..ImportedCalendar::default() };
    let mut named: Vec<Named> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, part) in file.parts("VEVENT").enumerate() {
        if number >= ENTRIES_MAX {
            return Err(IcalError::TooMany);
        }
        out.stamp = out.stamp.max(stamp(part).map(|at| at.and_utc().timestamp_millis()).map(Instant::from_millis));
        let place = *places.entry(uid(part)).or_insert(named.len());
        if place == named.len() {
            named.push(Named::default());
        }
        if let Some(named) = named.get_mut(place) {
            let of = if part.line("RECURRENCE-ID").is_some() { &mut named.changes } else { &mut named.versions };
            of.push(part);
        }
    }
    for named in &named {
        named.read(&reader, (reading, &mut out))?;
        if out.entries.len() > ENTRIES_MAX {
            return Err(IcalError::TooMany);
        }
    }
    out.entries.sort_by_key(|entry| entry.line);
    for list in [&mut out.problems, &mut out.left_out, &mut out.notes] {
        list.sort_by_key(|problem| problem.line);
    }
    Ok(out)
}

/// Lines that nobody reads, and the zone that was taken where the file names another for itself.
fn notes(file: &Component, reading: &Reading) -> Vec<IcalProblem> {
    let broken = file.parts("VEVENT").flat_map(|part| {
        let broken = part.lines.iter().filter(|line| line.is_broken);
        broken.map(move |line| problem(part, (line.number, format!("'{}' is not read", shown(&line.value)))))
    });
    let floats = || {
        let starts = file.parts("VEVENT").filter_map(|part| part.line("DTSTART"));
        let mut starts = starts.filter(|line| line.param("TZID").is_none());
        starts.any(|line| matches!(written(&line.value), Some(Written::Local(_))))
    };
    let zone = file.line("X-WR-TIMEZONE").filter(|line| line.value.trim() != reading.zone.name() && floats());
    let zone = zone.map(|line| IcalProblem {
        line: line.number,
        title: clean(&line.value),
        what: format!("times that name no zone are read in {}, not in this one", reading.zone.name()),
    });
    broken.chain(zone).collect()
}

/// Events of one name: the versions of an event, and of changes of its times.
#[derive(Default)]
struct Named<'a> {
    versions: Vec<&'a Component>,
    changes: Vec<&'a Component>,
}

/// A change of one time of a series, or of it and all later ones.
struct SeriesChange<'a> {
    part: &'a Component,
    which: Which,
    event: Result<Event, Odd>,
}

impl Named<'_> {
    fn read(&self, reader: &Reader, (reading, out): (&Reading, &mut ImportedCalendar)) -> Result<(), IcalError> {
        let newest = match newest(self.versions.iter().copied(), out) {
            Ok(newest) => newest,
            Err(two) => {
                out.unread.extend(self.name());
                out.problems.push(two);
                return Ok(());
            }
        };
        let series = newest.map(|part| reader.event(part, None).map_err(|odd| (part, odd)));
        let known = series.as_ref().and_then(|series| series.as_ref().ok());
        let mut all: BTreeMap<Which, Vec<&Component>> = BTreeMap::new();
        let mut odd = Vec::new();
        for part in &self.changes {
            match reader.instead_of(part, known) {
                Ok(which) => which.into_iter().for_each(|which| all.entry(which).or_default().push(*part)),
                Err(why) => odd.push(problem(part, why)),
            }
        }
        let mut changes = Vec::new();
        for (which, parts) in all {
            match self::newest(parts.into_iter(), out) {
                Ok(newest) => {
                    changes.extend(newest.map(|part| SeriesChange { part, which, event: reader.event(part, known) }));
                }
                Err(two) => odd.push(two),
            }
        }
        out.unread.extend(self.name().filter(|_| !odd.is_empty() || matches!(series, Some(Err(_)))));
        match &series {
            Some(Ok(event)) if odd.is_empty() => expand(event, &changes, (reading, out))?,
            Some(Ok(event)) => {
                out.problems.push(event.problem("one of its times was changed, and cannot be told which"));
            }
            Some(Err((part, why))) => out.problems.push(problem(part, why.clone())),
            None => {}
        }
        out.problems.extend(odd);
        let is_canceled = known.is_some_and(|event| event.standing == Standing::Canceled);
        for change in changes {
            match change.event {
                Ok(event) if is_canceled => out.left_out.push(event.problem("its series is canceled")),
                Ok(event) => {
                    event.changed(known.map_or(change.which, |series| named(series, change.which)), reading, out);
                }
                Err(why) => {
                    out.unread.extend(self.name().map(|name| format!("{name}/{}", change.which.text())));
                    out.problems.push(problem(change.part, why));
                }
            }
        }
        Ok(())
    }

    fn name(&self) -> Option<String> {
        self.versions.iter().chain(&self.changes).next().map(|part| uid(part))
    }
}

/// The time of a series as its own entry is named.
fn named(series: &Event, which: Which) -> Which {
    if series.is_days() { which } else { Which::At(which.start(series.start)) }
}

/// The newest version: by its SEQUENCE, then by its time, then by its place in the file; the others are left out. Two of
/// one SEQUENCE and time that say another time, or another rule, are two events.
fn newest<'a>(
    parts: impl Iterator<Item = &'a Component>,
    out: &mut ImportedCalendar,
) -> Result<Option<&'a Component>, IcalProblem> {
    let rank = |part: &Component| {
        let sequence = part.line("SEQUENCE").and_then(|line| line.value.trim().parse::<u64>().ok());
        (sequence.unwrap_or_default(), stamp(part))
    };
    let mut all: Vec<&Component> = parts.collect();
    all.sort_by_key(|part| Reverse((rank(part), part.number)));
    let mut all = all.into_iter();
    let Some(newest) = all.next() else { return Ok(None) };
    let what = format!("it stands twice in the file; the newer version is that on line {}", newest.number);
    for older in all {
        if rank(older) == rank(newest) && times(older) != times(newest) {
            let what = format!("its UID is that of the event on line {} too, and neither is newer", newest.number);
            return Err(problem(older, (older.number, what)));
        }
        out.left_out.push(problem(older, (older.number, what.clone())));
    }
    Ok(Some(newest))
}

/// DTSTAMP, or when it was last changed.
fn stamp(part: &Component) -> Option<NaiveDateTime> {
    let line = part.line("DTSTAMP").or_else(|| part.line("LAST-MODIFIED"))?;
    written(&line.value).map(Written::local)
}

fn expand(
    event: &Event,
    changes: &[SeriesChange<'_>],
    (reading, out): (&Reading, &mut ImportedCalendar),
) -> Result<(), IcalError> {
    if event.is_left_out(reading, out) {
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
            out.unread.push(event.uid.clone());
            out.problems.push(event.problem(&what));
            return Ok(());
        }
    };
    if starts.is_empty() {
        out.left_out.push(event.problem("it is not in the time that was asked for"));
    }
    let is_series = event.repeat.is_some() || !event.also.is_empty();
    let gone = |start: NaiveDateTime| {
        event.never.iter().chain(changes.iter().map(|change| &change.which)).any(|which| which.is(start))
    };
    for (start, lasting) in starts.into_iter().filter(|(start, _)| !gone(*start)) {
        let which = if event.is_days() { Which::On(start.date()) } else { Which::At(start) };
        let onward = changes.iter().rfind(|change| is_onward(change.part) && change.which.start(event.start) <= start);
        match onward.map(|change| (change, &change.event)) {
            None => event.occurs((start, lasting), is_series.then_some(which), (reading, out)),
            Some((change, Ok(later))) => {
                if !later.is_left_out(reading, &mut ImportedCalendar::default()) {
                    let moved = start + (later.start - change.which.start(event.start));
                    later.occurs((moved, later.lasting), Some(which), (reading, out));
                }
            }
            Some((change, Err(_))) => {
                out.unread.push(format!("{}/{}", event.uid, which.text()));
                let what = format!("{} is changed on line {}, which is not read", which.text(), change.part.number);
                out.problems.push(event.problem(&what));
            }
        }
    }
    Ok(())
}

impl Event {
    /// The local times at which it comes, in order, each once, and how long it lasts then.
    fn starts(&self, reading: &Reading) -> Result<Vec<(NaiveDateTime, Lasting)>, RepeatError> {
        let wall = |at| self.zone.wall(at);
        let (from, until) = (reading.window.from.map(wall), reading.window.until.map(wall));
        let is_wanted = |(at, _): &(NaiveDateTime, Option<Lasting>)| {
            from.is_none_or(|from| from <= *at) && until.is_none_or(|until| *at < until)
        };
        // a period's own length wins over that of the rule
        let mut starts: Vec<(NaiveDateTime, Option<Lasting>)> =
            self.also.iter().copied().chain([(self.start, None)]).filter(is_wanted).collect();
        if let Some((_, repeat)) = &self.repeat {
            starts.extend(repeat.starts(self.start, wall, reading.window)?.into_iter().map(|at| (at, None)));
        }
        starts.sort_by_key(|(at, lasting)| (*at, lasting.is_none()));
        starts.dedup_by_key(|(at, _)| *at);
        let starts = starts.into_iter().map(|(at, lasting)| (at, lasting.unwrap_or(self.lasting)));
        Ok(starts.filter(|(_, lasting)| !lasting.is_nothing()).collect())
    }

    /// Tells of an event that takes no time, by rule.
    fn is_left_out(&self, reading: &Reading, out: &mut ImportedCalendar) -> bool {
        let what = match self.standing {
            Standing::Canceled => "it is canceled",
            Standing::Free if reading.free == FreeTime::LeaveOut => "it is marked as free time",
            Standing::Moment => "it takes no time: it ends when it starts",
            Standing::Takes | Standing::Free => return false,
        };
        out.left_out.push(self.problem(what));
        true
    }

    /// Adds the time that stands for another one of a series.
    fn changed(&self, which: Which, reading: &Reading, out: &mut ImportedCalendar) {
        if self.is_left_out(reading, out) {
            return;
        }
        match self.starts(reading).ok().and_then(|starts| starts.first().copied()) {
            Some(start) => self.occurs(start, Some(which), (reading, out)),
            None => out.left_out.push(self.problem("it is not in the time that was asked for")),
        }
    }

    /// Adds an occurrence. A time that the clocks jump over is none of a series, and a wrong one of a single event.
    fn occurs(
        &self,
        (start, lasting): (NaiveDateTime, Lasting),
        which: Option<Which>,
        (reading, out): (&Reading, &mut ImportedCalendar),
    ) {
        match self.at(start, lasting, reading.zone) {
            Ok(time) => out.entries.push(self.entry(which, time)),
            Err(error) if self.repeat.is_some() => {
                // nobody can choose another time there, as the rest of the sentence asks
                let what = error.to_string();
                out.left_out.push(self.problem(what.split(';').next().unwrap_or(&what)));
            }
            Err(error) => {
                out.unread.push(self.uid.clone());
                out.problems.push(self.problem(&error.to_string()));
            }
        }
    }

    fn entry(&self, which: Option<Which>, (local, slot): (LocalSlot, Slot)) -> CalendarEntry {
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
