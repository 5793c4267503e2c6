//! Numbers of places that make no sense, each in its own words.

use super::refused;
use crate::support::House;

#[test]
fn numbers_of_places_are_whole_and_there_are_that_many() {
    let house = House::empty();
    for (area, words) in [
        ("Floor", "has no number"),
        ("=300", "names no area"),
        ("Floor=0", "no place at all"),
        ("Floor=0.5", "not a whole number"),
        ("Floor=-3", "not a whole number"),
        ("Floor=many", "not a whole number"),
        ("Floor=1000000000", "too many"),
        ("Floor=99999999999", "too many"),
    ] {
        refused(&house, &format!("theater add Barn --area {area}"), ("bad_value", words));
    }
    refused(&house, "theater add Barn --area Floor=3 --area floor=4", ("bad_plan", "Give each a name of its own"));
    for rows in ["12x16 standing gallery 60", "12x16, gallery 60", "12x16 Gallery:60", "12 rows of 16"] {
        let words = "Write rows x seats, a length or standing room, with commas between: 5x16, 12, Gallery=60.";
        refused(&house, &format!("theater add Barn --rows '{rows}'"), ("bad_plan", words));
    }
    refused(&house, "theater add Barn --rows '2x4, Floor=0'", ("bad_plan", "no place at all"));
    refused(&house, "theater add Barn --rows '2x4, Floor=3' --area floor=4", ("bad_plan", "a name of its own"));
    assert_eq!(house.json("theater add Attic --rows '2x4, Gallery=60' --area Bar=9").done()["seats"], 77);
    house.json("theater add Barn --rows 1x4 --area Floor=100").done();
    house
        .json("performance add --theater Barn --title Dance --start 2099-12-01T20:00 --end 2099-12-01T23:00 --price 10")
        .done();
    let cart = house.json("cart open").done()["id"].as_str().unwrap().to_owned();
    let add = format!("cart add {cart} --performance Dance");
    house.json(&format!("{add} --area Floor --count 2")).done();
    house.json(&format!("{add} --seats A1")).done();
    for (line, kind, words) in [
        (format!("{add} --area Floor --count 0"), "bad_value", "no place of Floor is wanted; name 1 or more"),
        (format!("{add} --area Floor --count 1.5"), "bad_value", "not a whole number"),
        (format!("{add} --area Floor --count 1000000000"), "bad_value", "too many"),
        (format!("{add} --area Floor --count 99"), "area_short", "Of Floor 98 are left, not 99"),
        (format!("{add} --area Gallery --count 2"), "not_found", "Choose Floor"),
        (format!("{add} --seats Gallery=2"), "not_found", "Choose Floor"),
        (format!("cart set {cart} --line 1 --count 0"), "bad_value", "take the line out instead"),
        (format!("cart set {cart} --line 1 --count 1000"), "area_short", "not 998"),
        (format!("cart set {cart} --line 1 --count 1000000000"), "area_short", "98 are left"),
        (format!("cart set {cart} --line 1 --count half"), "bad_value", "not a whole number"),
        (format!("cart set {cart} --line 2 --count 2"), "bad_value", "its seats have numbers"),
        (format!("cart set {cart} --line 9 --count 2"), "unknown_line", "9"),
        (format!("cart remove {cart} --line 1 --seats Floor=0"), "bad_value", "no place of Floor is wanted"),
        (format!("cart remove {cart} --line 1 --seats Floor=3"), "area_short", "not 3"),
        (
            "performance change Dance --capacity Floor=1".to_owned(),
            "capacity_taken",
            "Floor can't have 1 place: 2 are held, sold, kept or out of use. Choose 2 or more.",
        ),
        ("performance change Dance --capacity Floor=0".to_owned(), "bad_value", "no place at all"),
        ("performance change Dance --capacity Floor=1000000000".to_owned(), "bad_value", "too many"),
        ("performance change Dance --capacity Floor=2.5".to_owned(), "bad_value", "not a whole number"),
        ("performance change Dance --capacity Stalls=20".to_owned(), "not_found", "Choose Floor"),
        ("performance unkeep Dance --seats Floor=2".to_owned(), "area_short", "kept by the house"),
        ("performance enable Dance --seats Floor=2".to_owned(), "area_short", "out of use"),
    ] {
        refused(&house, &line, (kind, words));
    }
}
