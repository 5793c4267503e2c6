//! Documents that the writer has read or written, for as long as nobody else writes.
//!
//! It is asked under the write lock only, and emptied whenever another connection has committed, so what it
//! gives is what the database would.

use std::collections::HashMap;
use std::sync::Arc;

use crate::store::document::{DocKind, Stored};

/// How many documents are kept; one more empties it.
const DOCUMENTS_MAX: usize = 50_000;

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

    pub(crate) fn get(&self, kind: DocKind, key: &str) -> Option<Option<Arc<Stored>>> {
        self.kinds.get(kind.place())?.get(key).cloned()
    }

    pub(crate) fn set(&mut self, kind: DocKind, key: String, stored: Option<Arc<Stored>>) {
        if let Some(known) = self.kinds.get_mut(kind.place()) {
            known.insert(key, stored);
        }
    }
}
