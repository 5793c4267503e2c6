//! The clock guard: a process whose clock disagrees with the house writes nothing before somebody confirms it.
//!
//! Looked at once per process, in front of its first write, by one query. Doubted is a clock more than two minutes
//! behind the journal's newest entry, and one apart from a station that is on. Questions are never held up. A
//! confirmation ([`ConfirmClock`](crate::engine::ops::ConfirmClock)) names the stations that disagree with it, which
//! count no longer; it reaches every open desk through the watcher.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::house::Settings;
use crate::domain::presence::Present;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::clock::JUMP_MAX;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::work::Failure;
use crate::store::document::{self, DocKind, Stored};
use crate::store::{Fault, Row, Sql};

/// A time that this process's clock disagrees with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockDoubt {
    /// What this process's clock said.
    pub at: Instant,
    /// What the other one said.
    pub seen: Instant,
    /// The station that said it.
    pub station: String,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    Trusted,
    Doubted(ClockDoubt),
}

/// Whether this process may write by its clock.
#[derive(Debug, Default)]
pub(crate) struct Guard(Mutex<State>);

impl Guard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a write pass by the present time; the first one looks whether the house agrees with it.
    ///
    /// # Errors
    /// [`Refusal::ClockInDoubt`], or a fault of the database.
    pub(crate) fn admit(&self, sql: &mut dyn Sql, now: Instant) -> Result<(), Failure> {
        let mut state = self.state();
        if matches!(*state, State::Unknown) {
            let found = disagreeing(sql, now)?;
            *state = found.map_or(State::Trusted, State::Doubted);
        }
        match &*state {
            State::Unknown | State::Trusted => Ok(()),
            State::Doubted(doubt) => Err(Refusal::ClockInDoubt {
                at: now,
                seen: doubt.seen,
                station: doubt.station.clone(),
            }
            .into()),
        }
    }

    /// The doubt that nobody has lifted yet.
    pub(crate) fn doubt(&self) -> Option<ClockDoubt> {
        match &*self.state() {
            State::Unknown | State::Trusted => None,
            State::Doubted(doubt) => Some(doubt.clone()),
        }
    }

    /// Trusts the clock, because it was confirmed in this process.
    pub(crate) fn confirm(&self) {
        *self.state() = State::Trusted;
    }

    /// Hears of a confirmation made elsewhere: a clock that agrees with it is trusted. A desk at work is not stopped
    /// by one, which may be wrong itself.
    pub(crate) fn heard(&self, confirmed: Instant, now: Instant) {
        if !is_apart(confirmed, now) {
            self.confirm();
        }
    }
}

fn is_apart(one: Instant, other: Instant) -> bool {
    one.since(other).max(other.since(one)) > JUMP_MAX
}

/// What each station said last, as far as it disagrees with a time: the newest entries of the journal that are
/// ahead of it, newest first, then the stations that are on and apart from it.
pub(crate) fn apart(sql: &mut dyn Sql, now: Instant) -> Result<Vec<ClockDoubt>, Fault> {
    let text = "SELECT station, at, CAST(0 AS BIGINT) AS said_at FROM (SELECT station, at FROM journal ORDER BY seq DESC LIMIT 16) AS newest \
                UNION ALL SELECT station, seen_at, said_at FROM presence WHERE seen_at > 0";
    let mut rows = sql.query(text, &[])?;
    let seen = |row: &Row| Instant::from_millis(row.int(1));
    rows.retain(|row| match row.int(2) {
        0 => seen(row) > now && is_apart(seen(row), now),
        _ => is_apart(seen(row), now),
    });
    if rows.iter().any(|row| row.int(2) != 0) {
        let steady = sql.steady_millis()?;
        let is_on = |said_at: i64| (0..=Present::OFF_AFTER.millis()).contains(&(steady - said_at));
        rows.retain(|row| row.int(2) == 0 || is_on(row.int(2)));
    }
    let doubt = |row: Row| ClockDoubt {
        at: now,
        seen: seen(&row),
        station: row.text(0).to_owned(),
    };
    Ok(rows.into_iter().map(doubt).collect())
}

/// The first time that disagrees with this clock, of a station that no confirmation has found wrong.
fn disagreeing(sql: &mut dyn Sql, now: Instant) -> Result<Option<ClockDoubt>, Fault> {
    let found = apart(sql, now)?;
    if found.is_empty() {
        return Ok(None);
    }
    let stored = document::load(sql, DocKind::Settings, &[SETTINGS_KEY.to_owned()])?;
    let settings = stored.first().map(Stored::parse::<Settings>).transpose()?;
    let wrong = settings.unwrap_or_default().clock_wrong_at;
    Ok(found
        .into_iter()
        .find(|doubt| !wrong.contains(&doubt.station)))
}
