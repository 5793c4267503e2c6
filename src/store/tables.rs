//! Tables of a house, parsed from its migrations.
//!
//! The copy of a house uses this list, so that it cannot omit a table.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// Columns in order, without an automatic row number.
    pub(super) columns: Vec<String>,
    /// Columns of the key, in order.
    pub(super) key: Vec<String>,
}

/// Parses the tables that statements create, in order.
pub(super) fn tables(statements: &[String]) -> Vec<Table> {
    let mut found: Vec<Table> = Vec::new();
    for statement in statements {
        if let Some((name, column)) = added_column(statement) {
            let table = found.iter_mut().filter(|table| table.name == name);
            let column = column.split_whitespace().next().unwrap_or_default();
            table.for_each(|table| table.columns.push(column.to_owned()));
        }
        if let Some((name, column)) = dropped_column(statement) {
            let table = found.iter_mut().filter(|table| table.name == name);
            table.for_each(|table| table.columns.retain(|kept| kept != column));
        }
        if let Some(name) = statement.strip_prefix("DROP TABLE ") {
            found.retain(|table| table.name != name);
        }
        found.extend(table(statement));
    }
    found
}

/// Parses the table and the definition of a column of `ALTER TABLE job ADD COLUMN count BIGINT`.
pub(super) fn added_column(statement: &str) -> Option<(&str, &str)> {
    statement.strip_prefix("ALTER TABLE ")?.split_once(" ADD COLUMN ")
}

/// Parses the table and the column of `ALTER TABLE job DROP COLUMN count`.
pub(super) fn dropped_column(statement: &str) -> Option<(&str, &str)> {
    statement.strip_prefix("ALTER TABLE ")?.split_once(" DROP COLUMN ")
}

fn table(statement: &str) -> Option<Table> {
    let (name, rest) = statement.strip_prefix("CREATE TABLE ")?.split_once('(')?;
    let (body, _) = rest.rsplit_once(')')?;
    let mut table = Table { name: name.trim().to_owned(), columns: Vec::new(), key: Vec::new() };
    for part in parts(body) {
        let first = part.split_whitespace().next().unwrap_or_default();
        if let Some(columns) = part.strip_prefix("PRIMARY KEY") {
            table.key =
                columns.trim().trim_matches(['(', ')']).split(',').map(|column| column.trim().to_owned()).collect();
        } else if part.contains("{serial}") || part.contains("{number}") {
            table.key = vec![first.to_owned()];
        } else if !matches!(first, "UNIQUE" | "CHECK" | "CONSTRAINT" | "UNIQUE(" | "") {
            if part.contains("PRIMARY KEY") {
                table.key = vec![first.to_owned()];
            }
            table.columns.push(first.to_owned());
        }
    }
    Some(table)
}

/// Splits at commas outside parentheses.
fn parts(body: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for letter in body.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_parsed_with_their_columns_and_key() {
        let text = "CREATE TABLE job (\n kind TEXT NOT NULL, count BIGINT CHECK (count IN (1, 2)),\n PRIMARY KEY (kind, count), UNIQUE (count, kind)\n){table}";
        let list = "CREATE TABLE list (seq {serial}, command TEXT NOT NULL){rows}";
        let other = "CREATE INDEX job_due ON job (count)";
        let more = "ALTER TABLE list ADD COLUMN at BIGINT NOT NULL";
        let (gone, left) = ("CREATE TABLE gone (key TEXT)", "ALTER TABLE list DROP COLUMN old");
        let list_of = list.replace(", command", ", old TEXT, command");
        let found = tables(&[text, &list_of, other, more, gone, left, "DROP TABLE gone"].map(str::to_owned));
        let table = |name: &str, columns: &[&str], key: &[&str]| Table {
            name: name.to_owned(),
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            key: key.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(
            found,
            [table("job", &["kind", "count"], &["kind", "count"]), table("list", &["command", "at"], &["seq"]),]
        );
    }
}
