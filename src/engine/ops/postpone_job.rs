//! A job runs later.

use serde::Serialize;

use crate::domain::job::JobKind;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::steering::{job, steer};
use crate::engine::work::{Failure, Operation, Work};

/// Makes a job due at another time, rounded up to a slot of its kind, within its kind's horizon.
#[derive(Clone, Debug, Serialize)]
pub struct PostponeJob {
    /// Its kind.
    pub kind: JobKind,
    /// Its subject.
    pub subject: String,
    /// When.
    pub at: Instant,
}

impl Operation for PostponeJob {
    const VERB: &'static str = "postpone_job";
    type Answer = Instant;

    fn run(&self, work: &mut Work<'_>) -> Result<Instant, Failure> {
        let found = job(work, self.kind, &self.subject)?;
        let (now, policy) = (work.now(), work.settings()?.policy(self.kind));
        if self.at <= now {
            return Err(Refusal::InThePast { at: self.at }.into());
        }
        if self.at > now + policy.horizon {
            let (least, most) = (Span::seconds(1), policy.horizon);
            let field = "later".into();
            return Err(Refusal::OutOfRange { field, least, most }.into());
        }
        let at = self.at.round_up(policy.slot);
        let next = found.clone().moved_to(at);
        steer(work, found, (next, "put it off"));
        Ok(at)
    }
}
