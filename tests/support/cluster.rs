//! The throw-away server of a test process, and SQL behind everybody's back.

use std::io::Write;
use std::ops::Deref;
use std::sync::OnceLock;

use willcall::store::postgres;

#[derive(Debug)]
pub(crate) struct Cluster(postgres::Cluster);

impl Deref for Cluster {
    type Target = postgres::Cluster;

    fn deref(&self) -> &postgres::Cluster {
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
        let started = postgres::Cluster::start(settings).unwrap();
        if started.is_none() {
            // past the test harness, which keeps what tests print to itself
            let _ = std::io::stderr()
                .write_all(b"SKIPPED: no initdb here, so nothing is tried on a server\n");
        }
        started.map(Self)
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
