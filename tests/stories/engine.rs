//! The engine: commands, notices, several processes on one file, and the invariants, each broken by hand.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use willcall::domain::customer::Customer;
use willcall::domain::ids::{CartId, CommandId, ReceiptId};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::Clock;
use willcall::engine::ops::{CancelCart, ChangeSettings, Checkout, ConfirmClock, HoldSeats, OpenCart, SeatChoice};
use willcall::engine::reads::find::{HitTarget, ReadFind};
use willcall::engine::reads::inspect::ReadSeatStory;
use willcall::engine::reads::journal::ReadHistory;
use willcall::engine::reads::names::ReadNamed;
use willcall::engine::reads::receipts::ReadReceipts;
use willcall::engine::reads::tonight::{ReadTally, ReadTonight};
use willcall::engine::verify::{Verify, Violation};
use willcall::engine::{Config, Engine};
use willcall::store::Fault;
use willcall::store::document::DocKind;

use super::support::{House, NOON, actor, paying, receipt, refused, seat};
use crate::limit::until;

#[test]
fn a_done_command_answers_again_and_a_refused_one_may_be_tried_again() {
    let house = House::royal();
    let (cart, command) = (house.open_cart(), CommandId::random());
    let other = house.cart_with("A1");
    let hold = house.holding(cart, "A1");
    refused(house.desk.run_as(command, hold.clone()));
    house.desk.run(CancelCart { cart: other }).unwrap();
    let first = house.desk.run_as(command, hold.clone()).unwrap();
    let again = house.second().desk(actor("ada", "till-1")).run_as(command, hold).unwrap();
    assert_eq!(first, again);
    let reused = house.desk.run_as(command, house.holding(cart, "A2"));
    assert!(matches!(refused(reused), Refusal::CommandReused { .. }));
    house.verified();
}

#[test]
fn another_process_hears_of_a_hold() {
    let house = House::royal();
    let second = house.second();
    let mut notices = second.desk(actor("ben", "till-2")).watch();
    house.cart_with("A1");
    let show = house.show.to_string();
    until("a notice of the seats", || notices.try_recv().is_ok_and(|notice| notice.touches(DocKind::Chunk, &show)));
}

#[test]
fn t10_many_stations_fight_for_the_same_seats_and_each_is_sold_once() {
    let house = House::of(willcall::formats::rows::parse("4x25").unwrap(), &[(None, None, 100)]);
    let engines: Vec<_> = (0..4).map(|_| house.second()).collect();
    let show = house.show;
    let sold: Vec<_> = std::thread::scope(|scope| {
        let till = |(n, engine): (usize, &willcall::engine::Engine)| {
            let desk = engine.desk(actor("ada", &format!("till-{n}")));
            scope.spawn(move || {
                let mut mine = Vec::new();
                for place in 0..100_u32 {
                    let place = (place + u32::try_from(n).unwrap() * 7) % 100;
                    let seats = SeatChoice::Seats(vec![seat(place / 25, place % 25)]);
                    let hold = HoldSeats {
                        cart: None,
                        performance: show,
                        seats,
                        ticket_type: None,
                        kept: willcall::engine::ops::HouseSeats::Refuse,
                    };
                    if let Ok(cart) = desk.run(hold) {
                        mine.extend(
                            receipt(desk.run(paying(cart.id, 100)).unwrap()).lines.remove(0).goods.seats().to_vec(),
                        );
                    }
                }
                mine
            })
        };
        let tills: Vec<_> = engines.iter().enumerate().map(till).collect();
        tills.into_iter().flat_map(|till| till.join().unwrap()).collect()
    });
    assert_eq!((sold.len(), sold.iter().collect::<HashSet<_>>().len(), house.free()), (100, 100, 0));
    house.verified();
}

