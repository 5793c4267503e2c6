//! After the sale: seats, time and money that come back.

use willcall::domain::back::{Back, ReturnTerms, Share};
use willcall::domain::cart::CartState;
use willcall::domain::correction::{BackBy, ReceiptKind};
use willcall::domain::customer::Customer;
use willcall::domain::house::{WorkKind, WorkState};
use willcall::domain::ids::{CartId, ReceiptId};
use willcall::domain::loss::CellGroup;
use willcall::domain::money::{Currency, Price};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::{CorrectionRefusal, Refusal};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::Desk;
use willcall::engine::ops::{
    BeginPayment, CancelPerformance, CheckedOut, Checkout, CorrectReceipt, CorrectionAct, DisableSeats, HoldSlot,
    ItemAct, OpenCart, Past, PayBy, ReserveCart, ReturnCells, ReviveCart, SeatChoice, SetAside, SettleItem, SlotWanted,
    Unreturn, Which,
};
use willcall::engine::reads::jobs::ReadJobs;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::tonight::{MoneyTaken, Need, NeedKind, ReadTonight};
use willcall::engine::reads::worklist::{ReadWorklist, WorkView};

use super::calendar::{add, resource, slot};
use super::support::{House, NOON, names, no, paying, receipt, seat};

const REASON: &str = "ill";

pub(super) fn seats(house: &House, seats: &[SeatRef]) -> CellGroup {
    CellGroup::Seats { performance: house.show, seats: seats.to_vec() }
}

pub(super) fn refund(of: &Receipt, cells: Option<Vec<CellGroup>>, by: BackBy) -> CorrectReceipt {
    correct(of, CorrectionAct::Refund { cells, back: by.into(), share: Share::All })
}

pub(super) fn correct(of: &Receipt, act: CorrectionAct) -> CorrectReceipt {
    CorrectReceipt { receipt: of.id, act, reason: REASON.into(), keep: None }
}

pub(super) fn card(reference: &str) -> BackBy {
    BackBy::Card { reference: reference.into() }
}

pub(super) fn back(receipt: &Receipt) -> i64 {
    receipt.back()
}

/// A cart that brings back cells of a receipt.
fn bringing(house: &House, of: &Receipt, cells: Vec<CellGroup>) -> CartId {
    let bring = ReturnCells { cart: None, receipt: of.id, cells: Some(cells) };
    house.desk.run(bring).unwrap().id
}

/// Pays a cart that brings something back in cash, or gives back as it was paid.
fn settling(house: &House, cart: CartId) -> Checkout {
    let total = house.cart(cart).total;
    let tenders = vec![Tender::Cash { given: None }];
    Checkout {
        tenders: if total > 0 { tenders } else { Vec::new() },
        seen: Some(total),
        returns: Some(ReturnTerms { reason: REASON.into(), ..ReturnTerms::default() }),
        ..paying(cart, 0)
    }
}

/// Money of the day by station.
pub(super) fn taken_today(house: &House) -> Vec<(String, i64)> {
    let (from, before) = (NOON, NOON);
    let page = house.desk.read(ReadTonight { from, before }).unwrap();
    let takings = page.takings.into_iter();
    takings.map(|one| (one.station, one.money.iter().map(MoneyTaken::total).sum())).collect()
}

pub(super) fn worklist(house: &House) -> Vec<WorkView> {
    house.desk.read(ReadWorklist).unwrap()
}

pub(super) fn reread(house: &House, receipt: ReceiptId) -> Receipt {
    house.desk.read(ReadReceipt(receipt)).unwrap().receipt
}

#[test]
fn a_whole_order_comes_back_for_cash_at_another_station() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    let till = house.at("till-2");
    let issued = till.run(refund(&sold, None, BackBy::Cash)).unwrap();
    assert_eq!(
        (issued.number.as_str(), issued.kind(), issued.total, back(&issued)),
        ("till-2/1", ReceiptKind::Refund, -3000, 3000)
    );
    assert_eq!(house.free(), 80, "the seats are on sale again");
    let after = reread(&house, sold.id);
    assert_eq!((after.total, after.payments.len(), after.credited), (3000, 1, 3000), "it stays as issued");
    assert_eq!(after.corrected_by, [issued.id]);
    assert!(after.lines[0].goods.seats().is_empty());
    assert_eq!(after.seat_count(), 3, "seats as issued");
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 3000), ("till-2".to_owned(), -3000)]);
    house.sold("B6 B7 B8");
    house.verified();
}

