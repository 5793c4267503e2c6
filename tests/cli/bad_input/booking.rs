//! Time: slots, zones, days that are not there, and resources.

use super::refused;
use crate::support::House;

fn room() -> House {
    let house = House::empty();
    house.json("resource add 'Room 7' --kind room --segment 30 --time-zone Europe/Berlin").done();
    house
}

fn refuses_to_book(slot: &str, expected: (&str, &str)) {
    let house = room();
    refused(&house, &format!("calendar book room-7 --title X {slot}"), expected);
    assert_eq!(house.json("calendar list").done(), serde_json::json!([]));
}

#[test]
fn end_before_start() {
    refuses_to_book("--from 2099-12-01T11:00 --until 2099-12-01T10:00", ("bad_value", "ends before it starts"));
}

#[test]
fn empty_slot() {
    refuses_to_book("--from 2099-12-01T11:00 --until 2099-12-01T11:00", ("bad_value", "ends when it starts"));
}

#[test]
fn wrong_or_missing_zone() {
    let house = room();
    for zone in ["Mars/Base", "''", "UTC+1"] {
        for line in [
            format!("resource add X --kind room --segment 30 --time-zone {zone}"),
            format!("theater add X --rows 1x1 --time-zone {zone}"),
            format!("settings set time-zone {zone}"),
        ] {
            refused(&house, &line, ("bad_value", "a name like Europe/London"));
        }
    }
    let made = house.json("resource add X --kind room --segment 30 --time-zone ' Europe/Berlin '").done();
    assert_eq!(made["time_zone"], "Europe/Berlin");
}

#[test]
fn the_gap_of_spring() {
    refuses_to_book("--from 2027-03-28T02:30 --until 2027-03-28T04:00", ("bad_value", "the clocks go forward over it"));
    refuses_to_book("--from 2027-03-28T01:00 --until 2027-03-28T02:30", ("bad_value", "the clocks go forward over it"));
}

#[test]
fn the_fold_of_autumn() {
    let both = "write 2027-10-31T02:30:00+02:00 or 2027-10-31T02:30:00+01:00";
    refuses_to_book("--from 2027-10-31T02:30 --until 2027-10-31T04:00", ("bad_value", both));
    let house = room();
    let booked = house
        .json("calendar book room-7 --title X --from 2027-10-31T02:30+02:00 --until 2027-10-31T02:30+01:00")
        .done();
    assert_eq!(booked["from"], "2027-10-31T02:30:00+02:00");
    assert_eq!(booked["until"], "2027-10-31T02:30:00+01:00");
    house.verified();
}

#[test]
fn the_gap_and_the_fold_of_a_performance() {
    let house = House::empty();
    house.json("theater add Berlin --rows 2x2 --time-zone Europe/Berlin").done();
    let add = |start: &str| {
        format!("performance add --theater Berlin --title Night --start {start} --end 2027-10-31T09:00 --price 10")
    };
    refused(&house, &add("2027-03-28T02:30"), ("bad_value", "the clocks go forward over it"));
    refused(&house, &add("2027-10-31T02:30"), ("bad_value", "+01:00"));
    let made = house.json(&add("2027-10-31T02:30+01:00")).done();
    assert_eq!(made["start"], "2027-10-31T02:30:00+01:00");
    house.verified();
}

#[test]
fn a_slot_in_the_past() {
    refuses_to_book("--from 2020-12-01T11:00 --until 2020-12-01T12:00", ("in_the_past", "Choose a time to come"));
}

#[test]
fn a_slot_that_never_ends() {
    refuses_to_book("--from 2099-12-01T11:00 --until 2199-12-01T12:00", ("bad_value", "at most three years"));
    refuses_to_book("--from +262142-12-31T10:00 --until +262142-12-31T11:00", ("bad_value", "before the year 2500"));
}

