//! Carts and receipts: cases T1 to T9, T14 and T19.

use willcall::domain::back::{Back, Share};
use willcall::domain::cart::{CartState, PAYMENT_SPAN};
use willcall::domain::customer::Customer;
use willcall::domain::house::{WorkKind, WorkState};
use willcall::domain::ids::{CartId, CommandId};
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::{self, Lack, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    BePresent, BeginPayment, CancelCart, CartPart, ChangePlan, ChangeSettings, CheckedOut, Checkout, DisableSeats,
    ExtendCart, GiveBack, HoldSeats, HouseSeats, ItemAct, NameCustomer, OpenCart, Retype, ReviveCart, SeatChoice,
    SetAside, SettleItem, TakeFrom, TakeOver, Which,
};
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::formats::rows;

use super::support::{House, NOON, named, names, no, paying, receipt, refused, seat};

#[test]
fn t1_three_seats_are_held_and_sold() {
    let house = House::royal();
    let cart = house.open_cart();
    let held = house.hold(cart, "B6 B7 B8").unwrap();
    assert_eq!((held.total(), house.free()), (Ok(3000), 77));
    let receipt = house.pay(cart, 5000).unwrap();
    assert_eq!((receipt.number.as_str(), receipt.total, receipt.change()), ("till-1/1", 3000, 2000));
    assert_eq!(receipt.lines.len(), 1);
    assert_eq!(receipt.lines[0].goods.seats(), [seat(1, 5), seat(1, 6), seat(1, 7)]);
    assert_eq!((house.free(), house.state(cart)), (77, CartState::Done(receipt.id)));
    house.verified();
}

#[test]
fn t2_a_taken_seat_refuses_the_whole_choice_and_names_it() {
    let house = House::royal();
    house.cart_with("B6 B7 B8");
    let other = house.open_cart();
    for (wanted, taken) in [("B6 B7 B8", "B6 B7 B8"), ("B5 B6", "B6")] {
        let Refusal::Taken { facts, .. } = refused(house.hold(other, wanted)) else { panic!("another refusal") };
        assert_eq!(refusal::names(&facts), names(taken));
        assert_eq!((facts[0].state(), facts[0].by.to_string().as_str()), ("held", "till-1"));
        assert!(facts[0].until.is_some());
    }
    let view = house.cart(other);
    assert_eq!((view.state, view.lines.len(), house.free()), (CartState::Active, 0, 77));
    house.verified();
}

#[test]
fn t3_a_canceled_cart_cannot_be_paid_and_frees_its_seats() {
    let house = House::royal();
    let cart = house.cart_with("B6 B7 B8");
    house.at("till-2").run(CancelCart { cart }).unwrap();
    assert_eq!(refused(house.pay(cart, 3000)), Refusal::CartCanceled);
    assert_eq!(house.free(), 80);
    house.verified();
}

#[test]
fn t4_the_deadline_frees_seats_by_itself_and_the_sweep_only_tidies() {
    let house = House::royal();
    let late = house.cart_with("B6 B7 B8");
    house.pass(Span::from_millis(Span::minutes(30).millis() - 1));
    assert_eq!((house.free(), house.desk.sweep().unwrap()), (77, 0));
    house.pass(Span::from_millis(1));
    assert_eq!((house.free(), house.state(late)), (80, CartState::Expired), "free at that instant, without a sweep");
    let taker = house.cart_with("B7");
    assert_eq!(house.free(), 79);
    assert_eq!(house.desk.sweep().unwrap(), 0, "the taker has ended the late cart, and its check with it");
    house.pay(taker, 1000).unwrap();
    let view = house.cart(late);
    assert_eq!(
        (view.state, view.lines[0].seats().len(), view.total),
        (CartState::Expired, 3, 3000),
        "its history is kept"
    );

    let abandoned = house.cart_with("C1 C2");
    house.pass(Span::minutes(30));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!((house.state(abandoned), house.free()), (CartState::Expired, 79));
    house.verified();
}

