//! Server connection: cached prepared statements, and any number of them pipelined in one round
//! trip.
//!
//! Each connection has a single-threaded runtime, driven by the calling thread while it waits, so
//! that no other thread has to wake up for an answer.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::TryStreamExt;
use tokio::runtime::Runtime;
use tokio_postgres::types::{BorrowToSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, Error, SimpleQueryMessage, Statement};

use crate::store::fault::Fault;
use crate::store::postgres::fault::fault;
use crate::store::postgres::login::Login;
use crate::store::trace;
use crate::store::value::{Row, Value};

/// Selects the server's time in milliseconds.
pub(super) const NOW: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

/// Most cached prepared statements; one more clears the cache.
const STATEMENTS_KEPT: usize = 256;

/// Time limit of a statement.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(15);

/// Time limit of a wait for a row lock.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Time without an answer after which the server counts as gone.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// Statement of a round trip.
#[derive(Clone, Debug)]
pub(super) enum Part<'a> {
    /// Text without result rows.
    Plain(&'a str),
    /// Prepared statement with its parameters.
    Prepared(&'a str, &'a [Value<'a>]),
    /// Prepared statement whose parameters are arrays, at least one value in each.
    Arrays(&'a str, Vec<Vec<&'a Value<'a>>>),
}

impl Part<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Prepared(text, _) | Self::Arrays(text, _) => text,
        }
    }

    /// Types of the parameters, which the server cannot infer for arrays.
    fn types(&self) -> Vec<Type> {
        match self {
            Self::Plain(_) | Self::Prepared(..) => Vec::new(),
            Self::Arrays(_, columns) => columns.iter().map(|column| array(column)).collect(),
        }
    }
}

