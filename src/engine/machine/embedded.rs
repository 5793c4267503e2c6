//! Desk of a program that embeds the crate: opens a database and owns its engine, blocking or async.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::domain::ids::CommandId;
use crate::engine::desk::stopped;
use crate::engine::reads::Question;
use crate::engine::{Actor, Config, Desk, Engine, Failure, Operation, Ticker};
use crate::store::{Location, Missing, OpenError};

/// Operator and station of a program that has named none.
const PROGRAM: &str = "program";

fn as_program(place: Location) -> Config {
    Config { ticker: Ticker::On, station: PROGRAM.to_owned(), ..Config::new(place) }
}

impl Desk {
    /// Opens a database: a file by its path, or a server by its address. Due jobs run while a clone of the desk lives.
    ///
    /// # Errors
    /// An address of nothing that is known, no database there, a foreign file, a newer schema, or a server that can't be
    /// reached.
    pub fn open(place: impl TryInto<Location, Error: Into<OpenError>>) -> Result<Self, OpenError> {
        Self::open_with(as_program(place.try_into().map_err(Into::into)?))
    }

    /// Opens a database, and creates it if there is none.
    ///
    /// # Errors
    /// As for [`Desk::open`].
    pub fn create(place: impl TryInto<Location, Error: Into<OpenError>>) -> Result<Self, OpenError> {
        let place = place.try_into().map_err(Into::into)?;
        Self::open_with(Config { missing: Missing::Create, ..as_program(place) })
    }

    /// Opens a database with options: for a single command, on another clock, or with reports on background work.
    ///
    /// # Errors
    /// As for [`Desk::open`].
    pub fn open_with(config: Config) -> Result<Self, OpenError> {
        let engine = Engine::open(config)?;
        let desk = engine.desk(Actor { operator: PROGRAM.to_owned(), station: PROGRAM.to_owned() });
        Ok(Self { engine: Some(Arc::new(Mutex::new(Some(Box::new(engine))))), ..desk })
    }

    /// Returns the same desk for an operator at a station; receipts are numbered by station.
    #[must_use]
    pub fn working_as(&self, operator: &str, station: &str) -> Self {
        self.with_actor(Actor { operator: operator.to_owned(), station: station.to_owned() })
    }

    /// Runs an operation without blocking the thread; dropping the future does not cancel the operation.
    pub async fn run_async<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        let (sender, receiver) = oneshot::channel();
        self.submit(CommandId::random(), operation, move |answer| {
            // the future may be dropped
            let _ = sender.send(answer);
        });
        receiver.await.unwrap_or_else(|_| Err(stopped().into()))
    }

    /// Answers a question on a thread of the current tokio runtime.
    pub async fn read_async<Q>(&self, question: Q) -> Result<Q::Answer, Failure>
    where
        Q: Question + Send + 'static,
        Q::Answer: Send + 'static,
    {
        let desk = self.clone();
        let answer = tokio::task::spawn_blocking(move || desk.read(question));
        answer.await.unwrap_or_else(|_| Err(stopped().into()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::engine::ops::OpenCart;
    use crate::engine::reads::carts::{ReadCart, ReadOpenCarts};
    use crate::engine::{Desk, Failure};
    use crate::store::Fault;

    #[test]
    fn two_threads_share_a_desk_and_nothing_runs_after_close() {
        crate::limit::step();
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk::create(folder.path().join("house.db")).unwrap();
        let threads = ["till-1", "till-2"].map(|station| {
            let desk = desk.working_as("ada", station);
            std::thread::spawn(move || desk.run(OpenCart::default()).unwrap())
        });
        for thread in threads {
            let cart = thread.join().unwrap();
            assert_eq!(desk.read(ReadCart(cart.id)).unwrap().cart, cart);
        }
        let other = desk.clone();
        desk.close();
        let is_stopped =
            |failure| matches!(failure, Failure::Fault(Fault::Unreachable(said)) if said.contains("stopped"));
        assert!(is_stopped(other.run(OpenCart::default()).unwrap_err()));
        let open = ReadOpenCarts { after: None, station: None };
        assert!(is_stopped(other.read(open).unwrap_err()));
        other.close();
    }

    #[test]
    fn a_missing_or_foreign_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("house.db");
        let missing = Desk::open(file.clone()).err().unwrap().to_string();
        assert!(missing.contains("house.db"), "{missing}");
        fs::write(&file, "no database at all, but text of some length").unwrap();
        for opened in [Desk::open(file.clone()), Desk::create(file.clone())] {
            let foreign = opened.err().unwrap().to_string();
            assert!(foreign.contains("house.db"), "{foreign}");
        }
        assert!(fs::read_to_string(&file).unwrap().starts_with("no database"));
    }

    #[test]
    fn a_desk_opens_at_any_text_that_is_a_path_or_an_address() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("house.db");
        let text = file.to_str().unwrap();
        Desk::create(text).unwrap().close();
        for opened in [Desk::open(text.to_owned()), Desk::open(file.as_path()), Desk::open(&file)] {
            opened.unwrap().close();
        }
        let other = Desk::open("mysql://ada@till/house").err().unwrap().to_string();
        assert!(other.contains("mysql://") && !other.contains("ada"), "{other}");
    }
}
