//! Times and names as people type them, understood alike by every command.

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde_json::{Value, json};
use willcall::engine::clock::{Clock, SystemClock};

use crate::support::House;

fn today() -> NaiveDate {
    let now = SystemClock::default().now();
    DateTime::<Utc>::from_timestamp_millis(now.millis()).unwrap().date_naive()
}

fn days_ahead(days: u64) -> String {
    (today() + Days::new(days)).to_string()
}

/// A house in UTC with a room and a hotel's room.
fn house() -> House {
    let house = House::royal();
    house.json("settings set time-zone UTC").done();
    house.json("resource add Choir --kind room --segment 30 --time-zone UTC").done();
    house.json("resource add Night --kind hotel-room --segment 1440 --time-zone UTC").done();
    house
}

/// Each act with a start and an end, and the field of its answer with the end.
#[test]
fn the_days_of_an_end_count_from_today_in_every_command() {
    let house = house();
    let day = |days| days_ahead(days);
    house.json("performance add --theater 'The Royal' --title Hamlet --start 'tomorrow 19:30' --end 'tomorrow 21:30' --price 1").done();
    house.json("resource add Preset --kind room --segment 30 --time-zone UTC --policy preallocated").done();
    house.json(&format!("resource open Preset --until {}", day(9))).done();
    let shown = house.json("performance show Hamlet").done();
    starts_on(&shown, "end", &format!("{}T21:30", day(1)));
    let moved = house.json("performance postpone Hamlet --start '+2d 20:00' --end '+2d 22:00' --reason ill").done();
    starts_on(&moved, "end", &format!("{}T22:00", day(2)));
    let cart = house.cart();
    let times = |from: u32| format!("--from 'tomorrow {from:02}:00' --until 'tomorrow {:02}:00'", from + 2);
    let held = house.json(&format!("cart add {cart} --resource Choir {}", times(0))).done();
    starts_on(&held["slots"][0], "until", &format!("{}T02:00", day(1)));
    let booked = house.json(&format!("calendar book Choir {} --title Choir", times(2))).done();
    starts_on(&booked, "until", &format!("{}T04:00", day(1)));
    let id = booked["booking"].as_str().unwrap().to_owned();
    for (line, from) in [
        ("calendar maintain Choir {} --reason x", 4),
        ("calendar relocate Choir {} --reason x", 6),
        ("calendar occupy Choir {} --cause cleaning", 8),
        ("calendar disable Choir {} --reason x", 10),
        (&format!("calendar move {id} {{}}"), 12),
        ("calendar check Choir {}", 16),
    ] {
        let done = house.json(&line.replace("{}", &times(from))).done();
        starts_on(&done, "until", &format!("{}T{:02}:00", day(1), from + 2));
    }
    let until = house.json(&format!("calendar move {id} --until 15:00")).done();
    starts_on(&until, "from", &format!("{}T12:00", day(1)));
    starts_on(&until, "until", &format!("{}T15:00", day(1)));
    let released =
        house.json(&format!("calendar release {id} --from 'tomorrow 14:00' --until 'tomorrow 15:00'")).done();
    starts_on(&released, "until", &format!("{}T14:00", day(1)));
    let series = house.json(&format!("calendar book Choir {} --title Club --repeat 'weekly x2'", times(18))).done();
    let club = series[0]["booking"].as_str().unwrap().to_owned();
    let more = house.json(&format!("calendar add-date {club} --from '+2d 18:00' --until '+2d 19:00'")).done();
    starts_on(&more, "until", &format!("{}T19:00", day(2)));
    for line in
        ["calendar show Choir {}", "calendar list {}", "find --kind room --for 1h {}", "calendar export Choir {}"]
    {
        house.json(&line.replace("{}", &times(20))).done();
    }
    let free = house.json(&format!("find --kind room --for 2h {}", times(22))).done();
    assert!(free.as_array().is_some_and(|free| !free.is_empty()), "{free}");
    let rows = house.json("resource chunks Choir --from tomorrow --until tomorrow").refused("bad_value");
    assert!(rows["problem"].as_str().unwrap().contains("ends when it starts"), "{rows}");
    house.verified();
}

#[test]
fn an_end_on_another_day_is_told_with_its_day() {
    let house = house();
    let late = "performance add --theater 'The Royal' --title Late --start '2099-12-01T23:00' --end +2h --price 1";
    let said = house.run(late).out;
    assert!(said.contains("Tue 1 Dec 2099 23:00 to Wed 2 Dec 2099 01:00 at The Royal"), "{said}");
    let early = "performance add --theater 'The Royal' --title Early --start '2099-12-02T19:00' --end +2h --price 1";
    let said = house.run(early).out;
    assert!(said.contains("Wed 2 Dec 2099 19:00 to 21:00 at The Royal"), "{said}");
}

