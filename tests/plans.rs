//! Plans of whole houses: the demo's own ones, and real ones from the folder that `WILLCALL_PLANS` names.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and shows its maps"
)]

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use willcall::domain::best::{Aisle, SeatSearch, SeatWish, alternatives, best, lone_seats, most_together};
use willcall::domain::layout::{Direction, Layout};
use willcall::domain::plan::{Plan, SeatKind, SeatRef};
use willcall::formats::pretix::import;
use willcall::formats::{ImportedPlan, PlanError, Strictness, rows};

const ARROWS: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

/// A real plan, or nothing (and a line that says so) where no folder of plans is given.
fn real_plan(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("WILLCALL_PLANS") else {
        eprintln!("SKIPPED: {name} is not read, WILLCALL_PLANS names no folder");
        return None;
    };
    Some(std::fs::read(Path::new(&folder).join(name)).unwrap())
}

fn demo_plan(name: &str) -> Plan {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    let bytes = std::fs::read(folder.join(name)).unwrap();
    import(&bytes, Strictness::Strict).unwrap().plan
}

fn lenient(bytes: &[u8]) -> ImportedPlan {
    import(bytes, Strictness::Lenient).unwrap()
}

/// The map at two columns a seat, as the screens show it.
fn drawn(plan: &Plan, layout: &Layout) -> String {
    let width = 2 * usize::from(layout.width);
    let mut lines = vec![vec![' '; width]; usize::from(layout.height)];
    let mut write = |column: usize, line: u16, text: &str| {
        for (letter, at) in text.chars().zip(column..) {
            lines[usize::from(line)][at] = letter;
        }
    };
    for label in &layout.labels {
        write(2 * usize::from(label.column), label.line, &label.text);
    }
    for (place, (_, seat)) in layout.places.iter().zip(plan.seats()) {
        let sign = match seat.kind {
            SeatKind::Standard | SeatKind::Standing => (seat.category + 1).to_string(),
            SeatKind::Wheelchair => "w".to_owned(),
            SeatKind::Companion => "c".to_owned(),
            SeatKind::Restricted => "v".to_owned(),
        };
        write(2 * usize::from(place.column) + 1, place.line, &sign);
    }
    if let Some(stage) = &layout.stage {
        let width = 2 * usize::from(stage.width);
        let text = format!("{:─^width$}", format!(" {} ", stage.text));
        write(2 * usize::from(stage.column), stage.line, &text);
    }
    lines.iter().fold(String::new(), |mut map, line| {
        let line: String = line.iter().collect();
        let _ = writeln!(map, "{}", line.trim_end());
        map
    })
}

fn show(plan: &Plan, layout: &Layout) {
    println!("{} {}x{}", plan.name, layout.width, layout.height);
    println!("{}", drawn(plan, layout));
    for block in &layout.blocks {
        println!("{block:?}");
    }
}

/// Every seat on its own cell, under one name of its own, and every seat reachable from every other by arrows.
fn assert_usable(plan: &Plan, layout: &Layout) {
    let seats = layout.places.len();
    let cells: HashSet<(u16, u16)> = layout.places.iter().map(|at| (at.column, at.line)).collect();
    assert_eq!(cells.len(), seats, "seats share a cell");
    assert_eq!(plan.by_name().len(), seats, "seats share a name");
    let names = plan.by_name();
    for (seat, found) in plan.seats() {
        assert_eq!(names.get(&found.name.to_lowercase()), Some(&seat));
    }
    let mut back: HashMap<SeatRef, Vec<SeatRef>> = HashMap::new();
    let forth = |seat| ARROWS.iter().filter_map(move |to| layout.neighbour(seat, *to));
    for place in &layout.places {
        for next in forth(place.seat) {
            back.entry(next).or_default().push(place.seat);
        }
    }
    let reached = |next: &dyn Fn(SeatRef) -> Vec<SeatRef>| {
        let mut seen = HashSet::from([layout.places[0].seat]);
        let mut open = vec![layout.places[0].seat];
        while let Some(seat) = open.pop() {
            open.extend(next(seat).into_iter().filter(|other| seen.insert(*other)));
        }
        seen.len()
    };
    assert_eq!(reached(&|seat| forth(seat).collect()), seats, "not every seat can be reached");
    assert_eq!(
        reached(&|seat| back.get(&seat).cloned().unwrap_or_default()),
        seats,
        "from some seat there is no way back"
    );
}