#[test]
fn t5_only_what_is_given_back_comes_back_and_nonsense_has_its_own_refusals() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    house.hold(cart, "B1 B2 B3").unwrap();
    house.desk.run(GiveBack::line(cart, 1, None)).unwrap();
    assert_eq!((house.free(), house.cart(cart).lines.len()), (77, 1));
    house.desk.run(GiveBack::line(cart, 2, Some(vec![seat(1, 1)]))).unwrap();
    assert_eq!(house.free(), 78);
    assert!(matches!(no(&house.desk, GiveBack::line(cart, 1, None)), Refusal::UnknownLine { .. }));
    assert!(matches!(refused(house.hold(cart, "C1 c1")), Refusal::RepeatedSeat { seat } if seat == "C1"));
    assert_eq!(refused(house.hold(cart, "Z9")), Refusal::UnknownSeat { seats: names("Z9") });
    assert_eq!(refused(house.hold(cart, "")), Refusal::NothingChosen);
    let twice = HoldSeats { seats: SeatChoice::Seats(vec![seat(0, 0), seat(0, 0)]), ..house.holding(cart, "") };
    assert!(matches!(no(&house.desk, twice), Refusal::RepeatedSeat { .. }));
    let outside = HoldSeats { seats: SeatChoice::Seats(vec![seat(0, 16)]), ..house.holding(cart, "") };
    assert!(matches!(no(&house.desk, outside), Refusal::UnknownSeat { .. }));
    house.verified();
}

#[test]
fn t6_a_cart_that_ended_refuses_everything() {
    let house = House::royal();
    let (expired, canceled, done) = (house.cart_with("A1"), house.cart_with("A2"), house.cart_with("A3"));
    house.desk.run(CancelCart { cart: canceled }).unwrap();
    let number = house.pay(done, 1000).unwrap().number;
    house.pass(Span::minutes(31));
    for (cart, expected) in [(canceled, "cart_canceled"), (expired, "cart_expired"), (done, "cart_done")] {
        let desk = &house.desk;
        let refusals = [
            refused(house.pay(cart, 1000)),
            refused(house.hold(cart, "E1")),
            no(desk, ExtendCart { cart }),
            no(desk, GiveBack::line(cart, 1, None)),
            no(desk, Retype { cart, part: CartPart::of(1, None), ticket_type: "Adult".into() }),
        ];
        for refusal in refusals {
            assert_eq!(refusal.kind(), expected);
        }
    }
    assert_eq!(refused(house.pay(done, 1000)), Refusal::CartDone { receipt: number });
    house.verified();
}

#[test]
fn t6_the_same_command_gives_the_same_receipt_and_another_total_is_refused() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    let command = CommandId::random();
    let stale = Checkout { seen: Some(1000), ..paying(cart, 2000) };
    assert!(matches!(refused(house.desk.run_as(command, stale)), Refusal::TotalChanged { .. }));
    let first = receipt(house.desk.run_as(command, paying(cart, 2000)).unwrap());
    let again = receipt(house.desk.run_as(command, paying(cart, 2000)).unwrap());
    assert_eq!(first, again);
    assert!(matches!(refused(house.desk.run_as(command, paying(cart, 2500))), Refusal::CommandReused { .. }));
    house.verified();
}

#[test]
fn t6_checkout_and_expiry_at_the_same_instant_exclude_each_other() {
    const CARTS: u32 = 100;
    // on a server each commit is a flush of its own
    let rounds = if super::ground().folder().is_some() { 100 } else { 10 };
    let mut house = House::of(rows::parse("100x100").unwrap(), &[(None, None, 100)]);
    house.show = house.performance_at(NOON + Span::minutes(60 * 24 * 30), "Long run", &[(None, None, 100)]);
    let mut sold = 0;
    for round in 0..rounds {
        let hold = |place| HoldSeats {
            cart: None,
            seats: SeatChoice::Seats(vec![seat(round, place)]),
            ..house.holding(CartId::random(), "")
        };
        let carts: Vec<CartId> = (0..CARTS).map(|place| house.desk.run(hold(place)).unwrap().id).collect();
        house.pass(Span::from_millis(Span::minutes(30).millis() - 1));
        let paid = std::thread::scope(|scope| {
            let till = scope.spawn(|| carts.iter().filter(|cart| house.pay(**cart, 100).is_ok()).count());
            house.pass(Span::from_millis(1));
            house.desk.sweep().unwrap();
            till.join().unwrap()
        });
        house.desk.sweep().unwrap();
        let states: Vec<CartState> = carts.iter().map(|cart| house.state(*cart)).collect();
        let done = states.iter().filter(|state| matches!(state, CartState::Done(_))).count();
        let expired = states.iter().filter(|state| **state == CartState::Expired).count();
        assert_eq!((done, done + expired), (paid, carts.len()), "each cart ends once");
        sold += paid;
    }
    assert_eq!(usize::try_from(house.free()).unwrap(), 10_000 - sold);
    house.verified();
}

