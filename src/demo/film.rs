//! A chapter played without a terminal and without waiting: for recordings, moving pictures and tests.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{Crowd, Speed};
use crate::demo::guide::{Guide, Plays};
use crate::demo::house::{DemoError, FurnishedHouse, evening};
use crate::demo::script::CHAPTERS;
use crate::domain::time::{Instant, Span};
use crate::engine::Desk;
use crate::tui::data::msg::{Changed, Msg};
use crate::tui::desk::offscreen::Offscreen;
use crate::tui::desk::picture;
use crate::tui::desk::recording::Recording;
use crate::tui::{ScreenOptions, TuiError};

/// Longest time between two frames.
const FRAME: Duration = Duration::from_millis(500);

/// The largest moving picture.
const SVG_BYTES: usize = 400_000;
/// Time between the frames of a moving picture that is as small as it gets.
const FEWEST: Duration = Duration::from_secs(8);

/// Chapter, look, and size of a recording.
pub(crate) struct Shot {
    pub chapter: usize,
    /// Time at which it begins; six this evening by default.
    pub at: Option<Instant>,
    pub seed: u64,
    pub looks: ScreenOptions,
    pub size: Size,
}

/// A chapter that plays by its own time.
pub(super) struct Film {
    pub(super) screen: Offscreen,
    pub(super) desk: Desk,
    guide: Guide<Box<dyn FnMut(Msg)>>,
    told: Receiver<Msg>,
    clock: Arc<DemoClock>,
    /// True if something may have changed that the screen has not read.
    news: bool,
    crowd: Crowd,
    /// Time of the crowd, and when it acts next.
    crowd_at: (Instant, Instant),
    passed: Duration,
}

/// A chapter as asciicast v2.
pub(crate) fn record(shot: Shot) -> Result<String, DemoError> {
    let title = CHAPTERS.get(shot.chapter).map_or("", |chapter| chapter.title);
    let mut recording = Recording::begin(shot.size, &format!("willcall: {title}"));
    let house = shot.house()?;
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

/// A chapter as an SVG that moves, of at most [`SVG_BYTES`]: where frames are large, there are fewer.
pub(crate) fn animate(shot: Shot) -> Result<String, DemoError> {
    let house = shot.house()?;
    let mut film = Film::of(&house, shot)?;
    let mut frames = Vec::new();
    while film.go_on(&mut |at, drawn| frames.push((at, drawn)))? {}
    let ground = film.screen.app.shared.theme.ground;
    let mut gap = FRAME / 4;
    loop {
        let svg = picture::moving(&settled(&frames, gap), ground);
        if svg.len() <= SVG_BYTES || gap > FEWEST {
            return Ok(svg);
        }
        gap *= 2;
    }
}

/// Frames that are seen for a time, and the last.
fn settled(frames: &[(Duration, Buffer)], gap: Duration) -> Vec<(Duration, Buffer)> {
    let mut kept: Vec<(Duration, Buffer)> = Vec::new();
    for (at, drawn) in frames {
        kept.pop_if(|(before, _)| *at < *before + gap);
        if kept.last().is_none_or(|(_, before)| before != drawn) {
            kept.push((*at, drawn.clone()));
        }
    }
    kept
}

impl Shot {
    fn house(&self) -> Result<FurnishedHouse, DemoError> {
        FurnishedHouse::at(self.at.map_or_else(evening, Ok)?)
    }
}

impl Film {
    pub(super) fn of(house: &FurnishedHouse, shot: Shot) -> Result<Self, DemoError> {
        let Shot { chapter, seed, looks, size, .. } = shot;
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
        Ok(Self { screen, desk, guide, told, clock, news: false, crowd, crowd_at, passed: Duration::ZERO })
    }

    /// Plays the next beat and shows its frames; false at the end.
    pub(super) fn go_on(&mut self, see: &mut impl FnMut(Duration, Buffer)) -> Result<bool, DemoError> {
        let wait = self.guide.advance();
        self.news = true;
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
            self.news = true;
        }
        self.news |= self.desk.sweep()? > 0;
        self.screen.send(Msg::Tick(self.desk.now()));
        // notices come when their threads like it, and a film is the same each time
        if std::mem::take(&mut self.news) {
            self.screen.send(Msg::Changed(Changed::Everything));
        }
        Ok(())
    }
}
