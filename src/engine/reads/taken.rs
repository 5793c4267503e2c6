//! Taken time: by carts, receipts, performances, bookings, maintenance and marks.
//!
//! Derived from the consolidated calendar, so that exported files and lists agree with `calendar show`.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::calendar::{Period, State};
use crate::domain::cart::Cart;
use crate::domain::owner::Owner;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, date_of, day_start, hull};
use crate::engine::reads::calendar::{RESOURCES_PER_QUERY, WINDOW_MAX, in_order, inside, owner_views, tell, views};
use crate::engine::reads::resources::parts;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::Value;
use crate::store::chunks::{all_days, between_each, chunk_at};

/// Resources whose time is read together.
const RESOURCES_TOGETHER: usize = 100;

/// Length shown of an open-ended claim.
const AHEAD: Span = Span::minutes(366 * 24 * 60);

/// Lists the taken time of resources, by resource and start. Opening hours and days not open yet do not count.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadTaken {
    pub resources: Vec<ResourceId>,
    /// Only claims that touch this window, at full length.
    pub window: Option<Slot>,
}

/// Stretch of a resource taken by one owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TakenTime {
    pub resource: (ResourceId, String),
    /// Booked by the night.
    pub nights: bool,
    /// Stretch with state and owner; the owner of a mark is its booking.
    pub period: Period,
    pub booking: Option<Booking>,
    /// Version of the owner, and time of its last change.
    pub changed: (u32, Instant),
}

impl Question for ReadTaken {
    type Answer = Vec<TakenTime>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<TakenTime>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let mut found: Vec<(Resource, Period)> = Vec::new();
        for some in resources.chunks(RESOURCES_TOGETHER) {
            let extents = self.extents(snapshot, some)?;
            found.extend(taken(snapshot, some, &extents)?);
        }
        if let Some(window) = self.window {
            found.retain(|(_, period)| period.slot.overlaps(&window));
        }
        let owners = Owners::load(snapshot, &found)?;
        let of = |(resource, period): (Resource, Period)| TakenTime {
            booking: owners.booking(&period),
            changed: owners.changed(&period),
            nights: resource.grid.segment.is_day(),
            resource: (resource.id.clone(), resource.told(period.units.unwrap_or(1))),
            period,
        };
        Ok(found.into_iter().map(of).collect())
    }
}

impl ReadTaken {
    /// Range from the first to the last taken day of each resource and its parts.
    fn extents(&self, snapshot: &mut Snapshot<'_>, resources: &[Resource]) -> Result<Vec<Option<Slot>>, Failure> {
        let below = parts(snapshot, resources)?;
        let days = taken_days(snapshot, resources.iter().chain(&below))?;
        let now = snapshot.now();
        let end = self.window.map_or(now, |window| window.until().max(now));
        let extent = |whole: &Resource| {
            let mut bounds: Vec<Instant> = Vec::new();
            for one in std::iter::once(whole).chain(inside(whole, &below)) {
                let days = days.get(one.id.as_str()).into_iter().flatten();
                bounds.extend(days.map(|date| day_start(*date, one.zone())));
                if let Some(mark) = one.marks.iter().map(|mark| mark.from).min() {
                    bounds.extend([mark, end.max(mark) + AHEAD]);
                }
            }
            let (first, last) = (bounds.iter().min(), bounds.iter().max());
            first.zip(last).and_then(|(a, b)| Slot::new(*a, *b).ok())
        };
        Ok(resources.iter().map(extent).collect())
    }
}

/// The first taken day of each resource and the day after its last, by id.
fn taken_days<'r>(
    snapshot: &mut Snapshot<'_>,
    resources: impl Iterator<Item = &'r Resource>,
) -> Result<HashMap<String, [NaiveDate; 2]>, Failure> {
    let ids: Vec<&str> = resources.map(|one| one.id.as_str()).collect();
    let mut days = HashMap::with_capacity(ids.len());
    for some in ids.chunks(RESOURCES_PER_QUERY) {
        let sql = format!(
            "SELECT MIN(key), MAX(key) FROM chunk {} WHERE free < cells GROUP BY span.column1",
            between_each(some.len())
        );
        let spans: Vec<Value<'_>> = some.iter().flat_map(|id| all_days(id)).collect();
        for row in snapshot.query(&sql, &spans)? {
            if let (Some(first), Some(last)) = (chunk_at(row.text(0)), chunk_at(row.text(1)))
                && let (Some(from), Some(until)) = (date_of(first.number), date_of(last.number))
            {
                days.insert(first.resource, [from, until.succ_opt().unwrap_or(until)]);
            }
        }
    }
    Ok(days)
}

