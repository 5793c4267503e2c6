//! Stations of a simulated house: engines on one database, each behind a connection that can be made to fail, with a
//! clock of its own that may be wrong.
//!
//! A command is decided by the clock of the engine that runs it: [`Ran::at`]. The models of the house judge by that.

use std::sync::Arc;

use willcall::bench::Dice;
use willcall::domain::ids::CommandId;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{ConfirmClock, OpenCart};
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::journal::{EntryView, ReadJournal};
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Operation, Role};
use willcall::store::Missing;

use crate::coverage::{self, Coverage};
use crate::ground::Ground;
use crate::wire::{Frail, Plan, Trouble};
use crate::world::{Step, ensure};

/// Noon of 21 November 2026.
pub(crate) const NOON: Instant = Instant::from_millis(1_795_262_400_000);

/// How the stations' clocks go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clocks {
    /// All of them together, forward.
    Forward,
    /// All of them together, and sometimes back.
    AlsoBack,
    /// Each is wrong by a span of its own, which changes.
    Skewed,
}

const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;
const DAY: i64 = 24 * HOUR;

/// By how much a wrong clock is wrong.
const SKEWS: [i64; 10] = [0, SECOND, -SECOND, 60 * SECOND, -60 * SECOND, HOUR, -HOUR, DAY, 60 * DAY, 3653 * DAY];

struct Station {
    engine: Engine,
    /// Faults of its connection.
    plan: Arc<Plan>,
    clock: Arc<ManualClock>,
    /// By how much the clock is wrong.
    skew_millis: i64,
}

/// Outcome of an operation.
pub(crate) struct Ran<A> {
    pub(crate) answer: Result<A, Failure>,
    pub(crate) actor: Actor,
    /// The operation's time: the present, by the clock of its station.
    pub(crate) at: Instant,
    /// Whether it is in the journal; what changed nothing is not.
    pub(crate) written: bool,
}

impl<A> Ran<A> {
    /// The answer, when it was done and may be; `None` when it was refused and has to be.
    pub(crate) fn judge(self, may: bool) -> Result<Option<A>, String> {
        match self.answer {
            Ok(answer) if may => Ok(Some(answer)),
            Ok(_) => Err(format!("done at {:?}, but it may not be", self.at)),
            Err(Failure::Refused(refusal)) if may => {
                Err(format!("refused at {:?}, but it may be done: {refusal:?}", self.at))
            }
            Err(Failure::Refused(_)) => Ok(None),
            Err(Failure::Fault(fault)) => Err(format!("a fault: {fault}")),
        }
    }
}

pub(crate) struct Stations {
    pub(crate) clocks: Clocks,
    /// The right time.
    time: Instant,
    open: Vec<Station>,
    /// Place in the journal up to which commands were looked for.
    journal: i64,
    ground: Ground,
}

impl Stations {
    pub(crate) fn new(ground: Ground, clocks: Clocks) -> Self {
        Self { clocks, time: NOON, open: Vec::new(), journal: 0, ground }
    }

    pub(crate) const fn count(&self) -> usize {
        self.open.len()
    }

    /// The right time.
    pub(crate) const fn now(&self) -> Instant {
        self.time
    }

    pub(crate) fn desk(&self, place: usize, operator: &str, station: &str) -> Desk {
        self.open[place].engine.desk(Actor { operator: operator.into(), station: station.into() })
    }

    /// Faults of a station's connection.
    pub(crate) fn plan(&self, place: usize) -> &Plan {
        &self.open[place].plan
    }

    /// Starts an engine, whose clock may be wrong; gives by how much.
    pub(crate) fn start(&mut self, place: usize, dice: &mut Dice) -> i64 {
        let skews = u32::try_from(SKEWS.len()).unwrap();
        let skew_millis =
            if self.clocks == Clocks::Skewed { SKEWS[usize::try_from(dice.below(skews)).unwrap()] } else { 0 };
        let clock = Arc::new(ManualClock::at(by(self.time, skew_millis)));
        let plan = Plan::new(Trouble::Full, 0);
        let location = self.ground.place();
        let database = Frail { database: location.open(Missing::Create).unwrap(), plan: Arc::clone(&plan) };
        // an open desk watches every commit, and is woken by it
        let watches = dice.below(4) == 0;
        let config = Config {
            role: if watches { Role::Desk } else { Role::Command },
            clock: Arc::<ManualClock>::clone(&clock),
            ..Config::new(location)
        };
        let engine = Engine::open_on(Arc::new(database), config).unwrap();
        let station = Station { engine, plan, clock, skew_millis };
        self.open.insert(place, station);
        skew_millis
    }