#[test]
fn t11_a_ragged_plan_of_five_rows_has_fifteen_seats() {
    let plan = rows::parse("1,2,3,4,5").unwrap();
    let layout = Layout::new(&plan);
    assert_eq!(plan.seat_count(), 15);
    assert_usable(&plan, &layout);
    assert_eq!((layout.blocks.len(), layout.blocks[0].height), (1, 5));
}

#[test]
fn t11_a_stadium_keeps_its_thirteen_blocks_and_every_seat_can_be_reached() {
    let Some(bytes) = real_plan("stadium.json") else {
        return;
    };
    let plan = lenient(&bytes).plan;
    let layout = Layout::new(&plan);
    show(&plan, &layout);
    assert_eq!((plan.seat_count(), plan.categories.len()), (738, 5));
    assert_usable(&plan, &layout);
    // Two of the first floor lie over those of the ground floor in the file.
    assert_eq!(layout.blocks.len(), 13);
    assert_counts(&plan, &layout);
    assert_eq!(layout.blocks.iter().map(|block| block.seats).sum::<u32>(), 738);
    // Its field is in the middle, with seats on all four sides.
    let stage = layout.stage.clone().unwrap();
    assert!(stage.line > layout.height / 3 && stage.line < 2 * layout.height / 3);
    assert!(stage.column > layout.width / 5 && stage.column + stage.width < layout.width);
}

#[test]
fn t20_every_seat_of_a_stadium_has_one_name_that_tells_its_block() {
    let Some(bytes) = real_plan("stadium.json") else {
        return;
    };
    let ImportedPlan { plan, oddities } = lenient(&bytes);
    assert_eq!(plan.by_name().len(), 738);
    let is_full = |name: &str| name.split('/').count() == 4;
    assert!(plan.seats().all(|(_, seat)| is_full(&seat.name)), "{}", plan.zones[0].rows[0].seats[0].name);
    assert!(plan.by_name().contains_key("ground floor/3/a/7"));
    assert!(oddities.iter().any(|oddity| oddity.place == "zones[0].rows[6].seats[0]"));
    let strict = import(&bytes, Strictness::Strict).unwrap_err();
    assert!(matches!(strict, PlanError::Odd { .. }), "{strict}");
}

#[test]
fn t20_names_are_the_same_at_every_import() {
    let Some(bytes) = real_plan("stadium.json") else {
        return;
    };
    assert_eq!(lenient(&bytes).plan, lenient(&bytes).plan);
}

#[test]
fn the_main_house_is_a_horseshoe_that_fits_the_screen() {
    let plan = demo_plan("horseshoe.json");
    let layout = Layout::new(&plan);
    show(&plan, &layout);
    assert_usable(&plan, &layout);
    assert_eq!((plan.seat_count(), plan.zones.len(), plan.categories.len()), (652, 4, 4));
    let count = |kind| plan.seats().filter(|(_, seat)| seat.kind == kind).count();
    assert_eq!((count(SeatKind::Wheelchair), count(SeatKind::Companion)), (6, 6));
    // Names as people say them: no zone in front, since no row letter repeats.
    assert!(["f9", "m1", "n1", "box 1/2", "x32"].iter().all(|name| plan.by_name().contains_key(*name)));
    let stalls = &layout.blocks[0];
    assert_eq!((stalls.name.as_str(), stalls.seats), ("Stalls", 272));
    assert!(2 * (stalls.width + 2) <= 62, "the stalls with their letters fit at two columns a seat");
    assert!(stalls.top + stalls.height <= 16, "the stalls with the stage fit sixteen lines");
    assert!(2 * layout.width <= 96);
    assert_eq!(layout.stage.as_ref().map(|stage| (stage.text.as_str(), stage.line)), Some(("STAGE", 0)));
}

