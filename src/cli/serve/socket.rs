//! A Unix socket that only this user can open.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cli::serve::connection::Connection;
use crate::cli::stop::{Cannot, Stop};

/// Most programs at once; one more is told so.
const CONNECTIONS_MAX: usize = 64;

/// Programs that are connected.
static CONNECTED: AtomicUsize = AtomicUsize::new(0);

/// Socket that is listened on, until it is dropped.
pub(super) struct Socket {
    path: PathBuf,
    listener: Option<UnixListener>,
    /// Locked as long as this program serves there: so a socket that was left behind is told from a live one.
    _lock: File,
}

/// The path with letters behind it.
fn beside(path: &Path, letters: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(letters);
    name.into()
}

impl Socket {
    /// Listens at a path. A socket that was left behind is replaced; a live one, and a file that is none, stay.
    pub(super) fn bind(path: &Path) -> Result<Self, Stop> {
        let not_writable = |problem: io::Error| Stop::from(Cannot::not_writable(path, problem));
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).mode(0o600);
        let lock = options.open(beside(path, ".lock")).map_err(not_writable)?;
        if lock.try_lock().is_err() {
            return Err(Cannot::Served(path.to_owned()).into());
        }
        if fs::symlink_metadata(path).is_ok_and(|there| !there.file_type().is_socket()) {
            return Err(Cannot::FileExists(path.to_owned()).into());
        }
        let listener = listen(path).map_err(not_writable)?;
        Ok(Self { path: path.to_owned(), listener: Some(listener), _lock: lock })
    }

    /// Serves each program that connects on a thread of its own, until it is dropped.
    #[must_use]
    pub(super) fn accept(mut self, connect: impl Fn(Box<dyn Write + Send>) -> Connection + Send + 'static) -> Self {
        let listener = self.listener.take();
        std::thread::spawn(move || {
            for stream in listener.iter().flat_map(UnixListener::incoming) {
                // one that left again, or no file left for it: the next may come
                let Ok((stream, to)) = stream.and_then(|stream| Ok((stream.try_clone()?, stream))) else {
                    continue;
                };
                serve(connect(Box::new(to)), stream);
            }
        });
        self
    }
}

/// Serves a program, or tells it that too many are connected.
fn serve(connection: Connection, stream: UnixStream) {
    if CONNECTED.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
        connection.refuse_as_too_many(CONNECTIONS_MAX);
        CONNECTED.fetch_sub(1, Ordering::Relaxed);
        return;
    }
    std::thread::spawn(move || {
        // a program that is gone has its answers no more
        let _ = connection.serve(BufReader::new(stream));
        CONNECTED.fetch_sub(1, Ordering::Relaxed);
    });
}

/// Makes the socket in a folder of this user alone, and moves it to its path when its mode is set.
fn listen(path: &Path) -> io::Result<UnixListener> {
    let folder = beside(path, ".new");
    // left behind by a program that was killed in between
    let _ = fs::remove_dir_all(&folder);
    DirBuilder::new().mode(0o700).create(&folder)?;
    let made = folder.join("s");
    let listener = UnixListener::bind(&made)?;
    fs::set_permissions(&made, Permissions::from_mode(0o600))?;
    fs::rename(&made, path)?;
    fs::remove_dir(&folder)?;
    Ok(listener)
}

impl Drop for Socket {
    fn drop(&mut self) {
        // the next program replaces one that stays
        let _ = fs::remove_file(&self.path);
    }
}
