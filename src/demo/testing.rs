//! Fixtures of the demo's tests: a house on a clock that a test moves.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::demo::DemoClock;
use crate::domain::layout::Layout;
use crate::domain::time::Instant;
use crate::engine::clock::{Clock, ManualClock};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::engine::{Config, Desk, Missing};

const NOON: Instant = Instant::from_millis(1_795_262_400_000);

pub(super) struct Stepped {
    pub(super) desk: Desk,
    pub(super) clock: Arc<ManualClock>,
    pub(super) past: Arc<DemoClock>,
    _house: House,
}

pub(super) struct House {
    pub(super) desk: Desk,
    pub(super) past: Arc<DemoClock>,
    _folder: tempfile::TempDir,
}

pub(super) fn house() -> Stepped {
    let clock = Arc::new(ManualClock::at(NOON));
    let house = house_at(Arc::<ManualClock>::clone(&clock));
    Stepped { desk: house.desk.clone(), past: Arc::clone(&house.past), clock, _house: house }
}

/// An empty house on a given clock.
pub(super) fn house_at(clock: Arc<dyn Clock>) -> House {
    crate::limit::step();
    let folder = tempfile::tempdir().unwrap();
    let past = Arc::new(DemoClock::over(clock));
    let desk = Desk::open_with(Config {
        missing: Missing::Create,
        clock: Arc::<DemoClock>::clone(&past),
        ..Config::new(folder.path().join("house.db"))
    })
    .unwrap();
    House { desk: desk.working_as("ada", "till-2"), past, _folder: folder }
}

/// The map with a sign for each seat.
pub(super) fn drawn(map: &SeatMap) -> String {
    let layout = Layout::new(&map.plan);
    let mut text = String::new();
    for line in 0..layout.height {
        for column in 0..layout.width {
            let state = layout.seat_at(column, line).and_then(|seat| map.state(seat));
            text.push(match state {
                None => ' ',
                Some(SeatState::Free) => 'o',
                Some(SeatState::Held(_)) => '~',
                Some(SeatState::Kept { .. }) => 'h',
                Some(SeatState::Booked { .. }) => '.',
                Some(SeatState::Disabled { .. }) => 'x',
            });
        }
        writeln!(text).unwrap();
    }
    text
}
