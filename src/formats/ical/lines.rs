//! Content lines: a file's bytes unfolded, each with the number of the line that it begins on.
//!
//! Folding may cut a letter of several bytes, so bytes are joined before they are read as text.

use crate::domain::text::{clean, fit};

use super::{BYTES_MAX, IcalError};

/// Most levels of nested components.
const DEPTH_MAX: usize = 8;

/// A content line: `DTSTART;TZID=Europe/Berlin:20261201T100500`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// First line in the file, from 1.
    pub(super) number: usize,
    /// Name in capitals.
    pub(super) name: String,
    /// Parameters, names in capitals.
    pub(super) params: Vec<(String, String)>,
    /// Value, still escaped.
    pub(super) value: String,
}

impl Line {
    pub(super) fn param(&self, name: &str) -> Option<&str> {
        let found = self.params.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A component: a calendar, an event, a zone, an alarm.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// Name in capitals.
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) lines: Vec<Line>,
    pub(super) parts: Vec<Component>,
}

impl Component {
    pub(super) fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.name == name)
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(move |line| line.name == name)
    }

    pub(super) fn parts<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.parts.iter().filter(move |part| part.name == name)
    }
}

/// The calendars of a file, as one component.
pub(super) fn read(bytes: &[u8]) -> Result<Component, IcalError> {
    if bytes.len() > BYTES_MAX {
        return Err(IcalError::TooLarge);
    }
    // some editors put a byte order mark in front
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(IcalError::Empty);
    }
    let file = nest(bytes)?;
    let mut calendars = file.parts;
    calendars.retain(|part| part.name == "VCALENDAR");
    if calendars.is_empty() {
        return Err(IcalError::NotACalendar);
    }
    let mut all = Component::default();
    for mut calendar in calendars {
        // METHOD:CANCEL cancels each event of the calendar
        let method = calendar.line("METHOD").cloned();
        let canceled = method.filter(|line| line.value.trim().eq_ignore_ascii_case("CANCEL"));
        for part in &mut calendar.parts {
            part.lines.extend(canceled.clone());
        }
        all.lines.extend(calendar.lines);
        all.parts.extend(calendar.parts);
    }
    Ok(all)
}

fn nest(bytes: &[u8]) -> Result<Component, IcalError> {
    let mut open = vec![Component::default()];
    for (number, bytes) in unfolded(bytes) {
        let line = content(number, &bytes)?;
        match line.name.as_str() {
            "BEGIN" if open.len() > DEPTH_MAX => return Err(IcalError::TooDeep { line: number }),
            "BEGIN" => open.push(Component { name: line.value.trim().to_uppercase(), number, ..Component::default() }),
            "END" => close(&mut open, &line)?,
            _ => {
                if let Some(inner) = open.last_mut() {
                    inner.lines.push(line);
                }
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(file), true) => Ok(file),
        (inner, _) => {
            let inner = inner.unwrap_or_default();
            Err(IcalError::Unclosed { line: inner.number, name: shown(&inner.name) })
        }
    }
}

fn close(open: &mut Vec<Component>, end: &Line) -> Result<(), IcalError> {
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

fn content(number: usize, bytes: &[u8]) -> Result<Line, IcalError> {
    let text = std::str::from_utf8(bytes).map_err(|_| IcalError::NotText { line: number })?;
    let wrong = || IcalError::NotALine { line: number, text: shown(text) };
    let end = text.find([':', ';']).ok_or_else(wrong)?;
    let (name, mut rest) = text.split_at(end);
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if name.trim().is_empty() || !name.trim().chars().all(is_name) {
        return Err(wrong());
    }
    let mut params = Vec::new();
    while let Some(param) = rest.strip_prefix(';') {
        let (key, after) = param.split_once('=').ok_or_else(wrong)?;
        let (value, after) = param_value(after).ok_or_else(wrong)?;
        params.push((key.trim().to_uppercase(), value));
        rest = after;
    }
    let value = rest.strip_prefix(':').ok_or_else(wrong)?;
    // a group may stand before the name
    let name = name.rsplit('.').next().unwrap_or(name);
    Ok(Line { number, name: name.trim().to_uppercase(), params, value: value.to_owned() })
}

/// A parameter's value, quoted in parts or not, and what comes after it.
fn param_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut is_quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' | ':' if !is_quoted => return Some((value, text.get(at..)?)),
            _ => value.push(letter),
        }
    }
    None
}

fn shown(text: &str) -> String {
    fit(&clean(text), 40)
}
