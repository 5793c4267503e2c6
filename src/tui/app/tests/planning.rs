//! Performances, theaters and resources, added, changed and copied without a shell.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::till::{Till, actor, desk};
use crate::domain::resource::{OpenHours, Policy};
use crate::domain::time::{Grid, Segment, Span};
use crate::engine::ops::{
    AddResource, ChangePerformance, ChangeResource, HoldSeats, PerformancePatch, ResourcePatch, SeatChoice,
};
use crate::engine::reads::Listed;
use crate::engine::reads::catalog::{ReadPerformance, ReadTheaters};
use crate::engine::reads::resources::{ReadResource, ReadResources, ResourceFilter};
use crate::engine::reads::tonight::ReadPerformances;

fn titles(till: &Till) -> Vec<String> {
    let office = till.engine.desk(actor("dora", "office"));
    let rows = office.read(ReadPerformances::default()).unwrap();
    rows.into_iter().map(|row| row.title).collect()
}

#[test]
fn eight_fridays_but_one_are_opened_after_every_date_was_shown() {
    let mut till = desk();
    till.keys("1 N").shows("New performance").shows("The Royal").types("Lear").keys("Enter Enter").types("fri 19:30");
    till.keys("Enter").types("21:30").keys("Enter").types("12; */Child=6").keys("Enter").types("x8 except 25 dec");
    till.shows("7 performances, the hall is free").shows("Fri 27 Nov 19:30").shows("Fri 15 Jan 2027 19:30");
    till.hides("25 Dec");
    assert_eq!(titles(&till), ["Hamlet"], "a preview opens nothing");
    till.keys("Enter Enter").newest("Lear opened on 7 dates, from Fri 27 Nov 19:30");
    assert_eq!(titles(&till).len(), 8);
    // lengths are typed as the hint has them, and a refusal stands at the row that is wrong
    till.keys("N").types("Lear").keys("Enter Enter").types("thu 19:30").keys("Enter").types("+2h30").keys("Enter");
    till.types("9").keys("Enter Enter Enter").shows("\"+2h30\" is not a time").types("m").hides("is not a time");
    till.shows("1 performance, the hall is free").keys("Esc");
    till.keys("N").types("Lear").keys("Enter Enter").types("thu 19:30").keys("Enter Enter").types("9");
    till.keys("Enter Enter Enter").shows("Type the end, such as 22:00 or +2h30m").keys("Esc");
    // a date that is taken refuses all, and nothing typed is lost
    till.keys("N").types("Othello").keys("Enter Enter").types("fri 20:00").keys("Enter").types("22:00");
    till.keys("Enter").types("9").shows("booked, Lear").keys("Enter Enter Enter").shows("20:00-21:30: booked, Lear.");
    till.shows("Othello");
    assert_eq!(titles(&till).len(), 8);
    till.keys("Esc u").newest("Undone: open Lear");
    assert_eq!(titles(&till), ["Hamlet"]);
}

#[test]
fn a_typo_and_a_price_are_mended_and_brought_back_by_one_key() {
    let mut till = desk();
    till.keys("1 E")
        .shows("Change   Hamlet, Sat 21 Nov 19:30")
        .shows("10.00; */Child=5.00")
        .shows("Adult 10.00   Child 5.00")
        .types("Macbeth");
    till.keys("Tab Tab Tab Tab").types("12; */Child=5").keys("Tab Tab").shows("[ Change it ]").keys("Enter");
    till.newest("Macbeth changed: title, prices");
    assert_eq!(titles(&till), ["Macbeth"]);
    let of = |till: &Till| {
        let office = till.engine.desk(actor("dora", "office"));
        office.read(ReadPerformance(till.show)).unwrap().performance
    };
    assert_eq!((of(&till).price(0, "Adult"), of(&till).price(0, "Child")), (Some(1200), Some(500)));
    till.keys("u").newest("Undone: change Hamlet").shows("Hamlet");
    assert_eq!(of(&till).price(0, "Adult"), Some(1000));
    // a start that somebody has seats at stays, and the form says what to do
    till.keys("2 Space 1 E Tab Tab").types("fri 19:30").keys("Tab").types("22:00").keys("Tab Tab Tab Enter");
    till.shows("So the start of Hamlet").shows("Postpone it instead");
}

