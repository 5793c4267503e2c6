//! Turns error messages of the system into sentences.

use crate::engine::Fault;

/// Sentence for a fault, with what to do.
#[must_use]
pub fn fault(fault: &Fault) -> String {
    sentence(&fault.to_string())
}

/// Turns an error message into a sentence: with a capital, a full stop, and without error numbers. A name at the
/// start keeps its case, and a command at the end gets no full stop.
#[must_use]
pub fn sentence(said: &str) -> String {
    let bare = without_numbers(said.trim_end());
    let first = bare.split(' ').next().unwrap_or_default();
    let is_word = !first.is_empty() && first.bytes().all(|letter| letter.is_ascii_lowercase());
    let said = if is_word { capital(&bare) } else { bare };
    let last = said.rsplit("; ").next().unwrap_or_default();
    if said.ends_with(['.', '!', '?']) || last.contains(": willcall") || last.contains(": createdb") {
        said
    } else {
        format!("{said}.")
    }
}

/// Removes ` (os error 2)` anywhere in a message.
fn without_numbers(said: &str) -> String {
    let mut rest = said;
    let mut bare = String::with_capacity(said.len());
    while let Some((before, after)) = rest.split_once(" (os error ") {
        let Some((_, after)) = after.split_once(')') else {
            break;
        };
        bare.push_str(before);
        rest = after;
    }
    bare + rest
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_system_error_message_becomes_a_sentence() {
        for (said, expected) in [
            ("the disk is full; free some space", "The disk is full; free some space."),
            ("house.db is a folder; name a file in it", "house.db is a folder; name a file in it."),
            (
                "/nowhere/x cannot be written: No such file or directory (os error 2). Choose another.",
                "/nowhere/x cannot be written: No such file or directory. Choose another.",
            ),
            (
                "there is no house in x; make one with: willcall --db x init",
                "There is no house in x; make one with: willcall --db x init",
            ),
            ("", "."),
        ] {
            assert_eq!(sentence(said), expected);
        }
    }
}
