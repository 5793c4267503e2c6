//! Consolidated calendar of one or many resources in any window.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Chunk, ChunkKey};
use crate::domain::booking::{Booking, Taken};
use crate::domain::calendar::{CalendarView, OwnerFacts, Period, State};
use crate::domain::cart::{Cart, CartState};
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Day, Grid, Instant, Slot, Span, day_number};
use crate::engine::ops::booking::{on_open_days, refuse_past};
use crate::engine::ops::taking::possible;
use crate::engine::reads::resources::parts;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::Value;
use crate::store::chunks::{between_each, chunk_key, days_of};

/// Longest window of one question.
pub const WINDOW_MAX: Span = Span::minutes(3 * 366 * 24 * 60);

pub(super) const RESOURCES_PER_QUERY: usize = 500;

/// Reads the calendars of resources, in the order given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadCalendar {
    pub resources: Vec<ResourceId>,
    pub window: Slot,
    pub words: Words,
}

/// Detail of a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    Owners,
    Titles,
}

/// Asks whether a slot of a resource can be booked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadCheck {
    pub resource: ResourceId,
    pub wanted: Slot,
    /// Number of units of a counted resource; one if `None`.
    #[serde(default)]
    pub count: Option<u32>,
}

/// Availability of a slot, with its conflicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// True if the slot can be booked: it is to come, and free with the time needed before and after.
    pub free: bool,
    /// Rule that refuses the slot whatever is booked: it is past, or beyond the last year.
    pub refusal: Option<Refusal>,
    /// Requested slot on the grid, without the time needed before and after.
    pub core: Slot,
    /// All time the booking would take.
    pub taken: Slot,
    /// Conflicts, in order of time.
    pub in_the_way: Vec<Period>,
}

impl Question for ReadCalendar {
    type Answer = Vec<CalendarView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CalendarView>, Failure> {
        let resources = in_order(snapshot, &self.resources)?;
        let mut views = views(snapshot, &resources, self.window)?;
        if self.words == Words::Titles {
            tell(snapshot, &mut views)?;
        }
        Ok(views)
    }
}

impl Question for ReadCheck {
    type Answer = Check;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Check, Failure> {
        let resource: Resource = snapshot.get(&self.resource)?;
        let (core, taken) = resource.taken(self.wanted);
        let mut views = views(snapshot, std::slice::from_ref(&resource), taken)?;
        for view in &mut views {
            view.need(self.count.unwrap_or(1));
        }
        tell(snapshot, &mut views)?;
        let closes = |period: &Period| {
            // time needed before and after may lie outside the opening hours, and the nights of a hire
            period.state == State::Closed && (resource.is_open(self.wanted) || !period.slot.overlaps(&self.wanted))
        };
        let in_the_way: Vec<Period> = views
            .into_iter()
            .flat_map(|view| view.periods)
            .filter(|period| period.state != State::Free && !closes(period))
            .collect();
        let days = snapshot.settings()?.closed_days;
        let refusal = possible("until", self.wanted)
            .and_then(|()| refuse_past(&resource, self.wanted, snapshot.now()))
            .and_then(|()| on_open_days(&resource, self.wanted, &days))
            .err();
        Ok(Check { free: in_the_way.is_empty() && refusal.is_none(), refusal, core, taken, in_the_way })
    }
}

/// Loads resources in the order of `ids`; refuses if one is absent.
pub(super) fn in_order(snapshot: &mut Snapshot<'_>, ids: &[ResourceId]) -> Result<Vec<Resource>, Failure> {
    let keys: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let found: Vec<Resource> = snapshot.all(&keys)?;
    let by_id: HashMap<&ResourceId, &Resource> = found.iter().map(|one| (&one.id, one)).collect();
    ids.iter()
        .map(|id| {
            let found = by_id.get(id).map(|one| (*one).clone());
            found.ok_or_else(|| Refusal::not_found("resource", id.as_str()).into())
        })
        .collect()
}

/// Reads the calendars of resources with owners only.
pub(super) fn views(
    snapshot: &mut Snapshot<'_>,
    resources: &[Resource],
    window: Slot,
) -> Result<Vec<CalendarView>, Failure> {
    if window.span() > WINDOW_MAX {
        return Err(Refusal::bad("until", Problem::LongCalendar).into());
    }
    let below = parts(snapshot, resources)?;
    let all: Vec<&Resource> = resources.iter().chain(&below).collect();
    let chunks = Days::load(snapshot, &all, window)?;
    let now = snapshot.now();
    let view = |one: &Resource| {
        let days = chunks.days(one.grid);
        let mine = chunks.of(&one.id);
        let chunk = |day: &Day| {
            let number = day_number(day.date);
            let at = mine.binary_search_by_key(&number, |chunk| chunk.number).ok()?;
            mine.get(at)
        };
        CalendarView::new(one, (window, days), chunk, now)
    };
    let mut out: Vec<CalendarView> = resources.iter().map(view).collect();
    for (calendar, whole) in out.iter_mut().zip(resources) {
        if !whole.children.is_empty() {
            let inside = inside(whole, &below);
            let parts: Vec<CalendarView> = inside.into_iter().map(view).collect();
            calendar.over_parts(&parts);
        }
    }
    Ok(out)
}

