//! Rules of recurrence (RFC 5545, 3.3.10) over local times, in which no clock changes.
//!
//! A rule looks at one period of its frequency after another, the first being that of the start: which of its days fit,
//! which times of these, and which places in that set. What a rule does not say is taken from the start.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::str::FromStr;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Weekday};

/// Periods in a row without a time after which a rule is taken to come no more.
const EMPTY_MAX: u32 = 20_000;

/// No rule is followed beyond this year.
pub(super) const YEAR_MAX: i32 = 9_999;

const DAY_SECONDS: i64 = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString)]
#[strum(serialize_all = "UPPERCASE")]
enum Freq {
    Secondly,
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A rule without its UNTIL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    freq: Freq,
    interval: u32,
    pub(super) count: Option<usize>,
    week_start: Weekday,
    months: Vec<i32>,
    weeks: Vec<i32>,
    year_days: Vec<i32>,
    month_days: Vec<i32>,
    /// Weekdays, each with its place in the month or year; 0 for all.
    days: Vec<(i32, Weekday)>,
    hours: Vec<i32>,
    minutes: Vec<i32>,
    seconds: Vec<i32>,
    places: Vec<i32>,
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rule = Self {
            freq: Freq::Daily,
            interval: 1,
            count: None,
            week_start: Weekday::Mon,
            months: Vec::new(),
            weeks: Vec::new(),
            year_days: Vec::new(),
            month_days: Vec::new(),
            days: Vec::new(),
            hours: Vec::new(),
            minutes: Vec::new(),
            seconds: Vec::new(),
            places: Vec::new(),
        };
        let mut said: Vec<&str> = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("{part} has no value"))?;
            if said.contains(&name) {
                return Err(format!("it says {name} twice"));
            }
            rule.say(name, value)?;
            said.push(name);
        }
        if !said.contains(&"FREQ") {
            return Err("it has no FREQ".to_owned());
        }
        rule.checked()
    }
}

impl Rule {
    fn say(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = || format!("{name} is not {value}");
        let small = |value: &str| value.parse::<u32>().map_err(|_| wrong());
        match name {
            "FREQ" => self.freq = value.parse().map_err(|_| wrong())?,
            "INTERVAL" => self.interval = small(value)?,
            "COUNT" => self.count = Some(usize::try_from(small(value)?).map_err(|_| wrong())?),
            "WKST" => self.week_start = weekday(value).ok_or_else(wrong)?,
            "BYMONTH" => self.months = numbers(value, 1..=12).ok_or_else(wrong)?,
            "BYWEEKNO" => self.weeks = numbers(value, -53..=53).ok_or_else(wrong)?,
            "BYYEARDAY" => self.year_days = numbers(value, -366..=366).ok_or_else(wrong)?,
            "BYMONTHDAY" => self.month_days = numbers(value, -31..=31).ok_or_else(wrong)?,
            "BYDAY" => self.days = value.split(',').map(placed).collect::<Option<_>>().ok_or_else(wrong)?,
            "BYHOUR" => self.hours = times(value, 0..=23).ok_or_else(wrong)?,
            "BYMINUTE" => self.minutes = times(value, 0..=59).ok_or_else(wrong)?,
            "BYSECOND" => self.seconds = times(value, 0..=59).ok_or_else(wrong)?,
            "BYSETPOS" => self.places = numbers(value, -366..=366).ok_or_else(wrong)?,
            _ => return Err(format!("nobody knows {name}")),
        }
        Ok(())
    }

