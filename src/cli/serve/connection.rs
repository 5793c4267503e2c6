//! One program's lines, and their answers.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use chrono_tz::Tz;
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;

use crate::cli::out::{VERSION, escaped};
use crate::cli::serve::schema::{self, ELSEWHERE};
use crate::cli::stop::rendered;
use crate::domain::ids::CommandId;
use crate::domain::private;
use crate::domain::text::clean;
use crate::domain::time::Local;
use crate::engine::notice::Notice;
use crate::engine::ops::{AnyAnswer, AnyOperation, Visitor};
use crate::engine::reads::alternatives::with_offers;
use crate::engine::reads::any::{AnyQuestion, json};
use crate::engine::{Actor, Desk, Failure, Operation};
use crate::words;

/// Longest line, in bytes.
const LINE_MAX: usize = 1024 * 1024;

/// Output of a program: answers, and notices between them.
type Output = Arc<Mutex<Box<dyn Write + Send>>>;

/// A program that is served.
pub(super) struct Connection {
    pub(super) desk: Desk,
    /// The house's zone, for times in sentences.
    pub(super) zone: Tz,
    pub(super) to: Output,
    /// True once an operator and a station stand.
    pub(super) has_begun: bool,
}

/// A line as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestLine<'a> {
    id: Option<Value>,
    #[serde(rename = "do", borrow)]
    act: Option<&'a RawValue>,
    #[serde(borrow)]
    ask: Option<&'a RawValue>,
    watch: Option<bool>,
    operator: Option<String>,
    station: Option<String>,
    pin: Option<String>,
    version: Option<u32>,
}

