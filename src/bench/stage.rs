//! The houses that a load sells: performances of 30 rows of 30 seats.

use crate::domain::ids::PerformanceId;
use crate::domain::time::Span;
use crate::engine::ops::{AddPerformance, AddTheater, ChangeSettings, NamedPrice};
use crate::engine::{Desk, Failure};
use crate::formats::rows;

/// Rows of a house, and seats of a row.
pub const SIDE: u32 = 30;

/// How many performances the spread load sells.
pub const PERFORMANCES: usize = 300;

/// Makes a theater of its own and its performances, a month ahead.
///
/// # Errors
/// A refusal or fault of the desk.
pub fn build(desk: &Desk, performances: usize) -> Result<Vec<PerformanceId>, Failure> {
    let plan =
        rows::parse("30x30").map_err(|error| crate::store::Fault::Broken(error.to_string()))?;
    desk.run(ChangeSettings {
        seats_max: Some(SIDE),
        ..ChangeSettings::default()
    })?;
    let name = format!("Bench {}", PerformanceId::random().tail());
    let theater = desk.run(AddTheater {
        name,
        plan,
        time_zone: None,
    })?;
    let first = desk.now() + Span::minutes(30 * 24 * 60);
    (0..performances)
        .zip(0..)
        .map(|(number, nth)| {
            let start = first + Span::minutes(180 * nth);
            let add = AddPerformance {
                theater: theater.id,
                title: format!("Bench {number}"),
                description: String::new(),
                start,
                end: start + Span::minutes(120),
                currency: None,
                prices: vec![NamedPrice {
                    category: None,
                    ticket_type: None,
                    minor: 1000,
                }],
            };
            Ok(desk.run(add)?.performance.id)
        })
        .collect()
}
