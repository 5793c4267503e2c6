//! Lines of carts and receipts with display names.

use std::sync::Arc;

use chrono_tz::Tz;
use serde::Serialize;

use crate::domain::booking::{Booking, Taken};
use crate::domain::ids::{BookingId, CartId, LineId, PerformanceId};
use crate::domain::line::{Goods, Line, leading};
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::prices::PricePart;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Wall};
use crate::engine::reads::Snapshot;
use crate::engine::work::Failure;

/// Line with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineView {
    pub id: LineId,
    pub goods: GoodsView,
    /// Ticket type; none for time.
    pub kind: String,
    /// Given away.
    pub comp: bool,
    /// Price of one seat or segment, in minor units.
    pub unit_price: i64,
    /// Parts of the price, where rules of a list made it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PricePart>,
    /// Seats or segments charged.
    pub count: u32,
    /// Total price in minor units.
    pub total: i64,
}

/// Cells of a line with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GoodsView {
    Seats {
        performance: PerformanceLabel,
        /// Seats with their unique names, sorted.
        seats: Vec<(SeatRef, String)>,
        /// Seats in the words of a ticket.
        on_ticket: Vec<String>,
    },
    Time(TimeView),
}

/// Time of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimeView {
    pub resource: ResourceId,
    /// Number of units, of a counted resource.
    pub number: Option<u32>,
    pub name: String,
    pub wall: Wall,
    pub wanted: Slot,
    /// Requested slot on the resource's grid.
    pub core: Slot,
    /// Stretches of it still held.
    pub kept: Vec<Slot>,
    /// The booking that has the time, where a line pays for one.
    pub booking: Option<BookingId>,
}

/// Performance in short form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerformanceLabel {
    pub id: PerformanceId,
    pub title: String,
    pub theater: String,
    pub start: Instant,
    pub zone: Tz,
}

impl LineView {
    /// Returns the performance of a seat line.
    pub const fn performance(&self) -> Option<&PerformanceLabel> {
        match &self.goods {
            GoodsView::Seats { performance, .. } => Some(performance),
            GoodsView::Time(_) => None,
        }
    }

    /// Returns whether the line has seats of a performance.
    pub fn is_of(&self, performance: PerformanceId) -> bool {
        self.performance().is_some_and(|label| label.id == performance)
    }

    /// Seats with their unique names; empty for a time line.
    pub fn seats(&self) -> &[(SeatRef, String)] {
        match &self.goods {
            GoodsView::Seats { seats, .. } => seats,
            GoodsView::Time(_) => &[],
        }
    }

    /// Seats in the form that labels are made from.
    pub fn named(&self) -> impl Iterator<Item = (SeatRef, &str)> {
        self.seats().iter().map(|(seat, name)| (*seat, name.as_str()))
    }

    /// Time of a time line.
    pub const fn time(&self) -> Option<&TimeView> {
        match &self.goods {
            GoodsView::Seats { .. } => None,
            GoodsView::Time(time) => Some(time),
        }
    }

    /// Title of the performance, or name of the resource.
    pub fn title(&self) -> &str {
        match &self.goods {
            GoodsView::Seats { performance, .. } => &performance.title,
            GoodsView::Time(time) => &time.name,
        }
    }
}

impl TimeView {
    /// Formats its time: `Sat 21 Nov 20:00-22:00`.
    pub fn when(&self, now: Instant) -> String {
        self.told(|slot| slot.words(self.wall, now))
    }

    /// Formats its time with the year, for paper.
    pub fn dated(&self) -> String {
        self.told(|slot| slot.dated(self.wall))
    }

    fn told(&self, words: impl Fn(&Slot) -> String) -> String {
        let slots = if self.kept.is_empty() { std::slice::from_ref(&self.core) } else { &self.kept };
        slots.iter().map(words).collect::<Vec<_>>().join(", ")
    }
}

