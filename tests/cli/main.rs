//! The real binary, called as people and programs call it, each story in a folder of its own.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a story that goes wrong fails at once"
)]

mod support;

mod bad_input;
mod benches;
mod calendar;
mod crashes;
mod examples;
mod houses;
mod ical;
mod jobs;
mod moving;
mod reserving;
mod rivals;
mod seats_out_of_use;
mod selling;
mod theaters;
mod waiting;
mod words;