#[test]
fn what_a_station_remembers_is_never_a_reason_once_another_has_changed_it() {
    let house = House::royal();
    let (first, engine) = (house.desk.clone(), house.second());
    let second = engine.desk(actor("ben", "till-2"));
    let settings = |hold, seats_max| ChangeSettings::to("hold", &Span::minutes(hold)).and("seats-max", &seats_max);
    // till-2 remembers the settings, the row, and that A1 is taken
    let taken = house.cart_with("A1");
    let cart = second.run(OpenCart::default()).unwrap().id;
    refused(second.run(house.holding(cart, "A1")));
    second.run(house.holding(cart, "A2")).unwrap();
    // a refusal rests on what is so now
    first.run(CancelCart { cart: taken }).unwrap();
    second.run(house.holding(cart, "A1")).unwrap();
    first.run(settings(3, 3)).unwrap();
    let too_many = refused(second.run(house.holding(cart, "A3 A4")));
    assert!(matches!(too_many, Refusal::TooManySeats { seats_max: 3, .. }));
    // and so does what is done, also where it only reads
    assert_eq!(second.run(OpenCart::default()).unwrap().hold, Span::minutes(3));
    first.run(settings(4, 3)).unwrap();
    assert_eq!(second.run(OpenCart::default()).unwrap().hold, Span::minutes(4));
    // nothing to do is an answer too
    first.run(CancelCart { cart }).unwrap();
    let ended = refused(second.run(house.holding(cart, "A1 A2")));
    assert_eq!(ended, Refusal::CartCanceled);
    house.verified();
}

#[test]
fn receipts_are_numbered_without_gaps_per_station() {
    let house = House::royal();
    for seats in ["A1", "A2"] {
        house.sold(seats);
    }
    let cart = house.cart_with("A3");
    refused(house.pay(cart, 1));
    let other = receipt(house.at("till-2").run(paying(cart, 1000)).unwrap());
    let next = house.sold("A4");
    assert_eq!((other.number.as_str(), next.number.as_str()), ("till-2/1", "till-1/3"));
    let rows = house.desk.read(ReadReceipts::default()).unwrap();
    assert_eq!(rows.len(), 4);
    house.verified();
}

#[test]
fn questions_answer_in_the_words_of_the_screen() {
    let house = House::royal();
    house.sold("B6 B7");
    house.cart_with("C1");
    let tonight = house.desk.read(ReadTonight { from: NOON, before: NOON + Span::minutes(7 * 24 * 60) }).unwrap();
    assert_eq!((tonight.performances[0].free, tonight.performances[0].seats), (77, 80));
    assert_eq!((tonight.takings[0].seats, tonight.takings[0].money[0].total()), (2, 2000));
    let tally = &house.desk.read(ReadTally(house.show)).unwrap()[0].1;
    assert_eq!((tally.free, tally.held, tally.booked), (77, 1, 2));
}

#[test]
fn a_seat_tells_its_story_and_anything_is_found_by_what_people_remember() {
    let house = House::royal();
    let receipt = house.sold("B6 B7");
    let story = house.desk.read(ReadSeatStory { performance: house.show, seat: seat(1, 5) }).unwrap();
    assert_eq!((story.now.as_str(), story.receipt.map(|found| found.1)), ("booked", Some(receipt.number.clone())));
    assert_eq!(story.events.iter().map(|event| event.state.as_str()).collect::<Vec<_>>(), ["booked", "held"]);
    let hits = house
        .desk
        .read(ReadFind { text: "1".into(), performance: Some(house.show), zone: chrono_tz::Tz::UTC })
        .unwrap();
    assert!(hits.iter().any(|hit| hit.target == HitTarget::Receipt(receipt.id)));
    let receipt_hit = hits.iter().find(|hit| hit.target == HitTarget::Receipt(receipt.id));
    let told = receipt_hit.map(|hit| (&*hit.name, &*hit.what, &*hit.when));
    assert_eq!(told.unwrap(), ("receipt till-1/1", "till-1/1, EUR 20.00", "Action Movie 5 Sat 21 Nov 19:30"));
    assert_eq!(house.desk.read(ReadNamed::<ReceiptId>::new("till-1/1")).unwrap(), receipt.id);
    assert_eq!(house.desk.read(ReadNamed::<CartId>::new(&receipt.cart.tail())).unwrap(), receipt.cart);
    assert!(matches!(refused(house.desk.read(ReadNamed::<CartId>::new("zzzzzz"))), Refusal::NotFound { .. }));
}

#[test]
fn what_is_typed_to_find_something_stands_for_itself() {
    let house = House::royal();
    let desk = house.at("Kasse_A");
    let cart = house.cart_with("A1");
    let customer = Customer { name: "Ann 100%".into(), ..Customer::default() };
    let receipt = receipt(desk.run(Checkout { customer: Some(customer), ..paying(cart, 1000) }).unwrap());
    house.sold("A2");
    let found = |text: &str| -> Vec<HitTarget> {
        let find = ReadFind { text: text.into(), performance: None, zone: chrono_tz::Tz::UTC };
        let hits = house.desk.read(find).unwrap();
        hits.into_iter().map(|hit| hit.target).collect()
    };
    for text in ["Kasse_A/1", "kasse_a/1", "ann 100%", "%", "0%"] {
        assert_eq!(found(text), [HitTarget::Receipt(receipt.id)], "{text}");
    }
    assert_eq!(found("till_1/1"), []);
    let history = |subject: &str| {
        let subject = subject.to_owned();
        house.desk.read(ReadHistory { subject })
    };
    assert!(history("%").unwrap().is_empty() && history("______").unwrap().is_empty());
    assert!(matches!(refused(history(" ..")), Refusal::BadValue { .. }));
    assert_eq!(history(&cart.tail()).unwrap().len(), 3);
    let bare = cart.to_string().replace('-', "");
    let named = ReadNamed::<CartId>::new(&bare);
    assert_eq!(house.desk.read(named).unwrap(), cart);
}

