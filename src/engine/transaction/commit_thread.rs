//! Thread that commits a batch while the next one is decided.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::batch::Batch;
use super::journaled_session::JournaledSession;
use super::read_set::ReadSet;
use crate::store::Fault;

/// Batch to commit.
pub(super) struct Commit {
    pub(super) session: JournaledSession,
    pub(super) batch: Batch,
    /// Documents that the batch was decided on, if its transaction is still to begin.
    pub(super) read_set: ReadSet,
    /// Change counter at which they were current.
    pub(super) current_at: Option<i64>,
    /// Called after the commit.
    pub(super) stored: Box<dyn FnOnce() + Send>,
}

/// Returned session, and the result of the commit.
type Done = (JournaledSession, Result<(), Fault>);

/// Handle of the commit thread.
pub(super) struct CommitThread {
    commits: Option<Sender<Commit>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

impl Commit {
    fn run(mut self) -> Done {
        let committed = self.write();
        if committed.is_ok() {
            (self.stored)();
        } else {
            self.session.rollback();
        }
        (self.session, committed)
    }

    fn write(&mut self) -> Result<(), Fault> {
        if !self.session.begun {
            self.session.begin_after(&self.read_set, self.current_at)?;
        }
        self.session.send(&mut self.batch)?;
        self.session.commit()
    }
}

impl CommitThread {
    /// # Errors
    /// No thread can be started.
    pub(super) fn start() -> Result<Self, Fault> {
        let (commits, received) = channel::<Commit>();
        let (tell, done) = channel();
        let work = move || {
            for commit in received {
                // the writer may be gone
                let _ = tell.send(commit.run());
            }
        };
        let thread = std::thread::Builder::new()
            .name("willcall-commit".into())
            .spawn(work)
            .map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(Self {
            commits: Some(commits),
            done,
            thread: Some(thread),
        })
    }

    pub(super) fn send(&self, commit: Commit) {
        if let Some(commits) = &self.commits {
            // the thread lives as long as this handle
            let _ = commits.send(commit);
        }
    }

    /// Waits for the commit sent last; returns its session and result.
    pub(super) fn wait(&self) -> Done {
        self.done
            .recv()
            .unwrap_or_else(|_| unreachable!("the commit thread answers each commit"))
    }
}

impl Drop for CommitThread {
    fn drop(&mut self) {
        self.commits = None;
        if let Some(thread) = self.thread.take() {
            // a thread that panicked has already reported it
            let _ = thread.join();
        }
    }
}