#[test]
fn what_is_no_time() {
    for wrong in ["yesterday", "''", "2099-02-30T10:00", "2099-12-01T25:00", "99999-01-01T10:00"] {
        refuses_to_book(&format!("--from {wrong} --until 2099-12-01T12:00"), ("bad_value", "write it like"));
    }
}

#[test]
fn a_segment_that_does_not_divide_a_day() {
    let house = room();
    for minutes in ["0", "1", "7", "25", "1441"] {
        refused(&house, &format!("resource add X --kind room --segment {minutes}"), ("bad_value", "use 5, 10, 15"));
    }
    for minutes in ["half", "-30", "30m", "''"] {
        refused(&house, &format!("resource add X --kind room --segment {minutes}"), ("bad_value", "whole number"));
    }
}

#[test]
fn beyond_the_horizon() {
    let house = House::empty();
    house.json("resource add Suite --kind hotel-room --segment 1440 --policy preallocated --time-zone UTC").done();
    let book = "calendar book suite --title X --from 2027-12-30T15:00 --until 2028-01-02T11:00";
    refused(&house, book, ("not_open", "none of its days is open"));
    house.json("resource open suite --until 2028-01-01").done();
    let facts = refused(&house, book, ("not_open", "open more"));
    assert_eq!(facts["from"], "2028-01-01T00:00:00Z");
    house.verified();
}

#[test]
fn nothing_or_the_same_twice() {
    let house = room();
    let slot = "--title X --from 2099-12-01T10:00 --until 2099-12-01T11:00";
    refused(&house, &format!("calendar book room-7 room-7 {slot}"), ("repeated_resource", "Name it once"));
    refused(&house, &format!("calendar book --any '' {slot}"), ("nothing_chosen", "Name at least one"));
    refused(&house, &format!("calendar book attic {slot}"), ("not_found", "no resource \"attic\""));
}

#[test]
fn a_calendar_that_is_broken_huge_or_endless() {
    let house = room();
    let import = |file: &str, expected| refused(&house, &format!("calendar import {file} --resource room-7"), expected);
    let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20990105T180000\nDURATION:PT1H\n";
    let broken = house.write("broken.ics", event);
    import(&broken, ("bad_calendar", "Export it again"));
    let endless = format!("{event}RRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR\n");
    let endless = house.write("endless.ics", &endless);
    let facts = import(&endless, ("bad_calendar", "with --until"));
    assert_eq!(facts["place"], "line 6");
    for huge in ["/dev/zero", &house.write("huge.ics", &"a".repeat(17 << 20))] {
        import(huge, ("bad_calendar", "more than 16 MB"));
    }
    import("/nowhere.ics", ("unreadable_file", "Check its name"));
}

#[test]
fn a_parent_cycle() {
    let house = room();
    let add = "resource add 'Half 7' --kind room --segment 30 --time-zone Europe/Berlin";
    refused(&house, &format!("{add} --parent 'Half 7'"), ("bad_value", "part of itself"));
    house.json(&format!("{add} --parent room-7")).done();
    let again = "resource add 'Room 7' --kind room --segment 30 --parent half-7";
    refused(&house, again, ("bad_value", "part of"));
    house.verified();
}

#[test]
fn closed_days_and_hire_that_make_no_sense() {
    let house = room();
    house.json("settings closed-days --close 2099-12-24").done();
    let book = "calendar book room-7 --title X --from 2099-12-24T10:00 --until 2099-12-24T11:00";
    refused(&house, book, ("house_closed", "The house is closed on Thu 24 Dec 2099. Choose another day"));
    refused(&house, &format!("{book} --repeat 'daily x1'"), ("nothing_chosen", "Nothing is chosen"));
    refused(&house, "settings closed-days --close 2099-02-30", ("bad_value", ""));
    for line in [
        "resource add Van --kind car --segment 60 --hire",
        "settings closed-days --force",
        "cart add x --performance y --seats A1 --closed",
    ] {
        assert_eq!(house.run(line).code, 2, "{line}");
    }
}
