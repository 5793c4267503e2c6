//! Somebody has looked at the clock, and it is right.

use serde::Serialize;

use crate::domain::time::{Instant, Span};
use crate::engine::work::{Failure, Operation, Work};

/// Says that the machines' clocks are right. Desks that did not follow a jump follow it as soon as they notice.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ConfirmClock;

impl Operation for ConfirmClock {
    const VERB: &'static str = "confirm_clock";
    type Answer = Instant;

    fn run(&self, work: &mut Work<'_>) -> Result<Instant, Failure> {
        let mut settings = work.settings()?;
        let after = |before: Instant| before + Span::from_millis(1);
        // twice in one moment is twice
        let at = settings
            .clock_confirmed_at
            .map_or_else(|| work.now(), |before| work.now().max(after(before)));
        settings.clock_confirmed_at = Some(at);
        work.put(&settings)?;
        Ok(at)
    }
}