#[test]
fn t7_adding_renews_up_to_the_cap_and_a_refused_add_does_not() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let deadline = house.cart(cart).cart.expires_at;
    house.pass(Span::minutes(10));
    house.sold("B1");
    refused(house.hold(cart, "A2 B1"));
    assert_eq!(house.cart(cart).cart.expires_at, deadline);
    house.hold(cart, "A2").unwrap();
    assert_eq!(house.cart(cart).cart.expires_at, deadline + Span::minutes(10));
    house.pass(Span::minutes(29));
    house.desk.run(ExtendCart { cart }).unwrap();
    assert_eq!(house.cart(cart).cart.expires_at, deadline + Span::minutes(30), "the cap");
    assert!(matches!(no(&house.desk, ExtendCart { cart }), Refusal::HoldCap { .. }));
    house.desk.run(CancelCart { cart }).unwrap();
    house.desk.run(CancelCart { cart }).unwrap();
    let next = house.cart_with("A1");
    assert!(
        matches!(no(&house.desk, GiveBack::line(cart, 1, None)), Refusal::CartCanceled),
        "frees nothing of the next"
    );
    assert_eq!((house.state(next), house.free()), (CartState::Active, 78));
    house.verified();
}

#[test]
fn t9_prices_are_stamped_when_seats_are_held() {
    let house = House::royal();
    let types = house.performance("Matinee", &[(None, None, 5400), (None, Some("Child"), 2700)]);
    let cart = house.open_cart();
    let hold = |seats: &str, ticket_type: Option<&str>| HoldSeats {
        cart: Some(cart),
        performance: types,
        seats: named(seats),
        ticket_type: ticket_type.map(Into::into),
        kept: HouseSeats::Refuse,
    };
    house.desk.run(hold("F9 F10".replace('F', "A").as_str(), None)).unwrap();
    let both = house.desk.run(hold("B1", Some("child"))).unwrap();
    assert_eq!(both.total(), Ok(2 * 5400 + 2700));
    assert_eq!(both.lines[1].kind, "Child");
    assert!(matches!(no(&house.desk, hold("B2", Some("Senior"))), Refusal::NotOnSale { .. }));
    let retyped = house
        .desk
        .run(Retype { cart, part: CartPart::of(1, Some(vec![seat(0, 9)])), ticket_type: "Child".into() })
        .unwrap();
    assert_eq!(retyped.total(), Ok(5400 + 2 * 2700));
    assert_eq!(
        retyped.lines.iter().map(|line| line.number).collect::<Vec<_>>(),
        [1, 2, 3],
        "retyped cells become a new line"
    );
    house.pay(cart, 20_000).unwrap();
    house.verified();
}

#[test]
fn t13_one_cart_for_two_performances_is_settled_or_freed_as_one() {
    let house = House::royal();
    let other = house.performance("Late show", &[(None, None, 700)]);
    let late = HoldSeats { performance: other, ..house.holding(house.open_cart(), "E1 E2") };
    let cart = late.cart.unwrap();
    house.desk.run(late).unwrap();
    house.hold(cart, "A1").unwrap();
    house.hold(cart, "A2").unwrap();
    house.sold("A3");
    refused(house.hold(cart, "A3"));
    assert_eq!(house.cart(cart).lines.len(), 3);
    let receipt = house.pay(cart, 3400).unwrap();
    assert_eq!((receipt.lines.len(), receipt.total), (3, 3400));
    house.verified();
}

