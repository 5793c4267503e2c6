//! Own kinds of job: a shell command decides whether a check is done, made again, or failed. The published
//! case is an order that has not been shipped an hour after it was placed.

use std::future::pending;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use serde_json::Value;
use willcall::domain::event::Event;
use willcall::domain::ids::CommandId;
use willcall::domain::job::{Job, JobKind, Outcome, ParkReason, PolicyChange};
use willcall::domain::refusal::{JobRefusal, Refusal};
use willcall::domain::time::{Instant, Span};
use willcall::engine::Failure;
use willcall::engine::ops::{AddJob, ChangeSettings, ControlJob, JobAct};
use willcall::engine::reads::events::{EventView, ReadEvents};
use willcall::engine::reads::jobs::runs::{ReadRuns, RunView};
use willcall::engine::reads::jobs::{JobView, ReadJob, ReadJobs, WhichJobs};

use super::support::{House, NOON, actor, no};
use crate::limit::{PATIENCE, until};

const HOUR: Span = Span::minutes(60);

fn order(run: &str) -> AddJob {
    AddJob {
        kind: "order_shipped".into(),
        subject: "Order-77".into(),
        due: NOON + HOUR,
        run: Some(run.into()),
        ..AddJob::default()
    }
}

fn kind() -> JobKind {
    JobKind::from_word("order_shipped").unwrap()
}

impl House {
    fn order(&self) -> JobView {
        self.desk.read(ReadJob { kind: "order_shipped".into(), subject: "Order-77".into() }).unwrap()
    }

    /// Outcome, detail and number of the try of each check, oldest first.
    fn checks(&self) -> Vec<(String, String, i64)> {
        let runs = ReadRuns { kind: Some("order_shipped".into()), ..ReadRuns::default() };
        let mut runs = self.desk.read(runs).unwrap();
        runs.reverse();
        let fact = |run: RunView| (run.outcome, run.detail, run.attempt);
        runs.into_iter().map(fact).collect()
    }

    fn checked_at(&self, at: Instant) -> usize {
        self.clock.set(at);
        self.desk.sweep().unwrap()
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn an_unshipped_order_is_checked_on_time_again_and_done() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let (told, shipped) = (folder.path().join("told"), folder.path().join("shipped"));
    let run = format!(
        "cat >> '{}'; [ -e '{}' ] || {{ echo looking; echo +2h; exit 75; }}; echo shipped by van",
        told.display(),
        shipped.display()
    );
    let first = house.desk.run(order(&run)).unwrap();
    assert_eq!(first, NOON + HOUR);
    assert_eq!(house.checked_at(first - Span::from_millis(1)), 0);
    assert_eq!(house.checked_at(first), 1);
    let job = house.order();
    assert_eq!((job.first_check_at, job.next_check_at, job.check_count), (first, first + HOUR + HOUR, 1));
    assert!(job.known().is_some() && job.failures == 0);
    std::fs::write(&shipped, "").unwrap();
    assert_eq!(house.checked_at(first + HOUR), 0);
    assert_eq!(house.checked_at(first + HOUR + HOUR), 1);
    assert_eq!(
        house.checks(),
        [
            ("again".into(), "looks again Sat 21 Nov 15:00:00".to_owned(), 1),
            ("done".into(), "shipped by van".into(), 1)
        ]
    );
    let told = lines(&told);
    assert_eq!(told.len(), 2);
    let fact = |place: usize, name: &str| told.get(place).unwrap()[name].clone();
    assert_eq!((fact(0, "kind"), fact(0, "subject")), ("order_shipped".into(), "Order-77".into()));
    assert_eq!((fact(0, "check_count"), fact(1, "check_count")), (0.into(), 1.into()));
    assert_eq!(fact(0, "first_check_at"), fact(1, "first_check_at"));
    assert_eq!(house.desk.sweep().unwrap(), 0);
    house.verified();
}

#[test]
fn a_failing_command_is_tried_again_and_parked_with_what_it_said() {
    let house = House::royal();
    let add = AddJob {
        policy: PolicyChange { tries: Some(2), ..PolicyChange::default() },
        ..order("echo no answer from the store >&2; exit 3")
    };
    house.desk.run(add).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 1);
    let retry = NOON + HOUR + Span::minutes(1);
    assert_eq!(house.order().next_check_at, retry);
    assert_eq!(house.checked_at(retry), 1);
    let reason = house.order().parked.unwrap().to_string();
    let said = "exit status: 3: no answer from the store";
    assert_eq!(reason, format!("it failed 2 times: {said}"));
    assert_eq!(house.checks(), [("failed".into(), said.to_owned(), 1), ("parked".into(), reason, 2)]);
    let events = house.desk.read(ReadEvents::default()).unwrap();
    let event = events.first().and_then(EventView::event);
    assert!(matches!(event, Some(Event::JobParked { .. })), "{event:?}");
    house.verified();
}

