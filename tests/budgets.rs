//! Budgets of statements and round trips: the commonest commands and questions of a desk at work, in a file and on a
//! server, and of single commands of the real binary. One that needs more fails here.
//!
//! The counts are the process's, so that all of it is one test. A lower figure than its budget is a reason to lower it.

#![expect(clippy::unwrap_used, reason = "a test that goes wrong fails at once")]

#[path = "support/cluster.rs"]
#[expect(dead_code, reason = "stories need more of it")]
mod cluster;
#[path = "support/ground.rs"]
#[expect(dead_code, reason = "stories need more of it")]
mod ground;
#[path = "support/limit.rs"]
#[expect(dead_code, reason = "nothing is looked for again and again")]
mod limit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

use chrono_tz::Tz;
use ground::Ground;
use willcall::domain::booking::Details;
use willcall::domain::ids::{CartId, PerformanceId};
use willcall::domain::receipt::Tender;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Grid, Instant, Segment, Slot, Span};
use willcall::engine::ops::{
    AddPerformance, AddResource, AddTheater, BeginPayment, BookSlot, Checkout, HoldSeats, HouseSeats, NamedPrice,
    OpenCart, Past, SeatChoice, TicketsTo, Want,
};
use willcall::engine::reads::bookings::ReadAgenda;
use willcall::engine::reads::calendar::{ReadCalendar, Words};
use willcall::engine::reads::carts::{ReadCart, ReadOpenCarts};
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::{Actor, Config, Desk, Engine, Role};
use willcall::formats::rows;
use willcall::store::Missing;
use willcall::store::trace::{self, Counts};

