//! Shared code of the time operations: making, finding and ending bookings.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{AnyOf, Booking, BookingState, Cause, Details, Taken};
use crate::domain::ids::{BookingId, CustomerId, SeriesId};
use crate::domain::performance::Performance;
use crate::domain::refusal::{CellName, Fact, Limit, Problem, Refusal, SlotAt, StayRefusal, WantedCells};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::{claims, customers, paying, taking};
use crate::engine::work::{Failure, UnitOfWork};

mod price;

pub(super) use price::{price, price_follows};

/// Most resources per operation.
const RESOURCES_MAX: usize = 200;

/// Requested time: of all of some resources, or of a number of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// Resources; if several qualify, the first listed is taken.
    pub of: Vec<ResourceId>,
    /// Number of wholly free resources needed, or of units of a single counted one; all if `None`.
    pub any: Option<u32>,
    pub slot: Slot,
}

impl Want {
    /// Requests a number of some resources.
    pub fn any(any: &AnyOf, slot: Slot) -> Self {
        Self { of: any.of.clone(), any: Some(any.count), slot }
    }

    /// Requests all of some resources.
    pub fn all(of: Vec<ResourceId>, slot: Slot) -> Self {
        Self { of, any: None, slot }
    }
}

/// Treatment of a slot in the past, or on a day on which the house is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Past {
    #[default]
    Refuse,
    /// Takes closed days, and refuses the past.
    Closed,
    /// Takes both: a record of what happened.
    Record,
}

/// Operators whose acts may be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    Mine,
    Anybody,
}

/// Common properties of a booking to be made.
pub(super) struct Request<'a> {
    pub(super) cause: Cause,
    pub(super) details: &'a Details,
    pub(super) customer: Option<CustomerId>,
    pub(super) series: Option<SeriesId>,
    pub(super) past: Past,
}

impl<'a> Request<'a> {
    /// Requests time for no customer.
    pub(super) const fn new(cause: Cause, details: &'a Details, past: Past) -> Self {
        Self { cause, details, customer: None, series: None, past }
    }
}

/// Books all requested time as one new booking, or refuses.
pub(super) fn book(work: &mut UnitOfWork<'_>, wants: &[Want], request: &Request<'_>) -> Result<Booking, Failure> {
    let booking = planned(work, wants, request)?;
    claims::act(work, &booking.taken, (&booking.owner(), Act::Book { until: None }))?;
    work.create(&booking)?;
    Ok(booking)
}

/// Builds the booking for a request; nothing is put, and conflicts are not checked.
pub(super) fn planned(work: &mut UnitOfWork<'_>, wants: &[Want], request: &Request<'_>) -> Result<Booking, Failure> {
    let mut booking = new_booking(work, request);
    for want in wants {
        not_past(work, (&want.of, want.slot), request.past)?;
        let found = choose(work, want, (&booking, request.past))?;
        booking.taken.extend(found);
    }
    if booking.taken.is_empty() {
        return Err(Refusal::NothingChosen.into());
    }
    if booking.price.is_none() && booking.cause == Cause::Booking {
        booking.price = price(work, &booking.taken)?;
    }
    Ok(booking)
}

/// Creates an empty booking of the actor, not yet put.
pub(super) fn new_booking(work: &UnitOfWork<'_>, request: &Request<'_>) -> Booking {
    let details = request.details;
    Booking {
        id: BookingId::random(),
        title: title(request),
        cause: request.cause.clone(),
        state: BookingState::Active,
        customer: request.customer,
        note: clean(&details.note),
        price: details.price,
        taken: Vec::new(),
        seats: None,
        overlaps: Vec::new(),
        series: request.series,
        operator: work.actor().operator.clone(),
        approved: work.approved().map(str::to_owned),
        created_at: work.now(),
        payments: Vec::new(),
        kept: 0,
        checked_in_at: None,
        checked_out_at: None,
        imported_as: None,
        brought: None,
    }
}

/// Title of a booking: the given one, or the cause. A customer's name is looked up when it is shown.
fn title(request: &Request<'_>) -> String {
    let title = clean(&request.details.title);
    if title.is_empty() && request.customer.is_none() {
        return request.cause.word().to_owned();
    }
    title
}

/// Refuses a slot that begins before the running segment. The running segment itself can be booked:
/// at 10:20 the quarter hour from 10:15, or today's night.
pub(super) fn not_past(
    work: &mut UnitOfWork<'_>,
    (resources, slot): (&[ResourceId], Slot),
    past: Past,
) -> Result<(), Failure> {
    let now = work.now();
    if past == Past::Record || slot.from() >= now {
        return Ok(());
    }
    for id in resources {
        refuse_past(&work.get(id)?, slot, now)?;
    }
    Ok(())
}

