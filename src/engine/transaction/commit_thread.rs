//! Threads that commit a batch, and flush it, while later ones are decided.
//!
//! A batch passes through three threads: the writer decides it, the commit thread writes its rows and commits, the flush
//! thread makes the commit durable and answers it. Each works on another batch at the same time. A commit waits for the
//! flush of the one before, so that after a failed flush nothing more is committed.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

use super::batch::Batch;
use super::writer_session::{Flushing, WriterSession};
use crate::store::{Fault, Flush};

/// Batch to commit.
pub(super) struct Commit {
    pub(super) connection: WriterSession,
    /// Change counter at which the batch was decided, if its transaction is still to begin.
    pub(super) begin_at: Option<i64>,
    pub(super) batch: Batch,
    /// Called after the flush.
    pub(super) stored: Box<dyn FnOnce() + Send>,
}

/// Returned connection, and the result of the commit; its flush may be in flight.
pub(super) type Committed = (WriterSession, Result<(), Fault>);

/// Handle of the commit thread.
pub(super) struct CommitThread {
    worker: Worker<Commit>,
    done: Receiver<Committed>,
}

/// Commit to flush.
struct Unflushed {
    flush: Flush,
    stored: Box<dyn FnOnce() + Send>,
    tell: Sender<Result<(), Fault>>,
}

/// Thread that does one thing after another, until its handle is dropped.
struct Worker<T> {
    sender: Option<Sender<T>>,
    thread: Option<JoinHandle<()>>,
}

impl Commit {
    fn run(mut self, flusher: &Worker<Unflushed>) -> Committed {
        let committed = match self.write() {
            Ok(flush) => {
                let (tell, told) = channel();
                self.connection.flushing = Some(Flushing::new(told));
                flusher.send(Unflushed { flush, stored: self.stored, tell });
                Ok(())
            }
            Err(fault) => {
                self.connection.rollback();
                Err(fault)
            }
        };
        (self.connection, committed)
    }

    fn write(&mut self) -> Result<Flush, Fault> {
        let written = self.write_rows();
        self.connection.flushed().and(written)?;
        self.connection.session.commit_unflushed()
    }

    fn write_rows(&mut self) -> Result<(), Fault> {
        let connection = &mut self.connection;
        if let Some(changes) = self.begin_at {
            connection.session.begin()?;
            if connection.session.change_counter()? != changes {
                return Err(Fault::Contended);
            }
        }
        connection.write(&mut self.batch)
    }
}

impl Unflushed {
    fn run(self) {
        let flushed = (self.flush)();
        if flushed.is_ok() {
            (self.stored)();
        }
        // the writer may be gone
        let _ = self.tell.send(flushed);
    }
}

impl CommitThread {
    /// # Errors
    /// No thread can be started.
    pub(super) fn start() -> Result<Self, Fault> {
        let flusher = Worker::start("willcall-flush", Unflushed::run)?;
        let (tell, done) = channel();
        let worker = Worker::start("willcall-commit", move |commit: Commit| {
            // the writer may be gone
            let _ = tell.send(commit.run(&flusher));
        })?;
        Ok(Self { worker, done })
    }

    pub(super) fn send(&self, commit: Commit) {
        self.worker.send(commit);
    }

    /// Returns the commit sent last, if it has ended.
    pub(super) fn done(&self) -> Option<Committed> {
        match self.done.try_recv() {
            Ok(committed) => Some(committed),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(self.wait()),
        }
    }

    /// Waits for the commit sent last.
    pub(super) fn wait(&self) -> Committed {
        self.done.recv().unwrap_or_else(|_| unreachable!("the commit thread answers each commit"))
    }
}

impl<T: Send + 'static> Worker<T> {
    fn start(name: &str, mut work: impl FnMut(T) + Send + 'static) -> Result<Self, Fault> {
        let (sender, received) = channel();
        let thread = std::thread::Builder::new()
            .name(name.into())
            .spawn(move || received.into_iter().for_each(&mut work))
            .map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    fn send(&self, work: T) {
        if let Some(sender) = &self.sender {
            // the thread lives as long as this handle
            let _ = sender.send(work);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // a thread that panicked has already reported it
            let _ = thread.join();
        }
    }
}
