//! Simulation of time: seeded clerks at desks of several engines book, hold, repeat, move and close rooms, while
//! calls fail, connections are cut, commits go without an answer, engines stop and start, and two desks want the same.
//!
//! The oracle knows cells of 15 minutes with an owner each, and none of the product's types. A command that met a
//! fault is sent again under its id and has to be answered then. Each step rolls dice of its own, so that a failing
//! seed is played again without the steps that do not matter: `WILLCALL_SEED=17 WILLCALL_STEPS=3,9,11`.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::cluster::Cluster;
use crate::ground::Ground;

mod acts;
mod cells;
mod check;
mod place;

use place::Rooms;

/// How many steps a seed has.
const STEPS: u32 = 80;

/// After how many steps the calendars are held against the cells, and the house is verified.
const CHECK_EVERY: u32 = 20;

/// How often each operation was answered how, by its verb and the answer's word.
pub(crate) type Coverage = BTreeMap<(&'static str, String), u64>;

/// What the seeds of the tests have to meet, each at least so often.
const FLOOR: [(&str, &str, u64); 31] = [
    ("hold_slot", "done", 50),
    ("hold_slot", "slot_taken", 50),
    ("hold_slot", "cart_expired", 1),
    ("hold_slot", "cart_canceled", 1),
    ("hold_slot", "cart_done", 1),
    ("hold_slot", "out_of_service", 5),
    ("book_slot", "done", 50),
    ("book_slot", "slot_taken", 50),
    ("book_slot", "out_of_service", 5),
    ("book_slot", "in_the_past", 5),
    ("book_series", "done", 20),
    ("book_series", "slot_taken", 20),
    ("move_booking", "done", 20),
    ("move_booking", "slot_taken", 20),
    ("move_booking", "booking_canceled", 1),
    ("cancel_booking", "done", 20),
    ("cancel_booking", "not_a_booking", 5),
    ("cancel_booking", "time_disabled_by_another", 5),
    ("release_slot", "done", 10),
    ("release_slot", "slot_not_yours", 5),
    ("occupy", "done", 10),
    ("occupy", "slot_taken", 10),
    ("disable_slot", "done", 10),
    ("enable_slot", "done", 10),
    ("enable_slot", "time_disabled_by_another", 5),
    ("out_of_service", "done", 5),
    ("out_of_service", "slot_taken", 5),
    ("in_service", "done", 2),
    ("checkout", "done", 5),
    ("cancel_cart", "done", 5),
    ("reserve_cart", "done", 5),
];

/// What a seed came to.
pub(crate) struct Played {
    pub(crate) commands: u64,
    pub(crate) coverage: Coverage,
    /// The journal, its ids in the order in which they appear.
    pub(crate) journal: Vec<String>,
}

/// Plays steps of a seed.
fn play(seed: u64, steps: &BTreeSet<u32>, ground: fn() -> Ground) -> Result<Played, String> {
    play_on(steps, || Rooms::new(seed, ground()))
}

fn play_on(steps: &BTreeSet<u32>, rooms: impl FnOnce() -> Rooms) -> Result<Played, String> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut rooms = rooms();
        let last = steps.last().copied().unwrap_or_default();
        for step in steps {
            let went = rooms.step(*step).and_then(|()| {
                if step % CHECK_EVERY == 0 || *step == last {
                    rooms.check()
                } else {
                    Ok(())
                }
            });
            went.map_err(|problem| format!("step {step}: {problem}\n{}", rooms.trail()))?;
        }
        rooms.sells_everywhere()?;
        Ok(rooms.finish())
    }));
    played.unwrap_or_else(|_| Err("it panicked".into()))
}

/// Leaves out steps, more and then fewer at a time, as long as the seed still fails.
fn shrunk(seed: u64, ground: fn() -> Ground) -> BTreeSet<u32> {
    let mut steps: BTreeSet<u32> = (1..=STEPS).collect();
    let mut part = steps.len() / 2;
    while part > 0 {
        let all: Vec<u32> = steps.iter().copied().collect();
        for out in all.chunks(part) {
            let fewer: BTreeSet<u32> = steps
                .iter()
                .copied()
                .filter(|step| !out.contains(step))
                .collect();
            if play(seed, &fewer, ground).is_err() {
                steps = fewer;
            }
        }
        part /= 2;
    }
    steps
}

