//! Where a test's house stands: a file in a folder of its own, or a schema of its own on a throw-away server.

use std::sync::Once;

use parking_lot::Mutex;
use willcall::store::{Location, Missing};

use crate::cluster::Cluster;
use crate::limit;

static CONTENDED: Once = Once::new();

/// Tables of two houses that are spread at once wait for each other in a circle.
static SPREADING: Mutex<()> = Mutex::new(());

/// Functions and views that hide what a bare server lacks.
const LACKING: [&str; 5] = [
    "CREATE FUNCTION pg_current_wal_lsn() RETURNS pg_lsn LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'not supported'; END $$",
    "CREATE FUNCTION pg_notify(text, text) RETURNS void LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'not supported'; END $$",
    "CREATE FUNCTION pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'not supported'; END $$",
    "CREATE FUNCTION pg_try_advisory_lock(bigint) RETURNS boolean LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'not supported'; END $$",
    "CREATE VIEW pg_stat_activity AS SELECT * FROM pg_catalog.pg_stat_activity WHERE false",
];

/// Triggers that refuse one UPDATE or DELETE in 20, and one commit of a journal entry in 20. The
/// sequence counts the refusals, which rollbacks leave as they are.
const CONTEND: &str = "
    CREATE SEQUENCE public.contended;
    CREATE FUNCTION public.contend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF random() < 0.05 THEN
            PERFORM nextval('public.contended');
            RAISE EXCEPTION 'restart transaction' USING ERRCODE = '40001';
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION public.contend_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
    DECLARE made record; BEGIN
        FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE'
            AND to_regclass(schema_name || '.pg_stat_activity') IS NOT NULL
        LOOP
            EXECUTE format('CREATE TRIGGER contend AFTER UPDATE OR DELETE ON %s
                FOR EACH STATEMENT EXECUTE FUNCTION public.contend()', made.object_identity);
            IF made.object_identity LIKE '%.journal' THEN
                EXECUTE format('CREATE CONSTRAINT TRIGGER contend_commit AFTER INSERT ON %s
                    DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION public.contend()', made.object_identity);
            END IF;
        END LOOP;
    END $$;
    CREATE EVENT TRIGGER contend ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
        EXECUTE FUNCTION public.contend_tables()";

pub(crate) enum Ground {
    File(tempfile::TempDir),
    Server { cluster: &'static Cluster, schema: String },
}

impl Ground {
    pub(crate) fn file() -> Self {
        Self::File(limit::scratch())
    }

    /// On the server of this test process; on a file, with a line that says so, when none can be started.
    pub(crate) fn server() -> Self {
        limit::step();
        let Some(cluster) = Cluster::shared() else {
            return Self::file();
        };
        Self::Server { cluster, schema: cluster.new_schema("house") }
    }

    /// The same on a server that imitates the distributed members of PostgreSQL's family: no log
    /// position, notifications, advisory locks or list of connections, and serialization failures
    /// (40001) at random statements and commits.
    pub(crate) fn bare() -> Self {
        limit::step();
        let Some(cluster) = Cluster::shared() else {
            return Self::file();
        };
        let schema = cluster.new_schema("bare");
        CONTENDED.call_once(|| cluster.execute("", CONTEND));
        for lacking in LACKING {
            cluster.execute(&schema, lacking);
        }
        // names of the house's schema are found before the server's own
        let schema = format!("{schema},pg_catalog");
        Self::Server { cluster, schema }
    }

    /// On several servers, the house's tables spread over them; on one, with a line that says so, where none has Citus.
    pub(crate) fn distributed() -> Self {
        limit::step();
        let Some(cluster) = Cluster::distributed() else {
            return Self::server();
        };
        let ground = Self::Server { cluster, schema: cluster.new_schema("spread") };
        let _turn = SPREADING.lock();
        ground.place().open(Missing::Create).unwrap().distribute().unwrap();
        ground
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
            // past the triggers of a bare server
            Self::Server { cluster, schema } => {
                cluster.execute(schema, &format!("SET session_replication_role = replica; {sql}"));
            }
        }
    }
}