#[test]
fn a_typo_on_seven_nights_is_mended_in_one_form_and_brought_back_by_one_key() {
    let mut till = desk();
    till.keys("1 N").types("Lera").keys("Enter Enter").types("fri 19:30").keys("Enter").types("21:30");
    till.keys("Enter").types("12").keys("Enter").types("x8 except 25 dec").keys("Enter Enter");
    till.newest("Lera opened on 7 dates").keys("j E").shows("Change   Lera, Fri 27 Nov 19:30").shows("Nights");
    till.types("Lear").keys("Tab Tab Tab").types("22:00").keys("Tab").types("14").keys("Tab Tab");
    till.keys("f").shows("7 performances: title, end, prices").shows("Fri 15 Jan 2027 19:30-22:00");
    assert_eq!(titles(&till).iter().filter(|title| *title == "Lear").count(), 0, "a preview changes nothing");
    till.keys("a").shows("7 performances: title, end, prices").keys("Tab Enter");
    till.newest("7 performances changed: title, end, prices");
    assert_eq!(titles(&till).iter().filter(|title| *title == "Lear").count(), 7);
    till.keys("u").newest("Undone: change Lera");
    assert_eq!(titles(&till).iter().filter(|title| *title == "Lera").count(), 7);
    // a night that somebody has seats of is named, and what was typed stays
    let office = till.engine.desk(actor("dora", "office"));
    let third = office.read(ReadPerformances::default()).unwrap().remove(3);
    office.run(HoldSeats::new(third.id, SeatChoice::Named(vec!["A1".into()]))).unwrap();
    till.notice().keys("E Tab Tab").types("fri 20:00").keys("Tab").types("22:00").keys("Tab Tab Tab a");
    till.shows("Lera, Fri 11 Dec 19:30: A1 is gone").keys("Tab Enter").shows("Nothing was changed.").shows("fri 20:00");
    till.keys("Esc");
    // a date alone offers no others
    till.keys("k E").shows("Change   Hamlet").hides("Nights");
}

#[test]
fn what_another_station_changes_under_an_open_form_is_said() {
    let mut till = desk();
    till.keys("1 E").shows("Change   Hamlet");
    let patch = PerformancePatch { description: Some("in English".into()), ..PerformancePatch::default() };
    let office = till.engine.desk(actor("dora", "office"));
    office.run(ChangePerformance { performance: till.show, patch }).unwrap();
    till.notice().shows("Changed at another station meanwhile: text");
    till.types("Macbeth").keys("Shift-Tab Enter").newest("Macbeth changed: title");
    let left = office.read(ReadPerformance(till.show)).unwrap().performance;
    assert_eq!((left.title.as_str(), left.description.as_str()), ("Macbeth", "in English"));
}

#[test]
fn a_copy_needs_its_start_alone() {
    let mut till = desk();
    till.keys("1 c").shows("Copy   Hamlet").types("fri 19:30").shows("1 performance, the hall is free").keys("Enter");
    till.newest("Hamlet opened, Fri 27 Nov 19:30");
    assert_eq!(titles(&till), ["Hamlet", "Hamlet"]);
    till.keys("u").newest("Undone: open Hamlet");
    assert_eq!(titles(&till), ["Hamlet"]);
    let office = till.engine.desk(actor("dora", "office"));
    let retired = office.read(ReadPerformances { listed: Listed::Retired, ..ReadPerformances::default() }).unwrap();
    assert_eq!(retired.len(), 1);
}

