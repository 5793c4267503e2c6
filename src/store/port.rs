//! Port between the engine and the databases: what an adapter implements.

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use uuid::Uuid;

use crate::store::dialect::Write;
use crate::store::fault::{Fault, Whole};
use crate::store::kinds::DocKind;
use crate::store::value::{Row, Value};

/// Queries on an open connection.
pub trait Sql {
    /// Runs a query in the SQL subset common to both databases, parameters `$1..$n`.
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault>;

    /// Time by a clock shared by all stations and never set by hand, in milliseconds: the machine's
    /// boot clock, or the server's clock.
    fn steady_millis(&mut self) -> Result<i64, Fault> {
        Ok(boot_millis())
    }

    /// Returns whether rows are spread over machines that have one sequence of the journal: there, a question to all of
    /// them is dear.
    fn is_distributed(&self) -> bool {
        false
    }
}

/// Time since this machine started, in milliseconds.
pub fn boot_millis() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    now.tv_sec.saturating_mul(1000).saturating_add(now.tv_nsec / 1_000_000)
}

/// Id of this machine's present boot; `None` where the system tells none.
pub fn boot_id() -> Option<Uuid> {
    static BOOT: LazyLock<Option<Uuid>> = LazyLock::new(|| {
        let told = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        told.trim().parse().ok()
    });
    *BOOT
}