#[test]
fn rows_of_the_main_house_bow_and_their_aisles_still_stand_one_below_the_other() {
    let plan = demo_plan("horseshoe.json");
    let layout = Layout::new(&plan);
    let names = plan.by_name();
    let column = |name: &str| layout.place(names[name]).unwrap().column;
    // The first seat behind the left aisle, in each row of the stalls.
    let firsts = ["a5", "c6", "e7", "g8", "h8", "j9", "m9"].map(column);
    assert!(firsts.iter().all(|first| *first == firsts[0]), "{firsts:?}");
    assert_eq!(layout.beside(names["f6"]), [Some(names["f5"]), None]);
    assert_eq!(layout.neighbour(names["f6"], Direction::Right), Some(names["f7"]));
    assert_eq!(layout.to_aisle(names["f9"]), 2);
    assert_eq!(layout.edge(names["f9"], Direction::Right), Some(names["f22"]));
    // The circle counts odd to the left and even to the right of its middle: 1 and 2 are neighbours.
    assert!(layout.beside(names["n1"]).contains(&Some(names["n2"])));
    assert_eq!(layout.beside(names["n3"]).len(), 2);
}

#[test]
fn the_studio_is_ragged_and_plays_to_three_sides() {
    let plan = demo_plan("studio.json");
    let layout = Layout::new(&plan);
    show(&plan, &layout);
    assert_usable(&plan, &layout);
    assert_eq!((plan.seat_count(), layout.blocks.len()), (60, 3));
}

/// The names of the best seats of a house in which some are taken.
fn best_names(plan: &Plan, taken: &[&str], wish: &SeatWish) -> Option<Vec<String>> {
    let layout = Layout::new(plan);
    let names = plan.by_name();
    let taken: HashSet<SeatRef> = taken.iter().map(|name| names[&name.to_lowercase()]).collect();
    let free = |seat: SeatRef| !taken.contains(&seat);
    let house = SeatSearch { plan, layout: &layout, free: &free };
    let choice = best(&house, wish)?;
    assert_eq!(choice.leaves_single, !lone_seats(&house, &choice.seats).is_empty());
    Some(choice.seats.iter().map(|seat| plan.seat_name(*seat).to_owned()).collect())
}

fn together(count: u32) -> SeatWish {
    SeatWish { count, ..SeatWish::default() }
}

#[test]
fn t12_the_best_four_are_together_near_the_focal_point() {
    let royal = rows::parse("5x16").unwrap();
    assert_eq!(best_names(&royal, &[], &together(4)).unwrap(), ["B7", "B8", "B9", "B10"]);
    let main = demo_plan("horseshoe.json");
    let four = best_names(&main, &[], &together(4)).unwrap();
    assert_eq!(four, ["D9", "D10", "D11", "D12"]);
}

#[test]
fn t12_no_single_seat_is_left_alone_unless_there_is_no_other_choice() {
    // Four of the five in row A always leave one; row B is further back, and its middle leaves two on each side.
    let plan = rows::parse("5,8").unwrap();
    assert_eq!(best_names(&plan, &[], &together(4)).unwrap(), ["B3", "B4", "B5", "B6"]);
    let row_b = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"];
    assert_eq!(best_names(&plan, &row_b, &together(4)).unwrap(), ["A2", "A3", "A4", "A5"]);
}

