//! Job of a listener's call: when the lease of the station that called it ends without a word, the event waits again.

use serde::{Deserialize, Serialize};

use crate::domain::event::Event;
use crate::domain::job::{JobKind, Outcome};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::job::Heard;

/// Lets a listener be called again whose station ended meanwhile, and tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HearAgain {
    pub number: i64,
}

impl Operation for HearAgain {
    const VERB: &'static str = "hear_again";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let kind = JobKind::ListenerCall;
        let (settings, number) = (work.settings()?, self.number);
        let later = work.now() + settings.call_lease();
        let (Some((heard, state)), Some(job)) = (work.listener(number)?, work.job(kind, &number.to_string())?) else {
            return Ok(Outcome::Gone);
        };
        let Some(command) = settings.listeners.get(&heard).cloned() else {
            return Ok(Outcome::Gone);
        };
        if state == Heard::Waits {
            return Ok(Outcome::Deadline(later));
        }
        if !job.is_last_check(&settings.policy(kind)) {
            work.give_back_call(number);
        }
        work.tell(&Event::ListenerFailed { heard, number, command, problem: job.died() })?;
        Ok(Outcome::Told(later))
    }
}
