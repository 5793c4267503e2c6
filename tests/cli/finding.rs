//! Finding what is free: in which local time, and under which conditions.

use serde_json::json;

use crate::support::House;

/// Rooms in Berlin, Kathmandu and UTC in a house of London.
fn three_zones() -> House {
    let house = House::empty();
    house.json("settings set time-zone Europe/London").done();
    for (name, zone, price) in [("B", "Europe/Berlin", "80"), ("K", "Asia/Kathmandu", "120"), ("U", "UTC", "80")] {
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
        let found = house.json(&format!("find --kind room --for 1h {DAY} {more}")).done();
        let found = found.as_array().unwrap().iter();
        let slot = |one: &serde_json::Value| {
            (one["name"].clone(), one["slots"][0]["from"].clone(), one["slots"][0]["until"].clone())
        };
        json!(found.map(slot).collect::<Vec<_>>())
    };
    assert_eq!(
        found(""),
        json!([
            ["B", "2099-12-02T10:00:00+01:00", "2099-12-02T14:00:00+01:00"],
            ["K", "2099-12-02T10:00:00+05:45", "2099-12-02T14:00:00+05:45"],
            ["U", "2099-12-02T10:00:00Z", "2099-12-02T14:00:00Z"],
        ])
    );
    assert_eq!(found("--time-zone Europe/London")[0], json!(["B", "2099-12-02T10:00:00Z", "2099-12-02T14:00:00Z"]));
    let said = house.run(&format!("find --kind room {DAY}")).text().to_owned();
    assert!(said.contains("10:00-14:00 Asia/Kathmandu"), "{said}");
    let first = house.json(&format!("find --kind room --for 1h --first {DAY}")).done();
    assert_eq!(first[0]["name"], "K", "its morning is the first");
    let all = house.json(&format!("find --all U,B --for 1h {DAY}")).done();
    assert_eq!(all, json!([{"from": "2099-12-02T10:00:00Z", "until": "2099-12-02T13:00:00Z"}]));
    assert_eq!(house.json(&format!("find --all B,U --for 1h {DAY}")).done().as_array().unwrap().len(), 1);
    house.json("find --all U,K --for 1h --from 2099-12-02T10:00 --until 2099-12-02T12:00").refused("bad_value");
}

#[test]
fn f12_alternatives_in_another_time_zone_name_it() {
    let house = three_zones();
    house.json(&format!("calendar book U {DAY} --title Choir")).done();
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
    assert_eq!(found("--where price<100").done().as_array().unwrap().len(), 2);
    assert_eq!(found("--where beds>=2 --kind ROOM").done().as_array().unwrap().len(), 3);
}

#[test]
fn rooms_are_told_and_found_by_size_features_and_rating() {
    let house = House::empty();
    let add =
        |name: &str, sets: &str| house.json(&format!("resource add '{name}' --kind hotel-room --segment 1440 {sets}"));
    add("Metres", "--set 'size=28 m2' --set beds=2 --set rating=4.5 --set 'features=Balcony, sea view' --set images=https://example.org/1.jpg").done();
    add("Feet", "--set 'size=300 sqft' --set beds=1 --set type=suite --set 'description=quiet, to the yard'").done();
    let found = |condition: &str| {
        let found = house.json(&format!("find --from 2099-12-01 --until 2099-12-02 --where '{condition}'")).done();
        found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("size>=301 sqft"), ["Metres"]);
    assert_eq!(found("size<28 m2"), ["Feet"]);
    assert_eq!(found("features=balcony"), ["Metres"]);
    assert_eq!(found("features!=sea view"), ["Feet"]);
    assert_eq!((found("rating>4"), found("type=suite")), (vec!["Metres".to_owned()], vec!["Feet".to_owned()]));
    let long = "Two windows to the sea, a bath with a tub, a desk. ".repeat(4);
    house.json(&format!("resource change Metres --set 'description={long}'")).done();
    let shown = house.run("resource show Metres");
    assert!(shown.text().contains(&format!("\ndescription: {}\n", long.trim())), "{shown:?}");
    assert!(
        shown.text().contains("\nsize: 28 m2") && shown.text().contains("\nimages: https://example.org/1.jpg\n"),
        "{shown:?}"
    );
    for (set, words) in [
        ("size=28", "write a size with its unit"),
        ("size=-1 m2", "write a size with its unit"),
        ("beds=0", "write a whole number above 0"),
        ("guests=1.5", "write a whole number above 0"),
        ("rating=11", "write a number from 0 to 10"),
        ("images=room.jpg", "write links"),
        ("features=balcony,,bath", "write features parted by commas"),
    ] {
        for line in [
            format!("resource change Feet --set '{set}'"),
            format!("resource add New --kind room --segment 60 --set '{set}'"),
        ] {
            let ran = house.json(&line);
            ran.refused("bad_value");
            assert!(ran.err.contains(words), "{line}: {}", ran.err);
        }
    }
}

