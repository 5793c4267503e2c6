//! A throw-away server for tests: made in a folder of its own, reached by a socket in it, and gone with the test
//! process, however that ends. Never one that was there before.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// How long a server may take to come up.
const STARTS_WITHIN: Duration = Duration::from_mins(1);

/// A server and the shell that ends it when its pipe closes.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) folder: PathBuf,
    programs: PathBuf,
    /// As whom it runs: a server refuses to be root's.
    user: Option<(u32, u32)>,
    shell: Mutex<Option<Child>>,
    settings: String,
}

impl Cluster {
    /// The one of this test process; `None`, with a line that says so, when no server is installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
        SHARED.get_or_init(|| Self::start("")).as_ref()
    }

    /// A new one, with more settings when there are any (`-c name=value ...`).
    pub(crate) fn start(settings: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            // past the test harness, which keeps what tests print to itself
            let _ = std::io::stderr()
                .write_all(b"SKIPPED: no initdb here, so nothing is tried on a server\n");
            return None;
        };
        let folder = tempfile::Builder::new()
            .prefix("willcall-pg-")
            .tempdir()
            .unwrap()
            .keep();
        let user = unprivileged();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group)).unwrap();
        }
        let settings = format!(
            "-c listen_addresses='' -c max_connections=200 -c shared_buffers=64MB -c max_wal_size=2GB -c log_min_messages=fatal {settings}"
        );
        let cluster = Self {
            folder,
            programs,
            user,
            shell: Mutex::new(None),
            settings,
        };
        let made = cluster
            .program("initdb")
            .args([
                "-U",
                "willcall",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                "-D",
            ])
            .arg(cluster.folder.join("data"))
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success(), "initdb failed");
        // everybody is let in, and one role only with its password
        let rules = "local all guarded scram-sha-256\nlocal all all trust\n";
        fs::write(cluster.folder.join("data/pg_hba.conf"), rules).unwrap();
        cluster.rise();
        Some(cluster)
    }

    fn program(&self, name: &str) -> Command {
        self.as_user(Command::new(self.programs.join(name)))
    }

    fn as_user(&self, mut command: Command) -> Command {
        command.current_dir(&self.folder);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    /// Starts the server; it ends with this process.
    pub(crate) fn rise(&self) {
        let script = format!(
            "'{0}/postgres' -D '{1}/data' -k '{1}' {2} >'{1}/log' 2>&1 & server=$!; read ending; \
             kill -${{ending:-QUIT}} $server; wait $server; [ -n \"$ending\" ] || rm -rf '{1}'",
            self.programs.display(),
            self.folder.display(),
            self.settings
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]);
        let shell = self.as_user(shell).stdin(Stdio::piped()).spawn().unwrap();
        *self.shell.lock().unwrap() = Some(shell);
        let started = std::time::Instant::now();
        while !self.answers() {
            assert!(
                started.elapsed() < STARTS_WITHIN,
                "the server did not start: {}",
                fs::read_to_string(self.folder.join("log")).unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops the server and keeps what it has: `INT` at once, `QUIT` as when the power fails.
    pub(crate) fn fall(&self, signal: &str) {
        let Some(mut shell) = self.shell.lock().unwrap().take() else {
            return;
        };
        shell
            .stdin
            .take()
            .unwrap()
            .write_all(format!("{signal}\n").as_bytes())
            .unwrap();
        shell.wait().unwrap();
    }

    fn answers(&self) -> bool {
        let address = self.address("public");
        let asked = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime
                .block_on(tokio_postgres::connect(&address, tokio_postgres::NoTls))
                .is_ok()
        });
        asked.join().unwrap()
    }

    /// Its address, for a house in a schema.
    pub(crate) fn address(&self, schema: &str) -> String {
        format!(
            "host='{}' user=willcall dbname=postgres options='-c search_path={schema}'",
            self.folder.display()
        )
    }

    /// Runs SQL in a schema, as the owner of everything.
    pub(crate) fn execute(&self, schema: &str, sql: &str) {
        self.ask(schema, sql);
    }

    /// Runs SQL as a role; the server's word when it does not.
    pub(crate) fn try_as(&self, role: &str, schema: &str, sql: &str) -> Result<(), String> {
        let address = self
            .address(schema)
            .replace("user=willcall", &format!("user={role}"));
        rows_of(address, sql).map(drop)
    }

    /// The rows that SQL gives, columns joined by `|`.
    pub(crate) fn ask(&self, schema: &str, sql: &str) -> Vec<String> {
        let schema = if schema.is_empty() { "public" } else { schema };
        rows_of(self.address(schema), sql).unwrap()
    }
}

/// The rows that SQL gives at an address, or the server's word, on a thread of its own, for a test may be running
/// futures.
fn rows_of(address: String, sql: &str) -> Result<Vec<String>, String> {
    let sql = sql.to_owned();
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls)
                .await
                .unwrap();
            tokio::spawn(connection);
            let messages = client.simple_query(&sql).await;
            let messages =
                messages.map_err(|error| error.as_db_error().unwrap().message().to_owned())?;
            Ok(messages.iter().filter_map(row_of).collect())
        })
    });
    asked.join().unwrap()
}

fn row_of(message: &tokio_postgres::SimpleQueryMessage) -> Option<String> {
    let tokio_postgres::SimpleQueryMessage::Row(row) = message else {
        return None;
    };
    let columns = (0..row.len()).map(|column| row.get(column).unwrap_or_default());
    Some(columns.collect::<Vec<&str>>().join("|"))
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(mut shell) = self.shell.lock().unwrap().take() {
            drop(shell.stdin.take());
            let _ = shell.wait();
        }
    }
}

/// Where a server's programs are.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    folders.extend(
        installed
            .flatten()
            .map(|version| version.path().join("bin")),
    );
    folders
        .into_iter()
        .find(|folder| folder.join("initdb").exists())
}

/// Somebody else than root, when this is root.
fn unprivileged() -> Option<(u32, u32)> {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let id = |name: &str| {
        let line = users
            .lines()
            .find(|line| line.starts_with(&format!("{name}:")))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    id("postgres").or_else(|| id("nobody"))
}
