//! A machine's clock across its boots: it ran, it slept, it was switched on; alone, and beside others.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use uuid::Uuid;
use willcall::domain::cart::CartState;
use willcall::domain::ids::CartId;
use willcall::domain::job::JobKind;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::{Clock, Machine};
use willcall::engine::ops::{
    BePresent, BestSeats, ConfirmClock, DisableSeats, HoldSeats, OpenCart, PayBy, ReserveCart, SeatChoice, Which,
};
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::{Config, Desk, Engine, Failure, Ticker};
use willcall::formats::rows;
use willcall::words;

use crate::limit::until;

use super::support::{HERE, House, NOON, actor, named, names, no, refused, reserving_for_ida};

/// Wall clock of a machine, with its boot.
struct Wall {
    boot: Uuid,
    up: AtomicI64,
    now: AtomicI64,
}

impl Clock for Wall {
    fn now(&self) -> Instant {
        Instant::from_millis(self.now.load(Ordering::SeqCst))
    }

    fn machine(&self) -> Option<Machine> {
        Some(Machine { boot: Some(self.boot), up: Span::from_millis(self.up.load(Ordering::SeqCst)) })
    }
}

impl Wall {
    /// Clock in the first, second ... boot, up for some minutes, with minutes after noon.
    fn at(boot: u128, (up, now): (i64, i64)) -> Arc<Self> {
        let millis = |minutes| AtomicI64::new(Span::minutes(minutes).millis());
        let wall = Self { boot: Uuid::from_u128(boot), up: millis(up), now: millis(now) };
        wall.now.fetch_add(NOON.millis(), Ordering::SeqCst);
        Arc::new(wall)
    }

    fn pass(&self, minutes: i64) {
        let millis = Span::minutes(minutes).millis();
        self.up.fetch_add(millis, Ordering::SeqCst);
        self.now.fetch_add(millis, Ordering::SeqCst);
    }
}

/// A process by a wall clock, at till-5.
struct Process {
    desk: Desk,
    _engine: Engine,
}

fn process(house: &House, clock: Arc<Wall>) -> Process {
    let engine = Engine::open(Config { clock, ..Config::new(house.ground.place()) }).unwrap();
    Process { desk: engine.desk(actor("ben", "till-5")), _engine: engine }
}

/// Runs a process until it is asked no more.
fn command<T>(house: &House, clock: Arc<Wall>, act: impl FnOnce(&Desk) -> T) -> T {
    act(&process(house, clock).desk)
}

/// A house with Ida's reservation of B6 and B7, to be paid 50 minutes after noon.
fn with_ida() -> (House, CartId) {
    let house = House::royal();
    let ida = house.cart_with("B6 B7");
    let pay_by = PayBy::At(NOON + Span::minutes(50));
    let (alert, last) = (Some(Span::minutes(10)), Some(Span::minutes(20)));
    house.desk.run(ReserveCart { pay_by, alert, last, ..reserving_for_ida(ida) }).unwrap();
    (house, ida)
}

fn hold(house: &House, seats: SeatChoice) -> HoldSeats {
    HoldSeats::new(house.show, seats)
}

/// The reservation stands, its seats are nobody else's, and Ida pays at a right clock, which is not asked.
fn ida_keeps_her_seats(house: &House, ida: CartId) {
    assert_eq!((house.state(ida), house.free()), (CartState::Active, 78));
    assert_eq!(house.pay(ida, 2000).unwrap().seat_count(), 2);
    house.verified();
}

#[test]
fn a_process_an_hour_ahead_of_its_machines_boot_clock_asks_and_ends_nothing() {
    let (house, ida) = with_ida();
    command(&house, Wall::at(1, (8 * 60, 0)), |desk| desk.run(OpenCart::default())).unwrap();
    command(&house, Wall::at(1, (8 * 60 + 5, 65)), |wrong| {
        let seen = Refusal::ClockInDoubt {
            at: NOON + Span::minutes(65),
            seen: NOON + Span::minutes(5),
            station: "till-5".into(),
        };
        assert_eq!(refused(wrong.sweep()), seen);
        assert_eq!(no(wrong, OpenCart::default()), seen);
        assert_eq!(no(wrong, hold(&house, named("B6"))), seen);
    });
    let right = |desk: &Desk| desk.run(OpenCart::default());
    command(&house, Wall::at(1, (8 * 60 + 6, 6)), right).unwrap();
    ida_keeps_her_seats(&house, ida);
}

#[test]
fn a_machine_that_ran_or_slept_ends_what_is_due_at_once() {
    let (house, ida) = with_ida();
    command(&house, Wall::at(1, (8 * 60, 0)), |desk| desk.run(OpenCart::default())).unwrap();
    // the boot clock went on while it slept
    command(&house, Wall::at(1, (20 * 60, 12 * 60)), Desk::sweep).unwrap();
    assert_eq!(house.state(ida), CartState::Expired);
    house.verified();
}

