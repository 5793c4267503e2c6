//! Processes that are killed at any moment: nothing that they acknowledged is lost.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use willcall::bench::Dice;
use willcall::engine::{Config, Engine, Role, Ticker};
use willcall::store::Missing;

use crate::clerk::{Clerk, Premises, Told, desk_of, is_whole, journal};
use crate::limit::scratch;

/// Where a process that will be killed finds its house.
const HOUSE: &str = "WILLCALL_CRASH_HOUSE";

/// How many clerks such a process has.
const CLERKS: u64 = 2;

/// How many kills one house has.
const KILLS_OF_A_HOUSE: u32 = 5;

/// How soon after its first answer a process is killed at the latest.
const MILLIS_MOST: u32 = 120;

fn open(path: &Path, role: Role, ticker: Ticker) -> Engine {
    let config = Config { missing: Missing::Create, role, ticker, ..Config::new(path.to_owned()) };
    Engine::open(config).unwrap()
}

/// A desk with all its threads, which prints the id of each command that was done.
#[test]
#[ignore = "a process of clerks, which the proofs start and kill"]
fn clerks_until_they_are_killed() {
    let Some(path) = std::env::var_os(HOUSE) else {
        return;
    };
    let engine = open(Path::new(&path), Role::Desk, Ticker::On);
    let house = Premises::build(&desk_of(&engine, "till-1"));
    let seed = u64::from(std::process::id());
    std::thread::scope(|scope| {
        for clerk in 0..CLERKS {
            let heard = Arc::new(|id, told| {
                if told == Told::Done {
                    // in one write, so that no line is torn by the kill
                    let line = format!("done {id}\n");
                    std::io::stderr().write_all(line.as_bytes()).unwrap();
                }
            });
            let desk = desk_of(&engine, &format!("till-{clerk}"));
            let mut clerk = Clerk::new(desk, &house, (seed + clerk, heard));
            scope.spawn(move || {
                loop {
                    clerk.act();
                }
            });
        }
    });
}

/// Starts clerks, kills them some time after their first answer, and gives what they acknowledged.
fn killed(path: &Path, after: Duration) -> Vec<String> {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["kills::clerks_until_they_are_killed", "--exact"])
        .args(["--ignored", "--nocapture"])
        .env(HOUSE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let read = std::thread::spawn(move || lines.map(Result::unwrap).collect::<Vec<_>>());
    std::thread::sleep(after);
    process.kill().unwrap();
    process.wait().unwrap();
    let rest = read.join().unwrap();
    let lines = std::iter::once(first).chain(rest);
    let done = |line: String| match line.strip_prefix("done ") {
        Some(id) => id.to_owned(),
        None => panic!("the clerks failed: {line}"),
    };
    lines.map(done).collect()
}

/// Kills processes so often, and holds each house against what they acknowledged.
fn kill(times: u32) {
    let mut dice = Dice(u64::from(std::process::id()));
    for _ in 0..times.div_ceil(KILLS_OF_A_HOUSE) {
        let folder = scratch();
        let path = folder.path().join("house.db");
        let mut acknowledged = Vec::new();
        for _ in 0..KILLS_OF_A_HOUSE {
            let after = Duration::from_millis(dice.below(MILLIS_MOST).into());
            acknowledged.extend(killed(&path, after));
            let engine = open(&path, Role::Command, Ticker::Off);
            let desk = desk_of(&engine, "office");
            let entries = journal(&desk, 0);
            let stored: Vec<&str> = entries.iter().map(|entry| entry.command.as_str()).collect();
            let once: BTreeSet<&str> = stored.iter().copied().collect();
            assert_eq!(once.len(), stored.len(), "a command is stored twice");
            for id in &acknowledged {
                assert!(once.contains(id.as_str()), "{id} is lost");
            }
            is_whole(&desk);
        }
    }
}

#[test]
fn processes_killed_at_any_moment_lose_nothing_that_they_acknowledged() {
    kill(20);
}

#[test]
#[ignore = "a thousand kills: minutes"]
fn a_thousand_kills_lose_nothing_that_was_acknowledged() {
    kill(1000);
}
