//! Commands that are sent again by their id: they answer as they did, whatever has happened since, and do nothing twice.

use serde_json::Value;
use willcall::domain::ids::CommandId;

use crate::support::House;

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
    text.unwrap_or_else(|| panic!("no {field} in {answer}"))
        .to_owned()
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
    while house.json(&show).done()["state"] != "expired" {}
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
    house
        .json("resource add Room --kind room --segment 30 --time-zone UTC")
        .done();
    twice(
        &house,
        "calendar book Room --from 'tomorrow 10:00' --until 'tomorrow 11:00' --title Talk",
        &[],
    );
    let id = CommandId::random();
    let by = |by: &str| format!("cart reserve {cart} --pay-by {by} --command-id {id}");
    house.json(&by("+4h")).done();
    house.json(&by("+5h")).refused("command_reused");
    house.verified();
}

#[test]
fn what_changed_nothing_is_remembered() {
    let house = House::royal();
    house
        .json("performance disable Movie --seats A1 --reason broken")
        .done();
    let id = CommandId::random();
    let again = format!("performance disable Movie --seats A1 --reason broken --command-id {id}");
    let nothing = house.json(&again).done();
    house.json("performance enable Movie --seats A1").done();
    let sold = house.cart_with("A1");
    house
        .json(&format!("cart checkout {sold} --pay cash"))
        .done();
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
    let pay = format!("cart checkout {cart} --pay cash=50 --collect");
    let sold = twice(
        &house,
        &pay,
        &[
            "receipt print 1",
            "performance disable Movie --seats A1 --reason broken",
            "receipt collect 1",
        ],
    );
    assert_eq!(
        (&sold["reprints"], &sold["tickets"]),
        (&0.into(), &"waiting".into())
    );
    let print = twice(&house, "receipt print 1", &["receipt print 1"]);
    assert_eq!(print["reprints"], 2);
    twice(&house, "receipt keep 1", &["receipt collect 1"]);
    twice(&house, "receipt collect 1", &["receipt keep 1"]);
    let list = house.json("worklist").done();
    let item = text(&list[0], "id");
    let resolve = format!("worklist resolve {item} --note 'seated elsewhere'");
    let reopen = format!("worklist reopen {item}");
    twice(&house, &resolve, &[&reopen]);
    twice(&house, &reopen, &[&resolve]);
    house.verified();
}

#[test]
fn the_house_and_its_calendar_answer_as_they_did() {
    let house = House::royal();
    twice(&house, "theater add Attic --rows 2x2", &[]);
    twice(
        &house,
        "settings set seats-max 12",
        &["settings set seats-max 14"],
    );
    twice(
        &house,
        "resource add Room --kind room --segment 30 --time-zone UTC",
        &[],
    );
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
