//! Output files: exports, papers, backups. Each is written whole or not at all, and never over a house.
//!
//! A new file is written to a temporary file beside its path, readable by its owner alone, and
//! renamed when it is complete. Devices and pipes are written to directly.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::Errno;
use tempfile::NamedTempFile;

use crate::store::place::Location;
use crate::store::sqlite::{COMPANIONS, MARK_END, companion, folder_of, identity, is_marked};

/// Longest wait for a device or pipe to take more text.
const BUSY_MOST: Duration = Duration::from_secs(10);

/// Interval of looks whether it does.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse the output.
    Keep,
    /// Replace the file.
    Replace,
}

/// Error of writing an output file.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("There is a file at {} already, and nothing of it was touched. Choose another name, or write over it with --force.", .0.display())]
    Exists(PathBuf),
    /// The file belongs to a house.
    #[error("{} belongs to a house, and nothing of it was touched. Choose another name.", .0.display())]
    House(PathBuf),
    /// A device or pipe that nothing takes text from.
    #[error("Nothing takes the text at {}: the printer is off, or not plugged in. Switch it on, and print again.", .0.display())]
    Gone(PathBuf),
    /// A device or pipe that another program has, or that takes no more text.
    #[error("The printer at {} is busy, or out of paper. Look at it, and print again.", .0.display())]
    Busy(PathBuf),
    /// The system refuses the write.
    #[error("{} cannot be written: {problem}. Choose another place for it.", path.display())]
    Failed { path: PathBuf, problem: io::Error },
}

/// Output file to be written.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// Temporary file beside its path.
    Beside(NamedTempFile, Existing),
    /// Device or pipe.
    Direct(File),
}

