//! Texts as users type them: names and reasons, normalized for storage.

use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::text::clean;

/// Normalizes a text for storage; refuses an empty one.
pub(super) fn filled(field: &str, text: &str, need: Requirement) -> Result<String, Refusal> {
    let text = clean(text);
    if text.is_empty() {
        return Err(Refusal::bad(field, Problem::Missing(need)));
    }
    Ok(text)
}

/// Normalizes a name for storage.
pub(super) fn named(field: &str, name: &str) -> Result<String, Refusal> {
    filled(field, name, Requirement::Name)
}

/// Normalizes a reason for storage.
pub(super) fn reasoned(reason: &str) -> Result<String, Refusal> {
    filled("reason", reason, Requirement::Reason)
}
