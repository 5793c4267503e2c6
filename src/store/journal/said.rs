//! Contents of an entry: request, answer, changed documents, events sent, and history deleted.
//!
//! Records end with control characters, which occur in no JSON text.

use std::fmt::Write as _;

use crate::store::document::{ChangedDocument, DocKind, Stored};
use crate::store::journal::hash;

const RECORD_END: char = '\u{1e}';
const FIELD_END: char = '\u{1f}';

const EVENT: char = '!';
const FORGETS: char = '<';
const APPROVED: char = '+';

/// Change of one document by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub kind: DocKind,
    pub key: String,
    pub version: i64,
    /// Latest time of the document's versions up to this one, in milliseconds.
    pub recorded_at: i64,
    /// Command that wrote the previous version; empty for the first.
    pub previous: String,
    /// Hash of the words; empty if there are none.
    pub words: String,
    /// Body of the document, whole.
    pub body: String,
}

/// Hash of a document's words, which cannot be guessed without their salt; empty if there are none.
pub fn hash_of_words(words: &str) -> String {
    if words.is_empty() { String::new() } else { hash::spell(hash::of_parts([], [words])) }
}

impl Change {
    /// Change that the write of a document makes.
    pub fn of(changed: &ChangedDocument) -> Self {
        let previous = changed.before.as_ref().map(|before| before.written_by.clone());
        Self { previous: previous.unwrap_or_default(), ..Self::first(changed.kind, &changed.stored) }
    }

    /// First change that the journal knows of a document.
    pub fn first(kind: DocKind, stored: &Stored) -> Self {
        Self {
            kind,
            key: stored.key.clone(),
            version: stored.version,
            recorded_at: stored.recorded_at,
            previous: String::new(),
            words: hash_of_words(&stored.words),
            body: stored.body.clone(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut fields = text.splitn(7, FIELD_END);
        Some(Self {
            kind: DocKind::from_code(fields.next()?)?,
            key: fields.next()?.to_owned(),
            version: fields.next()?.parse().ok()?,
            recorded_at: fields.next()?.parse().ok()?,
            previous: fields.next()?.to_owned(),
            words: fields.next()?.to_owned(),
            body: fields.next()?.to_owned(),
        })
    }
}

/// Contents of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Request as JSON.
    pub request: String,
    /// Answer as JSON, with numbers in the places of private texts.
    pub answer: String,
    /// Documents and numbers of the answer's private texts, in their order.
    pub places: Vec<String>,
    pub changes: Vec<Change>,
    /// Events sent: words and bodies.
    pub events: Vec<(String, String)>,
    /// Time before which runs and events were deleted, in milliseconds.
    pub forgets: Option<i64>,
    /// Operator who approved what the acting one alone may not do.
    pub approved: Option<String>,
}

impl Said {
    /// Serializes the contents. Writing to a String cannot fail.
    pub(super) fn spell(&self) -> String {
        let Self { request, answer, places, changes, events, forgets, approved } = self;
        let mut text = String::with_capacity(1024);
        let places = places.join(&FIELD_END.to_string());
        let _ = write!(text, "{request}{RECORD_END}{answer}{RECORD_END}{places}{RECORD_END}");
        for Change { kind, key, version, recorded_at, previous, words, body } in changes {
            let code = kind.code();
            let _ = write!(text, "{code}{FIELD_END}{key}{FIELD_END}{version}{FIELD_END}{recorded_at}{FIELD_END}");
            let _ = write!(text, "{previous}{FIELD_END}{words}{FIELD_END}{body}{RECORD_END}");
        }
        for (word, body) in events {
            let _ = write!(text, "{EVENT}{word}{FIELD_END}{body}{RECORD_END}");
        }
        if let Some(before) = forgets {
            let _ = write!(text, "{FORGETS}{before}{RECORD_END}");
        }
        if let Some(operator) = approved {
            let _ = write!(text, "{APPROVED}{operator}{RECORD_END}");
        }
        text
    }

    /// Parses contents; `None` if this program cannot.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut records = text.split_terminator(RECORD_END);
        let (request, answer) = (records.next()?.to_owned(), records.next()?.to_owned());
        let places = records.next()?;
        let places = places.split(FIELD_END).filter(|_| !places.is_empty()).map(str::to_owned).collect();
        let mut said = Self { request, answer, places, ..Self::default() };
        for record in records {
            if let Some(event) = record.strip_prefix(EVENT) {
                let (word, body) = event.split_once(FIELD_END)?;
                said.events.push((word.to_owned(), body.to_owned()));
            } else if let Some(before) = record.strip_prefix(FORGETS) {
                said.forgets = Some(before.parse().ok()?);
            } else if let Some(operator) = record.strip_prefix(APPROVED) {
                said.approved = Some(operator.to_owned());
            } else {
                said.changes.push(Change::read(record)?);
            }
        }
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_back_as_they_were_written() {
        let change = Change {
            kind: DocKind::Booking,
            key: "k".into(),
            version: 2,
            recorded_at: -5,
            previous: "c".into(),
            words: hash_of_words("[]"),
            body: r#"{"title":1}"#.into(),
        };
        let whole = Said {
            request: r#"{"book":{}}"#.into(),
            answer: "[1,2]".into(),
            places: vec!["booking k 1".into(), String::new()],
            changes: vec![change.clone(), Change { words: String::new(), ..change }],
            events: vec![("cart_expired".into(), "{}".into())],
            forgets: Some(-3),
            approved: Some("bea".into()),
        };
        for said in [whole, Said::default()] {
            assert_eq!(Said::read(&said.spell()), Some(said));
        }
    }
}
