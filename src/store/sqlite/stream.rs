//! Writes on their way: while an operation decides what comes next, a second thread executes what the ones before
//! it have written, on the same connection and in the same transaction.
//!
//! Who asks anything else of the connection waits until all of it is executed. A transaction with few writes, like
//! one of a single command, never leaves its thread.

use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::execute;
use crate::store::{Fault, Rows, Value};

/// How many writes go to the second thread at once.
const WRITES_AT_ONCE: usize = 24;

/// A write that is to be executed.
struct Order {
    sql: String,
    params: Vec<Value<'static>>,
    rows: Rows,
}

enum Message {
    Orders(Vec<Order>),
    /// Answers whether everything before it was executed as it should be.
    Settle(SyncSender<Result<(), Fault>>),
}

/// A connection with the writes that are on their way to it.
#[derive(Debug)]
pub(super) struct Stream {
    connection: Arc<Mutex<Connection>>,
    waiting: Vec<Order>,
    /// Whether a write of this transaction was not executed as it should be.
    failed: Arc<AtomicBool>,
    /// Whether the second thread has had something since it was last waited for.
    under_way: bool,
    second: Option<Second>,
}

/// The second thread.
#[derive(Debug)]
struct Second {
    messages: Sender<Message>,
    thread: JoinHandle<()>,
}

impl std::fmt::Debug for Order {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.sql)
    }
}

impl Stream {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection: Arc::new(Mutex::new(connection)),
            waiting: Vec::new(),
            failed: Arc::default(),
            under_way: false,
            second: None,
        }
    }

    /// Puts another connection in the place of this; what was on its way is dropped.
    pub(super) fn replace(&mut self, connection: Connection) {
        self.forget();
        *lock(&self.connection) = connection;
    }

    /// The connection, with everything executed that was on its way.
    ///
    /// # Errors
    /// What a write met; then the transaction is no longer to be committed.
    pub(super) fn settled(&mut self) -> Result<MutexGuard<'_, Connection>, Fault> {
        self.settle()?;
        Ok(lock(&self.connection))
    }

    /// The connection as it is; for what rests on no write.
    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    /// Whether every write was executed so far as it should be.
    pub(super) fn is_well(&self) -> bool {
        !self.failed.load(Ordering::Acquire)
    }

    /// Whether the second thread may still be at work.
    pub(super) const fn is_under_way(&self) -> bool {
        self.under_way
    }

    /// Whether there is nothing to wait for.
    pub(super) const fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.under_way
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
        self.waiting.push(Order {
            sql: sql.to_owned(),
            params: params.iter().cloned().map(Value::into_owned).collect(),
            rows,
        });
        if self.waiting.len() >= WRITES_AT_ONCE {
            let orders = take(&mut self.waiting);
            self.send(Message::Orders(orders))?;
        }
        Ok(())
    }

    /// Drops what is on its way, before the transaction is taken back.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
        // what it met does not matter any more
        let _ = self.settle();
        self.failed.store(false, Ordering::Release);
    }

    fn settle(&mut self) -> Result<(), Fault> {
        let orders = take(&mut self.waiting);
        if !take(&mut self.under_way) {
            let done = carry_out(&lock(&self.connection), &orders);
            return done.inspect_err(|_| self.failed.store(true, Ordering::Release));
        }
        let (sender, receiver) = sync_channel(1);
        self.send(Message::Orders(orders))?;
        self.send(Message::Settle(sender))?;
        self.under_way = false;
        receiver.recv().unwrap_or_else(|_| Err(gone()))
    }

    fn send(&mut self, message: Message) -> Result<(), Fault> {
        self.under_way = true;
        let second = match self.second.take() {
            Some(second) => second,
            None => Second::start(&self.connection, &self.failed)?,
        };
        let sent = second.messages.send(message).map_err(|_| gone());
        self.second = Some(second);
        sent
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(Second { messages, thread }) = self.second.take() {
            drop(messages);
            // a thread that panicked has told so already
            let _ = thread.join();
        }
    }
}

impl Second {
    fn start(connection: &Arc<Mutex<Connection>>, failed: &Arc<AtomicBool>) -> Result<Self, Fault> {
        let (messages, received) = channel();
        let (connection, failed) = (Arc::clone(connection), Arc::clone(failed));
        let thread = std::thread::Builder::new()
            .name("willcall-statements".into())
            .spawn(move || follow(&received, &connection, &failed))
            .map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(Self { messages, thread })
    }
}

/// Executes what comes, until something is not as it should be; from then on nothing, until that was told.
fn follow(received: &Receiver<Message>, connection: &Mutex<Connection>, failed: &AtomicBool) {
    let mut met = Ok(());
    for message in received {
        match message {
            Message::Orders(orders) if met.is_ok() => {
                met = carry_out(&lock(connection), &orders);
                if met.is_err() {
                    failed.store(true, Ordering::Release);
                }
            }
            Message::Orders(_) => {}
            // whoever asked is there until it is answered
            Message::Settle(asked) => drop(asked.send(std::mem::replace(&mut met, Ok(())))),
        }
    }
}

fn carry_out(connection: &Connection, orders: &[Order]) -> Result<(), Fault> {
    for order in orders {
        let changed = execute(connection, &order.sql, &order.params)?;
        if order.rows == Rows::One && changed != 1 {
            return Err(Fault::Contended);
        }
    }
    Ok(())
}

fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gone() -> Fault {
    Fault::Broken("the thread that executes statements has ended".into())
}
