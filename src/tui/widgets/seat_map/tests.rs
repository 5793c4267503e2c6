use std::collections::BTreeSet;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

use super::{FreeSigns, MapZoom, Marks, SeatMapWidget, SignsSeen, Stand};
use crate::domain::performance::PerformanceState;
use crate::domain::plan::{Plan, SeatRef};
use crate::formats::Strictness;
use crate::formats::pretix::import;
use crate::tui::kit::targets::{Target, Targets};
use crate::tui::kit::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use crate::tui::widgets::Look;
use crate::tui::widgets::testing::{DARK, House, MONO, lines, painted};

const ALL: [MapZoom; 7] = [
    MapZoom::Numbered,
    MapZoom::Three,
    MapZoom::Squares,
    MapZoom::Fisheye,
    MapZoom::Quadrants,
    MapZoom::Dots,
    MapZoom::Zones,
];

fn widget<'a>(house: &'a House, (zoom, look): (MapZoom, Look<'a>), marks: Marks<'a>) -> SeatMapWidget<'a> {
    SeatMapWidget {
        chart: &house.chart,
        map: &house.map,
        free: &house.free,
        marks: Marks { mine: Some(house.mine), station: "till-2", ..marks },
        zoom,
        look,
    }
}

fn in_theme(house: &House, (size, zoom, theme): ((u16, u16), MapZoom, &Theme), marks: Marks<'_>) -> (Buffer, Targets) {
    painted(size, GlyphSet::Unicode, |look, area, canvas| {
        let look = Look { theme, ..look };
        canvas.style(area, theme.ground);
        widget(house, (zoom, look), marks).draw(area, canvas);
    })
}

fn dark(house: &House, (size, zoom): ((u16, u16), MapZoom), marks: Marks<'_>) -> (Buffer, Targets) {
    in_theme(house, (size, zoom, &DARK), marks)
}

