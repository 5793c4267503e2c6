//! Where a house is: missing, foreign, damaged, newer, not to be written to; and desks without a terminal.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rusqlite::Connection;
use rustix::process::geteuid;
use serde_json::{Value, json};

use super::is_a_sentence;
use crate::support::{House, Ran, split};

/// Nobody in particular.
const NOBODY: u32 = 65_534;

/// A line on some place, refused; whatever lies in the folder is as it was.
#[track_caller]
fn refused_at(house: &House, db: &Path, line: &str, (kind, words): (&str, &str)) -> Value {
    told_at(house, db, line, (3, words)).refused(kind)
}

/// The same of a fault of the machine, with exit code 1.
#[track_caller]
fn fails_at(house: &House, db: &Path, line: &str, (kind, words): (&str, &str)) {
    told_at(house, db, line, (1, words)).failed(kind);
}

#[track_caller]
fn told_at(house: &House, db: &Path, line: &str, (code, words): (i32, &str)) -> Ran {
    let before = listing(house);
    let run = |json: &[&str]| {
        let mut command = house.command();
        command.arg("--db").arg(db).args(split(line)).args(json);
        Ran::of(line, command.output().unwrap())
    };
    let people = run(&[]);
    assert_eq!((people.code, people.out.as_str()), (code, ""), "{people:#?}");
    is_a_sentence(&people, words);
    let programs = run(&["--json"]);
    assert_eq!(people.err, programs.err);
    assert_eq!(listing(house), before, "{line} changed something");
    programs
}

/// Every file in the house's folder, with what is in it.
fn listing(house: &House) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(house.folder.path()).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(&path).unwrap_or_default()))
        .filter(|(path, contents)| !is_leftover(path, contents))
        .collect();
    files.sort();
    files
}

/// An empty log and its index, which the database's library leaves where two connections close at once.
fn is_leftover(path: &Path, contents: &[u8]) -> bool {
    let name = path.to_string_lossy();
    name.ends_with("-shm") || name.ends_with("-wal") && contents.is_empty()
}

#[test]
fn a_file_of_another_user_beside_a_house_that_everybody_may_write_to_is_refused() {
    if !geteuid().is_root() {
        return;
    }
    let house = House::royal();
    let (db, log) = (house.path("house.db"), house.path("house.db-turn"));
    std::fs::write(&log, "").unwrap();
    std::os::unix::fs::chown(&log, Some(NOBODY), None).unwrap();
    house.json("cart list").done();
    let open_to_all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(house.folder.path(), open_to_all).unwrap();
    refused_at(&house, &db, "cart list", ("foreign_file", "another user"));
}

#[test]
fn a_backup_beside_the_log_of_another_house_is_not_restored() {
    let house = House::royal();
    house.json(&format!("backup {}", house.path("kept.db").display())).done();
    let restore = |to: &str| {
        let line = format!("--db {} restore {}", house.path(to).display(), house.path("kept.db").display());
        Ran::of(&line, house.command().args(split(&line)).output().unwrap())
    };
    assert!(!restore("one.db").err.contains("kept.db-wal"));
    std::fs::write(house.path("kept.db-wal"), [7; 64]).unwrap();
    let told = restore("two.db");
    assert!(told.code == 1 && told.err.contains("move kept.db-wal and kept.db-shm away"), "{told:?}");
}

#[test]
fn missing_database_file() {
    let house = House::none();
    let db = house.path("house.db");
    for line in ["theater list", "verify", "cart open"] {
        let facts = refused_at(&house, &db, line, ("missing_house", "init"));
        assert_eq!(facts["path"], db.display().to_string());
    }
    refused_at(&house, &house.path("no/such/house.db"), "verify", ("missing_house", "init"));
    refused_at(&house, &house.path("no/such/house.db"), "init", ("missing_folder", "make it"));
    let made = house.json("init").done();
    assert_eq!(made["id"], db.display().to_string());
    refused_at(&house, &db, "init", ("exists", "Use it"));
    assert_eq!(house.json("theater list").done(), json!([]));
    house.verified();
}

#[test]
fn empty_file() {
    let house = House::none();
    house.write("house.db", "");
    refused_at(&house, &house.path("house.db"), "theater list", ("missing_house", "init"));
    house.json("init").done();
    house.verified();
}

#[test]
fn foreign_file() {
    let house = House::none();
    let letter = "this is a letter, not a database, and long enough to be taken for one at a glance";
    house.write("long.db", &letter.repeat(20));
    house.write("short.db", "hi");
    for file in ["long.db", "short.db"] {
        for line in ["theater list", "init", "verify"] {
            refused_at(&house, &house.path(file), line, ("not_a_database", "choose another file"));
        }
    }
}

#[test]
fn foreign_database() {
    let house = House::none();
    let db = house.path("house.db");
    let other = Connection::open(&db).unwrap();
    let recipes = "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');";
    other.execute_batch(recipes).unwrap();
    other.close().unwrap();
    for line in ["theater list", "init", "verify"] {
        refused_at(&house, &db, line, ("foreign_database", "another program"));
    }
}

#[test]
fn what_is_no_file() {
    let house = House::none();
    refused_at(&house, house.folder.path(), "init", ("is_folder", "name a file in it"));
    refused_at(&house, Path::new("/dev/null"), "init", ("not_a_file", "name a file"));
    refused_at(&house, Path::new("/dev/zero"), "theater list", ("not_a_file", "name a file"));
    refused_at(&house, Path::new(""), "init", ("bad_value", "leave it out"));
    refused_at(&house, Path::new("mysql://ada@host/x"), "init", ("bad_address", "postgres://"));
    let long = house.path(&"n".repeat(300));
    fails_at(&house, &long, "init", ("not_openable", "check its name"));
}

