//! Copy, backup and restore of houses, each verified before it replaces anything.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::Value;

use crate::cli::answers::{day_time, object};
use crate::cli::init::make_folder;
use crate::cli::options::{Options, place};
use crate::cli::out::{Format, Out, Rendered};
use crate::cli::printing::existing;
use crate::cli::stop::{Cannot, Stop};
use crate::engine::Location;
use crate::engine::house_files::{Arrived, CopiedRows, HouseFileError, Tried, back_up, copy, restore, try_out};
use crate::engine::output::{Existing, OutputError};

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
    /// Only try it: open a copy, verify it, and say of when it is and what it holds; nothing is restored
    #[arg(long)]
    check: bool,
}

impl Copy {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Stop> {
        let (from, to) = (place(&self.from)?, place(&self.to)?);
        let arrived = with_rows(out, |told| copy(&from, &to, told))?;
        answer(&to, arrived, out)
    }
}

/// Runs a copy; people see the number of rows while it goes on.
fn with_rows<T>(out: &Out, copy: impl FnOnce(CopiedRows<'_>) -> T) -> T {
    let bar = match out.format {
        Format::People => ProgressBar::new_spinner().with_message("rows"),
        Format::Json | Format::Csv => ProgressBar::hidden(),
    };
    let done = copy(&mut |rows| bar.set_position(rows));
    bar.finish_and_clear();
    done
}

impl Backup {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let place = options.place()?;
        let (house, existing) = (place.house(), existing(self.force));
        if existing == Existing::Keep && fs::symlink_metadata(&self.file).is_ok() {
            return Err(Cannot::Output(OutputError::Exists(self.file.clone())).into());
        }
        let arrived = with_rows(out, |told| back_up(&house, (&self.file, existing), told))?;
        answer(self.file.display(), arrived, out)
    }
}

impl Restore {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        if self.check {
            return self.try_out(out);
        }
        let place = options.place()?;
        let house = place.house();
        if let Location::File(file) = &house
            && fs::symlink_metadata(file).is_ok()
        {
            return Err(Cannot::HouseExists(house).into());
        }
        make_folder(&place)?;
        let log = PathBuf::from(format!("{}-wal", self.file.display()));
        let has_log = fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        let arrived = with_rows(out, |told| restore(&self.file, &house, told))?;
        if has_log {
            out.note(&format!("{} lay beside it: what that holds of the house was taken too.", log.display()));
        }
        answer(&house, arrived, out)
    }
}

impl Restore {
    fn try_out(&self, out: &mut Out) -> Result<(), Stop> {
        let Tried { checked, made_at, time_zone, held } = try_out(&self.file)?;
        let counts: Vec<String> = held.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let newest =
            made_at.map_or(String::new(), |at| format!("Its newest change is of {}. ", day_time(at, time_zone)));
        let json = object! {
            "id": self.file.display().to_string(),
            "checked": checked,
            "verified": true,
            ? "newest": made_at.map(|at| at.rfc3339(time_zone)),
            ..held.iter().map(|(what, count)| ((*what).to_owned(), Value::from(*count))).collect::<Value>(),
        };
        let people = format!(
            "{} can be restored. {newest}It holds {}: {checked} documents and changes, verified. Nothing was restored.",
            self.file.display(),
            counts.join(", "),
        );
        out.answer(&Rendered::new(json, people))
    }
}

fn answer(place: impl Display, arrived: Arrived, out: &mut Out) -> Result<(), Stop> {
    let Arrived { rows, checked } = arrived;
    let sent = rows.map_or(String::new(), |rows| format!("{rows} rows, "));
    let json = object! {
        "id": place.to_string(),
        "checked": checked,
        "verified": true,
        ? "rows": rows,
    };
    let people = format!("All of it is at {place} now: {sent}{checked} documents and changes, verified.");
    out.answer(&Rendered::new(json, people))
}

impl From<HouseFileError> for Stop {
    fn from(error: HouseFileError) -> Self {
        let cannot = match error {
            HouseFileError::Failed(failure) => return failure.into(),
            HouseFileError::Open(error) => Cannot::Open(error),
            HouseFileError::Output(OutputError::Exists(path)) => Cannot::FileExists(path),
            HouseFileError::Output(error) => Cannot::Output(error),
            HouseFileError::TriedBroken { file, violations } => Cannot::TriedBroken { file, violations },
            HouseFileError::NotWhole(violations) => Cannot::NotWhole(violations),
            HouseFileError::ArrivedBroken { place, violations } => Cannot::CopyNotWhole { place, violations },
        };
        cannot.into()
    }
}
