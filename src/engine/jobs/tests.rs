//! Limits of jobs: checks that repeat without end, look too far ahead, fail, panic or hang.

use std::cell::Cell;
use std::sync::Arc;

use serde::Serialize;

use crate::domain::job::{JobKind, Outcome, PolicyChange};
use crate::domain::time::{Instant, Span};
use crate::engine::clock::ManualClock;
use crate::engine::jobs::Runner;
use crate::engine::jobs::kinds::Make;
use crate::engine::ops::{ChangeSettings, ControlJob, JobAct, OpenCart};
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::reads::jobs::{JobView, ReadJob, ReadJobs, WhichJobs};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::engine::{Actor, Config, Desk, Engine};
use crate::store::{Fault, Missing, Reader, Row, Sql, Value};

thread_local! {
    /// Operation that replaces a cart's expiry in this test.
    static INSTEAD: Cell<Option<Make>> = const { Cell::new(None) };
}

/// Returns the operation that a test has substituted for a kind.
pub(super) fn instead(kind: JobKind) -> Option<Make> {
    INSTEAD.get().filter(|_| kind == JobKind::CartExpiry)
}

/// Misbehaving check.
#[derive(Clone, Copy, Serialize)]
enum Wild {
    ForEver,
    FarAhead,
    Fails,
    Panics,
    Hangs,
    HangsInOneStatement,
    SwallowsItsTime,
}

impl Operation for Wild {
    const VERB: &'static str = "wild";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        match self {
            Self::ForEver => Ok(Outcome::Again(work.now())),
            Self::FarAhead => Ok(Outcome::Again(work.now() + Span::minutes(60 * 24 * 365))),
            Self::Fails => Err(Fault::Broken("the printer is on fire".into()).into()),
            Self::Panics => panic!("a defect"),
            Self::Hangs => loop {
                work.settings()?;
            },
            Self::HangsInOneStatement => {
                let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n";
                work.query(endless, &[])?;
                Ok(Outcome::Done)
            }
            Self::SwallowsItsTime => {
                while work.settings().is_ok() {}
                Ok(Outcome::Done)
            }
        }
    }
}

/// House with one due job, whose check misbehaves.
struct House {
    desk: Desk,
    clock: Arc<ManualClock>,
    cart: String,
    _engine: Engine,
    _folder: tempfile::TempDir,
}

impl House {
    fn with(make: Make) -> Self {
        INSTEAD.set(Some(make));
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(Instant::from_millis(1_795_262_400_000)));
        crate::limit::step();
        let engine = Engine::open(Config {
            missing: Missing::Create,
            clock: Arc::<ManualClock>::clone(&clock),
            ..Config::new(folder.path().join("house.db"))
        });
        let engine = engine.unwrap();
        let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
        let quick = PolicyChange { limit: Some(Span::from_millis(20)), tries: Some(3), ..PolicyChange::default() };
        let settings = ChangeSettings::of_job(JobKind::CartExpiry, quick);
        desk.run(settings).unwrap();
        let cart = desk.run(OpenCart::default()).unwrap().id.to_string();
        let house = Self { desk, clock, cart, _engine: engine, _folder: folder };
        house.pass(Span::minutes(30));
        house
    }

    fn pass(&self, span: Span) {
        self.clock.set(self.desk.now() + span);
    }

    fn job(&self) -> JobView {
        let (kind, subject) = ("cart_expiry".into(), self.cart.clone());
        self.desk.read(ReadJob { kind, subject }).unwrap()
    }

    /// Runs of the job, oldest first.
    fn runs(&self) -> Vec<RunView> {
        let mut runs = self.desk.read(ReadRuns::default()).unwrap();
        runs.reverse();
        runs
    }

    fn outcomes(&self) -> Vec<String> {
        self.runs().into_iter().map(|run| run.outcome).collect()
    }

    /// Sweeps repeatedly, a day apart, and returns the reason for parking.
    fn parked(&self) -> String {
        for _ in 0..10 {
            // the desk keeps working meanwhile
            self.desk.run(OpenCart::default()).unwrap();
            self.desk.sweep().unwrap();
            if let Some(reason) = self.job().parked {
                let parked = self.desk.read(ReadJobs { which: WhichJobs::Parked, kind: None });
                assert_eq!(parked.unwrap().len(), 1, "it is shown");
                return reason.to_string();
            }
            self.pass(Span::seconds(5));
        }
        panic!("never parked: {:?}", self.runs())
    }
}

