//! Offers can be had: each alternative of a refusal, each number together, each place in a waiting list.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use willcall::domain::best::{Access, Aisle};
use willcall::domain::cart::Cart;
use willcall::domain::customer::Customer;
use willcall::domain::ids::CartId;
use willcall::domain::plan::{Category, Plan, PlanRow, Point, Seat, SeatKind, Zone};
use willcall::domain::refusal::{Alternative, Refusal};
use willcall::domain::time::Span;
use willcall::domain::waiting::WaitState;
use willcall::engine::ops::{
    AddWaiting, BestSeats, CancelCart, DisableSeats, GiveBack, HoldSeats, KeepSeats, OfferSeats, SeatChoice, Which,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::waitlist::{ReadWaitlist, WaitReason, WhichWaiting};
use willcall::engine::{Desk, Failure};
use willcall::formats::rows;

use super::support::{House, NOON, actor, named, refused};

/// How many random houses are tried on each database.
const HOUSES: u32 = 12;

/// For each seat of a row whether an aisle is before it, its kind, and what happened to it.
type Seats = Vec<(bool, SeatKind, Before)>;

/// The state of a seat before a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Free,
    Mine,
    Held,
    /// Held by a cart whose deadline has passed.
    Late,
    Sold,
    Kept,
    Disabled,
}

/// Rows, wishes with their ticket types, and for how many of which category somebody waits.
type Case = (Vec<Seats>, Vec<(Ask, Option<&'static str>)>, (u32, Option<&'static str>));

