//! Corrections of what was entered: lines keep their prices, and nothing that stands ahead is lost.

use std::sync::Mutex;

use chrono_tz::{Europe, Tz};
use willcall::domain::booking::Details;
use willcall::domain::customer::Customer;
use willcall::domain::ids::PerformanceId;
use willcall::domain::job::JobKind;
use willcall::domain::money::{Currency, Price};
use willcall::domain::performance::{Performance, PerformanceState};
use willcall::domain::recurrence::{LocalSlot, slots};
use willcall::domain::refusal::{Ahead, ChangeRefusal, NightRefusal, Problem, Refusal};
use willcall::domain::resource::{OpenHours, Policy, Resource, ResourceId};
use willcall::domain::time::{Instant, Local, Segment, Slot, Span, parse_date, parse_local};
use willcall::engine::ops::{
    AddPerformance, AddPerformances, AddResource, AddTheater, AddWaiting, BookSlot, CancelBooking, CancelPerformance,
    ChangePerformance, ChangePerformances, ChangeResource, ChangeTheater, CloseDays, CopyPerformance, DisableSeats,
    HoldSeats, HoldSlot, HouseSeats, KeepSeats, NamedPrice, Nights, Past, Patched, PerformancePatch,
    PostponePerformance, PriceName, Reach, RemoveWaiting, ResourcePatch, Revised, SettleBy, SlotWanted, TheaterPatch,
    WhatStands, Which, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::catalog::{ReadPerformance, ReadRun, ReadTheaters};
use willcall::engine::reads::free_time::ReadFree;
use willcall::engine::reads::jobs::{ReadJobs, WhichJobs};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::names::ReadNamedPerformance;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::resources::{ReadResource, ReadResources, ResourceFilter};
use willcall::engine::reads::tonight::ReadPerformances;
use willcall::engine::reads::{Listed, Rehearse};
use willcall::formats::rows;
use willcall::words;

use super::calendar::{add, book, booking, resource, room, slot};
use super::races::Rivals;
use super::reservations::reserving;
use super::settling::settle;
use super::support::{HERE, House, NOON, adding, named, names, no};

const DAY: Span = Span::DAY;

/// The start of the show.
fn start() -> Instant {
    NOON + Span::minutes(450)
}

fn change(house: &House, patch: PerformancePatch) -> ChangePerformance {
    ChangePerformance { performance: house.show, patch }
}

fn changed(house: &House, patch: PerformancePatch) -> Revised<Performance, PerformancePatch> {
    house.desk.run(change(house, patch)).unwrap()
}

fn refused(house: &House, patch: PerformancePatch) -> Refusal {
    no(&house.desk, change(house, patch))
}

fn patch() -> PerformancePatch {
    PerformancePatch::default()
}

fn priced(minor: i64) -> PerformancePatch {
    PerformancePatch { prices: vec![NamedPrice::all(minor)], ..patch() }
}

fn pounds() -> Currency {
    "GBP".parse().unwrap()
}

fn retired(retired: bool) -> PerformancePatch {
    PerformancePatch { retired: Some(retired), ..patch() }
}

fn sentence(refusal: &Refusal) -> String {
    words::refusal(refusal, HERE)
}

fn titles(house: &House, listed: Listed) -> Vec<String> {
    let rows = house.desk.read(ReadPerformances { listed, ..ReadPerformances::default() }).unwrap();
    rows.into_iter().map(|row| row.title).collect()
}

fn sales_close(house: &House) -> Vec<Instant> {
    let jobs = ReadJobs { which: WhichJobs::All, kind: Some(JobKind::SalesClose.word().into()) };
    house.desk.read(jobs).unwrap().iter().map(|job| job.next_check_at).collect()
}

#[test]
fn a_typo_and_a_price_are_mended_and_no_line_that_is_there_changes() {
    let house = House::royal();
    let sold = house.sold("C1 C2");
    let (held, reserved) = (house.cart_with("A1"), house.cart_with("B1"));
    house.desk.run(reserving(reserved, NOON + Span::minutes(240))).unwrap();
    let before = (house.cart(held).cart.lines, house.cart(reserved).cart.lines);
    let mend = PerformancePatch {
        title: Some("Action Movie 6 ".into()),
        description: Some("dubbed".into()),
        prices: vec![NamedPrice::all(1200), NamedPrice { ticket_type: Some("Child".into()), ..NamedPrice::all(600) }],
        ..patch()
    };
    let done = changed(&house, mend);
    assert_eq!((done.before.title.as_str(), done.after.title.as_str()), ("Action Movie 5", "Action Movie 6"));
    assert_eq!((done.before.price(0, "Adult"), done.after.price(0, "Adult")), (Some(1000), Some(1200)));
    assert_eq!((done.after.price(0, "child"), done.after.description.as_str()), (Some(600), "dubbed"));
    // nothing of a line, nor of a receipt
    assert_eq!((house.cart(held).cart.lines, house.cart(reserved).cart.lines), before);
    assert_eq!(house.desk.read(ReadReceipt(sold.id)).unwrap().receipt, sold);
    assert_eq!(house.pay(held, 1000).unwrap().total, 1000);
    assert_eq!(house.pay(reserved, 1000).unwrap().total, 1000);
    let later = house.cart_with("D1");
    assert_eq!(house.cart(later).cart.total(), Ok(1200));
    // the hall is told too, and the journal
    let hall = house.desk.read(ReadPerformance(house.show)).unwrap().hall.unwrap();
    assert_eq!(house.desk.read(ReadBooking(hall.booking)).unwrap().booking.title, "Action Movie 6");
    let journal = house.desk.read(ReadJournal::default()).unwrap();
    assert!(journal.iter().any(|entry| entry.request.contains("dubbed")));
    // only the price that is named changes, and one that is not wanted goes
    let gone = PriceName { category: None, ticket_type: Some("CHILD".into()) };
    let no_price = PerformancePatch { no_prices: vec![gone], ..patch() };
    assert_eq!(changed(&house, no_price.clone()).after.prices.len(), 1);
    let said = words::refusal(&refused(&house, no_price), HERE);
    assert!(said.ends_with("or of all. Name one that is there: *."), "{said}");
    house.verified();
}

#[test]
fn a_ticket_type_that_somebody_has_keeps_its_price_until_the_seats_are_retyped() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 500)]);
    let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(house.open_cart(), "B6 B7") };
    let cart = house.desk.run(child).unwrap();
    let gone = PriceName { category: None, ticket_type: Some("child".into()) };
    let no_price = || PerformancePatch { no_prices: vec![gone.clone()], ..patch() };
    let said = words::refusal(&refused(&house, no_price()), HERE);
    assert_eq!(
        said,
        "B6-B7 are taken as Child, so its price of Action Movie 5 stays. Change the price, or retype these seats first."
    );
    let receipt = house.pay(cart.id, 1000).unwrap();
    assert!(matches!(refused(&house, no_price()), Refusal::Change(ChangeRefusal::TypeStays { .. })));
    // another price of it is no loss of it
    let dearer = NamedPrice { ticket_type: Some("Child".into()), ..NamedPrice::all(700) };
    changed(&house, PerformancePatch { prices: vec![dearer], ..patch() });
    assert_eq!(house.desk.read(ReadReceipt(receipt.id)).unwrap().receipt, receipt);
    // nor one that goes where nobody sits
    let other = house.performance("Lear", &[(None, None, 1000), (None, Some("Child"), 500)]);
    house.desk.run(ChangePerformance { performance: other, patch: no_price() }).unwrap();
    house.verified();
}

