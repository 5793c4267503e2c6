//! Time scale of a timeline: maps columns to instants.
//!
//! A scale is the list of its columns' borders, so that days of 23 or 25 hours need no special case: every answer is
//! looked up, never computed from a width. Columns never cross midnight in local time.

use std::ops::Range;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Timelike, Weekday};
use chrono_tz::Tz;

use crate::domain::time::{Instant, Span, day_start};

mod heads;

use heads::{apart, hour_head, month_head, short_day, week_head};

/// Columns a night.
pub const NIGHT_COLUMNS: u16 = 5;
/// Days at the month zoom: four weeks, or five where each of their days is as wide.
const MONTH_DAYS: u16 = 28;
const MONTH_LONG: u16 = 35;
/// Column lengths to choose from for one or two weeks, in minutes.
const WEEK_STEPS: [i64; 6] = [30, 60, 120, 180, 240, 360];
/// Longest column of a window of two weeks, in minutes.
const TWO_WEEKS_STEP: i64 = 180;
/// Columns a day to choose from at the month zoom.
const MONTH_COLUMNS: [u16; 6] = [12, 6, 4, 3, 2, 1];

/// Zoom of a timeline.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum TimeZoom {
    /// Five minutes a column.
    Hours,
    /// A quarter hour a column.
    #[default]
    Day,
    /// Seven days from a Monday, or fourteen where they fit.
    Week,
    /// Five columns a night.
    Nights,
    /// A month from its first day.
    Month,
}

impl TimeZoom {
    /// All zooms, closest first.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Name.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Next closer zoom; the closest stays.
    #[must_use]
    pub const fn closer(self) -> Self {
        match self {
            Self::Hours | Self::Day => Self::Hours,
            Self::Week => Self::Day,
            Self::Nights => Self::Week,
            Self::Month => Self::Nights,
        }
    }

    /// Next wider zoom; the widest stays.
    #[must_use]
    pub const fn wider(self) -> Self {
        match self {
            Self::Hours => Self::Day,
            Self::Day => Self::Week,
            Self::Week => Self::Nights,
            Self::Nights | Self::Month => Self::Month,
        }
    }

    /// Start of the window of this zoom that contains an instant; `opens` is the opening time of the house's day.
    #[must_use]
    pub fn window_start(self, at: Instant, (zone, opens): (Tz, NaiveTime)) -> Instant {
        let local = at.in_zone(zone);
        let date = local.date_naive();
        match self {
            Self::Hours => hour(&local, zone) - Span::minutes(60),
            Self::Day => day_window(&local, (zone, opens)),
            Self::Week | Self::Month => day_start(date.week(Weekday::Mon).first_day(), zone),
            Self::Nights => day_start(date, zone),
        }
    }
}

/// Start of the hour of a local time, as an instant.
fn hour(local: &DateTime<Tz>, zone: Tz) -> Instant {
    let minutes = i64::from(local.minute());
    let at = Instant::from_millis(local.timestamp_millis() / 60_000 * 60_000);
    let began = at - Span::minutes(minutes);
    let date = began.in_zone(zone).date_naive();
    began.max(day_start(date, zone))
}

/// Start of the house's day: its opening time; the small hours belong to the evening before.
fn day_window(local: &DateTime<Tz>, (zone, opens): (Tz, NaiveTime)) -> Instant {
    let date = local.date_naive();
    let small_hours = NaiveTime::from_hms_opt(3, 0, 0).unwrap_or(NaiveTime::MIN);
    if local.time() < small_hours.min(opens) {
        return wall(date - Days::new(1), (zone, opens));
    }
    if local.time() < opens {
        return hour(local, zone);
    }
    wall(date, (zone, opens))
}

/// Instant of a time of day on a date; where the clocks skip that time, the first instant after.
fn wall(date: NaiveDate, (zone, time): (Tz, NaiveTime)) -> Instant {
    let start = day_start(date, zone);
    let hours = i64::from(time.num_seconds_from_midnight());
    let guess = start + Span::seconds(hours);
    // on a day with an hour more or less, the guess is off by that hour
    let off = i64::from(guess.in_zone(zone).time().num_seconds_from_midnight()) - hours;
    if off > 0 { guess - Span::seconds(off) } else { guess + Span::seconds(-off) }
}

/// A label above the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// First column.
    pub column: u16,
    /// Text.
    pub text: String,
    /// True where a day begins.
    pub is_day: bool,
}

