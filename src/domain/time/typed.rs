//! Dates and times as people type them at a desk: `fri 19:30`, `27 nov`, `+3h`, `+2w`.
//!
//! The command line and the screens read every time by [`moment`]: words mean the next such time from now on, in
//! local time. A time that the clocks jump over, or that comes twice, is refused.

use chrono::{Datelike, Days, Month, NaiveDate, NaiveTime, Weekday};
use chrono_tz::Tz;

use crate::domain::time::{Instant, Span, TimeError, day_start, parse_date, parse_local, resolve};

/// Days that are searched for a day of a month, or for a weekday.
const DAYS_AHEAD: u64 = 400;

/// The time of day of a deadline that names only a date.
const DAY_ENDS: (u32, u32) = (18, 0);

/// A typed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Day(NaiveDate),
    At(Instant),
}

/// The words of a typed date, each as far as it was given.
#[derive(Default)]
struct Words {
    day: Option<NaiveDate>,
    weekday: Option<Weekday>,
    number: Option<u32>,
    month: Option<u32>,
    year: Option<i32>,
    time: Option<NaiveTime>,
}

impl Words {
    /// Reads a word; false when it is none of a date.
    fn take(&mut self, word: &str, today: NaiveDate) -> bool {
        let letters = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if let Ok(time) = NaiveTime::parse_from_str(word, "%H:%M") {
            self.time = Some(time);
        } else if let Ok(number) = word.parse::<u32>() {
            match i32::try_from(number) {
                Ok(year) if number > 31 => self.year = Some(year),
                _ => self.number = Some(number),
            }
        } else if let Ok(weekday) = word.parse::<Weekday>() {
            self.weekday = Some(weekday);
        } else if let Ok(month) = letters.parse::<Month>() {
            self.month = Some(month.number_from_month());
            // `27nov`
            let digits = word.strip_suffix(letters).unwrap_or_default();
            return digits.is_empty() || self.take(digits, today);
        } else if "today".starts_with(word) {
            self.day = Some(today);
        } else if "tomorrow".starts_with(word) {
            self.day = today.succ_opt();
        } else if let Ok(day) = parse_date(word) {
            self.day = Some(day);
        } else if let Some(days) = days_ahead(word) {
            self.day = today.checked_add_days(days);
        } else {
            return false;
        }
        true
    }

    /// The first date from today on that all words agree with.
    fn date(&self, today: NaiveDate) -> Option<NaiveDate> {
        let agrees = |date: &NaiveDate| {
            self.number.is_none_or(|number| date.day() == number)
                && self.month.is_none_or(|month| date.month() == month)
                && self.year.is_none_or(|year| date.year() == year)
        };
        let date = match (self.day, self.number, self.year) {
            (Some(day), None, None) => day,
            (None, Some(number), Some(year)) => NaiveDate::from_ymd_opt(year, self.month?, number)?,
            (None, Some(_), None) => days_from(today).find(agrees)?,
            (None, None, None) => {
                let weekday = self.weekday?;
                days_from(today).find(|date| date.weekday() == weekday)?
            }
            _ => return None,
        };
        let right = agrees(&date) && self.weekday.is_none_or(|day| date.weekday() == day);
        right.then_some(date)
    }
}

fn days_from(today: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    (0..DAYS_AHEAD).filter_map(move |days| today.checked_add_days(Days::new(days)))
}

/// Whole days ahead: `+3d`, `+2w`.
fn days_ahead(word: &str) -> Option<Days> {
    let length = word.strip_prefix('+')?;
    let span = Span::parse(length).ok()?;
    let days = u64::try_from(span.millis() / Span::DAY.millis()).ok()?;
    length.ends_with(['d', 'w']).then_some(Days::new(days))
}

/// A date as people type it, from today on, and the time of day beside it: `fri`, `27`, `27 nov 14:00`, `tomorrow`,
/// `+2w`. None for other words, and for words that contradict each other.
pub fn date(text: &str, today: NaiveDate) -> Option<(NaiveDate, Option<NaiveTime>)> {
    let mut words = Words::default();
    let known = text.to_lowercase().split_whitespace().all(|word| words.take(word, today));
    Some((words.date(today).filter(|_| known)?, words.time))
}

/// A time as people type it: a date (`2026-12-01`, `fri`, `27 nov`, `+2w`), a date and a time of day
/// (`2026-12-01T19:30`, `fri 19:30`), a bare `19:30` (tomorrow's once it is past), or a length from now (`+3h`).
///
/// # Errors
/// Not a time; one that does not exist or comes twice in `zone`.
pub fn moment(text: &str, (now, zone): (Instant, Tz)) -> Result<Moment, TimeError> {
    let text = text.trim();
    match parse_local(text, zone) {
        Err(TimeError::Time(_)) => {}
        read => return read.map(Moment::At),
    }
    let today = now.in_zone(zone).date_naive();
    if text == "24:00" {
        return Ok(Moment::At(day_start(today.succ_opt().unwrap_or(today), zone)));
    }
    if let Ok(time) = NaiveTime::parse_from_str(text, "%H:%M") {
        let tomorrow = today.succ_opt().unwrap_or(today);
        let at = resolve(today.and_time(time), zone);
        return match at {
            Ok(at) if at <= now => resolve(tomorrow.and_time(time), zone).map(Moment::At),
            at => at.map(Moment::At),
        };
    }
    match date(text, today) {
        Some((day, None)) => Ok(Moment::Day(day)),
        Some((day, Some(time))) => resolve(day.and_time(time), zone).map(Moment::At),
        None => {
            let span = text.strip_prefix('+').map(Span::parse);
            let wrong = || TimeError::Time(text.to_owned());
            let span = span.and_then(Result::ok).ok_or_else(wrong)?;
            Ok(Moment::At(now + span))
        }
    }
}

