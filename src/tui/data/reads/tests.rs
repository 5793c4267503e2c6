use super::{AGAIN_AFTER, Needs, Reads, SPARE_MAX, TYPED_WAIT};
use crate::domain::ids::CartId;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::reads::PAGE_MAX;
use crate::engine::reads::carts::{ReadCart, ReadOpenCarts};
use crate::engine::reads::find::ReadFind;
use crate::engine::reads::jobs::JobSubject;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView};
use crate::engine::reads::waitlist::ReadWaitlist;
use crate::engine::{Failure, Fault};
use crate::tui::data::msg::{Answer, Changed, Effect, Query, Readable as _, Subject};
use crate::tui::data::ticket::TicketCounter;

/// A cache with a clock, and what it asked for since the last look.
#[derive(Default)]
struct Desk {
    reads: Reads,
    tickets: TicketCounter,
    now: Instant,
}

impl Desk {
    /// Numbers of the requests at a look that needs this.
    fn looks(&mut self, needs: impl FnOnce(&mut Needs)) -> Vec<u64> {
        let mut declared = Needs::default();
        needs(&mut declared);
        let asked = self.reads.ask(declared, &mut self.tickets, self.now).into_iter();
        asked
            .filter_map(|effect| if let Effect::Read(ticket, _) = effect { Some(ticket.number) } else { None })
            .collect()
    }

    fn needs(&mut self, query: impl Into<Query>) -> Vec<u64> {
        self.looks(|needs| needs.of(query))
    }

    fn types(&mut self, text: &str) -> Vec<u64> {
        self.looks(|needs| needs.typed(find(text)))
    }

    /// Waits, and looks with the same needs.
    fn waits(&mut self, span: Span, query: impl Into<Query>) -> Vec<u64> {
        self.now = self.now + span;
        self.needs(query)
    }
}

fn find(text: &str) -> ReadFind {
    ReadFind { text: text.to_owned(), performance: None, zone: chrono_tz::Tz::UTC }
}

fn hits() -> Answer {
    Answer::Hits(Ok(Vec::new()))
}

fn carts() -> Answer {
    Answer::OpenCarts(Ok(Vec::new()))
}

fn fault() -> Failure {
    Fault::Broken("no database".to_owned()).into()
}

fn of_carts() -> Changed {
    Changed::These(vec![Subject::Cart(CartId::random())])
}

const CARTS: ReadOpenCarts = ReadOpenCarts { after: None, station: None };
const LONG: Span = Span::seconds(5);

#[test]
fn a_needed_question_is_asked_once_and_again_after_a_change_that_touches_it() {
    let mut desk = Desk::default();
    assert_eq!(desk.needs(CARTS), [1]);
    assert!(desk.needs(CARTS).is_empty(), "one request is under way");
    assert!(desk.reads.settle(1, carts(), desk.now).is_some());
    assert!(desk.waits(LONG, CARTS).is_empty() && !desk.reads.awaits(&CARTS));
    desk.reads.changed(&Changed::These(vec![Subject::Worklist]));
    assert!(desk.needs(CARTS).is_empty(), "no cart is of the worklist");
    desk.reads.changed(&of_carts());
    assert_eq!(desk.needs(CARTS), [2]);
    assert!(desk.reads.get(&CARTS).is_some(), "the old answer stays meanwhile");
}

#[test]
fn a_change_while_a_request_is_under_way_asks_once_more() {
    let mut desk = Desk::default();
    desk.needs(CARTS);
    for _ in 0..3 {
        desk.reads.changed(&of_carts());
        assert!(desk.waits(Span::seconds(1), CARTS).is_empty());
    }
    desk.reads.settle(1, carts(), desk.now);
    assert_eq!(desk.needs(CARTS), [2]);
    desk.reads.settle(2, carts(), desk.now);
    assert!(desk.waits(LONG, CARTS).is_empty());
}

