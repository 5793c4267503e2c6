//! Walks through the journal by command id: answers of completed commands, and versions of a document.

use super::{COLUMNS, Change, Entry, Said};
use crate::store::document::{Ask, DocKind, by_keys};
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::value::Value;

/// Completed command with its request and answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredCommand {
    pub command: String,
    pub request: String,
    pub answer: String,
    /// Documents and numbers of the answer's private texts.
    pub places: Vec<String>,
}

/// Finds a completed command, including those of the open transaction.
pub fn find_command(sql: &mut dyn Sql, command: &str) -> Result<Option<AnsweredCommand>, Fault> {
    let found = find_commands(sql, &[command.to_owned()])?;
    Ok(found.into_iter().next())
}

/// Finds which of some commands are completed.
pub fn find_commands(sql: &mut dyn Sql, commands: &[String]) -> Result<Vec<AnsweredCommand>, Fault> {
    done(&mut |text, params| sql.query(text, params), commands)
}

/// Finds which of some commands were committed before the open transaction.
pub fn committed_commands(session: &mut dyn Session, commands: &[String]) -> Result<Vec<AnsweredCommand>, Fault> {
    done(&mut |text, params| session.read_committed(text, params), commands)
}

fn done(ask: Ask<'_>, commands: &[String]) -> Result<Vec<AnsweredCommand>, Fault> {
    let answered = |entry: Entry| {
        let Said { request, answer, places, .. } = entry.said;
        AnsweredCommand { command: entry.command, request, answer, places }
    };
    Ok(entries(ask, commands)?.into_iter().map(answered).collect())
}

/// Reads the entry of a command.
pub fn entry(sql: &mut dyn Sql, command: &str) -> Result<Option<Entry>, Fault> {
    Ok(entries(&mut |text, params| sql.query(text, params), &[command.to_owned()])?.pop())
}

fn entries(ask: Ask<'_>, commands: &[String]) -> Result<Vec<Entry>, Fault> {
    let select = format!("SELECT {COLUMNS} FROM journal WHERE command IN ");
    let commands: Vec<Value> = commands.iter().map(|id| id.as_str().into()).collect();
    let rows = by_keys(ask, &select, &commands)?;
    rows.into_iter().map(Entry::from_row).collect()
}

/// Version of a document, with its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub command: String,
    /// Time, in milliseconds.
    pub at: i64,
    pub operator: String,
    pub station: String,
    /// Operator who approved it, where the acting one alone may not do it.
    pub approved: Option<String>,
    pub change: Change,
}

/// Reads the latest versions of a document, newest first.
///
/// # Errors
/// A fault of the database, or an entry that cannot be read.
pub fn history(sql: &mut dyn Sql, (kind, key): (DocKind, &str), most: usize) -> Result<Vec<Version>, Fault> {
    let text = format!("SELECT written_by FROM {} WHERE key = $1", kind.word());
    let rows = sql.query(&text, &[key.into()])?;
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    versions(sql, (kind, key), (row.text(0), most))
}

/// Reads the versions of a document up to the one written by a command, newest first. Ends at a missing entry.
///
/// # Errors
/// As [`history`].
pub fn versions(
    sql: &mut dyn Sql,
    (kind, key): (DocKind, &str),
    (command, most): (&str, usize),
) -> Result<Vec<Version>, Fault> {
    let mut found: Vec<Version> = Vec::new();
    let mut command = command.to_owned();
    while !command.is_empty() && found.len() < most {
        let Some(mut entry) = entry(sql, &command)? else {
            break;
        };
        let is_it = |change: &Change| change.kind == kind && change.key == key;
        let place = entry.said.changes.iter().position(is_it);
        let Some(change) = place.map(|place| entry.said.changes.swap_remove(place)) else {
            break;
        };
        // versions decrease, so a walk ends even in a damaged journal
        if found.last().is_some_and(|last| last.change.version <= change.version) {
            break;
        }
        command.clone_from(&change.previous);
        let Entry { command, at, operator, station, said, .. } = entry;
        found.push(Version { command, at, operator, station, approved: said.approved, change });
    }
    Ok(found)
}
