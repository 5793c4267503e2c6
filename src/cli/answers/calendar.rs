//! The calendar: periods of resources, and whether a slot can be booked.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::answers::tail;
use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::domain::calendar::{CalendarView, Period};
use crate::domain::owner::Owner;
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::reads::calendar::Check;

/// A resource's calendar.
#[derive(Serialize)]
pub(in crate::cli) struct CalendarAnswer {
    resource: String,
    name: String,
    periods: Vec<PeriodAnswer>,
}

/// Neighbouring instants of one state and one owner.
#[derive(Serialize)]
pub(in crate::cli) struct PeriodAnswer {
    from: String,
    until: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    customer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_until: Option<String>,
    #[serde(skip_serializing_if = "is_not")]
    buffer: bool,
    #[serde(skip_serializing_if = "is_not")]
    goes_on_before: bool,
    #[serde(skip_serializing_if = "is_not")]
    goes_on_after: bool,
    #[serde(skip)]
    when: String,
    #[serde(skip)]
    wanted: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_not(flag: &bool) -> bool {
    !*flag
}

/// The id by which people and programs name an owner again.
pub(in crate::cli) fn owner_id(owner: &Owner) -> String {
    match (owner.booking(), owner) {
        (Some(booking), _) => booking.to_string(),
        (None, Owner::Line(line)) => line.to_string(),
        (None, other) => other.to_string(),
    }
}

impl PeriodAnswer {
    pub(in crate::cli) fn new(period: &Period, zone: Tz) -> Self {
        let wanted = period.wanted.filter(|_| !period.is_buffer);
        Self {
            from: period.slot.from().rfc3339(zone),
            until: period.slot.until().rfc3339(zone),
            state: period.state.word(),
            owner: period.owner.as_ref().map(owner_id),
            title: period.title.clone(),
            customer: period.customer.clone(),
            wanted_from: wanted.map(|slot| slot.from().rfc3339(zone)),
            wanted_until: wanted.map(|slot| slot.until().rfc3339(zone)),
            held_until: period.until.map(|at| at.rfc3339(zone)),
            buffer: period.is_buffer,
            goes_on_before: period.from_before,
            goes_on_after: period.until_after,
            when: period.slot.dated(zone),
            wanted: wanted
                .filter(|slot| *slot != period.slot)
                .map_or(String::new(), |slot| slot.dated(zone)),
        }
    }

    fn row(&self, resource: &str) -> [String; 6] {
        let state = self.state.replace('_', " ");
        [
            resource.to_owned(),
            self.when.clone(),
            if self.buffer {
                format!("{state} (before or after)")
            } else {
                state
            },
            self.title.clone(),
            self.wanted.clone(),
            self.owner.as_deref().map(tail).unwrap_or_default(),
        ]
    }
}

impl CalendarAnswer {
    pub(in crate::cli) fn new(resource: &Resource, view: &CalendarView) -> Self {
        let zone = resource.zone();
        let periods = view.periods.iter();
        Self {
            resource: resource.id.to_string(),
            name: resource.name.clone(),
            periods: periods
                .map(|period| PeriodAnswer::new(period, zone))
                .collect(),
        }
    }
}

fn table() -> Table<6> {
    Table::new([
        words("RESOURCE"),
        words("WHEN"),
        words("STATE"),
        words("TITLE"),
        words("WANTED"),
        words("ID"),
    ])
}

/// Calendars, in the order in which they were asked for.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct CalendarList(pub(in crate::cli) Vec<CalendarAnswer>);

impl Answer for CalendarList {
    fn people(&self) -> String {
        let mut table = table();
        for calendar in &self.0 {
            for period in &calendar.periods {
                table.row(period.row(&calendar.name));
            }
        }
        table.text_or("No period is so.")
    }
}

/// Whether a slot can be booked.
#[derive(Serialize)]
pub(in crate::cli) struct CheckAnswer {
    resource: String,
    free: bool,
    from: String,
    until: String,
    wanted_from: String,
    wanted_until: String,
    in_the_way: Vec<PeriodAnswer>,
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    when: String,
}

impl CheckAnswer {
    pub(in crate::cli) fn new(resource: &Resource, (check, wanted): (&Check, Slot)) -> Self {
        let zone = resource.zone();
        let in_the_way = check.in_the_way.iter();
        Self {
            resource: resource.id.to_string(),
            free: check.free,
            from: check.core.from().rfc3339(zone),
            until: check.core.until().rfc3339(zone),
            wanted_from: wanted.from().rfc3339(zone),
            wanted_until: wanted.until().rfc3339(zone),
            in_the_way: in_the_way
                .map(|period| PeriodAnswer::new(period, zone))
                .collect(),
            name: resource.name.clone(),
            when: check.core.dated(zone),
        }
    }
}

impl Answer for CheckAnswer {
    fn people(&self) -> String {
        if self.free {
            return format!("Yes: {} is free {}.", self.name, self.when);
        }
        let mut table = table();
        for period in &self.in_the_way {
            table.row(period.row(&self.name));
        }
        format!(
            "No: {} is not free {}.\n{}",
            self.name,
            self.when,
            table.text()
        )
    }
}
