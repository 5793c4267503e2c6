//! Waiting lists on the command line.

use serde_json::json;

use crate::support::House;

#[test]
fn somebody_waits_is_offered_seats_and_leaves() {
    let house = House::royal();
    let added = house
        .json(
            "waitlist add Movie --customer 'Ida Weber' --phone 030-1 --seats 2 --category Standard",
        )
        .done();
    let ida = &added[0];
    assert_eq!(
        (&ida["state"], &ida["place"], &ida["seats"]),
        (&json!("waiting"), &json!(1), &json!(2))
    );
    assert_eq!(ida["why"], "seats are free: offered in a moment");
    let id = ida["id"].as_str().unwrap().to_owned();
    house
        .json("waitlist add Movie --customer Bo --seats 500")
        .refused("too_many_seats");
    house
        .json("waitlist add Movie --customer Bo --seats 2 --category Moon")
        .refused("not_found");
    let listed = house.run("waitlist list Movie");
    assert!(listed.text().contains("Ida Weber"), "{listed:?}");
    house.json(&format!("waitlist remove {id}")).done();
    assert_eq!(house.json("waitlist list").done(), json!([]));
    let all = house.json("waitlist list --all").done();
    assert_eq!(all[0]["state"], "removed");
    house.verified();
}
