//! Simulation: seeded clerks at several desks, on one to three engines that share a file or a server's house, do
//! everything a desk can do in any order, while the clock is stepped. An independent model of the house says of each act
//! whether it may be done and what comes of it; every few steps the house is held against the model and verified.
//!
//! A failing seed is shrunk, and prints the command line that plays it again.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a simulation that goes wrong fails at once"
)]

mod after_sale;
mod check;
#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "what befalls a server is told in the stories")]
mod cluster;
mod coverage;
#[path = "../support/ground.rs"]
#[expect(dead_code, reason = "nobody meddles with this house")]
mod ground;
mod house_acts;
#[path = "../support/limit.rs"]
#[expect(dead_code, reason = "nothing is looked for again and again")]
mod limit;
mod model;
mod paying;
mod play;
mod rooms;
mod selling;
mod stations;
#[path = "../support/wire.rs"]
#[expect(dead_code, reason = "nobody counts calls here")]
mod wire;
mod world;

use std::collections::BTreeSet;

use coverage::Coverage;
use ground::Ground;
use play::{Simulation, dice_of, play_all};
use stations::Clocks;
use world::{Step, World};

/// What the seeds of the tests have to meet, each at least so often.
const FLOOR: [(&str, &str, u64); 57] = [
    ("add_performance", "done", 10),
    ("add_performance", "slot_taken", 1),
    ("begin_payment", "done", 20),
    ("begin_payment", "cart_done", 5),
    ("begin_payment", "cart_empty", 5),
    ("cancel_cart", "done", 20),
    ("cancel_cart", "payment_under_way", 1),
    ("cancel_performance", "done", 2),
    ("change_plan", "done", 2),
    ("change_settings", "done", 2),
    ("checkout", "done", 50),
    ("checkout", "card_over", 1),
    ("checkout", "card_reference_missing", 5),
    ("checkout", "cart_expired", 10),
    ("checkout", "payment_recorded", 1),
    ("checkout", "payment_short", 1),
    ("checkout", "total_changed", 10),
    ("disable_seats", "done", 20),
    ("disable_seats", "disabled_by_another", 5),
    ("enable_seats", "done", 10),
    ("enable_seats", "disabled_by_another", 5),
    ("enable_seats", "not_yours", 1),
    ("extend_cart", "done", 10),
    ("extend_cart", "hold_cap", 1),
    ("give_back", "done", 10),
    ("give_back", "unknown_line", 5),
    ("hold_seats", "done", 100),
    ("hold_seats", "no_seats_together", 5),
    ("hold_seats", "not_on_sale", 10),
    ("hold_seats", "sales_closed", 10),
    ("hold_seats", "seats_taken", 50),
    ("keep_seats", "done", 5),
    ("keep_seats", "seats_taken", 5),
    ("name_customer", "done", 1),
    ("name_customer", "refused", 1),
    ("open_cart", "done", 10),
    ("open_cart", "out_of_range", 2),
    ("print_papers", "done", 2),
    ("correct_receipt", "done", 1),
    ("correct_receipt", "already_returned", 1),
    ("return_cells", "done", 1),
    ("return_cells", "already_returned", 1),
    ("unreturn", "done", 1),
    ("unreturn", "unknown_line", 1),
    ("settle_item", "done", 1),
    ("settle_item", "already_resolved", 1),
    ("retype", "done", 10),
    ("retype", "not_on_sale", 2),
    ("revive_cart", "done", 1),
    ("revive_cart", "cart_active", 5),
    ("set_aside", "done", 5),
    ("set_aside", "refused", 2),
    ("take_over", "done", 2),
    ("take_over", "cart_elsewhere", 1),
    ("unkeep_seats", "done", 1),
    ("unkeep_seats", "nothing_chosen", 1),
    ("job keep_release", "done", 1),
];

/// Least counts of operations and their answers, over the seeds with wrong clocks.
const SKEWED_FLOOR: [(&str, &str, u64); 2] = [("open_cart", "clock_in_doubt", 5), ("confirm_clock", "done", 5)];

/// Operations that only a clock in doubt refuses.
const NEVER_REFUSED: [&str; 6] =
    ["be_present", "begin_tidying", "confirm_clock", "end_hearing", "hear_event", "seal_journal"];

/// Operations that only the stories have.
const IN_STORIES: [&str; 35] = [
    "add_operator",
    "add_performances",
    "apply_prices",
    "change_customer",
    "change_followed",
    "change_performance",
    "change_performances",
    "change_pin",
    "change_resource",
    "change_theater",
    "charge_booking",
    "check_guest",
    "check_ticket",
    "close_till",
    "copy_performance",
    "disable_operator",
    "end_scrub",
    "exchange",
    "follow_calendar",
    "forget_customer",
    "hear_again",
    "import_customers",
    "import_season",
    "make_ticket_key",
    "merge_customers",
    "move_cash",
    "open_till",
    "postpone_performance",
    "refund_booking",
    "rename_prices",
    "reissue_tickets",
    "set_count",
    "set_prices",
    "sign_in",
    "undo_ticket_check",
];