/// Taken time of resources, each in its extent, read in windows of at most the calendar's limit.
fn taken(
    snapshot: &mut Snapshot<'_>,
    resources: &[Resource],
    extents: &[Option<Slot>],
) -> Result<Vec<(Resource, Period)>, Failure> {
    let known: Vec<Slot> = extents.iter().copied().flatten().collect();
    let Some(all) = hull(&known) else {
        return Ok(Vec::new());
    };
    let mut out: Vec<Vec<Period>> = vec![Vec::new(); resources.len()];
    let mut from = all.from();
    while let Ok(window) = Slot::new(from, all.until().min(from + WINDOW_MAX)) {
        let mut views = views(snapshot, resources, window)?;
        tell(snapshot, &mut views)?;
        for (((view, extent), periods), resource) in views.into_iter().zip(extents).zip(&mut out).zip(resources) {
            let mut each = if resource.count.is_some() { owner_views(snapshot, resource, window)? } else { Vec::new() };
            tell(snapshot, &mut each)?;
            let each = if resource.count.is_some() { each } else { vec![view] };
            let takes = |period: &Period| !matches!(period.state, State::Free | State::Closed | State::NotOpen);
            let within = |period: Period| within(period, (*extent)?);
            for period in each.into_iter().flat_map(|view| view.periods).filter(takes).filter_map(within) {
                match periods.last_mut().and_then(|last| Some((last.joined(&period)?, last))) {
                    Some((joined, last)) => *last = joined,
                    None => periods.push(period),
                }
            }
        }
        from = window.until();
    }
    for periods in &mut out {
        periods.sort_by_key(|period| period.slot.from());
    }
    let of_each = resources.iter().zip(out);
    Ok(of_each.flat_map(|(one, periods)| periods.into_iter().map(|period| (one.clone(), period))).collect())
}

/// The part of a period inside of an extent: a mark, which alone is longer, goes on behind its end.
fn within(period: Period, extent: Slot) -> Option<Period> {
    let slot = period.slot.meet(&extent)?;
    if slot == period.slot {
        return Some(period);
    }
    let whole = Slot::new(period.whole.from(), slot.until()).unwrap_or(slot);
    Some(Period { slot, whole, ..period })
}

struct Owners {
    bookings: HashMap<String, Booking>,
    /// Version and last change of bookings and carts.
    changed: HashMap<String, (u32, Instant)>,
}

impl Owners {
    fn load(snapshot: &mut Snapshot<'_>, found: &[(Resource, Period)]) -> Result<Self, Failure> {
        let owners = || found.iter().filter_map(|(_, period)| period.owner.as_ref());
        let keys: Vec<String> = owners().filter_map(booking_key).collect();
        let carts: Vec<String> = owners().filter_map(cart_key).collect();
        let mut stored = snapshot.stored::<Booking>(&keys)?;
        let mut bookings = HashMap::with_capacity(stored.len());
        for one in &stored {
            bookings.insert(one.key.clone(), one.parse()?);
        }
        stored.extend(snapshot.stored::<Cart>(&carts)?);
        let changed = stored.iter().map(|one| {
            let version = u32::try_from(one.version).unwrap_or(u32::MAX);
            let changed = (version, Instant::from_millis(one.recorded_at));
            (one.key.clone(), changed)
        });
        Ok(Self { changed: changed.collect(), bookings })
    }

    fn booking(&self, period: &Period) -> Option<Booking> {
        let key = booking_key(period.owner.as_ref()?)?;
        self.bookings.get(&key).cloned()
    }

    fn changed(&self, period: &Period) -> (u32, Instant) {
        let key = |owner: &Owner| booking_key(owner).or_else(|| cart_key(owner));
        let key = period.owner.as_ref().and_then(key);
        let changed = key.and_then(|key| self.changed.get(&key)).copied();
        changed.unwrap_or((1, period.slot.from()))
    }
}

fn booking_key(owner: &Owner) -> Option<String> {
    owner.booking().map(|id| id.to_string())
}

fn cart_key(owner: &Owner) -> Option<String> {
    owner.cart().map(|id| id.to_string())
}
