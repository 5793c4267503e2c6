//! Walks through the journal by command id: answers of completed commands, and versions of a document.

use super::{COLUMNS, Change, Content, Entry, REFERENCE, broken};
use crate::store::document::{Ask, DocKind, by_keys};
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::value::Value;

impl Entry {
    /// Restores the answer by resolving its references.
    fn answered(&self, ask: Ask<'_>) -> Result<String, Fault> {
        let mut text = String::new();
        for (part, place) in self.answer.split(REFERENCE).zip(0..) {
            if place % 2 == 0 {
                text.push_str(part);
                continue;
            }
            let change = part.parse().ok();
            let change = change.and_then(|number: usize| self.changes.get(number));
            let change = change.ok_or_else(|| broken(&self.command))?;
            let document = (change.kind, change.key.as_str());
            let versions = walk(ask, document, (&self.command, 1))?;
            let version = versions.first().ok_or_else(|| broken(&self.command))?;
            text.push_str(&version.body);
        }
        Ok(text)
    }
}

/// Completed command with its request and answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredCommand {
    pub command: String,
    pub request: String,
    pub answer: String,
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
    let mut found = Vec::new();
    for entry in entries(ask, commands)? {
        let answer = entry.answered(ask)?;
        found.push(AnsweredCommand { command: entry.command, request: entry.request, answer });
    }
    Ok(found)
}

pub(super) fn entries(ask: Ask<'_>, commands: &[String]) -> Result<Vec<Entry>, Fault> {
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
    /// Version number, from 1.
    pub number: i64,
    pub body: String,
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

/// Reads the versions of a document up to the one written by a command, newest first.
///
/// # Errors
/// As [`history`].
pub fn versions(
    sql: &mut dyn Sql,
    document: (DocKind, &str),
    (command, most): (&str, usize),
) -> Result<Vec<Version>, Fault> {
    walk(&mut |text, params| sql.query(text, params), document, (command, most))
}

/// Walks back from a version to an older one with a whole body. Ends at a missing entry; versions without a body are left out.
fn walk(ask: Ask<'_>, (kind, key): (DocKind, &str), (command, most): (&str, usize)) -> Result<Vec<Version>, Fault> {
    let mut found: Vec<(Entry, Change)> = Vec::new();
    let mut command = command.to_owned();
    let is_done = |found: &[(Entry, Change)]| {
        let last = found.last().map(|(_, change)| &change.content);
        found.len() >= most && matches!(last, Some(Content::Body(_)))
    };
    while !command.is_empty() && !is_done(&found) {
        let Some(mut entry) = entries(ask, std::slice::from_ref(&command))?.pop() else {
            break;
        };
        let is_it = |change: &Change| change.kind == kind && change.key == key;
        let place = entry.changes.iter().position(is_it);
        let Some(change) = place.map(|place| entry.changes.swap_remove(place)) else {
            break;
        };
        // versions decrease, so a walk ends even in a damaged journal
        if found.last().is_some_and(|(_, last)| last.version <= change.version) {
            break;
        }
        command.clone_from(&change.previous);
        found.push((entry, change));
    }
    let mut versions: Vec<Version> = Vec::with_capacity(found.len());
    for (entry, change) in found.into_iter().rev() {
        let before = versions.last().map(|version| version.body.as_str());
        let Some(body) = change.content.body(before) else {
            versions.clear();
            continue;
        };
        versions.push(Version {
            command: entry.command,
            at: entry.at,
            operator: entry.operator,
            station: entry.station,
            number: change.version,
            body,
        });
    }
    versions.reverse();
    versions.truncate(most);
    Ok(versions)
}
