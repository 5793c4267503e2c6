//! Rehearsals: what `--dry-run` says is what the act then does, for the same operator at the same station.

use serde_json::Value;

use crate::support::House;

/// Fields that only the act has, or has anew each time.
const OF_THE_ACT: &[&str] = &["id", "number", "cart", "issued_at", "credit", "refund", "dry_run"];

/// An answer without what only an act has.
fn told(answer: Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| !OF_THE_ACT.contains(&name.as_str()));
            Value::Object(fields.map(|(name, value)| (name, told(value))).collect())
        }
        Value::Array(values) => values.into_iter().map(told).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

/// A house where everything that can be rehearsed can be done: four sales, a list of customers, a canceled night.
fn house() -> House {
    let house = House::royal();
    for seats in ["A1,A2", "B1,B2", "C1,C2", "D1,D2"] {
        let cart = house.cart_with(seats);
        house.json(&format!("cart checkout {cart} --pay card=R7:5.00 --pay cash")).done();
    }
    house.write("list.csv", "name;phone\nIda Weber;030 1\n");
    house
}

#[test]
fn what_is_rehearsed_is_what_is_done() {
    let house = house();
    let list = house.path("list.csv");
    let import = format!("customer import '{}'", list.display());
    for line in [
        "receipt refund 1 --seats A1 --back owed --reason ill",
        "receipt release 1 --seats A2 --reason ill",
        "receipt goodwill 2 --amount 4.00 --back cash --reason 'cold hall'",
        "receipt void 3 --reason 'wrong night'",
        &import,
        "performance cancel Movie --reason flooded",
        "performance settle Movie --back as-paid",
    ] {
        let would = match line {
            "performance cancel Movie --reason flooded" => None,
            line => Some(house.json(&format!("{line} --dry-run")).done()),
        };
        let done = house.json(line).done();
        if let Some(would) = would {
            assert_eq!(told(would), told(done), "{line}");
        }
    }
    house.verified();
}

#[test]
fn what_another_station_may_not_do_it_may_not_rehearse() {
    let house = house();
    let void = "--station till-2 receipt void till-1/1 --reason 'wrong night'";
    let rehearsed = house.json(&format!("{void} --dry-run"));
    rehearsed.refused("not_voidable");
    let done = house.json(void);
    done.refused("not_voidable");
    assert_eq!(rehearsed.err, done.err);
    assert!(done.err.contains("till-1 issued it"), "{}", done.err);
    house.verified();
}

#[test]
fn money_of_the_worklist_is_rehearsed_as_it_then_goes_back() {
    let house = House::royal();
    house.json("resource add Studio --kind room --segment 60 --price 80.00 --time-zone UTC").done();
    let hours = "--from 2099-12-01T10:00 --until 2099-12-01T13:00";
    let booked = house.json(&format!("calendar book Studio {hours} --title Choir")).done();
    let (id, cart) = (booked["booking"].as_str().unwrap(), house.cart());
    house.json(&format!("cart add {cart} --booking {id}")).done();
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    house.json(&format!("calendar cancel {id}")).done();
    let item = house.json("worklist").done();
    let line = format!("worklist refund {} --keep 20.00 --reason late", item[0]["id"].as_str().unwrap());
    let would = house.json(&format!("{line} --dry-run")).done();
    assert_eq!(house.json("worklist").done(), item, "nothing was done");
    assert_eq!(told(would)["receipts"], told(house.json(&line).done())["receipts"]);
    house.verified();
}
