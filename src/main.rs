//! Willcall, a booking desk in the terminal.
fn main() {}
