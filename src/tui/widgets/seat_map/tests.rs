use ratatui::buffer::Cell;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

use super::{FreeSigns, MapZoom, Marks, SeatMapWidget, block_towards};
use crate::domain::layout::Direction;
use crate::domain::plan::SeatRef;
use crate::formats::Strictness;
use crate::formats::pretix::import;
use crate::tui::targets::{Target, Targets};
use crate::tui::theme::GlyphSet;
use crate::tui::widgets::Look;
use crate::tui::widgets::legend::legend;
use crate::tui::widgets::testing::{DARK, House, MONO, drawn, lines, painted};

fn widget<'a>(house: &'a House, (zoom, look): (MapZoom, Look<'a>), marks: Marks<'a>) -> SeatMapWidget<'a> {
    SeatMapWidget {
        chart: &house.chart,
        map: &house.map,
        marks: Marks { mine: Some(house.mine), station: "till-2", ..marks },
        zoom,
        look,
    }
}

fn letters(
    house: &House,
    (size, zoom, set): ((u16, u16), MapZoom, GlyphSet),
    marks: Marks<'_>,
) -> (Vec<String>, Targets) {
    drawn(size, set, |look, area, canvas| {
        widget(house, (zoom, look), marks).draw(area, canvas);
    })
}

/// True for the cursor's cell or its left bracket.
fn is_cursor(cell: &Cell) -> bool {
    let ground = DARK.cursor.bg;
    let is_underlaid = Some(cell.bg) == ground;
    let is_half = [cell.fg, cell.bg].map(Some).contains(&DARK.half_cursor.bg);
    cell.symbol() == "[" || cell.modifier.contains(Modifier::REVERSED) || is_underlaid || is_half
}

/// Line of a row, found by the letter at its ends.
fn row<'a>(shown: &'a [String], label: &str) -> &'a str {
    shown
        .iter()
        .map(|line| line.trim())
        .find(|line| line.starts_with(label) && line.ends_with(label))
        .unwrap_or_else(|| panic!("no row {label} in {shown:#?}"))
}

fn hamlet() -> House {
    House::new(&["A oo..__wcv", "B 22##__~h%", "C 333x__!oo"])
}

#[test]
fn free_seats_are_numbered_where_colour_does_not_tell_their_categories_apart() {
    let house = House::new(&["A oo..o", "B 22~2"]);
    let (shown, _) = drawn((24, 4), GlyphSet::Unicode, |look, area, canvas| {
        let look = Look { theme: &MONO, ..look };
        widget(&house, (MapZoom::Wide, look), Marks::default()).draw(area, canvas);
    });
    assert!(row(&shown, "A").starts_with("A 1 1 · ·"), "{shown:#?}");
    assert!(row(&shown, "B").starts_with("B 2 2"), "{shown:#?}");
}

#[test]
fn every_state_has_its_sign() {
    let house = hamlet();
    let (shown, _) = letters(&house, ((24, 5), MapZoom::Wide, GlyphSet::Unicode), Marks::default());
    assert!(shown[0].contains("S T A G E"), "{shown:#?}");
    assert_eq!(row(&shown, "A"), "A ■ ■ · ·     w c v A");
    assert_eq!(row(&shown, "B"), "B ■ ■ ✓ ✓     ◔ h % B");
    assert_eq!(row(&shown, "C"), "C ■ ■ ■ ✗     ! ■ ■ C");
    let (shown, _) = letters(&house, ((24, 5), MapZoom::Wide, GlyphSet::Ascii), Marks::default());
    assert_eq!(row(&shown, "B"), "B o o # #     ~ h % B");
}

#[test]
fn brackets_are_the_cursor_and_marks_lie_over_states() {
    let house = hamlet();
    let marked = [house.seat("a1"), house.seat("a2")];
    let (asked, refused) = ([house.seat("c2")], [house.seat("c3")]);
    let marks =
        Marks { cursor: Some(house.seat("a2")), marked: &marked, asked: &asked, refused: &refused, ..Marks::default() };
    let (shown, _) = letters(&house, ((24, 5), MapZoom::Wide, GlyphSet::Unicode), marks);
    assert_eq!(row(&shown, "A"), "A +[+]· ·     w c v A");
    assert_eq!(row(&shown, "C"), "C ■ ▪ ! ✗     ! ■ ■ C");
}

