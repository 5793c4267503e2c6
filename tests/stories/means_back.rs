//! Money goes back the way it came: by the means that paid, in their order, and otherwise only on purpose.

use willcall::domain::back::{Back, Beyond, ReturnTerms, Share};
use willcall::domain::booking::{Booking, Cause};
use willcall::domain::correction::BackBy;
use willcall::domain::house::{WorkKind, WorkState, WorklistItem};
use willcall::domain::ids::CartId;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    CancelBooking, ChangeSettings, Checkout, CorrectReceipt, CorrectionAct, Exchange, ItemAct, ItemSettled, Reach,
    RefundBooking, RestoreBooking, SettleBy, SettleItem, Take, TakeOut, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::receipts::ReadCorrection;

use super::after_sale::{card, correct, refund, seats, taken_today, worklist};
use super::calendar::slot;
use super::credits;
use super::paid_bookings::{booked, charge};
use super::support::{House, named, no, paying, receipt, seat};

fn by_card(reference: &str, minor: i64) -> Tender {
    Tender::Card { reference: reference.into(), charged: Some(minor) }
}

fn paid_by(house: &House, cart: CartId, tenders: Vec<Tender>) -> Receipt {
    receipt(house.desk.run(Checkout { tenders, ..paying(cart, 0) }).unwrap())
}

/// Means and amounts given back.
fn back(of: &Receipt) -> Vec<(BackBy, i64)> {
    let back = of.correction.as_ref().unwrap().paid_back.iter();
    back.map(|one| (one.by.clone(), one.minor)).collect()
}

fn give(of: &Receipt, back: Back, share: Share) -> CorrectReceipt {
    correct(of, CorrectionAct::Refund { cells: None, back, share })
}

/// Six seats of 60.00, paid with 10.00 of a credit, 20.00 by a card and 30.00 in cash.
fn by_three_means(house: &House) -> Receipt {
    let code = credits::code(&house.desk.run(refund(&house.sold("A1"), None, BackBy::Owed)).unwrap());
    let tenders = vec![by_card("R1", 2000), credits::with(code, Some(1000)), Tender::Cash { given: Some(5000) }];
    paid_by(house, house.cart_with("B1 B2 B3 B4 B5 B6"), tenders)
}

#[test]
fn a_part_goes_back_to_credit_card_and_drawer_in_this_order() {
    let house = House::royal();
    let sold = by_three_means(&house);
    let ask = give(&sold, Back::default(), Share::Only(4000));
    let would = house.desk.read(ReadCorrection::Receipt(ask.clone())).unwrap();
    let issued = house.desk.run(ask).unwrap();
    assert_eq!(back(&issued), [(BackBy::Owed, 1000), (card("R1"), 2000), (BackBy::Cash, 1000)]);
    assert_eq!(would[0].receipt.correction, issued.correction, "as it was shown before");
    let credit = issued.correction.as_ref().unwrap().paid_back[0].credit.unwrap();
    assert_eq!(credits::left(&house, credit), 1000, "on the credit that paid");
    house.verified();
}

#[test]
fn what_went_back_before_counts_and_a_fee_stays_with_the_last_means() {
    let house = House::royal();
    let sold = by_three_means(&house);
    let good = CorrectionAct::Goodwill { back: Back::default(), amount: 1500 };
    let first = house.desk.run(correct(&sold, good)).unwrap();
    assert_eq!(back(&first), [(BackBy::Owed, 1000), (card("R1"), 500)]);
    let rest = house.desk.run(give(&sold, Back::default(), Share::AllBut(1000))).unwrap();
    assert_eq!(back(&rest), [(card("R1"), 1500), (BackBy::Cash, 2000)]);
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 1000 + 1000)], "the first seat, and the fee");
    house.verified();
}

#[test]
fn money_of_an_exchange_goes_back_to_what_paid_the_first_seat() {
    let house = House::royal();
    let sold = paid_by(&house, house.cart_with("B1 B2"), vec![by_card("R1", 2000)]);
    let take = Take::Seats { performance: house.show, seats: named("C1 C2 C3"), ticket_type: None };
    let swap = Exchange {
        receipt: sold.id,
        cells: None,
        take,
        tenders: vec![by_card("R2", 1000)],
        terms: ReturnTerms { reason: "swap".into(), ..ReturnTerms::default() },
    };
    let swapped = receipt(house.desk.run(swap).unwrap());
    assert_eq!(swapped.total, 1000);
    let cash = no(&house.desk, refund(&swapped, None, BackBy::Cash));
    assert!(matches!(cash, Refusal::Correction(CorrectionRefusal::BeyondPaid { left: 0, .. })), "{cash:?}");
    let issued = house.desk.run(give(&swapped, Back::default(), Share::All)).unwrap();
    assert_eq!(back(&issued), [(card("R2"), 1000), (card("R1"), 2000)]);
    house.verified();
}

