use crate::domain::cart::{AlertRaised, Reservation};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::job::{JobKind, ParkReason};
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AnyOperation, JobAct};
use crate::engine::reads::carts::PerformanceLabel;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView, WhichRuns};
use crate::engine::reads::jobs::{CartFacts, JobSubject, JobView, ReadJobs};
use crate::tui::app::tests::till::{Till, desk_told};
use crate::tui::data::msg::{Answer, Changed, ClockJump, Msg, Query};
use crate::tui::kit::action::Action;
use crate::tui::kit::input::PointerAct;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::screen_state::ScreenState as _;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::testing::now;

/// Jobs of this desk, of the kinds that are asked for, and runs, a hundred at a time.
fn told(jobs: Vec<JobView>, runs: Vec<RunView>) -> impl FnMut(&Query) -> Option<Answer> {
    move |query| match Some(query) {
        Some(Query::Jobs(ReadJobs { kind, .. })) => {
            let of_kind = |job: &&JobView| kind.as_ref().is_none_or(|one| *one == job.kind);
            Some(Answer::Jobs(Ok(jobs.iter().filter(of_kind).cloned().collect())))
        }
        Some(Query::Runs(ReadRuns { kind, which, before, .. })) => {
            let of = |run: &&RunView| {
                run.seq < before.unwrap_or(i64::MAX)
                    && (*which == WhichRuns::All || run.outcome != "done")
                    && kind.as_ref().is_none_or(|one| *one == run.kind)
            };
            Some(Answer::Runs(Ok(runs.iter().filter(of).take(100).cloned().collect())))
        }
        _ => None,
    }
}

fn two_runs() -> Vec<RunView> {
    vec![run(12, JobKind::CartExpiry, ("done", "")), run(11, JobKind::Reservation, ("failed", "no paper"))]
}

fn desk_at(size: (u16, u16), jobs: Vec<JobView>) -> Till {
    desk_told((size, Screen::Jobs), told(jobs, two_runs()))
}

fn pass(desk: &mut Till, span: Span) {
    desk.wait(span);
}

/// Questions about jobs that the desk asked.
fn acts(till: &Till) -> Vec<JobAct> {
    let act = |operation: &AnyOperation| {
        let AnyOperation::ControlJob(job) = operation else { return None };
        Some(job.act.clone())
    };
    till.ran.iter().filter_map(act).collect()
}

fn job(kind: &str, at: Instant, about: JobSubject) -> JobView {
    JobView {
        kind: kind.into(),
        subject: CartId::random().to_string(),
        first_check_at: at,
        next_check_at: at,
        check_count: 0,
        failures: 0,
        parked: None,
        priority: 1,
        about,
    }
}

fn cart(reservation: Option<Reservation>) -> JobSubject {
    JobSubject::Cart(Box::new(CartFacts {
        id: CartId::random(),
        operator: "ada".into(),
        station: "till-2".into(),
        set_aside: false,
        reservation,
        customer: if reservation.is_some() { "Weber" } else { "" }.into(),
        seats: 3,
        slots: 0,
        expires_at: now(),
    }))
}

fn reserved(told: AlertRaised) -> JobSubject {
    cart(Some(Reservation { made_at: now(), alert_at: now(), final_at: now(), told }))
}

fn hamlet() -> PerformanceLabel {
    PerformanceLabel {
        id: PerformanceId::random(),
        title: "Hamlet".into(),
        theater: "Main".into(),
        start: now() + Span::minutes(90),
        zone: chrono_tz::Europe::London,
    }
}

fn run(seq: i64, kind: JobKind, (outcome, detail): (&str, &str)) -> RunView {
    RunView {
        seq,
        kind: kind.word().into(),
        subject: CartId::random().to_string(),
        due_at: now() - Span::seconds(20),
        started_at: now() - Span::seconds(20),
        took_micros: 1200,
        attempt: 1,
        outcome: outcome.into(),
        detail: detail.into(),
        operator: "ada".into(),
        station: "till-2".into(),
        command: String::new(),
        checked: String::new(),
        about: cart(None),
    }
}

