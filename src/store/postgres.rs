//! Database on a PostgreSQL server, shared by stations on many machines.
//!
//! Safety rules: REPEATABLE READ with conditions on versions; an operation's writes and its commit
//! in one round trip, or in two on a distributed server, whose rows are counted in between; the
//! server's clock; a time limit on every statement; and the outcome of a commit without an answer is
//! looked up only after the server has stopped working on it.
//!
//! # Invariants
//! - No password is in an error, a log, or the text of a place.

use std::sync::Arc;
use std::time::{Duration, Instant};

mod address;
mod bell;
mod connection_string;
mod distributed;
mod fault;
mod findings;
mod kind;
mod line;
mod login;
mod login_error;
mod pool;
mod reader;
mod routed;
mod session;
mod settings;
mod tls;
mod wire;

pub use address::Address;
pub use distributed::recipe;
pub use login_error::LoginError;

use crate::domain::ids::CommandId;
use crate::store::fault::{Fault, Missing};
use crate::store::port::{Bell, Database, Misplaced, Reader, Session};
use crate::store::postgres::bell::PgBell;
use crate::store::postgres::kind::Kind;
use crate::store::postgres::line::ServerLine;
use crate::store::postgres::login::Login;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::reader::PgReader;
use crate::store::postgres::session::PgSession;
use crate::store::postgres::wire::{Connection, NOW, Part};
use crate::store::schema;
use crate::store::value::Row;

/// Oldest supported server version.
const SERVER_LEAST: i64 = 130_000;

/// Writing connections of a process, each opened by its first station. Fewer write larger batches, which cost the server
/// less for each command; several decide while others wait for their flush.
const WRITERS: usize = 4;

/// Most commands per transaction: after a conflict all of them run again.
const BATCH_MAX: usize = 32;

/// Time limit of an outage.
const PATIENCE: Duration = Duration::from_secs(30);

/// Least delay between a commit and its notice.
const SETTLE: Duration = Duration::from_millis(25);

/// Most attempts when several processes migrate at once.
const TRIES_MAX: u32 = 20;

/// Tables that may have had words of a customer.
const SCRUBBED: [&str; 10] =
    ["booking", "cart", "customer", "event", "job", "job_run", "keep", "receipt", "series", "work"];

/// House on a server.
pub struct PgServer {
    pool: Arc<Pool>,
    /// Payload suffix that identifies this process's own NOTIFYs.
    own: String,
    /// Server time in milliseconds when the house was opened, with the local moment.
    opened: (i64, Instant),
}

impl PgServer {
    /// Opens or creates a house, and migrates its schema.
    ///
    /// # Errors
    /// Every problem with a server, as [`LoginError`].
    pub fn open(address: &Address, missing: Missing) -> Result<Self, LoginError> {
        let login = Login::new(address.settings().clone())?;
        let mut connection = Connection::open(&login).map_err(|error| login.explain(&error))?;
        let place = login.settings.to_string();
        let other = |fault: Fault| LoginError::Other { place: place.clone(), problem: fault.said() };
        if connection.is_pooled {
            return Err(LoginError::Pooled(place));
        }
        let found = ServerFacts::ask(&mut connection);
        if matches!(found, Err(Fault::Forbidden(_) | Fault::NoTable(_))) {
            return Err(login.no_rights("it may not read it"));
        }
        let ServerFacts { version, kind, schema: found, now, unfit } = found.map_err(other)?;
        if let Some(unfit) = unfit {
            return Err(unfit(place));
        }
        if version.1 < SERVER_LEAST {
            return Err(LoginError::OldServer { place, found: version.0 });
        }
        let known = schema::known_version();
        if found > known {
            return Err(LoginError::NewerSchema { place, found, known });
        }
        if found == 0 && missing == Missing::Refuse {
            return Err(LoginError::Missing { place });
        }
        if schema::is_moved_from(found) && missing == Missing::Refuse {
            return Err(LoginError::Older { place });
        }
        if connection.reads_only {
            return Err(LoginError::Standby(place));
        }
        let pool = Arc::new(Pool::of(login, kind));
        pool.give_back(connection);
        let server = Self { pool, own: CommandId::random().to_string(), opened: (now, Instant::now()) };
        if found < known {
            server.migrate()?;
        }
        Ok(server)
    }

    fn migrate(&self) -> Result<(), LoginError> {
        let mut session = PgSession::on(Arc::clone(&self.pool));
        let mut tries = 0..TRIES_MAX;
        loop {
            match session.migrate() {
                Ok(()) => return Ok(()),
                // another process creates the same table at once
                Err(Fault::Contended) if tries.next().is_some() => {}
                Err(fault) => return Err(self.explain(&fault)),
            }
        }
    }

