//! Time out of use: each act keeps its own time, its cause and its operator.

use willcall::domain::booking::Booking;
use willcall::domain::ids::BookingId;
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::engine::ops::{
    AddResource, BookSlot, DisableSlot, EnableSlot, OpenHorizon, OutOfUse, Past, Want, Whose,
};
use willcall::engine::reads::bookings::ReadBookings;

use super::calendar::{add, booking, resource, room, slot, told, view};
use super::support::{House, no};

const DAY: &str = "2026-12-01 00:00 24:00";

fn disable(room: &ResourceId, when: &str, reason: &str) -> DisableSlot {
    let when = slot(when);
    DisableSlot {
        resources: vec![room.clone()],
        from: when.from(),
        until: Some(when.until()),
        reason: reason.into(),
        past: Past::Refuse,
    }
}

fn out(house: &House, room: &ResourceId, when: &str, reason: &str) -> BookingId {
    match house.desk.run(disable(room, when, reason)).unwrap() {
        OutOfUse::Slot { booking, .. } => booking.id,
        OutOfUse::Marked { mark, .. } => mark.id,
    }
}

const fn enable(id: BookingId) -> EnableSlot {
    EnableSlot {
        id,
        whose: Whose::Mine,
    }
}

/// F6: the reproduction.
#[test]
fn ending_one_of_two_acts_of_an_operator_leaves_the_others_time() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let paint = out(&house, &car, "2026-12-01 00:00 24:00", "paint");
    let inspection = out(&house, &car, "2026-12-01 05:00 06:00", "inspection");
    let listed = house.desk.read(ReadBookings::default()).unwrap();
    let titles = |all: &[Booking]| all.iter().map(|one| one.title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&listed), ["paint", "inspection"]);
    house.desk.run(enable(paint)).unwrap();
    let drives = booking(&car, "drives", slot("2026-12-01 05:00 06:00"));
    assert!(
        matches!(no(&house.desk, drives), Refusal::SlotTaken { slots, .. }
        if slots[0].by == "ada (inspection)")
    );
    assert_eq!(
        told(&view(&house, &car, DAY)),
        "00:00 free, 05:00 disabled, 06:00 free"
    );
    house.verified();
    house.desk.run(enable(inspection)).unwrap();
    assert_eq!(told(&view(&house, &car, DAY)), "00:00 free");
    assert_eq!(house.desk.read(ReadBookings::default()).unwrap(), []);
    house.verified();
}

#[test]
fn three_acts_over_one_another_end_in_any_order() {
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1]] {
        let house = House::royal();
        let hall = room(&house, "Hall", 60);
        let part = add(
            &house,
            AddResource {
                parent: Some(hall.clone()),
                ..resource("Part", 60)
            },
        );
        let times = [
            "2026-12-01 08:00 14:00",
            "2026-12-01 10:00 16:00",
            "2026-12-01 12:00 18:00",
        ];
        let acts: Vec<BookingId> = times
            .iter()
            .map(|when| out(&house, &hall, when, "works"))
            .collect();
        for (ended, at) in order.iter().enumerate() {
            house.desk.run(enable(acts[*at])).unwrap();
            house.verified();
            for stands in &order[ended + 1..] {
                for room in [&hall, &part] {
                    let inside = view(&house, room, times[*stands]);
                    assert_eq!(
                        inside.free(),
                        [],
                        "{order:?}: {stands} of {room} after {at}"
                    );
                }
            }
        }
        assert_eq!(told(&view(&house, &part, DAY)), "00:00 free");
    }
}

/// F10: a day that is not open yet is no reason to say that it is free.
#[test]
fn a_refusal_tells_days_that_are_not_open_as_what_they_are() {
    let house = House::royal();
    let nights = |name: &str| {
        let policy = Policy::Preallocated {
            horizon: None,
            roll_days: None,
        };
        let nights = AddResource {
            policy,
            ..resource(name, 24 * 60)
        };
        add(&house, nights)
    };
    let (room, shut) = (nights("room_0"), nights("pre2"));
    let open = OpenHorizon {
        resource: room.clone(),
        until: "2027-01-01".parse().unwrap(),
    };
    house.desk.run(open).unwrap();
    house
        .desk
        .run(booking(&room, "NYE", slot("2026-12-31 2027-01-01")))
        .unwrap();
    let states = |refusal: Refusal| {
        let (Refusal::SlotTaken { slots, .. } | Refusal::TooFewFree { slots, .. }) = refusal else {
            panic!("another refusal: {refusal:?}")
        };
        let states = slots.into_iter().map(|fact| fact.state);
        states.collect::<Vec<_>>()
    };
    let over = booking(&room, "over", slot("2026-12-30 2027-01-02"));
    assert_eq!(
        states(no(&house.desk, over.clone())),
        ["booked", "not_open"]
    );
    let any = BookSlot {
        wants: vec![Want {
            of: vec![shut, room],
            any: Some(1),
            slot: slot("2027-01-01 2027-01-02"),
        }],
        ..over
    };
    assert_eq!(states(no(&house.desk, any)), ["not_open", "not_open"]);
    house.verified();
}
