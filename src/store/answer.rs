//! Printed answers of commands with a chosen id, stored outside the journal: all SQL for them.

use std::sync::LazyLock;

use crate::store::dialect::{RowWrite, Write};
use crate::store::document::By;
use crate::store::fault::Fault;
use crate::store::port::Sql;
use crate::store::value::Value;

/// Output that a command printed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Printed {
    pub command: String,
    /// Hash of the typed line.
    pub line: String,
    pub people: String,
    pub json: String,
    pub code: u8,
}

static KEEP: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::any(
        "INSERT INTO answer (command, line, people, json, code, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    )
});

static FORGET: LazyLock<RowWrite> = LazyLock::new(|| {
    RowWrite::any("DELETE FROM answer WHERE command IN (SELECT command FROM answer WHERE at < $1 ORDER BY at LIMIT $2)")
});

static UNPRINT: LazyLock<RowWrite> = LazyLock::new(|| RowWrite::any("DELETE FROM answer"));

/// Deletes all answers.
pub(super) fn unprint() -> Write {
    Write { row: &UNPRINT, params: Vec::new() }
}

/// Deletes answers older than a time, up to a limit.
pub(super) fn forget(params: Vec<Value<'static>>) -> Write {
    Write { row: &FORGET, params }
}

/// Inserts an answer; the first one of a command stays.
pub(super) fn write(printed: &Printed, by: By<'_>) -> Write {
    Write {
        row: &KEEP,
        params: vec![
            printed.command.clone().into(),
            printed.line.clone().into(),
            printed.people.clone().into(),
            printed.json.clone().into(),
            i64::from(printed.code).into(),
            by.at.into(),
        ],
    }
}

/// Reads the output of a command; `None` if it was not kept.
pub fn find(sql: &mut dyn Sql, command: &str) -> Result<Option<Printed>, Fault> {
    let text = "SELECT command, line, people, json, code FROM answer WHERE command = $1";
    let rows = sql.query(text, &[command.into()])?;
    let printed = rows.into_iter().next().map(|mut row| Printed {
        command: row.take_text(0),
        line: row.take_text(1),
        people: row.take_text(2),
        json: row.take_text(3),
        code: u8::try_from(row.int(4)).unwrap_or_default(),
    });
    Ok(printed)
}