#[test]
fn a_theater_is_added_from_rows_or_from_a_file_with_its_oddities() {
    let mut till = desk();
    till.keys("1 T")
        .shows("New theater")
        .types("Studio")
        .keys("Tab")
        .types("2x4")
        .shows("8 seats")
        .keys("Tab Tab Enter");
    till.newest("Studio added; N adds a performance");
    till.keys("T").types("Hall").keys("Tab").types("12x16, Gallery=60").shows("252 seats").keys("Tab Tab Enter");
    till.newest("Hall added; N adds a performance");
    till.keys("T Enter").types("5x").shows("New theater").keys("Tab Tab Enter").shows("5x");
    let folder = crate::limit::scratch();
    let path = folder.path().join("plan.json");
    let plan = r##"{"name": "Attic", "whims": 1, "categories": [{"name": "Gold", "color": "#ffcc00"}],
        "size": {"width": 100, "height": 100}, "zones": [{"name": "Stalls", "position": {"x": 0, "y": 0}, "rows": [
        {"row_number": "A", "position": {"x": 0, "y": 0}, "seats": [
        {"seat_number": "1", "seat_guid": "g1", "position": {"x": 0, "y": 0}, "category": "Gold"}]}]}]}"##;
    std::fs::write(&path, plan).unwrap();
    till.keys("Esc T Tab Tab").types("/nowhere.json").shows("There is no file \"/nowhere.json\"").keys("Enter Enter");
    assert_eq!(till.draw().matches("There is no file").count(), 1, "{}", till.draw());
    till.keys("Esc T Tab Tab").types(&path.display().to_string()).shows("1 seat").shows("One thing in it is odd:");
    till.shows("whims").keys("Enter Enter").newest("Attic added");
    let office = till.engine.desk(actor("dora", "office"));
    let names = office.read(ReadTheaters::default()).unwrap();
    assert_eq!(
        names.iter().map(|(one, _)| one.name.as_str()).collect::<Vec<_>>(),
        ["Attic", "Hall", "Studio", "The Royal"]
    );
}

#[test]
fn a_theater_is_renamed_and_retired_at_the_desk() {
    let mut till = desk();
    till.keys("1 T").types("Studio").keys("Tab").types("2x4").keys("Tab Tab Enter").newest("Studio added");
    let names = |till: &Till| {
        let all = till.engine.desk(actor("dora", "office")).read(ReadTheaters::default()).unwrap();
        all.into_iter().map(|(one, _)| one.name).collect::<Vec<_>>()
    };
    till.keys("T Shift-Tab r Tab").shows("Name      Studio").hides("or file").keys("Tab Tab Enter");
    till.shows("Type its new name").types("Attic").keys("Tab Enter").newest("Attic changed");
    assert_eq!(names(&till), ["Attic", "The Royal"]);
    till.keys("u").newest("Undone: change Studio");
    till.keys("T Shift-Tab r r Tab")
        .hides("New name")
        .types("the royal")
        .keys("Tab Enter")
        .shows("Hamlet")
        .shows("Theater");
    till.keys("Esc T Shift-Tab r r Tab Tab Enter").newest("Studio retired");
    assert_eq!(names(&till), ["The Royal"]);
    till.keys("u").newest("Undone: change Studio");
    assert_eq!(names(&till), ["Studio", "The Royal"]);
}

