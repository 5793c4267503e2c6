//! Replay of the journal in constant memory.

use std::collections::HashMap;

use crate::engine::Failure;
use crate::store::Sql;
use crate::store::document::DocKind;
use crate::store::journal::archive::{self, ArchivedDocument};
use crate::store::journal::{Change, Entry, Version, hash, versions};

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

/// Document before its first version.
const NONE: ArchivedDocument = ArchivedDocument {
    at: i64::MIN,
    digest: 0,
    body: String::new(),
};

/// Recently changed documents.
type Generation = HashMap<(DocKind, String), ArchivedDocument>;

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
            let made = ArchivedDocument { at, digest, body };
            self.keep((change.kind, change.key.clone()), made);
        }
        Ok(())
    }

    /// Returns a document that the last entries changed, without its body.
    pub(super) fn made(&self, (kind, key): (DocKind, &str)) -> Option<ArchivedDocument> {
        let place = (kind, key.to_owned());
        let made = self.young.get(&place).or_else(|| self.old.get(&place))?;
        let (at, digest, body) = (made.at, made.digest, String::new());
        Some(ArchivedDocument { at, digest, body })
    }

    /// Returns the document before a change: from memory, read back from the journal, or as the
    /// last archived entry left it.
    pub(super) fn before(
        &mut self,
        sql: &mut dyn Sql,
        change: &Change,
    ) -> Result<ArchivedDocument, Failure> {
        let place = (change.kind, change.key.clone());
        let known = self.young.remove(&place);
        if let Some(made) = known.or_else(|| self.old.remove(&place)) {
            return Ok(made);
        }
        if change.version == 1 {
            return Ok(NONE);
        }
        let document = (change.kind, change.key.as_str());
        let from = (change.previous.as_str(), usize::MAX);
        let found = versions(sql, document, from)?;
        let at = latest(sql, document, &found)?.unwrap_or(i64::MIN);
        let Some(last) = found.into_iter().next() else {
            return Ok(archive::find(sql, document)?.unwrap_or(NONE));
        };
        let told = (change.previous.as_str(), last.body.as_str());
        Ok(ArchivedDocument {
            digest: Sums::digest(document, (last.number, at), told),
            at,
            body: last.body,
        })
    }

    fn keep(&mut self, place: (DocKind, String), made: ArchivedDocument) {
        self.young_bytes += made.body.len() + place.1.len() + 150;
        self.young.insert(place, made);
        if self.young_bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

/// Latest time of a document's versions, those that are archived included.
pub(super) fn latest(
    sql: &mut dyn Sql,
    document: (DocKind, &str),
    versions: &[Version],
) -> Result<Option<i64>, Failure> {
    let latest = versions.iter().map(|version| version.at).max();
    if versions.last().is_none_or(|first| first.number == 1) {
        return Ok(latest);
    }
    let archived = archive::find(sql, document)?;
    Ok(latest.max(archived.map(|archived| archived.at)))
}
