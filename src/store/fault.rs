//! Faults of the machinery, and what to do with a missing house.

/// Treatment of a missing house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Create the house.
    Create,
    /// Refuse.
    Refuse,
}

/// Reason why a house stays on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Whole {
    #[error("a file is on one machine; name a server with --db")]
    File,
    #[error("this server has no Citus; have its extension made: CREATE EXTENSION citus")]
    NoCitus,
    #[error(
        "it has no workers; add them: SELECT citus_set_coordinator_host('HOST', 5432), then citus_add_node('HOST', 5432) for each"
    )]
    NoWorkers,
    #[error("some of its tables are distributed already; see willcall server check")]
    Begun,
    #[error(
        "this house has something in it; end its desks, and run the statements of willcall server distribute by hand"
    )]
    Filled,
}

/// Fault of the machinery. The writer retries [`Fault::Contended`], and looks for a command whose commit had no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Fault {
    /// Conflict: another transaction wrote a document first.
    #[error("somebody else was faster; it is tried again")]
    #[strum(serialize = "busy")]
    Contended,
    /// The outcome of the last commit is unknown.
    #[error("the database did not say whether it was stored; look before you try again")]
    Unsure,
    /// The queue is full, or a command lost against others too often.
    #[error("the desk is too busy; try again in a moment")]
    #[strum(serialize = "busy")]
    Busy,
    /// Another process on this machine holds the write lock and does not continue.
    #[error(
        "another willcall on this machine began to write and does not go on, as when it was suspended: nothing was stored; wake it or end it, and try again"
    )]
    Stuck,
    #[error("the database cannot be reached: {0}; check that its folder or server is there and may be written to")]
    Unreachable(String),
    #[error("the disk is full: nothing was stored; free some space and try again")]
    #[strum(serialize = "disk_full")]
    Full,
    /// The target of a copy already has a house.
    #[error("there is a house already where this one is to go, and nothing of it was touched; choose an empty place")]
    #[strum(serialize = "exists")]
    Occupied,
    /// A newer program has changed the database.
    #[error("the database was changed by a newer willcall; update this one")]
    NewerSchema,
    /// A file of the house is gone since it was opened.
    #[error("{0} was deleted or moved: nothing was stored; put it back, or quit everywhere and start again")]
    Deleted(String),
    /// Another file has the place of one that was opened.
    #[error("{0} is another file now: nothing was stored; put the old one back, or quit everywhere and start again")]
    Replaced(String),
    /// A copy was written over the house's file, and the log beside it is that of the house before.
    #[error(
        "{0} was copied over beside its old log, and nothing was stored: quit everywhere, move {0}-wal and {0}-shm away and start again; or bring the copy to a new place: willcall --db OTHER restore COPY"
    )]
    Overwritten(String),
    /// Damage: the bytes read are not the bytes written.
    #[error("the database is damaged ({0}): keep it as it is, and make the house again from a backup, with restore")]
    Damaged(String),
    /// The operation exceeded its time limit.
    #[error("it took longer than it may; nothing was stored")]
    TooLong,
    /// The role lacks a permission.
    #[error("the database does not let this role do that ({0}); have its owner grant what willcall help server lists")]
    Forbidden(String),
    /// Missing table or schema, or one hidden from the role.
    #[error("the database says: {0}")]
    #[strum(serialize = "tables")]
    NoTable(String),
    /// A table to be created already exists.
    #[error("the database says: {0}")]
    #[strum(serialize = "tables")]
    TableExists(String),
    #[error("the server is a read-only standby and stores nothing; name the primary with --db")]
    Standby,
    /// A connection pooler shares sessions between clients.
    #[error(
        "a connection pooler in transaction mode is in the way, and the desk needs sessions of its own; name the server itself with --db, or a pool in session mode"
    )]
    Pooled,
    /// A house that cannot be spread over several machines.
    #[error("nothing was distributed: {0}")]
    Undistributed(Whole),
    /// Any other fault.
    #[error("{0}")]
    Broken(String),
}

impl Fault {
    /// Word for programs.
    pub fn word(&self) -> &'static str {
        self.into()
    }

    /// Message without advice, for use inside another sentence.
    pub fn said(&self) -> String {
        if let Self::Unreachable(said) | Self::NoTable(said) | Self::TableExists(said) = self {
            said.clone()
        } else {
            self.to_string()
        }
    }
}
