//! Servers that spread the tables of a house over several machines, and how Citus is told to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::store::fault::Fault;
use crate::store::postgres::PgServer;
use crate::store::postgres::kind::{Kind, SPREAD, is_spread};
use crate::store::postgres::wire::{Connection, Part};
use crate::store::schema;
use crate::store::value::Row;

/// Statements before the tables are spread: a unique constraint of a spread table has to contain its shard key. The
/// server still finds the newest entries by an index, and a receipt by its number.
const MAKE_READY: [&str; 5] = [
    "SELECT set_config('citus.shard_count', CAST(2 * COUNT(*) AS TEXT), false) FROM pg_dist_node \
     WHERE isactive AND shouldhaveshards",
    "ALTER TABLE journal DROP CONSTRAINT journal_pkey",
    "CREATE INDEX journal_seq ON journal (seq)",
    "ALTER TABLE receipt DROP CONSTRAINT receipt_number_key",
    "CREATE INDEX receipt_number ON receipt (number)",
];

/// Tables of which each machine has a copy.
fn copied() -> Vec<String> {
    let tables = schema::tables().into_iter().map(|table| table.name).chain(["house_schema".to_owned()]);
    tables.filter(|table| !is_spread(table)).collect()
}

/// Statements that spread an empty house over the machines of a Citus.
fn statements() -> Vec<String> {
    let ready = MAKE_READY.iter().map(|text| (*text).to_owned());
    let spread = SPREAD.iter().map(|(table, key)| format!("SELECT create_distributed_table('{table}', '{key}')"));
    let copied = copied().into_iter().map(|table| format!("SELECT create_reference_table('{table}')"));
    ready.chain(spread).chain(copied).collect()
}

/// Recipe for Citus: the statements, one a line.
pub fn recipe() -> String {
    statements().into_iter().fold(String::new(), |mut text, statement| {
        // writing to a String cannot fail
        let _ = writeln!(text, "{statement};");
        text
    })
}

impl PgServer {
    /// Spreads an empty house over the machines, all of it or nothing.
    pub(super) fn spread(&self) -> Result<(), Fault> {
        let refuse = |problem: String| Err(Fault::Undistributed(problem));
        if !matches!(self.pool.kind, Kind::Citus(_)) {
            return refuse("this server has no Citus; have its extension made: CREATE EXTENSION citus".into());
        }
        let mut connection = self.pool.take()?;
        let workers = "SELECT 1 FROM pg_dist_node WHERE isactive AND shouldhaveshards";
        if rows(&mut connection, workers)?.is_empty() {
            return refuse(
                "it has no workers; add them: SELECT citus_set_coordinator_host('HOST'), then citus_add_node('HOST', 5432) for each"
                    .into(),
            );
        }
        if !placed(&mut connection)?.is_empty() {
            return refuse("some of its tables are distributed already; see willcall server check".into());
        }
        let filled = "SELECT 1 FROM theater UNION ALL SELECT 1 FROM resource UNION ALL SELECT 1 FROM cart LIMIT 1";
        if !rows(&mut connection, filled)?.is_empty() {
            return refuse(
                "this house has something in it; end its desks, and run the statements of willcall server distribute by hand"
                    .into(),
            );
        }
        let statements = statements();
        let all = ["BEGIN READ WRITE", "SET LOCAL statement_timeout = 0"].into_iter();
        let all = all.chain(statements.iter().map(String::as_str)).chain(["COMMIT"]);
        // a connection that is dropped in between takes all of it back
        for statement in all {
            connection.send(&[Part::Plain(statement)])?.into_iter().try_for_each(|given| given.map(|_| ()))?;
        }
        Ok(())
    }

    /// Lists what keeps a distributed house from being as the recipe makes it, each with what to do.
    pub(super) fn unspread(&self) -> Result<Vec<String>, Fault> {
        if !matches!(self.pool.kind, Kind::Citus(_)) {
            return Ok(Vec::new());
        }
        let mut connection = self.pool.take()?;
        let placed = placed(&mut connection)?;
        if placed.is_empty() {
            return Ok(vec![
                "No table is distributed: all of it is on this one server. See willcall server distribute".into(),
            ]);
        }
        let mut problems = Vec::new();
        for (table, key) in SPREAD {
            let there = placed.get(table).map(String::as_str);
            if there != Some(key) {
                let how = told(there);
                problems.push(format!(
                    "{table} {how}, not spread by {key}: SELECT create_distributed_table('{table}', '{key}')"
                ));
            }
        }
        for table in copied() {
            let there = placed.get(&table).map(String::as_str);
            if there != Some("") {
                let how = told(there);
                problems.push(format!("{table} {how}, not copied to each: SELECT create_reference_table('{table}')"));
            }
        }
        let lost = "SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE NOT isactive ORDER BY 1";
        for row in rows(&mut connection, lost)? {
            problems.push(format!("{0} is not active: SELECT citus_activate_node('HOST', PORT)", row.text(0)));
        }
        problems.extend(unhealthy(&mut connection)?);
        let indexes = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'journal'";
        let found: BTreeSet<String> =
            rows(&mut connection, indexes)?.iter().map(|row| row.text(0).to_owned()).collect();
        if !found.contains("journal_seq") {
            problems.push(
                "the newest entries of the journal are not found by index: CREATE INDEX journal_seq ON journal (seq)"
                    .into(),
            );
        }
        Ok(problems)
    }
}

/// Where a table is, from its shard key: empty for one that is copied, none for one that is on the coordinator alone.
fn told(key: Option<&str>) -> String {
    match key {
        None => "is on the coordinator alone".into(),
        Some("") => "is copied to each machine".into(),
        Some(key) => format!("is spread by {key}"),
    }
}

/// Machines that do not answer one another.
fn unhealthy(connection: &mut Connection) -> Result<Vec<String>, Fault> {
    let asked = "SELECT DISTINCT to_nodename || ':' || to_nodeport FROM citus_check_cluster_node_health() \
                 WHERE result IS DISTINCT FROM true ORDER BY 1";
    let silent = rows(connection, asked)?;
    Ok(silent.iter().map(|row| format!("{0} does not answer: start it, or mend the way to it", row.text(0))).collect())
}

/// Distributed tables of the house, each with its shard key, empty for one that is copied.
fn placed(connection: &mut Connection) -> Result<BTreeMap<String, String>, Fault> {
    let text = "SELECT c.relname, COALESCE(column_to_column_name(p.logicalrelid, p.partkey), '') \
                FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid \
                WHERE c.relnamespace = CAST(current_schema() AS regnamespace)";
    let placed = rows(connection, text)?;
    Ok(placed.iter().map(|row| (row.text(0).to_owned(), row.text(1).to_owned())).collect())
}

fn rows(connection: &mut Connection, text: &str) -> Result<Vec<Row>, Fault> {
    let given = connection.send(&[Part::Prepared(text, &[])])?;
    given.into_iter().next().unwrap_or(Ok((Vec::new(), 0))).map(|(rows, _)| rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_places_each_table_once() {
        let recipe = recipe();
        for table in schema::tables().iter().map(|table| table.name.as_str()).chain(["house_schema"]) {
            assert_eq!(recipe.matches(&format!("_table('{table}'")).count(), 1, "{table}");
        }
        for (table, _) in SPREAD {
            assert!(schema::tables().iter().any(|known| known.name == table), "{table}");
        }
    }
}