#[test]
fn t14_money_taken_by_card_is_never_dropped() {
    let house = House::royal();
    let card = |cart| Checkout::new(cart, vec![Tender::Card { reference: "004417".into(), charged: None }]);
    let (free, taken, never) = (house.cart_with("A1 A2"), house.cart_with("B1 B2"), house.cart_with("C1"));
    house.pass(Span::minutes(29));
    for cart in [free, taken] {
        let begun = house.desk.run(BeginPayment { cart }).unwrap();
        assert_eq!(begun.expires_at, house.desk.now() + PAYMENT_SPAN);
    }
    house.pass(Span::minutes(15));
    house.sold("B2");
    let late = receipt(house.desk.run(card(free)).unwrap());
    assert_eq!((late.total, house.state(free)), (2000, CartState::Expired), "a new cart at the old price");
    let CheckedOut::Unissued(item) = house.desk.run(card(taken)).unwrap() else { panic!("issued") };
    assert!(matches!(&item.what, WorkKind::UnissuedPayment { minor: 2000, reference, .. } if reference == "004417"));
    assert!(matches!(no(&house.desk, card(taken)), Refusal::PaymentRecorded { receipt: None }), "it is recorded once");
    assert!(matches!(no(&house.desk, card(never)), Refusal::CartExpired { .. }), "it never began a payment");
    assert_eq!(house.desk.read(ReadWorklist).unwrap()[0].item, *item);
    house.verified();
    let settle = SettleItem {
        item: item.id,
        act: ItemAct::Refund { back: Back::default(), share: Share::All },
        reason: "it bought nothing".into(),
    };
    let done = house.desk.run(settle.clone()).unwrap();
    assert!(matches!(done.item.state, WorkState::Resolved { .. }));
    assert!(matches!(no(&house.desk, settle), Refusal::AlreadyResolved { .. }));
    house.verified();
}

#[test]
fn t14_a_card_that_was_charged_with_more_than_is_left_to_buy_is_kept_too() {
    let house = House::royal();
    let card =
        |cart, minor| Checkout::new(cart, vec![Tender::Card { reference: "004417".into(), charged: Some(minor) }]);
    let kept = |cart, minor: i64| {
        let CheckedOut::Unissued(item) = house.desk.run(card(cart, minor)).unwrap() else { panic!("issued") };
        assert!(
            matches!(&item.what, WorkKind::UnissuedPayment { minor: kept, cart: of, .. } if (*kept, *of) == (minor, cart))
        );
    };
    let carts = ["A1 A2", "B1 B2", "C1 C2", "D1 D2", "E1 E2"].map(|seats| house.cart_with(seats));
    for cart in carts {
        house.desk.run(BeginPayment { cart }).unwrap();
    }
    let [emptied, shrunk, short, untouched, part] = carts;
    let leak = DisableSeats { which: Which::Performance(house.show), seats: names("A1 A2 B1"), reason: "leak".into() };
    house.desk.run(leak).unwrap();
    kept(emptied, 2000);
    assert!(matches!(no(&house.desk, card(emptied, 2000)), Refusal::PaymentRecorded { .. }), "it is recorded once");
    house.pass(Span::minutes(31));
    house.sold("C1");
    let owed = |cart, minor, total: i64| {
        let CheckedOut::Owed(receipt, item) = house.desk.run(card(cart, minor)).unwrap() else {
            panic!("nothing is owed")
        };
        let rest = minor - total;
        assert_eq!(receipt.total, total);
        assert!(matches!(item.what, WorkKind::UnissuedPayment { minor, .. } if minor == rest));
    };
    owed(shrunk, 2000, 1000);
    kept(short, 1500);
    kept(part, 1500);
    owed(untouched, 2500, 2000);
    assert_eq!(house.desk.read(ReadWorklist).unwrap().len(), 5);
    house.verified();
}

#[test]
fn a_late_payment_by_two_cards_keeps_both_references_and_a_free_ticket_leaves_none() {
    let house = House::royal();
    let free = house.performance("Preview", &[(None, None, 0)]);
    let (paid, gift) = (house.cart_with("A1 A2"), house.open_cart());
    let preview = HoldSeats { performance: free, ..house.holding(gift, "A1") };
    house.desk.run(preview.clone()).unwrap();
    for cart in [paid, gift] {
        house.desk.run(BeginPayment { cart }).unwrap();
    }
    house.pass(Span::minutes(31));
    house.cart_with("A1");
    house.desk.run(HoldSeats { cart: None, ..preview }).unwrap();
    let card = |reference: &str, charged| Tender::Card { reference: reference.into(), charged };
    let late = |cart, tenders| Checkout::new(cart, tenders);
    let cards = vec![card("0044", None), card("0017", Some(500))];
    let CheckedOut::Unissued(item) = house.desk.run(late(paid, cards)).unwrap() else { panic!("issued") };
    assert!(
        matches!(&item.what, WorkKind::UnissuedPayment { minor: 2000, reference, .. } if reference == "0044, 0017")
    );
    assert!(matches!(no(&house.desk, late(gift, vec![card("0018", None)])), Refusal::CartExpired { .. }));
    house.verified();
}

