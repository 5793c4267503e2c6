//! Halls of theaters: two performances of one theater overlap only where one lost its hall.

use willcall::domain::booking::Cause;
use willcall::domain::ids::{PerformanceId, TheaterId};
use willcall::domain::refusal::{Purpose, Refusal, WantedCells};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    AddTheater, CancelBooking, CancelPerformance, Displace, HoldSeats, HouseSeats, InService, Past, Reach, SetHall,
    TakeOut, Whose,
};
use willcall::engine::reads::catalog::{ReadPerformance, ReadTheater};
use willcall::engine::verify::RemarkKind;
use willcall::formats::rows;
use willcall::words;

use super::calendar::{add, book, resource, told, view};
use super::support::{HERE, House, NOON, adding, named, no};

const PRICE: [(Option<&str>, Option<&str>, i64); 1] = [(None, None, 1000)];

fn at(hour: i64, minute: i64) -> Instant {
    NOON + Span::minutes((hour - 12) * 60 + minute)
}

fn hall(house: &House, theater: TheaterId) -> ResourceId {
    house.desk.read(ReadTheater(theater)).unwrap().0.hall
}

/// Adds "Two" at 20:00, when "Action Movie 5" lost its time from 19:30 on to a disable of the hall that ended.
fn overlapping(house: &House) -> PerformanceId {
    let hall = hall(house, house.theater);
    let out = TakeOut {
        resources: vec![hall.clone()],
        count: None,
        from: None,
        until: None,
        cause: Cause::OutOfService,
        reason: "water".into(),
        displace: Displace::Take,
        past: Past::Refuse,
    };
    assert_eq!(house.desk.run(out).unwrap().displaced().len(), 1);
    let back = InService { resource: hall, whose: Whose::Mine };
    house.desk.run(back).unwrap();
    let two = adding(house.theater, (at(20, 0), "Two"), &PRICE);
    house.desk.run(two).unwrap().performance.id
}

#[test]
fn f2_two_performances_of_a_theater_never_overlap_without_any_further_step() {
    let house = House::royal();
    let refusal = no(&house.desk, adding(house.theater, (at(20, 0), "Action Movie 6"), &PRICE));
    assert!(matches!(refusal, Refusal::Taken { wanted: WantedCells::Time(Purpose::Perform), .. }), "{refusal:?}");
    let said = words::refusal(&refusal, HERE);
    assert!(said.contains("The Royal Sat 21 Nov 20:00-21:30"), "{said}");
    assert!(said.contains("Action Movie 5"), "{said}");
    assert!(said.contains("Choose another time"), "{said}");
    house.desk.run(adding(house.theater, (at(21, 30), "Late"), &PRICE)).unwrap();
    house.desk.run(adding(house.theater, (at(17, 30), "Early"), &PRICE)).unwrap();
    let hall = hall(&house, house.theater);
    assert_eq!(
        told(&view(&house, &hall, "2026-11-21 2026-11-22")),
        "00:00 free, 17:30 Early, 19:30 Action Movie 5, 21:30 Late, 23:30 free"
    );
    assert_eq!(house.verified().remarks, []);
}

#[test]
fn a_hall_takes_a_free_name_where_its_theaters_is_taken() {
    let house = House::royal();
    let room = add(&house, resource("Studio", 30));
    let theater = |name: &str| {
        let add = AddTheater { name: name.into(), plan: rows::parse("2x4").unwrap(), time_zone: None };
        house.desk.run(add).unwrap()
    };
    let studio = theater("Studio").hall;
    assert_ne!(studio, room);
    assert_eq!(studio.as_str(), "studio-hall");
    assert_ne!(theater("!!!").hall.as_str(), "", "a name without a letter");
    house.verified();
}

#[test]
fn a_performance_that_overlaps_one_without_its_hall_is_remarked_and_both_stay_sellable() {
    let house = House::royal();
    let two = overlapping(&house);
    let day = "2026-11-21 2026-11-22";
    let royal = hall(&house, house.theater);
    assert_eq!(told(&view(&house, &royal, day)), "00:00 free, 20:00 Two, 22:00 free");
    let report = house.verified();
    let [remark] = report.remarks.as_slice() else { panic!("{:?}", report.remarks) };
    assert_eq!(remark.about, RemarkKind::Overlap);
    assert_eq!(
        remark.detail,
        "Two (Sat 21 Nov 2026 20:00-22:00) overlaps Action Movie 5 (Sat 21 Nov 2026 19:30-21:30) in The Royal: a seat can be sold \
         twice for the same time. Cancel one of them; until then both are on sale."
    );
    for performance in [house.show, two] {
        let hold =
            HoldSeats { cart: None, performance, seats: named("A1"), ticket_type: None, kept: HouseSeats::Refuse };
        house.desk.run(hold).unwrap();
    }
    let three = adding(house.theater, (at(21, 30), "Three"), &PRICE);
    assert!(matches!(no(&house.desk, three), Refusal::Taken { .. }));
    let cancel = CancelPerformance { performance: two, reason: "flooded".into() };
    house.desk.run(cancel).unwrap();
    assert_eq!(told(&view(&house, &royal, day)), "00:00 free, 19:30 Action Movie 5, 21:30 free");
    assert_eq!(house.verified().remarks, []);
}

#[test]
fn a_performance_without_its_hall_takes_what_is_free_in_another() {
    let house = House::royal();
    let two = overlapping(&house);
    let cancel = CancelPerformance { performance: two, reason: "flooded".into() };
    let stage = add(&house, resource("Stage", 30));
    book(&house, &stage, "Rehearsal", "2026-11-21 19:00 20:00");
    let set = SetHall { theater: house.theater, hall: stage.clone() };
    house.desk.run(set).unwrap();
    let day = "2026-11-21 2026-11-22";
    assert_eq!(told(&view(&house, &stage, day)), "00:00 free, 19:00 Rehearsal, 20:00 Two, 22:00 free");
    house.desk.run(cancel).unwrap();
    assert_eq!(told(&view(&house, &stage, day)), "00:00 free, 19:00 Rehearsal, 20:00 Action Movie 5, 21:30 free");
    house.verified();
}

#[test]
fn performances_to_come_move_to_the_hall_that_is_chosen_all_or_none() {
    let house = House::royal();
    let old = hall(&house, house.theater);
    let stage = add(&house, resource("Stage", 30));
    let rehearsal = book(&house, &stage, "Rehearsal", "2026-11-21 21:00 22:00");
    let set = SetHall { theater: house.theater, hall: stage.clone() };
    assert!(matches!(no(&house.desk, set.clone()), Refusal::Taken { .. }));
    house.desk.run(CancelBooking { whose: Whose::Mine, booking: rehearsal.id, reach: Reach::This }).unwrap();
    house.desk.run(set).unwrap();
    let day = "2026-11-21 2026-11-22";
    assert_eq!(told(&view(&house, &old, day)), "00:00 free");
    assert_eq!(told(&view(&house, &stage, day)), "00:00 free, 19:30 Action Movie 5, 21:30 free");
    let show = house.desk.read(ReadPerformance(house.show)).unwrap();
    assert_eq!(show.hall.unwrap().name, "Stage");
    let overlap = adding(house.theater, (at(20, 0), "Action Movie 6"), &PRICE);
    assert!(matches!(no(&house.desk, overlap), Refusal::Taken { .. }));
    house.verified();
}