#[test]
fn one_seat_of_three_comes_back_to_its_card() {
    let house = House::royal();
    let charged = Tender::Card { reference: "R7".into(), charged: None };
    let sold = Checkout { tenders: vec![charged], ..paying(house.cart_with("B6 B7 B8"), 0) };
    let sold = receipt(house.desk.run(sold).unwrap());
    let b7 = seats(&house, &[seat(1, 6)]);
    let ask = refund(&sold, Some(vec![b7.clone()]), card("R7"));
    let issued = house.desk.run(ask).unwrap();
    assert_eq!((issued.total, issued.by_card()), (-1000, -1000));
    assert_eq!(house.free(), 78);
    let again = refund(&sold, Some(vec![b7]), BackBy::Cash);
    let Refusal::Correction(CorrectionRefusal::AlreadyReturned { receipt, cells }) = no(&house.desk, again) else {
        panic!("another refusal")
    };
    assert_eq!((receipt.as_str(), cells), ("till-1/1", names("B7")));
    let rest = house.desk.run(refund(&sold, None, card("R7"))).unwrap();
    assert_eq!(back(&rest), 2000, "only what was left");
    assert!(matches!(no(&house.desk, refund(&sold, None, card("R7"))), Refusal::NothingChosen));
    house.verified();
}

#[test]
fn never_more_comes_back_than_was_paid() {
    let house = House::royal();
    let sold = house.sold("B6 B7 B8");
    let goodwill = |amount| {
        let by = BackBy::Cash;
        correct(&sold, CorrectionAct::Goodwill { back: by.into(), amount })
    };
    let too_much = |ask: CorrectReceipt, left| {
        let refusal = no(&house.desk, ask);
        let Refusal::Correction(CorrectionRefusal::MoreThanPaid { left: of, .. }) = refusal else {
            panic!("{refusal:?}")
        };
        assert_eq!(of, left);
    };
    too_much(goodwill(3001), 3000);
    let given = house.desk.run(goodwill(1000)).unwrap();
    assert_eq!((given.kind(), given.total), (ReceiptKind::Goodwill, -1000));
    assert_eq!(house.free(), 77, "the seats stay");
    let of_all = |amount| CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::Only(amount) };
    too_much(correct(&sold, of_all(3000)), 2000);
    let part = house.desk.run(correct(&sold, of_all(1500))).unwrap();
    let kept = part.correction.as_ref().unwrap().fee;
    assert_eq!((part.total, kept), (-1500, 1500));
    too_much(goodwill(501), 500);
    let another = house.sold("C1");
    assert!(matches!(no(&house.desk, correct(&another, of_all(-1))), Refusal::BadValue { .. }));
    let good = CorrectionAct::Goodwill { back: BackBy::Cash.into(), amount: 300 };
    house.desk.run(correct(&another, good)).unwrap();
    let rest = house.desk.run(refund(&another, None, BackBy::Cash));
    assert_eq!(rest.unwrap().back(), 700, "what is left of the price");
    house.verified();
}

#[test]
fn seats_are_given_up_without_money() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let cells = Some(vec![seats(&house, &[seat(1, 5)])]);
    let issued = house.desk.run(correct(&sold, CorrectionAct::Release { cells })).unwrap();
    assert_eq!((issued.kind(), issued.total), (ReceiptKind::Release, 0));
    assert_eq!(house.free(), 79);
    let by = BackBy::Cash;
    let later = CorrectionAct::Goodwill { back: by.into(), amount: 1000 };
    house.desk.run(correct(&sold, later)).unwrap();
    house.verified();
}

