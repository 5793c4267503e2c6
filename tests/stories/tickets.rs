//! Paid tickets that lie at the desk: who has not come shortly before the start is told of, once, and nothing is
//! taken back.

use willcall::domain::customer::Customer;
use willcall::domain::event::{Event, Uncollected};
use willcall::domain::ids::ReceiptId;
use willcall::domain::money::Price;
use willcall::domain::receipt::{Receipt, Tender, Tickets};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BeginPayment, CancelPerformance, ChangeSettings, Checkout, HandOver, HoldSeats, HouseSeats, PayBy, ReserveCart,
    TicketsTo,
};
use willcall::engine::reads::customers::ReadDoor;
use willcall::engine::reads::events::{EventView, ReadEvents};
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::tonight::{MoneyByMeans, Need, NeedKind, ReadTonight};
use willcall::engine::verify::{Invariant, Verify, Violation};
use willcall::formats::rows;
use willcall::words;

use super::support::{HERE, House, NOON, named, no, paying, receipt, rekeyed, reserving_for_ida};

/// The show starts so long after noon.
const START: Span = Span::minutes(450);

fn to(house: &House, receipt: ReceiptId, to: TicketsTo) -> Receipt {
    house.desk.run(HandOver::new(receipt, to)).unwrap()
}

fn told(house: &House) -> Vec<Uncollected> {
    let events = house.desk.read(ReadEvents::default()).unwrap();
    let tickets = |told: &EventView| {
        let Event::TicketsUncollected(told) = told.event()? else {
            return None;
        };
        Some(told)
    };
    events.iter().filter_map(tickets).collect()
}

/// How many tickets of the show need somebody on the front page.
fn needed(house: &House) -> Vec<usize> {
    let page = ReadTonight { from: NOON, before: NOON + START };
    let page = house.desk.read(page).unwrap();
    let tickets = |need: &Need| {
        let NeedKind::Uncollected { tickets, .. } = &need.what else {
            return None;
        };
        Some(*tickets)
    };
    page.needs.iter().filter_map(tickets).collect()
}

#[test]
fn tickets_that_nobody_has_collected_are_told_of_half_an_hour_before_the_start() {
    let house = House::royal();
    let waits = house.sold("A1 A2");
    let comes = house.sold("A3");
    house.sold("A4");
    to(&house, waits.id, TicketsTo::Desk);
    to(&house, waits.id, TicketsTo::Desk);
    to(&house, comes.id, TicketsTo::Desk);
    house.verified();
    let due = NOON + START - Span::minutes(30);
    house.clock.set(due - Span::from_millis(1));
    assert_eq!(house.desk.sweep().unwrap(), 0);
    let collected = to(&house, comes.id, TicketsTo::Customer);
    assert_eq!(collected.tickets.word(), "collected");
    house.clock.set(due);
    assert_eq!(house.desk.sweep().unwrap(), 1);
    let told_now = told(&house);
    let [tickets] = told_now.as_slice() else { panic!("{told_now:?}") };
    assert_eq!((tickets.receipt, tickets.seats), (waits.id, 2));
    assert_eq!(tickets.start, NOON + START);
    assert_eq!(needed(&house), [2]);
    assert_eq!(house.free(), 76, "nothing is taken back");
    house.pass(Span::minutes(10));
    assert_eq!(house.desk.sweep().unwrap(), 0, "told once");
    to(&house, waits.id, TicketsTo::Customer);
    assert!(needed(&house).is_empty(), "they came");
    house.verified();
}

#[test]
fn tickets_that_another_counter_handed_over_are_handed_over_once() {
    let house = House::royal();
    let waits = receipt(house.desk.run(waiting(paying(house.cart_with("A1 A2"), 2000))).unwrap());
    let over = HandOver::new(waits.id, TicketsTo::Customer);
    let ben = house.at("till-2");
    ben.run(over.clone()).unwrap();
    assert_eq!(
        words::refusal(&no(&house.desk, over.clone()), HERE),
        "ben handed over the tickets of till-1/1 Sat 21 Nov 12:00. Look who has them."
    );
    ben.run(over).unwrap();
    house.verified();
}

/// A sale whose tickets wait for Ida.
pub(super) fn waiting(sale: Checkout) -> Checkout {
    let customer = Some(Customer { name: "Ida Weber".into(), phone: "0171 555".into(), ..Customer::default() });
    Checkout { tickets: TicketsTo::Desk, customer, ..sale }
}

#[test]
fn tickets_wait_only_under_a_name_and_a_charged_card_is_not_lost_for_it() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    house.desk.run(BeginPayment { cart }).unwrap();
    let by_card = vec![Tender::Card { reference: "SLIP-1".into(), charged: None }];
    let nameless = Checkout { tickets: TicketsTo::Desk, ..Checkout::new(cart, by_card) };
    assert_eq!(no(&house.desk, nameless.clone()), Refusal::NameMissing);
    let sold = receipt(house.desk.run(waiting(nameless)).unwrap());
    assert!(sold.tickets.wait());
    house.verified();
}

