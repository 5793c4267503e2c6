//! Input after `g` on the map: a seat `f9`, seats `112 14 21`, a range `f9-12`, a date `fri`.

use chrono::NaiveDate;

use crate::domain::ids::PerformanceId;
use crate::domain::plan::{Plan, Seat, SeatKind, SeatRef};
use crate::domain::time::typed;
use crate::engine::reads::tonight::PerformanceRow;

/// Seats of a text: each word is a seat's name, the end of one, or a range in a row.
pub(crate) fn seats(text: &str, plan: &Plan) -> Option<Vec<SeatRef>> {
    let mut found = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let seat = || one(word, plan).map(|seat| vec![seat]);
        // f1-4 is not f14, though that ends so without its dash
        let is_run = word.split_once('-').is_some_and(|(_, to)| to.parse::<u32>().is_ok());
        let run = range(word, plan).filter(|_| is_run && exact(word, plan).is_none());
        found.extend(run.or_else(seat).or_else(|| range(word, plan))?);
    }
    (!found.is_empty()).then_some(found)
}

fn numbered(plan: &Plan) -> impl Iterator<Item = (SeatRef, &Seat)> {
    plan.seats().filter(|(_, seat)| seat.kind != SeatKind::Standing)
}

fn exact(word: &str, plan: &Plan) -> Option<SeatRef> {
    let word = word.to_lowercase();
    numbered(plan).find(|(_, seat)| seat.name.to_lowercase() == word).map(|(at, _)| at)
}

fn one(word: &str, plan: &Plan) -> Option<SeatRef> {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    exact(word, plan).or_else(|| {
        let compact = |text: &str| text.to_lowercase().replace(['/', ' ', '-'], "");
        let word = compact(word);
        let mut seats = numbered(plan);
        let found = seats.find(|(_, seat)| {
            let name = compact(&seat.name);
            // 1 is not the end of 11, but k1 is the end of 7/K/1
            name.strip_suffix(&word)
                .is_some_and(|before| !is_number || !before.ends_with(|last: char| last.is_ascii_digit()))
        });
        found.map(|(at, _)| at)
    })
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
    Some((low..=high).map(|seat| SeatRef { row: first.row, seat }).collect())
}

/// Performance of a date, and of a time if one is typed: `fri`, `27`, `27 nov`, `27 nov 14:00`.
pub(crate) fn performance(text: &str, programme: &[PerformanceRow], today: NaiveDate) -> Option<PerformanceId> {
    let (date, time) = typed::date(text, today).ok()?;
    programme
        .iter()
        .find(|row| {
            let start = row.start.in_zone(row.zone);
            start.date_naive() == date && time.is_none_or(|time| start.time() == time)
        })
        .map(|row| row.id)
}

#[cfg(test)]
mod tests {
    use super::seats;
    use crate::domain::plan::{Category, Plan, PlanRow, Point, Seat, SeatKind, SeatRef, Zone};

    fn plan() -> Plan {
        let row = |label: &str| PlanRow {
            label: label.into(),
            seats: (1..=14)
                .map(|number| Seat {
                    label: number.to_string(),
                    name: format!("{label}{number}"),
                    category: 0,
                    at: Point { x: number * 2500, y: 0 },
                    words: String::new(),
                    kind: SeatKind::Standard,
                })
                .collect(),
        };
        Plan {
            name: "small".into(),
            categories: vec![Category { name: "I".into(), color: None }],
            zones: vec![Zone { name: "Stalls".into(), rows: vec![row("E"), row("F")] }],
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
        assert_eq!(seats("f9-11", &plan()), Some(vec![at(1, 8), at(1, 9), at(1, 10)]));
        assert_eq!(seats("e2 f3", &plan()), Some(vec![at(0, 1), at(1, 2)]));
        assert_eq!(seats("f1-4", &plan()), Some((0..4).map(|seat| at(1, seat)).collect()), "not f14");
        assert_eq!(seats("f1-f3", &plan()), Some((0..3).map(|seat| at(1, seat)).collect()));
        let mut stadium = plan();
        for (number, seat) in (1..).zip(&mut stadium.zones[0].rows[1].seats) {
            seat.name = format!("Ground floor/7/K/{number}");
        }
        assert_eq!(seats("k1", &stadium), Some(vec![at(1, 0)]));
        assert_eq!(seats("7/k/11", &stadium), Some(vec![at(1, 10)]));
        assert_eq!(seats("7-k-1", &stadium), Some(vec![at(1, 0)]));
        assert_eq!(seats("z9", &plan()), None);
        assert_eq!(seats("fri", &plan()), None);
    }
}
