//! Player of seeds: replays a failing seed without the steps that do not matter, and prints the command line for it.
//!
//! Each step rolls dice of its own, so any subset of a seed's steps can be played:
//! `WILLCALL_SEED=17 WILLCALL_STEPS=3,9,11`.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use willcall::bench::Dice;

use crate::coverage::Coverage;
use crate::world::Step;

/// A simulated house.
pub(crate) trait Simulation {
    /// How many steps a seed has.
    const STEPS: u32;
    /// After how many steps the house is held against its model.
    const CHECK_EVERY: u32;

    /// One step, by the dice of [`dice_of`].
    fn step(&mut self, step: u32) -> Step;

    /// Holds the house against its model.
    fn check(&mut self) -> Step;

    /// What has to be possible after the last fault.
    fn end(&mut self) -> Step;

    /// The last acts, one per line.
    fn trail(&self) -> String;

    fn coverage(&self) -> &Coverage;
}

/// Dice of a step of a seed.
pub(crate) fn dice_of(seed: u64, step: u32) -> Dice {
    Dice((seed << 20) + u64::from(step))
}

/// Plays steps of a seed.
pub(crate) fn play<S: Simulation>(steps: &BTreeSet<u32>, house: impl FnOnce() -> S) -> Result<S, String> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut house = house();
        let last = steps.last().copied().unwrap_or_default();
        for step in steps {
            let went = house
                .step(*step)
                .and_then(|()| if step % S::CHECK_EVERY == 0 || *step == last { house.check() } else { Ok(()) });
            went.map_err(|problem| format!("step {step}: {problem}\n{}", house.trail()))?;
        }
        let ended = house.end();
        ended.map_err(|problem| format!("in the end: {problem}\n{}", house.trail()))?;
        Ok(house)
    }));
    played.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("it panicked: {}", said.unwrap_or_default()))
    })
}

/// All steps of a seed, or those of `WILLCALL_STEPS`.
pub(crate) fn steps<S: Simulation>() -> BTreeSet<u32> {
    std::env::var("WILLCALL_STEPS")
        .map_or_else(|_| (1..=S::STEPS).collect(), |steps| steps.split(',').map(|step| step.parse().unwrap()).collect())
}

/// Leaves out steps, more and then fewer at a time, as long as the seed still fails; gives the last problem too.
pub(crate) fn shrunk(
    mut steps: BTreeSet<u32>,
    mut problem: String,
    plays: impl Fn(&BTreeSet<u32>) -> Result<(), String>,
) -> (BTreeSet<u32>, String) {
    let mut part = steps.len() / 2;
    while part > 0 {
        let all: Vec<u32> = steps.iter().copied().collect();
        for out in all.chunks(part) {
            let mut fewer = steps.clone();
            fewer.retain(|step| !out.contains(step));
            if let Err(still) = plays(&fewer) {
                (steps, problem) = (fewer, still);
            }
        }
        part /= 2;
    }
    (steps, problem)
}

/// Plays seeds, or that of `WILLCALL_SEED`, on several threads; fails with the command line that plays the first
/// failing one again.
pub(crate) fn play_all<S: Simulation>(seeds: std::ops::Range<u64>, house: impl Fn(u64) -> S + Sync) -> Coverage {
    let seeds: Vec<u64> = match std::env::var("WILLCALL_SEED") {
        Ok(seed) => vec![seed.parse().unwrap()],
        Err(_) => seeds.collect(),
    };
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let steps = steps::<S>();
    let one = |seed: u64| {
        let plays = |steps: &BTreeSet<u32>| play(steps, || house(seed));
        match plays(&steps) {
            Ok(played) => played.coverage().clone(),
            Err(problem) => {
                let again = |steps: &BTreeSet<u32>| plays(steps).map(|_| ());
                let (steps, problem) = shrunk(steps.clone(), problem, again);
                panic!("{problem}\nplay it again with\n{}", line(seed, &steps, &test))
            }
        }
    };
    // a seed waits for its engines' threads: another one uses the core meanwhile
    let parts = 2 * std::thread::available_parallelism().map_or(1, usize::from);
    let mut coverage = Coverage::default();
    std::thread::scope(|scope| {
        let (seeds, one) = (&seeds, &one);
        let part = move |part| {
            let mut met = Coverage::default();
            for seed in seeds.iter().skip(part).step_by(parts) {
                met.add(&one(*seed));
            }
            met
        };
        let threads: Vec<_> = (0..parts).map(|number| scope.spawn(move || part(number))).collect();
        for thread in threads {
            match thread.join() {
                Ok(met) => coverage.add(&met),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    coverage
}

/// The command line that plays steps of a seed in a test.
fn line(seed: u64, steps: &BTreeSet<u32>, test: &str) -> String {
    let steps: Vec<String> = steps.iter().map(u32::to_string).collect();
    format!(
        "WILLCALL_SEED={seed} WILLCALL_STEPS={} cargo test --test simulation {test} -- --exact --include-ignored",
        steps.join(",")
    )
}

#[test]
fn steps_that_do_not_matter_are_left_out_of_a_failing_seed() {
    let fails = |steps: &BTreeSet<u32>| {
        if steps.contains(&7) && steps.contains(&61) { Err(format!("{} steps", steps.len())) } else { Ok(()) }
    };
    let (steps, problem) = shrunk((1..=80).collect(), "80 steps".into(), fails);
    assert_eq!((steps, problem.as_str()), ([7, 61].into(), "2 steps"));
    let line = line(17, &[7, 61].into(), "rooms::some_test");
    assert!(line.starts_with("WILLCALL_SEED=17 WILLCALL_STEPS=7,61 cargo test --test simulation rooms::some_test"));
}
