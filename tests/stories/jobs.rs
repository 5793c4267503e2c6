//! Jobs: what comes due runs once, in order, never early, and leaves a line in the history. Cases J1 to J8; J5 is
//! told beside the engine, J7 with the real binary.

use std::collections::BTreeMap;

use serde::Serialize;
use willcall::domain::cart::CartState;
use willcall::domain::customer::Customer;
use willcall::domain::event::Event;
use willcall::domain::ids::{CartId, CommandId};
use willcall::domain::job::{JobKind, ParkReason, PolicyChange};
use willcall::domain::refusal::{JobRefusal, Refusal};
use willcall::domain::resource::Policy;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::Clock;
use willcall::engine::ops::{
    AddJob, AddResource, AddWaiting, BeginTidying, CancelCart, ChangePerformance, ChangeResource, ChangeSettings,
    ConfirmClock, ControlJob, EndHearing, ExtendCart, HandOver, HearEvent, JobAct, KeepSeats, OpenCart, Patched, PayBy,
    PerformancePatch, PostponePerformance, ReserveCart, ResourcePatch, SetAside, TicketsTo,
};
use willcall::engine::reads::events::{EventView, ReadEvents};
use willcall::engine::reads::jobs::runs::{ReadRuns, RunView};
use willcall::engine::reads::jobs::{JobSubject, JobView, ReadJob, ReadJobs, WhichJobs};
use willcall::engine::{Failure, Operation, UnitOfWork};

use super::calendar::{add, resource};
use super::support::{House, NOON, names, no, reserving_for_ida};
use crate::limit::{found, until};

impl House {
    /// The runs, oldest first.
    fn runs(&self) -> Vec<RunView> {
        let mut runs = self.desk.read(ReadRuns::default()).unwrap();
        runs.reverse();
        runs
    }

    pub(crate) fn outcomes(&self) -> Vec<String> {
        self.runs().into_iter().map(|run| run.outcome).collect()
    }

    /// The jobs that wait, but for the one that closes the sales of the show.
    fn jobs(&self) -> Vec<JobView> {
        let mut jobs = self.desk.read(ReadJobs::default()).unwrap();
        jobs.retain(|job| job.known() != Some(JobKind::SalesClose));
        jobs
    }

    pub(crate) fn guard(&self, change: PolicyChange) {
        let settings = ChangeSettings::of_job(JobKind::CartExpiry, change);
        self.desk.run(settings).unwrap();
    }

    fn cart_for(&self, hold: Span) -> CartId {
        self.desk.run(OpenCart { hold: Some(hold), ..OpenCart::default() }).unwrap().id
    }

    fn swept_at(&self, at: Instant) -> usize {
        self.clock.set(at);
        self.desk.sweep().unwrap()
    }
}

fn expiry(cart: CartId) -> (JobKind, String) {
    (JobKind::CartExpiry, cart.to_string())
}

#[test]
fn j1_nothing_runs_a_millisecond_early_and_due_means_now() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let due = NOON + Span::minutes(30);
    let just_before = due - Span::from_millis(1);
    assert_eq!(house.swept_at(just_before), 0);
    assert_eq!(house.swept_at(due), 1);
    assert_eq!(house.state(cart), CartState::Expired);
    let runs = house.runs();
    let run = runs.first().unwrap();
    assert_eq!((run.due_at, run.started_at), (due, due));
    assert_eq!((run.outcome.as_str(), run.attempt), ("done", 1));
    house.verified();
}

#[test]
fn j1_times_round_up_to_the_slot_of_the_kind_and_never_down() {
    let house = House::royal();
    house.guard(PolicyChange { slot: Some(Span::minutes(15)), ..PolicyChange::default() });
    // 10:05 + 3 h in quarters of an hour is 13:15
    house.clock.set(NOON + Span::minutes(5));
    house.cart_for(Span::minutes(180));
    let due = NOON + Span::minutes(185);
    assert_eq!(house.swept_at(due), 0, "the deadline itself is in a slot");
    let slot = NOON + Span::minutes(195);
    assert_eq!(house.swept_at(slot - Span::from_millis(1)), 0);
    assert_eq!(house.swept_at(slot), 1);
    house.verified();
}

