//! Seats out of use, house seats, canceled performances, and the best that is left: case T16 and T12.

use willcall::domain::best::{Access, Aisle};
use willcall::domain::cart::CartState;
use willcall::domain::house::WorkKind;
use willcall::domain::refusal::{self, Lack, Refusal, operators};
use willcall::domain::time::{Span, parse_date};
use willcall::engine::Desk;
use willcall::engine::ops::{
    BestSeats, CancelPerformance, ChangePlan, DisableSeats, EnableSeats, HoldSeats, HouseSeats, KeepSeats, SeatChoice,
    SetAside, UnkeepSeats, Which, Whose,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::instead::ReadInstead;
use willcall::engine::reads::seat_map::{ReadSeatMap, SeatState};
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::formats::rows;

use super::support::{House, NOON, named, names, no, refused, seat};

fn lacks(refusal: Refusal, seats: &str) {
    let Refusal::NotYours { lack: Lack::OutOfUse, facts } = refusal else { panic!("{refusal:?}") };
    assert_eq!(refusal::names(&facts), names(seats));
}

fn disable(house: &House, seats: &str) -> DisableSeats {
    DisableSeats { which: Which::Performance(house.show), seats: names(seats), reason: "broken".into() }
}

fn enable(house: &House, seats: &str, whose: Whose) -> EnableSeats {
    EnableSeats { which: Which::Performance(house.show), seats: names(seats), whose }
}

#[test]
fn t16_an_open_cart_loses_a_disabled_seat_and_sells_the_rest() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2 A3");
    let done = house.at("office").run(disable(&house, "A2")).unwrap();
    assert!(done.displaced.is_empty(), "an open cart is told, not put on the worklist");
    let view = house.cart(cart);
    assert_eq!((view.total, view.cart.seat_count()), (2000, 2));
    house.pay(cart, 2000).unwrap();
    assert!(
        matches!(refused(house.hold(house.open_cart(), "A2")), Refusal::Taken { facts, .. } if facts[0].state() == "disabled")
    );
    house.verified();
}

#[test]
fn t16_a_sold_seat_that_is_disabled_waits_on_the_worklist() {
    let house = House::royal();
    let receipt = house.sold("B6 B7");
    let aside = house.cart_with("C1 C2");
    house.desk.run(SetAside { cart: aside }).unwrap();
    let done = house.desk.run(disable(&house, "B6 C1")).unwrap();
    assert_eq!(done.displaced.len(), 2);
    let list = house.desk.read(ReadWorklist).unwrap();
    let owners: Vec<&str> = list.iter().map(|item| item.owner.as_str()).collect();
    assert!(owners.contains(&format!("receipt {}", receipt.number).as_str()));
    assert!(list.iter().any(|item| item.seats == ["B6"] && matches!(item.item.what, WorkKind::Displaced { .. })));
    assert!(matches!(house.map().state(seat(1, 5)), Some(SeatState::Disabled { displaced: true, .. })));
    house.verified();
}

