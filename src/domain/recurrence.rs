//! Recurrences: an RRULE and a local start, expanded to local times.
//!
//! A recurrence is of the wall: ten o'clock stays ten o'clock when the clocks change. So the rule runs over
//! local times as if no clock ever changed, and each is then looked up in its zone: one that does not exist
//! there is told with the reason, one that comes twice is the first.
//!
//! # Invariants
//! - Nothing endless is expanded: a rule has an end of its own, or a window has.
//! - No more than [`TIMES_MAX`] times come out of one rule.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta};
use chrono_tz::Tz;

use crate::domain::text::{clean, fit};
use crate::domain::time::{Instant, Slot, TimeError, day_start, local_at, resolve};

mod rule;
mod words;

use rule::{Rule, YEAR_MAX};

pub use words::{WordsError, occurrences, slots, without_hours};

/// The most times that one rule may mean.
pub const TIMES_MAX: usize = 2_000;

/// The most times that one rule is followed, from its start on, whether they are wanted or not.
const STEPS_MAX: usize = 200_000;

const _: () = assert!(TIMES_MAX < STEPS_MAX, "what is wanted is followed to its end");

/// A rule by which something comes again.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    text: String,
    rule: Rule,
    until: Option<Until>,
}

/// UNTIL of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    Date(NaiveDate),
    Local(NaiveDateTime),
    Instant(Instant),
}

/// Bounds of the requested occurrences; `None` is unbounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From this on.
    pub from: Option<Instant>,
    /// Before this.
    pub until: Option<Instant>,
}

/// A stretch of local time, before any zone was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalSlot {
    Times(NaiveDateTime, NaiveDateTime),
    /// Whole days, the last not included.
    Days(NaiveDate, NaiveDate),
}

/// One time of a recurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub local: LocalSlot,
    pub slot: Result<Slot, TimeError>,
}

/// Errors of a recurrence rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepeatError {
    #[error(
        "{text:?} is no rule for repeating ({problem}); write it like FREQ=WEEKLY;COUNT=10 or FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231"
    )]
    Rule { text: String, problem: String },
    #[error("{text:?} never ends; give it an end, with COUNT=10 or UNTIL=20261231, or ask for a window")]
    Endless { text: String },
    #[error("{text:?} comes more than {TIMES_MAX} times; give it an earlier end")]
    TooMany { text: String },
    /// The rule yields too many times before the window begins.
    #[error("{text:?} comes too often to be followed from its start; give it a later one")]
    TooOften { text: String },
    #[error("{text:?} never comes after its start; check its days and its end")]
    Never { text: String },
    #[error("{text:?} does not come on {start}; its first time is {first}, so start there")]
    NotAtStart { text: String, start: String, first: String },
}

impl Repeat {
    /// Reads a rule, with or without `RRULE:` before it.
    ///
    /// # Errors
    /// The text is no rule, or names two ends.
    pub fn parse(text: &str) -> Result<Self, RepeatError> {
        let upper = text.trim().to_uppercase();
        let text = upper.strip_prefix("RRULE:").unwrap_or(&upper).to_owned();
        let wrong = |problem: &str| RepeatError::Rule { text: shown(&text), problem: problem.to_owned() };
        let (ends, parts): (Vec<&str>, Vec<&str>) = text
            .split(';')
            .filter(|part| !part.trim().is_empty())
            .partition(|part| part.trim_start().starts_with("UNTIL="));
        let until = match ends.as_slice() {
            [] => None,
            [end] if !parts.iter().any(|part| part.starts_with("COUNT=")) => {
                Some(Until::parse(end).ok_or_else(|| wrong("its UNTIL is no date"))?)
            }
            _ => return Err(wrong("it names two ends")),
        };
        let rule = parts.join(";").parse().map_err(|problem: String| wrong(&problem))?;
        Ok(Self { text, rule, until })
    }

    /// Text of the rule.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the rule has no end.
    pub fn is_endless(&self) -> bool {
        self.until.is_none() && self.rule.count.is_none()
    }

    /// The local times at which it comes, from a local start on, as far as they start in the window. The start comes in
    /// any case, and counts as the first. `wall` reads an instant on the wall of the rule's zone.
    ///
    /// # Errors
    /// Neither it nor the window ends, or it comes too often.
    pub fn starts(
        &self,
        start: NaiveDateTime,
        wall: impl Fn(Instant) -> NaiveDateTime,
        window: Window,
    ) -> Result<Vec<NaiveDateTime>, RepeatError> {
        let last = self.until.map(|until| until.on_wall(&wall).max(start));
        let others = self.rule.times(start).filter(|at| *at != start);
        self.within(std::iter::once(start).chain(others), last, (window.from.map(&wall), window.until.map(&wall)))
    }

