//! State of a running engine: the database with what was read of it, the clock, and the channels of its notices.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};

use crate::domain::job::{Job, JobKind, Outcome};
use crate::domain::time::Instant;
use crate::engine::clock::Clock;
use crate::engine::machine::guard::Guard;
use crate::engine::notice::Notice;
use crate::engine::plans::PlanCache;
use crate::store::{Database, Location, Reader};

/// A function of the program, by the job that it checks.
type JobFunction = Arc<dyn Fn(Job) -> Pin<Box<dyn Future<Output = Outcome> + Send>> + Send + Sync>;

/// Functions of this program, by kind.
pub(in crate::engine) type Checks = HashMap<JobKind, JobFunction>;

/// State that an engine shares with its desks and threads.
pub(in crate::engine) struct Shared {
    pub(in crate::engine) place: Location,
    pub(in crate::engine) database: Arc<dyn Database>,
    pub(in crate::engine) plans: Arc<PlanCache>,
    pub(in crate::engine) clock: Arc<dyn Clock>,
    pub(in crate::engine) guard: Arc<Guard>,
    pub(in crate::engine) notices: broadcast::Sender<Arc<Notice>>,
    /// Start of the current outage of the database.
    pub(in crate::engine) away: watch::Sender<Option<Instant>>,
    pub(in crate::engine) readers: Mutex<Vec<Box<dyn Reader>>>,
    /// This process has committed since other stations were last notified.
    pub(in crate::engine) untold: AtomicBool,
    /// Functions of this program that check jobs.
    pub(in crate::engine) checks: Mutex<Checks>,
}
