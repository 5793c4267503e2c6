//! The engine: operations in, answers and notices out.
//!
//! Each process has a writer thread, on a server several, started by its first command, that turns commands into
//! transactions. Readers answer questions from snapshots beside the writer. A watcher sends notices of commits here and
//! in other processes; a runner runs due jobs. The engine knows documents and time, and nothing of screens.

#![expect(missing_docs, reason = "fields and variants whose names say all")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use parking_lot::Mutex;
use tokio::sync::{broadcast, mpsc, watch};

use crate::domain::time::Instant;
use crate::engine::background::report::Worked;
use crate::engine::clock::{Clock, SystemClock};
use crate::engine::listeners::{LISTENERS, Listener};
use crate::engine::machine::shared::Shared;
use crate::engine::machine::signal::Signal;
use crate::engine::machine::watcher::{self, Watcher};
use crate::engine::plans::PlanCache;
use crate::engine::transaction::ChainName;
use crate::engine::work::Authority;
use crate::engine::writer::{Queue, QueueMessage, Writer};
use crate::store::Database;

pub mod calendar;
pub mod clock;
mod desk;
pub mod failure;
pub mod jobs;
mod listeners;
mod machine;
pub mod ops;
pub mod plans;
pub mod reads;
mod signing;
mod transaction;
pub mod verify;
pub mod work;
mod writer;

pub use desk::Desk;
pub use failure::Failure;
pub(crate) use listeners::pipe;
pub use machine::feed::Feed;
pub use machine::{background, guard, house_files, notice};
pub use work::{Actor, Operation, UnitOfWork};
pub use writer::line_with_file;

pub use crate::store::{Fault, Location, Missing, OpenError, output};

/// Notices buffered for a slow subscriber; beyond, the subscriber reads everything again.
const NOTICES_KEPT: usize = 256;

/// Thread name of the NOTIFY listener, which our own commits do not wake.
const HEARER: &str = "hearer";

/// Station name under which the desk itself acts.
const DESK: &str = "desk";

/// The role of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Desk: watches for commits, checkpoints the log, and runs due jobs if its ticker is on.
    Desk,
    /// Single command or question: starts only the writer thread, and that only for a command; sends no notices.
    Command,
}

/// Options of an engine.
#[derive(Clone)]
pub struct Config {
    pub place: Location,
    /// Create or refuse a missing database.
    pub missing: Missing,
    pub role: Role,
    /// Run due jobs on this engine.
    pub ticker: Ticker,
    /// Station recorded in the history of jobs run by this engine.
    pub station: String,
    /// Receiver of reports on background work.
    pub worked: Option<mpsc::UnboundedSender<Worked>>,
    /// Source of engine time.
    pub clock: Arc<dyn Clock>,
    /// Most commands per transaction; the engine caps it.
    pub batch_max: usize,
}

impl Config {
    /// Defaults: the machine's clock, no creation of a missing database.
    pub fn new(place: impl Into<Location>) -> Self {
        Self {
            place: place.into(),
            missing: Missing::Refuse,
            role: Role::Desk,
            ticker: Ticker::Off,
            station: DESK.into(),
            worked: None,
            clock: Arc::new(SystemClock::default()),
            batch_max: usize::MAX,
        }
    }
}

/// Switch for running due jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticker {
    /// Due jobs run automatically.
    On,
    /// Due jobs run only on request ([`Desk::sweep`]).
    Off,
}

/// Running engine: owns the threads. Dropping it finishes everything queued, then stops them.
pub struct Engine {
    shared: Arc<Shared>,
    queue: Queue,
    /// Threads beside the writer, each with the signal that wakes it; stopped before the writer.
    helper_threads: Vec<(Arc<Signal>, JoinHandle<()>)>,
    /// Stops waiting for an unreachable database.
    stopping: Arc<AtomicBool>,
}