#[test]
fn a_command_that_asks_to_look_again_at_no_time_has_failed() {
    let house = House::royal();
    house.desk.run(order("echo soon; exit 75")).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 1);
    let checks = house.checks();
    let (outcome, detail, _) = checks.first().unwrap();
    assert_eq!(outcome, "failed");
    assert!(detail.ends_with("its last line is no time: \"soon\""), "{detail}");
    house.verified();
}

/// The published alert of an order: a first one that asks for y, and a last one. The house opens hours after y.
#[test]
fn a_first_alert_that_asks_for_a_time_past_is_sent_once_and_the_last_one_comes_at_the_next_slot() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let sent = folder.path().join("sent");
    let run = format!(
        "case $(cat) in *'\"check_count\":0'*) echo primary >> '{0}'; echo 2026-11-21T14:00; exit 75;; *) echo final >> '{0}';; esac",
        sent.display()
    );
    let sent = || std::fs::read_to_string(&sent).unwrap();
    let add =
        AddJob { policy: PolicyChange { slot: Some(Span::minutes(15)), ..PolicyChange::default() }, ..order(&run) };
    house.desk.run(add).unwrap();
    let opens = NOON + Span::minutes(405);
    assert_eq!(house.checked_at(opens), 1);
    assert_eq!(sent(), "primary\n");
    let job = house.order();
    assert_eq!((job.next_check_at, job.check_count, job.failures), (opens + Span::minutes(15), 1, 0));
    assert_eq!(house.checked_at(opens + Span::minutes(15)), 1);
    assert_eq!(sent(), "primary\nfinal\n");
    assert_eq!(
        house.checks(),
        [("again".into(), "looks again Sat 21 Nov 19:00:00".to_owned(), 1), ("done".into(), String::new(), 1)]
    );
    house.verified();
}

#[test]
fn a_run_by_hand_counts_like_any_other_check_and_only_a_retry_counts_anew() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let add = AddJob {
        policy: PolicyChange { checks: Some(3), ..PolicyChange::default() },
        ..order(&format!("cat >> '{}'; echo +10m; exit 75", told.display()))
    };
    house.desk.run(add).unwrap();
    let by_hand = || house.desk.run_job(kind(), "Order-77".into()).unwrap().outcome;
    let control = |act| house.desk.run(ControlJob { kind: kind(), subject: "Order-77".into(), act }).unwrap();
    assert_eq!(by_hand(), "again");
    control(JobAct::Later(NOON + HOUR));
    let job = house.order();
    assert_eq!((job.first_check_at, job.check_count), (NOON + HOUR, 1), "put off");
    assert_eq!([by_hand(), by_hand()], ["again", "parked"]);
    let job = house.order();
    assert_eq!(job.parked, Some(ParkReason::TooManyChecks { checks: 3 }));
    assert_eq!(job.first_check_at, NOON + HOUR);
    control(JobAct::Retry);
    assert_eq!(house.order().check_count, 0);
    assert_eq!(by_hand(), "again");
    let counts: Vec<Value> = lines(&told).iter().map(|told| told["check_count"].clone()).collect();
    assert_eq!(counts, [0, 1, 2, 0]);
    house.verified();
}

