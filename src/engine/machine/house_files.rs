//! Files made of a house: copies and backups.
//!
//! A copy is verified before it replaces anything, and nothing is written over a house.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use tempfile::TempDir;

use crate::domain::time::Instant;
use crate::engine::failure::Failure;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::sizes::ReadHoldings;
use crate::engine::verify::Verify;
use crate::engine::{Config, Desk, Role};
use crate::store::moving::{copy_file, may_open};
use crate::store::output::{self, Existing, OutputError, no_house_at_work};
use crate::store::place::{COMPANIONS, companion, folder_of, make_file, share};
use crate::store::{Fault, Location, Missing, OpenError, moving};

pub use crate::store::{Misplaced, distribution};

/// Name of a house's file in a temporary folder.
const HOUSE: &str = "house.db";

/// Receiver of the number of rows copied so far.
pub type CopiedRows<'a> = &'a mut dyn FnMut(u64);

/// Size of a copy that arrived and holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Rows sent; `None` where the file was copied as a whole.
    pub rows: Option<u64>,
    /// Documents and changes verified.
    pub checked: usize,
}

/// Failure to make a file, or to copy a house.
#[derive(Debug, thiserror::Error)]
pub enum HouseFileError {
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A house cannot be read or written.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Violations in a copy, which was not kept.
    #[error("the copy does not hold together ({0} violations)")]
    NotWhole(usize),
    /// Violations in a backup that was tried.
    #[error("{} does not hold together ({violations} violations)", file.display())]
    TriedBroken { file: PathBuf, violations: usize },
    /// Violations in a copy that arrived.
    #[error("the copy at {place} does not hold together ({violations} violations)")]
    ArrivedBroken { place: Location, violations: usize },
}

impl From<Fault> for HouseFileError {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault.into())
    }
}

/// Makes a house by a closure; one whose making fails leaves no file behind.
pub fn making<T, E>(house: &Location, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let own_file = match house {
        Location::File(path) => make_file(path).is_ok().then_some(path),
        Location::Server(_) => None,
    };
    make().inspect_err(|_| {
        if let Some(path) = own_file {
            remove_files(path, &COMPANIONS);
        }
    })
}

fn remove_files(house: &Path, ends: &[&str]) {
    for end in ends {
        // a missing file is fine
        let _ = fs::remove_file(companion(house, end));
    }
}

/// Copies a house into an empty place row by row, and verifies the copy.
pub fn copy(from: &Location, to: &Location, told: CopiedRows<'_>) -> Result<Arrived, HouseFileError> {
    let rows = send(from, to, told)?;
    let (checked, violations) = verified(to.clone())?;
    if let Location::File(file) = to {
        // lock files left by writing the rows; the next process makes them anew
        remove_files(file, &["-queue", "-turn"]);
    }
    if violations > 0 {
        let place = to.clone();
        return Err(HouseFileError::ArrivedBroken { place, violations });
    }
    let rows = Some(rows);
    Ok(Arrived { rows, checked })
}

/// Writes a house, at work or not, into a new file, or over another file or an older backup.
pub fn back_up(
    house: &Location,
    (to, existing): (&Path, Existing),
    told: CopiedRows<'_>,
) -> Result<Arrived, HouseFileError> {
    no_house_at_work(to, house)?;
    write(house, (to, existing), told)
}

/// Makes a house again from a backup, at a place where there is none.
pub fn restore(backup: &Path, to: &Location, told: CopiedRows<'_>) -> Result<Arrived, HouseFileError> {
    let Location::File(file) = to else {
        // opening a house writes files beside it
        let aside = temporary(TempDir::new())?;
        let unpacked = aside.path().join(HOUSE);
        copy_file(backup, &unpacked)?;
        return copy(&unpacked.into(), to, told);
    };
    let arrived = write(&Location::File(backup.to_owned()), (file, Existing::Keep), told)?;
    share(file, folder_of(file)).map_err(unwritable(file))?;
    Ok(arrived)
}

