//! Login to a server: settings prepared for the driver, and the causes of a failure.

use std::future::poll_fn;
use std::path::PathBuf;

use tokio::sync::mpsc::UnboundedSender;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::postgres::fault::{has_code, root};
use crate::store::postgres::login_error::LoginError;
use crate::store::postgres::settings::{Settings, SslMode};
use crate::store::postgres::tls;

/// Connection of the driver.
type Wire = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// Problems of a certificate of a kind that cannot be checked, as rustls names them.
const UNCHECKABLE: [&str; 5] =
    ["UnsupportedCertVersion", "CaUsedAsEndEntity", "BadEncoding", "BadDer", "UnsupportedSignatureAlgorithm"];

/// Settings prepared for the driver.
pub(super) struct Login {
    pub(super) settings: Settings,
    config: Config,
    tls: MakeRustlsConnect,
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
        for address in &settings.addresses {
            config.hostaddr(*address);
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
                SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => tokio_postgres::config::SslMode::Require,
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
        Ok(Self { settings, config, tls })
    }

    pub(super) async fn connect(&self) -> Result<(Client, impl Future<Output = ()> + use<>), Error> {
        let (client, connection) = self.dial().await?;
        Ok((client, async move {
            // the next statement detects a connection that ended
            let _ = connection.await;
        }))
    }

    /// Connects; where encryption is only preferred, without it if the server does not let anybody in with it.
    async fn dial(&self) -> Result<(Client, Wire), Error> {
        let dialed = self.config.connect(self.tls.clone()).await;
        let Err(error) = dialed else {
            return dialed;
        };
        if self.settings.sslmode != SslMode::Prefer
            || !(is_of_tls(&error) || has_code(&error, &SqlState::INVALID_AUTHORIZATION_SPECIFICATION))
        {
            return Err(error);
        }
        let mut plain = self.config.clone();
        plain.ssl_mode(tokio_postgres::config::SslMode::Disable);
        plain.connect(self.tls.clone()).await.map_err(|_| error)
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
        let (client, mut connection) = self.dial().await?;
        Ok((client, async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
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
            return LoginError::NotLetIn { place, user, problem, hint };
        }
        if is(&SqlState::INVALID_CATALOG_NAME) {
            return LoginError::NoDatabase { place, dbname: self.settings.dbname.clone() };
        }
        if is(&SqlState::INSUFFICIENT_PRIVILEGE) {
            return LoginError::NoRights { place, user, problem };
        }
        if ["08", "53", "57"].iter().any(|class| said.code().code().starts_with(class)) {
            return LoginError::Stopped { place, problem };
        }
        LoginError::Other { place, problem }
    }

    fn explain_silence(&self, error: &Error) -> LoginError {
        let place = self.settings.to_string();
        let problem = root(error);
        if is_of_tls(error) {
            return if problem.contains("does not support TLS") {
                LoginError::NoTls(place)
            } else if UNCHECKABLE.iter().any(|kind| problem.contains(kind)) {
                LoginError::Uncheckable { place, problem }
            } else {
                LoginError::Untrusted { place, problem }
            };
        }
        if problem.contains("password missing") {
            return LoginError::NoPassword { place, hint: self.hint() };
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

/// Returns whether a connection failed at its encryption.
fn is_of_tls(error: &Error) -> bool {
    let text = error.to_string();
    text.contains("TLS") || text.contains("tls")
}
