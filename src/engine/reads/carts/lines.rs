//! Lines of carts and receipts with the names that people read.

use chrono_tz::Tz;

use crate::domain::booking::Taken;
use crate::domain::ids::{CartId, LineId, PerformanceId};
use crate::domain::line::{Goods, Line, leading};
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Wall};
use crate::engine::reads::Snapshot;
use crate::engine::work::Failure;

/// A line with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    /// Its id.
    pub id: LineId,
    /// Its cells.
    pub goods: GoodsView,
    /// The ticket type; time has none.
    pub kind: String,
    /// The price of one seat or segment, in minor units.
    pub unit_price: i64,
    /// How many seats or segments are charged.
    pub count: u32,
    /// The price of them all, in minor units.
    pub total: i64,
}

/// The cells of a line with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoodsView {
    /// Seats of a performance, as issued.
    Seats {
        /// The performance.
        performance: PerformanceLabel,
        /// The seats with their unique names, sorted.
        seats: Vec<(SeatRef, String)>,
    },
    /// Time of a resource, as issued.
    Time(TimeView),
}

/// Time of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeView {
    /// The resource.
    pub resource: ResourceId,
    /// Its name.
    pub name: String,
    /// Its local time.
    pub wall: Wall,
    /// The requested slot.
    pub wanted: Slot,
    /// The requested slot on the resource's grid.
    pub core: Slot,
    /// The stretches of the core that it still has.
    pub kept: Vec<Slot>,
}

/// A performance in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerformanceLabel {
    /// Its id.
    pub id: PerformanceId,
    /// Its title.
    pub title: String,
    /// Its theater's name.
    pub theater: String,
    /// Its start.
    pub start: Instant,
    /// Its theater's local time.
    pub zone: Tz,
}

impl LineView {
    /// The performance of seats.
    #[must_use]
    pub const fn performance(&self) -> Option<&PerformanceLabel> {
        match &self.goods {
            GoodsView::Seats { performance, .. } => Some(performance),
            GoodsView::Time(_) => None,
        }
    }

    /// Whether it has seats of a performance.
    #[must_use]
    pub fn is_of(&self, performance: PerformanceId) -> bool {
        self.performance()
            .is_some_and(|label| label.id == performance)
    }

    /// Its seats with their unique names; none of time.
    #[must_use]
    pub fn seats(&self) -> &[(SeatRef, String)] {
        match &self.goods {
            GoodsView::Seats { seats, .. } => seats,
            GoodsView::Time(_) => &[],
        }
    }

    /// Its seats as words are made of them.
    pub fn named(&self) -> impl Iterator<Item = (SeatRef, &str)> {
        self.seats()
            .iter()
            .map(|(seat, name)| (*seat, name.as_str()))
    }

    /// Its time, when it has time.
    #[must_use]
    pub const fn time(&self) -> Option<&TimeView> {
        match &self.goods {
            GoodsView::Seats { .. } => None,
            GoodsView::Time(time) => Some(time),
        }
    }

    /// The title of its performance, or the name of its resource.
    #[must_use]
    pub fn title(&self) -> &str {
        match &self.goods {
            GoodsView::Seats { performance, .. } => &performance.title,
            GoodsView::Time(time) => &time.name,
        }
    }
}

impl TimeView {
    /// When it is, in words: `Sat 21 Nov 20:00-22:00`.
    #[must_use]
    pub fn when(&self) -> String {
        match self.kept.as_slice() {
            [] => self.core.words(self.wall),
            kept => {
                let words: Vec<String> = kept.iter().map(|slot| slot.words(self.wall)).collect();
                words.join(", ")
            }
        }
    }
}

/// Lines of a cart or of its receipt: seats, then time.
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
            unit_price: line.unit_price,
            count: line.count,
            total: line.total()?,
        });
    }
    views.sort_by_key(|line| line.time().is_some());
    Ok(views)
}

fn goods(snapshot: &mut Snapshot<'_>, goods: &Goods) -> Result<GoodsView, Failure> {
    Ok(match goods {
        Goods::Seats { performance, .. } => GoodsView::Seats {
            performance: label(snapshot, *performance)?,
            seats: named(snapshot, *performance, &goods.issued())?,
        },
        Goods::Time {
            resource,
            wanted,
            taken,
        } => {
            let resource: Resource = snapshot.get(resource)?;
            let asked = taken.first();
            GoodsView::Time(TimeView {
                wall: resource.grid.into(),
                name: resource.name,
                resource: resource.id,
                wanted: *wanted,
                core: asked.map_or(*wanted, |asked| asked.core),
                kept: asked.map_or_else(Vec::new, Taken::kept),
            })
        }
    })
}

/// The title or name that a list calls a cart or receipt by.
pub(in crate::engine::reads) fn title(
    snapshot: &mut Snapshot<'_>,
    lines: &[Line],
) -> Result<String, Failure> {
    Ok(match leading(lines).map(|line| &line.goods) {
        Some(Goods::Seats { performance, .. }) => snapshot.get::<Performance>(*performance)?.title,
        Some(Goods::Time { resource, .. }) => snapshot.get::<Resource>(resource)?.name,
        None => String::new(),
    })
}

/// A performance in a few words.
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

/// Seats with their unique names.
pub(in crate::engine::reads) fn named(
    snapshot: &mut Snapshot<'_>,
    id: PerformanceId,
    seats: &[SeatRef],
) -> Result<Vec<(SeatRef, String)>, Failure> {
    let performance: Performance = snapshot.get(id)?;
    let house = snapshot.house(performance.plan)?;
    Ok(seats
        .iter()
        .map(|seat| (*seat, house.plan.seat_name(*seat).to_owned()))
        .collect())
}
