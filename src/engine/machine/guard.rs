//! Clock guard: admits the writes of a process by what its clock agrees with (`guard/evidence.rs`).
//!
//! The check is one query per process, before its first write. A contradicted clock refuses writes until an operator
//! confirms it; one that stands alone writes, and ends nothing. Reads are never blocked. A confirmation
//! ([`ConfirmClock`](crate::engine::ops::ConfirmClock)) names the stations that disagree with it, which are then ignored;
//! the watcher passes it to every open desk.
//!
//! An agreeing process stores a [`BootStamp`] with its first write after a boot. Engine time runs on the boot clock, so
//! that one stamp carries on every later one: another is stored only after a correction of the clock.

use std::collections::BTreeSet;

use parking_lot::Mutex;

use crate::domain::presence::Present;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::clock::Machine;
use crate::engine::work::Failure;
use crate::store::document::settings;
use crate::store::presence::BootStamp;
use crate::store::{Fault, Row, Sql};

mod evidence;

use evidence::{BELIEVED_AFTER, Evidence, Verdict, Witness, is_apart};

/// Least correction of a clock after which its stamp is stored again.
const CORRECTION_MIN: Span = Span::seconds(10);

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
enum GuardState {
    #[default]
    Unknown,
    Trusted,
    Alone,
    Doubted(ClockDoubt),
}

#[derive(Debug, Default)]
struct Known {
    state: GuardState,
    /// Wall time of the stored stamp of this boot, less its boot time.
    stamped: Option<i64>,
}

/// Verdict on this process's clock.
#[derive(Debug, Default)]
pub(crate) struct Guard(Mutex<Known>);

impl Guard {
    /// Admits a write, or its rehearsal, at the present time; the first call compares the clock with the house. Returns the time before which
    /// it may end nothing.
    ///
    /// # Errors
    /// [`Refusal::ClockInDoubt`], or a fault of the database.
    pub(crate) fn admit<'a>(
        &self,
        sql: impl FnOnce() -> Result<&'a mut dyn Sql, Fault>,
        now: Instant,
        machine: Option<Machine>,
    ) -> Result<Option<Instant>, Failure> {
        let mut known = self.0.lock();
        if matches!(known.state, GuardState::Unknown) {
            *known = judged(sql()?, now, machine)?;
        }
        known.state.settle(machine);
        match &known.state {
            GuardState::Unknown | GuardState::Trusted => Ok(None),
            GuardState::Alone => {
                let up = machine.map_or(BELIEVED_AFTER, |machine| machine.up);
                Ok(Some(now + Span::from_millis(BELIEVED_AFTER.millis() - up.millis())))
            }
            GuardState::Doubted(doubt) => {
                Err(Refusal::ClockInDoubt { at: now, seen: doubt.seen, station: doubt.station.clone() }.into())
            }
        }
    }

    /// Returns whether the clock was found to agree with the house.
    pub(crate) fn agrees(&self, machine: Option<Machine>) -> bool {
        let state = &mut self.0.lock().state;
        state.settle(machine);
        matches!(state, GuardState::Trusted)
    }

    /// Stamp that a write stores beside its own rows; `None` while the stored one carries on to the present.
    pub(crate) fn stamp(&self, now: Instant, machine: Option<Machine>, station: &str) -> Option<BootStamp> {
        let Machine { boot, up } = machine?;
        let ahead = now.millis() - up.millis();
        let mut known = self.0.lock();
        let carries_on = known.stamped.is_some_and(|stamped| (ahead - stamped).abs() <= CORRECTION_MIN.millis());
        if carries_on || !matches!(known.state, GuardState::Trusted) {
            return None;
        }
        let stamp =
            BootStamp { boot: boot?, boot_millis: up.millis(), wall_millis: now.millis(), station: station.to_owned() };
        known.stamped = Some(ahead);
        Some(stamp)
    }

    /// Notes that the last stamp may not be stored, because its batch was rolled back.
    pub(crate) fn unstamp(&self) {
        self.0.lock().stamped = None;
    }

    /// Returns the doubt not lifted yet.
    pub(crate) fn doubt(&self) -> Option<ClockDoubt> {
        match &self.0.lock().state {
            GuardState::Unknown | GuardState::Trusted | GuardState::Alone => None,
            GuardState::Doubted(doubt) => Some(doubt.clone()),
        }
    }

    /// Trusts the clock, after a confirmation in this process.
    pub(crate) fn confirm(&self) {
        self.0.lock().state = GuardState::Trusted;
    }

    /// Handles a confirmation made elsewhere: a clock that agrees with it is trusted. A trusted
    /// clock stays trusted, because the confirmation may be wrong itself.
    pub(crate) fn heard(&self, confirmed: Instant, now: Instant) {
        if !is_apart(confirmed, now) {
            self.confirm();
        }
    }
}

