//! Stories of the desk, told to the engine: each is a rule by name, and ends with a check of the whole house.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a story that goes wrong fails at once"
)]

mod support;

mod calendar;
mod carts;
mod crashes;
mod engine;
mod jobs;
mod reservations;
mod seats_out_of_use;
mod time_in_carts;
