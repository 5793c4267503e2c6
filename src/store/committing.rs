//! A commit that takes its time beside whatever comes next.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::store::Fault;

/// A commit that is under way while the next transaction goes on.
#[derive(Debug)]
pub struct Committing {
    told: Receiver<Result<(), Fault>>,
    done: Option<Result<(), Fault>>,
}

impl Committing {
    /// A commit, and the way to tell what became of it; one of which nothing is told is of unknown fate.
    #[must_use]
    pub fn new() -> (Sender<Result<(), Fault>>, Self) {
        let (tell, told) = channel();
        (tell, Self { told, done: None })
    }

    /// Whether it is known what became of it.
    pub fn is_done(&mut self) -> bool {
        if self.done.is_none() {
            self.done = self.told.try_recv().ok();
        }
        self.done.is_some()
    }

    /// Waits until it is known.
    ///
    /// # Errors
    /// As a commit's: [`Fault::Unsure`] unless it is known that nothing was stored.
    pub fn wait(self) -> Result<(), Fault> {
        let Self { told, done } = self;
        done.unwrap_or_else(|| told.recv().unwrap_or(Err(Fault::Unsure)))
    }
}
