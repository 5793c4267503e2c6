//! Numbers, prices and currencies that make no sense, by lines of a program: each with its kind and sentence.

use serde_json::json;

use crate::serving::said;
use crate::support::House;

#[test]
fn numbers_and_prices_that_make_no_sense_change_nothing() {
    let house = House::empty();
    house.json("theater add Barn --rows 1x4 --area Floor=100").done();
    house
        .json("performance add --theater Barn --title Dance --start 2099-12-01T20:00 --end 2099-12-01T23:00 --price 10")
        .done();
    let dance = house.json("performance show Dance").done()["id"].clone();
    house
        .json("resource add Chairs --kind equipment --segment 60 --time-zone UTC --price 1 --count '120 chairs'")
        .done();
    house.json("prices set Week 'Family, Sat, by guests: EUR 5' 'Base: USD 14'").done();
    house.json("resource add Room --kind room --segment 60 --time-zone UTC --prices Week").done();
    let at =
        |day: u32| json!({ "from": format!("2099-12-{day:02}T10:00Z"), "until": format!("2099-12-{day:02}T12:00Z") });
    house.json("calendar book Chairs --count 40 --from 2099-12-01T10:00 --until 2099-12-01T12:00 --title Gala").done();
    let cart = house.json("cart open").done()["id"].clone();
    house.json(&format!("cart add {} --performance Dance --area Floor --count 4", cart.as_str().unwrap())).done();
    let book = |count: serde_json::Value| json!({ "book_slot": { "wants": [{ "of": ["chairs"], "any": count, "slot": at(1) }] } });
    let chairs = |count: &str| json!({ "change_resource": { "resource": "chairs", "patch": { "count": count } } });
    let places = |count: i64| json!({ "change_performance": { "performance": dance, "patch": { "capacity": [["Floor", count]] } } });
    let set = |count: i64| json!({ "set_count": { "cart": cart, "line": 1, "count": count } });
    let hold = |resource: &str, (count, day): (i64, u32)| json!({ "hold_slot": { "cart": null, "wants": [{ "resource": resource, "slot": at(day), "count": count }] } });
    let waits = |priority: i64| {
        let of = json!({ "performance": dance, "customer": { "name": "Bo" }, "seats": 1, "category": null, "priority": priority });
        json!({ "add_waiting": of })
    };
    let rules = |rule: &str| json!({ "set_prices": { "list": "L", "rules": [rule] } });
    let cases = [
        (book(json!(0)), "nothing_chosen", "at least one"),
        (book(json!(0.5)), "bad_input", "0.5"),
        (book(json!(-1)), "bad_input", "-1"),
        (book(json!(1_000_000_000)), "bad_value", "between 1 and 10000"),
        (book(json!(81)), "units_short", "80 of 120 are"),
        (chairs("half a chair"), "bad_input", "no whole number"),
        (chairs("40 tables, 3 lamps"), "bad_input", "not one unit"),
        (chairs("39 chairs"), "units_claimed", "40 chairs are taken"),
        (chairs("0 chairs"), "bad_input", "from 1 to 10000"),
        (chairs("1000000000 chairs"), "bad_input", "from 1 to 10000"),
        (places(3), "capacity_taken", "Choose 4 or more"),
        (places(0), "bad_value", "between 1 and 100000"),
        (places(1_000_000_000), "bad_value", "between 1 and 100000"),
        (set(0), "bad_value", "take the line out instead"),
        (set(1000), "area_short", "96 are left"),
        (hold("chairs", (0, 1)), "bad_value", "between 1 and 10000"),
        (hold("room", (1, 5)), "rule_lacks", "Family needs guests"),
        (hold("room", (2, 1)), "not_counted", "There is one Room"),
        (waits(0), "bad_value", "between 1 and 1000"),
        (waits(-1), "bad_input", "-1"),
        (rules("Weekend, Fri-Sun"), "bad_input", "Weekend lacks a price"),
        (rules("Family, by: EUR 1"), "bad_input", "Family lacks the name"),
        (json!({ "open_cart": { "currency": "DM" } }), "bad_input", "not a currency"),
        (json!({ "open_cart": { "curency": "EUR" } }), "unknown_field", "curency"),
    ];
    let journal = || house.json("journal").done();
    let before = journal();
    let lines: Vec<String> = cases.iter().map(|(act, ..)| json!({ "id": 1, "do": act }).to_string()).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let asked = json!({ "id": 1, "ask": { "read_price": { "resource": "room", "slot": at(1), "currency": "GBP" } } })
        .to_string();
    lines.push(&asked);
    let answers = said(&house, &lines);
    let priced = ("not_in_currency", "Base has no price in GBP. It has one in USD.");
    let expected = cases.iter().map(|(_, kind, words)| (*kind, *words)).chain([priced]);
    for ((line, answer), (kind, words)) in lines.iter().zip(&answers).zip(expected) {
        assert_eq!(answer["refused"]["kind"], kind, "{line}: {answer}");
        let problem = answer["refused"]["problem"].as_str().unwrap();
        assert!(problem.contains(words) && problem.ends_with('.'), "{line}: {problem}");
    }
    assert_eq!(answers.len(), lines.len());
    assert_eq!(journal(), before, "nothing changed");
    house.verified();
}
