//! Dates and deadlines as people type them at a desk: `fri`, `27 nov 18:00`, `+3h`.
//!
//! They mean the next such time from now on, in local time; one that the clocks jump over or that comes twice is
//! refused like any other.

use chrono::{Datelike, Days, NaiveDate, NaiveTime, Weekday};
use chrono_tz::Tz;

use crate::domain::time::{Instant, Span, TimeError, parse_local, resolve};

/// How far ahead a day of a month is looked for.
const DAYS_AHEAD: u64 = 400;

/// The time of day that a deadline with a date alone means: the end of the day, for people.
const DAY_ENDS: (u32, u32) = (18, 0);

/// A date as people type it, from today on, and the time of day after it: `fri`, `27`, `27 nov 14:00`, `tomorrow`.
#[must_use]
pub fn date(text: &str, today: NaiveDate) -> Option<(NaiveDate, Option<NaiveTime>)> {
    let mut day: Option<NaiveDate> = None;
    let mut number: Option<u32> = None;
    let mut month: Option<u32> = None;
    let mut time = None;
    for word in text.to_lowercase().split_whitespace() {
        if let Ok(read) = NaiveTime::parse_from_str(word, "%H:%M") {
            time = Some(read);
        } else if let Ok(read) = word.parse::<u32>() {
            number = Some(read);
        } else if let Ok(read) = word.parse::<Weekday>() {
            day = (0..7)
                .map(|days| today + Days::new(days))
                .find(|date| date.weekday() == read);
        } else if let Ok(read) = word.parse::<chrono::Month>() {
            month = Some(read.number_from_month());
        } else if "today".starts_with(word) {
            day = Some(today);
        } else if "tomorrow".starts_with(word) {
            day = Some(today + Days::new(1));
        } else if let Ok(read) = NaiveDate::parse_from_str(word, "%Y-%m-%d") {
            day = Some(read);
        } else {
            return None;
        }
    }
    let typed = number.and_then(|number| {
        (0..DAYS_AHEAD)
            .map(|days| today + Days::new(days))
            .find(|date| date.day() == number && month.is_none_or(|month| date.month() == month))
    });
    Some((typed.or(day)?, time))
}

/// A time to come as people type it: `+3h` from now, `18:00` today (tomorrow once that is past), `thu` or `27 nov`
/// at the end of that day, `27 nov 18:00`, or in full, `2026-11-27T18:00`.
///
/// # Errors
/// Not a time; one that does not exist or comes twice in `zone`.
pub fn deadline(text: &str, (now, zone): (Instant, Tz)) -> Result<Instant, TimeError> {
    let text = text.trim();
    let wrong = || TimeError::Deadline(text.to_owned());
    if let Some(span) = text.strip_prefix('+') {
        return Span::parse(span)
            .map(|span| now + span)
            .map_err(|_| wrong());
    }
    match parse_local(text, zone) {
        Err(TimeError::Time(_)) => {}
        read => return read,
    }
    let today = now.in_zone(zone).date_naive();
    if let Ok(time) = NaiveTime::parse_from_str(text, "%H:%M") {
        let at = resolve(today.and_time(time), zone)?;
        return if at > now {
            Ok(at)
        } else {
            resolve((today + Days::new(1)).and_time(time), zone)
        };
    }
    let (day, time) = date(text, today).ok_or_else(wrong)?;
    let ends = NaiveTime::from_hms_opt(DAY_ENDS.0, DAY_ENDS.1, 0).unwrap_or_default();
    resolve(day.and_time(time.unwrap_or(ends)), zone)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use chrono_tz::Europe;

    use super::{date, deadline};
    use crate::domain::time::{TimeError, parse_local};

    #[test]
    fn dates_are_read_from_today_on() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let read = |text| date(text, today).map(|(date, time)| (date.to_string(), time.is_some()));
        assert_eq!(read("fri"), Some(("2026-11-27".into(), false)));
        assert_eq!(read("27 nov 14:00"), Some(("2026-11-27".into(), true)));
        assert_eq!(read("5"), Some(("2026-12-05".into(), false)));
        assert_eq!(read("tomorrow"), Some(("2026-11-22".into(), false)));
        assert_eq!(read("f9"), None);
    }

    #[test]
    fn deadlines_are_read_as_people_say_them() {
        let zone = Europe::Berlin;
        let now = parse_local("2026-11-21T19:42", zone).unwrap();
        let read =
            |text| deadline(text, (now, zone)).map(|at| at.format(zone, "%a %d %b %H:%M").clone());
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
            assert!(
                matches!(read(wrong), Err(TimeError::Deadline(_))),
                "{wrong}"
            );
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