type Expected = (String, Vec<(String, usize)>, Option<i64>, Option<i64>, &'static str);

/// Last name first, number of seats by type, paid or owed, and where the tickets are.
fn door(house: &House) -> Vec<Expected> {
    let rows = house.desk.read(ReadDoor(house.show)).unwrap();
    let minor = |price: Option<Price>| price.map(|price| price.minor);
    rows.iter()
        .map(|row| {
            let state = row.tickets.as_ref().map_or("not paid", Tickets::word);
            (row.customer.last_first(), row.types.clone(), minor(row.paid), minor(row.owed), state)
        })
        .collect()
}

#[test]
fn the_list_at_the_door_has_who_may_come_by_last_name() {
    let prices = [(None, None, 1000), (None, Some("Child"), 500)];
    let house = House::of(rows::parse("5x16").unwrap(), &prices);
    let mixed = house.cart_with("A1 A2");
    let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(mixed, "A3") };
    house.desk.run(child).unwrap();
    let waits = receipt(house.desk.run(waiting(paying(mixed, 2500))).unwrap());
    house.desk.run(reserving_for_ida(house.cart_with("B1"))).unwrap();
    house.sold("C1");
    let given = Checkout {
        customer: Some(Customer { name: "Zoe Adams".into(), ..Customer::default() }),
        ..paying(house.cart_with("C2"), 1000)
    };
    house.desk.run(given).unwrap();
    house.cart_with("D1");
    let adults = |count| vec![("Adult".to_owned(), count)];
    let both = vec![("Adult".to_owned(), 2), ("Child".to_owned(), 1)];
    let rows = |state| {
        vec![
            ("Adams, Zoe".to_owned(), adults(1), Some(1000), None, "given"),
            ("Ida".to_owned(), adults(1), None, Some(1000), "not paid"),
            ("Weber, Ida".to_owned(), both.clone(), Some(2500), None, state),
        ]
    };
    assert_eq!(door(&house), rows("waiting"), "sales and carts for nobody are not on it");
    to(&house, waits.id, TicketsTo::Customer);
    assert_eq!(door(&house), rows("collected"));
    house.verified();
}

#[test]
fn a_sale_whose_tickets_wait_is_one_command_and_one_that_cannot_wait_sells_nothing() {
    let house = House::royal();
    let sale = waiting(paying(house.cart_with("A1 A2"), 2000));
    let before = house.desk.read(ReadJournal::default()).unwrap().len();
    let sold = receipt(house.desk.run(sale).unwrap());
    assert!(sold.tickets.wait());
    let after = house.desk.read(ReadJournal::default()).unwrap().len();
    assert_eq!(after - before, 1);
    house.verified();
    house.clock.set(NOON + START - Span::minutes(30));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!(needed(&house), [2]);
    house.clock.set(NOON + START - Span::minutes(10));
    let late = waiting(paying(house.cart_with("A3"), 1000));
    house.clock.set(NOON + START);
    no(&house.desk, late.clone());
    let at_once = Checkout { tickets: TicketsTo::Customer, ..late };
    receipt(house.desk.run(at_once).unwrap());
    house.verified();
}

#[test]
fn tickets_that_wait_without_a_check_are_named_and_so_is_a_check_without_tickets() {
    for (sql, wanted) in [
        ("DELETE FROM job WHERE kind = 'tickets_uncollected'", "no tickets_uncollected check"),
        (&rekeyed("job", "subject = 'nobody'", "kind = 'tickets_uncollected'"), "do not lie at the desk"),
    ] {
        let house = House::royal();
        let waits = house.sold("A1 A2");
        to(&house, waits.id, TicketsTo::Desk);
        house.verified();
        house.ground.meddle(sql);
        let report = house.desk.read(Verify::default()).unwrap();
        let named = |found: &Violation| found.invariant == Invariant::Jobs && found.detail.contains(wanted);
        assert!(report.violations.iter().any(named), "{report:?}");
    }
}

#[test]
fn the_house_says_when_it_is_told_and_a_late_sale_is_told_of_half_way_to_the_start() {
    let house = House::royal();
    let settings = ChangeSettings::to("collect-before", &Span::minutes(60));
    house.desk.run(settings).unwrap();
    let early = house.sold("A1");
    to(&house, early.id, TicketsTo::Desk);
    house.clock.set(NOON + START - Span::minutes(60));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    house.clock.set(NOON + START - Span::minutes(40));
    let late = house.sold("A2");
    to(&house, late.id, TicketsTo::Desk);
    house.clock.set(NOON + START - Span::minutes(21));
    assert_eq!(house.desk.sweep().unwrap(), 0);
    house.clock.set(NOON + START - Span::minutes(20));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!(told(&house).len(), 2);
    assert_eq!(needed(&house), [2], "both, for one performance");
    house.clock.set(NOON + START);
    house.desk.sweep().unwrap();
    let after = house.desk.run(HandOver::new(late.id, TicketsTo::Customer));
    assert!(after.is_ok(), "whoever comes late gets them");
    let receipt = late.id;
    let to = TicketsTo::Desk;
    no(&house.desk, HandOver::new(receipt, to));
    house.verified();
}

