//! Words of a search, compared without case and accents, and as SQL conditions.

use std::collections::HashMap;

use crate::domain::customer::{PHONE_END, is_number, is_same_phone};
use crate::domain::fuzzy::{Fuzzy, is_slip};
use crate::domain::text::{digits, folded};
use crate::engine::reads::customers::matching::{self, NameMatch, Sought};
use crate::engine::reads::names::TAIL_LEAST;
use crate::engine::reads::{Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::Value;

/// Words of a day.
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july \
                    august september october november december";

/// Most words compared.
const WORDS_MAX: usize = 8;

/// Most customers whose orders are looked at for one word.
const CUSTOMERS_MAX: usize = 2000;

/// Most words that are looked for within the names of a large house; the others are found by their start or with a slip.
const SCANS_MAX: usize = 1;

/// Fewest letters of a word that may have others between them.
const LETTERS_MIN: usize = 3;

/// Typed words, folded.
#[derive(Clone, Debug)]
pub(super) struct TypedWords {
    typed: Vec<String>,
    /// Matcher of letters in order; without it each word must stand in a text as typed.
    fuzzy: Option<Fuzzy>,
    /// Customers whose names, phones or mails match each word.
    customers: HashMap<String, Vec<String>>,
}

impl TypedWords {
    pub(super) fn of(text: &str) -> Self {
        let mut typed = split(&folded(text));
        typed.truncate(WORDS_MAX);
        Self { typed, fuzzy: None, customers: HashMap::new() }
    }

    /// Copy of the words whose letters may have others between them.
    pub(super) fn spread(&self) -> Self {
        Self { fuzzy: Some(Fuzzy::of(&self.typed.join(" "))), ..self.clone() }
    }

    /// Looks up the customers that each word matches, once for all kinds of hits.
    pub(super) fn look_up(&mut self, snapshot: &mut Snapshot<'_>) -> Result<(), Failure> {
        let mut scans = 0;
        for word in &self.typed {
            let sought = Sought::of(word);
            let mut keys = self.customers.remove(word).unwrap_or_default();
            if self.fuzzy.is_none() {
                keys = matching::keys(snapshot, &sought, NameMatch::Start)?;
                if keys.is_empty() && (scans < SCANS_MAX || !matching::is_large(snapshot)?) {
                    scans += 1;
                    keys = matching::keys(snapshot, &sought, NameMatch::Within)?;
                }
            } else if keys.len() < matching::ENOUGH && spreads(word) {
                keys.extend(matching::keys(snapshot, &sought, NameMatch::Slip)?);
                if keys.is_empty() {
                    keys = matching::keys(snapshot, &sought, NameMatch::Letters)?;
                }
            }
            keys.truncate(CUSTOMERS_MAX);
            self.customers.insert(word.clone(), keys);
        }
        Ok(())
    }

    /// True if a word is long enough to have other letters between its own.
    pub(super) fn can_spread(&self) -> bool {
        self.typed.iter().any(|word| spreads(word))
    }

    pub(super) fn score(&mut self, text: &str) -> u32 {
        let fuzzy = self.fuzzy.as_mut();
        fuzzy.and_then(|fuzzy| fuzzy.score(text)).unwrap_or(0)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.typed.is_empty()
    }

    pub(super) fn only(&self) -> Option<&str> {
        match self.typed.as_slice() {
            [word] => Some(word),
            _ => None,
        }
    }

    /// Returns whether each word is in one of the fields, or in the digits of a phone.
    pub(super) fn are_in(&mut self, fields: &[&str], phone: &str) -> bool {
        let fields: Vec<String> = fields.iter().map(|field| folded(field)).collect();
        let phone = digits(phone);
        let fuzzy = &mut self.fuzzy;
        self.typed.iter().all(|word| {
            let number = digits(word);
            fields.iter().any(|field| has(field, word, fuzzy.as_mut()))
                || is_number(word) && (phone.contains(&number) || is_same_phone(&phone, &number))
        })
    }

    /// Returns the word that is the tail of an id, or an empty text. Other parts of an id are common to many.
    pub(super) fn tail_of(&self, id: &str) -> &str {
        let is_tail = |word: &&String| word.len() >= TAIL_LEAST && id.ends_with(&***word);
        self.typed.iter().find(is_tail).map_or("", String::as_str)
    }

    /// Returns whether one of the words is in a field.
    pub(super) fn any_in(&mut self, field: &str) -> bool {
        let (field, fuzzy) = (folded(field), &mut self.fuzzy);
        let mut words = self.typed.iter();
        words.any(|word| has(&field, word, fuzzy.as_mut()))
    }

    /// Words that are in none of the texts, and are not words of a day.
    fn own(&mut self, texts: &[String]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let fuzzy = &mut self.fuzzy;
        let words = self.typed.iter().filter(|word| {
            let mut texts = texts.iter();
            !is_day(word) && !texts.any(|text| has(text, word, fuzzy.as_mut()))
        });
        words.cloned().collect()
    }
}

/// Words of a text. The parts of a phone that starts with a country code or a zero are one word: "+44 7700 900417".
fn split(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let (mut words, mut rest) = (Vec::new(), parts.as_slice());
    while let Some(first) = rest.first() {
        let is_phone = is_number(first) && (first.starts_with('+') || digits(first).starts_with('0'));
        let numbers = rest.iter().take_while(|part| is_phone && is_number(part));
        let (phone, after) = rest.split_at(numbers.count().max(1));
        let joined = phone.concat();
        if digits(&joined).len() > PHONE_END {
            words.push(joined);
        } else {
            words.extend(phone.iter().map(|&part| part.to_owned()));
        }
        rest = after;
    }
    words
}

/// Returns whether a folded text has a word, or its letters in order.
fn has(text: &str, word: &str, fuzzy: Option<&mut Fuzzy>) -> bool {
    let spread = fuzzy.filter(|_| spreads(word));
    let slips = |text: &str| text.split_whitespace().any(|one| is_slip(word, one));
    text.contains(word) || spread.is_some_and(|fuzzy| fuzzy.has(text, word) || slips(text))
}

/// Returns whether other letters may stand between those of a word.
fn spreads(word: &str) -> bool {
    word.chars().count() >= LETTERS_MIN && !is_number(word) && !is_day(word)
}

/// Returns whether a word may be of a day: `fri`, `nov`, `27`, `19:30`, `2026-11-27`.
fn is_day(word: &str) -> bool {
    let is_name = word.len() >= 3 && DAYS.split(' ').any(|day| day.starts_with(word));
    let is_digits = |parts: &str| parts.bytes().all(|byte| byte.is_ascii_digit() || b":-".contains(&byte));
    let is_time = word.contains(':') || word.len() <= 2 || word.len() == 10 && word.contains('-');
    is_name || is_digits(word) && is_time
}

/// Conditions on columns that hold folded text, with their parameters.
pub(super) struct Likes {
    pub(super) params: Vec<Value<'static>>,
}

impl Likes {
    /// Starts after the parameters that a statement already has.
    pub(super) const fn after(params: Vec<Value<'static>>) -> Self {
        Self { params }
    }

    /// Condition that each word which matches nothing `elsewhere` and no day is in one of the
    /// columns; if all words match elsewhere, that any of them is in one.
    pub(super) fn but(&mut self, words: &mut TypedWords, elsewhere: &[String], columns: &[&str]) -> String {
        let own = words.own(elsewhere);
        if own.is_empty() {
            self.joined((words, &words.typed), columns, " OR ")
        } else {
            self.joined((words, &own), columns, " AND ")
        }
    }

    fn joined(&mut self, (words, chosen): (&TypedWords, &[String]), columns: &[&str], by: &str) -> String {
        let spread = words.fuzzy.is_some();
        let conditions = chosen.iter().map(|word| {
            let mut patterns = vec![if spread && spreads(word) {
                let letters = word.chars().map(|letter| literal(&letter.to_string()));
                letters.collect::<Vec<_>>().join("%")
            } else {
                literal(word)
            }];
            let number = digits(word);
            if is_number(word) && number != *word {
                patterns.push(number);
            }
            let mut one: Vec<String> = Vec::new();
            for column in columns {
                if *column == "customer" {
                    one.push(self.of_customers(words, word));
                    continue;
                }
                for pattern in &patterns {
                    self.params.push(format!("%{pattern}%").into());
                    one.push(format!("{column} LIKE ${} ESCAPE '!'", self.params.len()));
                }
            }
            format!("({})", one.join(" OR "))
        });
        conditions.collect::<Vec<_>>().join(by)
    }

    /// Condition that a customer matches a word.
    fn of_customers(&mut self, words: &TypedWords, word: &str) -> String {
        match words.customers.get(word) {
            Some(keys) if !keys.is_empty() => {
                let first = self.params.len() + 1;
                self.params.extend(keys.iter().cloned().map(Value::from));
                let params: Vec<String> = (first..=self.params.len()).map(|at| format!("${at}")).collect();
                format!("customer IN ({})", params.join(", "))
            }
            _ => "1 = 0".to_owned(),
        }
    }
}
