//! How a booking repeats, as people type it: `weekly until 15 dec`, `tue thu 18-20 x10`, `daily x5 except 26 nov`.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveTime, TimeDelta, Weekday};
use chrono_tz::Tz;

use crate::domain::time::{Slot, local_at, typed};

/// No repeat makes more dates here; longer ones are made by rule on the command line.
const DATES_MAX: usize = 200;

/// Frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Every {
    Days(u64),
    Weeks(u64, BTreeSet<u8>),
    Months(u32),
}

/// End of the repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Until(NaiveDate),
    Times(usize),
}

/// The slots of a repeat whose first is given; the first alone when nothing is typed.
///
/// # Errors
/// What was typed is no repeat, or has no end.
pub(super) fn slots(text: &str, first: Slot, zone: Tz) -> Result<Vec<Slot>, String> {
    if text.trim().is_empty() {
        return Ok(vec![first]);
    }
    let (from, until) = (first.from().in_zone(zone).naive_local(), first.until().in_zone(zone).naive_local());
    let Parsed { every, end, hours, except } = parse(text, from.date())?;
    let (starts, length) = match hours {
        Some((start, end)) if end > start => (start, end - start),
        Some((start, end)) => (start, end - start + TimeDelta::days(1)),
        None => (from.time(), until - from),
    };
    let slot = |date: NaiveDate| {
        let start = date.and_time(starts);
        Slot::new(local_at(start, zone), local_at(start + length, zone)).ok()
    };
    let mut dates = dates(&every, from.date(), end);
    for date in except {
        let at = dates.iter().position(|one| *one == date);
        dates.remove(at.ok_or_else(|| format!("{} is none of its dates", date.format("%a %-d %b")))?);
    }
    if dates.is_empty() {
        return Err("that makes no date; choose a later end".to_owned());
    }
    Ok(dates.into_iter().filter_map(slot).collect())
}

/// Removes typed hours; those of the first date hold then.
pub(super) fn without_hours(text: &str) -> String {
    let words = text.split(' ').filter(|word| range(word).is_none());
    words.collect::<Vec<_>>().join(" ")
}

fn dates(every: &Every, first: NaiveDate, end: End) -> Vec<NaiveDate> {
    let (last, count) = match end {
        End::Until(last) => (last, DATES_MAX),
        End::Times(count) => (first + Days::new(3660), count.min(DATES_MAX)),
    };
    let mut dates = Vec::new();
    match every {
        Every::Days(step) => {
            let step = usize::try_from(*step).unwrap_or(1).max(1);
            dates.extend(first.iter_days().step_by(step).take_while(|date| *date <= last).take(count));
        }
        Every::Weeks(step, days) => {
            let monday = first.week(Weekday::Mon).first_day();
            for date in first.iter_days().take_while(|date| *date <= last) {
                let week = u64::try_from((date - monday).num_days()).unwrap_or(0) / 7;
                let day = u8::try_from(date.weekday().num_days_from_monday()).unwrap_or(0);
                if week.is_multiple_of((*step).max(1)) && days.contains(&day) {
                    dates.push(date);
                }
                if dates.len() == count {
                    break;
                }
            }
        }
        Every::Months(step) => {
            let months = (0..).step_by(usize::try_from(*step).unwrap_or(1).max(1));
            let days = months.map_while(|count: u32| first.checked_add_months(Months::new(count)));
            dates.extend(days.take_while(|date| *date <= last).take(count));
        }
    }
    dates
}

/// Repeat as typed.
struct Parsed {
    every: Every,
    end: End,
    hours: Option<(NaiveTime, NaiveTime)>,
    /// Dates that are left out.
    except: Vec<NaiveDate>,
}

fn parse(text: &str, first: NaiveDate) -> Result<Parsed, String> {
    let lower = text.to_lowercase();
    let (rule, until, except) = parts(&lower);
    let date = |text: &str| {
        let date = typed::date(text, first).map(|(date, _)| date);
        date.ok_or_else(|| format!("{text:?} is no date; write it like 15 dec"))
    };
    let mut days = BTreeSet::new();
    let (mut unit, mut step, mut end, mut hours) = (None, 1, None, None);
    for word in rule.split([' ', ',']).filter(|word| !word.is_empty()) {
        if let Some(times) = times(word) {
            end = Some(End::Times(times));
        } else if let Some(range) = range(word) {
            hours = Some(range);
        } else if let Ok(number) = word.parse::<u64>() {
            step = number.clamp(1, 52);
        } else if let Ok(day) = word.trim_end_matches('s').parse::<Weekday>().or_else(|_| word.parse()) {
            days.insert(u8::try_from(day.num_days_from_monday()).unwrap_or(0));
        } else {
            match word {
                "every" | "times" => {}
                "daily" | "day" | "days" => unit = Some('d'),
                "weekly" | "week" | "weeks" => unit = Some('w'),
                "fortnightly" => (unit, step) = (Some('w'), 2),
                "monthly" | "month" | "months" => unit = Some('m'),
                "weekdays" => days.extend(0..5),
                other => {
                    return Err(format!("{other:?} is no repeat; write it like tue 18-20 until 15 dec, or daily x5"));
                }
            }
        }
    }
    if let Some(until) = until {
        end = Some(End::Until(date(&until)?));
    }
    let except = except.map_or(Ok(Vec::new()), |except| except.split(',').map(|one| date(one.trim())).collect())?;
    let end = end.ok_or("say how long: until 15 dec, or x10")?;
    let every = match unit {
        Some('d') => Every::Days(step),
        Some('m') => Every::Months(u32::try_from(step).unwrap_or(1)),
        _ => {
            if days.is_empty() {
                days.insert(u8::try_from(first.weekday().num_days_from_monday()).unwrap_or(0));
            }
            Every::Weeks(step, days)
        }
    };
    Ok(Parsed { every, end, hours, except })
}

