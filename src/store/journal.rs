//! Journal: an entry for each command, with every version of every document it changed.
//!
//! Each document row names the command that wrote it last, and each change names the command
//! before: [`history`](self::history()) walks these links. An entry also records the events sent
//! and the history deleted. What it says is one text, stored packed.
//!
//! # Invariants
//! - Entries are never rewritten. Private texts are in none: a change has the hash of the words of its document, whose salt
//!   is in that document's row alone.
//! - The [`hash`] of an entry covers all of it and the hash of the entry before in its chain. The
//!   numbers of a chain have no gap. SQLite has one chain, PostgreSQL one per writing connection.
//! - The changes of an entry are in the order of document kind and key, as written.

pub mod hash;
pub mod moved;
mod pack;
mod said;
mod walk;

use std::sync::LazyLock;

use crate::store::dialect::{RowWrite, Write};
use crate::store::fault::Fault;
use crate::store::value::Row;

pub use said::{Change, Said, hash_of_words};
pub use walk::{AnsweredCommand, Version, committed_commands, entry, find_command, find_commands, history, versions};

/// Name of the chain of an SQLite file.
pub const ONLY_CHAIN: &str = "f";

/// Parsed entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the journal.
    pub seq: i64,
    pub command: String,
    /// Time, in milliseconds.
    pub at: i64,
    pub operator: String,
    pub station: String,
    pub chain: String,
    /// Number in the chain.
    pub link: i64,
    /// Hash as stored.
    pub hash: String,
    pub said: Said,
}

/// Columns of an entry, in the order read by [`Entry::from_row`].
pub const COLUMNS: &str = "seq, command, at, operator, station, chain, link, hash, said";

/// Selects the last number given to an entry, on a distributed server. Its coordinator alone is asked; the number moves a
/// moment before the entry's commit, and stays if it fails.
pub const LAST_NUMBER: &str = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM journal_seq_seq";

/// Insert of an entry; a command has one.
static INSERT: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = ["command", "at", "operator", "station", "chain", "link", "hash", "said"];
    RowWrite::insert("journal", &columns)
});

/// Entry of a command before it is linked to a chain.
pub struct NewEntry {
    pub command: String,
    /// Time, in milliseconds.
    pub at: i64,
    pub operator: String,
    pub station: String,
    pub said: Said,
}

impl NewEntry {
    /// Packs the entry and links it after the newest one of a chain; returns its write and its hash.
    pub fn behind(self, (chain, link): (&str, i64), previous: &str) -> (Write, String) {
        let Self { command, at, operator, station, said } = self;
        let said = pack::pack(&said.spell());
        let hash = hash::of(chain, (link, at), (&[&command, &operator, &station], &said), previous);
        let write = Write {
            row: &INSERT,
            params: vec![
                command.into(),
                at.into(),
                operator.into(),
                station.into(),
                chain.to_owned().into(),
                link.into(),
                hash.clone().into(),
                said.into(),
            ],
        };
        (write, hash)
    }
}

impl Entry {
    /// Parses a row of [`COLUMNS`].
    ///
    /// # Errors
    /// The entry cannot be read.
    pub fn from_row(mut row: Row) -> Result<Self, Fault> {
        let command = row.take_text(1);
        let said = pack::unpack(row.bytes(8)).and_then(|said| Said::read(&said));
        let said = said.ok_or_else(|| Fault::Broken(format!("the journal's entry {command} cannot be read")))?;
        Ok(Self {
            seq: row.int(0),
            command,
            at: row.int(2),
            operator: row.take_text(3),
            station: row.take_text(4),
            chain: row.take_text(5),
            link: row.int(6),
            hash: row.take_text(7),
            said,
        })
    }

    /// Returns whether it is of a verb.
    pub fn is_of(&self, verb: &str) -> bool {
        let request = self.said.request.strip_prefix("{\"").and_then(|request| request.strip_prefix(verb));
        request.is_some_and(|rest| rest.starts_with("\":"))
    }

    /// Computes the hash of a row of [`COLUMNS`] from the hash of the entry before.
    pub fn hash_of(row: &Row, previous: &str) -> String {
        let texts = [row.text(1), row.text(3), row.text(4)];
        hash::of(row.text(5), (row.int(6), row.int(2)), (&texts, row.bytes(8)), previous)
    }
}
