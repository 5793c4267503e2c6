//! The stories on a throw-away server; in files again, with a line that says so, where none is installed.

use crate::ground::Ground;

/// Where these stories' houses stand.
fn ground() -> Ground {
    Ground::server()
}

stories!();

/// A house on the server of this test process.
pub(crate) fn house() -> support::House {
    support::House::royal()
}
