//! Records of an entry: changed documents, events sent, and history deleted.
//!
//! A change stores the whole body of a new document, of each [`WHOLE_EACH`]th version, and of one
//! [`WHOLE_AFTER`] the version before; otherwise the [`delta`] to that. A change of a private kind has the hash of the body
//! in its place, so that personal data can be erased.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::domain::time::Instant;
use crate::store::document::{ChangedDocument, DocKind};
use crate::store::job::EmittedEvent;
use crate::store::journal::archive::WHOLE_AFTER;
use crate::store::journal::{delta, hash};

/// Interval of versions stored with the whole body, so that walks are short.
const WHOLE_EACH: i64 = 32;

const RECORD_END: char = '\u{1e}';
const FIELD_END: char = '\u{1f}';
/// Delimiter around the number of a change that replaces its body in an answer.
pub(super) const REFERENCE: char = '\u{1}';

/// Change of one document by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub kind: DocKind,
    pub key: String,
    pub version: i64,
    /// Command that wrote the previous version; empty for the first.
    pub previous: String,
    pub content: Content,
}

/// Stored content of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Body(String),
    /// [`delta`] to the version before.
    Delta(String),
}

impl Content {
    const BODY: char = '=';
    const DELTA: char = '~';

    /// Content of a change as stored, behind its mark.
    fn spelled(changed: &ChangedDocument, at: i64) -> (char, Cow<'_, str>) {
        let body = &changed.stored.body;
        if changed.kind.is_private() {
            return (Self::BODY, recorded(changed.kind, body));
        }
        let delta = changed
            .before
            .as_ref()
            .filter(|_| changed.stored.version % WHOLE_EACH != 0)
            .filter(|before| at - before.recorded_at <= WHOLE_AFTER)
            .map(|before| delta::diff(&before.body, body))
            .filter(|delta| delta.len() < body.len());
        delta.map_or((Self::BODY, body.into()), |delta| {
            (Self::DELTA, delta.into())
        })
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

    /// Returns the body, given that of the version before for a delta.
    pub fn body(&self, before: Option<&str>) -> Option<String> {
        match self {
            Self::Body(body) => Some(body.clone()),
            Self::Delta(delta) => delta::apply(before?, delta),
        }
    }
}

/// Body as the journal has it: of a private kind its hash, which the body's random salt protects.
pub fn recorded(kind: DocKind, body: &str) -> Cow<'_, str> {
    if kind.is_private() {
        hash::spell(hash::of_parts([], [body])).into()
    } else {
        body.into()
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

/// Records of an entry: changed documents, events sent, and history deleted.
#[derive(Default)]
pub(super) struct Records {
    pub(super) changes: Vec<Change>,
    pub(super) events: Vec<(String, String)>,
    pub(super) forgets: Option<i64>,
}

impl Records {
    const EVENT: char = '!';
    const FORGETS: char = '<';

    /// Parses records; `None` if this program cannot.
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

/// Serializes changes, events and deletions.
pub(super) fn spell(
    changes: &[Arc<ChangedDocument>],
    (events, forgets): (&[EmittedEvent], Option<Instant>),
    at: i64,
) -> String {
    let mut text = String::with_capacity(1024);
    for changed in changes {
        let (mark, content) = Content::spelled(changed, at);
        let previous = changed.before.as_ref();
        let previous = previous.map_or("", |before| before.written_by.as_str());
        let version = changed.stored.version.to_string();
        text.push(changed.kind.code());
        for field in ["", &changed.stored.key, &version, previous] {
            text.push_str(field);
            text.push(FIELD_END);
        }
        text.push(mark);
        text.push_str(&content);
        text.push(RECORD_END);
    }
    for told in events {
        let (word, body) = (told.word, &told.body);
        let _ = write!(
            text,
            "{}{word}{FIELD_END}{body}{RECORD_END}",
            Records::EVENT
        );
    }
    if let Some(before) = forgets {
        let _ = write!(text, "{}{}{RECORD_END}", Records::FORGETS, before.millis());
    }
    text
}
