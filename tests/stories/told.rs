//! Events of sales, corrections, bookings and performances: told where a listener waits for them, once, with their facts.

use chrono_tz::Tz;
use serde_json::{Value, json};
use willcall::domain::correction::BackBy;
use willcall::domain::customer::Customer;
use willcall::domain::loss::CellGroup;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    CancelBooking, CancelPerformance, ChangeBooking, ChangeSettings, Checkout, MoveBooking, Past, PostponePerformance,
    Reach, Whose,
};
use willcall::engine::reads::events::{EventView, ReadEvents};

use super::after_sale::refund;
use super::calendar::{book, room, slot};
use super::support::{House, NOON, paying, receipt, seat};
use crate::limit::until;

const WORDS: [&str; 8] = [
    "receipt_issued",
    "receipt_corrected",
    "booking_made",
    "booking_moved",
    "booking_canceled",
    "performance_changed",
    "performance_postponed",
    "performance_canceled",
];

fn listen(house: &House, command: &str) {
    let all = WORDS.iter().fold(ChangeSettings::default(), |all, word| all.and(&format!("listener.{word}"), command));
    house.desk.run(all).unwrap();
}

/// Everything that listeners are told, as they read it.
fn told(house: &House) -> Vec<Value> {
    let events: Vec<EventView> = house.desk.read(ReadEvents::default()).unwrap();
    let events = events.iter().filter(|event| WORDS.contains(&event.word.as_str()));
    events.map(|event| Value::Object(event.told(Tz::UTC))).collect()
}

/// A sale and what comes back of it, a booking that moves and is canceled, and a night that moves and is canceled.
fn season(house: &House) {
    let ida = Customer { name: "Ida Weber".into(), phone: "0171 555".into(), mail: "ida@example.org".into() };
    let sale = Checkout { customer: Some(ida.clone()), ..paying(house.cart_with("A1 A2"), 2000) };
    let sold = receipt(house.desk.run(sale).unwrap());
    let one = CellGroup::Seats { performance: house.show, seats: vec![seat(0, 1)] };
    house.desk.run(refund(&sold, Some(vec![one]), BackBy::Cash)).unwrap();
    let studio = room(house, "Studio", 60);
    let gala = book(house, &studio, "Gala", "2026-12-01 20:00 22:00");
    let named = ChangeBooking { customer: Some(ida), note: Some("bring flowers".into()), ..ChangeBooking::of(gala.id) };
    house.desk.run(named).unwrap();
    let moved = MoveBooking {
        booking: gala.id,
        from: None,
        to: None,
        part: None,
        slot: slot("2026-12-02 20:00 22:00"),
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    };
    house.desk.run(moved).unwrap();
    house.desk.run(CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine }).unwrap();
    let start = NOON + Span::minutes(600);
    let postpone = PostponePerformance { performance: house.show, start, end: None, reason: "fog".into() };
    house.desk.run(postpone).unwrap();
    house.desk.run(CancelPerformance { performance: house.show, reason: "more fog".into() }).unwrap();
}

#[test]
fn sales_bookings_and_performances_are_told_with_their_customer_and_facts() {
    let house = House::royal();
    listen(&house, "true");
    season(&house);
    let told = told(&house);
    let words: Vec<&str> = told.iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        [
            "receipt_issued",
            "receipt_corrected",
            "booking_made",
            "booking_moved",
            "booking_canceled",
            "performance_postponed",
            "performance_canceled"
        ]
    );
    let [sold, refunded, made, moved, _, postponed, canceled] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((&sold["customer"], &sold["phone"]), (&json!("Ida Weber"), &json!("0171 555")));
    assert_eq!((&sold["mail"], &made["mail"]), (&json!("ida@example.org"), &Value::Null));
    assert_eq!((&sold["total"], &sold["currency"], &sold["seats"]), (&json!("20.00"), &json!("EUR"), &json!(2)));
    assert_eq!((&refunded["total"], &refunded["of"]), (&json!("-10.00"), &json!([sold["receipt"]])));
    assert_eq!((&made["resources"], &made["customer"]), (&json!(["studio"]), &json!("")));
    let at =
        |day: u8| json!({ "from": format!("2026-12-0{day}T20:00:00Z"), "until": format!("2026-12-0{day}T22:00:00Z") });
    assert_eq!((&moved["customer"], &moved["slot"], &moved["was"]), (&json!("Ida Weber"), &at(2), &at(1)));
    assert_eq!(
        (&postponed["was"], &postponed["start"]),
        (&json!("2026-11-21T19:30:00Z"), &json!("2026-11-21T22:00:00Z"))
    );
    assert_eq!((&canceled["title"], &canceled["end"]), (&json!("Action Movie 5"), &json!("2026-11-22T00:00:00Z")));
    house.verified();
}

#[test]
fn what_no_listener_waits_for_is_in_the_journal_alone() {
    let house = House::royal();
    season(&house);
    assert_eq!(told(&house), [Value::Null; 0]);
    let only = ChangeSettings::to("listener.receipt_issued", "true");
    house.desk.run(only).unwrap();
    let night = house.performance("Hamlet", &[(None, None, 1000)]);
    house.desk.run(CancelPerformance { performance: night, reason: "fog".into() }).unwrap();
    assert_eq!(told(&house), [Value::Null; 0]);
}

#[test]
fn each_is_heard_once_by_whichever_station_is_on() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    listen(&house, &format!("cat >> '{}'", file.display()));
    season(&house);
    let running = [house.running(), house.running()];
    let heard = || std::fs::read_to_string(&file).unwrap_or_default();
    until("all are heard", || heard().lines().count() >= told(&house).len());
    drop(running);
    let mut lines: Vec<Value> = heard().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|one| one["id"].as_i64());
    for line in &mut lines {
        assert_eq!(line.as_object_mut().unwrap().remove("attempt"), Some(json!(1)));
    }
    assert_eq!(lines, told(&house), "each once, with all of its facts");
    house.verified();
}
