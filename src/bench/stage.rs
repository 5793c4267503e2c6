//! Fixtures of the loads: theaters of 30 rows of 30 seats, resources and bookings.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::BenchError;
use crate::domain::booking::Details;
use crate::domain::ids::PerformanceId;
use crate::domain::resource::{Policy, ResourceId};
use crate::domain::time::{Grid, Segment, Slot, Span};
use crate::engine::Desk;
use crate::engine::ops::{AddPerformance, AddResource, AddTheater, BookSlot, ChangeSettings, NamedPrice, Past, Want};
use crate::formats::rows;

/// Rows of a house, and seats of a row.
pub const SIDE: u32 = 30;

/// Performances sold by the spread load.
pub const PERFORMANCES: usize = 300;

/// Adds a theater and its performances, a month ahead.
pub fn build(desk: &Desk, performances: usize) -> Result<Vec<PerformanceId>, BenchError> {
    let plan = rows::parse("30x30").map_err(BenchError::part)?;
    desk.run(ChangeSettings::to("seats-max", &SIDE))?;
    let name = format!("Bench {}", PerformanceId::random().tail());
    let theater = desk.run(AddTheater { name, plan, time_zone: None })?;
    let first = desk.now() + Span::minutes(30 * 24 * 60);
    (0..performances)
        .zip(0..)
        .map(|(number, nth)| {
            let start = first + Span::minutes(180 * nth);
            let add = AddPerformance::new(
                theater.id,
                &format!("Bench {number}"),
                (start, start + Span::minutes(120)),
                vec![NamedPrice::all(1000)],
            );
            Ok(desk.run(add)?.performance.id)
        })
        .collect()
}

/// A room with no hours, no price and no setup times.
pub fn resource(name: String, segment: Segment, policy: Policy) -> AddResource {
    AddResource {
        name,
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: Tz::UTC, segment },
        policy,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: None,
        prices: None,
        count: None,
        properties: BTreeMap::new(),
    }
}

/// A booking of one resource.
pub fn book(resource: Option<ResourceId>, slot: Slot, (title, past): (&str, Past)) -> BookSlot {
    BookSlot {
        wants: vec![Want::all(resource.into_iter().collect(), slot)],
        details: Details { title: title.into(), ..Details::default() },
        past,
    }
}