#[test]
fn one_category_shows_and_numbers_replace_squares() {
    let house = hamlet();
    let size = ((24, 5), MapZoom::Wide, GlyphSet::Unicode);
    let only = Marks { category: Some(1), ..Marks::default() };
    let (shown, _) = letters(&house, size, only);
    assert_eq!(row(&shown, "A"), "A ░ ░ · ·     ░ ░ ░ A");
    assert_eq!(row(&shown, "B"), "B ■ ■ ✓ ✓     ◔ h % B");
    let numbers = Marks { free: FreeSigns::Numbers, ..Marks::default() };
    let (shown, _) = letters(&house, size, numbers);
    assert_eq!(row(&shown, "A"), "A 1 1 · ·     1 1 1 A");
    assert_eq!(row(&shown, "C"), "C 3 3 3 ✗     ! 1 1 C");
}

#[test]
fn a_category_without_a_price_is_not_on_sale() {
    let mut house = hamlet();
    house.map.performance.prices.remove(1);
    let (shown, _) = letters(&house, ((24, 5), MapZoom::Wide, GlyphSet::Unicode), Marks::default());
    assert_eq!(row(&shown, "B"), "B - - ✓ ✓     ◔ h % B");
}

#[test]
fn at_three_columns_a_free_seat_fills_two_and_brackets_stand_in_the_gaps() {
    let house = hamlet();
    let marks = Marks { cursor: Some(house.seat("a2")), ..Marks::default() };
    let (shown, targets) = letters(&house, ((40, 5), MapZoom::Large, GlyphSet::Unicode), marks);
    assert_eq!(row(&shown, "A"), "A ▆▆[▆▆]·  ·        w  c  v  A");
    assert_eq!(row(&shown, "B"), "B ▆▆ ▆▆ ✓  ✓        ◔  h  %  B");
    let layout = house.chart.layout();
    let opening = |columns| MapZoom::opening(layout, Rect::new(0, 0, columns, 20));
    assert_eq!([119, 120].map(opening), [MapZoom::Wide, MapZoom::Large]);
    let at = targets.find(&Target::Seat(house.seat("b2"))).unwrap();
    let same = |right| targets.at(Position::new(at.x + right, at.y)) == targets.at(at);
    assert_eq!([1, 2, 3].map(same), [true, true, false]);
}

#[test]
fn at_one_column_the_cursor_is_reversed() {
    let house = hamlet();
    let (buffer, targets) = painted((13, 5), GlyphSet::Unicode, |look, area, canvas| {
        let marks = Marks { cursor: Some(house.seat("b5")), ..Marks::default() };
        widget(&house, (MapZoom::Narrow, look), marks).draw(area, canvas);
    });
    let at = targets.find(&Target::Seat(house.seat("b5"))).unwrap();
    assert_eq!(buffer[at].symbol(), "◔");
    assert!(is_cursor(&buffer[at]));
    let beside = targets.find(&Target::Seat(house.seat("b6"))).unwrap();
    assert!(!is_cursor(&buffer[beside]));
}

#[test]
fn a_click_hits_the_seat_drawn_there_at_every_zoom() {
    let house = hamlet();
    let zooms = [(MapZoom::Wide, 42), (MapZoom::Narrow, 21), (MapZoom::Half, 14), (MapZoom::Dots, 10)];
    for (zoom, cells) in zooms {
        let (shown, targets) = letters(&house, ((30, 8), zoom, GlyphSet::Unicode), Marks::default());
        let hits: Vec<Position> =
            Rect::new(0, 0, 30, 8).positions().filter(|at| matches!(targets.at(*at), Some(Target::Seat(_)))).collect();
        assert_eq!(hits.len(), cells, "{zoom:?}\n{}", shown.join("\n"));
    }
}

