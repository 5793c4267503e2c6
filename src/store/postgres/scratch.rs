//! A place of its own on a server, for a benchmark: a schema that goes when it is dropped.

use crate::store::Fault;
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::{FREE_WRITES, Part};
use crate::store::postgres::{Address, OpenError, connect};

/// A schema that nobody else uses.
pub struct Scratch {
    login: Login,
    name: String,
    address: Address,
}

impl Scratch {
    /// Makes a schema of that name on a server.
    ///
    /// # Errors
    /// The server does not let us in, or does not let us make it.
    pub fn new(server: &Address, name: &str) -> Result<Self, OpenError> {
        let login = Login::new(server.settings.clone())?;
        let made = Self {
            name: name.to_owned(),
            address: server.within(name)?,
            login,
        };
        made.run(&format!("CREATE SCHEMA {name}"))
            .map_err(|fault| OpenError::Other {
                place: server.to_string(),
                problem: fault.said(),
            })?;
        Ok(made)
    }

    /// Where a house in it is.
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.address
    }

    fn run(&self, text: &str) -> Result<(), Fault> {
        let given = connect(&self.login)?.send(&[Part::Plain(FREE_WRITES), Part::Plain(text)])?;
        given.into_iter().try_for_each(|given| given.map(|_| ()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // what cannot be dropped is nobody's house
        let _ = self.run(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

impl Address {
    /// The same server, with a schema of its own to work in.
    fn within(&self, schema: &str) -> Result<Self, OpenError> {
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
}
