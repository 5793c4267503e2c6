//! Erasure of a forgotten customer from free text: titles, notes, reasons, references, output of commands.
//!
//! In texts of his own orders each word of the name goes, elsewhere the whole name only: "Weber" in the output of a command may
//! be somebody else. A phone goes in any spelling, mail and note as they are stored.

use std::ops::Range;

use crate::domain::customer::{CustomerRecord, FORGOTTEN, PHONE_END, PHONE_LEAST};
use crate::domain::text::{digits, folded};

/// Members of documents, requests, answers and events whose text people or commands write.
const FREE_TEXT: [&str; 10] =
    ["title", "note", "reason", "reference", "problem", "detail", "Done", "Again", "Failed", "Park"];

/// Fewest letters of a word of a name that is erased by itself.
const WORD_LEAST: usize = 3;

/// Fewest letters of a word of a name that is erased inside a longer one, as in "Webers".
const STEM_LEAST: usize = 4;

/// Words of a customer, in the form in which texts are searched for them.
#[derive(Clone, Debug)]
pub struct Erasure {
    /// All words of the name, in order.
    name: Vec<String>,
    /// Words of the name that are erased by themselves.
    parts: Vec<String>,
    /// Digits of the phone.
    phone: String,
    /// Mail and note, without case.
    exact: Vec<String>,
}

impl Erasure {
    /// Erases each word of the name.
    pub fn of(record: &CustomerRecord) -> Self {
        let whole = Self::of_whole_name(record);
        let is_long = |word: &&String| word.chars().count() >= WORD_LEAST;
        let parts = whole.name.iter().filter(is_long).cloned().collect();
        Self { parts, ..whole }
    }

    /// Erases the whole name only.
    pub fn of_whole_name(record: &CustomerRecord) -> Self {
        let exact = [&record.mail, &record.note].map(|text| text.to_ascii_lowercase());
        let name = words(&record.customer.name).into_iter();
        Self {
            name: name.map(|(_, word)| word).collect(),
            parts: Vec::new(),
            phone: digits(&record.customer.phone),
            exact: exact.into_iter().filter(|text| !text.is_empty()).collect(),
        }
    }

    /// Text with a sign in place of each of the words; `None` if it has none of them.
    pub fn text(&self, text: &str) -> Option<String> {
        let mut found = self.names(text);
        found.extend(self.phones(text));
        let lower = text.to_ascii_lowercase();
        for exact in &self.exact {
            let places = lower.match_indices(exact.as_str());
            found.extend(places.map(|(at, found)| at..at + found.len()));
        }
        found.sort_unstable_by_key(|range| (range.start, range.end));
        let (mut erased, mut end) = (String::with_capacity(text.len()), 0);
        for range in &found {
            let between = text.get(end..range.start).unwrap_or_default();
            // one sign for a name of several words
            if end == 0 || !between.trim().is_empty() {
                erased.push_str(between);
                erased.push_str(FORGOTTEN);
            }
            end = end.max(range.end);
        }
        erased.push_str(text.get(end..).unwrap_or_default());
        (!found.is_empty()).then_some(erased)
    }

    /// JSON text without the words in its free text; `None` if that has none of them.
    pub fn within(&self, json: &str) -> Option<String> {
        let (mut erased, mut kept) = (String::new(), 0);
        let (mut member, mut at) = ("", 0);
        while let Some(start) = json.get(at..)?.find('"').map(|found| at + found) {
            let end = start + literal(json.get(start..)?);
            let text = json.get(start + 1..end.checked_sub(1)?)?;
            if json.get(end..)?.starts_with(':') {
                member = text;
            } else if FREE_TEXT.contains(&member)
                && let Some(without) = self.literal(json.get(start..end)?)
            {
                erased.push_str(json.get(kept..start)?);
                erased.push_str(&without);
                kept = end;
            }
            at = end;
        }
        erased.push_str(json.get(kept..)?);
        (kept > 0).then_some(erased)
    }

    fn literal(&self, literal: &str) -> Option<String> {
        let text: String = serde_json::from_str(literal).ok()?;
        serde_json::to_string(&self.text(&text)?).ok()
    }