/// Type of an array of values.
fn array(column: &[&Value<'_>]) -> Type {
    match column.first() {
        Some(Value::Int(_)) => Type::INT8_ARRAY,
        Some(Value::Bytes(_)) => Type::BYTEA_ARRAY,
        Some(Value::Text(_) | Value::Null) | None => Type::TEXT_ARRAY,
    }
}

/// Pending result of a statement.
type OnTheWay<'a> = Pin<Box<dyn Future<Output = Result<(Vec<Row>, u64), Error>> + 'a>>;

/// Server process: its id and start time.
pub(super) type Backend = (String, String);

/// Result of a statement: rows, and the number of rows affected.
pub(super) type Given = Result<(Vec<Row>, u64), Fault>;

pub(super) struct Connection {
    runtime: Option<Runtime>,
    client: Arc<Client>,
    /// Statements by text, prepared at their second use: preparing costs a round trip.
    statements: HashMap<String, Option<Statement>>,
    /// Server process of this connection.
    pub(super) backend: Backend,
    /// The server is a read-only standby.
    pub(super) reads_only: bool,
    /// The session began with the settings of an earlier one: a pooler shares sessions.
    pub(super) is_pooled: bool,
}

impl Connection {
    /// Connects, logs in, and sets the session's limits.
    ///
    /// # Errors
    /// The driver's error, from which [`super::LoginError`] is made.
    pub(super) fn open(login: &Login) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap_or_else(|error| unreachable!("a runtime without threads: {error}"));
        let (client, connection) = runtime.block_on(login.connect())?;
        runtime.spawn(connection);
        let mut open = Self {
            runtime: Some(runtime),
            client: Arc::new(client),
            statements: HashMap::new(),
            backend: Backend::default(),
            reads_only: false,
            is_pooled: false,
        };
        open.agree()?;
        Ok(open)
    }

    /// Sets the session's limits, flushed commits, and read-only transactions by default, so that a
    /// write without its BEGIN is refused; no parallel workers, which take longer to start than a query; and one connection
    /// to each machine of a distributed server, which prepares and commits each of them.
    fn agree(&mut self) -> Result<(), Error> {
        let agreed = format!(
            "SELECT current_setting('default_transaction_read_only') = 'on' \
             AND current_setting('idle_in_transaction_session_timeout') = '1min' \
             AND current_setting('client_min_messages') = 'warning' AS is_pooled; \
             SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = 60000; \
             SET client_min_messages = warning; SET default_transaction_read_only = on; \
             SELECT pg_backend_pid(), (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()), \
             current_setting('transaction_read_only'), \
             CASE WHEN current_setting('synchronous_commit', true) = 'off' THEN set_config('synchronous_commit', 'on', false) END, \
             CASE WHEN current_setting('max_parallel_workers_per_gather', true) <> '0' \
             THEN set_config('max_parallel_workers_per_gather', '0', false) END, \
             CASE WHEN current_setting('citus.max_adaptive_executor_pool_size', true) <> '1' \
             THEN set_config('citus.max_adaptive_executor_pool_size', '1', false) END",
            STATEMENT_TIMEOUT.as_millis(),
            LOCK_TIMEOUT.as_millis()
        );
        let Some(runtime) = &self.runtime else {
            return Ok(());
        };
        let said = trace::round_trip(std::iter::once(agreed.as_str()), || {
            runtime.block_on(self.client.simple_query(&agreed))
        })?;
        for message in said {
            if let SimpleQueryMessage::Row(row) = message {
                if let Ok(Some(is_pooled)) = row.try_get("is_pooled") {
                    self.is_pooled = is_pooled == "t";
                    continue;
                }
                let text = |column| row.get(column).unwrap_or_default().to_owned();
                self.backend = (text(0), text(1));
                // state at the start of these statements
                self.reads_only = text(2) == "on";
            }
        }
        Ok(())
    }

    /// Returns whether the connection is known to be closed.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Sends all statements at once and returns their results, in order.
    ///
    /// # Errors
    /// A statement cannot be prepared.
    pub(super) fn send(&mut self, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        self.prepare(parts)?;
        self.send_prepared(parts)
    }

    /// Sends statements already passed to [`Self::prepare`], like [`Self::send`].
    pub(super) fn send_prepared(&self, parts: &[Part<'_>]) -> Result<Vec<Given>, Fault> {
        let Self { client, statements, .. } = self;
        let prepared = |text: &str| statements.get(text).and_then(Option::as_ref);
        let mut on_the_way: Vec<OnTheWay<'_>> = Vec::with_capacity(parts.len());
        for part in parts {
            on_the_way.push(match part {
                Part::Plain(text) => Box::pin(async {
                    client.batch_execute(text).await?;
                    Ok((Vec::new(), 0))
                }),
                Part::Prepared(text, params) => {
                    let typed = params.iter().map(|value| (value, value.kind()));
                    Box::pin(run(client, (text, prepared(text)), typed))
                }
                Part::Arrays(text, columns) => {
                    let typed = columns.iter().map(|column| (column, array(column)));
                    Box::pin(run(client, (text, prepared(text)), typed))
                }
            });
        }
        let Some(runtime) = &self.runtime else {
            return Err(Fault::Unreachable("the connection is closed".into()));
        };
        let given = trace::round_trip(parts.iter().map(Part::text), || {
            runtime.block_on(async { tokio::time::timeout(ANSWER_TIMEOUT, in_order(on_the_way)).await })
        });
        match given {
            Ok(given) => Ok(given.into_iter().map(|given| given.map_err(|error| fault(&error))).collect()),
            Err(_) => Err(no_answer()),
        }
    }

    /// Prepares statements used for the second time, in one round trip; executes none.
    pub(super) fn prepare(&mut self, parts: &[Part<'_>]) -> Result<(), Fault> {
        if self.statements.len() > STATEMENTS_KEPT {
            self.statements.clear();
        }
        let mut again: Vec<(&str, Vec<Type>)> = Vec::new();
        for part in parts {
            let text = match part {
                Part::Plain(_) => continue,
                Part::Prepared(text, _) | Part::Arrays(text, _) => *text,
            };
            match self.statements.get(text) {
                None => drop(self.statements.insert(text.to_owned(), None)),
                Some(None) if again.iter().all(|(other, _)| *other != text) => {
                    again.push((text, part.types()));
                }
                Some(_) => {}
            }
        }
        let Some(runtime) = self.runtime.as_ref().filter(|_| !again.is_empty()) else {
            return Ok(());
        };
        let client = &self.client;
        let prepared = trace::round_trip(again.iter().map(|_| "PREPARE"), || {
            let prepared = again.iter().map(|(text, types)| Box::pin(client.prepare_typed(text, types)));
            let prepared = in_order(prepared.collect());
            runtime.block_on(async { tokio::time::timeout(ANSWER_TIMEOUT, prepared).await })
        });
        let prepared = prepared.map_err(|_| no_answer())?;
        for ((text, _), prepared) in again.into_iter().zip(prepared) {
            let prepared = prepared.map_err(|error| fault(&error))?;
            self.statements.insert(text.to_owned(), Some(prepared));
        }
        Ok(())
    }

    /// Sends a statement without waiting for its answer, which is read with the next one's.
    pub(super) fn send_off(&mut self, text: &'static str) {
        let Some(runtime) = &self.runtime else {
            return;
        };
        trace::sent_off(text);
        let client = Arc::clone(&self.client);
        runtime.block_on(async {
            tokio::spawn(async move { client.batch_execute(text).await });
            // the first yield passes the statement to the driver, the second one writes it
            for _ in 0..2 {
                tokio::task::yield_now().await;
            }
        });
    }
}

fn no_answer() -> Fault {
    Fault::Unreachable("the server does not answer".into())
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // dropping a runtime blocks, which is forbidden in an async context
            runtime.shutdown_background();
        }
    }
}