/// Plays seeds, on several threads; fails with the command line that plays the first failing one again.
fn play_all(seeds: std::ops::Range<u64>, ground: fn() -> Ground) -> (u64, Coverage) {
    let only = |name: &str| std::env::var(name).ok();
    let seeds: Vec<u64> = match only("WILLCALL_SEED") {
        Some(seed) => vec![seed.parse().unwrap()],
        None => seeds.collect(),
    };
    let steps: BTreeSet<u32> = match only("WILLCALL_STEPS") {
        Some(steps) => steps.split(',').map(|step| step.parse().unwrap()).collect(),
        None => (1..=STEPS).collect(),
    };
    let (seeds, steps) = (&seeds, &steps);
    let parts = std::thread::available_parallelism().map_or(1, usize::from);
    let played: Vec<Played> = std::thread::scope(|scope| {
        let part = |part| {
            let seeds = seeds.iter().skip(part).step_by(parts);
            let one = |seed: &u64| {
                play(*seed, steps, ground).unwrap_or_else(|problem| fails(*seed, &problem, ground))
            };
            seeds.map(one).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..parts)
            .map(|number| scope.spawn(move || part(number)))
            .collect();
        let played = threads.into_iter().map(|thread| thread.join().unwrap());
        played.flatten().collect()
    });
    let mut coverage = Coverage::new();
    for (met, times) in played.iter().flat_map(|played| &played.coverage) {
        *coverage.entry(met.clone()).or_default() += times;
    }
    (played.iter().map(|played| played.commands).sum(), coverage)
}

fn fails(seed: u64, problem: &str, ground: fn() -> Ground) -> ! {
    let steps: Vec<String> = shrunk(seed, ground).iter().map(u32::to_string).collect();
    panic!(
        "{problem}\nplay it again with\nWILLCALL_SEED={seed} WILLCALL_STEPS={} cargo test --test simulation rooms",
        steps.join(",")
    );
}

fn say(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

fn table(coverage: &Coverage) -> String {
    let line =
        |((verb, word), times): (&(&str, String), &u64)| format!("{verb:20}{word:30}{times:>8}\n");
    coverage.iter().map(line).collect()
}

#[test]
fn clerks_keep_the_time_of_rooms_whole_whatever_fails() {
    let (_, coverage) = play_all(0..64, Ground::file);
    if std::env::var_os("WILLCALL_SEED").is_some() {
        return;
    }
    for (verb, word, least) in FLOOR {
        let met = coverage.get(&(verb, word.to_owned())).copied();
        assert!(
            met >= Some(least),
            "{verb} {word} was met {met:?} times of {least}:\n{}",
            table(&coverage)
        );
    }
}

#[test]
fn clerks_on_a_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_all(64..68, Ground::server);
}

#[test]
fn clerks_on_a_bare_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_all(68..70, Ground::bare);
    if let Some(cluster) = Cluster::shared() {
        let refusals = cluster.ask("", "SELECT last_value FROM contended");
        assert_ne!(refusals, ["1"]);
    }
}

#[test]
fn a_seed_played_twice_writes_the_same_journal() {
    let steps = (1..=STEPS).collect();
    let played = [(); 2].map(|()| {
        let rooms = || {
            let mut rooms = Rooms::new(5, Ground::file());
            rooms.in_turn = true;
            rooms
        };
        play_on(&steps, rooms).map(|played| played.journal)
    });
    let [once, twice] = played.map(Result::unwrap);
    assert!(once.len() > 20, "{}", once.len());
    for (one, other) in once.iter().zip(&twice) {
        assert_eq!(one, other);
    }
    assert_eq!(once.len(), twice.len());
}

#[test]
#[ignore = "SEEDS of them: a night"]
fn clerks_keep_the_time_of_rooms_whole_a_night_long() {
    let seeds = std::env::var("SEEDS").map_or(1000, |seeds| seeds.parse().unwrap());
    let began = std::time::Instant::now();
    let (commands, coverage) = play_all(1000..1000 + seeds, Ground::file);
    let seconds = began.elapsed().as_secs();
    say(&format!(
        "{}{seeds} seeds, {commands} commands in {seconds} s\n",
        table(&coverage)
    ));
}
