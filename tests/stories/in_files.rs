//! The stories, each in a file of its own.

use crate::ground::Ground;

/// Where these stories' houses stand.
fn ground() -> Ground {
    Ground::file()
}

stories!();

// a house for each case: in a file that is fast
#[path = "kept_seats.rs"]
mod kept_seats;
#[path = "kept_time.rs"]
mod kept_time;
// only a file is damaged bit by bit
#[path = "forged.rs"]
mod forged;
#[path = "forged_after_sale.rs"]
mod forged_after_sale;
