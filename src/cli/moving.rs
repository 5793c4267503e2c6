//! Houses on the move: copied, backed up, restored. What arrives is verified before it counts.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cli::init::make_folder;
use crate::cli::options::{Options, place};
use crate::cli::out::{Answer, Format, Out};
use crate::cli::stop::{Cannot, Stop};
use crate::engine::verify::verify;
use crate::engine::{Actor, Config, Engine};
use crate::store::moving::copy;
use crate::store::sqlite::{self, copy_file};
use crate::store::{Missing, Place};

#[derive(Debug, Args)]
pub(super) struct Copy {
    /// The house that is copied; it may be at work
    #[arg(long, value_name = "PLACE")]
    from: OsString,
    /// Where to; nothing may be there
    #[arg(long, value_name = "PLACE")]
    to: OsString,
}

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The file that is written; nothing may be there
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// A file that backup wrote
    file: PathBuf,
}

/// What arrived.
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
        let (from, house) = (place(&self.from)?, place(&self.to)?);
        let (from, to) = (from.open(Missing::Refuse)?, house.open(Missing::Create)?);
        let bar = progress(out);
        let copied = copy(from.as_ref(), to.as_ref(), &mut |rows| {
            bar.set_position(rows);
        });
        bar.finish_and_clear();
        let rows = copied?.rows;
        let checked = whole(house.clone())?;
        out.answer(&Arrived {
            id: house.to_string(),
            rows: Some(rows),
            checked,
            verified: true,
        })
    }
}

fn progress(out: &Out) -> ProgressBar {
    match out.format() {
        Format::People => ProgressBar::new_spinner().with_message("rows"),
        Format::Json => ProgressBar::hidden(),
    }
}

impl Backup {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let place = options.place()?;
        if fs::symlink_metadata(&self.file).is_ok() {
            return Err(Cannot::FileExists(self.file.clone()).into());
        }
        arrive(place.file()?, &self.file, out)
    }
}

impl Restore {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let place = options.place()?;
        let file = place.file()?;
        if fs::symlink_metadata(file).is_ok() {
            return Err(Cannot::HouseExists(place.house()).into());
        }
        make_folder(&place)?;
        arrive(&self.file, file, out)
    }
}

/// Copies a house into a new file, which stands there only when it is whole.
fn arrive(from: &Path, to: &Path, out: &mut Out) -> Result<(), Stop> {
    let folder = match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(sqlite::OpenError::NoFolder(folder.to_owned()).into());
    }
    let unwritable = |error: std::io::Error| {
        Stop::from(Cannot::NotWritable {
            path: to.to_owned(),
            problem: error.to_string(),
        })
    };
    let aside = tempfile::tempdir_in(folder).map_err(unwritable)?;
    let copied = aside.path().join("house.db");
    copy_file(from, &copied)?;
    // opening a house turns its file to write-ahead: what is verified is a copy, what arrives stays one file
    let tried = aside.path().join("tried.db");
    copy_file(&copied, &tried)?;
    let checked = whole(tried)?;
    File::open(&copied)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(&copied, to))
        .and_then(|()| File::open(folder)?.sync_all())
        .map_err(unwritable)?;
    out.answer(&Arrived {
        id: to.display().to_string(),
        rows: None,
        checked,
        verified: true,
    })
}

/// How much there is in a house in which everything holds that must always be true.
fn whole(place: impl Into<Place>) -> Result<usize, Stop> {
    let engine = Engine::open(Config::new(place))?;
    let report = verify(&engine.desk(Actor {
        operator: "desk".into(),
        station: "desk".into(),
    }))?;
    if report.violations.is_empty() {
        Ok(report.checked)
    } else {
        Err(Cannot::NotWhole(report.violations.len()).into())
    }
}
