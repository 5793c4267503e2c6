//! Storage of documents: the only layer that knows a database.
//!
//! A document is a row with a key, a version, a body, and a few indexed columns. Every write is
//! conditional on the loaded version. The store knows SQL types but no business rules.
//!
//! Writes are values ([`dialect::Write`]): a batch of commands is decided in memory, and written
//! once before its commit.
//!
//! # Invariants
//! - [`document`] makes all writes of documents, [`journal`] those of its entries, [`job`] those of
//!   jobs and events.
//! - Only [`dialect`] knows the SQL differences between the databases.

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

/// Treatment of a missing house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Create the house.
    Create,
    /// Refuse.
    Refuse,
}

/// Fault of the machinery. The writer retries [`Fault::Contended`], and looks for a command whose commit had no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Conflict: another transaction wrote a document first.
    #[error("somebody else was faster; it is tried again")]
    Contended,
    /// The outcome of the last commit is unknown.
    #[error("the database did not say whether it was stored; look before you try again")]
    Unsure,
    /// The queue is full.
    #[error("the desk is too busy; try again in a moment")]
    Busy,
    /// Another process on this machine holds the write lock and does not continue.
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
    /// The target of a copy already has a house.
    #[error(
        "there is a house already where this one is to go, and nothing of it was touched; choose an empty place"
    )]
    Occupied,
    /// A newer program has changed the database.
    #[error("the database was changed by a newer willcall; update this one")]
    NewerSchema,
    /// The file was deleted or replaced since it was opened.
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
    /// The role lacks a permission.
    #[error(
        "the database does not let this role do that ({0}); have its owner grant what willcall help server lists"
    )]
    Forbidden(String),
    /// Missing table or schema, or one hidden from the role.
    #[error("the database says: {0}")]
    NoTable(String),
    /// A table to be created already exists.
    #[error("the database says: {0}")]
    TableExists(String),
    /// The server is a standby.
    #[error("the server is a read-only standby and stores nothing; name the primary with --db")]
    Standby,
    /// A connection pooler shares sessions between clients.
    #[error(
        "a connection pooler in transaction mode is in the way, and the desk needs sessions of its own; name the server itself with --db, or a pool in session mode"
    )]
    Pooled,
    /// Any other fault.
    #[error("{0}")]
    Broken(String),
}

impl Fault {
    /// Word for programs.
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
            Self::Pooled => "pooled",
            Self::Broken(_) => "broken",
        }
    }

    /// Message without advice, for use inside another sentence.
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
            | Self::Pooled
            | Self::TooLong => self.to_string(),
        }
    }
}

/// Queries on an open connection.
pub trait Sql {
    /// Runs a query in the SQL subset common to both databases, parameters `$1..$n`.
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault>;

    /// Time by a clock shared by all stations and never set by hand, in milliseconds: the machine's
    /// boot clock, or the server's clock.
    fn steady_millis(&mut self) -> Result<i64, Fault> {
        Ok(boot_millis())
    }
}

/// Time since this machine started, in milliseconds.
#[must_use]
pub fn boot_millis() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    now.tv_sec
        .saturating_mul(1000)
        .saturating_add(now.tv_nsec / 1_000_000)
}

/// Connection that writes, one transaction at a time.
pub trait Session: Sql + Send {
    /// Begins a write transaction.
    ///
    /// # Errors
    /// A fault of the database, or a schema newer than this program.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Commits. A fault is [`Fault::Unsure`] unless it is certain that nothing was stored.
    fn commit(&mut self) -> Result<(), Fault>;

    /// Rolls the transaction back.
    fn rollback(&mut self);

    /// Returns whether the transaction is still open; a full disk can end it.
    fn is_open(&self) -> bool;

    /// Counter that changes when another connection has committed.
    fn change_counter(&mut self) -> Result<i64, Fault>;

    /// Sets a time limit for all statements from now, together; beyond it they fail with [`Fault::TooLong`]. `None` lifts it.
    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault>;

    /// Reconnects after a commit of unknown outcome, and commits once: later reads see only durable data.
    ///
    /// # Errors
    /// The database cannot be reached, or does not commit.
    fn reopen(&mut self) -> Result<(), Fault>;

    /// Executes a statement; returns the number of changed rows.
    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault>;

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

    /// Switches to optimistic reads until the transaction ends: [`Session::read_committed`] may
    /// read outside the transaction, and the caller passes each version a decision rests on to
    /// [`Session::expect_version`]. False if that saves no round trip; then all reads belong to the
    /// transaction.
    fn read_optimistically(&mut self) -> bool {
        false
    }

    /// Reads rows by key, outside the transaction where that is faster: its own writes may be
    /// missing.
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

    /// Counter that changes with each commit; `None` if the database cannot tell: then poll.
    fn change_counter(&mut self) -> Result<Option<i64>, Fault>;

    /// Notifies other stations of a commit, if the database has notifications. A hint only.
    fn ring(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Checkpoints the write-ahead log, if there is one; optional.
    fn tidy(&mut self) -> Result<(), Fault>;

    /// Reports damaged pages, rows and indexes of the database file; empty on a server, which
    /// checks its own files.
    fn corruption(&mut self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Lists tables numbered without gaps, each with the last number assigned; empty if numbers may
    /// have gaps.
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

    /// Number of connections that should write concurrently.
    fn writers(&self) -> usize {
        1
    }

    /// Time limit for an outage.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    /// True if [`Reader::change_counter`] moves when a commit becomes visible; false if it moves
    /// shortly before.
    fn tells_of_commits(&self) -> bool {
        true
    }

    /// Opens a connection that hears of other stations' commits; `None` without notifications.
    fn bell(&self) -> Result<Option<Box<dyn Bell>>, Fault> {
        Ok(None)
    }

    /// Results of testing the database's abilities, one sentence each; empty if nothing needs a
    /// choice.
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

    /// The server's time in milliseconds; `None` to use this machine's.
    fn now_millis(&self) -> Result<Option<i64>, Fault> {
        Ok(None)
    }
}
