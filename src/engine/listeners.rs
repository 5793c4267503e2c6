//! Listeners: shell commands that hear events, after the commit and beside the writer.
//!
//! # Invariants
//! - An event is taken before its command is called, in a transaction: no two stations call it twice. A station
//!   that dies between the two leaves it unheard rather than heard twice.
//! - A command that takes too long is ended, with everything it started, and named in an event of its own.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant as Moment};

use crate::domain::house::Settings;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::ops::{BlameListener, HearEvent};
use crate::engine::reads::events;
use crate::engine::signal::{Signal, Woken};
use crate::engine::{Desk, Failure};
use crate::store::document::{self, DocKind, Stored};
use crate::store::{Fault, Reader};

/// How many commands may run at once.
pub(crate) const LISTENERS: usize = 2;

/// How long a command may go on when the desk stops.
const GRACE: Duration = Duration::from_secs(1);

/// How often a running command is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How often other processes' events are looked for.
const EVENTS_EVERY: Duration = Duration::from_millis(200);

/// How much is told of what a failed command said.
const SAID_BYTES_MAX: u64 = 400;

/// Calls commands, one at a time.
pub(crate) struct Listener {
    desk: Desk,
    reader: Box<dyn Reader>,
    seen: Option<i64>,
}

impl Listener {
    pub(crate) fn new(desk: Desk, reader: Box<dyn Reader>) -> Self {
        Self {
            desk,
            reader,
            seen: None,
        }
    }

    /// Works until told to stop. A fault is met again at the next look.
    pub(crate) fn work(mut self, signal: &Signal) {
        while signal.wait(EVENTS_EVERY) != Woken::Stopped {
            while self.hear(signal).unwrap_or(false) {}
        }
    }

    /// Takes the oldest event that waits and calls its command; false when none does.
    fn hear(&mut self, signal: &Signal) -> Result<bool, Failure> {
        let pulse = self.reader.pulse()?;
        if self.seen == Some(pulse) || signal.is_stopped() {
            return Ok(false);
        }
        let Some(event) = events::waiting(self.reader.as_mut())? else {
            self.seen = Some(pulse);
            return Ok(false);
        };
        let settings = self.settings()?;
        if !self.desk.run(HearEvent { number: event.seq })? {
            return Ok(true);
        }
        if let Some(command) = settings.listeners.get(&event.word) {
            let told = serde_json::Value::Object(event.told(settings.time_zone));
            let told = format!("{told}\n");
            let limit = settings.listener_limit.millis().unsigned_abs();
            let limit = Duration::from_millis(limit);
            if let Err(problem) = call(command, &told, (signal, limit)) {
                self.desk.run(BlameListener {
                    heard: event.word.clone(),
                    number: event.seq,
                    command: command.clone(),
                    problem,
                })?;
            }
        }
        Ok(true)
    }

    fn settings(&mut self) -> Result<Settings, Fault> {
        let keys = [SETTINGS_KEY.to_owned()];
        let stored = document::load(self.reader.as_mut(), DocKind::Settings, &keys)?;
        let settings = stored.first().map(Stored::parse).transpose()?;
        Ok(settings.unwrap_or_default())
    }
}

/// Calls a shell command with a text on its standard input.
///
/// # Errors
/// How it failed, in words.
fn call(command: &str, told: &str, (signal, longest): (&Signal, Duration)) -> Result<(), String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // a pipe holds more than an event; a command need not read it
        let _ = stdin.write_all(told.as_bytes());
    }
    let mut ends = Moment::now() + longest;
    loop {
        if signal.is_stopped() {
            ends = ends.min(Moment::now() + GRACE);
        }
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{status}{}", said(&mut child))),
            Ok(None) if Moment::now() > ends => {
                end(&mut child);
                return Err(format!("it took longer than {} s", longest.as_secs_f32()));
            }
            Ok(None) => std::thread::sleep(LOOK_EVERY),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Ends a command with everything that it started.
fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok();
    if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
        // it may just have ended
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
}

/// What a command said when it failed.
fn said(child: &mut Child) -> String {
    let mut bytes = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        // what cannot be read is not told
        let _ = stderr.take(SAID_BYTES_MAX).read_to_end(&mut bytes);
    }
    let text = crate::domain::text::clean(&String::from_utf8_lossy(&bytes));
    if text.is_empty() {
        text
    } else {
        format!(": {text}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::call;
    use crate::engine::signal::Signal;

    #[test]
    fn a_command_reads_the_event_and_says_how_it_failed() {
        let (signal, limit) = (Signal::default(), Duration::from_secs(20));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("heard");
        let command = format!("cat > '{}'", file.display());
        assert_eq!(call(&command, "told\n", (&signal, limit)), Ok(()));
        assert_eq!(std::fs::read_to_string(file).unwrap(), "told\n");
        let problem = call("echo no paper >&2; exit 3", "", (&signal, limit)).unwrap_err();
        assert!(
            problem.contains('3') && problem.ends_with("no paper"),
            "{problem}"
        );
    }

    #[test]
    fn a_command_that_hangs_is_ended_with_what_it_started() {
        let limit = Duration::from_millis(60);
        let hanging = "sleep 600 & sleep 600";
        let problem = call(hanging, "", (&Signal::default(), limit)).unwrap_err();
        assert_eq!(problem, "it took longer than 0.06 s");
        let stopping = Signal::default();
        stopping.stop();
        let long = Duration::from_mins(10);
        assert!(
            call("sleep 600", "", (&stopping, long)).is_err(),
            "a desk that stops waits a moment only"
        );
    }
}