#[test]
fn a_patch_that_makes_no_sense_changes_nothing() {
    let house = House::royal();
    let before = house.desk.read(ReadPerformance(house.show)).unwrap().performance;
    let price =
        |category: Option<&str>, minor| NamedPrice { category: category.map(Into::into), ..NamedPrice::all(minor) };
    let prices = |prices: &[NamedPrice]| PerformancePatch { prices: prices.to_vec(), ..patch() };
    let adult = PriceName { category: None, ticket_type: None };
    for (wrong, said) in [
        (PerformancePatch { title: Some(" ".into()), ..patch() }, "Title: it needs a name."),
        (prices(&[price(Some("Gold"), 900)]), "There is no category \"Gold\". Choose Standard."),
        (prices(&[price(None, -1)]), "Price: it is out of range."),
        (prices(&[price(None, 1), price(None, 2)]), "Price: two prices are for the same category"),
        (PerformancePatch { no_prices: vec![adult], ..patch() }, "Price: it needs at least one price."),
        (PerformancePatch { end: Some(start()), ..patch() }, "It ends before it starts"),
        (PerformancePatch { start: Some(NOON), ..patch() }, "Sat 21 Nov 2026 12:00 is past."),
        (PerformancePatch { currency: Some(pounds()), ..patch() }, "Price: some are in EUR still; name each"),
    ] {
        let refusal = sentence(&refused(&house, wrong));
        assert!(refusal.starts_with(said), "{refusal}");
    }
    assert_eq!(house.desk.read(ReadPerformance(house.show)).unwrap().performance, before);
    house.verified();
}

#[test]
fn a_start_moves_while_nobody_has_seats_and_is_postponed_after_that() {
    let house = House::royal();
    house.disable("E1");
    let later = PerformancePatch { start: Some(start() + DAY), ..patch() };
    let moved = changed(&house, later).after;
    assert_eq!((moved.start, moved.end), (start() + DAY, start() + DAY + Span::minutes(120)));
    assert_eq!(sales_close(&house), [start() + DAY]);
    assert!(moved.postponed.is_empty(), "no ticket shows the old start");
    let back = PerformancePatch { start: Some(start()), ..patch() };
    changed(&house, back.clone());
    house.verified();
    // somebody else has the hall then
    house.desk.run(adding(house.theater, (start() + DAY, "Hamlet"), &[(None, None, 900)])).unwrap();
    let taken = PerformancePatch { start: Some(start() + DAY), ..patch() };
    assert!(sentence(&refused(&house, taken)).contains("booked, Hamlet. The hall is taken then"));
    // a hold is enough for the start to stay; the end may change
    house.cart_with("A1");
    let refusal = refused(&house, PerformancePatch { start: Some(start() + Span::minutes(30)), ..patch() });
    assert!(matches!(refusal, Refusal::Change(ChangeRefusal::StartStays { .. })));
    let said = sentence(&refusal);
    assert!(said.starts_with("A1 is gone: till-1 holds it until"), "{said}");
    assert!(
        said.ends_with("So the start of Action Movie 5 stays. Postpone it instead: all of them move along."),
        "{said}"
    );
    let longer = PerformancePatch { end: Some(start() + Span::minutes(150)), ..patch() };
    assert_eq!(changed(&house, longer).after.end, start() + Span::minutes(150));
    let too_long = PerformancePatch { end: Some(start() + DAY + Span::minutes(10)), ..patch() };
    assert!(matches!(refused(&house, too_long), Refusal::Taken { .. }));
    // a hold past its deadline is none, and a performance that is over or canceled stays as it was
    house.pass(Span::minutes(120));
    changed(&house, PerformancePatch { start: Some(start() + Span::minutes(30)), ..patch() });
    house.verified();
    house.cancel_show();
    assert!(matches!(refused(&house, back.clone()), Refusal::Night(NightRefusal::NightCanceled { .. })));
    house.pass(DAY);
    let again = retired(true);
    assert_eq!(changed(&house, again).after.state, PerformanceState::Retired);
    assert!(matches!(refused(&house, back), Refusal::Change(ChangeRefusal::Retired { .. })));
    house.verified();
}

#[test]
fn the_currency_changes_with_all_prices_until_something_is_sold() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 500)]);
    let in_pounds = |prices: Vec<NamedPrice>| PerformancePatch { currency: Some(pounds()), prices, ..patch() };
    let refusal = refused(&house, in_pounds(vec![NamedPrice::all(900)]));
    assert_eq!(sentence(&refusal), "Price: some are in EUR still; name each of them anew, with --price or --no-price.");
    let child = NamedPrice { ticket_type: Some("Child".into()), ..NamedPrice::all(450) };
    let done = changed(&house, in_pounds(vec![NamedPrice::all(900), child.clone()])).after;
    assert_eq!((done.currency, done.price(0, "Adult"), done.price(0, "Child")), (pounds(), Some(900), Some(450)));
    house.sold("A1");
    let euros =
        PerformancePatch { currency: Some(Currency::EUR), prices: vec![NamedPrice::all(1000), child], ..patch() };
    let said = sentence(&refused(&house, euros));
    assert_eq!(
        said,
        "A1 is gone: sold. So the currency of Action Movie 5 stays GBP. Add another performance in the other one."
    );
    house.verified();
}

