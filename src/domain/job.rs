//! Checks that come due: "do this, when that has not happened by then".
//!
//! A job only tidies; no rule depends on it having run.

use serde::{Deserialize, Serialize};

use crate::domain::time::Instant;

/// What a job checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// An active cart past its deadline ends.
    CartExpiry,
}

impl JobKind {
    /// Its name in the store.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CartExpiry => "cart_expiry",
        }
    }
}

/// A check due at a time; one per kind and subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it checks.
    pub kind: JobKind,
    /// The id of what it watches.
    pub subject: String,
    /// When the first check was due; never changes.
    pub first_check_at: Instant,
    /// When the next is.
    pub next_check_at: Instant,
    /// How many checks have been made.
    pub check_count: i64,
}
