//! Due jobs and listeners without an open desk: `job run` and `work`, in processes of their own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::limit::{found, until};
use crate::support::{House, Ran};

/// A house whose listener of expired carts writes each event into a file, and a cart that has run out.
fn with_listener() -> (House, std::path::PathBuf) {
    let house = House::royal();
    let heard = house.path("heard");
    let listener = format!("cat >> {}", heard.display());
    house.json(&format!("settings set listener.cart_expired '{listener}'")).done();
    (house, heard)
}

/// A cart that runs out in a second, and is then in nobody's way.
fn short_cart(house: &House) -> String {
    let cart = house.json("cart open --hold 1s").done()["id"].as_str().unwrap().to_owned();
    until("the cart has expired", || house.json(&format!("cart show {cart}")).done()["state"] == "expired");
    cart
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_of_what_is_due_calls_the_listeners_too() {
    let (house, heard) = with_listener();
    let cart = short_cart(&house);
    // a second's slot may lie behind the deadline
    let told = found("a check", || Some(house.json("job run").done()).filter(|told| told["checks"] != 0));
    assert_eq!(told["done"][0]["run"]["kind"], "cart_expiry");
    assert_eq!(told["done"][1]["call"]["event"], "cart_expired");
    let events = lines(&heard);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["cart"], json!(cart));
    assert_eq!(house.run("job run").text().trim(), "Nothing is due.");
    assert_eq!(lines(&heard).len(), 1, "an event is heard once");
    house.verified();
}

#[test]
fn one_job_that_is_run_calls_the_listeners_too() {
    let (house, heard) = with_listener();
    let cart = short_cart(&house);
    until("the job is over", || house.json(&format!("job run cart-expiry {cart}")).code != 0);
    assert_eq!(lines(&heard).len(), 1);
    house.verified();
}

#[test]
fn work_once_does_what_is_due_a_line_each_and_ends() {
    let (house, heard) = with_listener();
    short_cart(&house);
    let mut said = String::new();
    until("the check and the call", || {
        said += house.run("work --once").text();
        said.lines().count() >= 2
    });
    assert!(said.contains("cart_expiry") && said.contains("listener cart_expired"), "{said}");
    assert_eq!(lines(&heard).len(), 1);
    assert_eq!(house.run("work --once").text(), "");
    house.verified();
}

/// The pipes and the process of a runner.
fn runner(house: &House) -> Child {
    let mut command = house.on("work --json");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Asks a runner to stop, and waits until it has.
fn stopped(runner: Child, signal: &str) -> Ran {
    let id = runner.id().to_string();
    let kill = std::process::Command::new("kill").args([signal, &id]).status();
    assert!(kill.unwrap().success());
    Ran::of("work --json", runner.wait_with_output().unwrap())
}

#[test]
fn a_runner_works_until_it_is_told_to_stop() {
    for signal in ["-TERM", "-INT"] {
        let (house, heard) = with_listener();
        let mut runner = runner(&house);
        let mut out = BufReader::new(runner.stdout.take().unwrap());
        let cart = short_cart(&house);
        let mut line = || {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            serde_json::from_str::<Value>(&line).unwrap()
        };
        // a desk tidies as well
        let mut next = || {
            let mut done = line();
            while done["run"]["kind"] == "tidying" {
                done = line();
            }
            done
        };
        // a listener may be called before the check that told is reported
        let two = [next(), next()];
        let [run, call] = ["run", "call"].map(|what| {
            let found = two.iter().find(|line| !line[what].is_null());
            found.unwrap_or_else(|| panic!("no {what} in {two:?}"))
        });
        assert_eq!(run["run"]["outcome"], "done", "{run}");
        assert_eq!(run["run"]["subject"], json!(cart));
        assert_eq!(call["call"]["event"], "cart_expired", "{call}");
        assert_eq!(lines(&heard)[0]["cart"], json!(cart));
        let ended = stopped(runner, signal);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
        house.verified();
    }
}

#[test]
fn several_runners_call_a_listener_once() {
    let (house, heard) = with_listener();
    let runners: Vec<Child> = (0..3).map(|_| runner(&house)).collect();
    let carts: Vec<String> = (0..3).map(|_| short_cart(&house)).collect();
    until("each cart is heard of", || {
        assert_eq!(house.json("job run").code, 0);
        lines(&heard).len() >= carts.len()
    });
    for runner in runners {
        assert_eq!(stopped(runner, "-TERM").code, 0);
    }
    let mut told: Vec<String> = lines(&heard).iter().map(|event| event["cart"].as_str().unwrap().to_owned()).collect();
    told.sort();
    assert_eq!(told, carts, "ids grow with time");
    house.verified();
}

#[test]
fn a_check_that_fails_ends_with_code_3_and_its_reason() {
    let house = House::royal();
    let job = "INSERT INTO job SELECT kind, 'nonsense', first_check_at, 0, check_count, failures, parked, recorded_at, written_by, priority FROM job LIMIT 1";
    house.cart_with("A1");
    let change = |sql: &str| {
        let file = rusqlite::Connection::open(house.path("house.db")).unwrap();
        file.execute(sql, []).unwrap();
    };
    change(job);
    for line in ["job run", "job run cart-expiry nonsense", "work --once"] {
        let ran = house.run(line);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains("nonsense"), "{ran:?}");
        assert!(ran.err.contains("is not an id"), "{ran:?}");
        change("UPDATE job SET next_check_at = 0, parked = '' WHERE subject = 'nonsense'");
    }
}
