//! A hundred hot seats: clerks in several processes who all want them, hold, give back and pay in any order, and
//! what has to be true of what they were told.
//!
//! A few thousand commands in the tests; `WILLCALL_HOT_COMMANDS=100000` tells it at its full size.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant as Moment;

use serde::{Deserialize, Serialize};
use willcall::bench::Dice;
use willcall::domain::ids::{CartId, CommandId, PerformanceId};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::{Receipt, Tender};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddPerformance, AddTheater, CancelCart, CheckedOut, Checkout, HoldSeats, HouseSeats, NamedPrice, SeatChoice,
};
use willcall::engine::reads::journal::{EntryView, ReadJournal};
use willcall::engine::verify::Verify;
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Operation};
use willcall::formats::rows;
use willcall::store::document::{self, DocKind};
use willcall::store::{Fault, Location, Missing};

use crate::ground::Ground;
use crate::limit::{self, until};

/// Rows, and seats of a row.
const SIDE: u32 = 10;

/// How many commands all clerks give together, unless the environment says.
const COMMANDS: u32 = 4000;

/// Of how many commands one pays: so the seats are hot until the end.
const PAYS_ONE_IN: u32 = 50;

/// How many carts a clerk has open at most.
const CARTS_MAX: usize = 3;

const POST: &str = "WILLCALL_HOT_POST";
const HOUSE: &str = "WILLCALL_HOT_HOUSE";

/// Who fights.
#[derive(Clone, Copy)]
pub(crate) struct Fight {
    pub(crate) processes: u32,
    /// In each of them.
    pub(crate) clerks: u32,
}

/// What a process of clerks is told.
#[derive(Serialize, Deserialize)]
struct Post {
    show: PerformanceId,
    /// Its number among the processes.
    number: u32,
    clerks: u32,
    /// Of each clerk.
    commands: u32,
    /// Of one command in so many each pays.
    pays_one_in: u32,
    /// Where it writes what it was told.
    told: PathBuf,
}

/// What clerks were told.
#[derive(Default, Serialize, Deserialize)]
struct Told {
    receipts: Vec<String>,
    done: Vec<String>,
    refused: u32,
    again: u32,
}

fn desk_at(engine: &Engine, station: &str) -> Desk {
    engine.desk(Actor { operator: "ada".into(), station: station.into() })
}

struct Clerk {
    desk: Desk,
    dice: Dice,
    show: PerformanceId,
    /// Open carts, and the seats of each.
    carts: Vec<(CartId, BTreeSet<SeatRef>)>,
    told: Told,
}

impl Clerk {
    /// Gives a command, again while the desk is too busy, and notes what it came to; some are sent again, and answer
    /// the same.
    fn ask<O: Operation + Clone>(&mut self, operation: O) -> Option<O::Answer>
    where
        O::Answer: Debug,
    {
        let id = CommandId::random();
        let mut came_to = self.desk.run_as(id, operation.clone());
        until("the desk is no more too busy", || {
            let is_busy = matches!(came_to, Err(Failure::Fault(Fault::Busy)));
            if is_busy {
                came_to = self.desk.run_as(id, operation.clone());
            }
            !is_busy
        });
        match came_to {
            Ok(answer) => {
                self.told.done.push(id.to_string());
                if self.dice.below(50) == 0 {
                    let again = self.desk.run_as(id, operation).unwrap();
                    assert_eq!(format!("{again:?}"), format!("{answer:?}"), "sent again");
                    self.told.again += 1;
                }
                Some(answer)
            }
            Err(Failure::Refused(_)) => {
                self.told.refused += 1;
                None
            }
            Err(Failure::Fault(fault)) => panic!("a command was not resolved: {fault}"),
        }
    }