#[test]
fn t17_a_taker_ends_a_late_cart_whole() {
    let house = House::royal();
    let others = ["Second", "Third"].map(|title| house.performance(title, &[(None, None, 500)]));
    let late = house.cart_with("A1 A2");
    for performance in others {
        house.desk.run(HoldSeats { performance, ..house.holding(late, "C1 C2 C3") }).unwrap();
    }
    house.pass(Span::minutes(30));
    house.cart_with("A2");
    house.verified();
    assert_eq!(house.state(late), CartState::Expired);
    let taken =
        |performance| house.desk.read(willcall::engine::reads::seat_map::ReadSeatMap(performance)).unwrap().free;
    assert_eq!(others.map(taken), [80, 80]);
}

#[test]
fn t19_a_performance_keeps_the_plan_that_it_sells() {
    let house = House::royal();
    let receipt = house.sold("E16");
    house.desk.run(ChangePlan { theater: house.theater, plan: rows::parse("2x3").unwrap() }).unwrap();
    assert_eq!(
        (house.free(), house.map().plan.seat_name(receipt.lines[0].goods.seats()[0]).to_owned()),
        (79, "E16".to_owned())
    );
    house.cart_with("E15");
    let smaller = house.performance("After", &[(None, None, 100)]);
    let cart = house.open_cart();
    assert!(matches!(
        no(&house.desk, HoldSeats { performance: smaller, ..house.holding(cart, "E15") }),
        Refusal::UnknownSeat { .. }
    ));
    house.verified();
}

#[test]
fn a_cart_set_aside_is_taken_over_and_another_stations_only_on_purpose() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let other = house.at("till-2");
    let take = |from| TakeOver { cart, from };
    assert!(
        matches!(no(&other, take(TakeFrom::SetAside)), Refusal::CartElsewhere { station, .. } if station == "till-1")
    );
    house.desk.run(SetAside { cart }).unwrap();
    assert_eq!(other.run(take(TakeFrom::SetAside)).unwrap().station, "till-2");
    assert_eq!(house.desk.run(take(TakeFrom::Anybody)).unwrap().station, "till-1");
    house.verified();
}

/// A desk that is on has the cart on its screen: no other station changes or pays it unasked. Money of a card that was
/// charged is taken from anywhere.
#[test]
fn a_cart_at_work_on_another_desk_is_changed_and_paid_only_after_a_take_over() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    let other = house.at("till-9");
    house.desk.run(BePresent::At("Seats".into())).unwrap();
    let customer = Customer { name: "Mallory".into(), ..Customer::default() };
    let refusals = [
        no(&other, NameCustomer { cart, customer }),
        no(&other, ExtendCart { cart }),
        no(&other, house.holding(cart, "A3")),
        no(&other, CancelCart { cart }),
        no(&other, paying(cart, 2000)),
    ];
    for refusal in refusals {
        let Refusal::CartElsewhere { operator, station } = refusal else { panic!("{refusal:?}") };
        assert_eq!((operator.as_str(), station.as_str()), ("ada", "till-1"));
    }
    let view = house.cart(cart);
    assert_eq!((view.customer.name.as_str(), house.free()), ("", 78));
    let from = TakeFrom::Anybody;
    other.run(TakeOver { cart, from }).unwrap();
    other.run(ExtendCart { cart }).unwrap();
    house.desk.run(TakeOver { cart, from }).unwrap();
    house.desk.run(BePresent::Off).unwrap();
    other.run(paying(cart, 2000)).unwrap();
    house.verified();
}

#[test]
fn a_cart_that_ended_is_revived_whole_at_todays_price_or_not_at_all() {
    let house = House::royal();
    let (lost, snatched) = (house.cart_with("A1 A2"), house.cart_with("B1 B2"));
    house.pass(Span::minutes(30));
    house.sold("B2");
    let revived = house.desk.run(ReviveCart { cart: lost }).unwrap();
    assert_eq!((revived.seat_count(), revived.state), (2, CartState::Active));
    assert!(matches!(no(&house.desk, ReviveCart { cart: snatched }), Refusal::Taken { .. }));
    assert_eq!(no(&house.desk, ReviveCart { cart: revived.id }), Refusal::CartActive);
    house.verified();
}

