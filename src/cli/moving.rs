//! Copy, backup and restore of houses, each verified before it replaces anything.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cli::init::make_folder;
use crate::cli::options::{Options, place};
use crate::cli::out::{Answer, Format, Out};
use crate::cli::printing::existing;
use crate::cli::stop::{Cannot, Stop};
use crate::engine::verify::{Report, verify};
use crate::engine::{Actor, Config, Engine, Role};
use crate::store::moving::{copy, copy_file, may_open};
use crate::store::output::{self, Existing, OutputError, no_house_at_work};
use crate::store::place::{companion, folder_of, share};
use crate::store::{Location, Missing, OpenError};

#[derive(Debug, Args)]
pub(super) struct Copy {
    /// The house to copy; it may be open
    #[arg(long, value_name = "PLACE")]
    from: OsString,
    /// The target; no house may be there
    #[arg(long, value_name = "PLACE")]
    to: OsString,
}

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The file to write
    file: PathBuf,
    /// Write over the file that is there: another file, or an older backup that was never opened; never a house
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// A file that backup wrote
    file: PathBuf,
}

/// Result of a copy, backup or restore.
#[derive(Serialize)]
struct Arrived {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    checked: usize,
    verified: bool,
}

impl Answer for Arrived {
    fn people(&self) -> String {
        let rows = self
            .rows
            .map_or(String::new(), |rows| format!("{rows} rows, "));
        format!(
            "All of it is at {} now: {rows}{} documents and changes, verified.",
            self.id, self.checked
        )
    }
}

impl Copy {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Stop> {
        transfer(&place(&self.from)?, place(&self.to)?, out)
    }
}

/// Copies a house to another place row by row, and verifies the copy.
fn transfer(from: &Location, to: Location, out: &mut Out) -> Result<(), Stop> {
    let rows = send(from, &to, out)?;
    let report = checked(to.clone())?;
    if let Location::File(file) = &to {
        for end in ["-queue", "-turn"] {
            // lock files left by writing the rows; the next process makes them anew
            let _ = fs::remove_file(companion(file, end));
        }
    }
    if !report.violations.is_empty() {
        let violations = report.violations.len();
        let place = to;
        return Err(Cannot::CopyNotWhole { place, violations }.into());
    }
    out.answer(&Arrived {
        id: to.to_string(),
        rows: Some(rows),
        checked: report.checked,
        verified: true,
    })
}

/// Sends every row of a house to an empty place; gives the number of rows.
fn send(from: &Location, to: &Location, out: &Out) -> Result<u64, Stop> {
    let (from, to) = (from.open(Missing::Refuse)?, to.open(Missing::Create)?);
    let bar = match out.format() {
        Format::People => ProgressBar::new_spinner().with_message("rows"),
        Format::Json => ProgressBar::hidden(),
    };
    let copied = copy(from.as_ref(), to.as_ref(), &mut |rows| {
        bar.set_position(rows);
    });
    bar.finish_and_clear();
    Ok(copied?.rows)
}

impl Backup {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let place = options.place()?;
        let (house, existing) = (place.house(), existing(self.force));
        if existing == Existing::Keep && fs::symlink_metadata(&self.file).is_ok() {
            return Err(Cannot::Output(OutputError::Exists(self.file.clone())).into());
        }
        no_house_at_work(&self.file, &house).map_err(Cannot::Output)?;
        arrive(&house, (&self.file, existing), out)
    }
}

impl Restore {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let place = options.place()?;
        let house = place.house();
        let Location::File(file) = &house else {
            return self.onto(house, out);
        };
        if fs::symlink_metadata(file).is_ok() {
            return Err(Cannot::HouseExists(house).into());
        }
        make_folder(&place)?;
        arrive(
            &Location::File(self.file.clone()),
            (file, Existing::Keep),
            out,
        )?;
        let shared = share(file, folder_of(file));
        shared.map_err(|error| Cannot::not_writable(file, error).into())
    }

    /// Restores to a server from a copy of the backup: opening a house writes files beside it.
    fn onto(&self, server: Location, out: &mut Out) -> Result<(), Stop> {
        let aside = tempfile::tempdir()?;
        let unpacked = aside.path().join("house.db");
        copy_file(&self.file, &unpacked)?;
        transfer(&unpacked.into(), server, out)
    }
}

/// Copies a house into a new file, placed only when it is whole.
fn arrive(from: &Location, (to, existing): (&Path, Existing), out: &mut Out) -> Result<(), Stop> {
    let folder = folder_of(to);
    if !folder.is_dir() {
        return Err(OpenError::no_folder(folder).into());
    }
    let unwritable = |error| Stop::from(Cannot::not_writable(to, error));
    let aside = tempfile::tempdir_in(folder).map_err(unwritable)?;
    let copied = aside.path().join("house.db");
    let rows = one_file(from, &copied, out)?;
    // opening a house turns its file to write-ahead: the copy is verified, and the target stays one file
    let elsewhere = (!may_open(folder)).then(tempfile::tempdir).transpose()?;
    let tried = elsewhere.as_ref().unwrap_or(&aside).path().join("tried.db");
    copy_file(&copied, &tried)?;
    let report = checked(tried.into())?;
    if !report.violations.is_empty() {
        return Err(Cannot::NotWhole(report.violations.len()).into());
    }
    output::place(&copied, to, existing).map_err(|error| match error {
        OutputError::Exists(path) => Cannot::FileExists(path),
        other @ (OutputError::House(_) | OutputError::Failed { .. }) => Cannot::Output(other),
    })?;
    out.answer(&Arrived {
        id: to.display().to_string(),
        rows,
        checked: report.checked,
        verified: true,
    })
}

/// Writes a snapshot of a house into one file; from a server row by row, with their number.
fn one_file(from: &Location, to: &Path, out: &Out) -> Result<Option<u64>, Stop> {
    let Location::File(file) = from else {
        let worked_on = to.with_extension("rows.db");
        let rows = send(from, &worked_on.clone().into(), out)?;
        copy_file(&worked_on, to)?;
        return Ok(Some(rows));
    };
    copy_file(file, to)?;
    Ok(None)
}

/// Verifies a house.
fn checked(place: Location) -> Result<Report, Stop> {
    let engine = Engine::open(Config {
        role: Role::Command,
        ..Config::new(place)
    })?;
    Ok(verify(&engine.desk(Actor {
        operator: "desk".into(),
        station: "desk".into(),
    }))?)
}
