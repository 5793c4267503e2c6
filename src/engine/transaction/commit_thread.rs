//! Thread that commits a batch while the next one is decided.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::store::dialect::Write;
use crate::store::{Fault, Session};

/// Batch to commit.
pub(super) struct Commit {
    pub(super) session: Box<dyn Session>,
    /// Change counter at which the batch was decided, if its transaction is still to begin.
    pub(super) begin_at: Option<i64>,
    pub(super) writes: Vec<Write>,
    /// Called after the commit.
    pub(super) stored: Box<dyn FnOnce() + Send>,
}

/// Returned connection, and the result of the commit.
type Done = (Box<dyn Session>, Result<(), Fault>);

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
        let Self {
            session,
            begin_at,
            writes,
            ..
        } = self;
        if let Some(changes) = begin_at {
            session.begin()?;
            if session.change_counter()? != *changes {
                return Err(Fault::Contended);
            }
        }
        session.write(std::mem::take(writes))?;
        session.commit()
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

    /// Waits for the commit sent last; returns its connection and result.
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