/// A line that asks for nothing that can be done, by its kind and in words.
struct Unfit(&'static str, String);

/// Failure of a line.
enum Failed {
    Unfit(Unfit),
    Failure(Failure),
}

impl From<Unfit> for Failed {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Connection {
    /// Answers each line, until the input ends or nobody takes the answers.
    pub(super) fn serve(mut self, mut from: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while let Some(read) = next_line(&mut from, &mut line)? {
            if read == Read::Line && line.trim_ascii().is_empty() {
                continue;
            }
            let answer = match read {
                Read::Line => self.answer(&line),
                Read::TooLong => {
                    let problem = format!("The line has more than {LINE_MAX} bytes; nothing of it was done.");
                    self.failed(Unfit("line_too_long", problem).into())
                }
            };
            write(&self.to, &answer)?;
        }
        Ok(())
    }

    /// Tells a program that it is one too many.
    pub(super) fn refuse_as_too_many(&self, most: usize) {
        let problem = format!("{most} programs are connected, and no more can be; try again later.");
        // the program may be gone
        let _ = write(&self.to, &self.failed(Unfit("too_many_connections", problem).into()));
    }

    fn answer(&mut self, line: &[u8]) -> Map<String, Value> {
        let parsed = serde_json::from_slice::<RequestLine<'_>>(line).map_err(|error| unfit(&error, line));
        match parsed {
            Err(unfit) => self.failed(unfit.into()),
            Ok(mut line) => {
                let id = line.id.take();
                let mut answer = match self.done(&line, id.as_ref()) {
                    Ok(done) => Map::from_iter([("done".to_owned(), done)]),
                    Err(failed) => self.failed(failed),
                };
                if let Some(id) = id {
                    answer.insert("id".to_owned(), id);
                }
                answer
            }
        }
    }

    fn done(&mut self, line: &RequestLine<'_>, id: Option<&Value>) -> Result<Value, Failed> {
        let names_actor =
            line.operator.is_some() || line.station.is_some() || line.pin.is_some() || line.version.is_some();
        match (line.act, line.ask, line.watch, names_actor) {
            (Some(act), None, None, false) => self.act(act, id),
            (None, Some(ask), None, false) => {
                self.has_begun = true;
                let question: AnyQuestion = named(ask, &[])?;
                Ok(question.ask(&self.desk)?)
            }
            (None, None, Some(true), false) => Ok(self.watch()),
            (None, None, None, true) => self.begin(line),
            _ => {
                let problem = "A line has one of do, ask, watch (true), or operator and station; send it so.";
                Err(Unfit("bad_line", problem.to_owned()).into())
            }
        }
    }

    /// Sets operator and station, once and before anything is done.
    fn begin(&mut self, line: &RequestLine<'_>) -> Result<Value, Failed> {
        if let Some(version) = line.version.filter(|version| *version != VERSION) {
            let problem = format!("This program speaks version {VERSION} and not {version}; install the other one.");
            return Err(Unfit("other_version", problem).into());
        }
        if self.has_begun {
            let problem = "Operator and station are said once, in the first line; connect again for others.";
            return Err(Unfit("begun", problem.to_owned()).into());
        }
        let before = self.desk.actor();
        let name = |said: Option<&String>, before: &str| said.map_or_else(|| before.to_owned(), |name| clean(name));
        let operator = name(line.operator.as_ref(), &before.operator);
        let station = name(line.station.as_ref(), &before.station);
        if operator.is_empty() || station.is_empty() {
            return Err(Unfit(
                "bad_input",
                "An operator and a station need names; write them, or leave them out.".into(),
            )
            .into());
        }
        let is_other = (&operator, &station) != (&before.operator, &before.station);
        let desk = if is_other { self.desk.with_actor(Actor { operator, station }) } else { self.desk.clone() };
        self.desk = match &line.pin {
            Some(pin) => desk.signed_in(pin, line.operator.as_deref())?,
            None => desk,
        };
        self.has_begun = true;
        let Actor { operator, station } = self.desk.actor();
        Ok(json!({ "version": VERSION, "operator": operator, "station": station }))
    }

    fn act(&mut self, act: &RawValue, id: Option<&Value>) -> Result<Value, Failed> {
        self.has_begun = true;
        let operation: AnyOperation = named(act, ELSEWHERE)?;
        let command = id.and_then(Value::as_str).map_or_else(CommandId::random, CommandId::of_text);
        let mut answer = Ok(Value::Null);
        operation.clone().visit(Acting { desk: &self.desk, command, answer: &mut answer });
        Ok(answer.map_err(|failure| with_offers(&self.desk, &operation, failure))?)
    }

    /// Writes notices from now on. A program that does not read them has them skipped, and nobody waits for it.
    fn watch(&self) -> Value {
        let (mut notices, to) = (self.desk.watch(), Arc::clone(&self.to));
        std::thread::spawn(move || {
            loop {
                let told = match notices.blocking_recv() {
                    // jobs and presence are no documents
                    Ok(notice) if *notice == Notice::default() => continue,
                    Ok(notice) => changed(&notice),
                    Err(RecvError::Lagged(skipped)) => json!({ "skipped": skipped, "everything": true }),
                    Err(RecvError::Closed) => return,
                };
                if write(&to, &Map::from_iter([("notice".to_owned(), told)])).is_err() {
                    return;
                }
            }
        });
        json!({ "watching": true })
    }

    fn failed(&self, failed: Failed) -> Map<String, Value> {
        let here = Local { now: self.desk.now(), zone: self.zone };
        let of_kind = |kind: &str| Map::from_iter([("kind".to_owned(), kind.into())]);
        let (word, mut facts, problem) = match failed {
            Failed::Unfit(Unfit(kind, problem)) => ("refused", of_kind(kind), problem),
            Failed::Failure(Failure::Refused(refusal)) => {
                let (facts, sentence) = rendered(&refusal, here);
                ("refused", facts.as_object().cloned().unwrap_or_default(), sentence)
            }
            Failed::Failure(Failure::Fault(fault)) => ("fault", of_kind(fault.word()), words::fault(&fault)),
        };
        facts.insert("problem".to_owned(), problem.into());
        Map::from_iter([(word.to_owned(), facts.into())])
    }
}

/// Changed documents by kind and key.
fn changed(notice: &Notice) -> Value {
    let changed = notice.changed.iter().map(|(kind, key)| json!({ "kind": kind.word(), "key": key }));
    json!({ "changed": changed.collect::<Vec<_>>(), "everything": notice.everything })
}

/// Runs an operation under its command id.
struct Acting<'a> {
    desk: &'a Desk,
    command: CommandId,
    answer: &'a mut Result<Value, Failure>,
}

impl Visitor for Acting<'_> {
    fn visit<O: Operation>(self, operation: O)
    where
        AnyAnswer: From<O::Answer>,
    {
        *self.answer = self.desk.run_as(self.command, operation).and_then(|answer| json(&answer));
    }
}

