//! The grid against a model that walks minute by minute, over days that are not what they seem.

use std::collections::BTreeMap;

use chrono::{NaiveDate, Timelike};
use chrono_tz::{Africa, Asia, Australia, Europe, Tz};
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::{DayCells, Grid, Instant, Segment, Slot, Span, common, joined, subtract};

fn zones() -> impl Strategy<Value = Tz> {
    prop_oneof![Just(Europe::Berlin), Just(Australia::Lord_Howe), Just(Asia::Kathmandu), Just(Africa::Cairo),]
}

fn segments() -> impl Strategy<Value = u32> {
    prop_oneof![Just(5_u32), Just(15), Just(30), Just(45), Just(60), Just(90), Just(240), Just(1440),]
}

/// Days around every change of the clocks in 2026, and any other day.
fn minutes() -> impl Strategy<Value = i64> {
    let around = |date: &str| {
        let day: NaiveDate = date.parse().unwrap();
        day.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp() / 60
    };
    let near = |date| (-2 * 1440..3 * 1440_i64).prop_map(move |offset| around(date) + offset);
    prop_oneof![
        near("2026-03-29"),
        near("2026-10-25"),
        near("2026-04-05"),
        near("2026-10-04"),
        near("2026-04-24"),
        near("2026-10-30"),
        near("2026-07-01"),
    ]
}

fn at(minute: i64) -> Instant {
    Instant::from_millis(minute * 60_000)
}

fn date(minute: i64, zone: Tz) -> NaiveDate {
    at(minute).in_zone(zone).date_naive()
}

/// First minutes of the days that were walked.
type FirstMinutes = BTreeMap<NaiveDate, i64>;

/// Every minute's cell: its date and its number, counted from the first minute with that date.
fn cell(minute: i64, grid: Grid, firsts: &mut FirstMinutes) -> (NaiveDate, i64) {
    let day = date(minute, grid.zone);
    let first = *firsts.entry(day).or_insert_with(|| {
        let before = (1..3 * 1440).find(|back| date(minute - back, grid.zone) != day);
        minute - before.unwrap_or_default() + 1
    });
    if grid.segment.is_day() { (day, 0) } else { (day, (minute - first) / i64::from(grid.segment.minutes())) }
}

fn grid(zone: Tz, minutes: u32) -> Grid {
    Grid { zone, segment: Segment::of_minutes(minutes).unwrap() }
}

