//! Evidence about a clock, and the verdict on it: a decision over values.
//!
//! A clock agrees with its machine's earlier stamp, which the boot clock has carried on since, also while the machine
//! slept. Without that stamp it is the first since a boot: a wrong one cannot be told from a right one, so that it waits
//! for the time to be set from elsewhere, and then believes itself. A station that is on contradicts, and agrees by the
//! stamp that it stored: in a file it is on the same machine, and while it stands alone it is no witness.

use std::collections::BTreeSet;

use crate::domain::time::{Instant, Span};
use crate::engine::clock::JUMP_MAX;

/// Largest lead over the journal's newest entry before a clock is asked about: a wrong one would expire every hold and
/// reservation, and prune all history. Shorter than the default retention of history.
const AHEAD_MAX: Span = Span::minutes(28 * 24 * 60);

/// Time after a boot in which a machine's clock is usually set from elsewhere.
pub(super) const BELIEVED_AFTER: Span = Span::minutes(15);

/// Time by the clock of a station.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Witness {
    pub(super) seen: Instant,
    pub(super) station: String,
}

impl Witness {
    fn is_apart(&self, now: Instant) -> bool {
        is_apart(self.seen, now)
    }

    fn is_ahead(&self, now: Instant) -> bool {
        self.seen > now && self.is_apart(now)
    }
}

/// Returns whether two times are not of one clock.
pub(super) fn is_apart(one: Instant, other: Instant) -> bool {
    one.since(other).max(other.since(one)) > JUMP_MAX
}

/// Times in the house that a process compares its clock with.
#[derive(Debug)]
pub(super) struct Evidence {
    /// Time by the clock that is judged.
    pub(super) now: Instant,
    /// Time since its machine's boot; `None` for the clock of a server, which is everybody's, of a demo or of a test.
    pub(super) up: Option<Span>,
    /// Newest stamp of this boot, carried on to the present.
    pub(super) carried_on: Option<Witness>,
    /// Newest journal entries, newest first.
    pub(super) entries: Vec<Witness>,
    /// Stations that are on.
    pub(super) on: Vec<Witness>,
    /// Stations whose clocks a confirmation has found wrong.
    pub(super) wrong: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Writes, and ends what is due.
    Agrees,
    /// Asks before it writes.
    Contradicted(Witness),
    /// Writes, and ends nothing before its machine has been up for [`BELIEVED_AFTER`].
    Alone,
}

impl Evidence {
    pub(super) fn judge(&self) -> Verdict {
        let counts = |witness: &&Witness| !self.wrong.contains(&witness.station);
        let carried_on = self.carried_on.as_ref().filter(counts);
        let later = self.entries.iter().find(counts).filter(|entry| entry.is_ahead(self.now));
        let mut on = self.on.iter().filter(counts);
        let apart = on.find(|station| station.is_apart(self.now));
        let apart = later.or(apart).or_else(|| carried_on.filter(|stamp| stamp.is_apart(self.now)));
        if let Some(other) = apart {
            return Verdict::Contradicted(other.clone());
        }
        match self.entries.first().filter(|_| carried_on.is_none()) {
            Some(newest) if self.now.since(newest.seen) > AHEAD_MAX => Verdict::Contradicted(newest.clone()),
            Some(_) if self.up.is_some_and(|up| up < BELIEVED_AFTER) => Verdict::Alone,
            // a house without an entry has nothing that a clock could end
            Some(_) | None => Verdict::Agrees,
        }
    }

    /// Returns the stations that disagree, also those found wrong before.
    pub(super) fn apart(self) -> BTreeSet<String> {
        let now = self.now;
        let later = self.entries.into_iter().filter(|entry| entry.is_ahead(now));
        let on = self.on.into_iter().filter(|station| station.is_apart(now));
        later.chain(on).map(|witness| witness.station).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Evidence, Verdict, Witness};
    use crate::domain::time::{Instant, Span};

    /// Half past nine in the evening.
    const NOW: Instant = Instant::from_millis(1_795_296_600_000);
    const HOUR: i64 = 60;
    const DAY: i64 = 24 * HOUR;

    /// Time of a station, in minutes from the present.
    fn at(station: &str, minutes: i64) -> Witness {
        Witness { seen: Instant::from_millis(NOW.millis() + minutes * 60_000), station: station.into() }
    }

    /// A house that was written 20 minutes ago, seen by a clock that is nobody's.
    fn house() -> Evidence {
        Evidence {
            now: NOW,
            up: None,
            carried_on: None,
            entries: vec![at("till-1", -20), at("till-2", -30)],
            on: Vec::new(),
            wrong: ["till-9".to_owned()].into(),
        }
    }

