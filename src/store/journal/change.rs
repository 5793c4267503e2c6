//! Records of an entry: each changed document, each event that was told, and what was forgotten.
//!
//! A change has the whole body of a new document and of each [`WHOLE_EACH`]th version, and the [`delta`] to the version
//! before otherwise. A record begins with a letter of its kind: a body that must not stay in the journal would be a
//! third [`Content`], its salted hash.

use std::fmt::Write as _;

use crate::store::document::{ChangedDocument, DocKind};
use crate::store::job::Aside;
use crate::store::journal::delta;

/// How many versions apart the changes are that have the whole body: a walk to one is short.
const WHOLE_EACH: i64 = 32;

/// Ends a record.
const RECORD_END: char = '\u{1e}';
/// Ends a field of a record.
const FIELD_END: char = '\u{1f}';
/// Stands around the number of a change in an answer, for its body.
pub(super) const REFERENCE: char = '\u{1}';

/// One document that a command changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its kind.
    pub kind: DocKind,
    /// Its key.
    pub key: String,
    /// The version that it became.
    pub version: i64,
    /// The command that wrote the version before; empty for the first.
    pub previous: String,
    /// Its content.
    pub content: Content,
}

/// The content of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The whole body.
    Body(String),
    /// The [`delta`] to the version before.
    Delta(String),
}

impl Content {
    const BODY: char = '=';
    const DELTA: char = '~';

    fn of(changed: &ChangedDocument) -> Self {
        let body = &changed.stored.body;
        let delta = changed
            .before
            .as_ref()
            .filter(|_| changed.stored.version % WHOLE_EACH != 0)
            .map(|before| delta::diff(&before.body, body))
            .filter(|delta| delta.len() < body.len());
        delta.map_or_else(|| Self::Body(body.clone()), Self::Delta)
    }

    fn read(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let kind = letters.next()?;
        let rest = letters.as_str().to_owned();
        match kind {
            Self::BODY => Some(Self::Body(rest)),
            Self::DELTA => Some(Self::Delta(rest)),
            _ => None,
        }
    }

    /// The body, of the version before where this is a delta.
    #[must_use]
    pub fn body(&self, before: Option<&str>) -> Option<String> {
        match self {
            Self::Body(body) => Some(body.clone()),
            Self::Delta(delta) => delta::apply(before?, delta),
        }
    }
}

impl Change {
    fn read(text: &str) -> Option<Self> {
        let mut fields = text.splitn(5, FIELD_END);
        Some(Self {
            kind: DocKind::from_code(fields.next()?)?,
            key: fields.next()?.to_owned(),
            version: fields.next()?.parse().ok()?,
            previous: fields.next()?.to_owned(),
            content: Content::read(fields.next()?)?,
        })
    }
}

/// The records of an entry: changed documents, events, and what was forgotten.
#[derive(Default)]
pub(super) struct Records {
    pub(super) changes: Vec<Change>,
    pub(super) events: Vec<(String, String)>,
    pub(super) forgets: Option<i64>,
}

impl Records {
    const EVENT: char = '!';
    const FORGETS: char = '<';

    /// Reads records; `None` where this program cannot.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut records = Self::default();
        for record in text.split_terminator(RECORD_END) {
            if let Some(event) = record.strip_prefix(Self::EVENT) {
                let (word, body) = event.split_once(FIELD_END)?;
                records.events.push((word.to_owned(), body.to_owned()));
            } else if let Some(before) = record.strip_prefix(Self::FORGETS) {
                records.forgets = Some(before.parse().ok()?);
            } else {
                records.changes.push(Change::read(record)?);
            }
        }
        Some(records)
    }
}

/// Spells changes, and what was left beside them.
pub(super) fn spell(changes: &[ChangedDocument], aside: &Aside) -> String {
    let mut text = String::new();
    for changed in changes {
        let (mark, content) = match Content::of(changed) {
            Content::Body(body) => (Content::BODY, body),
            Content::Delta(delta) => (Content::DELTA, delta),
        };
        let previous = changed.before.as_ref();
        let previous = previous.map_or("", |before| before.written_by.as_str());
        let (code, key) = (changed.kind.code(), &changed.stored.key);
        // writing to a String cannot fail
        let _ = write!(
            text,
            "{code}{FIELD_END}{key}{FIELD_END}{}{FIELD_END}{previous}{FIELD_END}{mark}{content}{RECORD_END}",
            changed.stored.version
        );
    }
    for told in &aside.events {
        let (word, body) = (told.word, &told.body);
        let _ = write!(
            text,
            "{}{word}{FIELD_END}{body}{RECORD_END}",
            Records::EVENT
        );
    }
    if let Some(before) = aside.forget {
        let _ = write!(text, "{}{}{RECORD_END}", Records::FORGETS, before.millis());
    }
    text
}
