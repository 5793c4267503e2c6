//! Dates and times as people type them at a desk: `fri 19:30`, `27 nov 7pm`, `+3h`, `+2w`.
//!
//! The command line and the screens read every time by [`moment`], and the end of what starts at a time by [`end`]:
//! words mean the next such time from now on, or from that start on, in local time. A time that the clocks jump over, or
//! that comes twice, is refused.

use chrono::{Datelike, Days, Month, NaiveDate, NaiveDateTime, NaiveTime, Weekday};
use chrono_tz::Tz;

use crate::domain::time::{Instant, Local, Span, TimeError, day_start, parse_date, parse_local, resolve};

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

/// Days that typed words count from.
#[derive(Clone, Copy)]
struct Base {
    today: NaiveDate,
    /// The day of the start, for the words of an end; else today.
    start: NaiveDate,
}

/// The words of a typed date, each as far as it was given.
#[derive(Default)]
struct DateWords {
    day: Option<NaiveDate>,
    ahead: Option<Days>,
    weekday: Option<Weekday>,
    number: Option<u32>,
    month: Option<u32>,
    year: Option<i32>,
    time: Option<NaiveTime>,
}

impl DateWords {
    /// Reads a word; false when it is none of a date.
    fn take(&mut self, word: &str, base: Base) -> bool {
        let letters = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if let Some(time) = time_of_day(word) {
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
            return digits.is_empty() || self.take(digits, base);
        } else if "today".starts_with(word) {
            self.day = Some(base.today);
        } else if "tomorrow".starts_with(word) {
            self.day = base.today.succ_opt();
        } else if let Ok(day) = parse_date(word) {
            self.day = Some(day);
        } else if let Some(days) = days_ahead(word) {
            self.ahead = Some(days);
        } else {
            return false;
        }
        true
    }

    /// The first date that the words mean, whatever its weekday if they name another part of it.
    fn date(&self, base: Base) -> Option<NaiveDate> {
        let agrees = |date: &NaiveDate| {
            self.number.is_none_or(|number| date.day() == number)
                && self.month.is_none_or(|month| date.month() == month)
                && self.year.is_none_or(|year| date.year() == year)
        };
        // alone a length, and with a time of day a date
        let from = if self.time.is_some() { base.today } else { base.start };
        let day = self.day.or_else(|| from.checked_add_days(self.ahead?));
        let date = match (day, self.number, self.year) {
            (Some(day), None, None) => day,
            (None, Some(number), Some(year)) => NaiveDate::from_ymd_opt(year, self.month?, number)?,
            (None, Some(_), None) if self.month.is_some() => days_from(base.today.min(base.start)).find(agrees)?,
            (None, Some(_), None) => days_from(base.start).find(agrees)?,
            (None, None, None) => {
                let weekday = self.weekday?;
                days_from(base.start).find(|date| date.weekday() == weekday)?
            }
            _ => return None,
        };
        agrees(&date).then_some(date)
    }
}

impl Base {
    /// The date of a text, and the time of day beside it.
    fn date(self, text: &str) -> Result<(NaiveDate, Option<NaiveTime>), TimeError> {
        let mut words = DateWords::default();
        let known = normal(text).split_whitespace().all(|word| words.take(word, self));
        let date = words.date(self).filter(|_| known).ok_or_else(|| TimeError::Date(text.to_owned()))?;
        if words.weekday.is_some_and(|weekday| weekday != date.weekday()) {
            return Err(TimeError::Weekday(date));
        }
        Ok((date, words.time))
    }
}

/// In lower case, with `7 pm` as one word.
fn normal(text: &str) -> String {
    text.trim().to_lowercase().replace(" am", "am").replace(" pm", "pm")
}

