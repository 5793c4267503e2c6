//! Printed answers of completed commands, for a command that is sent again.

pub use crate::store::answer::Printed;

use crate::domain::ids::CommandId;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::answer;

/// Reads the output that a command printed; `None` if it was not kept.
#[derive(Clone, Copy, Debug)]
pub struct ReadPrinted(pub CommandId);

impl Question for ReadPrinted {
    type Answer = Option<Printed>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<Printed>, Failure> {
        Ok(answer::find(snapshot.sql(), &self.0.to_string())?)
    }
}
