//! Texts as users type them: names and reasons, normalized for storage.

use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::text::clean;

/// Normalizes a name for storage.
///
/// # Errors
/// An empty name.
pub(super) fn named(field: &str, name: &str) -> Result<String, Refusal> {
    let name = clean(name);
    if name.is_empty() {
        return Err(Refusal::bad(field, Problem::Missing(Requirement::Name)));
    }
    Ok(name)
}

/// Normalizes a reason for storage.
///
/// # Errors
/// An empty reason.
pub(super) fn reasoned(reason: &str) -> Result<String, Refusal> {
    let reason = clean(reason);
    if reason.is_empty() {
        return Err(Refusal::bad(
            "reason",
            Problem::Missing(Requirement::Reason),
        ));
    }
    Ok(reason)
}
