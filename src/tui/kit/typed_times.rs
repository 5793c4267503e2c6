//! Times as they are typed in a form: a day and a time, until a time.

use chrono_tz::Tz;

use crate::domain::recurrence::{self, LocalSlot};
use crate::domain::resource::Resource;
use crate::domain::time::typed::{self, Moment};
use crate::domain::time::{Instant, Local, Slot, TimeError, day_start};
use crate::tui::kit::shared::Shared;

/// No repeat makes more dates here; longer ones are made on the command line.
const DATES_MAX: usize = 200;

/// Notation of times: on the clock and grid of the first resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WallClock {
    /// Its local time.
    pub(crate) zone: Tz,
    unit: Unit,
}

/// Unit of typed times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// With a time of day.
    Time,
    /// Dates: arrival and departure.
    Nights,
}

impl WallClock {
    /// Of resources; of none, the desk's own.
    pub(crate) fn of(resources: &[Resource], shared: &Shared) -> Self {
        let first = resources.first();
        let nights = first.is_some_and(|one| one.grid.segment.is_day());
        Self { zone: first.map_or(shared.zone, Resource::zone), unit: if nights { Unit::Nights } else { Unit::Time } }
    }

    /// Of times of day in a zone.
    pub(crate) const fn in_zone(zone: Tz) -> Self {
        Self { zone, unit: Unit::Time }
    }

    /// Texts of a slot's start and end, which read back as the same.
    pub(crate) fn texts(self, slot: Slot, now: Instant) -> [String; 2] {
        let from = self.text(slot.from(), typed::moment, now);
        [from, self.until(slot, now)]
    }

    /// Text of a slot's end; on the day of the start, the time alone.
    pub(crate) fn until(self, slot: Slot, now: Instant) -> String {
        let (start, until) = (slot.from(), slot.until());
        let alone = until.format(self.zone, "%H:%M");
        let read = |text: &str, here| typed::end(text, start, here);
        let is_of_the_day = self.date(start) == self.date(until);
        if is_of_the_day && read(&alone, Local { now, zone: self.zone }) == Ok(Moment::At(until)) {
            return alone;
        }
        self.text(until, read, now)
    }

    /// Shortest text that reads back as the same time: with the year where its day would mean another one, and with its
    /// offset where the clock shows it twice.
    fn text(self, at: Instant, read: impl Fn(&str, Local) -> Result<Moment, TimeError>, now: Instant) -> String {
        let here = Local { now, zone: self.zone };
        let pattern = match self.unit {
            Unit::Time => "%a %-d %b %H:%M",
            Unit::Nights => "%a %-d %b",
        };
        let is_it =
            |text: &String| read(text, here).is_ok_and(|moment| self.instant(moment) == self.instant(Moment::At(at)));
        let texts = [here.format(at, pattern), at.format(self.zone, &pattern.replace("%b", "%b %Y"))];
        texts.into_iter().find(is_it).unwrap_or_else(|| at.format(self.zone, "%Y-%m-%dT%H:%M%:z"))
    }

    fn date(self, at: Instant) -> chrono::NaiveDate {
        at.in_zone(self.zone).date_naive()
    }

    /// The time that is meant: of nights, the start of its day.
    fn instant(self, moment: Moment) -> Instant {
        match (self.unit, moment) {
            (Unit::Time, Moment::At(at)) => at,
            (Unit::Nights, Moment::At(at)) => day_start(self.date(at), self.zone),
            (_, Moment::Day(date)) => day_start(date, self.zone),
        }
    }

    /// The slot that is typed in two rows of a form: from a day and a time until a time, or a day and a time. An error
    /// has the row that is wrong.
    pub(crate) fn slot(
        self,
        [(row, from), (last, until)]: [(usize, &str); 2],
        now: Instant,
    ) -> Result<Slot, (usize, String)> {
        let read = typed::moment(from, Local { now, zone: self.zone }).map_err(|error| (row, error.to_string()))?;
        if matches!((self.unit, read), (Unit::Time, Moment::Day(_))) {
            return Err((row, "when does it begin? write it like fri 14:00".to_owned()));
        }
        self.ending((self.instant(read), until), now).map_err(|problem| (last, problem))
    }

    /// The slot from a start until what is typed.
    pub(crate) fn ending(self, (start, until): (Instant, &str), now: Instant) -> Result<Slot, String> {
        let read = typed::end(until, start, Local { now, zone: self.zone }).map_err(|error| error.to_string())?;
        if matches!((self.unit, read), (Unit::Time, Moment::Day(_))) {
            return Err(format!("{until:?} is no time; write it like 16:30, or sat 02:00"));
        }
        Slot::new(start, self.instant(read)).map_err(|error| match self.unit {
            Unit::Time => error.to_string(),
            Unit::Nights => "the day of departure has to be after the day of arrival".to_owned(),
        })
    }

