//! What somebody types after `g` on the map: a seat `f9`, seats `112 14 21`, a range `f9-12`, a date `fri`.

use chrono::{Datelike, Days, NaiveDate, NaiveTime, Weekday};
use chrono_tz::Tz;

use crate::domain::ids::PerformanceId;
use crate::domain::plan::{Plan, SeatRef};
use crate::domain::time::Instant;
use crate::engine::reads::tonight::PerformanceRow;

/// Where to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// These seats: the cursor goes to the first, several are marked.
    Seats(Vec<SeatRef>),
    /// Another performance.
    Performance(PerformanceId),
}

/// The seats that a text names: each word a seat by its name or the end of its name, or a range of a row.
#[must_use]
pub fn seats(text: &str, plan: &Plan) -> Option<Vec<SeatRef>> {
    let mut found = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        match one(word, plan) {
            Some(seat) => found.push(seat),
            None => found.extend(range(word, plan)?),
        }
    }
    (!found.is_empty()).then_some(found)
}

fn one(word: &str, plan: &Plan) -> Option<SeatRef> {
    let word = word.to_lowercase();
    let exact = plan
        .seats()
        .find(|(_, seat)| seat.name.to_lowercase() == word);
    exact
        .or_else(|| {
            let compact = |text: &str| text.to_lowercase().replace(['/', ' ', '-'], "");
            plan.seats().find(|(_, seat)| {
                let name = compact(&seat.name);
                name.strip_suffix(&word).is_some_and(|before| {
                    before.is_empty() || !before.ends_with(|last: char| last.is_ascii_digit())
                })
            })
        })
        .map(|(at, _)| at)
}

fn range(word: &str, plan: &Plan) -> Option<Vec<SeatRef>> {
    let (from, to) = word.split_once('-')?;
    let first = one(from, plan)?;
    let letters = from.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let last = one(to, plan)
        .filter(|seat| seat.row == first.row)
        .or_else(|| one(&format!("{letters}{to}"), plan))
        .filter(|seat| seat.row == first.row)?;
    let (low, high) = (first.seat.min(last.seat), first.seat.max(last.seat));
    Some(
        (low..=high)
            .map(|seat| SeatRef {
                row: first.row,
                seat,
            })
            .collect(),
    )
}

/// The performance of a date, and of a time when one is typed: `fri`, `27`, `27 nov`, `27 nov 14:00`.
#[must_use]
pub fn performance(
    text: &str,
    programme: &[PerformanceRow],
    (now, zone): (Instant, Tz),
) -> Option<PerformanceId> {
    let (date, time) = date(text, now.in_zone(zone).date_naive())?;
    programme
        .iter()
        .find(|row| {
            let start = row.start.in_zone(row.zone);
            start.date_naive() == date && time.is_none_or(|time| start.time() == time)
        })
        .map(|row| row.id)
}

/// A date as people type it, from today on, and a time after it.
#[must_use]
pub fn date(text: &str, today: NaiveDate) -> Option<(NaiveDate, Option<NaiveTime>)> {
    let mut day: Option<NaiveDate> = None;
    let mut number: Option<u32> = None;
    let mut month: Option<u32> = None;
    let mut time = None;
    for word in text.to_lowercase().split_whitespace() {
        if let Ok(read) = NaiveTime::parse_from_str(word, "%H:%M") {
            time = Some(read);
        } else if let Ok(read) = word.parse::<u32>() {
            number = Some(read);
        } else if let Ok(read) = word.parse::<Weekday>() {
            day = (0..7)
                .map(|days| today + Days::new(days))
                .find(|date| date.weekday() == read);
        } else if let Ok(read) = word.parse::<chrono::Month>() {
            month = Some(read.number_from_month());
        } else if "today".starts_with(word) {
            day = Some(today);
        } else if "tomorrow".starts_with(word) {
            day = Some(today + Days::new(1));
        } else if let Ok(read) = NaiveDate::parse_from_str(word, "%Y-%m-%d") {
            day = Some(read);
        } else {
            return None;
        }
    }
    let typed = number.and_then(|number| {
        (0..400)
            .map(|days| today + Days::new(days))
            .find(|date| date.day() == number && month.is_none_or(|month| date.month() == month))
    });
    Some((typed.or(day)?, time))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::{date, seats};
    use crate::domain::plan::{Category, Plan, Point, Row, Seat, SeatKind, SeatRef, Zone};

    fn plan() -> Plan {
        let row = |label: &str| Row {
            label: label.into(),
            seats: (1..=14)
                .map(|number| Seat {
                    label: number.to_string(),
                    name: format!("{label}{number}"),
                    category: 0,
                    at: Point {
                        x: number * 2500,
                        y: 0,
                    },
                    kind: SeatKind::Standard,
                })
                .collect(),
        };
        Plan {
            name: "small".into(),
            categories: vec![Category {
                name: "I".into(),
                color: None,
            }],
            zones: vec![Zone {
                name: "Stalls".into(),
                rows: vec![row("E"), row("F")],
            }],
            areas: vec![],
        }
    }

    fn at(row: u32, seat: u32) -> SeatRef {
        SeatRef { row, seat }
    }

    #[test]
    fn seats_are_found_by_name_and_by_range() {
        assert_eq!(seats("f9", &plan()), Some(vec![at(1, 8)]));
        assert_eq!(seats("F1", &plan()), Some(vec![at(1, 0)]));
        assert_eq!(
            seats("f9-11", &plan()),
            Some(vec![at(1, 8), at(1, 9), at(1, 10)])
        );
        assert_eq!(seats("e2 f3", &plan()), Some(vec![at(0, 1), at(1, 2)]));
        assert_eq!(seats("z9", &plan()), None);
        assert_eq!(seats("fri", &plan()), None);
    }

    #[test]
    fn dates_are_read_from_today_on() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let read = |text| date(text, today).map(|(date, time)| (date.to_string(), time.is_some()));
        assert_eq!(read("fri"), Some(("2026-11-27".into(), false)));
        assert_eq!(read("27 nov 14:00"), Some(("2026-11-27".into(), true)));
        assert_eq!(read("5"), Some(("2026-12-05".into(), false)));
        assert_eq!(read("tomorrow"), Some(("2026-11-22".into(), false)));
        assert_eq!(read("f9"), None);
    }
}
