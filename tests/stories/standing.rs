//! Standing room: places without numbers, sold by their count.

use willcall::domain::back::{Back, Share};
use willcall::domain::customer::Customer;
use willcall::domain::ids::CartId;
use willcall::domain::loss::CellGroup;
use willcall::domain::plan::Zone;
use willcall::domain::receipt::Receipt;
use willcall::domain::refusal::{Lack, NightRefusal, Problem, Refusal};
use willcall::domain::time::Span;
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddWaiting, CancelCart, CartPart, ChangePerformance, CorrectReceipt, CorrectionAct, DisableSeats, EnableSeats,
    GiveBack, HoldSeats, HouseSeats, KeepSeats, PerformancePatch, Retype, SeatChoice, SetCount, UnkeepSeats, Which,
    Whose,
};
use willcall::engine::reads::seat_map::AreaTally;
use willcall::formats::rows;

use super::support::{House, actor, no, paying, receipt, refused};
use crate::limit;

/// A house whose one room is a floor with some places, at 10.00 and 5.00.
fn floor(places: u32) -> House {
    let plan = rows::with_areas(None, &[("Floor".into(), places)]).unwrap();
    House::of(plan, &[(None, None, 1000), (None, Some("Child"), 500)])
}

fn wanting(house: &House, count: u32) -> HoldSeats {
    HoldSeats::new(house.show, SeatChoice::Named(vec![format!("Floor={count}")]))
}

fn tally(house: &House) -> AreaTally {
    let map = house.map();
    map.tally(&map.plan.area("floor").unwrap())
}

fn capacity(house: &House, places: u32) -> ChangePerformance {
    let patch = PerformancePatch { capacity: vec![("Floor".into(), places)], ..PerformancePatch::default() };
    ChangePerformance { performance: house.show, patch }
}

/// What a line is called where people read it.
fn told(house: &House, cart: CartId) -> Vec<String> {
    let lines = house.cart(cart).lines;
    lines.iter().map(|line| format!("{} {}", willcall::words::seats(line.named()), line.kind)).collect()
}

#[test]
fn places_are_added_changed_refused_removed_expired_and_sold_by_their_number() {
    let house = floor(100);
    let cart = house.desk.run(wanting(&house, 2)).unwrap().id;
    assert_eq!(told(&house, cart), ["Floor, 2 standing Adult"]);
    house.desk.run(SetCount { cart, line: 1, count: 4 }).unwrap();
    assert_eq!((house.cart(cart).total, tally(&house).free), (4000, 96));
    let before = house.cart(cart).cart;
    let short = no(&house.desk, SetCount { cart, line: 1, count: 1000 });
    assert_eq!(short, Refusal::AreaShort { area: "Floor".into(), wanted: 996, free: 96, lack: None });
    assert_eq!(house.cart(cart).cart, before);
    house.desk.run(SetCount { cart, line: 1, count: 1 }).unwrap();
    assert_eq!(told(&house, cart), ["Floor, standing Adult"]);
    house.desk.run(GiveBack::line(cart, 1, None)).unwrap();
    assert_eq!(tally(&house).free, 100);

    let late = house.desk.run(wanting(&house, 5)).unwrap().id;
    house.pass(Span::minutes(61));
    assert_eq!(tally(&house).free, 100, "a late hold is free to everybody");
    let other = house.desk.run(wanting(&house, 20)).unwrap().id;
    house.pay(other, 20_000).unwrap();
    assert_eq!((tally(&house).free, tally(&house).booked), (80, 20));
    assert!(matches!(no(&house.desk, SetCount { cart: late, line: 1, count: 2 }), Refusal::CartExpired { .. }));
    house.verified();
}

#[test]
fn one_area_and_ticket_type_is_one_line_however_often_it_is_added_to() {
    let house = floor(100);
    let cart = house.desk.run(wanting(&house, 2)).unwrap().id;
    house.desk.run(HoldSeats { cart: Some(cart), ..wanting(&house, 3) }).unwrap();
    assert_eq!(told(&house, cart), ["Floor, 5 standing Adult"]);
    let seats = house.cart(cart).cart.lines[0].goods.seats()[..2].to_vec();
    let child = |seats: &[_]| Retype { cart, part: CartPart::of(1, Some(seats.to_vec())), ticket_type: "Child".into() };
    house.desk.run(child(&seats)).unwrap();
    let third = house.cart(cart).cart.lines[0].goods.seats()[0];
    house.desk.run(child(&[third])).unwrap();
    assert_eq!(told(&house, cart), ["Floor, 2 standing Adult", "Floor, 3 standing Child"]);
    assert_eq!(house.pay(cart, 3500).unwrap().lines.len(), 2);
    house.verified();
}

