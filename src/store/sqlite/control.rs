//! A row for each segment, under a unique key: the plain way to keep time in a file.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::{connect, execute, fault, query};
use crate::store::control::{Control, Stretch};
use crate::store::{Fault, Missing, Value};

const TABLES: &str = "\
    CREATE TABLE slot (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT; \
    CREATE TABLE segment (resource INTEGER NOT NULL, at INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (resource, at)) STRICT, WITHOUT ROWID";

/// Rows of segments in a file of their own, flushed as a house is.
#[derive(Debug)]
pub struct SegmentRows {
    connection: Connection,
    /// Minutes of a segment.
    segment: i64,
    next: i64,
}

impl SegmentRows {
    /// In a file that is made.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn new(path: &Path, segment: i64) -> Result<Self, Fault> {
        let connection = connect(path, Missing::Create)?;
        connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
            .map_err(fault)?;
        connection.execute_batch(TABLES).map_err(fault)?;
        Ok(Self {
            connection,
            segment,
            next: 1,
        })
    }

    /// Takes every segment of a stretch, or none.
    fn take(&mut self, wanted: Stretch) -> Result<bool, Fault> {
        execute(&self.connection, "SAVEPOINT one", &[])?;
        let id = self.next;
        let text = "INSERT INTO slot (id, title) VALUES ($1, $2)";
        execute(&self.connection, text, &[id.into(), "rehearsal".into()])?;
        let mut at = wanted.from;
        while at < wanted.until {
            if !self.insert(&[wanted.resource.into(), at.into(), id.into()])? {
                execute(&self.connection, "ROLLBACK TO one", &[])?;
                execute(&self.connection, "RELEASE one", &[])?;
                return Ok(false);
            }
            at += self.segment;
        }
        execute(&self.connection, "RELEASE one", &[])?;
        self.next += 1;
        Ok(true)
    }

    /// False where a row has the key already.
    fn insert(&self, row: &[Value<'_>; 3]) -> Result<bool, Fault> {
        let run = || -> rusqlite::Result<usize> {
            let text = "INSERT INTO segment (resource, at, slot) VALUES ($1, $2, $3)";
            let mut statement = self.connection.prepare_cached(text)?;
            super::bind(&mut statement, row)?;
            statement.raw_execute()
        };
        match run() {
            Ok(_) => Ok(true),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Ok(false)
            }
            Err(error) => Err(fault(error)),
        }
    }
}

impl Control for SegmentRows {
    fn book(&mut self, wanted: &[Stretch]) -> Result<usize, Fault> {
        execute(&self.connection, "BEGIN IMMEDIATE", &[])?;
        let mut booked = 0;
        for one in wanted {
            booked += usize::from(self.take(*one)?);
        }
        execute(&self.connection, "COMMIT", &[])?;
        Ok(booked)
    }

    fn taken(&mut self, below: u32, window: (i64, i64)) -> Result<Vec<Stretch>, Fault> {
        // each resource's rows lie together: its window is looked up, not searched for
        let text = "WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < $1) \
                    SELECT resource, at, slot FROM number CROSS JOIN segment ON resource = n AND at >= $2 AND at < $3 \
                    ORDER BY resource, at";
        let params = [below.into(), window.0.into(), window.1.into()];
        let mut out: Vec<Stretch> = Vec::new();
        let mut last = 0;
        for row in query(&self.connection, text, &params)? {
            let (resource, at, slot) = (u32::try_from(row.int(0)), row.int(1), row.int(2));
            match out.last_mut() {
                Some(before) if last == slot => before.until = at + self.segment,
                _ => out.push(Stretch {
                    resource: resource.unwrap_or_default(),
                    from: at,
                    until: at + self.segment,
                }),
            }
            last = slot;
        }
        Ok(out)
    }

    fn size(&mut self) -> Result<i64, Fault> {
        let text = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let rows = query(&self.connection, text, &[])?;
        Ok(rows.first().map_or(0, |row| row.int(0)))
    }
}