#[test]
fn a_performance_that_nobody_has_seats_of_is_retired_and_brought_back() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    house.desk.run(reserving(cart, NOON + Span::minutes(240))).unwrap();
    let keep = KeepSeats { performance: house.show, seats: names("D1"), reason: "press".into(), until: start() };
    house.desk.run(keep).unwrap();
    let said = sentence(&refused(&house, retired(true)));
    assert!(
        said.starts_with("The performance Action Movie 5 can't be retired yet: A1, A2 are reserved for Weber"),
        "{said}"
    );
    assert!(said.contains("D1 is kept by the house (press)") && said.ends_with(". End or move that first."), "{said}");
    let empty = House::royal();
    let done = changed(&empty, retired(true));
    assert_eq!((done.before.state, done.after.state), (PerformanceState::Open, PerformanceState::Retired));
    assert_eq!(titles(&empty, Listed::InUse), Vec::<String>::new());
    assert_eq!(titles(&empty, Listed::Retired), ["Action Movie 5"]);
    assert_eq!(sales_close(&empty), []);
    let told = "The performance Action Movie 5 is retired. Choose another, or bring it back: performance change, with --no-retired.";
    let hold = empty.holding(empty.open_cart(), "A1");
    assert_eq!(sentence(&no(&empty.desk, hold)), told);
    let postpone = PostponePerformance { performance: empty.show, start: start() + DAY, end: None, reason: "x".into() };
    assert_eq!(sentence(&no(&empty.desk, postpone)), told);
    let cancel = CancelPerformance { performance: empty.show, reason: "x".into() };
    assert_eq!(sentence(&no(&empty.desk, cancel)), told);
    empty.verified();
    // its hall and its name are free
    let right = empty.desk.run(adding(empty.theater, (start(), "Action Movie 5"), &[(None, None, 900)])).unwrap();
    let (found, _) = empty.desk.read(ReadNamedPerformance("action movie 5".into())).unwrap();
    assert_eq!(found, right.performance.id);
    assert!(matches!(refused(&empty, retired(false)), Refusal::Taken { .. }));
    // at another time, which it takes at once
    let later = PerformancePatch { start: Some(start() + DAY), retired: Some(false), ..patch() };
    let done = changed(&empty, later);
    assert_eq!((done.after.state, done.after.start), (PerformanceState::Open, start() + DAY));
    assert_eq!(sales_close(&empty), [start(), start() + DAY]);
    empty.verified();
    // and taken back in one act
    let undone = changed(&empty, done.back).after;
    assert_eq!((undone.state, undone.start), (PerformanceState::Retired, start()));
    empty.verified();
    empty.desk.run(ChangePerformance { performance: found, patch: retired(true) }).unwrap();
    assert_eq!(changed(&empty, retired(false)).after.state, PerformanceState::Open);
    assert_eq!(sales_close(&empty), [start()]);
    assert_eq!(empty.cart(empty.cart_with("A1")).cart.total(), Ok(1000));
    empty.verified();
    house.verified();
}

#[test]
fn nobody_who_waits_for_seats_is_forgotten_and_nothing_of_what_is_retired_goes_out_of_use() {
    let house = House::royal();
    let customer = Customer { name: "Ida".into(), ..Customer::default() };
    let waiting = AddWaiting { performance: house.show, customer, seats: 2, category: None, priority: None };
    let waiting = house.desk.run(waiting).unwrap();
    assert_eq!(
        sentence(&refused(&house, retired(true))),
        "The performance Action Movie 5 can't be retired yet: 1 guest on the waiting list. End or move that first."
    );
    house.desk.run(RemoveWaiting { waiting: waiting.id }).unwrap();
    changed(&house, retired(true));
    let which = Which::Performance(house.show);
    let disable = DisableSeats { which, seats: names("A1"), reason: "broken".into() };
    assert!(matches!(no(&house.desk, disable), Refusal::Change(ChangeRefusal::Retired { .. })));
    house.verified();
}

#[test]
fn a_canceled_performance_is_retired_when_all_is_dealt_with() {
    let house = House::royal();
    let receipt = house.sold("A1");
    house.desk.run(CancelPerformance { performance: house.show, reason: "flooded".into() }).unwrap();
    let said = sentence(&refused(&house, retired(true)));
    assert_eq!(
        said,
        "The performance Action Movie 5 can't be retired yet: 1 worklist item to be dealt with. End or move that first."
    );
    house.desk.run(settle(&house, &receipt, SettleBy::AsPaid)).unwrap();
    changed(&house, retired(true));
    assert_eq!(titles(&house, Listed::InUse), Vec::<String>::new());
    assert_eq!(changed(&house, retired(false)).after.state, PerformanceState::Canceled);
    house.verified();
}