    /// The slots of a repeat whose first is given; the first alone when nothing is typed.
    pub(crate) fn repeated(self, text: &str, first: Slot, now: Instant) -> Result<Vec<Slot>, String> {
        if text.trim().is_empty() {
            return Ok(vec![first]);
        }
        let wall = |at: Instant| at.in_zone(self.zone).naive_local();
        let local = match self.unit {
            Unit::Time => LocalSlot::Times(wall(first.from()), wall(first.until())),
            Unit::Nights => LocalSlot::Days(self.date(first.from()), self.date(first.until())),
        };
        let dates = recurrence::occurrences(text, local, Local { now, zone: self.zone });
        let dates = dates.map_err(|error| error.to_string())?;
        if dates.len() > DATES_MAX {
            return Err(format!(
                "that makes {} dates; more than {DATES_MAX} are booked on the command line",
                dates.len()
            ));
        }
        let slots: Result<Vec<Slot>, TimeError> = dates.into_iter().map(|one| one.slot).collect();
        slots.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::America::New_York;

    use super::{Unit, WallClock};
    use crate::domain::time::{Slot, parse_local};

    const CLOCK: WallClock = WallClock { zone: New_York, unit: Unit::Time };
    const NIGHTS: WallClock = WallClock { zone: New_York, unit: Unit::Nights };

    fn slot(from: &str, until: &str) -> Slot {
        let at = |text| parse_local(text, New_York).unwrap();
        Slot::new(at(from), at(until)).unwrap()
    }

    #[test]
    fn the_texts_of_a_slot_read_back_as_the_same() {
        let now = parse_local("2026-10-31T12:00", New_York).unwrap();
        for (from, until, texts) in [
            ("2026-11-03T10:00", "2026-11-03T12:00", ["Tue 3 Nov 10:00", "12:00"]),
            ("2026-11-03T22:00", "2026-11-04T02:00", ["Tue 3 Nov 22:00", "Wed 4 Nov 02:00"]),
            ("2027-11-03T10:00", "2027-11-03T12:00", ["Wed 3 Nov 2027 10:00", "12:00"]),
            // the day of the month is past, and means the next year's
            ("2026-10-30T10:00", "2026-10-31T08:00", ["Fri 30 Oct 2026 10:00", "Sat 31 Oct 08:00"]),
            // the clocks go back on this night: half past one comes twice
            ("2026-11-01T01:30-05:00", "2026-11-01T03:00", ["2026-11-01T01:30-05:00", "03:00"]),
            ("2026-10-31T23:00", "2026-11-01T01:30-04:00", ["Sat 31 Oct 23:00", "2026-11-01T01:30-04:00"]),
        ] {
            let slot = slot(from, until);
            let read = CLOCK.texts(slot, now);
            assert_eq!(read, texts, "{from}");
            assert_eq!(CLOCK.slot([(0, &read[0]), (1, &read[1])], now), Ok(slot), "{from}");
            assert_eq!(CLOCK.ending((slot.from(), &read[1]), now), Ok(slot), "{from}");
        }
        let stay = slot("2026-12-24T00:00", "2027-01-02T00:00");
        let read = NIGHTS.texts(stay, now);
        assert_eq!(read, ["Thu 24 Dec", "Sat 2 Jan 2027"]);
        assert_eq!(NIGHTS.slot([(0, &read[0]), (1, &read[1])], now), Ok(stay));
        assert_eq!(NIGHTS.slot([(0, "24 dec"), (1, "2 jan")], now), Ok(stay));
    }

    #[test]
    fn a_time_of_the_wall_that_is_not_there_is_refused() {
        let now = parse_local("2027-03-13T12:00", New_York).unwrap();
        let no = CLOCK.slot([(0, "tomorrow 02:30"), (1, "4:00")], now).unwrap_err().1;
        assert!(no.contains("does not exist in America/New_York"), "{no}");
        let weekly = CLOCK.repeated("weekly x2", slot("2027-03-07T02:30", "2027-03-07T04:00"), now).unwrap_err();
        assert!(weekly.contains("2027-03-14 02:30:00 does not exist"), "{weekly}");
        let many = CLOCK.repeated("daily x201", slot("2027-03-07T12:30", "2027-03-07T14:00"), now).unwrap_err();
        assert!(many.contains("that makes 201 dates"), "{many}");
    }
}