async fn run<P: BorrowToSql>(
    client: &Client,
    (text, prepared): (&str, Option<&Statement>),
    typed: impl ExactSizeIterator<Item = (P, Type)>,
) -> Result<(Vec<Row>, u64), Error> {
    let rows = if let Some(prepared) = prepared {
        let params = typed.map(|(value, _)| value);
        client.query_raw(prepared, params).await?
    } else {
        client.query_typed_raw(text, typed).await?
    };
    let mut rows = std::pin::pin!(rows);
    let mut found = Vec::new();
    while let Some(next) = rows.try_next().await? {
        found.push(row(&next)?);
    }
    Ok((found, rows.rows_affected().unwrap_or_default()))
}

/// Polls futures in order, so that their statements are sent in that order.
async fn in_order<F: Future + Unpin>(mut futures: Vec<F>) -> Vec<F::Output> {
    let mut given: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut waits = false;
        for (future, given) in futures.iter_mut().zip(&mut given) {
            if given.is_none() {
                match Pin::new(future).poll(context) {
                    Poll::Ready(output) => *given = Some(output),
                    Poll::Pending => waits = true,
                }
            }
        }
        if waits { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    given.into_iter().flatten().collect()
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    let value = |(place, column): (usize, &tokio_postgres::Column)| {
        let kind = column.type_();
        Ok(if *kind == Type::INT8 {
            row.try_get::<_, Option<i64>>(place)?.map_or(Value::Null, Value::Int)
        } else if *kind == Type::INT4 {
            row.try_get::<_, Option<i32>>(place)?.map_or(Value::Null, |number| Value::Int(i64::from(number)))
        } else if *kind == Type::BOOL {
            row.try_get::<_, Option<bool>>(place)?.map_or(Value::Null, |is| Value::Int(i64::from(is)))
        } else if *kind == Type::BYTEA {
            row.try_get::<_, Option<Vec<u8>>>(place)?.map_or(Value::Null, Value::Bytes)
        } else {
            row.try_get::<_, Option<String>>(place)?.map_or(Value::Null, Value::from)
        })
    };
    Ok(Row(row.columns().iter().enumerate().map(value).collect::<Result<_, Error>>()?))
}

impl Value<'_> {
    /// Parameter type of an unprepared statement.
    const fn kind(&self) -> Type {
        match self {
            Self::Null => Type::UNKNOWN,
            Self::Int(_) => Type::INT8,
            Self::Text(_) => Type::TEXT,
            Self::Bytes(_) => Type::BYTEA,
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Int(number) if *kind == Type::INT8 => number.to_sql(kind, out),
            Self::Int(_) => Err("a number where the database expects none".into()),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