#[test]
fn a_repeat_is_typed_as_the_desk_takes_it() {
    let house = house();
    let book = |repeat: &str| {
        format!("calendar book Choir --from '2098-12-01T18:00' --until 20:00 --title Choir --repeat '{repeat}'")
    };
    let all = house.json(&book("weekly until 2098-12-15")).done();
    let starts: Vec<&str> = all.as_array().unwrap().iter().map(|one| one["from"].as_str().unwrap()).collect();
    assert_eq!(starts, ["2098-12-01T18:00:00Z", "2098-12-08T18:00:00Z", "2098-12-15T18:00:00Z"]);
    for (repeat, said) in [
        ("weekly", "Repeat: say how long: until 15 dec, or x10."),
        (
            "blue",
            "Repeat: \"blue\" is no repeat; write it like tue 18-20 until 15 dec, daily x5, or FREQ=WEEKLY;COUNT=10.",
        ),
    ] {
        assert_eq!(house.run(&book(repeat)).err.trim(), said);
    }
}

#[test]
fn a_weekday_that_a_date_is_not_is_named() {
    let house = house();
    let said = house.run("calendar check Choir --from 'sun 25 oct 2027 00:30' --until +1h").err;
    assert_eq!(said.trim(), "From: 25 Oct 2027 is a Monday; leave the weekday out, or write another date.");
    let checked = house.json("calendar check Choir --from 'tomorrow 7pm' --until '8:30 pm'").done();
    starts_on(&checked, "from", &format!("{}T19:00", days_ahead(1)));
    starts_on(&checked, "until", &format!("{}T20:30", days_ahead(1)));
}

#[test]
fn a_title_with_another_day_says_when_it_plays() {
    let house = house();
    for day in ["2099-12-04", "2099-12-11"] {
        house
            .json(&format!(
                "performance add --theater 'The Royal' --title Hamlet --start {day}T19:30 --end +2h --price 10"
            ))
            .done();
    }
    let no = house.json("performance show 'hamlet today'").refused("plays_then");
    assert_eq!(no["plays"][1]["start"], "2099-12-11T19:30:00Z");
    let said = house.run("performance show 'hamlet today'").err;
    assert_eq!(
        said.trim(),
        "Hamlet does not play \"today\", but Fri 4 Dec 2099 19:30, Fri 11 Dec 2099 19:30. Write one of these."
    );
    house.json("performance show 'hamlet 4 dec 2099'").done();
    house.json("performance show 'hamlet soon'").refused("not_found");
}

fn starts_on(answer: &Value, field: &str, day: &str) {
    let text = answer[field].as_str().unwrap();
    assert!(text.starts_with(day), "{field} is {text}, not {day}");
}

#[test]
fn a_range_of_seats_is_typed_as_it_is_printed() {
    let house = House::royal();
    let cart = house.cart_with("A1-A4,B2");
    let shown = house.run(&format!("cart show {cart}"));
    assert!(shown.text().contains("A1"), "{shown:?}");
    let seats = |answer: &Value| answer["lines"][0]["live"].clone();
    house.json(&format!("cart remove {cart} --line 1 --seats A3-4")).done();
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    assert_eq!(seats(&house.json("receipt show 1").done()), json!(["A1", "A2", "B2"]));
    house.json("receipt refund 1 --seats a1-a2 --back cash --reason ill").done();
    assert_eq!(seats(&house.json("receipt show 1").done()), json!(["B2"]));
    for (line, state) in [
        ("performance disable Movie --seats C1-C3 --reason leak", "disabled"),
        ("performance enable Movie --seats C3-C1", "free"),
        ("performance disable --theater 'The Royal' --seats C1-C3 --reason leak", "disabled"),
        ("performance enable --theater 'The Royal' --seats C1-C3", "free"),
        ("performance keep Movie --seats C1-C3 --reason press --until 2099-11-30", "booked"),
        ("performance unkeep Movie --seats C1-C3", "free"),
    ] {
        house.json(line).done();
        assert_eq!(house.seat("C2")["state"], state, "{line}");
    }
    let other = house.cart();
    for (seats, kind) in [("A1-Z9", "unknown_seat"), ("A1-B2", "unknown_seat"), ("A1-A3,A2", "repeated_seat")] {
        let refused = house.json(&format!("cart add {other} --performance Movie --seats {seats}"));
        refused.refused(kind);
    }
    house.json("receipt refund 1 --seats A1-A9 --back cash --reason ill").refused("not_on_receipt");
    house.verified();
}

