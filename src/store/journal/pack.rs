//! Compression of the journal's texts.
//!
//! An id takes 23 bytes instead of 36 at its first use in an entry, and two bytes after that. Times
//! near the entry's own are stored as differences. Member names, state words and repeated seat
//! lists take one code each. Codes are control characters, which JSON text cannot contain.
//!
//! # Invariants
//! - [`Unpacker::unpack`] restores exactly the input of [`Packer::pack`], text by text in the same order.
//! - The [words] never change, because entries are never rewritten.

use std::fmt::Write as _;

use uuid::Uuid;

use super::words;
use crate::domain::ids::{SHORT_CHARS, Short};

/// Id in 22 letters.
const ID: u8 = 2;
/// Earlier id, by index.
const SAME_ID: u8 = 3;
/// Time, by its difference from the entry's.
const TIME: u8 = 4;
/// Member name: `"word":`.
const MEMBER: u8 = 5;
/// String of a known word: `"word"`.
const STRING: u8 = 6;

/// Earlier list of lists of numbers, by index.
const SAME_LIST: u8 = 7;

/// Bytes of an id as text.
const ID_LENGTH: usize = 36;
/// Digits of a present-day time in milliseconds.
const TIME_LENGTH: usize = 13;
/// Largest time difference stored, in milliseconds: about eleven days.
const DISTANCE_MAX: i64 = 999_999_999;

/// First letter of an index.
const FIRST: u8 = 0x21;
/// Number of index letters.
const LETTERS: usize = 94;

pub(super) struct Packer {
    at: i64,
    ids: Vec<[u8; ID_LENGTH]>,
    lists: Vec<Vec<u8>>,
}

impl Packer {
    /// Creates a packer for an entry of a time.
    pub(super) const fn new(at: i64) -> Self {
        Self { at, ids: Vec::new(), lists: Vec::new() }
    }

    /// Packs the entry's next text.
    pub(super) fn pack(&mut self, text: &str) -> String {
        let mut packed = String::with_capacity(text.len());
        let (mut at, mut kept) = (0, 0);
        while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            let Some((code, length)) = self.code(rest) else {
                // inside a word nothing can be packed
                let word = rest.iter().take_while(|letter| is_part(**letter));
                at += word.count().max(1);
                continue;
            };
            if code != Code::AsIs {
                packed.push_str(text.get(kept..at).unwrap_or_default());
                code.append_to(&mut packed);
                kept = at + length;
            }
            at += length;
        }
        packed.push_str(text.get(kept..).unwrap_or_default());
        packed
    }

    /// Encodes the start of a text, if it can be packed; returns the code and the length that it replaces.
    fn code(&mut self, text: &[u8]) -> Option<(Code, usize)> {
        match text.first()? {
            b'"' => words::find(text).map(|(place, length)| {
                let is_member = text.get(length + 2) == Some(&b':');
                let code = if is_member { MEMBER } else { STRING };
                let length = length + if is_member { 3 } else { 2 };
                (Code::Indexed(code, FIRST + place), length)
            }),
            b'[' => {
                let list = list(text)?;
                let place = self.place_of(list);
                let code = place.map_or(Code::AsIs, |place| Code::Indexed(SAME_LIST, place));
                Some((code, list.len()))
            }
            b'0'..=b'9' | b'a'..=b'f' => {
                let id = self.id(text).map(|code| (code, ID_LENGTH));
                id.or_else(|| self.time(text).map(|code| (code, TIME_LENGTH)))
            }
            _ => None,
        }
    }

    /// Returns the index of an earlier list; records a new one.
    fn place_of(&mut self, list: &[u8]) -> Option<u8> {
        let place = self.lists.iter().position(|known| known == list);
        if place.is_none() && self.lists.len() < LETTERS {
            self.lists.push(list.to_owned());
        }
        place.and_then(|place| Some(FIRST + u8::try_from(place).ok()?))
    }

    /// Encodes the id at the start of a text.
    fn id(&mut self, text: &[u8]) -> Option<Code> {
        let spelled: &[u8; ID_LENGTH] = text.first_chunk()?;
        if spelled.get(8) != Some(&b'-') || spelled.get(23) != Some(&b'-') {
            return None;
        }
        if let Some(place) = self.ids.iter().position(|id| id == spelled) {
            let place = FIRST + u8::try_from(place).ok()?;
            return Some(Code::Indexed(SAME_ID, place));
        }
        let id = Uuid::try_parse_ascii(spelled).ok()?;
        let mut again = Uuid::encode_buffer();
        if id.hyphenated().encode_lower(&mut again).as_bytes() != spelled {
            return None;
        }
        if self.ids.len() < LETTERS {
            self.ids.push(*spelled);
        }
        Some(Code::Id(id))
    }

    /// Encodes the time at the start of a text.
    fn time(&self, text: &[u8]) -> Option<Code> {
        let digits: &[u8; TIME_LENGTH] = text.first_chunk()?;
        let next = text.get(TIME_LENGTH).copied().unwrap_or_default();
        if !digits.iter().all(u8::is_ascii_digit) || is_part(next) || digits.starts_with(b"0") {
            return None;
        }
        let time = digits.iter().fold(0_i64, |time, digit| time * 10 + i64::from(digit - b'0'));
        let distance = time.checked_sub(self.at)?;
        (distance.checked_abs()? <= DISTANCE_MAX).then_some(Code::Time(distance))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// The part itself.
    AsIs,
    /// A word, or an earlier part, by index.
    Indexed(u8, u8),
    Id(Uuid),
    /// A time, by its difference from the entry's.
    Time(i64),
}

