//! Takes time for a cause: maintenance, relocation, or any word. Conflicts are refused.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Cause, Details};
use crate::domain::house::WorkItem;
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Mark, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::booking::{Past, Request, Want, book};
use crate::engine::ops::marking::{self, Displace};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes resources for a cause; refused if there are claims. Without an end it is open-ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occupy {
    /// Resources, all or none.
    pub resources: Vec<ResourceId>,
    /// Start.
    pub from: Instant,
    /// End; open-ended if `None`.
    pub until: Option<Instant>,
    /// Cause: maintenance, relocation, or any other word.
    pub cause: Cause,
    /// Reason.
    pub reason: String,
    /// Treatment of past time.
    pub past: Past,
}

/// Out-of-use time of resources: a slot, or an open-ended mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfUse {
    /// Slot.
    Slot {
        /// Booking of the slot.
        booking: Box<Booking>,
        /// Worklist items of displaced owners.
        displaced: Vec<WorkItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
    /// Open-ended.
    Marked {
        /// Mark, placed on the resources and all their parts.
        mark: Mark,
        /// Worklist items of displaced owners.
        displaced: Vec<WorkItem>,
        /// Open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
}

impl OutOfUse {
    /// Worklist items of displaced owners.
    #[must_use]
    pub fn displaced(&self) -> &[WorkItem] {
        match self {
            Self::Slot { displaced, .. } | Self::Marked { displaced, .. } => displaced,
        }
    }
}

impl OutOfUse {
    /// Open carts that lost time.
    #[must_use]
    pub fn carts(&self) -> &[CartId] {
        match self {
            Self::Slot { carts, .. } | Self::Marked { carts, .. } => carts,
        }
    }
}

impl Operation for Occupy {
    const VERB: &'static str = "occupy";
    type Answer = OutOfUse;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<OutOfUse, Failure> {
        let cause = checked(&self.cause)?;
        let Some(until) = self.until else {
            return marking::mark(
                work,
                &self.resources,
                &marking::Marking {
                    cause,
                    from: self.from,
                    reason: &self.reason,
                    past: self.past,
                    displace: Displace::Ask,
                },
            );
        };
        let slot = slot(self.from, until)?;
        let details = Details {
            title: self.reason.clone(),
            ..Details::default()
        };
        let request = Request {
            cause,
            details: &details,
            series: None,
            past: self.past,
        };
        let wants = [Want::all(self.resources.clone(), slot)];
        Ok(OutOfUse::Slot {
            booking: Box::new(book(work, &wants, &request)?),
            displaced: Vec::new(),
            carts: Vec::new(),
        })
    }
}

/// Builds a slot; refuses an invalid one.
pub(super) fn slot(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| Refusal::BadValue {
        field: "until".into(),
        problem: error.to_string(),
    })
}

/// Checks a cause that refuses conflicts, and cleans its word.
fn checked(cause: &Cause) -> Result<Cause, Refusal> {
    match cause {
        Cause::Maintenance | Cause::Relocation => Ok(cause.clone()),
        Cause::Other(word) => {
            let word = clean(word).to_lowercase();
            if word.is_empty() || word.chars().count() > 40 {
                return Err(Refusal::BadValue {
                    field: "cause".into(),
                    problem: "it needs a word, like cleaning".into(),
                });
            }
            Ok(Cause::of_word(&word))
        }
        Cause::Booking | Cause::Disable | Cause::Performance(_) | Cause::OutOfService => {
            Err(Refusal::BadValue {
                field: "cause".into(),
                problem: format!("{} has a verb of its own", cause.word()),
            })
        }
    }
}