/// Kind and name of each hit of a search by words.
fn hits(house: &House, words: &str) -> Vec<(String, String)> {
    let found = house.json(&format!("find --text '{words}'")).done();
    let text = |hit: &serde_json::Value, field: &str| hit[field].as_str().unwrap().to_owned();
    let found = found.as_array().unwrap().iter();
    found.map(|hit| (text(hit, "kind"), text(hit, "name"))).collect()
}

/// Room 17 has the market of Lotus Söhne; Weber has bought, reserved and opened a cart.
fn remembered() -> House {
    let house = House::royal();
    house.json("resource add 'Room 17' --kind room --segment 60 --time-zone UTC").done();
    house
        .json("calendar book 'Room 17' --from 2099-12-05T14:00 --until 2099-12-05T18:00 --title 'Antiques market' --customer 'Lotus Söhne' --phone '+44 20 7946 0958'")
        .done();
    let sold = house.cart_with("A1");
    house.json(&format!("cart checkout {sold} --pay cash --name Weber --phone '07700 900417'")).done();
    let reserved = house.cart_with("B1");
    house.json(&format!("cart reserve {reserved} --customer Weber --phone '(07700) 900-417'")).done();
    let open = house.cart_with("B2");
    house.json(&format!("cart name {open} --name Weber")).done();
    house
}

#[test]
fn words_find_a_booking_by_title_and_customer_in_any_order() {
    let house = remembered();
    let market = [("booking".to_owned(), "Antiques market".to_owned())];
    for words in ["antiques", "MARKET", "sohne", "lotus söhne", "market lotus", "lotus antiq sat", "5 dec market"] {
        assert_eq!(hits(&house, words), market, "{words}");
    }
    for words in ["hmlt", "lotus sun", "market weber"] {
        assert_eq!(hits(&house, words), [], "{words}");
    }
    let told = house.run("find --text 'lotus market'").text().to_owned();
    for part in ["booking", "Antiques market", "Room 17", "Lotus Söhne", "5 Dec"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let none = house.run("find --text hmlt");
    assert_eq!(none.text().trim(), "Nothing is found. Use fewer words, or a part of one.");
}

#[test]
fn digits_find_a_phone_however_it_is_written() {
    let house = remembered();
    let kinds = |words: &str| -> Vec<String> {
        let found = hits(&house, words).into_iter();
        found.map(|(kind, _)| kind).collect()
    };
    for phone in ["07700 900417", "07700900417", "0417", "900-417", "(07700) 900"] {
        assert_eq!(kinds(phone), ["reservation", "receipt"], "{phone}");
    }
    for phone in ["7946", "+44 20 7946-0958", "4420 7946"] {
        assert_eq!(kinds(phone), ["booking"], "{phone}");
    }
}

#[test]
fn what_is_open_is_found_before_what_is_done() {
    let house = remembered();
    let found = hits(&house, "weber");
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["cart", "reservation", "receipt"]);
    assert_eq!(hits(&house, "movie weber"), found);
    assert_eq!(hits(&house, "web mov tue"), found);
}
