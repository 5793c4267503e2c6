//! Baselines of the benchmarks: the machine, and simpler designs under the same load in the same run.
//!
//! A baseline opens its own connections, without the store.

mod memory;
pub(super) mod pages;
pub(super) mod server;
mod steps;
pub(super) mod theater;
