//! Several processes on one house: they fight for the same seats, and some of them are killed.
//!
//! Cases T8 and T10 with the real binary under a load.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use willcall::bench::Dice;

use crate::support::{House, Ran};

/// How many times a load is killed.
const KILLS: u32 = 15;

/// A load has written so much more at most when it is killed.
const GROWTH_MAX: u32 = 400;

/// How many processes want the same seats.
const RIVALS: usize = 8;

/// Longer than anything takes, however busy the machine.
const PATIENCE: Duration = Duration::from_mins(10);

/// The last place in the journal, which has no gaps.
const JOURNAL: &str = "SELECT COALESCE(MAX(seq), 0) FROM journal";

const RECEIPTS: &str = "SELECT COUNT(*) FROM receipt";

/// A look at the file beside everybody who works on it.
struct Onlooker(Connection);

impl Onlooker {
    fn at(house: &House) -> Self {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(house.path("house.db"), flags).unwrap();
        connection.busy_timeout(PATIENCE).unwrap();
        Self(connection)
    }

    fn count(&self, sql: &str) -> i64 {
        self.0.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Waits until a count has grown to a number, or the writer has ended.
    fn until(&self, sql: &str, number: i64, writer: &mut Child) {
        let started = Instant::now();
        while self.count(sql) < number && writer.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < PATIENCE, "it does not grow: {sql}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Every sold seat of every receipt, as text.
    fn sold(&self) -> Vec<String> {
        let mut statement = self.0.prepare("SELECT body FROM receipt").unwrap();
        let bodies = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let mut sold = Vec::new();
        for body in bodies {
            let receipt: Value = serde_json::from_str(&body.unwrap()).unwrap();
            for line in receipt["lines"].as_array().unwrap() {
                let goods = &line["goods"]["seats"];
                let seats = goods["seats"].as_array().unwrap().iter();
                sold.extend(seats.map(|seat| format!("{} {seat}", goods["performance"])));
            }
        }
        sold
    }
}

/// A load on a house: everybody wants one of the same 900 seats.
fn load(house: &House, options: &str) -> Command {
    let mut command = house.on(&format!("--json bench theater --no-control --contested --seats-per-cart 1 {options}"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn t8_a_killed_load_leaves_every_sale_that_was_told_of_and_no_half_of_another() {
    let house = House::royal();
    let onlooker = Onlooker::at(&house);
    let mut dice = Dice(8);
    let mut told = Vec::new();
    for _ in 0..KILLS {
        let place = onlooker.count(JOURNAL) + i64::from(1 + dice.below(GROWTH_MAX));
        let mut writer = load(&house, "--rate 1000 --carts 4000").spawn().unwrap();
        let cart = house.cart();
        let seat = format!("{}{}", ["A", "B", "C", "D"][told.len() % 4], told.len() / 4 + 1);
        house.json(&format!("cart add {cart} --performance Movie --seats {seat}")).done();
        let sale = house.json(&format!("cart checkout {cart} --pay cash")).done();
        told.push(sale["number"].as_str().unwrap().to_owned());
        onlooker.until(JOURNAL, place, &mut writer);
        if told.len() == 1 {
            // the one sale so far was not by the load
            onlooker.until(RECEIPTS, 2, &mut writer);
        }
        let seen = onlooker.count(JOURNAL);
        writer.kill().unwrap();
        writer.wait().unwrap();
        assert!(onlooker.count(JOURNAL) >= seen, "what was seen is gone");
        house.verified();
    }
    let sales = onlooker.count("SELECT COUNT(*) FROM journal WHERE command IN (SELECT written_by FROM receipt)");
    assert_eq!(onlooker.count(RECEIPTS), sales);
    assert!(sales > i64::from(KILLS), "the load sold nothing");
    for number in told {
        house.json(&format!("receipt show {number}")).done();
    }
}

#[test]
fn t8_a_load_beside_killed_ones_goes_on_to_its_end() {
    let house = House::empty();
    let onlooker = Onlooker::at(&house);
    let mut dice = Dice(9);
    let survivor = load(&house, "--rate 100 --carts 200").spawn().unwrap();
    for _ in 0..5 {
        let place = onlooker.count(JOURNAL) + i64::from(1 + dice.below(GROWTH_MAX));
        let mut victim = load(&house, "--carts 4000").spawn().unwrap();
        onlooker.until(JOURNAL, place, &mut victim);
        victim.kill().unwrap();
        victim.wait().unwrap();
    }
    let report = Ran::of("bench theater", survivor.wait_with_output().unwrap()).done();
    assert_eq!(report["verified"], true);
    house.verified();
}

#[test]
fn t10_eight_loads_fight_for_the_same_seats_and_each_is_sold_once() {
    let house = House::empty();
    let line = format!("--rate 500 --carts 1200 --processes {RIVALS}");
    let report = Ran::of(&line, load(&house, &line).output().unwrap()).done();
    let sold = Onlooker::at(&house).sold();
    assert_eq!(sold.iter().collect::<BTreeSet<_>>().len(), sold.len());
    assert_eq!(report["carts"], sold.len());
    assert!(sold.len() > 700, "of 900 seats: {}", sold.len());
    assert_eq!(report["per_process"].as_array().unwrap().len(), RIVALS);
    house.verified();
}

#[test]
fn t10_of_eight_operators_who_want_the_same_seats_one_gets_them() {
    let house = House::royal();
    for row in ["A", "B", "C", "D", "E"] {
        let carts: Vec<String> = (0..RIVALS).map(|_| house.cart()).collect();
        let add = |cart: &String| {
            let seats = format!("{row}1,{row}2,{row}3");
            let line = format!("--json cart add {cart} --performance Movie --seats {seats}");
            let mut command = house.on(&line);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let rivals: Vec<Child> = carts.iter().map(add).collect();
        let mut winners = 0;
        for rival in rivals {
            let ran = Ran::of("cart add", rival.wait_with_output().unwrap());
            if ran.code == 0 {
                winners += 1;
            } else {
                ran.refused("seats_taken");
            }
        }
        assert_eq!(winners, 1, "row {row}");
    }
    assert_eq!(house.free(), 80 - 15);
    house.verified();
}

/// Whether each of eight processes that book at the same time was done; a refusal says that it is taken.
fn book_at_once(house: &House, line: impl Fn(usize) -> String) -> Vec<bool> {
    let start = |number| {
        let mut command = house.on(&format!("--json calendar book hall {}", line(number)));
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let rivals: Vec<Child> = (0..RIVALS).map(start).collect();
    let done = |rival: Child| {
        let ran = Ran::of("calendar book", rival.wait_with_output().unwrap());
        let done = ran.code == 0;
        if !done {
            ran.refused("slot_taken");
        }
        done
    };
    rivals.into_iter().map(done).collect()
}

#[test]
fn a18_of_eight_processes_that_want_overlapping_time_one_gets_it_and_different_hours_are_all_had() {
    let house = House::empty();
    house.json("resource add Hall --kind hall --segment 60 --time-zone UTC").done();
    for day in 1..=5 {
        // nobody has made that day yet: whoever is second finds it made
        let hours = book_at_once(&house, |number| {
            format!("--from 2099-12-0{day}T0{number}:00 --until 2099-12-0{day}T0{}:00", number + 1)
        });
        assert_eq!(hours, [true; RIVALS], "day {day}");
        let overlapping = book_at_once(&house, |number| {
            format!("--from 2099-12-0{day}T12:00 --until 2099-12-0{day}T1{}:00", 3 + number % 7)
        });
        let winners = overlapping.iter().filter(|done| **done).count();
        assert_eq!(winners, 1, "day {day}");
    }
    house.verified();
}
