//! Crash proofs: a write-ahead log cut at any byte, faults at every call of the adapter, processes killed at any
//! moment. After each the house is whole, has everything acknowledged, and takes commands.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a proof that goes wrong fails at once"
)]

mod clerk;
mod faults;
mod kills;
#[path = "../support/limit.rs"]
#[expect(dead_code, reason = "nothing is looked for again and again")]
mod limit;
mod logs;
#[path = "../support/wire.rs"]
#[expect(dead_code, reason = "a plan is made anew for each case")]
mod wire;
