//! Fixtures of the demo's tests: a house on a clock that a test moves.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use crate::demo::DemoClock;
use crate::demo::furnish::{Furnished, furnish};
use crate::domain::layout::Layout;
use crate::domain::time::Instant;
use crate::engine::clock::{Clock, ManualClock};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::engine::{Config, Desk, Missing};

pub(super) const NOON: Instant = Instant::from_millis(1_795_262_400_000);

const FILE: &str = "house.db";

pub(super) struct Stepped {
    pub(super) desk: Desk,
    pub(super) clock: Arc<ManualClock>,
    pub(super) past: Arc<DemoClock>,
    _house: House,
}

pub(super) struct House {
    pub(super) desk: Desk,
    pub(super) past: Arc<DemoClock>,
    folder: tempfile::TempDir,
}

pub(super) fn house() -> Stepped {
    let clock = Arc::new(ManualClock::at(NOON));
    let house = house_at(Arc::<ManualClock>::clone(&clock));
    Stepped { desk: house.desk.clone(), past: Arc::clone(&house.past), clock, _house: house }
}

/// A furnished house at noon.
pub(super) fn furnished() -> (Stepped, Furnished) {
    let clock = Arc::new(ManualClock::at(NOON));
    let (house, furnished) = furnished_at(Arc::<ManualClock>::clone(&clock));
    let (desk, past) = (house.desk.clone(), Arc::clone(&house.past));
    (Stepped { desk, past, clock, _house: house }, furnished)
}

/// A house furnished at noon on a clock that tells this time, or later: each is a copy of one.
pub(super) fn furnished_at(clock: Arc<dyn Clock>) -> (House, Furnished) {
    static FIRST: OnceLock<(Vec<u8>, Furnished)> = OnceLock::new();
    let (file, furnished) = FIRST.get_or_init(|| {
        let house = house_at(Arc::new(ManualClock::at(NOON)));
        let furnished = furnish(&house.desk, &house.past).unwrap();
        house.desk.close();
        (std::fs::read(house.folder.path().join(FILE)).unwrap(), furnished)
    });
    let folder = crate::limit::scratch();
    std::fs::write(folder.path().join(FILE), file).unwrap();
    (open(folder, clock), furnished.clone())
}

/// An empty house on a given clock.
pub(super) fn house_at(clock: Arc<dyn Clock>) -> House {
    open(crate::limit::scratch(), clock)
}

fn open(folder: tempfile::TempDir, clock: Arc<dyn Clock>) -> House {
    let past = Arc::new(DemoClock::over(clock));
    let desk = Desk::open_with(Config {
        missing: Missing::Create,
        clock: Arc::<DemoClock>::clone(&past),
        ..Config::new(folder.path().join(FILE))
    })
    .unwrap();
    House { desk: desk.working_as("ada", "till-2"), past, folder }
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
