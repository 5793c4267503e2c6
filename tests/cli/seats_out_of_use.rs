//! Seats that are kept, broken, or taken from those who had them: case T16 and its neighbours.

use serde_json::json;

use crate::support::House;

#[test]
fn a_kept_seat_is_sold_only_on_purpose() {
    let house = House::royal();
    let kept = house.json("performance keep Movie --seats D9,D10 --reason Press --until 2099-12-01T18:30").done();
    assert_eq!(kept["until"], "2099-12-01T18:30:00Z");
    let seat = house.seat("D9");
    assert_eq!((&seat["state"], &seat["owner"], &seat["until"]), (&json!("booked"), &json!("house"), &kept["until"]));
    let cart = house.cart();
    let add = format!("cart add {cart} --performance Movie --seats D9");
    house.json(&add).refused("seats_taken");
    house.json(&format!("{add} --house")).done();
    house.json("performance unkeep Movie --seats D10").done();
    assert_eq!(house.seat("D10")["state"], "free");
    house.json("performance unkeep Movie --seats D10").refused("not_yours");
    house.json("performance keep Movie --seats D10 --reason Late --until 2020-01-01T00:00").refused("in_the_past");
    house.json("performance keep Movie --seats '' --reason None --until 2099-12-01T18:30").refused("nothing_chosen");
    house.verified();
}

#[test]
fn t16_a_disable_tells_whom_it_displaced_and_they_wait_on_the_worklist() {
    let house = House::royal();
    let open = house.cart_with("C1,C2");
    let sold = house.cart_with("C3,C4");
    house.json(&format!("cart checkout {sold} --pay cash")).done();
    let done = house.json("performance disable Movie --seats C2,C3 --reason 'Broken'").done();
    assert_eq!(done["displaced"][0]["lost"], json!(["C3"]));
    let cart = house.json(&format!("cart show {open}")).done();
    assert_eq!(cart["lines"][0]["seats"], json!(["C1"]));
    let work = house.json("worklist").done();
    assert_eq!(work.as_array().unwrap().len(), 1);
    let item = &work[0];
    assert_eq!(item["kind"], "seats");
    assert_eq!(house.json("worklist --kind seats").done(), work);
    assert_eq!(house.json("worklist --kind time").done(), json!([]));
    assert_eq!(item["order"], "receipt till-1/1");
    assert_eq!(item["lost"], json!(["C3"]));
    for field in ["id", "resource", "since"] {
        assert!(item[field].is_string(), "{field}");
    }
    assert_eq!(house.seat("C3")["state"], "disabled");
    assert_eq!(house.json("receipt show 1").done()["lost"], json!(["C3"]));
    let id = item["id"].as_str().unwrap();
    let refund = format!("worklist refund {id} --back cash --reason Broken");
    let done = house.json(&refund).done();
    assert_eq!((&done["state"], &done["receipts"][0]["kind"]), (&json!("resolved"), &json!("refund")));
    house.json(&refund).refused("already_resolved");
    assert_eq!(house.json("worklist").done(), json!([]));
    house.verified();
}

#[test]
fn a_disable_belongs_to_who_made_it() {
    let house = House::royal();
    house.json("performance disable Movie --seats C3 --reason Broken").done();
    let enable = "performance enable Movie --seats C3 --operator ben";
    let refused = house.json(enable).refused("disabled_by_another");
    assert_eq!(refused["operators"], json!(["ada"]));
    house.json(&format!("{enable} --override")).done();
    assert_eq!(house.seat("C3")["state"], "free");
    house.verified();
}

#[test]
fn a_seat_broken_in_the_house_is_out_of_use_in_all_that_comes() {
    let house = House::royal();
    house.json("performance disable --theater 'The Royal' --from 2099-01-01 --seats A1 --reason Broken").done();
    assert_eq!(house.seat("A1")["state"], "disabled");
    let next = house.json("performance add --theater 'The Royal' --title Next --start 2099-12-05T19:30 --end 2099-12-05T21:30 --price 10").done();
    assert_eq!(next["free"], 79);
    let theater = house.json("theater show 'The Royal'").done();
    assert_eq!(theater["out_of_use"][0]["seat"], "A1");
    house.json("performance enable --theater 'The Royal' --seats A1").done();
    assert_eq!(house.seat("A1")["state"], "free");
    assert_eq!(house.json("performance show Next").done()["free"], 80);
    house.verified();
}

#[test]
fn canceling_a_performance_sends_its_sold_seats_to_the_worklist() {
    let house = House::royal();
    let cart = house.cart_with("C3,C4");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    let canceled = house.json("performance cancel Movie --reason flooded").done();
    assert_eq!(canceled["state"], "canceled");
    assert_eq!(canceled["displaced"][0]["lost"], json!(["C3", "C4"]));
    house.verified();
}
