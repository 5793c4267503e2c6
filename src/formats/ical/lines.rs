//! Content lines: a file's bytes unfolded, each with the number of the line that it begins on, and nested.
//!
//! Folding may cut a letter of several bytes, so bytes are joined before they are read as text. The library reads a line's
//! name, parameters and value; it loses line numbers and stops at the first odd line, so it gets one line at a time.

use icalendar::parser::Property;

use crate::domain::text::{clean, fit};

use super::{BYTES_MAX, IcalError};

/// Most levels of nested components.
const DEPTH_MAX: usize = 8;

/// A content line: `DTSTART;TZID=Europe/Berlin:20261201T100500`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentLine {
    /// First line in the file, from 1.
    pub(super) number: usize,
    /// Name in capitals.
    pub(super) name: String,
    /// Parameters, names in capitals.
    params: Vec<(String, String)>,
    /// Value, unescaped where it is text.
    pub(super) value: String,
    /// True for one that is no content line; its value is the whole of it.
    pub(super) is_broken: bool,
}

impl ContentLine {
    pub(super) fn param(&self, name: &str) -> Option<&str> {
        let found = self.params.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.value.trim().eq_ignore_ascii_case(word)
    }
}

/// A component: a calendar, an event, a zone, an alarm.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// Name in capitals.
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) lines: Vec<ContentLine>,
    pub(super) parts: Vec<Component>,
}

impl Component {
    pub(super) fn line(&self, name: &str) -> Option<&ContentLine> {
        self.lines.iter().find(|line| line.name == name)
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a ContentLine> {
        self.lines.iter().filter(move |line| line.name == name)
    }

    pub(super) fn parts<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.parts.iter().filter(move |part| part.name == name)
    }
}

/// The calendars of a file as one component, and how it is cut off, if it is.
pub(super) fn read(bytes: &[u8]) -> Result<(Component, Option<IcalError>), IcalError> {
    if bytes.len() > BYTES_MAX {
        return Err(IcalError::TooLarge);
    }
    // some editors put a byte order mark in front
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(IcalError::Empty);
    }
    let (file, cut_off) = nest(bytes)?;
    let mut calendars = file.parts;
    calendars.retain(|part| part.name == "VCALENDAR");
    if calendars.is_empty() {
        return Err(IcalError::NotACalendar);
    }
    let mut all = Component::default();
    for mut calendar in calendars {
        // METHOD:CANCEL cancels each event of the calendar
        let canceled = calendar.line("METHOD").filter(|line| line.is("CANCEL")).cloned();
        for part in &mut calendar.parts {
            part.lines.extend(canceled.clone());
        }
        all.lines.extend(calendar.lines);
        all.parts.extend(calendar.parts);
    }
    Ok((all, cut_off))
}

fn nest(bytes: &[u8]) -> Result<(Component, Option<IcalError>), IcalError> {
    let mut open = vec![Component::default()];
    for (number, bytes) in unfolded(bytes) {
        let line = content(number, &bytes)?;
        match line.name.as_str() {
            "BEGIN" if open.len() > DEPTH_MAX => return Err(IcalError::TooDeep { line: number }),
            "BEGIN" => open.push(Component { name: line.value.trim().to_uppercase(), number, ..Component::default() }),
            "END" => close(&mut open, &line)?,
            _ if line.is_broken && open.len() == 1 => {
                return Err(IcalError::NotALine { line: number, text: shown(&line.value) });
            }
            _ => {
                if let Some(inner) = open.last_mut() {
                    inner.lines.push(line);
                }
            }
        }
    }
    // of a file that is cut off, what is whole stays; the part that does not end is none
    let cut_off = open.last().filter(|_| open.len() > 1);
    let cut_off = cut_off.map(|inner| IcalError::Unclosed { line: inner.number, name: shown(&inner.name) });
    while open.len() > 1 {
        let inner = open.pop().filter(|inner| inner.name == "VCALENDAR");
        if let Some(outer) = open.last_mut() {
            outer.parts.extend(inner);
        }
    }
    Ok((open.pop().unwrap_or_default(), cut_off))
}

fn close(open: &mut Vec<Component>, end: &ContentLine) -> Result<(), IcalError> {
    let name = end.value.trim().to_uppercase();
    let stray = |open: &str| IcalError::Mismatched { line: end.number, name: shown(&name), open: shown(open) };
    let Some(inner) = open.pop() else {
        return Err(stray(""));
    };
    let Some(outer) = open.last_mut().filter(|_| inner.name == name) else {
        return Err(stray(&inner.name));
    };
    outer.parts.push(inner);
    Ok(())
}

/// The unfolded lines of a file, without empty ones.
fn unfolded(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut lines: Vec<(usize, Vec<u8>)> = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let end = line.iter().rposition(|byte| *byte != b'\r');
        let line = end.and_then(|end| line.get(..=end)).unwrap_or_default();
        match (line, lines.last_mut()) {
            ([], _) => {}
            ([b' ' | b'\t', rest @ ..], Some((_, last))) => last.extend_from_slice(rest),
            (line, _) => lines.push((index + 1, line.to_vec())),
        }
    }
    lines
}

fn content(number: usize, bytes: &[u8]) -> Result<ContentLine, IcalError> {
    let text = std::str::from_utf8(bytes).map_err(|_| IcalError::NotText { line: number })?.trim_start();
    let named = |name: &str| {
        // a group may stand before the name
        let name = name.rsplit('.').next().unwrap_or(name);
        name.trim().to_uppercase()
    };
    // the library refuses these as lines
    if let Some((name @ ("BEGIN" | "END"), value)) = text.split_once(':').map(|(name, value)| (name.trim(), value)) {
        let line = ContentLine {
            number,
            name: name.to_owned(),
            params: Vec::new(),
            value: value.to_owned(),
            is_broken: false,
        };
        return Ok(line);
    }
    let read = Property::try_from(text).ok();
    // without a colon, it reads the beginning as a name without a value
    let Some(line) = read.filter(|line| !line.val.as_str().is_empty() || text.ends_with(':')) else {
        let name = named(text.split([':', ';', '=', ' ']).next().unwrap_or(text));
        return Ok(ContentLine { number, name, params: Vec::new(), value: text.to_owned(), is_broken: true });
    };
    let param = |name: &str, value: &str| (named(name), value.trim_matches('"').to_owned());
    let params = line.params.iter();
    let params = params.filter_map(|one| Some(param(one.key.as_str(), one.val.as_ref()?.as_str())));
    Ok(ContentLine {
        number,
        name: named(line.name.as_str()),
        params: params.collect(),
        value: line.val.as_str().to_owned(),
        is_broken: false,
    })
}

pub(super) fn shown(text: &str) -> String {
    fit(&clean(text), 40)
}
