//! Permissions of a house's files: read and write for the owner, and for the group if the folder is
//! group-writable.
//!
//! Import cycle with `checks` and `connection`: a connection makes its files with these permissions, which are those of the
//! folder that the checks know.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown, fchown};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::checks::folder_of;
use super::companions::companion;

const OWNER: u32 = 0o600;
const OWNER_AND_GROUP: u32 = 0o660;

/// Creates an empty file for a house.
///
/// # Errors
/// The file exists, or cannot be created.
pub fn make(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(OWNER).open(path)?;
    share(path, folder_of(path))
}

/// Sets the permissions of a house's file according to its folder.
///
/// # Errors
/// The permissions cannot be set.
pub fn share(path: &Path, folder: &Path) -> io::Result<()> {
    let folder = fs::metadata(folder)?;
    // a world-writable folder does not count as a group's
    let is_shared = folder.mode() & 0o022 == 0o020;
    if is_shared {
        // a caller outside the group keeps the file's own group
        let _ = chown(path, None, Some(folder.gid()));
    }
    let mode = if is_shared { OWNER_AND_GROUP } else { OWNER };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Opens a lock file beside a house, with the permissions of the house's file if it is new. Links
/// are not followed.
///
/// # Errors
/// An error that names the file.
pub(super) fn open_lock(house: &Path, end: &str) -> io::Result<File> {
    let path = companion(house, end);
    let named = |error: io::Error| {
        let is_link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
        let said = if is_link { "it is a link; remove it".to_owned() } else { error.to_string() };
        io::Error::new(error.kind(), format!("{}: {said}", path.display()))
    };
    let like = fs::metadata(house).map_err(named)?;
    let no_follow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(mode(&like))
        .custom_flags(no_follow)
        .open(&path)
        .map_err(named)?;
    if let Ok(found) = file.metadata()
        && !is_like(&found, &like)
    {
        // files of other owners stay unchanged
        let _ = fchown(&file, None, Some(like.gid()));
        let _ = file.set_permissions(Permissions::from_mode(mode(&like)));
    }
    Ok(file)
}

/// Gives the files that SQLite creates beside a house the permissions of the house's file.
pub(super) fn like_house(house: &Path, ends: &[&str]) {
    let Ok(like) = fs::metadata(house) else {
        return;
    };
    for end in ends {
        let path = companion(house, end);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && !is_like(&found, &like)) {
            // files of other owners stay unchanged
            let _ = chown(&path, None, Some(like.gid()));
            let _ = fs::set_permissions(&path, Permissions::from_mode(mode(&like)));
        }
    }
}

/// Owner and group permissions of a house's file.
fn mode(like: &Metadata) -> u32 {
    like.mode() & OWNER_AND_GROUP
}

fn is_like(found: &Metadata, like: &Metadata) -> bool {
    found.gid() == like.gid() && found.mode() & 0o777 == mode(like)
}
