//! Source of an operation's reads: a transaction, or the snapshot of a rehearsal.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::machine::cache::Known;
use crate::engine::transaction::Transaction;
use crate::store::document::{self, DocKind, Stored};
use crate::store::{Fault, Reader, Sql, Value};

/// Source of an operation's reads.
pub(super) enum Source<'a> {
    /// Transaction, which also takes the changes.
    Transaction(&'a mut Transaction),
    /// Read-only snapshot.
    Snapshot(&'a mut dyn Reader),
}

impl Source<'_> {
    pub(super) fn load(&mut self, kind: DocKind, keys: Vec<String>) -> Result<Vec<(String, Known)>, Fault> {
        match self {
            Self::Transaction(transaction) => transaction.load(kind, keys),
            Self::Snapshot(reader) => {
                let found = document::load(*reader, kind, &keys)?.into_iter();
                let mut found: BTreeMap<String, Stored> = found.map(|stored| (stored.key.clone(), stored)).collect();
                let known = |key: String| {
                    let known = found.remove(&key).map(Arc::new);
                    (key, known)
                };
                Ok(keys.into_iter().map(known).collect())
            }
        }
    }

    pub(super) fn select(
        &mut self,
        kind: DocKind,
        condition: &str,
        params: &[Value<'_>],
    ) -> Result<Vec<Arc<Stored>>, Fault> {
        match self {
            Self::Transaction(transaction) => transaction.select(kind, condition, params),
            Self::Snapshot(reader) => document::select(*reader, kind, condition, params),
        }
    }

    pub(super) fn sql(&mut self) -> Result<&mut dyn Sql, Fault> {
        match self {
            Self::Transaction(transaction) => Ok(transaction.session()?),
            Self::Snapshot(reader) => Ok(*reader),
        }
    }

    /// Returns the transaction; fails in a rehearsal.
    pub(super) fn writable(&mut self) -> Result<&mut Transaction, Fault> {
        match self {
            Self::Transaction(transaction) => Ok(transaction),
            Self::Snapshot(_) => Err(Fault::Broken("a rehearsal writes nothing".into())),
        }
    }
}
