//! Refusals about jobs.

use serde::{Deserialize, Serialize};

use crate::domain::job::JobKind;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;

/// Refusal about a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JobRefusal {
    /// The job runs by itself; only a parked one can be tried again.
    JobNotParked {
        at: Instant,
    },
    /// A job of this kind and subject waits already.
    JobExists {
        job: String,
        subject: String,
        at: Instant,
    },
    /// The job's command runs now.
    JobRunning {
        station: String,
        /// End of its lease.
        until: Instant,
    },
    /// The setting would do nothing for jobs of the kind.
    SettingNotOfKind {
        job: String,
        field: String,
    },
    OtherJobKind {
        job: String,
        field: String,
        present: String,
    },
}

impl JobRefusal {
    /// Refusal for a job that is not there.
    pub fn not_found(kind: JobKind, subject: &str) -> Refusal {
        Refusal::not_found("job", format!("{} {subject}", kind.word()))
    }
}

impl From<JobRefusal> for Refusal {
    fn from(refusal: JobRefusal) -> Self {
        Self::Job(refusal)
    }
}
