//! Finding what is free: in which local time, and under which conditions.

use serde_json::json;

use crate::support::House;

/// Rooms in Berlin, Kathmandu and UTC in a house of London.
fn three_zones() -> House {
    let house = House::empty();
    house.json("settings set time-zone Europe/London").done();
    for (name, zone, price) in [
        ("B", "Europe/Berlin", "80"),
        ("K", "Asia/Kathmandu", "120"),
        ("U", "UTC", "80"),
    ] {
        house
            .json(&format!(
                "resource add {name} --kind room --segment 15 --time-zone {zone} --price {price} --set beds=2"
            ))
            .done();
    }
    house
}

const DAY: &str = "--from 2099-12-02T10:00 --until 2099-12-02T14:00";

#[test]
fn f12_the_window_is_in_each_resources_local_time_or_in_the_one_that_is_said() {
    let house = three_zones();
    let found = |more: &str| {
        let found = house
            .json(&format!("find --kind room --for 1h {DAY} {more}"))
            .done();
        let found = found.as_array().unwrap().iter();
        let slot = |one: &serde_json::Value| {
            (
                one["name"].clone(),
                one["slots"][0]["from"].clone(),
                one["slots"][0]["until"].clone(),
            )
        };
        json!(found.map(slot).collect::<Vec<_>>())
    };
    assert_eq!(
        found(""),
        json!([
            [
                "B",
                "2099-12-02T10:00:00+01:00",
                "2099-12-02T14:00:00+01:00"
            ],
            [
                "K",
                "2099-12-02T10:00:00+05:45",
                "2099-12-02T14:00:00+05:45"
            ],
            ["U", "2099-12-02T10:00:00Z", "2099-12-02T14:00:00Z"],
        ])
    );
    assert_eq!(
        found("--time-zone Europe/London")[0],
        json!(["B", "2099-12-02T10:00:00Z", "2099-12-02T14:00:00Z"])
    );
    let said = house
        .run(&format!("find --kind room {DAY}"))
        .text()
        .to_owned();
    assert!(said.contains("10:00-14:00 Asia/Kathmandu"), "{said}");
    let first = house
        .json(&format!("find --kind room --for 1h --first {DAY}"))
        .done();
    assert_eq!(first[0]["name"], "K", "its morning is the first");
    let all = house.json(&format!("find --all U,B --for 1h {DAY}")).done();
    assert_eq!(
        all,
        json!([{"from": "2099-12-02T10:00:00Z", "until": "2099-12-02T13:00:00Z"}])
    );
    assert_eq!(
        house
            .json(&format!("find --all B,U --for 1h {DAY}"))
            .done()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    house
        .json("find --all U,K --for 1h --from 2099-12-02T10:00 --until 2099-12-02T12:00")
        .refused("bad_value");
}

#[test]
fn f12_alternatives_in_another_time_zone_name_it() {
    let house = three_zones();
    house
        .json(&format!("calendar book U {DAY} --title Choir"))
        .done();
    let ran = house.json(&format!("calendar book U {DAY} --title Yoga"));
    ran.refused("slot_taken");
    assert!(ran.err.contains("Europe/Berlin"), "{}", ran.err);
}

#[test]
fn f12_a_condition_that_cannot_be_read_is_refused() {
    let house = three_zones();
    let found = |more: &str| house.json(&format!("find {DAY} {more}"));
    for (more, part) in [
        ("--where 'beds=>2'", "write it like"),
        ("--where beds=", "write it like"),
        ("--where pillows>2", "there are beds, price"),
        ("--kind zz", "there are room"),
    ] {
        let ran = found(more);
        ran.refused("bad_value");
        assert!(ran.err.contains(part), "{more}: {}", ran.err);
    }
    assert_eq!(
        found("--where price<100").done().as_array().unwrap().len(),
        2
    );
    assert_eq!(
        found("--where beds>=2 --kind ROOM")
            .done()
            .as_array()
            .unwrap()
            .len(),
        3
    );
}
