//! The engine's time: a port, so that tests step it and demos may bend it.
//!
//! Engine time runs on the boot clock from the moment it starts. Small corrections of the wall clock are
//! followed; a jump of more than two minutes is not, until an operator confirms it, for a wrong clock would end
//! carts that are not late.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::domain::time::{Instant, Span};
use crate::store::boot_millis;

/// The source of engine time.
pub trait Clock: Send + Sync + 'static {
    /// The present time; never earlier than it was, but after [`Clock::confirm`].
    fn now(&self) -> Instant;

    /// Sets the present time from a database that many machines share; this machine's clocks carry on from there.
    fn follow(&self, _database: Instant) {}

    /// By how many milliseconds the wall clock has jumped without being followed; 0 when it has not.
    fn doubt_millis(&self) -> i64 {
        0
    }

    /// Follows the wall clock again, after an operator has confirmed it.
    fn confirm(&self) {}
}

/// The largest tolerated difference between clocks, and the largest jump of a wall clock that is followed.
pub const JUMP_MAX: Span = Span::minutes(2);

/// The machine's time.
#[derive(Debug)]
pub struct SystemClock {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Shared time minus this machine's wall time.
    skew: i64,
    /// Shared time minus boot time.
    offset: i64,
    /// The last time returned.
    last: i64,
    /// The jump that was not followed.
    doubt: i64,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                skew: 0,
                offset: wall_millis() - boot_millis(),
                last: 0,
                doubt: 0,
            }),
        }
    }
}

impl SystemClock {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self
            .state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner))
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
            state.skew = database.millis() - wall;
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
}

impl State {
    const fn follow(&mut self, wall: i64, boot: i64) {
        self.offset = wall + self.skew - boot;
        (self.last, self.doubt) = (0, 0);
    }

    fn tell(&mut self, wall: i64, boot: i64) -> i64 {
        let jump = wall + self.skew - (boot + self.offset);
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

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place where time comes in"
)]
fn wall_millis() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A clock that stands still until it is moved.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Standing at a time.
    #[must_use]
    pub fn at(now: Instant) -> Self {
        Self(AtomicI64::new(now.millis()))
    }

    /// Moves it, also back.
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
    use super::State;

    #[test]
    fn a_jump_is_followed_once_somebody_has_confirmed_it() {
        let mut state = State {
            skew: 0,
            offset: 1_000_000,
            last: 0,
            doubt: 0,
        };
        state.tell(4_600_000, 200);
        state.follow(4_600_000, 200);
        assert_eq!((state.tell(4_600_100, 300), state.doubt), (4_600_100, 0));
        // also back: the present is what was confirmed
        state.tell(1_000_400, 400);
        assert_ne!(state.doubt, 0);
        state.follow(1_000_400, 400);
        assert_eq!((state.tell(1_000_500, 500), state.doubt), (1_000_500, 0));
    }

    #[test]
    fn a_small_correction_is_followed_and_a_jump_is_not() {
        let mut state = State {
            skew: 0,
            offset: 1_000_000,
            last: 0,
            doubt: 0,
        };
        assert_eq!(
            state.tell(1_000_500, 100),
            1_000_500,
            "half a second is followed"
        );
        assert_eq!(state.tell(4_600_000, 200), 1_000_600, "an hour is not");
        assert!(state.doubt > 3_000_000);
        assert_eq!(state.tell(1_000_650, 300), 1_000_650, "back to normal");
        assert_eq!(
            state.tell(999_000, 400),
            1_000_650,
            "and time never goes back"
        );
    }
}