#[test]
fn more_than_a_means_paid_is_overridden_and_listed_for_a_supervisor() {
    let house = House::royal();
    let sold = paid_by(&house, house.cart_with("B1 B2"), vec![by_card("R1", 1500), Tender::Cash { given: None }]);
    let all = |by: BackBy, beyond| give(&sold, Back { beyond, ..by.into() }, Share::All);
    for (by, left) in [(BackBy::Cash, 500), (card("R1"), 1500)] {
        let refusal = no(&house.desk, all(by.clone(), Beyond::Refuse));
        let currency = sold.currency;
        assert_eq!(refusal, CorrectionRefusal::BeyondPaid { by, left, currency }.into());
    }
    for beyond in [Beyond::Refuse, Beyond::Override] {
        let refusal = no(&house.desk, all(card("X9"), beyond));
        let never = CorrectionRefusal::CardNeverPaid { reference: "X9".into(), cards: vec!["R1".into()] };
        assert_eq!(refusal, never.into());
    }
    let issued = house.at("till-9").run(all(BackBy::Cash, Beyond::Override)).unwrap();
    assert_eq!((back(&issued), issued.correction.unwrap().beyond), (vec![(BackBy::Cash, 2000)], 1500));
    let items = worklist(&house);
    let [item] = items.as_slice() else { panic!("{items:?}") };
    let (WorkKind::Overridden { receipt, minor, .. }, "ben@till-9") = (&item.item.what, item.title.as_str()) else {
        panic!("{item:?}")
    };
    assert_eq!((*receipt, *minor), (issued.id, 1500));
    house.verified();
    let settle = |act| SettleItem { item: item.item.id, act, reason: "seen".into() };
    let money = ItemAct::Refund { back: Back::default(), share: Share::All };
    for act in [money, ItemAct::Waive] {
        assert_eq!(no(&house.desk, settle(act)), CorrectionRefusal::GoneBack.into());
    }
    let approved = house.desk.run(settle(ItemAct::Approve)).unwrap();
    assert_eq!(approved.item.state.note(), "approved");
    assert!(worklist(&house).is_empty());
    house.verified();
}

#[test]
fn a_credit_needs_no_override_and_only_what_was_overridden_is_approved() {
    let house = House::royal();
    let sold = paid_by(&house, house.cart_with("B1 B2"), vec![by_card("R1", 2000)]);
    house.disable("B1");
    let item = worklist(&house)[0].item.id;
    let settle = |act| SettleItem { item, act, reason: "leak".into() };
    assert_eq!(no(&house.desk, settle(ItemAct::Approve)), CorrectionRefusal::NotApproved.into());
    let done = house.desk.run(settle(ItemAct::Refund { back: BackBy::Owed.into(), share: Share::All })).unwrap();
    assert_eq!(back(&done.receipts[0]), [(BackBy::Owed, 1000)]);
    let b2 = Some(vec![seats(&house, &[seat(1, 1)])]);
    let rest = correct(&sold, CorrectionAct::Refund { cells: b2, back: Back::default(), share: Share::AllBut(1001) });
    let kept = no(&house.desk, rest);
    assert!(matches!(kept, Refusal::Correction(CorrectionRefusal::KeptOver { left: 1000, .. })), "{kept:?}");
    house.verified();
}

#[test]
fn a_credit_that_expired_meanwhile_is_replaced_by_another() {
    let house = House::royal();
    let day = Span::DAY;
    house.desk.run(ChangeSettings::to("credit-life", &day)).unwrap();
    let sold = by_three_means(&house);
    house.pass(Span::minutes(25 * 60));
    let issued = house.desk.run(give(&sold, Back::default(), Share::Only(1000))).unwrap();
    assert_eq!(back(&issued), [(BackBy::Owed, 1000)]);
    let code = issued.correction.as_ref().unwrap().paid_back[0].credit.unwrap();
    assert!(sold.credits().all(|(old, _)| old != code));
    assert_eq!(credits::left(&house, code), 1000);
    house.verified();
}

#[test]
fn a_canceled_night_pays_nothing_out_of_a_drawer() {
    let house = House::royal();
    let sold = by_three_means(&house);
    house.cancel_show();
    let settle = CorrectionAct::Settle { performance: house.show, by: SettleBy::AsPaid };
    let settled = house.desk.run(correct(&sold, settle)).unwrap();
    assert_eq!(back(&settled), [(BackBy::Owed, 1000), (card("R1"), 2000), (BackBy::Owed, 3000)]);
    house.verified();
}

/// A booking of 30.00, of which a deposit of 10.00 was paid by card and the rest in cash.
fn stay(house: &House) -> Booking {
    let gala = booked(house, "2026-12-01 20:00 23:00");
    let deposit = house.desk.run(charge(house, &gala, Some(1000))).unwrap();
    paid_by(house, deposit.id, vec![by_card("R1", 1000)]);
    let rest = house.desk.run(charge(house, &gala, None)).unwrap();
    house.pay(rest.id, 2000).unwrap();
    gala
}

