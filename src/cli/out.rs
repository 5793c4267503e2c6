//! Output streams: a table for people, JSON for programs, and no panic on a closed pipe.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Stderr, Stdout, Write};

use chrono_tz::Tz;
use clap::Args;
use serde_json::Value;

use crate::cli::csv::csv;
use crate::cli::stop::Stop;
use crate::domain::text::{harmless, is_unsafe};
use crate::domain::time::{Instant, Local, Wall};

/// Version of what the lines and `--json` say.
pub(super) const VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Tables and sentences, for people.
    People,
    /// One JSON value a line.
    Json,
    /// A list for a spreadsheet.
    Csv,
}

// how a list is written
#[derive(Debug, Args)]
pub(super) struct AsCsv {
    /// As CSV, for a spreadsheet: all rows, with the fields of --json
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl AsCsv {
    /// Chooses the form of the answer.
    pub(super) const fn choose(&self, out: &mut Out) {
        if self.csv {
            out.format = Format::Csv;
        }
    }
}

/// An answer in both forms.
pub(crate) struct Rendered {
    pub(super) json: Value,
    /// Text without a line break at its end.
    pub(super) people: String,
    /// Fields of a list's rows that are the columns of its CSV, parted by spaces; `customer.name` is one in an object.
    columns: &'static str,
    /// Rows of its CSV; those of the list if `None`.
    rows: Option<Value>,
}

impl Rendered {
    pub(super) fn new(json: impl Into<Value>, people: impl Into<String>) -> Self {
        let (json, people, columns) = (json.into(), people.into(), "");
        Self { json, people, columns, rows: None }
    }

    /// Rows as JSON, with their table for people.
    pub(super) fn list<R>(rows: &[R], json: impl Fn(&R) -> Value, people: String) -> Self {
        Self::new(rows.iter().map(json).collect::<Value>(), people)
    }

    pub(super) const fn columns(mut self, columns: &'static str) -> Self {
        self.columns = columns;
        self
    }

    /// Columns of its CSV, whose rows are others than those of the list.
    pub(super) fn rows(self, columns: &'static str, rows: Value) -> Self {
        Self { columns, rows: Some(rows), ..self }
    }

    /// Its rows for a spreadsheet.
    pub(crate) fn csv(&self) -> String {
        csv(self.columns, self.rows.as_ref().unwrap_or(&self.json))
    }

    pub(super) fn noted(mut self, note: Option<&str>) -> Self {
        if let Some(note) = note {
            self.people.push_str("\n\n");
            self.people.push_str(note);
        }
        self
    }
}

/// The two streams of a command.
pub(super) struct Out {
    pub(super) format: Format,
    /// Present time of the house.
    pub(super) now: Instant,
    /// Zone in which times are shown.
    pub(super) zone: Tz,
    /// True where times are shown as nights.
    nights: bool,
    answers: BufWriter<Stdout>,
    sentences: Stderr,
}

impl Out {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            // no time is told before a house is open
            now: Instant::default(),
            zone: Tz::UTC,
            nights: false,
            answers: BufWriter::new(io::stdout()),
            sentences: io::stderr(),
        }
    }

    /// Sets the zone and form of times shown from now on.
    pub(super) fn tell_by(&mut self, wall: impl Into<Wall>) {
        let Wall { zone, nights } = wall.into();
        (self.zone, self.nights) = (zone, nights);
    }

    /// Zone and form of the times shown.
    pub(super) const fn wall(&self) -> Wall {
        let (zone, nights) = (self.zone, self.nights);
        Wall { zone, nights }
    }

    /// Present time in the zone of the times shown.
    pub(super) const fn here(&self) -> Local {
        let (now, zone) = (self.now, self.zone);
        Local { now, zone }
    }

    /// Writes an answer in the form that was asked for.
    pub(super) fn answer(&mut self, answer: &Rendered) -> Result<(), Stop> {
        match self.format {
            Format::People => self.text(&answer.people),
            Format::Json => self.json(&answer.json),
            Format::Csv => self.text(&answer.csv()),
        }
    }

    /// Writes an answer for people black on white, where it goes to a terminal: a reader wants dark squares on light ones.
    pub(super) fn on_white(&mut self, answer: &Rendered) -> Result<(), Stop> {
        if self.format != Format::People || !io::stdout().is_terminal() {
            return self.answer(answer);
        }
        for line in harmless(&answer.people).lines() {
            writeln!(self.answers, "\u{1b}[30;107m{line}\u{1b}[0m")?;
        }
        Ok(())
    }

    /// Writes a value as one line of JSON, with control characters escaped.
    pub(super) fn json(&mut self, value: &Value) -> Result<(), Stop> {
        Ok(writeln!(self.answers, "{}", escaped(&value.to_string()))?)
    }

    /// Writes text without control characters, and ends its line.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Stop> {
        let text = harmless(text);
        Ok(writeln!(self.answers, "{}", text.trim_end_matches('\n'))?)
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.answers.write_all(bytes)?)
    }

    /// Writes a sentence to standard error, without control characters.
    pub(super) fn note(&self, sentence: &str) {
        let sentence = harmless(sentence).replace('\n', " ");
        // a closed standard error leaves the exit code
        let _ = writeln!(&self.sentences, "{sentence}");
    }

    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        Ok(self.answers.flush()?)
    }
}

/// Escapes control and invisible characters of JSON; valid JSON has them in strings only.
pub(super) fn escaped(json: &str) -> Cow<'_, str> {
    // lines end at these in some programs
    let is_unsafe = |letter: char| is_unsafe(letter) || matches!(letter, '\u{2028}' | '\u{2029}');
    if !json.contains(is_unsafe) {
        return json.into();
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        if is_unsafe(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // writing to memory cannot fail
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_steers_a_terminal_is_escaped_in_json_and_means_the_same() {
        let text = "del \u{7f} c1 \u{9b} bidi \u{202e} tag \u{e0041} line \u{2028} ok \u{e9}\u{6f22}";
        let json = serde_json::to_string(text).unwrap();
        let bare = escaped(&json);
        assert!(bare.contains("\\u007f") && bare.contains("\\u202e") && bare.contains("\\u2028"), "{bare}");
        assert!(bare.contains("\u{e9}\u{6f22}"), "{bare}");
        assert_eq!(crate::domain::text::harmless(&bare), bare);
        assert_eq!(serde_json::from_str::<String>(&bare).unwrap(), text);
    }
}
