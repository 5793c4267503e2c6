//! Settling of a canceled performance, order by order.

use willcall::domain::correction::{BackBy, PaidBack};
use willcall::domain::ids::CommandId;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, Refusal};
use willcall::engine::ops::{Checkout, CorrectReceipt, CorrectionAct, SettleBy};
use willcall::engine::reads::settling::ReadCanceledOrders;
use willcall::engine::reads::worklist::ReadWorklist;

use super::after_sale::{card, correct, refund, seats, taken_today};
use super::support::{House, no, paying, receipt, seat};

pub(crate) fn settle(house: &House, of: &Receipt, by: SettleBy) -> CorrectReceipt {
    let performance = house.show;
    correct(of, CorrectionAct::Settle { performance, by })
}

/// Seats sold for 12.00 by a card, and the rest in cash.
fn by_card(house: &House, seats: &str, cash: i64) -> Receipt {
    let card = Tender::Card { reference: "R1".into(), charged: Some(1200) };
    let checkout =
        Checkout { tenders: vec![card, Tender::Cash { given: Some(cash) }], ..paying(house.cart_with(seats), 0) };
    receipt(house.desk.run(checkout).unwrap())
}

/// Means and amounts given back.
fn back(of: &Receipt) -> Vec<(BackBy, i64)> {
    let back = of.correction.as_ref().unwrap().paid_back.iter();
    back.map(|PaidBack { by, minor, .. }| (by.clone(), *minor)).collect()
}

#[test]
fn a_performance_that_takes_place_is_not_settled() {
    let house = House::royal();
    let sold = house.sold("B6");
    assert!(matches!(
        no(&house.desk, settle(&house, &sold, SettleBy::Owed)),
        Refusal::Correction(CorrectionRefusal::TakesPlace { .. })
    ));
    assert!(house.desk.read(ReadCanceledOrders(house.show)).is_err());
    assert_eq!(house.free(), 79);
}

#[test]
fn cards_get_back_what_they_paid_and_the_rest_is_owed() {
    let house = House::royal();
    let mixed = by_card(&house, "B6 B7 B8", 1800);
    let cash = house.sold("C1 C2");
    let part = by_card(&house, "D1 D2 D3", 1800);
    let one = refund(&part, Some(vec![seats(&house, &[seat(3, 0)])]), card("R1"));
    house.desk.run(one).unwrap();
    house.cancel_show();
    let settled = |of| house.desk.run(settle(&house, of, SettleBy::AsPaid)).unwrap();
    assert_eq!(back(&settled(&mixed)), [(card("R1"), 1200), (BackBy::Owed, 1800)]);
    let owed = settled(&cash);
    assert_eq!(back(&owed), [(BackBy::Owed, 2000)]);
    assert!(owed.correction.unwrap().paid_back.first().unwrap().credit.is_some());
    // 10.00 went back to the card before
    assert_eq!(back(&settled(&part)), [(card("R1"), 200), (BackBy::Owed, 1800)]);
    assert_eq!(house.desk.read(ReadWorklist).unwrap(), []);
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 5600)]);
    house.verified();
}

#[test]
fn an_order_is_settled_once_and_again_under_its_command_id() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    house.desk.run(correct(&sold, CorrectionAct::Goodwill { back: BackBy::Cash.into(), amount: 500 })).unwrap();
    house.cancel_show();
    let command = CommandId::of(house.show, sold.id);
    let owed = settle(&house, &sold, SettleBy::Owed);
    let both = house.desk.run_each([(command, owed.clone()), (command, owed.clone())]);
    let numbers: Vec<String> = both.into_iter().map(|one| one.unwrap().number).collect();
    assert_eq!(numbers, ["till-1/3", "till-1/3"]);
    assert!(matches!(no(&house.at("till-2"), owed), Refusal::Correction(CorrectionRefusal::Settled { .. })));
    let orders = house.desk.read(ReadCanceledOrders(house.show)).unwrap();
    let [order] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!((order.seats.len(), order.settled.len()), (0, 1));
    // the goodwill was part of the price
    assert_eq!(back(order.settled.first().unwrap()), [(BackBy::Owed, 1500)]);
    assert_eq!(order.reason, "the performance was canceled: flooded");
    house.verified();
}
