//! What repeats: any of a set on each date, what is offered instead, and dates that come later.

use willcall::domain::booking::{AnyOf, Booking, Details};
use willcall::domain::refusal::{Alternative, Refusal, WantedCells};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Slot, parse_date};
use willcall::engine::ops::{
    AddToSeries, BookSeries, CancelBooking, CloseDays, Conflicts, Past, Reach, SeriesBooked, WhatStands, Whose,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::instead::{ReadInstead, WantedTime};

use super::calendar::{add, book, resource, room, slot};
use super::support::{House, NOON, no};

const MONDAYS: [&str; 3] = ["2026-12-07", "2026-12-14", "2026-12-21"];

fn mondays(hours: &str) -> Vec<Slot> {
    MONDAYS.iter().map(|day| slot(&format!("{day} {hours}"))).collect()
}

fn yoga(resources: &[ResourceId], any: impl Into<Option<AnyOf>>, slots: Vec<Slot>) -> BookSeries {
    BookSeries {
        resources: resources.to_vec(),
        any: any.into(),
        slots,
        details: Details { title: "Yoga".into(), ..Details::default() },
        conflicts: Conflicts::Refuse,
        past: Past::Refuse,
    }
}

fn any(of: &[ResourceId], count: u32) -> AnyOf {
    AnyOf { of: of.to_vec(), count }
}

fn three(house: &House) -> Vec<ResourceId> {
    ["Blue", "Red", "Green"].iter().map(|name| room(house, name, 60)).collect()
}

/// Which rooms each date has: `red+green, red`.
fn rooms(bookings: &[Booking]) -> String {
    let of = |booking: &Booking| {
        let ids: Vec<&str> = booking.asked().map(|taken| taken.resource.as_str()).collect();
        ids.join("+")
    };
    bookings.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[test]
fn any_of_a_set_is_the_same_one_on_all_dates_where_one_is_free_on_all() {
    let house = House::royal();
    let set = three(&house);
    book(&house, &set[0], "busy", "2026-12-14 18:00 19:00");
    book(&house, &set[1], "busy", "2026-12-21 18:00 19:00");
    let done = |count| {
        let series = yoga(&[], any(&set, count), mondays("18:00 20:00"));
        house.desk.run(series)
    };
    let one = done(1).unwrap();
    assert_eq!(rooms(&one.bookings), "green, green, green");
    house.desk.run(CancelBooking { whose: Whose::Mine, booking: one.bookings[0].id, reach: Reach::All }).unwrap();
    // of two, one stays and the other changes as seldom as it can
    let two = done(2).unwrap();
    assert_eq!(
        rooms(&two.bookings),
        "green+blue, green+red, green+blue",
        "the one that is free each time stands first"
    );
    house.verified();
}

#[test]
fn a_date_on_which_too_few_of_a_set_are_free_is_a_conflict_and_can_be_skipped() {
    let house = House::royal();
    let set = three(&house);
    for room in &set[..2] {
        book(&house, room, "Jazz", "2026-12-14 19:00 20:00");
    }
    let hall = room(&house, "Hall", 60);
    let series = yoga(std::slice::from_ref(&hall), any(&set, 2), mondays("18:00 20:00"));
    let Refusal::Taken { wanted: WantedCells::AnyOf { count, free }, facts: slots, .. } =
        no(&house.desk, series.clone())
    else {
        panic!("another refusal")
    };
    assert_eq!((count, free.as_slice()), (2, &["Green".to_owned()][..]));
    assert_eq!(slots.len(), 2, "both that stand there that day: {slots:?}");
    let skipping = BookSeries { conflicts: Conflicts::Skip, ..series };
    let done: SeriesBooked = house.desk.run(skipping).unwrap();
    assert_eq!(rooms(&done.bookings), "hall+blue+red, hall+blue+red");
    assert_eq!(done.skipped[0].slot, slot("2026-12-14 18:00 20:00"));
    let later = |when: &str| AddToSeries { series: done.series.id, slot: slot(when), past: Past::Refuse };
    let still = no(&house.desk, later("2026-12-14 18:00 20:00"));
    assert!(matches!(still, Refusal::Taken { wanted: WantedCells::AnyOf { .. }, .. }), "{still:?}");
    // another date keeps to the same ones too
    let added = house.desk.run(later("2026-12-28 18:00 20:00")).unwrap();
    assert_eq!(rooms(&[added]), "hall+blue+red");
    house.verified();
}

/// What is offered instead of a repeat: `Red from Mon 7 Dec 18:00-20:00 x3, ...`.
fn instead(house: &House, series: BookSeries) -> Vec<String> {
    let wanted = ReadInstead::Time(WantedTime {
        resources: series.resources.clone(),
        any: series.any.clone(),
        slots: series.slots.clone(),
    });
    let refusal = offer(&house.desk, no(&house.desk, series), wanted);
    let Refusal::Taken { instead, .. } = refusal else { panic!("{refusal:?}") };
    let told = |free: &Alternative| {
        let Alternative::Slot { at, dates } = free else { panic!("{free:?}") };
        let slot = Slot::new(at.from, at.until).unwrap();
        let dates = dates.unwrap_or(1);
        format!("{} {} x{dates}", at.resource, slot.words(at.wall(), NOON))
    };
    instead.iter().map(told).collect()
}

#[test]
fn a_refused_repeat_is_offered_another_room_and_the_nearest_times_on_all_dates() {
    let house = House::royal();
    let set = three(&house);
    book(&house, &set[0], "Jazz", "2026-12-14 19:00 21:00");
    book(&house, &set[0], "Tea", "2026-12-21 16:00 17:00");
    // red is busy on one of the dates, so only green stands in
    book(&house, &set[1], "busy", "2026-12-21 18:00 19:00");
    let blue = std::slice::from_ref(&set[0]);
    assert_eq!(
        instead(&house, yoga(blue, None, mondays("18:00 20:00"))),
        ["Green Mon 7 Dec 18:00-20:00 x3", "Blue Mon 7 Dec 17:00-19:00 x3", "Blue Mon 7 Dec 21:00-23:00 x3"]
    );
    // of several wanted together, another for the one that is taken, and when all are free
    assert_eq!(
        instead(&house, yoga(&set[..2], None, mondays("18:00 20:00"))),
        [
            "Green Mon 7 Dec 18:00-20:00 x3",
            "Blue and Red Mon 7 Dec 21:00-23:00 x3",
            "Blue and Red Mon 7 Dec 14:00-16:00 x3"
        ]
    );
    // a day when the house is closed is no date of it
    let close =
        CloseDays { close: vec![parse_date("2026-12-21").unwrap()], open: Vec::new(), stands: WhatStands::Stays };
    house.desk.run(close).unwrap();
    assert_eq!(
        instead(&house, yoga(&[], any(&set[..1], 1), mondays("18:00 20:00"))),
        [
            "Green Mon 7 Dec 18:00-20:00 x2",
            "Red Mon 7 Dec 18:00-20:00 x2",
            "Blue Mon 7 Dec 17:00-19:00 x2",
            "Blue Mon 7 Dec 21:00-23:00 x2"
        ]
    );
    house.verified();
}

#[test]
fn refused_nights_are_offered_the_nearest_nights_on_all_dates() {
    let house = House::royal();
    let bed = add(&house, resource("Bed", 24 * 60));
    book(&house, &bed, "Guest", "2026-12-14 2026-12-15");
    let nights = MONDAYS.map(|day| {
        let next = parse_date(day).unwrap().succ_opt().unwrap();
        slot(&format!("{day} {next}"))
    });
    assert_eq!(
        instead(&house, yoga(std::slice::from_ref(&bed), None, nights.to_vec())),
        ["Bed 1 night in Tue 8 Dec out Wed 9 Dec x3", "Bed 1 night in Sun 6 Dec out Mon 7 Dec x3"]
    );
    house.verified();
}
