//! Embedded migrations: append-only, applied in order, each once.

use crate::store::dialect::Dialect;
use crate::store::fault::Fault;
use crate::store::journal::moved;
use crate::store::port::Session;
use crate::store::tables::{self, Table, added_column, dropped_column};
use crate::store::value::Value;

/// Migrations in order; a released one never changes.
const MIGRATIONS: [&str; 14] = [
    include_str!("../../assets/schema/0001_house.sql"),
    include_str!("../../assets/schema/0002_answer.sql"),
    include_str!("../../assets/schema/0003_archived.sql"),
    include_str!("../../assets/schema/0004_customer.sql"),
    include_str!("../../assets/schema/0005_credit.sql"),
    include_str!("../../assets/schema/0006_found.sql"),
    include_str!("../../assets/schema/0007_found_again.sql"),
    include_str!("../../assets/schema/0008_covering.sql"),
    include_str!("../../assets/schema/0009_private_words.sql"),
    include_str!("../../assets/schema/0010_till.sql"),
    include_str!("../../assets/schema/0011_pins.sql"),
    include_str!("../../assets/schema/0012_ticket_codes.sql"),
    include_str!("../../assets/schema/0013_job_priority.sql"),
    include_str!("../../assets/schema/0014_codes_by_time.sql"),
];

/// Migration that begins the journal anew, and computes columns of documents.
const MOVED: i64 = 9;

/// Schema version of this program.
pub fn known_version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Creates the table with the schema version, which has one row.
pub const CREATE: &str = "CREATE TABLE IF NOT EXISTS house_schema (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)";

/// Inserts the row.
pub const FIRST: &str = "INSERT INTO house_schema (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING";

/// Locks the row until the transaction ends: concurrent migrations wait.
pub const CLAIM: &str = "UPDATE house_schema SET version = version WHERE id = 1";

/// Selects the version; also part of every write transaction.
pub const CURRENT: &str = "SELECT version FROM house_schema WHERE id = 1";

/// Creates the table and its row if missing, in the open transaction, and returns the version.
pub fn version(session: &mut dyn Session) -> Result<i64, Fault> {
    session.execute(CREATE, &[])?;
    session.execute(FIRST, &[])?;
    current(session)
}

/// Reads the schema version.
pub fn current(session: &mut dyn Session) -> Result<i64, Fault> {
    let rows = session.query(CURRENT, &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}

/// Returns whether a house of a version is moved into a new journal: a copy is made before.
pub fn is_moved_from(version: i64) -> bool {
    (1..MOVED).contains(&version)
}

/// Checks that this program knows a schema version.
///
/// # Errors
/// [`Fault::NewerSchema`]
pub fn known(found: i64) -> Result<(), Fault> {
    if found > known_version() { Err(Fault::NewerSchema) } else { Ok(()) }
}

/// Migrates a database to the known version, in the open transaction that holds the row lock.
///
/// # Errors
/// [`Fault::NewerSchema`], or a fault of the database.
pub fn migrate(session: &mut dyn Session, dialect: Dialect) -> Result<(), Fault> {
    let found = current(session)?;
    known(found)?;
    let mut before = None;
    for (number, migration) in (1_i64..).zip(MIGRATIONS).filter(|(number, _)| *number > found) {
        if number == MOVED && found > 0 {
            before = Some(moved::leave(session)?);
        }
        session.define(&statements(&dialect.migration(migration)))?;
        session.execute("UPDATE house_schema SET version = $1 WHERE id = 1", &[Value::Int(number)])?;
    }
    // the new journal tells documents of every kind, those of later migrations too
    before.map_or(Ok(()), |before| moved::enter(session, before))
}

/// Tables created by the migrations, in order.
pub(super) fn tables() -> Vec<Table> {
    let texts = MIGRATIONS.iter().flat_map(|text| statements(text));
    tables::tables(&texts.collect::<Vec<_>>())
}

/// Statements that create the tables and indexes of a version, as SQLite stores them.
pub fn made_by(version: i64) -> Vec<String> {
    let migrations = (1_i64..).zip(MIGRATIONS);
    let migrations = migrations.filter(|(number, _)| *number <= version);
    let statements = migrations.flat_map(|(_, text)| statements(&Dialect::Sqlite.migration(text)));
    let mut made: Vec<String> = Vec::new();
    for statement in statements {
        if let Some(index) = statement.strip_prefix("DROP INDEX ") {
            let create = format!("CREATE INDEX {index} ");
            made.retain(|made| !made.starts_with(&create));
            continue;
        }
        if let Some(table) = statement.strip_prefix("DROP TABLE ") {
            let (create, index) = (format!("CREATE TABLE {table} ("), format!(" ON {table} ("));
            made.retain(|made| !made.starts_with(&create) && !made.contains(&index));
            continue;
        }
        if let Some((name, column)) = added_column(&statement) {
            if let Some((table, end)) = table(&mut made, name).and_then(|made| columns_end(made).map(|end| (made, end)))
            {
                table.insert_str(end, &format!(", {column}"));
            }
        } else if let Some((name, column)) = dropped_column(&statement) {
            if let Some(table) = table(&mut made, name) {
                drop_column(table, column);
            }
        } else {
            made.push(statement);
        }
    }
    made.push(CREATE.replace("IF NOT EXISTS ", ""));
    made
}

/// Statement that creates a table.
fn table<'a>(made: &'a mut [String], name: &str) -> Option<&'a mut String> {
    let create = format!("CREATE TABLE {name} (");
    made.iter_mut().find(|made| made.starts_with(&create))
}

/// Position at which SQLite adds a column: before the key of the table, or at its end.
fn columns_end(table: &str) -> Option<usize> {
    let key = table.find("PRIMARY KEY (").and_then(|at| table.get(..at));
    let columns = key.and_then(|before| before.trim_end().strip_suffix(','));
    columns.map(str::len).or_else(|| table.rfind(')'))
}

/// Removes a column that was added, as SQLite does: up to the next one, or with the comma before the last.
fn drop_column(table: &mut String, column: &str) {
    let Some(start) = table.find(&format!(", {column} ")) else {
        return;
    };
    let rest = table.get(start + 2..).unwrap_or_default();
    match rest.find(", ") {
        Some(next) => table.replace_range(start + 2..start + 2 + next + 2, ""),
        None => table.replace_range(start..table.rfind(')').unwrap_or(start), ""),
    }
}

fn statements(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<Vec<_>>().join("\n");
    code.split(';').map(str::trim).filter(|statement| !statement.is_empty()).map(str::to_owned).collect()
}