#[test]
fn a_name_that_is_none_of_a_few_is_answered_with_them() {
    let house = House::royal();
    let cart = house.cart();
    let says = |line: &str, words: &[&str]| {
        let ran = house.run(line);
        for word in words {
            assert!(ran.code != 0 && ran.err.contains(word), "{word}: {ran:?}");
        }
    };
    says(
        &format!("cart add {cart} --performance Movie --best 2 --category Gold"),
        &["There is no category \"Gold\". Choose Standard."],
    );
    let long = "x".repeat(241);
    says(&format!("cart name {cart} --name {long}"), &["Name: it has at most 240 letters."]);
    says("receipt refund 1 --reason ill", &["--seats", "--resource", "--all"]);
    says("help nothere", &["nothere", "refunds", "customers", "keys"]);
}

#[test]
fn a_performance_starts_in_two_weeks_and_ends_the_same_evening() {
    let house = house();
    let made = house
        .json("performance add --theater 'The Royal' --title Hamlet --start '+2w 19:30' --end 21:30 --price 10.00")
        .done();
    starts_on(&made, "start", &format!("{}T19:30", days_ahead(14)));
    starts_on(&made, "end", &format!("{}T21:30", days_ahead(14)));
    let late = house
        .json("performance add --theater 'The Royal' --title Late --start '+3w 23:00' --end +2h --price 10.00")
        .done();
    starts_on(&late, "end", &format!("{}T01:00", days_ahead(22)));
    let listed = house.json("performance list --from +2w --before '+2w 20:00'").done();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let named = format!("Hamlet@{}", days_ahead(14));
    assert_eq!(house.json(&format!("performance show '{named}'")).done()["id"], made["id"]);
    let wrong = house.run("performance add --theater 'The Royal' --title X --start soon --end 21:30 --price 1");
    assert_eq!(
        wrong.err.trim(),
        "Start: \"soon\" is not a time; write it like fri 19:30, 27 nov, +3h or 2026-12-01T19:30."
    );
}

#[test]
fn a_slot_is_typed_in_words_and_its_end_counts_from_its_start() {
    let house = house();
    for (line, from, until) in [
        ("--from 'tomorrow 10:00' --until +1h", "10:00", "11:00"),
        ("--from 'tomorrow 14:00' --until 16:30", "14:00", "16:30"),
        ("--from '+1d 20:00' --until 21:00", "20:00", "21:00"),
    ] {
        let booked = house.json(&format!("calendar book Choir {line} --title Choir")).done();
        starts_on(&booked, "from", &format!("{}T{from}", days_ahead(1)));
        starts_on(&booked, "until", &format!("{}T{until}", days_ahead(1)));
    }
    let stay = house.json("calendar book Night --from tomorrow --until +2d --title Weber").done();
    starts_on(&stay, "from", &days_ahead(1));
    starts_on(&stay, "until", &days_ahead(3));
    let shut = house.json("calendar disable Choir --from 'tomorrow 22:00' --until 23:00 --reason paint").done();
    starts_on(&shut, "from", &format!("{}T22:00", days_ahead(1)));
    starts_on(&shut, "until", &format!("{}T23:00", days_ahead(1)));
    house.json("find --kind room --for 1h --from tomorrow --until +1d").done();
    house.verified();
}

#[test]
fn a_resource_whose_name_has_a_comma_is_named_beside_others() {
    let house = house();
    house.json("resource add 'Hall, left' --kind hall --segment 30 --time-zone UTC").done();
    let booked =
        house.json("calendar book 'Choir,Hall, left' --from 'tomorrow 10:00' --until 11:00 --title Both").done();
    assert_eq!(booked.as_array().unwrap().len(), 2, "{booked}");
    house.json("calendar book 'Hall, left' --from 'tomorrow 12:00' --until 13:00 --title One").done();
    house.json("calendar book 'Hall, right' --from 'tomorrow 12:00' --until 13:00 --title One").refused("not_found");
    house.verified();
}

#[test]
fn several_performances_of_a_title_are_listed_with_what_tells_them_apart() {
    let house = house();
    for days in [2, 4] {
        house
            .json(&format!("performance add --theater 'The Royal' --title Hamlet --start '+{days}d 19:30' --end 21:30 --price 10.00"))
            .done();
    }
    let refused = house.json("performance show Hamlet").refused("ambiguous");
    let which: Vec<String> = [2, 4].map(|days| format!("Hamlet@{}T19:30", days_ahead(days))).into();
    assert_eq!(refused["which"], serde_json::json!(which));
    let said = house.run("performance show Hamlet").err;
    assert_eq!(said.trim(), format!("\"Hamlet\" means more than one: {}. Write one of these.", which.join("; ")));
    house.json(&format!("performance show {}", which[0])).done();
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance {} --seats A1", which[1])).done();
}
