//! What the customers of a load ask, and whom: a desk of the engine, or a control that is asked the same.

use crate::domain::ids::{CartId, CommandId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Tender;
use crate::engine::ops::{CancelCart, Checkout, HoldSeats, Kept, OpenCart, TicketsTo, Wanted};
use crate::engine::{Desk, Failure};

/// What a customer asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Open,
    /// So many neighbouring seats from one on.
    Hold {
        cart: CartId,
        performance: PerformanceId,
        from: SeatRef,
        seats: u32,
    },
    /// All in cash, of a total that was seen.
    Pay {
        cart: CartId,
        seen: Option<i64>,
    },
    Leave {
        cart: CartId,
    },
}

/// What a customer hears.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Opened(CartId),
    /// The seats are held, for so much.
    Held(Option<i64>),
    Refused,
    Paid,
    Left,
}

/// What a customer hears, or why the load is over.
pub(super) type Told = Result<Answer, Failure>;

/// Whoever sells to the customers of a load: a desk, or what is measured beside it.
pub(super) trait Seller {
    /// Asks for one thing, and tells the answer as soon as it is durable.
    fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static);
}

impl Seller for Desk {
    fn ask(&self, asked: Asked, tell: impl FnOnce(Told) + Send + 'static) {
        let id = CommandId::random();
        match asked {
            Asked::Open => self.submit(id, OpenCart::default(), move |opened| {
                tell(opened.map(|cart| Answer::Opened(cart.id)));
            }),
            Asked::Hold {
                cart,
                performance,
                from,
                seats,
            } => {
                let seats = (from.seat..from.seat + seats).map(|seat| SeatRef { seat, ..from });
                let hold = HoldSeats {
                    cart: Some(cart),
                    performance,
                    seats: Wanted::Seats(seats.collect()),
                    ticket_type: None,
                    kept: Kept::Refuse,
                };
                self.submit(id, hold, move |answer| {
                    tell(match answer {
                        Err(Failure::Refused(_)) => Ok(Answer::Refused),
                        answer => answer.map(|cart| Answer::Held(cart.total().ok())),
                    });
                });
            }
            Asked::Pay { cart, seen } => {
                let checkout = Checkout {
                    cart,
                    tenders: vec![Tender::Cash { given: None }],
                    seen,
                    customer: None,
                    tickets: TicketsTo::Customer,
                };
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