    /// Evidence by the clock of a machine that has been up for some minutes, the first since its boot.
    fn up(minutes: i64) -> Evidence {
        Evidence { up: Some(Span::minutes(minutes)), ..house() }
    }

    /// Evidence where an earlier process of the boot stored a stamp, now so many minutes from the clock.
    fn carried(minutes: i64) -> Evidence {
        stamped(up(3 * HOUR), "till-1", minutes)
    }

    fn stamped(evidence: Evidence, station: &str, minutes: i64) -> Evidence {
        Evidence { carried_on: Some(at(station, minutes)), ..evidence }
    }

    fn on(evidence: Evidence, station: &str, minutes: i64) -> Evidence {
        Evidence { on: vec![at("till-2", 0), at(station, minutes)], ..evidence }
    }

    fn wrote(evidence: Evidence, entries: &[(&str, i64)]) -> Evidence {
        Evidence { entries: entries.iter().map(|(station, minutes)| at(station, *minutes)).collect(), ..evidence }
    }

    #[test]
    fn a_clock_agrees_is_contradicted_or_stands_alone() {
        let agrees = [
            ("a machine that ran", carried(0)),
            ("one that ran, whose clock was corrected a little", carried(2)),
            ("a command in the minutes after a boot, behind one that was confirmed", stamped(up(5), "till-1", 0)),
            ("one that slept for five weeks", wrote(carried(0), &[("till-1", -35 * DAY)])),
            ("one switched on, after a quarter of an hour", up(15)),
            ("a station beside a desk that is on", on(carried(0), "till-3", -1)),
            ("a station whose neighbour was found wrong", on(carried(0), "till-9", HOUR)),
            ("a machine whose stamp is of a station found wrong", stamped(up(HOUR), "till-9", HOUR)),
            ("a server's clock", house()),
            ("a server's clock, beside a desk", on(house(), "till-3", 1)),
            ("a new house, right after a boot", wrote(up(1), &[])),
            ("entries ahead of a station found wrong", wrote(carried(0), &[("till-9", HOUR), ("till-1", -20)])),
        ];
        for (name, evidence) in agrees {
            assert_eq!(evidence.judge(), Verdict::Agrees, "{name}");
        }
        let alone = [
            ("one switched on", up(3)),
            ("the same a moment before it believes itself", Evidence { up: Some(Span::seconds(899)), ..house() }),
            ("one switched on beside another process of its own", on(up(3), "till-3", 0)),
            ("one switched on, with a stamp of a station found wrong", stamped(up(3), "till-9", HOUR)),
        ];
        for (name, evidence) in alone {
            assert_eq!(evidence.judge(), Verdict::Alone, "{name}");
        }
        let contradicted = [
            ("an hour ahead of its machine's stamp", carried(-HOUR), at("till-1", -HOUR)),
            ("three minutes behind it", carried(3), at("till-1", 3)),
            ("an hour ahead of a desk or `work`", on(up(HOUR), "till-7/work", -HOUR), at("till-7/work", -HOUR)),
            ("the same in the minutes after a boot", on(up(3), "till-3", -HOUR), at("till-3", -HOUR)),
            ("a server's clock that was set, beside a desk", on(house(), "till-3", -HOUR), at("till-3", -HOUR)),
            ("behind the newest entry", wrote(carried(0), &[("till-2", 3)]), at("till-2", 3)),
            ("the same, switched on", wrote(up(3), &[("till-2", 3)]), at("till-2", 3)),
            ("29 days ahead, up for long", wrote(up(DAY), &[("till-1", -29 * DAY)]), at("till-1", -29 * DAY)),
            ("29 days ahead, switched on", wrote(up(3), &[("till-1", -29 * DAY)]), at("till-1", -29 * DAY)),
            ("a server 29 days ahead", wrote(house(), &[("till-1", -29 * DAY)]), at("till-1", -29 * DAY)),
        ];
        for (name, evidence, by) in contradicted {
            assert_eq!(evidence.judge(), Verdict::Contradicted(by), "{name}");
        }
    }

    #[test]
    fn a_confirmation_names_the_stations_ahead_and_those_on_that_are_apart() {
        let house = wrote(on(up(3), "till-3", -HOUR), &[("till-9", HOUR), ("till-4", -HOUR), ("till-5", 1)]);
        assert_eq!(house.apart(), ["till-3".to_owned(), "till-9".to_owned()].into());
    }
}
