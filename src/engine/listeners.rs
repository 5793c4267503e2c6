//! Listeners: shell commands that hear events, after the commit and beside the writer.
//!
//! # Invariants
//! - An event is taken before its command is called, in a transaction: no two stations call it twice. A station
//!   that dies between the two leaves it unheard rather than heard twice.
//! - A command that takes too long is ended, with everything it started, and named in an event of its own.

use std::time::Duration;

use crate::domain::house::Settings;
use crate::engine::changes::Watch;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::ops::{BlameListener, HearEvent};
use crate::engine::reads::events;
use crate::engine::signal::{Signal, Woken};
use crate::engine::worked::{Called, Worked};
use crate::engine::{Desk, Failure};
use crate::store::document::{self, DocKind, Stored};
use crate::store::{Fault, Reader};

mod call;

use call::call;

/// How many commands may run at once.
pub(crate) const LISTENERS: usize = 2;

/// How often other processes' events are looked for.
const EVENTS_EVERY: Duration = Duration::from_millis(200);

/// Calls the commands of all events that wait now, one after the other.
pub(crate) fn hear_all(desk: &Desk) -> Result<(), Failure> {
    let mut listener = Listener::new(desk.clone(), desk.shared.database.reader()?);
    let signal = Signal::default();
    while listener.hear(&signal)? {}
    Ok(())
}

/// Calls commands, one at a time.
pub(crate) struct Listener {
    desk: Desk,
    reader: Box<dyn Reader>,
    watch: Watch,
}

impl Listener {
    pub(crate) fn new(desk: Desk, reader: Box<dyn Reader>) -> Self {
        Self {
            watch: Watch::on(desk.shared.database.as_ref()),
            desk,
            reader,
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
        if !self.watch.changed(self.reader.as_mut())? || signal.is_stopped() {
            return Ok(false);
        }
        let Some(event) = events::waiting(self.reader.as_mut())? else {
            self.watch.looked();
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
            let problem = call(command, &told, (signal, limit)).err();
            self.desk.tell_worked(Worked::Called(Called {
                event: event.word.clone(),
                number: event.seq,
                command: command.clone(),
                problem: problem.clone(),
            }));
            if let Some(problem) = problem {
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
