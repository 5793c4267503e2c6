//! Failure of a request.

use crate::domain::refusal::Refusal;

/// Reason for the failure of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Refusal of the engine.
    Refused(Refusal),
    /// Fault of the machinery, with what to do.
    Fault(String),
}

impl Trouble {
    /// Sentence with times in a zone.
    #[must_use]
    pub(crate) fn sentence(&self, zone: chrono_tz::Tz) -> String {
        match self {
            Self::Refused(refusal) => crate::tui::wording::refusal(refusal, zone),
            Self::Fault(text) => text.clone(),
        }
    }

    /// Fault for an answer that does not match its query; only a defect of the program causes it.
    #[must_use]
    pub(crate) fn wrong_answer() -> Self {
        Self::Fault("The desk got an answer to another question. Please report this.".into())
    }
}