#[test]
fn t12_a_nearly_full_house_gives_what_there_is_and_says_when_there_is_nothing() {
    let plan = rows::parse("2x10").unwrap();
    let left = ["A3", "B7", "B8", "B10"];
    let all: Vec<String> = plan.seats().map(|(_, seat)| seat.name.clone()).collect();
    let taken: Vec<&str> = all.iter().map(String::as_str).filter(|name| !left.contains(name)).collect();
    assert_eq!(best_names(&plan, &taken, &together(2)).unwrap(), ["B7", "B8"]);
    assert_eq!(best_names(&plan, &taken, &together(3)), None);
    let layout = Layout::new(&plan);
    let open: HashSet<SeatRef> = left.iter().map(|name| plan.by_name()[&name.to_lowercase()]).collect();
    let free = |seat: SeatRef| open.contains(&seat);
    let house = SeatSearch { plan: &plan, layout: &layout, free: &free };
    let most = most_together(&house, &SeatWish::default()).unwrap();
    assert_eq!(most.seats.len(), 2);
    let nothing = |_: SeatRef| false;
    let full = SeatSearch { free: &nothing, ..house };
    assert_eq!((most_together(&full, &SeatWish::default()), best(&full, &together(1))), (None, None));
}

#[test]
fn wheelchair_places_are_sold_by_picking_never_as_best() {
    let plan = demo_plan("horseshoe.json");
    let others: Vec<String> = plan
        .seats()
        .filter(|(_, seat)| !matches!(seat.kind, SeatKind::Wheelchair | SeatKind::Companion))
        .map(|(_, seat)| seat.name.clone())
        .collect();
    let taken: Vec<&str> = others.iter().map(String::as_str).collect();
    assert_eq!(best_names(&plan, &taken, &together(1)), None);
}

#[test]
fn a_wish_for_zone_category_and_aisle_is_kept() {
    let plan = demo_plan("horseshoe.json");
    let wish = SeatWish {
        count: 2,
        category: Some(2),
        zone: Some("circle".to_owned()),
        aisle: Aisle::Near,
        ..SeatWish::default()
    };
    let names = best_names(&plan, &[], &wish).unwrap();
    let layout = Layout::new(&plan);
    let seats: Vec<SeatRef> = names.iter().map(|name| plan.by_name()[&name.to_lowercase()]).collect();
    assert!(seats.iter().any(|seat| layout.to_aisle(*seat) == 0), "{names:?}");
    for seat in seats {
        assert_eq!(plan.seat(seat).unwrap().category, 2);
        assert_eq!(plan.row(seat.row).unwrap().0.name, "Circle");
    }
    let nowhere = SeatWish { zone: Some("Gods".to_owned()), ..wish };
    assert_eq!(best_names(&plan, &[], &nowhere), None);
}

#[test]
fn a_refusal_offers_the_nearest_other_seats() {
    let plan = demo_plan("horseshoe.json");
    let layout = Layout::new(&plan);
    let names = plan.by_name();
    let free = |_: SeatRef| true;
    let house = SeatSearch { plan: &plan, layout: &layout, free: &free };
    let refused = ["f9", "f10", "f11", "f12"].map(|name| names[name]);
    let offers = alternatives(&house, &together(4), &refused);
    assert_eq!(offers.len(), 3);
    let offered: Vec<SeatRef> = offers.iter().flat_map(|offer| offer.seats.clone()).collect();
    assert_eq!(offered.iter().collect::<HashSet<_>>().len(), 12, "no two offers share a seat");
    assert!(offered.iter().all(|seat| !refused.contains(seat)));
    let row = plan.seat_name(offers[0].seats[0]);
    assert!(row.starts_with('E') || row.starts_with('G'), "one row away, not {row}");
    assert!(offers.iter().all(|offer| !offer.leaves_single));
}

#[test]
fn t19_a_plan_comes_back_from_storage_as_it_was() {
    let plan = demo_plan("horseshoe.json");
    let stored = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&stored).unwrap(), plan);
}

