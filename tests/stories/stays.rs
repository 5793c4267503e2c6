//! Stays: guests who come and leave, and the lists of a day.

use chrono::NaiveDate;
use willcall::domain::booking::{Booking, Details};
use willcall::domain::ids::BookingId;
use willcall::domain::money::{Currency, Price};
use willcall::domain::refusal::{Refusal, StayRefusal};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BookSeries, CancelBooking, CheckGuest, Conflicts, Happened, MoveBooking, OpenAmount, Past, Reach, ReleaseSlot,
    Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::stays::{ReadStays, WhichStays};
use willcall::words;

use super::after_sale::worklist;
use super::calendar::{add, book, booking, resource, slot, told, view};
use super::paid_bookings::charge;
use super::support::{HERE, House, no};

const DAY: Span = Span::minutes(24 * 60);

/// A room at 100.00 a night.
fn nights(house: &House) -> ResourceId {
    let mut wanted = resource("Room", 24 * 60);
    wanted.price = Some(Price { minor: 10_000, currency: Currency::EUR });
    add(house, wanted)
}

fn check(booking: BookingId, happened: Happened) -> CheckGuest {
    CheckGuest { booking, happened, unpaid: OpenAmount::Refuse }
}

fn now(house: &House, booking: &Booking) -> Booking {
    house.desk.read(ReadBooking(booking.id)).unwrap().booking
}

#[test]
fn a_guest_who_leaves_early_gives_nights_back_and_what_was_paid_for_them() {
    let house = House::royal();
    let room = nights(&house);
    let stay = book(&house, &room, "Weber", "2026-11-21 2026-11-25");
    let cart = house.desk.run(charge(&house, &stay, None)).unwrap();
    house.pay(cart.id, 40_000).unwrap();
    house.desk.run(check(stay.id, Happened::CheckedIn)).unwrap();
    house.pass(DAY.plus(DAY));
    let left = house.desk.run(check(stay.id, Happened::CheckedOut)).unwrap();
    assert_eq!((left.open(), left.overpaid()), (-20_000, 20_000));
    assert_eq!(told(&view(&house, &room, "2026-11-21 2026-11-26")), "00:00 Weber, 00:00 free");
    assert_eq!(worklist(&house)[0].price.map(|price| price.minor), Some(20_000));
    assert_eq!(house.desk.run(check(stay.id, Happened::CheckedOut)).unwrap(), left, "sent again");
    house.verified();
}

#[test]
fn the_night_of_arrival_stays_with_the_guest_and_hours_do_too() {
    let house = House::royal();
    let room = nights(&house);
    let short = book(&house, &room, "Weber", "2026-11-21 2026-11-22");
    let hours = book(&house, &add(&house, resource("Studio", 60)), "Choir", "2026-11-21 12:00 18:00");
    for one in [&short, &hours] {
        house.desk.run(check(one.id, Happened::CheckedIn)).unwrap();
        let left = CheckGuest { unpaid: OpenAmount::Accept, ..check(one.id, Happened::CheckedOut) };
        let left = house.desk.run(left).unwrap();
        assert_eq!((&left.taken, left.price), (&one.taken, one.price));
    }
    house.verified();
}

#[test]
fn nobody_comes_before_the_first_day_or_leaves_before_coming_or_without_paying() {
    let house = House::royal();
    let room = nights(&house);
    let stay = book(&house, &room, "Weber", "2026-11-22 2026-11-24");
    let first = NaiveDate::from_ymd_opt(2026, 11, 22).unwrap();
    let early = StayRefusal::StayNotBegun { title: "Weber".into(), from: first };
    assert_eq!(no(&house.desk, check(stay.id, Happened::CheckedIn)), Refusal::Stay(early));
    house.pass(DAY);
    let out = check(stay.id, Happened::CheckedOut);
    assert_eq!(no(&house.desk, out), Refusal::Stay(StayRefusal::NotCheckedIn { title: "Weber".into() }));
    assert_eq!(now(&house, &stay), stay, "nothing changed");
    let came = house.desk.run(check(stay.id, Happened::CheckedIn)).unwrap();
    house.pass(DAY);
    let unpaid = StayRefusal::StayUnpaid { title: "Weber".into(), open: 10_000, currency: Currency::EUR };
    assert_eq!(no(&house.desk, out), Refusal::Stay(unpaid), "of the night that is kept");
    assert_eq!(now(&house, &stay), came, "and its second night is not given back");
    let left = house.desk.run(CheckGuest { unpaid: OpenAmount::Accept, ..out }).unwrap();
    assert_eq!((left.open(), left.checked_out_at.is_some()), (10_000, true));
    let again = check(stay.id, Happened::CheckedIn);
    assert_eq!(no(&house.desk, again), gone("Weber"));
    assert_eq!(now(&house, &stay), left, "who was here stays recorded as it was");
    house.verified();
}

fn gone(title: &str) -> Refusal {
    StayRefusal::GuestLeft { title: title.into() }.into()
}