impl Drop for House {
    fn drop(&mut self) {
        INSTEAD.set(None);
    }
}

#[test]
fn j5_a_job_that_repeats_without_end_is_parked() {
    let house = House::with(|_| Ok(Box::new(Wild::ForEver)));
    assert_eq!(house.parked(), "it wanted to run again after 5 checks");
    assert_eq!(house.outcomes(), ["again", "again", "again", "again", "parked"]);
    house.pass(Span::minutes(20));
    assert_eq!(house.desk.sweep().unwrap(), 0, "a parked job does not run");
}

#[test]
fn j5_a_job_beyond_its_horizon_is_parked() {
    let house = House::with(|_| Ok(Box::new(Wild::FarAhead)));
    assert!(house.parked().contains("away"));
    assert_eq!(house.outcomes(), ["parked"]);
}

#[test]
fn j5_a_failing_job_is_retried_then_parked_and_can_be_run_by_hand() {
    let house = House::with(|_| Ok(Box::new(Wild::Fails)));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    let job = house.job();
    assert_eq!((job.failures, job.parked.is_none()), (1, true));
    assert!(job.next_check_at > house.desk.now(), "not at once");
    assert_eq!(house.desk.sweep().unwrap(), 0);
    assert_eq!(house.parked(), "it failed 3 times: the printer is on fire");
    assert_eq!(house.outcomes(), ["failed", "failed", "parked"]);
    assert_eq!(house.runs().last().unwrap().attempt, 3);
    let (kind, subject) = (JobKind::CartExpiry, house.cart.clone());
    INSTEAD.set(None);
    let run = house.desk.run_job(kind, subject.clone());
    assert_eq!(run.unwrap().outcome, "done", "what was mended is done");
    assert_eq!(house.outcomes().get(3..).unwrap(), ["by_hand", "done"]);
    let again = house.desk.run(ControlJob { kind, subject, act: JobAct::Retry });
    assert!(again.is_err(), "it ended");
}

#[test]
fn a_panicking_check_is_parked_and_the_desk_continues() {
    let house = House::with(|_| Ok(Box::new(Wild::Panics)));
    assert!(house.parked().contains("defect"));
}

#[test]
fn a_hanging_check_is_stopped_by_its_time_limit_and_parked() {
    const HANGING: [Make; 3] = [
        |_| Ok(Box::new(Wild::Hangs)),
        |_| Ok(Box::new(Wild::HangsInOneStatement)),
        |_| Ok(Box::new(Wild::SwallowsItsTime)),
    ];
    for hanging in HANGING {
        let house = House::with(hanging);
        let parked = house.parked();
        assert!(parked.contains("longer than it may"), "{parked}");
    }
}

/// Reader of a database without a change counter.
struct Mute(Box<dyn Reader>);

impl Sql for Mute {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.0.query(sql, params)
    }
}

impl Reader for Mute {
    fn begin(&mut self) -> Result<(), Fault> {
        self.0.begin()
    }

    fn end(&mut self) -> bool {
        self.0.end()
    }

    fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
        Ok(None)
    }

    fn tidy(&mut self) -> Result<(), Fault> {
        self.0.tidy()
    }

    fn damage(&mut self) -> Result<Vec<String>, Fault> {
        self.0.damage()
    }
}

#[test]
fn a_runner_polls_a_database_without_change_counter_and_rests_in_between() {
    let house = House::with(|_| Ok(Box::new(Wild::Fails)));
    // the real check
    INSTEAD.set(None);
    let reader = house.desk.shared.database.reader().unwrap();
    let mut runner = Runner::new(house.desk.clone(), Box::new(Mute(reader)));
    for _ in 0..2 {
        assert!(runner.tick().unwrap().is_zero(), "it has run what was due");
        assert!(!runner.tick().unwrap().is_zero(), "it rests");
        house.desk.run(OpenCart::default()).unwrap();
        house.pass(Span::minutes(30));
    }
    let expired = house.runs().iter().filter(|run| run.outcome == "done").count();
    assert_eq!(expired, 2);
}
