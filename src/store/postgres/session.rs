//! Writing connection: writes and the read set are sent with the next statement, or with the
//! commit; rows of one table by one statement, or on a distributed server ([`routed`]) one of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::store::dialect::{Dialect, Write};
use crate::store::document::DocKind;
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::postgres::kind::{Kind, is_spread};
use crate::store::postgres::line::ServerLine;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::routed::{self, Routed};
use crate::store::postgres::wire::{Backend, Connection, Given, NOW, Part, STATEMENT_TIMEOUT};
use crate::store::schema;
use crate::store::value::{Row, Value};

/// Dialect of all servers.
const DIALECT: Dialect = Dialect::Postgres;

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE";

/// BEGIN of a migration: after waiting for the row lock it sees the migrations committed before.
const BEGIN_MIGRATION: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// Longest wait for the server process of a lost commit to end.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// Most rows written by one statement.
const ROWS_AT_ONCE: usize = 1000;

/// Connection that writes.
pub(super) struct PgSession {
    line: ServerLine,
    kind: Kind,
    /// Writes not sent yet.
    writes: Vec<Write>,
    /// Part of the read set not sent yet.
    expected: Vec<Expected>,
    /// The read set is checked within the transaction, because it writes.
    will_write: bool,
    /// Deadline of the statements.
    until: Option<Instant>,
    /// Counts transactions: the server does not tell whether another connection has committed.
    changes: i64,
}

impl PgSession {
    pub(super) fn on(pool: Arc<Pool>) -> Self {
        Self {
            kind: pool.kind.clone(),
            line: ServerLine::on(pool),
            writes: Vec::new(),
            expected: Vec::new(),
            will_write: false,
            until: None,
            changes: 0,
        }
    }

    /// Migrates the schema; other connections wait for the row lock.
    ///
    /// # Errors
    /// A fault of the database; [`Fault::Contended`] after a conflict with another migration.
    pub(super) fn migrate(&mut self) -> Result<(), Fault> {
        // creating the table twice at once is a conflict
        let made = self.line.send_alone(&[
            Part::Plain(BEGIN_MIGRATION),
            Part::Plain(schema::CREATE),
            Part::Plain(schema::FIRST),
            Part::Plain("COMMIT"),
        ])?;
        made.into_iter().try_for_each(|given| given.map(|_| ()))?;
        self.line.want(BEGIN_MIGRATION);
        let migrated = self.execute(schema::CLAIM, &[]).and_then(|_| schema::migrate(self, DIALECT));
        match migrated {
            Ok(()) => self.commit(),
            Err(fault) => {
                self.rollback();
                Err(fault)
            }
        }
    }

    /// Sends the read set, the writes, and a statement in one round trip; returns the statement's
    /// result.
    fn ask(&mut self, last: Option<&Part<'_>>) -> Result<(Vec<Row>, u64), Fault> {
        let outgoing = self.outgoing();
        let begins = self.line.is_wanted();
        let left = self.left()?;
        let mut parts = Vec::with_capacity(outgoing.len() + 3);
        if begins {
            parts.push(Part::Prepared(schema::CURRENT, &[]));
        }
        parts.extend(left.iter().map(|text| Part::Plain(text)));
        let before = parts.len();
        parts.extend(outgoing.parts());
        parts.extend(last.cloned());
        if parts.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let mut given = self.line.send(&parts)?.into_iter();
        if begins {
            refuse_newer(&mut given)?;
        }
        let mut answers: Vec<(Vec<Row>, u64)> = given.collect::<Result<_, _>>()?;
        let sent = answers.iter().skip(before.saturating_sub(usize::from(begins)));
        if !outgoing.is_met(sent) {
            self.line.fail(&Fault::Contended);
            return Err(Fault::Contended);
        }
        Ok(answers.pop().unwrap_or_default())
    }