#[test]
fn a_seat_is_exchanged_for_another_by_one_receipt() {
    let house =
        House::of(willcall::formats::rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 400)]);
    let sold = house.sold("B6 B7 B8");
    let cart = bringing(&house, &sold, vec![seats(&house, &[seat(1, 5)])]);
    assert_eq!(house.cart(cart).total, -1000);
    assert_eq!(house.free(), 77, "the customer has it until the checkout");
    house.hold(cart, "C1").unwrap();
    assert_eq!(house.cart(cart).total, 0);
    let even = receipt(house.desk.run(settling(&house, cart)).unwrap());
    assert_eq!((even.kind(), even.total), (ReceiptKind::Exchange, 0));
    assert_eq!(house.free(), 77);
    assert_eq!(even.lines[0].goods.seats(), [seat(2, 0)]);
    // a cheaper one: the difference is given back
    let cart = bringing(&house, &even, vec![seats(&house, &[seat(2, 0)])]);
    let mut child = house.holding(cart, "D1");
    child.ticket_type = Some("Child".into());
    house.desk.run(child).unwrap();
    let cheaper = receipt(house.desk.run(settling(&house, cart)).unwrap());
    assert_eq!((cheaper.total, back(&cheaper)), (-600, 600));
    // and a dearer one: it is paid
    let cart = bringing(&house, &cheaper, vec![seats(&house, &[seat(3, 0)])]);
    house.hold(cart, "E1").unwrap();
    let dearer = receipt(house.desk.run(settling(&house, cart)).unwrap());
    assert_eq!((dearer.total, dearer.payments[0].minor), (600, 600));
    assert_eq!(house.free(), 77);
    house.verified();
}

#[test]
fn of_two_carts_that_bring_back_one_seat_the_first_to_check_out_wins() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let b6 = || vec![seats(&house, &[seat(1, 5)])];
    let (first, second) = (bringing(&house, &sold, b6()), bringing(&house, &sold, b6()));
    house.hold(second, "C1").unwrap();
    house.desk.run(settling(&house, first)).unwrap();
    let Refusal::Correction(CorrectionRefusal::AlreadyReturned { cells, .. }) =
        no(&house.desk, settling(&house, second))
    else {
        panic!("another refusal")
    };
    assert_eq!(cells, names("B6"));
    assert_eq!(house.state(second), CartState::Active, "it loses nothing");
    let number = house.cart(second).returns[0].number;
    let cart = second;
    house.desk.run(Unreturn { cart, line: number }).unwrap();
    assert!(matches!(no(&house.desk, Unreturn { cart, line: number }), Refusal::UnknownLine { .. }));
    house.pay(second, 1000).unwrap();
    house.verified();
}

#[test]
fn a_cart_that_ends_brings_nothing_back() {
    let house = House::royal();
    let sold = house.sold("B6");
    let cart = bringing(&house, &sold, vec![seats(&house, &[seat(1, 5)])]);
    house.pass(Span::minutes(31));
    assert!(matches!(no(&house.desk, settling(&house, cart)), Refusal::CartExpired { .. }));
    assert_eq!(house.free(), 79);
    assert!(reread(&house, sold.id).corrected_by.is_empty());
    // revived it brings the seat back after all, unless that came back meanwhile
    let again = house.desk.run(ReviveCart { cart }).unwrap();
    assert_eq!(again.total(), Ok(-1000));
    house.desk.run(settling(&house, again.id)).unwrap();
    assert!(matches!(
        no(&house.desk, ReviveCart { cart }),
        Refusal::Correction(CorrectionRefusal::AlreadyReturned { .. })
    ));
    house.verified();
}

