//! The throw-away server of a test process, and SQL behind everybody's back.

use std::fs;
use std::io::Write;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use willcall::bench;

use crate::limit;

#[derive(Debug)]
pub(crate) struct Cluster(bench::Cluster);

impl Deref for Cluster {
    type Target = bench::Cluster;

    fn deref(&self) -> &bench::Cluster {
        &self.0
    }
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
        let started = bench::Cluster::start(settings).unwrap();
        if started.is_none() {
            // past the test harness, which keeps what tests print to itself
            let _ = std::io::stderr().write_all(b"SKIPPED: no initdb here, so nothing is tried on a server\n");
        }
        started.map(Self)
    }

    /// A new one that listens at two addresses of this machine, `127.a.b.1` and `127.a.b.2`, and lets people in
    /// there by TLS only. Its certificate names the first; `ca.crt` in its folder has signed it, `other.crt` has not.
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
        let rules = "local all all trust\nhostssl all all 127.0.0.0/8 trust\n";
        fs::write(cluster.folder().join("data/pg_hba.conf"), rules).unwrap();
        cluster.fall("INT").unwrap();
        cluster.rise().unwrap();
        Some((cluster, hosts))
    }

    /// Makes the authorities, and the server's certificate for an address.
    fn certify(&self, host: &str) {
        let openssl = |line: &str| {
            let mut command = self.as_owner("openssl");
            command.args(line.split(' ')).stderr(Stdio::null());
            assert!(command.status().unwrap().success(), "openssl {line}");
        };
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
    pub(crate) fn try_as(&self, role: &str, schema: &str, sql: &str) -> Result<(), String> {
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
fn rows_of(address: String, sql: &str) -> Result<Vec<String>, String> {
    let sql = sql.to_owned();
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls).await.unwrap();
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
