//! Several acts over the same seats: each keeps what it wants out of use until it ends, whatever ends before it.

use willcall::domain::refusal::Refusal;
use willcall::engine::ops::{DisableSeats, EnableSeats, EnableSlot, StillOut, Which, Whose};
use willcall::engine::reads::bookings::ReadBookings;

use super::support::{House, names, no, refused};

pub(crate) fn everywhere(house: &House) -> Which {
    Which::Theater { theater: house.theater, from: None }
}

pub(crate) const fn tonight(house: &House) -> Which {
    Which::Performance(house.show)
}

pub(crate) fn out(which: Which, seats: &str, reason: &str) -> DisableSeats {
    DisableSeats { which, seats: names(seats), reason: reason.into() }
}

pub(crate) fn back(which: Which, seats: &str) -> EnableSeats {
    EnableSeats { which, seats: names(seats), whose: Whose::Mine }
}

fn still(seats: &str, reason: &str) -> StillOut {
    StillOut { seats: names(seats), reasons: names(reason) }
}

/// F6 for seats.
#[test]
fn ending_one_of_two_acts_of_an_operator_leaves_the_others_seats() {
    let house = House::royal();
    let desk = &house.desk;
    desk.run(out(tonight(&house), "A1 A2 A3 A4", "paint")).unwrap();
    desk.run(out(tonight(&house), "A1 A2", "inspection")).unwrap();
    let left = desk.run(back(tonight(&house), "A1 A2 A3 A4")).unwrap();
    assert_eq!(left, Some(still("A1 A2", "inspection")));
    house.verified();
    let taken = refused(house.hold(house.open_cart(), "A1"));
    assert!(
        matches!(&taken, Refusal::Taken { facts, .. } if facts[0].by.to_string() == "ada (inspection)"),
        "{taken:?}"
    );
    house.hold(house.open_cart(), "A3 A4").unwrap();
    assert_eq!(desk.run(back(tonight(&house), "A1 A2")).unwrap(), None);
    assert!(matches!(no(desk, back(tonight(&house), "A1")), Refusal::NotYours { .. }));
    assert_eq!(house.free(), 78);
    house.verified();
}

#[test]
fn an_act_on_one_performance_and_one_on_the_theater_are_two() {
    let house = House::royal();
    let desk = &house.desk;
    desk.run(out(everywhere(&house), "C3", "spring")).unwrap();
    desk.run(out(tonight(&house), "C3", "paint")).unwrap();
    let left = desk.run(back(everywhere(&house), "C3")).unwrap();
    assert_eq!(left, Some(still("C3", "paint")));
    assert_eq!(house.free(), 79);
    desk.run(out(everywhere(&house), "C3", "spring")).unwrap();
    let left = desk.run(back(tonight(&house), "C3")).unwrap();
    assert_eq!(left, Some(still("C3", "spring")));
    let later = house.performance("Next week", &[(None, None, 500)]);
    assert!(matches!(no(desk, back(Which::Performance(later), "C4")), Refusal::NotYours { .. }));
    assert_eq!(desk.run(back(everywhere(&house), "C3")).unwrap(), None);
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn two_acts_on_the_theater_end_one_by_one_in_every_performance() {
    let house = House::royal();
    let desk = &house.desk;
    desk.run(out(everywhere(&house), "C3", "spring")).unwrap();
    desk.run(out(everywhere(&house), "C3", "paint")).unwrap();
    let later = house.performance("Next week", &[(None, None, 500)]);
    let left = desk.run(back(everywhere(&house), "C3")).unwrap();
    assert_eq!(left, Some(still("C3", "paint")));
    house.verified();
    let left = desk.run(back(Which::Performance(later), "C3")).unwrap();
    assert_eq!(left, None, "it was the only one left");
    assert_eq!(desk.run(back(everywhere(&house), "C3")).unwrap(), None);
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn an_act_on_seats_ends_by_its_id_as_one_on_time_does() {
    let house = House::royal();
    let desk = &house.desk;
    let act = |seats, reason| {
        let done = desk.run(out(tonight(&house), seats, reason)).unwrap();
        let id = done.disables[0].id;
        let whose = Whose::Mine;
        EnableSlot { id, whose }
    };
    let (paint, inspection) = (act("A1 A2 A3", "paint"), act("A2 A3 A4", "inspection"));
    let ben = house.at("till-2");
    assert!(matches!(
        no(&ben, paint.clone()),
        Refusal::DisabledByAnother { facts } if facts.len() == 3
    ));
    let listed = desk.read(ReadBookings::default()).unwrap();
    assert!(listed.iter().all(|one| one.seats.is_none()), "{listed:?}");
    desk.run(paint.clone()).unwrap();
    assert_eq!(house.free(), 77);
    house.verified();
    desk.run(paint).unwrap();
    desk.run(inspection).unwrap();
    assert_eq!(house.free(), 80);
    house.verified();
}