#[test]
fn small_zooms_show_free_seats_and_seats_of_the_own_cart() {
    let house = House::new(&["A oo..oo", "B o.....", "C ######", "D ......"]);
    let (buffer, _) = painted((20, 5), GlyphSet::Unicode, |look, area, canvas| {
        widget(&house, (MapZoom::Half, look), Marks::default()).draw(area, canvas);
    });
    let theme = &*DARK;
    let cells: Vec<&Cell> = buffer.content().iter().collect();
    let of = |upper: Color, lower: Color| {
        let is = |cell: &&&Cell| (cell.symbol(), cell.fg, cell.bg) == ("▀", upper, lower);
        cells.iter().filter(is).count()
    };
    let free = theme.categories[0].fg.unwrap();
    let taken = theme.taken.bg.unwrap();
    let yours = theme.yours.bg.unwrap();
    // row A above row B: free above free, free above taken, taken above taken; row C above row D
    assert_eq!([of(free, free), of(free, taken), of(taken, taken), of(yours, taken)], [1, 3, 2, 6]);
    let (shown, _) = letters(&house, ((20, 5), MapZoom::Half, GlyphSet::Ascii), Marks::default());
    assert!(shown.iter().any(|line| line.contains("AB8\"::\"\"AB")), "{shown:#?}");
}

#[test]
fn the_cursor_is_always_in_view() {
    let row = "o".repeat(60);
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} {row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    for zoom in [MapZoom::Wide, MapZoom::Narrow] {
        for name in ["R01", "R060", "R1530", "R291", "R2960"] {
            let seat = house.seat(name);
            let marks = Marks { cursor: Some(seat), ..Marks::default() };
            let (_, targets) = letters(&house, ((40, 12), zoom, GlyphSet::Unicode), marks);
            assert!(targets.find(&Target::Seat(seat)).is_some(), "{name}");
        }
    }
}

#[test]
fn a_click_scrolls_only_when_its_seat_would_be_out_of_view() {
    let row = "o".repeat(60);
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} {row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    let shown = |cursor: &str, by: &str| {
        let marks = Marks { cursor: Some(house.seat(cursor)), by: Some(house.seat(by)), ..Marks::default() };
        let size = ((40, 12), MapZoom::Narrow, GlyphSet::Unicode);
        let (_, targets) = letters(&house, size, marks);
        let at = |name: &str| targets.find(&Target::Seat(house.seat(name)));
        (at(cursor), at(by))
    };
    let (before, _) = shown("R1020", "R1020");
    let (clicked, still) = shown("R1415", "R1020");
    assert!(clicked.is_some() && still == before, "{clicked:?} {still:?}");
    let (far, _) = shown("R291", "R1020");
    assert!(far.is_some(), "the cursor is always in view");
}

#[test]
fn a_house_opens_at_the_largest_zoom_that_shows_all_of_it() {
    let house = hamlet();
    let layout = house.chart.layout();
    assert_eq!(MapZoom::opening(layout, Rect::new(0, 0, 60, 20)), MapZoom::Wide);
    assert_eq!(MapZoom::opening(layout, Rect::new(0, 0, 14, 20)), MapZoom::Narrow);
    assert_eq!(MapZoom::opening(layout, Rect::new(0, 0, 14, 4)), MapZoom::Half);
    assert_eq!(MapZoom::opening(layout, Rect::new(0, 0, 9, 3)), MapZoom::Dots);
    assert_eq!(MapZoom::Wide.closer(), MapZoom::Large);
    assert_eq!(MapZoom::Large.closer(), MapZoom::Large);
    assert_eq!(MapZoom::Wide.farther(), MapZoom::Narrow);
    assert_eq!(MapZoom::Blocks.farther(), MapZoom::Blocks);
    assert_eq!(MapZoom::Blocks.closer(), MapZoom::Dots);
    assert_eq!(MapZoom::Half.closer(), MapZoom::Narrow);
}

#[test]
fn blocks_show_name_and_fill() {
    let house = hamlet();
    let marks = Marks { cursor: Some(house.seat("a1")), ..Marks::default() };
    let (shown, targets) = letters(&house, ((26, 10), MapZoom::Blocks, GlyphSet::Unicode), marks);
    let text = shown.join("\n");
    assert!(text.contains("[Stalls]"), "{text}");
    assert!(text.contains("2 12 free"), "{text}");
    assert!(targets.find(&Target::Block(0)).is_some());
}

