//! Operators, roles and PINs on the command line and through the door.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use chrono_tz::Tz;
use serde_json::{Value, json};
use willcall::domain::booking::Cause;
use willcall::domain::rights::{StaffRole, least};
use willcall::domain::time::{Slot, parse_local};
use willcall::engine::ops::{ChangeSettings, DisableSeats, OpenCart, TakeOut, Which};

use crate::support::{House, Ran};

impl House {
    /// Runs a line with a PIN, as programs do.
    fn with_pin(&self, pin: &str, line: &str) -> Ran {
        Ran::of(line, self.on(line).arg("--json").env("WILLCALL_PIN", pin).output().unwrap())
    }
}

/// The Royal with olga of the office, the supervisor bea and the seller sam.
fn staffed() -> House {
    with_staff(House::none())
}

fn with_staff(house: House) -> House {
    let house = house.with_royal();
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

#[test]
fn what_is_out_of_use_is_told_with_who_approved_it() {
    let house = staffed();
    let office = |line: &str| house.with_pin("4711", line).done();
    let room =
        office("resource add Room --kind room --segment 30 --time-zone UTC")["id"].as_str().unwrap().parse().unwrap();
    let theater = office("theater show 'The Royal'")["id"].as_str().unwrap().parse().unwrap();
    let desk = willcall::Desk::open(house.path("house.db")).unwrap();
    let sam = desk.working_as("sam", "till-1").signed_in("1234", None).unwrap().approved_by("2345").unwrap();
    let which = Which::Theater { theater, from: None };
    sam.run(DisableSeats { which, seats: vec!["A1".into()], reason: "broken".into() }).unwrap();
    let at = |time: &str| parse_local(&format!("2099-12-01T{time}"), Tz::UTC).unwrap();
    let slot = Slot::new(at("10:00"), at("12:00")).unwrap();
    sam.run(TakeOut { reason: "oil".into(), ..TakeOut::of(Cause::Maintenance, vec![room], slot) }).unwrap();
    desk.close();
    let shown = house.run("theater show 'The Royal'");
    assert!(shown.text().contains("sam, approved by bea  broken"), "{shown:#?}");
    assert_eq!(house.json("theater show 'The Royal'").done()["out_of_use"][0]["approved"], "bea");
    let window = "calendar show Room --from 2099-12-01 --until 2099-12-02";
    assert!(house.run(window).text().contains("oil, by sam, approved by bea"), "{:#?}", house.run(window));
    assert_eq!(house.json(window).done()[0]["periods"][1]["approved"], "bea");
    house.verified();
}

#[test]
fn the_load_of_a_house_with_operators_signs_its_stations_in() {
    let house = staffed();
    let load = format!("bench theater --contested --carts 20 --no-control --db {}", house.path("house.db").display());
    house.json(&load).refused("sign_in_first");
    let report = house.with_pin("4711", &load).done();
    assert_eq!((&report["carts"], &report["verified"]), (&json!(20), &json!(true)), "{report}");
    let sold = house.run("receipt list --csv");
    assert_eq!(sold.text().matches(",olga,").count(), 20, "{sold:#?}");
    let two = house.with_pin("4711", &format!("{load} --processes 2")).done();
    // a customer who finds none of the seats left goes
    let all = two["carts"].as_u64().unwrap() + two["left"].as_u64().unwrap();
    assert_eq!((all, &two["verified"]), (20, &json!(true)), "{two}");
}

#[test]
fn lists_of_the_journal_have_a_column_for_who_approved() {
    let house = staffed();
    let desk = willcall::Desk::open(house.path("house.db")).unwrap();
    let sam = desk.working_as("sam", "till-1").signed_in("1234", None).unwrap();
    sam.approved_by("4711").unwrap().run(ChangeSettings::to("hold", "20m")).unwrap();
    sam.run(OpenCart::default()).unwrap();
    desk.close();
    let listed = house.run("journal --csv");
    let lines: Vec<&str> = listed.text().lines().collect();
    assert_eq!(lines[0], "id,at,operator,approved,station,verb,command,request,changes,events");
    let [.., approved, own] = lines[..] else { panic!("{lines:#?}") };
    assert!(
        approved.contains(",sam,olga,till-1,change_settings,") && own.contains(",sam,,till-1,open_cart,"),
        "{lines:#?}"
    );
    let entries = house.json("journal").done();
    assert!(entries.as_array().unwrap().iter().any(|one| one["approved"] == "olga"));
    assert!(house.run("journal").text().contains("sam, approved by olga, at till-1: change settings"));
    house.verified();
}

/// Operator of a role, and the PIN.
const PINS: [(StaffRole, &str); 3] =
    [(StaffRole::Seller, "1234"), (StaffRole::Supervisor, "2345"), (StaffRole::Office, "4711")];

#[test]
fn verbs_of_each_role_are_done_from_it_on_and_refused_below_also_as_a_trial_and_an_undo() {
    are_done_from_their_role_on(&staffed());
}

#[test]
fn verbs_of_each_role_are_done_from_it_on_and_refused_below_on_a_server() {
    are_done_from_their_role_on(&with_staff(House::on_a_server()));
}

fn are_done_from_their_role_on(house: &House) {
    let cart = |pin: &str| house.with_pin(pin, "cart open").done()["id"].as_str().unwrap().to_owned();
    let sold = cart("1234");
    house.with_pin("1234", &format!("cart add {sold} --performance Movie --seats A1,A2,A3")).done();
    house.with_pin("1234", &format!("cart checkout {sold} --pay cash")).done();
    let code = house.json("ticket show 1").done()["tickets"][0]["code"].as_str().unwrap().to_owned();
    let add = "performance add --theater 'The Royal' --title New --price 9 --start";
    // taking seats out of use has no trial
    let trial = |line: &str| (!line.contains("disable")).then(|| format!("{line} --dry-run"));
    let lines = [
        (StaffRole::Seller, format!("ticket check {code} --performance Movie"), Some(format!("ticket undo {code}"))),
        (StaffRole::Supervisor, "receipt goodwill 1 --amount 1 --back cash --reason sorry".to_owned(), None),
        (
            StaffRole::Supervisor,
            "performance disable Movie --seats B1 --reason broken".to_owned(),
            Some("performance enable Movie --seats B1".to_owned()),
        ),
        (StaffRole::Supervisor, "receipt reissue 1 --reason lost".to_owned(), None),
        (StaffRole::Office, format!("{add} 2099-12-24T19:30 --end 2099-12-24T21:30"), None),
        (StaffRole::Office, "operator pin sam --pin 5678".to_owned(), Some("operator pin sam --pin 1234".to_owned())),
    ];
    for (needs, line, undo) in lines {
        for (role, pin) in PINS.iter().filter(|(role, _)| *role < needs) {
            for line in trial(&line).iter().chain([&line]).chain(&undo) {
                let refused = house.with_pin(pin, line);
                assert_eq!(refused.refused("not_allowed")["needs"], needs.word(), "{line} by {role:?}");
            }
        }
        let (_, pin) = PINS.iter().find(|(role, _)| *role == needs).unwrap();
        for line in trial(&line).iter().chain([&line]).chain(&undo) {
            let done = house.with_pin(pin, line);
            assert_eq!(done.code, 0, "{line} by {needs:?}: {done:?}");
        }
    }
    house.verified();
}

/// A value of a field's schema: the first there is, of plain things one that can be read.
fn value((name, schema): (&str, &Value)) -> Value {
    let is = |key: &str| schema.get(key);
    if let Some(value) = is("const") {
        return value.clone();
    }
    if let Some(one) = is("oneOf") {
        return value((name, &one[0]));
    }
    match (name, schema["description"].as_str().unwrap_or_default()) {
        ("patch", _) => json!({}),
        ("segment", _) => json!(30),
        ("code", _) => json!("0".repeat(20)),
        ("currency", _) => json!("EUR"),
        _ if schema.is_null() || is("anyOf").is_some() => Value::Null,
        (_, "a formatted UUID string") => json!("0192f0c1-2b3c-7d4e-8f50-112233445566"),
        (_, "a formatted date string") => json!("2099-12-24"),
        (_, "an IANA timezone string") => json!("UTC"),
        (_, "a boolean") => json!(false),
        ("until", words) if words.contains("RFC 3339") => json!("2099-12-25T19:30:00Z"),
        (_, words) if words.contains("RFC 3339") => json!("2099-12-24T19:30:00Z"),
        (_, words) if words.contains("90s") => json!("1m"),
        (_, "internally tagged enum Policy") => json!({ "policy": "open_ended" }),
        (_, words) if words.contains("string") || words == "any value" => json!("x"),
        _ => match (is("properties"), schema["type"].as_str()) {
            (Some(fields), _) => {
                let fields = fields.as_object().unwrap().iter();
                fields
                    .map(|(name, field)| (name.clone(), value((name.as_str(), field))))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
            (None, Some("array")) => json!([]),
            (None, Some("object")) => json!({}),
            (None, _) => json!(1),
        },
    }
}

#[test]
fn every_act_that_a_program_may_ask_for_is_refused_below_its_role_and_not_from_it_on() {
    is_asked_of_each_role(&staffed());
}

#[test]
fn every_act_that_a_program_may_ask_for_is_refused_below_its_role_on_a_server() {
    is_asked_of_each_role(&with_staff(House::on_a_server()));
}

fn is_asked_of_each_role(house: &House) {
    let schema: Value = serde_json::from_str(house.run("serve --schema").text()).unwrap();
    let acts: Vec<(&String, Value)> =
        schema["do"].as_object().unwrap().iter().map(|(verb, schema)| (verb, value((verb.as_str(), schema)))).collect();
    let mut unread = Vec::new();
    for (role, pin) in PINS {
        let lines: Vec<Value> = std::iter::once(json!({ "pin": pin }))
            .chain(acts.iter().map(|(verb, input)| json!({ "do": { verb.as_str(): input } })))
            .collect();
        let answers = said(house, &lines);
        assert_eq!(answers.len(), lines.len());
        for ((verb, input), answer) in acts.iter().zip(&answers[1..]) {
            let kind = answer["refused"]["kind"].as_str().unwrap_or_default();
            if matches!(kind, "bad_input" | "unknown_field") {
                unread.push(format!("{verb} {input}: {answer}"));
                continue;
            }
            let is_allowed = least(verb).is_none_or(|needs| needs <= role);
            assert_eq!(kind == "not_allowed", !is_allowed, "{verb} by {role:?}: {answer}");
            assert!(answer.get("fault").is_none(), "{verb}: {answer}");
        }
    }
    assert!(unread.is_empty(), "{unread:#?}");
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

/// Acts that a seller may not do, each with a line that asks for it.
const ACTS: &[(&str, &str)] = &[
    ("add_job", "job add --kind order-shipped --subject x --due +1h --run true"),
    ("add_operator", "operator add tom --role seller --pin 7777"),
    ("add_performance", "performance add {night}"),
    ("add_performances", "performance add {night} --repeat 'weekly x2'"),
    ("add_resource", "resource add Loft --kind room --segment 30"),
    ("add_theater", "theater add Attic --rows 2x2"),
    ("apply_prices", "prices apply Week"),
    ("cancel_performance", "performance cancel Movie --reason ill"),
    ("change_followed", "calendar follow Airbnb {talk} --resource Room"),
    ("change_performance", "performance change Movie --title Film"),
    ("change_performances", "performance change --all-of Lear --title Film"),
    ("change_pin", "operator pin sam --pin 5678"),
    ("change_plan", "theater import {plan} --name 'The Royal'"),
    ("change_resource", "resource change Room --kind hall"),
    ("change_settings", "settings set hold 20m"),
    ("change_theater", "theater change 'The Royal' --name Royal"),
    ("close_days", "settings closed-days --close 2099-12-25"),
    ("close_horizon", "resource close Bed --from 2099-01-01"),
    ("confirm_clock", "clock confirm"),
    ("control_job", "job park cart-expiry {cart} --reason lunch"),
    ("copy_performance", "performance copy Movie --start 2099-12-08T19:30"),
    ("correct_receipt", "receipt goodwill 1 --amount 1 --back cash --reason sorry"),
    ("disable_operator", "operator disable sam"),
    ("disable_seats", "performance disable Movie --seats B1 --reason leak"),
    ("enable_seats", "performance enable Movie --seats A1"),
    ("enable_slot", "calendar enable {out}"),
    ("forget_customer", "customer forget Ann"),
    ("import_customers", "customer import {people}"),
    ("import_season", "season import {season}"),
    ("import_times", "calendar import {talk} --resource Room"),
    ("in_service", "resource in-service Room"),
    ("keep_seats", "performance keep Movie --seats B2 --reason press --until 2099-11-30T12:00"),
    ("merge_customers", "customer merge Ann Bob"),
    ("move_cash", "till add 5 --reason change"),
    ("open_horizon", "resource open Bed --until 2099-01-01"),
    ("postpone_performance", "performance postpone Movie --start 2099-12-02T20:00 --reason ill"),
    ("refund_booking", "calendar cancel {booking} --keep 0 --back cash --reason ill"),
    ("reissue_tickets", "receipt reissue 1 --reason lost"),
    ("rename_prices", "prices rename Week Winter"),
    ("set_hall", "theater hall 'The Royal' Room"),
    ("set_prices", "prices set Week 'Base: EUR 12.00'"),
    ("settle_item", "worklist waive {item} --reason sorry"),
    ("take_out", "calendar disable Room --from 2099-02-03T10:00 --until 2099-02-03T12:00 --reason leak"),
    ("unkeep_seats", "performance unkeep Movie --seats B2"),
];

/// Rust files below a folder, but for the door for other programs.
fn sources(folder: &Path) -> Vec<String> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| match path.is_dir() {
        true if path.ends_with("serve") => Vec::new(),
        true => sources(&path),
        false => vec![std::fs::read_to_string(path).unwrap()],
    };
    paths.flat_map(of).collect()
}

/// Acts above a seller's whose operations the command line names.
fn acts_with_a_line() -> BTreeSet<String> {
    let below = |folder: &str| sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).concat();
    let (operations, lines) = (below("src/engine/ops"), below("src/cli"));
    let words: BTreeSet<&str> = lines.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    let act = |operation: &str| {
        let (name, rest) = operation.split_once(" {")?;
        let (_, rest) = rest.split_once("const VERB: &'static str = \"")?;
        let verb = rest.split('"').next()?;
        (words.contains(name) && least(verb) > Some(StaffRole::Seller)).then(|| verb.to_owned())
    };
    operations.split("\nimpl Operation for ").skip(1).filter_map(act).collect()
}

#[test]
fn every_line_of_an_act_and_its_trial_are_refused_below_its_role_and_change_nothing() {
    lines_are_refused_below_their_role(&staffed());
}

#[test]
fn every_line_of_an_act_and_its_trial_are_refused_below_its_role_on_a_server() {
    lines_are_refused_below_their_role(&with_staff(House::on_a_server()));
}

/// Fills in what the lines of [`ACTS`] name; each gets to the house, so that only the role is in its way.
fn filled_in(house: &House) -> impl Fn(&str) -> String {
    let office = |line: &str| house.with_pin("4711", line).done();
    let id = |answer: &Value, field: &str| answer[field].as_str().unwrap().to_owned();
    for (name, seat) in [("Ann", "A1"), ("Bob", "A2")] {
        let cart = id(&office("cart open"), "id");
        office(&format!("cart add {cart} --performance Movie --seats {seat}"));
        office(&format!("cart checkout {cart} --pay cash --name {name}"));
    }
    for line in [
        "resource add Room --kind room --segment 30 --time-zone UTC",
        "resource add Bed --kind bed --segment 1440 --time-zone UTC --policy preallocated",
        "prices set Week 'Base: EUR 10.00'",
        "performance add --theater 'The Royal' --title Lear --price 9 --start 2099-10-01T19:30 --end 2099-10-01T21:30 --repeat 'weekly x2'",
        "performance disable Movie --seats A1 --reason leak",
    ] {
        office(line);
    }
    let booked = office("calendar book Room --from 2099-01-05T10:00 --until 2099-01-05T12:00 --title Talk");
    let out = office("calendar disable Room --from 2099-02-01T10:00 --until 2099-02-01T12:00 --reason leak");
    let seat = json!({ "seat_guid": "a1", "seat_number": "1", "position": { "x": 0, "y": 0 }, "category": "Standard" });
    let row =
        json!({ "row_number": "A", "row_number_position": "both", "position": { "x": 0, "y": 0 }, "seats": [seat] });
    let zone = json!({ "zone_id": "1", "name": "Stalls", "position": { "x": 0, "y": 0 }, "rows": [row] });
    let categories = json!([{ "name": "Standard", "color": "#7f7f7f" }]);
    let size = json!({ "width": 300, "height": 100 });
    let plan = json!({ "name": "The Royal", "categories": categories, "zones": [zone], "size": size });
    let talk = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20990105T140000Z\nDURATION:PT1H\nSUMMARY:Talk\nEND:VEVENT\nEND:VCALENDAR\n";
    let night = "--theater 'The Royal' --title New --price 9 --start 2099-12-24T19:30 --end 2099-12-24T21:30";
    let known = [
        ("{night}", night.to_owned()),
        ("{cart}", id(&office("cart open"), "id")),
        ("{booking}", id(&booked, "booking")),
        ("{out}", id(&out, "id")),
        ("{item}", id(&office("worklist")[0], "id")),
        ("{plan}", house.write("plan.json", &plan.to_string())),
        ("{talk}", house.write("talk.ics", talk)),
        (
            "{season}",
            house.write("season.csv", "title,theater,start,end,price\nNew,The Royal,2099-12-20 19:30,22:00,9\n"),
        ),
        ("{people}", house.write("people.csv", "name,phone\nIda,0171\n")),
    ];
    move |line| known.iter().fold(line.to_owned(), |line, (name, value)| line.replace(name, value))
}

fn lines_are_refused_below_their_role(house: &House) {
    let listed: BTreeSet<String> = ACTS.iter().map(|(act, _)| (*act).to_owned()).collect();
    assert_eq!(listed, acts_with_a_line(), "an act of the command line has no line here");
    let filled = filled_in(house);
    let journal = || house.run("journal").text().to_owned();
    let before = journal();
    for (act, line) in ACTS {
        let needs = least(act).unwrap();
        // a plan is that of a new theater first
        let asked = if *act == "change_plan" { "add_theater" } else { act };
        for (role, pin) in PINS.iter().filter(|(role, _)| *role < needs) {
            let line = filled(line);
            let facts = house.with_pin(pin, &line).refused("not_allowed");
            assert_eq!((&facts["act"], &facts["needs"]), (&json!(asked), &json!(needs.word())), "{line} by {role:?}");
            let trial = house.with_pin(pin, &format!("{line} --dry-run"));
            if !trial.err.contains("unexpected argument '--dry-run'") {
                assert_eq!(trial.refused("not_allowed")["needs"], needs.word(), "{line} by {role:?}, as a trial");
            }
        }
    }
    assert_eq!(journal(), before, "a refused line or a trial changed something");
    house.verified();
}

/// Lines of [`ACTS`] that another line undoes; `{done}` is the id in the answer to the first.
const UNDONE: &[(&str, &str)] = &[
    ("add_operator", "operator disable tom"),
    ("add_performance", "performance retire New"),
    ("add_performances", "performance retire --all-of New"),
    ("add_resource", "resource retire Loft"),
    ("add_theater", "theater retire Attic"),
    ("change_performance", "performance change Film --title Movie"),
    ("change_performances", "performance change --all-of Film --title Lear"),
    ("change_resource", "resource change Room --kind room"),
    ("change_settings", "settings set hold 30m"),
    ("change_theater", "theater change Royal --name 'The Royal'"),
    ("close_days", "settings closed-days --open 2099-12-25"),
    ("control_job", "job retry cart-expiry {cart}"),
    ("disable_seats", "performance enable Movie --seats B1"),
    ("enable_seats", "performance disable Movie --seats A1 --reason leak"),
    ("keep_seats", "performance unkeep Movie --seats B2"),
    ("open_horizon", "resource close Bed --from 2099-01-01"),
    ("rename_prices", "prices rename Winter Week"),
    ("set_prices", "prices set Week 'Base: EUR 10.00'"),
    ("take_out", "calendar enable {done}"),
];

#[test]
fn what_was_done_is_not_undone_below_its_role_and_nothing_changes() {
    is_not_undone_below_its_role(&staffed());
}

#[test]
fn what_was_done_is_not_undone_below_its_role_on_a_server() {
    is_not_undone_below_its_role(&with_staff(House::on_a_server()));
}

fn is_not_undone_below_its_role(house: &House) {
    let filled = filled_in(house);
    let journal = || house.run("journal").text().to_owned();
    for (act, undo) in UNDONE {
        let (_, line) = ACTS.iter().find(|(known, _)| known == act).unwrap();
        let done = house.with_pin("4711", &filled(line)).done();
        let undo = filled(undo).replace("{done}", done["id"].as_str().unwrap_or_default());
        let (needs, before) = (least(act).unwrap(), journal());
        for (role, pin) in PINS.iter().filter(|(role, _)| *role < needs) {
            for line in [undo.clone(), format!("{undo} --dry-run")] {
                let tried = house.with_pin(pin, &line);
                if !tried.err.contains("unexpected argument '--dry-run'") {
                    assert_eq!(tried.refused("not_allowed")["needs"], needs.word(), "{line} by {role:?}");
                }
            }
        }
        assert_eq!(journal(), before, "{undo}");
        house.with_pin("4711", &undo).done();
    }
    house.verified();
}
