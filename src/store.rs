//! Documents in, documents out: the only layer that knows a database.
//!
//! A document is a row with a key, a version, a body, and the few columns that questions need. Loading by
//! key is exact; every write is conditional on the version that was loaded. The store knows SQL types and no
//! business words, and never decides anything.
//!
//! Writes are values ([`dialect::Write`]): a batch of commands is decided in memory, and written once before its commit.
//!
//! # Invariants
//! - [`document`] makes all writes of documents, [`journal`] those of its entries, [`job`] those of jobs and events.
//! - Only [`dialect`] knows what two databases spell differently.

use std::time::Duration;

pub mod answer;
pub mod dialect;
pub mod document;
pub mod job;
pub mod journal;
mod kind;
pub mod moving;
pub mod output;
pub mod place;
pub mod postgres;
pub mod presence;
pub mod schema;
pub mod sqlite;
pub mod stamps;
mod tables;
pub mod trace;
mod value;
pub mod walk;

use dialect::Write;
use document::DocKind;
pub use place::{Location, OpenError};
pub use value::{Row, Value};

/// Whether a missing house may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Make it.
    Create,
    /// Refuse.
    Refuse,
}

/// Machinery failed. Only [`Fault::Contended`] is tried again, in one place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another transaction wrote a document first.
    #[error("somebody else was faster; it is tried again")]
    Contended,
    /// Whether the last commit took place is not known.
    #[error("the database did not say whether it was stored; look before you try again")]
    Unsure,
    /// The queue is full.
    #[error("the desk is too busy; try again in a moment")]
    Busy,
    /// Another process on this machine has its turn to write, and does not go on.
    #[error(
        "another willcall on this machine began to write and does not go on, as when it was suspended: nothing was stored; wake it or end it, and try again"
    )]
    Stuck,
    /// The database cannot be reached.
    #[error(
        "the database cannot be reached: {0}; check that its folder or server is there and may be written to"
    )]
    Unreachable(String),
    /// The disk is full.
    #[error("the disk is full: nothing was stored; free some space and try again")]
    Full,
    /// A house is to be copied to where there is one.
    #[error(
        "there is a house already where this one is to go, and nothing of it was touched; choose an empty place"
    )]
    Occupied,
    /// A newer program has changed the database.
    #[error("the database was changed by a newer willcall; update this one")]
    NewerSchema,
    /// The file is not the one any more that was opened.
    #[error(
        "the house's file was deleted or replaced: nothing was stored; put it back, or quit and start again"
    )]
    Replaced,
    /// Damage: the bytes read are not the bytes written.
    #[error(
        "the database is damaged ({0}): keep it as it is, and make the house again from a backup, with restore"
    )]
    Damaged(String),
    /// The operation exceeded its time limit.
    #[error("it took longer than it may; nothing was stored")]
    TooLong,
    /// The role has no right to it.
    #[error(
        "the database does not let this role do that ({0}); have its owner grant what willcall help server lists"
    )]
    Forbidden(String),
    /// A table or schema is missing, or hidden from the role.
    #[error("the database says: {0}")]
    NoTable(String),
    /// A table exists that is to be made.
    #[error("the database says: {0}")]
    TableExists(String),
    /// The server is a standby.
    #[error("the server is a read-only standby and stores nothing; name the primary with --db")]
    Standby,
    /// Something is broken.
    #[error("{0}")]
    Broken(String),
}

impl Fault {
    /// The fault's word for programs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Contended | Self::Busy => "busy",
            Self::Unsure => "unsure",
            Self::Stuck => "stuck",
            Self::Unreachable(_) => "unreachable",
            Self::Full => "disk_full",
            Self::Occupied => "exists",
            Self::NewerSchema => "newer_schema",
            Self::Replaced => "replaced",
            Self::Damaged(_) => "damaged",
            Self::TooLong => "too_long",
            Self::Forbidden(_) => "forbidden",
            Self::NoTable(_) | Self::TableExists(_) => "tables",
            Self::Standby => "standby",
            Self::Broken(_) => "broken",
        }
    }

    /// The reported problem, for a sentence that has its own beginning and its own advice.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Self::Unreachable(said)
            | Self::Broken(said)
            | Self::NoTable(said)
            | Self::TableExists(said) => said.clone(),
            Self::Contended
            | Self::Unsure
            | Self::Busy
            | Self::Stuck
            | Self::Full
            | Self::Occupied
            | Self::NewerSchema
            | Self::Replaced
            | Self::Damaged(_)
            | Self::Forbidden(_)
            | Self::Standby
            | Self::TooLong => self.to_string(),
        }
    }
}

/// Statements on an open connection.
pub trait Sql {
    /// Rows of a question in the common subset, parameters `$1..$n`.
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault>;

    /// The time by a clock that all stations of the house share and nobody sets, in milliseconds: the machine's since
    /// its start, or the server's.
    fn steady_millis(&mut self) -> Result<i64, Fault> {
        Ok(boot_millis())
    }
}

/// The time since this machine started, in milliseconds.
#[must_use]
pub fn boot_millis() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    now.tv_sec
        .saturating_mul(1000)
        .saturating_add(now.tv_nsec / 1_000_000)
}

