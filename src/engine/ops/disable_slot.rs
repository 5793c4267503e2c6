//! Disables time.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Cause;
use crate::domain::private;
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;
use crate::engine::ops::booking::Past;
use crate::engine::ops::outages::{Displace, OutOfUse, TakeOut, take_out};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Disables time of resources and their parts, taken or not; without an end it is open-ended. Only
/// its operator enables it again, or anybody explicitly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisableSlot {
    pub resources: Vec<ResourceId>,
    pub from: Instant,
    /// End; open-ended if `None`.
    pub until: Option<Instant>,
    #[serde(with = "private")]
    pub reason: String,
    #[serde(default)]
    pub past: Past,
}

impl Operation for DisableSlot {
    const VERB: &'static str = "disable_slot";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let out = TakeOut {
            resources: &self.resources,
            from: self.from,
            until: self.until,
            cause: Cause::Disable,
            reason: &self.reason,
            displace: Displace::Take,
            past: self.past,
        };
        take_out(work, &out)
    }
}
