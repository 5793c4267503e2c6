//! The calendar: periods of resources, and whether a slot can be booked.

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::refusal::refusal;
use crate::cli::answers::{day_time, tail};
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::calendar::{CalendarView, Period};
use crate::domain::operator::hands;
use crate::domain::owner::Owner;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Local, Slot, Wall};
use crate::engine::reads::calendar::Check;
use crate::words;

/// The owner's id, accepted again by every command.
pub(in crate::cli) fn owner_id(owner: &Owner) -> String {
    match (owner.booking(), owner) {
        (Some(booking), _) => booking.to_string(),
        (None, Owner::Line(line)) => line.to_string(),
        (None, other) => other.to_string(),
    }
}

/// The time of a period in words; an act without an end has none.
pub(super) fn dated(period: &Period, wall: impl Into<Wall>) -> String {
    let wall = wall.into();
    if period.is_endless() {
        let from = day_time(period.slot.from(), wall.zone);
        format!("from {from} until further notice")
    } else {
        period.slot.dated(wall)
    }
}

/// A period's title, with the operator who took the time out of use: `oil, by ben`.
pub(super) fn title(period: &Period) -> String {
    let (title, by) = (&period.title, hands(&period.operator, period.approved.as_deref()));
    match (title.is_empty(), by.is_empty()) {
        (_, true) => title.clone(),
        (true, false) => format!("by {by}"),
        (false, false) => format!("{title}, by {by}"),
    }
}

/// Neighbouring instants of one state and one owner.
fn period(period: &Period, zone: Tz) -> Value {
    let wanted = period.wanted.filter(|_| !period.is_buffer);
    object! {
        "from": period.slot.from().rfc3339(zone),
        "until": period.slot.until().rfc3339(zone),
        "state": period.state.word(),
        ? "left": period.units.filter(|_| period.owner.is_none()),
        ? "owner": period.owner.as_ref().map(owner_id),
        ? "title": period.title,
        ? "customer": period.customer,
        ? "operator": period.operator,
        ? "approved": period.approved.as_ref(),
        ? "calendar": period.calendar,
        ? "until_further_notice": period.is_endless(),
        ? "wanted_from": wanted.map(|slot| slot.from().rfc3339(zone)),
        ? "wanted_until": wanted.map(|slot| slot.until().rfc3339(zone)),
        ? "held_until": period.until.map(|at| at.rfc3339(zone)),
        ? "buffer": period.is_buffer,
        ? "goes_on_before": period.from_before,
        ? "goes_on_after": period.until_after,
    }
}

fn periods(rows: &[(&Resource, &Period)]) -> String {
    let table = Table::of(rows)
        .words("RESOURCE", |(resource, _)| resource.name.clone())
        .words("WHEN", |(resource, period)| dated(period, resource.grid))
        .words("STATE", |(resource, period)| {
            let left = period.units.zip(resource.count.as_ref()).filter(|_| period.owner.is_none());
            let left = left.map(|(left, count)| format!(", {left} of {count}"));
            let state = period.state.word().replace('_', " ") + &left.unwrap_or_default();
            let buffer = period.is_buffer.then_some(" (before or after)");
            state + buffer.unwrap_or_default()
        })
        .words("TITLE", |(_, period)| title(period))
        .words("WANTED", |(resource, period)| {
            let wanted = period.wanted.filter(|_| !period.is_buffer);
            let other = wanted.filter(|slot| *slot != period.slot);
            other.map_or(String::new(), |slot| slot.dated(resource.grid))
        })
        .words("ID", |(_, period)| {
            let id = period.owner.as_ref().map(owner_id);
            id.as_deref().map(tail).unwrap_or_default()
        });
    table.text_or("No period is so.")
}

/// Columns of periods in a spreadsheet.
const COLUMNS: &str = "resource name from until state title customer owner operator approved calendar until_further_notice held_until buffer";

/// Calendars, in the order in which they were asked for.
pub(in crate::cli) fn list(calendars: &[(Resource, CalendarView)]) -> Rendered {
    let one = |(resource, view): &(Resource, CalendarView)| {
        let zone = resource.zone();
        let periods = view.periods.iter().map(|one| period(one, zone));
        json!({
            "resource": resource.id.to_string(),
            "name": resource.name,
            "periods": periods.collect::<Vec<_>>(),
        })
    };
    let rows = calendars.iter();
    let rows = rows.flat_map(|(resource, view)| view.periods.iter().map(move |one| (resource, one)));
    let rows: Vec<(&Resource, &Period)> = rows.collect();
    let cells = rows.iter().map(|(resource, one)| {
        object! { "resource": resource.id, "name": resource.name, ..period(one, resource.zone()) }
    });
    Rendered::list(calendars, one, periods(&rows)).rows(COLUMNS, cells.collect())
}

pub(in crate::cli) fn check(resource: &Resource, check: (&Check, Slot), now: Instant) -> Rendered {
    let (zone, (check, wanted)) = (resource.zone(), check);
    let in_the_way = check.in_the_way.iter().map(|one| period(one, zone));
    let refused = check.refusal.as_ref();
    let json = object! {
        "resource": resource.id,
        "free": check.free,
        "from": check.core.from().rfc3339(zone),
        "until": check.core.until().rfc3339(zone),
        "wanted_from": wanted.from().rfc3339(zone),
        "wanted_until": wanted.until().rfc3339(zone),
        "in_the_way": in_the_way.collect::<Vec<_>>(),
        ? "refusal": refused.map(refusal),
    };
    let (name, when) = (&resource.name, check.core.dated(resource.grid));
    let people = if check.free {
        format!("Yes: {name} is free {when}.")
    } else if let Some(refusal) = refused {
        format!("No: {}", words::refusal(refusal, Local { now, zone }))
    } else {
        let rows = check.in_the_way.iter().map(|one| (resource, one));
        let rows: Vec<_> = rows.collect();
        format!("No: {name} is not free {when}.\n{}", periods(&rows))
    };
    Rendered::new(json, people)
}
