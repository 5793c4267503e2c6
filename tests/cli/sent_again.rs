//! Commands that are sent again by their id: they answer as they did, whatever has happened since, and do nothing twice.

use std::collections::HashMap;
use std::process::Command;

use serde_json::Value;
use willcall::domain::ids::CommandId;

use crate::ground::Ground;
use crate::limit::until;
use crate::support::{House, Ran, split};

/// Sends a line by an id, does other things, and sends it again; gives the answer.
#[track_caller]
fn twice(house: &House, line: &str, between: &[&str]) -> Value {
    let id = CommandId::random();
    let line = format!("{line} --command-id {id}");
    let first = house.json(&line);
    let answer = first.done();
    for other in between {
        house.json(other).done();
    }
    let entries = || house.json("journal").done().as_array().unwrap().len();
    let before = entries();
    let again = house.json(&line);
    assert_eq!(again.done(), answer, "{line}");
    assert_eq!(entries(), before, "{line} did something");
    answer
}

fn text(answer: &Value, field: &str) -> String {
    let text = answer[field].as_str();
    text.unwrap_or_else(|| panic!("no {field} in {answer}")).to_owned()
}

#[test]
fn every_act_on_a_cart_answers_as_it_did() {
    let house = House::royal();
    let cart = text(&twice(&house, "cart open", &[]), "id");
    let add = format!("cart add {cart} --performance Movie --seats A1,A2,A3");
    let remove_a3 = format!("cart remove {cart} --line 1 --seats A3");
    twice(&house, &add, &[&remove_a3]);
    let name = format!("cart name {cart} --name Ida");
    twice(&house, &name, &[]);
    let retype = format!("cart retype {cart} --line 1 --seats A2 --type Child");
    let remove = format!("cart remove {cart} --line 1 --seats A1");
    twice(&house, &retype, &[]);
    twice(&house, &remove, &[]);
    twice(&house, &format!("cart extend {cart}"), &[]);
    let take_over = format!("cart take-over {cart}");
    let elsewhere = format!("cart take-over {cart} --override --station till-2");
    let back = format!("cart take-over {cart} --override");
    twice(&house, &format!("cart set-aside {cart}"), &[&take_over]);
    twice(&house, &take_over, &[&elsewhere]);
    house.json(&back).done();
    let begin = format!("cart begin-payment {cart}");
    let cancel = format!("cart cancel {cart}");
    twice(&house, &begin, &[&cancel]);
    twice(&house, &cancel, &[]);
    let revived = text(&twice(&house, &format!("cart revive {cart}"), &[]), "id");
    twice(&house, &format!("cart cancel {revived}"), &[]);
    house.verified();
}

#[test]
fn an_answered_cart_is_as_it_was_also_when_it_has_expired_since() {
    let house = House::royal();
    let id = CommandId::random();
    let line = format!("cart open --hold 1s --command-id {id}");
    let first = house.json(&line).done();
    let show = format!("cart show {}", text(&first, "id"));
    until("the cart has expired", || house.json(&show).done()["state"] == "expired");
    assert_eq!(house.json(&line).done(), first);
    assert_eq!(first["state"], "active");
}

#[test]
fn times_that_are_said_from_now_are_the_same_when_they_are_said_again() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let reserve = format!("cart reserve {cart} --customer Ida --pay-by +3h --alert 2s --final 4s");
    twice(&house, &reserve, &[]);
    let later = format!("job later cart-expiry {cart} --by 15m");
    twice(&house, &later, &[]);
    house.json("resource add Room --kind room --segment 30 --time-zone UTC").done();
    twice(&house, "calendar book Room --from 'tomorrow 10:00' --until 'tomorrow 11:00' --title Talk", &[]);
    let id = CommandId::random();
    let by = |by: &str| format!("cart reserve {cart} --pay-by {by} --command-id {id}");
    house.json(&by("+4h")).done();
    house.json(&by("+5h")).refused("command_reused");
    house.verified();
}

#[test]
fn a_command_whose_answer_was_lost_is_answered_by_the_journal() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let other = house.cart();
    for (line, between) in [
        (
            format!("cart reserve {cart} --customer Ida --pay-by +3h --alert 2s --final 4s"),
            format!("cart name {cart} --name Bob"),
        ),
        (format!("cart take-over {other}"), format!("cart cancel {other}")),
    ] {
        let line = format!("{line} --command-id {}", CommandId::random());
        let first = house.json(&line).done();
        house.json(&between).done();
        assert_eq!(house.json(&line).done(), first, "{line}");
    }
    house.verified();
}

