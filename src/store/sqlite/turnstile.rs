//! Turnstile: a fair write lock between processes.
//!
//! Two file locks: a process takes the queue lock, then the writer lock, and releases the queue
//! lock. The process waiting for the writer lock holds the queue lock, so others cannot overtake;
//! plain busy waiting let some processes starve. A process suspended in its turn would block all
//! others silently: so a second thread waits for the lock, and the caller gives up with
//! [`Fault::Stuck`] once no turn has begun for a while. The writer lock's file has the number of turns and
//! the process of the present one: a wait behind many slow turns, or behind a process that a busy machine
//! gives no time to run, is not taken for a suspended one.

use std::fs::{File, TryLockError};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::modes;
use crate::store::fault::Fault;
use parking_lot::{Condvar, Mutex, MutexGuard};

/// Interval after which a wait looks again. A turn lasts milliseconds, so a suspended holder is stuck by then.
const TURN_WITHIN: Duration = Duration::from_secs(5);

/// Intervals without a new turn after which a holder that is not suspended is stuck, too.
const INTERVALS_MAX: u32 = 12;

/// Turnstile of one connection.
#[derive(Debug)]
pub(super) struct Turnstile {
    files: Arc<Files>,
    /// Thread that waits for the lock; started by the first wait.
    waiting: Option<Arc<Waiting>>,
}

/// Lock files.
#[derive(Debug)]
struct Files {
    queue: File,
    writer: File,
}

/// Place of the holder's process id in the writer lock's file, after the number of turns.
const HOLDER_AT: u64 = 8;

/// Turns of all processes, as seen by one that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Progress {
    /// Number of turns begun.
    turns: u64,
    /// The holder's process is suspended, or nothing is known of it.
    is_suspended: bool,
}

/// Returns whether a process is suspended or its state cannot be read; false for process 0, which means no holder.
fn is_suspended(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    // the state comes after the name, which may contain spaces and brackets
    let state = stat.ok().and_then(|stat| stat.rsplit(") ").next()?.chars().next());
    process != 0 && state.is_none_or(|state| matches!(state, 'T' | 't'))
}

/// Turn of a process; dropping it releases the writer lock.
#[derive(Debug)]
pub(super) struct Turn {
    files: Arc<Files>,
}

/// Shared state of the caller and the thread that waits for the lock.
#[derive(Debug, Default)]
struct Waiting {
    state: Mutex<TurnstileState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
enum TurnstileState {
    /// No wait is under way.
    #[default]
    Idle,
    /// A caller waits for a turn.
    Wanted,
    /// The caller gave up; the second thread still waits.
    GivenUp,
    /// The turn, or the fault that prevented it.
    Given(Result<Turn, Fault>),
    /// The turnstile is closed.
    Closed,
}

impl Turnstile {
    pub(super) fn open(database: &Path) -> Result<Self, Fault> {
        // one lock for all links to the house
        let real = std::fs::canonicalize(database).map_err(|error| broken(&error))?;
        let open = |end| modes::open_lock(&real, end).map_err(|error| broken(&error));
        let files = Files { queue: open("-queue")?, writer: open("-turn")? };
        Ok(Self { files: Arc::new(files), waiting: None })
    }

    /// Waits for the writer lock.
    ///
    /// # Errors
    /// [`Fault::Stuck`] if its holder does not release it; or the files cannot be locked.
    pub(super) fn enter(&mut self) -> Result<Turn, Fault> {
        // both threads share the open files, so a lock of one counts for the other: while the second
        // thread waits for the lock, only that thread may take it
        let is_waited_for =
            self.waiting.as_ref().is_some_and(|waiting| matches!(*waiting.state(), TurnstileState::GivenUp));
        if !is_waited_for && let Some(turn) = Files::try_take(&self.files)? {
            return Ok(turn);
        }
        let waiting = match self.waiting.take() {
            Some(waiting) => waiting,
            None => Waiting::start(&self.files)?,
        };
        let turn = waiting.turn(TURN_WITHIN, || self.files.progress());
        self.waiting = Some(waiting);
        turn
    }
}

impl Drop for Turnstile {
    fn drop(&mut self) {
        if let Some(waiting) = &self.waiting {
            // a thread still waiting ends when it gets the lock, or with the process
            *waiting.state() = TurnstileState::Closed;
            waiting.changed.notify_all();
        }
    }
}

impl Files {
    /// Takes the writer lock if it is free and no process waits for it.
    fn try_take(files: &Arc<Self>) -> Result<Option<Turn>, Fault> {
        if !tried(files.queue.try_lock())? {
            return Ok(None);
        }
        let taken = tried(files.writer.try_lock());
        files.queue.unlock().map_err(|error| broken(&error))?;
        Ok(taken?.then(|| Turn::begin(files)))
    }

