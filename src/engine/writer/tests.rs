//! Writer under failures: a full disk, a commit of unknown outcome, an operation that panics.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use chrono_tz::Tz;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::{broadcast, watch};

use super::{DEFECT, Queue, QueuedCommand, Writer};
use crate::domain::cart::Cart;
use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::Desk;
use crate::engine::clock::ManualClock;
use crate::engine::machine::shared::Shared;
use crate::engine::ops::{AddTheater, CancelCart, ChangeSettings, ExtendCart, OpenCart};
use crate::engine::plans::PlanCache;
use crate::engine::reads::carts::ReadCarts;
use crate::engine::reads::catalog::ReadTheaters;
use crate::engine::transaction::ChainName;
use crate::engine::verify::Verify;
use crate::engine::work::{Actor, Authority, Failure, Operation, UnitOfWork};
use crate::formats::rows;
use crate::store::Missing;
use crate::store::dialect::Write;
use crate::store::sqlite::SqliteFile;
use crate::store::{Database, Fault, Flush, Reader, Row, Session, Sql, Value};

mod closing;

/// Failure of the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// No failure.
    None,
    /// The commit succeeds; its answer is lost.
    Unheard,
    /// The commit succeeds; its flush fails.
    Unflushed,
    /// The commit fails; its answer is lost.
    Lost,
    /// The commit fails, its answer is lost, and the connection cannot be reopened.
    Gone,
    /// The commit succeeds, its answer is lost, and no further transaction begins.
    Demoted,
    /// Another writer was faster.
    Conflict,
}

type Troubles = Arc<Mutex<VecDeque<Trouble>>>;

/// Database with scripted commit failures, on a disk of limited pages.
struct Frail {
    file: SqliteFile,
    troubles: Troubles,
    pages: Option<u32>,
    readers: Arc<AtomicUsize>,
    writers: usize,
    is_distributed: bool,
}

struct FrailSession {
    inner: Box<dyn Session>,
    troubles: Troubles,
    reopens: bool,
    begins: bool,
    is_distributed: bool,
}

impl Database for Frail {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        let mut inner = self.file.session()?;
        if let Some(pages) = self.pages {
            inner.query(&format!("PRAGMA max_page_count = {pages}"), &[])?;
        }
        let troubles = Arc::clone(&self.troubles);
        let is_distributed = self.is_distributed;
        Ok(Box::new(FrailSession { inner, troubles, reopens: true, begins: true, is_distributed }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        self.readers.fetch_add(1, Ordering::Relaxed);
        self.file.reader()
    }

    fn writers(&self) -> usize {
        self.writers
    }
}

impl Sql for FrailSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.inner.query(sql, params)
    }

    fn is_distributed(&self) -> bool {
        self.is_distributed
    }
}

impl Session for FrailSession {
    fn begin(&mut self) -> Result<(), Fault> {
        if self.begins { self.inner.begin() } else { Err(Fault::Standby) }
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.commit_unflushed()?()
    }

    fn commit_unflushed(&mut self) -> Result<Flush, Fault> {
        let trouble = self.troubles.lock().pop_front();
        match trouble.unwrap_or(Trouble::None) {
            Trouble::None => return self.inner.commit_unflushed(),
            Trouble::Unheard => self.inner.commit()?,
            Trouble::Unflushed => {
                drop(self.inner.commit_unflushed()?);
                return Ok(Box::new(|| Err(Fault::Unsure)));
            }
            Trouble::Demoted => {
                self.inner.commit()?;
                self.begins = false;
            }
            Trouble::Lost => self.inner.rollback(),
            Trouble::Gone => {
                self.inner.rollback();
                self.reopens = false;
            }
            Trouble::Conflict => {
                self.inner.rollback();
                return Err(Fault::Contended);
            }
        }
        Err(Fault::Unsure)
    }

    fn rollback(&mut self) {
        self.inner.rollback();
    }

    fn is_open(&self) -> bool {
        self.inner.is_open()
    }

    fn change_counter(&mut self) -> Result<i64, Fault> {
        self.inner.change_counter()
    }

