//! Document cache of a writer.
//!
//! On a file the cache is used under the write lock only, and emptied when another connection has
//! committed, so it equals the database. On a server it lives for one transaction; the writers of
//! a process share a second, possibly stale cache, whose versions are checked at commit.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::store::document::{DocKind, Stored};

/// Most documents in a cache; one more empties it.
const DOCUMENTS_MAX: usize = 50_000;

/// Most documents in a generation of the shared cache.
const GENERATION_MAX: usize = 20_000;

/// Cached document; `None` records that the key has no document.
pub(crate) type Known = Option<Arc<Stored>>;

/// Documents by key.
#[derive(Debug, Default)]
pub(crate) struct Documents([HashMap<String, Known>; DocKind::ALL.len()]);

impl Documents {
    pub(crate) fn get(&self, kind: DocKind, key: &str) -> Option<&Known> {
        self.0.get(kind.place())?.get(key)
    }

    pub(crate) fn set(&mut self, kind: DocKind, key: String, known: Known) {
        if let Some(documents) = self.0.get_mut(kind.place()) {
            documents.insert(key, known);
        }
    }

    fn remove(&mut self, kind: DocKind, key: &str) {
        if let Some(documents) = self.0.get_mut(kind.place()) {
            documents.remove(key);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(HashMap::clear);
    }

    fn iter(&self) -> impl Iterator<Item = (DocKind, &String, &Known)> {
        let all = DocKind::ALL.iter().copied().zip(&self.0);
        all.flat_map(|(kind, documents)| documents.iter().map(move |(key, known)| (kind, key, known)))
    }
}

fn version(known: &Known) -> i64 {
    known.as_ref().map_or(0, |stored| stored.version)
}

/// Documents compared with their stored versions before cached chunks are believed again.
const DOUBT: u32 = 64;

/// Cache shared by the writers of a process.
#[derive(Debug, Default)]
pub(crate) struct SharedCache(Mutex<Generations>);

/// Two generations of documents: when the younger is full, the older is dropped.
#[derive(Debug, Default)]
struct Generations {
    young: Documents,
    old: Documents,
    /// Comparisons to go until chunks are taken from here. Other processes sell the same rows and days; where they do,
    /// reading a chunk costs less than the conflict of a stale one.
    doubt: u32,
    /// Lost connections before the documents were read.
    losses: u64,
}

impl Generations {
    fn get(&self, kind: DocKind, key: &str) -> Option<&Known> {
        let young = self.young.get(kind, key);
        young.or_else(|| self.old.get(kind, key))
    }
}

impl SharedCache {
    fn get(&self, kind: DocKind, key: &str) -> Option<Known> {
        let cached = &mut *self.0.lock();
        if kind == DocKind::Chunk && cached.doubt > 0 {
            return None;
        }
        let known = cached.get(kind, key)?.clone();
        cached.young.set(kind, key.to_owned(), known.clone());
        Some(known)
    }

    /// Compares a stored document with the cached one.
    fn compare(&self, kind: DocKind, key: &str, stored: &Known) {
        let cached = &mut *self.0.lock();
        let is_same = |known: &Known| version(known) == version(stored);
        match cached.get(kind, key).map(is_same) {
            Some(true) => cached.doubt = cached.doubt.saturating_sub(1),
            Some(false) => cached.doubt = DOUBT,
            None => {}
        }
    }

    /// Adds the documents of a committed transaction; the newer version wins.
    fn publish(&self, documents: &Documents, losses: u64) {
        let cached = &mut *self.0.lock();
        if cached.losses != losses {
            return;
        }
        if cached.young.len() > GENERATION_MAX {
            cached.old = std::mem::take(&mut cached.young);
        }
        for (kind, key, known) in documents.iter() {
            let before = cached.get(kind, key);
            if before.is_none_or(|before| version(before) < version(known)) {
                cached.young.set(kind, key.clone(), known.clone());
            }
        }
    }

    /// Empties the cache unless it has been emptied since as many connections were lost.
    fn forget_before(&self, losses: u64) {
        let mut cached = self.0.lock();
        if cached.losses < losses {
            *cached = Generations { losses, ..Generations::default() };
        }
    }

    /// Drops the documents of a transaction that read stale versions.
    fn invalidate(&self, documents: &Documents) {
        let cached = &mut *self.0.lock();
        cached.doubt = DOUBT;
        for (kind, key, _) in documents.iter() {
            cached.young.remove(kind, key);
            cached.old.remove(kind, key);
        }
    }
}

/// Cache of one writer.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: Documents,
    /// Change counter at which the documents were current.
    changes: Option<i64>,
    shared: Arc<SharedCache>,
    /// Reads fall back to the shared cache.
    takes: bool,
    /// Lost connections before the documents were read, if they are published to the shared cache.
    shares: Option<u64>,
}

impl Cache {
    pub(crate) fn new(shared: Arc<SharedCache>) -> Self {
        Self { shared, ..Self::default() }
    }

    /// Returns whether no other connection has committed since the documents were read.
    pub(crate) fn is_current(&self, changes: i64) -> bool {
        self.changes == Some(changes)
    }

    pub(crate) fn changes(&self) -> i64 {
        self.changes.unwrap_or_default()
    }

    /// Returns whether the next transaction empties the cache.
    pub(crate) fn is_full(&self) -> bool {
        self.known.len() > DOCUMENTS_MAX
    }

    /// Empties the cache if another connection has committed.
    pub(crate) fn sync(&mut self, changes: i64) {
        if !self.is_current(changes) || self.is_full() {
            self.clear();
            self.changes = Some(changes);
        }
    }

    /// Reads from the shared cache too, until the cache is cleared.
    pub(crate) fn take_shared(&mut self, losses: u64) {
        self.shared.forget_before(losses);
        (self.takes, self.shares) = (true, Some(losses));
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.changes = None;
        self.takes = false;
    }

    /// Publishes the documents to the other writers, after the commit.
    pub(crate) fn publish(&self) {
        if let Some(losses) = self.shares {
            self.shared.publish(&self.known, losses);
        }
    }

    /// Empties the cache and drops its documents from the shared one: some were stale or not
    /// committed.
    pub(crate) fn invalidate(&mut self) {
        if self.shares.is_some() {
            self.shared.invalidate(&self.known);
        }
        self.clear();
    }

    /// Returns a cached document or cached absence; `None` if the key is not cached.
    pub(crate) fn get(&mut self, kind: DocKind, key: &str) -> Option<Known> {
        if let Some(known) = self.known.get(kind, key) {
            return Some(known.clone());
        }
        let known = self.takes.then(|| self.shared.get(kind, key)).flatten()?;
        self.known.set(kind, key.to_owned(), known.clone());
        Some(known)
    }

    pub(crate) fn set(&mut self, kind: DocKind, key: String, known: Known) {
        self.known.set(kind, key, known);
    }

    /// Adds a document as it is stored.
    pub(crate) fn set_stored(&mut self, kind: DocKind, key: String, known: Known) {
        if self.takes {
            self.shared.compare(kind, &key, &known);
        }
        self.set(kind, key, known);
    }

    /// Returns the cached keys of each kind that has some.
    pub(crate) fn keys(&self) -> BTreeMap<DocKind, Vec<String>> {
        let mut keys: BTreeMap<DocKind, Vec<String>> = BTreeMap::new();
        for (kind, key, _) in self.known.iter() {
            keys.entry(kind).or_default().push(key.clone());
        }
        keys
    }
}
