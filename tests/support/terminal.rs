//! The desk in a real pseudo-terminal: what comes out of it, as bytes and as a screen.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use willcall::domain::time::Span;
use willcall::engine::clock::{Clock, SystemClock};

use crate::ground::Ground;
use crate::limit::{self, PATIENCE};

/// A desk that draws nothing for so long draws nothing each second.
const REST: Duration = Duration::from_millis(1200);

/// What came out of the terminal, as bytes and as a screen.
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
    pub(crate) screen: vt100::Parser,
    pub(crate) ended: bool,
}

pub(crate) struct Desk {
    pub(crate) output: Arc<(Mutex<Output>, Condvar)>,
    input: Box<dyn Write + Send>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
}

pub(crate) const fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

pub(crate) fn whole(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

pub(crate) fn demo() -> Desk {
    started(&["demo"], size(100, 30))
}

pub(crate) fn started(args: &[&str], size: PtySize) -> Desk {
    let who = ["--operator", "ada", "--station", "till-2"];
    opened(&[args, &who[..]].concat(), size)
}

fn opened(args: &[&str], size: PtySize) -> Desk {
    opened_by(args, size, &[])
}

/// The bare desk of somebody at home in a folder.
pub(crate) fn at_home(folder: &Path, size: PtySize) -> Desk {
    at_home_with(folder, &[], size)
}

/// Opens the desk of somebody at home in a folder, with more on the line.
pub(crate) fn at_home_with(folder: &Path, more: &[&str], size: PtySize) -> Desk {
    let home = |name| (name, folder.as_os_str());
    let at_home = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(home);
    opened_by(&[&["--operator", "ada", "--station", "till-2"], more].concat(), size, &at_home)
}

fn opened_by(args: &[&str], size: PtySize, variables: &[(&str, &OsStr)]) -> Desk {
    limit::step();
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_willcall"));
    command.args(args);
    command.env("TERM", "xterm-256color");
    // no folder: each desk opens as the first one does
    command.env("XDG_STATE_HOME", "/dev/null");
    for (name, value) in variables {
        command.env(name, value);
    }
    for name in ["SSH_CONNECTION", "NO_COLOR", "COLORTERM", "COLORFGBG"] {
        command.env_remove(name);
    }
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let output = Arc::new((
        Mutex::new(Output {
            bytes: Vec::new(),
            screen: vt100::Parser::new(whole(size.rows), whole(size.cols), 0),
            ended: false,
        }),
        Condvar::new(),
    ));
    let mut reader = pair.master.try_clone_reader().unwrap();
    let filled = Arc::clone(&output);
    std::thread::spawn(move || {
        let mut chunk = [0; 8192];
        loop {
            let count = reader.read(&mut chunk).unwrap_or(0);
            let mut output = filled.0.lock().unwrap_or_else(PoisonError::into_inner);
            let read = chunk.get(..count).unwrap_or_default();
            output.bytes.extend_from_slice(read);
            output.screen.process(read);
            output.ended = count == 0;
            filled.1.notify_all();
            if output.ended {
                return;
            }
        }
    });
    Desk { output, input: pair.master.take_writer().unwrap(), master: pair.master, child }
}

/// The demo house in a place of its own, where nobody else buys.
pub(crate) struct Quiet {
    place: String,
    _ground: Option<Ground>,
}

impl Quiet {
    /// A small house of its own: "Hamlet" in three hours, 5 rows of 16, and nobody has bought yet.
    pub(crate) fn small(ground: Ground) -> Self {
        Self::of_rows("5x16", ground)
    }

    /// A house of some rows, with "Hamlet" in three hours, and nobody has bought yet.
    pub(crate) fn of_rows(rows: &str, ground: Ground) -> Self {
        let house = Self { place: ground.place().spelled(), _ground: Some(ground) };
        let now = SystemClock::default().now();
        let at = |hours: i64| (now + Span::minutes(hours * 60)).rfc3339(chrono_tz::UTC);
        house.answers("init");
        house.answers(&format!("theater add Royal --rows {rows} --time-zone UTC"));
        house.answers(&format!(
            "performance add --theater Royal --title Hamlet --start {} --end {} --price 10.00",
            at(3),
            at(5)
        ));
        house
    }

    /// In a file.
    pub(crate) fn house() -> Self {
        Self::on(Ground::file())
    }

    pub(crate) fn on(ground: Ground) -> Self {
        Self::at(ground.place().spelled(), Some(ground))
    }

    /// At a place, which goes when its ground does.
    pub(crate) fn at(place: String, ground: Option<Ground>) -> Self {
        let house = Self { place, _ground: ground };
        house.answers("init --demo");
        house
    }

    pub(crate) fn answers(&self, line: &str) -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_willcall"))
            .args(["--json", "--db", &self.place])
            .env("TZ", "Europe/Dublin")
            .args(line.split_whitespace())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn desk(&self, size: PtySize) -> Desk {
        self.desk_of(["ada", "till-2"], size)
    }

    /// A command line of this house in a terminal.
    pub(crate) fn line(&self, line: &str, size: PtySize) -> Desk {
        let line: Vec<&str> = line.split_whitespace().collect();
        opened(&[&["--db", &self.place], line.as_slice()].concat(), size)
    }

    /// The desk of somebody at a station.
    pub(crate) fn desk_of(&self, [operator, station]: [&str; 2], size: PtySize) -> Desk {
        let who = ["--operator", operator, "--station", station];
        opened(&[&["--db", &self.place], &who[..]].concat(), size)
    }

    /// How many seats each receipt of this desk's station has; the house is whole.
    pub(crate) fn sold(&self) -> Vec<u64> {
        assert_eq!(self.answers("verify")["ok"], true);
        let receipts = self.answers("receipt list");
        let ours = receipts
            .as_array()
            .unwrap()
            .iter()
            .filter(|receipt| receipt["number"].as_str().unwrap().starts_with("till-2/"));
        ours.map(|receipt| receipt["seats"].as_u64().unwrap()).collect()
    }
}

impl Desk {
    /// Waits until nothing has been drawn for a while. A minute that begins is shown, so one look is not enough.
    #[track_caller]
    pub(crate) fn rests(&mut self) -> &mut Self {
        let (lock, filled) = &*self.output;
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < PATIENCE, "it draws and draws");
            let output = lock.lock().unwrap();
            let drawn = output.bytes.len();
            let (output, still) =
                filled.wait_timeout_while(output, REST, |output| output.bytes.len() == drawn).unwrap();
            drop(output);
            if still.timed_out() {
                return self;
            }
        }
    }

    /// Waits until the output is as wanted.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, wanted: impl Fn(&Output) -> bool) -> &mut Self {
        let (lock, filled) = &*self.output;
        let output = lock.lock().unwrap();
        let (output, patience) = filled.wait_timeout_while(output, PATIENCE, |output| !wanted(output)).unwrap();
        let screen = output.screen.screen().contents();
        assert!(!patience.timed_out(), "no {what} on\n{screen}");
        drop(output);
        self
    }

    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) -> &mut Self {
        self.until(text, |output| output.screen.screen().contents().contains(text))
    }

    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
        self
    }

    fn pid(&self) -> Pid {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        Pid::from_raw(pid).unwrap()
    }

    pub(crate) fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.pid(), signal).unwrap();
        self
    }

    /// The program ends well, and gives back the mouse first, the alternate screen last.
    #[track_caller]
    pub(crate) fn ends(&mut self) {
        // whoever was started meanwhile may have the terminal open, so that it is not closed with the desk
        self.until("end", |output| output.ended || !output.screen.screen().alternate_screen());
        limit::until("the end of the process", || self.child.try_wait().unwrap().is_some());
        assert!(self.child.wait().unwrap().success());
        let output = self.output.0.lock().unwrap();
        let last = |sequence: &[u8]| {
            let mut windows = output.bytes.windows(sequence.len());
            windows.rposition(|window| window == sequence).unwrap()
        };
        let order = [last(b"\x1b[?1000l"), last(b"\x1b[?2004l"), last(b"\x1b[?1049l")];
        assert!(order.is_sorted(), "{order:?}");
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.child.kill().is_err() {
            // it has ended already
        }
    }
}
