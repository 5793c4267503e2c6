//! The journal: an entry for each command, with every version of every document that it changed.
//!
//! A row names the command that wrote it last, and each change the one before: a document's history is a walk by command
//! id, in [`history`](self::history()). What a command told is among its changes, so is what it forgot. Request,
//! answer and changes are stored packed, in this order.
//!
//! # Invariants
//! - Entries are never written anew; only `clock repair` moves the time at which one is shown.
//! - The [`hash`] of an entry covers all of it and the hash of the one before in its chain; a chain's numbers have no
//!   gap. A file has one chain, a server one for each connection that writes.
//! - The changes of an entry stand in the order in which documents are written.

mod change;
pub mod delta;
pub mod hash;
mod pack;
mod walk;
mod words;

use std::sync::LazyLock;

use crate::store::dialect::{RowWrite, Write};
use crate::store::document::{By, ChangedDocument};
use crate::store::job::Aside;
use crate::store::{Fault, Row};

pub use change::{Change, Content};
use change::{REFERENCE, Records};
use pack::{Packer, Unpacker};
pub use walk::{AnsweredCommand, Version, committed_commands, find_command, history, versions};

/// The name of a file's chain.
pub const ONLY_CHAIN: &str = "f";

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the journal.
    pub seq: i64,
    /// Its command.
    pub command: String,
    /// When, in milliseconds.
    pub at: i64,
    /// The time that it told before a repair of the clock.
    pub told_at: Option<i64>,
    /// Its operator.
    pub operator: String,
    /// Its station.
    pub station: String,
    /// Its chain.
    pub chain: String,
    /// Its number in the chain.
    pub link: i64,
    /// Its hash, as it is stored.
    pub hash: String,
    /// The request, as JSON.
    pub request: String,
    /// The answer as JSON, with references to bodies among the changes.
    pub answer: String,
    /// Changed documents.
    pub changes: Vec<Change>,
    /// Events that were told: their words and bodies.
    pub events: Vec<(String, String)>,
    /// The time before which runs and events were forgotten, in milliseconds.
    pub forgets: Option<i64>,
}

/// The columns of an entry, in the order that [`Entry::from_row`] reads them.
pub const COLUMNS: &str =
    "seq, command, at, told_at, operator, station, request, answer, changes, chain, link, hash";

/// Adds an entry; a command has one.
static INSERT: LazyLock<RowWrite> = LazyLock::new(|| {
    let columns = [
        "command", "at", "operator", "station", "request", "answer", "changes", "chain", "link",
        "hash",
    ];
    RowWrite::insert("journal", &columns)
});

/// A command's entry that is not in a chain yet.
pub struct NewEntry {
    /// The command.
    pub command: String,
    /// When, in milliseconds.
    pub at: i64,
    /// Its operator.
    pub operator: String,
    /// Its station.
    pub station: String,
    /// Request, answer and changes, packed.
    texts: [String; 3],
}

impl NewEntry {
    /// An entry with a request, its answer, the changes, and what was left beside them.
    #[must_use]
    pub fn of(
        by: By<'_>,
        (request, answer): (&str, &str),
        (changes, aside): (&[ChangedDocument], &Aside),
    ) -> Self {
        let mut packer = Packer::new(by.at);
        let texts = [
            request,
            &refer(answer, changes),
            &change::spell(changes, aside),
        ];
        Self {
            command: by.command.to_owned(),
            at: by.at,
            operator: by.operator.to_owned(),
            station: by.station.to_owned(),
            texts: texts.map(|text| packer.pack(text)),
        }
    }

    /// Its write behind the newest entry of a chain, and its hash.
    #[must_use]
    pub fn behind(self, (chain, link): (&str, i64), previous: &str) -> (Write, String) {
        let Self {
            command,
            at,
            operator,
            station,
            texts: [request, answer, changes],
        } = self;
        let texts = [&command, &operator, &station, &request, &answer, &changes];
        let hash = hash::of((chain, link, at), &texts.map(String::as_str), previous);
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

/// An answer with the changed document that it is, or ends with, replaced by a reference to the change.
fn refer(answer: &str, changes: &[ChangedDocument]) -> String {
    for (change, number) in changes.iter().zip(0..) {
        for tail in ["", "}"] {
            let before = answer
                .strip_suffix(tail)
                .and_then(|answer| answer.strip_suffix(change.stored.body.as_str()));
            if let Some(before) = before {
                return format!("{before}{REFERENCE}{number}{REFERENCE}{tail}");
            }
        }
    }
    answer.to_owned()
}

impl Entry {
    /// From a row of [`COLUMNS`].
    ///
    /// # Errors
    /// An entry that this program cannot read.
    pub fn from_row(mut row: Row) -> Result<Self, Fault> {
        let (command, at) = (row.take_text(1), row.int(2));
        let told_at = row.whole(3);
        let mut unpacker = Unpacker::new(told_at.unwrap_or(at));
        let mut text = |column: usize| unpacker.unpack(row.text(column));
        let texts = (text(6), text(7), text(8));
        let (Some(request), Some(answer), Some(changes)) = texts else {
            return Err(broken(&command));
        };
        let records = Records::read(&changes).ok_or_else(|| broken(&command))?;
        Ok(Self {
            seq: row.int(0),
            at,
            told_at,
            operator: row.take_text(4),
            station: row.take_text(5),
            request,
            answer,
            changes: records.changes,
            events: records.events,
            forgets: records.forgets,
            command,
            chain: row.take_text(9),
            link: row.int(10),
            hash: row.take_text(11),
        })
    }

    /// The hash that a row of [`COLUMNS`] should have behind an entry with another.
    #[must_use]
    pub fn hash_of(row: &Row, previous: &str) -> String {
        let at = row.whole(3).unwrap_or_else(|| row.int(2));
        let texts = [1, 4, 5, 6, 7, 8].map(|column| row.text(column));
        hash::of((row.text(9), row.int(10), at), &texts, previous)
    }
}

fn broken(command: &str) -> Fault {
    Fault::Broken(format!("the journal's entry {command} cannot be read"))
}