fn reread(house: &House, booking: &Booking) -> Booking {
    house.desk.read(ReadBooking(booking.id)).unwrap().booking
}

fn keeping(item: &WorklistItem, share: Share) -> SettleItem {
    SettleItem { item: item.id, act: ItemAct::Refund { back: Back::default(), share }, reason: "too late".into() }
}

#[test]
fn a_canceled_stay_keeps_a_fee_of_the_last_means_and_is_settled() {
    let house = House::royal();
    let gala = stay(&house);
    house.desk.run(CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine }).unwrap();
    let item = worklist(&house).remove(0).item;
    let over = no(&house.desk, keeping(&item, Share::AllBut(3001)));
    assert!(matches!(over, Refusal::Correction(CorrectionRefusal::KeptOver { left: 3000, .. })), "{over:?}");
    let settled = house.desk.run(keeping(&item, Share::AllBut(500))).unwrap();
    let given: Vec<_> = settled.receipts.iter().flat_map(back).collect();
    assert_eq!(given, [(BackBy::Cash, 1500), (card("R1"), 1000)], "the newest receipt first");
    let kept: Vec<i64> = settled.receipts.iter().map(|one| one.correction.as_ref().unwrap().kept).collect();
    assert_eq!(kept, [500, 0], "said once");
    let after = reread(&house, &gala);
    assert_eq!((after.paid(), after.kept, after.open()), (500, 500, 0));
    assert!(worklist(&house).is_empty());
    house.verified();
    // the fee pays for it when the guest comes after all
    house.desk.run(RestoreBooking { bookings: vec![gala.id] }).unwrap();
    assert_eq!(reread(&house, &gala).open(), 2500);
    house.verified();
}

#[test]
fn all_of_a_canceled_stay_may_be_kept() {
    let house = House::royal();
    let gala = stay(&house);
    house.desk.run(CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine }).unwrap();
    let item = worklist(&house).remove(0).item;
    let settled = house.desk.run(keeping(&item, Share::AllBut(3000))).unwrap();
    assert_eq!(settled.receipts, []);
    assert!(worklist(&house).is_empty());
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 3000)]);
    house.verified();
}

#[test]
fn a_receipt_of_a_booking_names_the_way_to_its_money() {
    let house = House::royal();
    let gala = stay(&house);
    let paid = reread(&house, &gala).payments[0].receipt;
    let paid = super::after_sale::reread(&house, paid);
    let refusal = no(&house.desk, give(&paid, Back::default(), Share::All));
    assert_eq!(refusal, CorrectionRefusal::PaidForBooking { receipt: paid.number }.into());
}

/// A paid booking, of which two of three hours are taken away.
fn taken_away(house: &House) -> Booking {
    let gala = stay(house);
    let resource = gala.taken.first().unwrap().resource.clone();
    let lost = slot("2026-12-01 20:00 22:00");
    let leak = TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![resource], lost) };
    house.desk.run(leak).unwrap();
    gala
}

/// Money that the items of the worklist name.
fn named_money(house: &House) -> Vec<(&'static str, Option<i64>)> {
    let items = worklist(house).into_iter();
    items.map(|view| (view.item.what.word(), view.price.map(|price| price.minor))).collect()
}

#[test]
fn time_that_was_paid_and_taken_away_is_one_item_with_its_money() {
    let house = House::royal();
    let gala = taken_away(&house);
    assert_eq!(named_money(&house), [("time", Some(2000))]);
    let item = worklist(&house).remove(0).item;
    let ItemSettled { item, receipts } = house.desk.run(keeping(&item, Share::All)).unwrap();
    let given: Vec<_> = receipts.iter().flat_map(back).collect();
    assert_eq!(given, [(BackBy::Cash, 1000), (card("R1"), 1000)]);
    assert!(matches!(item.state, WorkState::Resolved { .. }));
    assert_eq!((named_money(&house), reread(&house, &gala).open()), (vec![], 0));
    house.verified();
}

#[test]
fn money_of_time_that_was_taken_away_stays_listed_until_it_went_back() {
    let house = House::royal();
    taken_away(&house);
    let item = worklist(&house).remove(0).item;
    let waive = SettleItem { item: item.id, act: ItemAct::Waive, reason: "came later".into() };
    house.desk.run(waive).unwrap();
    assert_eq!(named_money(&house), [("overpaid", Some(2000))], "its money is not waived");
    house.verified();

    let house = House::royal();
    let gala = taken_away(&house);
    let all = RefundBooking {
        booking: gala.id,
        back: Back::default(),
        share: Share::All,
        reason: "leak".into(),
        cancels: None,
    };
    house.desk.run(all).unwrap();
    assert_eq!(named_money(&house), [("time", None)], "it still has no time");
    let item = worklist(&house).remove(0).item;
    assert_eq!(no(&house.desk, keeping(&item, Share::All)), CorrectionRefusal::NothingPaid.into());
    house.verified();
}
