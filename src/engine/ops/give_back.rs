//! Seats leave a cart.

use serde::Serialize;

use crate::domain::cart::{Cart, Line};
use crate::domain::ids::CartId;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::ops::claims;
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::work::{Failure, Operation, Work};

/// Gives back a line of a cart, or some of its seats.
#[derive(Clone, Debug, Serialize)]
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

    fn run(&self, work: &mut Work<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let (line, seats) = chosen(&cart, self.line, self.seats.as_deref())?;
        claims::free(
            work,
            (line.performance, &seats),
            &Owner::Line(cart.line_id(&line)),
        )?;
        cart.give_up(self.line, &seats);
        if cart.lines.is_empty() {
            cart.currency = None;
        }
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}

/// A line of a cart and the seats of it that are meant.
///
/// # Errors
/// No such line, no seat, or a seat that is not in it.
pub(super) fn chosen(
    cart: &Cart,
    number: u32,
    seats: Option<&[SeatRef]>,
) -> Result<(Line, Vec<SeatRef>), Refusal> {
    let found = cart.lines.iter().find(|line| line.number == number);
    let line = found.ok_or_else(|| Refusal::UnknownLine {
        line: number.to_string(),
    })?;
    let seats = seats.map_or_else(|| line.seats.clone(), <[SeatRef]>::to_vec);
    if seats.is_empty() {
        return Err(Refusal::NothingChosen);
    }
    let foreign = seats.iter().filter(|seat| !line.seats.contains(seat));
    let foreign: Vec<String> = foreign
        .map(|seat| format!("row {} seat {}", seat.row + 1, seat.seat + 1))
        .collect();
    if foreign.is_empty() {
        Ok((line.clone(), seats))
    } else {
        Err(Refusal::NotYours { seats: foreign })
    }
}