#[test]
fn j3_after_a_pause_everything_missed_runs_oldest_first_once_each() {
    let mut house = House::royal();
    let holds = [50, 10, 40, 20, 30];
    let carts = holds.map(|minutes| house.cart_for(Span::minutes(minutes)));
    house.clock.set(NOON + Span::minutes(400));
    house.restart();
    assert_eq!(house.desk.sweep().unwrap(), 5);
    let due: Vec<i64> = house.runs().iter().map(|run| run.due_at.since(NOON).millis() / 60_000).collect();
    assert_eq!(due, [10, 20, 30, 40, 50]);
    assert_eq!(house.desk.sweep().unwrap(), 0);
    for cart in carts {
        assert_eq!(house.state(cart), CartState::Expired);
    }
    house.verified();
}

#[test]
fn j4_two_stations_and_ten_thousand_due_jobs_make_each_effect_once() {
    let house = House::royal();
    // a check beyond its limit, on a busy machine, would be repeated later
    house.guard(PolicyChange { limit: Some(Span::seconds(30)), ..PolicyChange::default() });
    let (sender, receiver) = std::sync::mpsc::channel();
    for number in 0..10_000 {
        let sender = sender.clone();
        house.desk.submit(CommandId::random(), OpenCart::default(), move |opened| {
            sender.send(opened.is_ok()).unwrap();
        });
        if number % 500 == 499 {
            // never more than the queue has room for
            assert_eq!(receiver.iter().take(500).filter(|opened| *opened).count(), 500);
        }
    }
    house.pass(Span::minutes(30));
    let second = house.second();
    let desks = [house.at("till-1"), second.desk(super::support::actor("eve", "till-2"))];
    let sweeps = desks.map(|desk| std::thread::spawn(move || desk.sweep().unwrap()));
    let made: usize = sweeps.into_iter().map(|sweep| sweep.join().unwrap()).sum();
    assert!(house.jobs().is_empty());
    assert_eq!(made, 10_000);
    house.verified();
}

/// Puts a job for a cart that is not there.
#[derive(Serialize)]
struct WatchNothing;

impl Operation for WatchNothing {
    const VERB: &'static str = "watch_nothing";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let now = work.now();
        work.put_job(JobKind::CartExpiry, CartId::random(), now)
    }
}

#[test]
fn j6_the_watched_thing_is_gone_and_the_job_ends_quietly_with_a_line_in_the_history() {
    let house = House::royal();
    house.desk.run(WatchNothing).unwrap();
    assert_eq!(house.desk.sweep().unwrap(), 1);
    assert_eq!(house.outcomes(), ["gone"]);
    assert!(house.jobs().is_empty());
    assert!(house.desk.read(ReadEvents::default()).unwrap().is_empty());
    house.verified();
}

#[test]
fn j8_a_clock_set_back_runs_nothing_twice() {
    let house = House::royal();
    let late = house.cart_with("A1");
    let due = NOON + Span::minutes(30);
    assert_eq!(house.swept_at(due), 1);
    house.clock.set(NOON - Span::minutes(30));
    house.cart_for(Span::minutes(30));
    assert_eq!(house.swept_at(NOON - Span::from_millis(1)), 0, "not early");
    assert_eq!(house.swept_at(NOON), 1, "its deadline is of the present");
    assert_eq!(house.state(late), CartState::Expired);
    assert_eq!(house.outcomes(), ["done", "done"]);
    house.verified();
}

