//! Bounded reads of files: a named file may grow, be a device, or never end.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::stop::{Cannot, Stop};

/// Reads a file; `None` when it has more than `bytes_max` bytes.
pub(super) fn at_most(path: &Path, bytes_max: usize) -> Result<Option<Vec<u8>>, Stop> {
    let unreadable = |error: std::io::Error| Cannot::Unreadable { path: path.to_owned(), problem: error.to_string() };
    let one_more = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(one_more).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok((bytes.len() <= bytes_max).then_some(bytes))
}