#[test]
fn a_room_is_added_and_gets_another_price_on_the_calendar() {
    let mut till = desk();
    till.keys("3");
    let rooms = |till: &Till| {
        let office = till.engine.desk(actor("dora", "office"));
        let all = office
            .read(ReadResources(ResourceFilter { kind: Some("room".into()), ..ResourceFilter::default() }))
            .unwrap();
        all.into_iter().map(|one| (one.name, one.price.map(|price| price.minor))).collect::<Vec<_>>()
    };
    till.keys("N").shows("New resource").types("Studio").keys("Tab").types("room").keys("Tab").types("1h");
    till.keys("Tab Tab Tab Tab").types("20").keys("Tab Tab Enter").newest("Studio added").shows("Studio");
    assert_eq!(rooms(&till), [("Studio".to_owned(), Some(2000))]);
    till.keys("u").newest("Undone: add Studio");
    assert!(rooms(&till).is_empty());
    till.keys("N").types("Attic").keys("Tab").types("room").keys("Tab").types("nonsense").keys("Shift-Tab Shift-Tab");
    till.keys("Shift-Tab Enter").shows("is no segment; write it like 30m, 1h or night");
    till.keys("Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace")
        .types("30m")
        .keys("Shift-Tab Shift-Tab Enter")
        .newest("Attic added");
    till.keys("j j E").shows("Change   Attic").types("Loft").keys("Enter");
    till.newest("Loft changed").keys("u").newest("Undone: change Attic");
    assert_eq!(rooms(&till), [("Attic".to_owned(), None)]);
}

#[test]
fn other_hours_typed_at_a_desk_stay_for_hire() {
    let mut till = desk();
    let office = till.engine.desk(actor("dora", "office"));
    let hours = OpenHours::parse("08:00-18:00").map(|hours| OpenHours { hire: true, ..hours });
    let van = office.run(AddResource {
        name: "Van".into(),
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: Tz::UTC, segment: Segment::of_minutes(60).unwrap() },
        policy: Policy::OpenEnded,
        hours: hours.ok(),
        before: Span::default(),
        after: Span::default(),
        price: None,
        prices: None,
        count: None,
        properties: BTreeMap::default(),
    });
    let hire = || office.read(ReadResource(van.as_ref().unwrap().id.to_string())).unwrap().hours;
    till.keys("3 j j E").shows("Change   Van");
    let patch = ResourcePatch { kind: Some("car".into()), ..ResourcePatch::default() };
    office.run(ChangeResource { resource: van.as_ref().unwrap().id.clone(), patch }).unwrap();
    till.notice()
        .shows("Changed at another station meanwhile: kind")
        .keys("Tab Tab Tab")
        .types("10:00-12:00")
        .keys("Tab Tab Tab Tab Tab Tab Enter");
    till.newest("Van changed");
    assert!(hire().is_some_and(|hours| hours.hire && hours.to_string() == "10:00-12:00"), "{:?}", hire());
    till.keys("u").newest("Undone: change Van");
    assert!(hire().is_some_and(|hours| hours.hire && hours.to_string() == "08:00-18:00"), "{:?}", hire());
}

#[test]
fn the_dates_of_a_repeat_are_seen_in_the_smallest_terminal() {
    let mut till = desk();
    till.resize(60, 18).keys("1 N").types("Lear").keys("Enter Enter").types("fri 19:30").keys("Enter").types("21:30");
    till.keys("Enter").types("12").keys("Enter").types("x8 except 25 dec").shows("7 performances, the hall is free");
    till.shows("Fri 27 Nov 19:30").shows("and ").shows("more");
}

#[test]
fn a_form_is_no_taller_than_what_stands_in_it() {
    let mut till = desk();
    for way in ["1 E", "1 c", "1 T", "1 t", "2 K", "1 N"] {
        let screen = till.keys(way).draw();
        let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
        let corner = |line: &Vec<char>, corners: [char; 3]| line.iter().position(|sign| corners.contains(sign));
        let ends = |line: &Vec<char>| Some((corner(line, ['└', '╰', '┗'])?, corner(line, ['┘', '╯', '┛'])?));
        let (last, (left, right)) =
            lines.iter().enumerate().rev().find_map(|(at, line)| Some((at, ends(line)?))).unwrap();
        let is_empty = |line: &&Vec<char>| line[left + 1..right].iter().all(|sign| *sign == ' ');
        let empty = lines[..last].iter().rev().take_while(is_empty).count();
        assert!(empty <= 3, "{way} has {empty} empty lines at its end\n{screen}");
        till.keys("Esc");
    }
}
