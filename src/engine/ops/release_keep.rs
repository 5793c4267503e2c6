//! Job of kept seats at their end: sends the event, and tidies. The seats are already free by time.

use serde::{Deserialize, Serialize};

use crate::domain::house::Keep;
use crate::domain::ids::KeepId;
use crate::domain::job::Outcome;
use crate::engine::ops::ending;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Releases kept seats at their end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseKeep {
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
        ending::end_keep(work, &mut keep)?;
        work.put(&keep)?;
        Ok(Outcome::Done)
    }
}
