//! Returns seats or time from a cart.

use serde::Serialize;

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::line::Line;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Refusal};
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::{cart_claims, claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Removes a line from a cart, or some of its seats; a time line only as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GiveBack {
    /// Cart.
    pub cart: CartId,
    /// Number of the line.
    pub line: u32,
    /// Seats to remove; all if `None`.
    pub seats: Option<Vec<SeatRef>>,
}

impl Operation for GiveBack {
    const VERB: &'static str = "give_back";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let time = |line: &Line| line.number == self.line && line.goods.is_time();
        if let Some(at) = cart.lines.iter().position(time) {
            let line = cart.lines.remove(at);
            claims::free(work, &line.goods, &line.owner(cart.id))?;
            cart.forget_currency();
        } else {
            let chosen = chosen(work, &cart, (self.line, self.seats.as_deref()))?;
            cart_claims::give_up(
                work,
                &mut cart,
                (&chosen.line, chosen.performance.id, &chosen.seats),
            )?;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}

/// Seats of a line of a cart.
pub(super) struct Chosen {
    pub(super) line: Line,
    pub(super) performance: Performance,
    pub(super) seats: Vec<SeatRef>,
}

/// Finds the chosen seats in a line of a cart.
///
/// # Errors
/// No such line, no seats, a repeated seat, or a seat of another line.
pub(super) fn chosen(
    work: &mut UnitOfWork<'_>,
    cart: &Cart,
    (number, seats): (u32, Option<&[SeatRef]>),
) -> Result<Chosen, Failure> {
    let found = cart.lines.iter().find(|line| line.number == number);
    let found = found.and_then(|line| Some((line.clone(), line.goods.performance()?)));
    let (line, performance) = found.ok_or_else(|| Refusal::UnknownLine {
        line: number.to_string(),
    })?;
    let performance: Performance = work.get(performance)?;
    let Some(seats) = seats else {
        let seats = line.goods.seats().to_vec();
        return Ok(Chosen {
            line,
            performance,
            seats,
        });
    };
    let seats = seats::checked(&*work.house(performance.plan)?, seats)?;
    if seats.is_empty() {
        return Err(Refusal::NothingChosen.into());
    }
    let is_foreign = |seat: &&SeatRef| !line.goods.seats().contains(seat);
    let foreign: Vec<SeatRef> = seats.iter().filter(is_foreign).copied().collect();
    if foreign.is_empty() {
        Ok(Chosen {
            line,
            performance,
            seats,
        })
    } else {
        let seats = work.house(performance.plan)?.names(&foreign);
        let lack = Lack::InCart;
        Err(Refusal::NotYours { seats, lack }.into())
    }
}