    /// Takes the read set and the writes that were not sent yet.
    fn outgoing(&mut self) -> Outgoing {
        let (expected, writes) = (std::mem::take(&mut self.expected), std::mem::take(&mut self.writes));
        if self.kind.is_distributed() { Outgoing::routed(expected, &writes) } else { Outgoing::rows(expected, writes) }
    }

    /// Sets the statement timeout to the time left; `None` without a time limit.
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
}

/// Statements of a read set and of writes.
#[derive(Default)]
struct Outgoing {
    check: Option<Check>,
    /// Statements for a distributed server, in place of the writes.
    routed: Vec<Routed>,
    writes: Vec<Write>,
}

impl Outgoing {
    fn rows(expected: Vec<Expected>, writes: Vec<Write>) -> Self {
        let check = (!expected.is_empty()).then(|| Check::of(expected));
        Self { check, writes, ..Self::default() }
    }

    fn routed(expected: Vec<Expected>, writes: &[Write]) -> Self {
        let (spread, copied): (Vec<_>, Vec<_>) =
            expected.into_iter().partition(|expected| is_spread(expected.kind.word()));
        let check = (!copied.is_empty() || !spread.is_empty()).then(|| Check::of(copied));
        let versions = spread.into_iter().map(|one| Routed::version(one.kind, one.key, one.version));
        Self { check, routed: versions.chain(routed::writes(writes)).collect(), ..Self::default() }
    }

    fn len(&self) -> usize {
        self.routed.len() + self.writes.len() + usize::from(self.check.is_some())
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let check = self.check.iter().map(Check::part);
        check.chain(self.routed.iter().map(Routed::part)).chain(parts(&self.writes))
    }

    /// Returns whether answers, in order, are as each statement wants. Where the server compares, it fails itself.
    fn is_met<'a>(&self, answers: impl Iterator<Item = &'a (Vec<Row>, u64)>) -> bool {
        let answers = answers.skip(usize::from(self.check.is_some()));
        self.routed.iter().zip(answers).all(|(routed, answer)| routed.is_met(answer))
    }
}

/// Document version in the read set; 0 for absent.
struct Expected {
    kind: DocKind,
    key: String,
    version: i64,
}

/// Statement that fails if the schema is newer than this program, or a document has another version
/// than expected.
struct Check {
    text: String,
    /// Keys, then versions, of each kind.
    params: Vec<Vec<Value<'static>>>,
}

impl Check {
    fn of(expected: Vec<Expected>) -> Self {
        let mut kinds: BTreeMap<DocKind, BTreeSet<(String, i64)>> = BTreeMap::new();
        for one in expected {
            let versions = kinds.entry(one.kind).or_default();
            versions.insert((one.key, one.version));
        }
        let mut text =
            format!("SELECT 1 / CAST((SELECT version FROM house_schema WHERE id = 1) <= {}", schema::known_version());
        let mut params = Vec::with_capacity(kinds.len() * 2);
        for (kind, versions) in kinds {
            // writing to a String cannot fail
            let _ = write!(
                text,
                " AND NOT EXISTS (SELECT 1 FROM unnest(${}, ${}) AS expected (key, version) WHERE expected.version <> \
                 COALESCE((SELECT version FROM {} WHERE key = expected.key), 0))",
                params.len() + 1,
                params.len() + 2,
                kind.word()
            );
            let (keys, versions) =
                versions.into_iter().map(|(key, version)| (Value::from(key), Value::from(version))).unzip();
            params.extend([keys, versions]);
        }
        text.push_str(" AS INTEGER)");
        Self { text, params }
    }

    fn part(&self) -> Part<'_> {
        let arrays = self.params.iter().map(|values| values.iter().collect());
        Part::Arrays(&self.text, arrays.collect())
    }
}

