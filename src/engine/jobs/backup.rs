//! Nightly backups: the house is written into a file of the day, which is verified, and the oldest of many are deleted.

use std::fs;
use std::io;
use std::path::Path;

use chrono::NaiveDate;

use crate::engine::desk::Desk;
use crate::engine::house_files::back_up;
use crate::engine::reads::catalog::ReadSettings;
use crate::store::Location;
use crate::store::output::Existing;

/// Writes a backup of the present day into a folder, keeps as many as the house wants, and tells the file.
///
/// # Errors
/// The problem, in words.
pub(super) fn into(desk: &Desk, folder: &str) -> Result<String, String> {
    let settings = desk.read(ReadSettings).map_err(|error| error.to_string())?;
    let (folder, stem) = (Path::new(folder), stem(desk.place()));
    let today = desk.now().in_zone(settings.time_zone).date_naive();
    let file = folder.join(format!("{stem}-{today}.db"));
    let arrived = back_up(desk.place(), (&file, Existing::Replace), &mut |_| {}).map_err(|error| error.to_string())?;
    let keep = usize::try_from(settings.backup_keep).unwrap_or(usize::MAX);
    prune(folder, (&stem, keep)).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(format!("{}: {} documents and changes, verified", file.display(), arrived.checked))
}

/// Name of the house's file without its end.
fn stem(place: &Location) -> String {
    let stem = match place {
        Location::File(file) => file.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        Location::Server(_) => None,
    };
    stem.unwrap_or_else(|| "house".to_owned())
}

/// Deletes the oldest backups of a house beyond a number; what is named otherwise stays.
fn prune(folder: &Path, (stem, keep): (&str, usize)) -> io::Result<()> {
    let mut dated = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let date = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".db"));
        if let Some(date) = date.and_then(|date| date.parse::<NaiveDate>().ok()) {
            dated.push((date, path));
        }
    }
    dated.sort_unstable();
    let old = dated.len().saturating_sub(keep);
    dated.into_iter().take(old).try_for_each(|(_, path)| fs::remove_file(path))
}