#[test]
fn money_goes_one_way_and_has_a_reason() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let cart = bringing(&house, &sold, vec![seats(&house, &[seat(1, 5)])]);
    let right = settling(&house, cart);
    let with = |by: Option<BackBy>, reason: &str, tenders: Vec<Tender>| Checkout {
        returns: Some(ReturnTerms {
            reason: reason.into(),
            back: by.map(Back::from).unwrap_or_default(),
            ..ReturnTerms::default()
        }),
        tenders,
        ..right.clone()
    };
    let cash = || vec![Tender::Cash { given: Some(1000) }];
    let refuse = |ask: Checkout| no(&house.desk, ask);
    for (ask, said) in [
        (with(Some(BackBy::Cash), " ", vec![]), "Reason"),
        (with(None, "ill", cash()), "GiveBackHow"),
        (with(Some(BackBy::Cash), "ill", cash()), "GiveBackHow"),
        (with(Some(card(" ")), "ill", vec![]), "CardReferenceMissing"),
    ] {
        let refusal = format!("{:?}", refuse(ask));
        assert!(refusal.contains(said), "{refusal}");
    }
    house.hold(cart, "C1 C2").unwrap();
    let dearer = Checkout { seen: None, ..with(Some(BackBy::Cash), "ill", vec![]) };
    let refusal = format!("{:?}", refuse(dearer));
    assert!(refusal.contains("NothingToGiveBack"), "{refusal}");
    let wrong = refund(&house.sold("D1"), Some(vec![seats(&house, &[seat(1, 5)])]), BackBy::Cash);
    let refusal = format!("{:?}", no(&house.desk, wrong));
    assert!(refusal.contains("NotOnReceipt"), "{refusal}");
    house.verified();
}

#[test]
fn a_lost_seat_is_settled_by_a_refund_or_a_waiver_and_by_nothing_else() {
    let house = House::royal();
    let (sold, other) = (house.sold("B6 B7"), house.sold("C1"));
    let disable =
        DisableSeats { which: Which::Performance(house.show), seats: names("B6 C1"), reason: "a leak".into() };
    house.desk.run(disable).unwrap();
    let items = worklist(&house);
    let prices: Vec<Option<i64>> = items.iter().map(|one| one.price.map(|p| p.minor)).collect();
    assert_eq!(prices, [Some(1000), Some(1000)]);
    let of = |receipt: &Receipt| {
        let owner = format!("receipt {}", receipt.number);
        items.iter().find(|one| one.owner == owner).unwrap().item.id
    };
    let settle = |item, act, reason: &str| SettleItem { item, act, reason: reason.into() };
    let refusal = no(&house.desk, settle(of(&sold), ItemAct::Waive, " "));
    assert!(matches!(refusal, Refusal::BadValue { .. }), "{refusal:?}");
    let refunded = settle(of(&sold), ItemAct::Refund { back: BackBy::Cash.into(), share: Share::All }, "a leak");
    let done = house.desk.run(refunded.clone()).unwrap();
    assert_eq!(back(done.receipts.first().unwrap()), 1000);
    assert!(matches!(done.item.state, WorkState::Resolved { .. }));
    assert!(matches!(no(&house.desk, refunded), Refusal::AlreadyResolved { .. }));
    let waived = settle(of(&other), ItemAct::Waive, "sat elsewhere");
    let waived = house.desk.run(waived).unwrap().receipts.remove(0);
    assert_eq!((waived.kind(), waived.total), (ReceiptKind::Waiver, 0));
    assert!(worklist(&house).is_empty());
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 2000)]);
    assert_eq!(house.free(), 77, "the seats are still out of use");
    house.verified();
}

#[test]
fn seats_that_a_cart_lost_before_it_was_paid_are_given_up_without_a_receipt() {
    let house = House::royal();
    let cart = house.desk.run(OpenCart::default()).unwrap().id;
    house.hold(cart, "B6 B7").unwrap();
    house.desk.run(SetAside { cart }).unwrap();
    house.disable("B6");
    let [WorkView { item, .. }] = &worklist(&house)[..] else { unreachable!("one item") };
    house.desk.run(paying(cart, 1000)).unwrap();
    let settle = |act| SettleItem { item: item.id, act, reason: "stays at home".into() };
    let refund = ItemAct::Refund { back: BackBy::Cash.into(), share: Share::All };
    assert!(matches!(no(&house.desk, settle(refund)), Refusal::Correction(CorrectionRefusal::NothingPaid)));
    let seats = ItemAct::Reseat { performance: house.show, seats: SeatChoice::Named(names("C1")) };
    let refusal = no(&house.desk, settle(seats));
    assert!(matches!(refusal, Refusal::CartDone { .. }), "{refusal:?}");
    let waived = house.desk.run(settle(ItemAct::Waive)).unwrap();
    assert!(waived.receipts.is_empty() && matches!(waived.item.state, WorkState::Resolved { .. }));
    assert!(worklist(&house).is_empty());
    house.verified();
}

