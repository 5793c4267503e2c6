//! A writer's transaction: a connection, the documents that it knows, and the writes of the batch.
//!
//! Commands of a batch read through the cache and leave their changes in the [`Batch`]. A document that several commands
//! changed is written once, at its last version; the journal has an entry of each. A query sends what is pending first,
//! so that it sees the commands before it.

mod batch;

use std::sync::Arc;

use crate::engine::cache::{Cache, Known, SharedCache};
use crate::store::dialect::Write;
use crate::store::document::{self, Changed, DocKind, Stored};
use crate::store::{Fault, Session};

use batch::Batch;
pub(crate) use batch::Beside;

/// A connection with its cache and the batch that is pending.
pub(crate) struct Transaction {
    session: Box<dyn Session>,
    cache: Cache,
    batch: Batch,
}

impl Transaction {
    pub(crate) fn new(session: Box<dyn Session>, shared: &Arc<SharedCache>) -> Self {
        Self {
            session,
            cache: Cache::new(Arc::clone(shared)),
            batch: Batch::default(),
        }
    }

    /// Begins with all reads in the transaction.
    pub(crate) fn begin(&mut self) -> Result<(), Fault> {
        self.batch = Batch::default();
        self.session.begin()?;
        self.cache.sync(self.session.change_counter()?);
        Ok(())
    }

    /// Begins with reads ahead of the transaction, where the database allows them.
    pub(crate) fn begin_optimistic(&mut self) -> Result<(), Fault> {
        self.begin()?;
        if self.session.read_optimistically() {
            self.cache.take_shared();
        }
        Ok(())
    }

    /// Commits the batch.
    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        let committed = self.flush().and_then(|()| self.session.commit());
        match &committed {
            Ok(()) => self.cache.publish(),
            // of a commit of unknown fate the versions are unknown too
            Err(_) => self.cache.invalidate(),
        }
        committed
    }

    /// Ends a transaction that wrote nothing.
    pub(crate) fn end(&mut self) {
        self.session.rollback();
        self.cache.publish();
    }

    /// Takes everything back.
    pub(crate) fn rollback(&mut self) {
        self.batch = Batch::default();
        self.session.rollback();
        self.cache.invalidate();
    }

    /// Whether the transaction still stands: a full disk ends it.
    pub(crate) fn is_open(&self) -> bool {
        self.session.is_open()
    }

    /// Opens the connection anew after a commit of unknown fate.
    pub(crate) fn reopen(&mut self) -> Result<(), Fault> {
        self.batch = Batch::default();
        self.cache.invalidate();
        self.session.reopen()
    }

    /// Documents by key, from the cache or the database.
    pub(crate) fn load(
        &mut self,
        kind: DocKind,
        keys: Vec<String>,
    ) -> Result<Vec<(String, Known)>, Fault> {
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
        let mut stored = document::load_committed(self.session.as_mut(), kind, &missing)?;
        for key in missing {
            let place = stored.iter().position(|stored| stored.key == key);
            let known = place.map(|place| Arc::new(stored.swap_remove(place)));
            self.cache.set(kind, key.clone(), known.clone());
            found.push((key, known));
        }
        Ok(found)
    }

    /// Adds a loaded version to the read set, unless this transaction wrote it.
    pub(crate) fn expect(&mut self, kind: DocKind, key: &str, known: Option<&Stored>) {
        if !self.batch.has_written(kind, key) {
            let version = known.map_or(0, |stored| stored.version);
            self.session.expect_version(kind, key, version);
        }
    }

    /// Adds a command's changes, its writes beside the documents, and its entry of the journal to the batch.
    pub(crate) fn add(&mut self, changes: Vec<Changed>, beside: Beside, entry: Option<Write>) {
        for changed in changes {
            let stored = Arc::clone(&changed.stored);
            self.cache
                .set(changed.kind, stored.key.clone(), Some(stored));
            self.batch.put(changed);
        }
        self.batch.add(beside, entry);
        if let Some(session) = &mut self.session {
            session.expect_at_commit();
        }
    }

    /// Sends what is pending to the connection.
    fn flush(&mut self) -> Result<(), Fault> {
        let writes = self.batch.take();
        if writes.is_empty() {
            return Ok(());
        }
        self.session.write(writes)
    }

    /// The connection, with every write of the batch sent.
    pub(crate) fn session(&mut self) -> Result<&mut dyn Session, Fault> {
        self.flush()?;
        Ok(self.session.as_mut())
    }

    /// The connection as it is, for committed rows that the batch does not write.
    pub(crate) fn committed(&mut self) -> &mut dyn Session {
        self.session.as_mut()
    }
}