#[test]
fn a_theater_is_renamed_with_its_hall_and_retired_when_nothing_plays_there() {
    let house = House::royal();
    let change = |patch: TheaterPatch| ChangeTheater { theater: house.theater, patch };
    let renamed = TheaterPatch { name: Some("The Regal".into()), ..TheaterPatch::default() };
    let done = house.desk.run(change(renamed.clone())).unwrap();
    assert_eq!((done.before.name.as_str(), done.after.name.as_str()), ("The Royal", "The Regal"));
    assert_eq!(house.desk.read(ReadResource("the regal".into())).unwrap().id, done.after.hall);
    let zone = TheaterPatch { time_zone: Some(Europe::Berlin), ..TheaterPatch::default() };
    assert_eq!(
        sentence(&no(&house.desk, change(zone.clone()))),
        "The Regal has performances by the time of UTC, which stays. Add another theater, and retire this one."
    );
    let away = TheaterPatch { retired: Some(true), ..TheaterPatch::default() };
    assert_eq!(
        sentence(&no(&house.desk, change(away.clone()))),
        "The theater The Regal can't be retired yet: Action Movie 5 Sat 21 Nov 19:30. End or move that first."
    );
    house.cancel_show();
    house.desk.run(change(away)).unwrap();
    assert!(house.desk.read(ReadTheaters::default()).unwrap().is_empty());
    let hall: Resource = house.desk.read(ReadResource(done.after.hall.to_string())).unwrap();
    assert!(hall.retired, "its hall goes with it");
    let add = adding(house.theater, (start() + DAY, "Hamlet"), &[(None, None, 900)]);
    assert_eq!(
        sentence(&no(&house.desk, add)),
        "The theater The Regal is retired. Choose another, or bring it back: theater change, with --no-retired."
    );
    // a new one, still without performances, may have another zone and not a name that is taken
    let plan = rows::parse("1x4").unwrap();
    let attic = AddTheater { name: "The Attic".into(), plan, time_zone: Some(Tz::UTC) };
    let attic = house.desk.run(attic).unwrap();
    let there = |patch| ChangeTheater { theater: attic.id, patch };
    assert_eq!(house.desk.run(there(zone)).unwrap().after.time_zone, Europe::Berlin);
    let hall: Resource = house.desk.read(ReadResource(attic.hall.to_string())).unwrap();
    assert_eq!(hall.zone(), Europe::Berlin);
    assert!(matches!(no(&house.desk, there(renamed)), Refusal::Exists { .. }));
    // its hall goes with it and comes back with it, and stays while something else needs it
    let retired = |retired| there(TheaterPatch { retired: Some(retired), ..TheaterPatch::default() });
    let is_gone = || house.desk.read(ReadResource(attic.hall.to_string())).unwrap().retired;
    let told = [true, false].map(|away| {
        house.desk.run(retired(away)).unwrap();
        is_gone()
    });
    assert_eq!(told, [true, false]);
    book(&house, &attic.hall, "Rehearsal", "2026-12-24 10:00 12:00");
    house.desk.run(retired(true)).unwrap();
    assert!(!is_gone(), "a rehearsal is booked there");
    house.verified();
}

fn on(resource: &ResourceId, patch: ResourcePatch) -> ChangeResource {
    ChangeResource { resource: resource.clone(), patch }
}

const fn euros(minor: i64) -> Price {
    Price { minor, currency: Currency::EUR }
}

#[test]
fn a_room_gets_another_price_and_what_was_booked_or_held_keeps_its_own() {
    let house = House::royal();
    let studio = add(&house, AddResource { price: Some(euros(2000)), ..resource("Studoi", 60) });
    let booked = book(&house, &studio, "Yoga", "2026-12-01 10:00 12:00");
    let wanted = slot("2026-12-01 14:00 15:00");
    let hold = HoldSlot {
        cart: None,
        wants: vec![SlotWanted { count: None, resource: studio.clone(), slot: wanted }],
        past: Past::Refuse,
    };
    let cart = house.desk.run(hold).unwrap();
    let mend = ResourcePatch {
        name: Some("Studio".into()),
        kind: Some("Hall".into()),
        price: Patched::Set(euros(2500)),
        before: Some(Span::minutes(60)),
        hours: Patched::Set(OpenHours::parse("08:00-22:00").unwrap()),
        properties: [("Beds".to_owned(), Some("2".to_owned()))].into(),
        ..ResourcePatch::default()
    };
    let done = house.desk.run(on(&studio, mend)).unwrap();
    assert_eq!((done.before.name.as_str(), done.after.name.as_str(), &done.after.id), ("Studoi", "Studio", &studio));
    assert_eq!((done.after.kind.as_str(), done.after.properties["beds"].as_str()), ("hall", "2"));
    assert_eq!(house.desk.read(ReadBooking(booked.id)).unwrap().booking.price, Some(euros(4000)));
    assert_eq!(house.pay(cart.id, 2000).unwrap().total, 2000);
    assert_eq!(book(&house, &studio, "Choir", "2026-12-02 10:00 12:00").price, Some(euros(5000)));
    assert!(matches!(
        no(&house.desk, booking(&studio, "late", slot("2026-12-02 22:00 23:00"))),
        Refusal::OutsideHours { .. }
    ));
    let clear = ResourcePatch {
        price: Patched::Clear,
        hours: Patched::Clear,
        properties: [("beds".to_owned(), None)].into(),
        ..ResourcePatch::default()
    };
    let done = house.desk.run(on(&studio, clear)).unwrap().after;
    assert_eq!((done.price, done.hours, done.properties.len()), (None, None, 0));
    // what cannot change says what to do instead
    let grid = ResourcePatch { segment: Some(Segment::LEAST), ..ResourcePatch::default() };
    assert_eq!(
        sentence(&no(&house.desk, on(&studio, grid.clone()))),
        "Studio has days or parts in UTC by segments of 60 minutes; both stay. Add another resource, and retire this one."
    );
    let fresh = room(&house, "Fresh", 60);
    assert_eq!(house.desk.run(on(&fresh, grid)).unwrap().after.grid.segment, Segment::LEAST);
    let taken = ResourcePatch { name: Some("STUDIO".into()), ..ResourcePatch::default() };
    assert!(matches!(no(&house.desk, on(&fresh, taken)), Refusal::Exists { .. }));
    let roll = ResourcePatch { roll_days: Patched::Set(30), ..ResourcePatch::default() };
    assert!(matches!(no(&house.desk, on(&fresh, roll)), Refusal::WrongPolicy { .. }));
    house.verified();
}

#[test]
fn the_days_that_a_job_keeps_open_are_changed_and_stopped() {
    let house = House::royal();
    let policy = Policy::Preallocated { horizon: None, roll_days: Some(10) };
    let bed = add(&house, AddResource { policy, ..resource("Bed", 1440) });
    let rolls = |roll_days| {
        let patch = ResourcePatch { roll_days, ..ResourcePatch::default() };
        let done = house.desk.run(on(&bed, patch)).unwrap().after;
        let Policy::Preallocated { horizon, .. } = done.policy else { panic!("its days exist by themselves") };
        (
            done.roll_days(),
            horizon,
            house.desk.read(ReadJobs::default()).unwrap().iter().filter(|job| job.kind == "horizon").count(),
        )
    };
    let day = |text| parse_date(text).ok();
    assert_eq!(rolls(Patched::Set(20)), (Some(20), day("2026-12-11"), 1), "opened at once");
    assert_eq!(rolls(Patched::Set(3)), (Some(3), day("2026-12-11"), 1), "what was opened stays open");
    assert_eq!(rolls(Patched::Clear), (None, day("2026-12-11"), 0), "the job is gone");
    house.verified();
}