#[test]
fn of_six_stations_that_run_a_job_at_once_one_does_and_the_others_learn_where() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let (calls, go) = (folder.path().join("calls"), folder.path().join("go"));
    let run = format!("cat >> '{}'; while [ ! -e '{}' ]; do sleep 0.01; done", calls.display(), go.display());
    let add =
        AddJob { policy: PolicyChange { limit: Some(Span::seconds(30)), ..PolicyChange::default() }, ..order(&run) };
    house.desk.run(add).unwrap();
    let second = house.second();
    let (sender, ran) = channel();
    for number in 1..=6 {
        let station = format!("till-{number}");
        let desk = if number % 2 == 0 { house.at(&station) } else { second.desk(actor("eve", &station)) };
        let sender = sender.clone();
        std::thread::spawn(move || {
            // the story waits for each
            let _ = sender.send((station, desk.run_job(kind(), "Order-77".into())));
        });
    }
    let next = || ran.recv_timeout(PATIENCE).expect("each station is answered while one runs the job");
    let refused: Vec<Value> = std::iter::repeat_with(next)
        .take(5)
        .map(|(station, ran)| {
            let Err(Failure::Refused(refusal)) = ran else { panic!("{station} ran it, too: {ran:?}") };
            serde_json::to_value(refusal).unwrap()
        })
        .collect();
    let control = |act| ControlJob { kind: kind(), subject: "Order-77".into(), act };
    for act in [JobAct::RunNow, JobAct::Later(NOON + HOUR)] {
        assert_eq!(no(&house.desk, control(act)).kind(), "job_running");
    }
    assert_eq!(house.desk.sweep().unwrap(), 0);
    std::fs::write(&go, "").unwrap();
    let (station, ran) = next();
    assert_eq!(ran.unwrap().outcome, "done");
    for refusal in refused {
        assert_eq!((&refusal["kind"], &refusal["station"]), (&"job_running".into(), &station.as_str().into()));
    }
    assert_eq!(lines(&calls).len(), 1);
    house.verified();
}

#[test]
fn a_command_that_is_never_done_is_parked_after_the_most_checks() {
    let house = House::royal();
    let add =
        AddJob { policy: PolicyChange { checks: Some(3), ..PolicyChange::default() }, ..order("echo +10m; exit 75") };
    house.desk.run(add).unwrap();
    for check in 0..4 {
        house.checked_at(NOON + HOUR + Span::minutes(check * 10));
    }
    let job = house.order();
    assert_eq!(job.parked, Some(ParkReason::TooManyChecks { checks: 3 }));
    assert_eq!(job.first_check_at, NOON + HOUR);
    let outcomes: Vec<String> = house.checks().into_iter().map(|check| check.0).collect();
    assert_eq!(outcomes, ["again", "again", "parked"]);
    house.verified();
}

#[test]
fn a_command_that_looks_beyond_the_horizon_is_parked() {
    let house = House::royal();
    let add = AddJob {
        policy: PolicyChange { horizon: Some(Span::minutes(120)), ..PolicyChange::default() },
        ..order("echo +3h; exit 75")
    };
    house.desk.run(add).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 1);
    let parked = house.order().parked.unwrap();
    assert!(matches!(parked, ParkReason::BeyondHorizon { .. }));
    assert_eq!(parked.to_string(), "its next check is more than 2h away");
    house.verified();
}

#[test]
fn a_slow_command_is_killed_at_the_limit_of_its_kind() {
    let house = House::royal();
    let add = AddJob {
        policy: PolicyChange { limit: Some(Span::from_millis(50)), ..PolicyChange::default() },
        ..order("sleep 600")
    };
    house.desk.run(add).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 1);
    let checks = house.checks();
    assert_eq!(checks, [("failed".into(), "it took longer than 0.05 s".to_owned(), 1)]);
    house.verified();
}

