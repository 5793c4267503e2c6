//! Transactions on a connection: what is written waits for the commit, and goes with it.

use std::sync::Arc;

use std::time::{Duration, Instant};

use crate::store::document::DocKind;
use crate::store::postgres::DIALECT;
use crate::store::postgres::fault::TOO_LONG;
use crate::store::postgres::line::{Line, State};
use crate::store::postgres::login::Login;
use crate::store::postgres::waiting::{RELIED_AT_ONCE, Relied, Waiting};
use crate::store::postgres::wire::{Connection, Given, Part, STATEMENT_TIMEOUT};
use crate::store::{Fault, Row, Rows, Session, Sql, Value, schema};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// How long a lost commit's server process is waited for.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// A connection that writes.
pub(super) struct PgSession {
    line: Line,
    state: State,
    waiting: Vec<Waiting>,
    /// Whether documents may be read ahead of the transaction.
    ahead: bool,
    /// What was read ahead and is relied on, not yet named to the server.
    relied: Vec<Relied>,
    /// When statements have to be done.
    until: Option<Instant>,
    /// Nobody is told when others write, so nothing is known from one transaction to the next.
    pulse: i64,
    /// The server's process that may still be at work on a commit without an answer.
    lost: Option<(String, String)>,
}

impl PgSession {
    pub(super) const fn on(login: Arc<Login>, connection: Option<Connection>) -> Self {
        Self {
            line: Line { login, connection },
            state: State::None,
            waiting: Vec::new(),
            ahead: false,
            relied: Vec::new(),
            until: None,
            pulse: 0,
            lost: None,
        }
    }

    /// Brings the schema up to date; whoever comes meanwhile waits at the one row.
    ///
    /// # Errors
    /// A fault of the database; [`Fault::Contended`] when another was about to.
    pub(super) fn migrate(&mut self) -> Result<(), Fault> {
        // two that make the table at once are one too many
        self.plain(schema::CREATE)?;
        self.execute(schema::FIRST, &[])?;
        self.plain("BEGIN ISOLATION LEVEL READ COMMITTED")?;
        self.state = State::Open;
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

    fn plain(&mut self, text: &str) -> Result<(), Fault> {
        let given = self.line.open()?.send(&[Part::Plain(text)])?;
        given.into_iter().try_for_each(|given| given.map(|_| ()))
    }

    /// Sends what waits, and then something else, in one round trip; gives what the last gave.
    fn ask(&mut self, last: &Part<'_>) -> Result<(Vec<Row>, u64), Fault> {
        let relied = self.relied();
        let waiting = self.in_order();
        let begins = self.state == State::Wanted;
        let left = self.left()?;
        let mut parts = Vec::with_capacity(waiting.len() + 3);
        if begins {
            parts.extend([Part::Plain(BEGIN), Part::Prepared(schema::CURRENT, &[])]);
            self.state = State::Open;
        }
        parts.extend(left.iter().map(|text| Part::Plain(text)));
        parts.extend(relied.iter().chain(&waiting).map(Waiting::part));
        parts.push(last.clone());
        let mut given = if begins {
            self.line.send_first(&parts)?
        } else {
            self.line.open()?.send(&parts)?
        }
        .into_iter();
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

    fn end(&mut self, text: &'static str) -> Result<(), Fault> {
        if self.state != State::Open {
            self.state = State::None;
            return Ok(());
        }
        self.state = State::None;
        self.plain(text)
    }
}

/// The answers to a transaction's first two statements: it has begun, and this program knows the schema.
fn refuse_newer(given: &mut impl Iterator<Item = Given>) -> Result<(), Fault> {
    let mut next = || given.next().unwrap_or(Ok((Vec::new(), 0)));
    next()?;
    let (rows, _) = next()?;
    schema::known(rows.first().map_or(0, |row| row.int(0)))
}

impl Sql for PgSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        Ok(self.ask(&Part::Prepared(sql, params))?.0)
    }
}

impl Session for PgSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.rollback();
        (self.until, self.ahead) = (None, false);
        self.line.open()?;
        self.state = State::Wanted;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        let mut relied = self.relied();
        let waiting = self.in_order();
        let mut parts = Vec::with_capacity(waiting.len() + 3);
        if self.state == State::Wanted {
            parts.push(Part::Plain(BEGIN));
            if relied.is_empty() {
                // nothing was read within, so whose schema it is was not asked yet
                relied.push(Relied::check(&[]));
            }
        }
        parts.extend(relied.iter().chain(&waiting).map(Waiting::part));
        parts.push(Part::Plain("COMMIT"));
        self.state = State::None;
        // what cannot be prepared was not sent, and what was sent and got no answer may be stored
        let given = self.line.open()?.send(&parts).map_err(unheard)?;
        let writes = given.len().saturating_sub(1);
        for (given, place) in given.into_iter().zip(0..) {
            match given {
                Ok(_) => {}
                Err(Fault::Unreachable(_)) => return Err(Fault::Unsure),
                Err(fault) if place < writes || is_known(&fault) => return Err(fault),
                Err(_) => return Err(Fault::Unsure),
            }
        }
        Ok(())
    }

    fn rollback(&mut self) {
        self.waiting.clear();
        self.relied.clear();
        // a connection that fails here is closed, and its transaction over
        let _ = self.end("ROLLBACK");
    }

    fn is_open(&self) -> bool {
        self.state != State::None
    }

    fn pulse(&mut self) -> Result<i64, Fault> {
        self.pulse += 1;
        Ok(self.pulse)
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        self.until = limit.map(|limit| Instant::now() + limit);
        if limit.is_none() && self.state == State::Open {
            let usual = STATEMENT_TIMEOUT.as_millis();
            self.ask(&Part::Plain(&format!(
                "SET LOCAL statement_timeout = {usual}"
            )))?;
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        (self.state, self.waiting) = (State::None, Vec::new());
        self.relied.clear();
        if let Some(lost) = self.line.connection.take() {
            self.lost = Some(lost.backend.clone());
        }
        let open = self.line.open()?;
        if let Some(lost) = &self.lost {
            end_backend(open, lost)?;
        }
        self.lost = None;
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
        if !self.ahead || self.state == State::Open || self.until.is_some() {
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
        for given in self.line.send_first(&parts)? {
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

/// A fault before anything was sent stays what it is; a server that fell silent leaves it open.
fn unheard(fault: Fault) -> Fault {
    if matches!(fault, Fault::Unreachable(_)) {
        Fault::Unsure
    } else {
        fault
    }
}

/// Whether a commit that failed so has certainly stored nothing.
const fn is_known(fault: &Fault) -> bool {
    matches!(fault, Fault::Contended | Fault::Full)
}

/// Ends the server's process that may still be at work on a lost commit, and waits until it is gone: what is
/// read from then on is how it ended.
fn end_backend(connection: &mut Connection, (pid, since): &(String, String)) -> Result<(), Fault> {
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