impl Code {
    fn append_to(self, packed: &mut String) {
        match self {
            Self::AsIs => {}
            Self::Indexed(code, place) => {
                packed.push(char::from(code));
                packed.push(char::from(place));
            }
            Self::Id(id) => {
                packed.push(char::from(ID));
                // writing to a String cannot fail
                let _ = write!(packed, "{}", Short::of(id));
            }
            Self::Time(distance) => {
                packed.push(char::from(TIME));
                if distance != 0 {
                    // writing to a String cannot fail
                    let _ = write!(packed, "{distance}");
                }
            }
        }
    }
}

/// Returns whether a letter may belong to a number or an id.
const fn is_part(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || letter == b'-'
}

/// Returns the list of number lists at the start of a text, such as seats.
fn list(text: &[u8]) -> Option<&[u8]> {
    let inside = text.strip_prefix(b"[[")?;
    let is_part = |letter: &u8| letter.is_ascii_digit() || matches!(letter, b',' | b'[' | b']');
    let length = inside.iter().take_while(|letter| is_part(letter)).count();
    let mut pairs = inside.get(..length)?.windows(2);
    text.get(..pairs.position(|pair| pair == b"]]")? + 4)
}

pub(super) struct Unpacker {
    at: i64,
    ids: Vec<String>,
    lists: Vec<String>,
}

impl Unpacker {
    /// Creates an unpacker for an entry of a time.
    pub(super) const fn new(at: i64) -> Self {
        Self { at, ids: Vec::new(), lists: Vec::new() }
    }

    /// Unpacks the entry's next text; `None` if no [`Packer`] produced it.
    pub(super) fn unpack(&mut self, packed: &str) -> Option<String> {
        let mut text = String::with_capacity(packed.len() * 2);
        let mut rest = packed;
        let is_code = |letter: u8| letter == b'[' || (ID..=SAME_LIST).contains(&letter);
        while let Some(place) = rest.bytes().position(is_code) {
            text.push_str(rest.get(..place)?);
            let code = *rest.as_bytes().get(place)?;
            rest = rest.get(place..)?;
            let behind = rest.get(1..)?;
            rest = match code {
                b'[' => self.list(rest, &mut text)?,
                ID => self.id(behind, &mut text)?,
                TIME => self.time(behind, &mut text)?,
                _ => {
                    let which = usize::from(behind.as_bytes().first()?.checked_sub(FIRST)?);
                    match code {
                        SAME_ID => text.push_str(self.ids.get(which)?),
                        SAME_LIST => text.push_str(self.lists.get(which)?),
                        _ => {
                            text.push('"');
                            text.push_str(words::at(which)?);
                            text.push_str(if code == MEMBER { "\":" } else { "\"" });
                        }
                    }
                    behind.get(1..)?
                }
            };
        }
        text.push_str(rest);
        Some(text)
    }

