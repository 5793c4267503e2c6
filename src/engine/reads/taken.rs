//! Taken time: by carts, receipts, performances, bookings, maintenance and marks.
//!
//! Derived from the consolidated calendar, so that exported files and lists agree with `calendar show`.

use std::collections::HashMap;

use crate::domain::booking::Booking;
use crate::domain::calendar::{Period, State};
use crate::domain::cart::Cart;
use crate::domain::owner::Owner;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, date_of, day_start};
use crate::engine::reads::calendar::{WINDOW_MAX, in_order, tell, views};
use crate::engine::reads::resources::parts;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::Row;
use crate::store::chunks::{BETWEEN, all_days, chunk_at};

/// Length shown of an open-ended claim.
const AHEAD: Span = Span::minutes(366 * 24 * 60);

/// Lists the taken time of resources, by resource and start. Opening hours and days not open yet do not count.
#[derive(Clone, Debug)]
pub struct ReadTaken {
    pub resources: Vec<ResourceId>,
    /// Only claims that touch this window, at full length.
    pub window: Option<Slot>,
}

/// Stretch of a resource taken by one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        for resource in resources {
            let Some(extent) = self.extent(snapshot, &resource)? else {
                continue;
            };
            found.extend(taken(snapshot, &resource, extent)?);
        }
        if let Some(window) = self.window {
            found.retain(|(_, period)| period.slot.overlaps(&window));
        }
        let owners = Owners::load(snapshot, &found)?;
        let of = |(resource, period): (Resource, Period)| TakenTime {
            booking: owners.booking(&period),
            changed: owners.changed(&period),
            nights: resource.grid.segment.is_day(),
            resource: (resource.id, resource.name),
            period,
        };
        Ok(found.into_iter().map(of).collect())
    }
}

impl ReadTaken {
    /// Range from the first to the last taken day of a resource and its parts.
    fn extent(&self, snapshot: &mut Snapshot<'_>, resource: &Resource) -> Result<Option<Slot>, Failure> {
        let mut bounds: Vec<Instant> = Vec::new();
        let below = parts(snapshot, std::slice::from_ref(resource))?;
        for one in std::iter::once(resource).chain(&below) {
            let rows = snapshot.query(
                &format!("SELECT MIN(key), MAX(key) FROM chunk WHERE {BETWEEN} AND free < cells"),
                &all_days(one.id.as_str()),
            )?;
            let day = |row: &Row, column| date_of(chunk_at(row.text(column))?.number);
            for row in &rows {
                if let (Some(first), Some(last)) = (day(row, 0), day(row, 1)) {
                    let after = last.succ_opt().unwrap_or(last);
                    bounds.extend([first, after].map(|date| day_start(date, one.zone())));
                }
            }
            if let Some(mark) = one.marks.iter().map(|mark| mark.from).min() {
                let end = self.window.map_or(snapshot.now(), |window| window.until());
                bounds.extend([mark, end.max(mark).max(snapshot.now()) + AHEAD]);
            }
        }
        let (first, last) = (bounds.iter().min(), bounds.iter().max());
        Ok(first.zip(last).and_then(|(a, b)| Slot::new(*a, *b).ok()))
    }
}

/// Taken time of a resource, read in windows of at most the calendar's limit.
fn taken(snapshot: &mut Snapshot<'_>, resource: &Resource, extent: Slot) -> Result<Vec<(Resource, Period)>, Failure> {
    let mut out: Vec<(Resource, Period)> = Vec::new();
    let mut from = extent.from();
    while let Ok(window) = Slot::new(from, extent.until().min(from + WINDOW_MAX)) {
        let mut views = views(snapshot, std::slice::from_ref(resource), window)?;
        tell(snapshot, &mut views)?;
        for period in views.into_iter().flat_map(|view| view.periods) {
            if matches!(period.state, State::Free | State::Closed | State::NotOpen) {
                continue;
            }
            let joined = out.last_mut().and_then(|(_, last)| last.joined(&period));
            if let (Some(joined), Some((_, last))) = (joined, out.last_mut()) {
                *last = joined;
            } else {
                out.push((resource.clone(), period));
            }
        }
        from = window.until();
    }
    Ok(out)
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
