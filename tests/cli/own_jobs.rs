//! Own kinds of job: `job add`, `job kinds`, `job end`, commands that run the desk, and what a kill leaves.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::limit::until;
use crate::support::House;

const NAME: &str = "order-shipped order-77";

/// A house with a check of an order, due in an hour.
fn with_order(run: &str) -> House {
    ordered(House::none(), run)
}

fn ordered(house: House, run: &str) -> House {
    house.json("init").done();
    let script = house.write("check", run);
    house.json(&format!("job add --kind order-shipped --subject order-77 --due +1h --run 'exec sh {script}'")).done();
    house
}

fn list(house: &House, line: &str) -> Vec<Value> {
    let Value::Array(list) = house.json(line).done() else { panic!("no list") };
    list
}

fn outcomes(house: &House) -> Vec<Value> {
    let runs = list(house, "job history --kind order-shipped");
    runs.iter().rev().map(|run| run["outcome"].clone()).collect()
}

#[test]
fn a_job_of_an_own_kind_is_added_listed_run_and_ended() {
    let house = with_order("cat; echo the van has left; exit 0");
    let job = house.json(&format!("job show {NAME}")).done();
    assert_eq!((&job["kind"], &job["about"]), (&json!("order_shipped"), &json!("order-77")));
    assert_eq!((&job["known"], &job["check_count"]), (&json!(true), &json!(0)));
    assert!(job["run"].as_str().unwrap().starts_with("exec sh "), "{job}");
    let text = house.run("job list --kind order-shipped").text().to_owned();
    assert!(text.contains("order_shipped") && text.contains("the command looks"), "{text}");
    let add = house.json("job add --kind order-shipped --subject order-78 --due +2h");
    assert_eq!(add.done()["subject"], "order-78");
    let run = house.json(&format!("job run {NAME}")).done();
    assert_eq!((&run["outcome"], &run["detail"]), (&json!("done"), &json!("the van has left")));
    let text = house.run("job history").text().to_owned();
    assert!(text.contains("the van has left"), "{text}");
    let ended = house.json("job end order-shipped order-78").done();
    assert_eq!((&ended["subject"], &ended["ended"]), (&json!("order-78"), &json!(true)));
    house.json("job add --kind order-shipped --subject order-79 --due +2h").done();
    assert_eq!(house.run("job end order-shipped order-79").text(), "order_shipped order-79: ended\n");
    assert!(list(&house, "job list --kind order-shipped").is_empty());
    house.json("settings set job.order-shipped.run ''").done();
    house.json("job list --kind order-shipped").refused("bad_value");
    house.verified();
}

#[test]
fn kinds_are_listed_with_their_settings_and_changed() {
    let house = House::empty();
    let add = "job add --kind order-shipped --subject order-77 --due +1h --run 'exit 0' --slot 15m --limit 5s --checks 3 --horizon 2d --tries 2 --retry 1m --priority 4";
    house.json(add).done();
    let kinds = list(&house, "job kinds");
    let built_in = json!({
        "kind": "cart_expiry", "own": false, "slot": "1s", "limit": "2s", "tries": 5, "retry": "1s", "priority": 0,
    });
    assert_eq!(kinds.first().unwrap(), &built_in, "its checks end with the cart, at the cart's own times");
    let own = json!({
        "kind": "order_shipped", "own": true, "slot": "15m", "limit": "5s", "checks": 3, "horizon": "48h",
        "tries": 2, "retry": "1m", "priority": 1, "run": "exit 0",
    });
    assert_eq!(kinds.last().unwrap(), &own);
    let show = |line: &str| house.json(line).done()["priority"].clone();
    assert_eq!(show("job show order-shipped order-77"), 4, "of this job alone");
    let add = "job add --kind order-shipped --subject order-78 --due +1h --priority 0";
    assert_eq!(show(add), 0);
    assert_eq!(show("job change order-shipped order-78 --priority 9"), 9);
    house.json("settings set job.order-shipped.priority 3").done();
    assert_eq!(show("job change order-shipped order-78 --no-priority"), 3);
    house.json("settings set job.order-shipped.checks 7").done();
    let set = house.json("settings set job.order-shipped.run 'exit 1'").done();
    assert_eq!(set, json!({ "id": "job.order_shipped.run", "value": "exit 1" }));
    let text = house.run("job kinds").text().to_owned();
    let row = text.lines().last().unwrap();
    assert!(row.contains('7') && row.contains("exit 1"), "{text}");
    let listed = list(&house, "settings list");
    let is_listed = |id: &str| listed.iter().any(|setting| setting["id"] == id);
    assert!(is_listed("job.order_shipped.run") && is_listed("job.order_shipped.checks"));
    house.verified();
}

