//! Commands of the benchmarks, many in flight.

use std::sync::mpsc::channel;

use willcall::bench::BenchError;
use willcall::domain::ids::CommandId;
use willcall::engine::{Desk, Failure, Operation};

/// Submits operations, some hundred of them in flight, and hands each answer on.
pub(crate) fn submit_all<O: Operation>(
    desk: &Desk,
    in_flight: usize,
    operations: impl IntoIterator<Item = O>,
    mut take: impl FnMut(Result<O::Answer, Failure>) -> Result<(), Failure>,
) -> Result<(), BenchError> {
    let (sender, answers) = channel();
    let mut waiting = 0;
    for operation in operations {
        if waiting == in_flight {
            take(answers.recv().map_err(BenchError::part)?)?;
            waiting -= 1;
        }
        let sender = sender.clone();
        desk.submit(CommandId::random(), operation, move |answer| {
            // a benchmark that failed no longer listens
            let _ = sender.send(answer);
        });
        waiting += 1;
    }
    drop(sender);
    answers.into_iter().try_for_each(take).map_err(Into::into)
}