#[test]
fn a_seats_story_tells_nothing_that_it_did_not_see() {
    let house = House::royal();
    house.sold("A1");
    for _ in 0..201 {
        let cart = house.cart_with("A16");
        house.desk.run(CancelCart { cart }).unwrap();
    }
    let story = |place| ReadSeatStory { performance: house.show, seat: seat(0, place) };
    let sold = house.desk.read(story(0)).unwrap();
    assert_eq!((sold.now.as_str(), sold.events), ("booked", vec![]));
    assert!(house.desk.read(story(15)).unwrap().events.len() > 390);
}

#[test]
fn settings_stay_within_reason() {
    let house = House::royal();
    let bad = ChangeSettings::to("hold-cap", &Span::minutes(1));
    assert!(matches!(refused(house.desk.run(bad)), Refusal::OutOfRange { .. }));
    house.desk.run(ChangeSettings::to("hold", &Span::minutes(3))).unwrap();
    assert_eq!(house.desk.run(OpenCart::default()).unwrap().hold, Span::minutes(3));
    house.verified();
}

/// Breaks a house by hand and tells which invariants are named.
/// A clock that has jumped, until somebody confirms it.
#[derive(Default)]
struct Jumped(AtomicBool);

impl Clock for Jumped {
    fn now(&self) -> Instant {
        NOON
    }

    fn doubt_millis(&self) -> i64 {
        if self.0.load(Ordering::SeqCst) { 0 } else { 3_600_000 }
    }

