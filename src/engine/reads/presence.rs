//! Presence: the stations that are on.

use crate::domain::presence::Present;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::presence::since;

/// Lists the stations that are on, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPresence;

impl Question for ReadPresence {
    type Answer = Vec<Present>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Present>, Failure> {
        let after = snapshot.now() - Present::OFF_AFTER;
        Ok(since(snapshot.sql(), after)?)
    }
}
