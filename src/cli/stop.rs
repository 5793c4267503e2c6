//! Failed commands: the cause, and its sentence, JSON value and exit code.
//!
//! Import cycle with `cli::out`: output fails with a [`Stop`], which is printed as output.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::cli::answers::{object, refusal};
use crate::cli::out::{Format, Out};
use crate::domain::money::{Currency, amount};
use crate::domain::refusal::{Refusal, WantedCells};
use crate::domain::time::{Instant, Local, Span};
use crate::engine::output::OutputError;
use crate::engine::{Failure, Fault, Location, OpenError};
use crate::formats::PlanError;
use crate::tui::desk::terminal::NoTerminal;
use crate::words;

/// The exit code of a line that cannot be parsed.
pub(super) const UNPARSED: u8 = 2;

/// The exit code of an outage: a repeat may succeed once the machine or server works again.
const FAULT: u8 = 1;
/// The exit code of a refusal.
pub(super) const REFUSED: u8 = 3;

/// Cause of a command that was not done.
#[derive(Debug)]
pub(super) enum Stop {
    Refused(Refusal),
    /// Refused before any rule was checked.
    Cannot(Cannot),
    Fault(Fault),
    /// Output closed by its reader.
    Unread,
}

/// A refusal by the machine around the house: files, terminal, server.
#[derive(Debug, thiserror::Error)]
pub(super) enum Cannot {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("There is a house at {0} already. Use it, or choose another place with --db.")]
    HouseExists(Location),
    #[error("There is a file at {} already, and nothing of it was touched. Choose another name.", .0.display())]
    FileExists(PathBuf),
    #[error("Another program serves at {} already. Use it, or choose another path with --socket.", .0.display())]
    Served(PathBuf),
    #[error("The copy does not hold together ({0} violations), and was not kept. Run: willcall verify")]
    NotWhole(usize),
    #[error("{} does not hold together ({violations} violations). Take an older backup.", file.display())]
    TriedBroken { file: PathBuf, violations: usize },
    #[error(
        "All of it is at {place} now, but it does not hold together ({violations} violations), like the house that it came from. Run: willcall verify"
    )]
    CopyNotWhole { place: Location, violations: usize },
    #[error("This user has no folder for data. Say where the house is with --db.")]
    NoHome,
    #[error("{} cannot be made: {problem}. Choose another place with --db.", path.display())]
    Folder { path: PathBuf, problem: String },
    #[error("{} cannot be read: {problem}. Check its name and its rights.", path.display())]
    Unreadable { path: PathBuf, problem: String },
    #[error(transparent)]
    Output(OutputError),
    #[error("{}: {error}", path.display())]
    Plan { path: PathBuf, error: PlanError },
    #[error(transparent)]
    Rows(PlanError),
    #[error("{}: {problem}", path.display())]
    Calendar { path: PathBuf, line: Option<usize>, problem: String },
    #[error("{}: {problem}", path.display())]
    List { path: PathBuf, problem: String },
    #[error(transparent)]
    NoTerminal(NoTerminal),
    #[error("{0}")]
    DemoFolder(String),
    #[error("{sentence}")]
    Keymap { path: PathBuf, sentence: String },
    #[error("{}: {problem}; mend it or remove it.", path.display())]
    Config { path: PathBuf, problem: String },
    #[error("The print command failed: {0}. Check it, then print again.")]
    Print(String),
    /// Answer of a first start that can't be used.
    #[error("{0}")]
    Answer(&'static str),
    #[error("{0}")]
    House(Fault),
    #[error(
        "The disk is full{0}, and the load ended there; a house that --db names keeps what was stored; free some space and try again."
    )]
    LoadEnded(String),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::Refused(refusal),
            Failure::Fault(fault) => fault.into(),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        if matches!(fault, Fault::NewerSchema | Fault::Occupied | Fault::Undistributed(_)) {
            Self::Cannot(Cannot::House(fault))
        } else {
            Self::Fault(fault)
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Cannot> for Stop {
    fn from(cannot: Cannot) -> Self {
        Self::Cannot(cannot)
    }
}

impl From<OpenError> for Stop {
    fn from(error: OpenError) -> Self {
        Self::Cannot(error.into())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::Fault(Fault::Broken(format!("The answer cannot be written: {error}.")))
        }
    }
}

impl Stop {
    /// Writes the sentence and the JSON, and gives the exit code.
    pub(super) fn tell(&self, out: &mut Out) -> ExitCode {
        let here = out.here();
        match self {
            Self::Unread => ExitCode::SUCCESS,
            Self::Refused(refusal) => {
                let said = sentence(refusal, here);
                // of a list, each wrong line on a line of its own; a program has one sentence
                if out.format != Format::Json && matches!(refusal, Refusal::Season(_)) {
                    said.lines().for_each(|line| out.note(line));
                } else {
                    out.note(&said);
                }
                report(out, ("refused", REFUSED), &in_zone(refusal, here.zone))
            }
            Self::Cannot(cannot) => {
                out.note(&cannot.sentence());
                let kind = if cannot.is_outage() { ("fault", FAULT) } else { ("refused", REFUSED) };
                report(out, kind, &cannot.facts())
            }
            Self::Fault(fault) => {
                let problem = words::fault(fault);
                out.note(&problem);
                let facts = json!({ "kind": fault.word(), "problem": problem });
                report(out, ("fault", FAULT), &facts)
            }
        }
    }
}

/// Reports to programs, and gives the exit code.
fn report(out: &mut Out, (kind, code): (&str, u8), facts: &Value) -> ExitCode {
    if out.format == Format::Json {
        // a closed output leaves the exit code
        let _ = out.json(&json!({ kind: facts })).and_then(|()| out.flush());
    }
    ExitCode::from(code)
}