#[test]
fn a_machine_switched_on_sells_and_ends_nothing_for_a_quarter_of_an_hour() {
    let (house, ida) = with_ida();
    let late = house.cart_with("C1");
    let alone = Refusal::ClockAlone { until: NOON + Span::minutes(72) };
    let morning = Wall::at(2, (3, 60));
    let first = process(&house, Arc::clone(&morning));
    let cart = first.desk.run(hold(&house, named("B5"))).unwrap().id;
    // the map shows them as free by its clock
    assert_eq!(first.desk.read(ReadSeatMap(house.show)).unwrap().free, 79);
    assert_eq!(no(&first.desk, hold(&house, named("B6"))), alone);
    let told = words::refusal(&alone, HERE);
    assert!(told.contains("until 13:12 it takes nothing whose hold has ended"), "{told}");
    assert!(told.contains("willcall clock confirm"), "{told}");
    // where others are in the way as well, they are told
    house.sold("B8");
    let Refusal::Taken { facts, .. } = no(&first.desk, hold(&house, named("B7 B8"))) else { panic!("B8 is sold") };
    assert_eq!(facts.len(), 2);
    assert_eq!(refused(first.desk.sweep()), alone);
    assert_eq!(refused(first.desk.run_job(JobKind::CartExpiry, ida.to_string())), alone);
    // a later command of the same boot knows no more, nor does one beside a station of this machine that is on
    morning.pass(4);
    first.desk.run(BePresent::At("Hamlet".into())).unwrap();
    let later = |desk: &Desk| refused(desk.sweep());
    assert_eq!(command(&house, Wall::at(2, (8, 65)), later), alone);
    assert_eq!(house.state(ida), CartState::Active);
    assert!(house.outcomes().is_empty(), "no check counts as failed");
    morning.pass(8);
    first.desk.run(hold(&house, named("B6"))).unwrap();
    assert_eq!(house.state(ida), CartState::Expired);
    first.desk.sweep().unwrap();
    let stored = |cart| house.cart(cart).cart.state;
    assert_eq!((stored(late), stored(cart)), (CartState::Expired, CartState::Active));
    house.verified();
}

#[test]
fn the_best_seats_by_a_clock_that_stands_alone_are_held_by_nobody_at_all() {
    let house = House::of(rows::parse("1x4").unwrap(), &[(None, None, 1000)]);
    house.cart_with("A2");
    let morning = process(&house, Wall::at(2, (3, 60)));
    let best = |count| hold(&house, SeatChoice::Best(BestSeats { count, ..BestSeats::default() }));
    morning.desk.run(best(2)).unwrap();
    morning.desk.run(best(1)).unwrap();
    assert!(matches!(no(&morning.desk, best(1)), Refusal::NoSeatsTogether { free: 0, .. }));
    house.verified();
}

#[test]
fn a_clock_that_stands_alone_is_confirmed_at_once_by_whoever_knows_better() {
    let (house, ida) = with_ida();
    let morning = process(&house, Wall::at(2, (3, 60)));
    refused(morning.desk.sweep());
    morning.desk.run(ConfirmClock).unwrap();
    morning.desk.sweep().unwrap();
    assert_eq!(house.state(ida), CartState::Expired);
    // from now on the boot clock carries it on
    command(&house, Wall::at(2, (5, 62)), Desk::sweep).unwrap();
    command(&house, Wall::at(2, (6, 123)), |desk| no(desk, OpenCart::default()));
    house.verified();
}

#[test]
fn what_a_disable_takes_by_a_clock_that_stands_alone_is_displaced_and_told() {
    let (house, ida) = with_ida();
    let leak =
        DisableSeats { which: Which::Performance(house.show), seats: names("B6 B7"), reason: "a leak".to_owned() };
    let out = command(&house, Wall::at(2, (3, 60)), |desk| desk.run(leak)).unwrap();
    assert_eq!(out.displaced.len(), 1, "{out:?}");
    assert_eq!(house.cart(ida).cart.state, CartState::Active);
    house.verified();
}

#[test]
fn jobs_begin_by_themselves_once_a_machine_switched_on_believes_its_clock() {
    let (house, ida) = with_ida();
    let morning = Wall::at(2, (3, 60));
    let clock = Arc::clone(&morning);
    let engine = Engine::open(Config {
        clock,
        ticker: Ticker::On,
        station: "till-5".into(),
        ..Config::new(house.ground.place())
    })
    .unwrap();
    let desk = engine.desk(actor("ben", "till-5"));
    for _ in 0..3 {
        desk.run(OpenCart::default()).unwrap();
    }
    assert!(house.outcomes().is_empty());
    morning.pass(12);
    until("Ida's reservation is ended", || house.state(ida) == CartState::Expired);
    drop((desk, engine));
    house.verified();
}

#[test]
fn a_correction_of_two_minutes_is_followed_from_one_command_to_the_next() {
    let (house, ida) = with_ida();
    let mut now = 0;
    for up in (8 * 60..9 * 60).step_by(10) {
        command(&house, Wall::at(1, (up, now)), |desk| desk.run(OpenCart::default())).unwrap();
        // the boot clock gains ten minutes, the wall clock eight
        now += 8;
    }
    let failure = command(&house, Wall::at(1, (9 * 60, now - 3)), |desk| desk.run(OpenCart::default()));
    assert!(matches!(failure, Err(Failure::Refused(Refusal::ClockInDoubt { .. }))), "{failure:?}");
    ida_keeps_her_seats(&house, ida);
}

#[test]
fn a_machine_an_hour_ahead_beside_one_that_is_on_asks_though_it_was_just_switched_on() {
    let (house, ida) = with_ida();
    house.at("till-7/work").run(BePresent::At("jobs and listeners".into())).unwrap();
    let wrong = process(&house, Wall::at(2, (3, 60)));
    let Refusal::ClockInDoubt { seen, station, .. } = refused(wrong.desk.sweep()) else { panic!("it ends things") };
    assert_eq!((seen, station.as_str()), (NOON, "till-7/work"));
    no(&wrong.desk, OpenCart::default());
    ida_keeps_her_seats(&house, ida);
}
