use crossterm::event::KeyCode;
use ratatui::layout::Size;

use super::Jobs;
use crate::domain::cart::{AlertRaised, Reservation};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::job::{JobKind, ParkReason};
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AnyOperation, JobAct};
use crate::engine::reads::carts::PerformanceLabel;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView, WhichRuns};
use crate::engine::reads::jobs::{CartFacts, JobSubject, JobView, ReadJobs};
use crate::tui::data::msg::{Answer, Changed, ClockJump, Effect, Finished, Query};
use crate::tui::data::reads::testing::{answered, asked};
use crate::tui::data::ticket::TicketOwner;
use crate::tui::data::told::told;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::go::{Go, JobName};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{List, Target, Targets};
use crate::tui::kit::theme::GlyphSet;
use crate::tui::widgets::testing::{drawn, now, shared};

/// Screen under test, with the requests it sent.
struct Desk {
    shared: Shared,
    jobs: Jobs,
    waiting: Vec<JobView>,
    runs: Vec<RunView>,
    kinds: Vec<Option<String>>,
    asked: Vec<ReadRuns>,
    ran: Vec<AnyOperation>,
    goes: Vec<Go>,
}

impl Desk {
    fn at(size: (u16, u16), waiting: Vec<JobView>) -> Self {
        let runs =
            vec![run(12, JobKind::CartExpiry, ("done", "")), run(11, JobKind::Reservation, ("failed", "no paper"))];
        let mut desk = Self {
            shared: shared(size),
            jobs: Jobs::default(),
            waiting,
            runs,
            kinds: Vec::new(),
            asked: Vec::new(),
            ran: Vec::new(),
            goes: Vec::new(),
        };
        desk.look();
        desk
    }

