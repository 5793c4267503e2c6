//! The throw-away house of the demo: made, furnished, shown, and removed when the operator leaves.

use std::sync::Arc;
use std::sync::mpsc::channel;

use chrono_tz::Tz;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{Crowd, LiveCrowd, Speed};
use crate::demo::furnish::furnish;
use crate::demo::guide::{Ground, Guide};
use crate::demo::programme::Programme;
use crate::domain::time::Instant;
use crate::engine::clock::{Clock, ManualClock};
use crate::engine::{Config, Desk, Failure, Fault, Missing, OpenError, Ticker};
use crate::tui::desk::picture::Picture;
use crate::tui::{self, DemoControl, TuiError};

/// The operator of the demo house, and the station.
const OPERATOR: (&str, &str) = ("ada", "till-2");

#[derive(Debug, Default)]
pub(crate) struct DemoOptions {
    pub opening: Opening,
    pub speed: Speed,
    /// Seed of the crowd: equal seeds give equal crowds.
    pub seed: u64,
    pub looks: tui::ScreenOptions,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Opening {
    #[default]
    House,
    Tour,
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

/// The house in a temporary folder, removed with this value.
struct House {
    desk: Desk,
    _folder: TempDir,
}

impl House {
    fn furnished(clock: &Arc<DemoClock>, ticker: Ticker) -> Result<Self, DemoError> {
        let folder = TempDir::with_prefix("willcall-demo-").map_err(DemoError::Folder)?;
        let desk = Desk::open_with(Config {
            missing: Missing::Create,
            ticker,
            clock: Arc::<DemoClock>::clone(clock),
            ..Config::new(folder.path().join("house.db"))
        })?;
        let (operator, station) = OPERATOR;
        let desk = desk.working_as(operator, station);
        furnish(&desk, clock)?;
        Ok(Self { desk, _folder: folder })
    }
}

pub(crate) fn zone() -> Result<Tz, Fault> {
    Ok(Programme::built_in()?.time_zone)
}

/// Time at which a demo of today begins.
fn evening() -> Result<Instant, Fault> {
    Ok(Programme::built_in()?.evening(DemoClock::default().now()))
}

/// A picture of the demo house without its crowd, at its beginning or at another time.
pub(crate) fn picture(at: Option<Instant>, picture: Picture) -> Result<String, DemoError> {
    let at = at.map_or_else(evening, Ok)?;
    let clock = DemoClock::over(Arc::new(ManualClock::at(at)));
    let house = House::furnished(&Arc::new(clock), Ticker::Off)?;
    Ok(picture.draw(house.desk.clone())?)
}

/// Shows the demo house until the operator quits. Its temporary folder is removed at every end but a kill.
pub(crate) fn run(options: DemoOptions) -> Result<(), DemoError> {
    let DemoOptions { opening, speed, seed, looks } = options;
    let clock = Arc::new(DemoClock::from(evening()?));
    let house = House::furnished(&clock, Ticker::On)?;
    let desk = &house.desk;
    let crowd = Crowd::new(desk, seed)?;
    let crowd = LiveCrowd::start(crowd, None).map_err(DemoError::Thread)?;
    let ((out, messages), (commands, wanted)) = (unbounded_channel(), channel());
    let ground = Ground { desk: desk.clone(), clock, crowd, speed };
    let mut guide = Guide::new(ground, move |message| {
        // a closed screen ends the guide
        let _ = out.send(message);
    });
    if opening == Opening::Tour {
        guide.begin_tour();
    }
    let guiding = std::thread::Builder::new()
        .name("willcall-guide".into())
        .spawn(move || guide.work(&wanted))
        .map_err(DemoError::Thread)?;
    let shown = tui::run(desk.clone(), tui::ScreenOptions { demo: Some(DemoControl { messages, commands }), ..looks });
    // the screen has dropped its end, so the guide ends; a panic was already reported
    let _ = guiding.join();
    desk.close();
    Ok(shown?)
}
