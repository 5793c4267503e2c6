//! Seats or time leave a cart.

use serde::Serialize;

use crate::domain::cart::{Cart, Line};
use crate::domain::ids::CartId;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Lack, Refusal};
use crate::engine::ops::cart_claims::slot_owner;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::{cart_claims, claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Gives back a line of a cart, or some of its seats; of time, all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GiveBack {
    /// The cart.
    pub cart: CartId,
    /// The line, by number.
    pub line: u32,
    /// Which of its seats; all when not said.
    pub seats: Option<Vec<SeatRef>>,
}

impl Operation for GiveBack {
    const VERB: &'static str = "give_back";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        if let Some(at) = cart.slots.iter().position(|line| line.number == self.line) {
            let line = cart.slots.remove(at);
            claims::free(work, &line.taken, &slot_owner(&cart, &line))?;
            cart.forget_currency();
            put_changed(work, &mut cart)?;
            return Ok(cart);
        }
        let (line, seats) = chosen(work, &cart, (self.line, self.seats.as_deref()))?;
        cart_claims::give_up(work, &mut cart, (&line, &seats))?;
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}

/// A line of a cart and the seats of it that are meant.
///
/// # Errors
/// No such line, no seat, one that comes twice, or one that is not in it.
pub(super) fn chosen(
    work: &mut UnitOfWork<'_>,
    cart: &Cart,
    (number, seats): (u32, Option<&[SeatRef]>),
) -> Result<(Line, Vec<SeatRef>), Failure> {
    let found = cart.lines.iter().find(|line| line.number == number);
    let line = found.ok_or_else(|| Refusal::UnknownLine {
        line: number.to_string(),
    })?;
    let Some(seats) = seats else {
        return Ok((line.clone(), line.seats.clone()));
    };
    let performance: Performance = work.get(line.performance)?;
    let seats = seats::checked(&*work.house(performance.plan)?, seats)?;
    if seats.is_empty() {
        return Err(Refusal::NothingChosen.into());
    }
    let is_foreign = |seat: &&SeatRef| !line.seats.contains(seat);
    let foreign: Vec<SeatRef> = seats.iter().filter(is_foreign).copied().collect();
    if foreign.is_empty() {
        Ok((line.clone(), seats))
    } else {
        let seats = work.house(performance.plan)?.names(&foreign);
        let lack = Lack::InCart;
        Err(Refusal::NotYours { seats, lack }.into())
    }
}
