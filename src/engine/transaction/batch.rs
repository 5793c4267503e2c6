//! Overlay of a batch: changes of its commands that the database does not have yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::job::JobKind;
use crate::store::dialect::Write;
use crate::store::document::{ChangedDocument, DocKind};
use crate::store::job::JobWrite;
use crate::store::journal::NewEntry;

/// Pending writes, and the documents that the transaction has written.
#[derive(Default)]
pub(super) struct Batch {
    documents: BTreeMap<(DocKind, String), Pending>,
    jobs: BTreeMap<(JobKind, String), Vec<JobWrite>>,
    side: Vec<Write>,
    entries: Vec<NewEntry>,
}

/// Document that the transaction writes.
struct Pending {
    /// Version in the database within this transaction; 0 for none.
    version: i64,
    /// Latest time of the unsent versions.
    recorded_at: i64,
    /// Last version, until it is sent.
    changed: Option<Arc<ChangedDocument>>,
}

/// Writes of a command other than its documents.
#[derive(Default)]
pub(crate) struct SideWrites {
    /// Writes of jobs.
    pub(crate) jobs: Vec<JobWrite>,
    /// All other writes.
    pub(crate) writes: Vec<Write>,
}

impl Batch {
    pub(super) fn has_written(&self, kind: DocKind, key: &str) -> bool {
        self.documents.contains_key(&(kind, key.to_owned()))
    }

    pub(super) fn put(&mut self, changed: Arc<ChangedDocument>) {
        let key = (changed.kind, changed.stored.key.clone());
        let version = changed.stored.version - 1;
        let pending = self.documents.entry(key).or_insert(Pending { version, recorded_at: i64::MIN, changed: None });
        pending.recorded_at = pending.recorded_at.max(changed.stored.recorded_at);
        pending.changed = Some(changed);
    }

    pub(super) fn add(&mut self, side: SideWrites, entry: Option<NewEntry>) {
        for write in side.jobs {
            let writes = self.jobs.entry(write.job.clone()).or_default();
            write.append_to(writes);
        }
        self.side.extend(side.writes);
        self.entries.extend(entry);
    }

    /// Takes the pending writes, documents in a global order, so that writers cannot deadlock; and the journal entries.
    /// Rows of one statement stand together, for an adapter that writes them at once.
    pub(super) fn take(&mut self) -> (Vec<Write>, Vec<NewEntry>) {
        let mut documents = Vec::new();
        for ((kind, _), pending) in &mut self.documents {
            if let Some(changed) = pending.changed.take() {
                let write = changed.write_over(pending.version, pending.recorded_at);
                documents.push(((*kind, pending.version == 0), write));
                pending.version = changed.stored.version;
            }
        }
        documents.sort_by_key(|(place, _)| *place);
        let mut writes: Vec<Write> = documents.into_iter().map(|(_, write)| write).collect();
        writes.append(&mut self.side);
        let jobs = std::mem::take(&mut self.jobs).into_values().flatten();
        // the end of a job stands before the job that takes its place
        let (puts, ends): (Vec<JobWrite>, Vec<JobWrite>) = jobs.partition(|job| job.puts);
        writes.extend(ends.into_iter().chain(puts).map(|job| job.write));
        (writes, std::mem::take(&mut self.entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::house::Station;
    use crate::domain::job::Job;
    use crate::domain::time::Instant;
    use crate::store::Value;
    use crate::store::document::{self, By};
    use crate::store::job::{JobChange, SideEffect, job_writes};

    fn by(command: &str, at: i64) -> By<'_> {
        By { command, at, operator: "ada", station: "till-1" }
    }

    fn job(minute: i64) -> Job {
        let due = Instant::from_millis(minute * 60_000);
        Job::new(JobKind::CartExpiry, "cart".into(), due, &JobKind::CartExpiry.policy())
    }

    fn end() -> JobChange {
        JobChange::End { kind: JobKind::CartExpiry, subject: "cart".into() }
    }

    fn params(batch: &mut Batch) -> Vec<Vec<Value<'static>>> {
        let (writes, _) = batch.take();
        writes.into_iter().map(|write| write.params).collect()
    }

    /// Parameters of the writes that remain after several changes to one job.
    fn writes(changes: Vec<JobChange>) -> Vec<Vec<Value<'static>>> {
        let mut batch = Batch::default();
        for change in changes {
            let side = SideWrites { jobs: job_writes(&[SideEffect::Job(change)], by("c", 1)), writes: Vec::new() };
            batch.add(side, None);
        }
        params(&mut batch)
    }

    #[test]
    fn a_document_is_written_once_per_batch_at_its_last_version() {
        let mut batch = Batch::default();
        let mut before: Option<std::sync::Arc<document::Stored>> = None;
        for (receipts, at) in [(1, 30), (2, 10), (3, 20)] {
            let station = Station { name: "till-1".into(), receipts, tills: 0 };
            let spelled = document::Spelled { body: format!("{receipts}"), words: String::new() };
            let placed = ("till-1".to_owned(), spelled);
            let changed = ChangedDocument::of(&station, placed, before.clone(), by("c", at));
            before = Some(std::sync::Arc::clone(&changed.stored));
            batch.put(changed.into());
        }
        let written = params(&mut batch);
        // version, latest time, command, body, and key: an insert
        let expected: [Value<'_>; 5] = [Value::Int(3), Value::Int(30), "c".into(), "3".into(), "till-1".into()];
        assert_eq!(written, [expected.to_vec()]);
        assert!(batch.has_written(DocKind::Station, "till-1") && params(&mut batch).is_empty());
    }

    #[test]
    fn a_job_put_twice_keeps_its_first_check_and_an_end_drops_it() {
        let (first, second) = (JobChange::Put(job(10)), JobChange::Put(job(20)));
        let put = writes(vec![first.clone()]);
        let again = writes(vec![first.clone(), second.clone()]);
        assert_eq!(again.len(), 1);
        assert_eq!(again[0][2], put[0][2], "the first check");
        assert_ne!(again[0][3], put[0][3], "the next check");
        let earlier = writes(vec![second.clone(), first.clone()]);
        assert_eq!((&earlier[0][2], &earlier[0][3]), (&again[0][3], &put[0][3]), "also if it is due earlier");
        assert_eq!(writes(vec![first.clone(), end()]), writes(vec![end()]));
        let anew = writes(vec![first, end(), second.clone()]);
        assert_eq!(anew, [writes(vec![end()]), writes(vec![second])].concat());
    }
}