impl GuardState {
    /// Trusts a clock that stood alone for long enough.
    fn settle(&mut self, machine: Option<Machine>) {
        let believes = machine.is_none_or(|machine| machine.up >= BELIEVED_AFTER);
        if matches!(self, Self::Alone) && believes {
            *self = Self::Trusted;
        }
    }
}

/// Compares a clock with the house; returns the stored stamp of its boot as well.
fn judged(sql: &mut dyn Sql, now: Instant, machine: Option<Machine>) -> Result<Known, Fault> {
    let (mut evidence, stamped) = evidence(sql, now, machine)?;
    let mut verdict = evidence.judge();
    if matches!(verdict, Verdict::Contradicted(_)) {
        evidence.wrong = settings(sql)?.clock_wrong_at;
        verdict = evidence.judge();
    }
    let state = match verdict {
        Verdict::Agrees => GuardState::Trusted,
        Verdict::Alone => GuardState::Alone,
        Verdict::Contradicted(Witness { seen, station }) => GuardState::Doubted(ClockDoubt { at: now, seen, station }),
    };
    Ok(Known { state, stamped })
}

/// Reads the times in the house, and the stored stamp of a boot as the difference of its clocks. No station counts as
/// wrong yet.
fn evidence(sql: &mut dyn Sql, now: Instant, machine: Option<Machine>) -> Result<(Evidence, Option<i64>), Fault> {
    let newest = "SELECT station, at, seq, CAST(0 AS BIGINT) AS said_at, CAST('' AS TEXT) AS place FROM journal \
                  ORDER BY seq DESC LIMIT 16";
    let present = "SELECT station, seen_at, CAST(0 AS BIGINT), said_at, place FROM presence \
                   WHERE seen_at > 0 OR station = $1";
    let own = [BootStamp::ROW.into()];
    let mut rows = if sql.is_distributed() {
        // both in one would be sent from machine to machine
        let mut rows = sql.query(newest, &[])?;
        rows.extend(sql.query(present, &own)?);
        rows
    } else {
        sql.query(
            &format!("SELECT station, at, seq, said_at, place FROM ({newest}) AS newest UNION ALL {present}"),
            &own,
        )?
    };
    rows.sort_by_key(|row| std::cmp::Reverse(row.int(2)));
    let witness = |row: &Row| Witness { seen: Instant::from_millis(row.int(1)), station: row.text(0).to_owned() };
    let (entries, mut others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.int(2) > 0);
    let stamp = others.extract_if(.., |row| row.text(0) == BootStamp::ROW).next();
    let stamp = stamp.and_then(|row| BootStamp::read(row.text(4)));
    let boot = machine.and_then(|machine| machine.boot);
    let stamp = stamp.filter(|stamp| boot == Some(stamp.boot));
    let stamped = stamp.as_ref().map(|stamp| stamp.wall_millis - stamp.boot_millis);
    let up = machine.map(|machine| machine.up);
    let carried_on = stamp.zip(up).map(|(stamp, up)| Witness {
        seen: Instant::from_millis(stamp.wall_millis + up.millis() - stamp.boot_millis),
        station: stamp.station,
    });
    others.retain(|row| is_apart(Instant::from_millis(row.int(1)), now));
    if !others.is_empty() {
        let steady = sql.steady_millis()?;
        let is_on = |said_at: i64| (0..=Present::OFF_AFTER.millis()).contains(&(steady - said_at));
        others.retain(|row| is_on(row.int(3)));
    }
    let entries = entries.iter().map(witness).collect();
    let on = others.iter().map(witness).collect();
    Ok((Evidence { now, up, carried_on, entries, on, wrong: BTreeSet::new() }, stamped))
}

/// Returns the stations that disagree with a time, by their newest journal entries or their presence.
pub(crate) fn apart(sql: &mut dyn Sql, now: Instant) -> Result<BTreeSet<String>, Fault> {
    Ok(evidence(sql, now, None)?.0.apart())
}
