//! Opening hours: local times of day, also past midnight.

use chrono::{NaiveDate, NaiveTime};

use crate::domain::resource::OpenHours;
use crate::domain::time::{Day, Grid, Instant, Slot, TimeError, local_at};

const DAY_MINUTES: u32 = 24 * 60;

impl OpenHours {
    /// Reads `08:00-23:00`, or past midnight `18:00-02:00`.
    ///
    /// # Errors
    /// Anything else, and hours that open when they close.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let wrong = || TimeError::Hours(text.to_owned());
        let (from, until) = text.trim().split_once('-').ok_or_else(wrong)?;
        let hours = Self {
            from: minutes(from).filter(|at| *at < DAY_MINUTES).ok_or_else(wrong)?,
            until: minutes(until).ok_or_else(wrong)?,
            hire: false,
        };
        if hours.from == hours.until { Err(wrong()) } else { Ok(hours) }
    }

    /// Opening spans of some days, in order, with those that reach in from the day before the first.
    pub fn open(self, grid: Grid, days: &[Day]) -> Vec<Slot> {
        let before = days.first().and_then(|day| day.date.pred_opt());
        let dates = before.into_iter().chain(days.iter().map(|day| day.date));
        let slots = dates.filter_map(|date| self.on(grid, date)).collect();
        crate::domain::time::joined(slots)
    }

    /// The opening span that begins on a day.
    pub(in crate::domain) fn on(self, grid: Grid, date: NaiveDate) -> Option<Slot> {
        let until =
            if self.until > self.from { at(grid, date, self.until) } else { at(grid, date.succ_opt()?, self.until) };
        Slot::new(at(grid, date, self.from), until).ok()
    }
}

impl std::fmt::Display for OpenHours {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (from, until) = (self.from, self.until);
        write!(out, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, until / 60, until % 60)
    }
}

fn at(grid: Grid, date: NaiveDate, minutes: u32) -> Instant {
    match NaiveTime::from_num_seconds_from_midnight_opt(minutes * 60, 0) {
        Some(time) => local_at(date.and_time(time), grid.zone),
        None => grid.day(date).end,
    }
}

fn minutes(text: &str) -> Option<u32> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let all = hours * 60 + minutes;
    (hours <= 24 && minutes < 60 && all <= DAY_MINUTES).then_some(all)
}