    /// Refuses parts that a rule of its frequency may not have, which others read in different ways.
    fn checked(self) -> Result<Self, String> {
        let places = self.days.iter().any(|(place, _)| *place != 0);
        let (is_yearly, has_weeks) = (self.freq == Freq::Yearly, !self.weeks.is_empty());
        let is_whole = matches!(self.freq, Freq::Daily | Freq::Weekly | Freq::Monthly);
        let lists =
            [&self.months, &self.weeks, &self.year_days, &self.month_days, &self.hours, &self.minutes, &self.seconds];
        let is_bare = self.days.is_empty() && lists.iter().all(|list| list.is_empty());
        let problems = [
            (self.interval == 0, "its INTERVAL is 0"),
            (self.count == Some(0), "its COUNT is 0"),
            (has_weeks && !is_yearly, "BYWEEKNO is of FREQ=YEARLY alone"),
            (is_whole && !self.year_days.is_empty(), "BYYEARDAY is not of days, weeks or months"),
            (self.freq == Freq::Weekly && !self.month_days.is_empty(), "BYMONTHDAY is not of FREQ=WEEKLY"),
            (places && self.freq < Freq::Monthly, "a BYDAY with a number is of months and years alone"),
            (places && has_weeks, "a BYDAY with a number is not of weeks"),
            (is_bare && !self.places.is_empty(), "BYSETPOS chooses from nothing"),
        ];
        let problem = problems.into_iter().find(|(is_so, _)| *is_so);
        problem.map_or(Ok(self), |(_, problem)| Err(problem.to_owned()))
    }

    /// Rule for whole days, which have no times of the day; `None` if it comes more often than daily.
    pub(super) fn of_days(&self) -> Option<Self> {
        let bare = Self { hours: Vec::new(), minutes: Vec::new(), seconds: Vec::new(), ..self.clone() };
        (self.freq >= Freq::Daily).then_some(bare)
    }

