//! Transactions on a connection: what is written waits for the commit, and goes with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::postgres::DIALECT;
use crate::store::postgres::fault::TOO_LONG;
use crate::store::postgres::line::{Line, State};
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::{Connection, Given, Part, STATEMENT_TIMEOUT};
use crate::store::{Fault, Row, Rows, Session, Sql, Value, schema};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// How long a lost commit's server process is waited for.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// A change that waits for the commit.
struct Waiting {
    text: String,
    params: Vec<Value<'static>>,
}

/// A connection that writes.
pub(super) struct PgSession {
    line: Line,
    state: State,
    waiting: Vec<Waiting>,
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
        self.plain(schema::CREATE).map_err(|fault| {
            // two made the table at once
            if matches!(&fault, Fault::Broken(problem) if problem.contains("23505")) {
                Fault::Contended
            } else {
                fault
            }
        })?;
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
        let waiting = std::mem::take(&mut self.waiting);
        let begins = self.state == State::Wanted;
        let left = self.left()?;
        let mut parts = Vec::with_capacity(waiting.len() + 3);
        if begins {
            parts.extend([Part::Plain(BEGIN), Part::Prepared(schema::CURRENT, &[])]);
            self.state = State::Open;
        }
        parts.extend(left.iter().map(|text| Part::Plain(text)));
        parts.extend(waiting.iter().map(Waiting::part));
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

    fn end(&mut self, text: &'static str) -> Result<(), Fault> {
        if self.state != State::Open {
            self.state = State::None;
            return Ok(());
        }
        self.state = State::None;
        self.plain(text)
    }
}

impl Waiting {
    fn part(&self) -> Part<'_> {
        Part::Prepared(&self.text, &self.params)
    }
}

/// The answers to a transaction's first two statements: it has begun, and this program knows the schema.
fn refuse_newer(given: &mut impl Iterator<Item = Given>) -> Result<(), Fault> {
    let mut next = || given.next().unwrap_or(Ok((Vec::new(), 0)));
    next()?;
    let (rows, _) = next()?;
    if rows.first().map_or(0, |row| row.int(0)) > schema::known_version() {
        Err(Fault::NewerSchema)
    } else {
        Ok(())
    }
}

impl Sql for PgSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        Ok(self.ask(&Part::Prepared(sql, params))?.0)
    }
}

impl Session for PgSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.rollback();
        self.until = None;
        self.line.open()?;
        self.state = State::Wanted;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        if self.state == State::Wanted {
            // nothing was read, so whose schema it is was not asked yet
            self.query(schema::CURRENT, &[])?;
        }
        let waiting = std::mem::take(&mut self.waiting);
        let mut parts: Vec<Part<'_>> = waiting.iter().map(Waiting::part).collect();
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
        let params = params
            .iter()
            .map(|value| value.clone().into_owned())
            .collect();
        let text = DIALECT.change(sql, rows);
        self.waiting.push(Waiting { text, params });
        Ok(true)
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