#[test]
fn a_room_is_retired_when_nothing_is_booked_and_is_gone_from_what_is_free() {
    let house = House::royal();
    let hotel = room(&house, "Hotel", 1440);
    let part = |name: &str| AddResource {
        parent: Some(hotel.clone()),
        policy: Policy::Preallocated { horizon: None, roll_days: Some(30) },
        ..resource(name, 1440)
    };
    let (one, two) = (add(&house, part("Room 1")), add(&house, part("Room 2")));
    let away = || ResourcePatch { retired: Some(true), ..ResourcePatch::default() };
    let stay = book(&house, &one, "Weber", "2026-11-23 2026-11-25");
    let refusal = no(&house.desk, on(&one, away()));
    assert_eq!(
        sentence(&refusal),
        "The resource Room 1 can't be retired yet: Room 1 2 nights in Mon 23 Nov out Wed 25 Nov: booked, Weber. End or move that first."
    );
    let said = sentence(&no(&house.desk, on(&hotel, away())));
    assert!(said.contains("Room 1 is a part of it, Room 2 is a part of it"), "{said}");
    let hall = house.desk.read(ReadPerformance(house.show)).unwrap().theater.hall;
    let said = no(&house.desk, on(&hall, away()));
    assert!(matches!(&said, Refusal::Change(ChangeRefusal::StandsAhead { ahead, .. })
        if ahead.contains(&Ahead::HallOf("The Royal".into()))));
    let cancel = CancelBooking { booking: stay.id, reach: Reach::This, whose: Whose::Mine };
    house.desk.run(cancel).unwrap();
    house.desk.run(on(&one, away())).unwrap();
    let window = slot("2026-11-23 2026-11-24");
    let free = || {
        let filter = ResourceFilter { kind: Some("room".into()), ..ResourceFilter::default() };
        let free = house.desk.read(ReadFree { count: None, filter, window, span: None }).unwrap();
        free.into_iter().map(|free| free.resource.name).collect::<Vec<_>>()
    };
    assert_eq!(free(), ["Hotel", "Room 2"]);
    let listed = house
        .desk
        .read(ReadResources(ResourceFilter { listed: Listed::Retired, ..ResourceFilter::default() }))
        .unwrap();
    assert_eq!(listed.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Room 1"]);
    assert_eq!(
        sentence(&no(&house.desk, booking(&one, "Weber", window))),
        "The resource Room 1 is retired. Choose another, or bring it back: resource change, with --no-retired."
    );
    // the hotel is booked without it, so it can't come back before that is over
    let whole =
        BookSlot { details: Details { title: "Wedding".into(), ..Details::default() }, ..booking(&hotel, "", window) };
    let wedding = house.desk.run(whole).unwrap();
    assert_eq!(wedding.taken.len(), 2, "the hotel and room 2");
    let back = ResourcePatch { retired: Some(false), ..ResourcePatch::default() };
    assert!(sentence(&no(&house.desk, on(&one, back.clone()))).contains("Hotel as a whole is taken (Wedding)"));
    house.verified();
    let cancel = CancelBooking { booking: wedding.id, reach: Reach::This, whose: Whose::Mine };
    house.desk.run(cancel).unwrap();
    house.pass(Span::minutes(2 * 24 * 60));
    assert!(!house.desk.run(on(&one, back)).unwrap().after.retired);
    house.verified();
    book(&house, &hotel, "Wedding", "2026-11-26 2026-11-27");
    assert!(matches!(no(&house.desk, booking(&one, "x", slot("2026-11-26 2026-11-27"))), Refusal::Taken { .. }));
    book(&house, &two, "Weber", "2026-11-28 2026-11-30");
    house.verified();
}

/// Fridays at half past seven from 4 December on.
fn fridays(house: &House, count: u32, except: &[&str]) -> Result<AddPerformances, String> {
    let here = Local { now: NOON, zone: Tz::UTC };
    let at = |day: &str, time: &str| parse_date(day).unwrap().and_time(time.parse().unwrap());
    let first = LocalSlot::Times(at("2026-12-04", "19:30:00"), at("2026-12-04", "21:30:00"));
    let except: Vec<_> = except.iter().map(|day| parse_date(day).unwrap()).collect();
    let slots = slots(&format!("FREQ=WEEKLY;COUNT={count}"), &except, first, here);
    let mut slots = slots.map_err(|error| error.to_string())?.into_iter();
    let first = adding(house.theater, (slots.next().unwrap().from(), "Hamlet"), &[(None, None, 900)]);
    Ok(AddPerformances { first, others: slots.collect() })
}

fn days(nights: &Nights) -> Vec<String> {
    nights.opened.iter().map(|one| one.performance.start.format(Tz::UTC, "%-d %b")).collect()
}

#[test]
fn eight_fridays_but_one_are_opened_in_one_act_or_none_is() {
    let house = House::royal();
    let eight = fridays(&house, 8, &["2026-12-25"]).unwrap();
    let shown = house.desk.read(Rehearse(eight.clone())).unwrap();
    assert_eq!(days(&shown), ["4 Dec", "11 Dec", "18 Dec", "1 Jan", "8 Jan", "15 Jan", "22 Jan"]);
    assert_eq!(titles(&house, Listed::InUse).len(), 1, "a preview opens nothing");
    // two of the dates are taken, and both are named
    let other = |day: &str| {
        let start = slot(&format!("{day} 20:00 21:00")).from();
        house.desk.run(adding(house.theater, (start, "Lear"), &[(None, None, 900)])).unwrap().performance.id
    };
    let lears = [other("2026-12-11"), other("2027-01-08")];
    let said = sentence(&no(&house.desk, eight.clone()));
    assert!(said.contains("Fri 11 Dec 20:00-21:30: booked, Lear; ") && said.contains("8 Jan"), "{said}");
    assert!(said.ends_with("nothing was changed. Choose another time, or move or cancel what stands there."), "{said}");
    assert_eq!(titles(&house, Listed::InUse).len(), 3);
    for performance in lears {
        house.desk.run(CancelPerformance { performance, reason: "no".into() }).unwrap();
    }
    house
        .desk
        .run(CloseDays { close: vec![parse_date("2027-01-01").unwrap()], open: vec![], stands: WhatStands::Refuse })
        .unwrap();
    let done = house.desk.run(eight).unwrap();
    assert_eq!(days(&done), ["4 Dec", "11 Dec", "18 Dec", "8 Jan", "15 Jan", "22 Jan"]);
    assert_eq!(done.closed.iter().map(|slot| slot.from().format(Tz::UTC, "%-d %b")).collect::<Vec<_>>(), ["1 Jan"]);
    assert_eq!(sales_close(&house).len(), 7);
    house.verified();
    // the same again overlaps itself on no date, but the others
    assert!(matches!(no(&house.desk, fridays(&house, 2, &[]).unwrap()), Refusal::Taken { .. }));
    let many =
        AddPerformances { others: vec![slot("2030-01-01 10:00 11:00"); 400], ..fridays(&house, 1, &[]).unwrap() };
    assert_eq!(sentence(&no(&house.desk, many)), "Repeat: it makes more than 400 dates; give it an end.");
    assert_eq!(fridays(&house, 2, &["2026-12-05"]).unwrap_err(), "Sat 5 Dec is none of its dates");
    house.verified();
}

#[test]
fn what_one_act_opened_is_retired_in_one_act_or_none_is() {
    let house = House::royal();
    let done = house.desk.run(fridays(&house, 3, &[]).unwrap()).unwrap();
    let performances: Vec<_> = done.opened.iter().map(|one| one.performance.id).collect();
    let hold = HoldSeats { performance: performances[2], ..house.holding(house.open_cart(), "A1") };
    house.desk.run(hold).unwrap();
    let retire = ChangePerformances::retiring(performances.into_iter());
    let said = sentence(&no(&house.desk, retire.clone()));
    let why = "Nothing was changed.\nHamlet, Fri 18 Dec 19:30: The performance Hamlet can't be retired yet: A1 is gone";
    assert!(said.starts_with(why), "{said}");
    assert_eq!(titles(&house, Listed::InUse).len(), 4);
    // the hold lapses
    house.pass(Span::minutes(60));
    house.desk.run(retire).unwrap();
    assert_eq!(titles(&house, Listed::InUse), ["Action Movie 5"]);
    assert_eq!((titles(&house, Listed::Retired).len(), sales_close(&house)), (3, vec![start()]));
    house.verified();
}

fn stored(house: &House, performances: &[PerformanceId]) -> Vec<Performance> {
    let stored = performances.iter().map(|id| house.desk.read(ReadPerformance(*id)).unwrap().performance);
    stored.collect()
}

/// Changes a run as its first night.
fn alike(house: &House, patch: &PerformancePatch, performances: &[PerformanceId]) -> ChangePerformances {
    let run = stored(house, performances);
    let (first, others) = run.split_first().unwrap();
    let others: Vec<_> = others.iter().map(|night| (night, Tz::UTC)).collect();
    ChangePerformances::alike(patch, first, &others)
}

#[test]
fn a_typo_a_price_and_a_length_of_a_run_are_mended_in_one_act_and_taken_back_in_one() {
    let house = House::royal();
    let nights = house.desk.run(fridays(&house, 4, &[]).unwrap()).unwrap();
    let mut run: Vec<_> = nights.opened.iter().map(|one| one.performance.id).collect();
    let title = |title: &str| ReadRun { title: title.into(), theater: Some(house.theater) };
    let read = house.desk.read(title("HAMLET")).unwrap();
    assert_eq!(read.iter().map(|(night, ..)| night.id).collect::<Vec<_>>(), run, "the whole run, by start");
    // one of them is longer, and one is no part of it any more
    let longer = PerformancePatch { end: Some(stored(&house, &run)[2].end + Span::minutes(45)), ..patch() };
    house.desk.run(ChangePerformance { performance: run[2], patch: longer }).unwrap();
    let canceled = run.pop().unwrap();
    house.desk.run(CancelPerformance { performance: canceled, reason: "ill".into() }).unwrap();
    assert_eq!(house.desk.read(title("hamlet")).unwrap().len(), 3);
    let before = stored(&house, &run);
    let held = HoldSeats { performance: run[1], ..house.holding(house.open_cart(), "A1") };
    let held = house.desk.run(held).unwrap();
    let mend = PerformancePatch {
        title: Some("Hamlet!".into()),
        end: Some(before[0].start + Span::minutes(150)),
        ..priced(1100)
    };
    let mend = alike(&house, &mend, &run);
    let shown = house.desk.read(Rehearse(mend.clone())).unwrap();
    assert_eq!(stored(&house, &run), before, "a preview changes nothing");
    let entries = house.desk.read(ReadJournal::default()).unwrap().len();
    let done = house.desk.run(mend).unwrap();
    assert_eq!(done, shown);
    assert_eq!(house.desk.read(ReadJournal::default()).unwrap().len(), entries + 1, "one act");
    for night in stored(&house, &run) {
        assert_eq!((night.title.as_str(), night.price(0, "Adult")), ("Hamlet!", Some(1100)));
        assert_eq!(night.end.since(night.start), Span::minutes(150));
    }
    assert_eq!(stored(&house, &[canceled])[0].title, "Hamlet", "what was canceled stays");
    assert_eq!(house.cart(held.id).cart.total(), Ok(900), "a held line keeps its price");
    house.desk.run(ChangePerformances::back(&done)).unwrap();
    assert_eq!(stored(&house, &run), before);
    house.verified();
}

#[test]
fn a_run_stays_as_it_is_while_one_of_its_nights_is_refused_and_all_such_are_named() {
    let house = House::royal();
    let nights = house.desk.run(fridays(&house, 4, &[]).unwrap()).unwrap();
    let run: Vec<_> = nights.opened.iter().map(|one| one.performance.id).collect();
    let before = stored(&house, &run);
    let start = |minutes| PerformancePatch {
        start: Some(before[0].start + Span::minutes(minutes)),
        title: Some("Lear".into()),
        ..patch()
    };
    let cart = house.open_cart();
    for (night, seat) in [(1, "A1"), (3, "B2")] {
        house.desk.run(HoldSeats { performance: run[night], ..house.holding(cart, seat) }).unwrap();
    }
    let said = sentence(&no(&house.desk, alike(&house, &start(30), &run)));
    assert!(said.starts_with("Nothing was changed.\nHamlet, Fri 11 Dec 19:30: A1 is gone: till-1 holds it"), "{said}");
    assert!(said.contains("\nHamlet, Fri 25 Dec 19:30: B2 is gone") && !said.contains("18 Dec"), "{said}");
    assert_eq!(stored(&house, &run), before);
    // the others move as much on the wall, and come back with the ends that they had
    let free = [run[0], run[2]];
    let later = PerformancePatch { end: Some(before[0].end), ..start(30) };
    let done = house.desk.run(alike(&house, &later, &free)).unwrap();
    let times = |at: Instant| at.format(Tz::UTC, "%-d %b %H:%M");
    let told: Vec<_> = stored(&house, &free).iter().map(|one| (times(one.start), times(one.end))).collect();
    assert_eq!(told[0], ("4 Dec 20:00".into(), "4 Dec 21:30".into()));
    assert_eq!(told[1], ("18 Dec 20:00".into(), "18 Dec 21:30".into()));
    house.desk.run(ChangePerformances::back(&done)).unwrap();
    assert_eq!(stored(&house, &run), before);
    // an amount is of the currency that it was typed in
    let guest = AddPerformance {
        currency: Some(pounds()),
        ..adding(house.theater, (NOON + Span::minutes(40 * 24 * 60), "Hamlet"), &[(None, None, 500)])
    };
    let guest = house.desk.run(guest).unwrap().performance.id;
    house.desk.run(alike(&house, &priced(1200), &[run[0], guest])).unwrap();
    let now = stored(&house, &[guest]).remove(0);
    assert_eq!((now.currency, now.price(0, "Adult")), (Currency::EUR, Some(1200)));
    let many = ChangePerformances { changes: vec![change(&house, patch()); 1001] };
    assert!(matches!(no(&house.desk, many), Refusal::BadValue { problem: Problem::AtMost(..), .. }));
    house.verified();
}

#[test]
fn a_run_over_the_change_of_the_clocks_keeps_its_time_on_the_wall() {
    let house = House::royal();
    let plan = rows::parse("1x4").unwrap();
    let berlin = AddTheater { name: "Berlin".into(), plan, time_zone: Some(Europe::Berlin) };
    let theater = house.desk.run(berlin).unwrap().id;
    let at = |text: &str| parse_local(text, Europe::Berlin).unwrap();
    let open = |start: &str| house.desk.run(adding(theater, (at(start), "Night"), &[(None, None, 900)])).unwrap();
    let run = [open("2027-03-26T19:30"), open("2027-03-28T19:30")].map(|one| one.performance);
    let later = PerformancePatch { start: Some(at("2027-03-27T20:00")), ..patch() };
    let others = [(&run[1], Europe::Berlin)];
    house.desk.run(ChangePerformances::alike(&later, &run[0], &others)).unwrap();
    assert_eq!(stored(&house, &[run[1].id])[0].start, at("2027-03-29T20:00"));
}

#[test]
fn a_start_that_moves_under_an_end_that_stays_is_taken_back_whole() {
    let house = House::royal();
    let before = house.desk.read(ReadPerformance(house.show)).unwrap().performance;
    let later = PerformancePatch { start: Some(start() + Span::minutes(30)), end: Some(before.end), ..patch() };
    let done = changed(&house, later);
    assert_eq!((done.after.start, done.after.end), (start() + Span::minutes(30), before.end));
    changed(&house, done.back);
    assert_eq!(house.desk.read(ReadPerformance(house.show)).unwrap().performance, before);
}

#[test]
fn a_date_of_forty_that_the_clock_skips_is_named() {
    let here = Local { now: NOON, zone: Europe::Berlin };
    let at = |time: &str| parse_date("2027-03-01").unwrap().and_time(time.parse().unwrap());
    let first = LocalSlot::Times(at("02:30:00"), at("03:30:00"));
    let error = slots("FREQ=DAILY;COUNT=40", &[], first, here).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2027-03-28 02:30:00 does not exist in Europe/Berlin: the clocks go forward over it; choose another time"
    );
    let except = [parse_date("2027-03-28").unwrap()];
    assert_eq!(slots("FREQ=DAILY;COUNT=40", &except, first, here).unwrap().len(), 39);
}

