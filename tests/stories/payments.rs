//! Card payments that began: what comes of the money in every state that the cart can be in when it is recorded.

use willcall::domain::back::ReturnTerms;
use willcall::domain::booking::Booking;
use willcall::domain::cart::CartState;
use willcall::domain::correction::BackBy;
use willcall::domain::house::{WorkKind, WorklistItem};
use willcall::domain::ids::{CartId, CommandId};
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BeginPayment, CancelBooking, CancelCart, CheckedOut, Checkout, CorrectionAct, Exchange, GiveBack, HoldSeats, Reach,
    ReturnCells, ReviveCart, SetAside, Take, TakeFrom, TakeOver, Unreturn, Whose,
};
use willcall::engine::reads::worklist::ReadWorklist;

use willcall::engine::verify::{Invariant, Verify};
use willcall::engine::{Config, Engine};

use super::after_sale::{correct, refund};
use super::paid_bookings::{booked, charge};
use super::support::{House, actor, named, no, paying, refused, reserving_for_ida};

/// The outcome of a card payment of EUR 20.00.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Money {
    Sold,
    /// Half of it sold, the other half on the worklist.
    Owed,
    Unissued,
}

fn card(cart: CartId, charged: Option<i64>, seen: Option<i64>) -> Checkout {
    Checkout { seen, ..Checkout::new(cart, vec![Tender::Card { reference: "X1".into(), charged }]) }
}

fn reserve(house: &House, cart: CartId) {
    house.desk.run(reserving_for_ida(cart)).unwrap();
}

fn cancel(house: &House, cart: CartId) {
    house.desk.run(CancelCart { cart }).unwrap();
}

fn late(house: &House) {
    house.pass(Span::minutes(40));
}

type Between = fn(&House, CartId);

/// Everything that may happen between the card terminal and the desk, with what becomes of the money.
const STATES: [(&str, Between, Money); 22] = [
    ("untouched", |_, _| {}, Money::Sold),
    ("a seat is disabled", |house, _| house.disable("A2"), Money::Owed),
    ("all are disabled", |house, _| house.disable("A1 A2"), Money::Unissued),
    (
        "a seat is given back",
        |house, cart| {
            let seats = Some(vec![super::support::seat(0, 1)]);
            house.desk.run(GiveBack::line(cart, 1, seats)).unwrap();
        },
        Money::Owed,
    ),
    (
        "taken over",
        |house, cart| {
            let from = TakeFrom::Anybody;
            house.at("till-2").run(TakeOver { cart, from }).unwrap();
        },
        Money::Sold,
    ),
    (
        "set aside",
        |house, cart| {
            house.desk.run(SetAside { cart }).unwrap();
        },
        Money::Sold,
    ),
    (
        "set aside, a seat is displaced",
        |house, cart| {
            house.desk.run(SetAside { cart }).unwrap();
            house.disable("A2");
        },
        Money::Owed,
    ),
    ("reserved", reserve, Money::Sold),
    (
        "reserved, and not paid by then",
        |house, cart| {
            reserve(house, cart);
            house.pass(Span::minutes(430));
        },
        Money::Sold,
    ),
    ("canceled", cancel, Money::Sold),
    (
        "canceled, a seat is sold",
        |house, cart| {
            cancel(house, cart);
            house.sold("A2");
        },
        Money::Unissued,
    ),
    (
        "canceled and revived",
        |house, cart| {
            cancel(house, cart);
            house.desk.run(ReviveCart { cart }).unwrap();
        },
        Money::Unissued,
    ),
    (
        "taken over and canceled",
        |house, cart| {
            let till = house.at("till-2");
            let from = TakeFrom::Anybody;
            till.run(TakeOver { cart, from }).unwrap();
            till.run(CancelCart { cart }).unwrap();
        },
        Money::Sold,
    ),
    ("expired", |house, _| late(house), Money::Sold),
    (
        "expired and swept",
        |house, _| {
            late(house);
            house.desk.sweep().unwrap();
        },
        Money::Sold,
    ),
    (
        "expired, a seat is held by another",
        |house, _| {
            late(house);
            house.cart_with("A2");
        },
        Money::Unissued,
    ),
    (
        "a seat is disabled, then expired",
        |house, _| {
            house.disable("A2");
            late(house);
        },
        Money::Owed,
    ),
    (
        "a seat is disabled, then canceled",
        |house, cart| {
            house.disable("A2");
            cancel(house, cart);
        },
        Money::Owed,
    ),
    (
        "expired, then a seat is disabled",
        |house, _| {
            late(house);
            house.disable("A2");
        },
        Money::Unissued,
    ),
    ("the performance is canceled", |house, _| house.cancel_show(), Money::Unissued),
    (
        "expired, the performance is canceled",
        |house, _| {
            late(house);
            house.cancel_show();
        },
        Money::Unissued,
    ),
    (
        "paid in cash meanwhile",
        |house, cart| {
            house.at("till-2").run(paying(cart, 2000)).unwrap();
        },
        Money::Unissued,
    ),
];

