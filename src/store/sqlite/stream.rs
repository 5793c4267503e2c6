//! Writes on their way: while an operation decides what comes next, a second thread executes what the ones before
//! it have written, on the same connection and in the same transaction. It may also commit them, while the next
//! transaction's operations decide.
//!
//! Who asks anything else of the connection waits until all of it is executed. A transaction with few writes, like
//! one of a single command, never leaves its thread.

use std::mem::{replace, take};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::attached::Attached;
use super::orders::Orders;
use super::writing::Writing;
use crate::store::{Committing, Fault, Rows, Value};

/// How many writes go to the second thread at once.
const WRITES_AT_ONCE: usize = 24;

/// How many transactions have to begin with nobody else's commit between them before one begins while the last
/// commits: who shares the file with others would mostly begin in vain.
const ALONE_LEAST: u32 = 32;

enum Message {
    Orders(Orders),
    /// Answers whether everything before it was executed as it should be.
    Settle(SyncSender<Result<(), Fault>>),
    /// Commits what came before it, and begins again where that left off.
    Commit(Sender<Result<(), Fault>>),
}

/// A connection with the writes that are on their way to it.
#[derive(Debug)]
pub(super) struct Stream {
    shared: Arc<Shared>,
    waiting: Orders,
    /// Whether the second thread has had something since it was last waited for.
    under_way: bool,
    second: Option<Second>,
}

/// What both threads have.
#[derive(Debug)]
struct Shared {
    writing: Mutex<Writing>,
    /// Whether a write of this transaction was not executed as it should be.
    failed: AtomicBool,
    /// How many transactions have begun with nobody else's commit between them.
    alone: AtomicU32,
}

/// The second thread.
#[derive(Debug)]
struct Second {
    messages: Sender<Message>,
    /// Where the memory of what was executed comes back.
    spare: Receiver<Orders>,
    thread: JoinHandle<()>,
}

impl Shared {
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins, and counts for how long nobody else was met.
    fn begin(&self, how: impl FnOnce(&mut Writing) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut writing = self.writing();
        let before = writing.pulse();
        let begun = how(&mut writing);
        if begun.is_ok() && writing.pulse() == before {
            self.alone.fetch_add(1, Ordering::Relaxed);
        } else {
            self.alone.store(0, Ordering::Relaxed);
        }
        begun
    }

    fn carry_out(&self, orders: &Orders) -> Result<(), Fault> {
        let done = orders.carry_out(&self.writing().connection);
        done.inspect_err(|_| self.failed.store(true, Ordering::Release))
    }
}

impl Stream {
    pub(super) fn new(writing: Writing) -> Self {
        Self {
            shared: Arc::new(Shared {
                writing: Mutex::new(writing),
                failed: AtomicBool::new(false),
                alone: AtomicU32::new(0),
            }),
            waiting: Orders::default(),
            under_way: false,
            second: None,
        }
    }

    /// Puts another connection in the place of this; what was on its way is dropped.
    pub(super) fn replace(&mut self, connection: Attached) {
        self.forget();
        self.writing().replace(connection);
    }

