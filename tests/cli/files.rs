//! A house's files: who may open them, which of them a question needs, and what is noticed of them.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::process::Command;

use willcall::engine::ops::OpenCart;
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::{Actor, Config, Desk, Engine};
use willcall::store::Fault;

use crate::support::{House, Ran};

/// The files of a folder with their modes.
fn listed(house: &House) -> Vec<(String, u32)> {
    let entries = fs::read_dir(house.folder.path()).unwrap();
    let mut listed: Vec<_> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode();
            (entry.file_name().into_string().unwrap(), mode & 0o777)
        })
        .collect();
    listed.sort();
    listed
}

/// A lock file of the house, locked until it is dropped.
fn locked(house: &House, end: &str) -> File {
    let path = house.path(&format!("house.db{end}"));
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(path).unwrap();
    file.lock().unwrap();
    file
}

const QUESTIONS: [&str; 6] =
    ["receipt list", "cart list --all", "performance seats Movie", "calendar list", "journal", "verify"];

/// B8: reading waited for a writer that did not go on.
#[test]
fn a_question_is_answered_while_another_process_keeps_its_turn() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    let turns = [locked(&house, "-queue"), locked(&house, "-turn")];
    // of a process of which nothing is known: one that runs is waited for a minute
    let turn = OpenOptions::new().write(true).open(house.path("house.db-turn")).unwrap();
    turn.write_all_at(&u32::MAX.to_le_bytes(), 8).unwrap();
    let writer = rusqlite::Connection::open(house.path("house.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    for line in QUESTIONS {
        house.json(line).done();
    }
    assert_eq!(house.json(&format!("cart show {cart}")).done()["id"], cart.as_str());
    let ran = house.json(&format!("cart cancel {cart}"));
    ran.failed("stuck");
    assert!(ran.err.contains("does not go on"), "{ran:#?}");
    drop((writer, turns));
    house.json(&format!("cart cancel {cart}")).done();
}

#[test]
fn a_question_leaves_no_file_that_was_not_there() {
    let house = House::royal();
    for end in ["-queue", "-turn"] {
        fs::remove_file(house.path(&format!("house.db{end}"))).unwrap();
    }
    // an empty log and its index may stay where two connections close at once
    let is_kept = |(name, _): &(String, u32)| !name.ends_with("-shm") && !name.ends_with("-wal");
    let files = || listed(&house).into_iter().filter(is_kept).collect::<Vec<_>>();
    let before = files();
    for line in QUESTIONS {
        house.json(line).done();
        assert_eq!(files(), before, "{line}");
    }
}

/// B7: everybody on the machine could read the house, and stop it by a lock.
#[test]
fn a_house_is_its_owners_and_in_a_shared_folder_its_groups() {
    for (folder, wanted) in [(0o700, 0o600), (0o755, 0o600), (0o2770, 0o660), (0o777, 0o600)] {
        let house = House::none();
        fs::set_permissions(house.folder.path(), fs::Permissions::from_mode(folder)).unwrap();
        let willcall = house.command().get_program().to_owned();
        let on = |name: &str, line: &str| {
            let mut sh = Command::new("sh");
            let script = format!("umask 022; exec \"$0\" --db \"$1\" {line} --json");
            sh.args(["-c", &script]).arg(&willcall).arg(house.path(name));
            Ran::of(line, sh.output().unwrap()).done()
        };
        let sh = |line: &str| on("house.db", line);
        sh("init");
        let reader = rusqlite::Connection::open(house.path("house.db")).unwrap();
        reader.query_row("SELECT version FROM house_schema", [], |_| Ok(())).unwrap();
        sh("cart open");
        let kept = tempfile::tempdir().unwrap();
        let kept = kept.path().join("kept.db").display().to_string();
        sh(&format!("backup {kept}"));
        on("again.db", &format!("restore {kept}"));
        let listed = listed(&house);
        assert!(listed.iter().any(|(name, _)| name == "house.db-wal"), "{listed:?}");
        assert!(listed.iter().any(|(name, _)| name == "house.db-turn"), "{listed:?}");
        for (name, mode) in listed {
            assert_eq!(mode, wanted, "{name} in a folder of {folder:o}");
        }
    }
}

/// B7: a log that was left by a desk that was killed kept the rights it had, whatever the house's are now.
#[test]
fn a_log_that_others_may_read_is_closed_to_them_like_its_house() {
    let house = House::royal();
    // an open connection leaves the log where it is
    let reader = rusqlite::Connection::open(house.path("house.db")).unwrap();
    reader.query_row("SELECT version FROM house_schema", [], |_| Ok(())).unwrap();
    house.json("cart open").done();
    let logs = ["house.db-wal", "house.db-shm"].map(|name| house.path(name));
    for line in ["cart open", "cart list --all"] {
        for log in &logs {
            fs::set_permissions(log, fs::Permissions::from_mode(0o644)).unwrap();
        }
        house.json(line).done();
        for log in &logs {
            let mode = fs::metadata(log).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{line}: {}", log.display());
        }
    }
}

