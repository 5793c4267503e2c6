//! Operators at work beside a sweep: commands arrive at a fixed rate, and latency counts from their scheduled time.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant as Moment};

use hdrhistogram::Histogram;

use willcall::bench::{BenchError, micros, record};
use willcall::domain::cart::Cart;
use willcall::domain::ids::{CartId, CommandId, PerformanceId};
use willcall::engine::ops::{BestSeats, CancelCart, HoldSeats, OpenCart, SeatChoice};
use willcall::engine::{Desk, Failure};

pub(crate) struct Work<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) rate: u32,
    pub(crate) lasting: Duration,
    /// House of their customers, with seats for all.
    pub(crate) performance: Option<PerformanceId>,
}

/// An answer, its latency from the scheduled time, and the next use of the cart.
type Done = (Duration, Next, Result<Cart, Failure>);

#[derive(Clone, Copy)]
enum Next {
    Hold,
    Cancel,
    Nothing,
}

impl Work<'_> {
    /// Runs the load; gives microseconds from a command's scheduled time to its answer.
    pub(crate) fn run(&self) -> Result<Histogram<u64>, BenchError> {
        let mut latency = micros();
        let (sender, received) = channel();
        let (began, mut sent) = (Moment::now(), 0_u32);
        let (mut opened, mut held) = (Vec::new(), Vec::new());
        let all = self.rate.saturating_mul(u32::try_from(self.lasting.as_secs()).unwrap_or(1));
        while sent < all {
            let meant = began + Duration::from_secs(1) * sent / self.rate;
            std::thread::sleep(meant.saturating_duration_since(Moment::now()));
            let reply = sender.clone();
            let done = move |next| {
                move |cart| {
                    // operators wait for every answer
                    let _ = reply.send((meant.elapsed(), next, cart));
                }
            };
            let id = CommandId::random();
            match (held.pop(), opened.pop()) {
                (Some(cart), kept) => {
                    opened.extend(kept);
                    self.desk.submit(id, CancelCart { cart }, done(Next::Nothing));
                }
                (None, Some(cart)) => {
                    self.desk.submit(id, self.seats_for(cart)?, done(Next::Cancel));
                }
                (None, None) => self.desk.submit(id, OpenCart::default(), done(Next::Hold)),
            }
            sent += 1;
            take(received.try_iter(), &mut latency, (&mut opened, &mut held))?;
        }
        drop(sender);
        take(received.iter(), &mut latency, (&mut opened, &mut held))?;
        Ok(latency)
    }

    fn seats_for(&self, cart: CartId) -> Result<HoldSeats, BenchError> {
        let nowhere = || BenchError::part("there is no performance to sell");
        let best = BestSeats { count: 2, ..BestSeats::default() };
        Ok(HoldSeats {
            cart: Some(cart),
            ..HoldSeats::new(self.performance.ok_or_else(nowhere)?, SeatChoice::Best(best))
        })
    }
}

fn take(
    answers: impl Iterator<Item = Done>,
    latency: &mut Histogram<u64>,
    (opened, held): (&mut Vec<CartId>, &mut Vec<CartId>),
) -> Result<(), BenchError> {
    for (waited, next, cart) in answers {
        record(latency, waited);
        match (next, cart) {
            (Next::Hold, Ok(cart)) => opened.push(cart.id),
            (Next::Cancel, Ok(cart)) => held.push(cart.id),
            // a refused cart has ended by the benchmark's jump of the clock
            (Next::Nothing, Ok(_)) | (_, Err(Failure::Refused(_))) => {}
            (_, Err(fault @ Failure::Fault(_))) => return Err(fault.into()),
        }
    }
    Ok(())
}
