//! Index search for customers by typed words: starts of words, slips of the finger, and parts of words.
//!
//! A word with one slip still has the first or the last letters of the meant one, so both are looked up by index, the last
//! ones in words stored backward. Only what is found by neither is looked for in all names.

use crate::domain::customer::{PHONE_END, backward, is_number, is_same_phone};
use crate::domain::fuzzy::is_slip;
use crate::domain::text::{digits, folded};
use crate::engine::reads::{Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::Value;

/// Customers from which none is looked for by less likely ways.
pub(in crate::engine::reads) const ENOUGH: usize = 8;

/// Most rows that the database finds by one way.
const ROWS_MAX: i64 = 5000;

/// Customers from which on no letters in order are looked for.
const FEW_MAX: i64 = 20_000;

/// Fewest letters of a word in which a slip is forgiven.
const SLIP_LEAST: usize = 4;

/// Greatest letter: behind all words with a start.
const LAST: char = '\u{10ffff}';

/// Way of matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine::reads) enum Reach {
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

    pub(in crate::engine::reads) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.number.is_empty()
    }

    /// Returns whether a record with these columns is meant.
    fn suits(&self, (searched, mail): (&str, &str), reach: Reach) -> bool {
        let words = || searched.split_whitespace();
        let meant = |word: &String| match reach {
            Reach::Start => words().any(|one| one.starts_with(word)) || mail.starts_with(word),
            Reach::Slip => {
                mail.starts_with(word)
                    || words().any(|one| {
                        let may_slip = word.chars().count() >= SLIP_LEAST;
                        one.starts_with(word) || may_slip && is_slip(word, one)
                    })
            }
            Reach::Within => searched.contains(word) || mail.contains(word),
            Reach::Letters => true,
        };
        let phone = words().next_back().unwrap_or_default();
        let has_number = self.number.is_empty()
            || phone.contains(&self.number)
            || is_same_phone(phone, &self.number);
        has_number && self.words.iter().all(meant)
    }
}

/// Condition on the table of customers, which finds at least those that suit.
pub(in crate::engine::reads) fn condition(
    sought: &Sought,
    reach: Reach,
    params: &mut Vec<Value<'static>>,
) -> String {
    let mut all: Vec<String> = Vec::new();
    let longest = sought.words.iter().max_by_key(|word| word.len());
    for word in &sought.words {
        match reach {
            // the database narrows by one index only
            Reach::Start | Reach::Slip if Some(word) == longest && sought.number.is_empty() => {
                all.push(format!("({})", starts(word, reach, params).join(" OR ")));
            }
            Reach::Slip => {}
            Reach::Start | Reach::Within => all.push(like(&literal(word), params)),
            Reach::Letters => {
                let letters = word.chars().map(|letter| literal(&letter.to_string()));
                all.push(like(&letters.collect::<Vec<_>>().join("%"), params));
            }
        }
    }
    if !sought.number.is_empty() {
        all.push(match reach {
            Reach::Start | Reach::Slip => {
                let back: String = backward(&sought.number).chars().take(PHONE_END).collect();
                starting("phone_back", &back, params)
            }
            Reach::Within | Reach::Letters => like(&sought.number, params),
        });
    }
    all.join(" AND ")
}

fn like(pattern: &str, params: &mut Vec<Value<'static>>) -> String {
    params.push(format!("%{pattern}%").into());
    format!("searched LIKE ${} ESCAPE '!'", params.len())
}

/// Conditions of which a meant record meets one, each for an index.
fn starts(word: &str, reach: Reach, params: &mut Vec<Value<'static>>) -> Vec<String> {
    let length = word.chars().count();
    let mut any: Vec<String> = Vec::new();
    let mut start = word.to_owned();
    if reach == Reach::Slip && length >= SLIP_LEAST {
        // one slip can't reach both ends
        let kept = (length - 1) / 2;
        start = word.chars().take(kept).collect();
        let end: String = backward(word).chars().take(kept).collect();
        for column in ["first_back", "last_back"] {
            any.push(starting(column, &end, params));
        }
    }
    any.push(starting("searched", &start, params));
    any.push(starting("last_word", &start, params));
    any.push(starting("mail", word, params));
    any
}

fn starting(column: &str, start: &str, params: &mut Vec<Value<'static>>) -> String {
    params.push(start.to_owned().into());
    params.push(format!("{start}{LAST}").into());
    let until = params.len();
    format!("{column} >= ${} AND {column} < ${until}", until - 1)
}

/// Keys of the customers that are meant, in one way of matching.
pub(in crate::engine::reads) fn keys(
    snapshot: &mut Snapshot<'_>,
    sought: &Sought,
    reach: Reach,
) -> Result<Vec<String>, Failure> {
    let mut params = Vec::new();
    let condition = condition(sought, reach, &mut params);
    let few = if reach == Reach::Letters {
        // the slowest way, which a large house does without
        format!(
            "(SELECT COUNT(*) FROM (SELECT 1 FROM customer LIMIT {FEW_MAX}) few) < {FEW_MAX} AND "
        )
    } else {
        String::new()
    };
    let sql =
        format!("SELECT key, searched, mail FROM customer WHERE {few}{condition} LIMIT {ROWS_MAX}");
    let rows = snapshot.query(&sql, &params)?;
    let meant = rows
        .iter()
        .filter(|row| sought.suits((row.text(1), row.text(2)), reach));
    Ok(meant.map(|row| row.text(0).to_owned()).collect())
}