/// One job of every kind, one of a newer program, and a parked one.
fn all() -> Vec<JobView> {
    let at = |minutes: i64| now() + Span::minutes(minutes);
    let mut parked = job("reservation", at(-60), reserved(AlertRaised::Alert));
    parked.failures = 5;
    parked.parked = Some(ParkReason::Failed { tries: 5, problem: "no paper".into() });
    let line = JobSubject::Line { performance: hamlet(), people: 9, seats: 21 };
    let keep = JobSubject::Keep {
        performance: hamlet(),
        seats: ["D9", "D10"].map(String::from).to_vec(),
        reason: "press".into(),
    };
    let tickets = JobSubject::Tickets {
        receipt: ReceiptId::random(),
        number: "till-2/457".into(),
        customer: "Ann Lee".into(),
        seats: 2,
        performance: Some(hamlet()),
    };
    let room = JobSubject::Resource { id: "room-12".parse().unwrap(), name: "Room 12".into() };
    vec![
        parked,
        job("cart_expiry", now() + Span::seconds(252), cart(None)),
        job("cart_warning", at(10), cart(None)),
        job("waitlist", at(15), line),
        job("reservation", at(20), reserved(AlertRaised::Nothing)),
        job("keep_release", at(30), keep),
        job("tickets_uncollected", at(60), tickets),
        job("sales_close", at(90), JobSubject::Performance(hamlet())),
        job("tidying", at(60 * 20), JobSubject::House),
        job("horizon", at(60 * 24 * 9), room),
        job("moon_phase", at(60 * 24 * 10), JobSubject::Unknown),
    ]
}

#[test]
fn due_jobs_are_listed_with_their_effect_and_parked_ones_first() {
    let mut desk = desk_at((100, 34), all());
    desk.shows("Jobs | due next");
    desk.shows("! 1 parked, 10 scheduled");
    desk.shows("NEXT HOUR");
    desk.shows("TODAY");
    desk.shows("LATER");
    desk.shows("PARKED: each waits until you run it");
    desk.shows("> parked       reservation of Weber, 3 seats");
    desk.shows("it failed 5 times: no paper");
    desk.shows("  in 4m12s     cart of till-2, 3 seats");
    desk.shows("the hold ends");
    desk.shows("  in 15m00s    9 wait for 21 seats: Hamlet");
    desk.shows("2 house seats, D9-D10 (press): Hamlet");
    desk.shows("  at 19:30     Hamlet, Sat 21 Nov 19:30");
    desk.shows("  at 19:00     2 tickets of Ann Lee: Hamlet, Sat 21 Nov 19:30");
    desk.shows("  Sun 22 14:00 the house");
    desk.shows("  30 Nov 18:00 Room 12");
    desk.shows("  left alone   moon phase");
    desk.shows("! parked: it failed 5 times: no paper");
    desk.shows("D back in its turn");
}

#[test]
fn the_next_hour_is_a_strip_with_a_column_a_minute() {
    let at = |minute: i64| now() + Span::seconds(minute * 60 + 30);
    let jobs = [5, 5, 59, 90].map(|minute| job("reservation", at(minute), reserved(AlertRaised::Nothing)));
    let mut desk = desk_at((100, 30), jobs.to_vec());
    let strip = format!("{}█{}▄", "·".repeat(5), "·".repeat(53));
    desk.shows("NEXT HOUR").shows(&strip);
    pass(&mut desk, Span::minutes(2));
    desk.shows(&format!(" {}█{}▄··", "·".repeat(3), "·".repeat(53)));
    desk.resize(60, 18).shows("NEXT HOUR").hides("···");
}

