//! The write-ahead log of a busy run, cut at every byte that matters, with torn and foreign tails.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

use willcall::bench::Dice;
use willcall::domain::ids::CommandId;
use willcall::domain::time::{Instant, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::{Config, Engine, Role};
use willcall::store::Missing;

use crate::clerk::{Clerk, Premises, Told, desk_of, is_whole, journal};
use crate::limit::scratch;

/// Noon of 21 November 2026.
const NOON: Instant = Instant::from_millis(1_795_262_400_000);

/// The lengths of a log's own header, and of a frame's.
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// How many acts a run has.
const ACTS: u32 = 150;

/// How many states are opened in the tests.
const STATES: usize = 300;

/// How many states a long run has at least.
const STATES_LONG: usize = 10_000;

/// How many threads open states.
const THREADS: usize = 4;

/// A file, the log that was never moved into it, and what was acknowledged at which length of the log.
struct Run {
    file: Vec<u8>,
    log: Vec<u8>,
    acknowledged: Vec<(usize, CommandId)>,
    /// Each entry of the journal: its command, and all of it as text.
    entries: Vec<(String, String)>,
    end: Instant,
}

/// What stands behind the cut.
#[derive(Clone, Copy, Debug)]
enum Tail {
    /// Nothing.
    Short,
    /// Zeros, as of a file that grew before it was written.
    Zeros,
    /// Anything.
    Garbage,
    /// The rest of the log with one byte that is another.
    Flipped,
    /// Frames of earlier in the log, as of one that was begun anew.
    Stale,
}

/// A state of the disk after a crash.
#[derive(Clone, Copy, Debug)]
struct State {
    cut: usize,
    tail: Tail,
}

fn engine(path: &Path, at: Instant) -> (Engine, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(at));
    let config = Config {
        missing: Missing::Create,
        // nothing beside it moves the log into the file
        role: Role::Command,
        clock: Arc::<ManualClock>::clone(&clock),
        ..Config::new(path.to_owned())
    };
    (Engine::open(config).unwrap(), clock)
}

impl Run {
    fn of(acts: u32) -> Self {
        let folder = scratch();
        let path = folder.path().join("house.db");
        let log = folder.path().join("house.db-wal");
        let (engine, clock) = engine(&path, NOON);
        let desk = desk_of(&engine, "till-1");
        let file = std::fs::read(&path).unwrap();
        let house = Premises::build(&desk);
        let acknowledged: Arc<Mutex<Vec<(usize, CommandId)>>> = Arc::default();
        let (noted, measured) = (Arc::clone(&acknowledged), log.clone());
        let heard = Arc::new(move |id, told| {
            let length = std::fs::metadata(&measured).unwrap().len();
            if told == Told::Done {
                let length = usize::try_from(length).unwrap();
                noted.lock().unwrap().push((length, id));
            }
        });
        let mut clerk = Clerk::new(desk.clone(), &house, (7, heard));
        for act in 0..acts {
            clerk.act();
            if act % 5 == 0 {
                clock.set(desk.now() + Span::minutes(1));
            }
        }
        let entries = journal(&desk, 0);
        let entries = entries.into_iter().map(|entry| (entry.command.clone(), format!("{entry:?}")));
        let run = Self {
            log: std::fs::read(&log).unwrap(),
            entries: entries.collect(),
            acknowledged: acknowledged.lock().unwrap().clone(),
            end: desk.now(),
            file,
        };
        assert!(std::fs::read(&path).unwrap() == run.file, "the log was moved into the file: this proves nothing");
        run
    }

    fn word(&self, at: usize) -> usize {
        let bytes = self.log[at..at + 4].try_into().unwrap();
        usize::try_from(u32::from_be_bytes(bytes)).unwrap()
    }

    /// The ends of the frames, the first of them that of the log's header.
    fn frame_ends(&self) -> Vec<usize> {
        let frame = FRAME_HEADER + self.word(8);
        (LOG_HEADER..=self.log.len()).step_by(frame).collect()
    }

    /// The end of the last commit before a cut.
    fn last_commit(&self, cut: usize) -> usize {
        let ends = self.frame_ends();
        let whole = ends.windows(2).take_while(|frame| frame[1] <= cut);
        // the frame that ends a commit names the size of the file
        let commits = whole.filter(|frame| self.word(frame[0] + 4) != 0);
        commits.last().map_or(0, |frame| frame[1])
    }

