//! Baselines of the benchmarks: the machine, and simpler designs under the same load in the same run.
//!
//! A baseline opens its own connections, without the store.

pub(super) mod bookings;
pub(super) mod calendar;
pub(super) mod cluster;
mod memory;
mod ranges;
pub(super) mod segments;
pub(super) mod server;
mod steps;
pub(super) mod theater;
