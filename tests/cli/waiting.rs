//! Waiting lists on the command line.

use serde_json::json;

use crate::limit::until;
use crate::support::House;

#[test]
fn somebody_waits_is_offered_seats_and_leaves() {
    let house = House::royal();
    let added =
        house.json("waitlist add Movie --customer 'Ida Weber' --phone 030-1 --seats 2 --category Standard").done();
    let ida = &added[0];
    assert_eq!((&ida["state"], &ida["place"], &ida["seats"]), (&json!("waiting"), &json!(1), &json!(2)));
    assert_eq!(ida["why"], "seats are free: offered in a moment");
    assert_eq!(ida["ticket_type"], "Adult", "nobody said what they are");
    let id = ida["id"].as_str().unwrap().to_owned();
    house.json("waitlist add Movie --customer Bo --seats 500").refused("too_many_seats");
    house.json("waitlist add Movie --customer Bo --seats 2 --category Moon").refused("not_found");
    let listed = house.run("waitlist list Movie");
    assert!(listed.text().contains("Ida Weber"), "{listed:?}");
    house.json(&format!("waitlist remove {id}")).done();
    assert_eq!(house.json("waitlist list").done(), json!([]));
    let all = house.json("waitlist list --all").done();
    assert_eq!(all[0]["state"], "removed");
    house.verified();
}

#[test]
fn lower_priorities_wait_first_and_a_full_list_takes_no_more() {
    let house = House::royal();
    let add = |rest: &str| house.json(&format!("waitlist add Movie --seats 1 {rest}"));
    for (rest, why) in [
        ("--customer Bo --priority 0", "it has to be between 1 and 1000"),
        ("--customer Bo --priority -1", "priority"),
        ("--customer Bo --priority 1001", "it has to be between 1 and 1000"),
        ("--customer Bo --priority 1.5", "priority"),
        ("--customer Bo --priority first", "priority"),
    ] {
        let refused = add(rest).refused("bad_value");
        assert!(refused.to_string().contains(why), "{refused}");
    }
    assert_eq!(add("--customer Eve --dry-run").done()[0]["priority"], 1);
    assert_eq!(house.json("waitlist list").done(), json!([]), "only tried");
    add("--customer Usual").done();
    add("--customer Later --priority 7").done();
    add("--customer First --priority 1").done();
    house.json("settings set waitlist-max 3").done();
    let full = add("--customer Bo").refused("waitlist_full");
    assert_eq!(full["places"], 3, "{full}");
    let listed = house.json("waitlist list Movie").done();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Usual", "First", "Later"]);
    assert_eq!(listed[2]["priority"], 7);
    house.json("settings set waitlist-max 0").refused("bad_value");
    house.verified();
}

#[test]
fn an_offer_that_has_run_out_says_so_before_any_check() {
    let house = House::empty();
    house.json("theater add Attic --rows 1x1 --time-zone UTC").done();
    house
        .json("performance add --theater Attic --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00")
        .done();
    house.json("settings set offer 1s").done();
    house.json("waitlist add Movie --customer Ida --seats 1").done();
    let all = || house.json("waitlist list --all").done()[0].clone();
    until("an offer", || {
        house.json("job run").done();
        all()["state"] != "waiting"
    });
    until("the end of the offer", || all()["state"] != "offered");
    let lapsed = all();
    assert_eq!(lapsed["state"], "lapsed");
    let why = lapsed["why"].as_str().unwrap();
    assert!(why.starts_with("did not take the offer"), "{why}");
    house.verified();
}
