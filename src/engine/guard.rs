//! Clock guard: a process whose clock disagrees with the house refuses writes until an operator confirms the clock.
//!
//! The check is one query per process, before its first write. A clock is doubted when it is more than two minutes
//! behind the journal's newest entry, more than four weeks ahead of it, or apart from a station that is on. Reads are
//! never blocked. A confirmation ([`ConfirmClock`](crate::engine::ops::ConfirmClock)) names the stations that disagree
//! with it, which are then ignored; the watcher passes it to every open desk.

use std::collections::BTreeSet;

use parking_lot::Mutex;

use crate::domain::presence::Present;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::clock::JUMP_MAX;
use crate::engine::work::Failure;
use crate::store::document::settings;
use crate::store::{Fault, Row, Session, Sql};

/// Largest lead over the journal's newest entry before a clock is doubted: a wrong one would expire every hold and
/// reservation, and prune all history. Shorter than the default retention of history.
const AHEAD_MAX: Span = Span::minutes(28 * 24 * 60);

/// Disagreement between this process's clock and another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockDoubt {
    /// Time of this process's clock.
    pub at: Instant,
    /// Time of the other clock.
    pub seen: Instant,
    /// Station of the other clock.
    pub station: String,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    Trusted,
    Doubted(ClockDoubt),
}

/// Verdict on this process's clock.
#[derive(Debug, Default)]
pub(crate) struct Guard(Mutex<State>);

impl Guard {
    /// Admits a write at the present time; the first call compares the clock with the house.
    ///
    /// # Errors
    /// [`Refusal::ClockInDoubt`], or a fault of the database.
    pub(crate) fn admit<'a>(
        &self,
        session: impl FnOnce() -> Result<&'a mut dyn Session, Fault>,
        now: Instant,
    ) -> Result<(), Failure> {
        let mut state = self.0.lock();
        if matches!(*state, State::Unknown) {
            let found = disagreeing(session()?, now)?;
            *state = found.map_or(State::Trusted, State::Doubted);
        }
        match &*state {
            State::Unknown | State::Trusted => Ok(()),
            State::Doubted(doubt) => {
                Err(Refusal::ClockInDoubt { at: now, seen: doubt.seen, station: doubt.station.clone() }.into())
            }
        }
    }

    /// Returns the doubt not lifted yet.
    pub(crate) fn doubt(&self) -> Option<ClockDoubt> {
        match &*self.0.lock() {
            State::Unknown | State::Trusted => None,
            State::Doubted(doubt) => Some(doubt.clone()),
        }
    }

    /// Trusts the clock, after a confirmation in this process.
    pub(crate) fn confirm(&self) {
        *self.0.lock() = State::Trusted;
    }

    /// Handles a confirmation made elsewhere: a clock that agrees with it is trusted. A trusted
    /// clock stays trusted, because the confirmation may be wrong itself.
    pub(crate) fn heard(&self, confirmed: Instant, now: Instant) {
        if !is_apart(confirmed, now) {
            self.confirm();
        }
    }
}

fn is_apart(one: Instant, other: Instant) -> bool {
    one.since(other).max(other.since(one)) > JUMP_MAX
}

struct StationTimes {
    /// Times of the newest journal entries, newest first.
    entries: Vec<ClockDoubt>,
    /// Times of the stations that are on.
    on: Vec<ClockDoubt>,
}

fn station_times(sql: &mut dyn Sql, now: Instant) -> Result<StationTimes, Fault> {
    let text = "SELECT station, at, seq, CAST(0 AS BIGINT) AS said_at FROM \
                (SELECT station, at, seq FROM journal ORDER BY seq DESC LIMIT 16) AS newest \
                UNION ALL SELECT station, seen_at, CAST(0 AS BIGINT), said_at FROM presence WHERE seen_at > 0";
    let mut rows = sql.query(text, &[])?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.int(2)));
    let doubt =
        |row: &Row| ClockDoubt { at: now, seen: Instant::from_millis(row.int(1)), station: row.text(0).to_owned() };
    let (entries, mut on): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.int(2) > 0);
    on.retain(|row| is_apart(Instant::from_millis(row.int(1)), now));
    if !on.is_empty() {
        let steady = sql.steady_millis()?;
        let is_on = |said_at: i64| (0..=Present::OFF_AFTER.millis()).contains(&(steady - said_at));
        on.retain(|row| is_on(row.int(3)));
    }
    Ok(StationTimes { entries: entries.iter().map(doubt).collect(), on: on.iter().map(doubt).collect() })
}

fn is_ahead(doubt: &ClockDoubt) -> bool {
    doubt.seen > doubt.at && is_apart(doubt.seen, doubt.at)
}

/// Returns the stations that disagree with a time, by their newest journal entries or their presence.
pub(crate) fn apart(sql: &mut dyn Sql, now: Instant) -> Result<BTreeSet<String>, Fault> {
    let times = station_times(sql, now)?;
    let ahead = times.entries.into_iter().filter(is_ahead);
    Ok(ahead.chain(times.on).map(|doubt| doubt.station).collect())
}

/// Returns the disagreement with the newest entry or with a station that is on, ignoring stations
/// that a confirmation has found wrong.
fn disagreeing(sql: &mut dyn Sql, now: Instant) -> Result<Option<ClockDoubt>, Fault> {
    let times = station_times(sql, now)?;
    let newest = times.entries.first();
    if let Some(long_ago) = newest.filter(|newest| now.since(newest.seen) > AHEAD_MAX) {
        return Ok(Some(long_ago.clone()));
    }
    if times.on.is_empty() && !newest.is_some_and(is_ahead) {
        return Ok(None);
    }
    let wrong = settings(sql)?.clock_wrong_at;
    let counts = |doubt: &ClockDoubt| !wrong.contains(&doubt.station);
    let newest = times.entries.into_iter().find(counts).filter(is_ahead);
    Ok(newest.or_else(|| times.on.into_iter().find(counts)))
}
