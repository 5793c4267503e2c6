//! Simulation of time: seeded clerks at desks of several engines book, hold, repeat, move and close rooms, while
//! calls fail, connections are cut, commits go without an answer, engines stop and start, and two desks want the same.
//!
//! The oracle knows cells of 15 minutes with an owner each, and none of the product's types. A command that met a
//! fault is sent again under its id and has to be answered then.

use crate::cluster::Cluster;
use crate::coverage::Coverage;
use crate::ground::Ground;
use crate::play::{Simulation, dice_of, play, play_all, steps};
use crate::world::Step;
use crate::{memory, night};

mod acts;
mod cells;
mod check;
mod place;

use place::Rooms;

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

impl Simulation for Rooms {
    const STEPS: u32 = 80;
    const CHECK_EVERY: u32 = 20;

    fn step(&mut self, step: u32) -> Step {
        self.dice = dice_of(self.seed, step);
        self.act()
    }

    fn check(&mut self) -> Step {
        self.is_as_modelled()
    }

    fn end(&mut self) -> Step {
        self.sells_everywhere()
    }

    fn trail(&self) -> String {
        self.last_acts()
    }

    fn coverage(&self) -> &Coverage {
        &self.met
    }
}

fn play_rooms(seeds: std::ops::Range<u64>, ground: fn() -> Ground) -> Coverage {
    play_all(seeds, |seed| Rooms::new(seed, ground()))
}

#[test]
fn clerks_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(0..64, memory).reaches(&FLOOR);
}

#[test]
fn clerks_on_a_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(64..68, Ground::server);
}

#[test]
fn clerks_on_a_bare_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(68..70, Ground::bare);
    if let Some(cluster) = Cluster::shared() {
        let refusals = cluster.ask("", "SELECT last_value FROM contended");
        assert_ne!(refusals, ["1"]);
    }
}

#[test]
fn a_seed_played_twice_writes_the_same_journal() {
    let played = [(); 2].map(|()| {
        let rooms = || {
            let mut rooms = Rooms::new(5, memory());
            rooms.in_turn = true;
            rooms
        };
        play(&steps::<Rooms>(), rooms).unwrap().journal()
    });
    let [once, twice] = played;
    assert!(once.len() > 20, "{}", once.len());
    for (one, other) in once.iter().zip(&twice) {
        assert_eq!(one, other);
    }
    assert_eq!(once.len(), twice.len());
}

#[test]
#[ignore = "SEEDS of them: a night"]
fn clerks_keep_the_time_of_rooms_whole_a_night_long() {
    night(|seeds| play_rooms(seeds, memory));
}
