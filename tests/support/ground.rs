//! Where a test's house stands: a file in a folder of its own, or a schema of its own on a throw-away server.

use std::sync::atomic::{AtomicU32, Ordering};

use willcall::store::Location;

use crate::cluster::Cluster;

static SCHEMAS: AtomicU32 = AtomicU32::new(0);

pub(crate) enum Ground {
    File(tempfile::TempDir),
    Server {
        cluster: &'static Cluster,
        schema: String,
    },
}

impl Ground {
    pub(crate) fn file() -> Self {
        Self::File(tempfile::tempdir().unwrap())
    }

    /// On the server of this test process; on a file, with a line that says so, when none can be started.
    pub(crate) fn server() -> Self {
        let Some(cluster) = Cluster::shared() else {
            return Self::file();
        };
        let schema = format!("house_{}", SCHEMAS.fetch_add(1, Ordering::Relaxed));
        cluster.execute("", &format!("CREATE SCHEMA {schema}"));
        Self::Server { cluster, schema }
    }

    /// Where an engine finds the house.
    pub(crate) fn place(&self) -> Location {
        match self {
            Self::File(folder) => folder.path().join("house.db").into(),
            Self::Server { cluster, schema } => Location::parse(&cluster.address(schema)).unwrap(),
        }
    }

    /// The folder of a house in a file.
    pub(crate) fn folder(&self) -> Option<&tempfile::TempDir> {
        match self {
            Self::File(folder) => Some(folder),
            Self::Server { .. } => None,
        }
    }

    /// Changes the house behind everybody's back.
    pub(crate) fn meddle(&self, sql: &str) {
        match self {
            Self::File(folder) => {
                let file = rusqlite::Connection::open(folder.path().join("house.db")).unwrap();
                file.execute_batch(sql).unwrap();
            }
            Self::Server { cluster, schema } => cluster.execute(schema, sql),
        }
    }
}