#[test]
fn a_copy_has_prices_text_and_kept_seats_at_another_start() {
    let house = House::royal();
    changed(&house, PerformancePatch { description: Some("dubbed".into()), ..priced(1100) });
    let until = start() - Span::minutes(60);
    let keep = KeepSeats { performance: house.show, seats: names("D1 D2 D3"), reason: "press".into(), until };
    house.desk.run(keep).unwrap();
    house.sold("A1");
    let starts = vec![start() + DAY, start() + DAY + DAY];
    let copy = CopyPerformance { performance: house.show, starts: starts.clone() };
    assert_eq!(days(&house.desk.read(Rehearse(copy.clone())).unwrap()), ["22 Nov", "23 Nov"]);
    let done = house.desk.run(copy.clone()).unwrap();
    for (one, start) in done.opened.iter().zip(&starts) {
        let view = house.desk.read(ReadPerformance(one.performance.id)).unwrap();
        let copy = &view.performance;
        assert_eq!((copy.start, copy.end), (*start, *start + Span::minutes(120)));
        assert_eq!((copy.title.as_str(), copy.description.as_str()), ("Action Movie 5", "dubbed"));
        assert_eq!((copy.price(0, "Adult"), view.seats, view.free), (Some(1100), 80, 77));
    }
    let released = ReadJobs { which: WhichJobs::All, kind: Some(JobKind::KeepRelease.word().into()) };
    let released: Vec<Instant> = house.desk.read(released).unwrap().iter().map(|job| job.next_check_at).collect();
    assert_eq!(released, [until, until + DAY, until + DAY + DAY]);
    assert!(matches!(no(&house.desk, copy), Refusal::Taken { .. }));
    let past = CopyPerformance { performance: house.show, starts: vec![NOON - DAY] };
    assert!(matches!(no(&house.desk, past), Refusal::InThePast { .. }));
    house.verified();
}

