//! A connection that heals: opened when it is needed, and anew when it was closed.

use std::sync::Arc;

use crate::store::Fault;
use crate::store::postgres::connect;
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::{Connection, Given, Part};

/// How far a transaction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// There is none.
    None,
    /// Asked for, and not begun before something is asked in it.
    Wanted,
    /// Begun.
    Open,
}

/// A connection that is opened when it is needed, and anew when it was closed.
pub(super) struct Line {
    pub(super) login: Arc<Login>,
    pub(super) connection: Option<Connection>,
}

impl Line {
    pub(super) fn open(&mut self) -> Result<&mut Connection, Fault> {
        if self.connection.as_ref().is_none_or(Connection::is_closed) {
            self.connection = Some(connect(&self.login)?);
        }
        let gone = || Fault::Unreachable("the connection is closed".into());
        self.connection.as_mut().ok_or_else(gone)
    }

    /// Sends what begins something. A connection that died while nobody used it is found out here, and replaced.
    pub(super) fn send_first(&mut self, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        let given = self.open()?.send(parts);
        let is_gone = |fault: &Fault| matches!(fault, Fault::Unreachable(_));
        let gone = match &given {
            Err(fault) => is_gone(fault),
            Ok(given) => given.iter().any(|given| given.as_ref().is_err_and(is_gone)),
        };
        if !gone {
            return given;
        }
        self.connection = None;
        self.open()?.send(parts)
    }
}