    fn step(&mut self, act: impl FnOnce(&mut Jobs, &mut Context<'_>)) {
        let mut context = Context::new(&mut self.shared);
        act(&mut self.jobs, &mut context);
        let asked = context.finish();
        self.goes.extend(asked.goes);
        for effect in asked.effects {
            let Effect::Run(ticket, command) = effect else { continue };
            let TicketOwner::Act(sent) = ticket.owner else { panic!("{ticket:?}") };
            self.ran.push(command);
            let run = Box::new(self.runs[0].clone());
            let told = told(&sent.act, &Finished::JobRan(run), self.shared.here());
            self.shared.say(told.tone, told.words);
        }
        self.look();
    }

    /// Answers what the screen needs.
    fn look(&mut self) {
        let asked = asked(&mut self.shared, |shared, needs| self.jobs.needs(shared, needs));
        let is_done = asked.is_empty();
        for (number, query) in asked {
            let answer = self.answer(query);
            if let Some(question) = answered(&mut self.shared, number, answer) {
                self.jobs.came(&question, &self.shared);
            }
        }
        if !is_done {
            self.look();
        }
    }

    fn answer(&mut self, query: Query) -> Answer {
        match Some(query) {
            Some(Query::Jobs(ReadJobs { kind, .. })) => {
                let of_kind = |job: &&JobView| kind.as_ref().is_none_or(|one| *one == job.kind);
                let jobs = self.waiting.iter().filter(of_kind).cloned().collect();
                self.kinds.push(kind);
                Answer::Jobs(Ok(jobs))
            }
            Some(Query::Runs(query)) => {
                let before = query.before.unwrap_or(i64::MAX);
                let of = |run: &&RunView| {
                    let rare = run.outcome != "done";
                    run.seq < before && (query.which == WhichRuns::All || rare)
                };
                let runs = self.runs.iter().filter(of).take(100).cloned().collect();
                self.asked.push(query);
                Answer::Runs(Ok(runs))
            }
            other => panic!("asked for {other:?}"),
        }
    }

    /// Something changed in the house.
    fn changes(&mut self) {
        self.shared.reads.changed(&Changed::Everything);
        self.look();
    }

    fn keys(&mut self, keys: &str) {
        for key in keys.split(' ') {
            let action = self.shared.keymap.action(KeyPlace::Jobs, key.parse().unwrap());
            self.step(|jobs, context| {
                assert_eq!(jobs.act(action.unwrap(), context), Handled::Yes, "{key}");
            });
        }
    }

    fn seen(&self) -> (String, Targets) {
        let Size { width, height } = self.shared.size;
        let (lines, targets) = drawn((width, height - 3), GlyphSet::Unicode, |_, area, canvas| {
            self.jobs.view(&self.shared, area, canvas);
        });
        (lines.join("\n"), targets)
    }

    #[track_caller]
    fn shows(&self, wanted: &str) {
        let (text, _) = self.seen();
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }

    #[track_caller]
    fn hides(&self, unwanted: &str) {
        let (text, _) = self.seen();
        assert!(!text.contains(unwanted), "{unwanted:?} is in\n{text}");
    }

    fn said(&self) -> String {
        let newest = self.shared.says.newest_first().next();
        newest.map_or_else(String::new, |said| said.text.clone())
    }
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
    let desk = Desk::at((100, 34), all());
    desk.shows("Jobs | due next");
    desk.shows("! 1 parked, 10 scheduled");
    desk.shows("NEXT HOUR");
    desk.shows("TODAY");
    desk.shows("LATER");
    desk.shows("PARKED: each waits until you run it");
    desk.shows("> parked       reservation of Weber, 3 seats");
    desk.shows("it failed 5 times: no paper");
    desk.shows("  in 4m12s     cart of till-2, 3 seats");
    desk.shows("its hold ends");
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
fn a_job_of_an_own_kind_is_listed_steered_and_filtered() {
    let own = JobSubject::Own { subject: "order-77".into(), command: "./look".into() };
    let mut all = all();
    all.push(job("order_shipped", now() + Span::minutes(40), own));
    let mut desk = Desk::at((100, 40), all);
    desk.shows("  in 40m00s    order shipped order-77");
    desk.shows("its command looks");
    for _ in JobKind::built_in() {
        desk.keys("c");
    }
    desk.hides("order shipped order-77");
    desk.keys("c");
    assert_eq!(desk.kinds.last().unwrap().as_deref(), Some("order_shipped"));
    desk.shows("Jobs | due next | order shipped");
    desk.shows("> in 40m00s    order shipped order-77");
    desk.shows("A command of the house looks whether it is done");
    desk.shows("run now");
    desk.keys("c");
    assert_eq!(desk.kinds.last().unwrap().as_deref(), None);
}

#[test]
fn the_screen_is_complete_at_eighty_columns_and_shows_the_history_where_it_fits() {
    let desk = Desk::at((80, 24), all());
    desk.shows("  in 4m12s     cart of till-2, 3 seats");
    desk.shows("its hold ends");
    desk.shows("! parked: it failed 5 times: no paper");
    desk.shows("Enter go there");
    let desk = Desk::at((200, 60), all());
    desk.shows("Run last");
    desk.shows("17:59:40     done");
    desk.shows("17:59:40     failed");
}

#[test]
fn the_screen_says_that_nothing_runs_while_the_clock_is_in_doubt() {
    let mut desk = Desk::at((80, 24), all());
    desk.hides("has jumped");
    desk.shared.clock_jump = ClockJump::of_millis(3_660_000);
    desk.shows("! The machine's clock is in doubt: nothing runs until : confirm-clock");
}

#[test]
fn the_screen_is_redrawn_each_second_only_while_a_countdown_is_on_it() {
    let mut desk = Desk::at((100, 30), all());
    assert!(desk.jobs.counts(&desk.shared));
    desk.shared.now = now() + Span::seconds(2);
    desk.shows("in 4m10s");
    desk.keys("f");
    assert!(!desk.jobs.counts(&desk.shared), "parked jobs do not count");
    let far = vec![job("tidying", now() + Span::minutes(600), JobSubject::House)];
    let desk = Desk::at((100, 30), far);
    assert!(!desk.jobs.counts(&desk.shared));
}

#[test]
fn due_jobs_are_read_again_at_most_once_a_second() {
    let mut desk = Desk::at((100, 30), all());
    let reads = |desk: &Desk| desk.kinds.len();
    assert_eq!(reads(&desk), 1);
    for _ in 0..5 {
        desk.changes();
    }
    assert_eq!(reads(&desk), 1);
    desk.shared.now = now() + Span::seconds(1);
    desk.look();
    desk.look();
    assert_eq!(reads(&desk), 2, "nothing is due and nothing changed since");
    desk.shared.now = now() + Span::seconds(252);
    desk.look();
    assert_eq!(reads(&desk), 3);
}

#[test]
fn r_runs_a_job_now_and_tells_the_outcome() {
    let mut desk = Desk::at((100, 30), all());
    desk.keys("Down r");
    let Some(AnyOperation::ControlJob(command)) = desk.ran.last() else { panic!("{:?}", desk.ran) };
    assert_eq!((command.kind, &command.act), (JobKind::CartExpiry, &JobAct::RunNow));
    assert_eq!(command.subject, desk.waiting[1].subject);
    assert_eq!(desk.said(), "Done: cart expiry cart of till-2, 3 seats");
}

#[test]
fn later_and_park_open_prompts_and_a_parked_job_can_be_put_back() {
    let mut desk = Desk::at((100, 30), all());
    desk.keys("D");
    assert!(matches!(&desk.ran[..], [AnyOperation::ControlJob(job)] if job.act == JobAct::Retry));
    desk.keys("Down e D");
    let mut goes = std::mem::take(&mut desk.goes);
    let [Go::Open(later), Go::Open(park)] = &mut goes[..] else { panic!("{goes:?}") };
    let mut typed = |prompt: &mut Box<dyn Dialog>, text: &str| {
        let mut flow = Flow::Stay;
        desk.step(|_, context| {
            for _ in 0..9 {
                prompt.key(Key::plain(KeyCode::Backspace), context);
            }
            prompt.paste(text, context);
            flow = prompt.key(Key::plain(KeyCode::Enter), context);
        });
        flow
    };
    assert!(matches!(typed(later, "whenever"), Flow::Stay));
    assert!(matches!(typed(later, "+15m"), Flow::Close));
    assert!(matches!(typed(park, "till is closed"), Flow::Close));
    let acts: Vec<&JobAct> = desk.ran[1..]
        .iter()
        .map(|command| {
            let AnyOperation::ControlJob(job) = command else { panic!("{command:?}") };
            &job.act
        })
        .collect();
    let later = JobAct::Later(now() + Span::minutes(15));
    assert_eq!(acts, [&later, &JobAct::Park("till is closed".into())]);
}

#[test]
fn a_job_of_an_unknown_kind_is_shown_and_takes_no_action() {
    let mut desk = Desk::at((100, 40), all());
    desk.keys("End");
    desk.shows("> left alone   moon phase");
    desk.shows("A newer willcall wrote this kind.");
    desk.hides("run now");
    desk.keys("r e D");
    assert!(desk.ran.is_empty() && desk.goes.is_empty());
    assert!(desk.said().contains("left alone"));
}

#[test]
fn enter_opens_the_subject_of_the_job() {
    let mut desk = Desk::at((100, 30), all());
    desk.keys("Enter Down Enter Down Down Enter");
    assert!(matches!(desk.goes[..], [Go::Reservation(_), Go::OpenCarts(Some(_)), Go::Sell(_)]));
}

#[test]
fn the_filter_cycles_from_due_to_parked_to_history_to_failed() {
    let mut desk = Desk::at((100, 30), all());
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
    assert_eq!(desk.asked.last().unwrap().kind.as_deref(), Some("cart_expiry"));
    desk.shows("| cart expiry");
    desk.keys("f s");
    desk.shows("Jobs | due next | cart expiry | by kind");
    desk.hides("Room 12");
    assert_eq!(desk.kinds.last().unwrap().as_deref(), Some("cart_expiry"));
}

#[test]
fn moving_past_the_hundredth_run_reads_the_next_page() {
    let mut desk = Desk::at((100, 30), all());
    desk.runs = (1..=150).rev().map(|seq| run(seq, JobKind::CartExpiry, ("done", ""))).collect();
    desk.shared.now = now() + Span::seconds(1);
    desk.changes();
    desk.keys("f f");
    desk.shows("latest 100 runs, End for more");
    desk.keys("End");
    desk.shows("150 runs");
}

#[test]
fn a_click_selects_a_second_click_opens_the_subject_and_keys_are_buttons() {
    let mut desk = Desk::at((100, 30), all());
    let row = Target::Row(List::Jobs, 1);
    let (_, targets) = desk.seen();
    assert!(targets.find(&row).is_some());
    assert!(targets.find(&Target::Act(crate::tui::kit::action::Action::RunNow)).is_some());
    desk.step(|jobs, context| jobs.click(&row, Click::Single, context));
    desk.shows("> in 4m12s     cart of till-2");
    desk.step(|jobs, context| jobs.click(&row, Click::Double, context));
    assert!(matches!(desk.goes[..], [Go::OpenCarts(Some(_))]));
    desk.step(|jobs, context| jobs.click(&row, Click::WheelDown, context));
    desk.shows("> in 10m00s");
}

#[test]
fn show_puts_the_cursor_on_the_job() {
    let mut desk = Desk::at((100, 30), all());
    let wanted = JobName::of(&desk.waiting[7]);
    desk.keys("f f");
    desk.step(|jobs, _| jobs.show(wanted));
    desk.shows("> at 19:30     Hamlet");
}

#[test]
fn an_empty_house_explains_what_the_list_is_for() {
    let mut desk = Desk::at((80, 24), Vec::new());
    desk.runs.clear();
    desk.shows("Nothing waits. What is held, reserved or kept");
    desk.keys("f");
    desk.shows("Nothing is parked.");
    desk.keys("r");
    assert!(desk.ran.is_empty() && desk.said().contains("Put the cursor on a job"));
}

#[test]
fn wide_and_hostile_names_break_nothing() {
    let mut jobs = all();
    jobs[1].kind = "\u{1b}[31m劇場の席名前と長い題名".into();
    jobs[1].about = JobSubject::Unknown;
    for size in [(60, 18), (80, 24), (100, 30), (200, 60)] {
        let (text, _) = Desk::at(size, jobs.clone()).seen();
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
    let mut desk = Desk::at((100, 30), jobs);
    desk.shows("the next of 8 that end by themselves");
    desk.shows("By themselves");
    desk.shows("last reminder");
    desk.keys("r");
    assert!(desk.ran.is_empty(), "nothing runs from a row of many");
    desk.hides("end by themselves");
    desk.keys("r");
    assert_eq!(desk.ran.len(), 1);
    desk.keys("Esc");
    desk.shows("the next of 8 that end by themselves");
}
