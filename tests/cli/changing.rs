//! Corrections by lines: what is changed, retired and brought back; repeats, shown before they are opened.

use serde_json::{Value, json};

use crate::support::House;

fn fields(answer: &Value) -> Vec<&str> {
    answer["changed"].as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap()).collect()
}

#[test]
fn a_change_of_a_performance_lists_each_field_with_both_values() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let line = "performance change Movie --title Film --price 12.00 --end 2099-12-01T22:00";
    let shown = house.json(&format!("{line} --dry-run")).done();
    assert_eq!(house.json("performance show Movie").done()["title"], "Movie", "a preview changes nothing");
    let done = house.json(line).done();
    assert_eq!(shown["changed"], done["changed"]);
    assert_eq!(fields(&done), ["end", "prices", "title"]);
    assert_eq!(done["changed"][2], json!({"field": "title", "before": "Movie", "after": "Film"}));
    let price = |price: &str| json!({"category": null, "type": "Adult", "price": price});
    assert_eq!(done["changed"][1]["before"][0], price("10.00"));
    assert_eq!(done["changed"][1]["after"][0], price("12.00"));
    assert_eq!(done["prices"].as_array().unwrap().len(), 2, "the price for children stays");
    // what is held keeps its price
    assert_eq!(house.json(&format!("cart checkout {cart} --pay cash")).done()["total"], "10.00");
    let people = house.run("performance change Film --no-price Standard/Child --description 'in 3D'");
    let said = people.text();
    assert!(said.contains("CHANGED") && said.contains("category Standard price 5.50 type Child"), "{said}");
    assert!(said.contains("in 3D"), "{said}");
    assert!(house.run("performance change Film --title Film").text().starts_with("Nothing changed."));
    house.verified();
}

#[test]
fn a_run_is_changed_and_retired_in_one_act() {
    let house = House::royal();
    let add = "performance add --theater 'The Royal' --title Hamlt --price 9 --start 2099-12-04T19:30";
    house.json(&format!("{add} --end 2099-12-04T21:30 --repeat 'weekly x4'")).done();
    let mend = "performance change --all-of hamlt --title Hamlet --price 12.00 --end 2099-12-04T22:00";
    let shown = house.json(&format!("{mend} --dry-run")).done();
    assert_eq!(shown.as_array().unwrap().len(), 4);
    assert_eq!(house.json("performance list").done()[1]["title"], "Hamlt", "a preview changes nothing");
    let done = house.json(mend).done();
    assert_eq!(done[3]["end"], "2099-12-25T22:00:00Z");
    assert_eq!(fields(&done[3]), ["end", "prices", "title"]);
    // one date besides the first, with starts as far apart as before
    let two = "performance change 'Hamlet 2099-12-11' 'Hamlet 2099-12-18' --start 2099-12-11T20:00";
    let people = house.run(two);
    let said = people.text();
    assert!(said.starts_with("PERFORMANCE") && said.contains("Fri 18 Dec 2099 19:30  Fri 18 Dec 2099 20:00"), "{said}");
    // all or none, with the night that is in the way
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance 'Hamlet 2099-12-18' --seats A1")).done();
    let facts = house.json("performance retire --all-of Hamlet").refused("nights_stay");
    assert_eq!(facts["nights"].as_array().unwrap().len(), 1);
    let no = house.run("performance retire --all-of Hamlet");
    assert!(
        no.err.contains("Hamlet, Fri 18 Dec 2099 20:00: The performance Hamlet can't be retired yet: A1"),
        "{no:?}"
    );
    house.json(&format!("cart cancel {cart}")).done();
    house.json("performance retire 'Hamlet 2099-12-25' --all-of Hamlet").done();
    assert_eq!(house.json("performance list").done().as_array().unwrap().len(), 1);
    house.verified();
}