/// Extent of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeWindow {
    /// Zoom.
    pub zoom: TimeZoom,
    /// Start, on a column border.
    pub from: Instant,
    /// Time zone of local days.
    pub zone: Tz,
    /// Maximum number of columns.
    pub columns: u16,
    /// Maximum number of weeks at the week zoom: 1 or 2.
    pub weeks: u8,
}

/// Columns of a timeline with their instants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Extent.
    pub window: TimeWindow,
    /// Column borders, one more than there are columns.
    borders: Vec<Instant>,
    heads: Vec<Head>,
    ticks: Vec<u16>,
}

/// Columns of a span of time, cut to the scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Touched columns.
    pub columns: Range<u16>,
    /// True if the span starts before the first column.
    pub from_before: bool,
    /// True if the span ends after the last column.
    pub until_after: bool,
}

impl Scale {
    /// Computes the borders of a window.
    #[must_use]
    pub fn new(window: TimeWindow) -> Self {
        let borders = match window.zoom {
            TimeZoom::Hours => stepped(window, 5),
            TimeZoom::Day => stepped(window, 15),
            TimeZoom::Week => week(window),
            TimeZoom::Nights => days(window, (NIGHT_COLUMNS, window.columns / NIGHT_COLUMNS)),
            TimeZoom::Month => {
                let fits = |count: &&u16| **count * MONTH_DAYS <= window.columns;
                let a_day = MONTH_COLUMNS.iter().find(fits).copied().unwrap_or(1);
                days(window, (a_day, if a_day * MONTH_LONG <= window.columns { MONTH_LONG } else { MONTH_DAYS }))
            }
        };
        let mut scale = Self { window, borders, heads: Vec::new(), ticks: Vec::new() };
        scale.name();
        scale
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> u16 {
        u16::try_from(self.borders.len().saturating_sub(1)).unwrap_or(u16::MAX)
    }

    /// First instant.
    #[must_use]
    pub fn from(&self) -> Instant {
        self.borders.first().copied().unwrap_or_default()
    }

    /// First instant after the scale.
    #[must_use]
    pub fn until(&self) -> Instant {
        self.borders.last().copied().unwrap_or_default()
    }

    /// First instant of a column; beyond the last column, the scale's end.
    #[must_use]
    pub fn start_of(&self, column: u16) -> Instant {
        let last = self.until();
        self.borders.get(usize::from(column)).copied().unwrap_or(last)
    }

    /// Column that contains an instant.
    #[must_use]
    pub fn column_at(&self, at: Instant) -> Option<u16> {
        if at < self.from() || at >= self.until() {
            return None;
        }
        let after = self.borders.partition_point(|border| *border <= at);
        u16::try_from(after.checked_sub(1)?).ok()
    }

    /// Columns that a span of time touches; none when it is out of view.
    #[must_use]
    pub fn columns_of(&self, from: Instant, until: Instant) -> Option<Columns> {
        if until <= self.from() || from >= self.until() || until <= from {
            return None;
        }
        let first = self.column_at(from.max(self.from()))?;
        let end = self.borders.partition_point(|border| *border < until);
        let end = u16::try_from(end).ok()?.min(self.columns());
        Some(Columns {
            columns: first..end.max(first + 1),
            from_before: from < self.from(),
            until_after: until > self.until(),
        })
    }

    /// Labels above the columns.
    #[must_use]
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Columns with a tick.
    #[must_use]
    pub fn ticks(&self) -> &[u16] {
        &self.ticks
    }

    /// Dates in view, each with its first column.
    #[must_use]
    pub fn dates(&self) -> Vec<(NaiveDate, u16)> {
        let zone = self.window.zone;
        let mut dates: Vec<(NaiveDate, u16)> = Vec::new();
        for (border, column) in self.borders.iter().zip(0..self.columns()) {
            let date = border.in_zone(zone).date_naive();
            if dates.last().is_none_or(|(before, _)| *before < date) {
                dates.push((date, column));
            }
        }
        dates
    }

    fn name(&mut self) {
        let (mut heads, mut ticks) = (Vec::new(), Vec::new());
        let a_day = self.day_columns();
        let mut before: Option<NaiveDate> = None;
        for (border, column) in self.borders.iter().zip(0..self.columns()) {
            let local = border.in_zone(self.window.zone);
            let is_day = before != Some(local.date_naive());
            before = Some(local.date_naive());
            let head = match self.window.zoom {
                TimeZoom::Hours | TimeZoom::Day => hour_head(&local, (is_day, column)),
                TimeZoom::Week => week_head(&local, (is_day, a_day)),
                TimeZoom::Nights => is_day.then(|| short_day(local.date_naive())),
                TimeZoom::Month => is_day.then(|| month_head(local.date_naive(), (column, a_day))),
            };
            if let Some(text) = head {
                ticks.push(column);
                if !text.is_empty() {
                    heads.push(Head { column, text, is_day });
                }
            }
        }
        self.heads = apart(heads, self.columns());
        self.ticks = ticks;
    }

    /// Number of columns of the first whole day.
    fn day_columns(&self) -> u16 {
        let dates = self.dates();
        match dates.as_slice() {
            [(_, first), (_, second), ..] => second - first,
            _ => self.columns(),
        }
    }
}

/// Borders one step apart, starting again each day.
fn stepped(window: TimeWindow, minutes: i64) -> Vec<Instant> {
    let mut borders = Vec::with_capacity(usize::from(window.columns) + 1);
    let (mut at, mut next_day) = (window.from, window.from);
    while borders.len() <= usize::from(window.columns) {
        if at >= next_day {
            let date = at.in_zone(window.zone).date_naive();
            next_day = day_start(date + Days::new(1), window.zone);
        }
        borders.push(at);
        at = (at + Span::minutes(minutes)).min(next_day);
    }
    borders
}

/// Two weeks where a day of them has eight columns, else one, in the shortest step that fits.
fn week(window: TimeWindow) -> Vec<Instant> {
    let date = window.from.in_zone(window.zone).date_naive();
    let until = |days| day_start(date + Days::new(days), window.zone);
    let minutes = |until: Instant| until.since(window.from).millis() / 60_000 + 120;
    let fits_two = minutes(until(14)) / TWO_WEEKS_STEP <= i64::from(window.columns);
    let has_room = window.weeks > 1 && fits_two;
    let until = until(if has_room { 14 } else { 7 });
    let fits = |step: &&i64| minutes(until) / **step <= i64::from(window.columns);
    let step = WEEK_STEPS.iter().find(fits).copied().unwrap_or(360);
    let mut borders = stepped(window, step);
    borders.retain(|border| *border <= until);
    borders
}

/// Days of equally many columns, whatever their length in hours.
fn days(window: TimeWindow, (a_day, count): (u16, u16)) -> Vec<Instant> {
    let first = window.from.in_zone(window.zone).date_naive();
    let mut borders = Vec::new();
    let mut start = window.from;
    for day in 1..=u64::from(count) {
        let end = day_start(first + Days::new(day), window.zone);
        let length = end.since(start).millis();
        for column in 0..i64::from(a_day) {
            let part = Span::from_millis(length * column / i64::from(a_day));
            borders.push(start + part);
        }
        start = end;
    }
    borders.push(start);
    borders
}

#[cfg(test)]
mod tests {
    use chrono::NaiveTime;
    use chrono_tz::{Europe, Tz};

