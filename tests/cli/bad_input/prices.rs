//! Price rules that make no sense, each by its name and in its own words.

use serde_json::{Value, json};

use super::refused;
use crate::support::House;

#[test]
fn a_rule_says_by_name_what_it_lacks() {
    let house = House::empty();
    house.json("resource add Studio --kind room --segment 60 --time-zone UTC").done();
    for (rules, words) in [
        ("'Weekend, Fri-Sun'", "Weekend lacks a price"),
        ("'Weekend:'", "Weekend lacks a price"),
        ("'Late, 18:00-02:00'", "Late lacks a price"),
        ("': EUR 1'", "a rule needs a name"),
        ("''", "a rule needs a name"),
        ("'Family, by: EUR 1'", "Family lacks the name"),
        ("'Family, for: EUR 1'", "Family lacks the name"),
        ("'Odd, Fri-Moon: EUR 1'", "is no condition"),
        ("'Odd, 25:00-26:00: EUR 1'", "is no condition"),
        ("'Odd, 2027-09-01..2027-06-01: EUR 1'", "ends before it begins"),
        ("'Odd: 14'", "names no currency"),
        ("'Odd: DM 14'", "is not a currency"),
        ("'Odd: EUR -1'", "below zero"),
        ("'Odd: EUR 1.001'", "more decimals"),
        ("'Odd: BTC 0.000000001'", "more decimals"),
        ("'Odd: EUR 1, EUR 2'", "two prices in EUR"),
        ("'Base: EUR 1' 'base: EUR 2'", "stands twice"),
    ] {
        refused(&house, &format!("prices set Week {rules}"), ("bad_value", words));
    }
    house.json("prices set Week 'Weekend, Fri-Sun: EUR 14.00' --dry-run").done();
    refused(&house, "resource change Studio --prices Week", ("not_found", "Week"));
    refused(&house, "prices show Week", ("not_found", "Week"));
    refused(&house, "prices remove Week", ("not_found", "Week"));
    house.json("prices set Week 'Family, Sat-Sun, by guests: EUR 5' 'Weekend, Fri-Sun: USD 14, BTC 0.001'").done();
    let changed = house.json("resource change Studio --prices Week").done();
    assert_eq!(changed["prices"], "Week");
    let friday = "--from 2099-12-04T10:00 --until 2099-12-04T12:00";
    let explain = |rest: &str| format!("prices explain Studio {rest}");
    let euros = explain(&format!("{friday} --currency EUR"));
    refused(&house, &euros, ("not_in_currency", "Weekend has no price in EUR. It has one in USD, BTC."));
    refused(&house, &explain(&format!("{friday} --currency DM")), ("bad_value", "not a currency"));
    let saturday = "--from 2099-12-05T10:00 --until 2099-12-05T12:00";
    refused(&house, &explain(saturday), ("rule_lacks", "Family needs guests, a number that Studio does not have."));
    let monday = "--from 2099-12-07T10:00 --until 2099-12-07T12:00";
    refused(&house, &explain(monday), ("no_rule_fits", "No rule of Week fits Studio"));
    refused(&house, "prices remove Week", ("list_in_use", "Week prices Studio."));
    refused(&house, "cart open --currency DM", ("bad_value", "not a currency"));
    let opened = |code: &str| house.json(&format!("cart open --currency {code}")).done();
    let sunday = "--from 2099-12-06T10:00 --until 2099-12-06T12:00";
    house.json("resource change Studio --set guests=2").done();
    house.json("prices set Week 'Weekend, Fri-Sun: USD 14, BTC 0.001'").done();
    let coins = opened("BTC");
    let add = |cart: &Value, time: &str| format!("cart add {} --resource Studio {time}", cart["id"].as_str().unwrap());
    let held = house.json(&add(&coins, friday)).done();
    assert_eq!((&held["currency"], &held["total"]), (&json!("BTC"), &json!("0.00200000")));
    let said = ("not_in_currency", "Weekend has no price in EUR. It has one in USD, BTC.");
    refused(&house, &add(&opened("EUR"), sunday), said);
    let usual = house.json("cart open").done();
    assert_eq!(house.json(&add(&usual, sunday)).done()["currency"], "USD", "the first that the rule has");
}

#[test]
fn an_explained_price_stands_on_line_and_receipt_and_in_the_list() {
    let house = House::empty();
    house.json("resource add Studio --kind room --segment 60 --time-zone UTC").done();
    house.json("prices set Week 'Weekend, Fri-Sun: EUR 14.00' 'Base: EUR 10.00'").done();
    house.json("resource change Studio --prices Week").done();
    let shown = house.run("prices show");
    assert!(shown.text().contains("Week\n  Weekend, Fri-Sun: EUR 14.00\n  Base: EUR 10.00"), "{shown:?}");
    let time = "--from 2099-12-03T22:00 --until 2099-12-04T02:00";
    let explained = house.json(&format!("prices explain Studio {time}")).done();
    assert_eq!(explained["total"], "48.00");
    let people = house.run(&format!("prices explain Studio {time}"));
    for words in
        ["Base Thu 3 Dec 2099 22:00", "2 x EUR 10.00", "2 x EUR 14.00 (Base fits too, and comes later)", "EUR 48.00"]
    {
        assert!(people.text().contains(words), "{words}: {people:?}");
    }
    let cart = house.json("cart open").done()["id"].as_str().unwrap().to_owned();
    let added = house.json(&format!("cart add {cart} --resource Studio {time}")).done();
    let (stamped, parts) = (&added["slots"][0], &explained["parts"]);
    assert_eq!((&stamped["total"], &stamped["parts"][0]["rule"]), (&explained["total"], &parts[0]["rule"]));
    assert_eq!(stamped["parts"][1]["unit_price"], parts[1]["unit_price"]);
    let line = house.run(&format!("cart show {cart}"));
    assert!(line.text().contains("Base 2 x 10.00 + Weekend 2 x 14.00"), "{line:?}");
    house.json("prices set Week 'Dear: EUR 99.00'").done();
    let paid = house.json(&format!("cart checkout {cart} --pay cash=48.00")).done();
    assert_eq!(paid["total"], "48.00", "the stamped price");
    let paper = house.run("receipt print 1 --receipt-only");
    for words in ["2 x Base 10.00", "2 x Weekend 14.00", "20.00", "28.00", "48.00"] {
        assert!(paper.text().contains(words), "{words}: {paper:?}");
    }
    house.json("resource change Studio --no-prices").done();
    house.json("prices remove Week").done();
}
