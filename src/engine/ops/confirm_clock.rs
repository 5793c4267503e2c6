//! Confirms the clock.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::time::{Instant, Span};
use crate::engine::machine::guard;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Confirms this process's clock, and records the stations that disagree with it. Desks that
/// ignored a jump follow it as soon as they notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmClock;

impl Operation for ConfirmClock {
    const VERB: &'static str = "confirm_clock";
    const CONFIRMS_CLOCK: bool = true;
    type Answer = Instant;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Instant, Failure> {
        let now = work.now();
        let mut wrong = guard::apart(work.sql()?, now)?;
        wrong.remove(&work.actor().station);
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let at = match settings.clock_confirmed_at {
            // two confirmations at the same time stay distinct
            Some(before) if before == work.now() => before + Span::from_millis(1),
            _ => work.now(),
        };
        (settings.clock_confirmed_at, settings.clock_wrong_at) = (Some(at), wrong);
        work.put(&settings)?;
        Ok(at)
    }
}
