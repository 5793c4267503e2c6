//! The domain: pure values and rules.
//!
//! Nothing in here does I/O, reads a clock, knows SQL or a screen. Time, randomness and documents come in
//! as arguments; decisions go out as values. Every other layer may name this one; it names none.

pub mod availability;
pub mod ids;
pub mod money;
pub mod owner;
pub mod plan;
pub mod time;