    use super::{Columns, Scale, TimeWindow, TimeZoom};
    use crate::domain::time::{Instant, Span, parse_local};

    fn at(text: &str, zone: Tz) -> Instant {
        parse_local(text, zone).unwrap()
    }

    fn scale(zoom: TimeZoom, text: &str, columns: u16) -> Scale {
        let zone = Europe::Berlin;
        let opens = NaiveTime::from_hms_opt(8, 0, 0).unwrap();
        let from = zoom.window_start(at(text, zone), (zone, opens));
        Scale::new(TimeWindow { zoom, from, zone, columns, weeks: 2 })
    }

    #[test]
    fn a_column_of_the_day_is_a_quarter_hour_from_the_opening_hour_past_midnight() {
        let day = scale(TimeZoom::Day, "2026-11-21T19:42", 76);
        let zone = Europe::Berlin;
        assert_eq!(day.from(), at("2026-11-21T08:00", zone));
        assert_eq!(day.until(), at("2026-11-22T03:00", zone));
        assert_eq!(day.column_at(at("2026-11-21T10:20", zone)), Some(9));
        assert_eq!(day.column_at(at("2026-11-22T03:00", zone)), None);
        let taken = day.columns_of(at("2026-11-21T10:00", zone), at("2026-11-21T11:30", zone));
        assert_eq!(taken.unwrap().columns, 8..14);
        assert_eq!(day.heads()[1].text, "09", "an hour is four columns: {:?}", day.heads());
        assert!(day.heads().iter().any(|head| head.text == "Su22"));
    }

