//! Private texts: names, notes and reasons, which people write about people.
//!
//! A field marked `#[serde(with = "private")]` is written as it is where people read it. Where it is stored, [`apart`] puts
//! a number in its place and returns the text, which stands in the row of its document alone: so it can be deleted, and
//! nothing else of the house changes.

use std::cell::{Cell, RefCell};

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

thread_local! {
    /// Texts set apart, or to be put back; `None` where private texts stand as they are.
    static APART: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
    /// Whether what is read comes from outside, where no number stands for a text.
    static SAID: Cell<bool> = const { Cell::new(false) };
}

/// Calls a closure that writes a value; its private texts are returned apart, and their numbers, from 1, stand in their
/// places. An empty text stays.
pub fn apart<T>(write: impl FnOnce() -> T) -> (T, Vec<String>) {
    let outer = APART.replace(Some(Vec::new()));
    let written = write();
    let texts = APART.replace(outer);
    (written, texts.unwrap_or_default())
}

/// Calls a closure that reads a value with its private texts; missing ones are empty.
pub fn together<T>(texts: Vec<String>, read: impl FnOnce() -> T) -> T {
    let outer = APART.replace(Some(texts));
    let read = read();
    APART.set(outer);
    read
}

/// Calls a closure that reads what a program or a person says: a number in the place of a text is refused.
pub fn said<T>(read: impl FnOnce() -> T) -> T {
    let outer = SAID.replace(true);
    let read = read();
    SAID.set(outer);
    read
}

/// The text itself, or its number in the column `words`.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber {
    Text(String),
    Apart(usize),
}

/// Writes a private text, or its number where it is set apart.
pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let number = APART.with_borrow_mut(|apart| {
        let texts = apart.as_mut().filter(|_| !text.is_empty())?;
        texts.push(text.to_owned());
        Some(texts.len())
    });
    match number {
        Some(number) => number.serialize(serializer),
        None => text.serialize(serializer),
    }
}

/// Reads a private text, or the one with its number.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let number = match TextOrNumber::deserialize(deserializer)? {
        TextOrNumber::Text(text) => return Ok(text),
        TextOrNumber::Apart(number) => number,
    };
    if SAID.get() {
        return Err(D::Error::custom(format!("{number} is not a text")));
    }
    let text = APART.with_borrow(|apart| apart.as_ref()?.get(number.checked_sub(1)?).cloned());
    Ok(text.unwrap_or_default())
}

/// Text that may be absent.
pub mod optional {
    use super::{Serialize, Serializer};

    #[derive(Serialize)]
    struct Held<'a>(#[serde(with = "super")] &'a str);

    /// Writes a private text that may be absent.
    pub fn serialize<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
        text.as_deref().map(Held).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Note {
        id: u32,
        #[serde(with = "super")]
        text: String,
        #[serde(default, skip_serializing_if = "String::is_empty", with = "super")]
        more: String,
    }

    #[test]
    fn a_private_text_stands_apart_and_comes_back_while_it_is_there() {
        let note = Note { id: 7, text: "for Ida".into(), more: String::new() };
        let spell = || serde_json::to_string(&note).unwrap();
        assert_eq!(spell(), r#"{"id":7,"text":"for Ida"}"#);
        let (body, texts) = apart(spell);
        assert_eq!((body.as_str(), &texts[..]), (r#"{"id":7,"text":1}"#, &["for Ida".to_owned()][..]));
        let read = |texts| together(texts, || serde_json::from_str::<Note>(&body).unwrap());
        assert_eq!(read(texts), note);
        assert_eq!(read(Vec::new()).text, "");
        assert_eq!(serde_json::from_str::<Note>(&spell()).unwrap(), note);
    }
}