#[test]
fn a_full_area_says_how_many_are_left_and_late_holds_count_as_left() {
    let house = floor(30);
    house.desk.run(wanting(&house, 20)).unwrap();
    let short = no(&house.desk, wanting(&house, 11));
    assert_eq!(short, Refusal::AreaShort { area: "Floor".into(), wanted: 11, free: 10, lack: None });
    house.pass(Span::minutes(61));
    let cart = house.desk.run(wanting(&house, 20)).unwrap().id;
    house.desk.run(CancelCart { cart }).unwrap();
    assert_eq!(tally(&house).free, 30);
    house.verified();
}

#[test]
fn places_are_kept_put_out_of_use_given_back_and_named_alike_everywhere() {
    let house = floor(50);
    let floor = |count: u32| vec![format!("floor={count}")];
    let keep = KeepSeats {
        performance: house.show,
        seats: floor(10),
        reason: "the band".into(),
        until: house.desk.now() + Span::minutes(30),
    };
    house.desk.run(keep).unwrap();
    let which = || Which::Performance(house.show);
    house.desk.run(DisableSeats { which: which(), seats: floor(8), reason: "the mixer".into() }).unwrap();
    assert_eq!(tally(&house).free, 32);
    let enable = |count| EnableSeats { which: which(), seats: floor(count), whose: Whose::Mine };
    let short = no(&house.desk, enable(9));
    assert_eq!(short, Refusal::AreaShort { area: "Floor".into(), wanted: 9, free: 8, lack: Some(Lack::OutOfUse) });
    house.desk.run(enable(8)).unwrap();
    house.desk.run(UnkeepSeats { performance: house.show, seats: floor(4) }).unwrap();
    let sold = HoldSeats { kept: HouseSeats::Sell, ..wanting(&house, 20) };
    let cart = house.desk.run(sold).unwrap().id;
    let sold = house.pay(cart, 20_000).unwrap();
    assert_eq!((tally(&house).kept, tally(&house).booked), (6, 20), "free places before kept ones");
    let back = sold.lines[0].goods.seats()[17..].to_vec();
    let cells = vec![CellGroup::Seats { performance: house.show, seats: back }];
    let refund = CorrectionAct::Refund { cells: Some(cells), back: Back::default(), share: Share::All };
    let correct = CorrectReceipt { receipt: sold.id, act: refund, reason: "ill".into(), keep: None };
    assert_eq!(house.desk.run(correct).unwrap().total, -3000);
    // displaces buyers only where nothing is free
    let done = house.desk.run(DisableSeats { which: which(), seats: floor(27), reason: "flood".into() }).unwrap();
    assert_eq!((done.displaced.len(), tally(&house).disabled), (0, 27));
    let done = house.desk.run(DisableSeats { which: which(), seats: floor(2), reason: "flood".into() }).unwrap();
    assert_eq!(tally(&house).disabled, 29);
    assert!(done.displaced.len() + done.keeps.len() > 0);
    house.verified();
}

#[test]
fn a_night_has_fewer_places_or_more_than_its_theater() {
    let house = floor(100);
    let cart = house.desk.run(wanting(&house, 20)).unwrap().id;
    house.pay(cart, 20_000).unwrap();
    house.desk.run(capacity(&house, 60)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (60, 40));
    let low = no(&house.desk, capacity(&house, 19));
    let taken = NightRefusal::CapacityTaken { area: "Floor".into(), wanted: 19, taken: 20 };
    assert_eq!(low, Refusal::from(taken));
    assert_eq!(tally(&house).places, 60);
    house.desk.run(capacity(&house, 90)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (90, 70));
    let changed = house.desk.run(capacity(&house, 250)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (250, 230));
    let carts: Vec<_> = (0..11).map(|_| house.desk.run(wanting(&house, 20)).unwrap().id).collect();
    assert_eq!(tally(&house).free, 10);
    house.desk.run(CancelCart { cart: carts[0] }).unwrap();
    house.desk.run(ChangePerformance { performance: house.show, patch: changed.back }).unwrap_err();
    for cart in &carts[1..] {
        house.desk.run(CancelCart { cart: *cart }).unwrap();
    }
    house.desk.run(capacity(&house, 90)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (90, 70));
    assert!(matches!(
        no(
            &house.desk,
            ChangePerformance {
                performance: house.show,
                patch: PerformancePatch { capacity: vec![("Stalls".into(), 5)], ..PerformancePatch::default() }
            }
        ),
        Refusal::NotFound { .. }
    ));
    house.verified();
}