/// Something by which a distributed house is not as the recipe makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// No table is spread.
    Whole,
    /// A table with the shard key that it should have and the one that it has: empty where each machine has a copy, none
    /// where the coordinator alone has it.
    Table { table: String, key: &'static str, by: Option<String>, statement: String },
    /// A machine that the coordinator leaves out.
    Inactive(String),
    /// A machine that does not answer another one, or any of them where that is empty.
    Silent { to: String, node: String },
    /// How seldom a commit that a crash interrupted is brought to its end; its rows are locked until then.
    Seldom(String),
    /// A statement that was not run.
    Undone(&'static str),
}

/// Makes a commit durable; on any thread, before the next commit of its session.
///
/// # Errors
/// [`Fault::Unsure`]: the commit may be lost with the power.
pub type Flush = Box<dyn FnOnce() -> Result<(), Fault> + Send>;

/// Connection that writes, one transaction at a time.
pub trait Session: Sql + Send {
    /// Begins a write transaction.
    ///
    /// # Errors
    /// A fault of the database, or a schema newer than this program.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Commits. A fault is [`Fault::Unsure`] unless it is certain that nothing was stored.
    fn commit(&mut self) -> Result<(), Fault>;

    /// Commits like [`Session::commit`], except for the flush that makes it durable. Each flush ends before the next
    /// commit.
    fn commit_unflushed(&mut self) -> Result<Flush, Fault> {
        self.commit()?;
        Ok(Box::new(|| Ok(())))
    }

    /// Rolls the transaction back.
    fn rollback(&mut self);

    /// Returns whether the transaction is still open; a full disk or, on a server, a failed statement ends it.
    fn is_open(&self) -> bool;

    /// Counter that changes when another connection has committed.
    fn change_counter(&mut self) -> Result<i64, Fault>;

    /// Sets a time limit for all statements from now, together; beyond it they fail with [`Fault::TooLong`]. `None` lifts
    /// it, as does the end of the transaction.
    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault>;

    /// Reconnects after a commit of unknown outcome, and commits once: later reads see only durable data.
    ///
    /// # Errors
    /// The database cannot be reached, or does not commit.
    fn reopen(&mut self) -> Result<(), Fault>;

    /// Executes a statement; returns the number of changed rows.
    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault>;

    /// Executes statements that define tables, in order, in one round trip where there is one to save.
    fn define(&mut self, statements: &[String]) -> Result<(), Fault> {
        statements.iter().try_for_each(|statement| self.execute(statement, &[]).map(|_| ()))
    }

    /// Sets the number of the journal's next row, where the database does not take the one after the last.
    fn number_journal_from(&mut self, _next: i64) -> Result<(), Fault> {
        Ok(())
    }

    /// Writes rows, at the latest with the next statement or the commit.
    ///
    /// # Errors
    /// [`Fault::Contended`] if a row is not as expected, now or at the commit; or a fault of the
    /// database. The transaction is then over.
    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault>;

    /// Returns whether a batch may be decided before its transaction begins, while another thread
    /// commits the one before.
    fn commits_beside(&self) -> bool {
        false
    }

    /// Switches to optimistic reads until the transaction ends: [`Session::read_committed`] may read outside the
    /// transaction, and the caller passes each version a decision rests on to [`Session::expect_version`]. `None` if
    /// that saves no round trip; then all reads belong to the transaction. Otherwise the number of connections lost so
    /// far: documents cached before the last loss may not be stored any more.
    fn read_optimistically(&mut self) -> Option<u64> {
        None
    }

    /// Reads rows by key, outside the transaction where that is faster: its own writes may be missing.
    fn read_committed(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.query(sql, params)
    }

    /// Adds a document version to the read set, 0 for absent. Another version fails the next
    /// statement or the commit with [`Fault::Contended`].
    fn expect_version(&mut self, _kind: DocKind, _key: &str, _version: i64) {}

    /// Defers the check of the read set to the transaction, because it will write.
    fn expect_at_commit(&mut self) {}
}

/// Connection that reads snapshots.
pub trait Reader: Sql + Send {
    /// Begins a snapshot for all later queries.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Ends the snapshot; false if its connection was lost, so that the caller reads again.
    fn end(&mut self) -> bool;

    /// Opens another connection whose snapshot is the one of this connection, from which nothing was read yet; `None` if
    /// the database cannot begin the same snapshot twice.
    fn beside(&mut self) -> Result<Option<Box<dyn Reader>>, Fault> {
        Ok(None)
    }

    /// Counter that changes with each commit; `None` if the database cannot tell: then poll.
    fn change_counter(&mut self) -> Result<Option<i64>, Fault>;

    /// Notifies other stations of a commit, if the database has notifications. A hint only.
    fn ring(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Checkpoints the write-ahead log, if there is one; optional.
    fn tidy(&mut self) -> Result<(), Fault>;

    /// Reports damaged pages, rows and indexes of the database file; empty on a server, which checks its own files.
    fn corruption(&mut self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Lists tables numbered without gaps, each with the last number assigned; empty if numbers may have gaps.
    fn numbered(&mut self) -> Result<Vec<(String, i64)>, Fault> {
        Ok(Vec::new())
    }

    /// Reports durability guarantees that the database violates.
    fn damage(&mut self) -> Result<Vec<String>, Fault>;
}

/// Connection that listens for notifications of other stations' commits. A hint only.
pub trait Bell: Send {
    /// Waits for a notification, at most for `longest`; true if there was one.
    ///
    /// # Errors
    /// The connection is closed: open another.
    fn hear(&mut self, longest: Duration) -> Result<bool, Fault>;
}

/// Opened database, which creates sessions and readers.
pub trait Database: Send + Sync {
    /// Opens a writing connection.
    fn session(&self) -> Result<Box<dyn Session>, Fault>;

    /// Opens a reading connection.
    fn reader(&self) -> Result<Box<dyn Reader>, Fault>;

    /// Lets sessions and readers lend one another their connection between transactions, for a single command: it never
    /// needs two at once, and each costs a reading of the schema.
    fn lend_connections(&self) {}

    /// Number of connections that should write concurrently.
    fn writers(&self) -> usize {
        1
    }

    /// Time limit for an outage.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    /// True if [`Reader::change_counter`] moves when a commit becomes visible; false if it moves shortly before.
    fn tells_of_commits(&self) -> bool {
        true
    }

    /// Opens a connection that hears of other stations' commits; `None` without notifications.
    fn bell(&self) -> Result<Option<Box<dyn Bell>>, Fault> {
        Ok(None)
    }

    /// Results of testing the database's abilities, one sentence each; empty if nothing needs a choice.
    fn findings(&self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Least delay between a commit and its notice: a burst becomes one notice.
    fn settle(&self) -> Duration {
        Duration::from_millis(4)
    }

    /// Most commands per transaction.
    fn batch_max(&self) -> usize {
        usize::MAX
    }

    /// Spreads an empty house over the machines of a distributed server.
    ///
    /// # Errors
    /// [`Fault::Undistributed`] where that is not possible; or a fault of the database. Nothing is spread then.
    fn distribute(&self) -> Result<(), Fault> {
        Err(Fault::Undistributed(Whole::File))
    }

    /// Lists what is not as [`Self::distribute`] makes it.
    fn misplaced(&self) -> Result<Vec<Misplaced>, Fault> {
        Ok(Vec::new())
    }

    /// Rewrites the stored rows without what was deleted or overwritten, so that no byte of it is left in the house.
    ///
    /// # Errors
    /// [`Fault::Busy`] while another process reads an older state; or a fault of the database.
    fn scrub(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// The server's time in milliseconds; `None` to use this machine's.
    fn now_millis(&self) -> Result<Option<i64>, Fault> {
        Ok(None)
    }
}
