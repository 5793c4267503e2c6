//! The first start of somebody who has no house: three questions, and on to the first sale.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::ground::Ground;
use crate::limit;
use crate::support::{Desk, at_home, at_home_with, size};

/// The answer of a command of somebody at home in a folder.
fn answers(folder: &Path, line: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_willcall"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    let output = command.arg("--json").args(line.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The program ends well without having drawn a desk.
fn leaves(desk: &mut Desk) {
    desk.shows("Nothing was made.");
    limit::until("the end of the process", || desk.child.try_wait().unwrap().is_some());
    assert!(desk.child.wait().unwrap().success());
}

#[test]
fn a_house_of_rows_and_standing_room_sells_its_first_seats_without_a_shell() {
    let home = limit::scratch();
    let mut desk = at_home(home.path(), size(100, 30));
    desk.shows("There is no house on this machine yet").shows("1, 2 or 3").keys("4\r").shows("Type 1, 2 or 3.");
    desk.keys("2\r").shows("The name of its theater").keys("\r").shows("Type a name");
    desk.keys("The Corner\r").shows("Its seats, or a file").keys("12by16\r").shows("is no row length");
    desk.keys("12x16, Gallery\r").shows("is no row length").keys("12x16, Gallery=60\r").shows(" 1 Tonight ");
    desk.keys("N").shows("New performance").shows("The Corner").keys("Opening\t\ttomorrow 19:30\t22:00\t10\t\t");
    desk.shows("1 performance, the hall is free").keys("\r").shows("Opening opened");
    desk.shows(">  TO").keys("b2\r").shows("are yours until").keys("p\r").shows("Sold: receipt");
    desk.keys("q").ends();
    let theater = &answers(home.path(), "theater list")[0];
    assert_eq!((theater["name"].as_str(), theater["seats"].as_u64()), (Some("The Corner"), Some(252)));
    assert_eq!(answers(home.path(), "receipt list")[0]["seats"], 2);
    assert_eq!(answers(home.path(), "verify")["ok"], true);
    // the next start asks nothing
    let mut again = at_home(home.path(), size(100, 30));
    again.shows("Opening").keys("q").ends();
}

#[test]
fn a_file_that_is_named_and_missing_is_asked_for_likewise() {
    let home = limit::scratch();
    let house = home.path().join("corner.db");
    let mut first = at_home_with(home.path(), &["--db", house.to_str().unwrap()], size(100, 30));
    first.shows("There is no house in ").shows("corner.db").keys("2\r").shows("The name of its theater");
    first.keys("The Corner\r").shows("Its seats, or a file").keys("5x8\r").shows(" 1 Tonight ").keys("q").ends();
    assert_eq!(answers(home.path(), &format!("--db {} theater list", house.display()))[0]["seats"], 40);
    let missing = home.path().join("missing/house.db");
    let mut second = at_home_with(home.path(), &["--db", missing.to_str().unwrap()], size(100, 30));
    leaves(second.shows("1, 2 or 3").keys("q\r"));
}

#[test]
fn a_house_is_made_of_a_plans_file() {
    let home = limit::scratch();
    let plan = home.path().join("plan.json");
    std::fs::write(&plan, include_str!("../../assets/demo/studio.json")).unwrap();
    let mut desk = at_home(home.path(), size(100, 30));
    desk.shows("1, 2 or 3").keys("2\r").shows("The name of its theater").keys("Studio\r");
    desk.shows("Its seats, or a file").keys(&format!("{}\r", plan.display())).shows(" 1 Tonight ");
    desk.keys("q").ends();
    assert!(answers(home.path(), "theater list")[0]["seats"].as_u64() > Some(10));
}

#[test]
fn whoever_leaves_has_made_nothing() {
    let home = limit::scratch();
    let mut first = at_home(home.path(), size(100, 30));
    leaves(first.shows("1, 2 or 3").keys("q\r"));
    let mut second = at_home(home.path(), size(100, 30));
    leaves(second.shows("1, 2 or 3").keys("2\r").shows("The name of its theater").keys("\x04"));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    let mut demo = at_home(home.path(), size(100, 30));
    demo.shows("1, 2 or 3").keys("1\r").shows("Hamlet").keys("q").ends();
    assert!(!home.path().join("willcall/house.db").exists());
}

#[test]
fn a_house_on_a_server_is_reached_and_its_address_is_kept() {
    let (home, ground) = (limit::scratch(), Ground::server());
    let Ground::Server { .. } = &ground else { return };
    let mut desk = at_home(home.path(), size(160, 40));
    desk.shows("1, 2 or 3").keys("3\r").shows("Its address").keys("house.db\r").shows("begins with postgres://");
    desk.keys("postgres://nobody@127.0.0.1:1/none\r").shows("Its address");
    desk.keys(&format!("{}\r", ground.place().spelled())).shows("Make it? y or q").keys("y\r").shows(" 1 Tonight ");
    desk.keys("q").ends();
    let mut again = at_home(home.path(), size(100, 30));
    again.shows(" 1 Tonight ").keys("q").ends();
}