/// Refuses a slot of which a part is past for a resource.
pub(in crate::engine) fn refuse_past(resource: &Resource, slot: Slot, now: Instant) -> Result<(), Refusal> {
    if resource.to_come(slot, now) == Some(slot) {
        return Ok(());
    }
    Err(Refusal::InThePast { at: slot.from() })
}

/// Refuses a slot that has already ended; restores and moves allow one that has begun.
pub(super) fn not_over(work: &mut UnitOfWork<'_>, slot: Slot) -> Result<(), Failure> {
    if slot.until() <= work.now() { Err(Refusal::InThePast { at: slot.from() }.into()) } else { Ok(()) }
}

/// Time taken for a want: of all its resources, or of the first free ones.
fn choose(work: &mut UnitOfWork<'_>, want: &Want, (booking, past): (&Booking, Past)) -> Result<Vec<Taken>, Failure> {
    if want.of.is_empty() {
        return Err(Refusal::NothingChosen.into());
    }
    if want.of.len() > RESOURCES_MAX {
        let problem = Problem::AtMost(RESOURCES_MAX, Limit::Resources);
        return Err(Refusal::bad("resources", problem).into());
    }
    let Some(wanted) = want.any else {
        let mut out = Vec::new();
        for id in &want.of {
            let mut taken = bookable(work, (id, want.slot), (&booking.cause, past))?;
            if booking.cause != Cause::Booking {
                let units = work.get::<Resource>(id)?.units();
                taking::number(work, &mut taken, units)?;
            }
            out.extend(taken);
        }
        return Ok(out);
    };
    if wanted == 0 {
        return Err(Refusal::NothingChosen.into());
    }
    if let [one] = want.of.as_slice()
        && work.get::<Resource>(one)?.count.is_some()
    {
        let mut taken = bookable(work, (one, want.slot), (&booking.cause, past))?;
        taking::number(work, &mut taken, wanted)?;
        return Ok(taken);
    }
    any_of(work, (want, wanted), (booking, past))
}

/// Time taken of the first resources that are free for the whole slot, as many as requested.
fn any_of(
    work: &mut UnitOfWork<'_>,
    (want, wanted): (&Want, u32),
    (booking, past): (&Booking, Past),
) -> Result<Vec<Taken>, Failure> {
    let act = (&booking.owner(), Act::Book { until: None });
    let mut out = Vec::new();
    let mut free: Vec<String> = Vec::new();
    let mut facts: Vec<Fact> = Vec::new();
    let mut first: Option<Refusal> = None;
    for id in &want.of {
        let taken = match bookable(work, (id, want.slot), (&booking.cause, past)) {
            Ok(taken) => taken,
            Err(Failure::Refused(refusal @ Refusal::NotFound { .. })) => return Err(refusal.into()),
            Err(Failure::Refused(refusal)) => {
                first.get_or_insert(refusal);
                continue;
            }
            Err(fault @ Failure::Fault(_)) => return Err(fault),
        };
        let stands = claims::in_the_way(work, &taken, act)?;
        if stands.is_empty() {
            free.push(work.get::<Resource>(id)?.name);
            out.extend(taken);
        } else {
            facts.extend(stands);
        }
        if u32::try_from(free.len()) == Ok(wanted) {
            return Ok(out);
        }
    }
    match first {
        Some(refusal) if facts.is_empty() && free.is_empty() => Err(refusal.into()),
        _ => {
            let count = wanted;
            Err(Refusal::taken(WantedCells::AnyOf { count, free }, facts).into())
        }
    }
}

/// Time that a slot takes of a resource that can be booked; refuses one out of service, or closed.
pub(super) fn bookable(
    work: &mut UnitOfWork<'_>,
    (id, wanted): (&ResourceId, Slot),
    (cause, past): (&Cause, Past),
) -> Result<Vec<Taken>, Failure> {
    let taken = taking::taken(work, id, wanted)?;
    if *cause == Cause::Booking {
        let resource: Resource = work.get(id)?;
        in_hours(&resource, wanted)?;
        if past == Past::Refuse {
            on_open_days(&resource, wanted, &work.settings()?.closed_days)?;
        }
    }
    Ok(taken)
}

/// Refuses a slot on a day on which the house is closed.
pub(in crate::engine) fn on_open_days(resource: &Resource, wanted: Slot, closed: &[NaiveDate]) -> Result<(), Refusal> {
    resource.closed_on(wanted, closed).map_or(Ok(()), |day| Err(Refusal::HouseClosed { day }))
}