/// Adds display names to the lines of a cart or receipt: seats first, then time.
pub(in crate::engine::reads) fn lines(
    snapshot: &mut Snapshot<'_>,
    cart: CartId,
    lines: &[Line],
) -> Result<Vec<LineView>, Failure> {
    let mut views = Vec::with_capacity(lines.len());
    for line in lines {
        views.push(LineView {
            id: line.id(cart),
            goods: goods(snapshot, &line.goods)?,
            kind: line.kind.clone(),
            comp: line.comp,
            unit_price: line.unit_price,
            parts: line.parts.clone(),
            count: line.count,
            total: line.total()?,
        });
    }
    views.sort_by_key(|line| line.time().is_some());
    Ok(views)
}

fn goods(snapshot: &mut Snapshot<'_>, goods: &Goods) -> Result<GoodsView, Failure> {
    Ok(match goods {
        Goods::Seats { performance, .. } => {
            let (issued, night) = (goods.issued(), snapshot.get::<Performance>(*performance)?);
            let plan = Arc::clone(&snapshot.seating(night.plan)?.plan);
            GoodsView::Seats {
                performance: label(snapshot, *performance)?,
                seats: named(snapshot, *performance, &issued)?,
                on_ticket: issued.iter().map(|seat| plan.ticket_words(*seat)).collect(),
            }
        }
        Goods::Time { resource, wanted, taken } => GoodsView::Time(time(snapshot, (resource, *wanted), taken)?),
        Goods::Booking { booking } => GoodsView::Time(booked(snapshot, *booking)?),
    })
}

/// Adds display names to the time of a line.
pub(in crate::engine::reads) fn time(
    snapshot: &mut Snapshot<'_>,
    (resource, wanted): (&ResourceId, Slot),
    taken: &[Taken],
) -> Result<TimeView, Failure> {
    let resource: Resource = snapshot.get(resource)?;
    let asked = taken.first();
    Ok(TimeView {
        number: resource.count.as_ref().and(asked).map(|asked| asked.number),
        wall: resource.grid.into(),
        name: resource.told(asked.map_or(1, |asked| asked.number)),
        resource: resource.id,
        wanted,
        core: asked.map_or(wanted, |asked| asked.core),
        kept: asked.map_or_else(Vec::new, Taken::kept),
        booking: None,
    })
}

/// The time of a booking that a line pays for, under the booking's title.
fn booked(snapshot: &mut Snapshot<'_>, id: BookingId) -> Result<TimeView, Failure> {
    let booking: Booking = snapshot.get(id)?;
    let customer = snapshot.customer(booking.customer)?;
    let title = booking.title_for(&customer).to_owned();
    let asked = booking.taken.first();
    let asked = asked.ok_or_else(|| Refusal::not_found("booking", id.to_string()))?;
    let view = time(snapshot, (&asked.resource, asked.wanted), std::slice::from_ref(asked))?;
    Ok(TimeView { name: format!("{title}, {}", view.name), booking: Some(id), ..view })
}

/// Title that a list shows for a cart or receipt.
pub(in crate::engine::reads) fn title(snapshot: &mut Snapshot<'_>, lines: &[Line]) -> Result<String, Failure> {
    Ok(match leading(lines).map(|line| &line.goods) {
        Some(Goods::Seats { performance, .. }) => snapshot.get::<Performance>(*performance)?.title,
        Some(Goods::Time { resource, .. }) => snapshot.get::<Resource>(resource)?.name,
        Some(Goods::Booking { booking }) => booked(snapshot, *booking)?.name,
        None => String::new(),
    })
}

pub(in crate::engine::reads) fn label(
    snapshot: &mut Snapshot<'_>,
    id: PerformanceId,
) -> Result<PerformanceLabel, Failure> {
    let performance: Performance = snapshot.get(id)?;
    let theater: Theater = snapshot.get(performance.theater)?;
    Ok(PerformanceLabel {
        id,
        title: performance.title,
        theater: theater.name,
        start: performance.start,
        zone: theater.time_zone,
    })
}

pub(in crate::engine::reads) fn named(
    snapshot: &mut Snapshot<'_>,
    id: PerformanceId,
    seats: &[SeatRef],
) -> Result<Vec<(SeatRef, String)>, Failure> {
    let performance: Performance = snapshot.get(id)?;
    let seating = snapshot.seating(performance.plan)?;
    Ok(seats.iter().map(|seat| (*seat, seating.plan.seat_name(*seat).to_owned())).collect())
}
