//! Words of a search, compared without case and accents, and as SQL conditions.

use crate::domain::fuzzy::Fuzzy;
use crate::domain::text::{digits, folded};
use crate::engine::reads::literal;
use crate::engine::reads::names::TAIL_LEAST;
use crate::store::Value;

/// Words of a day.
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july \
                    august september october november december";

/// Most words compared.
const WORDS_MAX: usize = 8;

/// Fewest letters of a word that may have others between them.
const LETTERS_MIN: usize = 3;

/// Typed words, folded.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<String>,
    /// Matcher of letters in order; without it each word must stand in a text as typed.
    fuzzy: Option<Fuzzy>,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let text = folded(text);
        let words = text.split_whitespace().take(WORDS_MAX);
        Self {
            words: words.map(str::to_owned).collect(),
            fuzzy: None,
        }
    }

    /// Copy of the words whose letters may have others between them.
    pub(super) fn spread(&self) -> Self {
        Self {
            fuzzy: Some(Fuzzy::of(&self.words.join(" "))),
            ..self.clone()
        }
    }

    /// True if a word is long enough to have other letters between its own.
    pub(super) fn can_spread(&self) -> bool {
        self.words.iter().any(|word| spreads(word))
    }

    pub(super) fn score(&mut self, text: &str) -> u32 {
        let fuzzy = self.fuzzy.as_mut();
        fuzzy.and_then(|fuzzy| fuzzy.score(text)).unwrap_or(0)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn only(&self) -> Option<&str> {
        match self.words.as_slice() {
            [word] => Some(word),
            _ => None,
        }
    }

    /// Returns whether each word is in one of the fields, or in the digits of a phone.
    pub(super) fn are_in(&mut self, fields: &[&str], phone: &str) -> bool {
        let fields: Vec<String> = fields.iter().map(|field| folded(field)).collect();
        let phone = digits(phone);
        let fuzzy = &mut self.fuzzy;
        self.words.iter().all(|word| {
            let number = digits(word);
            fields.iter().any(|field| has(field, word, fuzzy.as_mut()))
                || is_number(word) && phone.contains(&number)
        })
    }

    /// Returns the word that is the tail of an id, or an empty text. Other parts of an id are common to many.
    pub(super) fn tail_of(&self, id: &str) -> &str {
        let is_tail = |word: &&String| word.len() >= TAIL_LEAST && id.ends_with(&***word);
        self.words.iter().find(is_tail).map_or("", String::as_str)
    }

    /// Returns whether one of the words is in a field.
    pub(super) fn any_in(&mut self, field: &str) -> bool {
        let (field, fuzzy) = (folded(field), &mut self.fuzzy);
        let mut words = self.words.iter();
        words.any(|word| has(&field, word, fuzzy.as_mut()))
    }

    /// Words that are in none of the texts, and are not words of a day.
    fn own(&mut self, texts: &[String]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let fuzzy = &mut self.fuzzy;
        let words = self.words.iter().filter(|word| {
            let mut texts = texts.iter();
            !is_day(word) && !texts.any(|text| has(text, word, fuzzy.as_mut()))
        });
        words.cloned().collect()
    }
}

/// Returns whether a folded text has a word, or its letters in order.
fn has(text: &str, word: &str, fuzzy: Option<&mut Fuzzy>) -> bool {
    let spread = fuzzy.filter(|_| spreads(word));
    text.contains(word) || spread.is_some_and(|fuzzy| fuzzy.has(text, word))
}

/// Returns whether other letters may stand between those of a word.
fn spreads(word: &str) -> bool {
    word.chars().count() >= LETTERS_MIN && !is_number(word) && !is_day(word)
}

/// Returns whether a word may be of a day: `fri`, `nov`, `27`, `19:30`, `2026-11-27`.
fn is_day(word: &str) -> bool {
    let is_name = word.len() >= 3 && DAYS.split(' ').any(|day| day.starts_with(word));
    let is_digits = |parts: &str| {
        parts
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b":-".contains(&byte))
    };
    let is_time = word.contains(':') || word.len() <= 2 || word.len() == 10 && word.contains('-');
    is_name || is_digits(word) && is_time
}

/// Returns whether a word is part of a phone number: digits and the usual signs.
fn is_number(word: &str) -> bool {
    let signs = |letter: char| letter.is_ascii_digit() || "+-/().".contains(letter);
    word.chars().all(signs) && !digits(word).is_empty()
}

/// Condition on a column: that it holds a text, or of a customer's id that its record does.
fn like(column: &str, param: usize) -> String {
    let like = format!("LIKE ${param} ESCAPE '!'");
    match column {
        "customer" => {
            format!("customer IN (SELECT key FROM customer WHERE searched {like})")
        }
        _ => format!("{column} {like}"),
    }
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
    pub(super) fn but(
        &mut self,
        words: &mut Words,
        elsewhere: &[String],
        columns: &[&str],
    ) -> String {
        let (own, spread) = (words.own(elsewhere), words.fuzzy.is_some());
        if own.is_empty() {
            self.joined((&words.words, spread), columns, " OR ")
        } else {
            self.joined((&own, spread), columns, " AND ")
        }
    }

    fn joined(&mut self, (words, spread): (&[String], bool), columns: &[&str], by: &str) -> String {
        let conditions = words.iter().map(|word| {
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
            let one = patterns.iter().flat_map(|pattern| {
                self.params.push(format!("%{pattern}%").into());
                let at = self.params.len();
                columns.iter().map(move |column| like(column, at))
            });
            format!("({})", one.collect::<Vec<_>>().join(" OR "))
        });
        conditions.collect::<Vec<_>>().join(by)
    }
}
