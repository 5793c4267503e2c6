//! Tills, days and papers on the command line.

use serde_json::{Value, json};

use crate::support::House;

/// A receipt of seats, paid in cash.
fn sold(house: &House, seats: &str) -> Value {
    let cart = house.cart_with(seats);
    house.json(&format!("cart checkout {cart} --pay cash")).done()
}

#[test]
fn a_till_is_opened_read_and_closed_by_its_paper() {
    let house = House::royal();
    let opened = house.json("till open --float 100.00 --float 'USD 20'").done();
    assert_eq!((&opened["number"], &opened["state"]), (&json!(1), &json!("open")));
    sold(&house, "B6,B7");
    house.json("receipt refund 1 --seats B7 --reason ill").done();
    house.json("till add 5.00 --reason 'small change'").done();
    house.json("till drop 50.00 --reason 'to the bank'").done();
    let read = house.run("till");
    let lines: Vec<&str> = read.text().lines().collect();
    assert!(lines[1].trim().starts_with("X ") && lines[1].ends_with("/1"), "{read:#?}");
    for line in ["Float", "Cash", "Cash given back", "Put in: small change", "Taken out: to the bank", "Cash expected"]
    {
        assert!(lines.iter().any(|one| one.starts_with(line)), "no {line} in {read:#?}");
    }
    let words = |line: &str| {
        lines.iter().find(|one| one.starts_with(line)).unwrap().split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!((words("Cash given back").as_str(), words("Cash expected").as_str()), ("-10.00", "65.00"));
    let closed = house.run("till close --counted 64.00 --counted 'USD 20'");
    assert!(closed.text().contains("Counted and closed: EUR 1.00 is missing, nothing is missing."), "{closed:#?}");
    let listed = house.run("till list --csv");
    let rows: Vec<Vec<&str>> = listed.text().lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..6], ["till", "opened_at", "opened_by", "closed_at", "closed_by", "receipts"]);
    assert_eq!(rows[1][6..], ["EUR", "100.00", "5.00", "50.00", "10.00", "0.00", "0.00", "65.00", "64.00", "-1.00"]);
    assert_eq!(rows.len(), 3);
    let again = house.json("till show 1").done();
    assert_eq!(again["drawers"][0]["difference"], "-1.00");
    house.verified();
}

#[test]
fn what_is_wrong_with_a_till_has_its_own_sentence() {
    let house = House::royal();
    let said = |line: &str, kind: &str| {
        house.json(line).refused(kind);
        house.run(line).err.trim().to_owned()
    };
    assert!(said("till", "till_closed").contains("is closed. Open it with its float first: willcall till open"));
    assert_eq!(said("till open", "bad_value"), "Float: say how much cash it is, 0 for none.");
    assert!(said("till open --float -5", "bad_value").contains("below zero"));
    assert_eq!(said("till open --float 1 --float 2", "bad_value"), "Float: EUR is given twice; add it up.");
    assert!(said("till open --float 'XYZ 5'", "bad_value").starts_with("Float: "));
    house.json("till open --float 20").done();
    assert!(said("till open --float 20", "till_open").contains("is open since"));
    assert!(said("till close --counted -1", "bad_value").contains("below zero"));
    assert_eq!(
        said("till drop 20.01 --reason bank", "more_than_in_till"),
        "Only EUR 20.00 is in the till. Take out no more than that."
    );
    assert!(said("till drop 0 --reason bank", "bad_value").contains("above zero"));
    house.cart_with("A1");
    assert!(
        said("till close --counted 20", "sale_under_way")
            .contains("a cart with 1 seat. Sell it, set it aside or cancel it")
    );
    assert!(said("till show 7", "not_found").contains("There is no till"));
    assert!(said("report --from 2027-01-01 --until 2026-01-01", "bad_value").starts_with("Until: "));
    assert!(said("settings set tax.rates 'Adult=101'", "bad_value").contains("is no rate; write it like 7 or 7.75"));
    assert!(said("settings set paper.columns 40", "bad_value").contains("choose 32, 42 or 48"));
    assert!(said("settings set till.required maybe", "bad_value").contains("neither yes nor no"));
    assert!(said("settings set day.starts noon", "bad_value").contains("write it like 05:00"));
    house.verified();
}

