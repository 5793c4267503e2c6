//! Requests and answers of completed commands, for a command that is sent again.

use serde_json::Value as Json;

use crate::domain::ids::CommandId;
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::engine::writer::ASKED_AT;
use crate::store::answer::{self, Printed};
use crate::store::journal::find_command;

/// Reads the present time by which a completed command's times were parsed; `None` if it is not
/// done or had no such times.
#[derive(Clone, Copy, Debug)]
pub struct ReadAskedAt(pub CommandId);

impl Question for ReadAskedAt {
    type Answer = Option<Instant>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<Instant>, Failure> {
        let done = find_command(snapshot.sql(), &self.0.to_string())?;
        let request = done.and_then(|done| serde_json::from_str::<Json>(&done.request).ok());
        let contents = request.as_ref().and_then(Json::as_object);
        let asked_at = contents.and_then(|verbs| verbs.values().next()?.get(ASKED_AT)?.as_i64());
        Ok(asked_at.map(Instant::from_millis))
    }
}

/// Reads the output that a command printed; `None` if it was not kept.
#[derive(Clone, Copy, Debug)]
pub struct ReadPrinted(pub CommandId);

impl Question for ReadPrinted {
    type Answer = Option<Printed>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Option<Printed>, Failure> {
        Ok(answer::find(snapshot.sql(), &self.0.to_string())?)
    }
}