/// The lease of a station that died runs out, and its late answer changes nothing.
#[test]
fn a_check_whose_station_is_lost_is_made_again_by_another() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let (begun, go) = (folder.path().join("begun"), folder.path().join("go"));
    let run = format!(
        "echo x >> '{}'; [ $(grep -c x '{0}') = 2 ] && exit 0; while [ ! -e '{}' ]; do sleep 0.01; done; exit 9",
        begun.display(),
        go.display()
    );
    house.desk.run(order(&run)).unwrap();
    house.clock.set(NOON + HOUR);
    let lost = house.at("till-1");
    let lost = std::thread::spawn(move || lost.sweep().unwrap());
    until("the check has begun", || begun.exists());
    assert_eq!(house.desk.sweep().unwrap(), 0, "the lease is another's");
    let by_hand = house.desk.run_job(kind(), "Order-77".into());
    assert!(matches!(by_hand, Err(Failure::Refused(_))), "{by_hand:?}");
    house.pass(Span::seconds(41));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    let died = ("failed".to_owned(), "till-1 died while the command ran".to_owned(), 1);
    let done = [died, ("done".into(), String::new(), 2)];
    assert_eq!(house.checks(), done);
    std::fs::write(&go, "").unwrap();
    assert_eq!(lost.join().unwrap(), 0, "its answer comes too late");
    assert_eq!(house.checks(), done);
    house.verified();
}

/// A station that dies while a function of its program runs.
#[test]
fn a_function_whose_station_is_lost_leaves_a_row_whoever_runs_the_job_next() {
    for by_hand in [false, true] {
        let house = House::royal();
        let elsewhere = house.second();
        let lost = elsewhere.desk(actor("ben", "till-2"));
        let (begun, begins) = channel();
        let (end, ended) = channel::<()>();
        let (begun, ended) = (Mutex::new(begun), Mutex::new(ended));
        let stuck = move |_: Job| {
            begun.lock().unwrap().send(()).unwrap();
            // the test ends it by dropping the other side
            let _ = ended.lock().unwrap().recv_timeout(PATIENCE);
            async { Outcome::Done }
        };
        lost.on("order_shipped", stuck).unwrap();
        house.desk.on("order_shipped", |_: Job| async { Outcome::Done }).unwrap();
        house.desk.run(AddJob { run: None, ..order("") }).unwrap();
        house.clock.set(NOON + HOUR);
        let sweep = std::thread::spawn(move || lost.sweep().unwrap());
        begins.recv_timeout(PATIENCE).unwrap();
        house.pass(Span::seconds(41));
        if by_hand {
            assert_eq!(house.desk.run_job(kind(), "Order-77".into()).unwrap().outcome, "done");
        } else {
            assert_eq!(house.desk.sweep().unwrap(), 1);
        }
        let died = "till-2 died while the command ran";
        let checks = house.checks();
        let (outcome, detail, _) = checks.first().unwrap();
        let expected =
            if by_hand { ("by_hand", format!("ada ran it now; {died}")) } else { ("failed", died.to_owned()) };
        assert_eq!((outcome.as_str(), detail), (expected.0, &expected.1));
        assert_eq!((checks.len(), checks.last().unwrap().0.as_str()), (2, "done"));
        drop(end);
        assert_eq!(sweep.join().unwrap(), 0, "its answer comes too late");
        assert_eq!(house.checks(), checks);
        drop(elsewhere);
        house.verified();
    }
}

