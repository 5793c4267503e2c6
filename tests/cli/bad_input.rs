//! Everything that people can get wrong has its own sentence, exit code 3, and changes nothing.

use std::collections::HashSet;

use crate::support::House;

#[test]
fn every_wrong_choice_of_seats_has_its_own_sentence() {
    let house = House::royal();
    let cart = house.cart();
    let add = |rest: &str| house.json(&format!("cart add {cart} --performance Movie {rest}"));
    let wrong = [
        (add("--seats B6,Z9"), "unknown_seat"),
        (add("--seats B6,b6"), "repeated_seat"),
        (add("--seats ''"), "nothing_chosen"),
        (add("--best 0"), "nothing_chosen"),
        (add("--best 21"), "no_seats_together"),
        (add("--best many"), "bad_value"),
        (add("--best 2 --category Gold"), "not_found"),
        (
            add("--seats A1,A2,A3,A4,A5,A6,A7,A8,A9,A10,A11,A12,A13,A14,A15,A16,B1,B2,B3,B4,B5"),
            "too_many_seats",
        ),
        (add("--seats B6 --type Senior"), "not_on_sale"),
        (
            house.json("cart add 0000 --performance Movie --seats B6"),
            "not_found",
        ),
        (
            house.json(&format!("cart add {cart} --performance Opera --seats B6")),
            "not_found",
        ),
    ];
    let mut sentences = HashSet::new();
    for (ran, kind) in &wrong {
        ran.refused(kind);
        sentences.insert(ran.err.clone());
    }
    // best 0 and an empty choice are one and the same
    assert!(sentences.len() >= wrong.len() - 1, "{sentences:#?}");
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn wrong_money_times_and_zones_are_refused_with_what_to_write() {
    let house = House::royal();
    let add = |title: &str, rest: &str| {
        house.json(&format!(
            "performance add --theater 'The Royal' --title '{title}' --end 2099-12-01T21:30 {rest}"
        ))
    };
    let good = "--start 2099-12-01T19:30";
    for (rest, field) in [
        (format!("{good} --price ten"), "price"),
        (format!("{good} --price -5.00"), "price"),
        (format!("{good} --price 10.001"), "price"),
        (format!("{good} --price 10 --currency EURO"), "currency"),
        ("--start yesterday --price 10".to_owned(), "start"),
    ] {
        let refused = add("X", &rest).refused("bad_value");
        assert_eq!(refused["field"], field, "{rest}");
        assert!(
            refused["problem"].as_str().unwrap().contains("like"),
            "{rest}"
        );
    }
    add("X", "--start 2020-01-01T19:30 --price 10").refused("in_the_past");
    add("X", "--start 2099-12-02T19:30 --price 10").refused("ends_before_start");
    add("X", &format!("{good} --price Gold=10")).refused("not_found");
    add("\u{1b}", &format!("{good} --price 10")).refused("bad_value");
    house
        .json("theater add Other --rows 2x2 --time-zone Mars/Base")
        .refused("bad_value");
    for wrong in [
        "set hold soon",
        "set hold 0m",
        "set hold -5m",
        "set seats-max many",
        "set currency 7",
    ] {
        house
            .json(&format!("settings {wrong}"))
            .refused("bad_value");
    }
    house
        .json("settings set hold-cap 1m")
        .refused("out_of_range");
    house.json("settings set seats-max 0").refused("bad_value");
    assert_eq!(
        house
            .json("performance list")
            .done()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    house.verified();
}

#[test]
fn a_local_time_that_is_not_there_or_there_twice_is_refused() {
    let house = House::empty();
    house
        .json("theater add Berlin --rows 2x2 --time-zone Europe/Berlin")
        .done();
    let add = |start: &str| {
        house.json(&format!("performance add --theater Berlin --title Night --start {start} --end 2027-10-31T09:00 --price 10"))
    };
    add("2027-03-28T02:30").refused("bad_value");
    let twice = add("2027-10-31T02:30").refused("bad_value");
    assert!(twice["problem"].as_str().unwrap().contains("+01:00"));
    let made = add("2027-10-31T02:30+01:00").done();
    assert_eq!(made["start"], "2027-10-31T02:30:00+01:00");
    house.verified();
}

#[test]
fn a_past_or_canceled_performance_sells_nothing() {
    let house = House::royal();
    let cart = house.cart();
    house.json("performance cancel Movie").done();
    let refused = house
        .json(&format!("cart add {cart} --performance Movie --seats B6"))
        .refused("sales_closed");
    assert_eq!(refused["canceled"], true);
    assert_eq!(refused["start"], "2099-12-01T19:30:00Z");
    house.verified();
}

#[test]
fn wrong_payments_are_refused_before_anything_is_sold() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    for wrong in [
        "--pay cheque=10",
        "--pay cash=lots",
        "--pay cash=-10",
        "--pay cash --total -1",
    ] {
        house
            .json(&format!("cart checkout {cart} {wrong}"))
            .refused("bad_value");
    }
    assert_eq!(house.json("receipt list").done(), serde_json::json!([]));
    house.verified();
}

#[test]
fn a_line_that_cannot_be_parsed_ends_with_2() {
    let house = House::royal();
    for line in [
        "sell",
        "cart add",
        "cart checkout",
        "performance disable --seats C3 --reason broken",
        "performance disable Movie --theater Royal --seats C3 --reason broken",
        "cart add 0000 --performance Movie",
        "settings set colour blue",
        "cart open --command-id seven",
        "--database x verify",
    ] {
        let ran = house.json(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:#?}");
        assert!(!ran.err.is_empty());
    }
    for line in ["--help", "--version", "help cart add"] {
        assert_eq!(house.run(line).code, 0);
    }
}