#[test]
fn a_disable_belongs_to_its_operator() {
    let house = House::royal();
    let ben = house.at("office");
    house.desk.run(disable(&house, "A1 A2")).unwrap();
    assert!(
        matches!(no(&ben, disable(&house, "A2 A3")), Refusal::DisabledByAnother { facts } if operators(&facts) == ["ada"])
    );
    assert!(
        matches!(no(&ben, enable(&house, "A1", Whose::Mine)), Refusal::DisabledByAnother { facts } if operators(&facts) == ["ada"])
    );
    house.desk.run(disable(&house, "A2 A3")).unwrap();
    house.desk.run(enable(&house, "A1 A3", Whose::Mine)).unwrap();
    let left = ben.run(enable(&house, "A2", Whose::Anybody)).unwrap();
    assert_eq!(left.unwrap().seats, ["A2"], "two acts had it");
    ben.run(enable(&house, "A2", Whose::Anybody)).unwrap();
    assert!(matches!(no(&ben, enable(&house, "A2", Whose::Anybody)), Refusal::NotYours { .. }));
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn a_broken_seat_of_a_theater_is_out_of_use_in_every_performance_to_come() {
    let house = House::royal();
    let broken = DisableSeats {
        which: Which::Theater { theater: house.theater, from: None },
        seats: names("C3"),
        reason: "spring".into(),
    };
    assert_eq!(house.desk.run(broken).unwrap().disables.len(), 1);
    let later = house.performance("Next week", &[(None, None, 500)]);
    let cart = house.open_cart();
    assert!(matches!(
        no(&house.desk, HoldSeats { performance: later, ..house.holding(cart, "C3") }),
        Refusal::Taken { .. }
    ));
    house.verified();
    let mended = EnableSeats {
        which: Which::Theater { theater: house.theater, from: None },
        seats: names("C3"),
        whose: Whose::Mine,
    };
    house.desk.run(mended).unwrap();
    house.desk.run(HoldSeats { performance: later, ..house.holding(cart, "C3") }).unwrap();
    house.verified();
}

fn broken(house: &House, seats: &str, from: Option<&str>) -> DisableSeats {
    DisableSeats {
        which: Which::Theater { theater: house.theater, from: from.map(|date| parse_date(date).unwrap()) },
        ..disable(house, seats)
    }
}

fn mended(house: &House, seats: &str, whose: Whose) -> EnableSeats {
    EnableSeats { which: Which::Theater { theater: house.theater, from: None }, ..enable(house, seats, whose) }
}

#[test]
fn a_broken_seat_that_todays_plan_lacks_can_still_break_and_be_mended() {
    let house = House::royal();
    house.desk.run(broken(&house, "E16", None)).unwrap();
    let plan = rows::parse("2x3").unwrap();
    house.desk.run(ChangePlan { theater: house.theater, plan }).unwrap();
    house.performance("Smaller", &[(None, None, 100)]);
    let done = house.desk.run(broken(&house, "e15 a1", None)).unwrap();
    assert_eq!((done.disables.len(), done.unknown), (2, names("E15")));
    assert_eq!(house.free(), 77);
    assert_eq!(no(&house.desk, broken(&house, "Z9 A1", None)), Refusal::UnknownSeat { seats: names("Z9") });
    house.desk.run(mended(&house, "e16 E15", Whose::Mine)).unwrap();
    assert_eq!(house.free(), 79);
    lacks(no(&house.desk, mended(&house, "E16", Whose::Mine)), "E16");
    house.verified();
}

#[test]
fn a_theaters_broken_seat_belongs_to_its_operator_before_any_performance_is_open() {
    let house = House::royal();
    let ben = house.at("office");
    let later = |desk: &Desk, date| desk.run(broken(&house, "C3", Some(date)));
    later(&house.desk, "2027-01-10").unwrap();
    later(&house.desk, "2027-01-20").unwrap();
    assert!(
        matches!(refused(later(&ben, "2027-01-10")), Refusal::DisabledByAnother { facts } if operators(&facts) == ["ada"] && refusal::names(&facts) == ["C3"])
    );
    let day = |minutes| house.performance_at(NOON + Span::minutes(minutes), "Later", &[(None, None, 100)]);
    let between = day(55 * 24 * 60);
    assert_eq!(house.desk.read(ReadSeatMap(between)).unwrap().free, 79, "the first date that was said still holds");
    assert!(
        matches!(no(&ben, mended(&house, "C3 C4", Whose::Mine)), Refusal::DisabledByAnother { facts } if refusal::names(&facts) == ["C3"])
    );
    lacks(no(&ben, mended(&house, "C3 C4", Whose::Anybody)), "C4");
    ben.run(mended(&house, "C3", Whose::Anybody)).unwrap();
    assert_eq!(house.desk.read(ReadSeatMap(between)).unwrap().free, 80);
    house.verified();
}

#[test]
fn house_seats_are_sold_on_purpose_and_free_past_their_time() {
    let house = House::royal();
    let keep = |seats: &str| KeepSeats {
        performance: house.show,
        seats: names(seats),
        reason: "press".into(),
        until: house.desk.now() + Span::minutes(60),
    };
    house.desk.run(keep("D9 D10 D11 D12")).unwrap();
    let cart = house.open_cart();
    assert!(matches!(refused(house.hold(cart, "D9")), Refusal::Taken { facts, .. } if facts[0].state() == "kept"));
    house.desk.run(HoldSeats { kept: HouseSeats::Sell, ..house.holding(cart, "D9 E9") }).unwrap();
    house.desk.run(UnkeepSeats { performance: house.show, seats: names("D10") }).unwrap();
    assert!(matches!(
        no(&house.desk, UnkeepSeats { performance: house.show, seats: names("D10") }),
        Refusal::NotYours { .. }
    ));
    assert_eq!(house.free(), 76);
    house.verified();
    house.pass(Span::minutes(60));
    assert_eq!(house.free(), 80, "and the cart is late too");
    house.cart_with("D11");
    assert_eq!(house.free(), 79);
    house.verified();
}

#[test]
fn canceling_a_performance_ends_its_holds_and_lists_what_was_sold() {
    let house = House::royal();
    let receipt = house.sold("A1 A2");
    let cart = house.cart_with("B1");
    house
        .desk
        .run(KeepSeats {
            performance: house.show,
            seats: names("E1"),
            reason: "press".into(),
            until: house.desk.now() + Span::minutes(9),
        })
        .unwrap();
    let canceled = house.desk.run(CancelPerformance { performance: house.show, reason: "flooded".into() }).unwrap();
    assert_eq!((canceled.displaced.len(), canceled.carts), (1, vec![cart]));
    assert_eq!((house.cart(cart).lines.len(), house.state(cart)), (0, CartState::Active));
    assert!(matches!(refused(house.hold(cart, "C1")), Refusal::SalesClosed { canceled: true, .. }));
    assert_eq!(
        house
            .desk
            .run(CancelPerformance { performance: canceled.performance.id, reason: "flooded".into() })
            .unwrap()
            .displaced
            .len(),
        0,
        "twice is once"
    );
    assert_eq!(receipt.total, 2000);
    house.verified();
}

#[test]
fn t12_the_best_four_are_together_and_a_full_house_says_so() {
    let house = House::royal();
    let best = |count| HoldSeats {
        seats: SeatChoice::Best(BestSeats {
            count,
            category: None,
            zone: None,
            aisle: Aisle::Any,
            access: Access::Ordinary,
        }),
        ..house.holding(house.open_cart(), "")
    };
    let four = house.desk.run(best(4)).unwrap();
    let mut seats = four.lines[0].goods.seats().to_vec();
    seats.sort_unstable();
    assert!(seats.windows(2).all(|pair| pair[0].row == pair[1].row && pair[0].seat + 1 == pair[1].seat), "{seats:?}");
    assert!(matches!(no(&house.desk, best(17)), Refusal::NoSeatsTogether { count: 17, most_together: 16, free: 76 }));
    assert_eq!(no(&house.desk, best(0)), Refusal::NothingChosen);
    house.verified();
}

#[test]
fn the_best_seats_are_among_those_that_are_sold_as_the_ticket_type() {
    let mut plan = rows::parse("2x4").unwrap();
    plan.categories.push(plan.categories[0].clone());
    plan.categories[1].name = "Gallery".into();
    for place in &mut plan.zones[0].rows[1].seats {
        place.category = 1;
    }
    let house = House::of(plan, &[(None, Some("Member"), 500), (Some("Gallery"), Some("Child"), 300)]);
    let best = |ticket_type: &str| HoldSeats {
        seats: SeatChoice::Best(BestSeats {
            count: 2,
            category: None,
            zone: None,
            aisle: Aisle::Any,
            access: Access::Ordinary,
        }),
        ticket_type: Some(ticket_type.into()),
        ..house.holding(house.open_cart(), "")
    };
    for ticket_type in ["child", "Member"] {
        let cart = house.desk.run(best(ticket_type)).unwrap();
        let in_gallery = cart.lines[0].goods.seats().iter().all(|seat| seat.row == 1);
        assert_eq!(in_gallery, ticket_type == "child");
    }
    assert!(
        !house.desk.read(ReadInstead::from(&HoldSeats { seats: named("B1"), ..best("Member") })).unwrap().is_empty(),
        "there are members, if no adults"
    );
    house.verified();
}

#[test]
fn a_refusal_offers_other_seats_that_are_free() {
    let house = House::royal();
    house.sold("C7 C8");
    let cart = house.open_cart();
    let refusal = refused(house.hold(cart, "C6 C7"));
    let Refusal::Taken { instead, .. } = offer(&house.desk, refusal, &house.holding(cart, "C6 C7")) else { panic!() };
    assert!(!instead.is_empty());
    house.cart_with(&instead[0].seats().join(" "));
    assert!(house.desk.read(ReadInstead::from(&house.holding(cart, "A1"))).unwrap()[0].seats().len() == 1);
    house.verified();
}