fn in_hours(resource: &Resource, wanted: Slot) -> Result<(), Refusal> {
    match resource.hours {
        Some(hours) if !resource.is_open(wanted) => {
            let (resource, hours, hire) = (resource.name.clone(), hours.to_string(), hours.hire);
            Err(Refusal::OutsideHours { resource, hours, hire })
        }
        _ => Ok(()),
    }
}

/// Extent of a change to a repeated booking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    #[default]
    This,
    /// This booking and all later ones.
    FromHere,
    All,
}

/// Loads a booking that can be changed: not a canceled one, a disable, or the hall of a performance.
pub(super) fn standing(work: &mut UnitOfWork<'_>, id: BookingId) -> Result<Booking, Failure> {
    let booking: Booking = work.get(id)?;
    let refusal: fn(String) -> Refusal = match (booking.state, &booking.cause) {
        (BookingState::Canceled, _) => |title| Refusal::BookingCanceled { title },
        (BookingState::Active, Cause::Disable) => |title| Refusal::NotABooking { title },
        (BookingState::Active, Cause::Performance(_)) => |title| Refusal::HallOfPerformance { title },
        (
            BookingState::Active,
            Cause::Booking | Cause::Maintenance | Cause::Relocation | Cause::Other(_) | Cause::OutOfService,
        ) => return Ok(booking),
    };
    Err(refusal(customers::title(work, &booking)?).into())
}

/// Refuses a change of the time of a guest who has left.
pub(super) fn not_left(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
    if booking.checked_out_at.is_none() {
        return Ok(());
    }
    Err(StayRefusal::GuestLeft { title: customers::title(work, booking)? }.into())
}

/// Checks that the actor may change a booking: out-of-use time belongs to its operator, unless
/// [`Whose::Anybody`] is given.
pub(super) fn allowed(work: &mut UnitOfWork<'_>, booking: &Booking, whose: Whose) -> Result<(), Failure> {
    let mine = !booking.cause.is_out_of_use() || booking.operator == work.actor().operator;
    if mine || whose == Whose::Anybody {
        return Ok(());
    }
    let mut cells = Vec::new();
    for taken in booking.asked() {
        let at = SlotAt::of(&work.get(&taken.resource)?, taken.core);
        cells.push(CellName::Slot(at));
    }
    if let Some(seats) = &booking.seats {
        let plan = work.get::<Performance>(seats.performance)?.plan;
        let names = work.seating(plan)?.names(&seats.wanted);
        cells.extend(names.into_iter().map(CellName::Seat));
    }
    let fact = |cell| Fact::disabled(cell, (&booking.operator, booking.approved.as_deref()), &booking.title);
    Ok(claims::none_foreign(cells.into_iter().map(fact).collect())?)
}

/// Bookings within the extent of a change, by start; ended ones are left out, and those of guests who have left unless
/// nothing else is there.
pub(super) fn reached(work: &mut UnitOfWork<'_>, booking: Booking, reach: Reach) -> Result<Vec<Booking>, Failure> {
    let Some(series) = booking.series.filter(|_| reach != Reach::This) else {
        return Ok(vec![booking]);
    };
    let from = booking.extent().map_or(Instant::default(), |slot| slot.from());
    let mut found: Vec<Booking> =
        work.select("WHERE series <> '' AND series = $1 ORDER BY from_at, key", &[series.to_string().into()])?;
    found.retain(|one| {
        let starts = one.extent().map_or(Instant::default(), |slot| slot.from());
        let stands = one.state == BookingState::Active && one.checked_out_at.is_none();
        stands && (reach == Reach::All || starts >= from)
    });
    if found.is_empty() && booking.state == BookingState::Active {
        found.push(booking);
    }
    Ok(found)
}

/// Checks that a booking can be canceled: by this actor, and no guest came.
pub(super) fn cancelable(work: &mut UnitOfWork<'_>, booking: &Booking, whose: Whose) -> Result<(), Failure> {
    allowed(work, booking, whose)?;
    not_left(work, booking)?;
    if booking.checked_in_at.is_none() {
        return Ok(());
    }
    Err(StayRefusal::GuestInHouse { title: customers::title(work, booking)? }.into())
}

/// Cancels a booking and frees its remaining time.
pub(super) fn end_booking(work: &mut UnitOfWork<'_>, booking: &mut Booking) -> Result<(), Failure> {
    claims::free(work, &*booking, &booking.owner())?;
    booking.end();
    paying::put(work, booking)
}