#[test]
fn a_refund_of_a_lost_seat_ends_its_item() {
    let house = House::royal();
    let sold = house.sold("B6 B7");
    let performance = house.show;
    house.desk.run(CancelPerformance { performance, reason: "flooded".into() }).unwrap();
    assert_eq!(worklist(&house).len(), 1);
    let half = Some(vec![seats(&house, &[seat(1, 5)])]);
    house.desk.run(refund(&sold, half, BackBy::Cash)).unwrap();
    assert_eq!(worklist(&house).len(), 1, "one of its seats still waits");
    house.desk.run(refund(&sold, None, BackBy::Cash)).unwrap();
    assert!(worklist(&house).is_empty());
    house.verified();
}

#[test]
fn a_payment_that_bought_nothing_is_given_back_by_a_receipt() {
    let house = House::royal();
    let cart = house.cart_with("B1 B2");
    house.desk.run(BeginPayment { cart }).unwrap();
    house.pass(Span::minutes(45));
    house.sold("B2");
    let late =
        Checkout { tenders: vec![Tender::Card { reference: "004417".into(), charged: None }], ..paying(cart, 0) };
    let CheckedOut::Unissued(item) = house.desk.run(late).unwrap() else { panic!("issued") };
    let settle = |act| SettleItem { item: item.id, act, reason: "it bought nothing".into() };
    let refusal = no(&house.desk, settle(ItemAct::Waive));
    let money = Refusal::Correction(CorrectionRefusal::MoneyNotWaived);
    assert_eq!(refusal, money);
    let done = house.desk.run(settle(ItemAct::Refund { back: card("004417").into(), share: Share::All }));
    let issued = done.unwrap().receipts.remove(0);
    assert_eq!((issued.total, issued.payments[0].minor, back(&issued)), (0, 2000, 2000));
    assert!(matches!(&item.what, WorkKind::UnissuedPayment { .. }));
    assert!(worklist(&house).is_empty());
    house.verified();
}

pub(super) fn room_sold(house: &House, when: &str) -> (ResourceId, Receipt) {
    let mut wanted = resource("Gala room", 60);
    wanted.price = Some(Price { minor: 1000, currency: Currency::EUR });
    let room = add(house, wanted);
    let hold = HoldSlot {
        cart: None,
        wants: vec![SlotWanted { count: None, resource: room.clone(), slot: slot(when) }],
        past: Past::Refuse,
    };
    let cart = house.desk.run(hold).unwrap();
    let sold = house.pay(cart.id, cart.total().unwrap()).unwrap();
    (room, sold)
}

#[test]
fn an_hour_of_a_room_comes_back_and_can_be_sold_again() {
    let house = House::royal();
    let (room, sold) = room_sold(&house, "2026-12-01 20:00 23:00");
    assert_eq!(sold.total, 3000);
    let hour = |when: &str| Some(vec![CellGroup::Time { resource: room.clone(), slots: vec![slot(when)] }]);
    let short = refund(&sold, hour("2026-12-01 20:10 20:50"), BackBy::Cash);
    assert!(matches!(no(&house.desk, short), Refusal::NoWholeSegment(_)));
    let middle = refund(&sold, hour("2026-12-01 21:00 22:00"), BackBy::Cash);
    assert_eq!(back(&house.desk.run(middle.clone()).unwrap()), 1000);
    let again = no(&house.desk, middle);
    let returned = matches!(&again, Refusal::Correction(CorrectionRefusal::AlreadyReturned { cells, .. })
        if *cells == ["Gala room Tue 1 Dec 21:00-22:00"]);
    assert!(returned, "{again:?}");
    let hold = HoldSlot {
        cart: None,
        wants: vec![SlotWanted { count: None, resource: room.clone(), slot: slot("2026-12-01 21:00 22:00") }],
        past: Past::Refuse,
    };
    house.desk.run(hold).unwrap();
    let rest = house.desk.run(refund(&sold, None, BackBy::Cash)).unwrap();
    assert_eq!(back(&rest), 2000);
    house.verified();
}

