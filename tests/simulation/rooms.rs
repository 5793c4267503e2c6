//! Simulation of time and seats: seeded clerks at desks of several engines book, hold, repeat, move and close rooms,
//! sell, reserve and offer seats, while
//! calls fail, connections are cut, commits go without an answer, engines stop and start, and two desks want the same.
//!
//! The oracle knows cells of 15 minutes with an owner each, and none of the product's types. A command that met a
//! fault is sent again under its id and has to be answered then.

use crate::cluster::Cluster;
use crate::coverage::Coverage;
use crate::ground::Ground;
use crate::play::{Simulation, dice_of, play, play_all, steps};
use crate::stations::Clocks;
use crate::world::Step;
use crate::{SKEWED_FLOOR, night};

mod acts;
mod cells;
mod chairs;
mod check;
mod lists;
mod place;
mod shows;

use place::Rooms;

/// What the seeds of the tests have to meet, each at least so often.
pub(crate) const FLOOR: [(&str, &str, u64); 96] = [
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
    ("take_out", "done", 24),
    ("take_out", "slot_taken", 15),
    ("take_out", "out_of_service", 4),
    ("enable_slot", "done", 10),
    ("enable_slot", "time_disabled_by_another", 5),
    ("in_service", "done", 1),
    ("checkout", "done", 5),
    ("cancel_cart", "done", 5),
    ("reserve_cart", "done", 5),
    ("reserve_cart", "pay_by_too_late", 1),
    ("reserve_cart", "in_the_past", 1),
    ("reserve_cart", "name_missing", 1),
    ("hold_seats", "done", 20),
    ("hold_seats", "seats_taken", 20),
    ("hold_seats", "sales_closed", 5),
    ("add_waiting", "done", 20),
    ("add_waiting", "name_missing", 1),
    ("add_waiting", "nothing_chosen", 2),
    ("add_waiting", "sales_closed", 2),
    ("waiting", "offered", 10),
    ("remove_waiting", "done", 5),
    ("remove_waiting", "not_found", 2),
    ("hand_over", "done", 5),
    ("hand_over", "not_found", 1),
    ("close_days", "done", 20),
    ("close_days", "bad_value", 2),
    ("open_horizon", "done", 10),
    ("open_horizon", "wrong_policy", 2),
    ("close_horizon", "done", 5),
    ("close_horizon", "slot_taken", 1),
    ("book_slot", "not_open", 10),
    ("book_series", "nothing_chosen", 5),
    ("add_to_series", "done", 4),
    ("add_to_series", "slot_taken", 5),
    ("restore_booking", "done", 5),
    ("restore_booking", "slot_taken", 5),
    ("undo_out_of_use", "done", 10),
    ("undo_out_of_use", "time_disabled_by_another", 10),
    ("return_to_worklist", "done", 2),
    ("return_to_worklist", "not_found", 2),
    ("settle_item", "done", 1),
    ("settle_item", "not_found", 1),
    ("import_times", "done", 5),
    ("import_times", "slot_taken", 5),
    ("change_booking", "done", 10),
    ("change_booking", "bad_value", 2),
    ("change_booking", "booking_canceled", 2),
    ("control_job", "done", 2),
    ("control_job", "job_not_parked", 2),
    ("control_job", "in_the_past", 2),
    ("set_hall", "not_found", 2),
    ("add_resource", "exists", 2),
    ("add_resource", "done", 15),
    ("set_hall", "done", 2),
    ("add_theater", "done", 2),
    ("add_theater", "refused", 2),
    ("change_plan", "not_found", 1),
    ("print_papers", "not_found", 1),
    ("cancel_performance", "not_found", 1),
    ("change_settings", "refused", 1),
    ("in_service", "refused", 1),
    ("add_job", "done", 5),
    ("add_job", "job_exists", 5),
    ("be_present", "done", 5),
    ("begin_tidying", "done", 5),
    ("end_hearing", "done", 5),
    ("hear_event", "done", 5),
    ("seal_journal", "done", 5),
    ("job cart_expiry", "done", 5),
    ("job cart_warning", "done", 1),
    ("job reservation", "done", 1),
    ("job tickets_uncollected", "done", 1),
    ("job sales_close", "done", 5),
    ("job horizon", "moved", 2),
    ("job waitlist", "moved", 10),
    ("job tidying", "moved", 1),
];

impl Simulation for Rooms {
    const STEPS: u32 = 120;
    const CHECK_EVERY: u32 = 30;

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

fn play_rooms(seeds: std::ops::Range<u64>, clocks: Clocks, ground: fn() -> Ground) -> Coverage {
    play_all(seeds, |seed| Rooms::new(seed, clocks, ground()))
}

#[test]
fn clerks_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(0..64, Clocks::Forward, Ground::file).reaches(&FLOOR);
}

#[test]
fn clerks_on_a_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(64..68, Clocks::Forward, Ground::server);
}

#[test]
fn clerks_on_a_bare_server_keep_the_time_of_rooms_whole_whatever_fails() {
    play_rooms(68..70, Clocks::Forward, Ground::bare);
    if let Some(cluster) = Cluster::shared() {
        let refusals = cluster.ask("", "SELECT last_value FROM contended");
        assert_ne!(refusals, ["1"]);
    }
}

#[test]
fn clerks_keep_the_time_of_rooms_whole_when_the_clock_is_set_back() {
    play_rooms(70..80, Clocks::AlsoBack, Ground::file);
}

#[test]
fn clerks_keep_the_time_of_rooms_whole_though_each_clock_is_wrong_by_a_span_of_its_own() {
    play_rooms(80..112, Clocks::Skewed, Ground::file).reaches(&SKEWED_FLOOR);
}

#[test]
fn clerks_on_a_server_keep_the_time_of_rooms_whole_though_each_clock_is_wrong() {
    play_rooms(112..116, Clocks::Skewed, Ground::server);
}

#[test]
fn a_seed_played_twice_writes_the_same_journal() {
    for clocks in [Clocks::Forward, Clocks::AlsoBack, Clocks::Skewed] {
        let played = [(); 2].map(|()| {
            let rooms = || {
                let mut rooms = Rooms::new(5, clocks, Ground::file());
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
}

#[test]
#[ignore = "SEEDS of them: a night"]
fn clerks_keep_the_time_of_rooms_whole_a_night_long() {
    for clocks in [Clocks::Forward, Clocks::AlsoBack, Clocks::Skewed] {
        night(|seeds| play_rooms(seeds, clocks, Ground::file));
    }
}
