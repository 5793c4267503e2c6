//! Counts with their nouns.

/// A count with its noun: `1 seat`, `4 seats`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}
