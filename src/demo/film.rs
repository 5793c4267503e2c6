//! A chapter played without a terminal and without waiting: for recordings, moving pictures and tests.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use tokio::sync::broadcast::error::TryRecvError;

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{Crowd, Speed};
use crate::demo::guide::{Guide, Plays};
use crate::demo::house::{DemoError, FurnishedHouse, evening};
use crate::demo::script::CHAPTERS;
use crate::domain::time::{Instant, Span};
use crate::engine::Desk;
use crate::engine::notice::Notice;
use crate::tui::data::msg::{Changed, Msg};
use crate::tui::desk::offscreen::Offscreen;
use crate::tui::desk::recording::Recording;
use crate::tui::{ScreenOptions, TuiError};

/// Longest time between two frames.
const FRAME: Duration = Duration::from_millis(500);

/// Chapter, look, and size of a recording.
pub(crate) struct Shot {
    pub chapter: usize,
    pub seed: u64,
    pub looks: ScreenOptions,
    pub size: Size,
}

type Notices = tokio::sync::broadcast::Receiver<Arc<Notice>>;

/// A chapter that plays by its own time.
pub(super) struct Film {
    pub(super) screen: Offscreen,
    pub(super) desk: Desk,
    guide: Guide<Box<dyn FnMut(Msg)>>,
    told: Receiver<Msg>,
    clock: Arc<DemoClock>,
    notices: Notices,
    crowd: Crowd,
    /// Time of the crowd, and when it acts next.
    crowd_at: (Instant, Instant),
    passed: Duration,
}

/// A chapter of today's demo as asciicast v2.
pub(crate) fn record(shot: Shot) -> Result<String, DemoError> {
    let title = CHAPTERS.get(shot.chapter).map_or("", |chapter| chapter.title);
    let mut recording = Recording::begin(shot.size, &format!("willcall: {title}"));
    let house = FurnishedHouse::at(evening()?)?;
    let mut film = Film::of(&house, shot)?;
    let mut kept = Ok(());
    let mut see = |at, drawn| {
        if kept.is_ok() {
            kept = recording.frame(at, drawn);
        }
    };
    while film.go_on(&mut see)? {}
    kept.map_err(TuiError::from)?;
    Ok(recording.end())
}

impl Film {
    pub(super) fn of(house: &FurnishedHouse, shot: Shot) -> Result<Self, DemoError> {
        let Shot { chapter, seed, looks, size } = shot;
        let ground = house.still()?;
        let (desk, clock) = (ground.desk.clone(), Arc::clone(&ground.clock));
        let shared = Offscreen::shared(&desk, (looks, size))?;
        let screen = Offscreen::open(desk.clone(), shared).map_err(TuiError::from)?;
        let (tell, told) = channel();
        let tell: Box<dyn FnMut(Msg)> = Box::new(move |msg| {
            // the film reads until its guide has ended
            let _ = tell.send(msg);
        });
        let mut guide = Guide::new(ground, (Speed::default(), Plays::Once), tell);
        guide.begin(chapter);
        let crowd = Crowd::new(&desk, seed)?;
        let crowd_at = (Instant::default(), Instant::default());
        let notices = desk.watch();
        Ok(Self { screen, desk, guide, told, clock, notices, crowd, crowd_at, passed: Duration::ZERO })
    }

    /// Plays the next beat and shows its frames; false at the end.
    pub(super) fn go_on(&mut self, see: &mut impl FnMut(Duration, Buffer)) -> Result<bool, DemoError> {
        let wait = self.guide.advance();
        while let Ok(msg) = self.told.try_recv() {
            self.screen.send(msg);
        }
        see(self.passed, self.screen.draw());
        let mut left = wait.unwrap_or_default();
        while !left.is_zero() {
            let part = left.min(FRAME);
            self.pass(part)?;
            see(self.passed, self.screen.draw());
            left -= part;
        }
        Ok(wait.is_some())
    }

    fn pass(&mut self, part: Duration) -> Result<(), DemoError> {
        let millis = i64::try_from(part.as_millis()).unwrap_or_default();
        self.passed += part;
        self.clock.run_ahead(Span::from_millis(millis));
        let quarters = self.guide.pace().map_or(0, Speed::quarters);
        let (at, due) = &mut self.crowd_at;
        *at = *at + Span::from_millis(millis * i64::from(quarters) / 4);
        if quarters > 0 && due <= at {
            *due = self.crowd.step(*at);
        }
        self.desk.sweep()?;
        self.screen.send(Msg::Tick(self.desk.now()));
        if !matches!(self.notices.try_recv(), Err(TryRecvError::Empty)) {
            self.notices = self.desk.watch();
            self.screen.send(Msg::Changed(Changed::Everything));
        }
        Ok(())
    }
}
