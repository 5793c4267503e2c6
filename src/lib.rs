//! Willcall, a booking desk in the terminal: the map of this house.
//!
//! ```text
//! main, cli, tui, demo, bench  ->  engine  ->  store  ->  (drivers)
//!          └──────────────────────────┴──────────┴─────>  domain
//! ```
//!
//! A room may name only those to its right; a test enforces it.
//!
//! - [`domain`] decides. Pure values and rules: no I/O, no clock, no SQL, no screen. The availability kernel is here.
//! - [`formats`] turns bytes into domain values and back: seating plans, tickets, receipts.
//! - [`store`] keeps versioned documents and knows the database. It never decides anything.
//! - [`engine`] runs operations, each a unit of work over documents, and answers questions from snapshots.
//! - [`tui`], [`cli`] and [`demo`] are clients of the engine's desk; none has a rule of its own.
//!
//! # Invariants
//! - One kernel: whatever is taken, is taken by [`domain::availability::apply`].
//! - An operation is `load, decide, write on condition`: any error rolls back, nothing else does.
//! - Nothing is shown as done before the engine said so; the engine says so after the commit.
//! - Time, randomness and identity come in through [`engine::clock`] and [`domain::ids`].

pub mod bench;
pub mod cli;
pub mod demo;
pub mod domain;
pub mod engine;
pub mod formats;
pub mod store;
pub mod tui;
