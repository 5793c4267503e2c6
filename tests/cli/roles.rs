//! Operators, roles and PINs on the command line and through the door.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{House, Ran};

impl House {
    /// Runs a line with a PIN, as programs do.
    fn with_pin(&self, pin: &str, line: &str) -> Ran {
        Ran::of(line, self.on(line).arg("--json").env("WILLCALL_PIN", pin).output().unwrap())
    }
}

/// The Royal with olga of the office, the supervisor bea and the seller sam.
fn staffed() -> House {
    let house = House::royal();
    house.json("operator add olga --role office --pin 4711").done();
    house.with_pin("4711", "operator add bea --role supervisor --pin 2345").done();
    house.with_pin("4711", "operator add sam --role seller --pin 1234").done();
    house
}

fn sentence(ran: &Ran) -> &str {
    ran.err.trim()
}

#[test]
fn acts_need_the_pin_of_an_operator_whose_role_may_do_them() {
    let house = staffed();
    let none = house.json("cart open");
    none.refused("sign_in_first");
    assert_eq!(sentence(&none), "ada is not signed in. Sign in with a PIN: at the desk, or in WILLCALL_PIN.");
    let cart = house.with_pin("1234", "cart open").done()["id"].as_str().unwrap().to_owned();
    house.with_pin("1234", &format!("cart add {cart} --performance Movie --seats B6,B7")).done();
    house.with_pin("1234", &format!("cart checkout {cart} --pay cash")).done();
    let refund = "receipt refund 1 --all --reason ill";
    for line in [format!("{refund} --dry-run"), refund.to_owned()] {
        let refused = house.with_pin("1234", &line);
        let facts = refused.refused("not_allowed");
        assert_eq!((&facts["operator"], &facts["needs"]), (&json!("sam"), &json!("supervisor")));
        assert_eq!(
            sentence(&refused),
            "sam is a seller and may not do this (correct receipt): a supervisor may. Ask for that PIN."
        );
    }
    house.with_pin("2345", &format!("{refund} --dry-run")).done();
    house.with_pin("2345", refund).done();
    house.with_pin("2345", "settings set hold 20m").refused("not_allowed");
    house.with_pin("4711", "settings set hold 20m").done();
    // a list needs nobody, and the name of the line has to be the one of the PIN
    house.json("receipt list").done();
    house.with_pin("1234", "cart open --operator olga").refused("wrong_pin");
    house.with_pin("1234", "cart open --operator Sam").done();
    house.verified();
}

#[test]
fn operators_are_added_listed_disabled_and_given_other_pins() {
    let house = staffed();
    let office = |line: &str| house.with_pin("4711", line);
    assert_eq!(office("operator add tom --role seller --pin 7777 --dry-run").done()["id"], "tom");
    let listed = house.run("operator list --csv");
    assert_eq!(listed.text(), "id,role,state\nolga,office,active\nbea,supervisor,active\nsam,seller,active\n");
    // a line of the input is a PIN, too
    let mut adding =
        house.on("operator add tom --role seller").env("WILLCALL_PIN", "4711").stdin(Stdio::piped()).spawn().unwrap();
    adding.stdin.take().unwrap().write_all(b"7777\n").unwrap();
    assert!(adding.wait().unwrap().success());
    house.with_pin("7777", "cart open").done();
    assert_eq!(
        office("operator pin tom --pin 8888").done(),
        json!({ "id": "tom", "role": "seller", "state": "active" })
    );
    house.with_pin("7777", "cart open").refused("wrong_pin");
    house.with_pin("8888", "cart open").done();
    let disabled = house.on("operator disable tom").env("WILLCALL_PIN", "4711").output().unwrap();
    assert_eq!(String::from_utf8(disabled.stdout).unwrap().trim(), "tom can sign in no more.");
    house.with_pin("8888", "cart open").refused("wrong_pin");
    house.with_pin("1234", "operator add eve --role office --pin 6666").refused("not_allowed");
    house.verified();
}

#[test]
fn a_command_sent_again_adds_one_operator_though_its_hash_is_another_text() {
    let house = staffed();
    let add = "operator add tom --role seller --pin 7777 --command-id 01890000-0000-7000-8000-000000000001";
    let first = house.with_pin("4711", add).done();
    assert_eq!(house.with_pin("4711", add).done(), first);
    let journal = house.run("journal");
    assert!(!journal.text().contains("7777"), "{journal:#?}");
}

#[test]
fn what_is_wrong_with_an_operator_has_its_own_sentence() {
    let house = House::royal();
    let said = |line: &str, kind: &str| {
        house.json(line).refused(kind);
        house.run(line).err.trim().to_owned()
    };
    assert_eq!(
        said("operator add sam --role seller --pin 1234", "first_is_office"),
        "The first operator adds the others. Add one of the office first: --role office"
    );
    assert_eq!(said("operator add olga --role office --pin 12", "bad_pin"), "A PIN has 4 to 12 digits. Choose one.");
    assert_eq!(said("operator add olga --role office", "bad_pin"), "A PIN has 4 to 12 digits. Choose one.");
    assert!(
        house.run("operator add olga --role boss --pin 1234").err.contains("there are seller, supervisor and office")
    );
    assert!(house.run("operator list").text().contains("The house has no operators: anybody may do anything."));
    house.json("operator add olga --role office --pin 4711").done();
    let office = |line: &str| sentence(&house.with_pin("4711", line)).to_owned();
    assert_eq!(office("operator add sam --role seller --pin 4711"), "This PIN is taken. Choose another one.");
    assert_eq!(office("operator disable olga"), "olga is the last of the office. Add another one first: --role office");
    assert!(office("operator disable eve").contains("eve"));
    assert!(house.with_pin("", "operator list").done().is_array(), "an empty PIN is none");
    for left in [4, 3, 2, 1] {
        assert_eq!(house.with_pin("0000", "cart open").refused("wrong_pin")["left"], left);
    }
    assert_eq!(sentence(&house.with_pin("0000", "cart open")), "This PIN is wrong. The station waits a minute now.");
    house.with_pin("4711", "cart open").refused("pins_wait");
    house.with_pin("4711", "cart open --station till-9").done();
    house.verified();
}

/// Answers of a door to some lines.
fn said(house: &House, lines: &[Value]) -> Vec<Value> {
    let mut door = house.on("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = door.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let output = door.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_program_signs_in_by_its_first_line_and_may_do_what_its_operator_may() {
    let house = staffed();
    let open = json!({ "do": { "open_cart": {} } });
    let settings = json!({ "do": { "change_settings": [["hold", "20m"]] } });
    let bare = said(&house, std::slice::from_ref(&open));
    assert_eq!(bare[0]["refused"]["kind"], "sign_in_first", "{bare:?}");
    let lines = [json!({ "station": "shop", "pin": "1234" }), open, settings.clone()];
    let seller = said(&house, &lines);
    assert_eq!(seller[0]["done"], json!({ "operator": "sam", "station": "shop", "version": 1 }));
    assert!(seller[1]["done"]["id"].is_string(), "{seller:?}");
    assert_eq!(seller[2]["refused"]["kind"], "not_allowed", "{seller:?}");
    assert_eq!(said(&house, &[json!({ "pin": "4711" }), settings])[1]["done"]["hold"], 1_200_000);
    let wrong = said(&house, &[json!({ "operator": "sam", "pin": "4711" })]);
    assert_eq!(wrong[0]["refused"]["kind"], "wrong_pin", "{wrong:?}");
    let add = json!({ "do": { "add_operator": {} } });
    assert_eq!(said(&house, &[add])[0]["refused"]["kind"], "unknown_name");
    house.verified();
}
