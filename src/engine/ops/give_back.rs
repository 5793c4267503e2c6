//! Operation that gives seats or time of a cart back before they are paid.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::CartId;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::ops::cart_claims::{self, CartPart};
use crate::engine::ops::claims;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Removes a part of a cart; time only line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GiveBack {
    pub cart: CartId,
    pub part: CartPart,
}

impl GiveBack {
    /// Removes a line, or some of its seats.
    #[must_use]
    pub fn line(cart: CartId, line: u32, seats: Option<Vec<SeatRef>>) -> Self {
        Self { cart, part: CartPart::of(line, seats) }
    }
}

impl Operation for GiveBack {
    const VERB: &'static str = "give_back";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let chosen = match &self.part {
            CartPart::Lines(numbers) if numbers.is_empty() => return Err(Refusal::NothingChosen.into()),
            CartPart::Lines(numbers) => {
                let seats = free_time(work, &mut cart, numbers)?;
                cart_claims::chosen(work, &cart, &CartPart::Lines(seats))?
            }
            CartPart::SeatsOf { .. } | CartPart::Seats { .. } => cart_claims::chosen(work, &cart, &self.part)?,
        };
        for chosen in chosen {
            cart_claims::give_up(work, &mut cart, &chosen.line, (chosen.performance.id, &chosen.seats))?;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}

/// Removes lines of time; returns the others.
fn free_time(work: &mut UnitOfWork<'_>, cart: &mut Cart, numbers: &[u32]) -> Result<Vec<u32>, Failure> {
    let mut others = Vec::new();
    for number in numbers {
        let Some(at) = cart.lines.iter().position(|line| line.number == *number && line.goods.is_time()) else {
            others.push(*number);
            continue;
        };
        let line = cart.lines.remove(at);
        claims::free(work, &line.goods, &line.owner(cart.id))?;
        cart.forget_currency();
    }
    Ok(others)
}
