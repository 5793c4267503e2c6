//! Time is taken for a cause: maintenance, relocation, or any word. It asks first.

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

/// Takes resources for a cause; refused where a claim stands. Without an end it holds until further notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occupy {
    /// The resources, all or none.
    pub resources: Vec<ResourceId>,
    /// From when.
    pub from: Instant,
    /// Until when; until further notice when not said.
    pub until: Option<Instant>,
    /// What for: maintenance, relocation, or any other word.
    pub cause: Cause,
    /// Why.
    pub reason: String,
    /// What to do about the past.
    pub past: Past,
}

/// What takes resources out of use: a slot, or until further notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfUse {
    /// A slot.
    Slot {
        /// What has it.
        booking: Box<Booking>,
        /// Whom it displaced.
        displaced: Vec<WorkItem>,
        /// The open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
    /// Until further notice.
    Marked {
        /// The mark, which stands on the resources and all their parts.
        mark: Mark,
        /// Whom it displaced.
        displaced: Vec<WorkItem>,
        /// The open carts that lost time.
        #[serde(default)]
        carts: Vec<CartId>,
    },
}

impl OutOfUse {
    /// Whom it displaced.
    #[must_use]
    pub fn displaced(&self) -> &[WorkItem] {
        match self {
            Self::Slot { displaced, .. } | Self::Marked { displaced, .. } => displaced,
        }
    }
}

impl OutOfUse {
    /// The open carts that lost time.
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

/// A slot from what was said.
pub(super) fn slot(from: Instant, until: Instant) -> Result<Slot, Refusal> {
    Slot::new(from, until).map_err(|error| Refusal::BadValue {
        field: "until".into(),
        problem: error.to_string(),
    })
}

/// A cause that asks first, its word cleaned.
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