fn one_by_one(cells: &[DayCells]) -> Vec<(NaiveDate, i64)> {
    cells.iter().flat_map(|day| (day.from..=day.to).map(|cell| (day.date, i64::from(cell)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_slot_goes_outward_to_the_cells_that_its_minutes_lie_in(
        zone in zones(), minutes in segments(), from in minutes(), length in 1..3000_i64,
    ) {
        let grid = grid(zone, minutes);
        let wanted = Slot::new(at(from), at(from + length)).unwrap();
        let taken = grid.normalise(wanted);
        let mut firsts = FirstMinutes::new();
        let mut touched: Vec<(NaiveDate, i64)> =
            (from..from + length).map(|minute| cell(minute, grid, &mut firsts)).collect();
        touched.dedup();
        if grid.segment.is_day() && touched.len() > 1 && taken.until() < wanted.until() {
            touched.pop(); // a stay leaves on its last day
        }
        prop_assert_eq!(one_by_one(&grid.split(taken)), touched);
        prop_assert_eq!(grid.normalise(taken), taken, "what lies on the grid stays");
        let start = taken.from().millis() / 60_000;
        prop_assert!(start == 0 || cell(start - 1, grid, &mut firsts) != cell(start, grid, &mut firsts), "it starts at a border");
        let end = taken.until().millis() / 60_000;
        prop_assert!(cell(end - 1, grid, &mut firsts) != cell(end, grid, &mut firsts), "it ends at a border");
    }

    #[test]
    fn a_day_has_the_cells_that_its_minutes_have(
        zone in zones(), minutes in segments(), any in minutes(),
    ) {
        let grid = grid(zone, minutes);
        let day = grid.day_at(at(any));
        prop_assert_eq!(day.date, date(any, zone));
        let (first, last) = (day.start.millis() / 60_000, day.end.millis() / 60_000 - 1);
        prop_assert_eq!(date(first, zone), day.date);
        prop_assert!(date(first - 1, zone) != day.date);
        prop_assert_eq!(date(last, zone), day.date);
        prop_assert!(date(last + 1, zone) != day.date);
        prop_assert_eq!(i64::from(day.cells), cell(last, grid, &mut FirstMinutes::new()).1 + 1);
        prop_assert_eq!(i64::from(day.cell_at(at(any))), cell(any, grid, &mut FirstMinutes::new()).1);
    }

    #[test]
    fn the_cells_of_a_split_join_to_the_slot_again(
        zone in zones(), minutes in segments(), from in minutes(), length in 1..3000_i64,
    ) {
        let grid = grid(zone, minutes);
        let taken = grid.normalise(Slot::new(at(from), at(from + length)).unwrap());
        let parts: Vec<Slot> = grid.split(taken).into_iter().map(|day| grid.slot_of(day).unwrap()).collect();
        prop_assert_eq!(joined(parts), vec![taken]);
    }

    #[test]
    fn slots_meet_join_and_part_as_their_minutes_do(
        left in proptest::collection::vec((0..200_i64, 1..30_i64), 0..6),
        right in proptest::collection::vec((0..200_i64, 1..30_i64), 0..6),
    ) {
        let slots = |list: &[(i64, i64)]| -> Vec<Slot> {
            joined(list.iter().map(|(from, length)| Slot::new(at(*from), at(from + length)).unwrap()).collect())
        };
        let (a, b) = (slots(&left), slots(&right));
        let has = |slots: &[Slot], minute: i64| slots.iter().any(|slot| slot.has(at(minute)));
        let (both, rest) = (common(&a, &b), subtract(&a, &b));
        for minute in 0..240 {
            prop_assert_eq!(has(&both, minute), has(&a, minute) && has(&b, minute));
            prop_assert_eq!(has(&rest, minute), has(&a, minute) && !has(&b, minute));
        }
        prop_assert!(a.windows(2).all(|pair| pair[0].until() < pair[1].from()), "joined");
    }
}

#[test]
fn odd_days_are_as_long_as_they_are() {
    let hours = |zone: Tz, day: &str| {
        let day = grid(zone, 30).day(day.parse().unwrap());
        f64::from(i32::try_from(day.end.since(day.start).millis() / 60_000).unwrap()) / 60.0
    };
    let near = |left: f64, right: f64| (left - right).abs() < 1e-9;
    assert!(near(hours(Europe::Berlin, "2026-03-29"), 23.0));
    assert!(near(hours(Europe::Berlin, "2026-10-25"), 25.0));
    assert!(near(hours(Australia::Lord_Howe, "2026-04-05"), 24.5));
    assert!(near(hours(Australia::Lord_Howe, "2026-10-04"), 23.5));
    let cairo = grid(Africa::Cairo, 60).day("2026-04-24".parse().unwrap());
    assert_eq!(cairo.start.in_zone(Africa::Cairo).hour(), 1, "it has no midnight");
    assert_eq!(cairo.cells, 23);
    let nepal = grid(Asia::Kathmandu, 60).day("2026-04-24".parse().unwrap());
    assert_eq!(nepal.end.since(nepal.start), Span::minutes(1440));
}

#[test]
fn a_spring_day_is_cut_by_elapsed_hours() {
    let grid = grid(Europe::Berlin, 240);
    let at = |text| super::parse_local(text, Europe::Berlin).unwrap();
    let wanted = Slot::new(at("2026-03-29T05:00"), at("2026-03-29T08:00")).unwrap();
    let taken = grid.normalise(wanted);
    assert_eq!(taken, Slot::new(at("2026-03-29T05:00"), at("2026-03-29T09:00")).unwrap());
    let autumn = grid.day("2026-10-25".parse().unwrap());
    assert_eq!(autumn.cells, 7);
    let last = autumn.end.since(autumn.cell_start(6));
    assert_eq!(last, Span::minutes(60), "the last segment is shorter");
}
