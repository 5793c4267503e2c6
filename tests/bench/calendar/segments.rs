//! Baseline: a row for each segment, under a unique key, in SQLite.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, Params, Result};

use super::bookings::{CalendarBaseline, Stretch};
use willcall::{Failure, Fault};

/// Settings for flushes and cache, as of a house.
const TABLES: &str = "\
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 16000; \
    CREATE TABLE slot (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT; \
    CREATE TABLE segment (resource INTEGER NOT NULL, at INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (resource, at)) STRICT, WITHOUT ROWID";

/// Query for a window: looks up an index range for each resource, and scans no others.
const TAKEN: &str = "\
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1) \
    SELECT resource, at, slot FROM number CROSS JOIN segment ON resource = n AND at >= ?2 AND at < ?3 \
    ORDER BY resource, at";

/// A file with one row for each segment.
pub(crate) struct SegmentRows {
    connection: Connection,
    /// Minutes of a segment.
    segment: i64,
    next: i64,
}

impl SegmentRows {
    pub(crate) fn new(path: &Path, segment: i64) -> Result<Self, Failure> {
        let open = || {
            let connection = Connection::open(path)?;
            connection.execute_batch(TABLES)?;
            Ok(connection)
        };
        Ok(Self { connection: open().map_err(failure)?, segment, next: 1 })
    }

    fn book_each(&mut self, wanted: &[Stretch]) -> Result<usize> {
        self.run("BEGIN IMMEDIATE", [])?;
        let before = self.next;
        for one in wanted {
            self.run("SAVEPOINT one", [])?;
            if self.take(one)? {
                self.next += 1;
            } else {
                self.run("ROLLBACK TO one", [])?;
            }
            self.run("RELEASE one", [])?;
        }
        self.run("COMMIT", [])?;
        Ok(usize::try_from(self.next - before).unwrap_or_default())
    }

    /// Takes the segments of a slot; false when one is taken already.
    fn take(&self, wanted: &Stretch) -> Result<bool> {
        let slot = self.next;
        self.run("INSERT INTO slot (id, title) VALUES (?1, 'rehearsal')", [slot])?;
        let mut at = wanted.from;
        while at < wanted.until {
            let row = [i64::from(wanted.resource), at, slot];
            match self.run("INSERT INTO segment (resource, at, slot) VALUES (?1, ?2, ?3)", row) {
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                    return Ok(false);
                }
                inserted => inserted?,
            }
            at += self.segment;
        }
        Ok(true)
    }

    fn run(&self, text: &str, params: impl Params) -> Result<()> {
        self.connection.prepare_cached(text)?.execute(params).map(drop)
    }

    /// The rows of a window, those of one slot merged.
    fn read(&self, below: u32, (from, until): (i64, i64)) -> Result<Vec<Stretch>> {
        let mut statement = self.connection.prepare_cached(TAKEN)?;
        let mut rows = statement.query([i64::from(below), from, until])?;
        let (mut taken, mut last) = (Vec::<Stretch>::new(), 0);
        while let Some(row) = rows.next()? {
            let (at, slot): (i64, i64) = (row.get(1)?, row.get(2)?);
            let until = at + self.segment;
            match taken.last_mut() {
                Some(before) if last == slot => before.until = until,
                _ => taken.push(Stretch { resource: row.get(0)?, from: at, until }),
            }
            last = slot;
        }
        Ok(taken)
    }
}

impl CalendarBaseline for SegmentRows {
    fn book(&mut self, wanted: &[Stretch]) -> Result<usize, Failure> {
        self.book_each(wanted).map_err(failure)
    }

    fn taken(&mut self, below: u32, window: (i64, i64)) -> Result<Vec<Stretch>, Failure> {
        self.read(below, window).map_err(failure)
    }

    fn size(&mut self) -> Result<i64, Failure> {
        let text = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        self.connection.query_one(text, [], |row| row.get(0)).map_err(failure)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
fn failure(error: rusqlite::Error) -> Failure {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Fault::Full.into(),
        _ => Fault::Broken(error.to_string()).into(),
    }
}