#[test]
fn an_act_over_what_is_out_already_is_remembered() {
    let house = House::royal();
    house.json("performance disable Movie --seats A1 --reason broken").done();
    let id = CommandId::random();
    let again = format!("performance disable Movie --seats A1 --reason broken --command-id {id}");
    let nothing = house.json(&again).done();
    // both acts
    for _ in 0..2 {
        house.json("performance enable Movie --seats A1").done();
    }
    let sold = house.cart_with("A1");
    house.json(&format!("cart checkout {sold} --pay cash")).done();
    assert_eq!(house.json(&again).done(), nothing);
    assert_eq!(house.seat("A1")["state"], "booked");
    let cart = house.cart();
    let own = format!("cart take-over {cart}");
    twice(&house, &own, &[&format!("cart cancel {cart}")]);
    house.verified();
}

#[test]
fn a_sale_and_its_papers_answer_as_they_did() {
    let house = House::royal();
    let cart = house.cart_with("A1,A2");
    let pay = format!("cart checkout {cart} --pay cash=50 --name Ann --collect");
    let sold = twice(
        &house,
        &pay,
        &["receipt print 1", "performance disable Movie --seats A1 --reason broken", "receipt collect 1"],
    );
    assert_eq!((&sold["reprints"], &sold["tickets"]), (&0.into(), &"waiting".into()));
    let print = twice(&house, "receipt print 1 --reason lost", &["receipt print 1 --reason jam"]);
    assert_eq!(print["reprints"], 1);
    twice(&house, "receipt keep 1", &["receipt collect 1"]);
    twice(&house, "receipt collect 1", &["receipt keep 1"]);
    let list = house.json("worklist").done();
    let item = text(&list[0], "id");
    let refund = format!("worklist refund {item} --back cash --reason broken");
    twice(&house, &refund, &[]);
    house.verified();
}

#[test]
fn the_house_and_its_calendar_answer_as_they_did() {
    let house = House::royal();
    twice(&house, "theater add Attic --rows 2x2", &[]);
    twice(&house, "settings set seats-max 12", &["settings set seats-max 14"]);
    twice(&house, "resource add Room --kind room --segment 30 --time-zone UTC", &[]);
    let book = "calendar book Room --from 2099-01-05T10:00 --until 2099-01-05T12:00 --title Talk";
    let booked = twice(&house, book, &[]);
    let id = text(&booked, "booking");
    let moved = format!("calendar move {id} --from 2099-01-06T10:00");
    let cancel = format!("calendar cancel {id}");
    twice(&house, &moved, &[&cancel]);
    twice(&house, &cancel, &[]);
    twice(
        &house,
        "performance keep Movie --seats B1,B2 --reason press --until 2099-11-30T12:00",
        &["performance unkeep Movie --seats B1"],
    );
    let cart = house.cart_with("C1");
    let park = format!("job park cart-expiry {cart} --reason stocktaking");
    let retry = format!("job retry cart-expiry {cart}");
    twice(&house, &park, &[]);
    twice(&house, &retry, &[]);
    house.verified();
}

/// Runs a line of a table at a place.
fn at(place: &str, line: &str, form: &[&str]) -> Ran {
    let ran = Command::new(env!("CARGO_BIN_EXE_willcall"))
        .env_clear()
        .env("USER", "ada")
        .args(["--db", place])
        .args(split(line))
        .args(form)
        .output();
    Ran::of(line, ran.unwrap())
}

/// A command that writes, sent as text, and again in both forms after others have changed the same thing.
struct Step {
    /// The names of fields of its answer, kept under other names for the lines that follow: `cart=id`.
    keeps: &'static str,
    line: &'static str,
    between: &'static [&'static str],
}

const fn step(keeps: &'static str, line: &'static str, between: &'static [&'static str]) -> Step {
    Step { keeps, line, between }
}