    /// Of times in order, those up to the last and in a window.
    fn within(
        &self,
        times: impl Iterator<Item = NaiveDateTime>,
        last: Option<NaiveDateTime>,
        (first, end): (Option<NaiveDateTime>, Option<NaiveDateTime>),
    ) -> Result<Vec<NaiveDateTime>, RepeatError> {
        if self.is_endless() && end.is_none() {
            return Err(RepeatError::Endless { text: shown(&self.text) });
        }
        let mut found = Vec::new();
        for (step, at) in times.take(self.rule.count.unwrap_or(usize::MAX)).enumerate() {
            if step >= STEPS_MAX {
                return Err(RepeatError::TooOften { text: shown(&self.text) });
            }
            if at.year() > YEAR_MAX || last.is_some_and(|last| at > last) || end.is_some_and(|end| at >= end) {
                break;
            }
            if first.is_none_or(|first| at >= first) {
                found.push(at);
            }
            if found.len() > TIMES_MAX {
                return Err(RepeatError::TooMany { text: shown(&self.text) });
            }
        }
        Ok(found)
    }

    /// Occurrences in a zone, from the first on, which must be an occurrence.
    ///
    /// # Errors
    /// The rule has no end, no occurrence or too many, or none at the requested start.
    pub fn occurrences(&self, first: LocalSlot, zone: Tz) -> Result<Vec<Occurrence>, RepeatError> {
        let all = self.coming(first, zone)?;
        match all.first().map(|one| one.local) {
            Some(at) if at.start() != first.start() => {
                Err(RepeatError::NotAtStart { text: shown(&self.text), start: first.bounds().0, first: at.bounds().0 })
            }
            _ => Ok(all),
        }
    }

    /// Each time it comes in a zone, from a time on.
    fn coming(&self, from: LocalSlot, zone: Tz) -> Result<Vec<Occurrence>, RepeatError> {
        let of_days = matches!(from, LocalSlot::Days(..)).then(|| self.of_days()).transpose()?;
        let repeat = of_days.as_ref().unwrap_or(self);
        let last = self.until.map(|until| until.on_wall(|at: Instant| at.in_zone(zone).naive_local()));
        let starts = repeat.within(repeat.rule.times(from.start()), last, (None, None))?;
        if starts.is_empty() {
            return Err(RepeatError::Never { text: shown(&self.text) });
        }
        let occurrence = |at: NaiveDateTime| {
            let local = from.starting(at);
            Occurrence { local, slot: local.slot(zone) }
        };
        Ok(starts.into_iter().map(occurrence).collect())
    }

    /// Rule for whole days: without hours, and with its end on the date as it is written.
    ///
    /// # Errors
    /// It comes more often than daily.
    pub fn of_days(&self) -> Result<Self, RepeatError> {
        let often =
            || RepeatError::Rule { text: shown(&self.text), problem: "whole days come daily at most".to_owned() };
        let rule = self.rule.of_days().ok_or_else(often)?;
        let until = self.until.map(|until| Until::Date(until.on_wall(|at| at.in_zone(Tz::UTC).naive_utc()).date()));
        Ok(Self { text: self.text.clone(), rule, until })
    }
}

/// A rule as an error shows it.
fn shown(text: &str) -> String {
    fit(&clean(text), 80)
}

impl Until {
    fn parse(part: &str) -> Option<Self> {
        let text = part.trim().strip_prefix("UNTIL=")?;
        if let Some(text) = text.strip_suffix('Z') {
            let utc = NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").ok()?;
            return Some(Self::Instant(Instant::from_millis(utc.and_utc().timestamp_millis())));
        }
        let time = NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").map(Self::Local);
        let date = || NaiveDate::parse_from_str(text, "%Y%m%d").map(Self::Date);
        time.or_else(|_| date()).ok()
    }

    /// The last local time, included.
    fn on_wall(self, wall: impl Fn(Instant) -> NaiveDateTime) -> NaiveDateTime {
        match self {
            Self::Date(date) => date.and_hms_opt(23, 59, 59).unwrap_or_default(),
            Self::Local(at) => at,
            Self::Instant(at) => wall(at),
        }
    }
}

