//! Returned cells with display names.

use serde::Serialize;

use crate::domain::correction::Returned;
use crate::domain::loss::CellGroup;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::prices::PricePart;
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Slot, Wall};
use crate::engine::reads::Snapshot;
use crate::engine::reads::carts::lines::named;
use crate::engine::work::Failure;

/// Returned cells with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReturnedView {
    /// Number in the cart that brings them back.
    pub number: u32,
    /// Number of the receipt that they were sold by.
    pub receipt: String,
    /// Number of that receipt's line.
    pub line: u32,
    /// Title of the performance, or name of the resource.
    pub title: String,
    pub cells: ReturnedCells,
    /// Ticket type; none for time.
    pub kind: String,
    pub count: u32,
    /// Price of one seat or segment, in minor units.
    pub unit_price: i64,
    /// Parts of the price, where rules of a list made it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PricePart>,
    /// Total price in minor units.
    pub total: i64,
}

/// Seats or time that are returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnedCells {
    /// Seats with their unique names.
    Seats(Vec<(SeatRef, String)>),
    /// Time, and the wall that it is told by.
    Time(Wall, Vec<Slot>),
}

impl ReturnedView {
    /// Seats with their names; none for time.
    pub fn seats(&self) -> impl Iterator<Item = (SeatRef, &str)> {
        let seats = match &self.cells {
            ReturnedCells::Seats(seats) => seats.as_slice(),
            ReturnedCells::Time(..) => &[],
        };
        seats.iter().map(|(seat, name)| (*seat, name.as_str()))
    }

    /// Names of the cells.
    pub fn names(&self, now: Instant) -> Vec<String> {
        self.told(|slot, wall| slot.words(wall, now))
    }

    /// Names of the cells, time with the year, for paper.
    pub fn dated(&self) -> Vec<String> {
        self.told(Slot::dated)
    }

    fn told(&self, words: impl Fn(&Slot, Wall) -> String) -> Vec<String> {
        match &self.cells {
            ReturnedCells::Seats(seats) => seats.iter().map(|(_, name)| name.clone()).collect(),
            ReturnedCells::Time(wall, slots) => slots.iter().map(|slot| words(slot, *wall)).collect(),
        }
    }
}

/// Adds display names to returned cells.
pub(in crate::engine::reads) fn returns(
    snapshot: &mut Snapshot<'_>,
    returned: &[Returned],
) -> Result<Vec<ReturnedView>, Failure> {
    returned.iter().map(|one| view(snapshot, one)).collect()
}

fn view(snapshot: &mut Snapshot<'_>, returned: &Returned) -> Result<ReturnedView, Failure> {
    let (title, cells) = match &returned.cells {
        CellGroup::Seats { performance, seats } => {
            let seats = named(snapshot, *performance, seats)?;
            let performance: Performance = snapshot.get(*performance)?;
            (performance.title, ReturnedCells::Seats(seats))
        }
        CellGroup::Time { resource, slots } => {
            let resource: Resource = snapshot.get(resource)?;
            (resource.name, ReturnedCells::Time(resource.grid.into(), slots.clone()))
        }
    };
    Ok(ReturnedView {
        number: returned.number,
        receipt: snapshot.get::<Receipt>(returned.receipt)?.number,
        line: returned.line,
        title,
        cells,
        kind: returned.kind.clone(),
        count: returned.count,
        unit_price: returned.unit_price,
        parts: returned.parts.clone(),
        total: returned.total()?,
    })
}
