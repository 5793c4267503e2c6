//! Checks of own kinds by functions of the program that embeds the crate.
//!
//! Its kind says in the settings that a program checks it. Programs and desks without the function leave its jobs alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crate::domain::house::IN_PROGRAM;
use crate::domain::job::{Job, JobKind, Outcome};
use crate::domain::refusal::{JobRefusal, Refusal};
use crate::engine::Desk;
use crate::engine::ops::ChangeSettings;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::work::Failure;

impl Desk {
    /// Checks jobs of an own kind by a function, while this desk is open: `Done` ends the job, `Again(at)` looks again then.
    /// The first function of a kind makes the kind. A panic, or more time than the kind has, is a failed try.
    ///
    /// # Errors
    /// A word that is no own kind's, or a kind that has a shell command; or a fault.
    pub fn on<F>(&self, kind: &str, check: impl Fn(Job) -> F + Send + Sync + 'static) -> Result<(), Failure>
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let word = JobKind::typed(kind);
        let own = JobKind::from_word(&word).filter(|kind| kind.is_own());
        let own = own.ok_or_else(|| Refusal::not_found("kind of job", kind))?;
        match self.read(ReadSettings)?.own_jobs.get(&word) {
            Some(run) if run == IN_PROGRAM => {}
            Some(run) => {
                let (field, present) = ("run".to_owned(), run.clone());
                return Err(Refusal::from(JobRefusal::OtherJobKind { job: word, field, present }).into());
            }
            None => {
                self.run(ChangeSettings::to(&format!("job.{word}.run"), IN_PROGRAM))?;
            }
        }
        self.shared.checks.lock().insert(own, Arc::new(move |job| Box::pin(check(job))));
        Ok(())
    }

    /// Kinds that functions of this program check.
    pub(in crate::engine) fn checked_here(&self) -> Vec<JobKind> {
        self.shared.checks.lock().keys().copied().collect()
    }
}

/// Calls the function of a job, within a time limit.
pub(super) fn checked(desk: &Desk, job: &Job, limit: Duration) -> Result<Outcome, String> {
    let check = desk.shared.checks.lock().get(&job.kind).cloned();
    let check = check.ok_or_else(|| "this program has no function for it".to_owned())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let job = job.clone();
    let call = || runtime.block_on(async { tokio::time::timeout(limit, check(job)).await });
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(_)) => Err(format!("it took longer than {} s", limit.as_secs_f32())),
        Err(_) => Err("its function panicked".to_owned()),
    }
}
