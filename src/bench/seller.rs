//! Requests of the customers of a load, to a desk of the engine or to a baseline.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::domain::ids::{CartId, CommandId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Tender;
use crate::engine::ops::{CancelCart, Checkout, HoldSeats, OpenCart, SeatChoice};
use crate::engine::{Desk, Failure};

#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Open,
    Hold {
        cart: CartId,
        performance: PerformanceId,
        from: SeatRef,
        seats: u32,
    },
    /// Pay all in cash, by the expected total.
    Pay {
        cart: CartId,
        seen: Option<i64>,
    },
    Leave {
        cart: CartId,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Opened(CartId),
    Held(Option<i64>),
    Refused,
    Paid,
    Left,
}

/// Answer to a customer, or the failure that ends the load.
pub(super) type Told = Result<Answer, Failure>;

/// Seller of a load: a desk, or a baseline.
pub(super) trait Seller {
    /// Sends a request; the answer comes as soon as it is durable.
    fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static);
}

impl Seller for Desk {
    fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static) {
        let id = CommandId::random();
        match asked {
            Asked::Open => self.submit(id, OpenCart::default(), move |opened| {
                tell(opened.map(|cart| Answer::Opened(cart.id)));
            }),
            Asked::Hold { cart, performance, from, seats } => {
                let seats = (from.seat..from.seat + seats).map(|seat| SeatRef { seat, ..from });
                let hold =
                    HoldSeats { cart: Some(cart), ..HoldSeats::new(performance, SeatChoice::Seats(seats.collect())) };
                self.submit(id, hold, move |answer| {
                    tell(match answer {
                        Err(Failure::Refused(_)) => Ok(Answer::Refused),
                        answer => answer.map(|cart| Answer::Held(cart.total().ok())),
                    });
                });
            }
            Asked::Pay { cart, seen } => {
                let checkout = Checkout { seen, ..Checkout::new(cart, vec![Tender::Cash { given: None }]) };
                self.submit(id, checkout, move |paid| {
                    tell(paid.map(|_| Answer::Paid));
                });
            }
            Asked::Leave { cart } => self.submit(id, CancelCart { cart }, move |left| {
                tell(left.map(|_| Answer::Left));
            }),
        }
    }
}

/// A baseline on a thread, behind a queue like a desk's writer.
pub(super) struct SellerThread {
    /// Sender of the queue; dropping it ends the thread.
    queue: Option<Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

pub(super) struct Command {
    pub(super) asked: Asked,
    pub(super) tell: Box<dyn FnOnce(Told) + Send>,
}

impl SellerThread {
    pub(super) fn start(name: &str, serve: impl FnOnce(Receiver<Command>) + Send + 'static) -> std::io::Result<Self> {
        let (queue, received) = channel();
        let thread = std::thread::Builder::new().name(name.into());
        Ok(Self { thread: Some(thread.spawn(move || serve(received))?), queue: Some(queue) })
    }
}

impl Seller for SellerThread {
    fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static) {
        let tell = Box::new(tell);
        if let Some(queue) = &self.queue {
            // the thread lives as long as this value
            let _ = queue.send(Command { asked, tell });
        }
    }
}

impl Drop for SellerThread {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // a panic of the thread was already reported
            let _ = thread.join();
        }
    }
}
