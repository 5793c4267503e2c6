//! Choices of random houses, against looking at every choice there is.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::domain::plan::{Category, PlanRow, Point, Zone};

/// One row: for each seat the step from the seat before in tenths of a pitch, whether it is free, its kind.
type Steps = Vec<(i32, bool, SeatKind)>;

fn steps() -> impl Strategy<Value = Steps> {
    let kind = prop_oneof![
        8 => Just(SeatKind::Standard),
        1 => Just(SeatKind::Restricted),
        1 => Just(SeatKind::Wheelchair),
    ];
    let step = prop_oneof![9 => Just(10), 1 => Just(20)];
    prop::collection::vec((step, prop::bool::weighted(0.7), kind), 1..14)
}

/// A few rows behind a sold one that is long enough to tell what the usual step is.
fn house() -> impl Strategy<Value = Vec<Steps>> {
    prop::collection::vec(steps(), 1..5).prop_map(|mut rows| {
        rows.insert(0, vec![(10, false, SeatKind::Standard); 80]);
        rows
    })
}

fn plan(rows: &[Steps]) -> Plan {
    let rows = rows.iter().zip(0i32..).map(|(steps, y)| {
        let mut x = 0;
        let seats = steps.iter().zip(1..).map(|((step, _, kind), number)| {
            x += step * 250;
            Seat {
                label: number.to_string(),
                name: format!("{y}/{number}"),
                category: u16::try_from(y % 2).unwrap(),
                at: Point { x, y: y * 2_500 },
                words: String::new(),
                kind: *kind,
            }
        });
        PlanRow { label: y.to_string(), seats: seats.collect() }
    });
    Plan {
        name: "random".to_owned(),
        categories: ["one", "two"].map(|name| Category { name: name.to_owned(), color: None }).to_vec(),
        zones: vec![Zone { name: "Stalls".to_owned(), rows: rows.collect() }],
        areas: Vec::new(),
    }
}

/// Each row as runs of seats that are open or not, found from the steps alone.
fn runs(rows: &[Steps]) -> Vec<Vec<(SeatRef, bool)>> {
    let mut runs: Vec<Vec<(SeatRef, bool)>> = Vec::new();
    for (steps, row) in rows.iter().zip(0u32..) {
        for ((step, free, kind), seat) in steps.iter().zip(0u32..) {
            let open = *free && *kind != SeatKind::Wheelchair;
            let found = (SeatRef { row, seat }, open);
            match runs.last_mut() {
                Some(run) if seat > 0 && *step <= 15 => run.push(found),
                _ => runs.push(vec![found]),
            }
        }
    }
    runs
}

/// Seats of a run that are open and alone.
fn singles(run: &[(SeatRef, bool)]) -> usize {
    let open = |at: Option<usize>| at.and_then(|at| run.get(at)).is_some_and(|(_, open)| *open);
    (0..run.len()).filter(|at| open(Some(*at)) && !open(at.checked_sub(1)) && !open(Some(at + 1))).count()
}

/// Every choice of that many seats together, and whether it makes a single seat.
fn every_choice(rows: &[Steps], count: usize, category: Option<u32>) -> Vec<(Vec<SeatRef>, bool)> {
    let mut found = Vec::new();
    for run in runs(rows) {
        for start in 0..run.len().saturating_sub(count - 1) {
            let window = &run[start..start + count];
            let asked = |seat: SeatRef| category.is_none_or(|asked| seat.row % 2 == asked);
            if !window.iter().all(|(seat, open)| *open && asked(*seat)) {
                continue;
            }
            let mut after = run.clone();
            for (_, open) in &mut after[start..start + count] {
                *open = false;
            }
            let seats = window.iter().map(|(seat, _)| *seat).collect();
            // singles of an earlier choice lie outside this run's window, so any increase comes from this choice
            found.push((seats, singles(&after) > singles(&run)));
        }
    }
    found
}

/// Rows of as many ordinary free seats.
fn free_rows(rows: usize, seats: usize) -> Vec<Steps> {
    vec![vec![(10, true, SeatKind::Standard); seats]; rows]
}

#[test]
fn parties_of_one_size_fill_a_house_whose_rows_they_fit() {
    for (size, rows, seats) in [(2, 4, 8), (2, 3, 10), (2, 5, 16), (3, 3, 9)] {
        let rows = free_rows(rows, seats);
        let plan = plan(&rows);
        let layout = Layout::new(&plan);
        let mut sold: HashSet<SeatRef> = HashSet::new();
        let wish = SeatWish { count: size, ..SeatWish::default() };
        loop {
            let free = |seat: SeatRef| !sold.contains(&seat);
            let Some(choice) = best(&SeatSearch { plan: &plan, layout: &layout, free: &free }, &wish) else {
                break;
            };
            sold.extend(choice.seats);
        }
        assert_eq!(sold.len(), rows.len() * seats, "parties of {size} in rows of {seats}");
    }
}