    fn limit(&mut self, limit: Option<std::time::Duration>) -> Result<(), Fault> {
        self.inner.limit(limit)
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        if std::mem::replace(&mut self.reopens, true) {
            self.inner.reopen()
        } else {
            Err(Fault::Unreachable("the cable is out".into()))
        }
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        self.inner.execute(sql, params)
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        self.inner.write(writes)
    }

    fn commits_beside(&self) -> bool {
        self.inner.commits_beside()
    }
}

/// Operation that panics halfway.
#[derive(Serialize)]
struct Trips;

impl Operation for Trips {
    const VERB: &'static str = "trips";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let cart = OpenCart::default().run(work)?;
        assert!(cart.state.word() == "done", "it trips on purpose");
        Ok(cart)
    }
}

/// Operation that is refused after a query as often as it is told, each time for another reason.
#[derive(Serialize)]
struct Refused {
    #[serde(skip)]
    names: Mutex<Vec<&'static str>>,
}

impl Operation for Refused {
    const VERB: &'static str = "refused";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        work.select::<Cart>("WHERE state = 'held'", &[])?;
        match self.names.lock().pop() {
            Some(name) => Err(Refusal::NotFound { what: "cart".into(), name: name.into(), known: Vec::new() }.into()),
            None => OpenCart::default().run(work),
        }
    }
}

/// Database in a new folder.
fn frail(troubles: &Troubles, pages: Option<u32>, writers: usize) -> (tempfile::TempDir, Frail) {
    let folder = crate::limit::scratch();
    let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
    let troubles = Arc::clone(troubles);
    let database = Frail { file, troubles, pages, readers: Arc::default(), writers, is_distributed: false };
    (folder, database)
}

/// Writer that runs on request, over everything queued by then.
struct Bench {
    desk: Desk,
    clock: Arc<ManualClock>,
    database: Arc<dyn Database>,
    batch_max: usize,
    folder: tempfile::TempDir,
    /// Reading connections that were opened.
    readers: Arc<AtomicUsize>,
}

/// Slot for an answer.
type Answer<T> = Arc<Mutex<Option<Result<T, Failure>>>>;

impl Bench {
    fn new(troubles: &[Trouble], pages: Option<u32>) -> Self {
        let troubles = Arc::new(Mutex::new(troubles.iter().copied().collect()));
        Self::with(&troubles, pages, 1)
    }

    /// Bench on a database whose machines answer each at a moment of their own.
    fn distributed() -> Self {
        let (folder, database) = frail(&Troubles::default(), None, 2);
        Self { folder, ..Self::on(Arc::new(Frail { is_distributed: true, ..database })) }
    }

    fn with(troubles: &Troubles, pages: Option<u32>, writers: usize) -> Self {
        let (folder, database) = frail(troubles, pages, writers);
        let readers = Arc::clone(&database.readers);
        Self { folder, readers, ..Self::on(Arc::new(database)) }
    }

    /// Bench on a database without scripted failures.
    fn on(database: Arc<dyn Database>) -> Self {
        crate::limit::step();
        let clock = Arc::new(ManualClock::at(Instant::from_millis(1_000_000)));
        let shared = Arc::new(Shared {
            place: std::path::PathBuf::new().into(),
            database: Arc::clone(&database),
            plans: Arc::new(PlanCache::default()),
            clock: Arc::<ManualClock>::clone(&clock),
            guard: Arc::default(),
            notices: broadcast::Sender::new(1),
            away: watch::Sender::new(None),
            readers: Mutex::new(Vec::new()),
            untold: AtomicBool::new(false),
            checks: Mutex::default(),
        });
        let actor = Actor { operator: "ada".into(), station: "till-1".into() };
        let authority = Authority::Named;
        let desk = Desk { shared, queue: Writer::queue(1).0, actor, authority, worked: None, engine: None };
        Self {
            desk,
            clock,
            database,
            batch_max: super::BATCH_MAX,
            folder: tempfile::tempdir().unwrap(),
            readers: Arc::default(),
        }
    }

    fn one_a_transaction(self) -> Self {
        Self { batch_max: 1, ..self }
    }

