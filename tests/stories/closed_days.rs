//! Days on which the house is closed, and hire over closed hours.

use willcall::domain::booking::{Cause, Details};
use willcall::domain::refusal::{Purpose, Refusal, WantedCells, names};
use willcall::domain::resource::{OpenHours, ResourceId};
use willcall::domain::time::{Slot, Span, parse_date};
use willcall::engine::ops::{
    AddResource, AddToSeries, BookSeries, BookSlot, CloseDays, Conflicts, HoldSlot, MoveBooking, Past, Reach,
    SlotWanted, TakeOut, WhatStands, Whose,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::calendar::ReadCheck;
use willcall::engine::reads::free_time::{ReadCommonSlots, ReadFirstFree, ReadFree};
use willcall::engine::reads::instead::ReadInstead;
use willcall::engine::reads::resources::ResourceFilter;
use willcall::words;

use super::calendar::{add, book, booking, resource, room, slot};
use super::support::{HERE, House, no};

fn closing(days: &[&str]) -> CloseDays {
    let close = days.iter().map(|day| parse_date(day).unwrap()).collect();
    CloseDays { close, open: Vec::new(), stands: WhatStands::Refuse }
}

fn close(house: &House, days: &[&str]) {
    house.desk.run(CloseDays { stands: WhatStands::Stays, ..closing(days) }).unwrap();
}

/// Whether a slot is refused because the house is closed, by booking and by check alike.
fn is_closed(house: &House, room: &ResourceId, when: &str) -> bool {
    let wanted = slot(when);
    let check = house.desk.read(ReadCheck { resource: room.clone(), wanted, count: None }).unwrap();
    let is_closed = house.desk.run(booking(room, "Tea", wanted)).is_err();
    assert_eq!(check.free, !is_closed, "{when}: {check:?}");
    assert_eq!(matches!(check.refusal, Some(Refusal::HouseClosed { .. })), is_closed, "{when}: {check:?}");
    is_closed
}

#[test]
fn a_day_on_which_something_stands_closes_only_if_it_is_said() {
    let house = House::royal();
    let studio = room(&house, "Studio", 60);
    let bar = add(&house, AddResource { hours: OpenHours::parse("18:00-02:00").ok(), ..resource("Bar", 60) });
    book(&house, &studio, "Ida", "2026-12-24 10:00 12:00");
    book(&house, &bar, "Party", "2026-12-25 00:00 01:00");
    let wants = vec![SlotWanted { count: None, resource: studio.clone(), slot: slot("2026-12-24 14:00 15:00") }];
    house.desk.run(HoldSlot { cart: None, wants, past: Past::Refuse }).unwrap();
    // hours past midnight are of the day before
    let refusal = no(&house.desk, closing(&["2026-12-24"]));
    let Refusal::Taken { wanted: WantedCells::Time(Purpose::CloseDays), facts, .. } = &refusal else {
        panic!("{refusal:?}")
    };
    assert_eq!(names(facts), ["Bar", "Studio"]);
    let told = words::refusal(&refusal, HERE);
    assert!(told.contains("Ida") && told.contains("Party") && told.contains("--force"), "{told}");
    house.desk.run(closing(&["2026-12-25", "2026-12-26"])).unwrap();
    close(&house, &["2026-12-24"]);
    // closed as it is, it is not asked about again
    house.desk.run(closing(&["2026-12-24"])).unwrap();
    house.verified();
}

#[test]
fn a_performance_stands_in_the_way_of_a_closed_day_by_its_hall() {
    let house = House::royal();
    let refusal = no(&house.desk, closing(&["2026-11-21"]));
    assert!(matches!(refusal, Refusal::Taken { wanted: WantedCells::Time(Purpose::CloseDays), .. }), "{refusal:?}");
    house.verified();
}

#[test]
fn bookings_holds_added_dates_and_moves_ask_on_a_closed_day() {
    let house = House::royal();
    let studio = room(&house, "Studio", 60);
    let day = "2026-12-24 10:00 12:00";
    let before = book(&house, &studio, "Ida", "2026-12-23 10:00 12:00");
    let weekly = house
        .desk
        .run(BookSeries {
            resources: vec![studio.clone()],
            any: None,
            slots: vec![slot("2026-12-17 18:00 19:00")],
            details: Details::default(),
            conflicts: Conflicts::Refuse,
            past: Past::Refuse,
        })
        .unwrap();
    close(&house, &["2026-12-24"]);
    let closed = |refusal: Refusal| {
        let day = parse_date("2026-12-24").unwrap();
        assert_eq!(refusal, Refusal::HouseClosed { day });
    };
    let hold = |past| {
        let wants = vec![SlotWanted { count: None, resource: studio.clone(), slot: slot("2026-12-24 14:00 15:00") }];
        HoldSlot { cart: None, wants, past }
    };
    let added = |past| AddToSeries { series: weekly.series.id, slot: slot("2026-12-24 18:00 19:00"), past };
    let moved = |past| MoveBooking {
        booking: before.id,
        from: None,
        to: None,
        part: None,
        slot: slot("2026-12-24 08:00 10:00"),
        reach: Reach::This,
        past,
        whose: Whose::Mine,
    };
    closed(no(&house.desk, booking(&studio, "Tea", slot(day))));
    closed(no(&house.desk, hold(Past::Refuse)));
    closed(no(&house.desk, added(Past::Refuse)));
    closed(no(&house.desk, moved(Past::Refuse)));
    // said so, each is done; time out of use is not asked
    house.desk.run(BookSlot { past: Past::Closed, ..booking(&studio, "Tea", slot(day)) }).unwrap();
    house.desk.run(hold(Past::Closed)).unwrap();
    house.desk.run(added(Past::Closed)).unwrap();
    house.desk.run(moved(Past::Closed)).unwrap();
    let when = slot("2026-12-24 20:00 21:00");
    house.desk.run(TakeOut { reason: "paint".into(), ..TakeOut::of(Cause::Maintenance, vec![studio], when) }).unwrap();
    house.verified();
}

#[test]
fn a_slot_counts_by_the_day_it_begins_on_and_a_stay_by_each_night() {
    let house = House::royal();
    let studio = room(&house, "Studio", 60);
    let bar = add(&house, AddResource { hours: OpenHours::parse("18:00-02:00").ok(), ..resource("Bar", 60) });
    let bed = room(&house, "Bed", 1440);
    close(&house, &["2026-12-24"]);
    for (room, when, expected) in [
        (&studio, "2026-12-23 22:00 2026-12-24 01:00", false),
        (&studio, "2026-12-24 01:00 02:00", true),
        (&studio, "2026-12-24 23:00 2026-12-25 01:00", true),
        (&studio, "2026-12-25 01:00 02:00", false),
        (&bar, "2026-12-24 00:00 02:00", false),
        (&bar, "2026-12-24 18:00 19:00", true),
        (&bar, "2026-12-25 01:00 02:00", true),
        (&bar, "2026-12-25 18:00 19:00", false),
        (&bed, "2026-12-22 2026-12-25", true),
        (&bed, "2026-12-24 2026-12-26", true),
        (&bed, "2026-12-22 2026-12-24", false),
        (&bed, "2026-12-25 2026-12-27", false),
    ] {
        assert_eq!(is_closed(&house, room, when), expected, "{room} {when}");
    }
    house.verified();
}

/// Free slots in a window, `23 20:00-24:00` each.
fn free(house: &House, window: &str, hours: Option<i64>) -> Vec<String> {
    let span = hours.map(|hours| Span::minutes(hours * 60));
    let filter = ResourceFilter { kind: Some("room".into()), ..ResourceFilter::default() };
    let found = house.desk.read(ReadFree { count: None, filter, window: slot(window), span }).unwrap();
    found.iter().flat_map(|one| one.slots.iter().map(|slot| format!("{} {}", one.resource.name, at(slot)))).collect()
}

fn at(slot: &Slot) -> String {
    let utc = chrono_tz::Tz::UTC;
    format!("{}-{}", slot.from().format(utc, "%-d %H:%M"), slot.until().format(utc, "%-d %H:%M"))
}

#[test]
fn free_time_leaves_closed_days_out_and_so_does_what_is_offered_instead() {
    let house = House::royal();
    let studio = room(&house, "Studio", 60);
    let bar = add(&house, AddResource { hours: OpenHours::parse("18:00-02:00").ok(), ..resource("Bar", 60) });
    close(&house, &["2026-12-24"]);
    let days = "2026-12-23 2026-12-26";
    assert_eq!(
        free(&house, days, Some(3)),
        ["Bar 23 18:00-24 02:00", "Bar 25 18:00-26 00:00", "Studio 23 00:00-24 00:00", "Studio 25 00:00-26 00:00"]
    );
    assert_eq!(free(&house, "2026-12-24 20:00 22:00", None), Vec::<String>::new());
    assert_eq!(
        free(&house, "2026-12-23 22:00 2026-12-24 01:00", None),
        ["Bar 23 22:00-24 01:00", "Studio 23 22:00-24 01:00"]
    );
    let first = ReadFirstFree {
        resources: vec![bar.clone()],
        span: Span::minutes(60),
        window: slot("2026-12-24 03:00 2026-12-27 00:00"),
    };
    assert_eq!(house.desk.read(first).unwrap().map(|free| at(&free.slot)).unwrap(), "25 18:00-25 19:00");
    let common = ReadCommonSlots { resources: vec![bar, studio.clone()], span: Span::minutes(60), window: slot(days) };
    let common: Vec<String> = house.desk.read(common).unwrap().iter().map(at).collect();
    assert_eq!(common, ["23 00:00-23 02:00", "23 18:00-24 00:00", "25 18:00-26 00:00"]);
    // the evening is taken: the next time is not that of the closed day
    book(&house, &studio, "Jazz", "2026-12-23 20:00 24:00");
    let wanted = slot("2026-12-23 20:00 22:00");
    let refusal = no(&house.desk, booking(&studio, "Tea", wanted));
    let Refusal::Taken { instead, .. } = offer(&house.desk, refusal, ReadInstead::of(&[studio], wanted)) else {
        panic!("another refusal")
    };
    let later = instead.iter().filter_map(|one| one.slot()).filter(|at| at.resource == "Studio");
    let later: Vec<String> = later.map(|at| at.from.format(chrono_tz::Tz::UTC, "%-d %H:%M")).collect();
    assert_eq!(later, ["25 00:00"]);
    house.verified();
}

#[test]
fn what_is_hired_is_handed_over_and_returned_in_the_open_hours() {
    let house = House::royal();
    let hours = |hire| Some(OpenHours { hire, ..OpenHours::parse("08:00-18:00").unwrap() });
    let van = add(&house, AddResource { hours: hours(true), ..resource("Van", 60) });
    let hall = add(&house, AddResource { hours: hours(false), ..resource("Hall", 60) });
    let weekend = "2026-12-04 10:00 2026-12-06 12:00";
    let refused = no(&house.desk, booking(&hall, "Fair", slot(weekend)));
    assert!(matches!(refused, Refusal::OutsideHours { hire: false, .. }), "{refused:?}");
    let late = "2026-12-04 10:00 2026-12-06 19:00";
    for when in [late, "2026-12-04 07:00 12:00", "2026-12-04 18:00 2026-12-05 09:00", "2026-12-04 10:00 24:00"] {
        let refused = no(&house.desk, booking(&van, "Move", slot(when)));
        assert!(matches!(refused, Refusal::OutsideHours { hire: true, .. }), "{when}: {refused:?}");
    }
    let check = ReadCheck { resource: van.clone(), wanted: slot(weekend), count: None };
    assert!(house.desk.read(check.clone()).unwrap().free);
    book(&house, &van, "Move", weekend);
    assert!(!house.desk.read(check).unwrap().free);
    // the nights between are taken too
    assert!(matches!(no(&house.desk, booking(&van, "Tea", slot("2026-12-05 08:00 09:00"))), Refusal::Taken { .. }));
    let first = |hours: i64, window: &str| {
        let read =
            ReadFirstFree { resources: vec![van.clone()], span: Span::minutes(hours * 60), window: slot(window) };
        house.desk.read(read).unwrap().map(|free| at(&free.slot))
    };
    assert_eq!(first(24, "2026-12-06 2026-12-09"), Some("6 12:00-7 12:00".into()));
    assert_eq!(first(16, "2026-12-06 2026-12-09"), Some("6 16:00-7 08:00".into()));
    assert_eq!(first(12, "2026-12-06 2026-12-09"), None);
    // nobody comes for it on a day that it only spans
    for day in ["2026-12-04", "2026-12-06"] {
        let refusal = no(&house.desk, closing(&[day]));
        let Refusal::Taken { facts, .. } = &refusal else { panic!("{refusal:?}") };
        assert_eq!(names(facts), ["Van"], "{day}");
    }
    house.desk.run(closing(&["2026-12-05"])).unwrap();
    close(&house, &["2026-12-07"]);
    assert_eq!(first(24, "2026-12-06 2026-12-10"), Some("8 08:00-9 08:00".into()));
    assert_eq!(first(48, "2026-12-06 2026-12-10"), Some("6 12:00-8 12:00".into()));
    house.verified();
}