/// Statements of writes: consecutive rows of one table are written by one.
fn parts(writes: &[Write]) -> impl Iterator<Item = Part<'_>> {
    let same = writes.chunk_by(|one, next| std::ptr::eq(one.row, next.row));
    same.flat_map(|same| same.chunks(ROWS_AT_ONCE)).flat_map(|some| {
        match (some, some.first().and_then(|one| one.row.rows())) {
            ([_, _, ..], Some(text)) => vec![Part::Arrays(text, arrays(some))],
            _ => some.iter().map(part).collect(),
        }
    })
}

fn part(write: &Write) -> Part<'_> {
    Part::Prepared(write.row.text(DIALECT), &write.params)
}

/// Array of each parameter's values.
fn arrays(writes: &[Write]) -> Vec<Vec<&Value<'static>>> {
    let length = writes.first().map_or(0, |one| one.params.len());
    let column = |number| {
        let values = writes.iter();
        values.filter_map(|one| one.params.get(number)).collect()
    };
    (0..length).map(column).collect()
}

/// Checks the result of a transaction's first statement: the schema version.
fn refuse_newer(given: &mut impl Iterator<Item = Given>) -> Result<(), Fault> {
    let (rows, _) = given.next().unwrap_or(Ok((Vec::new(), 0)))?;
    schema::known(rows.first().map_or(0, |row| row.int(0)))
}

impl Sql for PgSession {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        Ok(self.ask(Some(&Part::Prepared(sql, params)))?.0)
    }

    fn steady_millis(&mut self) -> Result<i64, Fault> {
        let rows = self.query(NOW, &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }

    fn is_distributed(&self) -> bool {
        self.kind.has_one_sequence()
    }
}

impl Session for PgSession {
    fn begin(&mut self) -> Result<(), Fault> {
        self.rollback();
        (self.until, self.will_write) = (None, false);
        self.line.open()?;
        self.line.want(BEGIN);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        if self.kind.is_distributed() {
            // the rows are counted here, so before the COMMIT
            self.ask(None)?;
        }
        let mut outgoing = self.outgoing();
        if self.line.is_wanted() && outgoing.check.is_none() {
            // nothing was read in the transaction, so the schema version is still to be checked
            outgoing.check = Some(Check::of(Vec::new()));
        }
        self.line.commit(outgoing.parts().collect())
    }

    fn rollback(&mut self) {
        self.writes.clear();
        self.expected.clear();
        // a lost transaction is over too
        let _ = self.line.end();
    }

    fn is_open(&self) -> bool {
        self.line.is_wanted() || self.line.is_open()
    }

    fn change_counter(&mut self) -> Result<i64, Fault> {
        self.changes += 1;
        Ok(self.changes)
    }

    fn limit(&mut self, limit: Option<Duration>) -> Result<(), Fault> {
        self.until = limit.map(|limit| Instant::now() + limit);
        if limit.is_none() && self.line.is_open() {
            let usual = STATEMENT_TIMEOUT.as_millis();
            self.ask(Some(&Part::Plain(&format!("SET LOCAL statement_timeout = {usual}"))))?;
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.writes.clear();
        self.expected.clear();
        let (mut connection, lost) = self.line.reopen()?;
        while let Some(backend) = lost.last() {
            end_backend(&mut connection, backend)?;
            lost.pop();
        }
        self.line.give_back(connection);
        Ok(())
    }

    fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<usize, Fault> {
        let (_, changed) = self.ask(Some(&Part::Prepared(sql, params)))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    fn define(&mut self, statements: &[String]) -> Result<(), Fault> {
        let parts: Vec<Part<'_>> = statements.iter().map(|statement| Part::Plain(statement)).collect();
        self.line.send(&parts)?.into_iter().try_for_each(|given| given.map(|_| ()))
    }

    fn number_journal_from(&mut self, next: i64) -> Result<(), Fault> {
        let set = "SELECT setval(pg_get_serial_sequence('journal', 'seq')::regclass, $1, false)";
        self.query(set, &[next.into()]).map(|_| ())
    }

    fn write(&mut self, writes: Vec<Write>) -> Result<(), Fault> {
        self.writes.extend(writes);
        Ok(())
    }

    fn read_optimistically(&mut self) -> Option<u64> {
        Some(self.line.decide_early())
    }

    fn read_committed(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        if !self.line.decides_early() || !self.line.is_wanted() || self.until.is_some() {
            return self.query(sql, params);
        }
        let writes = std::mem::take(&mut self.writes);
        let check = if self.will_write { Outgoing::default() } else { self.outgoing() };
        self.writes = writes;
        let mut parts: Vec<Part<'_>> = check.parts().collect();
        parts.push(Part::Prepared(sql, params));
        let given = self.line.send_alone(&parts)?;
        let mut answers: Vec<(Vec<Row>, u64)> = given.into_iter().collect::<Result<_, _>>()?;
        if !check.is_met(answers.iter()) {
            return Err(Fault::Contended);
        }
        self.line.expect_same_server()?;
        Ok(answers.pop().unwrap_or_default().0)
    }

    fn expect_version(&mut self, kind: DocKind, key: &str, version: i64) {
        if self.line.decides_early() {
            self.expected.push(Expected { kind, key: key.to_owned(), version });
        }
    }

    fn expect_at_commit(&mut self) {
        self.will_write = true;
    }
}

/// Terminates the server process that may still execute a lost commit, and waits until it is gone:
/// later reads see the commit's final outcome.
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
    Err(Fault::Unreachable("the server still works on a command whose answer was lost".into()))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};

