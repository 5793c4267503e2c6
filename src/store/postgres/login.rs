//! Being let in by a server, and what can go wrong with it, each in its own sentence.

use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::Fault;
use crate::store::postgres::Address;
use crate::store::postgres::fault::root;
use crate::store::postgres::settings::{Settings, SslMode};
use crate::store::postgres::tls;
use crate::store::postgres::wire::{Connection, has_code};

/// The house on a server cannot be opened. No sentence has a password in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LoginError {
    /// The address makes no sense.
    #[error("this is no address of a server: {0}. Write postgres://USER@HOST/DATABASE")]
    #[strum(serialize = "bad_address")]
    Address(String),
    /// The certificates that are to be trusted, or shown, are of no use.
    #[error("the certificates: {0}")]
    #[strum(serialize = "bad_certificates")]
    Certificates(String),
    /// Nobody has that name.
    #[error("no machine is known as {host}; check the host in {place}")]
    UnknownHost {
        /// The server.
        place: String,
        /// Its host.
        host: String,
    },
    /// Nobody answers.
    #[error(
        "no server answers at {place}: {problem}; check the host and the port, and that it runs"
    )]
    #[strum(serialize = "unreachable")]
    Silent {
        /// The server.
        place: String,
        /// The system's error.
        problem: String,
    },
    /// A password is asked for, and none was said.
    #[error("{place} asks for a password; put it into ~/.pgpass or PGPASSWORD{hint}")]
    NoPassword {
        /// The server.
        place: String,
        /// Why a passfile was not read.
        hint: String,
    },
    /// The password, or the role, is not let in.
    #[error("{place} does not let {user} in: {problem}; check the name and the password{hint}")]
    NotLetIn {
        /// The server.
        place: String,
        /// The role.
        user: String,
        /// The server's error.
        problem: String,
        /// Why a passfile was not read.
        hint: String,
    },
    /// There is no such database.
    #[error(
        "there is no database {dbname} on the server of {place}; have it made: createdb {dbname}"
    )]
    #[strum(serialize = "missing_database")]
    NoDatabase {
        /// The server.
        place: String,
        /// The database.
        dbname: String,
    },
    /// The role may not do what a house needs.
    #[error(
        "{user} may not do this in {place}: {problem}; have its owner run init, or grant what willcall help server lists"
    )]
    NoRights {
        /// The server.
        place: String,
        /// The role.
        user: String,
        /// The server's error.
        problem: String,
    },
    /// The server is too old.
    #[error(
        "the server of {place} is version {found}, and 13 is needed; update the server, or choose another"
    )]
    OldServer {
        /// The server.
        place: String,
        /// Its version.
        found: String,
    },
    /// The server stores nothing.
    #[error("{place}: {standby}", standby = Fault::Standby)]
    Standby {
        /// The server.
        place: String,
    },
    /// A secret way was asked for, and the server has none.
    #[error(
        "{place} speaks no TLS, and sslmode asks for it; have it set up there, or say sslmode=prefer where the way is safe"
    )]
    NoTls {
        /// The server.
        place: String,
    },
    /// The server lets nobody in who comes by an open way.
    #[error(
        "{place} lets {user} in by TLS only, and sslmode=disable asks for none; say sslmode=require, or better verify-full"
    )]
    NeedsTls {
        /// The server.
        place: String,
        /// The role.
        user: String,
    },
    /// The server is not who it should be.
    #[error("{place} cannot show who it is: {problem}; check sslrootcert and the host's name")]
    Untrusted {
        /// The server.
        place: String,
        /// The problem of its certificate.
        problem: String,
    },
    /// There is no house.
    #[error("there is no house in {place}; make one with: willcall --db {place} init")]
    #[strum(serialize = "missing_house")]
    Missing {
        /// The server.
        place: String,
    },
    /// Tables of another program are in the way.
    #[error("{place} has another program's tables ({problem}); choose an empty database")]
    #[strum(serialize = "foreign_database")]
    Foreign {
        /// The server.
        place: String,
        /// The tables in the way.
        problem: String,
    },
    /// A newer program made it.
    #[error(
        "the house in {place} was changed by a newer willcall (schema {found}, this one knows {known}); update this one"
    )]
    NewerSchema {
        /// The server.
        place: String,
        /// Its schema version.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// Something else.
    #[error("{place} cannot be opened: {problem}")]
    #[strum(serialize = "not_openable")]
    Other {
        /// The server.
        place: String,
        /// The error.
        problem: String,
    },
}

impl LoginError {
    /// The error's one word, for programs.
    pub(in crate::store) fn word(&self) -> &'static str {
        self.into()
    }
}

impl LoginError {
    /// Whether the server or the way to it is at fault.
    pub(in crate::store) const fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::UnknownHost { .. } | Self::Silent { .. } | Self::Other { .. }
        )
    }
}

impl Address {
    /// A connection of the driver with no limits agreed, for tables that are no house's.
    ///
    /// # Errors
    /// Each thing that can be wrong with a server.
    pub async fn connect(&self) -> Result<(Client, impl Future<Output = ()> + use<>), LoginError> {
        let login = Login::new(self.settings.clone())?;
        let connected = login.connect().await;
        connected.map_err(|error| login.explain(&error))
    }
}

/// How to be let in, worked out once.
pub(super) struct Login {
    pub(super) settings: Settings,
    config: Config,
    tls: MakeRustlsConnect,
    /// The pool of connections without a transaction.
    idle: Mutex<Vec<Connection>>,
}

impl Login {
    /// From what was said.
    ///
    /// # Errors
    /// Certificates that are of no use.
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
            // a standby is passed over, and waited for like a server that is away until it is promoted
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

    /// A connection without a transaction: the one that was used last, or a new one.
    pub(super) fn take(&self) -> Result<Box<Connection>, Fault> {
        let last = || self.idle().pop().map(Box::new);
        let mut idle = std::iter::from_fn(last).filter(|connection| !connection.is_closed());
        idle.next().map_or_else(|| self.connect_anew(), Ok)
    }

    /// A new connection; the idle ones are as old as one that was lost, and go with it.
    pub(super) fn replace(&self) -> Result<Box<Connection>, Fault> {
        self.idle().clear();
        self.connect_anew()
    }

    fn connect_anew(&self) -> Result<Box<Connection>, Fault> {
        let connected = Connection::open(self).map(Box::new);
        connected.map_err(|error| Fault::Unreachable(self.explain(&error).to_string()))
    }

    /// Gives a connection back.
    pub(super) fn give_back(&self, connection: Connection) {
        self.idle().push(connection);
    }

    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, impl Future<Output = ()> + use<>), Error> {
        let (client, connection) = self.config.connect(self.tls.clone()).await?;
        Ok((client, async move {
            // the next statement meets a connection that ended
            let _ = connection.await;
        }))
    }

    /// The role is let in, and may not do something.
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
                    // nobody may be listening any more
                    let _ = said.send(word.payload().to_owned());
                }
            }
        }))
    }

    /// Why nobody was let in.
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
                LoginError::NoTls { place }
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
            return LoginError::Standby { place };
        }
        if problem.contains("lookup") {
            let host = self.settings.hosts.join(",");
            return LoginError::UnknownHost { place, host };
        }
        LoginError::Silent { place, problem }
    }

    /// Why a passfile was not read.
    fn hint(&self) -> String {
        let open: Option<&PathBuf> = self.settings.open_passfile.as_ref();
        open.map_or_else(String::new, |path| {
            let path = path.display();
            format!(" ({path} is not read while others may read it too: chmod 600 {path})")
        })
    }
}
