//! Files that commands write: whole or not at all, for their owner alone, and never over what is there.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt, symlink};

use rustix::fs::OFlags;

use crate::support::House;

/// A house with a receipt, a room with a booking, and how often the receipt was printed.
fn sold() -> House {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    house.json(&format!("cart checkout {cart} --pay cash=20.00 --station till-1")).done();
    house.json("resource add Room --kind room --segment 30 --time-zone UTC").done();
    house.json("calendar book Room --title Talk --from 2099-12-01T10:00 --until 2099-12-01T11:00").done();
    house
}

const PRINT: &str = "receipt print till-1/1";
const EXPORT: &str = "calendar export Room";

fn reprints(house: &House) -> u64 {
    let receipt = house.json("receipt show till-1/1").done();
    receipt["reprints"].as_u64().unwrap()
}

fn names(house: &House) -> Vec<String> {
    let entries = fs::read_dir(house.folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A4: a mistyped `--to` emptied the house's file.
#[test]
fn no_command_writes_over_a_house_or_the_files_beside_it() {
    let house = sold();
    let db = house.path("house.db");
    symlink(&db, house.path("link")).unwrap();
    fs::hard_link(&db, house.path("hard")).unwrap();
    fs::copy(&db, house.path("another.db")).unwrap();
    let open = rusqlite::Connection::open(&db).unwrap();
    open.query_row("SELECT version FROM house_schema", [], |_| Ok(())).unwrap();
    let before = reprints(&house);
    for name in [
        "house.db",
        "link",
        "hard",
        "another.db",
        "house.db-wal",
        "house.db-shm",
        "house.db-journal",
        "house.db-queue",
        "house.db-turn",
        "another.db-wal",
    ] {
        for line in [PRINT, EXPORT] {
            for force in ["", "--force"] {
                let path = house.path(name).display().to_string();
                let ran = house.json(&format!("{line} --to {path} {force}"));
                ran.refused("belongs_to_house");
                assert!(ran.err.contains("belongs to a house"), "{ran:#?}");
            }
        }
        let path = house.path(name);
        let kind = if path.exists() { "exists" } else { "belongs_to_house" };
        house.json(&format!("backup {}", path.display())).refused(kind);
    }
    assert_eq!(reprints(&house), before, "nothing was counted");
    drop(open);
    house.verified();
}

/// A4: what is there stays there, and what is refused leaves nothing.
#[test]
fn a_file_that_is_there_stays_unless_it_is_said() {
    let house = sold();
    let notes = house.write("notes.txt", "mine");
    let before = (reprints(&house), names(&house));
    for line in [PRINT, EXPORT, "calendar export Nowhere"] {
        let ran = house.json(&format!("{line} --to {notes}"));
        assert_eq!(ran.code, 3, "{ran:#?}");
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
    }
    let ran = house.json(&format!("{EXPORT} --to {notes}"));
    ran.refused("exists");
    assert!(ran.err.contains("--force"), "{ran:#?}");
    let fresh = house.path("fresh.ics").display().to_string();
    for line in [
        format!("calendar export Nowhere --to {fresh}"),
        format!("calendar export Nowhere --to {notes} --force"),
        format!("receipt print till-1/9 --to {fresh}"),
    ] {
        house.json(&line).refused("not_found");
        assert_eq!((reprints(&house), names(&house)), before, "{line}");
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
    }
    house.json(&format!("{EXPORT} --to {notes} --force")).done();
    assert!(fs::read_to_string(&notes).unwrap().starts_with("BEGIN:VCALENDAR"));
    house.json(&format!("{PRINT} --to {fresh}")).done();
    let kept = house.path("kept.db").display().to_string();
    house.json(&format!("backup {kept}")).done();
    for path in [notes, fresh, kept] {
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
    let pages = house.path("man").display().to_string();
    house.run(&format!("man --to {pages}")).text();
    house.json(&format!("man --to {pages}")).refused("exists");
    house.run(&format!("man --to {pages} --force")).text();
}

#[test]
fn devices_and_pipes_are_written_to_as_they_are() {
    let house = sold();
    let ran = house.json(&format!("{PRINT} --to /dev/stdout --tickets-only"));
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.out.contains("Movie"), "{ran:#?}");
    let ran = house.json(&format!("{EXPORT} --to /dev/full"));
    assert!(ran.err.contains("/dev/full cannot be written"), "{ran:#?}");
    assert!(fs::metadata("/dev/full").is_ok());
    let ran = house.json(&format!("{EXPORT} --to /nowhere/at/all.ics"));
    ran.refused("unwritable");
}

#[test]
fn a_printer_that_is_gone_or_busy_is_said_and_the_ticket_is_printed_later() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    let sold = house.json(&format!("cart checkout {cart} --pay cash")).done();
    let print = |to: &str| house.run(&format!("receipt print 1 --reason jam --to '{to}'"));
    let gone = print("/dev/no-printer");
    assert_eq!(gone.code, 3, "{gone:?}");
    assert!(gone.err.contains("Nothing takes the text at /dev/no-printer: the printer is off"), "{}", gone.err);
    assert!(!std::path::Path::new("/dev/no-printer").exists(), "no file is made in its place");
    let pipe = house.path("printer");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let unread = print(&pipe.display().to_string());
    assert!(unread.err.contains("the printer is off"), "nobody reads it: {}", unread.err);
    // somebody has it, and takes no more
    let no_wait = i32::try_from(OFlags::NONBLOCK.bits()).unwrap();
    let mut held = OpenOptions::new().read(true).write(true).custom_flags(no_wait).open(&pipe).unwrap();
    while held.write(&[b'x'; 4096]).is_ok() {}
    let busy = print(&pipe.display().to_string());
    assert_eq!(busy.code, 3, "{busy:?}");
    let words = format!("The printer at {} is busy, or out of paper. Look at it, and print again.", pipe.display());
    assert!(busy.err.contains(&words), "{}", busy.err);
    drop(held);
    let full = print("/dev/full");
    assert!(full.code != 0 && !full.err.is_empty(), "{full:?}");
    let shown = house.json("receipt show 1").done();
    assert_eq!((&shown["number"], &shown["total"]), (&sold["number"], &sold["total"]), "nothing is lost");
    let reading = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    crate::limit::until("the printer is on", || print(&house.path("printer").display().to_string()).code == 0);
    assert!(reading.join().unwrap().contains("Seat B6"));
    house.verified();
}