#[test]
fn a_guest_who_came_or_left_is_not_canceled_moved_or_given_back() {
    let house = House::royal();
    let room = nights(&house);
    let stay = book(&house, &room, "Weber", "2026-11-21 2026-11-25");
    let cart = house.desk.run(charge(&house, &stay, None)).unwrap();
    house.pay(cart.id, 40_000).unwrap();
    let cancel = |booking, reach| CancelBooking { booking, reach, whose: Whose::Mine };
    house.desk.run(check(stay.id, Happened::CheckedIn)).unwrap();
    let here = no(&house.desk, cancel(stay.id, Reach::This));
    assert_eq!(here, StayRefusal::GuestInHouse { title: "Weber".into() }.into());
    assert_eq!(
        words::refusal(&here, HERE),
        "Weber is in the house. Check out instead: the nights to come are given back."
    );
    house.pass(DAY);
    let left = house.desk.run(check(stay.id, Happened::CheckedOut)).unwrap();
    let said = no(&house.desk, cancel(stay.id, Reach::This));
    assert_eq!(
        words::refusal(&said, HERE),
        "Weber has left, and the booking stays as it is. Money goes back as goodwill on the receipt."
    );
    let moved = |part| MoveBooking {
        booking: stay.id,
        from: None,
        to: None,
        part,
        slot: slot("2026-12-21 2026-12-22"),
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    };
    assert_eq!(no(&house.desk, moved(None)), gone("Weber"));
    assert_eq!(no(&house.desk, moved(Some(slot("2026-11-21 2026-11-22")))), gone("Weber"));
    let (booking, resource) = (stay.id, None);
    let release = ReleaseSlot { booking, resource, slot: slot("2026-11-21 2026-11-22"), whose: Whose::Mine };
    assert_eq!(no(&house.desk, release), gone("Weber"));
    assert_eq!(now(&house, &stay), left);
    house.verified();
}

#[test]
fn a_repeat_is_canceled_without_the_guest_who_has_left() {
    let house = House::royal();
    let room = nights(&house);
    let slots = ["2026-11-21 2026-11-22", "2026-11-22 2026-11-23", "2026-11-23 2026-11-24"].map(slot).to_vec();
    let details = Details { title: "Weber".into(), ..Details::default() };
    let (conflicts, past) = (Conflicts::Refuse, Past::Refuse);
    let stays = BookSeries { resources: vec![room], any: None, slots, details, conflicts, past };
    let stays = house.desk.run(stays).unwrap().bookings;
    let cancel = |reach| CancelBooking { booking: stays[0].id, reach, whose: Whose::Mine };
    house.desk.run(check(stays[0].id, Happened::CheckedIn)).unwrap();
    assert!(matches!(no(&house.desk, cancel(Reach::All)), Refusal::Stay(StayRefusal::GuestInHouse { .. })));
    let out = CheckGuest { unpaid: OpenAmount::Accept, ..check(stays[0].id, Happened::CheckedOut) };
    let left = house.desk.run(out).unwrap();
    let canceled = house.desk.run(cancel(Reach::All)).unwrap();
    assert_eq!(canceled.iter().map(|one| one.id).collect::<Vec<_>>(), [stays[1].id, stays[2].id]);
    assert_eq!(now(&house, &stays[0]), left);
    assert_eq!(no(&house.desk, cancel(Reach::All)), gone("Weber"), "nothing else is left of it");
    house.verified();
}

#[test]
fn a_day_lists_who_arrives_who_leaves_and_who_is_in_the_house() {
    let house = House::royal();
    let room = nights(&house);
    let other = add(&house, resource("Annex", 24 * 60));
    let today = book(&house, &room, "Weber", "2026-11-21 2026-11-23");
    house.desk.run(booking(&other, "Adams", slot("2026-11-21 2026-11-22"))).unwrap();
    book(&house, &room, "Later", "2026-11-23 2026-11-24");
    book(&house, &add(&house, resource("Studio", 60)), "Choir", "2026-11-21 12:00 18:00");
    let list = |which, day| {
        let date = NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        let stays = house.desk.read(ReadStays { date, which }).unwrap();
        stays.iter().map(|stay| format!("{} {}", stay.name(), stay.room)).collect::<Vec<_>>()
    };
    assert_eq!(list(WhichStays::Arrivals, 21), ["Adams Annex", "Weber Room"]);
    assert_eq!(list(WhichStays::Departures, 22), ["Adams Annex"]);
    assert_eq!(list(WhichStays::Departures, 23), ["Weber Room"]);
    assert_eq!(list(WhichStays::Arrivals, 23), ["Later Room"]);
    assert_eq!(list(WhichStays::InHouse, 22), ["Weber Room"]);
    house.desk.run(check(today.id, Happened::CheckedIn)).unwrap();
    house.pass(DAY);
    house.desk.run(CheckGuest { unpaid: OpenAmount::Accept, ..check(today.id, Happened::CheckedOut) }).unwrap();
    assert_eq!(list(WhichStays::InHouse, 22), [""; 0], "the guest left");
    assert_eq!(list(WhichStays::Departures, 22), ["Adams Annex", "Weber Room"]);
    let short = book(&house, &add(&house, resource("Loft", 24 * 60)), "Short", "2026-11-22 2026-11-25");
    house.desk.run(check(short.id, Happened::CheckedIn)).unwrap();
    house.desk.run(check(short.id, Happened::CheckedOut)).unwrap();
    assert_eq!(list(WhichStays::Departures, 22), ["Adams Annex", "Short Loft", "Weber Room"]);
    assert_eq!(list(WhichStays::Departures, 23), [""; 0]);
}