/// Reads the calendar of a counted resource as each owner has it, with its number of units.
pub(super) fn owner_views(
    snapshot: &mut Snapshot<'_>,
    resource: &Resource,
    window: Slot,
) -> Result<Vec<CalendarView>, Failure> {
    let (days, now) = (Days::load(snapshot, &[resource], window)?, snapshot.now());
    let (chunks, stride) = (days.of(&resource.id), resource.stride());
    let single = Resource { count: None, ..resource.clone() };
    let owners: BTreeSet<&Owner> = chunks.iter().flat_map(Chunk::owners).collect();
    let view = |owner: &Owner| {
        let mine: HashMap<u32, Chunk> = chunks.iter().map(|day| (day.number, day.of_owner(owner, stride))).collect();
        let day = |day: &Day| mine.get(&day_number(day.date));
        let view = CalendarView::new(&single, (window, days.days(resource.grid)), day, now);
        let units = units_of((resource, owner), chunks, now);
        let slots: Vec<Slot> = units.iter().map(|(slot, _)| *slot).collect();
        let mut view = view.cut(&slots, |_| true);
        view.periods.retain(|period| period.owner.as_ref() == Some(owner));
        for period in &mut view.periods {
            let at = units.iter().find(|(slot, _)| slot.has(period.slot.from()));
            period.units = at.map(|(_, units)| *units);
        }
        view
    };
    Ok(owners.into_iter().map(view).collect())
}

/// Units that an owner has of a counted resource, in longest stretches.
fn units_of((resource, owner): (&Resource, &Owner), days: &[Chunk], now: Instant) -> Vec<(Slot, u32)> {
    let stride = resource.stride();
    let mut out: Vec<(Slot, u32)> = Vec::new();
    for day in days {
        for (segment, claims) in (0..).zip(day.counted(stride, now)) {
            let mine = claims.iter().filter(|(claim, _)| claim.owner == *owner);
            let units: u32 = mine.map(|(_, units)| units).sum();
            let at = CellRange { chunk: day.key(), from: segment * stride, to: segment * stride };
            let Some(slot) = resource.slot_of(&at).filter(|_| units > 0) else {
                continue;
            };
            match out.last_mut() {
                Some((last, same)) if *same == units && last.until() == slot.from() => {
                    *last = Slot::new(last.from(), slot.until()).unwrap_or(*last);
                }
                _ => out.push((slot, units)),
            }
        }
    }
    out
}

/// Descendants of a resource among those of several.
pub(super) fn inside<'r>(whole: &Resource, below: &'r [Resource]) -> Vec<&'r Resource> {
    let mut ids: Vec<&ResourceId> = whole.children.iter().collect();
    let mut out = Vec::new();
    while let Some(id) = ids.pop() {
        if let Some(found) = below.iter().find(|one| one.id == *id) {
            ids.extend(&found.children);
            out.push(found);
        }
    }
    out
}

/// Chunks of a window by resource, and the days of each grid.
pub(super) struct Days {
    chunks: HashMap<String, Vec<Chunk>>,
    days: HashMap<Grid, Vec<Day>>,
}

impl Days {
    /// Loads the chunks of resources in a window, one query per some hundreds of resources; in a list with those of its
    /// other rows.
    pub(super) fn load(snapshot: &mut Snapshot<'_>, resources: &[&Resource], window: Slot) -> Result<Self, Failure> {
        let mut days: HashMap<Grid, Vec<Day>> = HashMap::new();
        for one in resources {
            days.entry(one.grid).or_insert_with(|| one.grid.days(window).collect());
        }
        let numbers: Vec<u32> = days.values().flatten().map(|day| day_number(day.date)).collect();
        let (Some(first), Some(last)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Ok(Self { chunks: HashMap::new(), days });
        };
        let ids: BTreeSet<&str> = resources.iter().map(|one| one.id.as_str()).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        let mut chunks: HashMap<String, Vec<Chunk>> = HashMap::with_capacity(ids.len());
        let mut found: Vec<Chunk> = Vec::new();
        if snapshot.is_in_a_list() {
            let keys = resources.iter().flat_map(|one| {
                let numbers = days.get(&one.grid).into_iter().flatten().map(|day| day_number(day.date));
                numbers.map(|number| chunk_key(&ChunkKey { resource: one.id.to_string(), number }))
            });
            found = snapshot.all(&keys.collect::<Vec<_>>())?;
        } else {
            for some in ids.chunks(RESOURCES_PER_QUERY) {
                let spans = some.iter().flat_map(|id| days_of(id, (*first, *last)));
                let params: Vec<Value<'_>> = spans.collect();
                found.extend(snapshot.pass(&format!("{} ORDER BY key", between_each(some.len())), &params)?);
            }
        }
        for chunk in found {
            match chunks.get_mut(&chunk.resource) {
                Some(mine) => mine.push(chunk),
                None => {
                    chunks.insert(chunk.resource.clone(), vec![chunk]);
                }
            }
        }
        Ok(Self { chunks, days })
    }

