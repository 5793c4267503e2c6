//! Takes time for a cause: maintenance, relocation, or any word. Conflicts are refused.

use serde::{Deserialize, Serialize};

use crate::domain::booking::Cause;
use crate::domain::private;
use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::resource::ResourceId;
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::engine::ops::booking::Past;
use crate::engine::ops::outages::{Displace, OutOfUse, TakeOut, take_out};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes resources for a cause; refused if there are claims. Without an end it is open-ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occupy {
    /// Resources, all or none.
    pub resources: Vec<ResourceId>,
    pub from: Instant,
    /// End; open-ended if `None`.
    pub until: Option<Instant>,
    /// Cause: maintenance, relocation, or any other word.
    pub cause: Cause,
    #[serde(with = "private")]
    pub reason: String,
    #[serde(default)]
    pub past: Past,
}

impl Operation for Occupy {
    const VERB: &'static str = "occupy";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let out = TakeOut {
            resources: &self.resources,
            from: self.from,
            until: self.until,
            cause: checked(&self.cause)?,
            reason: &self.reason,
            displace: Displace::Ask,
            past: self.past,
        };
        take_out(work, &out)
    }
}

/// Checks a cause that refuses conflicts, and cleans its word.
fn checked(cause: &Cause) -> Result<Cause, Refusal> {
    match cause {
        Cause::Maintenance | Cause::Relocation => Ok(cause.clone()),
        Cause::Other(word) => {
            let word = clean(word).to_lowercase();
            if word.is_empty() || word.chars().count() > 40 {
                return Err(Refusal::bad("cause", Problem::Missing(Requirement::Cause)));
            }
            Ok(Cause::of_word(&word))
        }
        Cause::Booking | Cause::Disable | Cause::Performance(_) | Cause::OutOfService => {
            let problem = Problem::OtherCause(cause.word().to_owned());
            Err(Refusal::bad("cause", problem))
        }
    }
}
