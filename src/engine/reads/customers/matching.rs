//! Index search for customers by typed words: starts of words, slips of the finger, and parts of words.
//!
//! A word with one slip still has the first or the last letters of the meant one, so both are looked up by index, the last
//! ones in words stored backward; the words are compared as they stand in the index. Only what is found by neither is looked
//! for in all names.

use std::collections::BTreeSet;

use crate::domain::customer::{PHONE_END, backward, is_number, is_same_phone};
use crate::domain::fuzzy::is_slip;
use crate::domain::text::{digits, folded};
use crate::engine::reads::{Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::document::by_keys;
use crate::store::{Row, Value};

/// Customers from which none is looked for by less likely ways.
pub(in crate::engine::reads) const ENOUGH: usize = 8;

/// Most rows that the database finds by one way.
const ROWS_MAX: i64 = 5000;

/// Most words of an index that are compared with one that may have a slip.
const COMPARED_MAX: i64 = 100_000;

/// Most customers whose names are all read for each word, in any way.
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

    fn longest(&self) -> Option<&String> {
        self.words.iter().max_by_key(|word| word.len())
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
        let has_number = self.number.is_empty() || phone.contains(&self.number) || is_same_phone(phone, &self.number);
        has_number && self.words.iter().all(meant)
    }
}

/// Condition on the table of customers, which finds at least those that suit.
pub(in crate::engine::reads) fn condition(sought: &Sought, reach: Reach, params: &mut Vec<Value<'static>>) -> String {
    let mut all: Vec<String> = Vec::new();
    let longest = sought.longest();
    for word in &sought.words {
        match reach {
            // the database narrows by one index only
            Reach::Start if Some(word) == longest && sought.number.is_empty() => {
                let ways = ["searched", "last_word", "mail"];
                let ways = ways.map(|column| starting(column, word, params));
                all.push(format!("({})", ways.join(" OR ")));
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
    let rows = match (reach, sought.longest()) {
        // the slowest way, which a large house does without
        (Reach::Letters, _) if is_large(snapshot)? => Vec::new(),
        (Reach::Slip, Some(word)) if sought.number.is_empty() => {
            let keys = near(snapshot, word)?;
            let select = "SELECT key, searched, mail FROM customer WHERE key IN ";
            by_keys(&mut |text, params| snapshot.sql().query(text, params), select, &keys)?
        }
        _ => {
            let mut params = Vec::new();
            let condition = condition(sought, reach, &mut params);
            // names and phones are read from their index alone
            let mail = match reach {
                Reach::Start | Reach::Slip => "mail",
                Reach::Within | Reach::Letters => "''",
            };
            let sql = format!("SELECT key, searched, {mail} FROM customer WHERE {condition} LIMIT {ROWS_MAX}");
            snapshot.query(&sql, &params)?
        }
    };
    let meant = rows.iter().filter(|row| sought.suits((row.text(1), row.text(2)), reach));
    Ok(meant.map(|row| row.text(0).to_owned()).collect())
}

/// Returns whether it takes long to read all names.
pub(in crate::engine::reads) fn is_large(snapshot: &mut Snapshot<'_>) -> Result<bool, Failure> {
    let beyond = format!("SELECT key FROM customer LIMIT 1 OFFSET {FEW_MAX}");
    Ok(!snapshot.query(&beyond, &[])?.is_empty())
}

/// Keys of the customers whose first or last word, or mail, starts with a typed word, or whose first or last word is that
/// word but for a slip.
fn near(snapshot: &mut Snapshot<'_>, word: &str) -> Result<Vec<Value<'static>>, Failure> {
    let (length, back) = (word.chars().count(), backward(word));
    let mut params = Vec::new();
    // the letters that a slip leaves at one end or at the other
    let kept = length.saturating_sub(1) / 2;
    let (first, last) = if length < SLIP_LEAST { (length, length) } else { (kept, length - 1 - kept) };
    let ways = [
        ("searched", word, first),
        ("last_word", word, first),
        ("mail", word, length),
        ("first_back", &back, last),
        ("last_back", &back, last),
    ];
    let ways = ways.map(|(column, text, kept)| {
        let start: String = text.chars().take(kept).collect();
        let is_back = u8::from(column.ends_with("_back"));
        let range = starting(column, &start, &mut params);
        format!("SELECT key, {column}, {is_back} FROM customer WHERE {range}")
    });
    let sql = format!("{} LIMIT {COMPARED_MAX}", ways.join(" UNION ALL "));
    let is_near = |row: &&Row| {
        let one = row.text(1).split(' ').next().unwrap_or_default();
        let may_slip = length >= SLIP_LEAST;
        if row.int(2) == 1 {
            may_slip && is_slip(&back, one)
        } else {
            one.starts_with(word) || may_slip && is_slip(word, one)
        }
    };
    let rows = snapshot.query(&sql, &params)?;
    let keys: BTreeSet<&str> = rows.iter().filter(is_near).map(|row| row.text(0)).collect();
    Ok(keys.into_iter().map(|key| key.to_owned().into()).collect())
}
