//! Values of content lines: dates, times and lengths.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

/// Calendars of others begin here; some write year 1 for "no date".
const YEAR_LEAST: i32 = 1601;

/// A hundred years: nothing lasts longer.
const LENGTH_DAYS_MAX: i64 = 36_525;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// `20261201`
    Date(NaiveDate),
    /// `20261201T100500`
    Local(NaiveDateTime),
    /// `20261201T100500Z`
    Utc(NaiveDateTime),
}

impl Written {
    /// As it stands there; a date's midnight.
    pub(super) fn local(self) -> NaiveDateTime {
        match self {
            Self::Date(date) => date.and_time(NaiveTime::MIN),
            Self::Local(at) | Self::Utc(at) => at,
        }
    }
}

pub(super) fn written(text: &str) -> Option<Written> {
    let text = text.trim();
    if let Some((date, time)) = text.split_once(['T', 't']) {
        let date = day(date)?;
        let bare = time.strip_suffix(['Z', 'z']);
        let at = date.and_time(clock(bare.unwrap_or(time))?);
        return Some(if bare.is_some() { Written::Utc(at) } else { Written::Local(at) });
    }
    day(text).map(Written::Date)
}

fn day(text: &str) -> Option<NaiveDate> {
    let is_plain = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    NaiveDate::parse_from_str(text, "%Y%m%d").ok().filter(|date| is_plain && date.year() >= YEAR_LEAST)
}

fn clock(text: &str) -> Option<NaiveTime> {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |range| text.get(range).and_then(|digits: &str| digits.parse::<u32>().ok());
    // a leap second is the one before it
    NaiveTime::from_hms_opt(number(0..2)?, number(2..4)?, number(4..6)?.min(59))
}

/// Reads a length, `P1DT2H30M`, as days and as time that goes by; negative ones are none.
pub(super) fn length(text: &str) -> Option<(TimeDelta, TimeDelta)> {
    let text = text.trim().to_uppercase();
    let text = text.strip_prefix('+').unwrap_or(&text).strip_prefix('P')?;
    let (mut days, mut time, mut digits, mut parts) = (TimeDelta::zero(), TimeDelta::zero(), String::new(), 0);
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let (total, unit) = match letter {
            'T' if digits.is_empty() => continue,
            'W' => (&mut days, 7 * 86_400),
            'D' => (&mut days, 86_400),
            'H' => (&mut time, 3_600),
            'M' => (&mut time, 60),
            'S' => (&mut time, 1),
            _ => return None,
        };
        let seconds = std::mem::take(&mut digits).parse::<i64>().ok()?.checked_mul(unit)?;
        *total = total.checked_add(&TimeDelta::try_seconds(seconds)?)?;
        parts += 1;
    }
    let is_plain = parts > 0 && digits.is_empty();
    (is_plain && days.max(time) < TimeDelta::days(LENGTH_DAYS_MAX)).then_some((days, time))
}

/// Reads `+0100` or `-053000` as seconds.
pub(super) fn offset(text: &str) -> Option<i32> {
    let text = text.trim();
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let number = |range| match digits.get(range) {
        Some(part) => str::parse::<i32>(part).ok(),
        None => Some(0),
    };
    let is_plain = matches!(digits.len(), 4 | 6) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let all = number(0..2)? * 3600 + number(2..4)? * 60 + number(4..6)?;
    (is_plain && all < 86_400).then_some(sign * all)
}
