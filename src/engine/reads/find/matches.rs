//! Words of a search, compared without case and accents, and as SQL conditions.

use crate::domain::text::{digits, folded};
use crate::engine::reads::literal;
use crate::engine::reads::names::TAIL_LEAST;
use crate::store::Value;

/// Words of a day.
const DAYS: [&str; 19] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Most words compared.
const WORDS_MAX: usize = 8;

/// Typed words, folded.
#[derive(Clone, Debug)]
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let text = folded(text);
        let words = text.split_whitespace().take(WORDS_MAX);
        Self(words.map(str::to_owned).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the word if there is only one.
    pub(super) fn only(&self) -> Option<&str> {
        match self.0.as_slice() {
            [word] => Some(word),
            _ => None,
        }
    }

    /// Returns whether each word is in one of the fields, or in the digits of a phone.
    pub(super) fn are_in(&self, fields: &[&str], phone: &str) -> bool {
        let fields: Vec<String> = fields.iter().map(|field| folded(field)).collect();
        let phone = digits(phone);
        self.0.iter().all(|word| {
            let number = digits(word);
            fields.iter().any(|field| field.contains(word))
                || is_number(word) && phone.contains(&number)
        })
    }

    /// Returns the word that is the tail of an id, or an empty text. Other parts of an id are
    /// common to many.
    pub(super) fn tail_of(&self, id: &str) -> &str {
        let is_tail = |word: &&String| word.len() >= TAIL_LEAST && id.ends_with(&***word);
        self.0.iter().find(is_tail).map_or("", String::as_str)
    }

    /// Returns whether one of the words is in a field.
    pub(super) fn any_in(&self, field: &str) -> bool {
        let field = folded(field);
        self.0.iter().any(|word| field.contains(word))
    }

    /// Words that are in none of the texts, and are not words of a day.
    fn own(&self, texts: &[String]) -> Self {
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let is_own =
            |word: &&String| !is_day(word) && !texts.iter().any(|text| text.contains(*word));
        Self(self.0.iter().filter(is_own).cloned().collect())
    }
}

/// Returns whether a word may be of a day: `fri`, `nov`, `27`, `19:30`, `2026-11-27`.
fn is_day(word: &str) -> bool {
    let is_name = word.len() >= 3 && DAYS.iter().any(|day| day.starts_with(word));
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
    pub(super) fn but(&mut self, words: &Words, elsewhere: &[String], columns: &[&str]) -> String {
        let own = words.own(elsewhere);
        if own.is_empty() {
            self.joined(words, columns, " OR ")
        } else {
            self.joined(&own, columns, " AND ")
        }
    }

    fn joined(&mut self, words: &Words, columns: &[&str], by: &str) -> String {
        let conditions = words.0.iter().map(|word| {
            let mut patterns = vec![word.clone()];
            let number = digits(word);
            if is_number(word) && number != *word {
                patterns.push(number);
            }
            let one = patterns.iter().flat_map(|pattern| {
                self.params.push(format!("%{}%", literal(pattern)).into());
                let at = self.params.len();
                columns
                    .iter()
                    .map(move |column| format!("{column} LIKE ${at} ESCAPE '!'"))
            });
            format!("({})", one.collect::<Vec<_>>().join(" OR "))
        });
        conditions.collect::<Vec<_>>().join(by)
    }
}
