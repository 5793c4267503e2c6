//! After the sale: refunds, exchanges, payments of bookings, canceled nights.

use chrono::{DateTime, TimeDelta};
use serde_json::{Value, json};

use crate::support::House;

/// A house with three seats sold for 30.00.
fn sold() -> House {
    paid("cash")
}

/// The same, paid so.
fn paid(by: &str) -> House {
    let house = House::royal();
    let cart = house.cart_with("B6,B7,B8");
    house.json(&format!("cart checkout {cart} --pay {by}")).done();
    house
}

#[test]
fn a_refund_is_a_receipt_of_its_own_and_a_dry_run_is_none() {
    let house = paid("card=R7");
    let refund = "receipt refund 1 --seats B8 --back card=R7 --reason ill";
    let would = house.json(&format!("{refund} --dry-run")).done();
    assert_eq!((&would["kind"], &would["total"]), (&json!("refund"), &json!("-10.00")));
    assert_eq!(would["number"], "");
    let would = house.run("receipt refund 1 --seats B8 --back owed --reason ill --dry-run");
    let text = would.text();
    assert!(text.contains(" REFUND of till-1/1\n"), "{text}");
    assert!(!text.contains("CREDIT"), "{text}");
    assert_eq!(house.json("receipt list").done().as_array().unwrap().len(), 1);
    let done = house.json(refund).done();
    assert_eq!(done["number"], "till-1/2");
    assert_eq!(done["of"], json!(["till-1/1"]));
    assert_eq!(done["returned"][0]["seats"], json!(["B8"]));
    assert_eq!(done["paid_back"], json!([{ "means": "card", "amount": "10.00", "reference": "R7" }]));
    let sold = house.json("receipt show 1").done();
    assert_eq!(sold["total"], "30.00");
    assert_eq!(sold["corrected_by"], json!(["till-1/2"]));
    assert_eq!(sold["lines"][0]["live"], json!(["B6", "B7"]));
    assert_eq!(house.seat("B8")["state"], "free");
    house.json(refund).refused("already_returned");
    let shown = house.run("receipt show 1");
    let paper = shown.text();
    assert!(paper.contains("Refund"), "{paper}");
    assert!(paper.contains("receipt till-1/2: B8, EUR 10.00 given back. ill"), "{paper}");
    let printed = house.run("receipt print 1 --tickets-only");
    let tickets = printed.text();
    assert!(!tickets.contains("Seat B8"), "{tickets}");
    house.verified();
}

#[test]
fn a_card_and_cash_get_back_what_they_paid_in_one_line() {
    let house = paid("card=REF1:4.00 --pay cash");
    house.json("receipt refund 1 --all --back card=REF1 --reason ill").refused("beyond_paid");
    let cash = house.json("receipt refund 1 --all --back cash --reason haha");
    cash.refused("beyond_paid");
    let sentence = "At most EUR 26.00 can go back in cash, no more was paid so. Give it back as it was paid, or as a credit; or override it, and a supervisor is told.";
    assert_eq!(cash.err.trim(), sentence);
    let part = house.json("receipt refund 1 --seats B6 --back card=REF1:1.00 --back cash --reason ill").done();
    let card = |amount: &str| json!({ "means": "card", "amount": amount, "reference": "REF1" });
    assert_eq!(part["paid_back"], json!([card("1.00"), { "means": "cash", "amount": "9.00" }]));
    let rest = house.json("receipt refund 1 --all --reason ill").done();
    assert_eq!(rest["paid_back"], json!([card("3.00"), { "means": "cash", "amount": "17.00" }]));
    assert!(rest.get("beyond").is_none(), "{rest}");
    house.verified();
}

#[test]
fn more_than_was_paid_so_stands_on_the_paper_and_on_the_worklist_of_a_supervisor() {
    let house = paid("card=R7");
    let refund = "--station till-9 receipt refund till-1/1 --all --back cash --override --reason haha";
    let done = house.json(refund).done();
    assert_eq!((&done["beyond"], &done["total"]), (&json!("30.00"), &json!("-30.00")));
    let paper = house.run("receipt show till-9/1");
    assert!(paper.text().contains("Otherwise than it was paid, on purpose     30.00"), "{}", paper.text());
    let listed = house.json("worklist --kind overridden").done();
    assert_eq!((&listed[0]["kind"], &listed[0]["amount"]), (&json!("overridden"), &json!("30.00")));
    let item = listed[0]["id"].as_str().unwrap();
    house.json(&format!("worklist waive {item} --reason no")).refused("gone_back");
    assert_eq!(house.json(&format!("worklist approve {item}")).done()["state"], "resolved");
    assert_eq!(house.json("worklist").done(), json!([]));
    house.verified();
}

