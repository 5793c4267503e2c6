//! Transaction of a writer: a connection, the document cache, and the pending writes of the batch.
//!
//! Commands of a batch read through the cache and add their changes to the [`Batch`]. A document
//! changed by several commands is written once, at its last version; each command has a journal
//! entry. A query sends the pending writes first, so that it sees the commands before it.
//!
//! A process that is alone on a file decides the next batch before its transaction begins, while the
//! [`CommitThread`] commits the batch before. Documents outside the cache are read through a second
//! connection then: the commit in flight writes none of them. The transaction begins with its first
//! query or its commit; another connection's commit since then fails it with [`Fault::Contended`].

mod batch;
mod chain;
mod commit_thread;
mod side_reader;
mod writer_session;

use std::sync::Arc;

use crate::engine::machine::cache::{Cache, Known, SharedCache};
use crate::store::dialect::Write;
use crate::store::document::{self, ChangedDocument, DocKind, Stored};
use crate::store::journal::{AnsweredCommand, NewEntry, find_commands};
use crate::store::{Database, Fault, Session, Value};

use batch::Batch;
pub(crate) use batch::SideWrites;
use chain::ChainHead;
pub(crate) use chain::ChainName;
use commit_thread::{Commit, CommitThread, Committed};
use side_reader::SideReader;
use writer_session::WriterSession;

/// Consecutive transactions without a foreign commit before a batch is decided early.
const CALM_LEAST: u32 = 32;

/// Connection with its cache and the pending batch.
pub(crate) struct Transaction {
    /// Connection; `None` while the commit thread has it.
    connection: Option<WriterSession>,
    commit_thread: Option<CommitThread>,
    /// Connection that reads while the commit thread has the other.
    beside: SideReader,
    /// Fault of the commit in flight, until it is reported.
    failed: Option<Fault>,
    cache: Cache,
    batch: Batch,
    /// The connection has begun the transaction.
    begun: bool,
    /// A command of the batch rests on a query, or on reads inside the transaction, which are not compared with what is stored.
    queried: bool,
    /// Consecutive transactions without a foreign commit.
    calm: u32,
    /// Conflicts with other writers so far.
    conflicts: u32,
}

impl Transaction {
    pub(crate) fn new(
        database: &Arc<dyn Database>,
        shared: &Arc<SharedCache>,
        chain: ChainName,
    ) -> Result<Self, Fault> {
        Ok(Self {
            connection: Some(WriterSession {
                session: database.session()?,
                chain: ChainHead::new(chain),
                flushing: None,
            }),
            commit_thread: None,
            beside: SideReader::new(database),
            failed: None,
            cache: Cache::new(Arc::clone(shared)),
            batch: Batch::default(),
            begun: false,
            queried: false,
            calm: 0,
            conflicts: 0,
        })
    }

    /// Begins a transaction that contains all reads.
    pub(crate) fn begin(&mut self) -> Result<(), Fault> {
        self.batch = Batch::default();
        let changes = self.begin_session()?;
        self.cache.sync(changes);
        self.queried = true;
        Ok(())
    }

    /// Begins with optimistic reads where the database has them, or decides before the transaction
    /// begins.
    pub(crate) fn begin_optimistic(&mut self) -> Result<(), Fault> {
        if self.decides_ahead() {
            self.batch = Batch::default();
            self.begun = false;
            return Ok(());
        }
        self.begin()?;
        if let Some(losses) = self.here()?.session.read_optimistically() {
            self.cache.take_shared(losses);
            self.queried = false;
        }
        Ok(())
    }

    /// Returns whether all that was found is from one moment: machines of a distributed server answer each at their own,
    /// and only loaded documents are compared with what is stored.
    pub(crate) fn is_of_one_moment(&self) -> bool {
        let is_distributed = self.connection.as_ref().is_some_and(|connection| connection.session.is_distributed());
        !(self.queried && is_distributed)
    }

    /// Begins again after a conflict, with the documents of the transaction before as they are stored now.
    pub(crate) fn begin_anew(&mut self) -> Result<(), Fault> {
        let known = self.cache.keys();
        self.rollback();
        self.begin_optimistic()?;
        for (kind, keys) in known {
            self.load(kind, keys)?;
        }
        Ok(())
    }

