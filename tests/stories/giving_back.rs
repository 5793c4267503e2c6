//! Time given back in part: what stays wanted stays taken, and what is told is what is left.

use chrono_tz::Tz;
use willcall::domain::booking::{Booking, Taken};
use willcall::domain::money::{Currency, Price};
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Slot, Span};
use willcall::engine::ops::{AddResource, CancelBooking, MoveBooking, Past, Reach, ReleaseSlot, RestoreBooking, Whose};
use willcall::engine::reads::bookings::ReadBookings;

use super::calendar::{add, book, booking, resource, room, slot, told, view};
use super::support::{House, no};

const DAY: &str = "2026-12-01 00:00 24:00";

fn release(booking: &Booking, when: &str) -> ReleaseSlot {
    ReleaseSlot { whose: Whose::Mine, booking: booking.id, resource: None, slot: slot(when) }
}

pub(super) fn moving(booking: &Booking, part: Option<&str>, when: &str) -> MoveBooking {
    MoveBooking {
        whose: Whose::Mine,
        booking: booking.id,
        from: None,
        to: None,
        part: part.map(slot),
        slot: slot(when),
        reach: Reach::This,
        past: Past::Refuse,
    }
}

/// The stretches that a booking has of what it asked for, as `10:00-11:30`.
fn kept(booking: &Booking) -> String {
    let slots = booking.asked().flat_map(Taken::kept);
    let told = |slot: Slot| {
        let at = |at: Instant| at.format(Tz::UTC, "%H:%M");
        format!("{}-{}", at(slot.from()), at(slot.until()))
    };
    slots.map(told).collect::<Vec<_>>().join(" ")
}

fn whole_instead(refusal: &Refusal) -> Slot {
    let Refusal::NoWholeSegment(not) = refusal else { panic!("another refusal: {refusal:?}") };
    not.whole
}

/// A room at 10.00 a segment.
fn priced(house: &House, name: &str, minutes: u32) -> ResourceId {
    let price = Price { minor: 1000, currency: Currency::EUR };
    let priced = AddResource { price: Some(price), ..resource(name, minutes) };
    add(house, priced)
}

fn minor(booking: &Booking) -> Option<i64> {
    booking.price.map(|price| price.minor)
}

/// F1: one minute named frees no half hour around it.
#[test]
fn a_release_frees_whole_segments_inside_what_it_names() {
    let house = House::royal();
    let room = room(&house, "R", 30);
    let wanted = book(&house, &room, "t", "2026-12-01 10:05 12:10");
    let refused = no(&house.desk, release(&wanted, "2026-12-01 12:09 12:10"));
    assert_eq!(whole_instead(&refused), slot("2026-12-01 12:00 12:30"));
    let refused = no(&house.desk, release(&wanted, "2026-12-01 10:35 10:55"));
    assert_eq!(whole_instead(&refused), slot("2026-12-01 10:30 11:00"));
    let refused = no(&house.desk, booking(&room, "intruder", slot("2026-12-01 12:00 12:05")));
    assert!(matches!(refused, Refusal::Taken { .. }));
    let left = house.desk.run(release(&wanted, "2026-12-01 10:50 11:50")).unwrap();
    assert_eq!(kept(&left), "10:00-11:00 11:30-12:30");
    assert_eq!(told(&view(&house, &room, DAY)), "00:00 free, 10:00 t, 11:00 free, 11:30 t, 12:30 free");
    house.verified();
}

#[test]
fn a_release_of_the_last_that_is_wanted_frees_its_segment() {
    let house = House::royal();
    let room = room(&house, "R", 30);
    let wanted = book(&house, &room, "t", "2026-12-01 10:05 12:10");
    let left = house.desk.run(release(&wanted, "2026-12-01 12:00 12:10")).unwrap();
    assert_eq!(kept(&left), "10:00-12:00");
    let left = house.desk.run(release(&wanted, "2026-12-01 10:05 12:00")).unwrap();
    assert_eq!(kept(&left), "");
    assert_eq!(told(&view(&house, &room, DAY)), "00:00 free");
    house.verified();
}

/// F1: the same where a part moves.
#[test]
fn a_part_that_moves_leaves_whole_segments_inside_what_it_names() {
    let house = House::royal();
    let room = room(&house, "R", 30);
    let wanted = book(&house, &room, "t", "2026-12-01 10:05 12:10");
    let minutes = moving(&wanted, Some("2026-12-01 12:05 12:10"), "2026-12-01 15:00 15:05");
    let refused = no(&house.desk, minutes);
    assert_eq!(whole_instead(&refused), slot("2026-12-01 12:00 12:30"));
    let half = moving(&wanted, Some("2026-12-01 11:10 12:10"), "2026-12-01 15:00 16:00");
    let moved = house.desk.run(half).unwrap();
    assert_eq!(kept(&moved[0]), "10:00-11:30 15:00-16:00");
    let refused = no(&house.desk, moving(&wanted, Some("2026-12-01 15:00 15:30"), "2026-12-01 11:00 11:30"));
    assert!(
        matches!(&refused, Refusal::Taken { facts, .. } if facts[0].by.to_string() == "t"),
        "the rest of it stands there: {refused:?}"
    );
    house.verified();
}