#[test]
fn a_lost_check_is_told_by_whatever_is_done_with_the_job_by_hand() {
    for act in [JobAct::Later(NOON + HOUR + HOUR), JobAct::Park("strike".into()), JobAct::End] {
        let house = House::royal();
        let folder = tempfile::tempdir().unwrap();
        let (begun, go) = (folder.path().join("begun"), folder.path().join("go"));
        let run = format!("touch '{}'; while [ ! -e '{}' ]; do sleep 0.01; done", begun.display(), go.display());
        house.desk.run(order(&run)).unwrap();
        house.clock.set(NOON + HOUR);
        let lost = house.at("till-2");
        let lost = std::thread::spawn(move || lost.sweep().unwrap());
        until("the check has begun", || begun.exists());
        house.pass(Span::seconds(41));
        house.desk.run(ControlJob { kind: kind(), subject: "Order-77".into(), act }).unwrap();
        let checks = house.checks();
        let (_, detail, _) = checks.first().unwrap();
        assert!(detail.ends_with("; till-2 died while the command ran"), "{detail}");
        std::fs::write(&go, "").unwrap();
        assert_eq!(lost.join().unwrap(), 0);
        assert_eq!(house.checks(), checks);
        house.verified();
    }
}

#[test]
fn a_check_is_made_by_one_of_two_stations() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls");
    let run = format!("cat >> '{}'", calls.display());
    for number in 0..20 {
        let subject = format!("order-{number}");
        house.desk.run(AddJob { subject, ..order(&run) }).unwrap();
    }
    house.clock.set(NOON + HOUR);
    let second = house.second();
    let desks = [house.at("till-1"), second.desk(actor("eve", "till-2"))];
    let sweeps = desks.map(|desk| std::thread::spawn(move || desk.sweep().unwrap()));
    let made: usize = sweeps.into_iter().map(|sweep| sweep.join().unwrap()).sum();
    assert_eq!((made, house.checks().len(), lines(&calls).len()), (20, 20, 20));
    house.verified();
}

#[test]
fn a_running_engine_calls_the_command_by_itself_and_one_that_stops_gives_the_check_back() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let run = format!("[ -e '{0}' ] && exit 0; touch '{0}'; sleep 600", begun.display());
    house.desk.run(order(&run)).unwrap();
    let running = house.running();
    house.pass(HOUR);
    until("the check has begun", || begun.exists());
    drop(running);
    let job = house.order();
    assert_eq!((job.next_check_at, job.failures), (NOON + HOUR, 0));
    assert!(house.checks().is_empty(), "a stop is no failure");
    let running = house.running();
    until("a check", || !house.checks().is_empty());
    assert_eq!(house.checks(), [("done".into(), String::new(), 1)]);
    drop(running);
    house.verified();
}

#[test]
fn a_job_has_a_priority_beside_its_kinds_and_the_list_and_the_runs_follow_it() {
    let house = House::royal();
    house.desk.run(order("exit 0")).unwrap();
    let add = |subject: &str, minutes, priority| AddJob {
        subject: subject.into(),
        due: NOON + Span::minutes(minutes),
        priority,
        ..order("exit 0")
    };
    for (subject, minutes, priority) in [("last", 10, Some(9)), ("first", 50, Some(0)), ("usual", 20, None)] {
        house.desk.run(add(subject, minutes, priority)).unwrap();
    }
    let listed = || {
        let all = house.desk.read(ReadJobs { which: WhichJobs::Waiting, kind: Some("order_shipped".into()) }).unwrap();
        all.into_iter().map(|job| (job.subject, job.priority)).collect::<Vec<_>>()
    };
    let named = |all: [(&str, u8); 4]| all.map(|(subject, priority)| (subject.to_owned(), priority));
    assert_eq!(listed(), named([("last", 9), ("usual", 1), ("first", 0), ("Order-77", 1)]), "by time: none is due");
    let control = |act| ControlJob { kind: kind(), subject: "Order-77".into(), act };
    let far = no(&house.desk, control(JobAct::Prioritize(Some(10))));
    assert!(matches!(far, Refusal::BadValue { .. }), "{far:?}");
    assert!(matches!(no(&house.desk, add("far", 5, Some(10))), Refusal::BadValue { .. }));
    house.desk.run(control(JobAct::Prioritize(Some(0)))).unwrap();
    assert_eq!((house.order().next_check_at, house.order().priority), (NOON + HOUR, 0), "its time stays");
    house.clock.set(NOON + HOUR);
    let order = [("first", 0), ("Order-77", 0), ("usual", 1), ("last", 9)];
    assert_eq!(listed(), named(order));
    house.desk.run(control(JobAct::Prioritize(None))).unwrap();
    let order = [("first", 0), ("usual", 1), ("Order-77", 1), ("last", 9)];
    assert_eq!(listed(), named(order));
    assert_eq!(house.desk.sweep().unwrap(), 4);
    let mut runs = house.desk.read(ReadRuns { outcome: Some("done".into()), ..ReadRuns::default() }).unwrap();
    runs.reverse();
    let ran: Vec<String> = runs.into_iter().map(|run| run.subject).collect();
    assert_eq!(ran, order.map(|(subject, _)| subject));
    house.verified();
}