    /// The connection, with everything executed that was on its way.
    ///
    /// # Errors
    /// What a write met; then the transaction is no longer to be committed.
    pub(super) fn settled(&mut self) -> Result<MutexGuard<'_, Writing>, Fault> {
        self.settle()?;
        Ok(self.writing())
    }

    /// The connection as it is; for what rests on no write.
    pub(super) fn writing(&self) -> MutexGuard<'_, Writing> {
        self.shared.writing()
    }

    /// Whether every write was executed so far as it should be.
    pub(super) fn is_well(&self) -> bool {
        !self.shared.failed.load(Ordering::Acquire)
    }

    /// Whether the second thread may still be at work.
    pub(super) const fn is_under_way(&self) -> bool {
        self.under_way
    }

    /// Whether there is nothing to wait for.
    pub(super) const fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.under_way
    }

    /// Waits its turn and begins.
    ///
    /// # Errors
    /// As [`Writing::begin`].
    pub(super) fn begin(&self) -> Result<(), Fault> {
        self.shared.begin(Writing::begin)
    }

    /// Commits on the second thread, which then begins again. `None` where little is to be committed, or somebody
    /// else would be met.
    pub(super) fn commit_beside(&mut self) -> Option<Committing> {
        if !self.under_way || self.shared.alone.load(Ordering::Relaxed) < ALONE_LEAST {
            return None;
        }
        let (tell, committing) = Committing::new();
        let orders = self.hand_over();
        // of what a thread that has ended was to do, nothing is told
        let _ = self
            .send(Message::Orders(orders))
            .and_then(|()| self.send(Message::Commit(tell)));
        Some(committing)
    }

    /// Sends a write on its way.
    ///
    /// # Errors
    /// The second thread cannot be started.
    pub(super) fn write(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        rows: Rows,
    ) -> Result<(), Fault> {
        self.waiting.push(sql, params, rows);
        if self.waiting.len() < WRITES_AT_ONCE {
            return Ok(());
        }
        let orders = self.hand_over();
        self.send(Message::Orders(orders))
    }

    /// What waits, in exchange for memory that came back.
    fn hand_over(&mut self) -> Orders {
        let spare = self
            .second
            .as_ref()
            .and_then(|second| second.spare.try_recv().ok());
        replace(&mut self.waiting, spare.unwrap_or_default())
    }

    /// Drops what is on its way, before the transaction is taken back.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
        // what it met does not matter any more
        let _ = self.settle();
        self.shared.failed.store(false, Ordering::Release);
    }

    /// Waits until everything is executed that was on its way.
    ///
    /// # Errors
    /// What a write met; then the transaction is no longer to be committed.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        if !take(&mut self.under_way) {
            let done = self.shared.carry_out(&self.waiting);
            self.waiting.clear();
            return done;
        }
        let (sender, receiver) = sync_channel(1);
        let orders = self.hand_over();
        self.send(Message::Orders(orders))?;
        self.send(Message::Settle(sender))?;
        self.under_way = false;
        receiver.recv().unwrap_or_else(|_| Err(gone()))
    }

    fn send(&mut self, message: Message) -> Result<(), Fault> {
        self.under_way = true;
        let second = match self.second.take() {
            Some(second) => second,
            None => Second::start(&self.shared)?,
        };
        let sent = second.messages.send(message).map_err(|_| gone());
        self.second = Some(second);
        sent
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(Second {
            messages, thread, ..
        }) = self.second.take()
        {
            drop(messages);
            // a thread that panicked has told so already
            let _ = thread.join();
        }
    }
}

impl Second {
    fn start(shared: &Arc<Shared>) -> Result<Self, Fault> {
        let (messages, received) = channel();
        let (give_back, spare) = channel();
        let shared = Arc::clone(shared);
        let thread = std::thread::Builder::new()
            .name("willcall-statements".into())
            .spawn(move || follow(&received, &shared, &give_back))
            .map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(Self {
            messages,
            spare,
            thread,
        })
    }
}

/// Executes what comes, until something is not as it should be; from then on nothing, until that was told.
fn follow(received: &Receiver<Message>, shared: &Shared, give_back: &Sender<Orders>) {
    let mut met = Ok(());
    for message in received {
        match message {
            Message::Orders(mut orders) => {
                if met.is_ok() {
                    met = shared.carry_out(&orders);
                }
                orders.clear();
                // whoever sent them may have gone
                let _ = give_back.send(orders);
            }
            // whoever asked is there until it is answered
            Message::Settle(asked) => drop(asked.send(replace(&mut met, Ok(())))),
            Message::Commit(asked) => {
                let committed = met.and_then(|()| shared.writing().commit());
                // who waits for it is told before the next turn is waited for
                let _ = asked.send(committed.clone());
                met = committed.and_then(|()| shared.begin(Writing::go_on));
                if met.is_err() {
                    shared.failed.store(true, Ordering::Release);
                }
            }
        }
    }
}

fn gone() -> Fault {
    Fault::Broken("the thread that executes statements has ended".into())
}
