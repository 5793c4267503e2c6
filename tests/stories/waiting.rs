//! Waiting lists, and the checks that come due beside carts: seats that come free are offered once, in order.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::customer::Customer;
use willcall::domain::ids::CartId;
use willcall::domain::job::JobKind;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::Span;
use willcall::domain::waiting::Waiting;
use willcall::engine::ops::{
    AddWaiting, CancelCart, CancelPerformance, ChangeSettings, DisableSeats, EnableSeats, ExtendCart, HoldSeats,
    KeepSeats, RemoveWaiting, SetAside, Which, Whose,
};
use willcall::engine::reads::jobs::runs::ReadRuns;
use willcall::engine::reads::waitlist::{ReadWaitlist, WaitReason, WaitView, WhichWaiting};
use willcall::engine::reads::{Question, Snapshot};
use willcall::engine::{Failure, Operation, UnitOfWork};
use willcall::formats::rows;
use willcall::words;

use super::support::{HERE, House, NOON, actor, names, no, paying};
use crate::ground::Ground;
use crate::limit::PATIENCE;

/// A house of one row of six, all of it in carts of two: `A1 A2`, `A3 A4`, `A5 A6`.
fn full() -> (House, [CartId; 3]) {
    let house = House::of(rows::parse("6").unwrap(), &[(None, None, 1000)]);
    let carts = ["A1 A2", "A3 A4", "A5 A6"].map(|seats| house.cart_with(seats));
    (house, carts)
}

fn waits(house: &House, name: &str, seats: u32) -> Waiting {
    let waiting = house.desk.run(AddWaiting {
        performance: house.show,
        customer: Customer { name: name.into(), ..Customer::default() },
        seats,
        category: None,
        priority: None,
    });
    house.desk.sweep().unwrap();
    waiting.unwrap()
}

fn waits_by(house: &House, name: &str, priority: u32) -> Result<Waiting, Failure> {
    let customer = Customer { name: name.into(), ..Customer::default() };
    let (performance, priority) = (house.show, Some(priority));
    house.desk.run(AddWaiting { performance, customer, seats: 2, category: None, priority })
}

fn line(house: &House) -> Vec<WaitView> {
    house.desk.read(ReadWaitlist { performance: Some(house.show), which: WhichWaiting::All }).unwrap()
}

/// `name state` of everybody on the list.
fn stands(house: &House) -> Vec<String> {
    line(house)
        .iter()
        .map(|view| {
            let waiting = &view.waiting;
            format!("{} {}", view.customer.name, waiting.state.word())
        })
        .collect()
}

/// The cart that somebody has an offer in.
fn offer(house: &House, name: &str) -> CartId {
    let line = line(house);
    let view = line.iter().find(|view| view.customer.name == name).unwrap();
    let WaitReason::Offered { cart, .. } = view.why else { panic!("{name} has no offer: {:?}", view.why) };
    cart
}

struct ReadWords;

impl Question for ReadWords {
    type Answer = Vec<String>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let rows = snapshot.query("SELECT word FROM event ORDER BY seq", &[])?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }
}

fn told(house: &House, word: &str) -> usize {
    let words = house.desk.read(ReadWords).unwrap();
    words.iter().filter(|told| *told == word).count()
}

