//! Operators at work beside a sweep: commands that arrive at a rate, and wait from when they were meant.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant as Moment};

use hdrhistogram::Histogram;

use super::LATENCY_MICROS_MAX;
use crate::bench::theater::BenchError;
use crate::domain::best::{Access, Aisle};
use crate::domain::cart::Cart;
use crate::domain::ids::{CartId, CommandId, PerformanceId};
use crate::engine::ops::{CancelCart, HoldSeats, Kept, OpenCart, Wanted};
use crate::engine::{Desk, Failure};
use crate::store::Fault;

/// What operators do.
pub(super) struct Work<'a> {
    pub(super) desk: &'a Desk,
    /// Commands a second.
    pub(super) rate: u32,
    pub(super) lasting: Duration,
    /// Where their customers sit; it has room for all.
    pub(super) performance: Option<PerformanceId>,
}

/// A command that was answered.
enum Done {
    Opened(Result<Cart, Failure>),
    Held(Result<Cart, Failure>),
    Canceled(Result<Cart, Failure>),
}

impl Work<'_> {
    /// Works; gives microseconds from when a command was meant to its answer.
    pub(super) fn run(&self) -> Result<Histogram<u64>, BenchError> {
        let mut latency = Histogram::new_with_max(LATENCY_MICROS_MAX, 3)
            .map_err(|error| Failure::from(Fault::Broken(error.to_string())))?;
        let (sender, received) = channel();
        let (began, mut sent) = (Moment::now(), 0_u32);
        let (mut opened, mut held) = (Vec::new(), Vec::new());
        let all = self
            .rate
            .saturating_mul(u32::try_from(self.lasting.as_secs()).unwrap_or(1));
        while sent < all {
            let meant = began + Duration::from_secs(1) * sent / self.rate;
            std::thread::sleep(meant.saturating_duration_since(Moment::now()));
            let reply = sender.clone();
            match (held.pop(), opened.pop()) {
                (Some(cart), kept) => {
                    opened.extend(kept);
                    self.desk
                        .submit(CommandId::random(), CancelCart { cart }, move |done| {
                            let _ = reply.send((meant.elapsed(), Done::Canceled(done)));
                        });
                }
                (None, Some(cart)) => {
                    let seats = self.seats_for(cart)?;
                    self.desk.submit(CommandId::random(), seats, move |done| {
                        let _ = reply.send((meant.elapsed(), Done::Held(done)));
                    });
                }
                (None, None) => {
                    self.desk
                        .submit(CommandId::random(), OpenCart::default(), move |done| {
                            let _ = reply.send((meant.elapsed(), Done::Opened(done)));
                        });
                }
            }
            sent += 1;
            take(received.try_iter(), &mut latency, (&mut opened, &mut held))?;
        }
        drop(sender);
        take(received.iter(), &mut latency, (&mut opened, &mut held))?;
        let _: Receiver<_> = received;
        Ok(latency)
    }

    fn seats_for(&self, cart: CartId) -> Result<HoldSeats, BenchError> {
        let nowhere = || BenchError::Process("there is no performance to sell".into());
        Ok(HoldSeats {
            cart: Some(cart),
            performance: self.performance.ok_or_else(nowhere)?,
            seats: Wanted::Best {
                count: 2,
                category: None,
                zone: None,
                aisle: Aisle::Any,
                access: Access::Ordinary,
            },
            ticket_type: None,
            kept: Kept::Refuse,
        })
    }
}

fn take(
    answers: impl Iterator<Item = (Duration, Done)>,
    latency: &mut Histogram<u64>,
    (opened, held): (&mut Vec<CartId>, &mut Vec<CartId>),
) -> Result<(), BenchError> {
    for (waited, done) in answers {
        latency.saturating_record(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX));
        match done {
            Done::Opened(cart) => opened.extend(live(cart)?),
            Done::Held(cart) => held.extend(live(cart)?),
            Done::Canceled(cart) => {
                live(cart)?;
            }
        }
    }
    Ok(())
}

/// The cart, unless the benchmark's jump of the clock has ended it.
fn live(answer: Result<Cart, Failure>) -> Result<Option<CartId>, Failure> {
    match answer {
        Ok(cart) => Ok(Some(cart.id)),
        Err(Failure::Refused(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}
