//! The engine: operations in, answers and notices out.
//!
//! One writer thread per process, started by its first command, turns commands into transactions; readers answer questions from snapshots
//! beside it; a watcher tells what changed, here or in another process; a ticker ends what came due. The
//! engine knows documents and time, and nothing of screens.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::{broadcast, mpsc, watch};

use crate::domain::time::Instant;
use crate::engine::clock::{Clock, SystemClock};
use crate::engine::guard::Guard;
use crate::engine::houses::Houses;
use crate::engine::listeners::{LISTENERS, Listener};
use crate::engine::notice::Notice;
use crate::engine::signal::Signal;
use crate::engine::transaction::ChainName;
use crate::engine::watcher::Watcher;
use crate::engine::worked::Worked;
use crate::engine::writer::{Queue, QueueMessage, Writer};
use crate::store::{Database, Fault, Location, Missing, OpenError, Reader};

mod cache;
mod changes;
pub mod chunks;
pub mod clock;
mod desk;
pub mod documents;
pub mod gaps;
pub mod guard;
pub mod houses;
pub mod jobs;
mod listeners;
pub mod notice;
pub mod ops;
pub mod reads;
mod signal;
mod transaction;
pub mod verify;
mod watcher;
pub mod work;
pub mod worked;
mod writer;

pub use desk::Desk;
pub use work::{Actor, Failure, Operation, UnitOfWork};
pub use writer::TypedCommand;

/// How many notices a slow listener may miss before it has to read everything again.
const NOTICES_KEPT: usize = 256;

/// The thread that hears of other stations' commits: it has no use for this one's.
const HEARER: &str = "hearer";

/// In whose name the desk itself acts.
const DESK: &str = "desk";

/// The role of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A desk: watches for commits, tidies the log, runs what comes due if its ticker is on.
    Desk,
    /// One command or question: starts no thread beside the writer, that one for a command only, and sends no notices.
    Command,
}

/// How an engine is opened.
#[derive(Clone)]
pub struct Config {
    /// Where the house is.
    pub place: Location,
    /// Whether a missing house may be made.
    pub missing: Missing,
    /// The role of the engine.
    pub role: Role,
    /// Whether what comes due is ended by this engine.
    pub ticker: Ticker,
    /// The station at which this engine runs what comes due, as the history names it.
    pub station: String,
    /// Where the ticker reports what it has done.
    pub worked: Option<mpsc::UnboundedSender<Worked>>,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// How many commands one transaction takes at most; the engine has its own limit.
    pub batch_max: usize,
}

impl Config {
    /// The usual: the machine's time, and a house that has to be there.
    #[must_use]
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

/// Whether an engine ends what comes due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticker {
    /// It does, by itself.
    On,
    /// Only when asked ([`Desk::sweep`]).
    Off,
}

struct Shared {
    place: Location,
    database: Arc<dyn Database>,
    houses: Arc<Houses>,
    clock: Arc<dyn Clock>,
    guard: Arc<Guard>,
    notices: broadcast::Sender<Arc<Notice>>,
    /// Since when the database is away.
    away: watch::Sender<Option<Instant>>,
    readers: Mutex<Vec<Box<dyn Reader>>>,
    /// Whether this process has committed since others were last told.
    untold: AtomicBool,
}

/// Owns the threads; they stop, with everything queued done, when it is dropped.
pub struct Engine {
    shared: Arc<Shared>,
    queue: Queue,
    /// What wakes the threads beside the writer, and the threads: they stop first.
    beside: Vec<(Arc<Signal>, JoinHandle<()>)>,
    /// Whether a database that went away is waited for no longer.
    stopping: Arc<AtomicBool>,
}

