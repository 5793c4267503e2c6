//! Budgets of statements and round trips: the commonest commands and questions of a desk at work, in a file and on a
//! server, and of single commands of the real binary. One that needs more fails here.
//!
//! The counts of a desk are the process's, so that all of it is one test; those of the binary are its own. A lower figure
//! than its budget is a reason to lower it.

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
    OpenCart, Past, SeatChoice, Want,
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

/// Lists of the real binary: each takes the same statements and round trips however many rows it has. `%` is how often
/// the house has grown.
const LISTS: [&str; 24] = [
    "theater list",
    "performance list",
    "performance show Night1",
    "performance seats Night1",
    "performance customers Night1",
    "performance customers Off%",
    "performance settle Off% --back as-paid --csv --limit 0",
    "resource list",
    "resource chunks Room1 --from 2099-12-01 --until 2100-12-01",
    "calendar list",
    "calendar export",
    "calendar show Room1 --from 2099-12-01 --until 2100-12-01",
    "find --from 2099-12-01 --until 2099-12-02 --for 30m",
    "find --text ida",
    "cart list --all",
    "receipt list",
    "credit list",
    "customer list",
    "waitlist list",
    "worklist",
    "worklist --json",
    "job list",
    "job history",
    "journal",
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
        let hamlet = AddPerformance::new(
            desk.run(royal).unwrap().id,
            "Hamlet",
            (begin + Span::minutes(450), begin + Span::minutes(570)),
            vec![NamedPrice::all(1000)],
        );
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
            prices: None,
            count: None,
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
        let pay = Checkout::new(cart, vec![Tender::Cash { given: None }]);
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

/// Runs a line of words and gives the text behind a key of its answer.
fn answered(ground: &Ground, line: &str, key: &str) -> String {
    let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
    let (answer, _) = willcall(ground, &words);
    let value = answer.split(&format!("\"{key}\":\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.unwrap_or_default().to_owned()
}

/// Adds a row of everything that is listed; gives one booking of a repeat of as many dates.
fn grow(ground: &Ground, number: u32) -> String {
    let run = |line: &str| answered(ground, line, "id");
    let sold = |adds: &str, name: &str, pays: &str| {
        let cart = run("cart open");
        run(&format!("cart add {cart} {adds}"));
        let pay = format!("cart checkout {cart} --pay {pays} --name {name}{number} --phone 0171{number}");
        answered(ground, &pay, "number")
    };
    run(&format!("theater add House{number} --rows 5x16 --time-zone UTC"));
    for (night, month) in [("Night", 12), ("Off", 11)] {
        let day = format!("2099-{month}-{number:02}T");
        run(&format!(
            "performance add --theater House{number} --title {night}{number} --start {day}19:30 --end {day}21:30 --price 10"
        ));
    }
    run(&format!("resource add Room{number} --kind room --segment 30 --price 5 --time-zone UTC"));
    let repeat = format!(
        "calendar book Room{number} --from 2099-12-01T10:00 --until 2099-12-01T11:00 --customer Ida{number} --phone 0173{number} --repeat FREQ=WEEKLY;COUNT={}",
        number * 3
    );
    let booking = answered(ground, &repeat, "booking");
    let receipt = sold(&format!("--performance Night1 --seats A{number}"), "Ida", "cash");
    sold(&format!("--performance Night{number} --seats B{number}"), "Bob", "cash");
    for seat in 1..=number {
        sold(&format!("--performance Off{number} --seats C{seat}"), "Max", &format!("card=R{seat}"));
    }
    run(&format!("performance cancel Off{number} --reason flood"));
    let reserved = run("cart open");
    run(&format!("cart add {reserved} --performance Night1 --seats D{number}"));
    run(&format!("cart name {reserved} --name Ida{number}"));
    run(&format!("cart reserve {reserved} --pay-by +2h"));
    run(&format!("waitlist add Night1 --customer Ida{number} --seats 16"));
    run(&format!("performance disable Night{number} --seats B{number} --reason broken"));
    run(&format!("performance keep Night1 --seats E{number} --reason press --until 2099-11-30"));
    run(&format!("calendar disable Room{number} --from 2099-12-01T10:00 --until 2099-12-01T10:30 --reason leak"));
    run(&format!("receipt goodwill {receipt} --amount 1 --back owed --reason sorry"));
    run(&format!("job add --kind own --subject s{number} --due +3h --run true"));
    run("job run");
    booking
}

/// Statements of each of [`LISTS`], and of a repeat.
fn lists(ground: &Ground, repeat: &str, number: u32) -> Vec<(String, Counts)> {
    let series = format!("calendar series {repeat}");
    let lines = LISTS.iter().map(|line| line.replace('%', &number.to_string())).chain([series]);
    lines.map(|line| (line.clone(), willcall(ground, &line.split(' ').collect::<Vec<_>>()).1)).collect()
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
fn no_list_takes_more_statements_for_more_rows() {
    for ground in [Ground::file(), Ground::server()] {
        willcall(&ground, &["init"]);
        let grown = |first: u32, number: u32| {
            let repeats: Vec<_> = (first..=number).map(|number| grow(&ground, number)).collect();
            lists(&ground, repeats.last().unwrap(), number)
        };
        // of each two, so that there are all states of their kinds; one that comes with the clock counts once at most
        let (few, many, most) = (grown(1, 2), grown(3, 5), grown(6, 8));
        let takes_more = |one: &Counts, other: &Counts| other.statements > one.statements || other.trips > one.trips;
        let mut more = String::new();
        for (((line, few), (_, many)), (_, most)) in few.iter().zip(&many).zip(&most) {
            if takes_more(few, many) && takes_more(many, most) {
                // writing to a String cannot fail
                let _ = writeln!(more, "{line}: {few:?}, then {many:?}, then {most:?}");
            }
        }
        assert!(more.is_empty(), "lists that take more for more rows:\n{more}");
    }
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
