//! Errors of opening a house on a server, each with its own sentence.

use crate::store::fault::Fault;

/// Error of opening a house on a server. No sentence contains a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LoginError {
    /// The address is malformed.
    #[error("this is no address of a server: {0}. Write postgres://USER@HOST/DATABASE")]
    #[strum(serialize = "bad_address")]
    Address(String),
    /// The root or client certificates are unusable.
    #[error("the certificates: {0}")]
    #[strum(serialize = "bad_certificates")]
    Certificates(String),
    /// The host name is unknown.
    #[error("no machine is known as {host}; check the host in {place}")]
    UnknownHost {
        /// Server.
        place: String,
        /// Host.
        host: String,
    },
    /// The server does not answer.
    #[error("no server answers at {place}: {problem}; check the host and the port, and that it runs")]
    #[strum(serialize = "unreachable")]
    Silent {
        /// Server.
        place: String,
        /// Error of the system.
        problem: String,
    },
    /// The server answers that it is full, starting or being stopped.
    #[error("{place} answered, and lets nobody in now: {problem}; try again in a moment")]
    #[strum(serialize = "unreachable")]
    Stopped {
        /// Server.
        place: String,
        /// Error of the server.
        problem: String,
    },
    /// The server requires a password, and none is set.
    #[error("{place} asks for a password; put it into ~/.pgpass or PGPASSWORD{hint}")]
    NoPassword {
        /// Server.
        place: String,
        /// Reason why a passfile was not read.
        hint: String,
    },
    /// The server rejects the role or its password.
    #[error("{place} does not let {user} in: {problem}; check the name and the password{hint}")]
    NotLetIn {
        /// Server.
        place: String,
        /// Role.
        user: String,
        /// Error of the server.
        problem: String,
        /// Reason why a passfile was not read.
        hint: String,
    },
    /// The database does not exist.
    #[error("there is no database {dbname} on the server of {place}; have it made: createdb {dbname}")]
    #[strum(serialize = "missing_database")]
    NoDatabase {
        /// Server.
        place: String,
        /// Database.
        dbname: String,
    },
    /// The role lacks a permission.
    #[error(
        "{user} may not do this in {place}: {problem}; have its owner run init, or grant what willcall help server lists"
    )]
    NoRights {
        /// Server.
        place: String,
        /// Role.
        user: String,
        /// Error of the server.
        problem: String,
    },
    /// The server is too old.
    #[error("the server of {place} is version {found}, and 13 is needed; update the server, or choose another")]
    OldServer {
        /// Server.
        place: String,
        /// Version.
        found: String,
    },
    /// The server is a read-only standby.
    #[error("{0}: {standby}", standby = Fault::Standby)]
    Standby(String),
    /// The server is a machine of a Citus that keeps part of the rows.
    #[error("{0} is a worker of a Citus, whose desks would not hear of one another; name its coordinator with --db")]
    Worker(String),
    /// The server has the extension of Citus, and runs without its library.
    #[error(
        "{0} has the extension citus and runs without its library, so that it would find none of the rows on its machines; start it with shared_preload_libraries = 'citus'"
    )]
    BareCitus(String),
    /// A connection pooler shares sessions.
    #[error("{0}: {pooled}", pooled = Fault::Pooled)]
    Pooled(String),
    /// TLS is required, and the server has none.
    #[error(
        "{0} speaks no TLS, and sslmode asks for it; have it set up there, or say sslmode=prefer where the way is safe"
    )]
    NoTls(String),
    /// The server requires TLS, and it is disabled.
    #[error(
        "{place} lets {user} in by TLS only, and sslmode=disable asks for none; say sslmode=require, or better verify-full"
    )]
    NeedsTls {
        /// Server.
        place: String,
        /// Role.
        user: String,
    },
    /// The server's certificate is not trusted.
    #[error("{place} cannot show who it is: {problem}; check sslrootcert and the host's name")]
    Untrusted {
        /// Server.
        place: String,
        /// Problem of its certificate.
        problem: String,
    },
    /// The server's certificate is of a kind that cannot be checked.
    #[error(
        "{place} shows a certificate that cannot be checked ({problem}): have one of version 3 made that is not the authority's own, with the host's name (willcall help server), or say sslmode=prefer, which checks none, where the way is safe"
    )]
    Uncheckable {
        /// Server.
        place: String,
        /// Problem of its certificate.
        problem: String,
    },
    /// The database has no house.
    #[error("there is no house in {place}; make one with: willcall --db {place} init")]
    #[strum(serialize = "missing_house")]
    Missing {
        /// Server.
        place: String,
    },
    /// The house was made by an older program, and its journal has another form.
    #[error(
        "the house in {place} was made by an older willcall; stop its desks, take a backup (pg_dump, or backup by that willcall), then move it to this one: willcall --db {place} init"
    )]
    #[strum(serialize = "older_house")]
    Older {
        /// Server.
        place: String,
    },
    /// The database has tables of another program.
    #[error("{place} has another program's tables ({problem}); choose an empty database")]
    #[strum(serialize = "foreign_database")]
    Foreign {
        /// Server.
        place: String,
        /// Conflicting tables.
        problem: String,
    },
    /// The house was changed by a newer program.
    #[error(
        "the house in {place} was changed by a newer willcall (schema {found}, this one knows {known}); update this one"
    )]
    NewerSchema {
        /// Server.
        place: String,
        /// Schema version of the house.
        found: i64,
        /// Newest version known to this program.
        known: i64,
    },
    /// Any other problem.
    #[error("{place} cannot be opened: {problem}")]
    #[strum(serialize = "not_openable")]
    Other {
        /// Server.
        place: String,
        /// Error.
        problem: String,
    },
}

impl LoginError {
    /// Word for programs.
    pub(in crate::store) fn word(&self) -> &'static str {
        self.into()
    }
}

impl LoginError {
    /// Returns whether the server or the network is at fault.
    pub(in crate::store) const fn is_outage(&self) -> bool {
        matches!(self, Self::UnknownHost { .. } | Self::Silent { .. } | Self::Stopped { .. } | Self::Other { .. })
    }
}
