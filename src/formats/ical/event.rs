//! One event of a file, its lines understood but not yet expanded.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use chrono_tz::Tz;

use crate::domain::recurrence::{LocalSlot, Repeat};
use crate::domain::text::{clean, fit};
use crate::domain::time::{Slot, Span, TimeError};

use super::IcalProblem;
use super::lines::{Component, ContentLine, shown};
use super::values::{Written, length, written};
use super::zones::{Zone, Zones};

/// Properties that give an event its times and its name: one that cannot be read spoils its event.
const OF_TIME: [&str; 10] =
    ["DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "UID", "STATUS"];

/// Those that an event has once.
const ONCE: [&str; 5] = ["DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "UID"];

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) line: usize,
    pub(super) uid: String,
    pub(super) title: String,
    pub(super) note: String,
    pub(super) start: NaiveDateTime,
    pub(super) lasting: Lasting,
    pub(super) zone: Zone,
    /// The recurrence rule, and the number of its line.
    pub(super) repeat: Option<(usize, Repeat)>,
    /// Further starts, some with a length of their own.
    pub(super) also: Vec<(NaiveDateTime, Option<Lasting>)>,
    /// Times at which it does not come.
    pub(super) never: Vec<Which>,
    pub(super) standing: Standing,
}

/// Length of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// Whole days.
    Days(TimeDelta),
    /// Until another time on the same wall.
    Wall(TimeDelta),
    /// Days on the wall, then time that goes by.
    Elapsed { days: TimeDelta, time: TimeDelta },
}

impl Lasting {
    /// Returns whether it ends when it starts.
    pub(super) fn is_nothing(self) -> bool {
        match self {
            Self::Days(by) | Self::Wall(by) => by.is_zero(),
            Self::Elapsed { days, time } => (days + time).is_zero(),
        }
    }
}

/// Standing of an event: whether it takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Takes,
    Canceled,
    Free,
    /// An event that ends when it starts.
    Moment,
}

/// Recurrence id: a local time of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Which {
    On(NaiveDate),
    At(NaiveDateTime),
}

impl Which {
    pub(super) fn is(self, start: NaiveDateTime) -> bool {
        match self {
            Self::On(date) => start.date() == date,
            Self::At(at) => start == at,
        }
    }

    /// As it stands in an entry's name.
    pub(super) fn text(self) -> String {
        match self {
            Self::On(date) => date.format("%Y%m%d").to_string(),
            Self::At(at) => at.format("%Y%m%dT%H%M%S").to_string(),
        }
    }

    /// Its start, at the hour of its series where it names a date alone.
    pub(super) fn start(self, series: NaiveDateTime) -> NaiveDateTime {
        match self {
            Self::At(at) => at,
            Self::On(date) => date.and_time(series.time()),
        }
    }
}

impl Event {
    pub(super) const fn is_days(&self) -> bool {
        matches!(self.lasting, Lasting::Days(_))
    }

    /// Time of an occurrence that starts at a local time; whole days are those of a zone.
    pub(super) fn at(&self, start: NaiveDateTime, lasting: Lasting, days: Tz) -> Result<(LocalSlot, Slot), TimeError> {
        let later = |by: TimeDelta| start.checked_add_signed(by).unwrap_or(NaiveDateTime::MAX);
        let local = match lasting {
            Lasting::Days(by) => LocalSlot::Days(start.date(), later(by).date()),
            Lasting::Wall(by) => LocalSlot::Times(start, later(by)),
            Lasting::Elapsed { days, time } => {
                let from = self.zone.instant(start)?;
                let day = if days.is_zero() { from } else { self.zone.instant(later(days))? };
                let until = day + Span::from_millis(time.num_milliseconds());
                return Ok((LocalSlot::Times(start, self.zone.wall(until)), Slot::new(from, until)?));
            }
        };
        let slot = match local {
            LocalSlot::Days(..) => local.slot(days),
            LocalSlot::Times(from, until) => self.zone.slot(from, until),
        };
        Ok((local, slot?))
    }
}

pub(super) struct Reader<'a> {
    pub(super) zones: &'a Zones,
    /// The zone of whole days and of starts that name none.
    pub(super) zone: Tz,
}

/// A line that cannot be understood, and why.
pub(super) type Odd = (usize, String);