#[test]
fn seats_that_come_free_are_held_for_the_first_in_line_whom_they_fit() {
    let (house, [first, second, _]) = full();
    waits(&house, "Four", 4);
    waits(&house, "Ann", 2);
    waits(&house, "Ben", 2);
    assert_eq!(stands(&house), ["Four waiting", "Ann waiting", "Ben waiting"]);
    assert!(line(&house).iter().all(|view| view.why == WaitReason::NothingFree));
    house.desk.run(CancelCart { cart: first }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Four waiting", "Ann offered", "Ben waiting"]);
    assert_eq!(line(&house)[0].why, WaitReason::NothingFree);
    let cart = house.cart(offer(&house, "Ann"));
    assert!(cart.cart.set_aside && cart.customer.name == "Ann");
    assert_eq!((cart.cart.seat_count(), house.free()), (2, 0));
    house.pay(cart.cart.id, 2000).unwrap();
    house.desk.run(CancelCart { cart: second }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Four waiting", "Ann served", "Ben offered"]);
    assert_eq!(told(&house, "seats_offered"), 2, "each once");
    house.verified();
}

#[test]
fn an_offer_that_is_not_taken_goes_to_the_next_and_nobody_is_asked_twice() {
    let (house, [first, ..]) = full();
    assert!(line(&house).is_empty());
    waits(&house, "Ann", 2);
    waits(&house, "Ben", 2);
    house.desk.run(CancelCart { cart: first }).unwrap();
    house.desk.sweep().unwrap();
    house.pass(Span::minutes(30));
    house.desk.sweep().unwrap();
    house.pass(Span::minutes(1));
    house.desk.sweep().unwrap();
    let stood = stands(&house);
    assert_eq!(stood, ["Ann lapsed", "Ben offered"]);
    assert_eq!(told(&house, "offer_lapsed"), 1);
    let ben = line(&house)[1].waiting.id;
    house.desk.run(RemoveWaiting { waiting: ben }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann lapsed", "Ben removed"]);
    assert_eq!(house.free(), 6, "the offer's seats, and two carts ran out");
    house.verified();
}

#[test]
fn whatever_frees_seats_is_offered() {
    let house = House::of(rows::parse("2").unwrap(), &[(None, None, 1000)]);
    let out = DisableSeats { which: Which::Performance(house.show), seats: names("A1 A2"), reason: "wet paint".into() };
    house.desk.run(out).unwrap();
    waits(&house, "Ann", 2);
    house
        .desk
        .run(EnableSeats { which: Which::Performance(house.show), seats: names("A1 A2"), whose: Whose::Mine })
        .unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann offered"]);
    house.desk.run(CancelCart { cart: offer(&house, "Ann") }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann lapsed"], "given up is not taken");
    let expiring = house.cart_with("A1 A2");
    waits(&house, "Ben", 1);
    house.pass(Span::minutes(30));
    house.desk.sweep().unwrap();
    house.pass(Span::seconds(1));
    house.desk.sweep().unwrap();
    assert_eq!(house.state(expiring), CartState::Expired);
    assert_eq!(stands(&house), ["Ann lapsed", "Ben offered"]);
    house.verified();
}

#[test]
fn who_still_waits_is_told_why_and_who_fits_is_not_blocked() {
    let (house, [first, _, third]) = full();
    waits(&house, "Three", 3);
    house.desk.run(CancelCart { cart: first }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(line(&house)[0].why, WaitReason::NotTogether { free: 2 });
    waits(&house, "One", 1);
    assert_eq!(stands(&house), ["Three waiting", "One offered"]);
    house.desk.run(CancelCart { cart: third }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(line(&house)[0].why, WaitReason::NotTogether { free: 3 });
    assert_eq!(line(&house)[0].place, Some(1));
    let nobody =
        AddWaiting { performance: house.show, customer: Customer::default(), seats: 1, category: None, priority: None };
    assert_eq!(no(&house.desk, nobody), Refusal::NameMissing);
    house.verified();
}

#[test]
fn the_list_closes_when_sales_do_or_the_performance_is_canceled() {
    let (house, _) = full();
    waits(&house, "Ann", 2);
    house.clock.set(NOON + Span::minutes(450));
    house.desk.sweep().unwrap();
    house.pass(Span::seconds(1));
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann closed"]);
    assert_eq!(told(&house, "sales_closed"), 1);
    house.verified();

    let (house, _) = full();
    waits(&house, "Ann", 2);
    let performance = house.show;
    house.desk.run(CancelPerformance { performance, reason: "flooded".into() }).unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann closed"]);
    house.verified();
}

#[test]
fn an_offer_that_outlives_the_start_is_settled_when_it_ends() {
    for is_taken in [false, true] {
        let house = House::of(rows::parse("2").unwrap(), &[(None, None, 1000)]);
        house.clock.set(NOON + Span::minutes(440));
        let cart = house.cart_with("A1 A2");
        waits(&house, "Ann", 2);
        waits(&house, "Ben", 2);
        house.desk.run(CancelCart { cart }).unwrap();
        house.desk.sweep().unwrap();
        assert_eq!(stands(&house), ["Ann offered", "Ben waiting"]);
        house.clock.set(NOON + Span::minutes(451));
        house.desk.sweep().unwrap();
        assert_eq!(stands(&house), ["Ann offered", "Ben closed"]);
        house.verified();
        if is_taken {
            let sale = paying(offer(&house, "Ann"), 2000);
            house.desk.run(sale).unwrap();
        }
        house.clock.set(NOON + Span::minutes(471));
        house.desk.sweep().unwrap();
        let ann = if is_taken { "Ann served" } else { "Ann lapsed" };
        assert_eq!(stands(&house), [ann, "Ben closed"]);
        assert_eq!(told(&house, "offer_lapsed"), usize::from(!is_taken));
        house.verified();
    }
}

#[test]
fn seats_without_an_adult_price_are_offered_as_what_they_are_sold_as() {
    let prices = [(None, Some("Member"), 800), (None, Some("Student"), 500)];
    let house = House::of(rows::parse("4").unwrap(), &prices);
    let held = |seats: &str| {
        let cart = house.open_cart();
        let hold = HoldSeats { ticket_type: Some("Member".into()), ..house.holding(cart, seats) };
        house.desk.run(hold).unwrap();
        cart
    };
    let [first, _] = ["A1 A2", "A3 A4"].map(held);
    waits(&house, "Ann", 2);
    let why = |house: &House| line(house)[0].why.clone();
    assert_eq!(why(&house), WaitReason::NothingFree);
    house.desk.run(CancelCart { cart: first }).unwrap();
    assert_eq!(why(&house), WaitReason::AboutToBeOffered);
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann offered"]);
    let cart = house.cart(offer(&house, "Ann"));
    assert_eq!(cart.lines[0].kind, "Member");
    let view = &line(&house)[0];
    assert!(words::waits(view, HERE).starts_with("A1, A2 held as Member"), "{}", words::waits(view, HERE));
    house.verified();
}

/// Keeps A1 and A2 for the press, for an hour.
fn keep_for_press(house: &House) {
    let keep = KeepSeats {
        performance: house.show,
        seats: names("A1 A2"),
        reason: "press".into(),
        until: NOON + Span::minutes(60),
    };
    house.desk.run(keep).unwrap();
}

#[test]
fn kept_seats_are_tidied_at_their_time_and_it_is_told() {
    let house = House::royal();
    keep_for_press(&house);
    house.verified();
    house.pass(Span::from_millis(Span::minutes(60).millis() - 1));
    assert_eq!((house.desk.sweep().unwrap(), house.free()), (0, 78));
    house.pass(Span::from_millis(1));
    assert_eq!(house.free(), 80, "free at that instant, without a check");
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!((house.free(), told(&house, "keep_released")), (80, 1));
    let run = house.desk.read(ReadRuns::default()).unwrap().remove(0);
    let about = words::jobs::about(&run.about, NOON);
    assert!(about.starts_with("house seats, all released (press): Action Movie 5"), "{about}");
    house.verified();
}

#[test]
fn kept_seats_that_a_buyer_meets_after_their_time_are_told_once() {
    let house = House::royal();
    keep_for_press(&house);
    house.pass(Span::minutes(60));
    house.cart_with("A1");
    assert_eq!((house.free(), told(&house, "keep_released")), (79, 1));
    house.desk.sweep().unwrap();
    assert_eq!((house.free(), told(&house, "keep_released")), (79, 1));
    house.verified();
}

#[test]
fn a_cart_set_aside_is_told_of_two_minutes_before_it_runs_out() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.desk.run(SetAside { cart }).unwrap();
    house.pass(Span::minutes(27));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house, "cart_runs_out"), 0);
    house.pass(Span::minutes(1));
    house.desk.sweep().unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(told(&house, "cart_runs_out"), 1, "once");
    house.pass(Span::minutes(2));
    house.desk.sweep().unwrap();
    assert_eq!(house.state(cart), CartState::Expired);
    house.verified();
}

#[test]
fn a_warned_cart_that_is_extended_is_warned_again() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.desk.run(SetAside { cart }).unwrap();
    house.pass(Span::minutes(28));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house, "cart_runs_out"), 1);
    house.desk.run(ExtendCart { cart }).unwrap();
    house.pass(Span::minutes(27));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house, "cart_runs_out"), 1);
    house.pass(Span::minutes(1));
    house.desk.sweep().unwrap();
    assert_eq!(told(&house, "cart_runs_out"), 2);
    house.verified();
}

