//! Pool of a process's connections to a server.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::fault::Fault;
use crate::store::postgres::kind::Kind;
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::Connection;
use parking_lot::{Mutex, MutexGuard};

/// Connections without a transaction, and the login that opens more.
pub(super) struct Pool {
    pub(super) login: Login,
    pub(super) kind: Kind,
    idle: Mutex<Vec<Connection>>,
    losses: AtomicU64,
}

impl Pool {
    pub(super) fn of(login: Login, kind: Kind) -> Self {
        Self { login, kind, idle: Mutex::default(), losses: AtomicU64::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock()
    }

    /// Number of connections found lost. After a loss another server may answer, without the last commits of the one
    /// before.
    pub(super) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Acquire)
    }

    fn note_loss(&self) {
        self.losses.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes the most recently used connection of the pool, or opens one.
    pub(super) fn take(&self) -> Result<Box<Connection>, Fault> {
        let last = || self.idle().pop().map(Box::new);
        for connection in std::iter::from_fn(last) {
            if !connection.is_closed() {
                return Ok(connection);
            }
            self.note_loss();
        }
        self.connect_anew()
    }

    /// Opens a connection after one was lost, and drops the pooled ones, which are likely lost too.
    pub(super) fn replace(&self) -> Result<Box<Connection>, Fault> {
        self.note_loss();
        self.idle().clear();
        self.connect_anew()
    }

    fn connect_anew(&self) -> Result<Box<Connection>, Fault> {
        match Connection::open(&self.login) {
            Ok(connection) if connection.is_pooled => Err(Fault::Pooled),
            Ok(connection) => Ok(Box::new(connection)),
            Err(error) => Err(Fault::Unreachable(self.login.explain(&error).to_string())),
        }
    }

    /// Returns a connection to the pool.
    pub(super) fn give_back(&self, connection: Connection) {
        self.idle().push(connection);
    }
}
