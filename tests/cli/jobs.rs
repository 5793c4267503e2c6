//! Jobs on the command line: what is due, what somebody does by hand, settings per kind, and what is streamed.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::support::House;

fn list(house: &House, line: &str) -> Vec<Value> {
    house.json(line).done().as_array().unwrap().clone()
}

#[test]
fn a_job_is_listed_in_words_and_steered_by_hand() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7,B8");
    let jobs = list(&house, "job list --kind cart-expiry");
    let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
    assert_eq!(job["kind"], "cart_expiry");
    assert_eq!(job["subject"], cart.as_str());
    assert_eq!(job["about"], "cart of till-1, 3 seats");
    let text = house.run("job list --kind cart-expiry").text().to_owned();
    assert!(text.contains("in 29m") || text.contains("in 30m"), "{text}");
    let tail = &cart[cart.len() - 6..];
    let name = format!("cart-expiry {tail}");
    house.json(&format!("job retry {name}")).refused("job_not_parked");
    let parked = house.json(&format!("job park {name} --reason 'stocktaking'")).done();
    assert_eq!(parked["parked"]["why"], "by_hand");
    assert_eq!(parked["parked"]["words"], "ada parked it: stocktaking");
    assert_eq!(list(&house, "job list --kind cart-expiry"), Vec::<Value>::new());
    assert_eq!(list(&house, "job list --parked").len(), 1);
    house.json(&format!("job retry {name}")).done();
    house.json(&format!("job later {name} --at 2020-01-01T10:00")).refused("in_the_past");
    house.json(&format!("job later {name} --at 2090-01-01T10:00")).refused("out_of_range");
    house.json(&format!("job later {name} --at '2027-03-28T01:30'")).refused("bad_value");
    house.json(&format!("job later {name} --by 15m")).done();
    let run = house.json(&format!("job run {name}")).done();
    assert_eq!((&run["outcome"], &run["attempt"]), (&"moved".into(), &1.into()));
    let outcomes: Vec<Value> = list(&house, "job history").iter().map(|run| run["outcome"].clone()).collect();
    assert_eq!(outcomes, ["moved", "by_hand", "by_hand", "by_hand", "by_hand"]);
    assert_eq!(list(&house, "job history --outcome moved").len(), 1);
    house.json("job history --outcome odd").refused("bad_value");
    house.json("job show cart-expiry nowhere").refused("not_found");
    assert_eq!(house.json("job run").done()["checks"], 0);
    house.verified();
}

#[test]
fn every_guard_of_a_kind_is_a_setting_and_an_impossible_one_is_refused() {
    let house = House::royal();
    for (setting, value) in [("slot", "15m"), ("limit", "250ms"), ("tries", "2"), ("retry", "1m"), ("priority", "4")] {
        let set = format!("settings set job.cart_expiry.{setting} {value}");
        let answer = house.json(&set).done();
        assert_eq!(answer["value"], value, "{answer}");
    }
    assert_eq!(house.json("settings set job.reservation.checks 3").done()["value"], "3");
    for setting in ["job.reservation.horizon 1m", "job.cart-expiry.horizon 1m", "job.cart-expiry.checks 1"] {
        house.json(&format!("settings set {setting}")).refused("setting_not_of_kind");
    }
    let horizon = house.run("settings set job.reservation.horizon 1m");
    assert_eq!(
        horizon.err,
        "The kind reservation has no setting horizon. willcall job kinds lists those that it has.\n"
    );
    house.json("settings set job.cart-expiry.slot 0s").refused("bad_value");
    house.json("settings set job.cart-expiry.limit 2h").refused("out_of_range");
    house.json("settings set job.cart-expiry.priority 10").refused("bad_value");
    let listed = list(&house, "settings list");
    let id = |id: &str| listed.iter().any(|setting| setting["id"] == id);
    assert!(id("job.cart_expiry.slot") && !id("job.tidying.slot") && !id("job.cart_expiry.horizon"));
    house.json("settings set job.cart-expiry.slot usual").done();
    assert_eq!(list(&house, "settings list").len(), listed.len() - 5);
    house.json("settings set job.nothing.slot 1m").refused("not_found");
    for wrong in ["job.cart-expiry.colour 1", "listener.rain true"] {
        assert_eq!(house.json(&format!("settings set {wrong}")).code, 2, "{wrong}");
    }
    house.verified();
}

#[test]
fn what_is_told_is_streamed_with_the_journal() {
    let house = House::royal();
    let mut follower = house.on("journal --follow --json").stdout(std::process::Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let cart = house.cart_with("A1");
    house.json(&format!("cart set-aside {cart}")).done();
    house.json(&format!("cart take-over {cart} --operator ben --station till-2")).done();
    let told = lines
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap())
        .find_map(|entry| Some(entry["events"].as_array()?.first()?.clone()))
        .unwrap();
    follower.kill().unwrap();
    follower.wait().unwrap();
    assert_eq!(told["event"], "taken_over");
    assert_eq!(told["cart"], cart.as_str());
    assert_eq!((&told["from_station"], &told["station"]), (&"till-1".into(), &"till-2".into()));
}
