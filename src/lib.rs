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
//! # Start here
//! Read one operation ([`engine::ops::hold_seats`]), then [`engine::work::UnitOfWork`], which it runs in, and
//! [`domain::availability`], which decides. A question is [`engine::reads::carts`]; a screen is [`tui::screens`].
//!
//! # A command's way
//! 1. A verb of [`cli`] or a key of [`tui`] builds an operation and hands it to [`engine::Desk::run`] or `submit`.
//! 2. It waits in the queue of a writer with its command id, its operator and what was asked.
//! 3. The writer drains its queue into a batch and begins a transaction.
//! 4. [`engine::Operation::run`] loads documents through [`engine::UnitOfWork`], decides, and puts changed ones back.
//! 5. Its changes, jobs, events and its entry of the journal join the batch; a refusal leaves nothing.
//! 6. Before the commit each changed document is written once, on condition of the version that was loaded
//!    ([`store::dialect::RowWrite`]), and the journal last.
//! 7. After the commit the answers go out, and [`engine::Desk::watch`] tells open desks what changed.
//! 8. A fault takes the batch back; each command then runs alone, and one that was stored is found by its id.
//!
//! # A question's way
//! 1. A client hands a [`engine::reads::Question`] to [`engine::Desk::read`].
//! 2. A reader's connection begins a snapshot: everything is of one moment, and no writer is waited for.
//! 3. The question selects documents ([`engine::reads::Snapshot`]) and makes a view of them.
//! 4. A snapshot whose connection was lost is asked again as a whole.
//! 5. The client prints the view, or draws it.
//!
//! # For programs
//! [`Desk`] opens a house; operations are [`ops`], questions [`questions`], and a no is a [`Failure`] with typed facts.
//! [`guide`] shows it on the published booking systems.
//!
//! # Invariants
//! - One kernel: whatever is taken, is taken by [`domain::availability::apply`].
//! - An operation loads, decides, and writes on condition of the versions that it loaded; a fault rolls back.
//! - Nothing is shown as done before the engine said so; the engine says so after the commit.
//! - Time, randomness and identity come in through [`engine::clock`] and [`domain::ids`].

pub mod bench;
pub mod cli;
pub mod demo;
pub mod domain;
pub mod engine;
pub mod formats;
pub mod guide;
pub mod store;
pub mod tui;

pub use domain::refusal::Refusal;
pub use engine::{Desk, Failure, ops, reads as questions};
pub use store::{Fault, Location, OpenError};
