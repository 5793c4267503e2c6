//! Faults and messages from errors of the server and the driver.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::fault::Fault;

/// Converts a driver error to a fault.
pub(super) fn fault(error: &Error) -> Fault {
    let Some(said) = error.as_db_error() else {
        return if error.is_closed() || is_io(error) {
            Fault::Unreachable(root(error))
        } else {
            Fault::Broken(root(error))
        };
    };
    let code = said.code();
    let is = |codes: &[SqlState]| codes.contains(code);
    if is(&[
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        // an insert of an existing row
        SqlState::UNIQUE_VIOLATION,
        // a row in an unexpected state, see `RowWrite`
        SqlState::DIVISION_BY_ZERO,
    ]) {
        return Fault::Contended;
    }
    if is(&[SqlState::DISK_FULL]) {
        return Fault::Full;
    }
    if is(&[SqlState::QUERY_CANCELED]) {
        return Fault::TooLong;
    }
    if is(&[SqlState::READ_ONLY_SQL_TRANSACTION]) {
        return Fault::Standby;
    }
    if is(&[SqlState::INSUFFICIENT_PRIVILEGE]) {
        return Fault::Forbidden(said.message().to_owned());
    }
    let named = || format!("{} ({})", said.message(), code.code());
    if is(&[SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME]) {
        return Fault::NoTable(named());
    }
    if is(&[SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT]) {
        return Fault::TableExists(named());
    }
    // error classes: connection, resources, operator intervention
    if ["08", "53", "57"].iter().any(|class| code.code().starts_with(class)) {
        // further lines are hints about the network
        return Fault::Unreachable(said.message().lines().next().unwrap_or_default().to_owned());
    }
    Fault::Broken(format!("the database says: {}", named()))
}

fn is_io(error: &Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        if inner.is::<std::io::Error>() {
            return true;
        }
        source = inner.source();
    }
    // the driver reports timeouts only as text
    error.to_string().contains("timed out") || error.to_string().contains("communicating")
}

/// Message of the innermost cause.
pub(super) fn root(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}

/// Returns whether a driver error has a server error code.
pub(super) fn has_code(error: &Error, code: &SqlState) -> bool {
    error.code() == Some(code)
}
