//! Replay of the journal in constant memory.

use std::collections::HashMap;

use crate::engine::Failure;
use crate::store::Sql;
use crate::store::document::DocKind;
use crate::store::journal::{Change, Entry, Version, hash, versions};

/// Buckets that documents are spread over.
const BUCKETS: usize = 4096;

/// Bytes of a generation of documents: 500 carts, or 12,000 rows of seats, whose histories are long.
const fn generation_bytes(kind: DocKind) -> usize {
    if matches!(kind, DocKind::Chunk) { 16 * 1024 * 1024 } else { 512 * 1024 }
}

/// Sums of document hashes, bucketed by a hash of the key: independent of the order of addition.
pub(super) struct Sums(Vec<u128>);

impl Default for Sums {
    fn default() -> Self {
        Self(vec![0; BUCKETS])
    }
}

impl Sums {
    /// Hash of a document with its version, recorded time, command and body.
    pub(super) fn digest(
        (kind, key): (DocKind, &str),
        (version, recorded_at): (i64, i64),
        (written_by, body): (&str, &str),
    ) -> u128 {
        hash::of_parts([version, recorded_at], [kind.word(), key, written_by, body])
    }

    pub(super) fn bucket((kind, key): (DocKind, &str)) -> usize {
        usize::try_from(hash::of_parts([], [kind.word(), key]) >> 116).unwrap_or_default()
    }

    pub(super) fn add(&mut self, document: (DocKind, &str), digest: u128) {
        if let Some(sum) = self.0.get_mut(Self::bucket(document)) {
            *sum = sum.wrapping_add(digest);
        }
    }

    fn replace(&mut self, document: (DocKind, &str), (old, new): (u128, u128)) {
        self.add(document, new.wrapping_sub(old));
    }

    /// Flags each bucket whose sums differ.
    pub(super) fn differing(&self, other: &Self) -> Vec<bool> {
        let sums = self.0.iter().zip(&other.0);
        sums.map(|(one, other)| one != other).collect()
    }
}

/// Document at an entry of the journal.
struct Made {
    /// Recorded time, in milliseconds.
    at: i64,
    digest: u128,
    body: String,
}

/// Document before its first version.
const NONE: Made = Made { at: i64::MIN, digest: 0, body: String::new() };

/// Recently changed documents of a kind, in two generations.
#[derive(Default)]
struct Recent {
    young: HashMap<String, Made>,
    young_bytes: usize,
    old: HashMap<String, Made>,
}

impl Recent {
    fn bytes(key: &str, document: &Made) -> usize {
        document.body.len() + key.len() + 150
    }

    fn take(&mut self, key: &str) -> Option<Made> {
        let Some(document) = self.young.remove(key) else {
            return self.old.remove(key);
        };
        self.young_bytes -= Self::bytes(key, &document);
        Some(document)
    }

    fn keep(&mut self, (kind, key): (DocKind, &str), document: Made) {
        self.young_bytes += Self::bytes(key, &document);
        self.young.insert(key.to_owned(), document);
        if self.young_bytes > generation_bytes(kind) {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

/// Replay of the journal entry by entry. Each kind has a memory of its own: many sales must not
/// push out the rows of seats, whose older versions take long to read back.
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
        for change in &entry.changes {
            let before = self.before(sql, change)?;
            let known = (!before.body.is_empty()).then_some(before.body.as_str());
            // a body that cannot be rebuilt makes the sums differ, and so is reported
            let body = change.content.body(known).unwrap_or_default();
            let at = before.at.max(entry.at);
            let document = (change.kind, change.key.as_str());
            let told = (entry.command.as_str(), body.as_str());
            let digest = Sums::digest(document, (change.version, at), told);
            self.sums.replace(document, (before.digest, digest));
            let made = Made { at, digest, body };
            let recent = self.recent.entry(change.kind).or_default();
            recent.keep(document, made);
        }
        Ok(())
    }

    /// Returns the document before a change, from memory or read back from the journal.
    fn before(&mut self, sql: &mut dyn Sql, change: &Change) -> Result<Made, Failure> {
        let recent = self.recent.entry(change.kind).or_default();
        if let Some(made) = recent.take(&change.key) {
            return Ok(made);
        }
        if change.version == 1 {
            return Ok(NONE);
        }
        let document = (change.kind, change.key.as_str());
        let from = (change.previous.as_str(), usize::MAX);
        let found = versions(sql, document, from)?;
        let at = latest(&found).unwrap_or(i64::MIN);
        let Some(last) = found.into_iter().next() else {
            return Ok(NONE);
        };
        let told = (change.previous.as_str(), last.body.as_str());
        Ok(Made { digest: Sums::digest(document, (last.number, at), told), at, body: last.body })
    }
}

/// Latest time of a document's versions.
pub(super) fn latest(versions: &[Version]) -> Option<i64> {
    versions.iter().map(|version| version.at).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::journal::Content;
    use crate::store::{Fault, Row, Value};

    /// A database that nothing is to be read back from.
    struct Unread;

    impl Sql for Unread {
        fn query(&mut self, sql: &str, _: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
            Err(Fault::Broken(sql.to_owned()))
        }
    }

    fn entry((kind, key, version): (DocKind, &str, i64), content: Content) -> Entry {
        let change = Change { kind, key: key.to_owned(), version, previous: String::new(), content };
        Entry {
            seq: 1,
            command: "command".to_owned(),
            at: 1,
            operator: String::new(),
            station: String::new(),
            chain: String::new(),
            link: 1,
            hash: String::new(),
            request: String::new(),
            answer: String::new(),
            changes: vec![change],
            events: Vec::new(),
            forgets: None,
            redacts: Vec::new(),
        }
    }

    /// Regression: each change of a row of seats read up to 32 entries back, because the sales
    /// between two of them filled the memory.
    #[test]
    fn a_row_of_seats_stays_in_memory_while_ten_thousand_receipts_are_made() {
        let (mut replay, body) = (Replay::default(), Content::Body("x".repeat(1000)));
        let mut follow = |document: (DocKind, &str, i64), content| {
            let followed = replay.follow(&mut Unread, &entry(document, content));
            assert!(followed.is_ok(), "{followed:?}");
        };
        follow((DocKind::Chunk, "row", 1), body.clone());
        for number in 0..10_000 {
            let key = format!("till-1/{number}");
            follow((DocKind::Receipt, &key, 1), body.clone());
        }
        follow((DocKind::Chunk, "row", 2), Content::Delta(String::new()));
    }
}