#[test]
fn an_own_job_is_parked_moved_and_ended_by_hand_like_any_other() {
    let house = House::royal();
    house.desk.run(order("exit 0")).unwrap();
    let control = |act| ControlJob { kind: kind(), subject: "Order-77".into(), act };
    house.desk.run(control(JobAct::Park("strike".into()))).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 0);
    let later = NOON + HOUR + HOUR;
    house.desk.run(control(JobAct::Later(later))).unwrap();
    assert_eq!(house.order().first_check_at, NOON + HOUR, "it never changes");
    let removed = ChangeSettings::to(&format!("job.{}.run", kind().word()), "");
    let refused = no(&house.desk, removed.clone());
    assert!(matches!(refused, Refusal::BadValue { .. }), "a job of it waits: {refused:?}");
    house.desk.run(control(JobAct::End)).unwrap();
    assert_eq!(house.checks().len(), 3);
    assert_eq!(house.desk.run(removed).unwrap().own_kinds().count(), 0);
    let cart = house.cart_with("A1");
    let built_in = ControlJob { kind: JobKind::CartExpiry, subject: cart.to_string(), act: JobAct::End };
    assert!(matches!(no(&house.desk, built_in), Refusal::BadValue { .. }));
    house.verified();
}

#[test]
fn an_impossible_job_is_refused_with_its_reason_and_nothing_is_made() {
    let house = House::royal();
    let add = || order("exit 0");
    let policy = |change: PolicyChange| AddJob { policy: change, ..add() };
    let long = PolicyChange { limit: Some(HOUR), ..PolicyChange::default() };
    let refused = |add: AddJob| no(&house.desk, add).kind();
    assert_eq!(refused(AddJob { run: None, ..add() }), "not_found");
    assert_eq!(refused(order("  ")), "bad_value");
    assert_eq!(refused(order("x\0y")), "bad_value");
    assert_eq!(refused(order(&"x".repeat(5000))), "bad_value");
    assert_eq!(refused(AddJob { subject: " ".into(), ..add() }), "bad_value");
    for kind in ["cart_expiry", "Order", "7up", ""] {
        assert_eq!(refused(AddJob { kind: kind.into(), ..add() }), "bad_value", "{kind:?}");
    }
    let past = NOON - Span::from_millis(1);
    assert_eq!(refused(AddJob { due: past, ..add() }), "in_the_past");
    assert_eq!(refused(policy(long)), "out_of_range");
    let unknown = ChangeSettings::to(&format!("job.{}.slot", kind().word()), "1m");
    assert_eq!(no(&house.desk, unknown).kind(), "not_found");
    let settings = house.desk.read(willcall::engine::reads::catalog::ReadSettings);
    assert_eq!(settings.unwrap().own_kinds().count(), 0);
    house.verified();
}

