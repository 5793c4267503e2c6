//! Labels above the columns: hours, days and dates.
//!
//! Import cycle with [`scale`](super), whose heads it makes.

use chrono::{DateTime, Datelike, NaiveDate, Timelike};
use chrono_tz::Tz;

use crate::tui::widgets::timeline::Head;

/// Drops labels that would touch the one before, except where a day begins.
pub(super) fn apart(heads: Vec<Head>, columns: u16) -> Vec<Head> {
    let mut kept: Vec<Head> = Vec::with_capacity(heads.len());
    let end = |head: &Head| head.column + u16::try_from(head.text.len()).unwrap_or(0);
    for head in heads {
        if end(&head) > columns {
            continue;
        }
        while kept.last().is_some_and(|last| end(last) >= head.column && head.is_day && !last.is_day) {
            kept.pop();
        }
        if kept.last().is_none_or(|last| end(last) < head.column) {
            kept.push(head);
        }
    }
    kept
}

pub(super) fn hour_head(local: &DateTime<Tz>, (is_day, column): (bool, u16)) -> Option<String> {
    if is_day && column > 0 {
        let date = local.date_naive();
        // the title has the year of the first column
        let year = if date.ordinal() == 1 { date.format(" %Y").to_string() } else { String::new() };
        return Some(short_day(date) + &year);
    }
    (local.minute() == 0).then(|| local.format("%H").to_string())
}

pub(super) fn week_head(local: &DateTime<Tz>, (is_day, a_day): (bool, u16)) -> Option<String> {
    if is_day {
        let pattern = if a_day > 10 { "%a %-d %b" } else { "%a %-d" };
        return Some(local.format(pattern).to_string());
    }
    let quarter = local.minute() == 0 && local.hour().is_multiple_of(6) && a_day >= 20;
    quarter.then(|| local.format("%H").to_string())
}

pub(super) fn month_head(date: NaiveDate, (column, a_day): (u16, u16)) -> String {
    let days = date.weekday().num_days_from_monday();
    let name = || format!("{} {}", weekday(date), date.format("%-d"));
    // the next Monday comes before the month's label
    let has_room = || u32::from(a_day) * (7 - days) > u32::try_from(name().len()).unwrap_or(0);
    if a_day > 4 {
        short_day(date)
    } else if a_day > 2 {
        date.format("%-d").to_string()
    } else if days == 0 || column == 0 && has_room() {
        name()
    } else {
        String::new()
    }
}

/// `Sa21`, `Tu 1`.
pub(super) fn short_day(date: NaiveDate) -> String {
    format!("{}{}", weekday(date), date.format("%e"))
}

fn weekday(date: NaiveDate) -> String {
    date.format("%a").to_string().chars().take(2).collect()
}
