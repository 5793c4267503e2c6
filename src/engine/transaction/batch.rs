//! The overlay of a batch: what its commands changed and the database does not have yet.

use std::collections::BTreeMap;

use crate::domain::job::JobKind;
use crate::store::dialect::Write;
use crate::store::document::{Changed, DocKind};
use crate::store::job::JobWrite;

/// Writes that are pending, and the documents that the transaction has written.
#[derive(Default)]
pub(super) struct Batch {
    documents: BTreeMap<(DocKind, String), Pending>,
    jobs: BTreeMap<(JobKind, String), Vec<JobWrite>>,
    beside: Vec<Write>,
    entries: Vec<Write>,
}

/// A document that the transaction writes.
struct Pending {
    /// The version that the database has within this transaction; 0 for none.
    version: i64,
    /// The latest time of the versions that are not sent.
    recorded_at: i64,
    /// The last version, until it is sent.
    changed: Option<Changed>,
}

/// A command's writes beside its documents.
#[derive(Default)]
pub(crate) struct Beside {
    /// Of jobs with their subjects.
    pub(crate) jobs: Vec<JobWrite>,
    /// Of everything else.
    pub(crate) writes: Vec<Write>,
}

impl Batch {
    pub(super) fn has_written(&self, kind: DocKind, key: &str) -> bool {
        self.documents.contains_key(&(kind, key.to_owned()))
    }

    pub(super) fn put(&mut self, changed: Changed) {
        let key = (changed.kind, changed.stored.key.clone());
        let version = changed.stored.version - 1;
        let pending = self.documents.entry(key).or_insert(Pending {
            version,
            recorded_at: i64::MIN,
            changed: None,
        });
        pending.recorded_at = pending.recorded_at.max(changed.stored.recorded_at);
        pending.changed = Some(changed);
    }

    pub(super) fn add(&mut self, beside: Beside, entry: Option<Write>) {
        for write in beside.jobs {
            let writes = self.jobs.entry(write.job.clone()).or_default();
            write.append_to(writes);
        }
        self.beside.extend(beside.writes);
        self.entries.extend(entry);
    }

    /// Takes the pending writes: documents in one order for all writers, so that no two wait for each other, and the
    /// journal last, so that it tells only of what is stored.
    pub(super) fn take(&mut self) -> Vec<Write> {
        let mut writes = Vec::new();
        for pending in self.documents.values_mut() {
            if let Some(changed) = pending.changed.take() {
                writes.push(changed.write_over(pending.version, pending.recorded_at));
                pending.version = changed.stored.version;
            }
        }
        writes.append(&mut self.beside);
        let jobs = std::mem::take(&mut self.jobs).into_values().flatten();
        writes.extend(jobs.map(|job| job.write));
        writes.append(&mut self.entries);
        writes
    }
}