impl LocalSlot {
    /// First local moment.
    pub fn start(&self) -> NaiveDateTime {
        match self {
            Self::Times(from, _) => *from,
            Self::Days(from, _) => from.and_time(chrono::NaiveTime::MIN),
        }
    }

    /// Moves to another start; the length of wall time stays.
    #[must_use]
    pub fn starting(&self, at: NaiveDateTime) -> Self {
        match self {
            Self::Times(from, until) => Self::Times(at, later(at, *until - *from)),
            Self::Days(from, until) => {
                let last = at.date().checked_add_signed(*until - *from);
                Self::Days(at.date(), last.unwrap_or(NaiveDate::MAX))
            }
        }
    }

    /// Slot in a zone; the first one if the clock shows that time twice.
    ///
    /// # Errors
    /// The zone has no such time, or it is empty or backwards.
    pub fn slot(&self, zone: Tz) -> Result<Slot, TimeError> {
        match self {
            Self::Times(from, until) => {
                // the last segment before a gap ends where the gap does
                let before = *until - TimeDelta::minutes(1);
                let end = first(*until, zone).or_else(|gap| match resolve(before, zone) {
                    Ok(_) => Ok(local_at(*until, zone)),
                    Err(_) => Err(gap),
                })?;
                Slot::new(first(*from, zone)?, end)
            }
            Self::Days(from, until) => Slot::new(day_start(*from, zone), day_start(*until, zone)),
        }
    }

    /// Start and end as typed.
    pub fn bounds(&self) -> (String, String) {
        match self {
            Self::Times(from, until) => {
                let text = |at: &NaiveDateTime| at.format("%Y-%m-%dT%H:%M").to_string();
                (text(from), text(until))
            }
            Self::Days(from, until) => (from.to_string(), until.to_string()),
        }
    }
}

fn later(at: NaiveDateTime, by: TimeDelta) -> NaiveDateTime {
    at.checked_add_signed(by).unwrap_or(NaiveDateTime::MAX)
}

