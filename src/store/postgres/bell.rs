//! LISTEN connection, on servers with NOTIFY, by which stations announce their commits.
//!
//! Notifications are a hint: a notified station reads at once, any other polls ten times a second.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

use crate::store::fault::Fault;
use crate::store::port::Bell;
use crate::store::postgres::fault::fault;
use crate::store::postgres::login::Login;

/// NOTIFY channel. A database has one channel for all its houses, so each payload names the house.
pub(super) const CHANNEL: &str = "willcall";

/// Timeout for connecting and LISTEN.
const AGREES_WITHIN: Duration = Duration::from_secs(10);

/// Connection that only listens.
pub(super) struct PgBell {
    runtime: Option<Runtime>,
    client: Client,
    said: UnboundedReceiver<String>,
    /// Schema of this house, as in the payloads.
    house: String,
    /// Payload suffix that identifies this process's own NOTIFYs.
    own: String,
}

impl PgBell {
    /// Starts listening; `None` if the server has no LISTEN.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses for now.
    pub(super) fn open(login: &Login, own: &str) -> Result<Option<Self>, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Fault::Broken(error.to_string()))?;
        let (sender, said) = unbounded_channel();
        let (client, connection) = within(&runtime, login.listen(sender))?;
        runtime.spawn(connection);
        let house = within(&runtime, async {
            match client.batch_execute(&format!("LISTEN {CHANNEL}")).await {
                Err(error) if is_unknown(&error) => return Ok(None),
                listening => listening?,
            }
            let row = client.query_one("SELECT current_schema()", &[]).await?;
            row.try_get::<_, String>(0).map(Some)
        })?;
        Ok(house.map(|house| Self { runtime: Some(runtime), client, said, house, own: own.to_owned() }))
    }

    /// Returns whether a payload announces another process's commit in this house.
    fn is_meant(&self, said: &str) -> bool {
        said.rsplit_once('/').is_some_and(|(house, who)| house == self.house && who != self.own)
    }
}

/// Returns whether the server does not support the statement.
fn is_unknown(error: &Error) -> bool {
    let unknown = [SqlState::FEATURE_NOT_SUPPORTED, SqlState::SYNTAX_ERROR];
    error.code().is_some_and(|code| unknown.contains(code))
}

fn within<T>(runtime: &Runtime, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Fault> {
    let silent = || Fault::Unreachable("the server does not answer".into());
    let answer = runtime.block_on(async { tokio::time::timeout(AGREES_WITHIN, asked).await.ok() });
    answer.ok_or_else(silent)?.map_err(|error| fault(&error))
}

impl Bell for PgBell {
    fn hear(&mut self, longest: Duration) -> Result<bool, Fault> {
        let gone = || Fault::Unreachable("the connection is closed".into());
        let Some(runtime) = &self.runtime else {
            return Err(gone());
        };
        let until = Instant::now() + longest;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let said = &mut self.said;
            let word = runtime.block_on(async { tokio::time::timeout(left, said.recv()).await.ok() });
            match word {
                Some(Some(word)) if self.is_meant(&word) => break,
                Some(Some(_)) => {}
                Some(None) => return Err(gone()),
                None if self.client.is_closed() => return Err(gone()),
                None => return Ok(false),
            }
        }
        // one wake-up covers all queued notifications
        while self.said.try_recv().is_ok() {}
        Ok(true)
    }
}

impl Drop for PgBell {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // dropping a runtime blocks, which is forbidden in an async context
            runtime.shutdown_background();
        }
    }
}