#[test]
fn a_refund_sent_again_gives_back_once() {
    let house = House::royal();
    let sold = house.sold("B6");
    let ask = refund(&sold, None, BackBy::Cash);
    let id = willcall::domain::ids::CommandId::random();
    let run = |desk: &Desk| desk.run_as(id, ask.clone());
    let (first, again) = (run(&house.desk).unwrap(), run(&house.desk).unwrap());
    assert_eq!(first, again);
    assert_eq!(taken_today(&house), [("till-1".to_owned(), 0)]);
    house.verified();
}

#[test]
fn seats_of_another_night_are_not_of_this_receipt() {
    let house = House::royal();
    let sold = house.sold("B6");
    let late = house.performance("Late show", &[(None, None, 500)]);
    let other = CellGroup::Seats { performance: late, seats: vec![seat(1, 5)] };
    let ask = refund(&sold, Some(vec![other]), BackBy::Cash);
    assert!(matches!(no(&house.desk, ask), Refusal::Correction(CorrectionRefusal::NotOnReceipt { .. })));
    house.verified();
}

#[test]
fn a_canceled_night_ends_what_was_not_paid_and_stands_in_one_line() {
    let house = House::royal();
    let late = house.performance("Late show", &[(None, None, 500)]);
    let (one, two) = (house.sold("B6 B7"), house.sold("C1"));
    let reserve = |cart| ReserveCart {
        cart,
        customer: Some(Customer { name: "Ann Lee".into(), phone: "555".into(), ..Customer::default() }),
        pay_by: PayBy::Usual,
        alert: None,
        last: None,
    };
    let only = house.cart_with("D1 D2");
    house.hold(only, "D5").unwrap();
    house.desk.run(reserve(only)).unwrap();
    let both = house.cart_with("E1");
    let mut hold = house.holding(both, "A1");
    hold.performance = late;
    house.desk.run(hold).unwrap();
    house.desk.run(reserve(both)).unwrap();
    let performance = house.show;
    let cancel = |reason: &str| CancelPerformance { performance, reason: reason.into() };
    assert!(matches!(no(&house.desk, cancel(" ")), Refusal::BadValue { .. }));
    house.desk.run(cancel("flooded")).unwrap();
    assert_eq!(house.state(only), CartState::Canceled, "nothing is left of it");
    assert_eq!(house.state(both), CartState::Active);
    assert_eq!(house.cart(both).total, 500);
    let nights = |house: &House| -> Vec<(usize, i64)> {
        let (from, before) = (NOON, NOON);
        let page = house.desk.read(ReadTonight { from, before }).unwrap();
        let night = |need: Need| {
            assert!(!matches!(need.what, NeedKind::Work(_)), "{need:?}");
            let NeedKind::Canceled(night) = need.what else {
                return None;
            };
            Some((night.orders, night.paid[0].minor))
        };
        page.needs.into_iter().filter_map(night).collect()
    };
    assert_eq!(nights(&house), [(2, 3000)]);
    let half = Some(vec![seats(&house, &[seat(1, 5)])]);
    house.desk.run(refund(&one, half, BackBy::Cash)).unwrap();
    assert_eq!(nights(&house), [(2, 2000)]);
    house.desk.run(refund(&one, None, BackBy::Cash)).unwrap();
    house.desk.run(refund(&two, None, BackBy::Cash)).unwrap();
    assert!(nights(&house).is_empty());
    let jobs = house.desk.read(ReadJobs::default()).unwrap();
    let kinds: Vec<String> = jobs.into_iter().map(|job| job.kind).collect();
    assert!(
        kinds.iter().filter(|kind| *kind == "reservation").count() == 1,
        "of the night only what is paid elsewhere has an alert: {kinds:?}"
    );
    house.verified();
}
