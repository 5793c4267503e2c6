//! Acts that take seats and time from open carts, and marks without an end: what the command line says of them.

use serde_json::json;

use crate::support::House;

/// A house with a car that has a price.
fn with_car() -> House {
    let house = House::royal();
    house.json("resource add Car --kind car --segment 60 --time-zone UTC --price 5").done();
    house
}

/// A cart that holds four hours of the car.
fn cart_with_time(house: &House) -> String {
    let cart = house.cart();
    let hours = "--from 2099-12-01T08:00 --until 2099-12-01T12:00";
    house.json(&format!("cart add {cart} --resource Car {hours}")).done();
    cart
}

/// F8.
#[test]
fn seats_that_a_disable_takes_from_an_open_cart_are_told_there_and_in_its_answer() {
    let house = House::royal();
    let heard = house.path("heard");
    let listener = format!("cat >> {}", heard.display());
    house.json(&format!("settings set listener.resource_taken_over '{listener}'")).done();
    let cart = house.cart_with("A1,A2,A3");
    let disable = "performance disable Movie --reason Broken --seats";
    let done = house.json(&format!("{disable} A2")).done();
    assert_eq!((&done["displaced"], &done["carts"]), (&json!([]), &json!([cart])));
    let end = &cart[cart.len() - 6..];
    let said = house.run(&format!("{disable} A3"));
    let taken = format!("Taken from open cart ..{end}.");
    assert!(said.text().contains(&taken), "{}", said.text());
    let show = format!("cart show {cart}");
    let shown = house.json(&show).done();
    assert_eq!(shown["lines"][0]["seats"], json!(["A1"]));
    assert_eq!((&shown["lost"][0]["seats"], &shown["lost"][1]["seats"]), (&json!(["A2"]), &json!(["A3"])));
    assert_eq!(shown["lost"][0]["reason"], "Broken");
    let said = house.run(&show);
    let lost = "Lost: A2, Movie Tue 1 Dec 2099 19:30 (Broken)";
    assert!(said.text().contains(lost), "{}", said.text());
    house.json("job run").done();
    let heard = std::fs::read_to_string(heard).unwrap();
    assert!(heard.contains("\"event\":\"resource_taken_over\"") && heard.contains(&cart), "{heard}");
    house.verified();
}

/// F8.
#[test]
fn time_that_an_act_takes_from_an_open_cart_is_told_there_and_in_its_answer() {
    let house = with_car();
    let cart = cart_with_time(&house);
    let hour = "--from 2099-12-01T10:00 --until 2099-12-01T11:00";
    let said = house.run(&format!("calendar disable Car {hour} --reason paint"));
    let taken = format!("Taken from open cart ..{}.", &cart[cart.len() - 6..]);
    assert!(said.text().contains(&taken), "{}", said.text());
    assert!(!said.text().contains("Nobody"), "{}", said.text());
    let show = format!("cart show {cart}");
    let shown = house.json(&show).done();
    assert_eq!(
        shown["slots"][0]["taken"],
        json!([
            {"from": "2099-12-01T08:00:00Z", "until": "2099-12-01T10:00:00Z"},
            {"from": "2099-12-01T11:00:00Z", "until": "2099-12-01T12:00:00Z"},
        ])
    );
    let out = "resource out-of-service Car --from 2099-12-01 --reason brakes --displace --operator ada";
    let done = house.json(out).done();
    assert_eq!((&done["displaced"], &done["carts"]), (&json!([]), &json!([cart])));
    let shown = house.json(&show).done();
    assert_eq!((&shown["slots"], &shown["total"]), (&json!(null), &json!("0.00")));
    let lost = shown["lost"].as_array().unwrap();
    assert_eq!((lost.len(), &lost[1]["name"]), (2, &json!("Car")));
    let said = house.run(&show);
    let told = "Lost: Car Tue 1 Dec 2099 08:00-10:00, Tue 1 Dec 2099 11:00-12:00 (brakes)";
    assert!(said.text().contains(told), "{}", said.text());
    house.verified();
}

/// F16.
#[test]
fn a_maintenance_without_an_end_is_told_with_cause_owner_and_no_end() {
    let house = with_car();
    let mark = house.json("calendar maintain Car --from 2099-12-01T10:00 --reason oil").done();
    let window = "--from 2099-12-01 --until 2099-12-03";
    let show = format!("calendar show Car {window}");
    let shown = house.json(&show).done();
    let period = &shown[0]["periods"][1];
    assert_eq!(
        (&period["state"], &period["owner"], &period["operator"]),
        (&json!("maintenance"), &mark["id"], &json!("ada"))
    );
    assert_eq!(period["until_further_notice"], true);
    let list = format!("calendar list --resource Car {window}");
    for line in [show, list] {
        let said = house.run(&line);
        for words in ["Tue 1 Dec 2099 10:00 until further notice", "oil, by ada"] {
            assert!(said.text().contains(words), "{}", said.text());
        }
    }
    let out = "resource out-of-service Car --from 2099-12-02 --reason sold --operator ben";
    let refused = house.json(out).refused("slot_taken");
    assert_eq!(refused["slots"][0]["state"], "maintenance");
    house.json(&format!("{out} --displace")).done();
    house.verified();
}

/// F16.
#[test]
fn another_operators_maintenance_is_canceled_and_moved_only_with_override() {
    let house = with_car();
    let care = house.json("calendar maintain Car --from 2099-12-01T10:00 --until 2099-12-01T12:00 --reason oil").done();
    let id = care["id"].as_str().unwrap();
    for line in [
        format!("calendar move {id} --from 2099-12-01T14:00 --operator ben"),
        format!("calendar cancel {id} --operator ben"),
    ] {
        let refused = house.json(&line).refused("time_disabled_by_another");
        assert_eq!(refused["operators"], json!(["ada"]));
        house.json(&format!("{line} --override")).done();
    }
    house.verified();
}

#[test]
fn a_canceled_performance_tells_the_open_carts_that_lost_seats() {
    let house = House::royal();
    let carts = [house.cart_with("A1,A2"), house.cart_with("B1")];
    let done = house.json("performance cancel Movie --reason flooded").done();
    let mut told = done["carts"].as_array().unwrap().clone();
    told.sort_by_key(|cart| carts.iter().position(|one| cart == one));
    assert_eq!((told, &done["displaced"]), (carts.map(Into::into).to_vec(), &json!([])));
    let other = House::royal();
    let cart = other.cart_with("A1");
    let end = &cart[cart.len() - 6..];
    let said = other.run("performance cancel Movie --reason flooded");
    let taken = format!("Taken from open cart ..{end}.");
    assert!(said.text().contains(&taken), "{}", said.text());
    house.verified();
}
