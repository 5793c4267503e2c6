//! The desk in a real pseudo-terminal: what it draws, and how it gives the terminal back.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a story that goes wrong fails at once"
)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Longer than any answer takes, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A desk that draws nothing for so long draws nothing each second.
const REST: Duration = Duration::from_millis(1200);

/// What came out of the terminal, as bytes and as a screen.
struct Output {
    bytes: Vec<u8>,
    screen: vt100::Parser,
    ended: bool,
}

struct Desk {
    output: Arc<(Mutex<Output>, Condvar)>,
    input: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

const fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn whole(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

fn demo() -> Desk {
    started(&["demo"], size(100, 30))
}

fn started(args: &[&str], size: PtySize) -> Desk {
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_willcall"));
    command.args(args);
    command.args(["--operator", "ada", "--station", "till-2"]);
    command.env("TERM", "xterm-256color");
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
    Desk {
        output,
        input: pair.master.take_writer().unwrap(),
        master: pair.master,
        child,
    }
}

/// The demo house in a file of its own, where nobody else buys.
struct Quiet {
    folder: tempfile::TempDir,
}

impl Quiet {
    fn house() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let house = Self { folder };
        house.answers("init --demo");
        house
    }

    fn path(&self) -> String {
        self.folder.path().join("house.db").display().to_string()
    }

    fn answers(&self, line: &str) -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_willcall"))
            .args(["--json", "--db", &self.path()])
            .args(line.split_whitespace())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn desk(&self, size: PtySize) -> Desk {
        started(&["--db", &self.path()], size)
    }

    /// How many seats each receipt of this desk's station has; the house is whole.
    fn sold(&self) -> Vec<u64> {
        assert_eq!(self.answers("verify")["ok"], true);
        let receipts = self.answers("receipt list");
        let ours = receipts
            .as_array()
            .unwrap()
            .iter()
            .filter(|receipt| receipt["number"].as_str().unwrap().starts_with("till-2/"));
        ours.map(|receipt| receipt["seats"].as_u64().unwrap())
            .collect()
    }
}

impl Desk {
    /// Waits until nothing has been drawn for a while. A minute that begins is shown, so one look is not enough.
    #[track_caller]
    fn rests(&mut self) -> &mut Self {
        let (lock, filled) = &*self.output;
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < PATIENCE, "it draws and draws");
            let output = lock.lock().unwrap();
            let drawn = output.bytes.len();
            let (output, still) = filled
                .wait_timeout_while(output, REST, |output| output.bytes.len() == drawn)
                .unwrap();
            drop(output);
            if still.timed_out() {
                return self;
            }
        }
    }

    /// Waits until the output is as wanted.
    #[track_caller]
    fn until(&mut self, what: &str, wanted: impl Fn(&Output) -> bool) -> &mut Self {
        let (lock, filled) = &*self.output;
        let output = lock.lock().unwrap();
        let (output, patience) = filled
            .wait_timeout_while(output, PATIENCE, |output| !wanted(output))
            .unwrap();
        let screen = output.screen.screen().contents();
        assert!(!patience.timed_out(), "no {what} on\n{screen}");
        drop(output);
        self
    }

    #[track_caller]
    fn shows(&mut self, text: &str) -> &mut Self {
        self.until(text, |output| {
            output.screen.screen().contents().contains(text)
        })
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
        self
    }

    fn pid(&self) -> Pid {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        Pid::from_raw(pid).unwrap()
    }

    fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.pid(), signal).unwrap();
        self
    }

    /// The program ends well, and gives back the mouse first, the alternate screen last.
    #[track_caller]
    fn ends(&mut self) {
        self.until("end", |output| output.ended);
        assert!(self.child.wait().unwrap().success());
        let output = self.output.0.lock().unwrap();
        let last = |sequence: &[u8]| {
            let mut windows = output.bytes.windows(sequence.len());
            windows.rposition(|window| window == sequence).unwrap()
        };
        let order = [
            last(b"\x1b[?1000l"),
            last(b"\x1b[?2004l"),
            last(b"\x1b[?1049l"),
        ];
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

#[test]
fn a_newcomer_sells_two_seats() {
    let mut desk = demo();
    desk.shows("[1 Tonight]").shows("Hamlet").keys("b2\r");
    desk.shows("are yours until")
        .keys("p\r")
        .shows("Sold   receipt");
    desk.shows("CHANGE").keys("q").ends();
}

#[test]
fn four_best_are_sold_for_cash_in_five_keys() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").keys("b").keys("4").keys("\r");
    desk.shows("are yours until")
        .keys("p")
        .shows("TO PAY")
        .keys("\r");
    desk.shows("Sold   receipt till-2/1").keys("q").ends();
    assert_eq!(house.sold(), [4]);
}

#[test]
fn a_whole_sale_typed_ahead_arrives_in_one_burst_and_is_one_sale() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").keys("b4\rp\r").shows("Sold   receipt");
    desk.keys("q").ends();
    assert_eq!(house.sold(), [4]);
}

#[test]
fn a_doubled_enter_sells_nothing_more() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").keys("b2\r\r").shows("are yours until");
    desk.keys("p\r\r\r").shows("Sold   receipt").rests();
    desk.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}

#[test]
fn a_desk_where_nothing_happens_draws_nothing() {
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.shows("Hamlet").rests().keys("q").ends();
}

#[test]
fn a_terminal_that_is_too_small_is_told_so_at_once() {
    let house = Quiet::house();
    let mut desk = house.desk(size(40, 10));
    desk.shows("40x10 is too small").keys("q").ends();
}

#[test]
fn a_terminal_is_asked_for_its_ground_and_its_answer_presses_no_key() {
    let holds = |sequence: &'static [u8]| {
        move |output: &Output| {
            let mut windows = output.bytes.windows(sequence.len());
            windows.any(|window| window == sequence)
        }
    };
    let house = Quiet::house();
    let mut desk = house.desk(size(100, 30));
    desk.until("question", holds(b"\x1b]11;?"));
    desk.keys("\x1b]11;rgb:ffff/ffff/ffff\x07");
    desk.until("light blue of the 256", holds(b"38;5;25"));
    desk.shows("Hamlet").keys("2").shows("S T A G E");
    // one that comes late, over a slow line: its digits are no screens, its letters no commands
    desk.keys("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\");
    desk.until("dark blue of the 256", holds(b"38;5;75"));
    desk.shows("[2 Seats]").shows("no seats yet");
    desk.keys("q").ends();
}

#[test]
fn the_terminal_is_given_back_when_the_system_asks_to_stop() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut desk = demo();
        desk.shows("Hamlet").signal(signal).ends();
    }
}

/// There is no shell here that could stop it, so that it goes on by itself; the terminal is given back and taken.
#[test]
fn a_suspended_desk_comes_back_whole() {
    let mut desk = demo();
    desk.shows("Hamlet").keys("\x1a");
    desk.until("plain screen", |output| {
        !output.screen.screen().alternate_screen()
    });
    desk.until("desk", |output| output.screen.screen().alternate_screen());
    desk.shows("[1 Tonight]");
    desk.keys("q").ends();
}

#[test]
fn a_resize_is_followed() {
    let mut desk = demo();
    desk.shows("Hamlet");
    let small = size(50, 12);
    desk.output
        .0
        .lock()
        .unwrap()
        .screen
        .screen_mut()
        .set_size(whole(12), whole(50));
    desk.master.resize(small).unwrap();
    desk.shows("50x12 is too small").keys("q").ends();
}