#[test]
fn a_performance_is_not_added_copied_or_moved_onto_a_closed_day() {
    let house = House::royal();
    let day = parse_date("2026-12-02").unwrap();
    house.desk.run(CloseDays { close: vec![day], open: vec![], stands: WhatStands::Refuse }).unwrap();
    let [closed, open] = ["2026-12-02 15:00 16:00", "2026-12-03 15:00 16:00"].map(|text| slot(text).from());
    let copy = |starts: &[Instant]| CopyPerformance { performance: house.show, starts: starts.to_vec() };
    let done = house.desk.run(copy(&[closed, open])).unwrap();
    assert_eq!(days(&done), ["3 Dec"]);
    assert_eq!(done.closed.iter().map(Slot::from).collect::<Vec<_>>(), [closed]);
    let first = adding(house.theater, (closed, "Lear"), &[(None, None, 900)]);
    let moved = PostponePerformance { performance: house.show, start: closed, end: None, reason: "ill".into() };
    for refusal in [
        no(&house.desk, copy(&[closed])),
        no(&house.desk, AddPerformances { first, others: vec![] }),
        no(&house.desk, change(&house, PerformancePatch { start: Some(closed), ..PerformancePatch::default() })),
        no(&house.desk, moved),
    ] {
        assert_eq!(refusal, Refusal::HouseClosed { day });
        let said = sentence(&refusal);
        assert!(said.starts_with("The house is closed on Wed 2 Dec 2026. Choose another day"), "{said}");
    }
    // one that stands on a day that closed ends later all the same
    let close = vec![parse_date("2026-11-21").unwrap()];
    house.desk.run(CloseDays { close, open: vec![], stands: WhatStands::Stays }).unwrap();
    let end = Some(start() + Span::minutes(150));
    changed(&house, PerformancePatch { end, ..PerformancePatch::default() });
    house.verified();
}

