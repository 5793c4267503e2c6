//! Pool of a process's connections to a server.

use crate::store::fault::Fault;
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::Connection;
use parking_lot::{Mutex, MutexGuard};

/// Connections without a transaction, and the login that opens more.
pub(super) struct Pool {
    pub(super) login: Login,
    idle: Mutex<Vec<Connection>>,
}

impl Pool {
    pub(super) fn of(login: Login) -> Self {
        let idle = Mutex::default();
        Self { login, idle }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock()
    }

    /// Takes the most recently used connection of the pool, or opens one.
    pub(super) fn take(&self) -> Result<Box<Connection>, Fault> {
        let last = || self.idle().pop().map(Box::new);
        let mut idle = std::iter::from_fn(last).filter(|connection| !connection.is_closed());
        idle.next().map_or_else(|| self.connect_anew(), Ok)
    }

    /// Opens a connection after one was lost, and drops the pooled ones, which are likely lost too.
    pub(super) fn replace(&self) -> Result<Box<Connection>, Fault> {
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
