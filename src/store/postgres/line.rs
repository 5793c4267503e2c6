//! Reconnection: takes a pooled connection on demand and replaces a closed one, but never within a
//! transaction, which owns its connection and is lost with it.
//!
//! # Invariants
//! - Statements of a transaction reach the server after its BEGIN, on the same connection, or not
//!   at all.

use std::sync::Arc;

use crate::store::fault::Fault;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::wire::{Backend, Connection, Given, Part};

/// State of a transaction.
pub(super) enum Transaction {
    /// No transaction.
    None,
    /// Requested: this BEGIN is sent with the first statement.
    Wanted(&'static str),
    /// Begun.
    Open(Box<Connection>),
    /// Ended by a statement, whose fault each later one gets: the server would only say that it ignores them. `None` if
    /// the connection was lost.
    Over(Option<Box<Connection>>, Fault),
}

/// At most one transaction, with its connection taken from the pool.
pub(super) struct ServerLine {
    pool: Arc<Pool>,
    /// Idle connection of a watcher, which does not return to the pool.
    own: Option<Box<Connection>>,
    /// Keep the connection outside the pool.
    is_watcher: bool,
    transaction: Transaction,
    /// Losses of connections before the decisions of the transaction; `None` if it rests on nothing older than itself.
    decided_at: Option<u64>,
    /// Server processes lost during a COMMIT, which they may still execute.
    lost: Vec<Backend>,
}

impl ServerLine {
    pub(super) const fn on(pool: Arc<Pool>) -> Self {
        Self { pool, own: None, is_watcher: false, transaction: Transaction::None, decided_at: None, lost: Vec::new() }
    }

    /// Keeps the connection outside the pool from now on, because a watcher polls at fixed
    /// intervals.
    pub(super) const fn watch(&mut self) {
        self.is_watcher = true;
    }

    /// Opens a connection if there is none.
    pub(super) fn open(&mut self) -> Result<(), Fault> {
        let idle = self.take()?;
        self.give_back(idle);
        Ok(())
    }

    fn take(&mut self) -> Result<Box<Connection>, Fault> {
        let own = self.own.take().filter(|own| !own.is_closed());
        own.map_or_else(|| self.pool.take(), Ok)
    }

    /// Returns a connection to the pool, or keeps it for a watcher.
    pub(super) fn give_back(&mut self, connection: Box<Connection>) {
        if self.is_watcher {
            self.own = Some(connection);
        } else {
            self.pool.give_back(*connection);
        }
    }

    /// Requests a transaction, which begins with its first statement.
    pub(super) fn want(&mut self, begin: &'static str) {
        self.transaction = Transaction::Wanted(begin);
        self.decided_at = None;
    }

    /// Lets decisions of the requested transaction rest on documents cached since the last loss of a connection; returns
    /// the number of losses.
    pub(super) fn decide_early(&mut self) -> u64 {
        *self.decided_at.insert(self.pool.losses())
    }

    /// Returns whether decisions of the requested transaction may rest on documents cached before.
    pub(super) const fn decides_early(&self) -> bool {
        self.decided_at.is_some()
    }

    /// Fails if a connection has been lost since decisions were made.
    pub(super) fn expect_same_server(&self) -> Result<(), Fault> {
        match self.decided_at {
            Some(losses) if losses != self.pool.losses() => Err(Fault::Contended),
            _ => Ok(()),
        }
    }

    /// Returns whether the next statement begins the transaction.
    pub(super) const fn is_wanted(&self) -> bool {
        matches!(self.transaction, Transaction::Wanted(_))
    }

    /// Returns whether the transaction has begun and its connection is not closed.
    pub(super) fn is_open(&self) -> bool {
        matches!(&self.transaction, Transaction::Open(connection) if !connection.is_closed())
    }

    /// Sends statements outside a transaction. An idle connection that died is detected here and
    /// replaced.
    pub(super) fn send_alone(&mut self, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        let (connection, given) = self.try_alone(parts)?;
        self.give_back(connection);
        Ok(given)
    }