impl Engine {
    /// Opens a database.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let database = config.place.open(config.missing)?;
        Self::open_on(database, config)
    }

    /// Starts an engine on an open database, located at `config.place`.
    ///
    /// # Errors
    /// The database cannot be read, or a thread cannot be started.
    pub fn open_on(database: Arc<dyn Database>, config: Config) -> Result<Self, OpenError> {
        let unreadable = |fault: Fault| OpenError::Other { place: config.place.to_string(), fault };
        if let Some(now) = database.now_millis().map_err(unreadable)? {
            config.clock.follow(Instant::from_millis(now));
        }
        let shared = Arc::new(Shared {
            place: config.place.clone(),
            database,
            plans: Arc::new(PlanCache::default()),
            clock: Arc::clone(&config.clock),
            guard: Arc::default(),
            notices: broadcast::Sender::new(NOTICES_KEPT),
            away: watch::Sender::new(None),
            readers: Mutex::new(Vec::new()),
            untold: AtomicBool::new(false),
            checks: Mutex::default(),
        });
        if config.role == Role::Command {
            shared.database.lend_connections();
        }
        let (queue, receivers) = Writer::queue(shared.database.writers());
        let helper_threads = match config.role {
            Role::Desk => helper_threads(&config, &shared, &queue).map_err(unreadable)?,
            Role::Command => Vec::new(),
        };
        let committed: Vec<_> = helper_threads
            .iter()
            .filter(|(_, (name, _))| *name != HEARER)
            .map(|(signal, _)| Arc::clone(signal))
            .collect();
        let telling = Arc::clone(&shared);
        let batch_max = shared.database.batch_max().min(config.batch_max);
        let stopping = Arc::new(AtomicBool::new(false));
        let writer = Arc::new(Writer {
            database: Arc::clone(&shared.database),
            plans: Arc::clone(&shared.plans),
            clock: config.clock,
            guard: Arc::clone(&shared.guard),
            shared: Arc::default(),
            batch_max: batch_max.clamp(1, writer::BATCH_MAX),
            patience: shared.database.patience(),
            stopping: Arc::clone(&stopping),
            committed: Arc::new(move || {
                telling.untold.store(true, Ordering::Relaxed);
                for signal in &committed {
                    signal.raise();
                }
            }),
        });
        let start = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let thread = std::thread::Builder::new().name(format!("willcall-{name}"));
            let spawned = thread.spawn(work);
            spawned.map_err(|error| unreadable(Fault::Broken(error.to_string())))
        };
        // from here on, dropping the engine stops the threads already started
        let mut engine = Self { shared, queue, helper_threads: Vec::new(), stopping };
        hire(&engine.queue, &writer, receivers);
        if config.role == Role::Desk {
            engine.queue.crew().start(1).map_err(unreadable)?;
        }
        for (signal, (name, work)) in helper_threads {
            engine.helper_threads.push((signal, start(name, work)?));
        }
        Ok(engine)
    }

    /// Creates a desk for an actor.
    pub fn desk(&self, actor: Actor) -> Desk {
        Desk {
            shared: Arc::clone(&self.shared),
            queue: self.queue.clone(),
            actor,
            authority: Authority::Named,
            worked: None,
            engine: None,
        }
    }
}

/// Name and body of a thread beside the writer.
type NamedThread = (&'static str, Box<dyn FnOnce() + Send>);

/// Threads beside the writer, each with the signal that a commit raises.
fn helper_threads(
    config: &Config,
    shared: &Arc<Shared>,
    queue: &Queue,
) -> Result<Vec<(Arc<Signal>, NamedThread)>, Fault> {
    let bell = || Arc::new(Signal::default());
    let (watching, tidying, hearing) = (bell(), bell(), bell());
    let (to_wake, heard) = (Arc::clone(&watching), Arc::clone(&hearing));
    let told = Arc::clone(shared);
    let (watcher, raised) = (Watcher::new(shared.database.as_ref())?, Arc::clone(&watching));
    let (to_tidy, untidy) = (shared.database.reader()?, Arc::clone(&tidying));
    let shown = Arc::clone(shared);
    let mut threads: Vec<(Arc<Signal>, NamedThread)> = vec![
        (watching, ("watcher", Box::new(move || watcher.work(&shown, &raised)))),
        (tidying, ("tidier", Box::new(move || watcher::tidy(to_tidy, &untidy)))),
        (hearing, (HEARER, Box::new(move || watcher::hear(&told, (&to_wake, &heard))))),
    ];
    if config.ticker == Ticker::On {
        let desk = Desk {
            shared: Arc::clone(shared),
            queue: queue.clone(),
            actor: Actor { operator: DESK.into(), station: config.station.clone() },
            authority: Authority::House,
            worked: config.worked.clone(),
            engine: None,
        };
        for _ in 0..LISTENERS {
            let (listening, told) = (bell(), desk.clone());
            let nudged = Arc::clone(&listening);
            let listener = Listener::new(told, shared.database.reader()?);
            threads.push((listening, ("listener", Box::new(move || listener.work(&nudged)))));
        }
        let running = bell();
        let nudged = Arc::clone(&running);
        let runner = jobs::Runner::new(desk, shared.database.reader()?);
        threads.push((running, ("runner", Box::new(move || runner.work(&nudged)))));
    }
    Ok(threads)
}

impl Engine {
    /// Notifies other stations of a commit the watcher has not announced.
    fn ring(&self) {
        let reader = self.shared.readers.lock().pop();
        if self.shared.untold.swap(false, Ordering::Relaxed)
            && let Some(mut reader) = reader
        {
            // stations that miss the notification poll
            let _ = reader.ring();
        }
    }
}

/// Registers a writer thread for each receiver, started by the first command.
fn hire(queue: &Queue, writer: &Arc<Writer>, receivers: Vec<Receiver<QueueMessage>>) {
    let writers = receivers.len();
    for (receiver, number) in receivers.into_iter().zip(1..) {
        let (writer, chain) = (Arc::clone(writer), ChainName::of_writer(number, writers));
        queue.hire(Box::new(move || writer.work(&receiver, &chain)));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.helper_threads.iter().for_each(|(signal, _)| signal.stop());
        for (_, thread) in self.helper_threads.drain(..) {
            // a thread that panicked has already reported it
            let _ = thread.join();
        }
        self.queue.stop();
        self.queue.crew().join();
        self.ring();
    }
}
