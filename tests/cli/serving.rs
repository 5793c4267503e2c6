//! Programs at the door: JSON lines on standard input and output, and on a socket.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::limit::until;
use crate::support::House;

/// Answers of a door to some lines, in their order.
#[track_caller]
pub(crate) fn said(house: &House, lines: &[&str]) -> Vec<Value> {
    let mut door = house.on("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = door.stdin.take().unwrap();
    let text = lines.join("\n");
    let writing = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = door.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    let answers = String::from_utf8(output.stdout).unwrap();
    answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A house with a room of half hours.
fn with_room() -> House {
    let house = House::empty();
    house.json("resource add Room --kind room --segment 30 --time-zone UTC").done();
    house
}

fn book(id: &str, from: &str, until: &str) -> String {
    json!({ "id": id, "do": { "book_slot": {
        "wants": [{ "of": ["room"], "slot": { "from": format!("2099-12-02T{from}Z"), "until": format!("2099-12-02T{until}Z") } }],
        "details": { "title": id },
    } } })
    .to_string()
}

#[test]
fn a_room_is_asked_about_reserved_and_given_up_by_lines() {
    let house = with_room();
    let check = r#"{"ask":{"read_check":{"resource":"room","wanted":{"from":"2099-12-02T11:25Z","until":"2099-12-02T12:11Z"}}}}"#;
    let answers = said(&house, &[check, &book("a", "10:05", "11:30"), check, &book("b", "11:25", "12:11")]);
    assert_eq!(answers[0]["done"]["free"], true, "{answers:?}");
    assert_eq!((&answers[1]["id"], &answers[1]["done"]["title"]), (&json!("a"), &json!("a")), "{answers:?}");
    assert_eq!(answers[2]["done"]["free"], false, "{answers:?}");
    assert_eq!(answers[3]["refused"]["kind"], "slot_taken", "{answers:?}");
    let sentence = answers[3]["refused"]["problem"].as_str().unwrap();
    assert!(sentence.contains("Room") && sentence.contains("11:00-11:30"), "{sentence}");
    let booking = &answers[1]["done"]["id"];
    let cancel = json!({ "id": "c", "do": { "cancel_booking": { "booking": booking, "whose": "mine" } } }).to_string();
    let again = said(&house, &[&book("a", "10:05", "11:30"), &cancel, &cancel, check]);
    assert_eq!(again[0]["done"], answers[1]["done"], "the same line is the same act");
    assert_eq!(again[1], again[2]);
    assert_eq!(again[3]["done"]["free"], true, "{again:?}");
    house.verified();
}

#[test]
fn seats_are_sold_by_lines_for_the_operator_of_the_first() {
    let house = House::royal();
    let night = house.json("performance show Movie").done()["id"].as_str().unwrap().to_owned();
    let hold = json!({ "id": "h", "do": { "hold_seats": { "performance": night, "seats": { "named": ["B6", "B7", "B8"] }, "kept": "refuse" } } });
    let first = r#"{"operator":"bob","station":"shop","version":1}"#;
    let answers = said(&house, &[first, &hold.to_string(), r#"{"operator":"eve"}"#]);
    assert_eq!(answers[0]["done"], json!({ "operator": "bob", "station": "shop", "version": 1 }));
    assert_eq!(answers[2]["refused"]["kind"], "begun", "{answers:?}");
    let cart = &answers[1]["done"]["id"];
    let pay = json!({ "id": "p", "do": { "checkout": { "cart": cart, "tenders": [{ "means": "cash", "given": 5000 }], "seen": 3000 } } });
    let map = json!({ "id": 7, "ask": { "read_tally": night } });
    let paid = said(&house, &[first, &pay.to_string(), &pay.to_string(), &map.to_string()]);
    assert_eq!(paid[1]["done"]["receipt"]["number"], "shop/1", "{paid:?}");
    assert_eq!(paid[1], paid[2], "sold once");
    assert_eq!((&paid[3]["id"], house.free()), (&json!(7), 77), "{paid:?}");
    house.verified();
}

#[test]
fn a_theater_its_plan_and_customers_come_in_by_lines() {
    let house = House::empty();
    let seat = |name: &str, category: u16| json!({ "label": name, "name": name, "category": category, "at": { "x": 0, "y": 0 } });
    let plan = |seats: Vec<Value>| {
        let rows = json!([{ "label": "A", "seats": seats }]);
        json!({ "name": "Attic", "categories": [{ "name": "All" }], "zones": [{ "name": "Stalls", "rows": rows }] })
    };
    let add =
        |id: &str, seats| json!({ "id": id, "do": { "add_theater": { "name": id, "plan": plan(seats) } } }).to_string();
    let import = json!({ "id": "c", "do": { "import_customers": { "lines": [
        { "number": 1, "name": "Ada Weber", "phone": "0171 555", "mail": "ada@example.org" }, { "number": 2, "name": "" },
    ] } } })
    .to_string();
    let answers = said(
        &house,
        &[
            &add("Attic", vec![seat("A1", 0), seat("A2", 0)]),
            &add("Twice", vec![seat("A1", 0), seat("a1", 0)]),
            &add("Odd", vec![seat("A1", 1)]),
            &add("Empty", vec![]),
            &import,
            &import,
        ],
    );
    assert_eq!(answers[0]["done"]["name"], "Attic", "{answers:?}");
    for (answer, words) in [(1, "named a1"), (2, "a category that it has not"), (3, "no seats")] {
        let refused = &answers[answer]["refused"];
        assert!(refused["problem"].as_str().is_some_and(|said| said.contains(words)), "{refused}");
    }
    assert_eq!((&answers[4]["done"]["new"], &answers[4]["done"]["refused"][0]["line"]), (&json!(1), &json!(2)));
    assert_eq!(answers[4], answers[5], "once");
    let theater = &answers[0]["done"]["id"];
    let wider = plan(vec![seat("A1", 0), seat("A2", 0), seat("A3", 0)]);
    let change = json!({ "id": "w", "do": { "change_plan": { "theater": theater, "plan": wider } } }).to_string();
    assert_eq!(said(&house, &[&change])[0]["done"]["name"], "Attic");
    assert_eq!(house.json("theater list").done().as_array().map(Vec::len), Some(1));
    assert_eq!(house.json("customer list").done()[0]["mail"], "ada@example.org");
    house.verified();
}

#[test]
fn a_season_is_imported_by_a_program_all_or_none() {
    let house = with_room();
    house.json("theater add Attic --rows 2x4 --time-zone UTC").done();
    let line = |number: u32, start: &str| json!({ "number": number, "title": "Lear", "theater": "Attic", "start": start, "end": "+2h", "price": "9" });
    let import =
        |id: u32, lines: &[Value]| json!({ "id": id, "do": { "import_season": { "lines": lines } } }).to_string();
    let good = line(1, "2099-12-01 19:30");
    let answers = said(
        &house,
        &[
            &import(1, &[good.clone(), line(2, "soon")]),
            &import(2, std::slice::from_ref(&good)),
            &import(3, std::slice::from_ref(&good)),
        ],
    );
    assert_eq!(answers[0]["refused"]["kind"], "season_wrong", "{answers:?}");
    assert_eq!(answers[0]["refused"]["lines"][0]["line"], 2, "{answers:?}");
    assert_eq!(
        (&answers[1]["done"]["nights"][0]["done"], &answers[2]["done"]["nights"][0]["done"]),
        (&json!("new"), &json!("same"))
    );
    assert_eq!(house.json("performance list").done().as_array().map(Vec::len), Some(1));
    house.verified();
}

#[test]
fn a_line_that_asks_for_nothing_is_told_so_and_the_next_is_answered() {
    let house = with_room();
    let journal = || house.json("journal").done();
    said(&house, &[&book("used", "08:00", "09:00")]);
    let before = journal();
    let of = |booking: &str| format!(r#"{{"id":1,"do":{booking}}}"#);
    let slot = |from: &str, until: &str| {
        of(&format!(r#"{{"book_slot":{{"wants":[{{"of":["room"],"slot":{{"from":{from},"until":{until}}}}}]}}}}"#))
    };
    let cases = [
        ("no JSON at all".to_owned(), "not_json", "line 1"),
        ("{\"ask\":".to_owned(), "not_json", "EOF"),
        ("[]".to_owned(), "bad_line", ""),
        ("7".to_owned(), "bad_line", ""),
        ("{}".to_owned(), "bad_line", "do, ask, watch"),
        (r#"{"do":{"tidy":null},"ask":{"read_settings":null}}"#.to_owned(), "bad_line", "do, ask, watch"),
        (r#"{"doo":{}}"#.to_owned(), "bad_line", "doo"),
        (of(r#"{"hold_seat":{}}"#), "unknown_name", "hold_seats"),
        (of(r#"{"expire_cart":{}}"#), "unknown_name", "--schema"),
        (of("{}"), "bad_input", "NAME"),
        (of(r#"{"cancel_cart":{"cart":"x","why":1}}"#), "bad_input", "UUID"),
        (of(r#"{"open_cart":{"hold":null,"colour":"red"}}"#), "unknown_field", "colour"),
        (of(r#"{"book_slot":{"wants":[],"details":{"titel":"x"}}}"#), "unknown_field", "titel"),
        (of(r#"{"cancel_cart":{}}"#), "bad_input", "cart"),
        (of(r#"{"open_cart":{"hold":"0m"}}"#), "bad_input", "no time at all"),
        (of(r#"{"book_slot":{"wants":[],"details":{"title":5}}}"#), "bad_input", "5 is not a text"),
        (slot(r#""2099-12-02T10:00""#, "1"), "bad_input", "offset"),
        (slot(r#""2099-12-02T10:00Z""#, r#""2099-12-02T09:00Z""#), "bad_input", "before it starts"),
        (slot("18446744073709551615", "1"), "bad_input", "too many"),
        (slot(r#""2001-12-02T10:00Z""#, r#""2001-12-02T11:00Z""#), "in_the_past", ""),
        (book("used", "08:00", "10:00"), "command_reused", ""),
        (r#"{"version":2}"#.to_owned(), "other_version", "version 1"),
        (format!("{{\"ask\":{{\"read_resource\":\"{}\"}}}}", "x".repeat(2 << 20)), "line_too_long", "1048576"),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, ..)| line.as_str()).collect();
    let answers = said(&house, &lines);
    assert_eq!(answers.len(), cases.len());
    for ((line, kind, words), answer) in cases.iter().zip(&answers) {
        let line = line.get(..200).unwrap_or(line);
        assert_eq!(answer["refused"]["kind"], *kind, "{line}: {answer}");
        let problem = answer["refused"]["problem"].as_str().unwrap();
        assert!(problem.contains(words) && problem.ends_with(['.', '?', '!']), "{line}: {problem}");
    }
    assert_eq!(journal(), before, "nothing changed");
}

#[test]
fn a_line_of_a_hundred_megabytes_is_answered_and_not_kept() {
    let house = with_room();
    let mut door = house.on("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = door.stdin.take().unwrap();
    let mut answers = BufReader::new(door.stdout.take().unwrap()).lines();
    let part = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        input.write_all(&part).unwrap();
    }
    input.write_all(b"\n").unwrap();
    let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!(answer["refused"]["kind"], "line_too_long");
    let status = std::fs::read_to_string(format!("/proc/{}/status", door.id())).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = most.trim().trim_end_matches(" kB").trim().parse().unwrap();
    assert!(kib < 90 << 10, "{kib} KiB were used");
    drop(input);
    assert!(door.wait().unwrap().success());
}

#[test]
fn the_schema_lists_each_name_with_its_fields() {
    let house = House::none();
    let schema = house.run("serve --schema").text().to_owned();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["version"], 1);
    let hold = &schema["do"]["hold_seats"]["properties"];
    assert_eq!(hold["ticket_type"]["anyOf"][0]["type"], "string", "{hold}");
    let choices = hold["seats"]["oneOf"].as_array().unwrap();
    assert!(choices.iter().any(|one| one["properties"]["named"]["type"] == "array"), "{hold}");
    let slot = &schema["ask"]["read_check"]["properties"]["wanted"]["properties"];
    assert!(slot["from"]["description"].as_str().unwrap().contains("RFC 3339"), "{slot}");
    assert_eq!(schema["do"]["expire_cart"], Value::Null);
    assert!(schema["do"].as_object().unwrap().len() > 60);
}

/// A door on a socket, killed at the end of its test.
struct Door(Child);

impl Door {
    fn open(house: &House, path: &Path) -> Self {
        let door = house.on(&format!("serve --socket {}", path.display())).spawn().unwrap();
        until("a socket that answers", || UnixStream::connect(path).is_ok());
        Self(door)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program at a socket.
struct Client {
    to: UnixStream,
    from: BufReader<UnixStream>,
}

impl Client {
    fn of(path: &Path) -> Self {
        let to = UnixStream::connect(path).unwrap();
        let from = BufReader::new(to.try_clone().unwrap());
        Self { to, from }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

#[test]
fn a_socket_is_one_users_and_one_programs() {
    let house = with_room();
    let path = house.path("door");
    // left behind by a program that was killed
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let door = Door::open(&house, &path);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    house.json(&format!("serve --socket {}", path.display())).refused("served");
    let file = house.write("file", "not a socket");
    house.json(&format!("serve --socket {file}")).refused("exists");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "not a socket");
    if rustix::process::getuid().is_root() && python().is_some() {
        use std::os::unix::process::CommandExt;
        let folder = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(house.folder.path(), folder).unwrap();
        let connect = "import socket,sys\ntry: socket.socket(socket.AF_UNIX).connect(sys.argv[1])\nexcept PermissionError: sys.exit(9)";
        let mut other = Command::new("python3");
        let status = other.args(["-c", connect]).arg(&path).uid(65_534).gid(65_534).status().unwrap();
        assert_eq!(status.code(), Some(9), "another user was let in");
    }
    drop(door);
    Door::open(&house, &path);
}

#[test]
fn who_does_not_read_notices_keeps_nobody_waiting() {
    let house = with_room();
    let path = house.path("door");
    let _door = Door::open(&house, &path);
    let mut sleeper = Client::of(&path);
    sleeper.say(r#"{"watch":true}"#);
    assert_eq!(sleeper.hear()["done"]["watching"], true);
    let mut seller = Client::of(&path);
    for round in 0..rounds(600) {
        seller.say(&json!({ "id": format!("cart {round}"), "do": { "open_cart": {} } }).to_string());
        let answer = seller.hear();
        assert!(answer["done"]["id"].is_string(), "{answer}");
    }
    let first = sleeper.hear();
    let notice = &first["notice"];
    let is_told = notice["everything"] == true || notice["changed"][0]["kind"] == "cart";
    assert!(is_told, "{first}");
}

/// Rounds of a race, or as many as `WILLCALL_ROUNDS` says.
fn rounds(usual: usize) -> usize {
    std::env::var("WILLCALL_ROUNDS").map_or(usual, |rounds| rounds.parse().unwrap())
}

/// The door is killed between and within commands; each is sent again by its id until it is answered.
#[test]
fn commands_through_a_door_that_is_killed_are_done_once() {
    let house = with_room();
    let path = house.path("door");
    let (count, mut door) = (rounds(300), Door::open(&house, &path));
    let mut client = Client::of(&path);
    let (mut carts, mut sent) = (HashSet::new(), 0_usize);
    for number in 0..count {
        let line = json!({ "id": format!("order {number}"), "do": { "open_cart": {} } }).to_string();
        let cart = loop {
            sent += 1;
            let asked = writeln!(client.to, "{line}");
            if sent.is_multiple_of(41) {
                // after a while that differs, so that it is killed before, in and after the commit
                std::thread::sleep(std::time::Duration::from_micros(u64::try_from(sent * 7 % 3000).unwrap()));
                door = {
                    drop(door);
                    Door::open(&house, &path)
                };
            }
            let mut answer = String::new();
            let heard = asked.and_then(|()| client.from.read_line(&mut answer));
            match heard.ok().and_then(|_| serde_json::from_str::<Value>(&answer).ok()) {
                Some(answer) => break answer["done"]["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned(),
                None => client = Client::of(&path),
            }
        };
        assert!(carts.insert(cart), "the answer of another command");
    }
    drop(door);
    assert!(sent > count, "it was never killed");
    let stored = house.run("cart list --all --csv").text().lines().count() - 1;
    assert_eq!(stored, count, "each once");
    house.verified();
}

/// The interpreter, where there is one.
fn python() -> Option<Command> {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    found.then(|| Command::new("python3"))
}

#[test]
fn the_published_calendar_works_from_another_language() {
    let house = with_room();
    let Some(_) = python() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/examples/booking.py");
    let program = Path::new(env!("CARGO_BIN_EXE_willcall")).parent().unwrap().display().to_string();
    let run = |times: [&str; 2], id: &str| {
        let mut python = python().unwrap();
        python.arg(&script).arg(house.path("house.db")).arg("room").args(times).arg(id).env_clear();
        let path = format!("{program}:{}", std::env::var("PATH").unwrap());
        let output = python.env("PATH", path).env("HOME", house.folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let first = run(["2099-12-02T10:05Z", "2099-12-02T11:30Z"], "user-a");
    assert!(first.starts_with("available\n"), "{first}");
    let again = run(["2099-12-02T10:05Z", "2099-12-02T11:30Z"], "user-a");
    assert_eq!(again.strip_prefix("taken\n"), first.strip_prefix("available\n"), "the same booking");
    let other = run(["2099-12-02T11:25Z", "2099-12-02T12:11Z"], "user-b");
    assert!(other.starts_with("taken\n") && other.contains("11:00-11:30"), "{other}");
    house.verified();
}

#[test]
fn orders_from_another_language_are_done_once_though_the_door_is_killed() {
    let house = with_room();
    let Some(mut client) = python() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let (path, count) = (house.path("door"), rounds(400));
    let mut door = Door::open(&house, &path);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/examples/orders.py");
    client.arg(script).arg(&path).arg(count.to_string());
    let mut client = client.stdout(Stdio::piped()).spawn().unwrap();
    let mut kills: u64 = 0;
    while client.try_wait().unwrap().is_none() {
        // after a while that differs, so that it is killed before, in and after a commit
        std::thread::sleep(std::time::Duration::from_millis(40 + kills * 37 % 160));
        if client.try_wait().unwrap().is_none() {
            kills += 1;
            door = {
                drop(door);
                Door::open(&house, &path)
            };
        }
    }
    drop(door);
    let output = client.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), count.to_string(), "each has an answer of its own");
    assert!(kills > 0, "it was never killed");
    let stored = house.run("cart list --all --csv").text().lines().count() - 1;
    assert_eq!(stored, count, "each once");
    house.verified();
}

#[test]
fn json_has_a_version_and_another_one_is_no_line() {
    let house = House::empty();
    let list = house.run("performance list --json=1");
    assert_eq!(list.text().trim(), "[]");
    let other = house.run("performance list --json=2");
    assert_eq!((other.code, other.out.as_str()), (2, ""), "{other:?}");
    assert!(other.err.contains("2 is not in 1..=1"), "{other:?}");
}