    /// Returns whether batches are decided before their transaction begins.
    pub(crate) fn decides_ahead(&self) -> bool {
        let commits_beside = self.connection.as_ref().is_none_or(|connection| connection.session.commits_beside());
        commits_beside && self.calm >= CALM_LEAST && !self.cache.is_full()
    }

    /// Counts a conflict with another writer.
    pub(crate) const fn note_conflict(&mut self) {
        self.conflicts = self.conflicts.wrapping_add(1);
    }

    /// Number of conflicts with other writers so far.
    pub(crate) const fn conflicts(&self) -> u32 {
        self.conflicts
    }

    fn note(&mut self, is_calm: bool) {
        self.calm = if is_calm { self.calm.saturating_add(1) } else { 0 };
    }

    /// Connection with the transaction begun; pending writes are not sent.
    pub(crate) fn begun(&mut self) -> Result<&mut dyn Session, Fault> {
        if !self.begun {
            let changes = self.begin_session()?;
            if !self.cache.is_current(changes) {
                return Err(Fault::Contended);
            }
        }
        Ok(self.here()?.session.as_mut())
    }

    /// Begins the connection's transaction; returns its change counter.
    fn begin_session(&mut self) -> Result<i64, Fault> {
        let connection = self.here()?;
        connection.session.begin()?;
        let changes = connection.session.change_counter()?;
        self.begun = true;
        let is_current = self.cache.is_current(changes);
        if !is_current {
            self.here()?.chain.note_foreign_commit();
        }
        self.note(is_current);
        Ok(changes)
    }

    /// Returns the connection, after waiting for the commit in flight.
    fn here(&mut self) -> Result<&mut WriterSession, Fault> {
        if let (None, Some(thread)) = (&self.connection, &self.commit_thread) {
            let committed = thread.wait();
            self.take_back(committed);
        }
        match (&mut self.connection, &self.failed) {
            (Some(connection), None) => Ok(connection),
            // everything decided on top of the failed commit is void
            _ => Err(Fault::Contended),
        }
    }

    fn take_back(&mut self, (connection, outcome): Committed) {
        self.connection = Some(connection);
        self.note(outcome.is_ok());
        self.failed = outcome.err();
    }

    /// Returns whether a commit is in flight.
    pub(crate) fn is_committing(&mut self) -> bool {
        if let (None, Some(thread)) = (&self.connection, &self.commit_thread)
            && let Some(committed) = thread.done()
        {
            self.take_back(committed);
        }
        self.connection.is_none()
    }

    /// Returns whether a commit or its flush is in flight.
    pub(crate) fn is_in_flight(&mut self) -> bool {
        let is_committing = self.is_committing();
        let connection = self.connection.as_mut();
        is_committing || connection.is_some_and(WriterSession::is_flushing)
    }

    /// Waits for the commit in flight and for its flush.
    ///
    /// # Errors
    /// The fault of the commit or of a flush, reported once; this transaction is then void.
    pub(crate) fn conclude(&mut self) -> Result<(), Fault> {
        // the outcome is reported below
        let _ = self.here();
        let connection = self.connection.as_mut();
        let flushed = connection.map_or(Ok(()), WriterSession::flushed);
        self.failed.take().map_or(flushed, Err)
    }

