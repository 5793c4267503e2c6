//! Time given back in part on the command line: what is left is what is told, in words, as JSON and as a file.

use serde_json::json;

use crate::support::House;

fn id(booked: &serde_json::Value) -> String {
    booked["booking"].as_str().unwrap().to_owned()
}

/// F1: the reproduction.
#[test]
fn one_minute_given_back_frees_no_half_hour() {
    let house = House::empty();
    house.json("resource add R --kind room --segment 30 --time-zone UTC").done();
    let booked = house.json("calendar book R --from 2099-12-02T10:05 --until 2099-12-02T12:10 --title t").done();
    let minute = format!("calendar release {} --from 2099-12-02T12:09 --until 2099-12-02T12:10", id(&booked));
    let refused = house.json(&minute).refused("no_whole_segment");
    assert_eq!(refused["whole"]["from"], "2099-12-02T12:00:00Z");
    assert_eq!(refused["whole"]["until"], "2099-12-02T12:30:00Z");
    assert_eq!(
        house.run(&minute).err.trim(),
        "R has segments of 30m: Wed 2 Dec 2099 12:09-12:10 holds no whole one. Name Wed 2 Dec 2099 12:00-12:30. Nothing was changed."
    );
    house
        .json("calendar book R --from 2099-12-02T12:00 --until 2099-12-02T12:05 --title intruder")
        .refused("slot_taken");
    house.verified();
}

/// F9: the reproduction.
#[test]
fn a_stay_with_a_night_given_back_is_told_without_it() {
    let house = House::empty();
    house.json("resource add 'Room 7' --kind hotel-room --segment 1440 --time-zone UTC --price 100.00").done();
    let booked = house.json("calendar book room-7 --from 2099-02-13 --until 2099-02-17 --title Weber").done();
    assert_eq!(booked["taken"], serde_json::Value::Null, "one stretch needs no list");
    let release = format!("calendar release {} --from 2099-02-14 --until 2099-02-15", id(&booked));
    let left = house.json(&release).done();
    assert_eq!(
        left["taken"],
        json!([
            {"from": "2099-02-13T00:00:00Z", "until": "2099-02-14T00:00:00Z"},
            {"from": "2099-02-15T00:00:00Z", "until": "2099-02-17T00:00:00Z"},
        ])
    );
    assert_eq!(
        (&left["from"], &left["until"], &left["price"]),
        (&json!("2099-02-13T00:00:00Z"), &json!("2099-02-17T00:00:00Z"), &json!("300.00"))
    );
    assert_eq!(left["wanted_until"], "2099-02-17T00:00:00Z");
    house.json("calendar book room-7 --from 2099-02-14 --until 2099-02-15 --title Other").done();
    let listed = house.json("calendar list --from 2099-02-14 --until 2099-02-15").done();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let exported = house.run("calendar export room-7");
    let days: Vec<&str> =
        exported.text().lines().filter_map(|line| line.trim().strip_prefix("DTSTART;VALUE=DATE:")).collect();
    assert_eq!(days, ["20990213", "20990214", "20990215"]);
    let file = house.write("own.ics", exported.text());
    let again = house.json(&format!("calendar import {file} --resource room-7")).done();
    assert_eq!(again["own"], json!(3), "its own events are known: {again}");
    let moved = house.json(&format!("calendar move {} --from 2099-02-20", id(&booked))).done();
    assert_eq!(
        (moved[0]["from"].as_str(), moved[1]["from"].as_str()),
        (Some("2099-02-20T00:00:00Z"), Some("2099-02-22T00:00:00Z"))
    );
    assert_eq!(moved[0]["price"], "300.00");
    house.verified();
}