    /// Places of the name and of its words.
    fn names(&self, text: &str) -> Vec<Range<usize>> {
        let words = words(text);
        let mut found = Vec::new();
        for (at, (range, word)) in words.iter().enumerate() {
            let run = words.get(at..at + self.name.len()).unwrap_or_default();
            let is_name = !run.is_empty() && run.iter().map(|(_, word)| word).eq(&self.name);
            if let Some((last, _)) = run.last().filter(|_| is_name) {
                found.push(range.start..last.end);
            }
            let is_part = |part: &String| word == part || part.chars().count() >= STEM_LEAST && word.contains(part);
            if self.parts.iter().any(is_part) {
                found.push(range.clone());
            }
        }
        found
    }

    /// Places of spellings of the phone.
    fn phones(&self, text: &str) -> Vec<Range<usize>> {
        let end = self.phone.len().saturating_sub(PHONE_END);
        let end = self.phone.get(end..).unwrap_or_default();
        let is_phone = |number: &str| {
            let digits = digits(number);
            digits == self.phone || end.len() >= PHONE_LEAST && digits.contains(end)
        };
        let mut numbers = runs(text, |letter| letter.is_ascii_digit() || "+-/(). ".contains(letter));
        numbers.retain(|range| {
            let number = text.get(range.clone()).unwrap_or_default();
            !self.phone.is_empty() && is_phone(number)
        });
        let trimmed = |range: Range<usize>| {
            let number = text.get(range.clone()).unwrap_or_default();
            let blank = number.len() - number.trim_start().len();
            range.start + blank..range.start + number.trim_end().len()
        };
        numbers.into_iter().map(trimmed).collect()
    }
}

/// Length of the JSON string at the start of a text, with its quotes.
fn literal(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// Words of a text, folded, with their places.
fn words(text: &str) -> Vec<(Range<usize>, String)> {
    let is_mark = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    let places = runs(text, |letter| letter.is_alphanumeric() || is_mark(letter));
    let word = |range: Range<usize>| {
        let word = folded(text.get(range.clone()).unwrap_or_default());
        (range, word)
    };
    places.into_iter().map(word).collect()
}

/// Longest runs of letters of a kind.
fn runs(text: &str, is_part: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, letter)| is_part(*letter)) {
        let end = at + letter.len_utf8();
        match found.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = end,
            None => found.push(at..end),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Erasure;
    use crate::domain::customer::{Customer, CustomerRecord};
    use crate::domain::ids::CustomerId;

    fn ada() -> CustomerRecord {
        CustomerRecord {
            id: CustomerId::random(),
            salt: String::new(),
            customer: Customer { name: "Ada Bö Weber".into(), phone: "+49 171 5551234".into() },
            mail: "ada@b.example".into(),
            note: "likes \"row A\"".into(),
            gone: None,
        }
    }

    #[test]
    fn words_of_a_customer_are_erased_in_any_spelling() {
        let erasure = Erasure::of(&ada());
        for (text, erased) in [
            ("party of Ada Bö Weber, 8 seats", "party of (forgotten), 8 seats"),
            ("WEBER's birthday", "(forgotten)'s birthday"),
            ("Familie Webers Feier", "Familie (forgotten) Feier"),
            ("bo ada", "bo (forgotten)"),
            ("call 0171/555 12 34 today", "call (forgotten) today"),
            ("call +49 (171) 5551234", "call (forgotten)"),
            ("to ADA@b.example, twice", "to (forgotten), twice"),
            ("Likes \"row A\" and cake", "(forgotten) and cake"),
        ] {
            assert_eq!(erasure.text(text).as_deref(), Some(erased), "{text}");
        }
        for other in ["Adamant", "bo", "0171 555", "web", ""] {
            assert_eq!(erasure.text(other), None, "{other}");
        }
    }

    #[test]
    fn elsewhere_only_a_whole_name_is_erased() {
        let erasure = Erasure::of_whole_name(&ada());
        assert_eq!(erasure.text("Weber has no paper"), None);
        assert_eq!(erasure.text("no paper for ada bo weber").as_deref(), Some("no paper for (forgotten)"));
    }

    #[test]
    fn of_json_only_free_text_is_erased() {
        let json = r#"{"operator":"ada","title":"Ada \"W\", Weber","slots":[1],"note":"","lines":[{"reason":"likes \"row A\""}]}"#;
        let erased = r#"{"operator":"ada","title":"(forgotten) \"W\", (forgotten)","slots":[1],"note":"","lines":[{"reason":"(forgotten)"}]}"#;
        let erasure = Erasure::of(&ada());
        assert_eq!(erasure.within(json).as_deref(), Some(erased));
        assert_eq!(erasure.within(erased), None);
        assert_eq!(erasure.within(r#"{"title":"unended Ada"#), None);
    }
}
