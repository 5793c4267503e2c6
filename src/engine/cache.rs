//! Documents that the writer has read or written, for as long as nobody else writes.
//!
//! It is asked under the write lock only, and emptied whenever another connection has committed, so what it
//! gives is what the database would.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::store::Fault;
use crate::store::document::{DocKind, Document, Stored};

/// How many documents are kept; one more empties it.
const DOCUMENTS_MAX: usize = 50_000;

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

/// What is known of documents by key; `None` is known to be absent.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    kinds: [HashMap<String, Option<Arc<Kept>>>; DocKind::ALL.len()],
    pulse: Option<i64>,
}

impl Cache {
    /// Forgets everything when somebody else has written.
    pub(crate) fn fresh(&mut self, pulse: i64) {
        if self.pulse != Some(pulse)
            || self.kinds.iter().map(HashMap::len).sum::<usize>() > DOCUMENTS_MAX
        {
            self.clear();
            self.pulse = Some(pulse);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.kinds.iter_mut().for_each(HashMap::clear);
        self.pulse = None;
    }

    /// What is known of a document.
    pub(crate) fn get(&self, kind: DocKind, key: &str) -> Known {
        match self.kinds.get(kind.place()).and_then(|kind| kind.get(key)) {
            Some(stored) => Known::Stored(stored.clone()),
            None => Known::Nothing,
        }
    }

    pub(crate) fn set(&mut self, kind: DocKind, key: String, stored: Option<Arc<Kept>>) {
        if let Some(known) = self.kinds.get_mut(kind.place()) {
            known.insert(key, stored);
        }
    }
}
