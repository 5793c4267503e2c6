//! A throw-away PostgreSQL server, and SQL behind everybody's back: made in a temporary folder, reached by a socket in it,
//! and stopped when its process ends. No existing server is ever used.

use std::fs;
use std::io::{Error, Result, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::limit;

/// Timeout for the start of a server.
const STARTS_WITHIN: Duration = Duration::from_mins(1);

/// Number of the next schema of a house.
static SCHEMAS: Mutex<u32> = Mutex::new(0);

/// A server and the shell that ends it when its pipe closes.
#[derive(Debug)]
pub(crate) struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    /// User of the server's process: a server refuses to run as root.
    user: Option<(u32, u32)>,
    shell: Mutex<Option<Child>>,
    settings: String,
}

impl Cluster {
    /// Makes a server; `None` when no server is installed.
    fn made(settings: &str) -> Result<Option<Self>> {
        let Some(programs) = programs() else {
            return Ok(None);
        };
        let folder = tempfile::Builder::new().prefix("willcall-pg-").tempdir_in(limit::parent())?.keep();
        let user = unprivileged()?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group))?;
        }
        let settings = format!(
            "-c listen_addresses='' -c max_connections=400 -c shared_buffers=64MB -c max_wal_size=1GB -c log_min_messages=fatal {settings}"
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
    pub(crate) fn rise(&self) -> Result<()> {
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
    pub(crate) fn fall(&self, signal: &str) -> Result<()> {
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
        rows_of(self.address("public"), "SELECT 1").is_ok()
    }

    /// Folder of the server's files and its socket.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The server's address, for a house in a schema.
    pub(crate) fn address(&self, schema: &str) -> String {
        let (folder, database) = (self.folder.display(), database(schema));
        format!("host='{folder}' user=willcall dbname={database} options='-c search_path={schema}'")
    }

    /// A new schema for a house, in the database of [`database`].
    pub(crate) fn new_schema(&self, kind: &str) -> String {
        let mut made = SCHEMAS.lock();
        let schema = format!("{kind}_{made}");
        let database = database(&schema);
        *made += 1;
        if !self.ask("", "SELECT datname FROM pg_database").contains(&database) {
            self.execute("", &format!("CREATE DATABASE {database}"));
        }
        self.execute(&schema, &format!("CREATE SCHEMA {schema}"));
        schema
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

/// The database of a house's schema. Making a table takes longer the more tables are in a database, so that each has
/// few houses; the triggers of a bare server and the extension of a distributed one are in the first.
pub(crate) fn database(schema: &str) -> String {
    let number = schema.strip_prefix("house_").map(|rest| rest.split(',').next().unwrap_or_default());
    match number.and_then(|number| number.parse::<u32>().ok()) {
        Some(number) => format!("houses_{}", number / 32),
        None => "postgres".to_owned(),
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

impl Cluster {
    /// The one of this test process; `None`, with a line that says so, when no server is installed.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
        SHARED.get_or_init(|| Self::start("")).as_ref()
    }

    /// A new one, with more settings when there are any (`-c name=value ...`).
    pub(crate) fn start(settings: &str) -> Option<Self> {
        limit::step();
        let started = Self::made(settings).unwrap();
        if started.is_none() {
            // past the test harness, which keeps what tests print to itself
            let _ = std::io::stderr().write_all(b"SKIPPED: no initdb here, so nothing is tried on a server\n");
        }
        started
    }

    /// The coordinator of the three of this test process that have Citus; `None` where [`Self::several`] is.
    pub(crate) fn distributed() -> Option<&'static Self> {
        static DISTRIBUTED: OnceLock<Option<[Cluster; 3]>> = OnceLock::new();
        DISTRIBUTED.get_or_init(Self::several).as_ref().map(|[coordinator, ..]| coordinator)
    }

    /// A new coordinator with Citus and two workers; `None`, with a line that says so, where no server has that extension.
    pub(crate) fn several() -> Option<[Self; 3]> {
        let known = "SELECT name FROM pg_available_extensions WHERE name = 'citus'";
        if Self::shared()?.ask("", known).is_empty() {
            let _ = std::io::stderr().write_all(b"SKIPPED: no Citus here, so nothing is tried on several servers\n");
            return None;
        }
        let settings = "-c shared_preload_libraries=citus -c citus.node_conninfo=sslmode=disable \
                        -c max_prepared_transactions=400";
        let nodes = [(); 3].map(|()| Self::start(settings).unwrap());
        for node in &nodes {
            node.execute("", "CREATE EXTENSION citus");
        }
        let [coordinator, workers @ ..] = &nodes;
        coordinator.recover_each("2s");
        let at = |node: &Self| format!("'{}', 5432", node.folder.display());
        coordinator.execute("", &format!("SELECT citus_set_coordinator_host({})", at(coordinator)));
        for worker in workers {
            coordinator.execute("", &format!("SELECT citus_add_node({})", at(worker)));
        }
        Some(nodes)
    }

    /// Sets how often the coordinator brings commits to their end that a crash interrupted.
    pub(crate) fn recover_each(&self, interval: &str) {
        self.execute("", &format!("ALTER SYSTEM SET citus.recover_2pc_interval = '{interval}'"));
        self.execute("", "SELECT pg_reload_conf()");
    }

    /// A new one that listens at two addresses of this machine, `127.a.b.1` and `127.a.b.2`, and lets people in
    /// there by TLS only, but for the role `plain`, which it lets in without. Its certificate names the first; `ca.crt` in its folder has signed it, `other.crt` has not.
    pub(crate) fn with_tls() -> Option<(Self, [String; 2])> {
        let number = std::process::id();
        let net = format!("127.{}.{}", 1 + number / 256 % 254, number % 256);
        let hosts = [format!("{net}.1"), format!("{net}.2")];
        let cluster = Self::start(&format!("-c listen_addresses={}", hosts.join(",")))?;
        cluster.certify(&hosts[0]);
        let folder = cluster.folder().display();
        for setting in [
            "ssl = on".to_owned(),
            format!("ssl_cert_file = '{folder}/server.crt'"),
            format!("ssl_key_file = '{folder}/server.key'"),
        ] {
            cluster.execute("", &format!("ALTER SYSTEM SET {setting}"));
        }
        let rules = "local all all trust\nhostnossl all plain 127.0.0.0/8 trust\nhostssl all plain 127.0.0.0/8 reject\nhostssl all all 127.0.0.0/8 trust\n";
        fs::write(cluster.folder().join("data/pg_hba.conf"), rules).unwrap();
        cluster.restart();
        Some((cluster, hosts))
    }

    fn restart(&self) {
        self.fall("INT").unwrap();
        self.rise().unwrap();
    }

    /// Makes the server's certificate anew, one of version 1 this time.
    pub(crate) fn certify_without_names(&self) {
        self.openssl("x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt");
        self.restart();
    }

    fn openssl(&self, line: &str) {
        let mut command = self.as_owner("openssl");
        command.args(line.split(' ')).stderr(Stdio::null());
        assert!(command.status().unwrap().success(), "openssl {line}");
    }

    /// Makes the authorities, and the server's certificate for an address.
    fn certify(&self, host: &str) {
        let openssl = |line: &str| self.openssl(line);
        for authority in ["ca", "other"] {
            openssl(&format!(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={authority} -keyout {authority}.key -out {authority}.crt"
            ));
        }
        openssl("req -newkey rsa:2048 -nodes -subj /CN=house -keyout server.key -out server.csr");
        let names = format!("subjectAltName=IP:{host}\n");
        fs::write(self.folder().join("names"), names).unwrap();
        openssl(
            "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt",
        );
    }

    /// A server that follows this one and stores nothing itself.
    pub(crate) fn standby(&self) -> Self {
        let standby = Self::start("").unwrap();
        standby.fall("INT").unwrap();
        let data = standby.folder().join("data");
        fs::remove_dir_all(&data).unwrap();
        let mut copy = standby.as_owner("pg_basebackup");
        copy.args(["-R", "-U", "willcall", "-c", "fast", "--no-sync", "-h"]);
        copy.arg(self.folder()).arg("-D").arg(data);
        assert!(copy.status().unwrap().success(), "pg_basebackup failed");
        standby.rise().unwrap();
        standby
    }

    /// A program that works in the server's folder, as whom the server runs.
    fn as_owner(&self, program: &str) -> Command {
        let owner = fs::metadata(self.folder()).unwrap();
        let mut command = Command::new(program);
        command.current_dir(self.folder());
        command.uid(owner.uid()).gid(owner.gid());
        command
    }

    /// Runs SQL in a schema, as the owner of everything.
    pub(crate) fn execute(&self, schema: &str, sql: &str) {
        self.ask(schema, sql);
    }

    /// Runs SQL as a role; the server's word when it does not.
    pub(crate) fn try_as(&self, role: &str, schema: &str, sql: &str) -> std::result::Result<(), String> {
        let address = self.address(schema).replace("user=willcall", &format!("user={role}"));
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
fn rows_of(address: String, sql: &str) -> std::result::Result<Vec<String>, String> {
    let sql = sql.to_owned();
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let connected = tokio_postgres::connect(&address, tokio_postgres::NoTls).await;
            let (client, connection) = connected.map_err(|error| error.to_string())?;
            tokio::spawn(connection);
            let messages = client.simple_query(&sql).await;
            let messages = messages.map_err(|error| error.as_db_error().unwrap().message().to_owned())?;
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