#[test]
fn an_extended_cart_is_looked_at_again_at_its_deadline_and_that_counts_no_check() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.pass(Span::minutes(20));
    house.desk.run(ExtendCart { cart }).unwrap();
    assert_eq!(house.swept_at(NOON + Span::minutes(30)), 1);
    assert_eq!(house.outcomes(), ["moved"]);
    let jobs = house.jobs();
    let job = jobs.first().unwrap();
    assert_eq!(job.next_check_at, NOON + Span::minutes(50));
    assert_eq!(job.first_check_at, NOON + Span::minutes(30));
    assert_eq!(job.check_count, 0);
    let JobSubject::Cart(cart) = &job.about else { panic!("{job:?}") };
    assert_eq!((cart.seats, cart.station.as_str()), (1, "till-1"));
    assert_eq!(house.swept_at(NOON + Span::minutes(50)), 1);
    assert_eq!(house.outcomes(), ["moved", "done"]);
    house.verified();
}

#[test]
fn what_ends_a_cart_ends_its_job_and_an_expiry_is_told_once() {
    let house = House::royal();
    let canceled = house.cart_with("A1");
    house.desk.run(CancelCart { cart: canceled }).unwrap();
    assert!(house.jobs().is_empty());
    let late = house.cart_with("A2 A3");
    house.pass(Span::minutes(31));
    // who takes such a seat ends the late cart, before any sweep
    house.cart_with("A2");
    assert_eq!(house.desk.sweep().unwrap(), 0);
    let events = house.desk.read(ReadEvents::default()).unwrap();
    let told: Vec<Option<Event>> = events.iter().map(EventView::event).collect();
    let [Some(Event::CartExpired { cart, seats, .. })] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((*cart, *seats), (late, 2));
    house.verified();
}

#[test]
fn a_job_is_parked_run_tried_again_and_put_off_by_hand_and_all_is_in_the_history() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let ((kind, subject), desk) = (expiry(cart), &house.desk);
    let control = |act| ControlJob { kind, subject: subject.clone(), act };
    let retry = no(desk, control(JobAct::Retry));
    assert!(matches!(retry, Refusal::Job(JobRefusal::JobNotParked { .. })), "{retry:?}");
    let reason = "the fire brigade asks".to_owned();
    desk.run(control(JobAct::Park(reason))).unwrap();
    house.pass(Span::minutes(40));
    assert_eq!(desk.sweep().unwrap(), 0);
    assert_eq!(house.state(cart), CartState::Expired, "the deadline decides");
    let parked = desk.read(ReadJobs { which: WhichJobs::Parked, kind: None });
    let reason = parked.unwrap().first().unwrap().parked.clone().unwrap();
    assert_eq!(reason.to_string(), "ada parked it: the fire brigade asks");
    desk.run(control(JobAct::Retry)).unwrap();
    let at = NOON;
    let past = no(desk, control(JobAct::Later(at)));
    assert!(matches!(past, Refusal::InThePast { .. }), "{past:?}");
    let at = desk.now() + Span::minutes(60 * 24 * 365);
    let far = no(desk, control(JobAct::Later(at)));
    assert!(matches!(far, Refusal::OutOfRange { .. }), "{far:?}");
    let at = desk.now() + Span::minutes(10);
    desk.run(control(JobAct::Later(at))).unwrap();
    assert_eq!(desk.sweep().unwrap(), 0);
    house.verified();
    assert_eq!(desk.run_job(kind, subject.clone()).unwrap().outcome, "done");
    assert_eq!(house.outcomes(), ["by_hand", "by_hand", "by_hand", "by_hand", "done"]);
    assert!(matches!(no(desk, control(JobAct::RunNow)), Refusal::NotFound { .. }));
    house.verified();
}

