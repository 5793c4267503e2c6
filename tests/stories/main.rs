//! Stories of the desk, told to the engine: each is a rule by name, and ends with a check of the whole house.
//! Every story is told twice, in a file and on a server.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a story that goes wrong fails at once")]
#![expect(clippy::duplicate_mod, reason = "every story is told twice")]

#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "who is let in, and how, is told of the real binary")]
mod cluster;
#[path = "../support/ground.rs"]
mod ground;
#[path = "../support/limit.rs"]
mod limit;
#[path = "../support/proxy.rs"]
mod proxy;

/// All stories, for either ground.
macro_rules! stories {
    () => {
        #[path = "support.rs"]
        pub(crate) mod support;

        #[path = "admitted.rs"]
        mod admitted;
        #[path = "after_sale.rs"]
        mod after_sale;
        #[path = "boots.rs"]
        mod boots;
        #[path = "calendar.rs"]
        pub(crate) mod calendar;
        #[path = "carts.rs"]
        mod carts;
        #[path = "changing.rs"]
        mod changing;
        #[path = "clocks.rs"]
        mod clocks;
        #[path = "closed_days.rs"]
        mod closed_days;
        #[path = "counted.rs"]
        mod counted;
        #[path = "crashes.rs"]
        mod crashes;
        #[path = "credits.rs"]
        mod credits;
        #[path = "customers.rs"]
        mod customers;
        #[path = "engine.rs"]
        mod engine;
        #[path = "exchanges.rs"]
        mod exchanges;
        #[path = "finding.rs"]
        mod finding;
        #[path = "following.rs"]
        mod following;
        #[path = "forgetting.rs"]
        mod forgetting;
        #[path = "giving_back.rs"]
        mod giving_back;
        #[path = "halls.rs"]
        mod halls;
        #[path = "jobs.rs"]
        pub(crate) mod jobs;
        #[path = "known_customers.rs"]
        mod known_customers;
        #[path = "lost_units.rs"]
        mod lost_units;
        #[path = "means_back.rs"]
        mod means_back;
        #[path = "money.rs"]
        mod money;
        #[path = "moved.rs"]
        mod moved;
        #[path = "naming.rs"]
        mod naming;
        #[path = "nightly.rs"]
        mod nightly;
        #[path = "offers.rs"]
        mod offers;
        #[path = "offers_of_time.rs"]
        mod offers_of_time;
        #[path = "out_of_use.rs"]
        mod out_of_use;
        #[path = "own_jobs.rs"]
        mod own_jobs;
        #[path = "paid_bookings.rs"]
        mod paid_bookings;
        #[path = "payments.rs"]
        mod payments;
        #[path = "postponing.rs"]
        mod postponing;
        #[path = "prices.rs"]
        mod prices;
        #[path = "races.rs"]
        mod races;
        #[path = "repeating.rs"]
        mod repeating;
        #[path = "replacing.rs"]
        mod replacing;
        #[path = "reservations.rs"]
        mod reservations;
        #[path = "roles.rs"]
        mod roles;
        #[path = "seasons.rs"]
        mod seasons;
        #[path = "seat_acts.rs"]
        pub(crate) mod seat_acts;
        #[path = "seats_out_of_use.rs"]
        mod seats_out_of_use;
        #[path = "settling.rs"]
        mod settling;
        #[path = "standing.rs"]
        mod standing;
        #[path = "stays.rs"]
        mod stays;
        #[path = "tickets.rs"]
        mod tickets;
        #[path = "tills.rs"]
        mod tills;
        #[path = "time_in_carts.rs"]
        mod time_in_carts;
        #[path = "told.rs"]
        mod told;
        #[path = "undoing.rs"]
        mod undoing;
        #[path = "waiting.rs"]
        mod waiting;
    };
}

mod cut_wires;
mod hot_seats;
mod in_files;
mod killed;
mod on_a_server;
mod outages;
mod servers;
mod several_servers;
