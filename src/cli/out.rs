//! Where answers go: a table for people, JSON for programs, and never a panic when nobody reads on.

use std::io::{self, BufWriter, Stderr, Stdout, Write};

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::stop::Stop;
use crate::domain::text::harmless;

/// For whom an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Tables and sentences.
    People,
    /// One JSON value a line.
    Json,
}

/// An answer that people can read too.
pub(super) trait Answer: Serialize {
    /// The answer as people read it, without a line break at its end.
    fn people(&self) -> String;
}

/// The two streams of a command.
pub(super) struct Out {
    format: Format,
    /// The local time of what is spoken of.
    pub(super) zone: Tz,
    answers: BufWriter<Stdout>,
    sentences: Stderr,
}

impl Out {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            zone: Tz::UTC,
            answers: BufWriter::new(io::stdout()),
            sentences: io::stderr(),
        }
    }

    pub(super) const fn format(&self) -> Format {
        self.format
    }

    /// Writes an answer in the form that was asked for.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn answer(&mut self, answer: &impl Answer) -> Result<(), Stop> {
        match self.format {
            Format::People => self.text(&answer.people()),
            Format::Json => self.json(answer),
        }
    }

    /// Writes a value as one line of JSON.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<(), Stop> {
        serde_json::to_writer(&mut self.answers, value).map_err(io::Error::from)?;
        Ok(self.answers.write_all(b"\n")?)
    }

    /// Writes text, in which nothing can steer a terminal, and ends its line.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Stop> {
        let text = harmless(text);
        Ok(writeln!(self.answers, "{}", text.trim_end_matches('\n'))?)
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.answers.write_all(bytes)?)
    }

    /// Says something beside the answer; what was typed and comes back in it can't steer a terminal.
    pub(super) fn note(&self, sentence: &str) {
        let sentence = harmless(sentence).replace('\n', " ");
        // when nobody listens to sentences, the exit code still tells
        let _ = writeln!(&self.sentences, "{sentence}");
    }

    /// Sends off what was written.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        Ok(self.answers.flush()?)
    }
}