#[derive(Clone, Debug)]
enum Ask {
    /// Seats from a row and place on, some of which may be taken.
    These(u32, u32, u32),
    /// The best.
    Best(u32, Option<&'static str>, Access),
}

fn row() -> impl Strategy<Value = Seats> {
    let kind = prop_oneof![
        7 => Just(SeatKind::Standard),
        1 => Just(SeatKind::Restricted),
        1 => Just(SeatKind::Wheelchair),
        1 => Just(SeatKind::Companion),
    ];
    let before = prop_oneof![
        8 => Just(Before::Free),
        1 => Just(Before::Mine),
        2 => Just(Before::Held),
        1 => Just(Before::Late),
        2 => Just(Before::Sold),
        1 => Just(Before::Kept),
        1 => Just(Before::Disabled),
    ];
    prop::collection::vec((prop::bool::weighted(0.15), kind, before), 2..9)
}

fn ask() -> impl Strategy<Value = (Ask, Option<&'static str>)> {
    let these = (0u32..4, 0u32..8, 1u32..4).prop_map(|(row, seat, count)| Ask::These(row, seat, count));
    let category = prop::option::of(prop_oneof![Just("One"), Just("Two")]);
    let access = prop_oneof![3 => Just(Access::Ordinary), 1 => Just(Access::Wheelchair)];
    let best = (1u32..9, category, access).prop_map(|(count, category, access)| Ask::Best(count, category, access));
    let ticket_type = prop_oneof![Just(None), Just(Some("child")), Just(Some("Senior"))];
    (prop_oneof![2 => these, 1 => best], ticket_type)
}

/// Rows whose categories take turns; seats are named `1/1`.
fn plan(rows: &[Seats]) -> Plan {
    let rows = rows.iter().zip(0i32..).map(|(seats, y)| {
        let mut x = 0;
        let seats = seats.iter().zip(1..).map(|((aisle, kind, _), number)| {
            x += if *aisle { 6_000 } else { 2_500 };
            Seat {
                label: number.to_string(),
                name: format!("{}/{number}", y + 1),
                category: u16::try_from(y % 2).unwrap(),
                at: Point { x, y: y * 2_500 },
                words: String::new(),
                kind: *kind,
            }
        });
        PlanRow { label: (y + 1).to_string(), seats: seats.collect() }
    });
    Plan {
        name: "random".into(),
        categories: ["One", "Two"].map(|name| Category { name: name.into(), color: None }).to_vec(),
        zones: vec![Zone { name: "Stalls".into(), rows: rows.collect() }],
        areas: Vec::new(),
    }
}

/// Adults everywhere, children in One, seniors in Two.
const PRICES: [(Option<&str>, Option<&str>, i64); 3] =
    [(None, None, 1000), (Some("One"), Some("Child"), 500), (Some("Two"), Some("Senior"), 700)];

/// A house in which something has happened, and a cart of this desk's.
fn furnished(rows: &[Seats]) -> (House, CartId) {
    let house = House::of(plan(rows), &PRICES);
    let are = |what: Before| {
        let seats = rows.iter().zip(1..).flat_map(|(row, y)| {
            let named = row.iter().zip(1..).map(move |(seat, x)| (seat.2, format!("{y}/{x}")));
            named.collect::<Vec<_>>()
        });
        let seats = seats.filter(|(is, _)| *is == what).map(|(_, name)| name);
        seats.collect::<Vec<String>>()
    };
    let hold = |cart, what| {
        for seat in are(what) {
            house.hold(cart, &seat).unwrap();
        }
    };
    hold(house.open_cart(), Before::Late);
    house.pass(Span::minutes(61));
    let mine = house.open_cart();
    let sold = house.open_cart();
    hold(mine, Before::Mine);
    hold(sold, Before::Sold);
    hold(house.open_cart(), Before::Held);
    if !are(Before::Sold).is_empty() {
        house.pay(sold, 100_000).unwrap();
    }
    let keep =
        |seats| KeepSeats { performance: house.show, seats, reason: "press".into(), until: NOON + Span::minutes(400) };
    let disable = |seats| DisableSeats { which: Which::Performance(house.show), seats, reason: "spring".into() };
    if !are(Before::Kept).is_empty() {
        house.desk.run(keep(are(Before::Kept))).unwrap();
    }
    if !are(Before::Disabled).is_empty() {
        house.desk.run(disable(are(Before::Disabled))).unwrap();
    }
    (house, mine)
}

/// The wish in a cart of this desk's; nothing when it names seats that are not there.
fn wish(house: &House, cart: CartId, rows: &[Seats], (ask, ticket_type): &(Ask, Option<&str>)) -> Option<HoldSeats> {
    let seats = match ask {
        Ask::These(row, from, count) => {
            let seats = rows.get(usize::try_from(*row).unwrap())?.len();
            let last = (from + count).min(u32::try_from(seats).unwrap());
            let names: Vec<String> = (*from..last).map(|seat| format!("{}/{}", row + 1, seat + 1)).collect();
            named(&names.join(" "))
        }
        Ask::Best(count, category, access) => SeatChoice::Best(BestSeats {
            count: *count,
            category: category.map(Into::into),
            zone: None,
            aisle: Aisle::Any,
            access: *access,
        }),
    };
    Some(HoldSeats { seats, ticket_type: ticket_type.map(Into::into), ..house.holding(cart, "") })
}

/// Asks for what was offered, and gives it back.
fn granted(desk: &Desk, wish: HoldSeats) -> Result<Cart, Failure> {
    let held = desk.run(wish)?;
    let line = held.lines.last().unwrap();
    desk.run(GiveBack::line(held.id, line.number, None)).unwrap();
    Ok(held)
}

/// Each offer of a refusal to a wish is granted when it is asked for at once.
fn offers_are_granted(desk: &Desk, wish: &HoldSeats) -> Result<(), TestCaseError> {
    let refusal = match granted(desk, wish.clone()) {
        Ok(_) => return Ok(()),
        Err(Failure::Refused(refusal)) => refusal,
        Err(fault) => panic!("{fault:?}"),
    };
    let offered = offer(desk, refusal, wish);
    if let Refusal::Taken { instead, .. } = &offered {
        for seats in instead.iter().map(Alternative::seats) {
            let other = HoldSeats { seats: SeatChoice::Named(seats.to_vec()), ..wish.clone() };
            let done = granted(desk, other);
            prop_assert!(done.is_ok(), "{wish:?}\noffered {seats:?}, but {done:?}");
        }
    }
    if let Refusal::NoSeatsTogether { most_together, .. } = offered
        && most_together > 0
    {
        let mut fewer = wish.clone();
        if let SeatChoice::Best(BestSeats { count, .. }) = &mut fewer.seats {
            prop_assert!(most_together < *count);
            *count = most_together;
        }
        let done = granted(desk, fewer);
        prop_assert!(done.is_ok(), "{wish:?}\noffered {most_together}, but {done:?}");
    }
    Ok(())
}

/// Seats that are told to be about to be offered are offered by the next check, and no others.
fn waiting_is_told_rightly(house: &House, seats: u32, category: Option<&str>) -> Result<(), TestCaseError> {
    let add = AddWaiting {
        performance: house.show,
        customer: Customer { name: "Ida".into(), ..Customer::default() },
        seats,
        category: category.map(Into::into),
        priority: None,
    };
    let waiting = house.desk.run(add).unwrap();
    let list = |which| {
        let question = ReadWaitlist { performance: Some(house.show), which };
        let found = house.desk.read(question).unwrap();
        found.into_iter().find(|view| view.waiting.id == waiting.id).unwrap()
    };
    let told = list(WhichWaiting::All).why;
    house.desk.run(OfferSeats { performance: house.show }).unwrap();
    let after = list(WhichWaiting::All).waiting.state;
    let offered = matches!(after, WaitState::Offered { .. });
    prop_assert_eq!(told == WaitReason::AboutToBeOffered, offered, "{:?}, then {:?}", told, after);
    if let WaitState::Offered { cart, .. } = after {
        house.desk.run(CancelCart { cart }).unwrap();
    }
    Ok(())
}

#[test]
fn every_offer_of_seats_is_granted_when_asked_at_once() {
    let case = (
        prop::collection::vec(row(), 2..5),
        prop::collection::vec(ask(), 6),
        (1u32..5, prop::option::of(prop_oneof![Just("One"), Just("Two")])),
    );
    let config = ProptestConfig { cases: HOUSES, failure_persistence: None, ..ProptestConfig::default() };
    let run = |(rows, asks, (seats, category)): Case| {
        let (house, mine) = furnished(&rows);
        let other = house.desk.with_actor(actor("ben", "till-2"));
        let new = other.run(willcall::engine::ops::OpenCart::default()).unwrap().id;
        for ask in &asks {
            for (desk, cart) in [(&house.desk, mine), (&other, new)] {
                if let Some(wish) = wish(&house, cart, &rows, ask) {
                    offers_are_granted(desk, &wish)?;
                }
            }
        }
        waiting_is_told_rightly(&house, seats, category)?;
        house.verified();
        Ok(())
    };
    TestRunner::new(config).run(&case, run).unwrap();
}

/// Two seats in each of the categories Standard and Two.
fn rows_of_two() -> Plan {
    let mut plan = rows::parse("2x2").unwrap();
    let two = Category { name: "Two".into(), ..plan.categories.first().unwrap().clone() };
    plan.categories.push(two);
    let rows = plan.zones.iter_mut().flat_map(|zone| &mut zone.rows);
    for seat in rows.skip(1).flat_map(|row| &mut row.seats) {
        seat.category = 1;
    }
    plan
}

#[test]
fn b5_alternatives_for_a_child_are_seats_with_a_child_price() {
    let prices = [(None, None, 1000), (Some("Standard"), Some("Child"), 500)];
    let house = House::of(rows_of_two(), &prices);
    house.sold("A1");
    let child = |seats| HoldSeats {
        ticket_type: Some("Child".into()),
        seats: named(seats),
        ..house.holding(house.open_cart(), "")
    };
    let offered = |wish: HoldSeats| {
        let refusal = refused(house.desk.run(wish.clone()));
        let Refusal::Taken { instead, .. } = offer(&house.desk, refusal, &wish) else { panic!("nothing was taken") };
        instead.iter().flat_map(|one| one.seats().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(offered(child("A1")), ["A2"]);
    house.sold("A2");
    assert!(offered(child("A1")).is_empty(), "B1 has no price for a child");
    house.verified();
}

#[test]
fn b5_who_waits_for_seats_without_an_adult_price_is_told_what_will_be_offered() {
    let prices = [(Some("Standard"), None, 1000), (Some("Two"), Some("Child"), 500)];
    let house = House::of(rows_of_two(), &prices);
    house.sold("A1");
    house.sold("A2");
    for category in [None, Some("Two")] {
        waiting_is_told_rightly(&house, 2, category).unwrap();
    }
    house.verified();
}
