//! Records of an entry: changed documents, events sent, history deleted, and texts redacted.
//!
//! A change stores the whole body of a new document, of each [`WHOLE_EACH`]th version, and of one
//! [`WHOLE_AFTER`] the version before; otherwise the [`delta`] to that. A change of a private kind has the hash of the body
//! in its place, so that personal data can be erased.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::store::document::{ChangedDocument, DocKind};
use crate::store::journal::{delta, hash};

/// Age of a document whose change is stored with the whole body, in milliseconds: 20 hours.
const WHOLE_AFTER: i64 = 20 * 60 * 60 * 1000;

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
            return Self::whole(changed);
        }
        let delta = changed
            .before
            .as_ref()
            .filter(|_| changed.stored.version % WHOLE_EACH != 0)
            .filter(|before| at - before.recorded_at <= WHOLE_AFTER)
            .map(|before| delta::diff(&before.body, body))
            .filter(|delta| delta.len() < body.len());
        delta.map_or((Self::BODY, body.into()), |delta| (Self::DELTA, delta.into()))
    }

    /// Whole body of a change, behind its mark.
    fn whole(changed: &ChangedDocument) -> (char, Cow<'_, str>) {
        (Self::BODY, recorded(changed.kind, &changed.stored.body))
    }

    fn parts(&self) -> (char, &str) {
        match self {
            Self::Body(body) => (Self::BODY, body),
            Self::Delta(delta) => (Self::DELTA, delta),
        }
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
    if kind.is_private() { hash::spell(hash::of_parts([], [body])).into() } else { body.into() }
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

/// Text that an entry redacts: its name, and the hash of what it says from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// Command of an earlier entry.
    pub text: String,
    pub hash: String,
}

/// Records of an entry besides its changes.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    pub(super) events: &'a [(&'a str, &'a str)],
    /// Time before which history is deleted, in milliseconds.
    pub(super) forgets: Option<i64>,
    pub(super) redacts: &'a [Redacted],
}

/// Records of an entry: changed documents, events sent, history deleted, and texts redacted.
#[derive(Default)]
pub(super) struct Records {
    pub(super) changes: Vec<Change>,
    pub(super) events: Vec<(String, String)>,
    pub(super) forgets: Option<i64>,
    pub(super) redacts: Vec<Redacted>,
}

impl Records {
    const EVENT: char = '!';
    const FORGETS: char = '<';
    const REDACTS: char = '*';

    /// Parses records; `None` if this program cannot.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut records = Self::default();
        for record in text.split_terminator(RECORD_END) {
            if let Some(event) = record.strip_prefix(Self::EVENT) {
                let (word, body) = event.split_once(FIELD_END)?;
                records.events.push((word.to_owned(), body.to_owned()));
            } else if let Some(before) = record.strip_prefix(Self::FORGETS) {
                records.forgets = Some(before.parse().ok()?);
            } else if let Some(redacted) = record.strip_prefix(Self::REDACTS) {
                let (text, hash) = redacted.split_once(FIELD_END)?;
                let (text, hash) = (text.to_owned(), hash.to_owned());
                records.redacts.push(Redacted { text, hash });
            } else {
                records.changes.push(Change::read(record)?);
            }
        }
        Some(records)
    }
}

/// Serializes the records of a new entry. One that redacts earlier bodies has its own whole, because a delta has its base in
/// those.
pub(super) fn spell(changes: &[Arc<ChangedDocument>], beside: Beside<'_>, at: i64) -> String {
    let mut text = String::with_capacity(1024);
    for changed in changes {
        let content = if beside.redacts.is_empty() { Content::spelled(changed, at) } else { Content::whole(changed) };
        let previous = changed.before.as_ref();
        let previous = previous.map_or("", |before| before.written_by.as_str());
        let stored = &changed.stored;
        let version = (stored.version, previous);
        append(&mut text, (changed.kind, &stored.key), version, &content);
    }
    beside.append_to(&mut text);
    text
}

/// Serializes the records of an entry that was read.
pub(super) fn spell_again(changes: &[Change], beside: Beside<'_>) -> String {
    let mut text = String::with_capacity(1024);
    for change in changes {
        let (mark, content) = change.content.parts();
        let version = (change.version, change.previous.as_str());
        let document = (change.kind, change.key.as_str());
        append(&mut text, document, version, &(mark, content.into()));
    }
    beside.append_to(&mut text);
    text
}

/// Appends the record of a change.
fn append(
    text: &mut String,
    (kind, key): (DocKind, &str),
    (version, previous): (i64, &str),
    (mark, content): &(char, Cow<'_, str>),
) {
    text.push(kind.code());
    for field in ["", key, &version.to_string(), previous] {
        text.push_str(field);
        text.push(FIELD_END);
    }
    text.push(*mark);
    text.push_str(content);
    text.push(RECORD_END);
}

impl Beside<'_> {
    // writing to a String cannot fail
    fn append_to(self, text: &mut String) {
        for (word, body) in self.events {
            let _ = write!(text, "{}{word}{FIELD_END}{body}{RECORD_END}", Records::EVENT);
        }
        if let Some(before) = self.forgets {
            let _ = write!(text, "{}{before}{RECORD_END}", Records::FORGETS);
        }
        for Redacted { text: name, hash } in self.redacts {
            let _ = write!(text, "{}{name}{FIELD_END}{hash}{RECORD_END}", Records::REDACTS);
        }
    }
}