#[test]
fn wrong_refunds_are_refused_with_what_to_do() {
    let house = sold();
    for (line, kind) in [
        ("receipt refund 1 --all --back cash --reason ' '", "bad_value"),
        ("receipt refund 1 --seats C1 --back cash --reason ill", "not_on_receipt"),
        ("receipt refund 1 --all --back card= --reason ill", "card_reference_missing"),
        ("receipt refund 1 --all --back voucher --reason ill", "bad_value"),
        ("receipt refund 1 --all --back card=R7 --reason ill", "card_never_paid"),
        ("receipt refund 1 --all --back cash=5.00 --back owed=4.00 --reason ill", "back_differs"),
        ("receipt refund 1 --all --keep 30.01 --reason ill", "kept_over"),
        ("receipt refund 1 --all --back cash --amount 31 --reason ill", "more_than_paid"),
        ("receipt goodwill 1 --back cash --amount 30.01 --reason ill", "more_than_paid"),
        ("receipt goodwill 1 --back cash --amount 0 --reason ill", "bad_value"),
        ("receipt refund 7 --all --back cash --reason ill", "not_found"),
    ] {
        house.json(line).refused(kind);
    }
    let said = house.json("receipt goodwill 1 --back cash --amount 30.01 --reason ill");
    said.refused("more_than_paid");
    let sentence = "At most EUR 30.00 can be given back for receipt till-1/1. Name a smaller amount.";
    assert_eq!(said.err.trim(), sentence);
    assert_eq!(house.json("receipt list").done().as_array().unwrap().len(), 1);
    house.verified();
}

#[test]
fn a_seat_is_exchanged_by_a_cart_that_brings_it_back() {
    let house = sold();
    let cart = house.cart();
    let back = house.json(&format!("cart return {cart} --receipt 1 --seats B7")).done();
    assert_eq!((&back["total"], &back["returns"][0]["seats"]), (&json!("-10.00"), &json!(["B7"])));
    house.json(&format!("cart checkout {cart} --pay cash --reason swap")).refused("give_back_how");
    let added = house.json(&format!("cart add {cart} --performance Movie --seats C1")).done();
    assert_eq!(added["total"], "0.00");
    house.json(&format!("cart checkout {cart}")).refused("bad_value");
    let done = house.json(&format!("cart checkout {cart} --reason swap --total 0")).done();
    assert_eq!((&done["kind"], &done["total"]), (&json!("exchange"), &json!("0.00")));
    assert_eq!(house.seat("B7")["state"], "free");
    let line = back["returns"][0]["id"].as_u64().unwrap();
    house.json(&format!("cart unreturn {cart} --line {line}")).refused("cart_done");
    house.verified();
}

#[test]
fn a_booking_is_paid_through_a_cart_and_what_is_overpaid_waits() {
    let house = House::royal();
    house.json("resource add Studio --kind room --segment 60 --price 80.00 --time-zone UTC").done();
    let booked =
        house.json("calendar book Studio --from 2099-12-01T10:00 --until 2099-12-01T13:00 --title Choir").done();
    let id = booked["booking"].as_str().unwrap().to_owned();
    let cart = house.cart();
    house.json(&format!("cart add {cart} --booking {id} --amount 240.01")).refused("booking_paid");
    let none = house.json(&format!("cart add {cart} --booking {id} --amount 0"));
    none.refused("bad_value");
    assert_eq!(none.err.trim(), "Amount: nothing would change; give an amount above zero.");
    let held = house.json(&format!("cart add {cart} --booking {id} --amount 50")).done();
    assert_eq!(held["total"], "50.00");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    let listed = house.json("calendar list --resource Studio").done();
    assert_eq!((&listed[0]["price"], &listed[0]["paid"]), (&json!("240.00"), &json!("50.00")));
    house.json(&format!("calendar cancel {id}")).done();
    let items = house.json("worklist").done();
    assert_eq!((&items[0]["kind"], &items[0]["amount"]), (&json!("overpaid"), &json!("50.00")));
    let item = items[0]["id"].as_str().unwrap();
    let done = house.json(&format!("worklist refund {item} --keep 20.00 --reason canceled")).done();
    let refund = &done["receipts"][0];
    assert_eq!((&refund["total"], &refund["kept"]), (&json!("-30.00"), &json!("20.00")));
    assert_eq!(refund["paid_back"], json!([{ "means": "cash", "amount": "30.00" }]));
    let paper = house.run("receipt show 2");
    for line in [
        "Choir",
        "Given back of what was paid                30.00",
        "Kept                                       20.00",
    ] {
        assert!(paper.text().contains(line), "{line:?} is not in {}", paper.text());
    }
    let again = house.json("receipt refund 1 --all --amount 20 --reason late");
    again.refused("paid_for_booking");
    assert!(again.err.contains("goes back from the worklist"), "{}", again.err);
    assert_eq!(house.json("worklist").done(), json!([]));
    house.verified();
}

