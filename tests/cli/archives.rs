//! The journal of past days moves into a file, from the command line.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::{Clock, ManualClock, SystemClock};
use willcall::engine::ops::OpenCart;
use willcall::engine::verify::PrepareArchive;
use willcall::engine::{Actor, Config, Engine};
use willcall::store::{Location, Missing};

use crate::support::{House, Ran};

/// How often archiving is killed.
const MOMENTS: u32 = 12;

fn ago(days: i64) -> Instant {
    SystemClock::default().now() - Span::minutes(days * 24 * 60)
}

pub(crate) fn days_ago(days: i64) -> NaiveDate {
    ago(days).in_zone(chrono_tz::UTC).date_naive()
}

/// A house with 300 carts of ten days ago, and one of today.
pub(crate) fn worked() -> House {
    let house = House::none();
    let config = Config {
        missing: Missing::Create,
        clock: Arc::new(ManualClock::at(ago(10))),
        ..Config::new(Location::File(house.path("house.db")))
    };
    let engine = Engine::open(config).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    for _ in 0..300 {
        desk.run(OpenCart::default()).unwrap();
    }
    drop(engine);
    house.cart();
    house
}

fn numbers(house: &House) -> Vec<i64> {
    let entries = house.json("journal").done();
    let entries = entries.as_array().unwrap().iter();
    entries.map(|entry| entry["id"].as_i64().unwrap()).collect()
}

#[test]
fn past_days_of_the_journal_move_into_a_file() {
    let house = worked();
    let (day, file) = (days_ago(5), house.path("old.archive"));
    let checked = house.json("verify").done()["checked"].clone();
    let line = format!("journal archive --before {day} --to {}", file.display());
    let moved = house.json(&line).done();
    assert_eq!((&moved["entries"], &moved["last"]), (&300.into(), &300.into()));
    assert_eq!((&moved["file"], &moved["before"]), (&"old.archive".into(), &day.to_string().into()));
    // the entry of today, and that of the archive
    let list = house.run("journal");
    assert_eq!(list.err, format!("Entries up to 300 (before {day}) are archived in old.archive.\n"));
    assert_eq!(list.text().lines().count(), 2);
    assert_eq!(numbers(&house), [301, 302]);
    let people = house.run("verify");
    assert!(people.text().contains("was not read"), "{people:?}");
    let read = house.json(&format!("verify --archive {}", file.display())).done();
    assert_eq!(read["ok"], true);
    assert!(read["checked"].as_i64() >= checked.as_i64(), "{read}");
    house.json(&format!("backup {}", house.path("copy.db").display())).done();
    let copied = house.path("row by row.db");
    let copy = format!("copy --from '{}' --to '{}'", house.path("house.db").display(), copied.display());
    house.json(&copy).done();
    let mut through = house.command();
    through.arg("--db").arg(copied).args(["--json", "verify", "--archive"]);
    let read = Ran::of("verify", through.arg(&file).output().unwrap()).done();
    assert_eq!(read["ok"], true);
    // nothing is left to move, and the file stays
    let bytes = std::fs::read(&file).unwrap();
    let again = house.run(&line);
    assert_eq!(
        (again.code, again.err),
        (3, format!("Before: the journal has no entry before {day} that is not archived.\n"))
    );
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn what_cannot_be_archived_is_refused_and_changes_nothing() {
    let house = worked();
    let (day, open, there) = (days_ago(5), days_ago(0), house.write("there", "mine"));
    let before = numbers(&house);
    let to = |day: NaiveDate, file: &str| format!("journal archive --before {day} --to {file}");
    let new = house.path("new").display().to_string();
    let early = house.run(&to(open, &new));
    assert!(early.err.contains("a day is archived a day after its end; write "), "{early:?}");
    assert_eq!(early.code, 3);
    house.json(&to(days_ago(400), &new)).refused("bad_value");
    house.json(&to(day, &there)).refused("exists");
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "mine");
    let own = house.path("house.db").display().to_string();
    house.json(&to(day, &own)).refused("belongs_to_house");
    let nowhere = house.path("nowhere/new").display().to_string();
    house.json(&to(day, &nowhere)).refused("unwritable");
    house.json(&format!("verify --archive {there}")).refused("no_archive");
    assert_eq!(numbers(&house), before);
    let left = std::fs::read_dir(house.folder.path()).unwrap();
    let names = left.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| name == "there" || name.starts_with("house.db") || name.starts_with('.')));
    house.verified();
}

#[test]
fn archiving_that_was_killed_loses_nothing_and_is_finished_by_the_same_line() {
    for moment in 0..MOMENTS {
        let house = worked();
        let (day, file) = (days_ago(5), house.path("old.archive"));
        let line = format!("journal archive --before {day} --to {}", file.display());
        let mut archiving = house.on(&line);
        let mut child = archiving.stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(8) * moment);
        child.kill().unwrap();
        child.wait().unwrap();
        house.verified();
        if numbers(&house).len() > 2 {
            house.json(&line).done();
        }
        assert_eq!(numbers(&house), [301, 302]);
        let through = format!("verify --archive {}", file.display());
        assert_eq!(house.json(&through).done()["ok"], true);
    }
}

#[test]
fn a_file_left_by_archiving_that_was_killed_before_the_move_is_taken() {
    let house = worked();
    let (day, file) = (days_ago(5), house.path("old.archive"));
    let engine = Engine::open(Config::new(Location::File(house.path("house.db")))).unwrap();
    let desk = engine.desk(Actor { operator: "ada".into(), station: "till-1".into() });
    let name = "old.archive".to_owned();
    let prepared = PrepareArchive { before: day, name, file: file.clone() };
    desk.read(prepared).unwrap();
    drop(engine);
    house.verified();
    let line = format!("journal archive --before {day} --to {}", file.display());
    assert_eq!(house.json(&line).done()["entries"], 300);
    assert_eq!(numbers(&house), [301, 302]);
    assert_eq!(house.json(&format!("verify --archive {}", file.display())).done()["ok"], true);
}