    fn take(files: &Arc<Self>) -> Result<Turn, Fault> {
        files.queue.lock().map_err(|error| broken(&error))?;
        let taken = files.writer.lock();
        files.queue.unlock().map_err(|error| broken(&error))?;
        taken.map_err(|error| broken(&error))?;
        Ok(Turn::begin(files))
    }

    /// Number of turns that all processes together began.
    fn turns(&self) -> u64 {
        let mut bytes = [0; 8];
        // an empty file counts from 0
        let read = self.writer.read_exact_at(&mut bytes, 0);
        read.map_or(0, |()| u64::from_le_bytes(bytes))
    }

    fn progress(&self) -> Progress {
        let mut holder = [0; 4];
        // an empty file names no holder
        let _ = self.writer.read_exact_at(&mut holder, HOLDER_AT);
        Progress { turns: self.turns(), is_suspended: is_suspended(u32::from_le_bytes(holder)) }
    }
}

impl Turn {
    /// Counts a turn whose lock was just taken.
    fn begin(files: &Arc<Files>) -> Self {
        let mut turn = [0; 12];
        let (number, holder) = turn.split_at_mut(8);
        number.copy_from_slice(&files.turns().wrapping_add(1).to_le_bytes());
        holder.copy_from_slice(&std::process::id().to_le_bytes());
        // on a full disk, a long wait ends as if the turn were stuck
        let _ = files.writer.write_all_at(&turn, 0);
        let files = Arc::clone(files);
        Self { files }
    }
}

impl Waiting {
    fn start(files: &Arc<Files>) -> Result<Arc<Self>, Fault> {
        let waiting = Arc::new(Self::default());
        let (for_whom, files) = (Arc::clone(&waiting), Arc::clone(files));
        std::thread::Builder::new()
            .name("willcall-turnstile".into())
            .spawn(move || for_whom.work(&files))
            .map_err(|error| broken(&error))?;
        Ok(waiting)
    }

    fn state(&self) -> MutexGuard<'_, TurnstileState> {
        self.state.lock()
    }

    /// Waits for a turn. Without a new turn it gives up after one interval if the holder is suspended, otherwise after
    /// several.
    fn turn(&self, interval: Duration, mut look: impl FnMut() -> Progress) -> Result<Turn, Fault> {
        let mut state = self.state();
        *state = TurnstileState::Wanted;
        self.changed.notify_all();
        let (mut before, mut intervals) = (None, 0);
        while matches!(*state, TurnstileState::Wanted) {
            let Progress { turns, is_suspended } = look();
            intervals = if before.replace(turns) == Some(turns) { intervals + 1 } else { 0 };
            if intervals >= INTERVALS_MAX || intervals > 0 && is_suspended {
                break;
            }
            let is_wanted = |state: &mut TurnstileState| matches!(state, TurnstileState::Wanted);
            self.changed.wait_while_for(&mut state, is_wanted, interval);
        }
        if matches!(*state, TurnstileState::Wanted) {
            *state = TurnstileState::GivenUp;
            return Err(Fault::Stuck);
        }
        match std::mem::take(&mut *state) {
            TurnstileState::Given(turn) => turn,
            TurnstileState::Idle | TurnstileState::Wanted | TurnstileState::GivenUp | TurnstileState::Closed => {
                Err(Fault::Stuck)
            }
        }
    }