#[test]
fn a_booking_is_canceled_for_a_fee_in_one_line() {
    let house = House::royal();
    house.json("resource add Studio --kind room --segment 60 --price 80.00 --time-zone UTC").done();
    let book = |day: u32, paid: &str| {
        let hours = format!("--from 2099-12-0{day}T10:00 --until 2099-12-0{day}T13:00");
        let id = house.json(&format!("calendar book Studio {hours} --title Choir")).done();
        let (id, cart) = (id["booking"].as_str().unwrap().to_owned(), house.cart());
        if !paid.is_empty() {
            house.json(&format!("cart add {cart} --booking {id} --amount {paid}")).done();
            house.json(&format!("cart checkout {cart} --pay cash")).done();
        }
        id
    };
    let (paid, free) = (book(1, "50.00"), book(2, ""));
    let listed = || house.json("calendar list --resource Studio").done().as_array().unwrap().len();
    for (line, code) in [
        (format!("calendar cancel {paid} --keep 20.00"), 2),
        (format!("calendar cancel {paid} --keep 50.01 --reason late"), 3),
        (format!("calendar cancel {paid} --keep 20.00 --back card=X1 --reason late"), 3),
        (format!("calendar cancel {free} --keep 20.00 --reason late"), 3),
    ] {
        assert_eq!(house.run(&line).code, code, "{line}");
        assert_eq!(listed(), 2, "{line}");
    }
    let done = house.json(&format!("calendar cancel {paid} --keep 20.00 --reason late")).done();
    assert_eq!(done["canceled"]["state"], "canceled");
    let refund = &done["receipts"][0];
    assert_eq!((&refund["total"], &refund["kept"]), (&json!("-30.00"), &json!("20.00")));
    assert_eq!(house.json("worklist").done(), json!([]));
    assert_eq!(listed(), 1);
    house.verified();
}

#[test]
fn a_customer_who_gave_a_booking_its_name_is_named_once() {
    let house = House::royal();
    house.json("resource add Studio --kind room --segment 60 --time-zone UTC").done();
    let hours = "--from 2099-12-01T10:00 --until 2099-12-01T13:00";
    house.json(&format!("calendar book Studio {hours} --customer 'Ida Weber' --phone 555")).done();
    house.json(&format!("calendar disable Studio {hours} --reason leak")).done();
    let listed = house.run("worklist");
    assert_eq!(listed.text().matches("Ida Weber").count(), 1, "{listed:?}");
    house.verified();
}

#[test]
fn a_fee_that_no_exchange_would_take_is_refused() {
    let house = House::royal();
    house.json("settings set exchange-fee 'EUR 2.00'").done();
    for line in ["settings set currency GBP", "settings set exchange-fee 'GBP 2.00'"] {
        let ran = house.run(line);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains("Exchange fee: it is in "), "{ran:?}");
    }
    for line in ["exchange-fee 'EUR 0'", "currency GBP", "exchange-fee 'GBP 2.00'"] {
        house.json(&format!("settings set {line}")).done();
    }
    house.verified();
}

#[test]
fn the_customers_of_a_canceled_night_are_listed_until_they_are_settled() {
    let house = sold();
    let cart = house.cart_with("C1");
    house.json(&format!("cart reserve {cart} --customer 'Ida Weber' --phone 555")).done();
    assert_eq!(house.run("performance cancel Movie").code, 2, "it asks why");
    house.json("performance cancel Movie --reason flooded").done();
    let listed = house.json("performance customers Movie").done();
    let rows = listed.as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["receipt"], &rows[1]["paid"]), (&json!("till-1/1"), &json!("30.00")));
    assert_eq!((&rows[0]["name"], &rows[0]["seats"]), (&json!("Ida Weber"), &json!(["C1"])));
    house.json("receipt refund 1 --all --back cash --reason flooded").done();
    let left = house.json("performance customers Movie").done();
    assert_eq!(left.as_array().unwrap().len(), 1);
    house.verified();
}

