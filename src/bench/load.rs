//! The classic load: each customer opens a cart, holds neighbouring seats, and pays.
//!
//! A customer whose seats are gone tries others, a few times. In a closed loop a new customer comes when one is done.
//! At a rate, customers arrive on schedule, and latency counts from the scheduled time.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::Dice;
use super::seller::{Answer, Asked, Seller, Told};
use super::stage::SIDE;
use super::{count, micros, record};
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::engine::{Failure, Fault};

/// Customers at the desk at once, in a closed loop.
pub const IN_FLIGHT: usize = 512;

/// Commands in flight on a server, as many as the baseline has connections.
pub const IN_FLIGHT_SERVER: usize = 32;

const TRIES_MAX: u32 = 40;

/// Tries of a customer in a contested house, at most.
const TRIES_CONTESTED: u32 = 4;

/// Options of a load.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Load {
    /// Customers.
    pub carts: usize,
    pub seats_per_cart: u32,
    /// Customers a second; `None` is a closed loop.
    pub rate: Option<f64>,
    /// Customers at the desk at once, in a closed loop.
    pub in_flight: usize,
    /// Time after which whoever still waits is counted with the wait until then, and nobody comes any more.
    pub longest: Option<Duration>,
    pub performances: Vec<PerformanceId>,
    pub seed: u64,
}

/// Measurements of a load.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub carts: usize,
    /// Customers who left without a hold.
    pub left: usize,
    pub refused: usize,
    pub seconds: f64,
    /// Microseconds from a customer's scheduled arrival to the receipt.
    #[serde(with = "super::report::histogram")]
    pub latency: Histogram<u64>,
    pub longest_wait: Duration,
}

impl Load {
    /// One of several parts, run one after the other on the same houses.
    pub(super) fn part(&self, (number, of): (usize, usize)) -> Self {
        Self {
            carts: self.carts * (number + 1) / of - self.carts * number / of,
            longest: self.longest.map(|longest| longest / u32::try_from(of).unwrap_or(1)),
            seed: self.seed + u64::try_from(number).unwrap_or_default() * 1_000_000,
            ..self.clone()
        }
    }

    /// The share of one of several processes at the same time.
    pub(super) fn share(&self, (number, of): (usize, usize)) -> Self {
        Self {
            rate: self.rate.map(|rate| rate / count(of)),
            longest: self.longest,
            in_flight: self.in_flight.div_ceil(of),
            ..self.part((number, of))
        }
    }
}

impl Default for Measured {
    fn default() -> Self {
        Self { carts: 0, left: 0, refused: 0, seconds: 0.0, latency: micros(), longest_wait: Duration::ZERO }
    }
}

impl Measured {
    pub(super) fn add(&mut self, other: &Self) {
        self.carts += other.carts;
        self.left += other.left;
        self.refused += other.refused;
        self.seconds += other.seconds;
        self.longest_wait = self.longest_wait.max(other.longest_wait);
        // both histograms count microseconds
        let _ = self.latency.add(&other.latency);
    }

    pub(super) fn carts_per_second(&self) -> f64 {
        count(self.carts) / self.seconds
    }
}

struct Customer {
    meant: Instant,
    /// Time at which the unanswered command was sent.
    asked: Instant,
    cart: Option<CartId>,
    performance: PerformanceId,
    tries: u32,
}

struct Play<'a, S> {
    desks: &'a [S],
    load: &'a Load,
    dice: Dice,
    answers: Sender<(usize, Told)>,
    customers: Vec<Option<Customer>>,
    idle: Vec<usize>,
    measured: Measured,
}

/// Runs a load; `progress` is called after each customer.
pub(super) fn play(desks: &[impl Seller], load: &Load, progress: &dyn Fn()) -> Result<Measured, Failure> {
    let (answers, received) = channel();
    let mut play = Play {
        desks,
        load,
        dice: Dice(load.seed),
        answers,
        customers: Vec::new(),
        idle: Vec::new(),
        measured: Measured::default(),
    };
    let started = Instant::now();
    play.run(&received, (started, progress))?;
    play.measured.seconds = started.elapsed().as_secs_f64();
    Ok(play.measured)
}