/// Lines of an event that say when it is, without their order.
pub(super) fn times(part: &Component) -> BTreeSet<(&str, Option<&str>, &str)> {
    let of_time = part.lines.iter().filter(|line| OF_TIME.contains(&line.name.as_str()));
    of_time.map(|line| (line.name.as_str(), line.param("TZID"), line.value.trim())).collect()
}

pub(super) fn problem(part: &Component, (line, what): Odd) -> IcalProblem {
    IcalProblem { line, title: text(part, "SUMMARY", 120), what }
}

impl Reader<'_> {
    /// Reads an event; times that name no zone are on the wall of its series, if it changes one.
    pub(super) fn event(&self, part: &Component, series: Option<&Event>) -> Result<Event, Odd> {
        whole(part)?;
        let start = part
            .line("DTSTART")
            .ok_or((part.number, "it has no DTSTART, so it has no time; correct it where it comes from".to_owned()))?;
        let house = Zone::Named(self.zone);
        let (from, zone) = self.moment(start, series.map_or(&house, |series| &series.zone))?;
        let lasting = self.lasting(part, from, &zone)?;
        let start = from.local();
        let is_days = matches!(lasting, Lasting::Days(_));
        let never = part.all("EXDATE").map(|line| self.which(line, &zone, is_days)).collect::<Result<Vec<_>, Odd>>()?;
        let also = part.all("RDATE").map(|line| self.also(line, &zone, (start, is_days)));
        let also = also.collect::<Result<Vec<_>, Odd>>()?;
        Ok(Event {
            line: part.number,
            uid: uid(part),
            title: text(part, "SUMMARY", 120),
            note: note(part),
            start,
            repeat: repeat(part, is_days)?,
            standing: standing(part, lasting.is_nothing() && also.iter().flatten().all(|(_, own)| own.is_none())),
            also: also.into_iter().flatten().collect(),
            never: never.into_iter().flatten().collect(),
            lasting,
            zone,
        })
    }

    /// The time of a series that an event stands for, on the wall of the series.
    pub(super) fn instead_of(&self, part: &Component, series: Option<&Event>) -> Result<Option<Which>, Odd> {
        let Some(line) = part.line("RECURRENCE-ID") else {
            return Ok(None);
        };
        if line.is_broken {
            return Err(not_a_time(line, &line.value));
        }
        let house = Zone::Named(self.zone);
        let zone = match (series, part.line("DTSTART")) {
            (Some(series), _) => series.zone.clone(),
            (None, Some(start)) => self.moment(start, &house).map_or(house, |(_, zone)| zone),
            (None, None) => house,
        };
        let which = self.which(line, &zone, series.is_some_and(Event::is_days))?;
        which.first().copied().map(Some).ok_or_else(|| not_a_time(line, &line.value))
    }

    /// A time, and whose wall it is on.
    fn moment(&self, line: &ContentLine, without: &Zone) -> Result<(Written, Zone), Odd> {
        let at = written(&line.value).ok_or_else(|| not_a_time(line, &line.value))?;
        Ok((at, self.zone_of(line, at, without)?))
    }

    fn zone_of(&self, line: &ContentLine, at: Written, without: &Zone) -> Result<Zone, Odd> {
        match (at, line.param("TZID")) {
            (Written::Utc(_), _) => Ok(Zone::Named(Tz::UTC)),
            (Written::Local(_), Some(name)) => self.zones.named(name).ok_or_else(|| {
                let name = fit(&clean(name), 60);
                (line.number, format!("nobody knows the time zone '{name}'; name one like Europe/London there"))
            }),
            (Written::Local(_), None) => Ok(without.clone()),
            (Written::Date(_), _) => Ok(Zone::Named(self.zone)),
        }
    }

    fn lasting(&self, part: &Component, from: Written, zone: &Zone) -> Result<Lasting, Odd> {
        let end = part.line("DTEND");
        let at = end.map(|line| self.moment(line, zone)).transpose()?;
        let length = part.line("DURATION").filter(|_| end.is_none()).map(lasts).transpose()?;
        let line = end.map_or(part.number, |line| line.number);
        let on_wall = at.as_ref().map(|at| wall_of(at, zone, line)).transpose()?;
        let start = from.local();
        if matches!(from, Written::Date(_)) || is_whole_days(part, start, on_wall) {
            let length = length.map(|(days, time)| days + TimeDelta::days(time.num_days()));
            let days = on_wall.map(|until| until.date() - start.date()).or(length);
            // some write one day as from itself until itself
            let days = days.unwrap_or_default();
            return if days < TimeDelta::zero() {
                Err(backwards(line))
            } else {
                Ok(Lasting::Days(days.max(TimeDelta::days(1))))
            };
        }
        let (Some(at), Some(until)) = (at, on_wall) else {
            let (days, time) = length.unwrap_or_default();
            return Ok(Lasting::Elapsed { days, time });
        };
        let lasting = if at.1.is(zone) || matches!(at.0, Written::Date(_)) {
            Lasting::Wall(until - start)
        } else {
            Lasting::Elapsed { days: TimeDelta::zero(), time: elapsed((start, zone), at, line)? }
        };
        match lasting {
            Lasting::Wall(by) | Lasting::Elapsed { time: by, .. } if by < TimeDelta::zero() => Err(backwards(line)),
            Lasting::Days(_) | Lasting::Wall(_) | Lasting::Elapsed { .. } => Ok(lasting),
        }
    }

    /// The times that a line lists, on a zone's wall. For whole days the date counts as it is written.
    fn which(&self, line: &ContentLine, zone: &Zone, is_days: bool) -> Result<Vec<Which>, Odd> {
        let one = |text: &str| self.one(line, (text, zone), is_days);
        line.value.split(',').filter(|text| !text.trim().is_empty()).map(one).collect()
    }

    fn one(&self, line: &ContentLine, (text, zone): (&str, &Zone), is_days: bool) -> Result<Which, Odd> {
        let at = written(text).ok_or_else(|| not_a_time(line, text))?;
        if is_days || matches!(at, Written::Date(_)) {
            return Ok(Which::On(at.local().date()));
        }
        let own = self.zone_of(line, at, zone)?;
        wall_of(&(at, own), zone, line.number).map(Which::At)
    }

    /// The further starts that a line lists; a period has a length of its own.
    fn also(
        &self,
        line: &ContentLine,
        zone: &Zone,
        (series, is_days): (NaiveDateTime, bool),
    ) -> Result<Vec<(NaiveDateTime, Option<Lasting>)>, Odd> {
        let one = |text: &str| {
            let (text, end) = text.split_once('/').map_or((text, None), |(from, end)| (from, Some(end)));
            let start = self.one(line, (text, zone), is_days)?.start(series);
            let wrong = || {
                (
                    line.number,
                    format!("'{}' is no length or end; write it like PT1H30M there", shown(end.unwrap_or_default())),
                )
            };
            if end.is_some() && !is_days && matches!(written(text), Some(Written::Date(_))) {
                return Err(not_a_time(line, text));
            }
            let lasting = match end {
                Some(end) if !is_days => Some(match (length(end), written(end)) {
                    (Some((days, time)), _) => Lasting::Elapsed { days, time },
                    (None, Some(at)) => {
                        let own = self.zone_of(line, at, zone)?;
                        Lasting::Wall(wall_of(&(at, own), zone, line.number)? - start)
                    }
                    (None, None) => return Err(wrong()),
                }),
                Some(_) | None => None,
            };
            Ok((start, lasting))
        };
        line.value.split(',').filter(|text| !text.trim().is_empty()).map(one).collect()
    }
}