#[test]
fn places_that_a_lowered_capacity_took_come_back_by_the_capacity_alone() {
    let house = floor(100);
    house.desk.run(capacity(&house, 60)).unwrap();
    let floor = |count: u32| vec![format!("Floor={count}")];
    let enable = |count| EnableSeats { which: Which::Performance(house.show), seats: floor(count), whose: Whose::Mine };
    let short = no(&house.desk, enable(1));
    assert_eq!(short, Refusal::AreaShort { area: "Floor".into(), wanted: 1, free: 0, lack: Some(Lack::OutOfUse) });
    let wet = DisableSeats { which: Which::Performance(house.show), seats: floor(3), reason: "wet".into() };
    house.desk.run(wet).unwrap();
    let short = no(&house.desk, enable(4));
    assert_eq!(short, Refusal::AreaShort { area: "Floor".into(), wanted: 4, free: 3, lack: Some(Lack::OutOfUse) });
    house.desk.run(enable(3)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (60, 60));
    house.desk.run(capacity(&house, 100)).unwrap();
    assert_eq!((tally(&house).places, tally(&house).free), (100, 100));
    house.verified();
}

#[test]
fn standing_room_beside_seats_leaves_best_seats_and_lines_of_their_own() {
    let mut plan = rows::with_areas(Some("2x4"), &[("Floor".into(), 20)]).unwrap();
    assert!(plan.zones.last().is_some_and(Zone::is_standing));
    plan.name = "Both".into();
    let house = House::of(plan, &[(None, None, 1000)]);
    let seats = SeatChoice::Named(["A1", "Floor=2", "A2"].map(String::from).to_vec());
    let cart = house.desk.run(HoldSeats::new(house.show, seats)).unwrap().id;
    assert_eq!(told(&house, cart), ["A1-A2 Adult", "Floor, 2 standing Adult"]);
    assert_eq!(no(&house.desk, SetCount { cart, line: 1, count: 3 }), Refusal::bad("count", Problem::Numbered));
    assert_eq!(no(&house.desk, SetCount { cart, line: 2, count: 0 }), Refusal::bad("count", Problem::NoneLeft));
    let best = willcall::engine::ops::BestSeats { count: 5, ..Default::default() };
    let best = no(&house.desk, HoldSeats::new(house.show, SeatChoice::Best(best)));
    assert!(matches!(best, Refusal::NoSeatsTogether { most_together: 4, free: 6, .. }), "{best:?}");
    let unknown = HoldSeats::new(house.show, SeatChoice::Named(vec!["Gallery=2".into()]));
    assert!(matches!(refused(house.desk.run(unknown)), Refusal::NotFound { .. }));
    house.verified();
}

#[test]
fn eight_stations_sell_a_floor_until_it_is_full_and_none_is_refused_before() {
    const PLACES: u32 = 300;
    let house = floor(PLACES);
    let engines: Vec<_> = (0..8).map(|_| house.second()).collect();
    let start = std::sync::Barrier::new(8);
    let sell = |desk: &Desk| {
        limit::step();
        drop(desk.run(wanting(&house, 1)).map(|cart| desk.run(CancelCart { cart: cart.id })));
        start.wait();
        let mut sold = 0;
        loop {
            match desk.run(wanting(&house, 1)) {
                Ok(cart) => {
                    receipt(desk.run(paying(cart.id, 1000)).unwrap());
                    sold += 1;
                }
                Err(failure) => break (sold, refused(Err::<(), _>(failure))),
            }
        }
    };
    let sold: Vec<(u32, Refusal)> = std::thread::scope(|scope| {
        let tills: Vec<_> = engines
            .iter()
            .enumerate()
            .map(|(number, engine)| {
                let desk = engine.desk(actor("ada", &format!("till-{number}")));
                scope.spawn(move || sell(&desk))
            })
            .collect();
        tills.into_iter().map(|till| till.join().unwrap()).collect()
    });
    assert_eq!(sold.iter().map(|(sold, _)| sold).sum::<u32>(), PLACES, "{sold:?}");
    let full = Refusal::AreaShort { area: "Floor".into(), wanted: 1, free: 0, lack: None };
    assert!(sold.iter().all(|(_, refusal)| *refusal == full), "{sold:?}");
    assert_eq!(tally(&house).booked, PLACES);
    house.verified();
}

#[test]
fn who_waits_for_places_is_offered_those_that_come_back() {
    let house = floor(10);
    let cart = house.desk.run(wanting(&house, 10)).unwrap().id;
    let waiting = AddWaiting {
        performance: house.show,
        customer: Customer { name: "Ida".into(), ..Customer::default() },
        seats: 3,
        category: None,
        priority: None,
    };
    house.desk.run(waiting).unwrap();
    house.desk.run(SetCount { cart, line: 1, count: 8 }).unwrap();
    house.pass(Span::minutes(1));
    house.desk.sweep().unwrap();
    assert_eq!(tally(&house).free, 2, "too few to offer");
    house.desk.run(SetCount { cart, line: 1, count: 6 }).unwrap();
    house.pass(Span::seconds(2));
    house.desk.sweep().unwrap();
    let told = tally(&house);
    assert_eq!((told.free, told.held), (1, 9));
    house.verified();
}