    fn confirm(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_clock_that_is_confirmed_anywhere_is_followed_by_every_desk() {
    let house = House::royal();
    house.desk.run(ConfirmClock).unwrap();
    let jumped =
        Engine::open(Config { clock: Arc::new(Jumped::default()), ..Config::new(house.ground.place()) }).unwrap();
    let desk = jumped.desk(actor("ben", "till-2"));
    assert_ne!(desk.clock_doubt_millis(), 0, "what was confirmed before is no answer to it");
    house.desk.run(ChangeSettings::default()).unwrap();
    house.desk.run(ConfirmClock).unwrap();
    until("the clock is followed", || desk.clock_doubt_millis() == 0);
    house.verified();
}

fn broken(sql: &str) -> HashSet<String> {
    let house = House::royal();
    house.sold("A1 A2 A3");
    house.cart_with("B1 B2 B3");
    house.desk.run(CancelCart { cart: house.cart_with("C1") }).unwrap();
    let abandoned = house.cart_with("D1");
    house.pass(Span::minutes(30));
    house.desk.sweep().unwrap();
    let live = house.cart_with("E1 E2");
    assert!(house.verified().checked > 20);
    let sql = sql.replace("{live}", &live.to_string()).replace("{abandoned}", &abandoned.to_string());
    house.ground.meddle(&sql);
    let report = house.desk.read(Verify::default()).unwrap();
    let name = |violation: &Violation| serde_json::to_value(violation.invariant).unwrap().as_str().unwrap().to_owned();
    report.violations.iter().map(name).collect()
}

#[test]
fn each_invariant_is_named_when_it_is_broken() {
    if super::ground().folder().is_none() {
        // it is broken by functions that servers spell otherwise
        return;
    }
    let body = "json_extract(body, '$";
    let cases = [
        (
            "cells",
            "UPDATE chunk SET body = json_insert(body, '$[#]', json_extract(body, '$[1]')) WHERE key LIKE '%_00000'"
                .to_owned(),
        ),
        ("counts", "UPDATE chunk SET body = json_set(body, '$[0]', 17) WHERE key LIKE '%_00000'".to_owned()),
        ("counts", "UPDATE chunk SET free = free - 1 WHERE key LIKE '%_00004'".to_owned()),
        ("journal", "UPDATE cart SET expires_at = expires_at + 1 WHERE state = 'active'".to_owned()),
        ("all_or_none", "UPDATE chunk SET body = json_set(body, '$[1][1]', 1) WHERE key LIKE '%_00000'".to_owned()),
        ("live_cells", "UPDATE chunk SET body = '[16]' WHERE key LIKE '%_00000'".to_owned()),
        ("one_end", "UPDATE cart SET body = json_set(body, '$.state', 'expired') WHERE state = 'done'".to_owned()),
        (
            "deadlines",
            format!(
                "UPDATE cart SET body = json_set(body, '$.expires_at', {body}.modified_at') + 1) WHERE key = '{{abandoned}}'"
            ),
        ),
        ("money", "UPDATE receipt SET body = json_set(body, '$.total', 1)".to_owned()),
        ("journal", "DELETE FROM journal WHERE command IN (SELECT written_by FROM receipt)".to_owned()),
        ("jobs", "DELETE FROM job".to_owned()),
        ("recorded_time", "UPDATE receipt SET recorded_at = recorded_at + 1".to_owned()),
        ("durable", "PRAGMA ignore_check_constraints = ON; UPDATE chunk SET free = -1".to_owned()),
    ];
    for (invariant, sql) in cases {
        let named = broken(&sql);
        assert!(named.contains(invariant), "{invariant} is not among {named:?}");
    }
}

#[test]
fn nonsense_in_names_is_cleaned_before_it_is_stored() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let customer =
        Customer { name: "A\u{1b}[31mda\u{202e}\n  L".into(), phone: "\u{7}123".into(), ..Customer::default() };
    let named = house.desk.run(willcall::engine::ops::NameCustomer { cart, customer }).unwrap();
    let named = house.cart(named.id);
    assert!(!named.customer.name.contains(['\u{1b}', '\u{202e}', '\n']));
    assert_eq!(named.customer.phone, "123");
    house.verified();
}

#[test]
fn a_done_command_that_would_change_nothing_now_answers_what_it_answered() {
    let house = House::royal();
    let (cart, command) = (house.open_cart(), CommandId::random());
    let hold = house.holding(cart, "A1");
    let first = house.desk.run_as(command, hold.clone()).unwrap();
    house.hold(cart, "A2").unwrap();
    assert_eq!(house.desk.run_as(command, hold).unwrap(), first);
    let reused = house.desk.run_as(command, house.holding(cart, "A2"));
    assert!(matches!(refused(reused), Refusal::CommandReused { .. }));
    house.verified();
}

#[test]
fn a_desk_whose_house_became_newer_writes_no_more_and_says_so() {
    let house = House::royal();
    house.cart_with("A1");
    let becomes = |version: i64| {
        let sql = format!("UPDATE house_schema SET version = version + ({version})");
        house.ground.meddle(&sql);
    };
    becomes(1);
    for _ in 0..2 {
        let failure = house.desk.run(OpenCart::default()).unwrap_err();
        assert_eq!(failure, Fault::NewerSchema.into());
    }
    assert_eq!(house.free(), 79, "it still answers questions");
    becomes(-1);
    house.cart_with("A2");
    house.verified();
}

#[test]
fn a_desk_whose_file_is_deleted_or_replaced_writes_no_more_and_says_so() {
    let house = House::royal();
    let Some(folder) = house.ground.folder() else {
        return;
    };
    let [file, aside] = ["house.db", "aside.db"].map(|name| folder.path().join(name));
    house.cart_with("A1");
    let refuses = |fault: Fault| {
        let failure = house.desk.run(OpenCart::default()).unwrap_err();
        assert_eq!(failure, fault.into());
    };
    std::fs::rename(&file, &aside).unwrap();
    refuses(Fault::Deleted("house.db".into()));
    std::fs::write(&file, "").unwrap();
    refuses(Fault::Replaced("house.db".into()));
    std::fs::rename(&aside, &file).unwrap();
    house.cart_with("A2");
    house.verified();
}

#[test]
fn opening_a_house_writes_nothing_that_others_would_have_to_read() {
    let house = House::royal();
    // a server's readers look whether anything was written or not
    let Some(folder) = house.ground.folder() else {
        return;
    };
    let file = rusqlite::Connection::open(folder.path().join("house.db")).unwrap();
    let pulse = || -> i64 { file.pragma_query_value(None, "data_version", |row| row.get(0)).unwrap() };
    let before = pulse();
    drop(house.second());
    assert_eq!(pulse(), before);
    house.cart_with("A1");
    assert_ne!(pulse(), before);
}
