//! Cases T8 and J7 with the real binary: killed at any moment of a hold, a checkout or a sweep, all of it is there or
//! none of it, and nothing twice.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use willcall::domain::ids::{CartId, PerformanceId};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Tender;
use willcall::domain::time::Span;
use willcall::engine::clock::{Clock, ManualClock, SystemClock};
use willcall::engine::ops::{CancelPerformance, Checkout, HoldSeats, HouseSeats, OpenCart, SeatChoice};
use willcall::engine::reads::credits::ReadCredits;
use willcall::engine::reads::jobs::ReadJobs;
use willcall::engine::reads::jobs::runs::ReadRuns;
use willcall::engine::reads::names::ReadNamed;
use willcall::engine::reads::{Question, Snapshot};
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Role};

use crate::limit::until;
use crate::support::House;

/// How many carts run out at once in the sweep that is killed.
const LATE: usize = 3000;

/// How often it is killed.
const KILLS: usize = 3;

/// How many moments of a command are tried.
const MOMENTS: u32 = 12;

/// Kills a command some time after it started.
fn killed(house: &House, line: &str, after: Duration) {
    let mut child = house.on(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn t8_killed_at_any_moment_all_of_a_command_is_there_or_none() {
    let house = House::royal();
    let started = Instant::now();
    let measured = house.cart_with("E1,E2");
    let whole = started.elapsed() / 2;
    house.json(&format!("cart cancel {measured}")).done();
    let mut sold = 0;
    for moment in 0..MOMENTS {
        let after = whole * moment / MOMENTS;
        let (row, first) = (["A", "B", "C", "D"][usize::try_from(moment % 4).unwrap()], moment / 4 * 4 + 1);
        let seats = format!("{row}{first},{row}{},{row}{}", first + 1, first + 2);
        let cart = house.cart();
        let add = format!("cart add {cart} --performance Movie --seats {seats}");
        killed(&house, &add, after);
        let held = house.json(&format!("cart show {cart}")).done();
        let lines = held["lines"].as_array().unwrap();
        assert!(lines.is_empty() || lines[0]["seats"].as_array().unwrap().len() == 3, "{held}");
        if lines.is_empty() {
            house.json(&add).done();
        }
        killed(&house, &format!("cart checkout {cart} --pay cash"), after);
        let state = house.json(&format!("cart show {cart}")).done()["state"].clone();
        sold += u32::from(state == "done");
        assert!(state == "done" || state == "active", "{state}");
        let receipts = house.json("receipt list").done();
        assert_eq!(receipts.as_array().unwrap().len(), usize::try_from(sold).unwrap());
    }
    house.verified();
    assert_eq!(house.free(), 80 - u64::from(MOMENTS) * 3);
}

/// Waits for the slot after a deadline.
fn until_due(deadline: willcall::domain::time::Instant) {
    let clock = SystemClock::default();
    until("the next slot", || clock.now() >= deadline + Span::seconds(1));
}

/// Carts that a desk in this process opens, one seat each, for a second. Its clock stands still until all are open.
fn late_carts(house: &House) -> Vec<CartId> {
    let config = Config {
        clock: Arc::new(ManualClock::at(SystemClock::default().now())),
        ..Config::new(house.path("house.db"))
    };
    let engine = Engine::open(config).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    let show = desk.read(ReadNamed::<PerformanceId>::new("Movie")).unwrap();
    let hold = Some(Span::seconds(1));
    let open = |number: u32| {
        let cart = desk.run(OpenCart { hold, ..OpenCart::default() }).unwrap().id;
        let seat = SeatRef { row: number / 16, seat: number % 16 };
        let seats = HoldSeats {
            cart: Some(cart),
            performance: show,
            seats: SeatChoice::Seats(vec![seat]),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        desk.run(seats).unwrap().expires_at
    };
    let last = (0..80).map(open).max().unwrap();
    until_due(last);
    let carts = desk.read(ReadJobs { kind: Some("cart_expiry".into()), ..ReadJobs::default() }).unwrap();
    carts.iter().map(|job| job.subject.parse().unwrap()).collect()
}

/// Sells a seat of a performance with so many seats, each as an order of its own, and cancels it.
fn canceled_orders(house: &House, orders: u32) {
    house.json("theater add Arena --rows 25x20 --time-zone UTC").done();
    house
        .json("performance add --theater Arena --title Gala --start 2099-01-01T20:00 --end 2099-01-01T22:00 --price 10.00")
        .done();
    let engine = Engine::open(Config::new(house.path("house.db"))).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    let show = desk.read(ReadNamed::<PerformanceId>::new("Gala")).unwrap();
    for number in 0..orders {
        let seats = HoldSeats {
            cart: None,
            performance: show,
            seats: SeatChoice::Seats(vec![SeatRef { row: number / 20, seat: number % 20 }]),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        let checkout = Checkout::new(desk.run(seats).unwrap().id, vec![Tender::Cash { given: None }]);
        desk.run(checkout).unwrap();
    }
    let reason = "flooded".into();
    desk.run(CancelPerformance { performance: show, reason }).unwrap();
}

#[test]
fn killed_in_the_middle_of_a_settlement_each_order_is_given_back_once() {
    const ORDERS: usize = 500;
    let house = House::royal();
    canceled_orders(&house, u32::try_from(ORDERS).unwrap());
    let settle = "performance settle Gala --back owed";
    let engine = Engine::open(Config { role: Role::Command, ..Config::new(house.path("house.db")) }).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    for _ in 0..KILLS {
        let before = credits(&desk).len();
        let run = format!("{settle} --limit {}", ORDERS / KILLS);
        let mut child = house.on(&run).stdout(Stdio::null()).spawn().unwrap();
        until("an order is given back", || credits(&desk).len() > before);
        let is_over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        println!("killed in the middle: {}", !is_over);
    }
    house.json(settle).done();
    assert_eq!(credits(&desk), vec![1000; ORDERS]);
    let left = house.json("performance customers Gala").done();
    assert_eq!(left.as_array().unwrap().len(), 0);
    house.verified();
}

/// Amounts of all credits.
fn credits(desk: &Desk) -> Vec<i64> {
    let mut all = Vec::new();
    let mut after = None;
    loop {
        let page = desk.read(ReadCredits { after, open: true }).unwrap();
        let Some(last) = page.last() else {
            return all;
        };
        after = Some(last.credit.code);
        all.extend(page.iter().map(|view| view.credit.owed()));
    }
}

#[test]
fn j7_killed_in_the_middle_of_a_sweep_each_effect_is_there_once_after_a_restart() {
    let house = House::royal();
    let carts = late_carts(&house);
    assert_eq!(carts.len(), 80);
    let started = Instant::now();
    house.json("job list --kind cart-expiry").done();
    let start = started.elapsed();
    for moment in 0..MOMENTS {
        killed(&house, "job run", start * (moment + 6) / MOMENTS);
    }
    house.json("job run").done();
    let waiting = house.json("job list --kind cart-expiry").done();
    assert_eq!(waiting.as_array().unwrap().len(), 0, "{waiting}");
    for cart in carts {
        let runs = house.json(&format!("job history --subject {cart}")).done();
        let outcomes: Vec<_> = runs.as_array().unwrap().iter().map(|run| &run["outcome"]).collect();
        assert_eq!(outcomes, ["done"], "{cart}");
    }
    assert_eq!(house.free(), 80);
    house.verified();
}

/// Opens very many carts that run out within a second, each without a seat.
fn very_many_late_carts(desk: &willcall::engine::Desk) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let hold = Some(Span::seconds(1));
    for number in 1..=LATE {
        let sender = sender.clone();
        let id = willcall::domain::ids::CommandId::random();
        desk.submit(id, OpenCart { hold, ..OpenCart::default() }, move |opened| {
            sender.send(opened.unwrap().expires_at).unwrap();
        });
        // no more than the queue holds
        if number % 500 == 0 {
            until_due(receiver.iter().take(500).max().unwrap());
        }
    }
}

/// The runs of cart expiries so far: which cart, and how it ended.
fn swept(desk: &willcall::engine::Desk) -> Vec<(String, String)> {
    let (mut runs, mut before) = (Vec::new(), None);
    loop {
        let page = desk.read(ReadRuns { kind: Some("cart_expiry".into()), before, ..ReadRuns::default() });
        let page = page.unwrap();
        let Some(last) = page.last() else {
            return runs;
        };
        before = Some(last.seq);
        runs.extend(page.into_iter().map(|run| (run.subject, run.outcome)));
    }
}

#[test]
fn j7_killed_while_the_history_shows_a_part_of_the_sweep_the_rest_is_made_once_later() {
    let house = House::royal();
    let engine = Engine::open(Config::new(house.path("house.db"))).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    very_many_late_carts(&desk);
    let mut landed = 0;
    for _ in 0..KILLS {
        let newest = |desk: &willcall::engine::Desk| {
            let runs = desk.read(ReadRuns::default()).unwrap();
            runs.first().map_or(0, |run| run.seq)
        };
        let before = newest(&desk);
        let mut sweep = house.on("job run").stdout(Stdio::null()).spawn().unwrap();
        until("a part of the sweep", || newest(&desk) >= before + 100 || sweep.try_wait().unwrap().is_some());
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        let made = swept(&desk).len();
        landed += usize::from(made > 0 && made < LATE);
        // what was made by then is whole: as many carts have ended as the history says
        let ended = desk.read(CountExpired).unwrap();
        assert_eq!(ended, made);
    }
    assert_eq!(landed, KILLS, "each kill was in the middle of the sweep");
    house.json("job run").done();
    let runs = swept(&desk);
    assert!(runs.iter().all(|(_, outcome)| outcome == "done"));
    let carts: std::collections::BTreeSet<_> = runs.iter().map(|(cart, _)| cart).collect();
    assert_eq!((runs.len(), carts.len()), (LATE, LATE), "each exactly once");
    assert_eq!(desk.read(CountExpired).unwrap(), LATE);
    house.verified();
}

/// How many carts are stored as expired.
struct CountExpired;

impl Question for CountExpired {
    type Answer = usize;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<usize, Failure> {
        let text = "SELECT COUNT(*) FROM cart WHERE state = 'expired'";
        let rows = snapshot.query(text, &[])?;
        Ok(usize::try_from(rows[0].int(0)).unwrap())
    }
}
