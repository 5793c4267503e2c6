//! The stories, each in a file of its own.

use crate::ground::Ground;

/// Where these stories' houses stand.
fn ground() -> Ground {
    Ground::file()
}

stories!();
