//! Seats, money and payments.

use willcall::domain::time::Span;
use willcall::engine::clock::{Clock, SystemClock};

use super::refused;
use crate::limit::until;
use crate::support::House;

fn refuses_to_add(rest: &str, expected: (&str, &str)) {
    let house = House::royal();
    let cart = house.cart();
    refused(&house, &format!("cart add {cart} --performance Movie {rest}"), expected);
    assert_eq!(house.free(), 80);
}

fn refuses_to_open(rest: &str, expected: (&str, &str)) {
    let house = House::royal();
    let add = "performance add --theater 'The Royal' --title X --end 2099-12-01T21:30";
    refused(&house, &format!("{add} {rest}"), expected);
}

fn refuses_to_be_paid(rest: &str, expected: (&str, &str)) {
    let house = House::royal();
    let cart = house.cart_with("B6");
    refused(&house, &format!("cart checkout {cart} {rest}"), expected);
    assert_eq!(house.seat("B6")["state"], "held");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    house.verified();
}

#[test]
fn unknown_seat() {
    refuses_to_add("--seats B6,Z9", ("unknown_seat", "no seat Z9"));
}

#[test]
fn repeated_seat() {
    refuses_to_add("--seats B6,b6", ("repeated_seat", "B6 is named twice"));
}

#[test]
fn empty_choice() {
    refuses_to_add("--seats ''", ("nothing_chosen", "Name at least one"));
    refuses_to_add("--seats ,,", ("nothing_chosen", "Name at least one"));
    refuses_to_add("--best 0", ("nothing_chosen", "Name at least one"));
}

#[test]
fn too_many_seats() {
    let named: Vec<String> =
        (1..=21).map(|n| format!("{}{}", if n > 16 { 'B' } else { 'A' }, (n - 1) % 16 + 1)).collect();
    let named = format!("--seats {}", named.join(","));
    for rest in [named.as_str(), "--best 21", "--best 4000000000"] {
        refuses_to_add(rest, ("too_many_seats", "at most 20"));
    }
    refuses_to_add("--best 17", ("no_seats_together", "the most is 16"));
    refuses_to_add("--best many", ("bad_value", "write it like 4"));
}

#[test]
fn something_that_is_not_there() {
    refuses_to_add("--seats B6 --type Senior", ("not_on_sale", "Choose Adult, Child"));
    refuses_to_add("--best 2 --category Gold", ("not_found", "no category \"Gold\""));
    refuses_to_add("--best 2 --zone Attic", ("not_found", "no zone \"Attic\""));
    let house = House::royal();
    let cart = house.cart();
    refused(&house, "cart add 0000 --performance Movie --seats B6", ("not_found", "no cart \"0000\""));
    refused(
        &house,
        &format!("cart add {cart} --performance Opera --seats B6"),
        ("not_found", "no performance \"Opera\""),
    );
    refused(&house, &format!("cart remove {cart} --line 7"), ("unknown_line", "no line \"7\""));
    refused(&house, "receipt show till-1/9", ("not_found", "no receipt \"till-1/9\""));
}

#[test]
fn past_performance() {
    let house = House::royal();
    let cart = house.cart();
    let at = |millis| (SystemClock::default().now() + Span::from_millis(millis)).rfc3339(chrono_tz::UTC);
    let line = format!(
        "performance add --theater 'The Royal' --title Soon --start {} --end {} --price 10",
        at(1500),
        at(3_600_000)
    );
    house.json(&line).done();
    // a seat that is not there is refused too, but not before the performance is
    let add = format!("cart add {cart} --performance Soon --seats Z9");
    until("the performance has begun", || !house.json(&add).out.contains("unknown_seat"));
    let facts = refused(&house, &add, ("sales_closed", "Choose a later one"));
    assert_eq!(facts["canceled"], false);
    refuses_to_open("--start 2020-01-01T19:30 --price 10", ("in_the_past", "Choose a time to come"));
}

#[test]
fn canceled_performance() {
    let house = House::royal();
    let cart = house.cart();
    house.json("performance cancel Movie --reason flooded").done();
    let facts =
        refused(&house, &format!("cart add {cart} --performance Movie --seats B6"), ("sales_closed", "was canceled"));
    assert_eq!((&facts["canceled"], &facts["start"]), (&true.into(), &"2099-12-01T19:30:00Z".into()));
}

#[test]
fn wrong_money() {
    let good = "--start 2099-12-01T19:30";
    for (amount, words) in [
        ("ten", "write it like 30.00"),
        ("-5.00", "below zero"),
        ("10.001", "more decimals than EUR"),
        ("10 USD", "amounts here are in EUR"),
        ("99999999999", "at most 10000000000.00"),
    ] {
        refuses_to_open(&format!("{good} --price '{amount}'"), ("bad_value", words));
        refuses_to_be_paid(&format!("--pay 'cash={amount}'"), ("bad_value", words));
    }
    refuses_to_open(&format!("{good} --price ''"), ("bad_value", "write it like 30.00"));
    refuses_to_open(&format!("{good} --price Gold=10"), ("not_found", "no category \"Gold\""));
    refuses_to_open(&format!("{good} --price 10 --price Adult=20 --price 30"), ("not_found", "no category"));
    refuses_to_open(&format!("{good} --price 10 --price */adult=20"), ("bad_value", "give each once"));
}