/// Everything that moves a job by itself: one of each kind, with the act that sets its time anew.
#[test]
fn the_first_check_of_a_job_of_any_kind_never_changes() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let desk = &house.desk;
    let (cart, aside, reserved) = (house.cart_with("A1"), house.cart_with("A2"), house.cart_with("A3"));
    desk.run(SetAside { cart: aside }).unwrap();
    desk.run(reserving_for_ida(reserved)).unwrap();
    let receipt = house.sold("A4").id;
    desk.run(HandOver { receipt, to: TicketsTo::Desk, prints: false }).unwrap();
    let until = desk.now() + Span::minutes(300);
    desk.run(KeepSeats { performance: house.show, seats: names("D1"), reason: "press".into(), until }).unwrap();
    let policy = Policy::Preallocated { horizon: None, roll_days: Some(10) };
    let room = add(&house, AddResource { policy, ..resource("Court", 60) });
    let customer = Customer { name: "Ida".into(), ..Customer::default() };
    let waiting = AddWaiting { performance: house.show, customer, seats: 2, category: None, priority: None };
    desk.run(waiting.clone()).unwrap();
    desk.run(ChangeSettings::to("listener.performance_changed", "true")).unwrap();
    desk.run(ChangeSettings::to("backup.folder", folder.path().to_str().unwrap())).unwrap();
    desk.run(BeginTidying).unwrap();
    let due = desk.now() + Span::minutes(600);
    let own = AddJob { kind: "own".into(), subject: "x".into(), due, run: Some("true".into()), ..AddJob::default() };
    desk.run(own).unwrap();
    let renamed = PerformancePatch { title: Some("Movie 6".into()), ..PerformancePatch::default() };
    desk.run(ChangePerformance { performance: house.show, patch: renamed }).unwrap();
    let event = desk.read(ReadEvents::default()).unwrap().last().unwrap().seq;
    desk.run(HearEvent { number: event }).unwrap();
    let firsts = || {
        let jobs = desk.read(ReadJobs::default()).unwrap();
        jobs.into_iter().map(|job| ((job.kind, job.subject), (job.first_check_at, job.next_check_at)))
    };
    let before: BTreeMap<_, _> = firsts().collect();
    let mut kinds: Vec<&str> = before.keys().map(|(kind, _)| kind.as_str()).collect();
    kinds.dedup();
    let mut all: Vec<String> = JobKind::built_in().map(|kind| kind.word().to_owned()).collect();
    all.push("own".into());
    all.sort_unstable();
    assert_eq!(kinds, all, "one of each kind");
    // by what moves its subject
    house.pass(Span::minutes(1));
    desk.run(ExtendCart { cart }).unwrap();
    desk.run(ExtendCart { cart: aside }).unwrap();
    let pay_by = PayBy::At(desk.now() + Span::minutes(200));
    desk.run(ReserveCart { pay_by, ..reserving_for_ida(reserved) }).unwrap();
    desk.run(waiting).unwrap();
    let roll = ResourcePatch { roll_days: Patched::Set(20), ..ResourcePatch::default() };
    desk.run(ChangeResource { resource: room, patch: roll }).unwrap();
    let start = NOON + Span::minutes(510);
    let later = PostponePerformance { performance: house.show, start, end: None, reason: "the singer is ill".into() };
    desk.run(later).unwrap();
    let mut moved = 0;
    for (job, (first, next)) in firsts() {
        let (known, was) = before.get(&job).copied().unwrap_or((first, next));
        assert_eq!(first, known, "{job:?}");
        moved += usize::from(next != was);
    }
    assert!(moved >= 6, "{moved}");
    // and by hand
    for ((word, subject), (first, _)) in &before {
        let kind = JobKind::from_word(word).unwrap();
        let control = |act| ControlJob { kind, subject: subject.clone(), act };
        let Ok(job) = desk.read(ReadJob { kind: word.clone(), subject: subject.clone() }) else { continue };
        desk.run(control(JobAct::Park("strike".into()))).unwrap();
        desk.run(control(JobAct::Retry)).unwrap();
        desk.run(control(JobAct::Later(desk.now() + Span::minutes(10)))).unwrap();
        let after = desk.read(ReadJob { kind: word.clone(), subject: subject.clone() }).unwrap();
        assert_eq!((after.first_check_at, job.first_check_at), (*first, *first), "{word}");
    }
    house.verified();
}