/// Words before `until` and `except`, and those after each.
fn parts(text: &str) -> (String, Option<String>, Option<String>) {
    let (mut rule, mut until, mut except) = (String::new(), None, None);
    let mut part = &mut rule;
    for word in text.split_whitespace() {
        match word {
            "until" => part = until.get_or_insert_default(),
            "except" => part = except.get_or_insert_default(),
            _ => {
                part.push_str(if part.is_empty() { "" } else { " " });
                part.push_str(word);
            }
        }
    }
    (rule, until, except)
}

/// `x10`, `10x`.
fn times(word: &str) -> Option<usize> {
    let number = word.strip_prefix('x').or_else(|| word.strip_suffix('x'))?;
    number.parse().ok().filter(|times| *times > 0)
}

/// `18-20`, `18:30-20`.
fn range(word: &str) -> Option<(NaiveTime, NaiveTime)> {
    let time = |text: &str| {
        let (hours, minutes) = text.split_once(':').unwrap_or((text, "0"));
        NaiveTime::from_hms_opt(hours.parse().ok()?, minutes.parse().ok()?, 0)
    };
    let (from, until) = word.split_once('-')?;
    Some((time(from)?, time(until)?))
}

#[cfg(test)]
mod tests {
    use chrono_tz::Europe::London;

    use super::slots;
    use crate::domain::time::{Slot, parse_local};

    fn made(text: &str) -> Result<Vec<String>, String> {
        let at = |text| parse_local(text, London).unwrap();
        // a Tuesday
        let first = Slot::new(at("2026-11-24T18:00"), at("2026-11-24T20:00")).unwrap();
        let slots = slots(text, first, London)?;
        Ok(slots.iter().map(|slot| slot.words(London)).collect())
    }

    #[test]
    fn repeats_are_read_as_people_say_them() {
        assert_eq!(made("").unwrap(), ["Tue 24 Nov 18:00-20:00"]);
        assert_eq!(
            made("weekly until 10 dec").unwrap(),
            ["Tue 24 Nov 18:00-20:00", "Tue 1 Dec 18:00-20:00", "Tue 8 Dec 18:00-20:00"]
        );
        assert_eq!(
            made("tue thu 19-21:30 x3").unwrap(),
            ["Tue 24 Nov 19:00-21:30", "Thu 26 Nov 19:00-21:30", "Tue 1 Dec 19:00-21:30"]
        );
        assert_eq!(made("every 2 weeks 2x").unwrap(), ["Tue 24 Nov 18:00-20:00", "Tue 8 Dec 18:00-20:00"]);
        assert_eq!(made("daily x30").unwrap().len(), 30);
        assert_eq!(made("monthly x2").unwrap(), ["Tue 24 Nov 18:00-20:00", "Thu 24 Dec 18:00-20:00"]);
        assert_eq!(
            made("weekly x4 except 1 dec, 15 dec").unwrap(),
            ["Tue 24 Nov 18:00-20:00", "Tue 8 Dec 18:00-20:00"]
        );
        assert_eq!(made("tue except 1 dec until 10 dec").unwrap(), made("every 2 weeks x2").unwrap());
    }

    #[test]
    fn a_repeat_without_an_end_or_sense_says_so() {
        assert!(made("tue").unwrap_err().contains("how long"));
        assert!(made("blue x3").unwrap_err().contains("blue"));
        assert!(made("tue until never").unwrap_err().contains("never"));
        assert!(made("tue x3 except never").unwrap_err().contains("never"));
        assert!(made("tue x3 except 2 dec").unwrap_err().contains("Wed 2 Dec is none of its dates"));
        assert!(made("tue x1 except 24 nov").unwrap_err().contains("no date"));
    }
}
