//! Login to a server, and its errors, each with its own sentence.

use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::fault::Fault;
use crate::store::postgres::Address;
use crate::store::postgres::fault::root;
use crate::store::postgres::settings::{Settings, SslMode};
use crate::store::postgres::tls;
use crate::store::postgres::wire::{Connection, has_code};

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
    #[error(
        "no server answers at {place}: {problem}; check the host and the port, and that it runs"
    )]
    #[strum(serialize = "unreachable")]
    Silent {
        /// Server.
        place: String,
        /// Error of the system.
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
    #[error(
        "there is no database {dbname} on the server of {place}; have it made: createdb {dbname}"
    )]
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
    #[error(
        "the server of {place} is version {found}, and 13 is needed; update the server, or choose another"
    )]
    OldServer {
        /// Server.
        place: String,
        /// Version.
        found: String,
    },
    /// The server is a read-only standby.
    #[error("{0}: {standby}", standby = Fault::Standby)]
    Standby(String),
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
    /// The database has no house.
    #[error("there is no house in {place}; make one with: willcall --db {place} init")]
    #[strum(serialize = "missing_house")]
    Missing {
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
        matches!(
            self,
            Self::UnknownHost { .. } | Self::Silent { .. } | Self::Other { .. }
        )
    }
}

impl Address {
    /// Opens a plain driver connection without session limits, for tables outside a house.
    ///
    /// # Errors
    /// Every problem with the server.
    pub async fn connect(&self) -> Result<(Client, impl Future<Output = ()> + use<>), LoginError> {
        let login = Login::new(self.settings.clone())?;
        let connected = login.connect().await;
        connected.map_err(|error| login.explain(&error))
    }
}

/// Settings prepared for the driver.
pub(super) struct Login {
    pub(super) settings: Settings,
    config: Config,
    tls: MakeRustlsConnect,
    /// Pool of connections without a transaction.
    idle: Mutex<Vec<Connection>>,
}

impl Login {
    /// Prepares settings for the driver.
    ///
    /// # Errors
    /// Unusable certificates.
    pub(super) fn new(settings: Settings) -> Result<Self, LoginError> {
        let mut config = Config::new();
        for host in &settings.hosts {
            config.host(host);
        }
        for port in &settings.ports {
            config.port(*port);
        }
        config
            .user(&settings.user)
            .dbname(&settings.dbname)
            .connect_timeout(settings.connect_timeout)
            .application_name(&settings.application_name)
            .keepalives_idle(std::time::Duration::from_secs(10))
            .ssl_mode(match settings.sslmode {
                _ if settings.is_local() => tokio_postgres::config::SslMode::Disable,
                SslMode::Disable => tokio_postgres::config::SslMode::Disable,
                SslMode::Prefer => tokio_postgres::config::SslMode::Prefer,
                SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => {
                    tokio_postgres::config::SslMode::Require
                }
            });
        if let Some(password) = &settings.password {
            config.password(password);
        }
        if let Some(options) = &settings.options {
            config.options(options);
        }
        if settings.hosts.len() > 1 {
            // a standby is skipped, and treated like an outage until it is promoted
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let tls = tls::connector(&settings)?;
        Ok(Self {
            settings,
            config,
            tls,
            idle: Mutex::default(),
        })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
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
        match Connection::open(self) {
            Ok(connection) if connection.is_pooled => Err(Fault::Pooled),
            Ok(connection) => Ok(Box::new(connection)),
            Err(error) => Err(Fault::Unreachable(self.explain(&error).to_string())),
        }
    }

    /// Returns a connection to the pool.
    pub(super) fn give_back(&self, connection: Connection) {
        self.idle().push(connection);
    }

    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, impl Future<Output = ()> + use<>), Error> {
        let (client, connection) = self.config.connect(self.tls.clone()).await?;
        Ok((client, async move {
            // the next statement detects a connection that ended
            let _ = connection.await;
        }))
    }

    /// Error for a role that may log in but lacks a permission.
    pub(super) fn no_rights(&self, problem: &str) -> LoginError {
        LoginError::NoRights {
            place: self.settings.to_string(),
            user: self.settings.user.clone(),
            problem: problem.to_owned(),
        }
    }

    /// Connects and forwards the payload of each NOTIFY to `said` as it arrives.
    pub(super) async fn listen(
        &self,
        said: UnboundedSender<String>,
    ) -> Result<(Client, impl Future<Output = ()> + use<>), Error> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        Ok((client, async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                if let AsyncMessage::Notification(word) = message {
                    // the listener may be gone
                    let _ = said.send(word.payload().to_owned());
                }
            }
        }))
    }

    /// Explains a failed login.
    pub(super) fn explain(&self, error: &Error) -> LoginError {
        let place = self.settings.to_string();
        let user = self.settings.user.clone();
        let hint = self.hint();
        let Some(said) = error.as_db_error() else {
            return self.explain_silence(error);
        };
        let problem = said.message().to_owned();
        let is = |code: &SqlState| has_code(error, code);
        if self.settings.sslmode == SslMode::Disable && problem.ends_with("no encryption") {
            return LoginError::NeedsTls { place, user };
        }
        if is(&SqlState::INVALID_PASSWORD) || is(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) {
            return LoginError::NotLetIn {
                place,
                user,
                problem,
                hint,
            };
        }
        if is(&SqlState::INVALID_CATALOG_NAME) {
            return LoginError::NoDatabase {
                place,
                dbname: self.settings.dbname.clone(),
            };
        }
        if is(&SqlState::INSUFFICIENT_PRIVILEGE) {
            return LoginError::NoRights {
                place,
                user,
                problem,
            };
        }
        if ["08", "53", "57"]
            .iter()
            .any(|class| said.code().code().starts_with(class))
        {
            return LoginError::Silent { place, problem };
        }
        LoginError::Other { place, problem }
    }

    fn explain_silence(&self, error: &Error) -> LoginError {
        let place = self.settings.to_string();
        let (problem, text) = (root(error), error.to_string());
        if text.contains("TLS") || text.contains("tls") {
            return if problem.contains("does not support TLS") {
                LoginError::NoTls(place)
            } else {
                LoginError::Untrusted { place, problem }
            };
        }
        if problem.contains("password missing") {
            return LoginError::NoPassword {
                place,
                hint: self.hint(),
            };
        }
        if problem.contains("does not allow writes") {
            return LoginError::Standby(place);
        }
        if problem.contains("lookup") {
            let host = self.settings.hosts.join(",");
            return LoginError::UnknownHost { place, host };
        }
        LoginError::Silent { place, problem }
    }

    /// Reason why a passfile was not read.
    fn hint(&self) -> String {
        let open: Option<&PathBuf> = self.settings.open_passfile.as_ref();
        open.map_or_else(String::new, |path| {
            let path = path.display();
            format!(" ({path} is not read while others may read it too: chmod 600 {path})")
        })
    }
}
