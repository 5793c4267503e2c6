//! Exchanges in one act: fees, differences in price, and seats that the house keeps.

use willcall::domain::back::{ReturnTerms, Share};
use willcall::domain::correction::{BackBy, ExchangeFee, ReceiptKind};
use willcall::domain::customer::Customer;
use willcall::domain::money::{Currency, priced};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    ChangeSettings, Checkout, CorrectReceipt, CorrectionAct, DisableSeats, Exchange, HandOver, KeepTerms, Take,
    TicketsTo, Which,
};

use super::after_sale::{correct, refund, reread, seats};
use super::support::{House, NOON, named, names, no, paying, receipt, seat};

const REASON: &str = "wants the aisle";

pub(super) fn exchange(house: &House, of: &Receipt, cells: &[willcall::domain::plan::SeatRef], take: &str) -> Exchange {
    Exchange {
        receipt: of.id,
        cells: Some(vec![seats(house, cells)]),
        take: Take::Seats { performance: house.show, seats: named(take), ticket_type: None },
        tenders: Vec::new(),
        terms: ReturnTerms { reason: REASON.into(), ..ReturnTerms::default() },
    }
}

pub(super) fn fee(house: &House, minor: i64) {
    let change = ChangeSettings::to("exchange-fee", &priced(minor, Currency::EUR));
    house.desk.run(change).unwrap();
}

#[test]
fn an_exchange_is_one_receipt_or_nothing() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    house.sold("C1");
    let taken = no(&house.desk, exchange(&house, &sold, &[seat(1, 5)], "C1"));
    assert!(matches!(taken, Refusal::Taken { .. }), "{taken:?}");
    assert_eq!((house.free(), reread(&house, sold.id)), (76, sold.clone()));
    let even = exchange(&house, &sold, &[seat(1, 5)], "C2");
    let issued = receipt(house.desk.run(even).unwrap());
    assert_eq!((issued.kind(), issued.total), (ReceiptKind::Exchange, 0));
    assert_eq!(house.free(), 76);
    house.verified();
}