#[test]
fn in_the_demo_theater_every_corner_can_be_seen_at_every_zoom() {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    let house = House::empty(import(file, Strictness::Strict).unwrap().plan);
    let layout = house.chart.layout();
    let area = Rect::new(0, 0, 62, 20);
    assert_eq!(MapZoom::opening(layout, area), MapZoom::Half);
    for zoom in [MapZoom::Wide, MapZoom::Narrow, MapZoom::Half, MapZoom::Dots] {
        for place in layout.places.iter().step_by(7) {
            let marks = Marks { cursor: Some(place.seat), ..Marks::default() };
            let size = (area.width, area.height);
            let (buffer, _) = painted(size, GlyphSet::Unicode, |look, area, canvas| {
                widget(&house, (zoom, look), marks).draw(area, canvas);
            });
            let seen = buffer.content().iter().any(is_cursor);
            assert!(seen, "{zoom:?} {place:?}");
        }
    }
}

#[test]
fn zones_without_a_line_for_their_name_stand_beside_a_small_map_with_free_seats_and_prices() {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    let house = House::empty(import(file, Strictness::Strict).unwrap().plan);
    let marks = Marks { cursor: Some(house.seat("k13")), ..Marks::default() };
    let dots = |width| letters(&house, ((width, 15), MapZoom::Dots, GlyphSet::Unicode), marks);
    let (shown, targets) = dots(59);
    let text = shown.join("\n");
    let stalls = shown.iter().find(|line| line.contains(" > Stalls "));
    let stalls = stalls.unwrap_or_else(|| panic!("{text}"));
    assert!(stalls.contains(" free  ") && stalls.ends_with(".00"), "{text}");
    assert!(text.contains("   Gallery "), "{text}");
    let at = targets.find(&Target::Block(1)).unwrap();
    assert!(shown[usize::from(at.y)].contains("Circle 1"), "{text}");
    assert!(!dots(40).0.join("\n").contains(".00"), "no room");
}

#[test]
fn the_stage_stands_only_beside_the_row_next_to_it() {
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} oooo____oooo")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    for name in ["R01", "R151", "R294"] {
        let seat = house.seat(name);
        let marks = Marks { cursor: Some(seat), ..Marks::default() };
        let (shown, targets) = letters(&house, ((40, 12), MapZoom::Narrow, GlyphSet::Unicode), marks);
        let stage = shown.iter().any(|line| line.contains("STAGE"));
        assert_eq!(stage, name == "R01", "{shown:#?}");
        assert!(targets.find(&Target::Seat(seat)).is_some(), "{name}");
    }
}

#[test]
fn newly_marked_seats_scroll_into_view() {
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} oooooooo")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    let lit = [house.seat("R294"), house.seat("R295")];
    let marks = Marks { cursor: Some(house.seat("R11")), marked: &lit, ..Marks::default() };
    let drawn = |marks| {
        let (shown, _) = letters(&house, ((40, 10), MapZoom::Narrow, GlyphSet::Unicode), marks);
        shown
    };
    let scrolled = |shown: &[String]| shown.iter().any(|line| line.contains("++"));
    let shown = drawn(marks);
    assert!(scrolled(&shown), "{shown:#?}");
    // the next key may suggest others
    let typing = Marks { typing: marks.cursor, ..marks };
    let shown = drawn(typing);
    assert!(!scrolled(&shown), "{shown:#?}");
}

