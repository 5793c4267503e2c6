//! A database whose k-th call fails: refused, lost on the way there, or lost on the way back.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use willcall::store::dialect::Write;
use willcall::store::document::DocKind;
use willcall::store::{Bell, Database, Fault, Flush, Reader, Row, Session, Sql, Value};

/// What befalls a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The disk is full, which ends the transaction.
    Full,
    /// Another connection was faster.
    Contended,
    /// The connection is cut before the call is heard.
    CutBefore,
    /// The connection is cut before the call is answered.
    CutAfter,
    /// As cut before, and the database stays away.
    Away,
}

/// When which trouble comes.
pub(crate) struct Plan {
    trouble: Mutex<Trouble>,
    /// The number of the call that meets it.
    at: AtomicU32,
    calls: AtomicU32,
    /// Whether calls are counted and meet trouble.
    on: AtomicBool,
    met: AtomicBool,
}

impl Plan {
    pub(crate) fn new(trouble: Trouble, at: u32) -> Arc<Self> {
        Arc::new(Self {
            trouble: Mutex::new(trouble),
            at: AtomicU32::new(at),
            calls: AtomicU32::new(0),
            on: AtomicBool::new(false),
            met: AtomicBool::new(false),
        })
    }

    /// Counts calls from now on; the one with this number meets trouble.
    pub(crate) fn arm(&self, trouble: Trouble, at: u32) {
        *self.trouble.lock().unwrap() = trouble;
        self.at.store(at, Ordering::SeqCst);
        self.calls.store(0, Ordering::SeqCst);
        self.met.store(false, Ordering::SeqCst);
        self.switch(true);
    }

    fn trouble(&self) -> Trouble {
        *self.trouble.lock().unwrap()
    }

    pub(crate) fn switch(&self, on: bool) {
        self.on.store(on, Ordering::SeqCst);
    }

    /// How many calls were counted.
    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Whether the trouble has come.
    pub(crate) fn is_met(&self) -> bool {
        self.met.load(Ordering::SeqCst)
    }

    fn is_on(&self) -> bool {
        self.on.load(Ordering::SeqCst)
    }

    fn meets(&self) -> Option<Trouble> {
        let at = self.at.load(Ordering::SeqCst);
        if !self.is_on() || self.calls.fetch_add(1, Ordering::SeqCst) + 1 != at {
            return None;
        }
        self.met.store(true, Ordering::SeqCst);
        Some(self.trouble())
    }

    fn is_away(&self) -> bool {
        self.is_on() && self.trouble() == Trouble::Away && self.is_met()
    }
}

pub(crate) struct Frail {
    pub(crate) database: Arc<dyn Database>,
    pub(crate) plan: Arc<Plan>,
}

impl Database for Frail {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        if self.plan.is_away() {
            return Err(cut());
        }
        Ok(Box::new(Wire { session: self.database.session()?, plan: Arc::clone(&self.plan), is_cut: false }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        self.database.reader()
    }

    fn writers(&self) -> usize {
        self.database.writers()
    }

    fn tells_of_commits(&self) -> bool {
        self.database.tells_of_commits()
    }

    fn bell(&self) -> Result<Option<Box<dyn Bell>>, Fault> {
        self.database.bell()
    }

    fn settle(&self) -> Duration {
        self.database.settle()
    }

    fn batch_max(&self) -> usize {
        self.database.batch_max()
    }

    fn now_millis(&self) -> Result<Option<i64>, Fault> {
        self.database.now_millis()
    }
}

fn cut() -> Fault {
    Fault::Unreachable("the wire is cut".into())
}

struct Wire {
    session: Box<dyn Session>,
    plan: Arc<Plan>,
    /// Whether the connection is gone, until it is opened anew.
    is_cut: bool,
}

impl Wire {
    fn call<T>(&mut self, make: impl FnOnce(&mut dyn Session) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.is_cut || self.plan.is_away() {
            return Err(cut());
        }
        let fault = match self.plan.meets() {
            None => return make(self.session.as_mut()),
            Some(Trouble::Full) => Fault::Full,
            Some(Trouble::Contended) => Fault::Contended,
            Some(Trouble::CutBefore | Trouble::Away) => {
                self.is_cut = true;
                cut()
            }
            Some(Trouble::CutAfter) => {
                self.is_cut = true;
                // nobody hears what became of it
                let _ = make(self.session.as_mut());
                cut()
            }
        };
        self.session.rollback();
        Err(fault)
    }
}

impl Sql for Wire {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.call(|session| session.query(sql, params))
    }

    fn steady_millis(&mut self) -> Result<i64, Fault> {
        self.session.steady_millis()
    }
}

impl Session for Wire {
    fn begin(&mut self) -> Result<(), Fault> {
        self.call(|session| session.begin())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.commit_unflushed()?()
    }

    /// The flush is a call of its own.
    fn commit_unflushed(&mut self) -> Result<Flush, Fault> {
        let was_cut = self.is_cut;
        let committed = self.call(|session| session.commit_unflushed());
        let flush = match committed {
            Err(Fault::Unreachable(_)) if !was_cut => return Err(Fault::Unsure),
            committed => committed?,
        };
        let plan = Arc::clone(&self.plan);
        Ok(Box::new(move || {
            if plan.is_away() || plan.meets().is_some() {
                return Err(Fault::Unsure);
            }
            flush()
        }))
    }

    fn rollback(&mut self) {
        self.session.rollback();
    }

    fn is_open(&self) -> bool {
        !self.is_cut && self.session.is_open()
    }

    fn change_counter(&mut self) -> Result<i64, Fault> {
        self.session.change_counter()
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        self.session.limit(limit)
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        if self.plan.is_away() {
            return Err(cut());
        }
        self.is_cut = false;
        self.call(|session| session.reopen())
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        self.call(|session| session.execute(sql, params))
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        self.call(|session| session.write(writes))
    }

    fn commits_beside(&self) -> bool {
        self.session.commits_beside()
    }

    fn read_optimistically(&mut self) -> Option<u64> {
        self.session.read_optimistically()
    }

    fn read_committed(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.call(|session| session.read_committed(sql, params))
    }

    fn expect_version(&mut self, kind: DocKind, key: &str, version: i64) {
        self.session.expect_version(kind, key, version);
    }

    fn expect_at_commit(&mut self) {
        self.session.expect_at_commit();
    }
}
