//! Journal: an entry for each command, with every version of every document it changed.
//!
//! Each document row names the command that wrote it last, and each change names the command
//! before: [`history`](self::history()) walks these links. An entry also records the events sent
//! and the history deleted. Request, answer and changes are stored packed, in this order.
//!
//! # Invariants
//! - Entries are never rewritten, but for their free text by a [`redaction`].
//! - The [`hash`] of an entry covers all of it and the hash of the entry before in its chain. The
//!   numbers of a chain have no gap. SQLite has one chain, PostgreSQL one per writing connection.
//! - The changes of an entry are in the order of document kind and key, as written.

mod change;
pub mod delta;
pub mod hash;
mod pack;
pub mod redaction;
mod walk;
mod words;

use std::sync::{Arc, LazyLock};

use crate::domain::time::Instant;
use crate::store::dialect::{RowWrite, Write};
use crate::store::document::ChangedDocument;
use crate::store::fault::Fault;
use crate::store::value::Row;

use change::{Beside, REFERENCE, Records};
pub use change::{Change, Content, Redacted, recorded};
use pack::{Packer, Unpacker};
pub use walk::{AnsweredCommand, Version, committed_commands, find_command, find_commands, history, versions};

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
    /// Request as JSON.
    pub request: String,
    /// Answer as JSON, with references to bodies among the changes.
    pub answer: String,
    pub changes: Vec<Change>,
    /// Events sent: words and bodies.
    pub events: Vec<(String, String)>,
    /// Time before which runs and events were deleted, in milliseconds.
    pub forgets: Option<i64>,
    /// Texts of earlier entries that it redacted.
    pub redacts: Vec<Redacted>,
}

/// Columns of an entry, in the order read by [`Entry::from_row`].
pub const COLUMNS: &str = "seq, command, at, operator, station, request, answer, changes, chain, link, hash";

/// Selects the last number given to an entry, on a distributed server. Its coordinator alone is asked; the number moves a
/// moment before the entry's commit, and stays if it fails.
pub const LAST_NUMBER: &str = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM journal_seq_seq";

/// Insert of an entry; a command has one.
static INSERT: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = ["command", "at", "operator", "station", "request", "answer", "changes", "chain", "link", "hash"];
    RowWrite::insert("journal", &columns)
});

/// Entry of a command before it is linked to a chain.
pub struct NewEntry {
    pub command: String,
    /// Time, in milliseconds.
    pub at: i64,
    pub operator: String,
    pub station: String,
    /// Request as JSON.
    pub request: String,
    /// Answer as JSON.
    pub answer: String,
    pub changes: Vec<Arc<ChangedDocument>>,
    /// Events sent: words and bodies.
    pub events: Vec<(&'static str, String)>,
    /// Time before which runs and events are deleted.
    pub forgets: Option<Instant>,
    /// Texts of earlier entries that it redacts.
    pub redacts: Vec<Redacted>,
}

impl NewEntry {
    /// Packs the entry and links it after the newest one of a chain; returns its write and its hash.
    pub fn behind(self, (chain, link): (&str, i64), previous: &str) -> (Write, String) {
        let mut packer = Packer::new(self.at);
        let Self { command, at, operator, station, request, answer, changes, events, forgets, redacts } = self;
        let events = events.iter();
        let events: Vec<_> = events.map(|(word, body)| (*word, &**body)).collect();
        let beside = Beside { events: &events, forgets: forgets.map(Instant::millis), redacts: &redacts };
        let texts = [request, refer(&answer, &changes), change::spell(&changes, beside, at)];
        let [request, answer, changes] = texts.map(|text| packer.pack(&text));
        let texts = [&command, &operator, &station, &request, &answer, &changes];
        let hash = hash::of(chain, (link, at), &texts.map(String::as_str), previous);
        let write = Write {
            row: &INSERT,
            params: vec![
                command.into(),
                at.into(),
                operator.into(),
                station.into(),
                request.into(),
                answer.into(),
                changes.into(),
                chain.to_owned().into(),
                link.into(),
                hash.clone().into(),
            ],
        };
        (write, hash)
    }
}

/// Replaces a changed document that is the answer, or ends it, by a reference to the change.
fn refer(answer: &str, changes: &[Arc<ChangedDocument>]) -> String {
    for (change, number) in changes.iter().zip(0..) {
        for tail in ["", "}"] {
            let before = answer.strip_suffix(tail).and_then(|answer| answer.strip_suffix(change.stored.body.as_str()));
            if let Some(before) = before {
                return format!("{before}{REFERENCE}{number}{REFERENCE}{tail}");
            }
        }
    }
    answer.to_owned()
}

impl Entry {
    /// Parses a row of [`COLUMNS`].
    ///
    /// # Errors
    /// The entry cannot be read.
    pub fn from_row(mut row: Row) -> Result<Self, Fault> {
        let (command, at) = (row.take_text(1), row.int(2));
        let mut unpacker = Unpacker::new(at);
        let mut text = |column: usize| unpacker.unpack(row.text(column));
        let texts = (text(5), text(6), text(7));
        let (Some(request), Some(answer), Some(changes)) = texts else {
            return Err(broken(&command));
        };
        let records = Records::read(&changes).ok_or_else(|| broken(&command))?;
        Ok(Self {
            seq: row.int(0),
            at,
            operator: row.take_text(3),
            station: row.take_text(4),
            request,
            answer,
            changes: records.changes,
            events: records.events,
            forgets: records.forgets,
            redacts: records.redacts,
            command,
            chain: row.take_text(8),
            link: row.int(9),
            hash: row.take_text(10),
        })
    }

    /// Packs request, answer and changes, as they are stored.
    fn packed(&self) -> [String; 3] {
        let mut packer = Packer::new(self.at);
        let events = self.events.iter();
        let events: Vec<_> = events.map(|(word, body)| (&**word, &**body)).collect();
        let beside = Beside { events: &events, forgets: self.forgets, redacts: &self.redacts };
        let changes = change::spell_again(&self.changes, beside);
        [&self.request, &self.answer, &changes].map(|text| packer.pack(text))
    }

    /// Computes the hash of a row of [`COLUMNS`] from the hash of the entry before.
    pub fn hash_of(row: &Row, previous: &str) -> String {
        let texts = [1, 3, 4, 5, 6, 7].map(|column| row.text(column));
        hash::of(row.text(8), (row.int(9), row.int(2)), &texts, previous)
    }
}

fn broken(command: &str) -> Fault {
    Fault::Broken(format!("the journal's entry {command} cannot be read"))
}