#[test]
fn names_that_mean_something_else_elsewhere_are_names_of_files() {
    let house = House::none();
    for name in [":memory:", "file:x?mode=memory", "-1"] {
        let at = |line: &str| {
            let mut command = house.command();
            let db = format!("--db={name}");
            command.current_dir(house.folder.path()).arg(db).args(split(line));
            Ran::of(line, command.output().unwrap())
        };
        assert_eq!(at("init").code, 0);
        assert!(house.path(name).exists(), "{name}");
        at("verify --json").done();
    }
}

#[test]
fn damaged_database_file() {
    let house = House::royal();
    let db = house.path("house.db");
    let hand = Connection::open(&db).unwrap();
    hand.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    hand.close().unwrap();
    let whole = std::fs::read(&db).unwrap();
    std::fs::write(&db, &whole[..whole.len() / 2]).unwrap();
    fails_at(&house, &db, "theater list", ("damaged", "from a backup"));
    let mut scrambled = whole;
    let (_, pages) = scrambled.split_at_mut(4096 * 3);
    for byte in pages {
        *byte = byte.wrapping_mul(7).wrapping_add(13);
    }
    std::fs::write(&db, scrambled).unwrap();
    let ran = house.json("theater list");
    assert_eq!(ran.code, 1, "{ran:#?}");
    is_a_sentence(&ran, "from a backup");
}

#[test]
fn newer_schema() {
    let house = House::royal();
    let newer = Connection::open(house.path("house.db")).unwrap();
    newer.execute("UPDATE house_schema SET version = version + 1", []).unwrap();
    newer.close().unwrap();
    for line in ["theater list", "init", "verify", "cart open"] {
        refused_at(&house, &house.path("house.db"), line, ("newer_schema", "update this one"));
    }
}

#[test]
fn unwritable_folder_and_read_only_file() {
    let house = House::royal();
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let nobody = |line: &str| {
        let mut command = house.on(line);
        if geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.arg("--json").output().ok()?;
        Some(Ran::of(line, output))
    };
    let before = house.json("verify").done();
    mode(house.folder.path(), 0o555);
    let Some(ran) = nobody("cart open") else {
        eprintln!("SKIPPED: nobody may run the program where it lies");
        return;
    };
    ran.refused("unwritable");
    is_a_sentence(&ran, "give this user the right");
    mode(house.folder.path(), 0o777);
    for (file, code, words) in
        [("house.db", 3, "give this user the right"), ("house.db-turn", 1, "house.db-turn: Permission denied")]
    {
        mode(&house.path("house.db"), 0o666);
        mode(&house.path("house.db-turn"), 0o666);
        mode(&house.path("house.db-queue"), 0o666);
        mode(&house.path(file), 0o444);
        let ran = nobody("cart open").unwrap();
        assert_eq!(ran.code, code, "{file}: {ran:#?}");
        is_a_sentence(&ran, words);
    }
    mode(&house.path("house.db"), 0o644);
    assert_eq!(house.json("verify").done(), before);
}

#[test]
fn a_path_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let house = House::none();
    let db = house.path("").join(std::ffi::OsStr::from_bytes(b"ho\xffuse.db"));
    refused_at(&house, &db, "theater list", ("missing_house", "init"));
}

#[test]
fn no_terminal_to_draw_on() {
    let house = House::royal();
    for line in ["", "demo"] {
        let ran = house.json(line);
        ran.refused("no_terminal");
        is_a_sentence(&ran, "its output goes elsewhere");
    }
}

/// What a desk says in a terminal of its own, where it cannot open.
fn said_in_a_terminal(house: &House, term: &str, rest: &str) -> String {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.env("TERM", term);
    command.args(["-c", &format!("\"$0\" --db \"$1\" {rest}")]);
    command.arg(env!("CARGO_BIN_EXE_willcall"));
    command.arg(house.path("house.db"));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut said = String::new();
    let mut reader = pair.master.try_clone_reader().unwrap();
    // a terminal that nobody has open any more ends with an error
    let _ = std::io::Read::read_to_string(&mut reader, &mut said);
    assert_eq!(child.wait().unwrap().exit_code(), 3, "{said}");
    assert!(!said.contains('\u{1b}'), "nothing is drawn: {said:?}");
    said
}

#[test]
fn no_terminal_to_read_keys_from() {
    let house = House::royal();
    let said = said_in_a_terminal(&house, "xterm", "</dev/null");
    assert!(said.contains("its input comes from elsewhere"), "{said}");
}

#[test]
fn a_terminal_that_only_prints_lines() {
    let house = House::royal();
    for rest in ["", "demo"] {
        let said = said_in_a_terminal(&house, "dumb", rest);
        assert!(said.contains("set TERM to what it is"), "{said}");
    }
}

#[test]
fn a_file_that_is_there_already_is_not_written_over() {
    let house = House::royal();
    let taken = house.write("taken", "a letter");
    let folder = house.folder.path().display().to_string();
    for place in [taken, folder] {
        let db = house.path("house.db");
        refused_at(&house, &db, &format!("backup {place}"), ("exists", "Choose another name"));
    }
    let ran = house.on("restore x --json").stderr(Stdio::piped()).output().unwrap();
    Ran::of("restore", ran).refused("exists");
    house.json("backup /nowhere/b.db").refused("missing_folder");
}
