//! Codes of tickets on the command line: shown, checked, undone, issued anew.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::House;

/// Codes of the tickets of a receipt.
fn codes(house: &House, receipt: u32) -> Vec<String> {
    let shown = house.json(&format!("ticket show {receipt}")).done();
    let tickets = shown["tickets"].as_array().unwrap().iter();
    tickets.map(|ticket| ticket["code"].as_str().unwrap().to_owned()).collect()
}

fn sold(house: &House, seats: &str) -> Value {
    let cart = house.cart_with(seats);
    house.json(&format!("cart checkout {cart} --pay cash")).done()
}

#[test]
fn a_ticket_is_shown_checked_undone_and_issued_anew() {
    let house = House::royal();
    sold(&house, "B6,B7");
    let first = codes(&house, 1);
    let screen = house.run("ticket show 1");
    assert!(
        screen.text().contains('█') && screen.text().contains(&format!("{}  B7, Adult, Movie", first[1])),
        "{screen:#?}"
    );
    assert_eq!(house.json("receipt show 1").done()["lines"][0]["codes"], json!(first));
    let paper = house.run("receipt print 1 --tickets-only");
    assert!(first.iter().all(|code| paper.text().contains(code)), "{paper:#?}");
    let check = format!("ticket check {} --performance Movie", first[0].to_lowercase().replace('-', ""));
    assert_eq!(house.json(&format!("{check} --dry-run")).done()["seat"], "Seat B6");
    let done = house.json(&check).done();
    assert_eq!((&done["admitted"], &done["of"], &done["type"]), (&json!(1), &json!(2), &json!("Adult")));
    let used = house.json(&check).refused("ticket_used");
    assert_eq!((&used["seat"], &used["station"]), (&json!("Seat B6"), &json!("till-1")));
    assert_eq!(house.json(&format!("ticket show {}", first[0])).done()["good"], false);
    house.json(&format!("ticket undo {}", first[0])).done();
    assert!(house.run(&check).text().starts_with("ADMIT  Seat B6, Adult: Movie"));
    let anew = house.run("receipt reissue 1 --reason 'left in the tram'");
    assert!(anew.text().contains("issue 2; those before are dead"), "{anew:#?}");
    house.json(&check).refused("ticket_reissued");
    let second = codes(&house, 1);
    assert_eq!(house.json("ticket show 1").done()["tickets"][0]["admitted"], true);
    house.json(&format!("ticket check {} --performance Movie", second[1])).done();
    house.verified();
}

#[test]
fn a_printer_that_speaks_esc_pos_gets_its_commands_and_the_screen_gets_text() {
    let house = House::royal();
    sold(&house, "B6,B7");
    house.json("settings set paper.escpos 'till-1, till-3'").done();
    let to = |name: &str| house.path(name).display().to_string();
    house.json(&format!("receipt print 1 --to {}", to("till-1"))).done();
    let printed = std::fs::read_to_string(house.path("till-1")).unwrap();
    assert_eq!((printed.matches("\x1dVB").count(), printed.matches("\x1d(k\x03\x001Q0").count()), (3, 2));
    for code in codes(&house, 1) {
        assert!(printed.contains(&format!("1P0{}\x1d", code.replace('-', ""))), "{printed:?}");
    }
    house.json(&format!("--station till-2 receipt print till-1/1 --reason jam --to {}", to("till-2"))).done();
    assert!(!std::fs::read_to_string(house.path("till-2")).unwrap().contains('\x1b'));
    assert!(!house.run("receipt print 1 --reason jam").text().contains('\x1b'));
    house.verified();
}

#[test]
fn what_is_wrong_with_a_ticket_has_its_own_sentence() {
    let house = House::royal();
    sold(&house, "B6");
    let code = codes(&house, 1).remove(0);
    let other = House::royal();
    sold(&other, "B6");
    let foreign = codes(&other, 1).remove(0);
    let half = &code[..9];
    let mut sentences = Vec::new();
    for (line, kind) in [
        (format!("ticket check {half}"), "bad_value"),
        ("ticket check 'ÄÖÜ'".to_owned(), "bad_value"),
        ("ticket check 0000-0000-0000-0000-0000".to_owned(), "ticket_foreign"),
        (format!("ticket check {code}"), "ticket_of_another"),
        (format!("ticket undo {code}"), "ticket_not_used"),
        ("ticket show 9".to_owned(), "not_found"),
        ("receipt reissue 1 --reason ' '".to_owned(), "bad_value"),
        ("receipt reissue 9 --reason lost".to_owned(), "not_found"),
    ] {
        house.json(&line).refused(kind);
        sentences.push(house.run(&line).err);
    }
    assert!(sentences[0].contains("has 20 letters") && sentences[0].contains("this has 8"), "{sentences:?}");
    let refused = house.json(&format!("ticket check {foreign} --performance Movie"));
    assert!(
        refused.code == 3 && (refused.err.contains("another house") || refused.err.contains("forged")),
        "{refused:#?}"
    );
    house.json("receipt refund 1 --all --reason ill").done();
    house.json(&format!("ticket check {code} --performance Movie")).refused("ticket_returned");
    house.json("receipt reissue 1 --reason lost").refused("no_tickets");
    house.verified();
}

#[test]
fn eight_processes_admit_each_ticket_once() {
    let house = House::royal();
    sold(&house, "B1,B2,B3,B4");
    for code in codes(&house, 1) {
        let doors = (0..8).map(|door| {
            let line = format!("--json --station door-{door} ticket check {code} --performance Movie");
            house.on(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        });
        let doors: Vec<_> = doors.collect();
        let ended = doors.into_iter().map(|door| door.wait_with_output().unwrap().status.code());
        let mut ended: Vec<Option<i32>> = ended.collect();
        ended.sort_unstable();
        assert_eq!(ended, [Some(0), Some(3), Some(3), Some(3), Some(3), Some(3), Some(3), Some(3)]);
    }
    house.verified();
}