    /// Runs a load long enough that most batches are decided during the commit before them; returns
    /// the number of carts opened.
    fn under_load(self) -> (Self, usize) {
        let bench = Self { batch_max: 16, ..self };
        let mut answers = Vec::new();
        bench.at_once(|asker| {
            answers.extend((0..1000).map(|_| asker.ask(OpenCart::default())));
        });
        let opened = answers.iter().filter(|answer| told(answer).is_ok()).count();
        (bench, opened)
    }

    /// Number of stored carts.
    fn stored(&self) -> usize {
        self.count("cart")
    }

    /// Number of journal entries.
    fn journaled(&self) -> usize {
        self.count("journal")
    }

    fn count(&self, table: &str) -> usize {
        let mut reader = self.database.reader().unwrap();
        let rows = reader.query(&format!("SELECT COUNT(*) FROM {table}"), &[]);
        usize::try_from(rows.unwrap()[0].int(0)).unwrap()
    }

    /// Enqueues commands, then runs the writer, in as few transactions as it chooses.
    fn at_once(&self, ask: impl FnOnce(&Asker<'_>)) {
        let (queue, receivers) = Writer::queue(1);
        ask(&Asker { bench: self, queue: &queue });
        queue.stop();
        let writer = Writer {
            database: Arc::clone(&self.database),
            plans: Arc::clone(&self.desk.shared.plans),
            clock: Arc::<ManualClock>::clone(&self.clock),
            guard: Arc::default(),
            shared: Arc::default(),
            batch_max: self.batch_max,
            patience: Duration::ZERO,
            stopping: Arc::default(),
            committed: Arc::new(|| ()),
        };
        let chain = ChainName::of_writer(1, writer.database.writers());
        writer.work(&receivers[0], &chain);
    }

    fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        let mut answer = None;
        self.at_once(|asker| answer = Some(asker.ask(operation)));
        told(&answer.unwrap())
    }

    fn carts(&self) -> usize {
        self.desk.read(ReadCarts::default()).unwrap().len()
    }

    fn verified(&self) {
        let report = self.desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
    }
}

struct Asker<'a> {
    bench: &'a Bench,
    queue: &'a Queue,
}

impl Asker<'_> {
    fn ask<O: Operation>(&self, operation: O) -> Answer<O::Answer> {
        self.ask_as(CommandId::random(), operation)
    }

    fn ask_as<O: Operation>(&self, command: CommandId, operation: O) -> Answer<O::Answer> {
        let answer: Answer<O::Answer> = Arc::default();
        let told = Arc::clone(&answer);
        let reply = move |answer| *told.lock() = Some(answer);
        let actor = self.bench.desk.actor.clone();
        self.queue.offer(Box::new(QueuedCommand::new(command, actor, operation, reply)));
        answer
    }
}

fn told<T>(answer: &Answer<T>) -> Result<T, Failure> {
    answer.lock().take().expect("an answer")
}

fn hold(minutes: i64) -> ChangeSettings {
    ChangeSettings::to("hold", &Span::minutes(minutes))
}

/// Theater that takes many pages.
fn large() -> AddTheater {
    AddTheater { plan: rows::parse("60x60").unwrap(), ..theater("Large") }
}

/// Theater with a unique name.
fn theater(name: &str) -> AddTheater {
    AddTheater { name: name.into(), plan: rows::parse("2x2").unwrap(), time_zone: Some(Tz::UTC) }
}

#[test]
fn a_full_disk_refuses_only_the_commands_that_do_not_fit() {
    let bench = Bench::new(&[], Some(60));
    let mut answers = None;
    bench.at_once(|asker| {
        let before = asker.ask(OpenCart::default());
        answers = Some((before, asker.ask(large()), asker.ask(hold(3))));
    });
    let (before, too_large, after) = answers.unwrap();
    assert!(told(&before).is_ok());
    assert_eq!(told(&too_large).unwrap_err(), Fault::Full.into());
    assert_eq!(told(&after).unwrap().hold, Span::minutes(3));
    assert_eq!(bench.carts(), 1);
    assert!(bench.desk.read(ReadTheaters::default()).unwrap().is_empty());
    bench.verified();
}

#[test]
fn a_commit_under_load_whose_answer_was_lost_is_found_by_its_commands() {
    let bench = Bench::new(&[Trouble::None, Trouble::Unheard], None);
    let (bench, opened) = bench.under_load();
    assert_eq!((opened, bench.stored()), (1000, 1000), "each once");
    bench.verified();
}