#[test]
fn a_kind_of_a_newer_program_is_left_alone_and_shown() {
    let house = House::royal();
    let insert = "INSERT INTO job (kind, subject, first_check_at, next_check_at, check_count, failures, parked, recorded_at, written_by) \
                  VALUES ('teleport', 'x', 1, 1, 0, 0, '', 1, 'somebody')";
    house.ground.meddle(insert);
    house.cart_with("A1");
    assert_eq!(house.desk.sweep().unwrap(), 0);
    let jobs = house.jobs();
    let kinds: Vec<&str> = jobs.iter().map(|job| job.kind.as_str()).collect();
    assert_eq!(kinds, ["teleport", "cart_expiry"]);
    assert!(jobs.first().unwrap().known().is_none());
    let (kind, subject) = ("teleport".into(), "x".into());
    assert!(house.desk.read(ReadJob { kind, subject }).is_ok());
}

#[test]
fn a_running_engine_runs_what_comes_due_by_itself() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let running = house.running();
    house.pass(Span::minutes(30));
    until("a run", || !house.runs().is_empty());
    let cart = house.cart(cart).cart;
    assert_eq!(cart.state, CartState::Expired);
    assert_eq!(house.runs().first().unwrap().station, "till-9");
    drop(running);
    house.verified();
}

#[test]
fn a_listener_hears_each_event_once_however_many_stations_run() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    let listen = |event: &str, command: String| {
        let settings = ChangeSettings::to(&format!("listener.{event}"), &command);
        house.desk.run(settings)
    };
    assert!(listen("no_such_event", "true".into()).is_err());
    let deaf = house.cart_for(Span::minutes(1));
    house.pass(Span::minutes(1));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    listen("cart_expired", format!("cat >> '{}'", file.display())).unwrap();
    let carts: Vec<CartId> = (0..20).map(|_| house.cart_for(Span::minutes(30))).collect();
    let running = [house.running(), house.running()];
    house.pass(Span::minutes(30));
    let heard = found("all carts heard of", || {
        let heard = std::fs::read_to_string(&file).unwrap_or_default();
        (heard.lines().count() >= carts.len()).then_some(heard)
    });
    drop(running);
    let lines: Vec<serde_json::Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut told: Vec<&str> = lines.iter().filter_map(|told| told["cart"].as_str()).collect();
    told.sort_unstable();
    let mut all: Vec<String> = carts.iter().map(ToString::to_string).collect();
    all.sort_unstable();
    assert_eq!(told, all, "each once, and nothing from before it listened");
    assert!(!heard.contains(&deaf.to_string()));
    assert_eq!(lines[0]["event"], "cart_expired");
    assert!(lines[0]["expired_at"].as_str().unwrap().starts_with("2026-11-21T"));
    house.verified();
}

/// Numbers and calls that a listener noted.
fn calls(file: &std::path::Path) -> Vec<(i64, u64)> {
    let noted = std::fs::read_to_string(file).unwrap_or_default();
    let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).ok();
    let told = noted.lines().filter_map(parse);
    told.filter_map(|told| Some((told.get("id")?.as_i64()?, told.get("attempt")?.as_u64()?))).collect()
}

