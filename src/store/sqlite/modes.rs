//! Modes of a house's files: read and written by its owner, and by the group in a group's folder.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown, fchown};
use std::path::Path;

use rustix::fs::OFlags;

use super::{companion, folder_of};

const OWNER: u32 = 0o600;
const OWNER_AND_GROUP: u32 = 0o660;

/// Makes an empty file for a house where there is none.
///
/// # Errors
/// A file is there, or none can be made.
pub fn make(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(OWNER)
        .open(path)?;
    share(path, folder_of(path))
}

/// Gives a house's file the rights of a house in a folder.
///
/// # Errors
/// The rights cannot be given.
pub fn share(path: &Path, folder: &Path) -> io::Result<()> {
    let folder = fs::metadata(folder)?;
    // a folder that anybody may write to is no group's
    let is_shared = folder.mode() & 0o022 == 0o020;
    if is_shared {
        // a caller outside of the group keeps the file's own group
        let _ = chown(path, None, Some(folder.gid()));
    }
    let mode = if is_shared { OWNER_AND_GROUP } else { OWNER };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Opens a lock file beside a house, made like the house's file where there is none. A link is not followed.
///
/// # Errors
/// An error that names the file.
pub(super) fn open_lock(house: &Path, end: &str) -> io::Result<File> {
    let path = companion(house, end);
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let like = fs::metadata(house).map_err(named)?;
    let no_follow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(mode(&like))
        .custom_flags(no_follow)
        .open(&path)
        .map_err(named)?;
    if let Ok(found) = file.metadata()
        && !is_like(&found, &like)
    {
        // another's file stays as its owner made it
        let _ = fchown(&file, None, Some(like.gid()));
        let _ = file.set_permissions(Permissions::from_mode(mode(&like)));
    }
    Ok(file)
}

/// Gives files that SQLite made beside a house the rights of the house's file.
pub(super) fn like_house(house: &Path, ends: &[&str]) {
    let Ok(like) = fs::metadata(house) else {
        return;
    };
    for end in ends {
        let path = companion(house, end);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && !is_like(&found, &like))
        {
            // another's file stays as its owner made it
            let _ = chown(&path, None, Some(like.gid()));
            let _ = fs::set_permissions(&path, Permissions::from_mode(mode(&like)));
        }
    }
}

/// The rights of a house's file, as far as they are its owner's and its group's.
fn mode(like: &Metadata) -> u32 {
    like.mode() & OWNER_AND_GROUP
}

fn is_like(found: &Metadata, like: &Metadata) -> bool {
    found.gid() == like.gid() && found.mode() & 0o777 == mode(like)
}
