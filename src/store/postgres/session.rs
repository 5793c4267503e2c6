//! Transactions on a connection: what is written waits for the commit, and goes with it.

use std::sync::Arc;

use std::time::{Duration, Instant};

use crate::store::document::DocKind;
use crate::store::postgres::fault::TOO_LONG;
use crate::store::postgres::line::Line;
use crate::store::postgres::login::Login;
use crate::store::postgres::waiting::{RELIED_AT_ONCE, Relied, Waiting};
use crate::store::postgres::wire::{Backend, Connection, Given, Part, STATEMENT_TIMEOUT};
use crate::store::postgres::{DIALECT, NOW};
use crate::store::{Fault, Row, Rows, Session, Sql, Value, schema};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE";

/// Begins a migration: whoever waits for the one row sees what the one before has made.
const BEGIN_MIGRATION: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// How long a lost commit's server process is waited for.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// A connection that writes.
pub(super) struct PgSession {
    line: Line,
    waiting: Vec<Waiting>,
    /// Whether documents may be read ahead of the transaction.
    ahead: bool,
    /// What was read ahead and is relied on, not yet named to the server.
    relied: Vec<Relied>,
    /// When statements have to be done.
    until: Option<Instant>,
    /// Nobody is told when others write, so nothing is known from one transaction to the next.
    pulse: i64,
}

impl PgSession {
    pub(super) fn on(login: Arc<Login>, connection: Option<Connection>) -> Self {
        Self {
            line: Line::on(login, connection),
            waiting: Vec::new(),
            ahead: false,
            relied: Vec::new(),
            until: None,
            pulse: 0,
        }
    }

    /// Brings the schema up to date; whoever comes meanwhile waits at the one row.
    ///
    /// # Errors
    /// A fault of the database; [`Fault::Contended`] when another was about to.
    pub(super) fn migrate(&mut self) -> Result<(), Fault> {
        // two that make the table at once are one too many
        let made = self.line.send_alone(&[
            Part::Plain(BEGIN_MIGRATION),
            Part::Plain(schema::CREATE),
            Part::Plain(schema::FIRST),
            Part::Plain("COMMIT"),
        ])?;
        made.into_iter().try_for_each(|given| given.map(|_| ()))?;
        self.line.want(BEGIN_MIGRATION);
        let migrated = self
            .execute(schema::CLAIM, &[])
            .and_then(|_| schema::migrate(self, DIALECT));
        match migrated {
            Ok(()) => self.commit(),
            Err(fault) => {
                self.rollback();
                Err(fault)
            }
        }
    }

    /// Sends what waits, and then something else, in one round trip; gives what the last gave.
    fn ask(&mut self, last: &Part<'_>) -> Result<(Vec<Row>, u64), Fault> {
        let relied = self.relied();
        let waiting = self.in_order();
        let begins = self.line.is_wanted();
        let left = self.left()?;
        let mut parts = Vec::with_capacity(waiting.len() + 3);
        if begins {
            parts.push(Part::Prepared(schema::CURRENT, &[]));
        }
        parts.extend(left.iter().map(|text| Part::Plain(text)));
        parts.extend(relied.iter().chain(&waiting).map(Waiting::part));
        parts.push(last.clone());
        let mut given = self.line.send(&parts)?.into_iter();
        if begins {
            refuse_newer(&mut given)?;
        }
        let mut answer = (Vec::new(), 0);
        for given in given {
            answer = given.map_err(|fault| match left {
                Some(_) if fault == Fault::Broken(TOO_LONG.into()) => Fault::TooLong,
                _ => fault,
            })?;
        }
        Ok(answer)
    }

    /// Sets the limit to what is left of the time; `None` when there is no limit.
    fn left(&self) -> Result<Option<String>, Fault> {
        let Some(until) = self.until else {
            return Ok(None);
        };
        let left = until.saturating_duration_since(Instant::now()).as_millis();
        if left == 0 {
            return Err(Fault::TooLong);
        }
        Ok(Some(format!("SET LOCAL statement_timeout = {left}")))
    }

    fn in_order(&mut self) -> Vec<Waiting> {
        Waiting::in_order(std::mem::take(&mut self.waiting))
    }

    /// Whether a document was written by this transaction: then its version is sure.
    fn has_written(&self, kind: DocKind, key: &str) -> bool {
        let mut waiting = self.waiting.iter();
        waiting.any(|waiting| waiting.writes(kind, key))
    }

    /// The statements that fail when what is relied on has moved on.
    fn relied(&mut self) -> Vec<Waiting> {
        let relied = std::mem::take(&mut self.relied);
        relied.chunks(RELIED_AT_ONCE).map(Relied::check).collect()
    }
}