#[test]
fn a_canceled_night_is_settled_in_parts_and_its_cards_are_listed() {
    let house = sold();
    let cart = house.cart_with("C1,C2");
    house
        .json(&format!("cart checkout {cart} --pay card=R7:15.00 --pay cash=5.00 --name '=Ida' --phone '+49 30 1234'"))
        .done();
    let settle = "performance settle Movie --back as-paid";
    house.json(settle).refused("takes_place");
    house.json("performance cancel Movie --reason flooded").done();
    let would = house.json(&format!("{settle} --dry-run")).done();
    assert_eq!(would.as_array().unwrap().len(), 2);
    assert_eq!(would[0]["refund"], "");
    let first = house.run(&format!("{settle} --limit 1"));
    assert!(first.text().contains("1 order left to settle."), "{}", first.text());
    let second = house.json(settle).done();
    assert_eq!(second[0]["receipt"], "till-1/2");
    assert_eq!(second[0]["paid_back"][0], json!({ "means": "card", "amount": "15.00", "reference": "R7" }));
    assert_eq!(second[0]["paid_back"][1]["means"], "owed");
    let again = house.run(&format!("{settle} --csv"));
    assert_eq!(
        again.text(),
        "name,phone,receipt,refund,card,amount,currency\n'=Ida,+49 30 1234,till-1/2,till-1/4,R7,15.00,EUR\n"
    );
    assert_eq!(house.run(settle).text().trim(), "Nothing was to be settled.");
    house.verified();
}

#[test]
fn lost_seats_are_replaced_from_the_worklist() {
    let house = sold();
    house.json("performance disable Movie --seats B6,B8 --reason leak").done();
    let listed = house.json("worklist --kind seats --performance Movie").done();
    let item = &listed[0];
    assert_eq!(
        (&item["order"], &item["lost"], &item["price"]),
        (&json!("receipt till-1/1"), &json!(["B6", "B8"]), &json!("20.00"))
    );
    assert_eq!(item["offers"][0], json!(["A7", "A8"]));
    assert_eq!(house.json("worklist --kind time").done(), json!([]));
    let id = item["id"].as_str().unwrap();
    let shown = house.run(&format!("worklist show {id}"));
    assert!(shown.text().contains("Free instead: A7-A8; "), "{}", shown.text());
    house.json(&format!("worklist move {id} --from 2099-01-01T10:00")).refused("no_time_lost");
    house.json(&format!("worklist reseat {id} --seats B7,B9")).refused("seats_taken");
    let done = house.json(&format!("worklist accept {id}")).done();
    assert_eq!((&done["state"], &done["receipts"][0]["kind"]), (&json!("resolved"), &json!("exchange")));
    house.json(&format!("worklist accept {id}")).refused("already_resolved");
    house.verified();
}

#[test]
fn a_credit_on_the_slip_pays_later_and_a_half_typed_one_is_refused() {
    let house = sold();
    let owed = "receipt refund 1 --seats B6,B7 --back owed --reason ill";
    let done = house.json(owed).done();
    let code = done["paid_back"][0]["credit"].as_str().unwrap().to_owned();
    let slip = house.run("receipt print 2");
    assert!(slip.text().contains(&format!("CREDIT {code}")), "{}", slip.text());
    let shown = house.json(&format!("credit show {code}")).done();
    assert_eq!((&shown["left"], &shown["owed"]), (&json!("20.00"), &json!("20.00")));
    let cart = house.cart_with("C1");
    let half = format!("cart checkout {cart} --pay owed={}", &code[..9]);
    house.json(&half).refused("bad_value");
    let more = format!("cart checkout {cart} --pay owed={code}:12.00");
    house.json(&more).refused("credit_over");
    let typed = code.replace('-', "").to_lowercase();
    let paid = house.json(&format!("cart checkout {cart} --pay owed={typed}")).done();
    assert_eq!(paid["payments"], json!([{ "means": "owed", "amount": "10.00", "credit": code }]));
    let listed = house.run("credit list --open");
    assert!(listed.text().contains("EUR 10.00"), "{}", listed.text());
    house.verified();
}

#[test]
fn an_exchange_in_one_line_takes_its_fee() {
    let house = sold();
    house.json("settings set exchange-fee 'EUR 2.00'").done();
    let swap = "receipt exchange 1 --seats B6 --for C1";
    house.json(swap).refused("payment_short");
    let done = house.json(&format!("{swap} --pay cash")).done();
    assert_eq!((&done["kind"], &done["fee"]), (&json!("exchange"), &json!("2.00")));
    let free = house.json("receipt exchange 1 --seats B7 --for C2 --no-fee 'our fault'").done();
    assert_eq!(free["reason"], "customer's wish; no fee: our fault");
    house.verified();
}