#[test]
fn an_event_whose_station_died_before_the_call_is_heard_by_the_next() {
    let house = House::royal();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    house.desk.run(ChangeSettings::to("listener.cart_expired", &format!("cat >> '{}'", file.display()))).unwrap();
    house.cart_for(Span::minutes(1));
    house.pass(Span::minutes(1));
    assert_eq!(house.desk.sweep().unwrap(), 1);
    let number = house.desk.read(ReadEvents::default()).unwrap().last().unwrap().seq;
    let lost = house.at("till-1");
    assert_eq!(lost.run(HearEvent { number }).unwrap(), Some(1));
    assert_eq!(house.desk.run(HearEvent { number }).unwrap(), None, "it is another's");
    let about: Vec<String> = house.jobs().iter().map(|job| willcall::words::jobs::about(&job.about, NOON)).collect();
    assert_eq!(about, [format!("{number} cart_expired")]);
    let (kind, subject) = (JobKind::ListenerCall, number.to_string());
    assert!(matches!(house.desk.run_job(kind, subject), Err(Failure::Refused(_))), "it may run there");
    house.pass(Span::seconds(39));
    assert_eq!((house.desk.sweep().unwrap(), house.desk.hear_all().unwrap().len()), (0, 0));
    house.pass(Span::seconds(2));
    assert_eq!((house.desk.sweep().unwrap(), house.desk.hear_all().unwrap().len()), (1, 1));
    assert_eq!(calls(&file), [(number, 2)]);
    let event = house.desk.read(ReadEvents::default()).unwrap().last().unwrap().event();
    let Some(Event::ListenerFailed { problem, .. }) = event else { panic!("{event:?}") };
    assert_eq!(problem, "till-1 died while the command ran");
    assert!(house.jobs().is_empty());
    let late =
        EndHearing { heard: "cart_expired".into(), number, attempt: 1, command: String::new(), problem: String::new() };
    lost.run(late).unwrap();
    house.pass(Span::minutes(10));
    assert_eq!((house.desk.sweep().unwrap(), house.desk.hear_all().unwrap().len()), (0, 0));
    house.verified();
}

#[test]
fn a_listener_that_takes_its_station_along_each_time_is_parked() {
    let house = House::royal();
    house.desk.run(ChangeSettings::to("listener.cart_expired", "cat")).unwrap();
    house.cart_for(Span::minutes(1));
    house.pass(Span::minutes(1));
    house.desk.sweep().unwrap();
    let number = house.desk.read(ReadEvents::default()).unwrap().last().unwrap().seq;
    for call in 1..=5 {
        assert_eq!(house.desk.run(HearEvent { number }).unwrap(), Some(call));
        house.pass(Span::seconds(41));
        assert_eq!(house.desk.sweep().unwrap(), 1);
    }
    assert_eq!(house.desk.run(HearEvent { number }).unwrap(), None);
    let read = ReadJobs { which: WhichJobs::Parked, kind: None };
    let parked = house.desk.read(read).unwrap().pop().unwrap().parked;
    assert_eq!(parked, Some(ParkReason::TooManyChecks { checks: 5 }));
    let (kind, subject) = (JobKind::ListenerCall, number.to_string());
    house.desk.run(ControlJob { kind, subject, act: JobAct::Retry }).unwrap();
    assert_eq!((house.desk.sweep().unwrap(), house.desk.hear_all().unwrap().len()), (1, 1));
    assert!(house.jobs().is_empty());
    house.verified();
}

#[test]
fn a_listener_that_fails_is_named_in_an_event_of_its_own() {
    let house = House::royal();
    let settings = ChangeSettings::to("listener.cart_expired", "echo no paper >&2; exit 3");
    house.desk.run(settings).unwrap();
    house.cart_for(Span::minutes(1));
    let running = house.running();
    house.pass(Span::minutes(1));
    let (heard, problem) = found("a failed listener", || {
        let events = house.desk.read(ReadEvents::default()).unwrap();
        events.iter().find_map(|told| {
            let Event::ListenerFailed { heard, problem, .. } = told.event()? else {
                return None;
            };
            Some((heard, problem))
        })
    });
    drop(running);
    assert_eq!(heard, "cart_expired");
    assert!(problem.ends_with("no paper"), "{problem}");
    house.verified();
}

