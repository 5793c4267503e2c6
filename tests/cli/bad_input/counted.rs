//! Counts that make no sense, each in its own sentence.

use super::refused;
use crate::support::House;

const WHEN: &str = "--from 2099-12-01T10:00 --until 2099-12-01T12:00";

fn with_chairs() -> House {
    let house = House::empty();
    house
        .json("resource add Chairs --kind equipment --segment 60 --time-zone UTC --price 0.50 --count '200 chairs'")
        .done();
    house.json("resource add Studio --kind room --segment 60 --time-zone UTC").done();
    house
}

#[test]
fn a_count_is_a_whole_number_of_one_unit() {
    let house = with_chairs();
    let add = |count: &str| format!("resource add Tables --kind equipment --segment 60 --count '{count}'");
    for (count, words) in [
        ("200", "lacks the word for what is counted"),
        ("0 tables", "from 1 to 10000"),
        ("1000000000 tables", "from 1 to 10000"),
        ("half a table", "\"half\" is no whole number"),
        ("0.5 tables", "\"0.5\" is no whole number"),
        ("40 tables, 3 lamps", "is not one unit"),
    ] {
        refused(&house, &add(count), ("bad_value", words));
    }
    refused(&house, &format!("{} --parent Studio", add("4 tables")), ("counted_part", "has no parts and is none"));
    refused(
        &house,
        "resource add Leg --kind part --segment 60 --time-zone UTC --parent Chairs",
        ("counted_part", "Chairs is counted"),
    );
}

#[test]
fn more_than_are_free_of_another_unit_or_of_a_single_thing_are_refused() {
    let house = with_chairs();
    let book = |of: &str, count: &str| format!("calendar book {of} --count '{count}' {WHEN} --title Gala");
    house.json(&book("Chairs", "164 chairs")).done();
    refused(
        &house,
        &book("Chairs", "40"),
        ("units_short", "40 chairs are not free: 36 of 200 are, Tue 1 Dec 2099 10:00-12:00."),
    );
    refused(&house, &book("Chairs", "40 tables"), ("bad_value", "these are chairs, not tables"));
    for (count, words) in
        [("0", "from 1 to"), ("1000000000", "from 1 to"), ("half", "no whole number"), ("1 2", "not one unit")]
    {
        refused(&house, &book("Chairs", count), ("bad_value", words));
    }
    refused(&house, &book("Studio", "2"), ("not_counted", "There is one Studio"));
    refused(&house, &book("Chairs Studio", "2"), ("bad_value", "of one counted resource"));
    let cart = house.cart();
    refused(
        &house,
        &format!("cart add {cart} --resource Chairs --count 37 {WHEN}"),
        ("units_short", "37 chairs are not free"),
    );
    let each = |line: &str, cases: &[(&str, &str, &str)]| {
        for (count, kind, words) in cases {
            refused(&house, &format!("{line} --count '{count}'"), (kind, words));
        }
    };
    each(
        "resource change Chairs",
        &[
            ("163 chairs", "units_claimed", "164 chairs are taken"),
            ("300 tables", "unit_stays", "so they stay chairs"),
            ("0 chairs", "bad_value", "from 1 to 10000"),
            ("1000000000 chairs", "bad_value", "from 1 to 10000"),
            ("-5 chairs", "bad_value", "\"-5\" is no whole number"),
            ("half a chair", "bad_value", "\"half\" is no whole number"),
        ],
    );
    house.json(&format!("cart add {cart} --resource Chairs --count 30 {WHEN}")).done();
    each(
        &format!("cart set {cart} --line 1"),
        &[
            ("37", "units_short", "37 chairs are not free: 36 of 200 are"),
            ("1000000000", "bad_value", "between 1 and 10000"),
            ("0", "bad_value", "take the line out instead"),
            ("-1", "bad_value", "not a whole number"),
            ("0.5", "bad_value", "not a whole number"),
        ],
    );
    let more = house.json(&format!("cart set {cart} --line 1 --count 36")).done();
    assert_eq!(more["total"], "36.00", "{more}");
    each(
        &format!("calendar disable Chairs {WHEN}"),
        &[
            ("0", "bad_value", "from 1 to"),
            ("-1", "bad_value", "no whole number"),
            ("201", "units_short", "201 chairs are not free"),
            ("5 tables", "bad_value", "these are chairs, not tables"),
        ],
    );
    refused(&house, &format!("calendar disable Studio --count 2 {WHEN}"), ("not_counted", "There is one Studio"));
    house.json(&format!("calendar book Studio {WHEN} --title Band")).done();
    refused(&house, "resource change Studio --count '2 rooms'", ("count_stays", "Add another resource instead"));
}

#[test]
fn chairs_are_booked_by_number_and_the_calendar_says_how_many_are_left() {
    let house = with_chairs();
    let day = "--from 2099-12-01 --until 2099-12-02";
    let booked = house.json(&format!("calendar book Chairs --count 164 {WHEN} --title Gala")).done();
    assert_eq!(booked["price"], "164.00", "{booked}");
    let shown = house.run(&format!("calendar show Chairs {day}"));
    assert!(shown.text().contains("free, 36 of 200 chairs"), "{shown:?}");
    let list = house.run(&format!("calendar list {day}"));
    assert!(list.text().contains("164 chairs"), "{list:?}");
    let found = |count: &str| house.run(&format!("find --count {count} {WHEN}")).text().contains("Chairs");
    assert!(found("36") && !found("37"));
    let cart = house.cart();
    let added = house.json(&format!("cart add {cart} --resource Chairs --count '36 chairs' {WHEN}")).done();
    assert_eq!(added["total"], "36.00", "{added}");
    house.json(&format!("cart checkout {cart} --pay cash=36.00")).done();
    let paper = house.run("receipt print 1 --receipt-only");
    assert!(paper.text().contains("36 chairs"), "{paper:?}");
    let out = house.json(&format!("calendar disable Chairs --count 20 {WHEN} --reason wet")).done();
    assert!(out.to_string().contains("displaced"), "{out}");
    let feed = house.run("calendar export Chairs");
    assert!(
        feed.out.contains("LOCATION:164 chairs") && !feed.out.contains(":36 chairs"),
        "the newest lost theirs: {feed:?}"
    );
    house.verified();
}
