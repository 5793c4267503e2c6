//! One event of a file, its lines understood but not yet expanded.

use std::cmp::Ordering;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use crate::domain::recurrence::{LocalSlot, Repeat};
use crate::domain::text::{clean, fit};

use super::IcalProblem;
use super::lines::{Component, Line};
use super::values::{Written, length, unescaped, written};
use super::zones::{Zone, Zones};

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) line: usize,
    pub(super) uid: String,
    pub(super) title: String,
    pub(super) note: String,
    pub(super) first: LocalSlot,
    pub(super) zone: Zone,
    /// The recurrence rule, and the number of its line.
    pub(super) repeat: Option<(usize, Repeat)>,
    pub(super) also: Vec<NaiveDateTime>,
    /// Times at which it does not come.
    pub(super) never: Vec<Which>,
    /// The time of a recurrence that it stands for instead.
    pub(super) instead_of: Option<Which>,
    pub(super) standing: Standing,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

pub(super) struct Reader<'a> {
    pub(super) zones: &'a Zones,
    /// The zone of whole days and of times that name none.
    pub(super) zone: Tz,
}

/// A line that cannot be understood, and why.
type Odd = (usize, String);

impl Reader<'_> {
    pub(super) fn event(&self, part: &Component) -> Result<Event, IcalProblem> {
        let title = text(part, "SUMMARY", 120);
        self.read(part, &title).map_err(|(line, what)| IcalProblem { line, title, what })
    }

    fn read(&self, part: &Component, title: &str) -> Result<Event, Odd> {
        let start = part
            .line("DTSTART")
            .ok_or((part.number, "it has no DTSTART, so it has no time; correct it where it comes from".to_owned()))?;
        let (from, zone) = self.moment(start)?;
        let first = self.first(part, from, &zone)?;
        let wall = |line: &Line| self.which(line, &zone);
        let never = part.all("EXDATE").map(wall).collect::<Result<Vec<_>, Odd>>()?;
        let also = part.all("RDATE").map(wall).collect::<Result<Vec<_>, Odd>>()?;
        let instead_of = part.line("RECURRENCE-ID");
        beyond(part, instead_of)?;
        let instead_of = instead_of.map(wall).transpose()?;
        Ok(Event {
            line: part.number,
            uid: uid(part),
            title: title.to_owned(),
            note: note(part),
            first,
            repeat: repeat(part)?,
            also: also.into_iter().flatten().map(|which| starts(which, first)).collect(),
            never: never.into_iter().flatten().collect(),
            instead_of: instead_of.and_then(|which| which.first().copied()),
            standing: standing(part, first),
            zone,
        })
    }

    /// A time, and whose wall it is on.
    fn moment(&self, line: &Line) -> Result<(Written, Zone), Odd> {
        let at = written(&line.value).ok_or_else(|| not_a_time(line, &line.value))?;
        Ok((at, self.zone_of(line, at)?))
    }

    fn zone_of(&self, line: &Line, at: Written) -> Result<Zone, Odd> {
        match (at, line.param("TZID")) {
            (Written::Utc(_), _) => Ok(Zone::Named(Tz::UTC)),
            (Written::Local(_), Some(name)) => self.zones.named(name).ok_or_else(|| {
                let name = fit(&clean(name), 60);
                (line.number, format!("nobody knows the time zone '{name}'; name one like Europe/London there"))
            }),
            (Written::Local(_) | Written::Date(_), _) => Ok(Zone::Named(self.zone)),
        }
    }

    /// The first time, from its start, its end or its length.
    fn first(&self, part: &Component, from: Written, zone: &Zone) -> Result<LocalSlot, Odd> {
        let end = part.line("DTEND");
        let until = match (end, part.line("DURATION")) {
            (Some(line), _) => Some(wall_of(self.moment(line)?, zone, line)?),
            (None, Some(line)) => Some(after(from, line)?),
            (None, None) => None,
        };
        match from {
            Written::Date(from) => days(from, until.map(|until| until.date())),
            Written::Local(from) if is_whole_days(part, from, until) => {
                days(from.date(), until.map(|until| until.date()))
            }
            Written::Local(from) | Written::Utc(from) => times(from, until.unwrap_or(from)),
        }
        .map_err(|what| (end.map_or(part.number, |line| line.number), what.to_owned()))
    }

    /// The times that a line lists, on a zone's wall.
    fn which(&self, line: &Line, zone: &Zone) -> Result<Vec<Which>, Odd> {
        let one = |text: &str| {
            // of a period only the start counts
            let text = text.split('/').next().unwrap_or(text);
            let at = written(text).ok_or_else(|| not_a_time(line, text))?;
            if let Written::Date(date) = at {
                return Ok(Which::On(date));
            }
            let own = self.zone_of(line, at)?;
            wall_of((at, own), zone, line).map(Which::At)
        };
        let texts = line.value.split(',').filter(|text| !text.trim().is_empty());
        texts.map(one).collect()
    }
}

