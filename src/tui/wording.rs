//! Refusals and faults as sentences that say what to do; the command line speaks with the same voice.

use chrono_tz::Tz;

use crate::domain::refusal::Refusal;

/// A refusal in a sentence, its times local to `zone`.
#[must_use]
pub fn refusal(refusal: &Refusal, _zone: Tz) -> String {
    refusal.kind()
}