#[test]
fn a_job_of_an_own_kind_is_listed_steered_and_filtered() {
    let own = JobSubject::Own { subject: "order-77".into(), command: "./look".into() };
    let mut all = all();
    all.push(job("order_shipped", now() + Span::minutes(40), own));
    let mut desk = desk_at((100, 40), all);
    desk.shows("  in 40m00s    order shipped order-77");
    desk.shows("the command looks");
    for _ in JobKind::built_in() {
        desk.burst("c");
    }
    desk.hides("order shipped order-77");
    desk.burst("c");
    desk.shows("Jobs | due next | order shipped");
    desk.shows("> in 40m00s    order shipped order-77");
    desk.shows("A command of the house looks whether it is done");
    desk.shows("run now").hides("cart of till-2");
    desk.burst("c").shows("cart of till-2");
}

#[test]
fn the_screen_is_complete_at_eighty_columns_and_shows_the_history_where_it_fits() {
    let mut desk = desk_at((80, 24), all());
    desk.shows("  in 4m12s     cart of till-2, 3 seats");
    desk.shows("the hold ends");
    desk.shows("! parked: it failed 5 times: no paper");
    desk.shows("Enter go there");
    let mut desk = desk_at((200, 60), all());
    desk.shows("Run last");
    desk.shows("17:59:40     done");
    desk.shows("17:59:40     failed");
}

#[test]
fn the_screen_says_that_nothing_runs_while_the_clock_is_in_doubt() {
    let mut desk = desk_at((80, 24), all());
    desk.hides("has jumped");
    desk.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
    desk.shows("! The machine's clock is in doubt: nothing runs until : confirm-clock");
}

#[test]
fn the_screen_is_redrawn_each_second_only_while_a_countdown_is_on_it() {
    let counts = |desk: &Till| desk.app.jobs.counts(&desk.app.shared);
    let mut near = desk_at((100, 30), all());
    assert!(counts(&near));
    near.wait(Span::seconds(2)).shows("in 4m10s");
    near.keys("f");
    assert!(!counts(&near), "parked jobs do not count");
    let far = desk_at((100, 30), vec![job("tidying", now() + Span::minutes(600), JobSubject::House)]);
    assert!(!counts(&far));
}

#[test]
fn due_jobs_are_read_again_at_most_once_a_second() {
    let mut desk = desk_at((100, 30), all());
    let mut reads = |does: fn(&mut Till)| desk.questions(does).iter().filter(|asked| *asked == "Jobs").count();
    assert_eq!(reads(|desk| (0..5).for_each(|_| desk.send(Msg::Changed(Changed::Everything)))), 0);
    assert_eq!(reads(|desk| pass(desk, Span::seconds(1))), 1);
    assert_eq!(reads(|desk| pass(desk, Span::seconds(1))), 0, "nothing is due and nothing changed since");
    assert_eq!(reads(|desk| pass(desk, Span::seconds(250))), 1);
}

#[test]
fn keys_run_a_job_now_or_later_and_park_it_and_a_parked_one_can_be_put_back() {
    let mut desk = desk_at((100, 30), all());
    desk.keys("D");
    assert_eq!(acts(&desk), [JobAct::Retry]);
    desk.keys("Down r e").types("whenever").keys("Enter").shows("run it later");
    desk.burst(&["Backspace"; 8].join(" ")).types("+15m").keys("Enter D").types("till is closed").keys("Enter");
    assert!(
        matches!(&acts(&desk)[1..], [JobAct::RunNow, JobAct::Later(_), JobAct::Park(why)] if why == "till is closed")
    );
}

#[test]
fn a_job_of_an_unknown_kind_is_shown_and_takes_no_action() {
    let mut desk = desk_at((100, 40), all());
    desk.keys("End");
    desk.shows("> left alone   moon phase");
    desk.shows("A newer willcall wrote this kind.");
    desk.hides("run now");
    desk.keys("r e D").said("left alone");
    assert_eq!(acts(&desk), []);
}

#[test]
fn enter_opens_the_subject_of_the_job() {
    let mut desk = desk_at((100, 30), all());
    desk.keys("Enter").shows("[4 Orders]").keys("5 Down Enter").shows("Open carts");
    desk.keys("Esc Down Down Enter").shows("[2 Seats]");
}

