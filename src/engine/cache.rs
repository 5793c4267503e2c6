//! Documents that a writer has read or written, for as long as nobody else writes.
//!
//! It is asked under the write lock only, and emptied whenever another connection has committed, so what it
//! gives is what the database would. Where many write at once, it lives for one transaction, and beside it
//! the writers of a process have in common what they believe: that may be old, so whoever takes from there names
//! what it relies on, and the transaction that finds it moved on stores nothing.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::store::Fault;
use crate::store::document::{DocKind, Document, Stored};

/// How many documents are kept; one more empties it.
const DOCUMENTS_MAX: usize = 50_000;

/// How many documents a generation of what writers have in common takes.
const GENERATION_MAX: usize = 20_000;

/// A document as it lies in the store, and as the value that it stands for, once somebody has asked for that.
#[derive(Debug)]
pub(crate) struct Kept {
    /// As it lies in the store.
    pub(crate) stored: Stored,
    value: OnceLock<Value>,
}

/// A document's value, whatever its kind.
pub(crate) type Value = Box<dyn Any + Send + Sync>;

impl Kept {
    /// A document that was read.
    pub(crate) const fn read(stored: Stored) -> Self {
        Self {
            stored,
            value: OnceLock::new(),
        }
    }

    /// A document that was written, with the value that it stands for.
    pub(crate) fn written(stored: Stored, value: Value) -> Self {
        Self {
            stored,
            value: OnceLock::from(value),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// A body that this program does not understand.
    pub(crate) fn value<D: Document>(&self) -> Result<D, Fault> {
        if let Some(value) = self.value.get().and_then(|value| value.downcast_ref::<D>()) {
            return Ok(value.clone());
        }
        let value: D = self.stored.parse()?;
        // where it is kept already it is the same
        let _ = self.value.set(Box::new(value.clone()));
        Ok(value)
    }
}

/// Whether a document is known.
pub(crate) enum Known {
    /// It was read or written: this is it, or there is none.
    Stored(Option<Arc<Kept>>),
    /// It was not looked at.
    Nothing,
}

/// Documents by key; `None` is known to be absent.
#[derive(Debug, Default)]
struct Documents([HashMap<String, Option<Arc<Kept>>>; DocKind::ALL.len()]);

impl Documents {
    fn get(&self, kind: DocKind, key: &str) -> Option<&Option<Arc<Kept>>> {
        self.0.get(kind.place()).and_then(|known| known.get(key))
    }

    fn set(&mut self, kind: DocKind, key: String, stored: Option<Arc<Kept>>) {
        if let Some(known) = self.0.get_mut(kind.place()) {
            known.insert(key, stored);
        }
    }

    fn remove(&mut self, kind: DocKind, key: &str) {
        if let Some(known) = self.0.get_mut(kind.place()) {
            known.remove(key);
        }
    }

    fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(HashMap::clear);
    }

    fn iter(&self) -> impl Iterator<Item = (DocKind, &String, &Option<Arc<Kept>>)> {
        DocKind::ALL
            .into_iter()
            .zip(&self.0)
            .flat_map(|(kind, known)| known.iter().map(move |(key, kept)| (kind, key, kept)))
    }
}

/// What a document's version is believed to be; 0 when there is none.
fn version(stored: Option<&Arc<Kept>>) -> i64 {
    stored.map_or(0, |kept| kept.stored.version)
}

/// What the writers of a process believe, in two generations: when the younger is full, the older is forgotten.
#[derive(Debug, Default)]
pub(crate) struct Common(Mutex<(Documents, Documents)>);

impl Common {
    fn believed(&self) -> MutexGuard<'_, (Documents, Documents)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, kind: DocKind, key: &str) -> Known {
        let mut believed = self.believed();
        let (young, old) = &mut *believed;
        if let Some(stored) = young.get(kind, key) {
            return Known::Stored(stored.clone());
        }
        let Some(stored) = old.get(kind, key) else {
            return Known::Nothing;
        };
        young.set(kind, key.to_owned(), stored.clone());
        Known::Stored(stored.clone())
    }

    /// Believes what a transaction has read or written; of two versions the younger.
    fn believe(&self, documents: &Documents) {
        let mut believed = self.believed();
        let (young, old) = &mut *believed;
        if young.len() > GENERATION_MAX {
            *old = std::mem::take(young);
        }
        for (kind, key, stored) in documents.iter() {
            let before = young.get(kind, key).or_else(|| old.get(kind, key));
            if before.is_none_or(|before| version(before.as_ref()) < version(stored.as_ref())) {
                young.set(kind, key.clone(), stored.clone());
            }
        }
    }

    /// Believes nothing any more of what a transaction has read: some of it was old.
    fn doubt(&self, documents: &Documents) {
        let mut believed = self.believed();
        let (young, old) = &mut *believed;
        for (kind, key, _) in documents.iter() {
            young.remove(kind, key);
            old.remove(kind, key);
        }
    }
}

/// What a writer knows of documents.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: Documents,
    pulse: Option<i64>,
    common: Arc<Common>,
    /// Whether documents may be taken from what the writers have in common.
    takes: bool,
    /// Whether the writers of this database have anything in common.
    shares: bool,
}

impl Cache {
    pub(crate) fn new(common: Arc<Common>) -> Self {
        Self {
            common,
            ..Self::default()
        }
    }

    /// Forgets everything when somebody else has written.
    pub(crate) fn fresh(&mut self, pulse: i64) {
        if self.pulse != Some(pulse) || self.is_full() {
            self.clear();
            self.pulse = Some(pulse);
        }
    }

    /// Whether it will be emptied when the next transaction begins.
    pub(crate) fn is_full(&self) -> bool {
        self.known.len() > DOCUMENTS_MAX
    }

    /// Until it is cleared, documents may be taken from what the writers have in common.
    pub(crate) const fn take_from_common(&mut self) {
        (self.takes, self.shares) = (true, true);
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.pulse = None;
        self.takes = false;
    }

    /// Tells the other writers what was read or written, once it is stored.
    pub(crate) fn share(&self) {
        if self.shares {
            self.common.believe(&self.known);
        }
    }

    /// Some of what was taken was old: nothing of it is believed any more.
    pub(crate) fn doubt(&mut self) {
        if self.shares {
            self.common.doubt(&self.known);
        }
        self.clear();
    }

    /// What is known of a document.
    pub(crate) fn get(&mut self, kind: DocKind, key: &str) -> Known {
        if let Some(stored) = self.known.get(kind, key) {
            return Known::Stored(stored.clone());
        }
        if self.takes
            && let Known::Stored(stored) = self.common.get(kind, key)
        {
            self.known.set(kind, key.to_owned(), stored.clone());
            return Known::Stored(stored);
        }
        Known::Nothing
    }

    pub(crate) fn set(&mut self, kind: DocKind, key: String, stored: Option<Arc<Kept>>) {
        self.known.set(kind, key, stored);
    }
}
