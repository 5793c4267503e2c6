//! Layouts of small houses, drawn as text.

use std::collections::HashSet;

use super::*;
use crate::domain::plan::{Area, Category, PlanRow, Seat, SeatKind, Zone};

const PITCH: i32 = 2_500;

/// A row of seats at positions in pitches.
fn row(label: &str, seats: &[(f64, f64)]) -> PlanRow {
    let seats = seats
        .iter()
        .enumerate()
        .map(|(index, (x, y))| Seat {
            label: (index + 1).to_string(),
            name: format!("{label}{}", index + 1),
            category: 0,
            at: Point { x: vector::round(x * f64::from(PITCH)), y: vector::round(y * f64::from(PITCH)) },
            words: String::new(),
            kind: SeatKind::Standard,
        })
        .collect();
    PlanRow { label: label.to_owned(), seats }
}

/// Seats side by side from a place on, in a direction in degrees.
fn line(label: &str, from: (f64, f64), (seats, degrees): (u32, f64)) -> PlanRow {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let places: Vec<(f64, f64)> = (0..seats)
        .map(|seat| {
            let along = f64::from(seat);
            (from.0 + along * cos, from.1 + along * sin)
        })
        .collect();
    row(label, &places)
}

fn plan(zones: Vec<(&str, Vec<PlanRow>)>) -> Plan {
    Plan {
        name: "test".to_owned(),
        categories: vec![Category { name: "one".to_owned(), color: None }],
        zones: zones.into_iter().map(|(name, rows)| Zone { name: name.to_owned(), rows }).collect(),
        areas: Vec::new(),
    }
}

/// The map at one column a seat: `o` seats, row labels, the stage.
fn drawn(layout: &Layout) -> String {
    let width = usize::from(layout.width);
    let mut lines = vec![vec![' '; width]; usize::from(layout.height)];
    let mut write = |column: u16, line: u16, text: &str| {
        for (letter, at) in text.chars().zip(usize::from(column)..) {
            assert_eq!(lines[usize::from(line)][at], ' ', "two things at {at}, {line}");
            lines[usize::from(line)][at] = letter;
        }
    };
    for place in &layout.places {
        write(place.column, place.line, "o");
    }
    for label in &layout.labels {
        write(label.column, label.line, &label.text);
    }
    if let Some(stage) = &layout.stage {
        let width = usize::from(stage.width);
        write(stage.column, stage.line, &format!("{:=^width$}", stage.text));
    }
    let lines: Vec<String> = lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect();
    lines.join("\n")
}

/// Every seat leads to every other, and every move goes where its arrow points or stays on the line.
fn assert_reachable(layout: &Layout) {
    let arrows = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];
    let reached = |next: &dyn Fn(SeatRef) -> Vec<SeatRef>| {
        let first = layout.places[0].seat;
        let mut seen = HashSet::from([first]);
        let mut open = vec![first];
        while let Some(seat) = open.pop() {
            for other in next(seat) {
                if seen.insert(other) {
                    open.push(other);
                }
            }
        }
        seen.len()
    };
    let forth =
        |seat: SeatRef| -> Vec<SeatRef> { arrows.iter().filter_map(|to| layout.neighbour(seat, *to)).collect() };
    let mut back = std::collections::HashMap::<SeatRef, Vec<SeatRef>>::new();
    for place in &layout.places {
        for other in forth(place.seat) {
            back.entry(other).or_default().push(place.seat);
        }
    }
    assert_eq!(reached(&forth), layout.places.len());
    let back = |seat: SeatRef| back.get(&seat).cloned().unwrap_or_default();
    assert_eq!(reached(&back), layout.places.len());
}

/// Asserts the invariants of every layout.
pub(crate) fn assert_sound(plan: &Plan, layout: &Layout) {
    let cells: HashSet<(u16, u16)> = layout.places.iter().map(|place| (place.column, place.line)).collect();
    assert_eq!(cells.len(), layout.places.len(), "two seats on one cell");
    assert!(plan.seats().map(|(seat, _)| seat).eq(layout.places.iter().map(|place| place.seat)));
    for place in &layout.places {
        assert_eq!(layout.seat_at(place.column, place.line), Some(place.seat));
        assert_eq!(layout.place(place.seat), Some(*place));
        assert!(run_of(layout, place.seat).contains(&place.seat));
    }
    drawn(layout);
    assert_reachable(layout);
}