const SCRIPT: &[Step] = &[
    step(
        "",
        "theater add Royal --rows 5x16 --time-zone UTC",
        &["resource add Stage --kind hall --segment 15 --time-zone UTC"],
    ),
    step("", "theater hall Royal Stage", &["theater hall Royal royal"]),
    step(
        "",
        "performance add --theater Royal --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00 --price '*/Child=5.50'",
        &["performance keep Movie --seats A1,A2 --reason press --until 2099-11-30T12:00"],
    ),
    step(
        "",
        "performance keep Movie --seats B1,B2 --reason press --until 2099-11-30T12:00",
        &["performance unkeep Movie --seats B1"],
    ),
    step(
        "",
        "performance unkeep Movie --seats B2",
        &["performance keep Movie --seats B2 --reason press --until 2099-11-30T12:00"],
    ),
    step(
        "",
        "performance disable Movie --seats C1 --reason broken",
        &["performance enable Movie --seats C1", "performance disable Movie --seats C1 --reason again"],
    ),
    step("", "performance enable Movie --seats C1", &["performance disable Movie --seats C1 --reason broken"]),
    step("wait=0.id", "waitlist add Movie --customer Ida --seats 2", &["waitlist remove $wait"]),
    step("wait=0.id", "waitlist add Movie --customer Bob --seats 2", &[]),
    step(
        "",
        "waitlist remove $wait",
        &[
            "performance cancel Movie --reason flooded",
            "performance add --theater Royal --title Show --start 2099-12-02T19:30 --end 2099-12-02T21:30 --price 10.00 --price '*/Child=5.50'",
        ],
    ),
    step("cart=id", "cart open", &["cart extend $cart"]),
    step("", "cart add $cart --performance Show --seats A1,A2,A3", &["cart remove $cart --line 1 --seats A3"]),
    step("", "cart name $cart --name Ida", &["cart name $cart --name Bob --phone 123"]),
    step("", "cart name $cart --phone 456", &["cart name $cart --name Eve"]),
    step("", "cart retype $cart --line 1 --seats A2 --type Child", &["cart retype $cart --line 2 --type Adult"]),
    step("", "cart extend $cart", &["cart add $cart --performance Show --seats D1"]),
    step("", "cart set-aside $cart", &["cart take-over $cart"]),
    step(
        "",
        "cart take-over $cart",
        &["cart take-over $cart --override --station till-2", "cart take-over $cart --override"],
    ),
    step(
        "",
        "cart reserve $cart --phone 789 --pay-by +3h --alert 2h --final 150m",
        &["cart name $cart --name Max --phone 1"],
    ),
    step("", "job later cart-expiry $other --by 5m", &["job park cart-expiry $other --reason lunch"]),
    step(
        "",
        "job retry cart-expiry $other",
        &["job park cart-expiry $other --reason lunch", "job retry cart-expiry $other"],
    ),
    step("", "job park cart-expiry $other --reason stocktaking", &[]),
    step("", "cart cancel $other", &[]),
    step("", "cart remove $lone --line 1 --seats E1", &["cart cancel $lone"]),
    step("again=id", "cart revive $other", &["cart add $again --performance Show --seats E2"]),
    step("", "cart begin-payment $again", &["cart cancel $again"]),
    step("", "cart cancel $cart", &["cart revive $cart"]),
    step(
        "",
        "cart checkout $paid --name Ann --pay cash=50 --collect",
        &["receipt print till-1/1", "receipt collect till-1/1"],
    ),
    step("", "receipt print till-1/1 --tickets-only --reason lost", &["receipt print till-1/1 --reason jam"]),
    step("", "receipt keep till-1/1", &["receipt collect till-1/1"]),
    step("", "receipt collect till-1/1", &["receipt keep till-1/1"]),
    step(
        "item=displaced.0.id",
        "performance cancel Show --reason flooded",
        &["receipt goodwill till-1/1 --back cash --amount 1 --reason sorry"],
    ),
    step("", "worklist waive $item --reason 'seated elsewhere'", &["receipt print till-1/1 --reason jam"]),
    step("", "settings set seats-max 12", &["settings set seats-max 14"]),
    step("", "settings closed-days --close 2099-12-24", &["settings closed-days --open 2099-12-24"]),
    step(
        "",
        "resource add Room --kind room --segment 30 --time-zone UTC",
        &["resource out-of-service Room --reason paint"],
    ),
    step("", "resource in-service Room", &["resource out-of-service Room --reason paint", "resource in-service Room"]),
    step("", "resource out-of-service Room --reason damp", &["resource in-service Room"]),
    step(
        "talk=booking",
        "calendar book Room --from 'tomorrow 10:00' --until 'tomorrow 12:00' --title Talk",
        &["calendar move $talk --from 2099-01-05T10:00"],
    ),
    step("", "calendar move $talk --from 2099-01-06T10:00", &["calendar move $talk --from 2099-01-07T10:00"]),
    step("", "calendar change $talk --title Speech", &["calendar change $talk --title Lecture --customer Ida"]),
    step(
        "",
        "calendar release $talk --from 2099-01-07T11:00 --until 2099-01-07T12:00",
        &["calendar change $talk --title Short"],
    ),
    step("", "calendar cancel $talk", &[]),
    step(
        "out=id",
        "calendar disable Room --from 2099-02-01T10:00 --until 2099-02-01T12:00 --reason leak",
        &["calendar enable $out"],
    ),
    step("", "calendar maintain Room --from 2099-02-02T10:00 --until 2099-02-02T12:00", &["settings set seats-max 15"]),
    step("", "theater import plan.json --name Attic --time-zone UTC", &[]),
    step("", "theater import plan.json --name Royal", &[]),
    step("", "clock confirm", &["settings set seats-max 16"]),
];

/// Lines whose answer shows what they changed as it is now.
const OF_NOW: [&str; 5] = ["job ", "performance add", "theater hall", "waitlist add", "calendar "];