    use super::*;
    use crate::cluster::Cluster;
    use crate::domain::house::Station;
    use crate::store::chunks::{between_each, rows_of};
    use crate::store::document::{By, ChangedDocument, Spelled};
    use crate::store::fault::Missing;
    use crate::store::place::Location;
    use crate::store::port::Database;

    fn new_station(name: &str) -> Write {
        let station = Station { name: name.into(), receipts: 0, tills: 0 };
        let by = By { command: "c", at: 1, operator: "ada", station: name };
        let body = (name.to_owned(), Spelled { body: "{}".into(), words: String::new() });
        ChangedDocument::of(&station, body, None, by).write_over(0, 1)
    }

    /// A new house on a server of its own; none without `initdb`.
    fn empty_house() -> Option<(Cluster, Arc<dyn Database>)> {
        let cluster = Cluster::start("")?;
        let place = Location::parse(&cluster.address("public")).unwrap();
        let house = place.open(Missing::Create).unwrap();
        Some((cluster, house))
    }

    #[test]
    fn rows_of_one_table_are_written_by_one_statement() {
        let one = [new_station("till-1")];
        let alone: Vec<Part<'_>> = parts(&one).collect();
        assert!(matches!(&alone[..], [Part::Prepared(text, _)] if *text == one[0].row.text(DIALECT)), "{alone:?}");
        let many: Vec<Write> = (0..=ROWS_AT_ONCE).map(|number| new_station(&format!("till-{number}"))).collect();
        let parts: Vec<Part<'_>> = parts(&many).collect();
        let [Part::Arrays(text, columns), Part::Prepared(..)] = &parts[..] else { unreachable!("{parts:?}") };
        assert_eq!(Some(*text), many[0].row.rows());
        assert!(columns.iter().all(|column| column.len() == ROWS_AT_ONCE));
    }

