//! A throw-away PostgreSQL server for measuring and for tests: made in a temporary folder, reached by a socket in it,
//! and stopped when its process ends. No existing server is ever used.

use std::fs;
use std::io::{Error, Result, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::server::Server;
use crate::store::postgres::Address;
use parking_lot::Mutex;

/// Timeout for the start of a server.
const STARTS_WITHIN: Duration = Duration::from_mins(1);

/// A server and the shell that ends it when its pipe closes.
#[derive(Debug)]
pub struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    /// User of the server's process: a server refuses to run as root.
    user: Option<(u32, u32)>,
    shell: Mutex<Option<Child>>,
    settings: String,
}

impl Cluster {
    /// Starts a new server, with further settings (`-c name=value ...`); `None` when no server is installed.
    ///
    /// # Errors
    /// The server cannot be made, or does not start.
    pub fn start(settings: &str) -> Result<Option<Self>> {
        let Some(programs) = programs() else {
            return Ok(None);
        };
        let folder = tempfile::Builder::new().prefix("willcall-pg-").tempdir()?.keep();
        let user = unprivileged()?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group))?;
        }
        let settings = format!(
            "-c listen_addresses='' -c max_connections=400 -c shared_buffers=64MB -c max_wal_size=2GB -c log_min_messages=fatal {settings}"
        );
        let cluster = Self { folder, programs, user, shell: Mutex::new(None), settings };
        cluster.make()?;
        cluster.rise()?;
        Ok(Some(cluster))
    }

    fn make(&self) -> Result<()> {
        let made = self
            .as_user(Command::new(self.programs.join("initdb")))
            .args(["-U", "willcall", "-A", "trust", "-E", "UTF8"])
            .args(["--locale=C.UTF-8", "--no-sync", "-D"])
            .arg(self.folder.join("data"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !made.success() {
            return Err(Error::other("initdb failed"));
        }
        // no password is asked, but for some roles
        let rules = "local all guarded,+kept scram-sha-256\nlocal all,replication all trust\n";
        fs::write(self.folder.join("data/pg_hba.conf"), rules)
    }

    fn as_user(&self, mut command: Command) -> Command {
        command.current_dir(&self.folder);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    /// Restarts the server; it ends with this process.
    ///
    /// # Errors
    /// The server does not start.
    pub fn rise(&self) -> Result<()> {
        let script = format!(
            "'{0}/postgres' -D '{1}/data' -k '{1}' {2} >'{1}/log' 2>&1 & server=$!; read ending; \
             kill -${{ending:-QUIT}} $server; wait $server; [ -n \"$ending\" ] || rm -rf '{1}'",
            self.programs.display(),
            self.folder.display(),
            self.settings
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]);
        let shell = self.as_user(shell).stdin(Stdio::piped()).spawn()?;
        *self.shell.lock() = Some(shell);
        let started = Instant::now();
        while !self.answers() {
            if started.elapsed() > STARTS_WITHIN {
                let said = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(Error::other(format!("the server did not start: {said}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Stops the server and keeps its files: `INT` at once, `QUIT` like a power failure.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn fall(&self, signal: &str) -> Result<()> {
        let taken = self.shell.lock().take();
        let Some(mut shell) = taken else {
            return Ok(());
        };
        if let Some(mut pipe) = shell.stdin.take() {
            pipe.write_all(format!("{signal}\n").as_bytes())?;
        }
        shell.wait().map(|_| ())
    }

    fn answers(&self) -> bool {
        let Ok(address) = Address::parse(&self.address("public")) else {
            return false;
        };
        // a separate thread, for the caller may be inside an async runtime
        let asked = std::thread::spawn(move || Server::connect(&address).is_ok());
        asked.join().unwrap_or(false)
    }

    /// Folder of the server's files and its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The server's address, for a house in a schema.
    pub fn address(&self, schema: &str) -> String {
        format!("host='{}' user=willcall dbname=postgres options='-c search_path={schema}'", self.folder.display())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let shell = self.shell.get_mut().take();
        if let Some(mut shell) = shell {
            drop(shell.stdin.take());
            // a server that doesn't stop ends with its folder
            let _ = shell.wait();
        }
    }
}

/// Folder of the server's programs.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    folders.extend(installed.flatten().map(|version| version.path().join("bin")));
    folders.into_iter().find(|folder| folder.join("initdb").exists())
}

/// Unprivileged user and group, if this process is root.
fn unprivileged() -> Result<Option<(u32, u32)>> {
    if fs::metadata("/proc/self")?.uid() != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let id = |name: &str| {
        let line = users.lines().find(|line| line.starts_with(&format!("{name}:")))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    Ok(id("postgres").or_else(|| id("nobody")))
}
