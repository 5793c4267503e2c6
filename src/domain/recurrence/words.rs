//! Repeats as people type them: `weekly until 15 dec`, `tue thu 18-20 x10`, `daily x5 except 26 nov`. Words become a
//! rule.

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta, Weekday};

use crate::domain::recurrence::{LocalSlot, Occurrence, Repeat, RepeatError};
use crate::domain::time::{Local, Slot, TimeError, typed};

/// Most units from one time to the next.
const STEP_MAX: u64 = 52;

/// The last day that every month has.
const MONTH_DAYS_LEAST: u32 = 28;

/// A repeat read from words.
struct RepeatWords {
    rule: String,
    /// Hours that replace those of the first time.
    hours: Option<(NaiveTime, NaiveTime)>,
    /// Dates that are left out.
    except: Vec<NaiveDate>,
}

/// Errors of a typed repeat.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    #[error("{0:?} is no repeat; write it like tue 18-20 until 15 dec, daily x5, or FREQ=WEEKLY;COUNT=10")]
    Unknown(String),
    #[error("say how long: until 15 dec, or x10")]
    Endless,
    /// A date that is left out, or the last one, cannot be read.
    #[error(transparent)]
    Date(#[from] TimeError),
    #[error("{0} is none of its dates")]
    NoDate(String),
    #[error("that makes no date; leave fewer out")]
    Nothing,
    #[error(transparent)]
    Rule(#[from] RepeatError),
}

/// Each time of a typed repeat in a zone: of a rule (`FREQ=WEEKLY;COUNT=10`), whose first time is the start, or of words,
/// whose first time is the first of their days from the start on.
///
/// # Errors
/// Neither a rule nor words; no end; no times, or too many.
pub fn occurrences(text: &str, first: LocalSlot, here: Local) -> Result<Vec<Occurrence>, WordsError> {
    if text.contains('=') {
        return Ok(Repeat::parse(text)?.occurrences(first, here.zone)?);
    }
    let words = RepeatWords::read(text, (first.start().date(), here.today()))?;
    let first = words.hours.map_or(first, |hours| at_hours(first, hours));
    let repeat = Repeat { text: text.to_owned(), ..Repeat::parse(&words.rule)? };
    let mut dates = repeat.coming(first, here.zone)?;
    leave_out(&mut dates, &words.except, here)?;
    Ok(dates)
}

/// Slots of a typed repeat, as [`occurrences`] reads it, without some dates.
///
/// # Errors
/// As there; also a date on which the zone has no such time.
pub fn slots(text: &str, except: &[NaiveDate], first: LocalSlot, here: Local) -> Result<Vec<Slot>, WordsError> {
    let mut dates = occurrences(text, first, here)?;
    leave_out(&mut dates, except, here)?;
    dates.into_iter().map(|one| one.slot.map_err(WordsError::Date)).collect()
}

/// Removes dates that are among the others.
fn leave_out(dates: &mut Vec<Occurrence>, except: &[NaiveDate], here: Local) -> Result<(), WordsError> {
    for except in except {
        let at = dates.iter().position(|one| one.local.start().date() == *except);
        dates.remove(at.ok_or_else(|| WordsError::NoDate(here.date(*except)))?);
    }
    if dates.is_empty() { Err(WordsError::Nothing) } else { Ok(()) }
}

/// Removes typed hours; those of the first time hold then.
pub fn without_hours(text: &str) -> String {
    let words = text.split(' ').filter(|word| hours(word).is_none());
    words.collect::<Vec<_>>().join(" ")
}

/// Slot on a day at other hours; an end not after the start is on the next day.
fn at_hours(first: LocalSlot, (from, until): (NaiveTime, NaiveTime)) -> LocalSlot {
    let date = first.start().date();
    let night = TimeDelta::days(i64::from(until <= from));
    LocalSlot::Times(date.and_time(from), date.and_time(until) + night)
}

impl RepeatWords {
    fn read(text: &str, (first, today): (NaiveDate, NaiveDate)) -> Result<Self, WordsError> {
        let lower = text.to_lowercase();
        let [every, until, except] = parts(&lower);
        let (mut unit, mut step, mut days) = (None, 1, Vec::new());
        let (mut end, mut found) = (None, None);
        for word in every.split([' ', ',']).filter(|word| !word.is_empty()) {
            if let Some(times) = times(word) {
                end = Some(format!("COUNT={times}"));
            } else if let Some(hours) = hours(word) {
                found = Some(hours);
            } else if let Ok(number) = word.parse::<u64>() {
                step = number.clamp(1, STEP_MAX);
            } else if let Ok(day) = word.trim_end_matches('s').parse::<Weekday>().or_else(|_| word.parse()) {
                days.push(day);
            } else {
                match word {
                    "every" | "times" => {}
                    "daily" | "day" | "days" => unit = Some("DAILY"),
                    "weekly" | "week" | "weeks" => unit = Some("WEEKLY"),
                    "fortnightly" => (unit, step) = (Some("WEEKLY"), 2),
                    "monthly" | "month" | "months" => unit = Some("MONTHLY"),
                    "weekdays" => days.extend([Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri]),
                    other => return Err(WordsError::Unknown(other.to_owned())),
                }
            }
        }
        let date = |text: &str| typed::last_date(text, (first, today));
        if !until.is_empty() {
            end = Some(date(until.trim())?.format("UNTIL=%Y%m%d").to_string());
        }
        let except = except.split(',').map(str::trim).filter(|one| !one.is_empty());
        let except = except.map(date).collect::<Result<_, _>>()?;
        let end = end.ok_or(WordsError::Endless)?;
        let unit = unit.unwrap_or("WEEKLY");
        let by = match unit {
            "MONTHLY" => by_month_day(first),
            "WEEKLY" => by_days(&days),
            _ => String::new(),
        };
        Ok(Self { rule: format!("FREQ={unit};INTERVAL={step}{by};{end}"), hours: found, except })
    }
}

/// Words before `until` and `except`, and those after each.
fn parts(text: &str) -> [String; 3] {
    let (mut parts, mut at) = ([String::new(), String::new(), String::new()], 0);
    for word in text.split_whitespace() {
        match word {
            "until" => at = 1,
            "except" => at = 2,
            _ => {
                if let Some(part) = parts.get_mut(at) {
                    part.extend([word, " "]);
                }
            }
        }
    }
    parts
}

/// Part of a rule for days of the week; none for that of the start.
fn by_days(days: &[Weekday]) -> String {
    let days: Vec<String> = days.iter().map(|day| day.to_string().chars().take(2).collect()).collect();
    if days.is_empty() { String::new() } else { format!(";BYDAY={}", days.join(",").to_uppercase()) }
}

/// Part of a rule for the last days of a month: those that it lacks become its last.
fn by_month_day(first: NaiveDate) -> String {
    if first.day() <= MONTH_DAYS_LEAST {
        return String::new();
    }
    let days: Vec<String> = (MONTH_DAYS_LEAST..=first.day()).map(|day| day.to_string()).collect();
    format!(";BYMONTHDAY={};BYSETPOS=-1", days.join(","))
}

/// `x10`, `10x`.
fn times(word: &str) -> Option<usize> {
    let number = word.strip_prefix('x').or_else(|| word.strip_suffix('x'))?;
    number.parse().ok().filter(|times| *times > 0)
}

/// `18-20`, `18:30-20`.
fn hours(word: &str) -> Option<(NaiveTime, NaiveTime)> {
    let time = |text: &str| {
        let (hours, minutes) = text.split_once(':').unwrap_or((text, "0"));
        NaiveTime::from_hms_opt(hours.parse().ok()?, minutes.parse().ok()?, 0)
    };
    let (from, until) = word.split_once('-')?;
    Some((time(from)?, time(until)?))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDateTime;
    use chrono_tz::Europe::London;

    use super::*;
    use crate::domain::time::parse_local;

    /// Times of a repeat whose first is from six to eight on a day; today is Monday, 23 November 2026.
    fn made(text: &str, day: &str) -> Result<Vec<String>, String> {
        let at = |time: &str| NaiveDateTime::parse_from_str(&format!("{day}T{time}"), "%Y-%m-%dT%H:%M").unwrap();
        let here = Local { now: parse_local("2026-11-23T12:00", London).unwrap(), zone: London };
        let all = occurrences(text, LocalSlot::Times(at("18:00"), at("20:00")), here);
        let all = all.map_err(|error| error.to_string())?;
        let told = all
            .into_iter()
            .map(|one| one.slot.map_or_else(|error| error.to_string(), |slot| slot.words(London, here.now)));
        Ok(told.collect())
    }

    fn tuesday(text: &str) -> Vec<String> {
        made(text, "2026-11-24").unwrap()
    }

    #[test]
    fn repeats_are_read_as_people_say_them() {
        let weeks = ["Tue 24 Nov 18:00-20:00", "Tue 1 Dec 18:00-20:00", "Tue 8 Dec 18:00-20:00"];
        assert_eq!(tuesday("weekly until 10 dec"), weeks);
        assert_eq!(tuesday("FREQ=WEEKLY;COUNT=3"), weeks);
        assert_eq!(
            tuesday("tue thu 19-21:30 x3"),
            ["Tue 24 Nov 19:00-21:30", "Thu 26 Nov 19:00-21:30", "Tue 1 Dec 19:00-21:30"]
        );
        assert_eq!(tuesday("fridays 22-02 x1"), ["Fri 27 Nov 22:00 - Sat 28 Nov 02:00"]);
        assert_eq!(tuesday("every 2 weeks 2x"), ["Tue 24 Nov 18:00-20:00", "Tue 8 Dec 18:00-20:00"]);
        assert_eq!(tuesday("daily x30").len(), 30);
        assert_eq!(tuesday("monthly x2"), ["Tue 24 Nov 18:00-20:00", "Thu 24 Dec 18:00-20:00"]);
        assert_eq!(tuesday("weekly until fri"), ["Tue 24 Nov 18:00-20:00"]);
        assert_eq!(tuesday("weekly x4 except 1 dec, 15 dec"), tuesday("every 2 weeks 2x"));
        assert_eq!(tuesday("tue except 1 dec until 10 dec"), tuesday("every 2 weeks x2"));
        let weekdays = ["Fri 27 Nov 18:00-20:00", "Mon 30 Nov 18:00-20:00", "Tue 1 Dec 18:00-20:00"];
        assert_eq!(made("weekdays x3", "2026-11-27").unwrap(), weekdays);
    }

    #[test]
    fn a_day_that_a_month_lacks_is_its_last_one() {
        assert_eq!(
            made("monthly x4", "2026-12-31").unwrap(),
            [
                "Thu 31 Dec 18:00-20:00",
                "Sun 31 Jan 2027 18:00-20:00",
                "Sun 28 Feb 2027 18:00-20:00",
                "Wed 31 Mar 2027 18:00-20:00"
            ]
        );
    }

    #[test]
    fn an_hour_that_the_clocks_jump_over_is_told_and_not_moved() {
        let sundays = made("sun 01:30-03 x2", "2027-03-21").unwrap();
        assert_eq!(sundays[0], "Sun 21 Mar 2027 01:30-03:00");
        assert!(sundays[1].contains("does not exist in Europe/London"), "{sundays:?}");
    }

    #[test]
    fn a_repeat_without_an_end_or_sense_says_so() {
        let no = |text| made(text, "2026-11-24").unwrap_err();
        assert!(no("tue").contains("say how long: until 15 dec, or x10"));
        assert!(no("weekly").contains("how long"));
        assert!(no("blue x3").contains("\"blue\" is no repeat; write it like tue 18-20 until 15 dec"));
        assert!(no("tue until never").contains("\"never\" is not a date"));
        assert!(no("weekly until 23 nov").contains("never comes"));
        assert!(no("tue x3 except never").contains("never"));
        assert!(no("tue x3 except 2 dec").contains("Wed 2 Dec is none of its dates"));
        assert!(no("tue x1 except 24 nov").contains("makes no date"));
        assert!(no("weekly until mon 15 dec").contains("15 Dec 2026 is a Tuesday"));
    }
}
