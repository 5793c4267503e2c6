//! Adds a job of an own kind.

use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::job::{Job, JobKind, PolicyChange};
use crate::domain::refusal::{JobRefusal, Refusal};
use crate::domain::settings::prioritized;
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Adds a job whose check is a shell command of the house; the first job of a kind makes the kind.
///
/// The command gets the job as JSON on its standard input. Exit code 0 ends the job; 75 asks for
/// another check at the time on the last line of its output; anything else is a failed try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddJob {
    /// Kind's word: lower-case letters, digits and underscores.
    pub kind: String,
    /// Key of the thing to check, in the terms of the command.
    pub subject: String,
    /// Time of the first check, rounded up to a slot of the kind.
    pub due: Instant,
    /// Shell command; needed for a new kind, and the same as before for a known one.
    pub run: Option<String>,
    /// Policy of a new kind, by parts; the same as before for a known one.
    #[serde(default)]
    pub policy: PolicyChange,
    /// Priority of this job; its kind's if `None`.
    #[serde(default)]
    pub priority: Option<u8>,
}

impl Operation for AddJob {
    const VERB: &'static str = "add_job";
    /// Time of the first check.
    type Answer = Instant;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Instant, Failure> {
        let kind = self.kind()?;
        let subject = clean(&self.subject);
        if subject.is_empty() {
            return Err(Refusal::unread("subject", &"it needs a name or a number").into());
        }
        if self.due < work.now() {
            return Err(Refusal::InThePast { at: self.due }.into());
        }
        self.define(kind, work)?;
        if let Some(job) = work.job(kind, &subject)? {
            let at = job.next_check_at;
            let job = self.kind.clone();
            return Err(Refusal::from(JobRefusal::JobExists { job, subject, at }).into());
        }
        prioritized(self.priority)?;
        let job = Job::new(kind, subject, self.due, &work.settings()?.policy(kind));
        let at = job.next_check_at;
        work.put_prioritized(Job { priority: self.priority, ..job });
        Ok(at)
    }
}

impl AddJob {
    fn kind(&self) -> Result<JobKind, Refusal> {
        let problem = match JobKind::from_word(&self.kind) {
            Some(kind) if kind.is_own() => return Ok(kind),
            Some(_) => "this kind is built in; choose another name",
            None => "it has to be a letter, then letters, digits or underscores, 32 signs at most",
        };
        Err(Refusal::unread("kind", &problem))
    }

    /// Makes a new kind, or compares what was given with the known one.
    fn define(&self, kind: JobKind, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let before = work.settings()?;
        let known = before.own_jobs.get(kind.word());
        if known.is_none() && self.run.is_none() {
            return Err(Refusal::not_found("kind of job", &self.kind).into());
        }
        // an empty command would remove the kind
        if self.run.as_ref().is_some_and(|run| run.trim().is_empty()) {
            return Err(Refusal::unread("run", &"it needs a shell command").into());
        }
        let mut wanted = Settings::clone(&before);
        if let Some(run) = &self.run {
            wanted.set_run(kind, run)?;
        }
        if self.policy != PolicyChange::default() {
            wanted.set_policy(kind, self.policy)?;
        }
        if known.is_none() {
            return work.put(&wanted);
        }
        let facts = |settings: &Settings| {
            let run = settings.own_jobs.get(kind.word()).cloned();
            let run = ("run", run.unwrap_or_default());
            std::iter::once(run).chain(settings.policy(kind).facts())
        };
        let differs = facts(&before).zip(facts(&wanted)).find(|(is, to)| is != to);
        differs.map_or(Ok(()), |((field, present), _)| {
            let (job, field) = (self.kind.clone(), field.into());
            Err(Refusal::from(JobRefusal::OtherJobKind { job, field, present }).into())
        })
    }
}
