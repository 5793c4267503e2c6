//! Documents that the writer has read or written, for as long as nobody else writes.
//!
//! It is asked under the write lock only, and emptied whenever another connection has committed, so what it
//! gives is what the database would.

use std::collections::HashMap;
use std::sync::Arc;

use crate::store::document::{DocKind, Stored};

/// How many documents are kept; one more empties it.
const DOCUMENTS_MAX: usize = 50_000;

/// Whether a document is known.
pub(crate) enum Known {
    /// It was read or written: this is it, or there is none.
    Stored(Option<Arc<Stored>>),
    /// It was not looked at.
    Nothing,
}

/// What is known of documents by key; `None` is known to be absent.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    kinds: [HashMap<String, Option<Arc<Stored>>>; DocKind::ALL.len()],
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

    pub(crate) fn set(&mut self, kind: DocKind, key: String, stored: Option<Arc<Stored>>) {
        if let Some(known) = self.kinds.get_mut(kind.place()) {
            known.insert(key, stored);
        }
    }
}
