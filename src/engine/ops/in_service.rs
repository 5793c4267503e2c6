//! Puts a resource back in service.

use serde::{Deserialize, Serialize};

use crate::domain::resource::{Resource, ResourceId};
use crate::engine::ops::booking::Whose;
use crate::engine::ops::outages::unmark;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Puts a resource and all its parts back in service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InService {
    pub resource: ResourceId,
    pub whose: Whose,
}

impl Operation for InService {
    const VERB: &'static str = "in_service";
    type Answer = Resource;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Resource, Failure> {
        unmark(work, (&self.resource, None), self.whose)?;
        work.get(&self.resource)
    }
}