/// Contents of a backup that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Documents and changes verified.
    pub checked: usize,
    /// Time of its newest change; `None` if there is none.
    pub made_at: Option<Instant>,
    pub time_zone: Tz,
    pub held: Vec<(&'static str, i64)>,
}

/// Opens a copy of a backup and verifies it, as a drill: nothing is written but the copy, which is deleted.
pub fn try_out(backup: &Path) -> Result<Tried, HouseFileError> {
    let aside = temporary(TempDir::new())?;
    let copy = aside.path().join(HOUSE);
    copy_file(backup, &copy)?;
    let desk = Desk::open_with(Config { role: Role::Command, ..Config::new(copy) })?;
    let report = desk.read(Verify::default())?;
    if !report.violations.is_empty() {
        return Err(HouseFileError::TriedBroken { file: backup.to_owned(), violations: report.violations.len() });
    }
    let (made_at, held) = desk.read(ReadHoldings)?;
    Ok(Tried { checked: report.checked, made_at, time_zone: desk.read(ReadSettings)?.time_zone, held })
}

/// Copies a house into a file, placed only when it is whole, and not beside a log: the database would write that into it.
fn write(from: &Location, (to, existing): (&Path, Existing), told: CopiedRows<'_>) -> Result<Arrived, HouseFileError> {
    let mut logs = ["-wal", "-shm", "-journal"].into_iter().map(|end| companion(to, end));
    if let Some(log) = logs.find(|log| fs::symlink_metadata(log).is_ok()) {
        return Err(OutputError::House(log).into());
    }
    let aside = beside(to)?;
    let copied = aside.path().join(HOUSE);
    let rows = one_file(from, &copied, told)?;
    // opening a house turns its file to write-ahead: the copy is verified, and the target stays one file
    let elsewhere = (!may_open(folder_of(to))).then(TempDir::new).transpose();
    let elsewhere = temporary(elsewhere)?;
    let tried = elsewhere.as_ref().unwrap_or(&aside).path().join("tried.db");
    copy_file(&copied, &tried)?;
    let (checked, violations) = verified(tried.into())?;
    if violations > 0 {
        return Err(HouseFileError::NotWhole(violations));
    }
    output::place(&copied, to, existing)?;
    Ok(Arrived { rows, checked })
}

/// Writes a snapshot of a house into one file; from a server row by row, with their number.
fn one_file(from: &Location, to: &Path, told: CopiedRows<'_>) -> Result<Option<u64>, HouseFileError> {
    let Location::File(file) = from else {
        let worked_on = to.with_extension("rows.db");
        let rows = send(from, &worked_on.clone().into(), told)?;
        copy_file(&worked_on, to)?;
        return Ok(Some(rows));
    };
    copy_file(file, to)?;
    Ok(None)
}

/// Sends every row of a house to an empty place, and returns their number.
fn send(from: &Location, to: &Location, told: CopiedRows<'_>) -> Result<u64, HouseFileError> {
    let (from, to) = (from.open(Missing::Refuse)?, to.open(Missing::Create)?);
    Ok(moving::copy(from.as_ref(), to.as_ref(), told)?.rows)
}

/// Numbers of checked facts and of violations of a house.
fn verified(place: Location) -> Result<(usize, usize), HouseFileError> {
    let desk = Desk::open_with(Config { role: Role::Command, ..Config::new(place) })?;
    let report = desk.read(Verify::default())?;
    Ok((report.checked, report.violations.len()))
}

/// A temporary folder beside a file to be written.
fn beside(to: &Path) -> Result<TempDir, HouseFileError> {
    let folder = folder_of(to);
    if !folder.is_dir() {
        return Err(OpenError::no_folder(folder).into());
    }
    Ok(TempDir::new_in(folder).map_err(unwritable(to))?)
}

fn temporary<T>(folder: io::Result<T>) -> Result<T, OutputError> {
    folder.map_err(unwritable(&std::env::temp_dir()))
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |problem| OutputError::Failed { path, problem }
}