impl Engine {
    /// Opens a house.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let database = config.place.open(config.missing)?;
        Self::open_on(database, config)
    }

    /// Opens a house on an open database, which stands at the configured place.
    ///
    /// # Errors
    /// The house cannot be read, or the machine gives no thread.
    pub fn open_on(database: Arc<dyn Database>, config: Config) -> Result<Self, OpenError> {
        let unreadable = |fault: Fault| OpenError::Other {
            place: config.place.to_string(),
            fault,
        };
        if let Some(now) = database.now_millis().map_err(unreadable)? {
            config.clock.follow(Instant::from_millis(now));
        }
        let shared = Arc::new(Shared {
            place: config.place.clone(),
            database,
            houses: Arc::new(Houses::default()),
            clock: Arc::clone(&config.clock),
            guard: Arc::default(),
            notices: broadcast::Sender::new(NOTICES_KEPT),
            away: watch::Sender::new(None),
            readers: Mutex::new(Vec::new()),
            untold: AtomicBool::new(false),
        });
        let (queue, receivers) = Writer::queue(shared.database.writers());
        let beside = match config.role {
            Role::Desk => beside(&config, &shared, &queue).map_err(unreadable)?,
            Role::Command => Vec::new(),
        };
        let committed: Vec<_> = beside
            .iter()
            .filter(|(_, (name, _))| *name != HEARER)
            .map(|(signal, _)| Arc::clone(signal))
            .collect();
        let telling = Arc::clone(&shared);
        let batch_max = shared.database.batch_max().min(config.batch_max);
        let stopping = Arc::new(AtomicBool::new(false));
        let writer = Arc::new(Writer {
            database: Arc::clone(&shared.database),
            houses: Arc::clone(&shared.houses),
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
        // from here on the engine stops what was started, also when the next cannot be
        let mut engine = Self {
            shared,
            queue,
            beside: Vec::new(),
            stopping,
        };
        hire(&engine.queue, &writer, receivers);
        if config.role == Role::Desk {
            engine.queue.crew().start().map_err(unreadable)?;
        }
        for (signal, (name, work)) in beside {
            engine.beside.push((signal, start(name, work)?));
        }
        Ok(engine)
    }

    /// What the database can do for this house, tried out, each in a sentence; nothing where there is nothing to choose.
    pub fn findings(&self) -> Result<Vec<String>, Fault> {
        self.shared.database.findings()
    }

    /// A handle for somebody who works here.
    #[must_use]
    pub fn desk(&self, actor: Actor) -> Desk {
        Desk {
            shared: Arc::clone(&self.shared),
            queue: self.queue.clone(),
            actor,
            worked: None,
        }
    }
}

/// A thread beside the writer: its name, and its work.
type Beside = (&'static str, Box<dyn FnOnce() + Send>);

/// The threads beside the writer, each with the bell that a commit rings.
fn beside(
    config: &Config,
    shared: &Arc<Shared>,
    queue: &Queue,
) -> Result<Vec<(Arc<Signal>, Beside)>, Fault> {
    let bell = || Arc::new(Signal::default());
    let (watching, tidying, hearing) = (bell(), bell(), bell());
    let (to_wake, heard) = (Arc::clone(&watching), Arc::clone(&hearing));
    let told = Arc::clone(shared);
    let (watcher, raised) = (
        Watcher::new(shared.database.as_ref())?,
        Arc::clone(&watching),
    );
    let (to_tidy, untidy) = (shared.database.reader()?, Arc::clone(&tidying));
    let shown = Arc::clone(shared);
    let mut threads: Vec<(Arc<Signal>, Beside)> = vec![
        (
            watching,
            ("watcher", Box::new(move || watcher.work(&shown, &raised))),
        ),
        (
            tidying,
            ("tidier", Box::new(move || watcher::tidy(to_tidy, &untidy))),
        ),
        (
            hearing,
            (
                HEARER,
                Box::new(move || watcher::hear(&told, (&to_wake, &heard))),
            ),
        ),
    ];
    if config.ticker == Ticker::On {
        let desk = Desk {
            shared: Arc::clone(shared),
            queue: queue.clone(),
            actor: Actor {
                operator: DESK.into(),
                station: config.station.clone(),
            },
            worked: config.worked.clone(),
        };
        for _ in 0..LISTENERS {
            let (listening, told) = (bell(), desk.clone());
            let nudged = Arc::clone(&listening);
            let listener = Listener::new(told, shared.database.reader()?);
            threads.push((
                listening,
                ("listener", Box::new(move || listener.work(&nudged))),
            ));
        }
        let running = bell();
        let nudged = Arc::clone(&running);
        let runner = jobs::Runner::new(desk, shared.database.reader()?);
        threads.push((running, ("runner", Box::new(move || runner.work(&nudged)))));
    }
    Ok(threads)
}

impl Engine {
    /// Tells other stations of a commit where no watcher has.
    fn ring(&self) {
        let readers = self.shared.readers.lock();
        let reader = readers.unwrap_or_else(PoisonError::into_inner).pop();
        if self.shared.untold.swap(false, Ordering::Relaxed)
            && let Some(mut reader) = reader
        {
            // one that cannot be told looks
            let _ = reader.ring();
        }
    }
}

/// Has a thread for each end of the queue write, once something is asked.
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
        self.beside.iter().for_each(|(signal, _)| signal.stop());
        for (_, thread) in self.beside.drain(..) {
            // a thread that panicked has told so already
            let _ = thread.join();
        }
        self.queue.stop();
        self.queue.crew().join();
        self.ring();
    }
}
