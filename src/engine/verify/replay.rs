//! Replay of the journal in constant memory.

use std::collections::HashMap;

use crate::engine::Failure;
use crate::store::Sql;
use crate::store::document::DocKind;
use crate::store::journal::{Change, Entry, hash, versions};

/// Buckets that documents are spread over.
const BUCKETS: usize = 4096;

/// Documents of a generation.
const GENERATION: usize = 50_000;

/// Sums of document hashes, bucketed by a hash of the key: independent of the order of addition.
pub(super) struct Sums(Vec<u128>);

impl Default for Sums {
    fn default() -> Self {
        Self(vec![0; BUCKETS])
    }
}

impl Sums {
    /// Hash of a document with its version, recorded time, command, body and hash of its words.
    pub(super) fn digest(change: &Change, written_by: &str) -> u128 {
        let Change { kind, key, version, recorded_at, previous: _, words, body } = change;
        hash::of_parts([*version, *recorded_at], [kind.word(), key, written_by, words, body])
    }

    pub(super) fn bucket((kind, key): (DocKind, &str)) -> usize {
        usize::try_from(hash::of_parts([], [kind.word(), key]) >> 116).unwrap_or_default()
    }

    pub(super) fn add(&mut self, document: (DocKind, &str), digest: u128) {
        if let Some(sum) = self.0.get_mut(Self::bucket(document)) {
            *sum = sum.wrapping_add(digest);
        }
    }

    /// Flags each bucket whose sums differ.
    pub(super) fn differing(&self, other: &Self) -> Vec<bool> {
        let sums = self.0.iter().zip(&other.0);
        sums.map(|(one, other)| one != other).collect()
    }
}

/// Hashes of recently changed documents of a kind, in two generations.
#[derive(Default)]
struct Recent {
    young: HashMap<String, u128>,
    old: HashMap<String, u128>,
}

impl Recent {
    fn take(&mut self, key: &str) -> Option<u128> {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    fn keep(&mut self, key: &str, digest: u128) {
        self.young.insert(key.to_owned(), digest);
        if self.young.len() > GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

/// Replay of the journal entry by entry. Each kind has a memory of its own: many sales must not
/// push out the rows of seats, which would have to be read back again and again.
#[derive(Default)]
pub(super) struct Replay {
    /// Sums over all replayed documents.
    pub(super) sums: Sums,
    recent: HashMap<DocKind, Recent>,
}

impl Replay {
    /// Applies the changes of an entry.
    ///
    /// # Errors
    /// A fault of the store.
    pub(super) fn follow(&mut self, sql: &mut dyn Sql, entry: &Entry) -> Result<(), Failure> {
        for change in &entry.said.changes {
            let document = (change.kind, change.key.as_str());
            let before = self.before(sql, change)?;
            let digest = Sums::digest(change, &entry.command);
            self.sums.add(document, digest.wrapping_sub(before));
            self.recent.entry(change.kind).or_default().keep(&change.key, digest);
        }
        Ok(())
    }

    /// Returns the hash of a document before a change, from memory or read back from the journal; 0 before its first version.
    fn before(&mut self, sql: &mut dyn Sql, change: &Change) -> Result<u128, Failure> {
        if let Some(digest) = self.recent.entry(change.kind).or_default().take(&change.key) {
            return Ok(digest);
        }
        let found = versions(sql, (change.kind, &change.key), (&change.previous, 1))?;
        Ok(found.first().map_or(0, |before| Sums::digest(&before.change, &before.command)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::journal::Said;
    use crate::store::{Fault, Row, Value};

    /// A database that nothing is to be read back from.
    struct Unread;

    impl Sql for Unread {
        fn query(&mut self, sql: &str, _: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
            Err(Fault::Broken(sql.to_owned()))
        }
    }

    fn entry(kind: DocKind, key: &str, (version, previous): (i64, &str)) -> Entry {
        let change = Change {
            kind,
            key: key.to_owned(),
            version,
            recorded_at: 1,
            previous: previous.to_owned(),
            words: String::new(),
            body: "{}".to_owned(),
        };
        Entry {
            seq: 1,
            command: "command".to_owned(),
            at: 1,
            operator: String::new(),
            station: String::new(),
            chain: String::new(),
            link: 1,
            hash: String::new(),
            said: Said { changes: vec![change], ..Said::default() },
        }
    }

    /// Regression: each change of a row of seats was read back, because the sales between two of them filled the memory.
    #[test]
    fn a_row_of_seats_stays_in_memory_while_many_receipts_are_made() {
        let mut replay = Replay::default();
        let mut follow = |entry: &Entry| {
            let followed = replay.follow(&mut Unread, entry);
            assert!(followed.is_ok(), "{followed:?}");
        };
        follow(&entry(DocKind::Chunk, "row", (1, "")));
        for number in 0..3 * GENERATION {
            follow(&entry(DocKind::Receipt, &format!("till-1/{number}"), (1, "")));
        }
        follow(&entry(DocKind::Chunk, "row", (2, "command")));
    }
}