fn letters(house: &House, (size, zoom): ((u16, u16), MapZoom), marks: Marks<'_>) -> Vec<String> {
    lines(&dark(house, (size, zoom), marks).0)
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

fn horseshoe() -> House {
    let file = include_bytes!("../../../../assets/demo/horseshoe.json");
    House::empty(import(file, Strictness::Strict).unwrap().plan)
}

/// True for the cell under the cursor in the dark theme.
fn is_cursor(cell: &Cell) -> bool {
    cell.bg == DARK.here.bg.unwrap() || cell.fg == DARK.here.bg.unwrap()
}

fn opening(house: &House, (columns, lines): (u16, u16), cursor: &str) -> MapZoom {
    let cursor = Some(house.seat(cursor));
    MapZoom::opening(Stand { chart: &house.chart, area: Rect::new(0, 0, columns, lines), cursor })
}

#[test]
fn every_state_has_its_sign_and_own_seats_have_their_numbers() {
    let house = hamlet();
    let shown = letters(&house, ((30, 5), MapZoom::Squares), Marks::default());
    assert!(shown[0].contains("S T A G E"), "{shown:#?}");
    assert_eq!(row(&shown, "A"), "A ▗▖▗▖▗▖▗▖    w c v A");
    assert_eq!(row(&shown, "B"), "B ▗▖▗▖ 3 4    ◔ h % B");
    assert_eq!(row(&shown, "C"), "C ▗▖▗▖▗▖✗     ! ▗▖▗▖C");
}

#[test]
fn without_colours_a_free_seat_has_the_digit_of_its_category() {
    let house = hamlet();
    let (buffer, _) = in_theme(&house, ((30, 5), MapZoom::Squares, &MONO), Marks::default());
    let shown = lines(&buffer);
    assert_eq!(row(&shown, "A"), "A 1 1 · ·     w c v A");
    assert_eq!(row(&shown, "B"), "B 2 2  3 4    ◔ h % B");
    let numbers = Marks { free: FreeSigns::Numbers, ..Marks::default() };
    assert_eq!(row(&letters(&house, ((30, 5), MapZoom::Squares), numbers), "A"), "A 1 1 ▗▖▗▖    1 1 1 A");
}

#[test]
fn where_colours_are_few_each_state_has_a_sign_and_each_category_its_digit() {
    let house = House::new(&["A o.~%rhx!wcv", "B 2222", "C 3333"]);
    for name in [ThemeName::Terminal, ThemeName::Mono] {
        let theme = Theme::named(name).unwrap();
        let (buffer, targets) = in_theme(&house, ((40, 6), MapZoom::Squares, &theme), Marks::default());
        let sign = |seat: &str| buffer[targets.find(&Target::Seat(house.seat(seat))).unwrap()].symbol().to_owned();
        assert_eq!(["a1", "b1", "c1"].map(sign), ["1", "2", "3"], "{name:?}");
        let signs: BTreeSet<String> = (1..=11).map(|seat| sign(&format!("a{seat}"))).collect();
        assert_eq!(signs.len(), 11, "{name:?} {signs:?}");
    }
}

#[test]
fn free_seats_have_the_colour_of_their_price_on_a_floor_that_aisles_have_not() {
    let house = hamlet();
    let marks = Marks { cursor: Some(house.seat("b1")), ..Marks::default() };
    let (buffer, targets) = dark(&house, ((30, 5), MapZoom::Squares), marks);
    let at = |seat: &str| targets.find(&Target::Seat(house.seat(seat))).unwrap();
    let cell = |seat: &str| &buffer[at(seat)];
    assert_eq!(cell("a1").fg, DARK.categories[0].fg.unwrap());
    assert_eq!(cell("c1").fg, DARK.categories[2].fg.unwrap());
    assert_eq!([cell("a3").fg, cell("a3").bg], [DARK.sold.fg.unwrap(), DARK.floor.bg.unwrap()]);
    assert_eq!(cell("b2").bg, DARK.lit.bg.unwrap(), "the cursor's row");
    assert_eq!(cell("b1").bg, DARK.here.bg.unwrap());
    let aisle = Position::new(at("a4").x + 2, at("a4").y);
    assert_eq!(buffer[aisle].bg, DARK.ground.bg.unwrap());
    let letter = Position::new(at("b1").x - 2, at("b1").y);
    assert_eq!((buffer[letter].symbol(), buffer[letter].fg), ("B", DARK.label_on.fg.unwrap()));
}

#[test]
fn numbers_side_by_side_stand_on_two_grounds_in_turn() {
    let house = House::new(&["A oooo", "B ####"]);
    let marked = [house.seat("a2"), house.seat("a3")];
    let marks = Marks { marked: &marked, ..Marks::default() };
    let (buffer, targets) = dark(&house, ((30, 5), MapZoom::Squares), marks);
    let shown = lines(&buffer);
    assert_eq!(row(&shown, "A"), "A ▗▖ 2 3▗▖A");
    assert_eq!(row(&shown, "B"), "B  1 2 3 4B");
    let ground = |seat: &str| buffer[targets.find(&Target::Seat(house.seat(seat))).unwrap()].bg;
    assert_ne!(ground("b1"), ground("b2"));
    assert_eq!(ground("b1"), ground("b3"));
    assert_ne!(ground("a2"), ground("a3"));
    assert_ne!(ground("a2"), ground("b2"), "a mark is no cart");
}

#[test]
fn where_three_columns_have_room_every_free_seat_has_its_number() {
    let house = hamlet();
    let shown = letters(&house, ((40, 5), MapZoom::Three), Marks::default());
    assert_eq!(row(&shown, "A"), "A  1  2 ▗▖ ▗▖       w  c  v  A");
    let shown = letters(&house, ((60, 12), MapZoom::Numbered), Marks::default());
    assert_eq!(row(&shown, "A"), "A   1   2  ▗▖  ▗▖          w   c   v  A");
}

#[test]
fn one_category_shows() {
    let house = hamlet();
    let only = Marks { category: Some(1), ..Marks::default() };
    let (buffer, targets) = dark(&house, ((30, 5), MapZoom::Squares), only);
    let ink = |seat: &str| buffer[targets.find(&Target::Seat(house.seat(seat))).unwrap()].fg;
    assert_eq!(ink("a1"), DARK.filtered.fg.unwrap());
    assert_eq!(ink("b1"), DARK.categories[1].fg.unwrap());
}

#[test]
fn a_category_without_a_price_is_not_on_sale() {
    let mut house = hamlet();
    house.map.performance.prices.remove(1);
    let shown = letters(&house, ((30, 5), MapZoom::Squares), Marks::default());
    assert_eq!(row(&shown, "B"), "B - -  3 4    ◔ h % B");
}

/// A canceled night was as bright as one on sale.
#[test]
fn nothing_of_a_canceled_night_is_drawn_as_free() {
    let mut house = hamlet();
    house.map.performance.state = PerformanceState::Canceled;
    let shown = letters(&house, ((30, 5), MapZoom::Squares), Marks::default());
    assert_eq!(row(&shown, "A"), "A - - ▗▖▗▖    - - - A");
    assert!(crate::tui::widgets::legend::left(&house.map).iter().all(|one| one.free == 0));
}

#[test]
fn a_house_opens_at_the_first_step_that_shows_it_whole() {
    let house = horseshoe();
    assert_eq!(opening(&house, (140, 40), "k13"), MapZoom::Three);
    assert_eq!(opening(&house, (85, 29), "k13"), MapZoom::Squares);
    assert_eq!(opening(&house, (84, 24), "k13"), MapZoom::Squares, "without its blank lines");
    assert_eq!(opening(&house, (65, 18), "k13"), MapZoom::Fisheye);
    assert_eq!(opening(&house, (30, 12), "k13"), MapZoom::Dots);
    assert_eq!(opening(&house, (12, 4), "k13"), MapZoom::Zones);
    assert_eq!(opening(&hamlet(), (60, 20), "a1"), MapZoom::Numbered);
    let at = Stand { chart: &house.chart, area: Rect::new(0, 0, 65, 18), cursor: Some(house.seat("k13")) };
    assert_eq!(MapZoom::Fisheye.closer(at), MapZoom::Squares);
    assert_eq!(MapZoom::Zones.farther(at), MapZoom::Zones);
    let wide = Stand { area: Rect::new(0, 0, 85, 29), ..at };
    assert_eq!(MapZoom::Squares.farther(wide), MapZoom::Quadrants, "nothing has to be folded");
}

#[test]
fn zones_have_their_names_and_free_seats_where_lines_are_free() {
    let text = letters(&horseshoe(), ((86, 29), MapZoom::Squares), Marks::default()).join("\n");
    for words in ["STALLS 248 free", "CIRCLE ", "GALLERY ", "BOXES 9 free"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
}

/// The zone of the cursor is in squares, the others are folded, and a click on one opens it.
#[test]
fn folded_zones_stand_where_they_are_and_open_by_a_click() {
    let house = horseshoe();
    let marks = Marks { cursor: Some(house.seat("k13")), ..Marks::default() };
    let (buffer, targets) = dark(&house, ((65, 18), MapZoom::Fisheye), marks);
    let text = lines(&buffer).join("\n");
    assert!(text.contains("GALLERY") && text.contains("▀"), "{text}");
    let at = |seat: &str| targets.find(&Target::Seat(house.seat(seat)));
    assert!(at("k13").is_some() && at("a8").is_some() && at("m1").is_some(), "{text}");
    assert_eq!([at("n1"), at("u1")], [None, None], "{text}");
    let folded = house.chart.layout().place(house.seat("u1")).unwrap().block;
    let gallery = targets.find(&Target::Block(folded.into())).unwrap();
    assert!(gallery.y > at("m1").unwrap().y, "{text}");
    let marks = Marks { cursor: Some(house.seat("u1")), ..Marks::default() };
    let (_, targets) = dark(&house, ((65, 18), MapZoom::Fisheye), marks);
    assert!(targets.find(&Target::Seat(house.seat("u1"))).is_some());
    assert!(targets.find(&Target::Seat(house.seat("k13"))).is_none());
}

#[test]
fn the_cursor_is_seen_at_every_zoom_and_size() {
    let house = horseshoe();
    for (zoom, (columns, height)) in
        ALL.into_iter().flat_map(|zoom| [(62, 20), (40, 12), (90, 30)].map(|size| (zoom, size)))
    {
        if zoom == MapZoom::Zones {
            continue;
        }
        for place in house.chart.layout().places.iter().step_by(37) {
            let marks = Marks { cursor: Some(place.seat), ..Marks::default() };
            let (buffer, _) = dark(&house, ((columns, height), zoom), marks);
            let seen = buffer.content().iter().any(is_cursor);
            assert!(seen, "{zoom:?} {columns}x{height} {place:?}\n{}", lines(&buffer).join("\n"));
        }
    }
}

#[test]
fn a_click_hits_the_seat_drawn_there() {
    let house = hamlet();
    for (zoom, cells) in [(MapZoom::Squares, 42), (MapZoom::Three, 63), (MapZoom::Numbered, 168)] {
        let (_, targets) = dark(&house, ((60, 12), zoom), Marks::default());
        let all = Rect::new(0, 0, 60, 12).positions();
        let hits = all.filter(|at| matches!(targets.at(*at), Some(Target::Seat(_)))).count();
        assert_eq!(hits, cells, "{zoom:?}");
    }
    for zoom in [MapZoom::Quadrants, MapZoom::Dots] {
        let (buffer, targets) = dark(&house, ((60, 12), zoom), Marks::default());
        for at in buffer.area.positions() {
            let is_seat = matches!(targets.at(at), Some(Target::Seat(_)));
            assert_eq!(is_seat, buffer[at].bg != DARK.ground.bg.unwrap(), "{zoom:?} {at}");
        }
    }
}

#[test]
fn quadrants_and_dots_show_free_seats_over_sold_ones_in_the_colour_of_most() {
    let house = House::new(&["A oo22", "B ....", "C 2222", "D 2222"]);
    for zoom in [MapZoom::Quadrants, MapZoom::Dots] {
        let (buffer, _) = dark(&house, ((20, 6), zoom), Marks::default());
        let inks: Vec<Color> =
            buffer.content().iter().filter(|cell| Some(cell.bg) == DARK.floor.bg).map(|cell| cell.fg).collect();
        let of = |category: usize| inks.iter().filter(|ink| **ink == DARK.categories[category].fg.unwrap()).count();
        assert!(of(1) > of(0) && (of(0) > 0) == (zoom == MapZoom::Quadrants), "{zoom:?} {inks:?}");
    }
    let (buffer, _) = in_theme(&house, ((20, 6), MapZoom::Quadrants, &MONO), Marks::default());
    assert!(lines(&buffer).concat().contains('2'), "{:#?}", lines(&buffer));
}

/// A seat that another station holds looked sold, and a customer was told so.
#[test]
fn quadrants_tell_held_seats_from_sold_ones_where_none_of_a_cell_is_free() {
    let house = House::new(&["A ......", "B .~.rhx", "C ......", "D ......", "E ......", "F oooooo"]);
    for theme in [&*DARK, &*MONO] {
        let mut seen = SignsSeen::default();
        let (buffer, targets) = painted((30, 8), GlyphSet::Unicode, |look, area, canvas| {
            let look = Look { theme, ..look };
            seen = widget(&house, (MapZoom::Quadrants, look), Marks::default()).draw(area, canvas);
        });
        for (seat, letter) in [("b2", "◔"), ("b4", "r")] {
            let at = targets.find(&Target::Seat(house.seat(seat)));
            assert_eq!(at.map(|at| buffer[at].symbol()), Some(letter), "{seat} {:#?}", lines(&buffer));
        }
        let look = Look { theme, glyphs: &Glyphs::of(GlyphSet::Unicode) };
        let legend: Vec<&str> = seen.words(look).map(|(_, _, words)| words).collect();
        assert_eq!(legend, ["held", "reserved"]);
    }
}

/// Free seats one below the other do not melt into bars, in rows along the map and down it.
#[test]
fn seats_one_below_the_other_stand_in_turn_in_quadrants() {
    let straight = crate::formats::rows::parse("16x20").unwrap();
    let mut down = straight.clone();
    for seat in down.zones[0].rows.iter_mut().flat_map(|row| &mut row.seats) {
        std::mem::swap(&mut seat.at.x, &mut seat.at.y);
    }
    for (plan, size) in [(straight, (60, 12)), (down, (60, 14))] {
        let shown = letters(&House::empty(plan), (size, MapZoom::Quadrants), Marks::default()).join("\n");
        assert!(!shown.contains(['▌', '▐', '█', '▙', '▟', '▛', '▜']), "{shown}");
    }
}

/// A stage that the house stands around is named in its middle.
#[test]
fn a_house_all_around_shows_its_stage_in_the_middle() {
    let mut plan = crate::formats::rows::parse("2x30").unwrap();
    let around = |at: usize, radius: f64| {
        let turn = f64::from(u32::try_from(at).unwrap()) * std::f64::consts::TAU / 30.0;
        let to = |value: f64| super::chart::rounded(value * radius * 2_500.0);
        (to(turn.sin()), to(-turn.cos()))
    };
    for (row, radius) in plan.zones[0].rows.iter_mut().zip([5.0, 6.0]) {
        for (at, seat) in row.seats.iter_mut().enumerate() {
            (seat.at.x, seat.at.y) = around(at, radius);
        }
    }
    let house = House::empty(plan);
    for zoom in [MapZoom::Quadrants, MapZoom::Squares] {
        let shown = letters(&house, ((70, 30), zoom), Marks::default());
        let seats = |line: &String| line.contains(['▀', '▄', '▘', '▝', '▖', '▗', '▞', '▚']);
        let stage = shown.iter().position(|line| line.replace(' ', "").contains("STAGE"));
        let stage = stage.unwrap_or_else(|| panic!("{zoom:?} {shown:#?}"));
        assert!(shown[..stage].iter().any(seats) && shown[stage + 1..].iter().any(seats), "{shown:#?}");
    }
}

/// Rows of a fan bend as in the house.
#[test]
fn quadrants_bend_rows_as_the_plan_does() {
    let mut plan = crate::formats::rows::parse("8x30").unwrap();
    for (row, of) in plan.zones[0].rows.iter_mut().enumerate() {
        for (at, seat) in of.seats.iter_mut().enumerate() {
            let angle = (f64::from(u32::try_from(at).unwrap()) - 14.5) / 20.0;
            let radius = 60_000.0 + 2_500.0 * f64::from(u32::try_from(row).unwrap());
            let to = |value: f64| super::chart::rounded(value);
            (seat.at.x, seat.at.y) = (to(radius * angle.sin()), to(radius * angle.cos()));
        }
    }
    let house = House::empty(plan);
    let line = |seat: &str| house.chart.bent[house.chart.layout().position(house.seat(seat)).unwrap()].1;
    assert!(line("h1") < line("h15") && line("h30") < line("h15"), "{} {}", line("h1"), line("h15"));
}

#[test]
fn a_click_scrolls_only_when_its_seat_would_be_out_of_view() {
    let row = "o".repeat(60);
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} {row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    let shown = |cursor: &str, by: &str| {
        let marks = Marks { cursor: Some(house.seat(cursor)), by: Some(house.seat(by)), ..Marks::default() };
        let (_, targets) = dark(&house, ((80, 12), MapZoom::Squares), marks);
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
fn newly_marked_seats_scroll_into_view() {
    let rows: Vec<String> = (0..30).map(|at| format!("R{at} oooooooo")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let house = House::new(&rows);
    let lit = [house.seat("R294"), house.seat("R295")];
    let marks = Marks { cursor: Some(house.seat("R11")), marked: &lit, ..Marks::default() };
    let shown = |marks| letters(&house, ((40, 10), MapZoom::Squares), marks);
    let scrolled = |shown: &[String]| shown.iter().any(|line| line.contains(" 4 5"));
    assert!(scrolled(&shown(marks)));
    // the next key may suggest others
    let typing = Marks { typing: marks.cursor, ..marks };
    assert!(!scrolled(&shown(typing)));
}

/// Row labels scrolled away with the seats, and no row could be told.
#[test]
fn row_labels_stay_at_the_edges_of_a_view_narrower_than_the_house() {
    let seats = "o".repeat(60);
    let rows = [format!("A {seats}"), format!("B {seats}")];
    let house = House::new(&[&rows[0], &rows[1]]);
    for seat in ["b1", "b30", "b60"] {
        let marks = Marks { cursor: Some(house.seat(seat)), ..Marks::default() };
        let shown = letters(&house, ((40, 7), MapZoom::Squares), marks);
        let line = shown.iter().find(|line| line.contains('B')).unwrap();
        let row = line.trim();
        assert!(row.starts_with('B') && row.ends_with('B'), "{seat}\n{}", shown.join("\n"));
    }
}

/// A strip of the cursor's row in an area of some columns.
fn strip(house: &House, columns: u16, (cursor, theme): (&str, &Theme)) -> (String, Targets) {
    let marks = Marks { cursor: Some(house.seat(cursor)), ..Marks::default() };
    let (buffer, targets) = painted((columns, 1), GlyphSet::Unicode, |look, area, canvas| {
        let look = Look { theme, ..look };
        widget(house, (MapZoom::Dots, look), marks).draw_strip(area, canvas);
    });
    (lines(&buffer)[0].clone(), targets)
}

#[test]
fn the_strip_has_every_number_of_the_cursors_row_and_scrolls_only_as_far_as_needed() {
    let house = House::new(&["A oo..__##~ooooooooooooo"]);
    let (shown, targets) = strip(&house, 80, ("a2", &DARK));
    assert!(shown.starts_with(" A   1[ 2] 3  4   5  6  7  8"), "{shown}");
    assert!(targets.find(&Target::Seat(house.seat("a8"))).is_some(), "a click picks");
    let (shown, _) = strip(&house, 30, ("a4", &DARK));
    assert!(shown.contains("  1  2  3[ 4]") && shown.ends_with('›'), "{shown}");
    let (shown, targets) = strip(&house, 30, ("a20", &DARK));
    assert!(shown.contains("[20]") && shown.contains('‹'), "{shown}");
    assert!(targets.find(&Target::Seat(house.seat("a1"))).is_none());
    let (shown, _) = strip(&house, 80, ("a2", &MONO));
    assert!(shown.contains(" ·  ·   5  6  ◔"), "a sign where no colour tells: {shown}");
}

#[test]
fn the_table_of_zones_has_prices_and_free_seats_and_goes_to_a_zone() {
    let house = horseshoe();
    let (buffer, targets) = dark(&house, ((60, 12), MapZoom::Zones), Marks::default());
    let text = lines(&buffer).join("\n");
    assert!(text.contains("Stalls") && text.contains("248") && text.contains('–'), "{text}");
    assert!(targets.find(&Target::Block(0)).is_some());
}

/// Plans that nobody would draw: one seat, seats on one spot, rows that cross, a very long row.
fn odd_plans() -> Vec<Plan> {
    let mut one = crate::formats::rows::parse("1x1").unwrap();
    one.zones[0].name = "客席の名前がとても長い場所".repeat(5);
    let mut heap = crate::formats::rows::parse("6x10").unwrap();
    for seat in heap.zones[0].rows.iter_mut().flat_map(|row| &mut row.seats) {
        seat.at.x = 0;
        seat.at.y = 0;
    }
    let mut crossing = crate::formats::rows::parse("8x12").unwrap();
    for (at, row) in crossing.zones[0].rows.iter_mut().enumerate() {
        row.label = "شرفة العليا جدا".into();
        for seat in row.seats.iter_mut().filter(|_| at % 2 == 1) {
            std::mem::swap(&mut seat.at.x, &mut seat.at.y);
        }
    }
    vec![one, heap, crossing, crate::formats::rows::parse("1x2000").unwrap()]
}

/// A number on the screen is the number of the seat that a click there hits, whatever the plan.
#[test]
fn a_click_hits_the_seat_whose_number_is_drawn_there_in_every_plan() {
    for plan in odd_plans() {
        let house = House::all(plan, '#');
        let places = &house.chart.layout().places;
        for cursor in [places.first(), places.last()].map(|place| place.map(|place| place.seat)) {
            for zoom in [MapZoom::Squares, MapZoom::Three, MapZoom::Numbered] {
                let marks = Marks { cursor, ..Marks::default() };
                let (buffer, targets) = dark(&house, ((80, 24), zoom), marks);
                let mut drawn: std::collections::BTreeMap<SeatRef, String> = std::collections::BTreeMap::new();
                for at in buffer.area.positions() {
                    if let Some(Target::Seat(seat)) = targets.at(at) {
                        drawn.entry(*seat).or_default().push_str(buffer[at].symbol());
                    }
                }
                assert!(!drawn.is_empty() && cursor.is_some_and(|seat| drawn.contains_key(&seat)), "{zoom:?}");
                for (seat, text) in drawn {
                    let label = &house.map.plan.seat(seat).unwrap().label;
                    let text: String = text.chars().filter(char::is_ascii_digit).collect();
                    assert!(label.ends_with(&text), "{zoom:?} {label} {text:?}");
                }
            }
        }
    }
}

/// Odd plans stay readable at every size.
#[test]
fn every_plan_is_drawn_at_every_size_and_zoom() {
    let plans = odd_plans();
    let houses: Vec<House> = plans.into_iter().map(House::empty).chain([horseshoe()]).collect();
    for house in &houses {
        let cursor = house.chart.layout().places.last().map(|place| place.seat);
        for size in [(20, 6), (1, 1), (33, 9), (80, 24), (120, 36), (300, 90)] {
            for zoom in ALL {
                for theme in [&*DARK, &*MONO] {
                    let (buffer, targets) = in_theme(house, (size, zoom, theme), Marks { cursor, ..Marks::default() });
                    let hit = |at: Position| match targets.at(at) {
                        Some(Target::Seat(seat)) => house.map.plan.seat(*seat).is_some(),
                        _ => true,
                    };
                    assert!(buffer.area.positions().all(hit));
                }
            }
            let area = Rect::new(0, 0, size.0, size.1);
            let at = Stand { chart: &house.chart, area, cursor: Some(SeatRef { row: 0, seat: 0 }) };
            let zoom = MapZoom::opening(at);
            assert!(zoom.fits(at) || zoom == MapZoom::Dots, "{size:?} {zoom:?}");
        }
    }
}

#[test]
fn without_colours_the_cursor_is_reversed() {
    let house = hamlet();
    let marks = Marks { cursor: Some(house.seat("b5")), ..Marks::default() };
    let (buffer, targets) = in_theme(&house, ((30, 5), MapZoom::Squares, &MONO), marks);
    let at = targets.find(&Target::Seat(house.seat("b5"))).unwrap();
    assert_eq!(buffer[at].symbol(), "◔");
    assert!(buffer[at].modifier.contains(Modifier::REVERSED));
}

/// A cell that shows your seat beside free ones belongs to your seat.
#[test]
fn a_click_on_a_cell_in_your_colour_hits_your_seat() {
    let house = House::new(&["A oooooo", "B oo##oo", "C oooooo"]);
    for (zoom, size) in [(MapZoom::Quadrants, (20, 6)), (MapZoom::Dots, (20, 6))] {
        let (buffer, targets) = dark(&house, (size, zoom), Marks::default());
        let mine = buffer.area.positions().filter(|at| Some(buffer[*at].bg) == DARK.yours.bg).collect::<Vec<_>>();
        assert!(!mine.is_empty(), "{zoom:?}");
        for at in mine {
            let Some(Target::Seat(seat)) = targets.at(at) else { panic!("{at} hits nothing") };
            assert!([house.seat("b3"), house.seat("b4")].contains(seat), "{zoom:?} {at} {seat:?}");
        }
    }
}
