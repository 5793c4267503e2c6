//! Journal chain that a writer continues.

use std::sync::Arc;

use crate::engine::machine::cache::Known;
use crate::store::dialect::Write;
use crate::store::document::{self, By, ChangedDocument, DocKind, spell};
use crate::store::journal::{NewEntry, ONLY_CHAIN};
use crate::store::kinds::Chain;
use crate::store::{Fault, Session};

/// Name of a journal chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChainName {
    /// The one chain of a file, whose writers take turns.
    Only,
    /// Chain of one writing connection among several, so that none waits for another.
    Numbered(usize),
    /// Chain of a connection that has written.
    Named(String),
}

impl ChainName {
    /// Name for the chain of a writer, by number.
    pub(crate) const fn of_writer(number: usize, writers: usize) -> Self {
        if writers > 1 { Self::Numbered(number) } else { Self::Only }
    }

    /// Returns the name; a numbered chain takes the first station that writes.
    fn of(&mut self, station: &str) -> String {
        if let Self::Numbered(number) = self {
            *self = Self::Named(format!("{station}/{number}"));
        }
        match self {
            Self::Named(name) => name.clone(),
            Self::Only | Self::Numbered(_) => ONLY_CHAIN.to_owned(),
        }
    }
}

/// Chain of a connection, with its newest state.
pub(super) struct ChainHead {
    name: ChainName,
    /// State as written last; `None` if it is to be read, because another connection may have continued the chain.
    newest: Known,
}

impl ChainHead {
    pub(super) const fn new(name: ChainName) -> Self {
        Self { name, newest: None }
    }

    /// Reads the state anew with the next entries.
    pub(super) fn forget(&mut self) {
        self.newest = None;
    }

    /// Notes that another connection has committed; it continues the only chain, but none that has a name.
    pub(super) fn note_foreign_commit(&mut self) {
        if self.name == ChainName::Only {
            self.forget();
        }
    }

    /// Links entries behind the newest of the chain; returns the writes of its next state and of the entries.
    pub(super) fn link(&mut self, session: &mut dyn Session, entries: Vec<NewEntry>) -> Result<Vec<Write>, Fault> {
        let Some(last) = entries.last() else {
            return Ok(Vec::new());
        };
        let command = last.command.clone();
        let at = entries.iter().map(|entry| entry.at).max();
        let name = self.name.of(&last.station);
        let before = match self.newest.take() {
            Some(newest) => Some(newest),
            None => document::load_committed(session, DocKind::Chain, std::slice::from_ref(&name))?.pop().map(Arc::new),
        };
        let mut head = match &before {
            Some(stored) => stored.parse()?,
            None => Chain { name, hash: String::new() },
        };
        let version = before.as_ref().map_or(0, |stored| stored.version);
        let mut link = version;
        let mut writes = Vec::with_capacity(entries.len() + 1);
        for entry in entries {
            link += 1;
            let (write, hash) = entry.behind((&head.name, link), &head.hash);
            writes.push(write);
            head.hash = hash;
        }
        let by = By { command: &command, at: at.unwrap_or_default(), operator: "", station: "" };
        let placed = (head.name.clone(), spell(&head, None)?);
        let changed = ChangedDocument::of(&head, placed, before, by).at_version(link);
        writes.insert(0, changed.write_over(version, by.at));
        self.newest = Some(changed.stored);
        Ok(writes)
    }
}