/// A house where a card terminal works on A1 A2, EUR 20.00.
fn at_the_terminal() -> (House, CartId) {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    house.desk.run(BeginPayment { cart }).unwrap();
    (house, cart)
}

fn minor(item: &WorklistItem) -> i64 {
    match &item.what {
        WorkKind::UnissuedPayment { minor, reference, .. } if reference == "X1" => *minor,
        WorkKind::UnissuedPayment { .. }
        | WorkKind::Displaced { .. }
        | WorkKind::Overpaid { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => {
            panic!("no such payment: {item:?}")
        }
    }
}

#[test]
fn money_of_a_begun_card_payment_is_never_dropped() {
    for (state, between, expected) in STATES {
        let (house, cart) = at_the_terminal();
        between(&house, cart);
        let id = CommandId::random();
        let answer = house.desk.run_as(id, card(cart, Some(2000), None));
        let answer = answer.unwrap_or_else(|failure| panic!("{state}: {failure:?}"));
        let (money, taken) = match &answer {
            CheckedOut::Receipt(receipt) => (Money::Sold, receipt.total),
            CheckedOut::Owed(receipt, item) => (Money::Owed, receipt.total + minor(item)),
            CheckedOut::Unissued(item) => (Money::Unissued, minor(item)),
        };
        assert_eq!((money, taken), (expected, 2000), "{state}");
        let worklist = || house.desk.read(ReadWorklist).unwrap();
        let before = worklist();
        if let CheckedOut::Owed(_, item) | CheckedOut::Unissued(item) = &answer {
            assert_eq!(before[0].item, **item, "{state}: it is not first");
        }
        house.verified();
        let again = house.desk.run_as(id, card(cart, Some(2000), None));
        assert_eq!(again.unwrap(), answer, "{state}: the same command again");
        no(&house.desk, card(cart, Some(2000), None));
        assert_eq!(worklist(), before, "{state}: recorded twice");
        house.verified();
    }
}

/// Something that a rival does at another till to what an exchange brings back, or to its cart.
type Rival = fn(&House, &Receipt, CartId);

fn back_in_cash(house: &House, sold: &Receipt) {
    house.at("till-2").run(refund(sold, None, BackBy::Cash)).unwrap();
}

fn unreturn(house: &House, cart: CartId) {
    let line = house.cart(cart).returns.first().unwrap().number;
    house.desk.run(Unreturn { cart, line }).unwrap();
}

/// Everything that may happen to an exchange of a seat of 10.00 for three while a card is charged with 20.00.
const RIVALS: [(&str, Rival, Money); 13] = [
    ("refund", |house, sold, _| back_in_cash(house, sold), Money::Unissued),
    ("void", |house, sold, _| drop(house.desk.run(correct(sold, CorrectionAct::Void)).unwrap()), Money::Unissued),
    (
        "exchange",
        |house, sold, _| {
            let other = Take::Seats { performance: house.show, seats: named("E1"), ticket_type: None };
            let terms = ReturnTerms { reason: "swap".into(), ..ReturnTerms::default() };
            let swap = Exchange { receipt: sold.id, cells: None, take: other, tenders: Vec::new(), terms };
            house.at("till-2").run(swap).unwrap();
        },
        Money::Unissued,
    ),
    (
        "release",
        |house, sold, _| drop(house.desk.run(correct(sold, CorrectionAct::Release { cells: None })).unwrap()),
        Money::Unissued,
    ),
    (
        "goodwill",
        |house, sold, _| {
            let act = CorrectionAct::Goodwill { back: BackBy::Cash.into(), amount: 600 };
            house.at("till-2").run(correct(sold, act)).unwrap();
        },
        Money::Sold,
    ),
    ("the night is canceled", |house, _, _| house.cancel_show(), Money::Unissued),
    (
        "the night is canceled, and nothing is brought back",
        |house, _, cart| {
            house.cancel_show();
            unreturn(house, cart);
        },
        Money::Unissued,
    ),
    ("the seat is disabled", |house, _, _| house.disable("B1"), Money::Sold),
    ("canceled", |house, _, cart| cancel(house, cart), Money::Sold),
    (
        "nothing is brought back, and canceled",
        |house, _, cart| {
            unreturn(house, cart);
            cancel(house, cart);
        },
        Money::Unissued,
    ),
    (
        "refund, and canceled",
        |house, sold, cart| {
            back_in_cash(house, sold);
            cancel(house, cart);
        },
        Money::Unissued,
    ),
    (
        "refund, and expired",
        |house, sold, _| {
            back_in_cash(house, sold);
            late(house);
        },
        Money::Unissued,
    ),
    (
        "refund, and a taken seat is disabled",
        |house, sold, _| {
            back_in_cash(house, sold);
            house.disable("C1");
        },
        Money::Unissued,
    ),
];

/// A sold seat B1, and a cart that brings it back for C1 C2 C3 while a card terminal works on EUR 20.00.
fn exchange_at_the_terminal() -> (House, Receipt, CartId) {
    let house = House::royal();
    let sold = house.sold("B1");
    let cart = house.desk.run(ReturnCells { cart: None, receipt: sold.id, cells: None }).unwrap().id;
    house.hold(cart, "C1 C2 C3").unwrap();
    house.desk.run(BeginPayment { cart }).unwrap();
    (house, sold, cart)
}

fn exchanging(cart: CartId, charged: i64) -> Checkout {
    let terms = ReturnTerms { reason: "swap".into(), ..ReturnTerms::default() };
    Checkout { returns: Some(terms), ..card(cart, Some(charged), None) }
}

#[test]
fn money_of_an_exchange_is_never_dropped_whatever_its_rivals_do() {
    for (rival, does, expected) in RIVALS {
        let (house, sold, cart) = exchange_at_the_terminal();
        does(&house, &sold, cart);
        let open = house.state(cart) == CartState::Active;
        let answer = house.desk.run(exchanging(cart, 2000));
        let answer = answer.unwrap_or_else(|failure| panic!("{rival}: {failure:?}"));
        let (money, taken) = match &answer {
            CheckedOut::Receipt(receipt) => (Money::Sold, receipt.total),
            CheckedOut::Owed(receipt, item) => (Money::Owed, receipt.total + minor(item)),
            CheckedOut::Unissued(item) => (Money::Unissued, minor(item)),
        };
        assert_eq!((money, taken), (expected, 2000), "{rival}");
        if money == Money::Unissued && open {
            assert_eq!(house.state(cart), CartState::Active, "{rival}: its seats stay");
        }
        let again = no(&house.desk, exchanging(cart, 2000));
        let is_known = matches!(again, Refusal::PaymentRecorded { .. } | Refusal::CartDone { .. });
        assert!(is_known, "{rival}: {again:?}");
        house.verified();
    }
}

#[test]
fn a_card_that_pays_a_part_is_kept_unless_its_cart_can_still_be_paid() {
    let (house, _, cart) = exchange_at_the_terminal();
    unreturn(&house, cart);
    let short = no(&house.desk, exchanging(cart, 2000));
    assert!(matches!(short, Refusal::PaymentShort { missing: 1000, .. }), "{short:?}");
    let mut both = card(cart, Some(2000), None);
    both.tenders.push(Tender::Cash { given: None });
    let sold = house.desk.run(both).unwrap();
    assert!(matches!(&sold, CheckedOut::Receipt(receipt) if receipt.total == 3000), "{sold:?}");
    house.verified();

    let house = House::royal();
    let cart = house.cart_with("A1 A2 A3");
    house.desk.run(BeginPayment { cart }).unwrap();
    cancel(&house, cart);
    let kept = house.desk.run(card(cart, Some(2000), None)).unwrap();
    let CheckedOut::Unissued(item) = kept else { panic!("{kept:?}") };
    assert_eq!(minor(&item), 2000);
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn a_begun_card_payment_for_a_booking_that_is_canceled_or_paid_is_kept() {
    let rivals: [fn(&House, &Booking); 2] = [
        |house, gala| {
            house.desk.run(CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine }).unwrap();
        },
        |house, gala| {
            let other = house.desk.run(charge(house, gala, None)).unwrap();
            house.pay(other.id, 3000).unwrap();
        },
    ];
    for rival in rivals {
        let house = House::royal();
        let gala = booked(&house, "2026-12-01 20:00 23:00");
        let cart = house.desk.run(charge(&house, &gala, None)).unwrap().id;
        house.desk.run(BeginPayment { cart }).unwrap();
        rival(&house, &gala);
        let kept = house.desk.run(card(cart, Some(3000), None)).unwrap();
        let CheckedOut::Unissued(item) = kept else { panic!("{kept:?}") };
        assert_eq!(minor(&item), 3000);
        house.verified();
    }
}

#[test]
fn a_second_recording_says_where_the_first_one_is() {
    let (house, cart) = at_the_terminal();
    cancel(&house, cart);
    house.desk.run(card(cart, Some(2000), None)).unwrap();
    assert!(
        matches!(no(&house.desk, card(cart, Some(2000), None)), Refusal::PaymentRecorded { receipt: Some(number) } if number == "till-1/1")
    );
    let (house, cart) = at_the_terminal();
    cancel(&house, cart);
    house.sold("A1");
    house.desk.run(card(cart, Some(2000), None)).unwrap();
    assert!(matches!(no(&house.desk, card(cart, Some(2000), None)), Refusal::PaymentRecorded { receipt: None }));
    assert!(matches!(no(&house.desk, paying(cart, 2000)), Refusal::CartCanceled), "cash is told why");
}

#[test]
fn a_charge_after_the_total_fell_has_to_be_said() {
    let (house, cart) = at_the_terminal();
    house.disable("A2");
    assert!(
        matches!(no(&house.desk, card(cart, None, None)), Refusal::ChargeUnsaid { due, total, .. } if (due, total) == (2000, 1000))
    );
    assert!(
        matches!(no(&house.desk, card(cart, Some(2500), None)), Refusal::CardOver { .. }),
        "so much was never due: a slip of the finger"
    );
    let seen = house.desk.run(card(cart, None, Some(2000))).unwrap();
    assert!(
        matches!(&seen, CheckedOut::Owed(receipt, item) if (receipt.total, minor(item)) == (1000, 1000)),
        "the operator saw 20.00: {seen:?}"
    );
    house.verified();
}

#[test]
fn more_seats_after_the_payment_began_are_paid_like_any_others() {
    let (house, cart) = at_the_terminal();
    let more = HoldSeats { ..house.holding(cart, "A3") };
    house.desk.run(more).unwrap();
    assert!(matches!(no(&house.desk, card(cart, Some(2000), None)), Refusal::PaymentShort { .. }));
    house.disable("A3");
    let sold = house.desk.run(card(cart, Some(2000), None)).unwrap();
    assert!(matches!(sold, CheckedOut::Receipt(_)), "{sold:?}");
    house.verified();
}

#[test]
fn while_the_terminal_may_be_at_work_no_other_station_cancels_the_cart() {
    let (house, cart) = at_the_terminal();
    let till = house.at("till-2");
    let refusal = refused(till.run(CancelCart { cart }));
    assert!(
        matches!(&refusal, Refusal::PaymentUnderWay { operator, station } if (operator.as_str(), station.as_str()) == ("ada", "till-1"))
    );
    assert_eq!(house.state(cart), CartState::Active);
    house.pass(Span::minutes(5));
    till.run(CancelCart { cart }).unwrap();
    house.verified();
}

#[test]
fn money_without_cells_and_without_a_place_on_the_worklist_is_named() {
    if super::ground().folder().is_none() {
        // it is broken by functions that servers spell otherwise
        return;
    }
    let (house, cart) = at_the_terminal();
    house.sold("B1 B2");
    house.disable("A1 A2 B1");
    house.desk.run(card(cart, Some(2000), None)).unwrap();
    house.verified();
    let file = house.ground.folder().unwrap().path().join("house.db");
    for (sql, subject) in [
        ("DELETE FROM work WHERE body LIKE '%displaced%'", "receipt till-1/1"),
        ("DELETE FROM work WHERE body LIKE '%unissued%'", "cart "),
    ] {
        let copy = tempfile::tempdir().unwrap();
        let place = copy.path().join("house.db");
        let original = rusqlite::Connection::open(&file).unwrap();
        let path = place.display().to_string();
        original.execute("VACUUM INTO $1", [path]).unwrap();
        let changed = rusqlite::Connection::open(&place).unwrap();
        assert!(changed.execute(sql, []).unwrap() > 0, "{sql}");
        drop(changed);
        let engine = Engine::open(Config::new(place)).unwrap();
        let report = engine.desk(actor("ada", "till-1")).read(Verify::default()).unwrap();
        let named = report
            .violations
            .iter()
            .any(|violation| violation.invariant == Invariant::Money && violation.subject.starts_with(subject));
        assert!(named, "{sql}: {:?}", report.violations);
    }
}
