//! Storage of documents: the only layer that knows a database.
//!
//! A document is a row with a key, a version, a body, and a few indexed columns. Every write is
//! conditional on the loaded version. The store knows SQL types but no business rules.
//!
//! Writes are values ([`dialect::Write`]): a batch of commands is decided in memory, and written
//! once before its commit.
//!
//! # Invariants
//! - [`document`] makes all writes of documents, [`journal`] those of its entries, [`job`] those of jobs and events.
//! - Only [`dialect`] knows the SQL differences between the databases.

#![expect(missing_docs, reason = "fields and variants whose names say all")]

pub mod chunks;
pub mod dialect;
pub mod document;
mod fault;
pub mod job;
pub mod journal;
pub mod kinds;
pub mod moving;
pub mod output;
pub mod place;
mod port;
pub mod postgres;
pub mod presence;
pub mod schema;
pub mod sqlite;
mod tables;
pub mod trace;
mod value;
pub mod walk;

pub use fault::{Fault, Missing};
pub use place::{Location, OpenError};
pub use port::{Bell, Database, Flush, Misplaced, Reader, Session, Sql, boot_id, boot_millis};
pub use postgres::recipe as distribution;
pub use value::{Row, Value};
