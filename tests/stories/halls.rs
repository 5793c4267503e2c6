//! Halls of theaters: two performances of one theater never overlap, in older houses too.

use chrono_tz::Tz;
use serde::Serialize;
use willcall::domain::availability::{Chunk, ChunkKey};
use willcall::domain::ids::{PerformanceId, PlanId, TheaterId};
use willcall::domain::money::Currency;
use willcall::domain::performance::{Performance, PerformanceState, Theater, TicketPrice};
use willcall::domain::refusal::{Purpose, Refusal, WantedCells};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    AddTheater, CancelBooking, CancelPerformance, GiveHalls, HoldSeats, Kept, Reach, SetHall, Whose,
};
use willcall::engine::reads::catalog::{ReadPerformance, ReadTheater};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::verify::{RemarkKind, Verify};
use willcall::engine::{Failure, Operation, UnitOfWork};
use willcall::formats::rows;
use willcall::store::kinds::PlanVersion;
use willcall::wording;

use super::calendar::{add, book, resource, told, view};
use super::jobs::until;
use super::support::{House, NOON, adding, named, no};

const PRICE: [(Option<&str>, Option<&str>, i64); 1] = [(None, None, 1000)];

fn at(hour: i64, minute: i64) -> Instant {
    NOON + Span::minutes((hour - 12) * 60 + minute)
}

fn hall(house: &House, theater: TheaterId) -> Option<ResourceId> {
    house.desk.read(ReadTheater(theater)).unwrap().0.hall
}

/// A house of an older program: a theater without a hall, and performances that took none.
#[derive(Clone, Serialize)]
struct OlderHouse {
    theater: TheaterId,
    shows: Vec<(PerformanceId, String, Instant)>,
}

impl Operation for OlderHouse {
    const VERB: &'static str = "older_house";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let plan = PlanVersion {
            id: PlanId::random(),
            theater: self.theater,
            plan: rows::parse("2x4").unwrap(),
        };
        work.create(&plan)?;
        work.create(&Theater {
            id: self.theater,
            name: "Studio".into(),
            time_zone: Tz::UTC,
            plan: plan.id,
            hall: None,
            out_of_use: Vec::new(),
        })?;
        for (id, title, start) in &self.shows {
            work.create(&Performance {
                id: *id,
                theater: self.theater,
                plan: plan.id,
                title: title.clone(),
                description: String::new(),
                start: *start,
                end: *start + Span::minutes(120),
                currency: Currency::EUR,
                prices: vec![TicketPrice {
                    category: None,
                    ticket_type: None,
                    minor: 1000,
                }],
                hall: None,
                state: PerformanceState::Open,
            })?;
            work.put_job(willcall::domain::job::JobKind::SalesClose, *id, *start)?;
            for number in 0..2 {
                let key = ChunkKey {
                    resource: id.to_string(),
                    number,
                };
                work.create(&Chunk::empty(key, 4))?;
            }
        }
        Ok(())
    }
}

/// "One" at 19:30 and "Two" at 20:00 in one theater.
fn older(house: &House) -> OlderHouse {
    let shows = [("One", at(19, 30)), ("Two", at(20, 0))];
    let older = OlderHouse {
        theater: TheaterId::random(),
        shows: shows
            .map(|(title, start)| (PerformanceId::random(), title.to_owned(), start))
            .to_vec(),
    };
    house.desk.run(older.clone()).unwrap();
    older
}

#[test]
fn f2_two_performances_of_a_theater_never_overlap_without_any_further_step() {
    let house = House::royal();
    let refusal = no(
        &house.desk,
        adding(house.theater, (at(20, 0), "Action Movie 6"), &PRICE),
    );
    assert!(
        matches!(
            refusal,
            Refusal::Taken {
                wanted: WantedCells::Time(Purpose::Perform),
                ..
            }
        ),
        "{refusal:?}"
    );
    let said = wording::refusal(&refusal, Tz::UTC);
    assert!(said.contains("The Royal Sat 21 Nov 20:00-21:30"), "{said}");
    assert!(said.contains("Action Movie 5"), "{said}");
    assert!(said.contains("Choose another time"), "{said}");
    house
        .desk
        .run(adding(house.theater, (at(21, 30), "Late"), &PRICE))
        .unwrap();
    house
        .desk
        .run(adding(house.theater, (at(17, 30), "Early"), &PRICE))
        .unwrap();
    let hall = hall(&house, house.theater).unwrap();
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
        let add = AddTheater {
            name: name.into(),
            plan: rows::parse("2x4").unwrap(),
            time_zone: None,
        };
        house.desk.run(add).unwrap()
    };
    let studio = theater("Studio").hall.unwrap();
    assert_ne!(studio, room);
    assert_eq!(studio.as_str(), "studio-hall");
    assert!(theater("!!!").hall.is_some(), "a name without a letter");
    house.verified();
}

