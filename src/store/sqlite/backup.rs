//! Online backup: copies one snapshot of a house, page by page, beside its writers.
//!
//! The file system never copies a live file: closing it in this process would release the
//! database's locks.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::attached::Header;
use super::checks::{self, FileError};
use super::connection::{FULL, cache_for_scan, connect, fault, look_again, synchronous};
use crate::store::fault::{Fault, Missing};

/// Longest wait for a database that is being closed by another process.
const WAIT: Duration = Duration::from_secs(10);

/// Copies a house, in use or not, into a new self-contained file.
///
/// # Errors
/// Every problem of either file, as [`FileError`]; the new one is then incomplete.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), FileError> {
    if !from.exists() {
        return Err(FileError::Missing(from.to_owned()));
    }
    if from.is_dir() {
        return Err(FileError::IsFolder(from.to_owned()));
    }
    let _header = Header::of_unread(from).map_err(|fault| checks::explain(from, fault))?;
    let explain_from = |error| checks::explain(from, fault(error));
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(from, flags).map_err(explain_from)?;
    source.busy_timeout(WAIT).map_err(explain_from)?;
    source.pragma_update(None, "query_only", true).map_err(explain_from)?;
    checks::check_file(&source, from, Missing::Refuse)?;
    pages(&source, to).map_err(|fault| checks::explain(to, fault))
}

/// Copies a house before its journal is moved, beside it: `house.before-0.2.db`. An earlier copy, of a move that did not end,
/// is replaced.
///
/// # Errors
/// A fault of either file.
pub(super) fn before_move(house: &Path) -> Result<(), Fault> {
    let (copy, begun) = (house.with_extension("before-0.2.db"), house.with_extension("before-0.2.tmp"));
    let other = |error: std::io::Error| Fault::Unreachable(format!("{} could not be made: {error}", copy.display()));
    if begun.exists() {
        std::fs::remove_file(&begun).map_err(other)?;
    }
    pages(&connect(house, Missing::Refuse)?, &begun)?;
    std::fs::rename(&begun, &copy).map_err(other)
}

fn pages(source: &Connection, to: &Path) -> Result<(), Fault> {
    let mut target = connect(to, Missing::Create)?;
    synchronous(&target, FULL)?;
    cache_for_scan(&target)?;
    let backup = Backup::new(source, &mut target).map_err(fault)?;
    let mut looks = 0;
    loop {
        // one step copies all pages as one snapshot; readers block nobody
        if backup.step(-1).map_err(fault)? == StepResult::Done {
            break;
        }
        looks += 1;
        if !look_again(looks) {
            return Err(Fault::Busy);
        }
    }
    drop(backup);
    let mode: String =
        target.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0)).map_err(fault)?;
    if mode != "delete" {
        return Err(Fault::Broken(format!("the copy still needs its log (journal mode {mode})")));
    }
    target.close().map_err(|(_, error)| fault(error))
}
