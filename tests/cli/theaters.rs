//! Theaters and performances: row lengths, plan files, pages of a list, settings and the journal.

use serde_json::{Value, json};

use crate::support::House;

/// A plan of one row, as pretix writes it, with a key that no version of the format has.
fn plan(seats: &[&str]) -> String {
    let seats: Vec<Value> = seats
        .iter()
        .zip(0..)
        .map(|(number, place)| {
            json!({"seat_number": number, "seat_guid": format!("g{place}"), "position": {"x": place * 25, "y": 0}, "category": "Gold"})
        })
        .collect();
    json!({
        "name": "Small House",
        "categories": [{"name": "Gold", "color": "#ffcc00"}],
        "size": {"width": 100, "height": 100},
        "zones": [{"name": "Stalls", "position": {"x": 0, "y": 0}, "rows": [
            {"row_number": "A", "position": {"x": 0, "y": 0}, "seats": seats}
        ]}],
    })
    .to_string()
}

#[test]
fn a_ticket_names_its_seat_in_the_words_of_the_plan() {
    let house = House::empty();
    let words = r#""row_number":"A","row_label":"Row %s","seat_label":"Chair %s""#;
    let labeled = plan(&["1", "2"]).replace(r#""row_number":"A""#, words);
    let file = house.write("plan.json", &labeled);
    house.json(&format!("theater import {file} --strict --time-zone UTC")).done();
    house
        .json("performance add --theater 'Small House' --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 9")
        .done();
    let cart = house.cart_with("A2");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    let printed = house.run("receipt print 1");
    assert!(printed.text().contains("Row A, Chair 2") && !printed.text().contains("Seat A2"), "{printed:#?}");
    house.verified();
}

#[test]
fn t11_row_lengths_make_ragged_houses() {
    let house = House::empty();
    let made = house.json("theater add Studio --rows 1,2,3,4,5 --time-zone Europe/Berlin").done();
    assert_eq!(made["seats"], 15);
    assert_eq!(made["time_zone"], "Europe/Berlin");
    assert_eq!(house.json("theater show studio").done()["id"], made["id"]);
    for wrong in ["5x", "0x3", "", "-3"] {
        house.json(&format!("theater add Other --rows '{wrong}'")).refused("bad_plan");
    }
    house.json("theater add STUDIO --rows 1x1").refused("exists");
    house.verified();
}

#[test]
fn t19_an_imported_plan_gets_versions_and_sold_seats_keep_theirs() {
    let house = House::empty();
    let first = house.write("first.json", &plan(&["1", "2", "3"]));
    let second = house.write("second.json", &plan(&["1", "2", "3", "4", "5"]));
    let made = house.json(&format!("theater import {first} --time-zone UTC")).done();
    assert_eq!((&made["name"], &made["seats"]), (&json!("Small House"), &json!(3)));
    let open = |title: &str, day: u32| {
        house.json(&format!("performance add --theater 'Small House' --title {title} --start 2099-12-0{day}T19:30 --end 2099-12-0{day}T21:30 --price Gold=9")).done()
    };
    open("Old", 1);
    let id = "01900000-0000-7000-8000-000000000002";
    let change = format!("theater import {second} --command-id {id}");
    let changed = house.json(&change).done();
    assert_eq!((&changed["id"], &changed["seats"]), (&made["id"], &json!(5)));
    assert_ne!(changed["plan"], made["plan"]);
    assert_eq!(house.json(&change).done()["plan"], changed["plan"], "sent again");
    open("New", 2);
    assert_eq!(house.json("performance show Old").done()["seats"], 3);
    assert_eq!(house.json("performance show New").done()["seats"], 5);
    house.json(&format!("theater import {second} --time-zone Europe/Paris")).refused("bad_value");
    house.verified();
}

#[test]
fn a_broken_seat_that_a_new_plan_lacks_is_told_when_a_performance_opens() {
    let house = House::empty();
    let first = house.write("first.json", &plan(&["1", "2", "3"]));
    let second = house.write("second.json", &plan(&["1", "2"]));
    house.json(&format!("theater import {first}")).done();
    house.json("performance disable --theater 'Small House' --from 2099-01-01 --seats A3 --reason Broken").done();
    house.json(&format!("theater import {second}")).done();
    let opened = house.json(
        "performance add --theater 'Small House' --title New --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 9",
    );
    assert_eq!(opened.done()["lacking"], json!(["A3"]));
    assert!(opened.err.contains("A3"), "{}", opened.err);
    house.verified();
}

#[test]
fn a_broken_or_foreign_plan_is_refused_with_its_place() {
    let house = House::empty();
    let cut = house.write("cut.json", &plan(&["1"])[..40]);
    let refused = house.json(&format!("theater import {cut}")).refused("bad_plan");
    assert!(refused["place"].as_str().unwrap().starts_with("line 1"));
    let foreign = house.write("foreign.json", r#"{"name": "X", "zones": [{"rows": 7}]}"#);
    let refused = house.json(&format!("theater import {foreign}")).refused("bad_plan");
    assert!(refused["place"].as_str().is_some_and(|place| !place.is_empty()), "{refused}");
    let stray = house.write("stray.json", &plan(&["1"]).replace(r#""category":"Gold""#, r#""category":"Lead""#));
    let refused = house.json(&format!("theater import {stray}")).refused("bad_plan");
    assert!(refused["place"].as_str().unwrap().contains("seats[0]"), "{refused}");
    house.json("theater import /nowhere/plan.json").refused("unreadable_file");
    let folder = house.folder.path().display().to_string();
    house.json(&format!("theater import {folder}")).refused("unreadable_file");
    assert_eq!(house.json("theater list").done(), json!([]));
}

#[test]
fn what_is_odd_is_listed_and_strict_refuses_it() {
    let house = House::empty();
    let odd = house.write("odd.json", &plan(&["1", "2"]).replace("g1", "g0"));
    house.json(&format!("theater import {odd} --strict")).refused("bad_plan");
    let made = house.json(&format!("theater import {odd}")).done();
    let oddities = made["oddities"].as_array().unwrap();
    assert!(oddities.iter().any(|odd| odd["place"].as_str().unwrap().contains("seats[1]")), "{made}");
    let people = house.run(&format!("theater import {odd} --name Again"));
    let said = people.text();
    assert!(said.contains("seat_guid 'g0' is there more than once"), "{said}");
    let people = house.run(&format!("theater import {odd} --name Again --verbose"));
    assert!(people.text().contains("ODD AT"));
}

#[test]
fn oddities_are_summed_up_with_three_examples_each() {
    let house = House::empty();
    let seats: Vec<String> = (1..=9).map(|seat| seat.to_string()).collect();
    let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
    let text = plan(&seats).replace("\"category\"", "\"heated\":true,\"category\"");
    let odd = house.write("odd.json", &text);
    let people = house.run(&format!("theater import {odd}"));
    let line = people.text().lines().find(|line| line.contains("'heated'"));
    let line = line.unwrap_or_else(|| panic!("{}", people.out));
    assert!(line.trim_start().starts_with("9 "), "{line}");
    assert_eq!(line.matches("seats[").count(), 3, "{line}");
    assert!(people.out.contains("--verbose"), "{}", people.out);
    let all = house.json(&format!("theater import {odd} --name B")).done();
    assert_eq!(all["oddities"].as_array().unwrap().len(), 9);
}

#[test]
fn p7_a_wheelchair_place_is_counted_shown_and_sold_only_when_asked() {
    let house = House::empty();
    let text = plan(&["1", "2", "3", "4", "5"])
        .replacen("\"category\"", "\"wheelchair\":true,\"category\"", 1)
        .replacen("\"seat_number\":\"2\"", "\"seat_number\":\"2\",\"companion\":true", 1);
    let file = house.write("plan.json", &text);
    let made = house.json(&format!("theater import {file} --name Studio")).done();
    assert_eq!(made["kinds"]["wheelchair"], 1, "{made}");
    assert_eq!(made["kinds"]["companion"], 1, "{made}");
    let said = house.run("theater show Studio").text().to_owned();
    assert!(said.contains("1 wheelchair place, 1 companion seat"), "{said}");
    house
        .json(
            "performance add --theater Studio --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10",
        )
        .done();
    assert_eq!(house.seat("A1")["kind"], "wheelchair");
    assert_eq!(house.seat("A2")["kind"], "companion");
    assert_eq!(house.seat("A3")["kind"], "standard");
    let drawn = house.run("performance seats Movie").text().to_owned();
    assert!(drawn.contains("w wheelchair place"), "{drawn}");
    let best = |count: u32, more: &str| {
        let cart = house.cart();
        let ran = house.json(&format!("cart add {cart} --performance Movie --best {count} {more}"));
        house.json(&format!("cart cancel {cart}")).done();
        ran
    };
    let seats = |ran: crate::support::Ran| ran.done()["lines"][0]["seats"].clone();
    assert_eq!(seats(best(3, "")), json!(["A3", "A4", "A5"]));
    assert_eq!(best(4, "").refused("no_seats_together")["most_together"], 3);
    assert_eq!(seats(best(2, "--wheelchair")), json!(["A1", "A2"]));
    let cart = house.cart_with("A1");
    let other = house.cart();
    let taken = house.json(&format!("cart add {other} --performance Movie --best 1 --wheelchair"));
    assert_eq!(taken.refused("no_seats_together")["free"], 0);
    assert!(taken.err.contains("No such seat is free"), "{}", taken.err);
    house.json(&format!("cart cancel {cart}")).done();
    house.verified();
}

#[test]
fn p7_rows_have_wheelchair_places_where_they_are_said() {
    let house = House::empty();
    let made = house.json("theater add Hall --rows 2x4 --wheelchair A1,b1 --companion A2").done();
    assert_eq!(made["kinds"], json!({"wheelchair": 2, "companion": 1, "restricted": 0}));
    house.json("theater add Other --rows 2x4 --wheelchair Z9").refused("unknown_seat");
}

#[test]
fn lists_give_a_hundred_and_go_on_after_the_last() {
    let house = House::empty();
    for number in 0..101 {
        house.json(&format!("theater add T{number:03} --rows 1x1")).done();
    }
    let page = house.json("theater list").done();
    let page = page.as_array().unwrap();
    assert_eq!(page.len(), 100);
    let rest = house.json(&format!("theater list --after {}", page[99]["id"].as_str().unwrap())).done();
    assert_eq!(rest[0]["name"], "T100");
    assert!(house.run("theater list").err.contains("--after"));
    let entries = house.json("journal").done();
    assert_eq!(entries.as_array().unwrap().len(), 100);
    let more = house.json("journal --after 100").done();
    assert_eq!(more[0]["verb"], "add_theater");
}

#[test]
fn settings_are_listed_set_and_used() {
    let house = House::empty();
    house.json("settings set hold 10m").done();
    house.json("settings set currency gbp").done();
    house.json("settings set time-zone Europe/Berlin").done();
    house.json("settings set reasons 'ill,  too loud,'").done();
    let many = "x,".repeat(21);
    let told = house.json(&format!("settings set reasons {many}")).refused("bad_value");
    assert!(told.to_string().contains("at most 20"), "{told}");
    let list = house.json("settings list").done();
    assert_eq!(list[0], json!({"id": "hold", "value": "10m"}));
    let reasons = json!({"id": "reasons", "value": "ill, too loud"});
    assert!(list.as_array().unwrap().contains(&reasons), "{list}");
    let made = house.json("theater add Here --rows 1x1").done();
    assert_eq!(made["time_zone"], "Europe/Berlin");
    let shown = house.json("performance add --theater Here --title Short --start 2099-12-01T19:30 --end 2099-12-01T20:00 --price 5 --description 'Half an hour'").done();
    assert_eq!(shown["currency"], "GBP");
    assert_eq!(shown["start"], "2099-12-01T19:30:00+01:00");
    assert_eq!(shown["description"], "Half an hour");
    assert!(house.run("settings list").text().contains("hold-cap"));
}

#[test]
fn the_journal_tells_who_did_what_where() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    let entries = house.json("journal").done();
    let last = entries.as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["verb"], "hold_seats");
    assert_eq!((&last["operator"], &last["station"]), (&json!("ada"), &json!("till-1")));
    let history = house.json(&format!("journal --subject {cart}")).done();
    assert_eq!(history[0]["version"], 2);
    assert_eq!(history[1]["after"]["state"], "active");
    assert!(house.run("journal").text().contains("hold seats"));
}

#[test]
fn the_journal_is_followed_line_by_line() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let house = House::royal();
    let mut follower = house.on("journal --follow --json --after 3").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut next = move || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let cart = house.cart();
    let opened = next();
    assert_eq!(opened["verb"], "open_cart");
    assert_eq!(opened["changes"][0]["id"], cart);
    house.json(&format!("cart cancel {cart}")).done();
    assert_eq!(next()["verb"], "cancel_cart");
    follower.kill().unwrap();
    follower.wait().unwrap();
}

#[test]
fn t20_every_seat_of_a_real_house_is_sold_by_its_name() {
    let Some(folder) = std::env::var_os("WILLCALL_PLANS") else {
        eprintln!("SKIPPED: stadium.json is not read, WILLCALL_PLANS names no folder");
        return;
    };
    let house = House::empty();
    let file = std::path::Path::new(&folder).join("stadium.json");
    house.json(&format!("theater import {} --name Stadium --time-zone UTC", file.display())).done();
    house.json("performance add --theater Stadium --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 20").done();
    house.json("settings set seats-max 500").done();
    let map = house.json("performance seats Movie").done();
    let names: Vec<String> = map["rows"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row["seats"].as_array().unwrap())
        .map(|seat| seat["seat"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names.len(), 738);
    for half in names.chunks(369) {
        let cart = house.cart_with(&format!("'{}'", half.join(",")));
        let receipt = house.json(&format!("cart checkout {cart} --pay cash")).done();
        assert_eq!(receipt["total"], "7380.00");
        assert_eq!(receipt["lines"][0]["seats"].as_array().unwrap().len(), half.len());
    }
    assert_eq!(house.free(), 0);
    house.verified();
}

#[test]
fn a_performance_of_the_past_is_a_record_when_it_is_asked_for() {
    let house = House::royal();
    let faust = "performance add --theater 'The Royal' --title Faust --start 2015-03-01T19:30 --end 2015-03-01T22:00 --price 10";
    house.json(faust).refused("in_the_past");
    assert_eq!(house.json("performance list").done().as_array().unwrap().len(), 1);
    house.json(&format!("{faust} --past")).done();
    let all = house.json("performance list --from 2015-01-01").done();
    assert_eq!((&all[0]["title"], all.as_array().unwrap().len()), (&"Faust".into(), 2));
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance Faust --seats A1")).refused("sales_closed");
    house.json(&format!("{faust} --past")).refused("slot_taken");
    house.run("work --once").text();
    house.verified();
}

#[test]
fn a_party_sits_at_a_table_on_both_sides() {
    let house = House::empty();
    // three benches: seats 1, 3, 5, 7 opposite 2, 4, 6, 8
    let seat = |table: usize, number: usize| {
        let at = json!({ "x": 60 * ((number + 1) % 2), "y": 25 * ((number - 1) / 2) });
        json!({ "seat_number": number.to_string(), "seat_guid": format!("T{table}P{number}"), "position": at, "category": "" })
    };
    let row = |table: usize| {
        let seats: Vec<Value> = (1..=8).map(|number| seat(table, number)).collect();
        json!({ "row_number": table.to_string(), "position": { "x": 165 * (table - 1), "y": 0 }, "seats": seats })
    };
    let rows: Vec<Value> = (1..=3).map(row).collect();
    let zone = json!({ "name": "Tent", "position": { "x": 0, "y": 0 }, "rows": rows });
    let plan = json!({ "name": "Benches", "categories": [], "size": { "width": 800, "height": 400 }, "zones": [zone] });
    let file = house.write("benches.json", &plan.to_string());
    house.json(&format!("theater import {file} --name Tent")).done();
    house.json("performance add --theater Tent --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00").done();
    let best = |count: usize| -> Vec<(String, u32)> {
        let cart = house.cart();
        let line =
            house.json(&format!("cart add {cart} --performance Movie --best {count}")).done()["lines"][0].clone();
        let names = line["seats"].as_array().unwrap().iter().map(|seat| seat.as_str().unwrap().to_owned());
        let split = |name: String| {
            let (table, number) = name.rsplit_once(|letter: char| !letter.is_ascii_digit()).unwrap();
            (table.to_owned(), number.parse().unwrap())
        };
        names.map(split).collect()
    };
    let pair = best(2);
    let between = pair[0].1.abs_diff(pair[1].1);
    assert!(pair[0].0 == pair[1].0 && [1, 2].contains(&between), "beside or opposite each other: {pair:?}");
    for party in [8, 6] {
        let seats = best(party);
        let tables: std::collections::BTreeSet<&String> = seats.iter().map(|(table, _)| table).collect();
        assert_eq!((seats.len(), tables.len()), (party, 1), "{seats:?}");
    }
    house.verified();
}