fn not_a_time(line: &Line, text: &str) -> Odd {
    let text = fit(&clean(text), 40);
    (line.number, format!("'{text}' is no date or time; write it like 20261201T100500 there"))
}

const BACKWARDS: &str = "it ends before it starts; correct it where it comes from";

/// Whole days; some write one day as from itself until itself.
fn days(from: NaiveDate, until: Option<NaiveDate>) -> Result<LocalSlot, &'static str> {
    let next = from.succ_opt().ok_or(BACKWARDS)?;
    let until = until.unwrap_or(next);
    if until < from {
        return Err(BACKWARDS);
    }
    Ok(LocalSlot::Days(from, until.max(next)))
}

fn times(from: NaiveDateTime, until: NaiveDateTime) -> Result<LocalSlot, &'static str> {
    match until.cmp(&from) {
        Ordering::Less => Err(BACKWARDS),
        Ordering::Equal | Ordering::Greater => Ok(LocalSlot::Times(from, until)),
    }
}

/// A length after a start.
fn after(from: Written, line: &Line) -> Result<NaiveDateTime, Odd> {
    let from = match from {
        Written::Date(date) => date.and_time(NaiveTime::MIN),
        Written::Local(from) | Written::Utc(from) => from,
    };
    length(&line.value).and_then(|span| from.checked_add_signed(span)).ok_or_else(|| {
        let text = fit(&clean(&line.value), 40);
        let what = format!("'{text}' is no length; write it like PT1H30M there");
        (line.number, what)
    })
}

/// A moment on another zone's wall.
fn wall_of((at, own): (Written, Zone), zone: &Zone, line: &Line) -> Result<NaiveDateTime, Odd> {
    let local = match at {
        Written::Date(date) => return Ok(date.and_time(NaiveTime::MIN)),
        Written::Local(local) | Written::Utc(local) => local,
    };
    if let (Zone::Named(own), Zone::Named(zone)) = (&own, zone)
        && own == zone
    {
        return Ok(local);
    }
    let at = own.instant(local).map_err(|error| (line.number, error.to_string()))?;
    Ok(zone.wall(at))
}

fn starts(which: Which, first: LocalSlot) -> NaiveDateTime {
    match which {
        Which::At(at) => at,
        Which::On(date) => date.and_time(first.start().time()),
    }
}

/// Outlook marks whole days, and writes some as from midnight until midnight.
fn is_whole_days(part: &Component, from: NaiveDateTime, until: Option<NaiveDateTime>) -> bool {
    let midnight = |at: NaiveDateTime| at.time() == NaiveTime::MIN;
    let is_marked =
        part.line("X-MICROSOFT-CDO-ALLDAYEVENT").is_some_and(|line| line.value.trim().eq_ignore_ascii_case("TRUE"));
    is_marked && midnight(from) && until.is_some_and(midnight)
}

/// Refuses recurrence features that are not supported: reading them in part would give wrong times.
fn beyond(part: &Component, instead_of: Option<&Line>) -> Result<(), Odd> {
    let odd = |line: &Line, what: &str| {
        let advice = "change these times one by one where it comes from";
        Err((line.number, format!("{what}; {advice}")))
    };
    if let Some(line) = part.line("EXRULE") {
        return odd(line, "it leaves out times by a rule, an EXRULE");
    }
    if let Some(line) = part.all("RRULE").nth(1) {
        return odd(line, "it repeats by more than one rule");
    }
    match instead_of.filter(|line| line.param("RANGE").is_some()) {
        Some(line) => odd(line, "it changes all times that come after it too"),
        None => Ok(()),
    }
}

fn repeat(part: &Component) -> Result<Option<(usize, Repeat)>, Odd> {
    let Some(line) = part.line("RRULE") else {
        return Ok(None);
    };
    let repeat = Repeat::parse(&line.value).map_err(|error| (line.number, error.to_string()))?;
    Ok(Some((line.number, repeat)))
}

fn standing(part: &Component, first: LocalSlot) -> Standing {
    let says =
        |name: &str, word: &str| part.line(name).is_some_and(|line| line.value.trim().eq_ignore_ascii_case(word));
    if says("STATUS", "CANCELLED") || says("METHOD", "CANCEL") {
        Standing::Canceled
    } else if says("TRANSP", "TRANSPARENT") {
        Standing::Free
    } else if matches!(first, LocalSlot::Times(from, until) if from == until) {
        Standing::Moment
    } else {
        Standing::Takes
    }
}

fn text(part: &Component, name: &str, columns: usize) -> String {
    let value = part.line(name).map_or("", |line| line.value.as_str());
    fit(&clean(&unescaped(value)), columns)
}

fn note(part: &Component) -> String {
    let parts = [text(part, "LOCATION", 80), text(part, "DESCRIPTION", 140)];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(" · ")
}

/// The event's own name; where a file has none, one that comes out the same each time.
fn uid(part: &Component) -> String {
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