fn not_a_time(line: &ContentLine, text: &str) -> Odd {
    (line.number, format!("'{}' is no date or time; write it like 20261201T100500 there", shown(text)))
}

fn backwards(line: usize) -> Odd {
    (line, "it ends before it starts; correct it where it comes from".to_owned())
}

fn lasts(line: &ContentLine) -> Result<(TimeDelta, TimeDelta), Odd> {
    length(&line.value)
        .ok_or_else(|| (line.number, format!("'{}' is no length; write it like PT1H30M there", shown(&line.value))))
}

/// Time that goes by from a start until an end on another wall.
fn elapsed((start, zone): (NaiveDateTime, &Zone), (at, own): (Written, Zone), line: usize) -> Result<TimeDelta, Odd> {
    let odd = |error: TimeError| (line, error.to_string());
    let (from, until) = (zone.instant(start).map_err(odd)?, own.instant(at.local()).map_err(odd)?);
    match until.cmp(&from) {
        Ordering::Less => Err(backwards(line)),
        Ordering::Equal | Ordering::Greater => Ok(TimeDelta::milliseconds(until.since(from).millis())),
    }
}

/// A moment on another zone's wall.
fn wall_of((at, own): &(Written, Zone), zone: &Zone, line: usize) -> Result<NaiveDateTime, Odd> {
    if matches!(at, Written::Date(_)) || own.is(zone) {
        return Ok(at.local());
    }
    let at = own.instant(at.local()).map_err(|error| (line, error.to_string()))?;
    Ok(zone.wall(at))
}