    #[test]
    fn a_deadlock_is_a_conflict_of_one_and_lets_the_other_commit() {
        let Some((_cluster, house)) = empty_house() else {
            return;
        };
        let mut session = house.session().unwrap();
        session.begin().unwrap();
        let stations = ["till-1", "till-2"];
        session.write(stations.map(new_station).into()).unwrap();
        session.commit().unwrap();
        let both = Barrier::new(2);
        let write = |[first, then]: [&'static str; 2]| {
            let touch = |session: &mut dyn Session, station: &'static str| {
                let text = "UPDATE station SET version = version WHERE key = $1";
                session.execute(text, &[station.into()]).map(|_| ())
            };
            let begun = house.session().and_then(|mut session| {
                session.begin()?;
                touch(session.as_mut(), first)?;
                Ok(session)
            });
            // with a fault, too: the other waits
            both.wait();
            let mut session = begun?;
            touch(session.as_mut(), then)?;
            session.commit()
        };
        let outcomes = std::thread::scope(|scope| {
            let other = scope.spawn(|| write(["till-2", "till-1"]));
            [write(stations), other.join().unwrap()]
        });
        assert!(outcomes.contains(&Ok(())), "{outcomes:?}");
        assert!(outcomes.contains(&Err(Fault::Contended)), "{outcomes:?}");
    }

    #[test]
    fn statements_after_a_failed_one_tell_its_fault_until_the_transaction_ends() {
        let Some((_cluster, house)) = empty_house() else {
            return;
        };
        let mut session = house.session().unwrap();
        session.begin().unwrap();
        session.query("SELECT 1", &[]).unwrap();
        assert!(session.is_open());
        let failed = session.query("SELECT 1 FROM nowhere", &[]).unwrap_err();
        assert!(failed.to_string().contains("nowhere"), "{failed}");
        assert!(!session.is_open());
        assert_eq!(session.query("SELECT 2", &[]), Err(failed.clone()));
        assert_eq!(session.commit(), Err(failed.clone()));
        session.begin().unwrap();
        let first = session.query("SELECT 1 FROM neverwhere", &[]).unwrap_err();
        assert_eq!(session.query("SELECT 2", &[]), Err(first), "also of the first statement");
        session.begin().unwrap();
        session.query("SELECT 3", &[]).unwrap();
    }

    #[test]
    fn rows_are_looked_up_by_key_where_the_table_was_small_when_the_statement_was_planned() {
        let Some((_cluster, house)) = empty_house() else {
            return;
        };
        let mut session = house.session().unwrap();
        session.begin().unwrap();
        let generic = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true)";
        session.query(generic, &[]).unwrap();
        let update = DocKind::Station.sql().update.rows().unwrap().to_owned();
        let types = "BIGINT[], BIGINT[], TEXT[], TEXT[], TEXT[], BIGINT[]";
        let update = format!("PREPARE update_rows ({types}) AS {update}");
        session.execute(&update, &[]).unwrap();
        let explain = "EXPLAIN EXECUTE update_rows ('{1}', '{1}', '{c}', '{b}', '{k}', '{1}')";
        let plan = session.query(explain, &[]).unwrap();
        let plan: Vec<&str> = plan.iter().map(|row| row.text(0)).collect();
        assert!(plan.iter().any(|line| line.contains("Index Scan using station_pkey")), "{plan:#?}");
    }

    /// The rows of a hundred performances, for Tonight: they were joined with every chunk by the length of its key.
    #[test]
    fn rows_of_many_performances_are_found_by_their_keys() {
        let Some((cluster, house)) = empty_house() else {
            return;
        };
        let rows = "INSERT INTO chunk (key, version, recorded_at, written_by, body, cells, free) \
                    SELECT LPAD(CAST(n / 30 AS TEXT), 9, '0') || '_' || LPAD(CAST(n % 30 AS TEXT), 5, '0'), 1, 1, 'c', '', 30, 30 \
                    FROM generate_series(1, 9000) AS n; ANALYZE chunk";
        cluster.execute("public", rows);
        let spans: Vec<Value<'_>> = (0..100).flat_map(|number| rows_of(&format!("{number:09}"))).collect();
        let mut reader = house.reader().unwrap();
        let explain = format!("EXPLAIN SELECT SUM(free) FROM chunk {} GROUP BY span.column1", between_each(100));
        let plan = reader.query(&explain, &spans).unwrap();
        let plan: Vec<&str> = plan.iter().map(|row| row.text(0)).collect();
        assert!(plan.iter().any(|line| line.contains("Index Scan using chunk_pkey")), "{plan:#?}");
    }
}
