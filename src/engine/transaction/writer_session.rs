//! Writing connection with the head of its journal chain and the flush of its last commit.

use std::sync::mpsc::{Receiver, TryRecvError};

use super::batch::Batch;
use super::chain::ChainHead;
use crate::store::{Fault, Session};

/// Connection that one thread at a time writes with.
pub(super) struct WriterSession {
    pub(super) session: Box<dyn Session>,
    pub(super) chain: ChainHead,
    pub(super) flushing: Option<Flushing>,
}

/// Flush in flight.
pub(super) struct Flushing {
    flushed: Receiver<Result<(), Fault>>,
    /// Its result, once it is known.
    outcome: Option<Result<(), Fault>>,
}

impl Flushing {
    pub(super) const fn new(flushed: Receiver<Result<(), Fault>>) -> Self {
        Self { flushed, outcome: None }
    }
}

impl WriterSession {
    /// Writes the pending rows of a batch, its journal entries last.
    pub(super) fn write(&mut self, batch: &mut Batch) -> Result<(), Fault> {
        let (mut writes, entries) = batch.take();
        writes.extend(self.chain.link(self.session.as_mut(), entries)?);
        if writes.is_empty() {
            return Ok(());
        }
        self.session.write(writes)
    }

    pub(super) fn rollback(&mut self) {
        self.chain.forget();
        self.session.rollback();
    }

    /// Waits for the flush in flight.
    pub(super) fn flushed(&mut self) -> Result<(), Fault> {
        let Some(Flushing { flushed, outcome }) = self.flushing.take() else {
            return Ok(());
        };
        let wait = || flushed.recv().unwrap_or(Err(Fault::Unsure));
        outcome.unwrap_or_else(wait)
    }

    /// Returns whether a flush is in flight.
    pub(super) fn is_flushing(&mut self) -> bool {
        self.flushing.as_mut().is_some_and(|flushing| {
            if flushing.outcome.is_none() {
                flushing.outcome = match flushing.flushed.try_recv() {
                    Ok(flushed) => Some(flushed),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => Some(Err(Fault::Unsure)),
                };
            }
            flushing.outcome.is_none()
        })
    }
}
