//! Stamps in the future: queries to find them, and updates to move them back. The only SQL that
//! changes times in the journal and in its rows.

use crate::store::document::DocKind;
use crate::store::fault::Fault;
use crate::store::port::{Session, Sql};
use crate::store::value::{Row, Value};

/// Journal entry with a time in the future.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Position in the journal.
    pub seq: i64,
    pub command: String,
    /// Time, in milliseconds.
    pub at: i64,
    pub chain: String,
}

/// Finds journal entries later than a time, newest first.
pub fn entries(sql: &mut dyn Sql, after: i64) -> Result<Vec<Stamp>, Fault> {
    let text = "SELECT seq, command, at, chain FROM journal WHERE at > $1 ORDER BY seq DESC";
    let stamp = |row: Row| Stamp {
        seq: row.int(0),
        command: row.text(1).to_owned(),
        at: row.int(2),
        chain: row.text(3).to_owned(),
    };
    let rows = sql.query(text, &[after.into()])?;
    Ok(rows.into_iter().map(stamp).collect())
}

/// Time of the first entry after a position that is not later than a limit.
pub fn next_entry(sql: &mut dyn Sql, seq: i64, after: i64) -> Result<Option<i64>, Fault> {
    let text = "SELECT at FROM journal WHERE seq > $1 AND at <= $2 ORDER BY seq LIMIT 1";
    let rows = sql.query(text, &[seq.into(), after.into()])?;
    Ok(rows.first().map(|row| row.int(0)))
}

/// Latest time of a chain's entries that is not later than a limit.
pub fn newest_entry(sql: &mut dyn Sql, chain: &str, after: i64) -> Result<Option<i64>, Fault> {
    let text = "SELECT MAX(at) FROM journal WHERE chain = $1 AND at <= $2";
    let rows = sql.query(text, &[chain.into(), after.into()])?;
    Ok(rows.first().and_then(|row| row.whole(0)))
}

/// Finds documents of a kind recorded later than a time: keys and times.
pub fn documents(sql: &mut dyn Sql, kind: DocKind, after: i64) -> Result<Vec<(String, i64)>, Fault> {
    let table = kind.word();
    let text = format!("SELECT key, recorded_at FROM {table} WHERE recorded_at > $1 ORDER BY key");
    let rows = sql.query(&text, &[after.into()])?;
    let found = rows.iter().map(|row| (row.text(0).to_owned(), row.int(1)));
    Ok(found.collect())
}

/// Finds other rows later than a time: table, row, and time.
pub fn beside(sql: &mut dyn Sql, after: i64) -> Result<Vec<(&'static str, String, i64)>, Fault> {
    let mut found = Vec::new();
    for (what, text) in [
        ("event", "SELECT CAST(seq AS TEXT), at FROM event WHERE at > $1 ORDER BY seq"),
        ("run", "SELECT CAST(seq AS TEXT), started_at FROM job_run WHERE started_at > $1 ORDER BY seq"),
        ("job", "SELECT kind || ' ' || subject, recorded_at FROM job WHERE recorded_at > $1 ORDER BY kind, subject"),
    ] {
        let rows = sql.query(text, &[after.into()])?;
        found.extend(rows.iter().map(|row| (what, row.text(0).to_owned(), row.int(1))));
    }
    Ok(found)
}

/// Stamps to move back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BroughtBack {
    /// Present time, in milliseconds.
    pub now: i64,
    /// Least time that counts as the future.
    pub after: i64,
    /// Journal entries by position, with their new times.
    pub entries: Vec<(i64, i64)>,
    /// Documents, with their new recorded times.
    pub documents: Vec<(DocKind, String, i64)>,
}

/// Moves stamps back, before all other writes of the transaction. Recurring jobs become due at
/// once, because their next time came from the wrong clock.
pub fn write(session: &mut dyn Session, back: &BroughtBack) -> Result<(), Fault> {
    let limits: [Value<'_>; 2] = [back.now.into(), back.after.into()];
    for text in [
        "UPDATE event SET at = $1 WHERE at > $2",
        "UPDATE job_run SET started_at = $1, due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END WHERE started_at > $2",
        "UPDATE job SET next_check_at = $1, first_check_at = CASE WHEN first_check_at > $1 THEN $1 ELSE first_check_at END \
         WHERE recorded_at > $2 AND kind IN ('horizon', 'tidying', 'waitlist')",
        "UPDATE job SET recorded_at = $1 WHERE recorded_at > $2",
    ] {
        session.execute(text, &limits)?;
    }
    session.execute("UPDATE presence SET seen_at = 0 WHERE seen_at > $1", &[back.after.into()])?;
    for (seq, at) in &back.entries {
        let text = "UPDATE journal SET told_at = COALESCE(told_at, at), at = $1 WHERE seq = $2";
        session.execute(text, &[(*at).into(), (*seq).into()])?;
    }
    for (kind, key, at) in &back.documents {
        let text = format!("UPDATE {} SET recorded_at = $1 WHERE key = $2", kind.word());
        session.execute(&text, &[(*at).into(), key.as_str().into()])?;
    }
    Ok(())
}