/// The answer to a transaction's first statement: this program knows the schema.
fn refuse_newer(given: &mut impl Iterator<Item = Given>) -> Result<(), Fault> {
    let (rows, _) = given.next().unwrap_or(Ok((Vec::new(), 0)))?;
    schema::known(rows.first().map_or(0, |row| row.int(0)))
}

impl Sql for PgSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        Ok(self.ask(&Part::Prepared(sql, params))?.0)
    }

    fn steady_millis(&mut self) -> Result<i64, Fault> {
        let rows = self.query(NOW, &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }
}

impl Session for PgSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.rollback();
        (self.until, self.ahead) = (None, false);
        self.line.open()?;
        self.line.want(BEGIN);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        let mut relied = self.relied();
        let waiting = self.in_order();
        if self.line.is_wanted() && relied.is_empty() {
            // nothing was read within, so whose schema it is was not asked yet
            relied.push(Relied::check(&[]));
        }
        let parts = relied.iter().chain(&waiting).map(Waiting::part);
        self.line.commit(parts.collect())
    }

    fn rollback(&mut self) {
        self.waiting.clear();
        self.relied.clear();
        // a transaction that was lost is over as well
        let _ = self.line.end();
    }

    fn is_open(&self) -> bool {
        self.line.is_wanted() || self.line.is_open()
    }

    fn pulse(&mut self) -> Result<i64, Fault> {
        self.pulse += 1;
        Ok(self.pulse)
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        self.until = limit.map(|limit| Instant::now() + limit);
        if limit.is_none() && self.line.is_open() {
            let usual = STATEMENT_TIMEOUT.as_millis();
            self.ask(&Part::Plain(&format!(
                "SET LOCAL statement_timeout = {usual}"
            )))?;
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.waiting.clear();
        self.relied.clear();
        let (connection, lost) = self.line.reopen()?;
        while let Some(backend) = lost.last() {
            end_backend(connection, backend)?;
            lost.pop();
        }
        Ok(())
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        let (_, changed) = self.ask(&Part::Prepared(sql, params))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    fn write(&mut self, sql: &str, params: &[Value<'_>], rows: Rows) -> Result<bool, Fault> {
        self.waiting.push(Waiting::new(sql, params, rows));
        Ok(true)
    }

    fn write_document(
        &mut self,
        (kind, key): (DocKind, &str),
        sql: &str,
        params: &[Value<'_>],
    ) -> Result<bool, Fault> {
        let waiting = Waiting::new(sql, params, Rows::One);
        self.waiting.push(waiting.of(kind, key));
        Ok(true)
    }

    fn read_ahead(&mut self) -> bool {
        self.ahead = true;
        true
    }

    fn look_up(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        if !self.ahead || !self.line.is_wanted() || self.until.is_some() {
            return self.query(sql, params);
        }
        // where something is written, the commit asks whether all of it stands
        let relied = if self.waiting.is_empty() {
            self.relied()
        } else {
            Vec::new()
        };
        let mut parts: Vec<Part<'_>> = relied.iter().map(Waiting::part).collect();
        parts.push(Part::Prepared(sql, params));
        let mut rows = Vec::new();
        for given in self.line.send_alone(&parts)? {
            rows = given?.0;
        }
        Ok(rows)
    }

    fn rely(&mut self, (kind, key): (DocKind, &str), version: i64) {
        // what this transaction writes is written on condition
        if self.ahead && !self.has_written(kind, key) {
            self.relied.push(Relied {
                kind,
                key: key.to_owned(),
                version,
            });
        }
    }
}

/// Ends the server's process that may still be at work on a lost commit, and waits until it is gone: what is
/// read from then on is how it ended.
fn end_backend(connection: &mut Connection, (pid, since): &Backend) -> Result<(), Fault> {
    let Ok(pid) = pid.parse::<i64>() else {
        return Ok(());
    };
    let params = [Value::from(pid), Value::from(since.as_str())];
    let text = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE CAST(pid AS BIGINT) = $1 AND CAST(backend_start AS TEXT) = $2";
    let asked = Instant::now();
    while asked.elapsed() < ENDS_WITHIN {
        let given = connection.send(&[Part::Prepared(text, &params)])?;
        let (rows, _) = given.into_iter().next().unwrap_or(Ok((Vec::new(), 0)))?;
        if rows.is_empty() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(Fault::Unreachable(
        "the server still works on a command whose answer was lost".into(),
    ))
}