    pub(crate) fn stop(&mut self, place: usize) {
        drop(self.open.remove(place));
    }

    /// Time passes, or is set back.
    pub(crate) fn pass(&mut self, span: Span) {
        self.time = self.time + span;
        self.set_clocks();
    }

    /// All clocks are right.
    pub(crate) fn set_right(&mut self) {
        for station in &mut self.open {
            station.skew_millis = 0;
        }
        self.set_clocks();
    }

    fn set_clocks(&self) {
        for station in &self.open {
            station.clock.set(by(self.time, station.skew_millis));
        }
    }

    /// Admits an engine that has started: where its clock and the house are apart, nothing is written before an
    /// operator has confirmed the clock.
    pub(crate) fn admit(&mut self, desk: &Desk, met: &mut Coverage) -> Step {
        if !self.is_doubted(desk.now()) {
            return Ok(());
        }
        let refused = desk.run(OpenCart::default());
        met.meet(OpenCart::VERB, coverage::word(&refused));
        let in_doubt = matches!(refused, Err(Failure::Refused(Refusal::ClockInDoubt { .. })));
        ensure(in_doubt, || format!("a wrong clock: {refused:?}"))?;
        let confirmed = desk.run(ConfirmClock);
        met.meet(ConfirmClock::VERB, coverage::word(&confirmed));
        confirmed.map(|_| ()).map_err(|failure| format!("{failure:?}"))
    }

    /// Whether a clock is four weeks ahead of the newest command, or behind it and behind that of a station whose clock
    /// no operator has found wrong.
    fn is_doubted(&mut self, now: Instant) -> bool {
        while let Some(last) = self.page(self.journal).last() {
            self.journal = last.seq;
        }
        let mut entries = self.page((self.journal - 60).max(0));
        entries.reverse();
        entries.truncate(16);
        let settings = self.desk(0, "eve", "office").read(ReadSettings);
        let wrong = settings.unwrap().clock_wrong_at;
        let lead = |at: Instant| at.millis() - now.millis();
        let newest = entries.first().map_or(0, |entry| lead(entry.at));
        let is_ahead = |lead: i64| lead > 120 * SECOND;
        let trusted = entries.iter().find(|entry| !wrong.contains(&entry.station));
        newest < -28 * DAY || is_ahead(newest) && trusted.is_some_and(|entry| is_ahead(lead(entry.at)))
    }

    fn page(&self, after: i64) -> Vec<EntryView> {
        let desk = self.desk(0, "eve", "office");
        desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap()
    }

    /// An answer of a desk with its time, which has to be the present of one of the desks that were asked.
    pub(crate) fn ran<A>(
        &mut self,
        answer: Result<A, Failure>,
        desk: &Desk,
        (id, asked_at): (CommandId, &[Instant]),
    ) -> Ran<A> {
        let written = self.written_at(id);
        let at = written.unwrap_or(desk.now());
        assert!(asked_at.contains(&at), "{at:?} is not in {asked_at:?}");
        Ran { answer, actor: desk.actor().clone(), at, written: written.is_some() }
    }

    /// The time of a command in the journal.
    fn written_at(&mut self, id: CommandId) -> Option<Instant> {
        let (id, mut after) = (id.to_string(), self.journal);
        loop {
            let page = self.page(after);
            after = page.last()?.seq;
            if let Some(entry) = page.iter().find(|entry| entry.command == id) {
                self.journal = entry.seq;
                return Some(entry.at);
            }
        }
    }
}

/// A right time as a clock tells it that is wrong by so much.
fn by(time: Instant, skew_millis: i64) -> Instant {
    Instant::from_millis(time.millis() + skew_millis)
}