#[test]
fn a_receipt_for_two_evenings_is_told_of_before_each_and_a_canceled_one_is_not() {
    let house = House::royal();
    let prices = [(None, None, 1000)];
    let second = house.performance_at(NOON + START + Span::minutes(24 * 60), "Revue", &prices);
    let third = house.performance_at(NOON + START + Span::minutes(48 * 60), "Jazz", &prices);
    let cart = house.cart_with("A1");
    for performance in [second, third] {
        let seats = HoldSeats {
            cart: Some(cart),
            performance,
            seats: named("A1 A2"),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        house.desk.run(seats).unwrap();
    }
    let receipt = house.pay(cart, 5000).unwrap();
    to(&house, receipt.id, TicketsTo::Desk);
    let performance = second;
    house.desk.run(CancelPerformance { performance, reason: "flooded".into() }).unwrap();
    for day in [0, 24, 48] {
        house.clock.set(NOON + START + Span::minutes(60 * day));
        house.desk.sweep().unwrap();
    }
    let seats: Vec<usize> = told(&house).iter().map(|told| told.seats).collect();
    assert_eq!(seats, [1, 2], "the first evening and the third");
    house.pass(Span::minutes(24 * 60));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house).len(), 2);
}

#[test]
fn of_two_shows_of_one_evening_each_is_told_of_once() {
    each_is_told_of_once(Span::minutes(60));
}

/// The mark of the first was taken as the second's, which was never told of.
#[test]
fn of_two_shows_of_one_start_each_is_told_of_once() {
    each_is_told_of_once(Span::default());
}

/// Sells a seat of the show and two of another, which starts later, and waits for nobody.
fn each_is_told_of_once(later: Span) {
    let house = House::royal();
    let late = NOON + START + later;
    let performance = house.performance_at(late, "Late show", &[(None, None, 1000)]);
    let cart = house.cart_with("A1");
    let seats =
        HoldSeats { cart: Some(cart), performance, seats: named("A1 A2"), ticket_type: None, kept: HouseSeats::Refuse };
    house.desk.run(seats).unwrap();
    let receipt = house.pay(cart, 3000).unwrap();
    to(&house, receipt.id, TicketsTo::Desk);
    for start in [NOON + START, late] {
        house.clock.set(start - Span::minutes(30));
        house.desk.sweep().unwrap();
    }
    let seats: Vec<usize> = told(&house).iter().map(|told| told.seats).collect();
    assert_eq!(seats, [1, 2], "the first still plays, and was told of");
    house.verified();
}

#[test]
fn the_front_page_tells_todays_money_by_cash_and_card_and_what_reservations_owe() {
    let house = House::royal();
    house.sold("A4 A5");
    let cart = house.cart_with("B1");
    let slip = Tender::Card { reference: "4417".into(), charged: None };
    let by_card = Checkout { tenders: vec![slip], ..paying(cart, 0) };
    receipt(house.desk.run(by_card).unwrap());
    let cart = house.cart_with("C1 C2 C3");
    let reserve = |pay_by| ReserveCart {
        cart,
        customer: Some(Customer { name: "Weber".into(), ..Customer::default() }),
        pay_by: PayBy::At(pay_by),
        alert: None,
        last: None,
    };
    let pay_by = NOON + Span::minutes(60);
    house.desk.run(reserve(pay_by)).unwrap();
    let front = ReadTonight { from: NOON, before: NOON + START };
    let means = || house.desk.read(front).unwrap().means;
    let currency = "EUR".parse().unwrap();
    let of = |cash, card, owed| MoneyByMeans { currency, cash, card, owed };
    assert_eq!(means(), [of(2000, 1000, 3000)]);
    house.verified();
    house.clock.set(pay_by);
    assert_eq!(means(), [of(2000, 1000, 0)], "an unpaid one owes no longer");
}

#[test]
fn the_front_page_sums_the_seats_sold_in_each_whole_hour_of_two_weeks() {
    let house = House::royal();
    house.sold("A1 A2");
    house.clock.set(NOON + Span::minutes(90));
    house.sold("A3");
    let page = ReadTonight { from: NOON, before: NOON + START };
    let sold = house.desk.read(page).unwrap().sold;
    assert_eq!(sold.hours[13 * 24..], [[0; 12].as_slice(), &[2, 1]].concat());
    assert_eq!(sold.from, NOON - Span::minutes((13 * 24 + 12) * 60));
}
