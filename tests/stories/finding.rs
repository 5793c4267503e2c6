//! Search: whatever stands on a screen is found by words of it.

use willcall::domain::booking::Details;
use willcall::domain::customer::Customer;
use willcall::engine::ops::{BookSlot, Checkout, NameCustomer, Past, PayBy, ReserveCart, Want};
use willcall::engine::reads::find::ReadFind;

use super::calendar::{add, resource, slot};
use super::support::{House, paying};

/// Kind and name of each hit.
fn found(house: &House, text: &str) -> Vec<(&'static str, String)> {
    let find = ReadFind { text: text.into(), performance: Some(house.show), zone: chrono_tz::Tz::UTC };
    let hits = house.desk.read(find).unwrap();
    let told = hits.into_iter().map(|hit| (hit.target.word(), hit.name));
    told.collect()
}

fn customer(name: &str, phone: &str) -> Customer {
    Customer { name: name.into(), phone: phone.into(), ..Customer::default() }
}

/// Room 17 has the market of Lotus on the 28th; Weber has bought, reserved and opened a cart; Zoe has bought.
fn house() -> House {
    let house = House::royal();
    let room = add(&house, resource("Room 17", 60));
    add(&house, resource("Rehearsal 2", 15));
    let details = Details {
        title: "Antiques market".into(),
        customer: customer("Lotus Söhne", "+44 20 7946 0958"),
        note: String::new(),
        price: None,
    };
    house
        .desk
        .run(BookSlot {
            wants: vec![Want::all(vec![room], slot("2026-11-28 14:00 18:00"))],
            details,
            past: Past::Refuse,
        })
        .unwrap();
    for (seat, who) in [("A1", customer("Weber", "07700 900417")), ("A2", customer("Zoë Bjørn", ""))] {
        let cart = house.cart_with(seat);
        let sale = Checkout { customer: Some(who), ..paying(cart, 1000) };
        house.desk.run(sale).unwrap();
    }
    let reserved = house.cart_with("B1");
    house
        .desk
        .run(ReserveCart {
            cart: reserved,
            customer: Some(customer("Weber", "(07700) 900-417")),
            pay_by: PayBy::Usual,
            alert: None,
            last: None,
        })
        .unwrap();
    let open = house.cart_with("B2");
    house.desk.run(NameCustomer { cart: open, customer: customer("Weber", "") }).unwrap();
    house
}

#[test]
fn what_stands_on_a_screen_is_found_by_any_word_of_it() {
    let house = house();
    let one = |text: &str, kind: &str, name: &str| {
        let hits = found(&house, text);
        assert_eq!(hits, [(kind_of(kind), name.to_owned())], "{text}");
    };
    for text in [
        "antiques",
        "MARKET",
        "lotus",
        "sohne",
        "market lotus",
        "lotus market sat",
        "7946",
        "+44 20 7946-0958",
        "market 28 nov",
    ] {
        one(text, "booking", "Antiques market");
    }
    one("rehearsal 2", "resource", "Rehearsal 2");
    one("zoe", "receipt", "Zoë Bjørn");
    one("BJORN zoë", "receipt", "Zoë Bjørn");
    one("acti sat", "performance", "Action Movie 5");
    one("b6", "seat", "B6");
    assert_eq!(found(&house, "17 room")[0].0, "resource");
    assert_eq!(found(&house, "hmlt"), []);
    assert_eq!(found(&house, "lotus sun"), []);
    assert_eq!(found(&house, "  "), []);
}

/// The letters of a word may have others between them; what has the word as typed comes first.
#[test]
fn a_word_is_found_by_its_letters_in_order_behind_what_has_it_as_typed() {
    let house = house();
    let first = |text: &str| found(&house, text).into_iter().next();
    let hit = |kind: &str, name: &str| Some((kind_of(kind), name.to_owned()));
    for text in ["antqs", "mrkt lotus", "sohn antiqs", "ltus 28 nov"] {
        assert_eq!(first(text), hit("booking", "Antiques market"), "{text}");
    }
    assert_eq!(first("rhrsl"), hit("resource", "Rehearsal 2"));
    assert_eq!(first("sat mvie"), hit("performance", "Action Movie 5"));
    assert_eq!(first("bjrn"), hit("receipt", "Zoë Bjørn"));
    let webr: Vec<_> = found(&house, "wbr").into_iter().map(|hit| hit.1).collect();
    assert_eq!(webr, ["Weber", "Weber", "Weber"]);
    assert_eq!(found(&house, "wbr")[2].0, "receipt", "open things first");
    assert_eq!(found(&house, "rbw"), []);
}

#[test]
fn what_is_open_comes_before_what_is_done() {
    let house = house();
    let kinds = |text: &str| -> Vec<&str> {
        let hits = found(&house, text);
        hits.into_iter().map(|(kind, _)| kind).collect()
    };
    assert_eq!(kinds("weber"), ["cart", "reservation", "receipt"]);
    assert_eq!(kinds("weber acti"), ["cart", "reservation", "receipt"]);
    for phone in
        ["07700 900417", "07700900417", "0417", "900-417", "900 417", "+44 7700 900417", "weber 0044 (7700) 900 417"]
    {
        assert_eq!(kinds(phone), ["reservation", "receipt"], "{phone}");
    }
}

/// Ids that were made at one time begin alike, so a part of one is in many.
#[test]
fn a_cart_is_found_by_the_tail_of_its_id_and_by_no_other_part() {
    let house = House::royal();
    let id = house.cart_with("B1").to_string();
    let kinds = |text: &str| -> Vec<&str> {
        let hits = found(&house, text);
        hits.into_iter().map(|(kind, _)| kind).collect()
    };
    let (head, tail) = (&id[..8], &id[id.len() - 6..]);
    assert_eq!(kinds(tail), ["cart"], "{tail}");
    assert_eq!(kinds(head), [""; 0], "{head}");
}

fn kind_of(word: &str) -> &'static str {
    let kinds = ["booking", "resource", "receipt", "performance", "seat"];
    kinds.into_iter().find(|kind| *kind == word).unwrap()
}
