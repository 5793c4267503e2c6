//! Walks through the journal by command id: done commands with their answers, and the versions of a document.

use super::{COLUMNS, Change, Content, Entry, REFERENCE, broken};
use crate::store::document::{Ask, DocKind, by_keys};
use crate::store::{Fault, Session, Sql};

impl Entry {
    /// The answer as it was given.
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

/// A command that was done: its request and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredCommand {
    /// Its id.
    pub command: String,
    /// The request.
    pub request: String,
    /// The answer.
    pub answer: String,
}

/// A command, when it was done before, in this transaction or another.
pub fn find_command(sql: &mut dyn Sql, command: &str) -> Result<Option<AnsweredCommand>, Fault> {
    let found = done(
        &mut |text, params| sql.query(text, params),
        &[command.to_owned()],
    )?;
    Ok(found.into_iter().next())
}

/// Those of some commands that were done before this transaction.
pub fn committed_commands(
    session: &mut dyn Session,
    commands: &[String],
) -> Result<Vec<AnsweredCommand>, Fault> {
    done(
        &mut |text, params| session.read_committed(text, params),
        commands,
    )
}

fn done(ask: Ask<'_>, commands: &[String]) -> Result<Vec<AnsweredCommand>, Fault> {
    let mut found = Vec::new();
    for entry in entries(ask, commands)? {
        let answer = entry.answered(ask)?;
        found.push(AnsweredCommand {
            command: entry.command,
            request: entry.request,
            answer,
        });
    }
    Ok(found)
}

/// Entries by their commands.
fn entries(ask: Ask<'_>, commands: &[String]) -> Result<Vec<Entry>, Fault> {
    let select = format!("SELECT {COLUMNS} FROM journal WHERE command IN ");
    let rows = by_keys(ask, &select, commands)?;
    rows.into_iter().map(Entry::from_row).collect()
}

/// A version of a document, with the entry that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The command.
    pub command: String,
    /// When, in milliseconds.
    pub at: i64,
    /// By whom.
    pub operator: String,
    /// Where.
    pub station: String,
    /// Its number, from 1.
    pub number: i64,
    /// The body.
    pub body: String,
}

/// The versions of a document, newest first, at most so many.
///
/// # Errors
/// A fault of the database, or an entry that cannot be read.
pub fn history(
    sql: &mut dyn Sql,
    (kind, key): (DocKind, &str),
    most: usize,
) -> Result<Vec<Version>, Fault> {
    let text = format!("SELECT written_by FROM {} WHERE key = $1", kind.word());
    let rows = sql.query(&text, &[key.into()])?;
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    versions(sql, (kind, key), (row.text(0), most))
}

/// The versions of a document from the one that a command wrote, newest first, at most so many.
///
/// # Errors
/// As [`history`].
pub fn versions(
    sql: &mut dyn Sql,
    document: (DocKind, &str),
    (command, most): (&str, usize),
) -> Result<Vec<Version>, Fault> {
    walk(
        &mut |text, params| sql.query(text, params),
        document,
        (command, most),
    )
}

/// Walks from the command that wrote a version to those before it, on to a whole body. Ends where an entry is missing;
/// versions whose body cannot be made are left out.
fn walk(
    ask: Ask<'_>,
    (kind, key): (DocKind, &str),
    (command, most): (&str, usize),
) -> Result<Vec<Version>, Fault> {
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
        // versions go down, so a walk ends in any journal
        if found
            .last()
            .is_some_and(|(_, last)| last.version <= change.version)
        {
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
