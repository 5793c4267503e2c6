//! A refusal's word for programs, and what it was wanted for.

use crate::domain::refusal::{Purpose, Refusal};

impl Refusal {
    /// Replaces the purpose of the refused time.
    #[must_use]
    pub fn wanted_for(mut self, wanted_for: Purpose) -> Self {
        if let Self::SlotTaken { purpose, .. } = &mut self {
            *purpose = wanted_for;
        }
        self
    }

    /// The refusal's one word, as programs read it: `seats_taken`.
    #[must_use]
    pub fn kind(&self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|value| {
                value
                    .get("kind")
                    .and_then(|kind| kind.as_str().map(str::to_owned))
            })
            .unwrap_or_default()
    }
}