#[test]
fn t15_one_of_three_paid_seats_is_swapped_for_a_dearer_one_and_one_of_four_refunded() {
    let house =
        House::of(willcall::formats::rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Gala"), 1500)]);
    let sold = house.sold("B6 B7 B8");
    let mut swap = exchange(&house, &sold, &[seat(1, 7)], "C1");
    swap.take = Take::Seats { performance: house.show, seats: named("C1"), ticket_type: Some("Gala".into()) };
    swap.tenders = vec![Tender::Cash { given: None }];
    let issued = receipt(house.desk.run(swap).unwrap());
    assert_eq!((issued.total, issued.back()), (500, 0));
    let before = reread(&house, sold.id);
    assert_eq!((before.total, &before.payments), (3000, &sold.payments));
    assert_eq!(before.live_of(1), [seat(1, 5), seat(1, 6)]);
    assert_eq!(house.free(), 77, "B8 is free, C1 is sold");

    let four = house.sold("D1 D2 D3 D4");
    let one = Some(vec![seats(&house, &[seat(3, 1)])]);
    let back = house.desk.run(refund(&four, one, BackBy::Cash)).unwrap();
    assert_eq!(back.total, -1000);
    let left = reread(&house, four.id);
    assert_eq!(left.live_of(1), [seat(3, 0), seat(3, 2), seat(3, 3)]);
    assert_eq!(house.free(), 74);
    house.verified();
}

#[test]
fn the_fee_of_an_exchange_is_paid_or_waived_with_a_reason() {
    let house = House::royal();
    fee(&house, 200);
    let sold = house.sold("B6 B7 B8");
    let mut swap = exchange(&house, &sold, &[seat(1, 5), seat(1, 6)], "C1 C2");
    let short = no(&house.desk, swap.clone());
    assert!(matches!(short, Refusal::PaymentShort { missing: 400, .. }), "{short:?}");
    swap.tenders = vec![Tender::Cash { given: None }];
    let issued = receipt(house.desk.run(swap).unwrap());
    assert_eq!((issued.total, issued.correction.unwrap().fee), (400, 400));

    let mut free = exchange(&house, &sold, &[seat(1, 7)], "C3");
    free.terms.fee = ExchangeFee::Waived { reason: " ".into() };
    assert!(matches!(no(&house.desk, free.clone()), Refusal::BadValue { .. }));
    free.terms.fee = ExchangeFee::Waived { reason: "our fault".into() };
    let issued = receipt(house.desk.run(free).unwrap());
    let correction = issued.correction.unwrap();
    assert_eq!((issued.total, correction.fee), (0, 0));
    assert_eq!(correction.reason, "wants the aisle; no fee: our fault");
    // a refund has no fee
    let refunded = house.desk.run(refund(&house.sold("D1"), None, BackBy::Cash)).unwrap();
    assert_eq!(refunded.total, -1000);
    house.verified();
}

#[test]
fn tickets_taken_in_exchange_for_waiting_ones_wait_too() {
    let house = House::royal();
    let customer = Some(Customer { name: "Ida Wolf".into(), ..Customer::default() });
    let sale = Checkout { customer, tickets: TicketsTo::Desk, ..paying(house.cart_with("B6 B7 B8"), 3000) };
    let sold = receipt(house.desk.run(sale).unwrap());
    let swap = |back, take| receipt(house.desk.run(exchange(&house, &sold, &[back], take)).unwrap());
    assert_eq!(swap(seat(1, 5), "C1").tickets.word(), "waiting");
    house.desk.run(HandOver::new(sold.id, TicketsTo::Customer)).unwrap();
    assert_eq!(swap(seat(1, 6), "C2").tickets.word(), "given");
    let nameless = house.sold("D1 D2");
    house.desk.run(HandOver::new(nameless.id, TicketsTo::Desk)).unwrap();
    let issued = receipt(house.desk.run(exchange(&house, &nameless, &[seat(3, 0)], "D3")).unwrap());
    assert_eq!(issued.tickets.word(), "given", "nobody could ask for them by name");
    house.verified();
}

#[test]
fn a_dearer_seat_given_for_nothing_gives_back_only_what_was_paid() {
    let house =
        House::of(willcall::formats::rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Gala"), 5000)]);
    let sold = house.sold("B6");
    let mut dear = exchange(&house, &sold, &[seat(1, 5)], "C1");
    let gala = |seats| Take::Seats { performance: house.show, seats: named(seats), ticket_type: Some("Gala".into()) };
    dear.take = gala("C1");
    dear.terms.fee = ExchangeFee::Even;
    let mut two = dear.clone();
    two.take = gala("C1 C2");
    let more = CorrectionRefusal::MoreThanReturned { returned: 1 };
    assert_eq!(no(&house.desk, two), Refusal::from(more));
    let issued = receipt(house.desk.run(dear).unwrap());
    assert_eq!((issued.total, issued.left()), (0, Ok(1000)));
    let too_much = CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::Only(5000) };
    assert!(matches!(
        no(&house.desk, correct(&issued, too_much)),
        Refusal::Correction(CorrectionRefusal::MoreThanPaid { left: 1000, .. })
    ));
    let back = house.desk.run(refund(&issued, None, BackBy::Cash)).unwrap();
    assert_eq!(back.back(), 1000);
    house.verified();
}

#[test]
fn what_comes_back_may_be_kept_for_the_house() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    let keep = |until| CorrectReceipt {
        keep: Some(KeepTerms { reason: "press".into(), until }),
        ..refund(&sold, Some(vec![seats(&house, &[seat(1, 5)])]), BackBy::Cash)
    };
    assert!(matches!(no(&house.desk, keep(NOON)), Refusal::InThePast { .. }));
    assert_eq!(house.free(), 77, "nothing of it was done");
    house.desk.run(keep(NOON + Span::minutes(60))).unwrap();
    assert_eq!(house.free(), 77, "kept, not on sale");
    house.pass(Span::minutes(61));
    house.sold("B6");
    house.verified();
}

#[test]
fn lost_seats_that_come_back_are_not_kept() {
    let house = House::royal();
    let sold = house.sold("B6");
    let disable = DisableSeats { which: Which::Performance(house.show), seats: names("B6"), reason: "leak".into() };
    house.desk.run(disable).unwrap();
    let keep = CorrectReceipt {
        keep: Some(KeepTerms { reason: "press".into(), until: NOON + Span::minutes(60) }),
        ..refund(&sold, None, BackBy::Cash)
    };
    assert_eq!(no(&house.desk, keep), Refusal::NothingChosen);
    house.verified();
}
