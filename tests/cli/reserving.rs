//! Reservations on the command line.

use serde_json::json;

use crate::support::House;

#[test]
fn a_cart_is_reserved_moved_listed_and_paid_by_somebody_else() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    let line = format!("cart reserve {cart} --customer 'Ida Weber' --phone 030-1234");
    let reserved = house.json(&format!("{line} --pay-by +3h --alert 1h --final 2h")).done();
    assert_eq!(reserved["customer"]["name"], "Ida Weber");
    assert_eq!(reserved["reservation"]["told"], "nothing");
    let first = reserved["expires_at"].as_str().unwrap().to_owned();
    for (pay_by, refused) in [("2020-01-01T10:00", "in_the_past"), ("2027-03-28T01:30", "bad_value")] {
        house.json(&format!("cart reserve {cart} --pay-by {pay_by}")).refused(refused);
    }
    house.json(&format!("cart reserve {cart} --pay-by 2099-11-27T18:00")).refused("bad_value");
    let later = house.json(&format!("cart reserve {cart} --pay-by +5h")).done();
    assert!(later["expires_at"].as_str().unwrap() > first.as_str());

    let listed = house.json("cart list --reserved").done();
    assert_eq!((&listed[0]["id"], listed.as_array().unwrap().len()), (&json!(cart), 1));
    let shown = house.run("cart list --reserved");
    assert!(shown.out.contains("reserved") && shown.out.contains("Ida Weber"), "{}", shown.out);

    let paid = house.json(&format!("cart checkout {cart} --pay cash --station till-9")).done();
    assert_eq!(paid["number"], "till-9/1");
    assert_eq!(paid["customer"]["name"], "Ida Weber");
    assert_eq!(house.json("cart list --reserved").done(), json!([]));
    house.verified();
}

#[test]
fn a_pay_by_that_is_not_there_or_there_twice_or_past_is_refused_in_a_sentence() {
    let house = House::royal();
    house.json("settings set time-zone Europe/Berlin").done();
    let cart = house.cart_with("B6");
    let line = format!("cart reserve {cart} --customer Ida --pay-by");
    for (typed, kind, says) in [
        ("2026-01-01T10:00", "in_the_past", "Choose a time to come"),
        ("2027-03-28T02:30", "bad_value", "does not exist"),
        ("2027-10-31T02:30", "bad_value", "comes twice"),
        ("soon", "bad_value", "write it like fri"),
        ("2099-12-01T20:20", "pay_by_too_late", "at the latest"),
    ] {
        let ran = house.json(&format!("{line} {typed}"));
        ran.refused(kind);
        assert!(ran.err.contains(says), "{typed}: {}", ran.err);
    }
    let nameless = house.json(&format!("cart reserve {cart} --pay-by +1h"));
    nameless.refused("name_missing");
    house.verified();
}