    /// Chunks of a resource, by number.
    pub(super) fn of(&self, resource: &ResourceId) -> &[Chunk] {
        self.chunks.get(resource.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Days of the window on a grid.
    pub(super) fn days(&self, grid: Grid) -> &[Day] {
        self.days.get(&grid).map_or(&[], Vec::as_slice)
    }
}

/// Adds titles and customers of the owners, with one query for the bookings and one for the carts.
pub(super) fn tell(snapshot: &mut Snapshot<'_>, views: &mut [CalendarView]) -> Result<(), Failure> {
    let owners = |view: &CalendarView| -> Vec<Owner> {
        view.periods.iter().flat_map(|period| period.owner.iter().chain(&period.beside)).cloned().collect()
    };
    let all: BTreeSet<Owner> = views.iter().flat_map(owners).collect();
    let bookings = keys(all.iter().filter_map(Owner::booking));
    let bookings: HashMap<String, Booking> =
        snapshot.all::<Booking>(&bookings)?.into_iter().map(|booking| (booking.id.to_string(), booking)).collect();
    let carts = keys(all.iter().filter_map(Owner::cart));
    snapshot.load_customers(bookings.values().map(|booking| booking.customer))?;
    let carts: Vec<Cart> = snapshot.all(&carts)?;
    let lines: HashMap<Owner, ToldLine> = snapshot.each(&carts, told_lines)?.into_iter().flatten().collect();
    for view in views {
        let mut told: HashMap<Owner, OwnerFacts> = HashMap::new();
        for owner in owners(view) {
            let booking = owner.booking().and_then(|id| bookings.get(&id.to_string()));
            let customer = snapshot.customer(booking.and_then(|booking| booking.customer))?;
            let words = booking
                .map(|booking| OwnerFacts {
                    title: booking.title_for(&customer).to_owned(),
                    customer: customer.name.clone(),
                    operator: if booking.cause.is_out_of_use() { booking.operator.clone() } else { String::new() },
                    approved: booking.approved.clone().filter(|_| booking.cause.is_out_of_use()),
                    calendar: booking.brought.as_ref().map(|brought| brought.calendar.clone()).unwrap_or_default(),
                    unpaid: booking.open() > 0,
                    ours: booking.price.is_none_or(|price| price.minor == 0),
                    repeats: booking.series.is_some(),
                    slots: slots_told(&booking.taken, view),
                })
                .or_else(|| {
                    let line = lines.get(&owner)?;
                    Some(OwnerFacts {
                        title: line.title.clone(),
                        customer: line.customer.clone(),
                        operator: String::new(),
                        approved: None,
                        calendar: String::new(),
                        unpaid: false,
                        ours: false,
                        repeats: false,
                        slots: slots_told(&line.taken, view),
                    })
                });
            told.extend(words.map(|words| (owner, words)));
        }
        view.tell(|owner| told.get(owner));
    }
    Ok(())
}

fn keys<T: ToString>(ids: impl Iterator<Item = T>) -> Vec<String> {
    let ids: BTreeSet<String> = ids.map(|id| id.to_string()).collect();
    ids.into_iter().collect()
}

/// Time an owner has in a resource, or in its parts if the resource itself is not booked.
fn slots_told(taken: &[Taken], view: &CalendarView) -> Vec<(Slot, Slot, Vec<Slot>)> {
    let mine = |one: &&Taken| one.resource == view.resource;
    let own: Vec<_> = taken.iter().filter(mine).flat_map(Taken::stretches).collect();
    if !own.is_empty() {
        return own;
    }
    let in_part = |one: &&Taken| view.parts.contains(&one.resource);
    taken.iter().filter(in_part).flat_map(Taken::stretches).collect()
}

/// Time line of a cart for display.
struct ToldLine {
    title: String,
    customer: String,
    taken: Vec<Taken>,
}

fn told_lines(snapshot: &mut Snapshot<'_>, cart: &Cart) -> Result<Vec<(Owner, ToldLine)>, Failure> {
    let customer = snapshot.customer(cart.customer)?.name;
    let mut title = customer.clone();
    let mut lines = cart.lines.clone();
    if let CartState::Done(receipt) = cart.state {
        let receipt: Receipt = snapshot.get(receipt)?;
        lines = receipt.lines;
        if title.is_empty() {
            title = format!("receipt {}", receipt.number);
        }
    } else if title.is_empty() {
        title.clone_from(&cart.station);
    }
    let lines = lines.iter().filter(|line| line.goods.is_time()).map(|line| {
        let words = ToldLine { title: title.clone(), customer: customer.clone(), taken: line.goods.taken().to_vec() };
        (line.owner(cart.id), words)
    });
    Ok(lines.collect())
}
