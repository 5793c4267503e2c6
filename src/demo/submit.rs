//! Submission of many operations at once.

use std::sync::mpsc::channel;

use crate::domain::ids::CommandId;
use crate::engine::{Desk, Failure, Operation};

/// Sends operations at once and waits for every answer, in order.
pub(super) fn all<O: Operation>(operations: impl Iterator<Item = (Desk, O)>) -> Result<Vec<O::Answer>, Failure> {
    let (sender, receiver) = channel();
    for (place, (desk, operation)) in operations.enumerate() {
        let sender = sender.clone();
        desk.submit(CommandId::random(), operation, move |answer| {
            // the furnishing thread waits for every answer
            let _ = sender.send((place, answer));
        });
    }
    drop(sender);
    let mut answers: Vec<_> = receiver.into_iter().collect();
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
