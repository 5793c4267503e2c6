//! Runs the crowd on a thread, by a clock of its own speed.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant as Moment};

use crate::demo::crowd::{Crowd, Speed};
use crate::domain::time::{Instant, Span};

/// A running crowd; dropping it stops the thread.
pub(crate) struct LiveCrowd {
    orders: Option<Sender<Pace>>,
    thread: Option<JoinHandle<()>>,
}

/// Speed of the crowd's clock; `None` pauses it.
type Pace = Option<Speed>;

impl LiveCrowd {
    pub(crate) fn start(crowd: Crowd, pace: Option<Speed>) -> std::io::Result<Self> {
        let (orders, received) = channel();
        let thread =
            std::thread::Builder::new().name("willcall-crowd".into()).spawn(move || live(crowd, pace, &received))?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    pub(crate) fn pace(&self, pace: Option<Speed>) {
        if let Some(orders) = &self.orders {
            // a stopped crowd needs no speed
            let _ = orders.send(pace);
        }
    }
}

impl Drop for LiveCrowd {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // a panic of the thread was already reported
            let _ = thread.join();
        }
    }
}

/// The crowd's clock: faster, slower or paused.
struct Stretched {
    now: Instant,
    seen: Moment,
    pace: Pace,
}

impl Stretched {
    fn now(&mut self) -> Instant {
        let seen = Moment::now();
        let passed = i64::try_from((seen - self.seen).as_millis()).unwrap_or(i64::MAX);
        let quarters = self.pace.map_or(0, Speed::quarters);
        self.now = self.now + Span::from_millis(passed.saturating_mul(i64::from(quarters)) / 4);
        self.seen = seen;
        self.now
    }

    /// Wait until a time of the clock; `None` while it is paused.
    fn until(&self, due: Instant) -> Option<Duration> {
        let quarters = i64::from(self.pace?.quarters()).max(1);
        let millis = due.since(self.now).millis().saturating_mul(4) / quarters;
        // a thread that wakes a millisecond early would only wait again
        Some(Duration::from_millis(u64::try_from(millis + 1).unwrap_or(u64::MAX)))
    }
}

fn live(mut crowd: Crowd, pace: Pace, orders: &Receiver<Pace>) {
    let mut time = Stretched { now: Instant::default(), seen: Moment::now(), pace };
    let mut due = Instant::default();
    loop {
        let order = match time.until(due) {
            Some(wait) => orders.recv_timeout(wait),
            None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let now = time.now();
        match order {
            Ok(pace) => time.pace = pace,
            Err(RecvTimeoutError::Timeout) => due = crowd.step(now),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LiveCrowd;
    use crate::demo::crowd::{Crowd, Speed};
    use crate::demo::testing::furnished;

    #[test]
    fn a_live_crowd_is_seen_in_notices_and_stops_when_it_is_dropped() {
        let (house, _) = furnished();
        let mut notices = house.desk.watch();
        let crowd = Crowd::new(&house.desk, 1).unwrap();
        let fast: Speed = "16".parse().unwrap();
        let live = LiveCrowd::start(crowd, Some(fast)).unwrap();
        crate::limit::until("a notice of the crowd", || notices.try_recv().is_ok());
        live.pace(None);
        drop(live);
    }
}
