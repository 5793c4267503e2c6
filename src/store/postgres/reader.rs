//! Connection that reads snapshots.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::fault::Fault;
use crate::store::journal::LAST_NUMBER;
use crate::store::port::{Reader, Sql};
use crate::store::postgres::bell::CHANNEL;
use crate::store::postgres::line::ServerLine;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::wire::{NOW, Part};
use crate::store::value::{Row, Value};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Selects the position of the write-ahead log, which moves a moment before a commit is visible.
const LOG_POSITION: &str = "SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)";

const NOTIFY: &str = "SELECT CAST(pg_notify($1, current_schema() || '/' || $2) AS TEXT)";

/// Delay before an unsupported query is retried.
const ASKED_AGAIN_AFTER: Duration = Duration::from_mins(1);

/// Query that PostgreSQL-compatible servers may not support. After a failure it is retried later,
/// because it may only have been canceled.
#[derive(Default)]
struct Optional {
    failed_at: Option<Instant>,
}

impl Optional {
    fn is_silent(&self) -> bool {
        self.failed_at.is_some_and(|at| at.elapsed() < ASKED_AGAIN_AFTER)
    }

    fn hear(&mut self, answer: Result<Vec<Row>, Fault>) -> Result<Option<Vec<Row>>, Fault> {
        match answer {
            Ok(rows) => Ok(Some(rows)),
            Err(fault @ Fault::Unreachable(_)) => Err(fault),
            Err(_) => {
                self.failed_at = Some(Instant::now());
                Ok(None)
            }
        }
    }
}

/// Connection that reads snapshots.
pub(super) struct PgReader {
    line: ServerLine,
    is_distributed: bool,
    /// Queries belong to an open snapshot.
    within: bool,
    /// Query of the log position.
    log: Optional,
    /// NOTIFY of commits.
    bell: Optional,
    /// Payload suffix that identifies this process's own NOTIFYs.
    own: String,
}

impl PgReader {
    pub(super) fn on(pool: Arc<Pool>, own: String) -> Self {
        let is_distributed = pool.kind.has_one_sequence();
        Self {
            line: ServerLine::on(pool),
            is_distributed,
            within: false,
            log: Optional::default(),
            bell: Optional::default(),
            own,
        }
    }
}

impl Sql for PgReader {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let parts = [Part::Prepared(sql, params)];
        let given = if self.within { self.line.send(&parts)? } else { self.line.send_alone(&parts)? };
        let mut answer = Vec::new();
        for given in given {
            answer = given?.0;
        }
        Ok(answer)
    }

    fn steady_millis(&mut self) -> Result<i64, Fault> {
        let rows = self.query(NOW, &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }

    fn is_distributed(&self) -> bool {
        self.is_distributed
    }
}

impl Reader for PgReader {
    fn begin(&mut self) -> Result<(), Fault> {
        self.end();
        self.line.want(BEGIN);
        self.within = true;
        Ok(())
    }

    fn end(&mut self) -> bool {
        self.within = false;
        self.line.end()
    }

    fn change_counter(&mut self) -> Result<Option<i64>, Fault> {
        self.line.watch();
        if self.log.is_silent() {
            return Ok(None);
        }
        // only commits move the one, where the coordinator's log moves by itself
        let counter = if self.is_distributed { LAST_NUMBER } else { LOG_POSITION };
        let answer = self.query(counter, &[]);
        let rows = self.log.hear(answer)?;
        Ok(rows.and_then(|rows| match rows.first()?.0.first()? {
            Value::Int(position) => Some(*position),
            Value::Null | Value::Text(_) | Value::Bytes(_) => None,
        }))
    }

    fn ring(&mut self) -> Result<(), Fault> {
        if self.bell.is_silent() {
            return Ok(());
        }
        let own = self.own.clone();
        let answer = self.query(NOTIFY, &[CHANNEL.into(), own.into()]);
        self.bell.hear(answer).map(|_| ())
    }

    fn tidy(&mut self) -> Result<(), Fault> {
        // the server checkpoints by itself
        Ok(())
    }

    fn damage(&mut self) -> Result<Vec<String>, Fault> {
        let mut damage = Vec::new();
        // commits are flushed regardless of the server's setting: each connection sets it
        for setting in ["fsync", "full_page_writes"] {
            let rows = self.query("SELECT current_setting($1)", &[setting.into()])?;
            if rows.first().is_some_and(|row| row.text(0) == "off") {
                damage.push(format!("the server runs with {setting} off: a power loss may damage it"));
            }
        }
        Ok(damage)
    }
}
