//! Clocks of processes: the real binary ahead of everybody else, and everybody else ahead of it.

use std::process::{Child, Stdio};
use std::sync::Arc;

use chrono_tz::Tz;
use willcall::domain::cart::CartState;
use willcall::domain::customer::Customer;
use willcall::domain::ids::CartId;
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::{Clock, Machine, SystemClock};
use willcall::engine::ops::{
    AddPerformance, AddTheater, BePresent, CheckedOut, Checkout, HoldSeats, NamedPrice, OpenCart, PayBy, ReserveCart,
    SeatChoice,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::{Actor, Config, Desk, Engine, Failure};
use willcall::formats::rows;
use willcall::store::Missing;

use crate::limit::{PATIENCE, until};
use crate::support::House;

const HOUR: i64 = 3_600_000;

/// Clock of this machine, so many milliseconds ahead or behind.
struct Off(SystemClock, i64);

impl Clock for Off {
    fn now(&self) -> Instant {
        Instant::from_millis(self.0.now().millis() + self.1)
    }

    fn machine(&self) -> Option<Machine> {
        self.0.machine()
    }
}

/// A desk in this process.
fn desk_off(house: &House, millis: i64, station: &str) -> (Engine, Desk) {
    let config = Config {
        missing: Missing::Create,
        clock: Arc::new(Off(SystemClock::default(), millis)),
        ..Config::new(house.path("house.db"))
    };
    let engine = Engine::open(config).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: station.into() });
    (engine, desk)
}

/// Ida's reservation of B6 on a desk, to be paid in 50 minutes by its clock.
fn ida(desk: &Desk) -> CartId {
    let royal = AddTheater { name: "The Royal".into(), plan: rows::parse("5x16").unwrap(), time_zone: Some(Tz::UTC) };
    let now = desk.now();
    let hamlet = AddPerformance::new(
        desk.run(royal).unwrap().id,
        "Hamlet",
        (now + Span::minutes(24 * 60), now + Span::minutes(26 * 60)),
        vec![NamedPrice::all(1000)],
    );
    let show = desk.run(hamlet).unwrap().performance.id;
    let cart = desk.run(HoldSeats::new(show, SeatChoice::Named(vec!["B6".into()]))).unwrap().id;
    let reserve = ReserveCart {
        cart,
        customer: Some(Customer { name: "Ida Weber".into(), ..Customer::default() }),
        pay_by: PayBy::At(now + Span::minutes(50)),
        alert: Some(Span::minutes(10)),
        last: Some(Span::minutes(20)),
    };
    desk.run(reserve).unwrap();
    cart
}

/// Ida pays for the seat that she reserved.
fn pays(desk: &Desk, cart: CartId) {
    assert_eq!(desk.read(ReadCart(cart)).unwrap().state, CartState::Active);
    let pay = Checkout::new(cart, vec![Tender::Cash { given: None }]);
    assert!(matches!(desk.run(pay).unwrap(), CheckedOut::Receipt(_)));
}

/// `willcall work` at till-7, once it has said that it is on.
fn working(house: &House) -> Child {
    let mut command = house.on("work --station till-7");
    let worker = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("it says that it is on", || seen_at(house).is_some_and(|at| at > 0));
    worker
}

/// When the worker at till-7 last said that it is on; zero once it is off.
fn seen_at(house: &House) -> Option<i64> {
    let file = rusqlite::Connection::open(house.path("house.db")).unwrap();
    file.busy_timeout(PATIENCE).unwrap();
    let seen = file.query_row("SELECT seen_at FROM presence WHERE station = 'till-7/work'", [], |row| row.get(0));
    seen.ok()
}

/// Ends a worker without a word.
fn stop(mut worker: Child) {
    worker.kill().unwrap();
    worker.wait().unwrap();
}

/// The reservation was ended, its seat sold to somebody else, and each right clock asked.
#[test]
fn work_once_an_hour_ahead_of_a_station_that_is_on_ends_nothing() {
    let house = House::none();
    let (_engine, right) = desk_off(&house, -HOUR, "till-7");
    let cart = ida(&right);
    right.run(BePresent::At("Hamlet".into())).unwrap();
    // by the stamp and the station that is on, by the stamp alone, and by the station alone
    for without in ["", "UPDATE presence SET seen_at = 0", "DELETE FROM presence WHERE station = ''"] {
        house.meddle(without);
        let once = house.run("work --once --station till-9");
        assert_eq!((once.code, once.out.as_str()), (3, ""), "{once:?}");
        assert!(once.err.contains("This machine's clock says"), "{once:?}");
        assert!(once.err.contains("till-7's said"), "{once:?}");
        assert!(once.err.contains("willcall clock confirm"), "{once:?}");
        house.json("cart open").refused("clock_in_doubt");
        right.run(BePresent::At("Hamlet".into())).unwrap();
    }
    pays(&right, cart);
    let (_engine, other) = desk_off(&house, -HOUR, "till-2");
    other.run(OpenCart::default()).unwrap();
}

#[test]
fn a_clock_that_may_not_act_may_not_rehearse() {
    let house = House::none();
    let (_engine, right) = desk_off(&house, -HOUR, "till-7");
    pays(&right, ida(&right));
    right.run(BePresent::At("Hamlet".into())).unwrap();
    let line = "receipt refund till-7/1 --all --reason ill";
    let rehearsed = house.json(&format!("{line} --dry-run"));
    rehearsed.refused("clock_in_doubt");
    house.json(line).refused("clock_in_doubt");
    house.run("clock confirm").text();
    house.json(&format!("{line} --dry-run")).done();
}

#[test]
fn a_process_an_hour_ahead_of_a_running_work_ends_nothing() {
    let house = House::none();
    let (engine, right) = desk_off(&house, 0, "till-1");
    let cart = ida(&right);
    drop((engine, right));
    let worker = working(&house);
    let (engine, wrong) = desk_off(&house, HOUR, "till-9");
    let Err(Failure::Refused(Refusal::ClockInDoubt { station, .. })) = wrong.work_off() else { panic!("it works") };
    assert_eq!(station, "till-7/work");
    drop((engine, wrong));
    // nobody with a right clock is asked
    house.json("cart open --station till-2").done();
    assert_eq!(house.run("work --once").code, 0);
    let paid = house.json(&format!("cart checkout {cart} --pay cash --station till-3")).done();
    assert_eq!(paid["number"], "till-3/1");
    stop(worker);
    house.verified();
}

#[test]
fn a_worker_says_that_it_is_on_beside_a_desk_of_its_station_and_goes() {
    let house = House::royal();
    let worker = working(&house);
    let cart = house.cart_with("A1");
    // it is no desk at work on the station's carts
    house.json(&format!("cart checkout {cart} --pay cash --station till-3")).done();
    let id = worker.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = worker.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
    assert_eq!(seen_at(&house), Some(0));
}

#[test]
fn a_worker_whose_clock_is_contradicted_asks_once_and_runs_nothing() {
    let house = House::none();
    let (_engine, right) = desk_off(&house, -HOUR, "till-7");
    let cart = ida(&right);
    let mut command = house.on("work --station till-9");
    let said = house.path("said");
    let worker = command.stdout(Stdio::null()).stderr(std::fs::File::create(&said).unwrap()).spawn().unwrap();
    let said = || std::fs::read_to_string(&said).unwrap();
    until("it says why it runs nothing", || said().ends_with('\n'));
    assert!(said().contains("till-7's said") && said().contains("willcall clock confirm"), "{}", said());
    stop(worker);
    pays(&right, cart);
}
