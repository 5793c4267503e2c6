//! Willcall, a booking desk in the terminal.

pub mod bench;
pub mod cli;
pub mod demo;
pub mod domain;
pub mod engine;
pub mod formats;
pub mod store;
pub mod tui;
