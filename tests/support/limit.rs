//! Limits of what a test waits for, and the folder it works in.
//!
//! Where a test looks again and again, it fails after a while. What a thread cannot be called away from (an engine that
//! does not answer, a child that does not end) ends the run, with the test's name.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Longer than any answer takes, however busy the machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Longer than any step of a test takes, however busy the machine.
const STEP: Duration = Duration::from_mins(15);

/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

thread_local! {
    /// Dropped at the end of the test, or by its next step.
    static STEP_AT: RefCell<Option<Sender<()>>> = const { RefCell::new(None) };
}

/// Begins the next step of the running test: a house is made, some rounds of a race are over.
pub(crate) fn step() {
    let test = std::thread::current().name().unwrap_or("a thread of a test").to_owned();
    let (step, over) = channel();
    std::thread::spawn(move || {
        if over.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            let line = format!("{test} has stood still for {STEP:?}: the run ends here\n");
            // past the test harness, which keeps what tests print to itself
            let _ = std::io::stderr().write_all(line.as_bytes());
            std::process::abort();
        }
    });
    STEP_AT.set(Some(step));
}

/// Room in memory from which on folders of tests lie there.
const ROOM: u64 = 4 << 30;

/// Parent of the tests' folders: in memory where the machine has such a place and room in it, since no test cuts the
/// power, and a disk that flushes takes half of a test's time.
pub(crate) fn parent() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let room = rustix::fs::statvfs(&memory).map_or(0, |found| found.f_bavail * found.f_frsize);
    if room < ROOM { std::env::temp_dir() } else { memory }
}

/// Empty folder for the next step of the running test.
pub(crate) fn scratch() -> tempfile::TempDir {
    step();
    tempfile::tempdir_in(parent()).unwrap()
}

/// Looks again and again until it is so.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    found(what, || is_so().then_some(()));
}

/// Looks again and again until it is there.
#[track_caller]
pub(crate) fn found<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(PAUSE);
    }
}