#[test]
fn a_revival_names_every_seat_that_is_gone_and_keeps_to_the_most_a_cart_has() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    house.hold(cart, "C1 C2").unwrap();
    house.desk.run(CancelCart { cart }).unwrap();
    let seats_max = |seats_max| ChangeSettings::to("seats-max", &seats_max);
    house.desk.run(seats_max(3)).unwrap();
    assert_eq!(no(&house.desk, ReviveCart { cart }), Refusal::TooManySeats { wanted: 4, seats_max: 3 });
    house.desk.run(seats_max(20)).unwrap();
    house.sold("A2 C1");
    assert!(
        matches!(no(&house.desk, ReviveCart { cart }), Refusal::Taken { facts, .. } if refusal::names(&facts) == ["A2", "C1"])
    );
    house.verified();
}

#[test]
fn seats_of_a_line_are_named_as_the_map_names_them() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2");
    let give = |seats| GiveBack::line(cart, 1, Some(seats));
    let Refusal::NotYours { lack: Lack::InCart, facts } = no(&house.desk, give(vec![seat(0, 1), seat(0, 2)])) else {
        panic!("another refusal")
    };
    assert_eq!(refusal::names(&facts), ["A3"]);
    assert_eq!(no(&house.desk, give(vec![seat(0, 1), seat(0, 1)])), Refusal::RepeatedSeat { seat: "A2".into() });
    assert_eq!(no(&house.desk, give(vec![])), Refusal::NothingChosen);
    house.verified();
}

#[test]
fn seats_in_several_lines_are_retyped_and_given_back_by_one_act() {
    let house = House::royal();
    let show = house.performance("Matinee", &[(None, None, 5400), (None, Some("Child"), 2700)]);
    let cart = house.open_cart();
    let hold = |seats: &str, ticket_type: Option<&str>| HoldSeats {
        cart: Some(cart),
        performance: show,
        seats: named(seats),
        ticket_type: ticket_type.map(Into::into),
        kept: HouseSeats::Refuse,
    };
    house.desk.run(hold("A1 A2", None)).unwrap();
    house.desk.run(hold("B1", Some("Child"))).unwrap();
    let part = |seats: &[_]| CartPart::Seats { performance: show, seats: seats.to_vec() };
    let three = [seat(0, 0), seat(0, 1), seat(1, 0)];
    let retyped = house.desk.run(Retype { cart, part: part(&three), ticket_type: "Child".into() }).unwrap();
    assert_eq!((retyped.total(), retyped.seat_count()), (Ok(3 * 2700), 3));

    let give = |part| GiveBack { cart, part };
    let Refusal::NotYours { lack: Lack::InCart, facts } =
        no(&house.desk, give(part(&[seat(0, 0), seat(1, 0), seat(2, 0)])))
    else {
        panic!("another refusal")
    };
    assert_eq!((refusal::names(&facts), house.cart(cart).cart.seat_count()), (names("C1"), 3), "all or none");
    for nothing in [part(&[]), CartPart::Lines(vec![])] {
        assert_eq!(no(&house.desk, give(nothing)), Refusal::NothingChosen);
    }
    assert!(house.desk.run(give(part(&three))).unwrap().is_empty());

    house.desk.run(hold("A1 A2", None)).unwrap();
    let twice = || CartPart::Lines(vec![house.cart(cart).cart.lines[0].number; 2]);
    house.desk.run(Retype { cart, part: twice(), ticket_type: "Child".into() }).unwrap();
    assert!(house.desk.run(give(twice())).unwrap().is_empty(), "a line that is named twice is one");
    house.verified();
}

#[test]
fn a_cart_has_at_most_so_many_seats_and_a_started_show_sells_none() {
    let house = House::royal();
    let cart = house.open_cart();
    let many: Vec<String> = (1..=16).map(|n| format!("A{n}")).chain((1..=5).map(|n| format!("B{n}"))).collect();
    assert_eq!(refused(house.hold(cart, &many.join(" "))), Refusal::TooManySeats { wanted: 21, seats_max: 20 });
    house.hold(cart, &many[..20].join(" ")).unwrap();
    house.hold(cart, "A1").unwrap();
    assert_eq!(house.cart(cart).cart.seat_count(), 20, "a seat that is in the cart is there once");
    assert!(matches!(refused(house.pay(house.open_cart(), 0)), Refusal::CartEmpty));
    house.pass(Span::minutes(450));
    let next = house.open_cart();
    assert!(matches!(refused(house.hold(next, "E1")), Refusal::SalesClosed { canceled: false, .. }));
    let tiny = no(&house.desk, OpenCart { hold: Some(Span::from_millis(1)), ..OpenCart::default() });
    assert!(matches!(tiny, Refusal::OutOfRange { .. }));
    house.verified();
}