#[test]
fn batches_behind_a_failed_flush_are_stored_once() {
    for before in [40, 100, 200] {
        let mut troubles = vec![Trouble::None; before];
        troubles.push(Trouble::Unflushed);
        let (bench, opened) = Bench::new(&troubles, None).under_load();
        assert_eq!((opened, bench.stored()), (1000, 1000), "each once");
        bench.verified();
    }
}

#[test]
fn documents_outside_the_cache_are_read_beside_a_commit_in_flight() {
    let (bench, opened) = Bench::new(&[], None).under_load();
    let carts = bench.desk.read(ReadCarts::default()).unwrap();
    let before = bench.readers.load(Ordering::Relaxed);
    let mut canceled = Vec::new();
    // a writer with an empty cache, which first has to see that it is alone
    bench.at_once(|asker| {
        for _ in 0..600 {
            asker.ask(OpenCart::default());
        }
        canceled.extend(carts.iter().map(|cart| asker.ask(CancelCart { cart: cart.id })));
    });
    assert!(canceled.iter().all(|answer| told(answer).is_ok()));
    assert_eq!(bench.stored(), opened + 600);
    assert!(bench.readers.load(Ordering::Relaxed) > before + 1, "no connection read beside the writer's");
    bench.verified();
}

#[test]
fn a_full_disk_under_load_keeps_exactly_the_answered_commands() {
    let (bench, opened) = Bench::new(&[], Some(220)).under_load();
    assert!(opened > 600, "batches were under way: {opened}");
    assert!(opened < 1000, "the disk was full: {opened}");
    assert_eq!(bench.stored(), opened);
    bench.verified();
}

#[test]
fn a_foreign_commit_lies_between_batches_or_rolls_the_later_one_back() {
    let bench = Bench::new(&[], None);
    let other = SqliteFile::open(&bench.folder.path().join("house.db"), Missing::Refuse).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let until = Arc::clone(&done);
    let writes = std::thread::spawn(move || {
        let mut session = other.session().unwrap();
        let mut written = 0;
        while !until.load(Ordering::Relaxed) {
            session.begin().unwrap();
            let text = "INSERT INTO presence (station, operator, place, seen_at) VALUES ($1, 'bob', '', 0)";
            session.execute(text, &[format!("till-{written}").into()]).unwrap();
            session.commit().unwrap();
            written += 1;
            std::thread::park_timeout(Duration::from_millis(5));
        }
        written
    });
    let (bench, opened) = bench.under_load();
    done.store(true, Ordering::Relaxed);
    assert!(writes.join().unwrap() > 0);
    assert_eq!((opened, bench.stored()), (1000, 1000), "each once");
    bench.verified();
}

#[test]
fn a_commit_without_answer_is_found_and_a_failed_one_runs_again() {
    for trouble in [Trouble::Unheard, Trouble::Lost] {
        let bench = Bench::new(&[trouble], None);
        let mut answers = None;
        bench.at_once(|asker| {
            let first = asker.ask(OpenCart::default());
            answers = Some((first, asker.ask(OpenCart::default()), asker.ask(hold(3))));
        });
        let (first, second, settings) = answers.unwrap();
        let (first, second) = (told(&first).unwrap(), told(&second).unwrap());
        assert_ne!(first.id, second.id);
        assert_eq!(told(&settings).unwrap().hold, Span::minutes(3));
        assert_eq!(bench.carts(), 2, "{trouble:?}: each once");
        bench.verified();
    }
}

#[test]
fn a_batch_that_lost_against_another_writer_runs_again_as_a_whole() {
    for (lost, commits) in [(1, 2), (2, 3), (3, 6)] {
        let mut troubles = VecDeque::from(vec![Trouble::Conflict; lost]);
        troubles.resize(10, Trouble::None);
        let troubles = Arc::new(Mutex::new(troubles));
        let bench = Bench::with(&troubles, None, 2);
        let mut answers = Vec::new();
        bench.at_once(|asker| answers.extend((0..3).map(|_| asker.ask(OpenCart::default()))));
        assert!(answers.iter().all(|answer| told(answer).is_ok()));
        assert_eq!(bench.carts(), 3, "each once");
        assert_eq!(troubles.lock().len(), 10 - commits, "lost {lost} times");
        bench.verified();
    }
}

