//! Stamps from the future: found, and brought back. The only SQL that changes what the journal and its rows say of time.

use crate::store::document::DocKind;
use crate::store::{Fault, Session, Sql, Value};

/// An entry of the journal whose time is later than another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its place in the journal.
    pub seq: i64,
    /// Its command.
    pub command: String,
    /// Its time, in milliseconds.
    pub at: i64,
}

/// Entries of the journal that are later than a time, newest first.
pub fn entries(sql: &mut dyn Sql, after: i64) -> Result<Vec<Stamp>, Fault> {
    let text = "SELECT seq, command, at FROM journal WHERE at > $1 ORDER BY seq DESC";
    let stamp = |row: crate::store::Row| Stamp {
        seq: row.int(0),
        command: row.text(1).to_owned(),
        at: row.int(2),
    };
    let rows = sql.query(text, &[after.into()])?;
    Ok(rows.into_iter().map(stamp).collect())
}

/// The time of the first entry behind a place in the journal that is not later than a time.
pub fn next_entry(sql: &mut dyn Sql, seq: i64, after: i64) -> Result<Option<i64>, Fault> {
    let text = "SELECT at FROM journal WHERE seq > $1 AND at <= $2 ORDER BY seq LIMIT 1";
    let rows = sql.query(text, &[seq.into(), after.into()])?;
    Ok(rows.first().map(|row| row.int(0)))
}

/// Documents of a kind whose recorded time is later than a time: their keys, and that time.
pub fn documents(
    sql: &mut dyn Sql,
    kind: DocKind,
    after: i64,
) -> Result<Vec<(String, i64)>, Fault> {
    let table = kind.word();
    let text = format!("SELECT key, recorded_at FROM {table} WHERE recorded_at > $1 ORDER BY key");
    let rows = sql.query(&text, &[after.into()])?;
    let found = rows.iter().map(|row| (row.text(0).to_owned(), row.int(1)));
    Ok(found.collect())
}

/// Rows beside the journal that are later than a time: the table, the place, and its time.
pub fn beside(sql: &mut dyn Sql, after: i64) -> Result<Vec<(&'static str, String, i64)>, Fault> {
    let mut found = Vec::new();
    for (what, text) in [
        (
            "event",
            "SELECT CAST(seq AS TEXT), at FROM event WHERE at > $1 ORDER BY seq",
        ),
        (
            "run",
            "SELECT CAST(seq AS TEXT), started_at FROM job_run WHERE started_at > $1 ORDER BY seq",
        ),
        (
            "job",
            "SELECT kind || ' ' || subject, recorded_at FROM job WHERE recorded_at > $1 ORDER BY kind, subject",
        ),
    ] {
        let rows = sql.query(text, &[after.into()])?;
        found.extend(
            rows.iter()
                .map(|row| (what, row.text(0).to_owned(), row.int(1))),
        );
    }
    Ok(found)
}

/// Stamps that are brought back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BroughtBack {
    /// The present, in milliseconds.
    pub now: i64,
    /// Later than this is from the future.
    pub after: i64,
    /// Entries of the journal by their place, and their times.
    pub entries: Vec<(i64, i64)>,
    /// Documents, and their recorded times.
    pub documents: Vec<(DocKind, String, i64)>,
}

/// Brings stamps back, in front of everything else that the transaction writes. What recurs is looked at again at once:
/// its next time was counted by the wrong clock.
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
    session.execute(
        "UPDATE presence SET seen_at = 0 WHERE seen_at > $1",
        &[back.after.into()],
    )?;
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
