//! Benchmarks that an operator can run: loads on a throw-away house, beside controls from the same run.
//!
//! A load is a client of the desk like any other. What is printed was measured in this run, on this machine;
//! published figures stand beside it as what they are.

pub mod calendar;
pub mod control;
pub mod hotel;
pub mod jobs;
pub mod load;
mod memory;
pub mod report;
mod seller;
mod server;
pub mod stage;
pub mod theater;