#[test]
fn a_kill_while_the_command_runs_leaves_a_row_and_loses_nothing() {
    kills_a_run(House::none());
}

#[test]
fn a_kill_while_the_command_runs_leaves_a_row_and_loses_nothing_on_a_server() {
    kills_a_run(House::on_a_server());
}

fn kills_a_run(house: House) {
    let house = ordered(house, "cd $(dirname $0); [ -e begun ] && exit 0; touch begun; kill -9 $PPID; exit 1");
    let before = house.json(&format!("job show {NAME}")).done();
    let killed = house.on(&format!("job run {NAME}")).output().unwrap();
    assert_eq!(killed.status.signal(), Some(9));
    let job = house.json(&format!("job show {NAME}")).done();
    assert_eq!(job["first_check_at"], before["first_check_at"]);
    assert_eq!(job["failures"], 1, "the lost check is a failed try");
    let again = house.run(&format!("job run {NAME}"));
    assert_eq!((again.code, again.out.as_str()), (3, ""), "{again:?}");
    assert!(again.err.starts_with("It is running at till-1. Wait for its end: "), "{again:?}");
    assert_eq!(outcomes(&house), ["by_hand"]);
    house.verified();
    house.meddle("UPDATE job SET next_check_at = 0 WHERE kind = 'order_shipped'");
    let worked = house.on("work --once").output().unwrap();
    assert!(worked.status.success(), "{worked:?}");
    assert_eq!(outcomes(&house), ["by_hand", "failed", "done"]);
    let runs = list(&house, "job history --kind order-shipped");
    let lost = runs.get(1).unwrap();
    assert_eq!(lost["detail"], "till-1 died while the command ran");
    house.verified();
}

/// Returns whether the process runs whose number a file has.
fn runs(pid: &Path) -> bool {
    let Ok(pid) = std::fs::read_to_string(pid) else { return false };
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    pid.ends_with('\n') && stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// A command that runs the binary on the same house.
fn nested(house: &House, line: &str) -> String {
    let (binary, db) = (env!("CARGO_BIN_EXE_willcall"), house.path("house.db"));
    format!("exec {binary} --db {} {line}", db.display())
}

#[test]
fn what_a_command_started_through_another_willcall_ends_with_the_first_one() {
    let house = House::empty();
    let pid = house.path("pid");
    let inner = house.write("inner", &format!("echo $$ > {}; exec sleep 600", pid.display()));
    house.json(&format!("job add --kind inner --subject x --due +1h --limit 30s --run 'sh {inner}'")).done();
    let outer = house.write("outer", &nested(&house, "job run inner x"));
    house.json(&format!("job add --kind outer --subject x --due +1h --limit 30s --run 'sh {outer}'")).done();
    let mut first = house.on("job run outer x").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the command of the command runs", || runs(&pid));
    first.kill().unwrap();
    first.wait().unwrap();
    until("it ends with the first", || !runs(&pid));
    house.verified();
}

#[test]
fn a_job_that_runs_itself_is_refused_and_no_chain_begins() {
    let house = House::empty();
    let calls = house.path("calls");
    let run = format!("echo x >> {}\n{}", calls.display(), nested(&house, "job run again x"));
    let script = house.write("again", &run);
    house.json(&format!("job add --kind again --subject x --due +1h --run 'sh {script}'")).done();
    let run = house.json("job run again x");
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.out.contains("exit status: 3: It is running at till-1. Wait for its end"), "{run:?}");
    assert_eq!(std::fs::read_to_string(calls).unwrap(), "x\n");
    house.verified();
}

#[test]
fn a_kill_between_two_checks_loses_nothing() {
    let house = with_order("cd $(dirname $0); [ -e go ] && exit 0; echo +1h; exit 75");
    let before = house.json(&format!("job show {NAME}")).done();
    house.json(&format!("job later {NAME} --by 1s")).done();
    house.json("settings set job.order-shipped.slot 1s").done();
    house.json(&format!("job later {NAME} --by 1s")).done();
    let mut runner = house.on("work --json").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the job is to come again", || outcomes(&house).contains(&json!("again")));
    runner.kill().unwrap();
    runner.wait().unwrap();
    let job = house.json(&format!("job show {NAME}")).done();
    assert_eq!(job["first_check_at"], before["first_check_at"]);
    assert_eq!((&job["check_count"], &job["failures"]), (&json!(1), &json!(0)));
    house.write("go", "");
    let run = house.json(&format!("job run {NAME}")).done();
    assert_eq!(run["outcome"], "done");
    assert_eq!(outcomes(&house), ["by_hand", "by_hand", "again", "by_hand", "done"]);
    house.verified();
}