#[test]
fn what_is_retired_is_gone_from_lists_and_comes_back() {
    let house = House::royal();
    let titles = |line: &str| {
        let rows = house.json(line).done();
        rows.as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let gone = house.json("performance retire Movie").done();
    assert_eq!(gone["changed"][0], json!({"field": "state", "before": "open", "after": "retired"}));
    assert!(titles("performance list").is_empty());
    assert_eq!(titles("performance list --retired"), ["Movie"]);
    assert!(house.run("performance show Movie").text().contains("Movie  RETIRED"));
    assert_eq!(house.json("performance change Movie --no-retired").done()["state"], "open");
    assert_eq!(titles("performance list"), ["Movie"]);
    // a room
    house.json("resource add Studio --kind room --segment 60 --price 20.00").done();
    assert_eq!(house.json("resource retire Studio").done()["retired"], true);
    let window = "--from 2099-12-01T10:00 --until 2099-12-01T11:00";
    house.json(&format!("calendar book Studio --title X {window}")).refused("retired");
    assert_eq!(house.json("resource list --kind hall").done().as_array().unwrap().len(), 1);
    assert_eq!(house.json("resource list --retired").done()[0]["id"], "studio");
    let back = house.json("resource change Studio --no-retired --price 25.00 --open-hours 08:00-22:00").done();
    assert_eq!(fields(&back), ["open_hours", "price", "retired"]);
    house.json(&format!("calendar book Studio --title X {window}")).done();
    let facts = house.json("resource retire Studio").refused("stands_ahead");
    assert_eq!(facts["ahead"][0]["taken"]["by"], json!({"booking": "X"}));
    // a theater
    house.json("theater retire 'The Royal'").refused("stands_ahead");
    house.json("performance retire Movie").done();
    house.json("theater change 'The Royal' --name 'The Regal'").done();
    assert_eq!(house.json("theater retire 'The Regal'").done()["retired"], true);
    assert_eq!(house.json("theater list").done(), json!([]));
    assert_eq!(house.json("theater list --retired").done()[0]["name"], "The Regal");
    house.json("performance change Movie --no-retired").refused("retired");
    house.verified();
}

#[test]
fn a_retired_date_of_a_title_with_others_is_named_by_its_date() {
    let house = House::royal();
    let add = "performance add --theater 'The Royal' --title Hamlet --price 9";
    house.json(&format!("{add} --start 2099-12-04T19:30 --end 2099-12-04T21:30 --repeat 'weekly x2'")).done();
    house.json("performance retire 'Hamlet 2099-12-04'").done();
    assert_eq!(house.json("performance show Hamlet").done()["start"].as_str().unwrap()[..10], *"2099-12-11");
    let back = house.json("performance change 'Hamlet 2099-12-04' --no-retired").done();
    assert_eq!((back["state"].as_str(), fields(&back)), (Some("open"), vec!["state"]), "the hall follows");
    let longer = house.run("performance change 'Hamlet 2099-12-04' --end 2099-12-04T22:00");
    assert!(longer.text().contains("Fri 4 Dec 2099 21:30  Fri 4 Dec 2099 22:00"), "{longer:?}");
    house.verified();
}

#[test]
fn a_repeat_is_shown_date_by_date_and_opened_in_one_act() {
    let house = House::royal();
    let line = "performance add --theater 'The Royal' --title Hamlet --price 9 --start 2099-12-04T19:30 --end 2099-12-04T21:30 --repeat 'weekly x8' --except 2099-12-25";
    let shown = house.json(&format!("{line} --dry-run")).done();
    let starts = |of: &Value| -> Vec<String> {
        let rows = of["performances"].as_array().unwrap().iter();
        rows.map(|row| row["start"].as_str().unwrap()[..10].to_owned()).collect()
    };
    assert_eq!(starts(&shown).len(), 7);
    assert!(house.run(&format!("{line} --dry-run")).text().contains("Nothing was done: this is what it would do."));
    assert_eq!(house.json("performance list").done().as_array().unwrap().len(), 1);
    let done = house.json(line).done();
    assert_eq!(starts(&done), starts(&shown));
    assert!(!starts(&done).contains(&"2099-12-25".to_owned()));
    let facts = house.json(line).refused("slot_taken");
    assert_eq!(facts["slots"].as_array().unwrap().len(), 7, "every date that is taken is named");
    let copies = "performance copy 'Hamlet@2099-12-04T19:30' --start 2100-03-05T19:30 2100-03-12T19:30";
    assert_eq!(starts(&house.json(copies).done()), ["2100-03-05", "2100-03-12"]);
    house.verified();
}

#[test]
fn a_list_is_applied_again_and_renamed_after_it_was_shown_what_that_reaches() {
    let house = House::royal();
    house.json("prices set Week 'Child, for */Child: EUR 6.00' 'Base: EUR 10.00'").done();
    let night = "--theater 'The Royal' --start 2099-12-05T19:30 --end 2099-12-05T21:30 --prices Week";
    house.json(&format!("performance add --title Lear {night}")).done();
    let adult = || house.json("performance show Lear").done()["prices"][1].clone();
    assert_eq!(adult(), json!({"category": null, "type": "Adult", "price": "10.00", "list": "Week"}));
    assert!(house.run("performance show Lear").text().contains("LIST"));
    house.json("prices set Week 'Child, for */Child: EUR 6.00' 'Base: EUR 12.00'").done();
    assert_eq!(adult()["price"], "10.00");
    for line in ["prices apply Week --dry-run", "prices apply week", "prices apply Week"] {
        let ran = house.json(line);
        if line.contains("week") {
            ran.refused("not_found");
            continue;
        }
        let done = ran.done();
        assert_eq!((&done["performances"][0]["title"], &done["kept"]), (&json!("Lear"), &json!([])), "{line}");
    }
    assert_eq!(adult()["price"], "12.00");
    let rename = "prices rename Child Youth --ticket-type";
    for line in [format!("{rename} --dry-run"), rename.to_owned()] {
        let said = house.run(&line);
        assert_eq!(said.text().lines().next(), Some("Lists: Week"), "{line}");
        assert!(
            said.text().contains("2 performances: Movie Tue 1 Dec 2099 19:30, Lear Sat 5 Dec 2099 19:30"),
            "{said:?}"
        );
    }
    house.json(rename).refused("not_found");
    house.json("prices rename Week Winter").done();
    assert_eq!(adult()["list"], "Winter");
    house.verified();
}