#[test]
fn f2_a_theater_of_an_older_house_gets_its_hall_once_and_overlaps_stay_sellable() {
    let house = House::royal();
    let older = older(&house);
    let before = house.desk.read(Verify::default()).unwrap();
    assert_eq!(before.violations, []);
    assert_eq!(before.remarks.len(), 1, "named before it has a hall too");
    house.desk.run(GiveHalls).unwrap();
    let studio = hall(&house, older.theater).unwrap();
    assert_eq!(
        told(&view(&house, &studio, "2026-11-21 2026-11-22")),
        "00:00 free, 19:30 One, 21:30 Two, 22:00 free"
    );
    let report = house.verified();
    let [remark] = report.remarks.as_slice() else {
        panic!("{:?}", report.remarks)
    };
    assert_eq!(remark.about, RemarkKind::Overlap);
    assert_eq!(
        remark.detail,
        "Two (Sat 21 Nov 20:00-22:00) overlaps One (Sat 21 Nov 19:30-21:30) in Studio: a seat can be sold twice for \
         the same time. Cancel one of them; until then both are on sale."
    );
    for (show, ..) in &older.shows {
        let hold = HoldSeats {
            cart: None,
            performance: *show,
            seats: named("A1"),
            ticket_type: None,
            kept: Kept::Refuse,
        };
        house.desk.run(hold).unwrap();
    }
    let three = adding(older.theater, (at(21, 30), "Three"), &PRICE);
    assert!(matches!(no(&house.desk, three), Refusal::Taken { .. }));
    let entries = || house.desk.read(ReadJournal::default()).unwrap().len();
    let count = entries();
    house.desk.run(GiveHalls).unwrap();
    assert_eq!(entries(), count, "nothing is done twice");
}

#[test]
fn f2_an_older_house_refuses_an_overlap_before_its_next_start() {
    let house = House::royal();
    let older = older(&house);
    let three = adding(older.theater, (at(21, 0), "Three"), &PRICE);
    assert!(matches!(no(&house.desk, three), Refusal::Taken { .. }));
    assert_eq!(
        hall(&house, older.theater),
        None,
        "a refusal changes nothing"
    );
    house
        .desk
        .run(adding(older.theater, (at(22, 0), "Three"), &PRICE))
        .unwrap();
    assert!(hall(&house, older.theater).is_some());
    house.verified();
}

#[test]
fn f2_an_older_house_gets_its_halls_at_the_start_of_a_desk() {
    let house = House::royal();
    let older = older(&house);
    let desk = house.running();
    let studio = until(&house, || hall(&house, older.theater));
    assert_eq!(studio.as_str(), "studio");
    drop(desk);
    house.verified();
}

#[test]
fn f2_stations_that_start_at_once_give_one_hall() {
    let house = House::royal();
    let older = older(&house);
    let engines: Vec<_> = (0..3).map(|_| house.running()).collect();
    let desks: Vec<_> = engines
        .iter()
        .map(|engine| engine.desk(super::support::actor("ada", "till-2")))
        .collect();
    std::thread::scope(|scope| {
        for desk in &desks {
            scope.spawn(|| desk.run(GiveHalls).unwrap());
        }
    });
    let studio = hall(&house, older.theater).unwrap();
    assert_eq!(studio.as_str(), "studio");
    assert_eq!(
        told(&view(&house, &studio, "2026-11-21 2026-11-22")),
        "00:00 free, 19:30 One, 21:30 Two, 22:00 free"
    );
    drop(engines);
    house.verified();
}

#[test]
fn a_canceled_performance_leaves_its_hall_to_one_that_overlapped() {
    let house = House::royal();
    let older = older(&house);
    house.desk.run(GiveHalls).unwrap();
    let studio = hall(&house, older.theater).unwrap();
    house
        .desk
        .run(CancelPerformance {
            performance: older.shows[0].0,
        })
        .unwrap();
    assert_eq!(
        told(&view(&house, &studio, "2026-11-21 2026-11-22")),
        "00:00 free, 20:00 Two, 22:00 free"
    );
    assert_eq!(house.verified().remarks, []);
}

#[test]
fn performances_to_come_move_to_the_hall_that_is_chosen_all_or_none() {
    let house = House::royal();
    let old = hall(&house, house.theater).unwrap();
    let stage = add(&house, resource("Stage", 30));
    let rehearsal = book(&house, &stage, "Rehearsal", "2026-11-21 21:00 22:00");
    let set = SetHall {
        theater: house.theater,
        hall: stage.clone(),
    };
    assert!(matches!(
        no(&house.desk, set.clone()),
        Refusal::Taken { .. }
    ));
    house
        .desk
        .run(CancelBooking {
            whose: Whose::Mine,
            booking: rehearsal.id,
            reach: Reach::This,
        })
        .unwrap();
    house.desk.run(set).unwrap();
    let day = "2026-11-21 2026-11-22";
    assert_eq!(told(&view(&house, &old, day)), "00:00 free");
    assert_eq!(
        told(&view(&house, &stage, day)),
        "00:00 free, 19:30 Action Movie 5, 21:30 free"
    );
    let show = house.desk.read(ReadPerformance(house.show)).unwrap();
    assert_eq!(show.hall.unwrap().name, "Stage");
    let overlap = adding(house.theater, (at(20, 0), "Action Movie 6"), &PRICE);
    assert!(matches!(no(&house.desk, overlap), Refusal::Taken { .. }));
    house.verified();
}