/// The instant of a local time, the first of two.
fn first(local: NaiveDateTime, zone: Tz) -> Result<Instant, TimeError> {
    match resolve(local, zone) {
        Err(TimeError::Fold { .. }) => Ok(local_at(local, zone)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::parse_date;
    use chrono_tz::{Africa, Europe};

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M").unwrap()
    }

    fn times(rule: &str, from: &str, until: &str) -> Vec<String> {
        found(rule, LocalSlot::Times(at(from), at(until)))
    }

    fn found(rule: &str, first: LocalSlot) -> Vec<String> {
        let repeat = Repeat::parse(rule).unwrap();
        let all = repeat.occurrences(first, Europe::Berlin).unwrap();
        all.iter()
            .map(|one| match &one.slot {
                Ok(slot) => slot.from().rfc3339(Europe::Berlin),
                Err(missed) => missed.to_string(),
            })
            .collect()
    }

    #[test]
    fn wall_time_is_kept_when_the_clocks_change() {
        let weekly = times("FREQ=WEEKLY;COUNT=3", "2026-10-18T10:05", "2026-10-18T11:30");
        assert_eq!(weekly, ["2026-10-18T10:05:00+02:00", "2026-10-25T10:05:00+01:00", "2026-11-01T10:05:00+01:00"]);
    }

    #[test]
    fn every_day_of_a_change_comes_once_also_at_night() {
        let nightly = times("RRULE:FREQ=DAILY;COUNT=4", "2026-10-24T02:30", "2026-10-24T03:30");
        assert_eq!(
            nightly,
            [
                "2026-10-24T02:30:00+02:00",
                "2026-10-25T02:30:00+02:00",
                "2026-10-26T02:30:00+01:00",
                "2026-10-27T02:30:00+01:00"
            ]
        );
    }

    #[test]
    fn a_time_in_the_gap_is_told_with_its_reason_and_the_others_stay() {
        let nightly = times("FREQ=DAILY;COUNT=3", "2026-03-28T02:30", "2026-03-28T03:30");
        assert_eq!(nightly[0], "2026-03-28T02:30:00+01:00");
        assert!(nightly[1].contains("does not exist in Europe/Berlin"), "{nightly:?}");
        assert_eq!(nightly[2], "2026-03-30T02:30:00+02:00");
        // an event that ends where the gap begins is no conflict
        let before = times("FREQ=DAILY;COUNT=2", "2026-03-28T01:00", "2026-03-28T02:00");
        assert_eq!(before[1], "2026-03-29T01:00:00+01:00");
    }

    #[test]
    fn an_end_includes_its_day_and_a_utc_end_is_read_on_the_wall() {
        let until = |end: &str| {
            let rule = format!("FREQ=DAILY;UNTIL={end}");
            times(&rule, "2026-12-01T10:00", "2026-12-01T11:00").len()
        };
        assert_eq!(until("20261203"), 3);
        assert_eq!(until("20261203T100000"), 3);
        assert_eq!(until("20261203T090000Z"), 3);
        assert_eq!(until("20261203T085959Z"), 2);
    }

    #[test]
    fn nights_are_local_days_also_where_a_day_has_no_midnight() {
        let first = LocalSlot::Days(parse_date("2026-04-23").unwrap(), parse_date("2026-04-24").unwrap());
        let repeat = Repeat::parse("FREQ=DAILY;COUNT=2").unwrap();
        let all = repeat.occurrences(first, Africa::Cairo).unwrap();
        let second = all[1].slot.clone().unwrap();
        assert_eq!(second.from().rfc3339(Africa::Cairo), "2026-04-24T01:00:00+03:00");
        assert_eq!(second.span().millis(), 23 * 3_600_000);
    }

    #[test]
    fn what_never_ends_asks_for_an_end_or_a_window() {
        let repeat = Repeat::parse("FREQ=WEEKLY;BYDAY=MO").unwrap();
        let wall = |at: Instant| at.in_zone(Tz::UTC).naive_local();
        let start = at("1970-01-05T10:00");
        let ask = |window| repeat.starts(start, wall, window);
        assert!(matches!(ask(Window::default()), Err(RepeatError::Endless { .. })));
        // a rule with too many times before the window is not expanded that far
        let often = Repeat::parse("FREQ=SECONDLY;UNTIL=20991231T000000Z").unwrap();
        let late = Window { from: Some(Instant::from_millis(1_800_000_000_000)), until: None };
        assert!(matches!(often.starts(start, wall, late), Err(RepeatError::TooOften { .. })));
        let day = |text: &str| Some(day_start(parse_date(text).unwrap(), Tz::UTC));
        let window = Window { from: day("2026-12-01"), until: day("2026-12-15") };
        assert_eq!(ask(window).unwrap(), [at("2026-12-07T10:00"), at("2026-12-14T10:00")]);
        let long = Window { from: None, until: day("2026-12-15") };
        assert!(matches!(ask(long), Err(RepeatError::TooMany { .. })));
    }

    #[test]
    fn a_rule_that_makes_no_sense_says_what_is_wrong_with_it() {
        for (rule, part) in [
            ("", "write it like"),
            ("weekly", "write it like"),
            ("FREQ=SOMETIMES", "SOMETIMES"),
            ("FREQ=DAILY;COUNT=0", "COUNT is 0"),
            ("FREQ=DAILY;INTERVAL=0;COUNT=2", "INTERVAL is 0"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20261231", "two ends"),
            ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL is no date"),
            ("FREQ=DAILY;BYMONTH=13;COUNT=2", "13"),
            ("FREQ=DAILY;BYMONTH=0;COUNT=2", "BYMONTH is not 0"),
            ("FREQ=WEEKLY;BYDAY=1MO;COUNT=2", "of months and years"),
            ("FREQ=WEEKLY;BYMONTHDAY=1;COUNT=2", "not of FREQ=WEEKLY"),
            ("FREQ=MONTHLY;BYWEEKNO=1;COUNT=2", "BYWEEKNO"),
            ("FREQ=DAILY;BYYEARDAY=1;COUNT=2", "BYYEARDAY"),
            ("FREQ=DAILY;BYSETPOS=1;COUNT=2", "chooses from nothing"),
            ("RSCALE=HEBREW;FREQ=DAILY;COUNT=2", "nobody knows RSCALE"),
            ("FREQ=DAILY;COUNT=2;COUNT=3", "COUNT twice"),
        ] {
            let first = LocalSlot::Times(at("2026-12-24T10:00"), at("2026-12-24T11:00"));
            let error = Repeat::parse(rule).and_then(|repeat| repeat.occurrences(first, Tz::UTC)).unwrap_err();
            assert!(error.to_string().contains(part), "{rule}: {error}");
        }
    }

    /// Starts of a rule from a time on, whether the rule has that time or not.
    fn starts(rule: &str, start: &str) -> Vec<String> {
        let wall = |at: Instant| at.in_zone(Tz::UTC).naive_local();
        let all = Repeat::parse(rule).unwrap().starts(at(start), wall, Window::default());
        all.unwrap().iter().map(|at| at.format("%a %-d %b %Y").to_string()).collect()
    }

    #[test]
    fn places_are_chosen_in_the_whole_period_also_in_the_first() {
        let working_days = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3;COUNT=3";
        assert_eq!(starts(working_days, "2031-02-05T10:00"), ["Wed 5 Feb 2031", "Mon 10 Feb 2031", "Wed 12 Feb 2031"]);
        let from_sunday = "FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO,WE;BYSETPOS=2;COUNT=2";
        assert_eq!(starts(from_sunday, "2031-02-03T10:00"), ["Mon 3 Feb 2031", "Mon 10 Feb 2031"]);
        let last = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2";
        assert_eq!(starts(last, "2031-02-28T10:00"), ["Fri 28 Feb 2031", "Mon 31 Mar 2031"]);
        let second = "FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1;BYSETPOS=2;COUNT=2";
        assert_eq!(starts(second, "2031-09-01T10:00"), ["Mon 1 Sep 2031", "Wed 1 Sep 2032"]);
    }

    #[test]
    fn the_start_is_the_first_of_the_count_also_off_the_rule() {
        assert_eq!(starts("FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2031-02-05T10:00"), ["Wed 5 Feb 2031", "Mon 10 Feb 2031"]);
        assert_eq!(starts("FREQ=WEEKLY;UNTIL=20310101", "2031-02-05T10:00"), ["Wed 5 Feb 2031"]);
    }

    #[test]
    fn weeks_begin_where_the_rule_says() {
        let every_other =
            |from: &str| starts(&format!("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST={from}"), "1997-08-05T09:00");
        assert_eq!(every_other("MO"), ["Tue 5 Aug 1997", "Sun 10 Aug 1997", "Tue 19 Aug 1997", "Sun 24 Aug 1997"]);
        assert_eq!(every_other("SU"), ["Tue 5 Aug 1997", "Sun 17 Aug 1997", "Tue 19 Aug 1997", "Sun 31 Aug 1997"]);
    }

    #[test]
    fn what_a_rule_of_years_leaves_open_is_that_of_its_start() {
        let week = starts("FREQ=YEARLY;BYWEEKNO=20;COUNT=2", "1997-05-15T09:00");
        assert_eq!(week, ["Thu 15 May 1997", "Thu 14 May 1998"]);
        let day = starts("FREQ=YEARLY;BYMONTHDAY=29;COUNT=3", "2031-05-29T09:00");
        assert_eq!(day, ["Thu 29 May 2031", "Sat 29 May 2032", "Sun 29 May 2033"]);
        let last_week = starts("FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO;COUNT=3", "2031-12-22T09:00");
        assert_eq!(last_week, ["Mon 22 Dec 2031", "Mon 27 Dec 2032", "Mon 26 Dec 2033"]);
    }

    #[test]
    fn whole_days_have_no_hours() {
        let day = |text: &str| parse_date(text).unwrap();
        let first = LocalSlot::Days(day("2031-02-05"), day("2031-02-06"));
        assert_eq!(found("FREQ=DAILY;BYHOUR=9,10;BYMINUTE=30;COUNT=2", first).len(), 2);
        let hourly = Repeat::parse("FREQ=HOURLY;COUNT=2").unwrap().occurrences(first, Tz::UTC);
        assert!(hourly.unwrap_err().to_string().contains("daily at most"));
    }

    #[test]
    fn the_first_time_is_the_one_that_was_asked_for() {
        let first = LocalSlot::Times(at("2026-12-01T10:00"), at("2026-12-01T11:00"));
        let mondays = Repeat::parse("FREQ=WEEKLY;BYDAY=MO;COUNT=2").unwrap();
        let error = mondays.occurrences(first, Tz::UTC).unwrap_err();
        assert!(error.to_string().contains("2026-12-07T10:00"), "{error}");
        let never = Repeat::parse("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2").unwrap();
        let error = never.occurrences(first, Tz::UTC).unwrap_err();
        assert!(matches!(error, RepeatError::Never { .. }), "{error}");
    }
}
