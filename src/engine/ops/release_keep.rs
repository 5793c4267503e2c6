//! Job of kept seats at their end: sends the event, and tidies. The seats are already free by time.

use serde::Serialize;

use crate::domain::event::Event;
use crate::domain::house::Keep;
use crate::domain::ids::KeepId;
use crate::domain::job::Outcome;
use crate::domain::owner::Owner;
use crate::engine::ops::claims;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Releases kept seats at their end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReleaseKeep {
    /// Keep.
    pub keep: KeepId,
}

impl Operation for ReleaseKeep {
    const VERB: &'static str = "release_keep";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let found = work.find::<Keep>(&self.keep.to_string())?;
        let Some(mut keep) = found.filter(|keep| !keep.live.is_empty()) else {
            return Ok(Outcome::Gone);
        };
        if keep.until > work.now() {
            return Ok(Outcome::Deadline(keep.until));
        }
        let seats = std::mem::take(&mut keep.live);
        claims::free(work, (keep.performance, &seats), &Owner::Keep(keep.id))?;
        work.put(&keep)?;
        work.tell(&Event::KeepReleased {
            keep: keep.id,
            performance: keep.performance,
            reason: keep.reason.clone(),
            seats: seats.len(),
        })?;
        Ok(Outcome::Done)
    }
}
