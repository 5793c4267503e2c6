//! Read set of a batch that is decided before its transaction begins.

use std::collections::{BTreeMap, HashMap};

use crate::store::document::{self, DocKind};
use crate::store::{Fault, Sql};

/// Versions of documents that decisions rest on; 0 for absent.
#[derive(Debug, Default)]
pub(super) struct ReadSet(BTreeMap<DocKind, HashMap<String, i64>>);

impl ReadSet {
    pub(super) fn contains(&self, kind: DocKind, key: &str) -> bool {
        let versions = self.0.get(&kind);
        versions.is_some_and(|versions| versions.contains_key(key))
    }

    /// Adds a version; the first one of a document stays.
    pub(super) fn insert(&mut self, kind: DocKind, key: &str, version: i64) {
        if !self.contains(kind, key) {
            let versions = self.0.entry(kind).or_default();
            versions.insert(key.to_owned(), version);
        }
    }

    /// Compares the versions with those that are stored.
    ///
    /// # Errors
    /// [`Fault::Contended`] if one of them has changed.
    pub(super) fn check(&self, sql: &mut dyn Sql) -> Result<(), Fault> {
        for (kind, versions) in &self.0 {
            let keys: Vec<String> = versions.keys().cloned().collect();
            let stored = document::versions(sql, *kind, &keys)?;
            let is_same = |(key, version): (&String, &i64)| {
                stored.get(key).copied().unwrap_or_default() == *version
            };
            if !versions.iter().all(is_same) {
                return Err(Fault::Contended);
            }
        }
        Ok(())
    }
}