    #[test]
    fn the_small_hours_belong_to_the_evening_before() {
        let zone = Europe::Berlin;
        let day = scale(TimeZoom::Day, "2026-11-22T01:15", 76);
        assert_eq!(day.from(), at("2026-11-21T08:00", zone));
        let early = scale(TimeZoom::Day, "2026-11-22T06:20", 76);
        assert_eq!(early.from(), at("2026-11-22T06:00", zone));
    }

    #[test]
    fn a_span_beyond_the_window_is_cut_and_flagged() {
        let zone = Europe::Berlin;
        let day = scale(TimeZoom::Day, "2026-11-21T12:00", 76);
        let cut = day.columns_of(at("2026-11-20T12:00", zone), at("2026-11-24T12:00", zone));
        assert_eq!(cut, Some(Columns { columns: 0..76, from_before: true, until_after: true }));
        let gone = day.columns_of(at("2026-11-20T12:00", zone), at("2026-11-21T08:00", zone));
        assert_eq!(gone, None);
        // a span shorter than a column still touches one
        let short = day.columns_of(at("2026-11-21T10:20", zone), at("2026-11-21T10:25", zone));
        assert_eq!(short.unwrap().columns, 9..10);
    }

    #[test]
    fn a_day_of_a_clock_change_has_an_hour_more_or_less_and_correct_columns() {
        for (date, hours) in [("2026-10-25", 25), ("2026-03-29", 23)] {
            let zone = Europe::Berlin;
            let start = at(&format!("{date}T00:00"), zone);
            let day = Scale::new(TimeWindow { zoom: TimeZoom::Day, from: start, zone, columns: 110, weeks: 2 });
            let next = day.dates()[1].1;
            assert_eq!(i64::from(next), hours * 4, "{date}");
            for column in 0..day.columns() {
                let from = day.start_of(column);
                assert_eq!(day.column_at(from), Some(column));
                assert_eq!(day.column_at(day.start_of(column + 1) - Span::from_millis(1)), Some(column));
            }
            let week = scale(TimeZoom::Week, &format!("{date}T12:00"), 76);
            assert_eq!(week.dates().len(), 7);
        }
    }

    #[test]
    fn a_night_has_five_columns_whatever_its_length() {
        let zone = Europe::Berlin;
        let nights = scale(TimeZoom::Nights, "2026-10-24T19:00", 76);
        assert_eq!(nights.dates().len(), 15);
        let stay = nights.columns_of(at("2026-10-25T00:00", zone), at("2026-10-26T00:00", zone));
        assert_eq!(stay.unwrap().columns, 5..10);
        assert_eq!(nights.heads()[0].text, "Sa24");
        assert_eq!(nights.heads()[8].text, "Su 1");
    }

    #[test]
    fn one_week_or_two_start_on_monday_and_a_month_on_its_first() {
        let zone = Europe::Berlin;
        for (columns, a_day, weeks) in [(65, 8, 1), (76, 8, 1), (111, 12, 1), (112, 8, 2), (178, 12, 2)] {
            let week = scale(TimeZoom::Week, "2026-11-21T12:00", columns);
            assert_eq!(week.from(), at("2026-11-16T00:00", zone));
            let until = if weeks == 1 { "2026-11-23T00:00" } else { "2026-11-30T00:00" };
            assert_eq!(week.until(), at(until, zone));
            assert_eq!(week.columns(), a_day * 7 * weeks, "{columns}");
        }
        let month = scale(TimeZoom::Month, "2026-11-21T12:00", 65);
        assert_eq!(month.from(), at("2026-11-16T00:00", zone), "from this week on");
        assert_eq!(month.columns(), 56, "two columns a day of four weeks");
        let heads: Vec<&str> = month.heads().iter().map(|head| head.text.as_str()).collect();
        assert_eq!(heads, ["Mo 16", "Mo 23", "Mo 30", "Mo 7"]);
        assert_eq!(scale(TimeZoom::Month, "2026-11-21T12:00", 70).columns(), 70, "five weeks");
    }
}