/// Prices before and after, as each of two offices was told.
type Told = Mutex<Vec<(i64, i64)>>;

#[test]
fn of_two_offices_that_change_one_price_the_second_sees_what_the_first_did() {
    Rivals::of(2).race(
        |house, round| {
            let start = NOON + Span::minutes(60 * 24 * 30 + 120 * i64::from(round));
            (house.performance_at(start, "Race", &[(None, None, 1000)]), Told::default())
        },
        |desk, number, (performance, told)| {
            let minor = [1100, 1200][number];
            let done = desk.run(ChangePerformance { performance: *performance, patch: priced(minor) })?;
            let price = |of: &Performance| of.price(0, "Adult").unwrap();
            told.lock().unwrap().push((price(&done.before), price(&done.after)));
            Ok(())
        },
        |done, (_, told)| {
            assert!(done.iter().all(|done| *done), "{done:?}");
            let mut told = told.lock().unwrap().clone();
            told.sort_unstable();
            assert!(told == [(1000, 1100), (1100, 1200)] || told == [(1000, 1200), (1200, 1100)], "{told:?}");
        },
    );
}

/// Names before and after, as each of two offices was told.
type Renamed = Mutex<Vec<(String, String)>>;

#[test]
fn of_two_offices_that_rename_a_room_or_a_theater_the_second_sees_what_the_first_did() {
    Rivals::of(2).race(
        |house, round| {
            let room = room(house, &format!("Room {round}"), 60);
            let add = AddTheater { name: format!("Hall {round}"), plan: rows::parse("1x4").unwrap(), time_zone: None };
            (round, room, house.desk.run(add).unwrap().id, [Renamed::default(), Renamed::default()])
        },
        |desk, number, (round, room, theater, told)| {
            let name = Some(format!("{number} of {round}"));
            let patch = ResourcePatch { name: name.clone(), ..ResourcePatch::default() };
            let done = desk.run(on(room, patch))?;
            told[0].lock().unwrap().push((done.before.name, done.after.name));
            let name = name.map(|name| format!("House {name}"));
            let patch = TheaterPatch { name, ..TheaterPatch::default() };
            let done = desk.run(ChangeTheater { theater: *theater, patch })?;
            told[1].lock().unwrap().push((done.before.name, done.after.name));
            Ok(())
        },
        |done, (round, _, _, told)| {
            assert!(done.iter().all(|done| *done), "{done:?}");
            for (told, was, now) in [(&told[0], "Room", ""), (&told[1], "Hall", "House ")] {
                let (was, to) = (format!("{was} {round}"), |number| format!("{now}{number} of {round}"));
                let told = told.lock().unwrap().clone();
                let [first, second] = [(0, 1), (1, 0)]
                    .map(|(one, other)| told.contains(&(was.clone(), to(one))) && told.contains(&(to(one), to(other))));
                assert!(first != second, "{told:?}");
            }
        },
    );
}

#[test]
fn nobody_holds_seats_at_a_start_that_changes_or_of_what_is_retired() {
    let rivals = Rivals::of(3);
    rivals.race(
        |house, round| {
            let start = NOON + Span::minutes(60 * 24 * 30 + 120 * i64::from(round));
            let performance = house.performance_at(start, "Race", &[(None, None, 1000)]);
            (performance, house.open_cart(), round % 2 == 0)
        },
        |desk, number, (performance, cart, retires)| {
            let patch = match (number, retires) {
                (0, _) => {
                    let seats = named("A1");
                    let kept = HouseSeats::Refuse;
                    let performance = *performance;
                    let hold = HoldSeats { cart: Some(*cart), performance, seats, ticket_type: None, kept };
                    return desk.run(hold).map(drop);
                }
                (1, true) => retired(true),
                (1, false) => {
                    let view = desk.read(ReadPerformance(*performance))?;
                    PerformancePatch { start: Some(view.performance.start + Span::minutes(60 * 24 * 365)), ..patch() }
                }
                _ => priced(1300),
            };
            desk.run(ChangePerformance { performance: *performance, patch }).map(drop)
        },
        |done, (_, cart, retires)| {
            assert!(done[2], "a price may always change");
            let holds = rivals.house.cart(*cart).lines.iter().map(|line| line.seats().len()).sum::<usize>();
            assert_eq!(holds, usize::from(done[0]));
            assert!(!(done[0] && done[1] && *retires), "held and retired");
        },
    );
}
