//! Writer under disconnects: the connection closes after the k-th answer, for every k, and each
//! command is stored once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::{Bench, hold, theater, told};
use crate::cluster::Cluster;
use crate::engine::ops::{CancelCart, ExtendCart, OpenCart};
use crate::store::dialect::Write;
use crate::store::document::DocKind;
use crate::store::sqlite::SqliteFile;
use crate::store::{Database, Fault, Location, Missing, Reader, Row, Session, Sql, Value};

/// Database whose first session closes after its k-th answer.
struct Closing {
    inner: Arc<dyn Database>,
    /// Answers left until it closes; 0 once closed.
    left: Arc<AtomicU32>,
}

impl Database for Closing {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        Ok(Box::new(ClosingSession { inner: self.inner.session()?, left: Arc::clone(&self.left), is_closed: false }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        self.inner.reader()
    }
}

struct ClosingSession {
    inner: Box<dyn Session>,
    left: Arc<AtomicU32>,
    is_closed: bool,
}

impl ClosingSession {
    /// Counts an answer; after the last one the connection closes and its transaction ends.
    fn answer<T>(&mut self, ask: impl FnOnce(&mut (dyn Session + 'static)) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.is_closed {
            return Err(Fault::Unreachable("it has closed".into()));
        }
        let answer = ask(self.inner.as_mut());
        let counts = |left: u32| left.checked_sub(1);
        let order = Ordering::SeqCst;
        if self.left.fetch_update(order, order, counts) == Ok(1) {
            self.is_closed = true;
            self.inner.rollback();
        }
        answer
    }
}

impl Sql for ClosingSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.answer(|inner| inner.query(sql, params))
    }
}

impl Session for ClosingSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.is_closed = false;
        self.answer(Session::begin)
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.answer(Session::commit)
    }

    fn rollback(&mut self) {
        self.inner.rollback();
    }

    fn is_open(&self) -> bool {
        !self.is_closed && self.inner.is_open()
    }

    fn change_counter(&mut self) -> Result<i64, Fault> {
        self.inner.change_counter()
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        self.inner.limit(limit)
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.is_closed = false;
        self.inner.reopen()
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        self.answer(|inner| inner.execute(sql, params))
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        self.answer(|inner| inner.write(writes))
    }

    fn read_optimistically(&mut self) -> Option<u64> {
        self.inner.read_optimistically()
    }

    fn read_committed(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.answer(|inner| inner.read_committed(sql, params))
    }

    fn expect_version(&mut self, kind: DocKind, key: &str, version: i64) {
        self.inner.expect_version(kind, key, version);
    }

    fn expect_at_commit(&mut self) {
        self.inner.expect_at_commit();
    }
}

/// Repeats the run with k growing until everything finishes before the k-th answer.
fn closes_behind_each_answer(inner: &Arc<dyn Database>) {
    let left = Arc::new(AtomicU32::new(0));
    let bench = Bench::on(Arc::new(Closing { inner: Arc::clone(inner), left: Arc::clone(&left) }));
    let mut answers = 0;
    loop {
        let mine = bench.run(OpenCart::default()).unwrap().id;
        let before = (bench.stored(), bench.journaled());
        answers += 1;
        left.store(answers, Ordering::SeqCst);
        let mut asked = None;
        bench.at_once(|asker| {
            asked = Some((
                asker.ask(OpenCart::default()),
                asker.ask(theater(&format!("Hall {answers}"))),
                asker.ask(ExtendCart { cart: mine }),
                asker.ask(hold(3 + i64::from(answers % 2))),
                asker.ask(CancelCart { cart: mine }),
            ));
        });
        let (opened, added, extended, set, canceled) = asked.unwrap();
        assert!(told(&opened).is_ok() && told(&added).is_ok() && told(&extended).is_ok());
        assert!(told(&set).is_ok() && told(&canceled).is_ok());
        let stored = (bench.stored(), bench.journaled());
        assert_eq!(stored.0, before.0 + 1, "at {answers}");
        assert!((3..=5).contains(&(stored.1 - before.1)), "at {answers}");
        if left.swap(0, Ordering::SeqCst) > 0 {
            break;
        }
    }
    assert!(answers > 8, "{answers}");
    bench.verified();
}

#[test]
fn a_file_connection_closed_after_any_answer_stores_each_command_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
    let file: Arc<dyn Database> = Arc::new(file);
    closes_behind_each_answer(&file);
}

#[test]
fn a_server_connection_closed_after_any_answer_stores_each_command_once() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let place = Location::parse(&cluster.address("public")).unwrap();
    closes_behind_each_answer(&place.open(Missing::Create).unwrap());
}
