//! Credits: money that the house owes, and payments with it.

use willcall::domain::correction::BackBy;
use willcall::domain::credit::CreditCode;
use willcall::domain::money::Currency;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, CreditRefusal, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{ChangeSettings, Checkout, CorrectionAct};
use willcall::engine::reads::credits::{ReadCredit, ReadCredits};

use super::after_sale::{correct, refund, seats, taken_today};
use super::support::{House, no, paying, receipt, seat};

/// Code of the credit that a receipt owes.
pub(super) fn code(of: &Receipt) -> CreditCode {
    let correction = of.correction.as_ref().unwrap();
    correction.paid_back.first().unwrap().credit.unwrap()
}

pub(super) fn with(credit: CreditCode, amount: Option<i64>) -> Tender {
    Tender::Owed { credit, amount }
}

pub(super) fn by(cart: willcall::domain::ids::CartId, tenders: Vec<Tender>) -> Checkout {
    Checkout { tenders, ..paying(cart, 0) }
}

pub(super) fn left(house: &House, code: CreditCode) -> i64 {
    house.desk.read(ReadCredit(code)).unwrap().credit.left()
}

#[test]
fn what_is_owed_pays_at_any_station_in_parts_and_once() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    let owed = house.desk.run(refund(&sold, None, BackBy::Owed)).unwrap();
    let credit = code(&owed);
    assert_eq!((owed.total, owed.back(), left(&house, credit)), (-3000, 3000, 3000));
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 3000)], "nothing was given");

    let till = house.at("till-2");
    let two = house.cart_with("C1 C2");
    let paid = receipt(till.run(by(two, vec![with(credit, None)])).unwrap());
    assert_eq!((paid.total, paid.payments[0].minor), (2000, 2000));
    assert_eq!(left(&house, credit), 1000);
    assert_eq!(
        taken_today(&house),
        [("till-1".to_owned(), 3000), ("till-2".to_owned(), 0)],
        "a credit is no money that came in"
    );

    let three = house.cart_with("D1 D2 D3");
    let short = no(&house.desk, by(three, vec![with(credit, Some(1500)), Tender::Cash { given: None }]));
    let expected = CreditRefusal::Short { code: credit, left: 1000, currency: Currency::EUR };
    assert_eq!(short, Refusal::from(expected));
    let mixed = by(three, vec![Tender::Cash { given: Some(5000) }, with(credit, None)]);
    let paid = receipt(house.desk.run(mixed).unwrap());
    let minors: Vec<i64> = paid.payments.iter().map(|one| one.minor).collect();
    assert_eq!((minors, paid.change()), (vec![1000, 2000], 3000), "the credit first, change in cash");
    let one = house.cart_with("E1");
    assert!(matches!(
        no(&house.desk, by(one, vec![with(credit, None)])),
        Refusal::Credit(CreditRefusal::Short { left: 0, .. })
    ));
    let open = ReadCredits { open: true, after: None };
    assert_eq!(house.desk.read(open).unwrap(), []);
    assert_eq!(house.desk.read(ReadCredits::default()).unwrap().len(), 1);
    house.verified();
}

#[test]
fn a_credit_pays_no_more_than_is_due_and_only_in_its_currency() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    let owed = house.desk.run(refund(&sold, None, BackBy::Owed)).unwrap();
    let credit = code(&owed);
    let cart = house.cart_with("C1");
    assert_eq!(
        no(&house.desk, by(cart, vec![with(credit, Some(2000))])),
        Refusal::from(CreditRefusal::Over { due: 1000, currency: Currency::EUR })
    );
    let unknown = CreditCode::random();
    assert!(matches!(no(&house.desk, by(cart, vec![with(unknown, None)])), Refusal::NotFound { .. }));
    let twice = vec![with(credit, Some(500)), with(credit, Some(500))];
    receipt(house.desk.run(by(cart, twice)).unwrap());
    assert_eq!(left(&house, credit), 2000);
    house.verified();
}

#[test]
fn a_credit_expires_if_the_house_says_so() {
    let house = House::royal();
    let life = ChangeSettings::to("credit-life", &Span::minutes(60));
    house.desk.run(life).unwrap();
    let sold = house.sold("B6");
    let owed = house.desk.run(refund(&sold, None, BackBy::Owed)).unwrap();
    house.pass(Span::minutes(61));
    let cart = house.cart_with("C1");
    assert!(matches!(
        no(&house.desk, by(cart, vec![with(code(&owed), None)])),
        Refusal::Credit(CreditRefusal::Expired { .. })
    ));
    house.verified();
}

#[test]
fn a_void_gives_each_means_what_it_paid_even_to_a_credit() {
    let house = House::royal();
    let first = house.sold("B6");
    let owed = house.desk.run(refund(&first, None, BackBy::Owed)).unwrap();
    let credit = code(&owed);
    let cart = house.cart_with("C1 C2 C3");
    let slip = Tender::Card { reference: "R1".into(), charged: Some(500) };
    let tenders = vec![slip, with(credit, Some(1000)), Tender::Cash { given: Some(2000) }];
    let sold = receipt(house.desk.run(by(cart, tenders)).unwrap());
    assert_eq!(left(&house, credit), 0);
    let void = house.desk.run(correct(&sold, CorrectionAct::Void)).unwrap();
    assert_eq!((void.total, void.in_cash(), void.by_card()), (-3000, -1500, -500));
    assert_eq!((left(&house, credit), house.free()), (1000, 80));
    assert!(matches!(
        no(&house.desk, correct(&sold, CorrectionAct::Void)),
        Refusal::Correction(CorrectionRefusal::NotVoidable { .. })
    ));
    house.verified();
}

#[test]
fn only_a_fresh_sale_of_this_station_is_voided() {
    let house = House::royal();
    let sold = house.sold("B6");
    let elsewhere = house.at("till-2");
    let why = |refusal| {
        let Refusal::Correction(CorrectionRefusal::NotVoidable { why, .. }) = refusal else {
            panic!("{refusal:?}");
        };
        format!("{why:?}")
    };
    let void = || correct(&sold, CorrectionAct::Void);
    assert_eq!(why(no(&elsewhere, void())), "Station(\"till-1\")");
    let part = refund(&house.sold("C1 C2"), Some(vec![seats(&house, &[seat(2, 0)])]), BackBy::Cash);
    let part = house.desk.run(part).unwrap();
    assert_eq!(why(no(&house.desk, correct(&part, CorrectionAct::Void))), "NoSale");
    house.pass(Span::minutes(24 * 60));
    assert_eq!(why(no(&house.desk, void())), "Day");
    house.verified();
}
