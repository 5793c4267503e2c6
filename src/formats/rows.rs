//! The simplest plan: row lengths as text. `5x16` is five rows of sixteen, `1,2,3,4,5` five ragged rows, `Gallery=60`
//! standing room, and all may be mixed: `2x10,3x12,Gallery=60`.
//!
//! Rows are labelled A to Z, then AA; seats count from 1; a seat's name is both: `B6`.

use crate::domain::plan::{Category, Plan, PlanRow, Point, Seat, SeatKind, Zone};
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::{text, typed};

use super::{PlanError, ROW_SEATS_MAX, ROWS_MAX, SEATS_MAX};

/// The one zone and the one category of such a plan.
const ZONE: &str = "Stalls";
const CATEGORY: &str = "Standard";

/// The step between seats and between rows, in hundredths.
const PITCH: i32 = 2_500;

/// The plan that one text describes: row lengths, and areas of standing room, as in `12x16, Gallery=60`.
///
/// # Errors
/// As [`with_areas`].
pub fn parse(text: &str) -> Result<Plan, PlanError> {
    with_areas(Some(text), &[])
}

/// The plan that a text and more areas of standing room describe, each area with a category of its own name.
///
/// # Errors
/// Text that is made of neither row lengths nor areas, a row without seats, two areas of one name, and more than a plan
/// may hold.
pub fn with_areas(text: Option<&str>, more: &[(String, u32)]) -> Result<Plan, PlanError> {
    let text = text.unwrap_or_default();
    let (areas, rows): (Vec<&str>, Vec<&str>) = text.split([',', ';']).partition(|part| part.contains('='));
    let area = |text: &&str| match typed::places("area", text) {
        Ok(area) => Ok(area),
        Err(Refusal::BadValue { problem: Problem::Unread(problem), .. }) => Err(PlanError::Area { problem }),
        Err(_) => Err(PlanError::Empty),
    };
    let areas: Vec<(String, u32)> =
        areas.iter().map(area).chain(more.iter().cloned().map(Ok)).collect::<Result<_, _>>()?;
    let mut plan = match rows.iter().all(|part| part.trim().is_empty()) {
        true if areas.is_empty() => return Err(PlanError::Empty),
        true => Plan { name: ZONE.to_owned(), categories: Vec::new(), zones: Vec::new(), areas: Vec::new() },
        false => of_rows(&rows)?,
    };
    for (name, places) in &areas {
        if plan.zones.iter().any(|zone| zone.name.eq_ignore_ascii_case(name)) {
            return Err(PlanError::AreaTwice { name: name.clone() });
        }
        let category = u16::try_from(plan.categories.len()).unwrap_or(u16::MAX);
        plan.categories.push(Category { name: name.clone(), color: None });
        plan.zones.push(Zone::standing(name, category, *places));
    }
    let places = plan.seat_count();
    if usize::try_from(places).is_ok_and(|places| places > SEATS_MAX) {
        return Err(PlanError::TooMany { what: "seats", most: SEATS_MAX });
    }
    Ok(plan)
}

fn of_rows(parts: &[&str]) -> Result<Plan, PlanError> {
    let mut lengths = Vec::new();
    for part in parts {
        let (rows, seats) = rows_of(part)?;
        if lengths.len() + rows > ROWS_MAX {
            return Err(PlanError::TooMany { what: "rows", most: ROWS_MAX });
        }
        lengths.extend(std::iter::repeat_n(seats, rows));
    }
    if lengths.iter().sum::<usize>() > SEATS_MAX {
        return Err(PlanError::TooMany { what: "seats", most: SEATS_MAX });
    }
    let rows = lengths.into_iter().enumerate().map(|(row, seats)| row_of(row, seats)).collect();
    Ok(Plan {
        name: text::clean(&parts.join(",")),
        categories: vec![Category { name: CATEGORY.to_owned(), color: None }],
        zones: vec![Zone { name: ZONE.to_owned(), rows }],
        areas: Vec::new(),
    })
}

/// `5x16` is five rows of sixteen, `7` one row of seven.
fn rows_of(part: &str) -> Result<(usize, usize), PlanError> {
    let lower = part.to_lowercase().replace('×', "x");
    let (rows, seats) = lower.split_once('x').unwrap_or(("1", &lower));
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|most| *most > 0);
    let (Some(rows), Some(seats)) = (number(rows), number(seats)) else {
        return Err(PlanError::RowLength { part: text::fit(&text::clean(part), 40) });
    };
    if seats > ROW_SEATS_MAX {
        return Err(PlanError::LongRow { row: format!("A row of {seats}") });
    }
    Ok((rows.min(ROWS_MAX + 1), seats))
}

fn row_of(row: usize, seats: usize) -> PlanRow {
    let label = letters(row);
    let y = position(row);
    let seats = (0..seats)
        .map(|seat| Seat {
            label: (seat + 1).to_string(),
            name: format!("{label}{}", seat + 1),
            category: 0,
            at: Point { x: position(seat), y },
            words: String::new(),
            kind: SeatKind::Standard,
        })
        .collect();
    PlanRow { label, seats }
}

fn position(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX).saturating_mul(PITCH)
}

/// A, B, .. Z, AA, AB, .. as spreadsheets count columns.
fn letters(index: usize) -> String {
    let mut letters = Vec::new();
    let mut left = index + 1;
    while let Some(digit) = left.checked_sub(1) {
        letters.push(char::from(b'A' + u8::try_from(digit % 26).unwrap_or(0)));
        left = digit / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str) -> Vec<usize> {
        let plan = parse(text).unwrap();
        plan.rows().map(|(_, _, row)| row.seats.len()).collect()
    }

    #[test]
    fn the_royal_has_five_rows_of_sixteen() {
        let plan = parse("5x16").unwrap();
        assert_eq!(plan.seat_count(), 80);
        let b6 = plan.by_name()["b6"];
        assert_eq!((b6.row, b6.seat), (1, 5));
        assert_eq!(plan.seat_name(b6), "B6");
    }

    #[test]
    fn ragged_rows_are_as_long_as_they_say() {
        assert_eq!(lengths("1,2,3,4,5"), [1, 2, 3, 4, 5]);
        assert_eq!(lengths(" 2 x 3 , 5 "), [3, 3, 5]);
    }

    #[test]
    fn rows_after_z_have_two_letters() {
        let plan = parse("54x1").unwrap();
        let labels: Vec<&str> = plan.rows().map(|(_, _, row)| row.label.as_str()).collect();
        assert_eq!((labels[25], labels[26], labels[51], labels[52]), ("Z", "AA", "AZ", "BA"));
        assert_eq!(plan.by_name().len(), 54);
    }

    #[test]
    fn what_is_no_row_length_is_refused_with_the_part() {
        for (text, part) in [("5x", "5x"), ("3,,4", ""), ("0", "0"), ("-1", "-1"), ("5x1\u{1b}[2Jx", "5x1[2Jx")] {
            let part = part.to_owned();
            assert_eq!(parse(text).unwrap_err(), PlanError::RowLength { part }, "{text}");
        }
        assert_eq!(parse("  ").unwrap_err(), PlanError::Empty);
    }

    #[test]
    fn a_plan_holds_only_so_much() {
        for text in ["2001x1", "1000x2000", "99999999999x1", "1500x1,1500x1"] {
            assert!(matches!(parse(text), Err(PlanError::TooMany { .. })), "{text}");
        }
        for (text, seats) in [("2001", 2001), ("2x10,50000", 50_000)] {
            assert_eq!(parse(text).unwrap_err(), PlanError::LongRow { row: format!("A row of {seats}") });
        }
    }
}