/// Naive counters of a floor.
#[derive(Debug, Default)]
struct Counters {
    places: u32,
    carts: Vec<(CartId, u32)>,
    sold: Vec<(Receipt, u32)>,
    kept: u32,
    disabled: u32,
}

impl Counters {
    fn free(&self) -> u32 {
        let held: u32 = self.carts.iter().map(|(_, count)| count).sum();
        let sold: u32 = self.sold.iter().map(|(_, count)| count).sum();
        self.places - held - sold - self.kept - self.disabled
    }
}

/// A throw of dice: the next of a row of numbers below a bound.
fn throw(dice: &mut u64, below: u32) -> u32 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    u32::try_from(*dice >> 33).unwrap() % below
}

fn number(count: u32) -> usize {
    usize::try_from(count).unwrap()
}

/// One act on the house and on the counters, which agree on whether it is refused.
fn act(house: &House, model: &mut Counters, dice: &mut u64) {
    let (kind, count) = (throw(dice, 11), throw(dice, 9) + 1);
    let floor = || vec![format!("Floor={count}")];
    let which = || Which::Performance(house.show);
    let (free, at) = (model.free(), number(throw(dice, 100)));
    let cart = at.checked_rem(model.carts.len());
    let agrees = |fits: bool, refusal: Refusal| {
        assert!(!fits && matches!(refusal, Refusal::AreaShort { .. }), "{refusal:?} of {count} with {free} free");
    };
    match (kind, cart) {
        (0..=2, _) => match house.desk.run(wanting(house, count)) {
            Ok(cart) => model.carts.push((cart.id, count)),
            failure => agrees(count <= free, refused(failure)),
        },
        (3..=4, Some(at)) => {
            let Some((cart, had)) = model.carts.get_mut(at) else { return };
            let cart = *cart;
            let line = house.cart(cart).cart.lines.first().unwrap().number;
            match house.desk.run(SetCount { cart, line, count }) {
                Ok(_) => *had = count,
                failure => agrees(count <= free + *had, refused(failure)),
            }
        }
        (5, Some(at)) => {
            house.desk.run(CancelCart { cart: model.carts.swap_remove(at).0 }).unwrap();
        }
        (6, Some(at)) => {
            let (cart, count) = model.carts.swap_remove(at);
            model.sold.push((house.pay(cart, i64::from(count) * 1000).unwrap(), count));
        }
        (7, _) => {
            let at = at.checked_rem(model.sold.len());
            let Some((receipt, left)) = at.and_then(|at| model.sold.get_mut(at)) else { return };
            let back = count.min(*left);
            let seats = receipt.lines.first().unwrap().goods.seats();
            let seats = seats.iter().take(number(*left)).rev().take(number(back)).copied().collect();
            let cells = Some(vec![CellGroup::Seats { performance: house.show, seats }]);
            let act = CorrectionAct::Refund { cells, back: Back::default(), share: Share::All };
            house.desk.run(CorrectReceipt { receipt: receipt.id, act, reason: "ill".into(), keep: None }).unwrap();
            *left -= back;
            model.sold.retain(|(_, left)| *left > 0);
        }
        (8, _) if count <= free => {
            house.desk.run(DisableSeats { which: which(), seats: floor(), reason: "wet".into() }).unwrap();
            model.disabled += count;
        }
        (9, _) => {
            let places = (60 + count).saturating_sub(throw(dice, 30));
            let taken = model.places - free;
            match house.desk.run(capacity(house, places)) {
                Ok(_) => model.places = places,
                Err(_) => assert!(places < taken, "{places} with {taken} taken"),
            }
        }
        (10, _) if throw(dice, 4) == 0 => {
            house.pass(Span::minutes(61));
            model.carts.clear();
        }
        _ => {}
    }
}

#[test]
fn any_acts_on_a_floor_agree_with_counters() {
    for seed in 1..=6_u64 {
        let house = floor(70);
        let mut model = Counters { places: 70, ..Counters::default() };
        let mut dice = seed;
        for _ in 0..60 {
            limit::step();
            act(&house, &mut model, &mut dice);
            let told = tally(&house);
            let claimed = told.held + told.booked + told.kept;
            assert_eq!((told.free, claimed), (model.free(), model.places - model.free() - model.disabled), "{model:?}");
        }
        house.verified();
    }
}