impl<'a, S: Seller> Play<'a, S> {
    fn run(
        &mut self,
        received: &Receiver<(usize, Told)>,
        (started, progress): (Instant, &dyn Fn()),
    ) -> Result<(), Failure> {
        let mut come = 0;
        let ends = self.load.longest.map(|longest| started + longest);
        let until_end = |now| ends.map_or(Duration::from_hours(1), |ends| ends.saturating_duration_since(now));
        while self.measured.carts + self.measured.left < self.load.carts {
            let mut pause = until_end(Instant::now());
            if pause.is_zero() {
                self.end_waits();
                break;
            }
            while come < self.load.carts {
                let meant = match self.load.rate {
                    Some(rate) => started + Duration::from_secs_f64(count(come) / rate),
                    None if self.at_desk() >= self.load.in_flight => break,
                    None => Instant::now(),
                };
                pause = meant.saturating_duration_since(Instant::now());
                if !pause.is_zero() {
                    pause = pause.min(until_end(Instant::now()));
                    break;
                }
                self.welcome(meant);
                come += 1;
            }
            let first = match received.recv_timeout(pause) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Broken("the desk went away".into()).into());
                }
            };
            for (place, told) in first.into_iter().chain(received.try_iter().take(IN_FLIGHT)) {
                self.go_on(place, told, progress)?;
            }
        }
        Ok(())
    }

    /// Counts those who still wait with their waits until now.
    fn end_waits(&mut self) {
        for customer in self.customers.iter().flatten() {
            record(&mut self.measured.latency, customer.meant.elapsed());
        }
    }

    /// The desk of a customer's station.
    fn desk_of(&self, place: usize) -> &'a S {
        self.desks.get(place % self.desks.len().max(1)).unwrap_or_else(|| unreachable!("a load has a desk"))
    }

    fn at_desk(&self) -> usize {
        self.customers.len() - self.idle.len()
    }

    fn performance(&mut self) -> PerformanceId {
        let picked = self.dice.pick(&self.load.performances);
        *picked.unwrap_or_else(|| unreachable!("a load has a performance"))
    }

    fn welcome(&mut self, meant: Instant) {
        let performance = self.performance();
        let customer = Some(Customer { meant, asked: Instant::now(), cart: None, performance, tries: 0 });
        let place = self.idle.pop().unwrap_or_else(|| {
            self.customers.push(None);
            self.customers.len() - 1
        });
        if let Some(empty) = self.customers.get_mut(place) {
            *empty = customer;
        }
        self.ask(place, Asked::Open);
    }

    fn ask(&self, place: usize, asked: Asked) {
        let answers = self.answers.clone();
        self.desk_of(place).ask(asked, move |told| {
            // after a failure the load no longer listens
            let _ = answers.send((place, told));
        });
    }

    fn go_on(&mut self, place: usize, told: Told, progress: &dyn Fn()) -> Result<(), Failure> {
        let Some(customer) = self.customers.get_mut(place).and_then(Option::as_mut) else {
            return Ok(());
        };
        let now = Instant::now();
        let waited = now.saturating_duration_since(customer.asked);
        self.measured.longest_wait = self.measured.longest_wait.max(waited);
        customer.asked = now;
        match told? {
            Answer::Opened(cart) => {
                customer.cart = Some(cart);
                self.hold(place);
            }
            Answer::Held(seen) => {
                if let Some(cart) = customer.cart {
                    self.ask(place, Asked::Pay { cart, seen });
                }
            }
            Answer::Refused => self.refuse(place),
            Answer::Paid => {
                record(&mut self.measured.latency, customer.meant.elapsed());
                self.measured.carts += 1;
                self.done(place, progress);
            }
            Answer::Left => {
                self.measured.left += 1;
                self.done(place, progress);
            }
        }
        Ok(())
    }

    fn done(&mut self, place: usize, progress: &dyn Fn()) {
        if let Some(customer) = self.customers.get_mut(place) {
            *customer = None;
        }
        self.idle.push(place);
        progress();
    }

    fn refuse(&mut self, place: usize) {
        self.measured.refused += 1;
        let most = if self.load.performances.len() == 1 { TRIES_CONTESTED } else { TRIES_MAX };
        let elsewhere = self.performance();
        let Some(customer) = self.customers.get_mut(place).and_then(Option::as_mut) else {
            return;
        };
        customer.tries += 1;
        customer.performance = elsewhere;
        let (tries, cart) = (customer.tries, customer.cart);
        match cart {
            Some(cart) if tries >= most => self.ask(place, Asked::Leave { cart }),
            _ => self.hold(place),
        }
    }

    fn hold(&mut self, place: usize) {
        let (row, from) = (self.dice.below(SIDE), self.dice.below(SIDE + 1 - self.load.seats_per_cart));
        let Some(customer) = self.customers.get(place).and_then(Option::as_ref) else {
            return;
        };
        if let Some(cart) = customer.cart {
            let hold = Asked::Hold {
                cart,
                performance: customer.performance,
                from: SeatRef { row, seat: from },
                seats: self.load.seats_per_cart,
            };
            self.ask(place, hold);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Answer, Asked, Load, PerformanceId, Seller, Told, play};

    /// A desk that opens carts and then answers no more.
    struct Stuck;

    impl Seller for Stuck {
        fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static) {
            match asked {
                Asked::Open => tell(Ok(Answer::Opened(crate::domain::ids::CartId::random()))),
                Asked::Hold { .. } | Asked::Pay { .. } | Asked::Leave { .. } => std::mem::forget(tell),
            }
        }
    }

    #[test]
    fn a_load_ends_in_its_longest_time_and_counts_who_still_waits() {
        let load = Load {
            carts: 1000,
            seats_per_cart: 1,
            rate: Some(10.0),
            in_flight: 1,
            longest: Some(Duration::from_millis(200)),
            performances: vec![PerformanceId::random()],
            seed: 1,
        };
        let measured = play(&[Stuck], &load, &|| ()).unwrap();
        assert_eq!((measured.carts, measured.left), (0, 0));
        assert!(measured.seconds < 60.0, "{}", measured.seconds);
        assert!(measured.latency.len() < 1000, "{}", measured.latency.len());
    }
}
