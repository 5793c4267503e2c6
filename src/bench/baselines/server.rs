//! A plain driver connection to a server, without the store, and a schema for one benchmark.

use std::collections::HashMap;

use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use crate::bench::BenchError;
use crate::domain::ids::CommandId;
use crate::engine::Failure;
use crate::store::postgres::Address;
use crate::store::{Fault, OpenError};

/// Setting that flushes each commit before its answer, as a house does.
const DURABLE: &str =
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// A blocking connection that keeps its statements prepared.
pub(super) struct Server {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    runtime: Runtime,
}

impl Server {
    pub(super) fn connect(address: &Address) -> Result<Self, BenchError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (client, connection) = runtime.block_on(address.connect()).map_err(OpenError::from)?;
        runtime.spawn(connection);
        let server = Self { client, statements: HashMap::new(), runtime };
        server.run(DURABLE)?;
        Ok(server)
    }

    /// Runs statements without parameters in one round trip.
    pub(super) fn run(&self, text: &str) -> Result<(), Failure> {
        self.wait(self.client.batch_execute(text))
    }

    pub(super) fn query(&mut self, text: &'static str, params: Params<'_>) -> Result<Vec<Row>, Failure> {
        let statement = self.prepared(text)?;
        self.wait(self.client.query(&statement, params))
    }

    /// Runs a statement; gives the number of changed rows.
    pub(super) fn execute(&mut self, text: &'static str, params: Params<'_>) -> Result<u64, Failure> {
        let statement = self.prepared(text)?;
        self.wait(self.client.execute(&statement, params))
    }

    fn prepared(&mut self, text: &'static str) -> Result<Statement, Failure> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.client.prepare(text))?;
        self.statements.insert(text, statement.clone());
        Ok(statement)
    }

    fn wait<T>(&self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
        self.runtime.block_on(answer).map_err(|error| failure(&error))
    }
}

type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) fn failure(error: &Error) -> Failure {
    let said = error.as_db_error().map(|said| said.message().to_owned());
    Fault::Broken(said.unwrap_or_else(|| error.to_string())).into()
}

/// A schema that is dropped with its value.
pub(in crate::bench) struct Schema {
    server: Address,
    name: String,
    pub(in crate::bench) address: Address,
}

impl Schema {
    pub(in crate::bench) fn new(server: &Address) -> Result<Self, BenchError> {
        let id = CommandId::random().to_string().replace('-', "");
        let name = format!("willcall_bench_{id}");
        let address = server.within(&name).map_err(OpenError::from)?;
        Server::connect(server)?.run(&format!("CREATE SCHEMA {name}"))?;
        Ok(Self { server: server.clone(), name, address })
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Ok(server) = Server::connect(&self.server) {
            // a server that went away keeps the schema, which is no house's
            let _ = server.run(&format!("DROP SCHEMA {} CASCADE", self.name));
        }
    }
}