/// What one thing may take at most: statements in a file; statements and round trips on a server.
type Budget = (&'static str, u64, (u64, u64));

/// Of a desk that has been at work.
const DESK: [Budget; 10] = [
    ("open a cart", 7, (7, 1)),
    ("hold three seats", 7, (7, 1)),
    ("begin to pay", 6, (6, 1)),
    ("check out", 10, (11, 2)),
    ("book a slot", 9, (9, 2)),
    ("show a cart", 6, (6, 4)),
    ("list nine carts", 4, (4, 2)),
    ("show the seats", 7, (7, 5)),
    ("show a month of a room", 5, (5, 3)),
    ("list twenty bookings", 8, (8, 6)),
];

/// Of the real binary: from opening the house to the answer.
const BINARY: [Budget; 5] = [
    ("cart open", 16, (22, 10)),
    ("cart add", 37, (47, 27)),
    ("cart show", 12, (17, 8)),
    ("cart list", 7, (12, 5)),
    ("calendar list", 11, (18, 11)),
];

struct House {
    desk: Desk,
    show: PerformanceId,
    room: ResourceId,
    begin: Instant,
    _engine: Engine,
}

impl House {
    /// The Royal with nine carts, and a room with twenty bookings.
    fn new(ground: &Ground) -> Self {
        let engine =
            Engine::open(Config { missing: Missing::Create, role: Role::Command, ..Config::new(ground.place()) });
        let engine = engine.unwrap();
        let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
        let begin = Instant::from_millis((desk.now().millis() / DAY + 1) * DAY);
        let royal =
            AddTheater { name: "The Royal".into(), plan: rows::parse("5x16").unwrap(), time_zone: Some(Tz::UTC) };
        let hamlet = AddPerformance {
            theater: desk.run(royal).unwrap().id,
            title: "Hamlet".into(),
            description: String::new(),
            start: begin + Span::minutes(450),
            end: begin + Span::minutes(570),
            currency: None,
            prices: vec![NamedPrice { category: None, ticket_type: None, minor: 1000 }],
        };
        let room = AddResource {
            name: "Room".into(),
            kind: "room".into(),
            parent: None,
            grid: Grid { zone: Tz::UTC, segment: Segment::of_minutes(15).unwrap() },
            policy: Policy::OpenEnded,
            hours: None,
            before: Span::default(),
            after: Span::default(),
            price: None,
            properties: BTreeMap::new(),
        };
        let house = Self {
            show: desk.run(hamlet).unwrap().performance.id,
            room: desk.run(room).unwrap().id,
            begin,
            desk,
            _engine: engine,
        };
        for number in 0..20 {
            house.book(number);
        }
        for seat in 1..=9 {
            house.hold(house.open(), &format!("E{seat}"));
        }
        house
    }

    fn book(&self, number: i64) {
        let from = self.begin + Span::minutes(number * 24 * 60);
        let slot = Slot::new(from, from + Span::minutes(60)).unwrap();
        let book = BookSlot {
            wants: vec![Want::all(vec![self.room.clone()], slot)],
            details: Details { title: format!("Yoga {number}"), ..Details::default() },
            past: Past::Refuse,
        };
        self.desk.run(book).unwrap();
    }

    fn open(&self) -> CartId {
        self.desk.run(OpenCart::default()).unwrap().id
    }

    fn hold(&self, cart: CartId, seats: &str) {
        let hold = HoldSeats {
            cart: Some(cart),
            performance: self.show,
            seats: SeatChoice::Named(seats.split(' ').map(Into::into).collect()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        self.desk.run(hold).unwrap();
    }

    fn check_out(&self, cart: CartId) {
        let pay = Checkout {
            cart,
            tenders: vec![Tender::Cash { given: None }],
            seen: None,
            customer: None,
            tickets: TicketsTo::Customer,
            returns: None,
        };
        self.desk.run(pay).unwrap();
    }

    /// Does each thing of [`DESK`] once, and gives what each took.
    fn work(&self, row: char, day: i64) -> Vec<Counts> {
        let mut counts = Vec::new();
        let mut cart = None;
        let all = |slot: Slot| ReadCalendar { resources: vec![self.room.clone()], window: slot, words: Words::Titles };
        let month = Slot::new(self.begin, self.begin + Span::minutes(30 * 24 * 60)).unwrap();
        counts.push(count(|| cart = Some(self.open())));
        let cart = cart.unwrap();
        let seats = format!("{row}6 {row}7 {row}8");
        counts.push(count(|| self.hold(cart, &seats)));
        counts.push(count(|| {
            self.desk.run(BeginPayment { cart }).unwrap();
        }));
        counts.push(count(|| self.check_out(cart)));
        counts.push(count(|| self.book(day)));
        counts.push(count(|| drop(self.desk.read(ReadCart(cart)).unwrap())));
        let open = ReadOpenCarts::default();
        counts.push(count(|| {
            assert_eq!(self.desk.read(open).unwrap().len(), 9);
        }));
        counts.push(count(|| {
            drop(self.desk.read(ReadSeatMap(self.show)).unwrap());
        }));
        counts.push(count(|| drop(self.desk.read(all(month)).unwrap())));
        counts.push(count(|| {
            let agenda = self.desk.read(ReadAgenda::default()).unwrap();
            assert!(agenda.bookings.len() >= 20);
        }));
        counts
    }
}

/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

fn count(act: impl FnOnce()) -> Counts {
    let before = trace::counts();
    act();
    let after = trace::counts();
    Counts { statements: after.statements - before.statements, trips: after.trips - before.trips }
}

/// What a command of the real binary prints, and what it took.
fn willcall(ground: &Ground, line: &[&str]) -> (String, Counts) {
    let output = Command::new(env!("CARGO_BIN_EXE_willcall"))
        .args(line)
        .args(["--db", &ground.place().spelled()])
        .envs([("WILLCALL_TRACE", "statements"), ("USER", "ada")])
        .output()
        .unwrap();
    let traced = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line:?}: {traced}");
    let statements: Vec<&str> = traced.lines().filter(|line| line.starts_with("statement ")).collect();
    let trips = statements.iter().filter_map(|line| line.split(", round trip ").nth(1)?.split(',').next());
    let counts = Counts {
        statements: u64::try_from(statements.len()).unwrap(),
        trips: u64::try_from(trips.collect::<BTreeSet<_>>().len()).unwrap(),
    };
    (String::from_utf8(output.stdout).unwrap(), counts)
}

/// Does each thing of [`BINARY`], and gives what each took.
fn commands(ground: &Ground) -> Vec<Counts> {
    let (opened, open) = willcall(ground, &["cart", "open", "--json"]);
    let id = opened.split("\"id\":\"").nth(1).unwrap();
    let id = id.split('"').next().unwrap();
    let add = ["cart", "add", id, "--performance", "Hamlet", "--seats", "D1,D2,D3"];
    let rest: [&[&str]; 4] = [&add, &["cart", "show", id], &["cart", "list"], &["calendar", "list"]];
    let rest = rest.map(|line| willcall(ground, line).1);
    [open].into_iter().chain(rest).collect()
}

/// The lines of what went over its budget, beside all others.
fn table(budgets: &[Budget], found: (&[Counts], &[Counts])) -> (String, bool) {
    let (mut lines, mut is_over) = (String::new(), false);
    for (((name, file, server), in_file), on_server) in budgets.iter().zip(found.0).zip(found.1) {
        let over = in_file.statements > *file || on_server.statements > server.0 || on_server.trips > server.1;
        is_over |= over;
        let mark = if over { "OVER" } else { "" };
        // writing to a String cannot fail
        let _ = writeln!(
            lines,
            "{name:22} in a file {:3} of {file:3}; on a server {:3} of {:3} in {:3} of {:3} round trips {mark}",
            in_file.statements, on_server.statements, server.0, on_server.trips, server.1
        );
    }
    (lines, is_over)
}

#[test]
fn commands_and_questions_keep_to_their_statements_and_round_trips() {
    let (file, server) = (Ground::file(), Ground::server());
    let houses = (House::new(&file), House::new(&server));
    // twice, for a statement is prepared at its second use
    let work = |house: &House| {
        house.work('A', 21);
        house.work('B', 22);
        house.work('C', 23)
    };
    let (in_file, on_server) = (work(&houses.0), work(&houses.1));
    let (desk, over) = table(&DESK, (&in_file, &on_server));
    let (binary, also) = table(&BINARY, (&commands(&file), &commands(&server)));
    assert!(!over && !also, "at a desk:\n{desk}\nas a command:\n{binary}");
    let sale: u64 = on_server.iter().skip(1).take(3).map(|one| one.trips).sum();
    assert!(sale <= 6, "hold, begin to pay and check out take {sale} round trips");
}