    /// Its times from a start on, in order; without its count.
    pub(super) fn times(&self, start: NaiveDateTime) -> Times<'_> {
        Times { rule: self, start, period: 0, found: VecDeque::new() }
    }

    /// Days of the period of a number, and the time at which a period of less than a day begins; `None` beyond all time.
    fn period(&self, start: NaiveDateTime, number: u64) -> Option<(NaiveDate, NaiveDate, NaiveTime)> {
        let by = number.checked_mul(self.interval.into())?;
        let whole = |first: NaiveDate, end: Option<NaiveDate>| Some((first, end?, start.time()));
        match self.freq {
            Freq::Yearly => {
                let year = |date: NaiveDate| date.year().checked_add(i32::try_from(by).ok()?);
                let first = |year: i32| NaiveDate::from_ymd_opt(year, 1, 1);
                if self.weeks.is_empty() {
                    let year = year(start.date())?;
                    return whole(first(year)?, first(year.checked_add(1)?));
                }
                // a year of weeks, from its first to its last
                let year = year(middle_of_week(start.date(), self.week_start)?)?;
                let first = |year: i32| week_of(NaiveDate::from_ymd_opt(year, 1, 4)?, self.week_start);
                whole(first(year)?, first(year.checked_add(1)?))
            }
            Freq::Monthly => {
                let first = start.date().with_day(1)?.checked_add_months(Months::new(u32::try_from(by).ok()?))?;
                whole(first, first.checked_add_months(Months::new(1)))
            }
            Freq::Weekly => {
                let first = week_of(start.date(), self.week_start)?.checked_add_days(Days::new(by.checked_mul(7)?))?;
                whole(first, first.checked_add_days(Days::new(7)))
            }
            Freq::Daily => {
                let first = start.date().checked_add_days(Days::new(by))?;
                whole(first, first.succ_opt())
            }
            Freq::Hourly | Freq::Minutely | Freq::Secondly => {
                let seconds = i64::try_from(by).ok()?.checked_mul(self.seconds_apart())?;
                let at = start.checked_add_signed(TimeDelta::try_seconds(seconds)?)?;
                Some((at.date(), at.date().succ_opt()?, at.time()))
            }
        }
    }

    const fn seconds_apart(&self) -> i64 {
        match self.freq {
            Freq::Secondly => 1,
            Freq::Minutely => 60,
            Freq::Hourly => 3_600,
            Freq::Daily | Freq::Weekly | Freq::Monthly | Freq::Yearly => DAY_SECONDS,
        }
    }

    fn fits(&self, date: NaiveDate, start: NaiveDateTime) -> bool {
        let of_year = i32::try_from(date.ordinal()).unwrap_or_default();
        let year_length = if date.leap_year() { 366 } else { 365 };
        let month = i32::try_from(date.month()).unwrap_or_default();
        (self.months.is_empty() || self.months.contains(&month))
            && either_end(&self.year_days, of_year, year_length)
            && either_end(&self.month_days, day_of(date), month_length(date))
            && self.fits_week(date)
            && self.fits_weekday(date, (of_year, year_length))
            && self.fits_start(date, start.date())
    }

    fn fits_week(&self, date: NaiveDate) -> bool {
        self.weeks.is_empty()
            || week_number(date, self.week_start).is_some_and(|(number, weeks)| either_end(&self.weeks, number, weeks))
    }

    fn fits_weekday(&self, date: NaiveDate, of_year: (i32, i32)) -> bool {
        let (at, length) = if self.freq == Freq::Yearly && self.months.is_empty() {
            of_year
        } else {
            (day_of(date), month_length(date))
        };
        let place = |place: i32| match place {
            0 => true,
            1.. => (at - 1) / 7 + 1 == place,
            _ => (length - at) / 7 + 1 == -place,
        };
        self.days.is_empty() || self.days.iter().any(|(at, day)| *day == date.weekday() && place(*at))
    }

    /// Takes what the rule leaves open from its start.
    fn fits_start(&self, date: NaiveDate, start: NaiveDate) -> bool {
        let says_day = !self.days.is_empty() || !self.month_days.is_empty() || !self.year_days.is_empty();
        match self.freq {
            Freq::Yearly if self.weeks.is_empty() => {
                let months = self.months.is_empty() && self.days.is_empty() && self.year_days.is_empty();
                (says_day || date.day() == start.day()) && (!months || date.month() == start.month())
            }
            Freq::Yearly | Freq::Weekly => says_day || date.weekday() == start.weekday(),
            Freq::Monthly => says_day || date.day() == start.day(),
            Freq::Daily | Freq::Hourly | Freq::Minutely | Freq::Secondly => true,
        }
    }

    /// Times of the day, of a period that begins at one.
    fn clock(&self, at: NaiveTime) -> Vec<NaiveTime> {
        let part = |list: &[i32], (own, freq): (u32, Freq)| {
            let own = i32::try_from(own).unwrap_or_default();
            match (list, self.freq <= freq) {
                ([], _) => vec![own],
                (list, true) => list.iter().copied().filter(|one| *one == own).collect(),
                (list, false) => list.to_vec(),
            }
        };
        let hours = part(&self.hours, (at.hour(), Freq::Hourly));
        let minutes = part(&self.minutes, (at.minute(), Freq::Minutely));
        let seconds = part(&self.seconds, (at.second(), Freq::Secondly));
        let time = |hour: i32, minute: i32, second: i32| {
            let part = |number: i32| u32::try_from(number).ok();
            NaiveTime::from_hms_opt(part(hour)?, part(minute)?, part(second)?)
        };
        let minutes = &minutes;
        let seconds = &seconds;
        let all = hours.iter().flat_map(|hour| {
            minutes
                .iter()
                .flat_map(move |minute| seconds.iter().filter_map(move |second| time(*hour, *minute, *second)))
        });
        all.collect()
    }

    /// Chosen places of a period's times, in order.
    fn chosen(&self, times: Vec<NaiveDateTime>) -> VecDeque<NaiveDateTime> {
        if self.places.is_empty() {
            return times.into();
        }
        let count = i32::try_from(times.len()).unwrap_or(i32::MAX);
        (1..).zip(times).filter(|(place, _)| either_end(&self.places, *place, count)).map(|(_, at)| at).collect()
    }
}

/// Times of a rule.
pub(super) struct Times<'a> {
    rule: &'a Rule,
    start: NaiveDateTime,
    /// Number of the next period.
    period: u64,
    found: VecDeque<NaiveDateTime>,
}