#[test]
fn a_void_undoes_a_sale_and_kept_seats_are_not_on_sale() {
    let house = sold();
    let void = house.json("receipt void 1 --reason 'wrong night'").done();
    assert_eq!(void["paid_back"], json!([{ "means": "cash", "amount": "30.00" }]));
    house.json("receipt void 1 --reason 'wrong night'").refused("not_voidable");
    let cart = house.cart_with("B6,B7");
    house.json(&format!("cart checkout {cart} --pay cash")).done();
    let keep = "receipt refund 3 --seats B6 --back cash --reason ill --keep-seats press --until 2030-12-01T19:00";
    house.json(keep).done();
    assert_eq!(house.seat("B6")["state"], "booked");
    house.verified();
}

#[test]
fn a_night_that_moves_keeps_its_orders_and_names_whom_to_call() {
    let house = sold();
    let reserved = house.cart_with("C1");
    let before = house.json(&format!("cart reserve {reserved} --customer 'Weber, Max' --phone '=030 1'")).done();
    let postpone = "performance postpone Movie --start 2099-12-02T20:00";
    let moved = house.json(&format!("{postpone} --reason 'the singer is ill'")).done();
    assert_eq!(moved["start"], "2099-12-02T20:00:00Z");
    assert_eq!(moved["end"], "2099-12-02T22:00:00Z");
    assert_eq!(moved["postponed"][0]["reason"], "the singer is ill");
    assert_eq!(moved["customers"].as_array().unwrap().len(), 2);
    let cart = house.json(&format!("cart show {reserved}")).done();
    let at = |cart: &Value| DateTime::parse_from_rfc3339(cart["expires_at"].as_str().unwrap()).unwrap();
    assert_eq!(at(&cart) - at(&before), TimeDelta::minutes(24 * 60 + 30));
    let shown = house.run("performance show Movie");
    let text = shown.text();
    assert!(text.contains("Postponed from Tue 1 Dec 2099 19:30: the singer is ill"), "{text}");
    let csv = house.run("performance customers Movie --csv");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines[0], "name,phone,receipt,cart,seats,paid,currency");
    assert!(lines[2].starts_with(",,till-1/1,") && lines[2].ends_with(",B6 B7 B8,30.00,EUR"), "{lines:?}");
    assert!(lines[1].starts_with("\"Weber, Max\",'=030 1,,"), "{lines:?}");
    assert!(lines[1].ends_with(",C1,,EUR"), "{lines:?}");
    let order = house.run("receipt show 1");
    let paper = order.text();
    assert!(paper.contains("Tickets of Tue 1 Dec 2099 are void: print again."), "{paper}");
    let printed = house.run("receipt print 1 --tickets-only");
    let tickets = printed.text();
    assert!(tickets.contains("Wednesday 2 December 2099 20:00"), "{tickets}");
    let json = house.json("receipt show 1").done();
    assert!(json.get("void_tickets").is_none(), "{json}");
    house.verified();
}

#[test]
fn wrong_moves_of_a_night_are_refused_with_what_to_do() {
    let house = sold();
    for (line, kind) in [
        ("--start 2020-12-02T20:00 --reason ill", "in_the_past"),
        ("--start 2099-12-02T20:00 --reason ' '", "bad_value"),
        ("--start 2099-12-01T19:30 --reason ill", "same_start"),
        ("--start 2099-12-02T20:00 --end 2099-12-02T19:00 --reason ill", "ends_before_start"),
        ("--start 2099-12-32 --reason ill", "bad_value"),
    ] {
        house.json(&format!("performance postpone Movie {line}")).refused(kind);
    }
    house.json("theater add Berlin --rows 2x4 --time-zone Europe/Berlin").done();
    house
        .json(
            "performance add --theater Berlin --title Nacht --start 2030-03-30T02:30 --end 2030-03-30T04:30 --price 9",
        )
        .done();
    let gap = house.run("performance postpone Nacht --start 2030-03-31T02:30 --reason ill");
    assert!(gap.err.contains("02:30"), "{}", gap.err);
    house.json("performance cancel Nacht --reason ill").done();
    house.json("performance postpone Nacht --start 2030-04-02T20:00 --reason ill").refused("night_canceled");
    house.verified();
}