#[test]
fn a_listener_that_takes_longer_than_the_house_lets_it_is_ended_and_named() {
    let house = House::royal();
    let tiny = ChangeSettings::to("listener-limit", &Span::from_millis(1));
    assert!(matches!(no(&house.desk, tiny), Refusal::OutOfRange { .. }));
    let settings =
        ChangeSettings::to("listener.cart_expired", "sleep 600").and("listener-limit", &Span::from_millis(200));
    house.desk.run(settings).unwrap();
    house.cart_for(Span::minutes(1));
    let running = house.running();
    house.pass(Span::minutes(1));
    let problem = found("a failed listener", || {
        let events = house.desk.read(ReadEvents::default()).unwrap();
        events.iter().find_map(|told| {
            let Event::ListenerFailed { problem, .. } = told.event()? else {
                return None;
            };
            Some(problem)
        })
    });
    drop(running);
    assert_eq!(problem, "it took longer than 0.2 s");
    house.verified();
}

/// A clock that has jumped and that nobody has confirmed.
#[derive(Default)]
struct Doubtful {
    confirmed: std::sync::atomic::AtomicBool,
    /// How often the engine asked whether the clock is in doubt.
    asked: std::sync::atomic::AtomicU32,
}

impl Clock for Doubtful {
    fn now(&self) -> Instant {
        NOON + Span::minutes(60)
    }

    fn doubt_millis(&self) -> i64 {
        self.asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        i64::from(!self.confirmed.load(std::sync::atomic::Ordering::SeqCst)) * 3_600_000
    }

    fn confirm(&self) {
        self.confirmed.store(true, std::sync::atomic::Ordering::SeqCst);
    }
}

#[test]
fn nothing_runs_while_the_clock_is_in_doubt_and_all_of_it_once_it_is_confirmed() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let doubtful = std::sync::Arc::new(Doubtful::default());
    let running = house.running_by(std::sync::Arc::<Doubtful>::clone(&doubtful));
    let desk = running.desk(super::support::actor("eve", "till-2"));
    assert_ne!(desk.clock_doubt_millis(), 0);
    // three commits, each followed by looks of the runner, which asks the clock first
    for _ in 0..3 {
        desk.run(OpenCart::default()).unwrap();
        let asked = || doubtful.asked.load(std::sync::atomic::Ordering::SeqCst);
        let before = asked();
        until("the clock was asked twice", || asked() > before + 1);
    }
    assert!(house.outcomes().is_empty(), "it holds still");
    desk.run(ConfirmClock).unwrap();
    until("a run", || !house.outcomes().is_empty());
    assert_eq!(desk.clock_doubt_millis(), 0);
    drop(running);
    assert_eq!(house.cart(cart).cart.state, CartState::Expired);
}

#[test]
fn old_history_is_tidied_by_a_job_and_the_house_says_how_long_it_is_kept() {
    let house = House::royal();
    let settings = ChangeSettings::to("job-history", &Span::minutes(120));
    house.desk.run(settings).unwrap();
    house.desk.run(BeginTidying).unwrap();
    house.cart_with("A1");
    assert_eq!(house.swept_at(NOON + Span::minutes(30)), 1);
    assert_eq!(house.swept_at(NOON + Span::minutes(60)), 1, "it tidies each hour");
    assert_eq!(house.outcomes(), ["done", "moved"]);
    house.swept_at(NOON + Span::minutes(120));
    assert_eq!(house.outcomes(), ["done", "moved", "moved"]);
    house.swept_at(NOON + Span::minutes(180));
    let kinds: Vec<String> = house.runs().into_iter().map(|run| run.kind).collect();
    assert_eq!(kinds, ["tidying", "tidying", "tidying"], "the expiry is forgotten");
    assert!(house.desk.read(ReadEvents::default()).unwrap().is_empty());
    for _ in 0..9 {
        house.pass(Span::minutes(60));
        assert!(house.desk.sweep().unwrap() > 0, "it recurs without end");
    }
    house.verified();
}
