//! The present in a zone: typed times count from it, and dates are told by it.

use chrono::{Datelike, NaiveDate};
use chrono_tz::Tz;

use crate::domain::time::Instant;

/// The present time in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    pub now: Instant,
    pub zone: Tz,
}

impl Local {
    /// This moment in another zone.
    #[must_use]
    pub const fn in_zone(self, zone: Tz) -> Self {
        Self { zone, ..self }
    }

    /// The present day.
    pub fn today(self) -> NaiveDate {
        self.now.in_zone(self.zone).date_naive()
    }

    /// Formatted by a chrono pattern with the day at `%-d %b`, or at `%-d` alone; a day of another year than the
    /// present has its year behind it: `Fri 27 Nov 19:30`, `Sun 1 Dec 2030 19:30`.
    pub fn format(self, at: Instant, pattern: &str) -> String {
        at.format(self.zone, &self.pattern(at.in_zone(self.zone).year(), pattern))
    }

    /// A date, as [`Self::format`] writes it.
    pub fn date(self, date: NaiveDate) -> String {
        date.format(&self.pattern(date.year(), "%a %-d %b")).to_string()
    }

    fn pattern(self, year: i32, pattern: &str) -> String {
        if year == self.today().year() {
            pattern.to_owned()
        } else if pattern.contains("%b") {
            pattern.replace("%b", "%b %Y")
        } else {
            pattern.replace("%-d", "%-d %b %Y")
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::{Africa, America};

    use super::Local;
    use crate::domain::time::{Instant, parse_local};

    #[test]
    fn a_date_of_another_year_has_its_year() {
        let zone = America::New_York;
        let at = |text| parse_local(text, zone).unwrap();
        let told = |now, time: Instant| Local { now: at(now), zone }.format(time, "%a %-d %b %H:%M");
        let (eve, year) = (at("2026-12-31T23:30"), at("2027-01-01T00:30"));
        assert_eq!(told("2026-12-31T12:00", eve), "Thu 31 Dec 23:30");
        assert_eq!(told("2026-12-31T12:00", year), "Fri 1 Jan 2027 00:30");
        assert_eq!(told("2027-01-01T00:10", eve), "Thu 31 Dec 2026 23:30");
        assert_eq!(told("2027-01-01T00:10", year), "Fri 1 Jan 00:30");
        // in London it is the next year already
        let london = Local { now: at("2026-12-31T12:00"), zone }.in_zone(chrono_tz::Europe::London);
        assert_eq!(london.format(eve, "%a %-d %H:%M"), "Fri 1 Jan 2027 04:30");
        assert_eq!(london.date(year.in_zone(zone).date_naive()), "Fri 1 Jan 2027");
        assert_eq!(london.in_zone(Africa::Cairo).today().to_string(), "2026-12-31");
    }
}