    /// Commits the batch.
    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        self.flush()?;
        self.begun()?.commit()?;
        self.begun = false;
        self.cache.publish();
        Ok(())
    }

    /// Commits the batch on the commit thread, and calls `stored` after its flush; on
    /// failure [`Self::conclude`] returns the fault.
    pub(crate) fn commit_beside(&mut self, stored: impl FnOnce() + Send + 'static) -> Result<(), Fault> {
        self.here()?;
        let thread = match self.commit_thread.take() {
            Some(thread) => thread,
            None => CommitThread::start()?,
        };
        if let Some(connection) = self.connection.take() {
            thread.send(Commit {
                connection,
                begin_at: (!self.begun).then(|| self.cache.changes()),
                batch: std::mem::take(&mut self.batch),
                stored: Box::new(stored),
            });
        }
        self.commit_thread = Some(thread);
        self.begun = false;
        Ok(())
    }

    /// Ends a transaction that wrote nothing.
    pub(crate) fn end(&mut self) {
        if let Some(connection) = self.connection.as_mut().filter(|_| self.begun) {
            connection.session.rollback();
        }
        self.begun = false;
        self.cache.publish();
    }

    /// Rolls everything back; call after the commit in flight is concluded.
    pub(crate) fn rollback(&mut self) {
        self.batch = Batch::default();
        self.begun = false;
        if let Some(connection) = &mut self.connection {
            connection.rollback();
        }
        self.cache.invalidate();
    }

    /// Returns whether the transaction is still open: a full disk ends it.
    pub(crate) fn is_open(&self) -> bool {
        let connection = self.connection.as_ref().filter(|_| self.begun);
        connection.is_none_or(|connection| connection.session.is_open())
    }

    /// Reconnects after a commit of unknown outcome.
    pub(crate) fn reopen(&mut self) -> Result<(), Fault> {
        self.batch = Batch::default();
        self.begun = false;
        self.cache.clear();
        let connection = self.here()?;
        connection.chain.forget();
        connection.session.reopen()
    }

    /// Loads documents by key, from the cache or the database.
    pub(crate) fn load(&mut self, kind: DocKind, keys: Vec<String>) -> Result<Vec<(String, Known)>, Fault> {
        let mut found = Vec::with_capacity(keys.len());
        let mut missing = Vec::new();
        for key in keys {
            match self.cache.get(kind, &key) {
                Some(known) => found.push((key, known)),
                None => missing.push(key),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let mut stored = match self.connection {
            None => self.beside.read(|reader| document::load(reader, kind, &missing))?,
            Some(_) => document::load_committed(self.begun()?, kind, &missing)?,
        };
        for key in missing {
            let place = stored.iter().position(|stored| stored.key == key);
            let known = place.map(|place| Arc::new(stored.swap_remove(place)));
            self.cache.set_stored(kind, key.clone(), known.clone());
            found.push((key, known));
        }
        Ok(found)
    }

    /// Finds which of some commands are committed, beside a commit in flight.
    pub(crate) fn find_beside(&mut self, commands: &[String]) -> Result<Vec<AnsweredCommand>, Fault> {
        self.beside.read(|reader| {
            reader.begin()?;
            let found = find_commands(reader, commands);
            reader.end();
            found
        })
    }

    /// Loads documents by a condition on their columns, with every write of the batch sent.
    pub(crate) fn select(
        &mut self,
        kind: DocKind,
        condition: &str,
        params: &[Value<'_>],
    ) -> Result<Vec<Arc<Stored>>, Fault> {
        let mut found = document::select(self.session()?, kind, condition, params)?;
        for stored in &mut found {
            match self.cache.get(kind, &stored.key) {
                // parsed already
                Some(Some(known)) if known.version == stored.version => *stored = known,
                _ => {
                    let known = Some(Arc::clone(stored));
                    self.cache.set(kind, stored.key.clone(), known);
                }
            }
        }
        Ok(found)
    }

    /// Adds a loaded version to the read set, unless this transaction wrote it.
    pub(crate) fn expect(&mut self, kind: DocKind, key: &str, known: Option<&Stored>) {
        if self.batch.has_written(kind, key) {
            return;
        }
        // a batch decided early compares the change counter instead
        if let Some(connection) = &mut self.connection {
            let version = known.map_or(0, |stored| stored.version);
            connection.session.expect_version(kind, key, version);
        }
    }

    /// Adds a command's changes, its other writes, and its journal entry to the batch.
    pub(crate) fn add(&mut self, changes: Vec<Arc<ChangedDocument>>, side: SideWrites, entry: Option<NewEntry>) {
        for changed in changes {
            let stored = Arc::clone(&changed.stored);
            self.cache.set(changed.kind, stored.key.clone(), Some(stored));
            self.batch.put(changed);
        }
        self.batch.add(side, entry);
        if let Some(connection) = &mut self.connection {
            connection.session.expect_at_commit();
        }
    }

    /// Adds a write that belongs to no command to the batch.
    pub(crate) fn add_beside(&mut self, write: Write) {
        self.batch.add(SideWrites { jobs: Vec::new(), writes: vec![write] }, None);
    }

    /// Sends the pending writes.
    fn flush(&mut self) -> Result<(), Fault> {
        self.begun()?;
        let mut batch = std::mem::take(&mut self.batch);
        let written = self.here()?.write(&mut batch);
        self.batch = batch;
        written
    }

    /// Returns the connection after sending all pending writes.
    pub(crate) fn session(&mut self) -> Result<&mut dyn Session, Fault> {
        self.queried = true;
        self.flush()?;
        self.begun()
    }
}