#[test]
fn a_kind_that_exists_and_a_job_that_waits_are_refused_with_their_facts() {
    let house = House::royal();
    let add = || order("exit 0");
    house.desk.run(add()).unwrap();
    let other = no(&house.desk, order("exit 1"));
    let field = |refusal: Refusal| {
        let Refusal::Job(JobRefusal::OtherJobKind { field, present, .. }) = refusal else { panic!("{refusal:?}") };
        (field, present)
    };
    assert_eq!(field(other), ("run".into(), "exit 0".into()));
    let checks = PolicyChange { checks: Some(7), ..PolicyChange::default() };
    assert_eq!(field(no(&house.desk, AddJob { policy: checks, ..add() })), ("checks".into(), "5".into()));
    let again = no(&house.desk, add());
    assert!(matches!(again, Refusal::Job(JobRefusal::JobExists { at, .. }) if at == NOON + HOUR));
    let second = AddJob { subject: "order-78".into(), run: None, ..add() };
    house.desk.run(second.clone()).unwrap();
    let id = CommandId::random();
    let third = AddJob { subject: "order-79".into(), ..second };
    let at = house.desk.run_as(id, third.clone()).unwrap();
    assert_eq!(house.desk.run_as(id, third).unwrap(), at, "sent again");
    house.verified();
}

#[test]
fn a_function_of_the_program_answers_when_to_look_again() {
    let house = House::royal();
    let (alerts, raised) = channel();
    let alerts = Mutex::new(alerts);
    let check = move |job: Job| {
        alerts.lock().unwrap().send(job.check_count).unwrap();
        let at = job.next_check_at + HOUR;
        async move { if job.check_count == 0 { Outcome::Again(at) } else { Outcome::Done } }
    };
    house.desk.on("Order-shipped", check).unwrap();
    house.desk.run(AddJob { run: None, ..order("") }).unwrap();
    let elsewhere = house.second();
    let other = elsewhere.desk(actor("ben", "till-2"));
    house.clock.set(NOON + HOUR);
    assert_eq!(other.sweep().unwrap(), 0, "a program without the function leaves it alone");
    let by_hand = other.run_job(kind(), "Order-77".into());
    assert!(matches!(by_hand, Err(Failure::Refused(Refusal::BadValue { .. }))), "{by_hand:?}");
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!((house.order().check_count, house.order().first_check_at), (1, NOON + HOUR));
    assert_eq!(house.checked_at(NOON + HOUR + HOUR), 1);
    assert_eq!(raised.try_iter().collect::<Vec<_>>(), [0, 1]);
    let outcomes: Vec<String> = house.checks().into_iter().map(|(outcome, ..)| outcome).collect();
    assert_eq!(outcomes, ["again", "done"]);
    drop(other);
    drop(elsewhere);
    house.verified();
}

#[test]
fn a_function_that_panics_or_takes_too_long_has_failed() {
    let house = House::royal();
    house
        .desk
        .on("order_shipped", |job| async move { if job.failures == 0 { panic!("no answer") } else { pending().await } })
        .unwrap();
    let policy = PolicyChange { tries: Some(2), limit: Some(Span::from_millis(50)), ..PolicyChange::default() };
    house.desk.run(ChangeSettings::of_job(kind(), policy)).unwrap();
    house.desk.run(AddJob { run: None, ..order("") }).unwrap();
    assert_eq!(house.checked_at(NOON + HOUR), 1);
    assert_eq!(house.checked_at(house.order().next_check_at), 1);
    let reason = house.order().parked.unwrap().to_string();
    assert_eq!(reason, "it failed 2 times: it took longer than 0.05 s");
    let details: Vec<String> = house.checks().into_iter().map(|(_, detail, _)| detail).collect();
    assert_eq!(details.first().unwrap(), "its function panicked");
    house.verified();
}

#[test]
fn a_function_is_of_an_own_kind_without_a_command() {
    let house = House::royal();
    let done = |_: Job| async { Outcome::Done };
    for word in ["cart_expiry", "", "7up", "Größe"] {
        let refused = house.desk.on(word, done);
        assert!(matches!(refused, Err(Failure::Refused(Refusal::NotFound { .. }))), "{word}: {refused:?}");
    }
    house.desk.run(order("true")).unwrap();
    let other = house.desk.on("order_shipped", done);
    assert!(matches!(other, Err(Failure::Refused(Refusal::Job(JobRefusal::OtherJobKind { .. })))), "{other:?}");
    house.verified();
}
