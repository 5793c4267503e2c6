//! Tests of a server's abilities, described in sentences.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::fault::Fault;
use crate::store::port::{Bell as _, Reader as _};
use crate::store::postgres::bell::PgBell;
use crate::store::postgres::kind::Kind;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::reader::PgReader;
use crate::store::postgres::wire::Part;
use crate::store::postgres::{PgServer, answer};

/// Longest wait for a notification.
const PASSED_ON_WITHIN: Duration = Duration::from_secs(2);

impl PgServer {
    /// Tests the abilities that a house uses.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub(super) fn try_out(&self) -> Result<Vec<String>, Fault> {
        Ok(vec![
            self.who()?,
            snapshots(&self.pool)?,
            self.tells()?,
            log(&self.pool),
            durable(self)?,
            "Advisory locks, exclusion constraints and SKIP LOCKED are not needed.".into(),
        ])
    }

    /// Tests whether notifications of commits arrive.
    fn tells(&self) -> Result<String, Fault> {
        let by_looking = "Other stations find a commit by looking, ten times a second: this server passes no word on (LISTEN and NOTIFY).";
        let mut bell = match PgBell::open(&self.pool.login, "nobody") {
            Ok(Some(bell)) => bell,
            Err(fault @ Fault::Unreachable(_)) => return Err(fault),
            Ok(None) | Err(_) => return Ok(by_looking.into()),
        };
        self.asker().ring()?;
        let asked = Instant::now();
        while asked.elapsed() < PASSED_ON_WITHIN {
            if bell.hear(PASSED_ON_WITHIN)? {
                return Ok("Other stations hear of a commit at once (LISTEN and NOTIFY).".into());
            }
        }
        Ok(by_looking.into())
    }

    fn who(&self) -> Result<String, Fault> {
        let mut connection = self.pool.take()?;
        let said = answer(&mut connection, "SELECT version()")?;
        let said = said.map_or_else(String::new, |row| row.text(0).to_owned());
        Ok(match &self.pool.kind {
            Kind::Other(name) => {
                format!(
                    "The server is {name}, on which willcall was not run: {said}. Each statement goes to one machine."
                )
            }
            Kind::Citus(version) => format!(
                "The server has Citus {version}: each statement goes to one machine. willcall server distribute spreads an \
                 empty house, and willcall server check looks how it lies."
            ),
            Kind::One => {
                let words: Vec<&str> = said.split_whitespace().take(2).collect();
                format!("The server is {}.", words.join(" "))
            }
        })
    }

    fn asker(&self) -> PgReader {
        PgReader::on(Arc::clone(&self.pool), self.own.clone())
    }
}

fn snapshots(pool: &Pool) -> Result<String, Fault> {
    let mut connection = pool.take()?;
    let given = connection.send(&[
        Part::Plain("BEGIN ISOLATION LEVEL REPEATABLE READ"),
        Part::Prepared("SELECT current_setting('transaction_isolation')", &[]),
        Part::Plain("ROLLBACK"),
    ])?;
    let mut level = String::new();
    for given in given {
        if let Some(row) = given?.0.first() {
            row.text(0).clone_into(&mut level);
        }
    }
    Ok(match level.as_str() {
        "repeatable read" | "serializable" | "snapshot" => {
            format!("A transaction sees one snapshot ({level}).")
        }
        other => format!(
            "A transaction sees no snapshot ({other} where repeatable read was asked for): do not share this house."
        ),
    })
}

/// Tests whether polling for commits is cheap.
fn log(pool: &Pool) -> String {
    let position = "SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)";
    let found = pool.take().and_then(|mut connection| answer(&mut connection, position));
    if matches!(found, Ok(Some(_))) {
        "It says how far it has written, so looking whether there is anything new costs next to nothing."
    } else {
        "It does not say how far it has written, so looking for anything new reads the journal's end."
    }
    .into()
}

fn durable(server: &PgServer) -> Result<String, Fault> {
    let damage = server.asker().damage()?;
    Ok(if damage.is_empty() {
        "What is shown as done survives a loss of power.".into()
    } else {
        format!("Not durable: {}.", damage.join("; "))
    })
}
