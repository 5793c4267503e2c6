//! State of a running engine: the database with what was read of it, the clock, and the channels of its notices.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};

use crate::domain::time::Instant;
use crate::engine::clock::Clock;
use crate::engine::guard::Guard;
use crate::engine::notice::Notice;
use crate::engine::plans::PlanCache;
use crate::store::{Database, Location, Reader};

/// State that an engine shares with its desks and threads.
pub(super) struct Shared {
    pub(super) place: Location,
    pub(super) database: Arc<dyn Database>,
    pub(super) plans: Arc<PlanCache>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) guard: Arc<Guard>,
    pub(super) notices: broadcast::Sender<Arc<Notice>>,
    /// Start of the current outage of the database.
    pub(super) away: watch::Sender<Option<Instant>>,
    pub(super) readers: Mutex<Vec<Box<dyn Reader>>>,
    /// This process has committed since other stations were last notified.
    pub(super) untold: AtomicBool,
}