#[test]
fn a_day_is_told_by_group_as_csv_and_as_json() {
    let house = House::royal();
    house.json("settings set tax.rates Adult=7").done();
    sold(&house, "B6,B7");
    let cart = house.cart_with("C1");
    house.json(&format!("cart add {cart} --performance Movie --seats C2 --type Child")).done();
    house.json(&format!("cart checkout {cart} --pay card=A7")).done();
    house.json("receipt refund 1 --seats B7 --keep 2.50 --reason ill").done();
    let day = house.json("day").done();
    let of = |by: &str| {
        let sums = day["sums"].as_array().unwrap().iter().filter(|sum| sum["by"] == by);
        sums.map(|sum| (sum["of"].as_str().unwrap(), sum["total"].as_str().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(of("means"), [("cash", "12.50"), ("card", "15.50")]);
    assert_eq!(of("operator"), [("ada", "28.00")]);
    assert_eq!(of("performance"), [("Movie, Tue 1 Dec 2099 19:30", "25.50")]);
    assert_eq!(of("fee"), [("fees kept, less goodwill", "2.50")]);
    assert_eq!(of("ticket_type"), [("Adult", "20.00"), ("Child", "5.50"), ("fees kept, less goodwill", "2.50")]);
    assert_eq!(of("tax"), [("7 %", "22.50"), ("without a rate", "5.50")]);
    let told = house.run("day");
    assert!(told.text().contains("TICKET TYPE"), "{told:#?}");
    assert!(house.run("report").text().starts_with("Until "), "a report of all has no first day");
    let csv = house.run("report --from 2020-01-01 --csv");
    let means: Vec<&str> = csv.text().lines().filter(|line| line.starts_with("means,")).collect();
    assert_eq!(means, ["means,cash,EUR,2,0,0,20.00,7.50,12.50,0.00", "means,card,EUR,1,0,0,15.50,0.00,15.50,0.00"]);
    assert_eq!(house.json("report --from 2020-01-01 --operator ben").done()["sums"], json!([]));
    let earlier = house.run("day 2020-01-01");
    assert!(earlier.text().contains("Wednesday 1 January 2020") && earlier.text().contains("No receipt was issued."));
    let empty = house.run("day 2020-01-01 --csv");
    assert_eq!(empty.text().trim(), "by,of,currency,receipts,seats,comps,taken,back,total,tax");
    house.verified();
}

#[test]
fn paper_has_the_house_its_tax_and_its_width() {
    let house = House::royal();
    for setting in
        ["house.name 'The Royal Trust'", "house.address '1 High Street; Dublin'", "house.tax-number 'IE 123'"]
    {
        house.json(&format!("settings set {setting}")).done();
    }
    house.json("settings set house.footer 'Thank you for coming to The Royal tonight'").done();
    house.json("settings set tax.rates 'Child=9, 23'").done();
    house.json("settings set paper.columns 32").done();
    let cart = house.cart_with("B6");
    house.json(&format!("cart add {cart} --performance Movie --seats B7 --type Child")).done();
    house.json(&format!("cart checkout {cart} --pay cash=20.00")).done();
    let printed = house.run("receipt print 1");
    let receipt: Vec<&str> = printed.text().lines().skip_while(|line| !line.starts_with("===")).collect();
    assert_eq!(
        receipt[..5].iter().map(|line| line.trim()).collect::<Vec<_>>()[1..],
        ["The Royal Trust", "1 High Street", "Dublin", "Tax number IE 123"]
    );
    assert!(!printed.text().contains("COPY"), "the first paper is none: {printed:#?}");
    assert!(printed.text().lines().all(|line| line.chars().count() <= 32), "{printed:#?}");
    for line in ["Tax, 9 % in 5.50            0.45", "Tax, 23 % in 10.00          1.87"] {
        assert!(receipt.contains(&line), "no {line:?} in {printed:#?}");
    }
    assert!(printed.text().contains("coming to"), "{printed:#?}");
    assert!(house.run("receipt print 1 --reason lost").text().contains("COPY 1"));
    house.verified();
}

#[test]
fn comps_are_given_for_a_reason() {
    let house = House::royal();
    house.json("settings set comps Child").done();
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance Movie --seats A1 --type Child")).done();
    let silent = house.json(&format!("cart checkout {cart}"));
    assert_eq!(silent.refused("comp_reason")["types"], json!(["Child"]));
    let given = house.run(&format!("cart checkout {cart} --reason 'the Times'"));
    assert!(given.text().contains("Given away: the Times"), "{given:#?}");
    let day = house.json("day").done();
    let child = day["sums"].as_array().unwrap().iter().find(|sum| sum["of"] == "Child").unwrap();
    assert_eq!((&child["comps"], &child["seats"], &child["total"]), (&json!(1), &json!(0), &json!("0.00")));
    sold(&house, "B1,B2");
    let swap = "receipt exchange 2 --seats B1 --for C1";
    assert_eq!(house.json(&format!("{swap} --type child")).refused("comp_reason")["types"], json!(["Child"]));
    let given = house.run(&format!("{swap} --type Child --reason 'the Times'"));
    assert!(given.text().contains("Given away: the Times"), "{given:#?}");
    let usual = house.json("receipt exchange 2 --seats B2 --for C2").done();
    assert_eq!(usual["reason"], "customer's wish", "nothing is given away by it");
    house.verified();
}