    fn explain(&self, fault: &Fault) -> LoginError {
        let place = self.pool.login.settings.to_string();
        let problem = fault.said();
        if matches!(fault, Fault::Forbidden(_) | Fault::NoTable(_)) {
            self.pool.login.no_rights("it may not make tables there")
        } else if matches!(fault, Fault::TableExists(_)) {
            LoginError::Foreign { place, problem }
        } else {
            LoginError::Other { place, problem }
        }
    }
}

impl Database for PgServer {
    fn session(&self) -> Result<Box<dyn Session>, Fault> {
        Ok(Box::new(PgSession::on(Arc::clone(&self.pool))))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, Fault> {
        let pool = Arc::clone(&self.pool);
        Ok(Box::new(PgReader::on(pool, self.own.clone())))
    }

    fn writers(&self) -> usize {
        WRITERS
    }

    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn tells_of_commits(&self) -> bool {
        false
    }

    fn bell(&self) -> Result<Option<Box<dyn Bell>>, Fault> {
        match PgBell::open(&self.pool.login, &self.own)? {
            Some(bell) => Ok(Some(Box::new(bell))),
            None => Ok(None),
        }
    }

    fn findings(&self) -> Result<Vec<String>, Fault> {
        self.try_out()
    }

    fn distribute(&self) -> Result<(), Fault> {
        self.spread()
    }

    fn misplaced(&self) -> Result<Vec<Misplaced>, Fault> {
        self.unspread()
    }

    fn scrub(&self) -> Result<(), Fault> {
        let mut line = ServerLine::on(Arc::clone(&self.pool));
        for table in SCRUBBED {
            let rewrite = format!("VACUUM FULL {table}");
            for given in line.send_alone(&[Part::Plain(&rewrite)])? {
                given?;
            }
        }
        Ok(())
    }

    fn settle(&self) -> Duration {
        SETTLE
    }

    fn batch_max(&self) -> usize {
        BATCH_MAX
    }

    fn now_millis(&self) -> Result<Option<i64>, Fault> {
        let (then, opened) = self.opened;
        let since = i64::try_from(opened.elapsed().as_millis()).unwrap_or(i64::MAX);
        Ok(Some(then.saturating_add(since)))
    }
}

fn answer(connection: &mut Connection, text: &str) -> Result<Option<Row>, Fault> {
    let given = connection.send(&[Part::Prepared(text, &[])])?;
    let (rows, _) = given.into_iter().next().unwrap_or(Ok((Vec::new(), 0)))?;
    Ok(rows.into_iter().next())
}

/// Answers of a server about itself and its house, from one round trip.
struct ServerFacts {
    /// Server version, as text and as a number.
    version: (String, i64),
    kind: Kind,
    /// Schema version; 0 if there is no house.
    schema: i64,
    /// Server time, in milliseconds.
    now: i64,
    /// Reason why a server with Citus serves no desk.
    unfit: Option<fn(String) -> LoginError>,
}

impl ServerFacts {
    fn ask(connection: &mut Connection) -> Result<Self, Fault> {
        let version = "SELECT current_setting('server_version'), CAST(current_setting('server_version_num') AS BIGINT), \
                       version(), (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'citus'), \
                       current_setting('citus.version', true)";
        let there = "SELECT COUNT(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                     WHERE c.relname = 'house_schema' AND (n.nspname = ANY (current_schemas(false)) \
                     OR n.nspname = ANY (string_to_array(replace(current_setting('search_path'), ' ', ''), ',')))";
        let asked = [version, there, NOW, schema::CURRENT].map(|text| Part::Prepared(text, &[]));
        let mut given = connection.send(&asked)?.into_iter();
        let mut row = || {
            let (rows, _) = given.next().unwrap_or(Ok((Vec::new(), 0)))?;
            Ok(rows.into_iter().next().unwrap_or(Row(Vec::new())))
        };
        let (version, there, now) = (row()?, row()?, row()?);
        let kind = Kind::of(version.text(2), version.text(3));
        let mut unfit: Option<fn(String) -> LoginError> = None;
        if matches!(kind, Kind::Citus(_)) {
            let group = "SELECT CAST(groupid AS BIGINT) FROM pg_catalog.pg_dist_local_group";
            if version.text(4).is_empty() {
                unfit = Some(LoginError::BareCitus);
            } else if answer(connection, group)?.is_some_and(|row| row.int(0) != 0) {
                unfit = Some(LoginError::Worker);
            }
        }
        Ok(Self {
            version: (version.text(0).to_owned(), version.int(1)),
            kind,
            unfit,
            schema: if there.int(0) == 0 { 0 } else { row()?.int(0) },
            now: now.int(0),
        })
    }
}