impl Iterator for Times<'_> {
    type Item = NaiveDateTime;

    fn next(&mut self) -> Option<NaiveDateTime> {
        for _ in 0..EMPTY_MAX {
            if let Some(at) = self.found.pop_front() {
                return Some(at);
            }
            let (first, end, at) = self.rule.period(self.start, self.period)?;
            if first.year() > YEAR_MAX {
                return None;
            }
            self.period += 1;
            let dates = first.iter_days().take_while(|date| *date < end);
            let dates: Vec<NaiveDate> = dates.filter(|date| self.rule.fits(*date, self.start)).collect();
            if dates.is_empty() && self.rule.freq < Freq::Daily {
                self.skip_to(end);
                continue;
            }
            let clock = self.rule.clock(at);
            let all = dates.into_iter().flat_map(|date| clock.iter().map(move |time| date.and_time(*time)));
            self.found = self.rule.chosen(all.collect());
            self.found.retain(|at| *at >= self.start);
        }
        None
    }
}

impl Times<'_> {
    /// Goes on with the first period of a day.
    fn skip_to(&mut self, date: NaiveDate) {
        let seconds = (date.and_time(NaiveTime::MIN) - self.start).num_seconds();
        let apart = self.rule.seconds_apart().saturating_mul(self.rule.interval.into());
        let periods = seconds.saturating_add(apart - 1) / apart;
        self.period = self.period.max(u64::try_from(periods).unwrap_or_default());
    }
}

/// Returns whether a list is empty, or has a place counted from the beginning or, below zero, from the end.
fn either_end(list: &[i32], place: i32, count: i32) -> bool {
    list.is_empty() || list.contains(&place) || list.contains(&(place - count - 1))
}

fn day_of(date: NaiveDate) -> i32 {
    i32::try_from(date.day()).unwrap_or_default()
}

fn month_length(date: NaiveDate) -> i32 {
    let next = date.with_day(1).and_then(|first| first.checked_add_months(Months::new(1)));
    next.and_then(|next| next.pred_opt()).map_or(31, day_of)
}

/// First day of the week of a date.
fn week_of(date: NaiveDate, week_start: Weekday) -> Option<NaiveDate> {
    date.checked_sub_days(Days::new(date.weekday().days_since(week_start).into()))
}

/// Middle of the week of a date, which is in the year that has most of that week.
fn middle_of_week(date: NaiveDate, week_start: Weekday) -> Option<NaiveDate> {
    week_of(date, week_start)?.checked_add_days(Days::new(3))
}

/// Number of a date's week in the year that has most of it, and how many weeks that year has.
fn week_number(date: NaiveDate, week_start: Weekday) -> Option<(i32, i32)> {
    let number = |middle: NaiveDate| i32::try_from(middle.ordinal0() / 7 + 1).ok();
    let here = middle_of_week(date, week_start)?;
    // that day is in the last week, whichever day weeks begin on
    let last = middle_of_week(NaiveDate::from_ymd_opt(here.year(), 12, 28)?, week_start)?;
    Some((number(here)?, number(last)?))
}

fn weekday(text: &str) -> Option<Weekday> {
    Some(match text {
        "MO" => Weekday::Mon,
        "TU" => Weekday::Tue,
        "WE" => Weekday::Wed,
        "TH" => Weekday::Thu,
        "FR" => Weekday::Fri,
        "SA" => Weekday::Sat,
        "SU" => Weekday::Sun,
        _ => return None,
    })
}

/// `MO`, `+1MO`, `-2SU`.
fn placed(text: &str) -> Option<(i32, Weekday)> {
    let text = text.trim();
    let (place, day) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let place = if place.is_empty() { 0 } else { place.parse().ok().filter(|place| *place != 0)? };
    Some((place, weekday(day)?))
}

/// Numbers of a range, without zero.
fn numbers(text: &str, range: RangeInclusive<i32>) -> Option<Vec<i32>> {
    times(text, range).filter(|all| !all.contains(&0))
}

/// Numbers of a range in order, each once.
fn times(text: &str, range: RangeInclusive<i32>) -> Option<Vec<i32>> {
    let one = |text: &str| text.trim().parse().ok().filter(|number| range.contains(number));
    let mut all: Vec<i32> = text.split(',').map(one).collect::<Option<_>>()?;
    all.sort_unstable();
    all.dedup();
    Some(all)
}