/// A connection that writes, one transaction at a time.
pub trait Session: Sql + Send {
    /// Begins a transaction; from now on nobody else writes.
    ///
    /// # Errors
    /// A fault of the database, also that its schema is newer than this program.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Commits. A fault here is [`Fault::Unsure`] unless it is known that nothing was stored.
    fn commit(&mut self) -> Result<(), Fault>;

    /// Ends the transaction with nothing stored.
    fn rollback(&mut self);

    /// Whether the transaction still stands; a full disk can end it.
    fn is_open(&self) -> bool;

    /// A number that changes when another connection has committed.
    fn change_counter(&mut self) -> Result<i64, Fault>;

    /// Sets a time limit for all statements from now, together; beyond it they fail with [`Fault::TooLong`]. `None` lifts it.
    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault>;

    /// Reconnects after a commit of unknown outcome, and commits once: later reads see only durable data.
    ///
    /// # Errors
    /// The database cannot be reached, or does not commit.
    fn reopen(&mut self) -> Result<(), Fault>;

    /// Changes rows; gives how many.
    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault>;

    /// Writes rows, at the latest with the next statement or the commit.
    ///
    /// # Errors
    /// [`Fault::Contended`] when a row is not as expected, here or by the commit; a fault of the database. Then the
    /// transaction is over.
    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault>;

    /// Whether a batch may be decided ahead of its transaction, while another thread commits the one before.
    fn commits_beside(&self) -> bool {
        false
    }

    /// Reads optimistically from now until the transaction ends: [`Session::read_committed`] may read ahead of the
    /// transaction, and each document that a decision rests on is to be named by [`Session::expect_version`]. False
    /// where that saves no round trip; then all reads are the transaction's.
    fn read_optimistically(&mut self) -> bool {
        false
    }

    /// Rows by key, ahead of the transaction where that is faster: its own writes may be missing.
    fn read_committed(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.query(sql, params)
    }

    /// Adds a document's version to the read set, 0 for none. Another version fails the next statement or the commit
    /// with [`Fault::Contended`].
    fn expect_version(&mut self, _kind: DocKind, _key: &str, _version: i64) {}

    /// Checks the read set within the transaction from now on, not ahead of it: the transaction will write.
    fn expect_at_commit(&mut self) {}
}

/// A connection that reads snapshots.
pub trait Reader: Sql + Send {
    /// Begins a snapshot, which all later queries read.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Ends the snapshot; false when its connection was lost during the snapshot, so that the caller has to read again.
    fn end(&mut self) -> bool;

    /// A number that changes with each commit; `None` where the database cannot tell, or not now: then look.
    fn change_counter(&mut self) -> Result<Option<i64>, Fault>;

    /// Notifies other stations of a commit, where the database has notifications. A hint only.
    fn ring(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Checkpoints the write-ahead log beside the writer, where the database has one; nothing depends on it.
    fn tidy(&mut self) -> Result<(), Fault>;

    /// Damaged pages, rows and indexes of the database's file; nothing where a server looks after its own files.
    fn corruption(&mut self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Tables whose rows have numbers without a gap, and the last number that was given; none where numbers have gaps.
    fn numbered(&mut self) -> Result<Vec<(String, i64)>, Fault> {
        Ok(Vec::new())
    }

    /// Promises that the database does not keep.
    fn damage(&mut self) -> Result<Vec<String>, Fault>;
}

/// A connection that listens for notifications of other stations' commits. A hint only.
pub trait Bell: Send {
    /// Waits for a notification, at most for `longest`; true if there was one.
    ///
    /// # Errors
    /// The connection is closed: open another.
    fn hear(&mut self, longest: Duration) -> Result<bool, Fault>;
}

/// A database that sessions and readers are opened on.
pub trait Database: Send + Sync {
    /// A connection that writes.
    fn session(&self) -> Result<Box<dyn Session>, Fault>;

    /// A connection that reads.
    fn reader(&self) -> Result<Box<dyn Reader>, Fault>;

    /// How many connections may well write at once.
    fn writers(&self) -> usize {
        1
    }

    /// How long it is waited for when it went away.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether [`Reader::change_counter`] moves when a commit can be seen; else it moves a moment before.
    fn tells_of_commits(&self) -> bool {
        true
    }

    /// A connection on which other stations' commits are heard of; `None` where nobody passes such a word on.
    fn bell(&self) -> Result<Option<Box<dyn Bell>>, Fault> {
        Ok(None)
    }

    /// Findings about this database's abilities, tried out, a sentence each; empty where there is nothing to choose.
    fn findings(&self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// How soon after a commit others are told of it at the earliest: a burst becomes one notice.
    fn settle(&self) -> Duration {
        Duration::from_millis(4)
    }

    /// How many commands one transaction takes at most.
    fn batch_max(&self) -> usize {
        usize::MAX
    }

    /// The database's own time in milliseconds; `None` when it has no other than this machine's.
    fn now_millis(&self) -> Result<Option<i64>, Fault> {
        Ok(None)
    }
}
