//! Times as they are typed in a form: a day and a time, until a time.

use chrono_tz::Tz;

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, day_start, local_at, typed};
use crate::tui::shared::Shared;

/// Notation of times: on the clock and grid of the first resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// Its local time.
    pub(super) zone: Tz,
    unit: Unit,
}

/// Unit of typed times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// With a time of day.
    Time,
    /// Dates: arrival and departure.
    Nights,
}

impl Clock {
    /// Of resources; of none, the desk's own.
    pub(super) fn of(resources: &[Resource], shared: &Shared) -> Self {
        let first = resources.first();
        let nights = first.is_some_and(|one| one.grid.segment.is_day());
        Self { zone: first.map_or(shared.zone, Resource::zone), unit: if nights { Unit::Nights } else { Unit::Time } }
    }

    /// Text of a slot's start.
    pub(super) fn from(self, slot: Slot) -> String {
        slot.from().format(self.zone, self.pattern())
    }

    /// Text of a slot's end; on the day of the start, the time alone.
    pub(super) fn until(self, slot: Slot) -> String {
        let date = |at: Instant| at.in_zone(self.zone).date_naive();
        if self.unit == Unit::Time && date(slot.from()) == date(slot.until()) {
            slot.until().format(self.zone, "%H:%M")
        } else {
            slot.until().format(self.zone, self.pattern())
        }
    }

    const fn pattern(self) -> &'static str {
        match self.unit {
            Unit::Time => "%a %-d %b %H:%M",
            Unit::Nights => "%a %-d %b",
        }
    }

    /// The slot that is typed: from a day and a time until a time, or a day and a time.
    pub(super) fn slot(self, (from, until): (&str, &str), now: Instant) -> Result<Slot, String> {
        let zone = self.zone;
        let today = now.in_zone(zone).date_naive();
        // a time that began before today can still be typed
        let (date, time) =
            typed::date(from, today).ok_or_else(|| format!("{from:?} is no time; write it like fri 14:00"))?;
        let missing = || "when does it begin? write it like fri 14:00".to_owned();
        if self.unit == Unit::Nights {
            let (last, _) =
                typed::date(until, date).ok_or_else(|| format!("{until:?} is no date; write it like 27 nov"))?;
            return Slot::new(day_start(date, zone), day_start(last, zone))
                .map_err(|_| "the day of departure has to be after the day of arrival".to_owned());
        }
        let start = local_at(date.and_time(time.ok_or_else(missing)?), zone);
        let end = match (typed::date(until, date), bare_time(until)) {
            (_, Some(end)) => {
                let same = local_at(date.and_time(end), zone);
                if same > start { same } else { local_at((date + chrono::Days::new(1)).and_time(end), zone) }
            }
            (Some((last, Some(end))), None) => local_at(last.and_time(end), zone),
            _ => {
                return Err(format!("{until:?} is no time; write it like 16:30, or sat 02:00"));
            }
        };
        if end.since(start) == Span::default() {
            return Err("it ends when it starts; give it a later end".to_owned());
        }
        Slot::new(start, end).map_err(|error| error.to_string())
    }
}

fn bare_time(text: &str) -> Option<chrono::NaiveTime> {
    let text = text.trim();
    if text == "24:00" {
        return Some(chrono::NaiveTime::MIN);
    }
    chrono::NaiveTime::parse_from_str(text, "%H:%M").ok()
}

/// The resources of a form, by id.
pub(super) fn ids(resources: &[Resource]) -> Vec<ResourceId> {
    resources.iter().map(|one| one.id.clone()).collect()
}
