//! Search for customers by typed words: starts of words, slips of the finger, and parts of words.
//!
//! All names are read each time, from their index alone: 25 ms among 200,000 customers. A word with one slip still has the
//! first or the last letters of the meant one, so the database leaves few to be compared.

use std::collections::BTreeSet;

use crate::domain::customer::{PHONE_END, is_number, is_same_phone};
use crate::domain::fuzzy::is_slip;
use crate::domain::text::{digits, folded};
use crate::engine::reads::{Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::Value;

/// Customers from which none is looked for by less likely ways.
pub(in crate::engine::reads) const ENOUGH: usize = 8;

/// Most rows that the database finds by one way.
const ROWS_MAX: i64 = 5000;

/// Most names that are compared with one that may have a slip.
const COMPARED_MAX: i64 = 100_000;

/// Most customers whose names are all read for each word, in any way.
const FEW_MAX: i64 = 20_000;

/// Fewest letters of a word in which a slip is forgiven.
const SLIP_LEAST: usize = 4;

/// Greatest letter: behind all words with a start.
const LAST: char = '\u{10ffff}';

/// Way of matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine::reads) enum NameMatch {
    /// A word of the name, or the mail, starts with the typed word; a phone ends with it.
    Start,
    /// [`Self::Start`], or a whole word but for a slip of the finger.
    Slip,
    /// The typed word is part of a name or phone.
    Within,
    /// The letters of the typed word are in a name, in order.
    Letters,
}

/// Typed words for a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine::reads) struct Sought {
    words: Vec<String>,
    /// Digits of a phone.
    number: String,
}

impl Sought {
    pub(in crate::engine::reads) fn of(text: &str) -> Self {
        let mut sought = Self::default();
        for word in folded(text).split_whitespace() {
            if is_number(word) {
                sought.number.push_str(&digits(word));
            } else {
                sought.words.push(word.to_owned());
            }
        }
        sought
    }

    fn longest(&self) -> Option<&String> {
        self.words.iter().max_by_key(|word| word.len())
    }

    pub(in crate::engine::reads) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.number.is_empty()
    }

    /// Returns whether a record with these columns is meant.
    fn suits(&self, (searched, mail): (&str, &str), reach: NameMatch) -> bool {
        let words = || searched.split_whitespace();
        let meant = |word: &String| match reach {
            NameMatch::Start => words().any(|one| one.starts_with(word)) || mail.starts_with(word),
            NameMatch::Slip => {
                mail.starts_with(word)
                    || words().any(|one| one.starts_with(word) || may_slip(word) && is_slip(word, one))
            }
            NameMatch::Within => searched.contains(word) || mail.contains(word),
            NameMatch::Letters => true,
        };
        let phone = words().next_back().unwrap_or_default();
        let has_number = self.number.is_empty() || phone.contains(&self.number) || is_same_phone(phone, &self.number);
        has_number && self.words.iter().all(meant)
    }
}

/// Condition that the names and phones of all suit, and of few others.
fn condition(sought: &Sought, reach: NameMatch, params: &mut Vec<Value<'static>>) -> String {
    let mut like = |pattern: String| {
        params.push(pattern.into());
        format!("' ' || searched || ' ' LIKE ${} ESCAPE '!'", params.len())
    };
    let of_word = |word: &String| match reach {
        NameMatch::Slip if may_slip(word) => {
            // the letters that a slip leaves at one end or at the other
            let letters: Vec<char> = word.chars().collect();
            let (first, rest) = letters.split_at((letters.len() - 1) / 2);
            let last = rest.get(1..).unwrap_or_default();
            let [first, last] = [first, last].map(|part| literal(&part.iter().collect::<String>()));
            format!("({} OR {})", like(format!("% {first}%")), like(format!("%{last} %")))
        }
        NameMatch::Start | NameMatch::Slip => like(format!("% {}%", literal(word))),
        NameMatch::Within => like(format!("%{}%", literal(word))),
        NameMatch::Letters => {
            let letters = word.chars().map(|letter| literal(&letter.to_string()));
            like(format!("%{}%", letters.collect::<Vec<_>>().join("%")))
        }
    };
    let mut all: Vec<String> = sought.words.iter().map(of_word).collect();
    if !sought.number.is_empty() {
        let end = sought.number.len().saturating_sub(PHONE_END);
        let last = sought.number.get(end..).unwrap_or_default();
        all.push(like(match reach {
            // the phone is the last word
            NameMatch::Start | NameMatch::Slip => format!("%{last} "),
            NameMatch::Within | NameMatch::Letters => format!("%{last}%"),
        }));
    }
    all.join(" AND ")
}

/// Keys of the customers that are meant, in one way of matching.
pub(in crate::engine::reads) fn keys(
    snapshot: &mut Snapshot<'_>,
    sought: &Sought,
    reach: NameMatch,
) -> Result<Vec<String>, Failure> {
    // the slowest way, which a large house does without
    if reach == NameMatch::Letters && is_large(snapshot)? {
        return Ok(Vec::new());
    }
    let mut params = Vec::new();
    let condition = condition(sought, reach, &mut params);
    let most = if reach == NameMatch::Slip { COMPARED_MAX } else { ROWS_MAX };
    let names = format!("SELECT key, searched, '' FROM customer WHERE {condition} LIMIT {most}");
    let mut rows = snapshot.query(&names, &params)?;
    if let (NameMatch::Start | NameMatch::Slip, Some(word)) = (reach, sought.longest()) {
        let mails = format!("SELECT key, searched, mail FROM customer WHERE mail >= $1 AND mail < $2 LIMIT {ROWS_MAX}");
        rows.extend(snapshot.query(&mails, &[word.as_str().into(), format!("{word}{LAST}").into()])?);
    }
    let meant = rows.iter().filter(|row| sought.suits((row.text(1), row.text(2)), reach));
    let keys: BTreeSet<&str> = meant.map(|row| row.text(0)).collect();
    Ok(keys.into_iter().map(str::to_owned).collect())
}

/// Returns whether it takes long to read all names.
pub(in crate::engine::reads) fn is_large(snapshot: &mut Snapshot<'_>) -> Result<bool, Failure> {
    let beyond = format!("SELECT key FROM customer LIMIT 1 OFFSET {FEW_MAX}");
    Ok(!snapshot.query(&beyond, &[])?.is_empty())
}

/// Returns whether a word is long enough for a slip to be forgiven.
fn may_slip(word: &str) -> bool {
    word.chars().count() >= SLIP_LEAST
}
