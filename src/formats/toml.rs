//! TOML files that people write: keymap, themes, configuration. Problems are told with line and column.

use serde::de::DeserializeOwned;

/// Reads a file.
///
/// # Errors
/// The first problem, as `line 2, column 1: unknown field ...`.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let byte = error.span().map_or(0, |span| span.start);
        problem_at(text, byte, error.message())
    })
}

/// A problem with the line and column of a byte, both from 1.
pub fn problem_at(text: &str, byte: usize, problem: &str) -> String {
    let before = text.get(..byte).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.chars().count() - before.get(..start).map_or(0, |head| head.chars().count()) + 1;
    format!("line {line}, column {column}: {problem}")
}