/// Reads `{NAME: {..}}` as one of an enum; names and fields that are not there are said.
fn named<T: DeserializeOwned>(raw: &RawValue, without: &[&str]) -> Result<T, Unfit> {
    let bad = |problem: String| Unfit("bad_input", words::sentence(&problem));
    let members: Result<Map<String, Value>, _> = serde_json::from_str(raw.get());
    let one = members.ok().filter(|members| members.len() == 1);
    let name = one.and_then(|members| members.into_iter().next()).map(|(name, _)| name);
    let name = name.ok_or_else(|| bad("one name with its fields belongs here: {\"NAME\": {..}}".to_owned()))?;
    let here = || schema::names::<T>().iter().filter(|known| !without.contains(known));
    if !here().any(|known| *known == name) {
        let near = |known: &&&str| strsim::jaro_winkler(known, &name) > 0.85;
        let near: Vec<_> = here().filter(near).copied().collect();
        let near = if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
        let problem = format!("There is no {name:?} here; willcall serve --schema lists what there is.{near}");
        return Err(Unfit("unknown_name", problem));
    }
    let mut unknown = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    let read = private::said(|| serde_ignored::deserialize(&mut reader, |path| unknown.push(path.to_string())));
    if let Some(field) = unknown.first().map(|path| path.trim_start_matches(['?', '.'])) {
        return Err(Unfit("unknown_field", format!("There is no field {field:?}; nothing was done.")));
    }
    // a place in a part of the line tells nobody anything
    read.map_err(|error| bad(error.to_string().split(" at line ").next().unwrap_or_default().to_owned()))
}

/// The sentence for a line that is none.
fn unfit(error: &serde_json::Error, line: &[u8]) -> Unfit {
    let is_json = serde_json::from_slice::<Value>(line).is_ok();
    let (kind, about) = if is_json {
        ("bad_line", "The line says nothing that is known")
    } else {
        ("not_json", "The line is not JSON")
    };
    Unfit(kind, format!("{about}: {error}."))
}

/// Writes a line.
fn write(to: &Output, answer: &Map<String, Value>) -> io::Result<()> {
    let line = serde_json::to_string(answer)?;
    let mut to = to.lock();
    writeln!(to, "{}", escaped(&line))?;
    to.flush()
}

/// A line that was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Line,
    TooLong,
}

/// Reads the next line; of one that is too long nothing is kept. `None` at the end of the input.
fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<Read>> {
    line.clear();
    let mut length = 0_usize;
    loop {
        let some = from.fill_buf()?;
        if some.is_empty() {
            // the last line may have no end
            return Ok((length > 0).then_some(if length > LINE_MAX { Read::TooLong } else { Read::Line }));
        }
        let end = some.iter().position(|byte| *byte == b'\n');
        let part = some.get(..end.unwrap_or(some.len())).unwrap_or_default();
        length = length.saturating_add(part.len());
        if length > LINE_MAX {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(some.len(), |end| end + 1);
        from.consume(used);
        if end.is_some() {
            return Ok(Some(if length > LINE_MAX { Read::TooLong } else { Read::Line }));
        }
    }
}
