//! Redaction of the journal: earlier entries are rewritten without the words of a forgotten customer.
//!
//! A redacted entry keeps its hash, which the next entry of its chain and every seal on paper name. The entry that redacts it
//! names the hash of what it says from then on, and `verify` accepts no other text. Outputs of jobs are
//! redacted in the same transaction.
//!
//! # Invariants
//! - The changes of a redacted document have whole bodies: none is a delta to a text that is not there any more.

use super::change::Redacted;
use super::hash;
use super::walk::entries;
use super::{COLUMNS, Entry};
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::value::Value;
use crate::store::walk::advance;

/// Rows read per query.
const PAGE: usize = 200;

/// Verbs whose requests have what a command of a listener or a job wrote, or an operator of a job.
const TELLING: [&str; 4] = ["blame_listener", "end_check", "control_job", "add_job"];

/// Texts to be rewritten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    /// Entries as they are to be, with the bodies of their events before and after.
    pub entries: Vec<RedactedEntry>,
    /// Details of runs, by number.
    pub runs: Vec<(i64, String)>,
    /// Reasons of parked jobs, by kind and subject.
    pub parked: Vec<ParkedJob>,
}

/// Entry as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedEntry {
    pub entry: Entry,
    /// Changed bodies of its events: before, and after.
    pub events: Vec<(String, String)>,
}

/// Parked job with its reason as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkedJob {
    pub kind: String,
    pub subject: String,
    pub parked: String,
}

/// Reads the entry of a command.
pub fn entry(sql: &mut dyn Sql, command: &str) -> Result<Option<Entry>, Fault> {
    let ask = &mut |text: &str, params: &[Value<'_>]| sql.query(text, params);
    Ok(entries(ask, &[command.to_owned()])?.pop())
}

/// Calls a closure with each entry whose request may have the output of a command.
///
/// # Errors
/// A fault of the database, or an entry that cannot be read.
pub fn each_telling(sql: &mut dyn Sql, with: &mut dyn FnMut(Entry)) -> Result<(), Fault> {
    let verbs = TELLING.map(|verb| format!("request LIKE '{{\"{verb}\"%'"));
    let text =
        format!("SELECT {COLUMNS} FROM journal WHERE seq > $1 AND ({}) ORDER BY seq LIMIT {PAGE}", verbs.join(" OR "));
    let mut after = 0;
    loop {
        let rows = sql.query(&text, &[after.into()])?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        advance("journal", &mut after, last.int(0))?;
        for row in rows {
            with(Entry::from_row(row)?);
        }
    }
}

/// Details of runs that say something: number, subject and text.
pub fn runs(sql: &mut dyn Sql) -> Result<Vec<(i64, String, String)>, Fault> {
    let text = "SELECT seq, subject, detail FROM job_run WHERE detail <> '' ORDER BY seq";
    let rows = sql.query(text, &[])?.into_iter();
    let run = rows.map(|mut row| (row.int(0), row.take_text(1), row.take_text(2)));
    Ok(run.collect())
}

/// Parked jobs.
pub fn parked(sql: &mut dyn Sql) -> Result<Vec<ParkedJob>, Fault> {
    let text = "SELECT kind, subject, parked FROM job WHERE parked <> '' ORDER BY kind, subject";
    let rows = sql.query(text, &[])?.into_iter();
    let job =
        rows.map(|mut row| ParkedJob { kind: row.take_text(0), subject: row.take_text(1), parked: row.take_text(2) });
    Ok(job.collect())
}

/// Rewrites the texts, before all other writes of the transaction; returns the hashes of what they say now.
///
/// # Errors
/// A fault of the database.
pub fn write(session: &mut dyn Session, redaction: &Redaction) -> Result<Vec<Redacted>, Fault> {
    let mut redacted = Vec::new();
    for one in &redaction.entries {
        redacted.push(write_entry(session, one)?);
    }
    for (seq, detail) in &redaction.runs {
        let text = "UPDATE job_run SET detail = $1 WHERE seq = $2";
        session.execute(text, &[detail.as_str().into(), (*seq).into()])?;
    }
    for job in &redaction.parked {
        let text = "UPDATE job SET parked = $1 WHERE kind = $2 AND subject = $3";
        let params = [&job.parked, &job.kind, &job.subject].map(|text| text.as_str().into());
        session.execute(text, &params)?;
    }
    Ok(redacted)
}

fn write_entry(session: &mut dyn Session, one: &RedactedEntry) -> Result<Redacted, Fault> {
    let RedactedEntry { entry, events } = one;
    let [request, answer, changes] = entry.packed();
    let texts = [&entry.command, &entry.operator, &entry.station, &request, &answer, &changes];
    // its own hash takes the place of the one before
    let hash = hash::of(&entry.chain, (entry.link, entry.at), &texts.map(String::as_str), &entry.hash);
    let text = "UPDATE journal SET request = $1, answer = $2, changes = $3 WHERE seq = $4";
    let [request, answer, changes] = [&request, &answer, &changes].map(|text| text.as_str().into());
    session.execute(text, &[request, answer, changes, entry.seq.into()])?;
    for (before, after) in events {
        let text = "UPDATE event SET body = $1 WHERE command = $2 AND body = $3";
        let params = [after, &entry.command, before].map(|text| text.as_str().into());
        session.execute(text, &params)?;
    }
    let text = entry.command.clone();
    Ok(Redacted { text, hash })
}