/// The field of an answer at a path: `0.id`.
fn field(answer: &Value, path: &str) -> Option<String> {
    let found = path.split('.').try_fold(answer, |value, name| match name.parse::<usize>() {
        Ok(place) => value.get(place),
        Err(_) => value.get(name),
    })?;
    found.as_str().map(str::to_owned)
}

fn every_command_sent_again_answers_and_does_nothing_more(ground: &Ground, folder: &tempfile::TempDir) {
    let place = ground.place().spelled();
    let plan = folder.path().join("plan.json");
    std::fs::write(&plan, r##"{"name":"Royal","categories":[{"name":"Standard","color":"#7f7f7f"}],"zones":[{"zone_id":"1","name":"Stalls","position":{"x":0,"y":0},"rows":[{"row_number":"A","row_number_position":"both","position":{"x":0,"y":0},"seats":[{"seat_guid":"a1","seat_number":"1","position":{"x":0,"y":0},"category":"Standard"},{"seat_guid":"a2","seat_number":"2","position":{"x":20,"y":0},"category":"Standard"}]}]}],"size":{"width":300,"height":100}}"##).unwrap();
    let mut names: HashMap<String, String> = HashMap::new();
    names.insert("plan.json".into(), plan.display().to_string());
    let filled = |names: &HashMap<String, String>, line: &str| {
        let words = names.iter();
        words.fold(line.to_owned(), |line, (name, value)| line.replace(name.as_str(), value))
    };
    let json = |line: &str| at(&place, line, &["--json"]);
    let entries = || json("journal").done().as_array().unwrap().len();
    json("init").done();
    for step in SCRIPT {
        if step.line.starts_with("cart reserve") {
            for (name, seats) in [("$other", "D5"), ("$lone", "E1"), ("$paid", "C5,C6")] {
                let cart = text(&json("cart open").done(), "id");
                json(&format!("cart add {cart} --performance Show --seats {seats}")).done();
                names.insert(name.into(), cart);
            }
        }
        let line = filled(&names, step.line);
        let line = format!("{line} --command-id {}", CommandId::random());
        let first = at(&place, &line, &[]);
        let people = first.text().to_owned();
        let answer = json(&line).done();
        for (name, path) in step.keeps.split_terminator(' ').filter_map(|keep| keep.split_once('=')) {
            let value = field(&answer, path).unwrap_or_else(|| panic!("no {path} in {answer}"));
            names.insert(format!("${name}"), value);
        }
        for other in step.between {
            json(&filled(&names, other)).done();
        }
        let before = entries();
        let again = (at(&place, &line, &[]).text().to_owned(), json(&line).done());
        if !OF_NOW.iter().any(|start| line.starts_with(start)) {
            assert_eq!(again, (people, answer), "{line}");
        }
        assert_eq!(entries(), before, "{line} did something");
    }
    assert_eq!(json("verify").done()["violations"], serde_json::json!([]));
}

#[test]
fn every_command_sent_again_answers_and_does_nothing_more_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    every_command_sent_again_answers_and_does_nothing_more(&Ground::file(), &folder);
}

#[test]
fn every_command_sent_again_answers_and_does_nothing_more_on_a_server() {
    let folder = tempfile::tempdir().unwrap();
    every_command_sent_again_answers_and_does_nothing_more(&Ground::server(), &folder);
}

const PLAN: &str = r##"{"name":"Attic","categories":[{"name":"Standard","color":"#7f7f7f"}],"zones":[{"zone_id":"1","name":"Stalls","position":{"x":0,"y":0},"rows":[{"row_number":"A","row_number_position":"both","position":{"x":0,"y":0},"seats":[{"seat_guid":"a1","seat_number":"1","position":{"x":0,"y":0},"category":"Standard"},{"seat_guid":"a2","seat_number":"2","position":{"x":20,"y":0},"category":"Standard"}]}]}],"size":{"width":300,"height":100}}"##;

const TALK: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:talk\r\nDTSTART:20990105T100000Z\r\nDTEND:20990105T120000Z\r\nSUMMARY:Talk\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[test]
fn an_import_of_another_file_under_the_same_id_is_another_request() {
    let house = House::royal();
    let room = "resource add Room --kind room --segment 30 --time-zone UTC";
    house.json(room).done();
    for (file, contents, line) in
        [("plan.json", PLAN, "theater import"), ("talk.ics", TALK, "calendar import --resource Room")]
    {
        let path = house.path(file);
        let write = |contents: &str| std::fs::write(&path, contents).unwrap();
        write(contents);
        let id = CommandId::random();
        let line = format!("{line} {} --command-id {id}", path.display());
        let first = house.json(&line).done();
        write(&contents.replace("Stalls", "Balcony").replace("END:VCALENDAR", "X-A:1\r\nEND:VCALENDAR"));
        house.json(&line).refused("command_reused");
        write(contents);
        assert_eq!(house.json(&line).done(), first, "{line}");
    }
    house.verified();
}
