//! Creates missing halls of theaters, for data of earlier versions.

use serde::Serialize;

use crate::domain::performance::Theater;
use crate::engine::ops::halls;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Creates a hall for every theater without one. Repeating it changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GiveHalls;

impl Operation for GiveHalls {
    const VERB: &'static str = "give_halls";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        for mut theater in work.select::<Theater>("ORDER BY key", &[])? {
            halls::give(work, &mut theater)?;
        }
        Ok(())
    }
}