    /// Every cut around the end of each frame and within it, and tails behind a whole frame and a torn one.
    fn states(&self) -> Vec<State> {
        let mut states = Vec::new();
        let short = |cut| State { cut, tail: Tail::Short };
        states.extend((0..=LOG_HEADER).step_by(4).map(short));
        let half = self.word(8) / 2;
        for end in self.frame_ends() {
            let around = [end - 1, end, end + 1, end + FRAME_HEADER, end + half];
            let cuts = around.into_iter().filter(|cut| *cut <= self.log.len());
            states.extend(cuts.clone().map(short));
            for tail in [Tail::Zeros, Tail::Garbage, Tail::Flipped, Tail::Stale] {
                let torn = cuts.clone().skip(1).step_by(2);
                states.extend(torn.map(|cut| State { cut, tail }));
            }
        }
        states
    }

    fn log_of(&self, state: State) -> Vec<u8> {
        let (before, after) = self.log.split_at(state.cut);
        let mut log = before.to_vec();
        let frame = FRAME_HEADER + self.word(8);
        let mut dice = Dice(u64::try_from(state.cut).unwrap());
        match state.tail {
            Tail::Short => {}
            Tail::Zeros => log.resize(state.cut + 3 * frame, 0),
            Tail::Garbage => {
                let mut byte = || u8::try_from(dice.below(256)).unwrap();
                log.extend((0..2 * frame).map(|_| byte()));
            }
            Tail::Flipped => {
                let mut rest = after.to_vec();
                // not in the page's number alone: any byte of the first frame
                let within = u32::try_from(rest.len().min(frame)).unwrap();
                let place = usize::try_from(dice.below(within)).unwrap();
                if let Some(byte) = rest.get_mut(place) {
                    *byte ^= 1 << dice.below(8);
                }
                log.extend(rest);
            }
            Tail::Stale => log.extend(self.log.iter().skip(LOG_HEADER).take(2 * frame)),
        }
        log
    }

    /// Opens a state as the program does: whole, with everything acknowledged, and nothing that was never written.
    fn holds(&self, folder: &Path, state: State) {
        for end in ["", "-wal", "-shm", "-queue", "-turn"] {
            // most are not there
            let _ = std::fs::remove_file(folder.join(format!("house.db{end}")));
        }
        std::fs::write(folder.join("house.db"), &self.file).unwrap();
        std::fs::write(folder.join("house.db-wal"), self.log_of(state)).unwrap();
        let (engine, _) = engine(&folder.join("house.db"), self.end);
        let desk = desk_of(&engine, "till-1");
        let found = journal(&desk, 0);
        assert!(found.len() <= self.entries.len());
        for (found, (_, written)) in found.iter().zip(&self.entries) {
            assert_eq!(&format!("{found:?}"), written);
        }
        let stored: BTreeSet<&str> = found.iter().map(|entry| entry.command.as_str()).collect();
        let committed = self.last_commit(state.cut);
        for (length, id) in &self.acknowledged {
            assert!(
                *length > committed || stored.contains(id.to_string().as_str()),
                "{id} was acknowledged at {length}"
            );
        }
        is_whole(&desk);
    }

    /// Opens some states on several threads.
    fn all_hold(&self, states: &[State]) {
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    let folder = scratch();
                    for state in states.iter().skip(thread).step_by(THREADS) {
                        crate::limit::step();
                        let held = catch_unwind(AssertUnwindSafe(|| self.holds(folder.path(), *state)));
                        assert!(held.is_ok(), "{state:?}");
                    }
                });
            }
        });
    }
}

#[test]
fn a_log_cut_or_torn_at_any_byte_opens_whole_with_all_that_was_acknowledged() {
    let run = Run::of(ACTS);
    let states = run.states();
    let sample: Vec<State> = states.iter().step_by(states.len() / STATES).copied().collect();
    run.all_hold(&sample);
}

#[test]
#[ignore = "opens more than 10,000 states: minutes"]
fn every_state_of_the_log_opens_whole_with_all_that_was_acknowledged() {
    let run = Run::of(ACTS);
    let states = run.states();
    assert!(states.len() >= STATES_LONG, "{}", states.len());
    run.all_hold(&states);
    let line =
        format!("{} states of {} frames, {} commands\n", states.len(), run.frame_ends().len() - 1, run.entries.len());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}