/// A refusal as JSON and as a sentence.
pub(super) fn rendered(refusal: &Refusal, here: Local) -> (Value, String) {
    (in_zone(refusal, here.zone), sentence(refusal, here))
}

/// A refusal's sentence, with the alternatives it offers.
fn sentence(refusal: &Refusal, here: Local) -> String {
    let said = words::refusal(refusal, here);
    let Refusal::Taken { wanted: WantedCells::Seats, instead, .. } = refusal else {
        return said;
    };
    let choices = instead.iter().map(|choice| choice.seats().join(","));
    let choices: Vec<String> = choices.collect();
    if choices.is_empty() {
        format!("{said} Choose other seats.")
    } else {
        format!("{said} Free instead: {}.", choices.join("; "))
    }
}

/// A refusal as JSON: instants as RFC 3339, spans and amounts in their typed form.
fn in_zone(refusal: &Refusal, zone: Tz) -> Value {
    let mut facts = refusal::refusal(refusal);
    write_times(&mut facts, zone);
    facts
}

fn write_times(facts: &mut Value, zone: Tz) {
    if let Value::Array(items) = facts {
        for item in items {
            write_times(item, zone);
        }
    } else if let Value::Object(fields) = facts {
        // times of a resource are in its own zone
        let own = fields.get("zone").and_then(Value::as_str);
        let zone = own.and_then(|name| name.parse().ok()).unwrap_or(zone);
        let currency: Option<Currency> = fields.get("currency").and_then(|currency| currency.as_str()?.parse().ok());
        for (name, value) in fields {
            match (name.as_str(), value.as_i64()) {
                (_, Some(minor)) if currency.is_some() => {
                    *value = currency.map(|currency| amount(minor, currency)).into();
                }
                ("at" | "seen" | "start" | "from" | "until" | "deadline", Some(millis)) => {
                    *value = Instant::from_millis(millis).rfc3339(zone).into();
                }
                ("least" | "most" | "alert" | "last", Some(millis)) => {
                    *value = Span::from_millis(millis).to_string().into();
                }
                _ => write_times(value, zone),
            }
        }
    }
}

impl Cannot {
    /// A file or folder that cannot be written.
    pub(super) fn not_writable(path: &Path, problem: io::Error) -> Self {
        let path = path.to_owned();
        Self::Output(OutputError::Failed { path, problem })
    }

    /// True for a fault of the machine, its disk or the way to a server, which a repeat may pass.
    fn is_outage(&self) -> bool {
        matches!(self, Self::Open(error) if error.is_outage())
            || matches!(self, Self::Output(error) if error.is_outage())
            || matches!(self, Self::LoadEnded(_))
    }

    fn sentence(&self) -> String {
        words::sentence(&self.to_string())
    }

    fn facts(&self) -> Value {
        let (kind, path, place) = match self {
            Self::Open(error) => (error.word(), error.path(), None),
            Self::HouseExists(Location::File(path))
            | Self::FileExists(path)
            | Self::Output(OutputError::Exists(path)) => ("exists", Some(path), None),
            Self::Served(path) => ("served", Some(path), None),
            Self::NotWhole(_) | Self::TriedBroken { .. } | Self::CopyNotWhole { .. } => ("not_whole", None, None),
            Self::NoHome => ("no_home", None, None),
            Self::Unreadable { path, .. } => ("unreadable_file", Some(path), None),
            Self::Output(error @ OutputError::Failed { path, .. }) if error.is_outage() => {
                ("disk_full", Some(path), None)
            }
            Self::Output(OutputError::House(path)) => ("belongs_to_house", Some(path), None),
            Self::Output(OutputError::Gone(path) | OutputError::Busy(path)) => ("print_failed", Some(path), None),
            Self::Folder { path, .. } | Self::Output(OutputError::Failed { path, .. }) => {
                ("unwritable", Some(path), None)
            }
            Self::Plan { path, error } => ("bad_plan", Some(path), plan_place(error)),
            Self::Calendar { path, line, .. } => ("bad_calendar", Some(path), line.map(|line| format!("line {line}"))),
            Self::List { path, .. } => ("bad_list", Some(path), None),
            Self::Rows(error) => ("bad_plan", None, plan_place(error)),
            Self::DemoFolder(_) => ("unwritable", None, None),
            Self::Keymap { path, .. } => ("bad_keymap", Some(path), None),
            Self::Config { path, .. } => ("bad_config", Some(path), None),
            Self::NoTerminal(_) => ("no_terminal", None, None),
            Self::Print(_) => ("print_failed", None, None),
            Self::HouseExists(Location::Server(_)) => ("exists", None, None),
            Self::House(fault) => (fault.word(), None, None),
            Self::LoadEnded(_) => ("disk_full", None, None),
            Self::Answer(_) => ("bad_answer", None, None),
        };
        object! {
            "kind": kind,
            "problem": self.sentence(),
            // a path that is not UTF-8 is shown lossily
            ? "path": path.map(|path| path.to_string_lossy()),
            ? "place": place,
        }
    }
}

fn plan_place(error: &PlanError) -> Option<String> {
    match error {
        PlanError::NotJson { line, column, .. } => Some(format!("line {line}, column {column}")),
        PlanError::Foreign { place, .. } | PlanError::UnknownCategory { place, .. } | PlanError::FarAway { place } => {
            Some(place.clone())
        }
        PlanError::Odd { first, .. } => Some(first.place.clone()),
        PlanError::RowLength { part } | PlanError::AreaTwice { name: part } | PlanError::LongRow { row: part } => {
            Some(part.clone())
        }
        PlanError::Empty | PlanError::Area { .. } | PlanError::NoSeats | PlanError::TooMany { .. } => None,
    }
}
