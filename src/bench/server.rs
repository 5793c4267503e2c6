//! The load on a server: a station for each customer, and beside it what the server does statement by statement.

use super::load::{IN_FLIGHT_SERVER, count};
use super::report::StepReport;
use super::stage;
use super::theater::{BenchError, TheaterArgs, desk_of};
use crate::engine::{Desk, Engine, Failure};
use crate::store::postgres::control::{Steps, sell};
use crate::store::{Place, Scratch};

/// One station on a file; on a server one for each customer, for receipts are numbered by station.
pub(super) fn desks(engine: &Engine, name: &str, (place, in_flight): (&Place, usize)) -> Vec<Desk> {
    match place {
        Place::File(_) => vec![desk_of(engine, name)],
        Place::Server(_) => (0..in_flight)
            .map(|number| desk_of(engine, &format!("{name}-{number}")))
            .collect(),
    }
}

/// The same carts on the same server, each step a statement of its own.
pub(super) fn steps(scratch: &Scratch, args: &TheaterArgs) -> Result<StepReport, BenchError> {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let steps = Steps {
        carts: number(args.carts),
        at_once: number(IN_FLIGHT_SERVER),
        seats: args.seats_per_cart,
        side: stage::SIDE,
        performances: number(args.performances()),
    };
    let (all, mut took) = sell(scratch.address(), steps).map_err(Failure::from)?;
    took.sort_unstable();
    let p99 = took.get(took.len() * 99 / 100).copied().unwrap_or_default();
    Ok(StepReport {
        carts_per_second: count(took.len()) / all.as_secs_f64(),
        p99_ms: p99.as_secs_f64() * 1000.0,
    })
}