/// A time of day: `19:30`, `7pm`, `7:30 pm`.
pub fn time_of_day(text: &str) -> Option<NaiveTime> {
    let text = normal(text);
    let (clock, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(clock), _) => (clock, 0),
        (None, Some(clock)) => (clock, 12),
        (None, None) => return NaiveTime::parse_from_str(&text, "%H:%M").ok(),
    };
    let (hours, minutes) = clock.split_once(':').unwrap_or((clock, "0"));
    let hours = hours.parse::<u32>().ok().filter(|hours| (1..=12).contains(hours))?;
    NaiveTime::from_hms_opt(hours % 12 + half, minutes.parse().ok()?, 0)
}

fn days_from(day: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    (0..DAYS_AHEAD).filter_map(move |days| day.checked_add_days(Days::new(days)))
}

/// Whole days ahead: `+3d`, `+2w`.
fn days_ahead(word: &str) -> Option<Days> {
    let length = word.strip_prefix('+')?;
    let span = Span::parse(length).ok()?;
    let days = u64::try_from(span.millis() / Span::DAY.millis()).ok()?;
    length.ends_with(['d', 'w']).then_some(Days::new(days))
}

fn day_after(day: NaiveDate) -> NaiveDate {
    day.succ_opt().unwrap_or(day)
}

/// A date as people type it, from today on, and the time of day beside it: `fri`, `27`, `27 nov 14:00`, `tomorrow`,
/// `+2w`.
///
/// # Errors
/// Other words; a weekday that the date is not.
pub fn date(text: &str, today: NaiveDate) -> Result<(NaiveDate, Option<NaiveTime>), TimeError> {
    Base { today, start: today }.date(text)
}

/// The last date of what begins on a day: read as the day of an [`end`].
///
/// # Errors
/// As [`date`].
pub fn last_date(text: &str, (start, today): (NaiveDate, NaiveDate)) -> Result<NaiveDate, TimeError> {
    Base { today, start }.date(text).map(|(date, _)| date)
}

/// A time as people type it: a date (`2026-12-01`, `fri`, `27 nov`, `+2w`), a date and a time of day
/// (`2026-12-01T19:30`, `fri 19:30`), a bare `19:30` (tomorrow's once it is past), or a length from now (`+3h`).
///
/// # Errors
/// Not a time; one that does not exist or comes twice in the zone; a weekday that the date is not.
pub fn moment(text: &str, here: Local) -> Result<Moment, TimeError> {
    read(text, here.now, here)
}

/// The end of what starts at a time. `today`, `tomorrow`, `27 nov` and `+1d 21:30` count from today, as everywhere; a
/// weekday and a bare `27` from the day of the start; a bare `21:30` is the first after the start, and a bare `+3h` or
/// `+2d` goes on from it.
///
/// # Errors
/// As [`moment`].
pub fn end(text: &str, start: Instant, here: Local) -> Result<Moment, TimeError> {
    read(text, start, here)
}

/// A date with a time of day, as lists have it, never counted from today: `2026-12-01 19:30`, `01.12.2026 19:30`.
///
/// # Errors
/// Other words; a time that does not exist or comes twice in the zone.
pub fn whole(text: &str, zone: Tz) -> Result<Instant, TimeError> {
    match parse_local(text, zone) {
        Err(TimeError::Time(text)) => {
            let patterns = ["%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S"];
            let local = patterns.iter().find_map(|pattern| NaiveDateTime::parse_from_str(text.trim(), pattern).ok());
            resolve(local.ok_or(TimeError::Whole(text))?, zone)
        }
        read => read,
    }
}

/// The end of what starts at a time, as lists have it: as [`whole`], or counted from the start, as `22:00` and `+2h`.
///
/// # Errors
/// As [`whole`].
pub fn whole_end(text: &str, start: Instant, zone: Tz) -> Result<Instant, TimeError> {
    match whole(text, zone) {
        Err(TimeError::Whole(text)) => match end(&text, start, Local { now: start, zone }) {
            Ok(Moment::At(at)) => Ok(at),
            Err(error @ (TimeError::Gap { .. } | TimeError::Fold { .. })) => Err(error),
            Ok(Moment::Day(_)) | Err(_) => Err(TimeError::Whole(text)),
        },
        read => read,
    }
}