proptest! {
    #[test]
    fn pairs_leave_a_single_seat_only_in_rows_of_an_odd_number(seats in prop::collection::vec(1usize..24, 1..4)) {
        let rows: Vec<Steps> = seats.iter().flat_map(|seats| free_rows(1, *seats)).collect();
        let plan = plan(&rows);
        let layout = Layout::new(&plan);
        let mut left: HashSet<SeatRef> = plan.seats().map(|(seat, _)| seat).collect();
        let wish = SeatWish { count: 2, ..SeatWish::default() };
        loop {
            let free = |seat: SeatRef| left.contains(&seat);
            let Some(choice) = best(&SeatSearch { plan: &plan, layout: &layout, free: &free }, &wish) else {
                break;
            };
            left.retain(|seat| !choice.seats.contains(seat));
        }
        prop_assert_eq!(left.len(), seats.iter().map(|seats| seats % 2).sum::<usize>());
    }
}

#[test]
fn a_row_that_never_comes_out_even_is_still_filled_from_its_middle() {
    let rows = free_rows(1, 15);
    let (plan, free) = (plan(&rows), |_: SeatRef| true);
    let layout = Layout::new(&plan);
    let wish = SeatWish { count: 2, ..SeatWish::default() };
    let choice = best(&SeatSearch { plan: &plan, layout: &layout, free: &free }, &wish).unwrap();
    assert_eq!(choice.seats.iter().map(|seat| seat.seat).collect::<Vec<_>>(), [6, 7]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_best_is_free_together_and_leaves_no_single_seat_unless_it_must(
        rows in house(),
        count in 1usize..5,
        category in prop::option::of(0u32..2),
    ) {
        let plan = plan(&rows);
        let layout = Layout::new(&plan);
        let free = |seat: SeatRef| {
            let row = usize::try_from(seat.row).unwrap();
            rows[row][usize::try_from(seat.seat).unwrap()].1
        };
        let house = SeatSearch { plan: &plan, layout: &layout, free: &free };
        let wish = SeatWish {
            count: u32::try_from(count).unwrap(),
            category: category.map(|category| u16::try_from(category).unwrap()),
            ..SeatWish::default()
        };
        let every = every_choice(&rows, count, category);
        let Some(choice) = best(&house, &wish) else {
            prop_assert!(every.is_empty());
            return Ok(());
        };
        let known = every.iter().find(|(seats, _)| *seats == choice.seats);
        prop_assert!(known.is_some(), "{:?} is no choice", choice.seats);
        let leaves_single = !lone_seats(&house, &choice.seats).is_empty();
        prop_assert_eq!(leaves_single, choice.leaves_single);
        if leaves_single {
            prop_assert!(every.iter().all(|(_, makes)| *makes), "another leaves none");
        }
        prop_assert!(known.is_none_or(|(_, makes)| *makes == leaves_single || count == 1));
    }

    #[test]
    fn choices_share_no_seat_and_the_most_together_is_the_longest_stretch(
        rows in house(),
    ) {
        let plan = plan(&rows);
        let layout = Layout::new(&plan);
        let free = |seat: SeatRef| {
            let row = usize::try_from(seat.row).unwrap();
            rows[row][usize::try_from(seat.seat).unwrap()].1
        };
        let house = SeatSearch { plan: &plan, layout: &layout, free: &free };
        let wish = SeatWish { count: 2, ..SeatWish::default() };
        let chosen: Vec<SeatRef> =
            choices(&house, &wish, 5).into_iter().flat_map(|choice| choice.seats).collect();
        let distinct: HashSet<SeatRef> = chosen.iter().copied().collect();
        prop_assert_eq!(distinct.len(), chosen.len());
        let all = choices(&house, &wish, 1_000);
        let few = choices(&house, &wish, 2);
        prop_assert_eq!(&all[..few.len()], &few[..], "few are the first of all");
        prop_assert_eq!(few.len(), all.len().min(2));
        let longest = (1..14).rev().find(|count| !every_choice(&rows, *count, None).is_empty());
        let most = most_together(&house, &SeatWish::default()).map(|choice| choice.seats.len());
        prop_assert_eq!(most, longest);
    }
}
