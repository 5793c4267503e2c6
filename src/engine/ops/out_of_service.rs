//! Takes resources out of service open-endedly, and back.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Cause;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Instant;
use crate::engine::ops::booking::{Past, Whose};
use crate::engine::ops::outages::{Displace, OutOfUse, TakeOut, take_out, unmark};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes resources and all their parts out of service from an instant on, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutOfService {
    pub resources: Vec<ResourceId>,
    /// Start; now if `None`.
    pub from: Option<Instant>,
    pub reason: String,
    /// Treatment of existing claims.
    #[serde(default)]
    pub displace: Displace,
}

/// Puts a resource and all its parts back in service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InService {
    pub resource: ResourceId,
    pub whose: Whose,
}

impl Operation for OutOfService {
    const VERB: &'static str = "out_of_service";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let out = TakeOut {
            resources: &self.resources,
            from: self.from.unwrap_or_else(|| work.now()),
            until: None,
            cause: Cause::OutOfService,
            reason: &self.reason,
            displace: self.displace,
            past: Past::Refuse,
        };
        take_out(work, &out)
    }
}

impl Operation for InService {
    const VERB: &'static str = "in_service";
    type Answer = Resource;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Resource, Failure> {
        unmark(work, (&self.resource, None), self.whose)?;
        work.get(&self.resource)
    }
}