#[test]
fn wrong_currency() {
    let good = "--start 2099-12-01T19:30 --price 10 --currency";
    for wrong in ["EURO", "ERU", "''"] {
        refuses_to_open(&format!("{good} {wrong}"), ("bad_value", "code like EUR"));
    }
    let house = House::royal();
    house.json("performance add --theater 'The Royal' --title Abroad --start 2099-12-02T19:30 --end 2099-12-02T20:30 --price 10 --currency USD").done();
    let cart = house.cart_with("B6");
    refused(
        &house,
        &format!("cart add {cart} --performance Abroad --seats C6"),
        ("other_currency", "a cart of its own"),
    );
}

#[test]
fn wrong_length_of_a_performance() {
    let price = "--price 10 --start";
    refuses_to_open(&format!("{price} 2099-12-02T19:30"), ("ends_before_start", "later end"));
    refuses_to_open(&format!("{price} 2099-12-01T21:30"), ("ends_before_start", "later end"));
    refuses_to_open(&format!("{price} yesterday"), ("bad_value", "write it like"));
    let house = House::royal();
    let add = "performance add --theater 'The Royal' --title X --price 10 --start 2099-12-01T19:30";
    refused(&house, &format!("{add} --end 9999-12-31T00:00"), ("bad_value", "before the year 2500"));
}

#[test]
fn payment_short() {
    refuses_to_be_paid("--pay cash=5", ("payment_short", "EUR 5.00 of 10.00 is missing"));
    refuses_to_be_paid("--pay cash=5 --pay card=A7:4.99", ("payment_short", "EUR 0.01 of 10.00 is missing"));
    refuses_to_be_paid("--pay cash=0", ("payment_short", "EUR 10.00 of 10.00 is missing"));
}

#[test]
fn payment_over_by_card() {
    refuses_to_be_paid("--pay card=A7:12.00", ("card_over", "Charge at most 10.00"));
    refuses_to_be_paid("--pay card=A7:6 --pay card=A8:6", ("card_over", "Charge at most"));
}

#[test]
fn payment_that_is_none() {
    refuses_to_be_paid("--pay cheque=10", ("bad_value", "card=REF:12.00 or owed=CODE:20.00"));
    for amount in ["12.00", "10.00", "30", "5"] {
        refuses_to_be_paid(
            &format!("--pay card={amount}"),
            ("bad_value", "write card=REFERENCE or card=REFERENCE:AMOUNT"),
        );
    }
    refuses_to_be_paid("--pay ''", ("bad_value", "card=REF:12.00 or owed=CODE:20.00"));
    refuses_to_be_paid("--pay card=", ("card_reference_missing", "Type it in"));
}

#[test]
fn a_total_that_changed() {
    refuses_to_be_paid("--pay cash --total 9.00", ("total_changed", "EUR 10.00 now, not 9.00"));
    refuses_to_be_paid("--pay cash --total -1", ("bad_value", "below zero"));
}

#[test]
fn a_cart_that_cannot_be_paid() {
    let house = House::royal();
    let cart = house.cart();
    refused(&house, &format!("cart checkout {cart} --pay cash"), ("cart_empty", "Pick seats first"));
    let cart = house.cart_with("B6");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    refused(&house, &format!("cart checkout {cart} --pay cash"), ("cart_done", "receipt till-1/1"));
}

#[test]
fn wrong_hold() {
    let house = House::royal();
    for (hold, kind, words) in [
        ("soon", "bad_value", "write it like"),
        ("0", "bad_value", "no time at all"),
        ("-5m", "bad_value", "write it like"),
        ("999999h", "bad_value", "more than ten years"),
        ("48h", "out_of_range", "from 1s to 24h"),
    ] {
        refused(&house, &format!("cart open --hold {hold}"), (kind, words));
    }
}

#[test]
fn foreign_or_broken_plan_file_with_its_place() {
    let house = House::royal();
    let text = house.write("letter.json", "Dear Sir,\nno plan today.");
    let facts = refused(&house, &format!("theater import {text}"), ("bad_plan", "line 1"));
    assert_eq!(facts["place"], "line 1, column 1");
    let other = house.write("other.json", r#"{"name": "X", "zones": [{"rows": 7}]}"#);
    let facts = refused(&house, &format!("theater import {other}"), ("bad_plan", "rows"));
    assert!(facts["place"].as_str().unwrap().contains("zones[0]"), "{facts}");
    let binary = house.path("binary.json");
    std::fs::write(&binary, [0xff, 0xfe, 0, 1]).unwrap();
    refused(&house, &format!("theater import {}", binary.display()), ("bad_plan", "binary.json"));
    let empty = house.write("empty.json", "");
    refused(&house, &format!("theater import {empty}"), ("bad_plan", "empty"));
    refused(&house, "theater import /nowhere/plan.json", ("unreadable_file", "Check its name"));
    refused(&house, "theater import /dev/zero", ("bad_plan", "more than"));
    refused(&house, "theater add X --rows 5x", ("bad_plan", "5x16"));
}