fn read(text: &str, start: Instant, here: Local) -> Result<Moment, TimeError> {
    let (text, zone) = (text.trim(), here.zone);
    match parse_local(text, zone) {
        Err(TimeError::Time(_)) => {}
        read => return read.map(Moment::At),
    }
    let base = Base { today: here.today(), start: start.in_zone(zone).date_naive() };
    if let Some(day) = text.strip_suffix("24:00") {
        let date = if day.is_empty() { base.start } else { base.date(day)?.0 };
        return Ok(Moment::At(day_start(day_after(date), zone)));
    }
    if let Some(time) = time_of_day(text) {
        return match resolve(base.start.and_time(time), zone) {
            Ok(at) if at <= start => resolve(day_after(base.start).and_time(time), zone),
            at => at,
        }
        .map(Moment::At);
    }
    match base.date(text) {
        Ok((day, None)) => Ok(Moment::Day(day)),
        Ok((day, Some(time))) => resolve(day.and_time(time), zone).map(Moment::At),
        Err(TimeError::Date(_)) => {
            let span = text.strip_prefix('+').and_then(|length| Span::parse(length).ok());
            span.map(|span| Moment::At(start + span)).ok_or_else(|| TimeError::Time(text.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// A time to come: as [`moment`], where `+2d` is two days of hours from now, and a date alone means 18:00.
pub fn deadline(text: &str, here: Local) -> Result<Instant, TimeError> {
    if let Some(Ok(span)) = text.trim().strip_prefix('+').map(Span::parse) {
        return Ok(here.now + span);
    }
    match moment(text, here)? {
        Moment::At(at) => Ok(at),
        Moment::Day(day) => {
            let ends = NaiveTime::from_hms_opt(DAY_ENDS.0, DAY_ENDS.1, 0).unwrap_or_default();
            resolve(day.and_time(ends), here.zone)
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use chrono_tz::Tz;
    use chrono_tz::{America, Europe};

    use super::{Moment, date, deadline, end, moment, whole, whole_end};
    use crate::domain::time::{Local, TimeError, parse_local};

    fn here(now: &str, zone: Tz) -> Local {
        Local { now: parse_local(now, zone).unwrap(), zone }
    }

    #[test]
    fn dates_are_read_from_today_on() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let read = |text| date(text, today).map(|(date, time)| (date.to_string(), time.is_some()));
        assert_eq!(read("fri"), Ok(("2026-11-27".into(), false)));
        assert_eq!(read("27 nov 14:00"), Ok(("2026-11-27".into(), true)));
        assert_eq!(read("5"), Ok(("2026-12-05".into(), false)));
        assert_eq!(read("tomorrow"), Ok(("2026-11-22".into(), false)));
        assert_eq!(read("27nov"), Ok(("2026-11-27".into(), false)));
        assert_eq!(read("fri 27 nov"), Ok(("2026-11-27".into(), false)));
        assert_eq!(read("1 may 2031"), Ok(("2031-05-01".into(), false)));
        assert_eq!(read("+2w 19:30"), Ok(("2026-12-05".into(), true)));
        for wrong in ["f9", "t9", "today 27", "31 feb", "nov", "1 2031", "13pm", "0am"] {
            assert_eq!(read(wrong), Err(TimeError::Date(wrong.to_owned())), "{wrong}");
        }
    }

    #[test]
    fn a_time_of_a_list_has_its_date_with_it() {
        let zone = Europe::Berlin;
        let start = parse_local("2026-12-01T19:30", zone).unwrap();
        for text in ["2026-12-01 19:30", "2026-12-01T19:30", "01.12.2026 19:30", " 1.12.2026 19:30:00 "] {
            assert_eq!(whole(text, zone), Ok(start), "{text}");
        }
        for text in ["fri 19:30", "19:30", "12/01/2026 7:30 PM", "2026-12-01", ""] {
            assert!(matches!(whole(text, zone), Err(TimeError::Whole(_))), "{text}");
        }
        for (text, until) in [("22:00", "2026-12-01T22:00"), ("+5h", "2026-12-02T00:30"), ("1:00", "2026-12-02T01:00")]
        {
            assert_eq!(whole_end(text, start, zone), parse_local(until, zone), "{text}");
        }
        assert!(matches!(whole_end("late", start, zone), Err(TimeError::Whole(_))));
        assert!(matches!(whole("2027-03-28 02:30", zone), Err(TimeError::Gap { .. })));
    }

    #[test]
    fn a_weekday_that_the_date_is_not_says_which_it_is() {
        let here = here("2026-11-21T19:42", Europe::Berlin);
        for (text, said) in [
            ("sun 25 oct 2027 00:30", "25 Oct 2027 is a Monday; leave the weekday out, or write another date"),
            ("thu 27 nov", "27 Nov 2026 is a Friday; leave the weekday out, or write another date"),
            ("fri 2026-11-21", "21 Nov 2026 is a Saturday; leave the weekday out, or write another date"),
        ] {
            assert_eq!(moment(text, here).unwrap_err().to_string(), said, "{text}");
            assert_eq!(deadline(text, here).unwrap_err().to_string(), said, "{text}");
        }
    }

    #[test]
    fn deadlines_are_read_as_people_say_them() {
        let here = here("2026-11-21T19:42", Europe::Berlin);
        let read = |text| deadline(text, here).map(|at| at.format(here.zone, "%a %d %b %H:%M").clone());
        for (typed, means) in [
            ("thu", "Thu 26 Nov 18:00"),
            ("27 nov 18:30", "Fri 27 Nov 18:30"),
            ("+3h", "Sat 21 Nov 22:42"),
            ("+90s", "Sat 21 Nov 19:43"),
            ("20:00", "Sat 21 Nov 20:00"),
            ("18:00", "Sun 22 Nov 18:00"),
            ("8pm", "Sat 21 Nov 20:00"),
            ("7:30 PM", "Sun 22 Nov 19:30"),
            ("tomorrow 9:15", "Sun 22 Nov 09:15"),
            ("tomorrow 7pm", "Sun 22 Nov 19:00"),
            ("27 nov 12am", "Fri 27 Nov 00:00"),
            ("27 nov 12:15pm", "Fri 27 Nov 12:15"),
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
        let here = here("2026-11-21T19:42", Europe::Berlin);
        let day = |text| Moment::Day(NaiveDate::parse_from_str(text, "%Y-%m-%d").unwrap());
        let at = |text| Moment::At(parse_local(text, here.zone).unwrap());
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
            ("fri 24:00", at("2026-11-28T00:00")),
            ("24:00", at("2026-11-22T00:00")),
        ] {
            assert_eq!(moment(typed, here), Ok(means), "{typed}");
        }
    }

    /// Ends as they are typed on a Thursday, 26 November 2026, for what starts at a time.
    #[test]
    fn an_end_counts_days_from_today_and_hours_from_its_start() {
        let zone = America::New_York;
        let here = here("2026-11-26T16:18", zone);
        for (start, typed, means) in [
            ("2026-11-27T10:00", "tomorrow 12:00", "2026-11-27T12:00"),
            ("2026-11-27T10:00", "today 12:00", "2026-11-26T12:00"),
            ("2026-11-27T10:00", "12:00", "2026-11-27T12:00"),
            ("2026-11-27T22:00", "02:00", "2026-11-28T02:00"),
            ("2026-11-27T22:00", "2am", "2026-11-28T02:00"),
            ("2026-11-27T22:00", "24:00", "2026-11-28T00:00"),
            ("2026-11-27T22:00", "+3h", "2026-11-28T01:00"),
            ("2026-11-27T19:30", "+2h30m", "2026-11-27T22:00"),
            ("2026-11-27T19:30", "+1d2h", "2026-11-28T21:30"),
            // the weekday of the start is its own day, and others come after it
            ("2026-11-27T10:00", "fri 12:00", "2026-11-27T12:00"),
            ("2026-11-27T10:00", "thu 12:00", "2026-12-03T12:00"),
            ("2026-12-25T10:00", "sun 12:00", "2026-12-27T12:00"),
            ("2026-12-25T10:00", "27 12:00", "2026-12-27T12:00"),
            ("2026-12-25T10:00", "27 dec 12:00", "2026-12-27T12:00"),
            // a date before the start is no date a year later
            ("2026-11-29T10:00", "28 nov 12:00", "2026-11-28T12:00"),
            ("2026-12-28T10:00", "2 jan 12:00", "2027-01-02T12:00"),
            ("2026-11-27T10:00", "+1d 12:00", "2026-11-27T12:00"),
            // a record of the past
            ("2026-11-20T10:00", "21 nov 12:00", "2026-11-21T12:00"),
            ("2026-11-20T10:00", "sat 12:00", "2026-11-21T12:00"),
            ("2026-11-20T10:00", "tomorrow 12:00", "2026-11-27T12:00"),
        ] {
            let start_at = parse_local(start, zone).unwrap();
            let means = Moment::At(parse_local(means, zone).unwrap());
            assert_eq!(end(typed, start_at, here), Ok(means), "{start} until {typed}");
        }
        let days = |typed, start| match end(typed, parse_local(start, zone).unwrap(), here) {
            Ok(Moment::Day(day)) => day.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(days("tomorrow", "2026-11-27T00:00"), "2026-11-27");
        assert_eq!(days("sun", "2026-12-25T00:00"), "2026-12-27");
        assert_eq!(days("+2d", "2026-12-25T00:00"), "2026-12-27");
        assert_eq!(days("+1w", "2026-12-25T00:00"), "2027-01-01");
    }

    /// In New York the clocks went back on 1 November 2026 at 02:00, and go forward on 14 March 2027 at 02:00.
    #[test]
    fn an_end_over_a_change_of_the_clocks_is_on_the_wall_and_a_length_in_hours() {
        let zone = America::New_York;
        let read = |now, start, typed| {
            let start = parse_local(start, zone).unwrap();
            match end(typed, start, here(now, zone)) {
                Ok(Moment::At(at)) => format!("{}h", at.since(start).millis() / 3_600_000),
                Ok(Moment::Day(day)) => day.to_string(),
                Err(error) => error.to_string(),
            }
        };
        let (autumn, spring) = ("2026-10-31T12:00", "2027-03-13T12:00");
        assert_eq!(read(autumn, "2026-10-31T22:00", "04:00"), "7h");
        assert_eq!(read(autumn, "2026-10-31T22:00", "+6h"), "6h");
        assert_eq!(read(autumn, "2026-11-01T00:00", "24:00"), "25h");
        assert_eq!(read(autumn, "2026-10-31T22:00", "tomorrow 04:00"), "7h");
        assert!(
            read(autumn, "2026-10-31T22:00", "01:30")
                .contains("comes twice that night; write 2026-11-01T01:30:00-04:00")
        );
        assert_eq!(read(autumn, "2026-10-31T22:00", "2026-11-01T01:30-05:00"), "4h");
        assert_eq!(read(spring, "2027-03-13T22:00", "04:00"), "5h");
        assert_eq!(read(spring, "2027-03-13T22:00", "+6h"), "6h");
        assert_eq!(read(spring, "2027-03-14T00:00", "24:00"), "23h");
        assert!(read(spring, "2027-03-13T22:00", "sun 02:30").contains("does not exist in America/New_York"));
        // today is still Saturday there when it is Sunday in UTC
        assert_eq!(read("2026-10-31T22:30", "2026-11-01T10:00", "tomorrow 12:00"), "2h");
    }

    #[test]
    fn a_deadline_that_is_not_there_or_there_twice_is_refused() {
        let zone = Europe::Berlin;
        let gap = deadline("29 mar 02:30", here("2026-03-28T12:00", zone));
        assert!(matches!(gap, Err(TimeError::Gap { .. })), "{gap:?}");
        let fold = deadline("sun 02:30", here("2026-10-24T12:00", zone));
        assert!(matches!(fold, Err(TimeError::Fold { .. })), "{fold:?}");
    }
}