/// A3: the waiting list's check may come before the check that ends the cart.
#[test]
fn an_offer_that_has_lapsed_is_no_violation_while_its_cart_waits_to_be_ended() {
    let (house, [first, ..]) = full();
    waits(&house, "Ann", 2);
    house.desk.run(CancelCart { cart: first }).unwrap();
    house.desk.sweep().unwrap();
    let cart = offer(&house, "Ann");
    house.clock.set(house.cart(cart).cart.expires_at);
    let show = house.show.to_string();
    house.desk.run_job(JobKind::Waitlist, show).unwrap();
    assert_eq!(stands(&house), ["Ann lapsed"]);
    house.verified();
    house.pass(Span::seconds(1));
    house.desk.sweep().unwrap();
    house.verified();
}

/// Cancels a cart, and is held up between its look at the line and its commit.
#[derive(Serialize)]
struct SlowCancel {
    cart: CancelCart,
    #[serde(skip)]
    looked: Sender<()>,
    #[serde(skip)]
    go_on: Arc<Mutex<Receiver<()>>>,
}

impl Operation for SlowCancel {
    const VERB: &'static str = "cancel_cart";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let canceled = self.cart.run(work)?;
        // nobody waits any more where it runs a second time
        let _ = self.looked.send(());
        let _ = self.go_on.lock().unwrap().recv_timeout(PATIENCE);
        Ok(canceled)
    }
}

