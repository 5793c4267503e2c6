//! Servers that spread the tables of a house over several machines, and how Citus is told to.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::store::fault::{Fault, Whole};
use crate::store::port::Misplaced;
use crate::store::postgres::PgServer;
use crate::store::postgres::kind::{Kind, SPREAD, is_spread};
use crate::store::postgres::wire::{Connection, Part};
use crate::store::schema;
use crate::store::value::Row;

/// Two shards for each machine.
const SHARDS: &str = "SELECT set_config('citus.shard_count', CAST(2 * COUNT(*) AS TEXT), false) FROM pg_dist_node \
                      WHERE isactive AND shouldhaveshards";

/// How often an interrupted commit is looked for, where that is less often than a statement may wait for its rows. It is
/// a setting in milliseconds.
const SELDOM: &str = "SELECT current_setting(name) FROM pg_settings WHERE name = 'citus.recover_2pc_interval' \
                      AND CAST(setting AS BIGINT) NOT BETWEEN 0 AND 5000";

/// Statements before the tables are spread, each with an index and whether the index is there afterwards: a unique
/// constraint of a spread table has to contain its shard key. The server still finds the newest entries by an index, and
/// a receipt by its number.
const READY: [(&str, bool, &str); 4] = [
    ("journal_pkey", false, "ALTER TABLE journal DROP CONSTRAINT journal_pkey"),
    ("journal_seq", true, "CREATE INDEX journal_seq ON journal (seq)"),
    ("receipt_number_key", false, "ALTER TABLE receipt DROP CONSTRAINT receipt_number_key"),
    ("receipt_number", true, "CREATE INDEX receipt_number ON receipt (number)"),
];

/// Tables of which each machine has a copy.
fn copied() -> Vec<String> {
    let tables = schema::tables().into_iter().map(|table| table.name).chain(["house_schema".to_owned()]);
    tables.filter(|table| !is_spread(table)).collect()
}

/// Tables, each with its shard key, empty for one that is copied, and the statement that places it.
fn places() -> impl Iterator<Item = (String, &'static str, String)> {
    let (first, _) = SPREAD[0];
    let spread = SPREAD.into_iter().map(move |(table, key)| {
        // rows of one key in one shard, however many shards there are
        let beside = if table == first { String::new() } else { format!(", colocate_with => '{first}'") };
        (table.to_owned(), key, format!("SELECT create_distributed_table('{table}', '{key}'{beside})"))
    });
    spread.chain(copied().into_iter().map(|table| {
        let statement = format!("SELECT create_reference_table('{table}')");
        (table, "", statement)
    }))
}

/// Statements that spread an empty house over the machines of a Citus.
fn statements() -> Vec<String> {
    let ready = READY.iter().map(|(_, _, text)| *text);
    let ready = [SHARDS].into_iter().chain(ready).map(str::to_owned);
    ready.chain(places().map(|(_, _, statement)| statement)).collect()
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
        let refuse = |why| Err(Fault::Undistributed(why));
        if !matches!(self.pool.kind, Kind::Citus(_)) {
            return refuse(Whole::NoCitus);
        }
        let mut connection = self.pool.take()?;
        let workers = "SELECT 1 FROM pg_dist_node WHERE isactive AND shouldhaveshards";
        if rows(&mut connection, workers)?.is_empty() {
            return refuse(Whole::NoWorkers);
        }
        if !placed(&mut connection)?.is_empty() {
            return refuse(Whole::Begun);
        }
        let filled = "SELECT 1 FROM theater UNION ALL SELECT 1 FROM resource UNION ALL SELECT 1 FROM cart LIMIT 1";
        if !rows(&mut connection, filled)?.is_empty() {
            return refuse(Whole::Filled);
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

    /// Lists what keeps a distributed house from being as the recipe makes it.
    pub(super) fn unspread(&self) -> Result<Vec<Misplaced>, Fault> {
        if !matches!(self.pool.kind, Kind::Citus(_)) {
            return Ok(Vec::new());
        }
        let mut connection = self.pool.take()?;
        let placed = placed(&mut connection)?;
        if placed.is_empty() {
            return Ok(vec![Misplaced::Whole]);
        }
        let indexes = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()";
        let found = rows(&mut connection, indexes)?;
        let is_found = |index: &str| found.iter().any(|row| row.text(0) == index);
        let undone = READY.iter().filter(|(index, is_there, _)| is_found(index) != *is_there);
        let mut problems: Vec<Misplaced> = undone.map(|(_, _, statement)| Misplaced::Undone(statement)).collect();
        let elsewhere = places().filter(|(table, key, _)| placed.get(table).map(String::as_str) != Some(key));
        problems.extend(elsewhere.map(|(table, key, statement)| Misplaced::Table {
            by: placed.get(&table).cloned(),
            table,
            key,
            statement,
        }));
        let inactive = "SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE NOT isactive ORDER BY 1";
        problems.extend(rows(&mut connection, inactive)?.iter().map(|row| Misplaced::Inactive(row.text(0).to_owned())));
        problems.extend(rows(&mut connection, SELDOM)?.iter().map(|row| Misplaced::Seldom(row.text(0).to_owned())));
        problems.extend(silent(&mut connection)?);
        Ok(problems)
    }
}

/// Machines that do not answer the coordinator, or another that does.
fn silent(connection: &mut Connection) -> Result<Vec<Misplaced>, Fault> {
    let asked = "WITH asked AS (SELECT from_nodename || ':' || from_nodeport AS asks, to_nodename || ':' || to_nodeport AS of, \
                 result FROM citus_check_cluster_node_health()), \
                 silent AS (SELECT asks AS node FROM asked GROUP BY asks HAVING bool_and(result IS NULL)) \
                 SELECT DISTINCT CASE WHEN of IN (SELECT node FROM silent) THEN '' ELSE asks END, of FROM asked \
                 WHERE result IS DISTINCT FROM true AND (of IN (SELECT node FROM silent) OR result IS NOT NULL) ORDER BY 1, 2";
    let silent = rows(connection, asked)?;
    Ok(silent
        .iter()
        .map(|row| Misplaced::Silent { to: row.text(0).to_owned(), node: row.text(1).to_owned() })
        .collect())
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
