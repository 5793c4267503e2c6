//! The engine's time, a port: tests step it, demos may speed it up.
//!
//! Engine time runs on the boot clock from the start of the process. Corrections of the wall clock
//! up to two minutes are followed. A larger jump is ignored until an operator confirms it, because
//! a wrong clock would expire carts too early.

use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use uuid::Uuid;

use crate::domain::time::{Instant, Span};
use crate::store::{boot_id, boot_millis};

/// The source of engine time.
pub trait Clock: Send + Sync + 'static {
    /// Present time; monotonic except after [`Clock::confirm`].
    fn now(&self) -> Instant;

    /// Sets the present time from the clock of a shared database; local clocks continue from there.
    fn follow(&self, _database: Instant) {}

    /// Size of an ignored jump of the wall clock, in milliseconds; 0 if there is none.
    fn doubt_millis(&self) -> i64 {
        0
    }

    /// Takes the wall clock as right, after an operator has confirmed it.
    fn confirm(&self) {}

    /// Machine whose wall clock the time comes from. `None` where there is nothing to compare: the time of a shared
    /// database is its server's, and a demo's or a test's time is its own.
    fn machine(&self) -> Option<Machine> {
        None
    }
}

/// Machine of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its present boot; `None` where the system tells none.
    pub boot: Option<Uuid>,
    /// Time since that boot, with the time that it slept.
    pub up: Span,
}

/// Largest tolerated difference between clocks, and largest jump of a wall clock that is followed.
pub const JUMP_MAX: Span = Span::minutes(2);

/// Clock of this machine.
#[derive(Debug)]
pub struct SystemClock {
    state: Mutex<ClockState>,
}

#[derive(Debug)]
struct ClockState {
    /// Time of the followed database minus this machine's wall time, in milliseconds; `None` without one.
    skew: Option<i64>,
    /// Present time minus boot time.
    offset: i64,
    /// Last time returned.
    last: i64,
    /// Ignored jump; 0 if there is none.
    doubt: i64,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { state: Mutex::new(ClockState { skew: None, offset: wall_millis() - boot_millis(), last: 0, doubt: 0 }) }
    }
}

impl SystemClock {
    fn with<T>(&self, act: impl FnOnce(&mut ClockState) -> T) -> T {
        act(&mut self.state.lock())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let (wall, boot) = (wall_millis(), boot_millis());
        self.with(|state| Instant::from_millis(state.tell(wall, boot)))
    }

    fn follow(&self, database: Instant) {
        let (wall, boot) = (wall_millis(), boot_millis());
        self.with(|state| {
            state.skew = Some(database.millis() - wall);
            state.offset = database.millis() - boot;
        });
    }

    fn doubt_millis(&self) -> i64 {
        self.with(|state| state.doubt)
    }

    fn confirm(&self) {
        let (wall, boot) = (wall_millis(), boot_millis());
        self.with(|state| state.follow(wall, boot));
    }

    fn machine(&self) -> Option<Machine> {
        let is_own = self.with(|state| state.skew.is_none());
        is_own.then(|| Machine { boot: boot_id(), up: Span::from_millis(boot_millis()) })
    }
}

impl ClockState {
    /// Takes the wall clock as right. The time of a database goes on as it is: the jump was this machine's.
    const fn follow(&mut self, wall: i64, boot: i64) {
        match &mut self.skew {
            Some(skew) => *skew = boot + self.offset - wall,
            None => self.offset = wall - boot,
        }
        (self.last, self.doubt) = (0, 0);
    }

    fn tell(&mut self, wall: i64, boot: i64) -> i64 {
        let jump = wall + self.skew.unwrap_or(0) - (boot + self.offset);
        if jump.abs() <= JUMP_MAX.millis() {
            self.offset += jump;
            self.doubt = 0;
        } else {
            self.doubt = jump;
        }
        self.last = self.last.max(boot + self.offset);
        self.last
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place where time comes in")]
fn wall_millis() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Clock that stands still until set.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Creates a clock standing at a time.
    pub fn at(now: Instant) -> Self {
        Self(AtomicI64::new(now.millis()))
    }

    /// Sets the time, backwards too.
    pub fn set(&self, now: Instant) {
        self.0.store(now.millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        Instant::from_millis(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::ClockState;

    fn state(skew: Option<i64>, offset: i64) -> ClockState {
        ClockState { skew, offset, last: 0, doubt: 0 }
    }

    #[test]
    fn a_jump_is_followed_once_it_is_confirmed() {
        let mut state = state(None, 1_000_000);
        state.tell(4_600_000, 200);
        state.follow(4_600_000, 200);
        assert_eq!((state.tell(4_600_100, 300), state.doubt), (4_600_100, 0));
        // backwards too: the confirmed time is the present
        state.tell(1_000_400, 400);
        assert_ne!(state.doubt, 0);
        state.follow(1_000_400, 400);
        assert_eq!((state.tell(1_000_500, 500), state.doubt), (1_000_500, 0));
    }

    /// The confirmed jump was added to the server's time, and carts ended an hour early.
    #[test]
    fn the_time_of_a_database_goes_on_when_a_corrected_machine_is_confirmed() {
        let mut state = state(Some(3_600_000), 5_000_000);
        assert_eq!(state.tell(1_400_000, 0), 5_000_000);
        assert_eq!((state.tell(5_000_100, 100), state.doubt), (5_000_100, 3_600_000));
        state.follow(5_000_200, 200);
        assert_eq!((state.tell(5_000_300, 300), state.doubt), (5_000_300, 0));
    }

    #[test]
    fn a_small_correction_is_followed_and_a_jump_is_not() {
        let mut state = state(None, 1_000_000);
        assert_eq!(state.tell(1_000_500, 100), 1_000_500, "half a second is followed");
        assert_eq!(state.tell(4_600_000, 200), 1_000_600, "an hour is not");
        assert!(state.doubt > 3_000_000);
        assert_eq!(state.tell(1_000_650, 300), 1_000_650, "back to normal");
        assert_eq!(state.tell(999_000, 400), 1_000_650, "and time never goes back");
    }
}
