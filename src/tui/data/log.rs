//! Log of a desk: a text file in the user's state folder, one line an event.
//!
//! # Invariants
//! - Nothing personal is written: starts, sizes, outages, and faults of the machinery; a refusal may name people.
//! - A log that cannot be written changes nothing else.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use crate::domain::time::Instant;

/// Size from which a log is set aside at the next start, in bytes.
const FULL: u64 = 1 << 20;

/// Permissions of files in the state folder: their owner's alone.
pub(crate) const OWNER: u32 = 0o600;

/// Open log; writes nothing without a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Option<Arc<File>>);

impl Log {
    /// Opens the log of a folder; a full one is renamed, over the one before it.
    pub(crate) fn open(folder: &Path) -> Self {
        let path = folder.join("desk.log");
        let is_full = fs::metadata(&path).is_ok_and(|file| file.len() > FULL);
        if is_full && fs::rename(&path, folder.join("desk.log.1")).is_err() {
            return Self::default();
        }
        let file = fs::create_dir_all(folder)
            .and_then(|()| OpenOptions::new().create(true).append(true).mode(OWNER).open(path));
        Self(file.ok().map(Arc::new))
    }

    /// Appends a line with its time in UTC.
    pub(crate) fn write(&self, at: Instant, words: &str) {
        let Some(mut file) = self.0.as_deref() else {
            return;
        };
        let at = at.format(chrono_tz::Tz::UTC, "%Y-%m-%dT%H:%M:%SZ");
        // one write a line, so that the lines of several desks do not mix
        let _ = file.write_all(format!("{at} {words}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{FULL, Log, OWNER};
    use crate::domain::time::Instant;

    #[test]
    fn a_log_is_appended_to_and_a_full_one_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name));
        let at = Instant::from_millis(1_795_262_400_000);
        Log::default().write(at, "nowhere");
        Log::open(folder.path()).write(at, "start");
        Log::open(folder.path()).write(at, "size 80x24");
        let lines = "2026-11-21T12:00:00Z start\n2026-11-21T12:00:00Z size 80x24\n";
        assert_eq!(read("desk.log").unwrap(), lines);
        let full = vec![b'\n'; usize::try_from(FULL).unwrap() + 1];
        std::fs::write(folder.path().join("desk.log"), full).unwrap();
        Log::open(folder.path()).write(at, "start");
        assert_eq!(read("desk.log").unwrap(), "2026-11-21T12:00:00Z start\n");
        assert!(read("desk.log.1").is_ok());
        let mode = std::fs::metadata(folder.path().join("desk.log")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWNER);
    }
}