#[test]
fn a_fault_is_asked_again_after_two_seconds_or_at_a_change_and_a_refusal_at_a_change() {
    let mut desk = Desk::default();
    desk.needs(CARTS);
    desk.reads.settle(1, Answer::OpenCarts(Err(fault())), desk.now);
    assert_eq!(desk.reads.failure(&CARTS), Some(&fault()));
    assert!(desk.waits(Span::seconds(1), CARTS).is_empty(), "not at each update");
    assert_eq!(desk.waits(AGAIN_AFTER, CARTS), [2]);
    desk.reads.settle(2, Answer::OpenCarts(Err(fault())), desk.now);
    desk.reads.changed(&of_carts());
    assert_eq!(desk.waits(Span::seconds(1), CARTS), [3]);
    desk.reads.settle(3, Answer::OpenCarts(Err(Refusal::CartCanceled.into())), desk.now);
    assert!(desk.waits(LONG, CARTS).is_empty(), "only a change can lift it");
    desk.reads.changed(&of_carts());
    assert_eq!(desk.needs(CARTS), [4]);
}

#[test]
fn a_fault_keeps_the_answer_that_was_there_and_a_refusal_replaces_it() {
    let mut desk = Desk::default();
    desk.needs(CARTS);
    desk.reads.settle(1, carts(), desk.now);
    desk.reads.changed(&Changed::Everything);
    desk.waits(LONG, CARTS);
    desk.reads.settle(2, Answer::OpenCarts(Err(fault())), desk.now);
    assert!(desk.reads.get(&CARTS).is_some() && desk.reads.failure(&CARTS).is_none());
    assert_eq!(desk.waits(AGAIN_AFTER, CARTS), [3]);
    desk.reads.settle(3, Answer::OpenCarts(Err(Refusal::CartCanceled.into())), desk.now);
    assert!(desk.reads.get(&CARTS).is_none() && desk.reads.failure(&CARTS).is_some());
}

#[test]
fn an_answer_says_until_when_it_holds() {
    let mut desk = Desk::default();
    let line = ReadWaitlist::default();
    desk.needs(line);
    desk.reads.settle(1, Answer::Waiting(Ok(Vec::new())), desk.now);
    assert!(desk.waits(Span::seconds(9), line).is_empty());
    assert_eq!(desk.waits(Span::seconds(1), line), [2], "the clock alone ends holds");
}

#[test]
fn a_typed_question_waits_for_the_next_key_which_replaces_it() {
    let mut desk = Desk::default();
    assert_eq!(desk.types("h"), [1], "the first one is asked at once");
    desk.reads.settle(1, hits(), desk.now);
    assert!(desk.types("ha").is_empty());
    desk.now = desk.now + Span::from_millis(100);
    assert!(desk.types("ham").is_empty(), "the key replaces the one before");
    assert!(desk.reads.get(&find("ham")).is_none(), "an answer is of its own question");
    assert!(desk.reads.awaits(&find("ham")));
    desk.now = desk.now + TYPED_WAIT;
    assert_eq!(desk.types("ham"), [2]);
    desk.now = desk.now + LONG;
    assert!(desk.types("ham").is_empty(), "ha is never asked");
}

#[test]
fn an_answer_for_a_place_that_was_left_is_kept_and_one_to_nobody_is_dropped() {
    let mut desk = Desk::default();
    desk.needs(CARTS);
    assert!(desk.looks(|_| ()).is_empty());
    assert!(desk.reads.settle(1, carts(), desk.now).is_some());
    assert!(desk.reads.settle(1, carts(), desk.now).is_none(), "it came twice");
    desk.reads.changed(&Changed::Everything);
    assert!(desk.waits(LONG, find("a")).len() == 1, "what is not needed is not read");
    assert_eq!(desk.needs(CARTS).len(), 1, "what comes into view again is read anew");
    assert!(desk.reads.get(&CARTS).is_some(), "with the old answer meanwhile");
}

#[test]
fn sixty_four_answers_that_nothing_needs_are_kept() {
    let mut desk = Desk::default();
    let all: Vec<ReadFind> = (0..100).map(|number| find(&number.to_string())).collect();
    for question in &all {
        let asked = desk.needs(question.clone());
        desk.reads.settle(asked[0], hits(), desk.now);
    }
    desk.looks(|_| ());
    let kept = all.iter().filter(|question| desk.reads.get(*question).is_some()).count();
    assert_eq!(kept, SPARE_MAX);
    assert!(desk.reads.get(&all[99]).is_some() && desk.reads.get(&all[0]).is_none(), "the oldest left");
}

