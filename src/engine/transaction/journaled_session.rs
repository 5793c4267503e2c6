//! Session of a writer that links journal entries to their chain.

use std::sync::Arc;

use crate::engine::cache::Known;
use crate::engine::transaction::ChainName;
use crate::engine::transaction::batch::Batch;
use crate::engine::transaction::read_set::ReadSet;
use crate::store::dialect::Write;
use crate::store::document::{self, ChangedDocument, DocKind, spell};
use crate::store::journal::NewEntry;
use crate::store::kinds::Chain;
use crate::store::{Fault, Session};

/// Session with the end of its journal chain.
pub(super) struct JournaledSession {
    pub(super) inner: Box<dyn Session>,
    chain: ChainName,
    /// End of the chain as stored; `None` if it has to be read.
    end: Option<Known>,
    /// Change counter at the last begin.
    pub(super) changes: i64,
    /// A transaction has begun.
    pub(super) begun: bool,
}

impl JournaledSession {
    pub(super) const fn new(inner: Box<dyn Session>, chain: ChainName) -> Self {
        Self {
            inner,
            chain,
            end: None,
            changes: 0,
            begun: false,
        }
    }

    /// Begins a transaction.
    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        self.inner.begin()?;
        self.begun = true;
        let changes = self.inner.change_counter()?;
        if changes != self.changes {
            // on a file the others continue the same chain
            self.end.take_if(|_| self.chain == ChainName::Only);
        }
        self.changes = changes;
        Ok(())
    }

    /// Begins the transaction of decisions made on documents that were current at a change counter, if at all.
    ///
    /// # Errors
    /// [`Fault::Contended`] if one of them has changed.
    pub(super) fn begin_after(
        &mut self,
        read_set: &ReadSet,
        current_at: Option<i64>,
    ) -> Result<(), Fault> {
        self.begin()?;
        if current_at == Some(self.changes) {
            return Ok(());
        }
        read_set.check(self.inner.as_mut())
    }

    /// Sends the pending writes of a batch, the journal last.
    pub(super) fn send(&mut self, batch: &mut Batch) -> Result<(), Fault> {
        let (mut writes, entries) = batch.take();
        self.link(entries, &mut writes)?;
        if writes.is_empty() {
            return Ok(());
        }
        self.inner.write(writes)
    }

    /// Links entries after the end of the chain, and adds their writes and that of the new end.
    fn link(&mut self, entries: Vec<NewEntry>, writes: &mut Vec<Write>) -> Result<(), Fault> {
        let Some(last) = entries.last() else {
            return Ok(());
        };
        let (name, command) = (self.chain.of(&last.station), last.command.clone());
        let before = match self.end.take() {
            Some(end) => end,
            None => self.stored_end(&name)?,
        };
        let end = before.as_ref().map(|stored| stored.parse::<Chain>());
        let mut hash = end.transpose()?.map(|end| end.hash).unwrap_or_default();
        let version = before.as_ref().map_or(0, |stored| stored.version);
        let (mut link, mut at) = (version, i64::MIN);
        let mut linked = Vec::with_capacity(entries.len());
        for entry in entries {
            link += 1;
            at = at.max(entry.at);
            let (write, next) = entry.behind((&name, link), &hash);
            hash = next;
            linked.push(write);
        }
        let end = Chain { name, hash };
        let by = document::By {
            command: &command,
            at,
            operator: "",
            station: "",
        };
        let placed = (end.name.clone(), spell(&end)?);
        let changed = ChangedDocument::of(&end, placed, before, by).at_version(link);
        writes.push(changed.write_over(version, at));
        writes.append(&mut linked);
        self.end = Some(Some(changed.stored));
        Ok(())
    }

    fn stored_end(&mut self, name: &str) -> Result<Known, Fault> {
        let key = [name.to_owned()];
        let mut found = document::load_committed(self.inner.as_mut(), DocKind::Chain, &key)?;
        Ok(found.pop().map(Arc::new))
    }

    pub(super) fn commit(&mut self) -> Result<(), Fault> {
        self.inner.commit()?;
        self.begun = false;
        Ok(())
    }

    /// Ends a transaction that wrote nothing.
    pub(super) fn end(&mut self) {
        if self.begun {
            self.inner.rollback();
        }
        self.begun = false;
    }

    pub(super) fn rollback(&mut self) {
        self.inner.rollback();
        self.begun = false;
        self.end = None;
    }

    /// Reconnects after a commit of unknown outcome.
    pub(super) fn reopen(&mut self) -> Result<(), Fault> {
        self.begun = false;
        self.end = None;
        self.inner.reopen()
    }
}
