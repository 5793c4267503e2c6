//! Transaction of a writer: a connection, the document cache, and the pending writes of the batch.
//!
//! Commands of a batch read through the cache and add their changes to the [`Batch`]. A document
//! changed by several commands is written once, at its last version; each command has a journal
//! entry. A query sends the pending writes first, so that it sees the commands before it.
//!
//! On a file a batch is decided before its transaction begins, while the [`CommitThread`] commits the batch before, and
//! while other processes write. Documents outside the cache are read through a second connection then: the commit in
//! flight writes none of them. The transaction begins with its first query or its commit. If another connection has
//! committed, the [`ReadSet`] is compared with what is stored; a difference fails the transaction with
//! [`Fault::Contended`], and the batch runs again within one.

mod batch;
mod chain_name;
mod commit_thread;
mod journaled_session;
mod read_set;

use std::sync::Arc;

use crate::engine::cache::{Cache, Known, SharedCache, version};
use crate::store::document::{self, ChangedDocument, DocKind, Stored};
use crate::store::journal::NewEntry;
use crate::store::{Database, Fault, Reader, Session, Value};

use batch::Batch;
pub(crate) use batch::SideWrites;
pub(crate) use chain_name::ChainName;
use commit_thread::{Commit, CommitThread};
use journaled_session::JournaledSession;
use read_set::ReadSet;

/// Transactions that begin before their batch is decided: the first ones of a connection, and those after a conflict.
const WARY_FOR: u32 = 32;

/// Consecutive transactions without another connection's commit after which a stale cache is emptied, so that no batch
/// has to be compared any more.
const CALM_LEAST: u32 = 32;

/// Connection with its cache and the pending batch.
pub(crate) struct Transaction {
    /// Connection; `None` while the commit thread has it.
    session: Option<JournaledSession>,
    commit_thread: Option<CommitThread>,
    database: Arc<dyn Database>,
    /// Connection that reads before the transaction begins.
    reader: Option<Box<dyn Reader>>,
    /// Fault of the commit in flight, until it is reported.
    failed: Option<Fault>,
    cache: Cache,
    batch: Batch,
    /// Documents read on a file where the cache may be stale, or before the transaction began.
    read_set: ReadSet,
    /// Transactions to begin before their batch is decided.
    wary: u32,
    /// Change counter of the last transaction.
    changes: i64,
    /// Consecutive transactions without another connection's commit.
    calm: u32,
}

impl Transaction {
    pub(crate) fn new(
        database: &Arc<dyn Database>,
        shared: &Arc<SharedCache>,
        chain: ChainName,
    ) -> Result<Self, Fault> {
        Ok(Self {
            session: Some(JournaledSession::new(database.session()?, chain)),
            commit_thread: None,
            database: Arc::clone(database),
            reader: None,
            failed: None,
            cache: Cache::new(Arc::clone(shared)),
            batch: Batch::default(),
            read_set: ReadSet::default(),
            wary: WARY_FOR,
            changes: 0,
            calm: 0,
        })
    }

    /// Forgets the batch before.
    fn start(&mut self) {
        self.batch = Batch::default();
        self.read_set = ReadSet::default();
    }

    /// Begins a transaction that contains all reads.
    pub(crate) fn begin(&mut self) -> Result<(), Fault> {
        self.start();
        self.wary = self.wary.saturating_sub(1);
        let session = self.connection()?;
        session.begin()?;
        let changes = session.changes;
        self.note(changes);
        self.cache.sync(changes);
        Ok(())
    }

    /// Begins with optimistic reads where the database has them, or decides before the transaction
    /// begins.
    pub(crate) fn begin_optimistic(&mut self) -> Result<(), Fault> {
        if self.decides_ahead() {
            self.start();
            return Ok(());
        }
        self.begin()?;
        if let Some(losses) = self.connection()?.inner.read_optimistically() {
            self.cache.take_shared(losses);
        }
        Ok(())
    }

