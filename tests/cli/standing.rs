//! Standing room on the command line: an imported floor, papers, exchanges, and lists.

use serde_json::json;

use crate::support::House;

/// A house with two seats and a floor, as pretix writes it.
fn imported() -> House {
    let house = House::empty();
    let seat = |number: u32| {
        json!({"seat_number": number.to_string(), "seat_guid": format!("g{number}"), "category": "Gold",
            "position": {"x": number * 25, "y": 0}})
    };
    let plan = json!({
        "name": "Club",
        "categories": [{"name": "Gold", "color": "#ffcc00"}, {"name": "Stand", "color": "#00ccff"}],
        "size": {"width": 100, "height": 100},
        "zones": [
            {"name": "Floor", "position": {"x": 0, "y": 50}, "standing": 60, "category": "Stand"},
            {"name": "Stalls", "position": {"x": 0, "y": 0}, "rows": [
                {"row_number": "A", "position": {"x": 0, "y": 0}, "seats": [seat(1), seat(2)]}
            ]},
        ],
    });
    let file = house.write("club.json", &plan.to_string());
    house.json(&format!("theater import {file} --time-zone UTC --strict")).done();
    house
        .json("performance add --theater Club --title Gig --start 2099-12-01T20:00 --end 2099-12-01T23:00 --price 'Gold=20' --price 'Stand=10'")
        .done();
    house
}

#[test]
fn an_imported_floor_is_sold_exchanged_printed_and_listed_without_numbers() {
    let house = imported();
    let cart = house.json("cart open").done()["id"].as_str().unwrap().to_owned();
    house.json(&format!("cart add {cart} --performance Gig --area floor --count 3 --seats A1")).done();
    let shown = house.json(&format!("cart show {cart}")).done();
    assert_eq!(shown["total"], "50.00", "{shown}");
    assert_eq!(shown["lines"].as_array().unwrap().len(), 2, "{shown}");
    house.json(&format!("cart checkout {cart} --pay cash=50 --name Ida")).done();
    let door = house.run("performance door Gig");
    assert!(door.text().contains("Floor, 3 standing"), "{}", door.out);
    let receipt = house.run("receipt print 1");
    assert!(receipt.text().contains("Floor, 3 standing"), "{}", receipt.out);
    assert_eq!(receipt.out.matches("Floor, standing").count(), 3, "a ticket each: {}", receipt.out);
    assert!(!receipt.out.contains("Seat Floor"), "{}", receipt.out);

    house.json("receipt exchange 1 --seats Floor=1 --for A2 --pay cash=10").done();
    house.json("receipt exchange 1 --seats A1 --for Floor=2 --pay cash=0").done();
    let seats = house.json("performance seats Gig").done();
    let floor = &seats["areas"][0];
    assert_eq!((&floor["area"], &floor["booked"], &floor["free"]), (&json!("Floor"), &json!(4), &json!(56)), "{seats}");
    assert!(house.run("performance seats Gig").text().contains("Floor, standing: 56 of 60 free"));

    house.json("performance keep Gig --seats Floor=6 --reason band --until 2099-12-01T19:00").done();
    house.json("performance disable Gig --seats Floor=10 --reason mixer").done();
    let changed = house.json("performance change Gig --capacity Floor=30").done();
    assert_eq!(changed["capacity"], json!(["Floor=30"]), "{changed}");
    let floor = house.json("performance seats Gig").done()["areas"][0].clone();
    assert_eq!((&floor["places"], &floor["free"], &floor["kept"]), (&json!(20), &json!(10), &json!(6)), "{floor}");
    house.json("performance copy Gig --start 2099-12-08T20:00").done();
    assert_eq!(house.json("verify").done()["ok"], true);
}