/// A page of the history of a house that has this many runs.
fn page(query: &Query, count: u32) -> Answer {
    let Query::Runs(ReadRuns { before, .. }) = query else { panic!("{query:?}") };
    let first = before.unwrap_or(i64::from(count) + 1);
    let rows = (1..first).rev().take(PAGE_MAX).map(run).collect();
    Answer::Runs(Ok(rows))
}

fn run(seq: i64) -> RunView {
    RunView {
        seq,
        kind: "tidying".into(),
        subject: "house".into(),
        about: JobSubject::House,
        outcome: "done".into(),
        detail: String::new(),
        attempt: 1,
        due_at: Instant::default(),
        started_at: Instant::default(),
        took_micros: 1,
        operator: "ada".into(),
        station: "till-2".into(),
        command: String::new(),
        checked: String::new(),
    }
}

impl Desk {
    /// Reads a list as far as some rows, and counts the requests.
    fn lists(&mut self, rows: usize, count: u32) -> usize {
        let mut requests = 0;
        loop {
            let mut needs = Needs::default();
            needs.list(ReadRuns::default(), rows);
            let asked = self.reads.ask(needs, &mut self.tickets, self.now);
            let Some(Effect::Read(ticket, query)) = asked.into_iter().next() else {
                return requests;
            };
            requests += 1;
            self.reads.settle(ticket.number, page(&query, count), self.now);
        }
    }

    fn listed(&self) -> usize {
        self.reads.get(&ReadRuns::default()).map_or(0, Vec::len)
    }
}

#[test]
fn a_list_is_read_page_by_page_as_far_as_it_is_needed() {
    let mut desk = Desk::default();
    let runs = ReadRuns::default();
    assert_eq!((desk.lists(0, 250), desk.listed(), desk.reads.goes_on(&runs)), (1, 100, true));
    assert_eq!((desk.lists(101, 250), desk.listed(), desk.reads.goes_on(&runs)), (1, 200, true));
    assert_eq!((desk.lists(201, 250), desk.listed(), desk.reads.goes_on(&runs)), (1, 250, false));
    desk.now = desk.now + LONG;
    desk.reads.changed(&Changed::Everything);
    assert_eq!((desk.lists(201, 251), desk.listed()), (3, 251), "as far as before");
}

#[test]
fn the_rows_of_a_list_that_is_read_again_stay_until_all_are_there() {
    let mut desk = Desk::default();
    desk.lists(201, 300);
    desk.now = desk.now + LONG;
    desk.reads.changed(&Changed::Everything);
    for before in [None, Some(101)] {
        let number = desk.looks(|needs| needs.list(ReadRuns::default(), 150))[0];
        assert!(desk.listed() == 300 && desk.reads.is_reading(&ReadRuns::default()));
        desk.reads.settle(number, page(&ReadRuns { before, ..ReadRuns::default() }.into(), 200), desk.now);
    }
    assert_eq!(desk.listed(), 200);
}

#[test]
fn a_page_that_fails_leaves_the_rows_and_is_asked_again_after_a_while() {
    let mut desk = Desk::default();
    desk.lists(0, 250);
    let number = desk.looks(|needs| needs.list(ReadRuns::default(), 101))[0];
    desk.reads.settle(number, Answer::Runs(Err(fault())), desk.now);
    assert!(desk.looks(|needs| needs.list(ReadRuns::default(), 101)).is_empty(), "not at each update");
    assert_eq!(desk.listed(), 100);
    desk.now = desk.now + AGAIN_AFTER;
    assert_eq!((desk.lists(101, 250), desk.listed()), (2, 200));
}

#[test]
fn what_two_need_is_asked_once() {
    let mut desk = Desk::default();
    let both = desk.looks(|needs| {
        needs.of(CARTS);
        needs.of(CARTS);
        needs.of(ReadCart(CartId::random()));
    });
    assert_eq!(both.len(), 2);
    assert!(CARTS.is(&CARTS.into()));
}