    /// Begins again after a conflict, on a server with the documents of the transaction before as they are stored now.
    pub(crate) fn begin_anew(&mut self) -> Result<(), Fault> {
        let known = (!self.commits_beside()).then(|| self.cache.keys());
        self.rollback();
        self.wary = WARY_FOR;
        self.begin_optimistic()?;
        for (kind, keys) in known.into_iter().flatten() {
            self.load(kind, keys)?;
        }
        Ok(())
    }

    fn commits_beside(&self) -> bool {
        let session = self.session.as_ref();
        session.is_none_or(|session| session.inner.commits_beside())
    }

    fn decides_ahead(&self) -> bool {
        let is_stale = self.cache.current_at().is_none();
        let is_worth_it = !is_stale || self.calm < CALM_LEAST;
        self.commits_beside() && self.wary == 0 && !self.cache.is_full() && is_worth_it
    }

    /// Notes the change counter of a transaction.
    fn note(&mut self, changes: i64) {
        self.calm = if changes == self.changes {
            self.calm.saturating_add(1)
        } else {
            0
        };
        self.changes = changes;
        self.cache.note(changes);
    }

    fn has_begun(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.begun)
    }

    /// Returns the connection within the transaction, which begins now if it has not. Pending writes are not sent.
    pub(crate) fn in_transaction(&mut self) -> Result<&mut dyn Session, Fault> {
        self.connection()?;
        let (read_set, current_at) = (&self.read_set, self.cache.current_at());
        if let Some(session) = self.session.as_mut().filter(|session| !session.begun) {
            session.begin_after(read_set, current_at)?;
            let changes = session.changes;
            self.note(changes);
        }
        Ok(self.connection()?.inner.as_mut())
    }

    /// Returns the connection, after waiting for the commit in flight.
    fn connection(&mut self) -> Result<&mut JournaledSession, Fault> {
        if let (None, Some(thread)) = (&self.session, &self.commit_thread) {
            let (session, outcome) = thread.wait();
            self.note(session.changes);
            self.session = Some(session);
            self.failed = outcome.err();
        }
        match (&mut self.session, &self.failed) {
            (Some(session), None) => Ok(session),
            // everything decided on top of the failed commit is void
            _ => Err(Fault::Contended),
        }
    }

    /// Waits for the commit in flight.
    ///
    /// # Errors
    /// The commit's fault, reported once; this transaction is then void.
    pub(crate) fn conclude(&mut self) -> Result<(), Fault> {
        // the outcome is reported below
        let _ = self.connection();
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Commits the batch.
    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        self.flush()?;
        self.connection()?.commit()?;
        self.cache.publish();
        Ok(())
    }

    /// Commits the batch on the commit thread, if possible, and calls `stored` after the commit; on
    /// failure [`Self::conclude`] returns the fault.
    pub(crate) fn commit_beside(
        &mut self,
        stored: impl FnOnce() + Send + 'static,
    ) -> Result<bool, Fault> {
        if !self.decides_ahead() {
            return Ok(false);
        }
        self.connection()?;
        let thread = match self.commit_thread.take() {
            Some(thread) => thread,
            None => CommitThread::start()?,
        };
        if let Some(session) = self.session.take() {
            thread.send(Commit {
                session,
                batch: std::mem::take(&mut self.batch),
                read_set: std::mem::take(&mut self.read_set),
                current_at: self.cache.current_at(),
                stored: Box::new(stored),
            });
        }
        self.commit_thread = Some(thread);
        Ok(true)
    }

    /// Ends a transaction that wrote nothing.
    pub(crate) fn end(&mut self) {
        self.session.iter_mut().for_each(JournaledSession::end);
        self.cache.publish();
    }

    /// Rolls everything back; call after the commit in flight is concluded.
    pub(crate) fn rollback(&mut self) {
        self.start();
        self.session.iter_mut().for_each(JournaledSession::rollback);
        self.cache.invalidate();
    }

    /// Returns whether the transaction is still open: a full disk ends it.
    pub(crate) fn is_open(&self) -> bool {
        let session = self.session.as_ref().filter(|session| session.begun);
        session.is_none_or(|session| session.inner.is_open())
    }

    /// Reconnects after a commit of unknown outcome.
    pub(crate) fn reopen(&mut self) -> Result<(), Fault> {
        self.start();
        self.cache.clear();
        self.connection()?.reopen()
    }

    /// Loads documents by key, from the cache or the database.
    pub(crate) fn load(
        &mut self,
        kind: DocKind,
        keys: Vec<String>,
    ) -> Result<Vec<(String, Known)>, Fault> {
        let mut found = Vec::with_capacity(keys.len());
        let mut missing = Vec::new();
        for key in keys {
            match self.cached(kind, &key) {
                Some(known) => found.push((key, known)),
                None => missing.push(key),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        // where others write, each document read before the transaction shortens it
        let is_stale = self.cache.current_at().is_none() && !self.has_begun();
        let mut stored = if self.session.is_none() || is_stale && self.commits_beside() {
            self.load_beside(kind, &missing)?
        } else {
            document::load_committed(self.in_transaction()?, kind, &missing)?
        };
        for key in missing {
            let place = stored.iter().position(|stored| stored.key == key);
            let known = place.map(|place| Arc::new(stored.swap_remove(place)));
            self.note_read(kind, &key, &known);
            self.cache.set_stored(kind, key.clone(), known.clone());
            found.push((key, known));
        }
        Ok(found)
    }

    /// Returns a cached document or cached absence, unless it may be stale within the transaction.
    fn cached(&mut self, kind: DocKind, key: &str) -> Option<Known> {
        let known = self.cache.get(kind, key)?;
        if self.read_set.contains(kind, key) || self.batch.has_written(kind, key) {
            return Some(known);
        }
        if self.has_begun() {
            return Some(known).filter(|_| self.cache.current_at().is_some());
        }
        self.note_read(kind, key, &known);
        Some(known)
    }

    /// Adds a document to the read set, unless the transaction holds everything as it is.
    fn note_read(&mut self, kind: DocKind, key: &str, known: &Known) {
        if !self.has_begun() || self.cache.current_at().is_none() {
            self.read_set.insert(kind, key, version(known));
        }
    }

    /// Loads documents outside the cache before the transaction begins.
    fn load_beside(&mut self, kind: DocKind, keys: &[String]) -> Result<Vec<Stored>, Fault> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.database.reader()?),
        };
        reader.begin()?;
        let found = document::load(reader.as_mut(), kind, keys);
        reader.end();
        found
    }

    /// Loads documents by a condition on their columns, with every write of the batch sent.
    pub(crate) fn select(
        &mut self,
        kind: DocKind,
        condition: &str,
        params: &[Value<'_>],
    ) -> Result<Vec<Arc<Stored>>, Fault> {
        let mut found = document::select(self.flushed()?, kind, condition, params)?;
        for stored in &mut found {
            self.note_read(kind, &stored.key, &Some(Arc::clone(stored)));
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
        if let Some(session) = &mut self.session {
            let version = known.map_or(0, |stored| stored.version);
            session.inner.expect_version(kind, key, version);
        }
    }

    /// Adds a command's changes, its other writes, and its journal entry to the batch.
    pub(crate) fn add(
        &mut self,
        changes: Vec<ChangedDocument>,
        side: SideWrites,
        entry: Option<NewEntry>,
    ) {
        for changed in changes {
            let stored = Arc::clone(&changed.stored);
            self.cache
                .set(changed.kind, stored.key.clone(), Some(stored));
            self.batch.put(changed);
        }
        self.batch.add(side, entry);
        if let Some(session) = &mut self.session {
            session.inner.expect_at_commit();
        }
    }

    /// Sends the pending writes.
    fn flush(&mut self) -> Result<(), Fault> {
        self.in_transaction()?;
        let session = self.session.iter_mut();
        session
            .into_iter()
            .try_for_each(|session| session.send(&mut self.batch))
    }

    /// Returns the connection within the transaction, after sending all pending writes.
    pub(crate) fn flushed(&mut self) -> Result<&mut dyn Session, Fault> {
        self.flush()?;
        self.in_transaction()
    }
}

#[cfg(test)]
mod tests;