#[test]
fn arrows_reach_every_block_from_every_other() {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    let house = House::empty(import(file, Strictness::Strict).unwrap().plan);
    let layout = house.chart.layout();
    let ways = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];
    for from in 0..layout.blocks.len() {
        let mut reached = vec![from];
        let mut at = 0;
        while let Some(block) = reached.get(at).copied() {
            let next = ways.iter().filter_map(|to| block_towards(layout, block, *to));
            for next in next.collect::<Vec<_>>() {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        assert_eq!(reached.len(), layout.blocks.len(), "from {from}");
    }
}

/// Row labels scrolled away with the seats, and no row could be told.
#[test]
fn row_labels_stay_at_the_edges_of_a_view_narrower_than_the_house() {
    let seats = "o".repeat(60);
    let rows = [format!("A {seats}"), format!("B {seats}")];
    let house = House::new(&[&rows[0], &rows[1]]);
    for zoom in [MapZoom::Wide, MapZoom::Narrow] {
        for seat in ["b1", "b30", "b60"] {
            let marks = Marks { cursor: Some(house.seat(seat)), ..Marks::default() };
            let (shown, _) = letters(&house, ((40, 7), zoom, GlyphSet::Unicode), marks);
            let line = shown.iter().find(|line| line.contains('B')).unwrap();
            let row = line.trim();
            assert!(
                row.len() > 40 && row.starts_with('B') && row.ends_with('B'),
                "{seat} {zoom:?}\n{}",
                shown.join("\n")
            );
        }
    }
}

/// A house of 3,000 seats had only scroll bars to tell where the seats in view are.
#[test]
fn a_map_larger_than_its_area_has_a_picture_of_the_house_whose_cells_go_to_their_block() {
    let row = format!("A {}", "o".repeat(120));
    let house = House::new(&[row.as_str(); 40]);
    let first = Marks { cursor: Some(SeatRef { row: 0, seat: 0 }), ..Marks::default() };
    let blocks = |size| {
        let (_, targets) = letters(&house, (size, MapZoom::Wide, GlyphSet::Unicode), first);
        let cells = Rect::new(0, 0, size.0, size.1).positions();
        let is_block = |at: &Position| matches!(targets.at(*at), Some(Target::Block(_)));
        cells.filter(is_block).collect::<Vec<_>>()
    };
    let cells = blocks((80, 24));
    assert!(cells.len() > 20, "{cells:?}");
    assert!(cells.iter().all(|at| at.x >= 55 && at.y >= 16), "{cells:?}");
    assert!(blocks((300, 60)).is_empty(), "the whole house is in view");
    assert!(blocks((50, 24)).is_empty(), "it leaves no room");
}

/// Four seats were two signs, and nobody saw which of eight a key would take.
#[test]
fn beside_dots_each_marked_seat_has_a_sign_of_its_own() {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    let house = House::empty(import(file, Strictness::Strict).unwrap().plan);
    let marked = ["k13", "k14", "k15", "k16"].map(|name| house.seat(name));
    let marks = Marks { cursor: Some(house.seat("k13")), marked: &marked, ..Marks::default() };
    let size = ((59, 15), MapZoom::Dots, GlyphSet::Unicode);
    let (shown, _) = letters(&house, size, marks);
    let near = |line: &String| line.contains("K ") && line.contains("[+]+ + +");
    assert!(shown.iter().any(near), "{shown:#?}");
    // an aisle below the last row in view gives its lines to the rows above
    assert!(shown.last().unwrap().ends_with('M'), "{shown:#?}");
    assert!(shown.iter().any(|line| line.ends_with('G')), "{shown:#?}");
}

/// `Boxes 2 31` was read as a number of boxes, and no row could be told.
#[test]
fn half_blocks_have_the_letters_of_rows_and_part_a_zone_from_its_number() {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    let house = House::empty(import(file, Strictness::Strict).unwrap().plan);
    let size = ((62, 20), MapZoom::Half, GlyphSet::Unicode);
    let (shown, _) = letters(&house, size, Marks::default());
    let text = shown.join("\n");
    for words in ["Boxes 2: ", "Circle 1: ", " EF", " AB", "AB ", "CD", "WX"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    assert!(!text.contains(" free"), "a number without its zone\n{text}");
}

/// The tick under the cursor was dark on dark.
#[test]
fn a_tick_under_the_cursor_keeps_its_background() {
    let house = hamlet();
    let marks = Marks { cursor: Some(house.seat("b3")), ..Marks::default() };
    let (buffer, _) = painted((24, 5), GlyphSet::Unicode, |look, area, canvas| {
        widget(&house, (MapZoom::Wide, look), marks).draw(area, canvas);
    });
    let ticks = buffer.content().iter().filter(|cell| cell.symbol() == "✓");
    let grounds: Vec<Color> = ticks.map(|cell| cell.bg).collect();
    assert_eq!(grounds, [DARK.yours.bg.unwrap(); 2]);
}

/// A suggestion, the own cart and a sale just made were one white, and all that is taken was one grey.
#[test]
fn in_half_blocks_each_state_has_its_colour_which_the_legend_names() {
    let house = House::new(&["A oo.~", "B rhx%", "C !oo#"]);
    let (marked, bought) = ([house.seat("a1")], [house.seat("c2")]);
    let marks = Marks { cursor: Some(house.seat("a2")), marked: &marked, bought: &bought, ..Marks::default() };
    let (buffer, targets) = painted((120, 12), GlyphSet::Unicode, |look, area, canvas| {
        let [map, words] = [Rect { height: 10, ..area }, Rect::new(0, 10, 120, 2)];
        widget(&house, (MapZoom::Half, look), marks).draw(map, canvas);
        legend(words, (MapZoom::Half, map), &[], canvas);
    });
    let lines = lines(&buffer);
    let first = targets.find(&Target::Seat(house.seat("a1"))).unwrap();
    let cell = |column: u16, down: u16| &buffer[(first.x + column, first.y + down)];
    let states = [
        ("marked", cell(0, 0).fg),
        ("cursor", cell(1, 0).fg),
        ("sold", cell(2, 0).fg),
        ("held by another", cell(3, 0).fg),
        ("reserved", cell(0, 0).bg),
        ("house", cell(1, 0).bg),
        ("out of use", cell(2, 0).bg),
        ("set aside", cell(3, 0).bg),
        ("refused or displaced", cell(0, 1).fg),
        ("just sold", cell(1, 1).fg),
        ("yours", cell(3, 1).fg),
    ];
    for (at, (words, colour)) in states.iter().enumerate() {
        let entry = format!("■ {words}");
        let (y, x) = (10..12)
            .find_map(|y| Some((y, lines[y].find(&entry)?)))
            .unwrap_or_else(|| panic!("no {words} in {lines:#?}"));
        let x = lines[y][..x].chars().count();
        let [x, y] = [x, y].map(|at| u16::try_from(at).unwrap());
        assert_eq!(buffer[(x, y)].fg, *colour, "{words}");
        let same = states.iter().take(at).find(|(_, other)| other == colour);
        assert_eq!(same, None, "{words}");
    }
    assert!(!lines[10].contains("being taken"), "{lines:#?}");
}

/// A wheelchair place was drawn as any free seat of its price.
#[test]
fn in_half_blocks_a_wheelchair_place_has_its_letter_which_the_legend_names() {
    let house = House::new(&["A oo", "B oo", "C wo"]);
    let (buffer, targets) = painted((100, 12), GlyphSet::Unicode, |look, area, canvas| {
        let [map, words] = [Rect { height: 11, ..area }, Rect::new(0, 11, 100, 1)];
        widget(&house, (MapZoom::Half, look), Marks::default()).draw(map, canvas);
        legend(words, (MapZoom::Half, map), &[], canvas);
    });
    let at = |seat: &str| targets.find(&Target::Seat(house.seat(seat))).unwrap();
    let (special, plain) = (at("c1"), at("c2"));
    let cell = &buffer[(special.x, special.y)];
    assert_eq!(cell.symbol(), "w");
    assert_eq!(cell.bg, buffer[(plain.x, plain.y)].fg, "in the colour of its price");
    let lines = lines(&buffer);
    assert!(lines[11].contains("w wheelchair"), "{lines:#?}");
    assert!(!lines[11].contains("companion"), "{lines:#?}");
}

/// The cursor lay in the half of a cell that is another row's seat.
#[test]
fn in_half_blocks_the_cursor_is_its_seat_and_its_rows_letter() {
    let house = House::new(&["A oooo", "B oooo"]);
    let seats = ["b2"].map(|name| house.seat(name));
    let marked = |marked, typing| Marks { cursor: Some(seats[0]), marked, typing, ..Marks::default() };
    let drawn = |marks| {
        let (buffer, _) = painted((20, 4), GlyphSet::Unicode, |look, area, canvas| {
            widget(&house, (MapZoom::Half, look), marks).draw(area, canvas);
        });
        let ground = DARK.half_cursor.bg.unwrap();
        let cells = buffer.content().iter();
        let worn = cells.filter(|cell| [cell.fg, cell.bg].contains(&ground));
        let worn = worn.map(|cell| (cell.symbol().to_owned(), cell.bg == ground));
        worn.collect::<Vec<_>>()
    };
    let letter = || ("B".to_owned(), true);
    let all = [letter(), ("▀".to_owned(), true), letter()];
    assert_eq!(drawn(marked(&seats, None)), all);
    let typing = drawn(marked(&seats, Some(seats[0])));
    assert_eq!(typing, [letter(), letter()], "a suggestion is seen whole");
}