#[test]
fn who_joins_in_the_very_moment_that_seats_come_free_is_not_missed() {
    let (house, [first, ..]) = full();
    if !matches!(house.ground, Ground::Server { .. }) {
        return; // there one writes after the other
    }
    let ((looked, has_looked), (release, go_on)) = (channel(), channel());
    let slow = SlowCancel { cart: CancelCart { cart: first }, looked, go_on: Arc::new(Mutex::new(go_on)) };
    let second = house.second();
    let desk = second.desk(actor("eve", "till-2"));
    let canceling = std::thread::spawn(move || desk.run(slow).unwrap());
    has_looked.recv_timeout(PATIENCE).expect("the cancel looks at the line");
    waits(&house, "Ann", 2);
    assert_eq!(stands(&house), ["Ann waiting"], "the seats are not free yet");
    drop(release);
    canceling.join().unwrap();
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann waiting"], "nobody was told of her");
    house.pass(Span::seconds(2));
    house.desk.sweep().unwrap();
    assert_eq!(stands(&house), ["Ann offered"]);
    house.verified();
}

#[test]
fn seats_come_to_the_lower_priority_first_and_a_full_list_takes_no_more() {
    let (house, carts) = full();
    for (name, priority) in [("Last", 9), ("Ida", 2), ("Bo", 2), ("Eve", 1)] {
        waits_by(&house, name, priority).unwrap();
    }
    let names: Vec<_> =
        line(&house).into_iter().map(|view| format!("{} {:?}", view.customer.name, view.place)).collect();
    assert_eq!(names, ["Eve Some(1)", "Ida Some(2)", "Bo Some(3)", "Last Some(4)"]);
    for (cart, name) in carts.into_iter().zip(["Eve", "Ida", "Bo"]) {
        house.desk.run(CancelCart { cart }).unwrap();
        house.desk.sweep().unwrap();
        offer(&house, name);
    }
    house.desk.run(ChangeSettings::to("waitlist-max", &4)).unwrap();
    let Err(Failure::Refused(full)) = waits_by(&house, "Zoe", 1) else { panic!("a fifth joins a list of four") };
    let said = words::refusal(&full, HERE);
    assert!(said.contains("is full: 4 may wait"), "{said}");
    assert!(matches!(waits_by(&house, "Zoe", 0).unwrap_err(), Failure::Refused(Refusal::BadValue { .. })));
    assert_eq!(line(&house).len(), 4, "nothing changed");
    house.verified();
}