/// Outlook marks whole days, and writes some as from midnight until midnight.
fn is_whole_days(part: &Component, from: NaiveDateTime, until: Option<NaiveDateTime>) -> bool {
    let midnight = |at: NaiveDateTime| at.time() == NaiveTime::MIN;
    let is_marked = part.line("X-MICROSOFT-CDO-ALLDAYEVENT").is_some_and(|line| line.is("TRUE"));
    is_marked && midnight(from) && until.is_some_and(midnight)
}

/// Refuses an event whose times would be read in part: they would be wrong ones.
fn whole(part: &Component) -> Result<(), Odd> {
    let odd = |line: &ContentLine, what: &str| {
        let advice = "change these times one by one where it comes from";
        Err((line.number, format!("{what}; {advice}")))
    };
    if let Some(line) = part.lines.iter().find(|line| line.is_broken && OF_TIME.contains(&line.name.as_str())) {
        return Err((line.number, format!("'{}' cannot be read; correct it where it comes from", shown(&line.value))));
    }
    for name in ONCE {
        let mut all = part.all(name);
        let first = all.next();
        if let Some(line) = all.find(|line| first.is_some_and(|first| first.value != line.value)) {
            return Err((line.number, format!("it has another {name} too; correct it where it comes from")));
        }
    }
    if let Some(line) = part.line("EXRULE") {
        return odd(line, "it leaves out times by a rule, an EXRULE");
    }
    if let Some(line) = rules(part).nth(1) {
        return odd(line, "it repeats by more than one rule");
    }
    let instead_of = part.line("RECURRENCE-ID");
    let range = instead_of.filter(|line| line.param("RANGE").is_some_and(|range| !range.eq_ignore_ascii_case(ONWARD)));
    match (range, instead_of.and_then(|_| rules(part).next())) {
        (Some(line), _) => odd(line, "it changes times before it too"),
        (None, Some(line)) => odd(line, "it repeats, though it stands for one time of another event"),
        (None, None) => Ok(()),
    }
}

const ONWARD: &str = "THISANDFUTURE";

/// Returns whether an event changes all later times of its series too.
pub(super) fn is_onward(part: &Component) -> bool {
    part.line("RECURRENCE-ID").and_then(|line| line.param("RANGE")).is_some()
}

/// Rules of an event; an empty one is none.
fn rules(part: &Component) -> impl Iterator<Item = &ContentLine> {
    part.all("RRULE").filter(|line| !line.value.trim().is_empty())
}

fn repeat(part: &Component, is_days: bool) -> Result<Option<(usize, Repeat)>, Odd> {
    let Some(line) = rules(part).next() else {
        return Ok(None);
    };
    let repeat = Repeat::parse(&line.value);
    let repeat = if is_days { repeat.and_then(|repeat| repeat.of_days()) } else { repeat };
    Ok(Some((line.number, repeat.map_err(|error| (line.number, error.to_string()))?)))
}

fn standing(part: &Component, is_moment: bool) -> Standing {
    let says = |name: &str, word: &str| part.line(name).is_some_and(|line| line.is(word));
    if says("STATUS", "CANCELLED") || says("METHOD", "CANCEL") {
        Standing::Canceled
    } else if says("TRANSP", "TRANSPARENT") {
        Standing::Free
    } else if is_moment {
        Standing::Moment
    } else {
        Standing::Takes
    }
}

fn text(part: &Component, name: &str, columns: usize) -> String {
    let value = part.line(name).filter(|line| !line.is_broken).map_or("", |line| line.value.as_str());
    fit(&clean(value), columns)
}

fn note(part: &Component) -> String {
    let parts = [text(part, "LOCATION", 80), text(part, "DESCRIPTION", 140)];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(" · ")
}

/// The event's own name; where a file has none, one that comes out the same each time.
pub(super) fn uid(part: &Component) -> String {
    let said = part.line("UID").map(|line| clean(&line.value)).unwrap_or_default();
    if !said.is_empty() {
        return said;
    }
    // FNV-1a, which will never be another
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let names = ["SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RECURRENCE-ID"];
    for line in part.lines.iter().filter(|line| names.contains(&line.name.as_str())) {
        for byte in line.name.bytes().chain([b':']).chain(line.value.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("unnamed-{hash:016x}")
}