    /// Wants one seat or two neighbours, in a new cart or the last.
    fn hold(&mut self, open: Option<CartId>) {
        let (row, seat) = (self.dice.below(SIDE), self.dice.below(SIDE - 1));
        let count = 1 + self.dice.below(2);
        let seats: BTreeSet<SeatRef> = (seat..seat + count).map(|seat| SeatRef { row, seat }).collect();
        let held = self.ask(HoldSeats {
            cart: open,
            performance: self.show,
            seats: SeatChoice::Seats(seats.iter().copied().collect()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        });
        let Some(cart) = held else { return };
        if open.is_none() {
            self.carts.push((cart.id, BTreeSet::new()));
        }
        let own = self.carts.last_mut().map(|(_, own)| own).unwrap();
        own.extend(seats);
    }

    fn pay(&mut self, cart: CartId) {
        let paid = self.ask(Checkout::new(cart, vec![Tender::Cash { given: None }]));
        match paid {
            Some(CheckedOut::Receipt(receipt)) => self.told.receipts.push(receipt.number),
            other => panic!("no receipt but {other:?}"),
        }
    }

    fn work(mut self, post: &Post) -> Told {
        for _ in 0..post.commands {
            let Some(cart) = self.carts.last().map(|(cart, _)| *cart) else {
                self.hold(None);
                continue;
            };
            if self.dice.below(post.pays_one_in) == 0 {
                self.carts.pop();
                self.pay(cart);
                continue;
            }
            match self.dice.below(10) {
                0..=3 => {
                    self.carts.pop();
                    self.ask(CancelCart { cart });
                }
                4..=5 if self.carts.len() < CARTS_MAX => self.hold(None),
                _ => self.hold(Some(cart)),
            }
        }
        while let Some((cart, _)) = self.carts.pop() {
            self.ask(CancelCart { cart });
        }
        self.told
    }
}

/// One process of several, when a story has started it.
#[test]
#[ignore = "a process of clerks, which the stories start"]
fn some_clerks() {
    let (Ok(post), Ok(house)) = (std::env::var(POST), std::env::var(HOUSE)) else {
        return;
    };
    limit::step();
    let post: Post = serde_json::from_str(&post).unwrap();
    let engine = Engine::open(Config::new(Location::parse(&house).unwrap())).unwrap();
    let told: Vec<Told> = std::thread::scope(|scope| {
        let clerks: Vec<_> = (0..post.clerks)
            .map(|number| {
                let number = post.number * post.clerks + number;
                let clerk = Clerk {
                    desk: desk_at(&engine, &format!("till-{number}")),
                    dice: Dice(u64::from(number) + 1),
                    show: post.show,
                    carts: Vec::new(),
                    told: Told::default(),
                };
                let post = &post;
                scope.spawn(move || clerk.work(post))
            })
            .collect();
        clerks.into_iter().map(|clerk| clerk.join().unwrap()).collect()
    });
    std::fs::write(&post.told, serde_json::to_vec(&told).unwrap()).unwrap();
}

fn start(place: &Location, post: &Post) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["hot_seats::some_clerks", "--exact", "--ignored"])
        .env(POST, serde_json::to_string(post).unwrap())
        .env(HOUSE, place.spelled())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A performance tonight of a hundred seats.
fn open(desk: &Desk) -> PerformanceId {
    let theater = desk
        .run(AddTheater {
            name: "The Small".into(),
            plan: rows::parse(&format!("{SIDE}x{SIDE}")).unwrap(),
            time_zone: None,
        })
        .unwrap();
    let start = desk.now() + Span::minutes(600);
    let add = AddPerformance::new(theater.id, "Rush", (start, start + Span::minutes(120)), vec![NamedPrice::all(1000)]);
    desk.run(add).unwrap().performance.id
}

/// Clerks fight for a hundred seats of an empty house, by the way to it that is given; then all that they were told
/// is held against the house.
pub(crate) fn fight(home: &Location, way: &Location, fight: Fight) {
    let commands = std::env::var("WILLCALL_HOT_COMMANDS").map(|text| text.parse().unwrap());
    let is_full = commands.is_ok();
    let commands: u32 = commands.unwrap_or(COMMANDS);
    let engine = Engine::open(Config { missing: Missing::Create, ..Config::new(home.clone()) }).unwrap();
    let desk = desk_at(&engine, "office");
    let show = open(&desk);
    let before = journal(&desk).len();
    let folder = tempfile::tempdir().unwrap();
    let told_in = |number| folder.path().join(format!("{number}.json"));
    let began = Moment::now();
    let started: Vec<Child> = (0..fight.processes)
        .map(|number| {
            let post = Post {
                show,
                number,
                clerks: fight.clerks,
                commands: commands / (fight.processes * fight.clerks),
                pays_one_in: (commands / PAYS_ONE_IN).max(1),
                told: told_in(number),
            };
            start(way, &post)
        })
        .collect();
    for process in started {
        limit::step();
        let ended = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{said}");
    }
    let took = began.elapsed();
    let told = (0..fight.processes).flat_map(|number| told_of(&told_in(number)));
    let told: Vec<Told> = told.collect();
    let entries = journal(&desk);
    let entries = entries.get(before..).unwrap();
    is_what_was_told(entries, &told);
    is_serial(entries);
    let report = desk.read(Verify::default()).unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    if is_full {
        say(&told, took);
    }
}