#[test]
fn a_lock_file_that_is_a_link_is_named_and_not_followed() {
    let house = House::royal();
    let target = house.path("target");
    for end in ["-queue", "-turn"] {
        let lock = house.path(&format!("house.db{end}"));
        fs::remove_file(&lock).unwrap();
        symlink(&target, &lock).unwrap();
        let ran = house.json("cart open");
        assert_eq!(ran.code, 1, "{ran:#?}");
        let said = format!("house.db{end}: it is a link; remove it");
        assert!(ran.err.contains(&said), "{ran:#?}");
        assert!(!target.exists());
        house.json("receipt list").done();
        fs::remove_file(&lock).unwrap();
    }
    house.json("cart open").done();
}

/// A desk of this process, as one that stays open while others come and go.
fn desk(house: &House) -> (Engine, Desk) {
    let engine = Engine::open(Config::new(house.path("house.db"))).unwrap();
    let actor = Actor { operator: "ada".into(), station: "till-1".into() };
    let desk = engine.desk(actor);
    desk.run(OpenCart::default()).unwrap();
    (engine, desk)
}

/// A desk under which its house was taken away neither writes nor reads, and on its way out leaves alone what is there.
fn is_told_and_touches_nothing((engine, desk): (Engine, Desk), fault: &Fault) {
    for _ in 0..2 {
        let told = desk.run(OpenCart::default()).unwrap_err();
        assert_eq!(told, fault.clone().into());
        let told = desk.read(ReadSettings).unwrap_err();
        assert_eq!(told, fault.clone().into());
    }
    drop((desk, engine));
}

fn shell(house: &House, script: &str) {
    let mut sh = Command::new("sh");
    let ended = sh.args(["-c", script]).current_dir(house.folder.path());
    assert!(ended.status().unwrap().success());
}

/// B9: a clean-up deleted the log, another station sold six seats, and the open desk sold them again.
#[test]
fn a_log_that_is_deleted_under_an_open_desk_is_noticed() {
    let name = |file: &str| file.to_owned();
    for (files, fault) in [
        ("house.db-wal house.db-shm", Fault::Replaced(name("house.db-wal"))),
        ("house.db-wal", Fault::Deleted(name("house.db-wal"))),
        ("house.db-shm", Fault::Deleted(name("house.db-shm"))),
    ] {
        let house = House::royal();
        let open = desk(&house);
        shell(&house, &format!("rm {files}"));
        if files.contains(' ') {
            let cart = house.cart_with("B1,B2,B3,B4,B5,B6");
            house.json(&format!("cart checkout {cart} --pay cash --station till-2")).done();
        }
        is_told_and_touches_nothing(open, &fault);
        if files.contains(' ') {
            let receipt = house.json("receipt show till-2/1").done();
            assert_eq!(receipt["total"], "60.00");
            house.verified();
        }
    }
}

#[test]
fn a_log_that_is_exchanged_under_an_open_desk_is_noticed() {
    for file in ["house.db-wal", "house.db-shm"] {
        let house = House::royal();
        let open = desk(&house);
        shell(&house, &format!("cp {file} other && mv other {file}"));
        is_told_and_touches_nothing(open, &Fault::Replaced(file.into()));
    }
}

/// B9: a backup that was copied over an open house was told of to nobody.
#[test]
fn a_backup_copied_over_a_house_under_an_open_desk_is_noticed() {
    let house = House::royal();
    house.json(&format!("backup {}", house.path("kept.db").display())).done();
    let open = desk(&house);
    shell(&house, "cp kept.db house.db");
    is_told_and_touches_nothing(open, &Fault::Overwritten("house.db".into()));
}

#[test]
fn an_older_state_copied_over_a_house_under_an_open_desk_is_noticed() {
    let house = House::royal();
    shell(&house, "cp house.db old.db");
    let open = desk(&house);
    house.json("theater add 'The Globe' --rows 40x40").done();
    let beside = rusqlite::Connection::open(house.path("house.db")).unwrap();
    beside.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
    drop(beside);
    open.1.run(OpenCart::default()).unwrap();
    shell(&house, "cp old.db house.db");
    is_told_and_touches_nothing(open, &Fault::Overwritten("house.db".into()));
}

/// A desk that was killed leaves its log; a backup beside it is no house until the log is moved away.
#[test]
fn a_backup_copied_beside_the_log_of_a_killed_desk_is_told_what_helps_and_stays_as_it_is() {
    let house = House::royal();
    house.json(&format!("backup {}", house.path("kept.db").display())).done();
    let open = desk(&house);
    shell(&house, "mkdir killed && cp house.db-wal house.db-shm killed");
    drop(open);
    shell(&house, "cp kept.db house.db && cp killed/* .");
    for line in ["cart list", "cart open", "verify", "backup other.db"] {
        let said = house.json(line).failed("not_openable")["problem"].to_string();
        assert!(said.contains("move house.db-wal and house.db-shm away and start again"), "{line}: {said}");
        assert!(said.contains("willcall --db OTHER restore COPY"), "{line}: {said}");
    }
    shell(&house, "cmp house.db kept.db && cmp house.db-wal killed/house.db-wal && rm house.db-wal house.db-shm");
    assert!(!house.path("other.db").exists());
    house.verified();
    assert!(house.run("cart list").text().contains("No cart is open"));
}