/// A time to come: as [`moment`], where `+2d` is two days of hours from now, and a date alone means 18:00.
pub fn deadline(text: &str, (now, zone): (Instant, Tz)) -> Result<Instant, TimeError> {
    if let Some(Ok(span)) = text.trim().strip_prefix('+').map(Span::parse) {
        return Ok(now + span);
    }
    match moment(text, (now, zone))? {
        Moment::At(at) => Ok(at),
        Moment::Day(day) => {
            let ends = NaiveTime::from_hms_opt(DAY_ENDS.0, DAY_ENDS.1, 0).unwrap_or_default();
            resolve(day.and_time(ends), zone)
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use chrono_tz::Europe;

    use super::{Moment, date, deadline, moment};
    use crate::domain::time::{TimeError, parse_local};

    #[test]
    fn dates_are_read_from_today_on() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let read = |text| date(text, today).map(|(date, time)| (date.to_string(), time.is_some()));
        assert_eq!(read("fri"), Some(("2026-11-27".into(), false)));
        assert_eq!(read("27 nov 14:00"), Some(("2026-11-27".into(), true)));
        assert_eq!(read("5"), Some(("2026-12-05".into(), false)));
        assert_eq!(read("tomorrow"), Some(("2026-11-22".into(), false)));
        assert_eq!(read("27nov"), Some(("2026-11-27".into(), false)));
        assert_eq!(read("fri 27 nov"), Some(("2026-11-27".into(), false)));
        assert_eq!(read("1 may 2031"), Some(("2031-05-01".into(), false)));
        assert_eq!(read("+2w 19:30"), Some(("2026-12-05".into(), true)));
        for wrong in ["f9", "t9", "thu 27 nov", "today 27", "31 feb", "nov", "1 2031"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn deadlines_are_read_as_people_say_them() {
        let zone = Europe::Berlin;
        let now = parse_local("2026-11-21T19:42", zone).unwrap();
        let read = |text| deadline(text, (now, zone)).map(|at| at.format(zone, "%a %d %b %H:%M").clone());
        for (typed, means) in [
            ("thu", "Thu 26 Nov 18:00"),
            ("27 nov 18:30", "Fri 27 Nov 18:30"),
            ("+3h", "Sat 21 Nov 22:42"),
            ("+90s", "Sat 21 Nov 19:43"),
            ("20:00", "Sat 21 Nov 20:00"),
            ("18:00", "Sun 22 Nov 18:00"),
            ("tomorrow 9:15", "Sun 22 Nov 09:15"),
            ("2026-12-01T19:30", "Tue 01 Dec 19:30"),
        ] {
            assert_eq!(read(typed).as_deref(), Ok(means), "{typed}");
        }
        for wrong in ["soon", "", "+", "+3 weeks", "f9"] {
            assert!(matches!(read(wrong), Err(TimeError::Time(_))), "{wrong}");
        }
    }

    #[test]
    fn moments_are_dates_or_instants() {
        let zone = Europe::Berlin;
        let now = parse_local("2026-11-21T19:42", zone).unwrap();
        let day = |text| Moment::Day(NaiveDate::parse_from_str(text, "%Y-%m-%d").unwrap());
        let at = |text| Moment::At(parse_local(text, zone).unwrap());
        for (typed, means) in [
            ("2026-12-01", day("2026-12-01")),
            ("fri", day("2026-11-27")),
            ("1 may", day("2027-05-01")),
            ("+2w", day("2026-12-05")),
            ("+2w 19:30", at("2026-12-05T19:30")),
            ("+90m", at("2026-11-21T21:12")),
            ("fri 19:30", at("2026-11-27T19:30")),
            ("19:30", at("2026-11-22T19:30")),
            ("2026-12-01 19:30", at("2026-12-01T19:30")),
            ("2026-12-01T24:00", at("2026-12-02T00:00")),
            ("2026-12-01 24:00", at("2026-12-02T00:00")),
            ("24:00", at("2026-11-22T00:00")),
        ] {
            assert_eq!(moment(typed, (now, zone)), Ok(means), "{typed}");
        }
    }

    #[test]
    fn a_deadline_that_is_not_there_or_there_twice_is_refused() {
        let zone = Europe::Berlin;
        let spring = parse_local("2026-03-28T12:00", zone).unwrap();
        let gap = deadline("29 mar 02:30", (spring, zone));
        assert!(matches!(gap, Err(TimeError::Gap { .. })), "{gap:?}");
        let autumn = parse_local("2026-10-24T12:00", zone).unwrap();
        let fold = deadline("sun 02:30", (autumn, zone));
        assert!(matches!(fold, Err(TimeError::Fold { .. })), "{fold:?}");
    }
}