#[test]
fn what_is_needed_before_and_after_goes_with_what_is_given_back_and_stays_with_the_rest() {
    let house = House::royal();
    let room = add(&house, AddResource { before: Span::minutes(30), after: Span::minutes(30), ..resource("R", 30) });
    let wanted = book(&house, &room, "t", "2026-12-01 10:00 13:00");
    let refused = no(&house.desk, release(&wanted, "2026-12-01 11:00 12:00"));
    assert_eq!(
        whole_instead(&refused),
        slot("2026-12-01 11:00 12:00"),
        "getting out before it and in after it take all of that"
    );
    let left = house.desk.run(release(&wanted, "2026-12-01 10:00 11:00")).unwrap();
    assert_eq!(kept(&left), "11:00-13:00");
    assert_eq!(told(&view(&house, &room, DAY)), "00:00 free, 10:30 ~t, 11:00 t, 13:00 ~t, 13:30 free");
    let left = house.desk.run(release(&wanted, "2026-12-01 12:00 13:00")).unwrap();
    assert_eq!(kept(&left), "11:00-12:00");
    assert_eq!(told(&view(&house, &room, DAY)), "00:00 free, 10:30 ~t, 11:00 t, 12:00 ~t, 12:30 free");
    house.verified();
}

/// F9: what is told, priced and moved is what is left.
#[test]
fn a_stay_with_a_night_given_back_costs_lists_and_moves_the_rest() {
    let house = House::royal();
    let room = priced(&house, "Room 7", 24 * 60);
    let stay = book(&house, &room, "Weber", "2027-02-13 2027-02-17");
    assert_eq!(minor(&stay), Some(4000));
    let left = house.desk.run(release(&stay, "2027-02-14 2027-02-15")).unwrap();
    assert_eq!(minor(&left), Some(3000));
    let other = book(&house, &room, "Other", "2027-02-14 2027-02-15");
    let on_the_14th = ReadBookings { window: Some(slot("2027-02-14 2027-02-15")), ..ReadBookings::default() };
    let listed: Vec<_> = house.desk.read(on_the_14th).unwrap();
    assert_eq!(listed.iter().map(|one| one.id).collect::<Vec<_>>(), [other.id]);
    let moved = house.desk.run(moving(&stay, None, "2027-02-20 2027-02-24")).unwrap();
    assert_eq!(minor(&moved[0]), Some(3000));
    let nights: Vec<Slot> = moved[0].asked().flat_map(Taken::kept).collect();
    assert_eq!(nights, [slot("2027-02-20 2027-02-21"), slot("2027-02-22 2027-02-24")]);
    house.verified();
}

#[test]
fn a_stay_that_lost_its_last_night_moves_as_long_as_it_is_and_can_grow_again() {
    let house = House::royal();
    let room = priced(&house, "Room 7", 24 * 60);
    let stay = book(&house, &room, "Weber", "2027-02-13 2027-02-17");
    let left = house.desk.run(release(&stay, "2027-02-16 2027-02-17")).unwrap();
    assert_eq!(left.extent(), Some(slot("2027-02-13 2027-02-16")));
    let longer = house.desk.run(moving(&stay, None, "2027-02-13 2027-02-18")).unwrap();
    assert_eq!(minor(&longer[0]), Some(5000));
    house.verified();
}

#[test]
fn a_price_that_was_agreed_or_paid_stays_when_time_is_given_back() {
    let house = House::royal();
    let room = priced(&house, "R", 60);
    let mut agreed = booking(&room, "t", slot("2026-12-01 10:00 12:00"));
    agreed.details.price = Some(Price { minor: 1500, currency: Currency::EUR });
    let agreed = house.desk.run(agreed).unwrap();
    let left = house.desk.run(release(&agreed, "2026-12-01 11:00 12:00")).unwrap();
    assert_eq!(minor(&left), Some(1500));
    house.verified();
}

#[test]
fn a_canceled_booking_that_is_restored_has_what_it_had_when_it_was_canceled() {
    let house = House::royal();
    let room = room(&house, "R", 30);
    let wanted = book(&house, &room, "t", "2026-12-01 10:05 12:10");
    house.desk.run(release(&wanted, "2026-12-01 11:00 11:30")).unwrap();
    let cancel = CancelBooking { whose: Whose::Mine, booking: wanted.id, reach: Reach::This };
    house.desk.run(cancel).unwrap();
    let restored = house.desk.run(RestoreBooking { bookings: vec![wanted.id] }).unwrap();
    assert_eq!(kept(&restored[0]), "10:00-11:00 11:30-12:30");
    house.verified();
}