    /// Takes turns for the caller until the turnstile closes.
    fn work(&self, files: &Arc<Files>) {
        loop {
            let mut state = self.state();
            let is_idle = |state: &mut TurnstileState| matches!(state, TurnstileState::Idle | TurnstileState::Given(_));
            self.changed.wait_while(&mut state, is_idle);
            if matches!(*state, TurnstileState::Closed) {
                return;
            }
            drop(state);
            let turn = Files::take(files);
            let mut state = self.state();
            *state = match *state {
                TurnstileState::Wanted => TurnstileState::Given(turn),
                TurnstileState::Closed => return,
                // the caller no longer waits, so the turn ends here, before another is tried
                TurnstileState::GivenUp | TurnstileState::Idle | TurnstileState::Given(_) => {
                    drop(turn);
                    TurnstileState::Idle
                }
            };
            self.changed.notify_all();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // a holder that stays written is harmless: the next turn overwrites it
        let _ = self.files.writer.write_all_at(&[0; 4], HOLDER_AT);
        // closing the file or ending the process releases the lock too
        let _ = self.files.writer.unlock();
    }
}

fn tried(locked: Result<(), TryLockError>) -> Result<bool, Fault> {
    match locked {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(broken(&error)),
    }
}

fn broken(error: &std::io::Error) -> Fault {
    Fault::Unreachable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stuck_turn_times_out_and_the_next_attempt_gets_the_following_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        modes::make(&path).unwrap();
        let mut first = Turnstile::open(&path).unwrap();
        let mut second = Turnstile::open(&path).unwrap();
        let turn = first.enter().unwrap();
        let waiting = Waiting::start(&second.files).unwrap();
        let mut looks = 0;
        let given_up = waiting.turn(Duration::from_millis(1), || {
            looks += 1;
            second.files.progress()
        });
        assert_eq!(looks, INTERVALS_MAX + 1, "this process is not suspended");
        assert_eq!(given_up.err(), Some(Fault::Stuck));
        second.waiting = Some(waiting);
        drop(turn);
        // a turn granted after the caller gave up is released again
        for _ in 0..3 {
            drop(second.enter().unwrap());
            drop(first.enter().unwrap());
        }
    }

    #[test]
    fn a_long_wait_behind_turns_that_go_on_is_not_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        modes::make(&path).unwrap();
        let mut first = Turnstile::open(&path).unwrap();
        let second = Turnstile::open(&path).unwrap();
        let mut turn = Some(first.enter().unwrap());
        let waiting = Waiting::start(&second.files).unwrap();
        let mut begun = 0;
        let waited = waiting.turn(Duration::from_millis(1), || {
            begun += 1;
            turn.take_if(|_| begun == 5);
            Progress { turns: begun, is_suspended: true }
        });
        assert!(waited.is_ok() && begun >= 5, "{begun}");
        let before = first.files.turns();
        drop(waited);
        drop(first.enter().unwrap());
        let after = Progress { turns: before + 1, is_suspended: false };
        assert_eq!(second.files.progress(), after);
    }

    #[test]
    fn a_suspended_holder_is_given_up_after_one_interval() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let pid = child.id();
        assert!(!is_suspended(pid) && !is_suspended(0));
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::STOP).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        modes::make(&path).unwrap();
        let mut first = Turnstile::open(&path).unwrap();
        let second = Turnstile::open(&path).unwrap();
        let turn = first.enter().unwrap();
        first.files.writer.write_all_at(&pid.to_le_bytes(), HOLDER_AT).unwrap();
        let waiting = Waiting::start(&second.files).unwrap();
        // the signal takes effect at some time
        crate::limit::until("the process is suspended", || is_suspended(pid));
        let mut looks = 0;
        let given_up = waiting.turn(Duration::from_millis(1), || {
            looks += 1;
            second.files.progress()
        });
        assert_eq!((given_up.err(), looks), (Some(Fault::Stuck), 2));
        drop(turn);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
