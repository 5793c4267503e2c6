//! Listeners: shell commands called with events, after the commit and on a thread beside the
//! writer. The same threads call the commands of due jobs of own kinds.
//!
//! # Invariants
//! - An event is claimed with a lease before its command is called: no two stations call it at once. A station that dies
//!   before it has said how the call ended leaves the lease, and when that ends the command is called again, and hears
//!   which call it is.
//! - A command that exceeds its time limit is killed with its process group, and an event reports it.

use std::time::Duration;

use crate::domain::time::Instant;
use crate::engine::desk::Desk;
use crate::engine::jobs;
use crate::engine::jobs::due::{Kinds, next_due};
use crate::engine::machine::background::report::{Called, Worked};
use crate::engine::machine::changes::Watch;
use crate::engine::machine::signal::{Signal, Woken};
use crate::engine::ops::{EndHearing, HearEvent};
use crate::engine::reads::events;
use crate::engine::work::Failure;
use crate::store::Reader;
use crate::store::document::settings;

pub(in crate::engine) mod call;

use call::call;

/// Commands that may run at once.
pub(crate) const LISTENERS: usize = 2;

/// Polling interval for events of other processes.
const EVENTS_EVERY: Duration = Duration::from_millis(200);

/// Calls the commands of all waiting events, one after the other.
pub(crate) fn hear_all(desk: &Desk) -> Result<(), Failure> {
    let mut listener = Listener::new(desk.clone(), desk.shared.database.reader()?);
    let signal = Signal::default();
    while listener.hear(&signal)? {}
    Ok(())
}

/// Script that checks the command on its standard input.
const CHECK: &str = r#"text=$(cat); sh -n -c "$text" || exit; word=${text%%[[:space:]]*}
case $word in ''|*[!a-zA-Z0-9_./-]*) ;; *) { command -v "$word" >/dev/null && case $word in */*) [ -x "$word" ];; esac; } || { echo "$word: not found, or no program" >&2; exit 1; } ;; esac"#;

/// Time limit of the check of a command.
const CHECK_LIMIT: Duration = Duration::from_secs(10);

/// Checks that this machine's shell can run a command.
pub(crate) fn check_command(command: &str) -> Result<(), String> {
    if command.trim().is_empty() {
        return Err("it is empty".into());
    }
    call(CHECK, command.trim(), (&Signal::default(), CHECK_LIMIT))?.success()
}

/// Time limit of a command that a text is piped to.
const PIPE_LIMIT: Duration = Duration::from_mins(1);

/// Pipes a text to a shell command, such as a printer's.
pub(crate) fn pipe(command: &str, text: &str) -> Result<(), String> {
    let ended = call(command, text, (&Signal::default(), PIPE_LIMIT));
    let ended = ended.map_err(|problem| format!("{command}: {problem}"))?;
    let done = ended.success();
    done.map_err(|problem| format!("{command} ended with {problem}"))?;
    if ended.took_input {
        return Ok(());
    }
    Err(format!("{command} did not read the text"))
}

/// Worker that calls commands, one at a time.
pub(crate) struct Listener {
    desk: Desk,
    reader: Box<dyn Reader>,
    watch: Watch,
    /// Time of the next check of an own kind of job.
    next: Option<Instant>,
}

impl Listener {
    pub(crate) fn new(desk: Desk, reader: Box<dyn Reader>) -> Self {
        Self { watch: Watch::on(desk.shared.database.as_ref()), desk, reader, next: None }
    }

    /// Works until told to stop. A fault is retried at the next poll.
    pub(crate) fn work(mut self, signal: &Signal) {
        while signal.wait(EVENTS_EVERY) != Woken::Stopped {
            while self.hear(signal).unwrap_or(false) {}
            // a fault leaves the job due
            let _ = self.check(signal);
        }
    }

    /// Runs due jobs of own kinds.
    fn check(&mut self, signal: &Signal) -> Result<(), Failure> {
        let is_due = self.next.is_some_and(|at| at <= self.desk.now());
        if is_due && self.desk.may_end() {
            self.watch.forget();
            jobs::step(&self.desk, Kinds::Beside, signal)?;
        }
        Ok(())
    }

    /// Calls the command of the oldest waiting event; returns false if none waits.
    fn hear(&mut self, signal: &Signal) -> Result<bool, Failure> {
        if !self.watch.changed(self.reader.as_mut())? || signal.is_stopped() {
            return Ok(false);
        }
        let settings = settings(self.reader.as_mut())?;
        let Some(event) = events::waiting(self.reader.as_mut())? else {
            self.next = next_due(self.reader.as_mut(), (Kinds::Beside, &settings), &self.desk.checked_here())?;
            self.watch.looked();
            return Ok(false);
        };
        let Some(attempt) = self.desk.run(HearEvent { number: event.seq })? else {
            return Ok(true);
        };
        let command = settings.listeners.get(&event.word).cloned().unwrap_or_default();
        let mut problem = None;
        if !command.is_empty() {
            let mut told = event.told(settings.time_zone);
            told.insert("attempt".into(), attempt.into());
            let told = format!("{}\n", serde_json::Value::Object(told));
            let limit = Duration::from_millis(settings.listener_limit.millis().unsigned_abs());
            let ended = call(&command, &told, (signal, limit));
            if ended.is_err() && signal.is_stopped() {
                // its lease ends, and the next desk calls it again
                return Ok(false);
            }
            problem = ended.and_then(|ended| ended.success()).err();
            self.desk.tell_worked(Worked::Called(Called {
                event: event.word.clone(),
                number: event.seq,
                command: command.clone(),
                problem: problem.clone(),
            }));
        }
        let (number, problem) = (event.seq, problem.unwrap_or_default());
        self.desk.run(EndHearing { heard: event.word, number, attempt, command, problem })?;
        Ok(true)
    }
}