    /// Records a list as [`Packer::pack`] did, or copies a bracket.
    fn list<'t>(&mut self, packed: &'t str, text: &mut String) -> Option<&'t str> {
        let length = list(packed.as_bytes()).map_or(1, <[u8]>::len);
        let list = packed.get(..length)?;
        if list.len() > 1 && self.lists.len() < LETTERS && !self.lists.iter().any(|known| known == list) {
            self.lists.push(list.to_owned());
        }
        text.push_str(list);
        packed.get(list.len()..)
    }

    fn id<'t>(&mut self, packed: &'t str, text: &mut String) -> Option<&'t str> {
        let (code, rest) = packed.split_at_checked(SHORT_CHARS)?;
        let mut spelled = Uuid::encode_buffer();
        let id = Short::read(code).ok()?.hyphenated();
        let id = &*id.encode_lower(&mut spelled);
        text.push_str(id);
        if self.ids.len() < LETTERS {
            self.ids.push(id.to_owned());
        }
        Some(rest)
    }

    fn time<'t>(&self, packed: &'t str, text: &mut String) -> Option<&'t str> {
        let sign = usize::from(packed.starts_with('-'));
        let digits = packed.bytes().skip(sign);
        let digits = digits.take_while(u8::is_ascii_digit).count();
        let (distance, rest) = packed.split_at_checked(sign + digits)?;
        let distance: i64 = if distance.is_empty() { 0 } else { distance.parse().ok()? };
        // writing to a String cannot fail
        let _ = write!(text, "{}", self.at.checked_add(distance)?);
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AT: i64 = 1_795_389_600_803;
    const CART: &str = "01a2058f-33ca-71bf-a924-13ec63d8ad14";

    fn there_and_back(texts: &[&str]) -> Vec<String> {
        let (mut there, mut back) = (Packer::new(AT), Unpacker::new(AT));
        let short: Vec<String> = texts.iter().map(|text| there.pack(text)).collect();
        for (short, text) in short.iter().zip(texts) {
            assert_eq!(back.unpack(short).as_deref(), Some(*text), "{short:?}");
        }
        short
    }

    #[test]
    fn ids_times_and_words_are_packed() {
        let line = format!(r#"{{"id":"{CART}/1","cart":"{CART}","modified_at":{AT}}}"#);
        let packed = there_and_back(&[&line, &line]);
        assert_eq!((line.len(), packed[0].len(), packed[1].len()), (121, 42, 21));
    }

    #[test]
    fn texts_that_look_like_ids_or_times_are_unchanged() {
        there_and_back(&[
            "1795389600803-5",
            "x1795389600803",
            "17953896008031",
            "-1795389600803",
            "0000000000000",
            "01A2058F-33CA-71BF-A924-13EC63D8AD14",
            "a01a2058f-33ca-71bf-a924-13ec63d8ad14",
            r#""idx":"id","id""#,
            "\"",
            "Größe \u{1f}9\u{1d}",
        ]);
    }

    #[test]
    fn a_malformed_text_is_not_unpacked() {
        for broken in ["\u{2}short", "\u{3}!", "\u{3}", "\u{5}\u{7f}", "\u{2}zzzzzzzzzzzzzzzzzzzzzz"] {
            assert_eq!(Unpacker::new(AT).unpack(broken), None, "{broken:?}");
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just(CART.to_owned()),
            any::<u128>().prop_map(|id| Uuid::from_u128(id).to_string()),
            (-2_000_000_000_i64..2_000_000_000).prop_map(|far| (AT + far).to_string()),
            proptest::sample::select((0..).map_while(words::at).collect::<Vec<_>>())
                .prop_map(|word| format!("\"{word}\"")),
            "[\"a-f0-9,:{}ß-]{0,8}",
            "\\[?\\[\\[[0-9]{1,3},[0-9]{1,2}\\]?\\]?",
            Just("[[19,20],[19,21]]".to_owned()),
            Just(":".to_owned()),
        ];
        proptest::collection::vec(part, 0..20).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn unpacking_restores_packed_texts(one in text(), other in text()) {
            there_and_back(&[&one, &other]);
        }
    }
}
