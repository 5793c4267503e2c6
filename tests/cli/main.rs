//! The real binary, called as people and programs call it, each story in a folder of its own.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a story that goes wrong fails at once"
)]

#[path = "../support/cluster.rs"]
#[expect(dead_code, reason = "roles and their rights are told of in the stories")]
mod cluster;
#[path = "../support/ground.rs"]
#[expect(dead_code, reason = "nobody asks for a file's folder")]
mod ground;
#[path = "../support/limit.rs"]
mod limit;
mod support;

mod after_sale;
mod bad_input;
mod benches;
mod calendar;
mod changing;
mod clocks;
mod configuration;
mod crashes;
mod customers;
mod examples;
mod files;
mod finding;
mod following;
mod foreign_calendars;
mod giving_back;
mod hearing;
mod houses;
mod ical;
mod indexes;
mod jobs;
mod lists;
mod losing;
mod moving;
mod outputs;
mod own_jobs;
mod rehearsals;
mod reserving;
mod rivals;
mod roles;
mod seasons;
mod seats_out_of_use;
mod selling;
mod sent_again;
mod servers;
mod serving;
mod standing;
mod taken_time;
mod theaters;
mod tickets;
mod tills;
mod typed;
mod waiting;
mod words;
mod working;
