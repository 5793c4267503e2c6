//! Theaters, settings, and one performance with its holds.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Chunk, Grip};
use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::house::Settings;
use crate::domain::ids::{BookingId, CartId, PerformanceId, TheaterId};
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Slot, hull, subtract};
use crate::engine::plans::SeatingPlan;
use crate::engine::reads::carts::{PerformanceLabel, label};
use crate::engine::reads::{Listed, PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;

/// Theater with the plan that a performance opened today would sell.
pub type TheaterView = (Theater, Arc<SeatingPlan>);

/// Lists theaters by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadTheaters {
    pub after: Option<TheaterId>,
    pub listed: Listed,
}

impl Question for ReadTheaters {
    type Answer = Vec<TheaterView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let mut theaters: Vec<Theater> = snapshot.select("ORDER BY name, key", &[])?;
        theaters.retain(|theater| self.listed.has(theater.retired));
        if let Some(after) = self.after {
            let place = theaters.iter().position(|theater| theater.id == after);
            theaters.drain(..place.map_or(0, |place| place + 1));
        }
        theaters.truncate(PAGE_MAX);
        snapshot.each(&theaters, |snapshot, theater| Ok((theater.clone(), snapshot.seating(theater.plan)?)))
    }
}

/// Reads one theater.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct ReadTheater(pub TheaterId);

impl Question for ReadTheater {
    type Answer = TheaterView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let theater: Theater = snapshot.get(self.0)?;
        let seating = snapshot.seating(theater.plan)?;
        Ok((theater, seating))
    }
}

/// Reads the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadSettings;

impl Question for ReadSettings {
    type Answer = Settings;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Settings, Failure> {
        snapshot.settings()
    }
}

/// Night of a season: a performance that is neither canceled nor retired, its theater, and the plan that it sells.
pub type SeasonNight = (Performance, Theater, Arc<SeatingPlan>);

/// Lists the nights of all theaters that start from a time on and before another, by start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSeason {
    pub from: Instant,
    pub before: Option<Instant>,
}

impl Question for ReadSeason {
    type Answer = Vec<SeasonNight>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let before = self.before.map_or(i64::MAX, Instant::millis);
        let mut nights: Vec<Performance> = snapshot.select(
            "WHERE start_at >= $1 AND start_at < $2 ORDER BY start_at, key",
            &[self.from.millis().into(), before.into()],
        )?;
        nights.retain(|night| night.state == PerformanceState::Open);
        snapshot.each(&nights, season_night)
    }
}

/// Lists the nights of a title that are to come, by start: a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRun {
    pub title: String,
    /// Theater; all if `None`.
    pub theater: Option<TheaterId>,
}

impl Question for ReadRun {
    type Answer = Vec<SeasonNight>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let now = snapshot.now();
        let titled = "WHERE title = $1 AND start_at > $2 ORDER BY start_at, key";
        let mut nights: Vec<Performance> =
            snapshot.select(titled, &[self.title.to_lowercase().into(), now.millis().into()])?;
        nights.retain(|night| {
            night.state == PerformanceState::Open && self.theater.is_none_or(|theater| night.theater == theater)
        });
        snapshot.each(&nights, season_night)
    }
}

fn season_night(snapshot: &mut Snapshot<'_>, night: &Performance) -> Result<SeasonNight, Failure> {
    Ok((night.clone(), snapshot.get(night.theater)?, snapshot.seating(night.plan)?))
}

/// Performance with the carts that hold its seats.
#[derive(Clone, Debug, Serialize)]
pub struct PerformanceView {
    pub performance: Performance,
    pub theater: Theater,
    #[serde(skip)]
    pub seating: Arc<SeatingPlan>,
    pub seats: u32,
    pub free: u32,
    /// Holds, by deadline.
    pub holds: Vec<Hold>,
    pub hall: Option<HallView>,
}

/// Hall of a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HallView {
    pub booking: BookingId,
    pub name: String,
    /// Time from get-in to get-out.
    pub slot: Slot,
    /// Stretches of it taken out of use.
    pub lost: Vec<Slot>,
}

/// Seats of a line held by a cart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hold {
    pub cart: CartId,
    pub seats: Vec<String>,
    /// Price of one seat, in minor units.
    pub unit_price: i64,
    /// Price of all of them, in minor units.
    pub total: i64,
    pub until: Instant,
}

/// Reads one performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadPerformance(pub PerformanceId);

/// Reads performances with their plans, in the order given.
#[derive(Clone, Debug)]
pub struct ReadPlanned(pub Vec<PerformanceId>);

/// Performance with its label and plan.
pub type Planned = (PerformanceLabel, Arc<SeatingPlan>);

impl Question for ReadPlanned {
    type Answer = Vec<Planned>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Planned>, Failure> {
        snapshot.each(&self.0, |snapshot, id| {
            let performance: Performance = snapshot.get(*id)?;
            Ok((label(snapshot, *id)?, snapshot.seating(performance.plan)?))
        })
    }
}

impl Question for ReadPerformance {
    type Answer = PerformanceView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<PerformanceView, Failure> {
        let performance: Performance = snapshot.get(self.0)?;
        let theater: Theater = snapshot.get(performance.theater)?;
        let seating = snapshot.seating(performance.plan)?;
        let chunks = snapshot.chunks(performance.id)?;
        let now = snapshot.now();
        let mut carts: Vec<Cart> = snapshot.all(&holding(&chunks, now))?;
        carts.sort_by_key(|cart| (cart.expires_at, cart.id));
        let mut holds = Vec::new();
        for cart in &carts {
            for line in cart.lines.iter().filter(|line| line.goods.performance() == Some(performance.id)) {
                let (seats, total) = (seating.names(line.goods.seats()), line.total()?);
                holds.push(Hold { cart: cart.id, seats, unit_price: line.unit_price, total, until: cart.expires_at });
            }
        }
        let seats = chunks.iter().map(|chunk| chunk.cells).sum();
        let free = chunks.iter().map(|chunk| chunk.free_at(now)).sum();
        let hall = hall(snapshot, &performance)?;
        Ok(PerformanceView { performance, theater, seating, seats, free, holds, hall })
    }
}

/// Reads the hall of a performance, and the time lost of it.
fn hall(snapshot: &mut Snapshot<'_>, performance: &Performance) -> Result<Option<HallView>, Failure> {
    let Some(id) = performance.hall else {
        return Ok(None);
    };
    let booking: Booking = snapshot.get(id)?;
    let Some(taken) = booking.asked().next() else {
        return Ok(None);
    };
    let resource: Resource = snapshot.get(&taken.resource)?;
    // the time before and after may have changed since
    let all = hull(&[taken.live.as_slice(), &[taken.core]].concat()).unwrap_or(taken.core);
    let lost = if performance.state == PerformanceState::Open { subtract(&[all], &taken.live) } else { Vec::new() };
    Ok(Some(HallView { booking: id, name: resource.name, slot: all, lost }))
}

/// Keys of the carts that hold cells of some rows.
fn holding(chunks: &[Chunk], now: Instant) -> Vec<String> {
    let claims = chunks.iter().flat_map(|chunk| &chunk.runs).map(|run| &run.claim);
    let held = claims.filter(|claim| claim.grip == Grip::Held && !claim.is_late(now));
    let carts: BTreeSet<CartId> = held.filter_map(|claim| claim.owner.cart()).collect();
    carts.iter().map(CartId::to_string).collect()
}