#[test]
fn a_single_command_whose_commit_has_no_answer_is_looked_up() {
    for trouble in [Trouble::Unheard, Trouble::Lost] {
        let bench = Bench::new(&[Trouble::Lost, trouble, trouble], None);
        assert!(bench.run(OpenCart::default()).is_ok(), "{trouble:?}");
        assert_eq!(bench.carts(), 1, "{trouble:?}");
        bench.verified();
    }
}

#[test]
fn a_command_that_cannot_be_looked_up_is_unsure_and_later_ones_ignore_it() {
    let bench = Bench::new(&[Trouble::Gone], None);
    let cart = bench.run(OpenCart::default());
    assert_eq!(cart.unwrap_err(), Fault::Unsure.into());
    let bench = Bench::new(&[Trouble::None, Trouble::Gone], None).one_a_transaction();
    let cart = bench.run(OpenCart::default()).unwrap().id;
    let mut answers = None;
    bench.at_once(|asker| {
        answers = Some((asker.ask(CancelCart { cart }), asker.ask(ExtendCart { cart })));
    });
    let (ends, extends) = answers.unwrap();
    assert_eq!(told(&ends).unwrap_err(), Fault::Unsure.into());
    assert_eq!(told(&extends).unwrap().id, cart, "it was not canceled, and is not taken to be");
    bench.verified();
}

#[test]
fn an_answer_that_rests_on_an_unsure_commit_is_not_firm() {
    let bench = Bench::new(&[Trouble::None, Trouble::Gone], None);
    let (before, twice) = (CommandId::random(), CommandId::random());
    let mut answers = Vec::new();
    bench.at_once(|asker| answers.push(asker.ask_as(before, theater("Royal"))));
    bench.at_once(|asker| {
        answers.push(asker.ask_as(twice, theater("Studio")));
        answers.push(asker.ask(theater("Studio")));
        answers.push(asker.ask_as(twice, theater("Studio")));
        answers.push(asker.ask_as(before, theater("Royal")));
    });
    let answers: Vec<_> = answers.iter().map(told).collect();
    let [royal, unsure, refused, unsure_again, royal_again] = &answers[..] else { unreachable!("five were asked") };
    assert!(royal.is_ok());
    assert_eq!(unsure, &Err(Fault::Unsure.into()));
    assert!(
        matches!(refused, Err(Failure::Fault(Fault::Unreachable(_)))),
        "the studio that it met may not be stored: {refused:?}"
    );
    assert_eq!(unsure_again, unsure);
    assert_eq!(royal_again, royal, "stored before");
    bench.verified();
}

#[test]
fn a_command_that_may_be_stored_is_unsure_whatever_stops_its_lookup() {
    let bench = Bench::new(&[Trouble::Demoted], None);
    let cart = bench.run(OpenCart::default());
    assert_eq!(cart.unwrap_err(), Fault::Unsure.into());
    assert_eq!(bench.carts(), 1);
}

#[test]
fn a_command_sent_again_in_a_batch_that_lost_answers_as_it_did() {
    let troubles = Arc::new(Mutex::new(VecDeque::from([Trouble::None, Trouble::Conflict])));
    let bench = Bench::with(&troubles, None, 2);
    let (royal, studio) = (CommandId::random(), CommandId::random());
    let mut answers = Vec::new();
    bench.at_once(|asker| answers.push(asker.ask_as(royal, OpenCart::default())));
    bench.at_once(|asker| {
        answers.push(asker.ask_as(studio, OpenCart::default()));
        answers.push(asker.ask_as(royal, OpenCart::default()));
        answers.push(asker.ask_as(studio, OpenCart::default()));
        answers.push(asker.ask(OpenCart::default()));
    });
    let answers: Vec<_> = answers.iter().map(told).map(Result::unwrap).collect();
    assert_eq!(answers[2], answers[0]);
    assert_eq!(answers[3], answers[1]);
    assert_eq!(bench.carts(), 3, "each once");
    bench.verified();
}

