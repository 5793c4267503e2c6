//! Stores the output of a command.

use serde::Serialize;

use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::answer::Printed;

/// Stores the output of a command, for when it is sent again. Not in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeepAnswer(pub Printed);

impl Operation for KeepAnswer {
    const VERB: &'static str = "keep_answer";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        work.print(self.0.clone());
        Ok(())
    }
}
