//! Deltas between two versions of a document's body.
//!
//! A delta is a list of hunks, each `copied[-skipped]+inserted` with lengths in bytes and ended by `END`; the rest is
//! copied. JSON text has no control characters, so inserted text cannot contain `END`.

use std::fmt::Write as _;

/// Hunk terminator.
const END: char = '\u{1d}';

/// Long tokens searched ahead for a common one after a difference.
const AHEAD_MAX: usize = 24;

/// Least length of a common token; shorter ones match by chance.
const TOKEN_LEAST: usize = 4;

/// Bytes compared at once.
const AT_ONCE: usize = 16;

/// Computes the delta from `old` to `new`. Only the neighborhood of a difference is split into tokens.
pub fn diff(old: &str, new: &str) -> String {
    let (mut delta, mut old, mut new) = (String::with_capacity(128), old, new);
    loop {
        let copied = equal_tokens(old.as_bytes(), new.as_bytes());
        (old, new) = (behind(old, copied), behind(new, copied));
        if old.is_empty() && new.is_empty() {
            return delta;
        }
        let (skipped, inserted) = next_common(old, new);
        // writing to a String cannot fail
        let _ = write!(delta, "{copied}");
        if skipped > 0 {
            let _ = write!(delta, "-{skipped}");
        }
        delta.push('+');
        delta.push_str(new.get(..inserted).unwrap_or_default());
        delta.push(END);
        (old, new) = (behind(old, skipped), behind(new, inserted));
    }
}

fn behind(text: &str, length: usize) -> &str {
    text.get(length..).unwrap_or_default()
}

/// Applies a delta to `old`; `None` if it does not fit.
pub fn apply(old: &str, delta: &str) -> Option<String> {
    let mut new = String::with_capacity(old.len() + delta.len());
    let mut rest = old;
    for hunk in delta.split_terminator(END) {
        let (place, inserted) = hunk.split_once('+')?;
        let (copied, skipped) = place.split_once('-').unwrap_or((place, "0"));
        let (copy, behind) = rest.split_at_checked(copied.parse().ok()?)?;
        (_, rest) = behind.split_at_checked(skipped.parse().ok()?)?;
        new.push_str(copy);
        new.push_str(inserted);
    }
    new.push_str(rest);
    Some(new)
}

/// Length of the equal tokens at the start of two texts.
fn equal_tokens(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.as_chunks::<AT_ONCE>().0.iter();
    let blocks = blocks.zip(new.as_chunks::<AT_ONCE>().0);
    let known = AT_ONCE * blocks.take_while(|(one, other)| one == other).count();
    let rest = old.iter().zip(new).skip(known);
    let same = known + rest.take_while(|(one, other)| one == other).count();
    let ends = |text: &[u8]| text.get(same).is_none_or(is_structure);
    if ends(old) && ends(new) {
        return same;
    }
    let before = old.get(..same).unwrap_or_default();
    before.iter().rposition(is_structure).map_or(0, |at| at + 1)
}

/// Lengths to skip and to insert up to the next common token, of two texts whose first tokens differ.
fn next_common(old: &str, new: &str) -> (usize, usize) {
    let (mut olds, mut news) = (LongTokens::of(old), LongTokens::of(new));
    for distance in 0..=AHEAD_MAX {
        for skip in 0..=distance {
            let Some((from, token)) = olds.get(skip) else {
                break;
            };
            if let Some((to, other)) = news.get(distance - skip)
                && token == other
            {
                return (from, to);
            }
        }
    }
    // the ends may still be equal
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let ends = old.iter().rev().zip(new.iter().rev());
    let same = ends.take_while(|(one, other)| one == other).count();
    let end = old.get(old.len() - same..).unwrap_or_default();
    let length = end.iter().position(is_structure).map_or(0, |at| same - at);
    (old.len() - length, new.len() - length)
}

/// Tokens of a text from [`TOKEN_LEAST`] bytes on, each with its place; found as they are asked for.
struct LongTokens<'a> {
    text: &'a [u8],
    /// Length of the part already split.
    split: usize,
    found: Vec<(usize, &'a [u8])>,
}

impl<'a> LongTokens<'a> {
    const fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), split: 0, found: Vec::new() }
    }

    fn get(&mut self, number: usize) -> Option<(usize, &'a [u8])> {
        while self.found.len() <= number {
            let rest = self.text.get(self.split..)?;
            let length = rest.iter().position(is_structure).unwrap_or(rest.len());
            let token = rest.get(..length).filter(|token| token.len() >= TOKEN_LEAST);
            self.found.extend(token.map(|token| (self.split, token)));
            self.split += length + 1;
        }
        self.found.get(number).copied()
    }
}

/// Returns whether a letter is structure in JSON; the text between two of them is a token.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators pass a reference")]
const fn is_structure(letter: &u8) -> bool {
    matches!(letter, b',' | b':' | b'[' | b']' | b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_delta_of_a_chunk_contains_only_the_changed_runs() {
        let old = r#"[30,[5,9,"lABogWPMotx1pt6Yns34bv-1"],[20,24,"held","lABogWPM8pxv6kkE-xj2K0U1",1795391400803]]"#;
        let new = r#"[30,[5,9,"lABogWPMotx1pt6Yns34bv-1"],[20,24,"lABogWPM8pxv6kkE-xj2K0U1"]]"#;
        let delta = diff(old, new);
        assert_eq!(delta, "44-7+\u{1d}26-14+\u{1d}");
        assert_eq!(apply(old, &delta).as_deref(), Some(new));
    }

    #[test]
    fn a_delta_does_not_apply_to_another_text() {
        let delta = diff(r#"{"a":"long enough","b":1}"#, r#"{"a":"long enough","b":2}"#);
        assert_eq!(apply("{}", &delta), None);
        for broken in ["x+1\u{1d}", "1", "-1+\u{1d}", "99999999999999999999+\u{1d}"] {
            assert_eq!(apply("{}", broken), None, "{broken:?}");
        }
    }

    fn json() -> impl Strategy<Value = String> {
        let part = prop_oneof!["[a-cö]{1,6}", "[0-9]{1,13}", "[,:\\[}\"]"];
        proptest::collection::vec(part, 0..80).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn a_delta_applied_to_the_old_text_gives_the_new_one(old in json(), new in json()) {
            prop_assert_eq!(apply(&old, &diff(&old, &new)), Some(new));
        }
    }
}
