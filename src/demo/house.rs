//! The throw-away house of the demo: made, furnished, shown, and removed when the operator leaves.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;

use chrono_tz::Tz;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{Crowd, LiveCrowd, Speed};
use crate::demo::furnish::furnish;
use crate::demo::guide::{Ground, Guide, Plays};
use crate::demo::programme::Programme;
use crate::demo::staff;
use crate::domain::time::Instant;
use crate::engine::clock::{Clock, ManualClock};
use crate::engine::{Config, Desk, Failure, Fault, Missing, OpenError, Ticker};
use crate::tui::desk::picture::Picture;
use crate::tui::{self, DemoControl, TuiError};

/// File of a house in its folder.
const FILE: &str = "house.db";

#[derive(Debug, Default)]
pub(crate) struct DemoOptions {
    /// Chapter to begin with; none for the house alone.
    pub chapter: Option<usize>,
    pub plays: Plays,
    pub speed: Speed,
    /// Seed of the crowd: equal seeds give equal crowds.
    pub seed: u64,
    pub looks: tui::ScreenOptions,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoError {
    #[error("no folder for the demo house: {0}; set TMPDIR to one that may be written to")]
    Folder(std::io::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the demo house cannot be furnished: {0}")]
    Furnish(#[from] Failure),
    #[error("the system gives no thread to the demo: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Tui(#[from] TuiError),
}

impl From<Fault> for DemoError {
    fn from(fault: Fault) -> Self {
        Self::Furnish(fault.into())
    }
}

/// The furnished house, of which each chapter has a copy.
pub(super) struct FurnishedHouse {
    at: Instant,
    folder: TempDir,
}

impl FurnishedHouse {
    /// Furnishes a house at a time, which stands still meanwhile.
    pub(super) fn at(at: Instant) -> Result<Self, DemoError> {
        let folder = TempDir::with_prefix("willcall-demo-").map_err(DemoError::Folder)?;
        let clock = Arc::new(DemoClock::over(Arc::new(ManualClock::at(at))));
        let desk = open(&folder, (Arc::<DemoClock>::clone(&clock), Ticker::Off))?;
        furnish(&desk, &clock)?;
        staff::employ(&desk)?;
        desk.close();
        Ok(Self { at, folder })
    }

    /// A copy whose clock stands still at the beginning, until it is moved.
    pub(super) fn still(&self) -> Result<Ground, DemoError> {
        self.copy(DemoClock::over(Arc::new(ManualClock::at(self.at))), Ticker::Off)
    }

    /// A copy whose clock runs on from the beginning, with its crowd.
    fn alive(&self, seed: u64) -> Result<Ground, DemoError> {
        let ground = self.copy(DemoClock::from(self.at), Ticker::On)?;
        let crowd = Crowd::new(&ground.desk, seed)?;
        Ok(Ground { crowd: Some(LiveCrowd::start(crowd, None).map_err(DemoError::Thread)?), ..ground })
    }

    fn copy(&self, clock: DemoClock, ticker: Ticker) -> Result<Ground, DemoError> {
        let folder = TempDir::with_prefix("willcall-demo-").map_err(DemoError::Folder)?;
        fs::copy(self.folder.path().join(FILE), folder.path().join(FILE)).map_err(DemoError::Folder)?;
        let clock = Arc::new(clock);
        let desk = staff::at(&open(&folder, (Arc::<DemoClock>::clone(&clock), ticker))?, staff::OPERATOR);
        Ok(Ground { desk, clock, crowd: None, _folder: Some(folder) })
    }
}

fn open(folder: &TempDir, (clock, ticker): (Arc<DemoClock>, Ticker)) -> Result<Desk, OpenError> {
    let file: PathBuf = folder.path().join(FILE);
    let desk = Desk::open_with(Config { missing: Missing::Create, ticker, clock, ..Config::new(file) })?;
    let (operator, station) = staff::OPERATOR;
    Ok(desk.working_as(operator, station))
}

pub(crate) fn zone() -> Result<Tz, Fault> {
    Ok(Programme::built_in()?.time_zone)
}

/// Time at which a demo of today begins.
pub(super) fn evening() -> Result<Instant, Fault> {
    Ok(Programme::built_in()?.evening(DemoClock::default().now()))
}

/// A picture of the demo house without its crowd, at its beginning or at another time.
pub(crate) fn picture(at: Option<Instant>, picture: Picture) -> Result<String, DemoError> {
    let house = FurnishedHouse::at(at.map_or_else(evening, Ok)?)?.still()?;
    Ok(picture.draw(house.desk)?)
}

/// Shows the demo house until the operator quits. Its temporary folders are removed at every end but a kill.
pub(crate) fn run(options: DemoOptions) -> Result<(), DemoError> {
    let DemoOptions { chapter, plays, speed, seed, looks } = options;
    let house = FurnishedHouse::at(evening()?)?;
    let ground = house.alive(seed)?;
    let desk = ground.desk.clone();
    let ((out, messages), (show, houses), (commands, wanted)) = (unbounded_channel(), unbounded_channel(), channel());
    let tell = move |message| {
        // a closed screen ends the guide
        let _ = out.send(message);
    };
    let stage = move || {
        let ground = house.alive(seed).ok()?;
        let _ = show.send(ground.desk.clone());
        Some(ground)
    };
    let mut guide = Guide::new(ground, (speed, plays), tell).on(Box::new(stage));
    if let Some(chapter) = chapter {
        guide.begin(chapter);
    }
    let guiding = std::thread::Builder::new()
        .name("willcall-guide".into())
        .spawn(move || guide.work(&wanted))
        .map_err(DemoError::Thread)?;
    let shown = tui::run(desk, tui::ScreenOptions { demo: Some(DemoControl { messages, houses, commands }), ..looks });
    // the screen has dropped its end, so the guide ends; a panic was already reported
    let _ = guiding.join();
    Ok(shown?)
}
