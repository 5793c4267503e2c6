//! Embedded migrations: append-only, applied in order, each once.

use crate::store::dialect::Dialect;
use crate::store::tables::{self, Table};
use crate::store::{Fault, Session, Value};

/// The migrations in order; a migration that was released never changes.
const MIGRATIONS: [&str; 2] = [
    include_str!("../../assets/schema/0001_house.sql"),
    include_str!("../../assets/schema/0002_answer.sql"),
];

/// The schema version that this program writes.
#[must_use]
pub fn known_version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Makes the table whose one row says the schema's version.
pub const CREATE: &str = "CREATE TABLE IF NOT EXISTS house_schema (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)";

/// Makes the row.
pub const FIRST: &str =
    "INSERT INTO house_schema (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING";

/// Locks the row until the transaction ends: other migrations wait.
pub const CLAIM: &str = "UPDATE house_schema SET version = version WHERE id = 1";

/// Asks for the version, as every write transaction does.
pub const CURRENT: &str = "SELECT version FROM house_schema WHERE id = 1";

/// Makes the table and its row where they are not, in the transaction that is open, and gives the version.
pub fn version(session: &mut dyn Session) -> Result<i64, Fault> {
    session.execute(CREATE, &[])?;
    session.execute(FIRST, &[])?;
    current(session)
}

/// The schema version, read as every write transaction reads it.
pub fn current(session: &mut dyn Session) -> Result<i64, Fault> {
    let rows = session.query(CURRENT, &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}

/// Whether this program knows a version that was found.
///
/// # Errors
/// [`Fault::NewerSchema`]
pub fn known(found: i64) -> Result<(), Fault> {
    if found > known_version() {
        Err(Fault::NewerSchema)
    } else {
        Ok(())
    }
}

/// Brings a database to the known version, in the transaction that is open and has the lock row.
///
/// # Errors
/// [`Fault::NewerSchema`], or a fault of the database.
pub fn migrate(session: &mut dyn Session, dialect: Dialect) -> Result<(), Fault> {
    let found = current(session)?;
    known(found)?;
    for (number, migration) in (1_i64..)
        .zip(MIGRATIONS)
        .filter(|(number, _)| *number > found)
    {
        for statement in statements(&dialect.migration(migration)) {
            session.execute(&statement, &[])?;
        }
        session.execute(
            "UPDATE house_schema SET version = $1 WHERE id = 1",
            &[Value::Int(number)],
        )?;
    }
    Ok(())
}

/// The tables that the migrations create, in their order.
pub(super) fn tables() -> Vec<Table> {
    let texts = MIGRATIONS.iter().flat_map(|text| statements(text));
    tables::tables(&texts.collect::<Vec<_>>())
}

/// The statements that make the tables and indexes of a version, as a file keeps them.
#[must_use]
pub fn made_by(version: i64) -> Vec<String> {
    let migrations = (1_i64..).zip(MIGRATIONS);
    let migrations = migrations.filter(|(number, _)| *number <= version);
    let mut made: Vec<String> = migrations
        .flat_map(|(_, text)| statements(&Dialect::Sqlite.migration(text)))
        .collect();
    made.push(CREATE.replace("IF NOT EXISTS ", ""));
    made
}

fn statements(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect::<Vec<_>>()
        .join("\n");
    code.split(';')
        .map(str::trim)
        .filter(|statement| !statement.is_empty())
        .map(str::to_owned)
        .collect()
}
