//! The stories on a throw-away server; in files again, with a line that says so, where none is installed.
//!
//! `WILLCALL_TEST_SERVER=bare cargo test --test stories on_a_server` plays them on a server that
//! imitates the distributed members of PostgreSQL's family, see [`Ground::bare`]; `citus` on several servers, where the
//! extension is installed, see [`Ground::distributed`].

use crate::ground::Ground;

/// Where these stories' houses stand.
fn ground() -> Ground {
    match std::env::var("WILLCALL_TEST_SERVER").as_deref() {
        Ok("bare") => Ground::bare(),
        Ok("citus") => Ground::distributed(),
        _ => Ground::server(),
    }
}

stories!();

/// A house on the server of this test process.
pub(crate) fn house() -> support::House {
    support::House::royal()
}
