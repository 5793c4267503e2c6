//! Deltas between two versions of a document's body.
//!
//! A delta is a list of hunks, each `copied[-skipped]+inserted` with lengths in bytes and ended by
//! `END`; the rest is copied. JSON text has no control characters, so inserted text cannot contain
//! `END`.

use std::fmt::Write as _;

/// Hunk terminator.
const END: char = '\u{1d}';

/// Tokens searched ahead for a common one after a difference.
const AHEAD_MAX: usize = 48;

/// Least length of a common token; shorter ones match by chance.
const TOKEN_LEAST: usize = 4;

/// Computes the delta from `old` to `new`.
#[must_use]
pub fn diff(old: &str, new: &str) -> String {
    let (olds, news) = (tokens(old), tokens(new));
    let (mut delta, mut copied) = (String::new(), 0);
    let (mut left, mut right) = (0, 0);
    while left < olds.len() || right < news.len() {
        if let (Some(one), Some(other)) = (olds.get(left), news.get(right))
            && one == other
        {
            copied += one.len();
            (left, right) = (left + 1, right + 1);
            continue;
        }
        let (skip, insert) = next_common(
            olds.get(left..).unwrap_or_default(),
            news.get(right..).unwrap_or_default(),
        );
        let skipped: usize = lengths(&olds, left, skip);
        // writing to a String cannot fail
        let _ = write!(delta, "{copied}");
        if skipped > 0 {
            let _ = write!(delta, "-{skipped}");
        }
        delta.push('+');
        for token in news.iter().skip(right).take(insert) {
            delta.push_str(token);
        }
        delta.push(END);
        (left, right, copied) = (left + skip, right + insert, 0);
    }
    delta
}

/// Applies a delta to `old`; `None` if it does not fit.
#[must_use]
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

/// Counts the tokens to skip and to insert up to the next common one.
fn next_common(olds: &[&str], news: &[&str]) -> (usize, usize) {
    for distance in 1..=AHEAD_MAX {
        for skip in 0..=distance {
            let insert = distance - skip;
            if let (Some(one), Some(other)) = (olds.get(skip), news.get(insert))
                && one == other
                && one.len() >= TOKEN_LEAST
            {
                return (skip, insert);
            }
        }
    }
    // the ends may still be equal
    let same = olds.iter().rev().zip(news.iter().rev());
    let same = same.take_while(|(one, other)| one == other).count();
    (olds.len() - same, news.len() - same)
}

fn lengths(tokens: &[&str], from: usize, count: usize) -> usize {
    tokens
        .iter()
        .skip(from)
        .take(count)
        .map(|token| token.len())
        .sum()
}

/// Splits a text into JSON's structural characters and the tokens between them.
fn tokens(text: &str) -> Vec<&str> {
    let is_structure = |letter: char| matches!(letter, ',' | ':' | '[' | ']' | '{' | '}');
    let mut tokens = Vec::with_capacity(text.len() / 6);
    let mut rest = text;
    while !rest.is_empty() {
        let end = match rest.find(is_structure) {
            Some(0) => 1,
            Some(end) => end,
            None => rest.len(),
        };
        let (token, behind) = rest.split_at(end);
        tokens.push(token);
        rest = behind;
    }
    tokens
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
        let delta = diff(
            r#"{"a":"long enough","b":1}"#,
            r#"{"a":"long enough","b":2}"#,
        );
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