/// Operations of jobs, each with its kind.
const OF_JOBS: [(&str, &str); 9] = [
    ("alert_reservation", "job reservation"),
    ("alert_tickets", "job tickets_uncollected"),
    ("close_sales", "job sales_close"),
    ("expire_cart", "job cart_expiry"),
    ("offer_seats", "job waitlist"),
    ("release_keep", "job keep_release"),
    ("roll_horizon", "job horizon"),
    ("tidy", "job tidying"),
    ("warn_cart", "job cart_warning"),
];

#[test]
fn each_operation_has_to_be_done_and_refused() {
    let met: BTreeSet<(&str, bool)> = FLOOR
        .iter()
        .chain(&SKEWED_FLOOR)
        .chain(&rooms::FLOOR)
        .map(|(verb, word, _)| (*verb, *word == "done" || verb.starts_with("job")))
        .collect();
    let mut missed = Vec::new();
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/ops")).unwrap() {
        let path = file.unwrap().path();
        let text = path.is_file().then(|| std::fs::read_to_string(&path).unwrap());
        for line in text.iter().flat_map(|text| text.lines()) {
            let verb = line.trim().strip_prefix("const VERB: &'static str = \"");
            let Some(verb) = verb.and_then(|verb| verb.strip_suffix("\";")) else {
                continue;
            };
            if IN_STORIES.contains(&verb) {
                continue;
            }
            let of_job = OF_JOBS.iter().find(|(job, _)| *job == verb);
            let done = of_job.map_or(verb, |(_, kind)| *kind);
            let refuses = of_job.is_none() && !NEVER_REFUSED.contains(&verb);
            if !met.contains(&(done, true)) || refuses && !met.contains(&(verb, false)) {
                missed.push(verb.to_owned());
            }
        }
    }
    assert!(missed.is_empty(), "without a floor: {missed:?}");
}

#[test]
fn clerks_at_several_desks_keep_the_house_whole() {
    let forward = play_world(0..12, Clocks::Forward, Ground::file);
    forward.reaches(&FLOOR);
}

#[test]
fn clerks_keep_the_house_whole_when_the_clock_is_set_back() {
    play_world(12..24, Clocks::AlsoBack, Ground::file);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole() {
    play_world(24..28, Clocks::Forward, Ground::server);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole_when_the_clock_is_set_back() {
    play_world(28..32, Clocks::AlsoBack, Ground::server);
}

#[test]
fn clerks_keep_the_house_whole_though_each_clock_is_wrong_by_a_span_of_its_own() {
    let skewed = play_world(32..48, Clocks::Skewed, Ground::file);
    skewed.reaches(&SKEWED_FLOOR);
}

#[test]
fn clerks_on_a_server_keep_the_house_whole_though_each_clock_is_wrong() {
    play_world(48..52, Clocks::Skewed, Ground::server);
}

fn play_world(seeds: std::ops::Range<u64>, clocks: Clocks, ground: fn() -> Ground) -> Coverage {
    play_all(seeds, |seed| World::new(seed, clocks, ground()))
}

#[test]
#[ignore = "SEEDS of them: a night"]
fn clerks_keep_the_house_whole_a_night_long() {
    for clocks in [Clocks::Forward, Clocks::AlsoBack, Clocks::Skewed] {
        night(|seeds| play_world(seeds, clocks, Ground::file));
    }
}

/// Plays SEEDS seeds, or 1000, and prints what they met.
fn night(play: impl FnOnce(std::ops::Range<u64>) -> Coverage) {
    let seeds = std::env::var("SEEDS").map_or(1000, |seeds| seeds.parse().unwrap());
    let began = std::time::Instant::now();
    let coverage = play(1000..1000 + seeds);
    let (commands, took) = (coverage.commands(), began.elapsed());
    let line = format!(
        "{}{seeds} seeds, {commands} commands in {took:.1?}: {} a second\n",
        coverage.table(),
        u128::from(commands) * 1000 / took.as_millis().max(1)
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

impl Simulation for World {
    const STEPS: u32 = 300;
    const CHECK_EVERY: u32 = 15;

    fn step(&mut self, step: u32) -> Step {
        self.dice = dice_of(self.seed, step);
        act(self)
    }

    fn check(&mut self) -> Step {
        self.is_as_modelled()
    }

    fn end(&mut self) -> Step {
        self.clocks_are_right_again()?;
        let desk = self.any_desk();
        self.met.meet_runs(&desk);
        Ok(())
    }

    fn trail(&self) -> String {
        self.last_acts()
    }

    fn coverage(&self) -> &Coverage {
        &self.met
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
        91 => world.restart(),
        _ => {
            world.pass();
            Ok(())
        }
    }
}