#[test]
fn a_repeated_command_gets_its_first_answer_in_the_same_batch_or_a_later_one() {
    let bench = Bench::new(&[], None);
    let (early, late) = (CommandId::random(), CommandId::random());
    let mut answers = Vec::new();
    bench.at_once(|asker| answers.push(asker.ask_as(early, theater("Royal"))));
    bench.at_once(|asker| {
        answers.push(asker.ask_as(late, theater("Studio")));
        answers.push(asker.ask_as(early, theater("Royal")));
        answers.push(asker.ask_as(late, theater("Studio")));
        answers.push(asker.ask(theater("Studio")));
        // its writes are pending when the others are looked up
        asker.ask(OpenCart::default());
    });
    let answers: Vec<_> = answers.iter().map(told).collect();
    let [royal, studio, royal_again, studio_again, another] = &answers[..] else { unreachable!("five were asked") };
    assert!(royal.is_ok() && studio.is_ok());
    assert_eq!(royal_again, royal);
    assert_eq!(studio_again, studio);
    assert!(matches!(another, Err(Failure::Refused(_))), "{another:?}");
    bench.verified();
}

#[test]
fn stored_rows_are_read_beside_pending_writes() {
    let bench = Bench::new(&[], None);
    let cart = bench.run(OpenCart::default()).unwrap().id;
    let mut answers = None;
    bench.at_once(|asker| {
        let opened: Vec<_> = (0..30).map(|_| asker.ask(OpenCart::default())).collect();
        answers = Some((opened, asker.ask(CancelCart { cart })));
    });
    let (opened, canceled) = answers.unwrap();
    assert!(opened.iter().all(|cart| told(cart).is_ok()));
    assert_eq!(told(&canceled).unwrap().id, cart);
    assert_eq!(bench.carts(), 31);
    bench.verified();
}

#[test]
fn a_panicking_operation_stores_nothing_and_the_desk_continues() {
    let bench = Bench::new(&[], None);
    let mut answers = None;
    bench.at_once(|asker| {
        let before = asker.ask(hold(3));
        answers = Some((before, asker.ask(Trips), asker.ask(OpenCart::default())));
    });
    let (before, trips, after) = answers.unwrap();
    assert!(told(&before).is_ok());
    assert_eq!(told(&trips).unwrap_err(), Fault::Broken(DEFECT.into()).into());
    assert_eq!(told(&after).unwrap().hold, Span::minutes(3));
    assert_eq!(bench.carts(), 1);
    bench.verified();
}

#[test]
fn a_command_after_the_stop_fails() {
    let bench = Bench::new(&[], None);
    let mut answers = None;
    bench.at_once(|asker| {
        let before = asker.ask(OpenCart::default());
        asker.queue.stop();
        answers = Some((before, asker.ask(OpenCart::default())));
    });
    let (before, behind) = answers.unwrap();
    assert!(told(&before).is_ok());
    let stopped = told(&behind).unwrap_err();
    assert!(matches!(stopped, Failure::Fault(Fault::Unreachable(_))), "{stopped:?}");
    assert_eq!(bench.carts(), 1);
}

#[test]
fn a_refusal_by_rows_of_several_moments_is_told_once_it_comes_twice() {
    let refused = |names: &[&'static str]| Refused { names: Mutex::new(names.to_vec()) };
    for (bench, once) in [(Bench::new(&[], None), false), (Bench::distributed(), true)] {
        let mut answers = None;
        bench.at_once(|asker| {
            let torn = asker.ask(refused(&["a moment"]));
            answers = Some((torn, asker.ask(refused(&["never", "c", "c", "b"])), asker.ask(OpenCart::default())));
        });
        let (torn, twice, beside) = answers.unwrap();
        assert_eq!(told(&torn).is_ok(), once, "{:?}", told(&torn));
        let name = |failure| {
            let Failure::Refused(Refusal::NotFound { name, .. }) = failure else { panic!("it is refused by a name") };
            name
        };
        assert_eq!(name(told(&twice).unwrap_err()), if once { "c" } else { "b" });
        assert!(told(&beside).is_ok());
        assert_eq!(bench.carts(), 1 + usize::from(once));
        bench.verified();
    }
}
