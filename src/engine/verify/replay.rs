//! Replay of the journal in constant memory.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::document::DocKind;
use crate::store::journal::{Change, Entry, versions};

/// Buckets that documents are spread over.
const BUCKETS: usize = 4096;

/// Bytes of bodies in a generation of documents: about 2,000 carts with their receipts and rows.
const GENERATION_BYTES: usize = 4 * 1024 * 1024;

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
        let mut hasher = Sha256::new();
        hasher.update(version.to_be_bytes());
        hasher.update(recorded_at.to_be_bytes());
        for text in [kind.word(), key, written_by, body] {
            hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(text);
        }
        first(hasher)
    }

    pub(super) fn bucket((kind, key): (DocKind, &str)) -> usize {
        let mut hasher = Sha256::new();
        hasher.update(kind.word());
        hasher.update(key);
        usize::try_from(first(hasher) >> 116).unwrap_or_default()
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

fn first(hasher: Sha256) -> u128 {
    let bytes = hasher.finalize();
    let first = bytes.iter().take(16);
    first.fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

/// Replayed state of a document.
#[derive(Clone, Debug, Default)]
struct Made {
    version: i64,
    /// Latest time of its changes, in milliseconds.
    at: i64,
    body: String,
    digest: u128,
}

/// Recently changed documents.
type Generation = HashMap<(DocKind, String), Made>;

/// Replay of the journal entry by entry, with two generations of documents in memory.
#[derive(Default)]
pub(super) struct Replay {
    /// Sums over all replayed documents.
    pub(super) sums: Sums,
    young: Generation,
    young_bytes: usize,
    old: Generation,
}

impl Replay {
    /// Applies the changes of an entry.
    ///
    /// # Errors
    /// A fault of the store.
    pub(super) fn follow(
        &mut self,
        snapshot: &mut Snapshot<'_>,
        entry: &Entry,
    ) -> Result<(), Failure> {
        for change in &entry.changes {
            let before = self.before(snapshot, change)?;
            let known = (before.version > 0).then_some(before.body.as_str());
            // a body that cannot be rebuilt makes the sums differ, and so is reported
            let body = change.content.body(known).unwrap_or_default();
            let at = before.at.max(entry.at);
            let document = (change.kind, change.key.as_str());
            let told = (entry.command.as_str(), body.as_str());
            let digest = Sums::digest(document, (change.version, at), told);
            self.sums.replace(document, (before.digest, digest));
            let version = change.version;
            let made = Made {
                version,
                at,
                body,
                digest,
            };
            self.keep((change.kind, change.key.clone()), made);
        }
        Ok(())
    }

    /// Returns the document before a change: from memory, or read back from the journal.
    fn before(&mut self, snapshot: &mut Snapshot<'_>, change: &Change) -> Result<Made, Failure> {
        let place = (change.kind, change.key.clone());
        if let Some(made) = self
            .young
            .remove(&place)
            .or_else(|| self.old.remove(&place))
        {
            return Ok(made);
        }
        if change.version == 1 {
            return Ok(Made {
                at: i64::MIN,
                ..Made::default()
            });
        }
        let document = (change.kind, change.key.as_str());
        let from = (change.previous.as_str(), usize::MAX);
        let found = versions(snapshot.sql(), document, from)?;
        let at = found.iter().map(|version| version.at).max();
        let Some(last) = found.into_iter().next() else {
            return Ok(Made {
                at: i64::MIN,
                ..Made::default()
            });
        };
        let at = at.unwrap_or(i64::MIN);
        let told = (change.previous.as_str(), last.body.as_str());
        Ok(Made {
            digest: Sums::digest(document, (last.number, at), told),
            version: last.number,
            at,
            body: last.body,
        })
    }

    fn keep(&mut self, place: (DocKind, String), made: Made) {
        self.young_bytes += made.body.len() + place.1.len() + 150;
        self.young.insert(place, made);
        if self.young_bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}
