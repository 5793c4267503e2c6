//! What a writer works with between commands: a connection with what it has read, and the commands of a batch.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant as Moment;

use crate::domain::ids::CommandId;
use crate::domain::refusal::Refusal;
use crate::engine::cache::{Cache, Common};
use crate::engine::work::Failure;
use crate::engine::writer::Command;
use crate::store::document::{Done, find_command, look_up_commands};
use crate::store::{Fault, Session};

/// How many transactions take one command each after another writer was met.
const CAREFUL_FOR: u32 = 64;

/// A command of a batch with what became of it.
pub(super) struct Entry {
    pub(super) command: Box<dyn Command>,
    pub(super) failure: Option<Failure>,
    pub(super) written: bool,
    /// Whether a commit of it went without an answer.
    pub(super) unsure: bool,
    /// Whether it ran and had nothing to write.
    pub(super) unwritten: bool,
}

impl Entry {
    pub(super) fn new(command: Box<dyn Command>) -> Self {
        Self {
            command,
            failure: None,
            written: false,
            unsure: false,
            unwritten: false,
        }
    }

    fn answer_again(&mut self, done: &Done) {
        self.failure = if done.request == self.command.request() {
            self.command.replay(&done.answer).err()
        } else {
            let command = done.command.clone();
            Some(Refusal::CommandReused { command }.into())
        };
    }
}

/// A connection with what it has read.
pub(super) struct Open {
    pub(super) session: Box<dyn Session>,
    pub(super) cache: Cache,
    /// Since when the database is away.
    pub(super) away: Option<Moment>,
    /// How many more transactions take one command each, since another writer was met.
    careful: u32,
}

impl Open {
    pub(super) fn new(session: Box<dyn Session>, common: &Arc<Common>) -> Self {
        Self {
            session,
            cache: Cache::new(Arc::clone(common)),
            away: None,
            careful: 0,
        }
    }

    /// How many commands the next transaction takes: few while others want the same, for all of them run again.
    pub(super) const fn take_room(&mut self, batch_max: usize) -> usize {
        if self.careful == 0 {
            return batch_max;
        }
        self.careful -= 1;
        1
    }

    /// A commit that met another writer.
    pub(super) fn met(&mut self, fault: &Fault) {
        if *fault == Fault::Contended {
            self.careful = CAREFUL_FOR;
        }
    }

    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        self.session.begin()?;
        self.cache.fresh(self.session.pulse()?);
        Ok(())
    }

    /// Begins with what was read ahead, where the database lets it.
    pub(super) fn begin_ahead(&mut self) -> Result<(), Fault> {
        self.begin()?;
        if self.session.read_ahead() {
            self.cache.take_from_common();
        }
        Ok(())
    }

    /// After a commit of unknown fate: what was read and written by it is not known any more.
    pub(super) fn reopen(&mut self) -> Result<(), Fault> {
        self.cache.doubt();
        self.session.reopen()
    }

    /// Whether the command was done before; then it has its answer again, or the refusal that its id is taken.
    pub(super) fn find_again(&mut self, entry: &mut Entry) -> Result<bool, Fault> {
        let found = find_command(self.session.as_mut(), &entry.command.id().to_string())?;
        if let Some(done) = &found {
            entry.answer_again(done);
        }
        Ok(found.is_some())
    }

    /// Looks whether commands that wrote nothing were done before; then their answers are those of then.
    pub(super) fn answer_again(&mut self, entries: &mut [Entry]) -> Result<(), Fault> {
        let ids = |entries: &[Entry], of: fn(&Entry) -> bool| -> Vec<CommandId> {
            let of = entries.iter().filter(|entry| of(entry));
            of.map(|entry| entry.command.id()).collect()
        };
        let asked: Vec<String> = ids(entries, |entry| entry.unwritten)
            .iter()
            .map(CommandId::to_string)
            .collect();
        if asked.is_empty() {
            return Ok(());
        }
        let here: HashSet<CommandId> = ids(entries, |entry| entry.written).into_iter().collect();
        let before = look_up_commands(self.session.as_mut(), &asked)?;
        for entry in entries.iter_mut().filter(|entry| entry.unwritten) {
            // one that was sent twice may have been done in this very batch
            if here.contains(&entry.command.id()) {
                self.find_again(entry)?;
                continue;
            }
            let id = entry.command.id().to_string();
            if let Some(done) = before.iter().find(|done| done.command == id) {
                entry.answer_again(done);
            }
        }
        Ok(())
    }
}