#[test]
fn the_largest_plan_is_laid_out() {
    let plan = rows::parse("1000x100").unwrap();
    assert_eq!(Layout::new(&plan).places.len(), 100_000);
}

/// Where the seats of a row are.
type RowAt = Vec<(f64, f64)>;

/// A plan in the pretix format: zones with rows of seats at x and y.
fn pretix_plan(zones: &[(&str, Vec<RowAt>)], areas: &serde_json::Value) -> Plan {
    let zones: Vec<serde_json::Value> = zones
        .iter()
        .map(|(name, rows)| {
            let rows: Vec<serde_json::Value> = (1..)
                .zip(rows)
                .map(|(number, seats)| {
                    let seats: Vec<serde_json::Value> = (1..)
                        .zip(seats)
                        .map(|(seat, (x, y))| {
                            serde_json::json!({
                                "seat_number": seat.to_string(),
                                "seat_guid": format!("{name}-{number}-{seat}"),
                                "position": {"x": x, "y": y},
                                "category": "I",
                            })
                        })
                        .collect();
                    serde_json::json!({
                        "row_number": number.to_string(),
                        "row_number_position": "both",
                        "position": {"x": 0, "y": 0},
                        "seats": seats,
                    })
                })
                .collect();
            serde_json::json!({
                "name": name, "position": {"x": 0, "y": 0}, "rows": rows, "areas": areas,
            })
        })
        .collect();
    let plan = serde_json::json!({
        "name": "Generated",
        "categories": [{"name": "I", "color": "#7f4a91"}],
        "zones": zones,
        "size": {"width": 4000, "height": 4000},
    });
    lenient(&serde_json::to_vec(&plan).unwrap()).plan
}

/// Seats on an arc round one point, from an angle to another in degrees off the middle.
fn arc(radius: f64, (from, to): (f64, f64)) -> RowAt {
    let step = 25.0 / radius;
    let (from, to) = (from.to_radians(), to.to_radians());
    let mut seats = Vec::new();
    let mut at = from + step / 2.0;
    while at <= to {
        seats.push((2000.0 + radius * at.sin(), 100.0 + radius * at.cos()));
        at += step;
    }
    seats
}

/// An opera of arcs: parterre, boxes behind it, a grand tier whose last row has seven seats.
fn opera(last_row: (f64, f64)) -> Plan {
    let arcs = |first: f64, step: f64, rows: u32, half: f64| -> Vec<_> {
        (0..rows).map(|row| arc(first + step * f64::from(row), (-half, half))).collect()
    };
    let mut tier = arcs(1500.0, 32.0, 8, 55.0);
    tier.push(arc(1500.0 + 8.0 * 32.0, last_row));
    pretix_plan(
        &[
            ("Parterre", arcs(400.0, 32.0, 26, 35.0)),
            ("Parterre Boxes", arcs(1340.0, 30.0, 3, 55.0)),
            ("Grand Tier", tier),
        ],
        &serde_json::json!([]),
    )
}

/// The lines of a block's rows, from the first row of the plan to the last: each the line of its middle seat.
fn lines_of(plan: &Plan, layout: &Layout, zone: &str) -> Vec<u16> {
    let mut number = 0;
    let mut lines = Vec::new();
    for found in &plan.zones {
        for row in &found.rows {
            let seat = u32::try_from(row.seats.len() / 2).unwrap();
            if found.name == zone {
                lines.push(layout.place(SeatRef { row: number, seat }).unwrap().line);
            }
            number += 1;
        }
    }
    lines
}

