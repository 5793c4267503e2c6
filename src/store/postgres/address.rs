//! Address of a server, as given and as the settings it stands for.

use tokio_postgres::Client;

use crate::store::postgres::connection_string::names_a_server;
use crate::store::postgres::login::Login;
use crate::store::postgres::login_error::LoginError;
use crate::store::postgres::settings::{Settings, Surroundings};

/// Server address as given; displayed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    spelled: String,
    settings: Settings,
}

impl Address {
    /// Parses `postgres://...` or `host=...`, with defaults from the environment and the usual
    /// files.
    pub fn parse(text: &str) -> Result<Self, LoginError> {
        let variable = |name: &str| std::env::var(name).ok();
        let around = Surroundings { variable: &variable };
        let settings = Settings::new(text, &around)?;
        Ok(Self { spelled: text.to_owned(), settings })
    }

    /// Returns a copy of the address that uses a schema.
    pub fn within(&self, schema: &str) -> Result<Self, LoginError> {
        let before = self.settings.options.as_deref().unwrap_or_default();
        let options = format!("{before} -c search_path={schema}");
        let spelled = if self.spelled.contains("://") {
            let joint = if self.spelled.contains('?') { '&' } else { '?' };
            let options = options.replace('%', "%25").replace(' ', "%20");
            let options = options.replace('=', "%3D").replace('&', "%26");
            format!("{}{joint}options={options}", self.spelled)
        } else {
            let options = options.replace('\\', r"\\").replace('\'', r"\'");
            format!("{} options='{options}'", self.spelled)
        };
        Self::parse(&spelled)
    }

    /// Opens a plain driver connection without session limits, for tables outside a house.
    ///
    /// # Errors
    /// Every problem with the server.
    pub async fn connect(&self) -> Result<(Client, impl Future<Output = ()> + use<>), LoginError> {
        let login = Login::new(self.settings.clone())?;
        let connected = login.connect().await;
        connected.map_err(|error| login.explain(&error))
    }

    pub(super) const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Address as written, possibly with a password.
    pub(in crate::store) fn spelled(&self) -> &str {
        &self.spelled
    }

    /// Returns whether a text names a server rather than a file.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        names_a_server(text)
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.settings, f)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.settings, f)
    }
}