#[test]
fn the_filter_cycles_from_due_to_parked_to_history_to_failed() {
    let mut desk = desk_at((100, 30), all());
    desk.keys("f");
    desk.shows("Jobs | parked");
    desk.hides("in 4m12s");
    desk.keys("f");
    desk.shows("Jobs | history");
    desk.shows("> 17:59:40     done        cart expiry   cart of till-2, 3 seats");
    desk.shows("due Sat 21 Nov 17:59:40, started 17:59:40, took 1.2 ms");
    desk.keys("f");
    desk.shows("history: failed, parked, by hand");
    desk.shows("failed: no paper");
    desk.hides("done");
    desk.keys("c");
    desk.shows("| cart expiry");
    desk.hides("no paper");
    desk.keys("f s");
    desk.shows("Jobs | due next | cart expiry | by kind");
    desk.hides("Room 12");
}

#[test]
fn moving_past_the_hundredth_run_reads_the_next_page() {
    let runs = (1..=150).rev().map(|seq| run(seq, JobKind::CartExpiry, ("done", ""))).collect();
    let mut desk = desk_told(((100, 30), Screen::Jobs), told(all(), runs));
    desk.keys("f f").shows("latest 100 runs, End for more");
    desk.keys("End").shows("150 runs");
}

#[test]
fn a_click_selects_a_second_click_opens_the_subject_and_keys_are_buttons() {
    let mut desk = desk_at((100, 30), all());
    let row = Target::Row(RowList::Jobs, 1);
    desk.draw();
    assert!(desk.app.targets().find(&Target::Act(Action::RunNow)).is_some());
    desk.point(PointerAct::Press, &row).shows("> in 4m12s     cart of till-2");
    desk.point(PointerAct::WheelDown, &row).shows("> in 10m00s");
    desk.wait(Span::seconds(1)).point(PointerAct::Press, &row).point(PointerAct::Press, &row).shows("Open carts");
}

#[test]
fn an_empty_house_explains_what_the_list_is_for() {
    let mut desk = desk_told(((80, 24), Screen::Jobs), told(Vec::new(), Vec::new()));
    desk.shows("Nothing waits. What is held, reserved or kept");
    desk.keys("f");
    desk.shows("Nothing is parked.");
    desk.keys("r").said("Put the cursor on a job");
    assert_eq!(acts(&desk), []);
}

#[test]
fn wide_and_hostile_names_break_nothing() {
    let mut jobs = all();
    jobs[1].kind = "\u{1b}[31m劇場の席名前と長い題名".into();
    jobs[1].about = JobSubject::Unknown;
    for size in [(60, 18), (80, 24), (100, 30), (200, 60)] {
        let text = desk_at(size, jobs.clone()).draw();
        assert!(!text.contains('\u{1b}'));
        let columns = usize::from(size.0);
        assert!(text.lines().all(|line| crate::domain::text::width(line) <= columns), "{text}");
    }
}

#[test]
fn what_ends_by_itself_shares_a_row_until_it_is_opened() {
    let at = |minutes: i64| now() + Span::minutes(minutes);
    let mut jobs: Vec<JobView> = (10..18).map(|minutes| job("cart_expiry", at(minutes), cart(None))).collect();
    jobs.push(job("reservation", at(30), reserved(AlertRaised::Alert)));
    let mut desk = desk_at((100, 30), jobs);
    desk.shows("the next of 8 that end by themselves");
    desk.shows("By themselves");
    desk.shows("last reminder");
    desk.keys("r");
    assert_eq!(acts(&desk), [], "nothing runs from a row of many");
    desk.hides("end by themselves");
    desk.keys("r");
    assert_eq!(acts(&desk), [JobAct::RunNow]);
    desk.keys("Esc");
    desk.shows("the next of 8 that end by themselves");
}

#[test]
fn the_reason_of_a_job_is_told_whole_where_lines_are_free() {
    let waiting = JobSubject::Performance(hamlet());
    let mut desk = desk_at((120, 36), vec![job("waitlist", now() + Span::minutes(1), waiting)]);
    desk.shows("limited time.");
}