fn assert_drawn(plan: &Plan, expected: &[&str]) {
    let layout = Layout::new(plan);
    assert_sound(plan, &layout);
    let map = drawn(&layout);
    assert_eq!(map, expected.join("\n"), "\n{map}\n");
}

/// The unbroken run of seats that one is in.
fn run_of(layout: &Layout, seat: SeatRef) -> Vec<SeatRef> {
    layout.in_run(seat).unwrap().0.to_vec()
}

fn seat(row: u32, seat: u32) -> SeatRef {
    SeatRef { row, seat }
}

#[test]
fn a_plan_of_row_lengths_is_a_grid() {
    let rows = (0..3).map(|y| line(["A", "B", "C"][y], (0.0, [0.0, 1.0, 2.0][y]), (6, 0.0)));
    assert_drawn(&plan(vec![("Stalls", rows.collect())]), &["=STAGE==", "", "AooooooA", "BooooooB", "CooooooC"]);
}

#[test]
fn an_aisle_is_a_gap_and_neither_neighbours_nor_runs_cross_it() {
    let house = plan(vec![(
        "Stalls",
        vec![
            row("A", &[(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (4.0, 0.0), (5.0, 0.0)]),
            row("B", &[(0.0, 1.0), (1.0, 1.0), (3.2, 1.0), (4.2, 1.0), (5.2, 1.0)]),
        ],
    )]);
    assert_drawn(&house, &["=STAGE==", "", "Aoo oooA", "Boo oooB"]);
    let layout = Layout::new(&house);
    assert_eq!(layout.beside(seat(0, 1)), [Some(seat(0, 0)), None]);
    assert_eq!(run_of(&layout, seat(1, 3)), [seat(1, 2), seat(1, 3), seat(1, 4)]);
    assert_eq!(layout.to_aisle(seat(0, 3)), 1);
    assert_eq!(layout.neighbour(seat(0, 1), Direction::Right), Some(seat(0, 2)));
    assert_eq!(layout.edge(seat(0, 1), Direction::Right), Some(seat(0, 4)));
    assert_eq!(layout.edge(seat(0, 4), Direction::Left), Some(seat(0, 0)));
}

#[test]
fn neighbours_come_from_positions_never_from_the_order_of_the_file() {
    // Odd seats first, from the right; then the even ones between them.
    let house = plan(vec![("Stalls", vec![row("A", &[(4.0, 0.0), (2.0, 0.0), (0.0, 0.0), (1.0, 0.0), (3.0, 0.0)])])]);
    let layout = Layout::new(&house);
    assert_sound(&house, &layout);
    assert_eq!(run_of(&layout, seat(0, 0)).iter().map(|seat| seat.seat).collect::<Vec<_>>(), [2, 3, 1, 4, 0]);
    assert_eq!(layout.beside(seat(0, 1)), [Some(seat(0, 3)), Some(seat(0, 4))]);
}

#[test]
fn a_turned_block_stands_upright_and_a_steep_one_runs_down() {
    let turned = plan(vec![("Corner", vec![line("A", (0.0, 0.0), (4, 46.0)), line("B", (-0.72, 0.69), (4, 46.0))])]);
    assert_drawn(&turned, &["=STAGE==", "", " AooooA", " BooooB"]);
    let steep = plan(vec![("Side", vec![line("A", (0.0, 3.0), (4, -90.0)), line("B", (1.0, 3.0), (4, -90.0))])]);
    assert_drawn(&steep, &["=STAGE==", "", "   AB", "   oo", "   oo", "   oo", "   oo", "   AB"]);
}

#[test]
fn a_stage_is_where_its_area_says() {
    let mut house = plan(vec![("Stalls", vec![line("A", (0.0, 0.0), (9, 0.0)), line("B", (0.0, 1.0), (9, 0.0))])]);
    house.areas.push(Area {
        at: Point { x: 4 * PITCH, y: 6 * PITCH },
        extent: Point { x: 2 * PITCH, y: PITCH },
        text: "Hauptbühne".to_owned(),
    });
    assert_drawn(&house, &[" AoooooooooA", " BoooooooooB", "", "=Hauptbühne=="]);
}

#[test]
fn a_house_all_around_has_its_stage_in_the_middle() {
    let around = plan(vec![(
        "Ring",
        vec![
            line("A", (2.0, 0.0), (9, 0.0)),
            line("B", (2.0, 10.0), (9, 0.0)),
            line("C", (0.0, 2.0), (7, 90.0)),
            line("D", (12.0, 2.0), (7, 90.0)),
        ],
    )]);
    let layout = Layout::new(&around);
    assert_sound(&around, &layout);
    let stage = layout.stage.clone().unwrap();
    let (rows, middle) = (layout.height, layout.width / 2);
    assert!(stage.line.abs_diff(rows / 2) <= 1, "\n{}", drawn(&layout));
    assert!((stage.column..stage.column + stage.width).contains(&middle));
}

#[test]
fn rows_that_go_all_the_way_round_stand_on_four_sides() {
    let ring = |label: &str, seats: u32, radius: f64| {
        let at = |seat: u32| {
            let turn = f64::from(seat) * std::f64::consts::TAU / f64::from(seats);
            (20.0 + radius * turn.sin(), 20.0 - radius * turn.cos())
        };
        row(label, &(0..seats).map(at).collect::<Vec<_>>())
    };
    let circus = plan(vec![("Ring", vec![ring("A", 32, 5.1), ring("B", 40, 6.4), ring("C", 48, 7.7)])]);
    let layout = Layout::new(&circus);
    assert_sound(&circus, &layout);
    let shown = drawn(&layout);
    assert_eq!(layout.blocks.len(), 4, "\n{shown}");
    assert!(layout.height < 30 && layout.width < 40, "\n{shown}");
    let stage = layout.stage.clone().unwrap();
    assert!(stage.line.abs_diff(layout.height / 2) <= 2, "\n{shown}");
    // the first seat is at the top, a quarter on is at the right, and so on
    let at = |seat| layout.place(self::seat(0, seat)).unwrap();
    let (top, right, bottom, left) = (at(0), at(8), at(16), at(24));
    assert!(top.line < right.line && right.line < bottom.line && left.column < top.column, "\n{shown}");
    assert!(top.column < right.column && left.line < bottom.line && left.line > top.line, "\n{shown}");
}

#[test]
fn seats_on_one_place_and_none_at_all_still_make_a_map() {
    let heap =
        plan(vec![("Heap", vec![row("A", &[(0.0, 0.0); 5]), row("A", &[(0.0, 0.0); 3]), row("B", &[(0.0, 0.0)])])]);
    assert_sound(&heap, &Layout::new(&heap));
    let empty = plan(vec![]);
    let layout = Layout::new(&empty);
    assert_eq!((layout.places.len(), layout.stage), (0, None));
    assert_eq!(layout_seat(&empty), None);
}

fn layout_seat(plan: &Plan) -> Option<SeatRef> {
    Layout::new(plan).neighbour(seat(0, 0), Direction::Left)
}

proptest::proptest! {
    #[test]
    fn whatever_the_positions_every_seat_has_its_cell_and_can_be_reached(
        rows in proptest::collection::vec(
            (0usize..3, -40.0..40.0f64, -40.0..40.0f64, 1u32..12, -90.0..90.0f64), 1..14),
    ) {
        let mut zones = vec![("One", vec![]), ("Two", vec![]), ("Three", vec![])];
        for (zone, x, y, seats, degrees) in rows {
            zones[zone].1.push(line("R", (x, y), (seats, degrees)));
        }
        let plan = plan(zones);
        assert_sound(&plan, &Layout::new(&plan));
    }
}