impl OutputFile {
    /// Begins a file; dropping it unfinished leaves nothing behind.
    ///
    /// # Errors
    /// The path exists, belongs to a house, or cannot be written to.
    pub fn begin(path: &Path, existing: Existing, house: &Location) -> Result<Self, OutputError> {
        let failed = |problem| OutputError::failed(path, problem);
        no_house(path, house)?;
        let way = if is_special(path) {
            Way::Direct(open(path).map_err(failed)?)
        } else {
            if existing == Existing::Keep && fs::symlink_metadata(path).is_ok() {
                return Err(OutputError::Exists(path.to_owned()));
            }
            if path.is_dir() {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            let beside = NamedTempFile::new_in(folder_of(path)).map_err(failed)?;
            Way::Beside(beside, existing)
        };
        let path = path.to_owned();
        Ok(Self { path, way })
    }

    /// Writes the contents and moves the file to its path.
    ///
    /// # Errors
    /// As [`OutputFile::begin`]; then nothing is left behind.
    pub fn finish(self, bytes: &[u8]) -> Result<(), OutputError> {
        let Self { path, way } = self;
        let failed = |problem| OutputError::failed(&path, problem);
        match way {
            Way::Direct(mut file) => write_in_time(&mut file, bytes).map_err(failed),
            Way::Beside(mut file, existing) => {
                file.write_all(bytes).map_err(failed)?;
                file.as_file().sync_all().map_err(failed)?;
                let placed = match existing {
                    Existing::Keep => file.persist_noclobber(&path),
                    Existing::Replace => file.persist(&path),
                };
                placed.map(drop).map_err(|error| failed(error.error))
            }
        }
    }
}

/// Moves a finished file to its path.
///
/// # Errors
/// As [`OutputFile::begin`].
pub fn place(written: &Path, path: &Path, existing: Existing) -> Result<(), OutputError> {
    let failed = |problem| OutputError::failed(path, problem);
    if path.is_dir() && existing == Existing::Replace {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let put = || match existing {
        Existing::Keep => fs::hard_link(written, path).or_else(|_| rename_new(written, path)),
        Existing::Replace => fs::rename(written, path),
    };
    File::open(written)
        .and_then(|file| file.sync_all())
        .and_then(|()| put())
        .and_then(|()| File::open(folder_of(path))?.sync_all())
        .map_err(failed)
}

/// Renames to a new path, on file systems without hard links.
fn rename_new(written: &Path, path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(written, path)
}

/// Appends to a file, creating it if needed.
///
/// # Errors
/// As [`OutputFile::begin`]; then the file is unchanged.
pub fn append(path: &Path, bytes: &[u8], house: &Location) -> Result<(), OutputError> {
    no_house(path, house)?;
    if fs::symlink_metadata(path).is_err() && !is_special(path) {
        match OutputFile::begin(path, Existing::Keep, house)?.finish(bytes) {
            // another desk created it first
            Err(OutputError::Exists(_)) => {}
            done => return done,
        }
    }
    let add = || {
        let mut file = open(path)?;
        let before = file.metadata()?;
        write_in_time(&mut file, bytes).inspect_err(|_| {
            if before.is_file() {
                // a partial text could be taken for the whole
                let _ = file.set_len(before.len());
            }
        })
    };
    add().map_err(|problem| OutputError::failed(path, problem))
}

/// Opens an existing file, device or pipe; a pipe that nobody reads is not waited for.
fn open(path: &Path) -> io::Result<File> {
    let no_wait = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    OpenOptions::new().append(true).custom_flags(no_wait).open(path)
}

/// Writes all bytes to a file, device or pipe, as fast as it takes them, but waits for it only so long.
fn write_in_time(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    let mut taken_at = Instant::now();
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = bytes.get(count..).unwrap_or_default();
                taken_at = Instant::now();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && taken_at.elapsed() < BUSY_MOST => {
                std::thread::sleep(LOOK_EVERY);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns whether a path is a device, a pipe, or a stream of this process, which may be a file.
fn is_special(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|devices| path.starts_with(devices)) && !path.starts_with("/dev/shm")
        || fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Refuses to overwrite house files: the current house's by identity under any name, other houses' by content.
pub fn no_house(path: &Path, house: &Location) -> Result<(), OutputError> {
    let own = files_of(house);
    if is_house(path, &own) || is_companion(path, &own) {
        return Err(OutputError::House(path.to_owned()));
    }
    Ok(())
}

/// Refuses like [`no_house`], but lets a backup be replaced: a house in one file without a log beside it.
pub fn no_house_at_work(path: &Path, house: &Location) -> Result<(), OutputError> {
    let is_own = identity(path).is_ok_and(|there| files_of(house).contains(&there));
    if !is_own && is_backup(path) {
        return Ok(());
    }
    no_house(path, house)
}

/// Bytes of a database header with the format versions for writing and reading.
const FORMATS: std::ops::Range<usize> = 18..20;

/// Returns whether a file is a house that was never in use: no write-ahead log and no companion files.
fn is_backup(path: &Path) -> bool {
    let mut head = [0; MARK_END];
    let read = |mut file: File| file.read_exact(&mut head).is_ok();
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
        && File::open(path).is_ok_and(read)
        && is_marked(&head)
        && head.get(FORMATS) == Some(&[1, 1])
        && COMPANIONS
            .iter()
            .filter(|end| !end.is_empty())
            .all(|end| fs::symlink_metadata(companion(path, end)).is_err())
}

/// Identities of a house's file and of its existing companions.
fn files_of(house: &Location) -> Vec<(u64, u64)> {
    let Location::File(house) = house else {
        return Vec::new();
    };
    // the write-ahead log is beside the real file, not beside a link to it
    let real = fs::canonicalize(house).unwrap_or_else(|_| house.to_owned());
    let files = [house, &real].map(|house| COMPANIONS.map(|end| companion(house, end)));
    let files = files.into_iter().flatten();
    files.filter_map(|file| identity(&file).ok()).collect()
}

/// Returns whether a path has the name of a house's companion, existing or not.
fn is_companion(path: &Path, own: &[(u64, u64)]) -> bool {
    let name = path.as_os_str().as_bytes();
    COMPANIONS.iter().any(|end| {
        let stem = name.strip_suffix(end.as_bytes()).filter(|_| !end.is_empty());
        stem.is_some_and(|stem| is_house(Path::new(OsStr::from_bytes(stem)), own))
    })
}

/// Returns whether a file contains a house. The current house's file is not opened: closing it
/// would drop the database's locks.
fn is_house(path: &Path, own: &[(u64, u64)]) -> bool {
    let mut head = [0; MARK_END];
    identity(path).is_ok_and(|there| own.contains(&there))
        || fs::metadata(path).is_ok_and(|there| there.is_file())
            && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
            && is_marked(&head)
}

impl OutputError {
    /// Returns whether the disk is at fault.
    pub fn is_outage(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::Failed { problem, .. } if matches!(problem.kind(), QuotaExceeded | StorageFull))
    }

    fn failed(path: &Path, problem: io::Error) -> Self {
        let (is_device, path) = (is_special(path), path.to_owned());
        let is_gone = [Errno::NXIO, Errno::NODEV, Errno::PIPE]
            .iter()
            .any(|one| problem.raw_os_error() == Some(one.raw_os_error()));
        let kind = problem.kind();
        if kind == ErrorKind::AlreadyExists {
            Self::Exists(path)
        } else if is_device && matches!(kind, ErrorKind::ResourceBusy | ErrorKind::WouldBlock) {
            Self::Busy(path)
        } else if is_gone || is_device && kind == ErrorKind::NotFound {
            Self::Gone(path)
        } else {
            Self::Failed { path, problem }
        }
    }
}