#[test]
fn an_opera_of_arcs_has_its_boxes_behind_its_parterre_and_its_last_row_last() {
    for last_row in [(-3.5, 3.6), (-55.0, -48.0)] {
        let plan = opera(last_row);
        let layout = Layout::new(&plan);
        show(&plan, &layout);
        assert_usable(&plan, &layout);
        let names: Vec<&str> = layout.blocks.iter().map(|block| block.name.as_str()).collect();
        assert_eq!(names, ["Parterre", "Parterre Boxes", "Grand Tier"]);
        let lines: Vec<u16> = ["Parterre", "Parterre Boxes", "Grand Tier"]
            .iter()
            .flat_map(|zone| lines_of(&plan, &layout, zone))
            .collect();
        assert!(lines.is_sorted(), "{lines:?}");
        assert_eq!(layout.stage.as_ref().unwrap().line, 0);
        assert_counts(&plan, &layout);
    }
}

/// Every block has the seats of one zone, under its name.
fn assert_counts(plan: &Plan, layout: &Layout) {
    for (at, block) in (0u16..).zip(&layout.blocks) {
        let places = layout.places.iter().filter(|place| place.block == at);
        for place in places.clone() {
            let (zone, _) = plan.row(place.seat.row).unwrap();
            assert_eq!(zone.name, block.zone);
            assert!(block.name.starts_with(&zone.name));
        }
        assert_eq!(places.count(), usize::try_from(block.seats).unwrap());
    }
    for zone in &plan.zones {
        let seats: usize = zone.rows.iter().map(|row| row.seats.len()).sum();
        let drawn = layout.blocks.iter().filter(|block| block.zone == zone.name);
        assert_eq!(drawn.map(|block| block.seats).sum::<u32>(), u32::try_from(seats).unwrap());
    }
}

/// A sports hall of six blocks whose frames overlap in the file: A to C below the field, D to F above it.
fn hall() -> Plan {
    let block = |left: f64, top: f64, rows: u32, seats: u32| -> Vec<RowAt> {
        (0..rows)
            .map(|row| (0..seats).map(|seat| (left + 25.0 * f64::from(seat), top + 30.0 * f64::from(row))).collect())
            .collect()
    };
    pretix_plan(
        &[
            ("Block A", block(100.0, 700.0, 10, 20)),
            ("Block B", block(590.0, 706.0, 11, 20)),
            ("Block C", block(1080.0, 712.0, 10, 21)),
            ("Block D", block(100.0, 100.0, 9, 22)),
            ("Block E", block(630.0, 103.0, 9, 20)),
            ("Block F", block(1110.0, 106.0, 9, 20)),
        ],
        &serde_json::json!([{
            "shape": "rectangle", "position": {"x": 350, "y": 420}, "rotation": 0,
            "color": "#ffffff", "border_color": "#000000",
            "rectangle": {"width": 1000, "height": 200},
            "text": {"text": "FIELD", "position": {"x": 500, "y": 100}, "color": "#000000", "size": 20},
        }]),
    )
}

#[test]
fn six_blocks_that_overlap_in_the_file_stand_apart_under_their_own_names() {
    let plan = hall();
    let layout = Layout::new(&plan);
    show(&plan, &layout);
    assert_usable(&plan, &layout);
    assert_counts(&plan, &layout);
    let tops = |zones: &[&str]| -> Vec<u16> { zones.iter().flat_map(|zone| lines_of(&plan, &layout, zone)).collect() };
    let above = tops(&["Block D", "Block E", "Block F"]);
    let below = tops(&["Block A", "Block B", "Block C"]);
    assert!(above.iter().max() < below.iter().min(), "{above:?} {below:?}");
    let tops: Vec<u16> = layout.blocks.iter().map(|block| block.top).collect();
    assert!(tops[3].abs_diff(tops[4]) <= 1 && tops[4].abs_diff(tops[5]) <= 1, "{tops:?}");
    assert!(tops[0].abs_diff(tops[1]) <= 1 && tops[1].abs_diff(tops[2]) <= 1, "{tops:?}");
    let stage = layout.stage.as_ref().unwrap().line;
    assert!(above.iter().max().is_some_and(|last| *last < stage), "{stage}");
    assert!(below.iter().min().is_some_and(|first| stage < *first), "{stage}");
}