/// Figures of a full fight, past the test harness, which keeps what tests print to itself.
fn say(told: &[Told], took: std::time::Duration) {
    let sum = |of: fn(&Told) -> usize| told.iter().map(of).sum::<usize>();
    let line = format!(
        "{} done, {} refused, {} sent again, {} receipts in {:.1} s\n",
        sum(|told| told.done.len()),
        told.iter().map(|told| told.refused).sum::<u32>(),
        told.iter().map(|told| told.again).sum::<u32>(),
        sum(|told| told.receipts.len()),
        took.as_secs_f64()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

fn told_of(path: &Path) -> Vec<Told> {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn journal(desk: &Desk) -> Vec<EntryView> {
    let mut all = Vec::new();
    loop {
        let after = all.last().map_or(0, |entry: &EntryView| entry.seq);
        let page = desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// What was told as done is stored, each once, and nothing else is: no receipt is lost, no seat is sold twice.
fn is_what_was_told(entries: &[EntryView], told: &[Told]) {
    let stored: BTreeSet<&str> = entries.iter().map(|entry| entry.command.as_str()).collect();
    let done: BTreeSet<&str> = told.iter().flat_map(|told| told.done.iter().map(String::as_str)).collect();
    assert_eq!(stored.len(), entries.len(), "a command is stored twice");
    let odd: Vec<_> = stored.symmetric_difference(&done).collect();
    assert!(odd.is_empty(), "not what was told: {odd:?}");
    let receipts: Vec<Receipt> = entries
        .iter()
        .flat_map(|entry| &entry.changes)
        .filter(|change| change.kind == DocKind::Receipt && change.version == 1)
        .map(|change| {
            let body = change.body.clone();
            document::parse(&change.key, (&body, "")).unwrap()
        })
        .collect();
    let issued: BTreeSet<&str> = receipts.iter().map(|receipt| receipt.number.as_str()).collect();
    let had = told.iter().flat_map(|told| &told.receipts);
    assert_eq!(issued, had.map(String::as_str).collect(), "each receipt that was told of, and no other");
    assert!(!issued.is_empty(), "nothing was sold");
    let sold: Vec<SeatRef> =
        receipts.iter().flat_map(|receipt| receipt.lines.iter().flat_map(|line| line.goods.seats().to_vec())).collect();
    let different: BTreeSet<SeatRef> = sold.iter().copied().collect();
    assert_eq!(different.len(), sold.len(), "a seat was sold twice");
}

/// Whether the commands have an order in which each document's versions follow one another: command before command
/// wherever one wrote on what the other had written, and never in a circle.
#[expect(clippy::indexing_slicing, reason = "places of entries that are there")]
fn is_serial(entries: &[EntryView]) {
    let mut wrote: BTreeMap<(&str, &str, i64), usize> = BTreeMap::new();
    for (place, entry) in entries.iter().enumerate() {
        for change in &entry.changes {
            let version = (change.kind.word(), change.key.as_str(), change.version);
            let twice = wrote.insert(version, place);
            assert!(twice.is_none(), "{version:?} was written twice");
        }
    }
    let mut later: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut waits_for = vec![0_usize; entries.len()];
    for (place, entry) in entries.iter().enumerate() {
        for change in &entry.changes {
            let before = (change.kind.word(), change.key.as_str(), change.version - 1);
            let Some(writer) = wrote.get(&before) else {
                // what the house was opened with
                continue;
            };
            assert_eq!(change.previous, entries[*writer].command, "{before:?}");
            later[*writer].push(place);
            waits_for[place] += 1;
        }
    }
    let mut free: Vec<usize> = (0..entries.len()).filter(|place| waits_for[*place] == 0).collect();
    let mut ordered = 0;
    while let Some(place) = free.pop() {
        ordered += 1;
        for after in &later[place] {
            waits_for[*after] -= 1;
            if waits_for[*after] == 0 {
                free.push(*after);
            }
        }
    }
    assert_eq!(ordered, entries.len(), "commands wait for each other in a circle");
}

#[test]
fn eight_processes_on_a_file_sell_no_seat_twice_and_lose_no_receipt() {
    let ground = Ground::file();
    let clerks = Fight { processes: 8, clerks: 4 };
    fight(&ground.place(), &ground.place(), clerks);
}