    fn try_alone(&mut self, parts: &[Part<'_>]) -> Result<(Box<Connection>, Vec<Given>), Fault> {
        let mut connection = self.take()?;
        let mut given = connection.send(parts);
        if is_lost(&given) {
            connection = self.pool.replace()?;
            given = connection.send(parts);
        }
        match given {
            Ok(given) => Ok((connection, given)),
            Err(fault) => {
                self.keep(connection, &fault);
                Err(fault)
            }
        }
    }

    /// Keeps a connection after a fault, unless it is lost.
    fn keep(&mut self, connection: Box<Connection>, fault: &Fault) {
        if !matches!(fault, Fault::Unreachable(_)) {
            self.give_back(connection);
        }
    }

    /// Sends statements in the transaction, and begins it first if necessary.
    pub(super) fn send(&mut self, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        match std::mem::replace(&mut self.transaction, Transaction::None) {
            over @ (Transaction::None | Transaction::Over(..)) => Err(self.stay(over)),
            Transaction::Wanted(begin) => {
                self.transaction = Transaction::Wanted(begin);
                self.begin(begin, parts)
            }
            Transaction::Open(mut connection) => {
                let given = connection.send(parts);
                self.go_on(connection, first_fault(&given));
                given
            }
        }
    }

    /// Begins the transaction. If BEGIN fails, results of the statements sent with it are
    /// discarded: they ran outside.
    fn begin(&mut self, begin: &'static str, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        let mut all = Vec::with_capacity(parts.len() + 1);
        all.push(Part::Plain(begin));
        all.extend_from_slice(parts);
        let (mut connection, mut given) = self.try_alone(&all)?;
        let outcome = begun(given.remove(0), &connection);
        if let Err(fault) = outcome.and_then(|()| self.expect_same_server()) {
            // BEGIN may have been done, and the next one to use this connection would be within
            connection.send_off("ROLLBACK");
            self.keep(connection, &fault);
            return Err(fault);
        }
        let given = Ok(given);
        self.go_on(connection, first_fault(&given));
        given
    }

    fn go_on(&mut self, connection: Box<Connection>, fault: Option<Fault>) {
        self.transaction = match fault {
            None => Transaction::Open(connection),
            Some(fault @ Fault::Unreachable(_)) => Transaction::Over(None, fault),
            Some(fault) => Transaction::Over(Some(connection), fault),
        };
    }

    /// Ends the open transaction by a fault found in its answers.
    pub(super) fn fail(&mut self, fault: &Fault) {
        let before = std::mem::replace(&mut self.transaction, Transaction::None);
        if let Transaction::Open(connection) = before {
            self.go_on(connection, Some(fault.clone()));
        } else {
            self.transaction = before;
        }
    }

    /// Leaves a transaction as it is, and returns what a statement in it gets.
    fn stay(&mut self, over: Transaction) -> Fault {
        let fault = if let Transaction::Over(_, fault) = &over { fault.clone() } else { no_transaction() };
        self.transaction = over;
        fault
    }

    /// Sends the transaction's last statements and its COMMIT.
    ///
    /// # Errors
    /// [`Fault::Unsure`] if COMMIT may have reached the server and its answer was lost; after any
    /// other fault nothing is stored.
    pub(super) fn commit(&mut self, parts: Vec<Part<'_>>) -> Result<(), Fault> {
        let (mut connection, begin) = match std::mem::replace(&mut self.transaction, Transaction::None) {
            over @ (Transaction::None | Transaction::Over(..)) => return Err(self.stay(over)),
            Transaction::Wanted(begin) => {
                self.transaction = Transaction::Wanted(begin);
                let connection = self.take()?;
                self.expect_same_server()?;
                (connection, Some(begin))
            }
            Transaction::Open(connection) => (connection, None),
        };
        let mut all: Vec<Part<'_>> = begin.map(Part::Plain).into_iter().collect();
        all.extend(parts);
        all.push(Part::Plain("COMMIT"));
        if let Err(fault) = connection.prepare(&all) {
            if begin.is_none() {
                self.go_on(connection, Some(fault.clone()));
            } else {
                self.keep(connection, &fault);
            }
            return Err(fault);
        }
        self.transaction = Transaction::None;
        let given = connection.send_prepared(&all);
        if is_lost(&given) {
            self.lost.push(connection.backend.clone());
            return fate(given.map_err(|_| Fault::Unsure)?);
        }
        let fate = given.and_then(|mut given| {
            if begin.is_some() {
                begun(given.remove(0), &connection)?;
            }
            fate(given)
        });
        self.give_back(connection);
        fate
    }

    /// Rolls the transaction back; false if its connection was lost before.
    pub(super) fn end(&mut self) -> bool {
        match std::mem::replace(&mut self.transaction, Transaction::None) {
            Transaction::None | Transaction::Wanted(_) => true,
            Transaction::Over(None, _) => false,
            Transaction::Open(mut connection) | Transaction::Over(Some(mut connection), _) => {
                // later statements on this connection run after it
                connection.send_off("ROLLBACK");
                self.give_back(connection);
                true
            }
        }
    }

    /// Reconnects. Returns the server processes that may still execute lost statements.
    pub(super) fn reopen(&mut self) -> Result<(Box<Connection>, &mut Vec<Backend>), Fault> {
        let before = std::mem::replace(&mut self.transaction, Transaction::None);
        if let Transaction::Open(before) | Transaction::Over(Some(before), _) = before {
            self.lost.push(before.backend.clone());
        }
        let connection = self.pool.replace()?;
        Ok((connection, &mut self.lost))
    }
}

/// Returns whether the connection was lost while statements were in flight.
fn is_lost(given: &Result<Vec<Given>, Fault>) -> bool {
    matches!(first_fault(given), Some(Fault::Unreachable(_)))
}

/// First fault of a round trip, or that of a lost connection.
fn first_fault(given: &Result<Vec<Given>, Fault>) -> Option<Fault> {
    let Ok(given) = given else {
        return given.as_ref().err().cloned();
    };
    let faults = || given.iter().filter_map(|given| given.as_ref().err());
    faults().find(|fault| matches!(fault, Fault::Unreachable(_))).or_else(|| faults().next()).cloned()
}

/// Result of a BEGIN.
fn begun(given: Given, connection: &Connection) -> Result<(), Fault> {
    match given {
        Err(Fault::Broken(_)) if connection.reads_only => Err(Fault::Standby),
        given => given.map(|_| ()),
    }
}

/// Result of a transaction, from the results of its statements and its COMMIT.
fn fate(given: Vec<Given>) -> Result<(), Fault> {
    let writes = given.len().saturating_sub(1);
    for (given, place) in given.into_iter().zip(0..) {
        match given {
            Ok(_) => {}
            Err(Fault::Unreachable(_)) => return Err(Fault::Unsure),
            // a transaction that failed at or before its COMMIT has stored nothing
            Err(fault @ (Fault::Contended | Fault::Full)) => return Err(fault),
            Err(fault) if place < writes => return Err(fault),
            Err(_) => return Err(Fault::Unsure),
        }
    }
    Ok(())
}

fn no_transaction() -> Fault {
    Fault::Broken("no transaction was begun".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Cluster;
    use crate::store::postgres::address::Address;
    use crate::store::postgres::kind::Kind;
    use crate::store::postgres::login::Login;

    #[test]
    fn a_transaction_that_is_void_from_its_begin_leaves_its_connection_to_the_next() {
        let Some(cluster) = Cluster::start("") else {
            return;
        };
        let address = Address::parse(&cluster.address("public")).unwrap();
        let pool = Arc::new(Pool::of(Login::new(address.settings().clone()).unwrap(), Kind::One));
        let mut line = ServerLine::on(Arc::clone(&pool));
        line.want("BEGIN");
        line.decide_early();
        drop(pool.replace().unwrap());
        let given = line.send(&[Part::Plain("SELECT 1 / 0")]);
        assert_eq!(given.map(drop), Err(Fault::Contended), "a connection was lost meanwhile");
        let given = line.send_alone(&[Part::Plain("SELECT 1")]).unwrap();
        assert!(given.iter().all(Result::is_ok), "{given:?}");
    }
}
