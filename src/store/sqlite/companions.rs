//! Files beside a house's file: their names, and the identity of a file.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// File name suffixes of a house: the file itself, and the files that SQLite and the turnstile keep
/// beside it.
pub const COMPANIONS: [&str; 6] = ["", "-wal", "-shm", "-journal", "-queue", "-turn"];

/// Path of a companion file of a house.
#[must_use]
pub fn companion(house: &Path, end: &str) -> PathBuf {
    let mut name = house.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Device and inode of a file. A deleted or replaced file stays writable for those who have it
/// open, and is lost with the last of them.
pub(in crate::store) type Identity = (u64, u64);

/// Identity of a file.
///
/// # Errors
/// The file is missing, or cannot be looked at.
pub(in crate::store) fn identity(path: &Path) -> io::Result<Identity> {
    let file = std::fs::metadata(path)?;
    Ok((file.dev(), file.ino()))
}
