//! Simulation: seeded clerks at several desks, on one to three engines that share a file or a server's
//! house, do everything a desk
//! can do in any order, while the clock is stepped. An independent model of the house says of each act whether
//! it may be done and what comes of it; every few steps the house is held against the model and verified.
//!
//! `WILLCALL_SEED=17` plays one seed only.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a simulation that goes wrong fails at once"
)]

mod check;
#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "what befalls a server is told in the stories")]
mod cluster;
#[path = "../support/ground.rs"]
#[expect(dead_code, reason = "nobody meddles with this house")]
mod ground;
mod house_acts;
mod model;
mod paying;
mod rooms;
mod selling;
#[path = "../support/wire.rs"]
#[expect(dead_code, reason = "nobody counts calls here")]
mod wire;
mod world;

use ground::Ground;
use world::{Clocks, Step, World};

/// How many acts a seed plays.
const STEPS: u32 = 300;

/// After how many acts the house is held against the model.
const CHECK_EVERY: u32 = 15;

#[test]
fn clerks_at_several_desks_keep_the_house_whole() {
    play(0..12, Clocks::Forward, Ground::file);
}

#[test]
fn clerks_keep_the_house_whole_when_the_clock_is_set_back() {
    play(12..24, Clocks::AlsoBack, Ground::file);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole() {
    play(24..28, Clocks::Forward, Ground::server);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole_when_the_clock_is_set_back() {
    play(28..32, Clocks::AlsoBack, Ground::server);
}

#[test]
fn clerks_keep_the_house_whole_though_each_clock_is_wrong_by_a_span_of_its_own() {
    play(32..48, Clocks::Skewed, Ground::file);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole_though_each_clock_is_wrong() {
    play(48..52, Clocks::Skewed, Ground::server);
}

fn play(seeds: std::ops::Range<u64>, clocks: Clocks, ground: fn() -> Ground) {
    let only: Option<u64> = std::env::var("WILLCALL_SEED")
        .ok()
        .map(|seed| seed.parse().unwrap());
    for seed in seeds.filter(|seed| only.is_none_or(|only| only == *seed)) {
        let mut world = World::new(seed, clocks, ground());
        for step in 1..=STEPS {
            let went = act(&mut world).and_then(|()| {
                if step % CHECK_EVERY == 0 || step == STEPS {
                    world.check()
                } else {
                    Ok(())
                }
            });
            if let Err(problem) = went {
                panic!(
                    "WILLCALL_SEED={seed}, step {step}: {problem}\nthe last acts were\n{}",
                    world.trail()
                );
            }
        }
        if let Err(problem) = world.clocks_are_right_again() {
            panic!(
                "WILLCALL_SEED={seed}, in the end: {problem}\n{}",
                world.trail()
            );
        }
    }
}

/// One act of a clerk, or of time.
fn act(world: &mut World) -> Step {
    match world.dice.below(100) {
        0..=19 => world.hold(),
        20..=27 => world.hold_best(),
        28..=29 => world.open(),
        30..=31 => world.burst(),
        32..=45 => world.check_out(),
        46..=49 => world.begin_payment(),
        50..=54 => world.give_back(),
        55..=58 => world.retype(),
        59..=60 => world.extend(),
        61..=63 => world.cancel(),
        64..=66 => world.set_aside_or_take_over(),
        67..=69 => world.revive(),
        70..=71 => world.keep(),
        72 => world.unkeep(),
        73..=75 => world.disable(),
        76..=77 => world.enable(),
        78 => world.disable_everywhere(),
        79 => world.enable_everywhere(),
        80 => world.change_house(),
        81..=82 => world.small_things(),
        83..=86 => world.sweep(),
        87..=90 => world.send_again(),
        91 => {
            world.restart();
            Ok(())
        }
        _ => {
            world.pass();
            Ok(())
        }
    }
}
