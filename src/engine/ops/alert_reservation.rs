//! Job of an unpaid reservation: two alerts, before the cart's own expiry.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{AlertRaised, Cart, CartState};
use crate::domain::event::{Event, Unpaid};
use crate::domain::ids::CartId;
use crate::domain::job::Outcome;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sends the next alert of an unpaid reservation. If both were missed, only the last one is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertReservation {
    pub cart: CartId,
}

impl Operation for AlertReservation {
    const VERB: &'static str = "alert_reservation";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let found = work.find::<Cart>(&self.cart.to_string())?;
        let Some(mut cart) = found.filter(|cart| cart.state == CartState::Active) else {
            return Ok(Outcome::Gone);
        };
        let Some(reservation) = &mut cart.reservation else {
            return Ok(Outcome::Gone);
        };
        let due = reservation.due(work.now());
        if due <= reservation.told {
            return Ok(reservation.next_at().map_or(Outcome::Done, Outcome::Deadline));
        }
        reservation.told = due;
        let next = reservation.next_at();
        work.put(&cart)?;
        tell(work, &cart, due)?;
        Ok(next.map_or(Outcome::Done, Outcome::Told))
    }
}

fn tell(work: &mut UnitOfWork<'_>, cart: &Cart, due: AlertRaised) -> Result<(), Failure> {
    let unpaid = Unpaid { cart: cart.id, customer: cart.customer, seats: cart.seat_count(), pay_by: cart.expires_at };
    match due {
        AlertRaised::Nothing => Ok(()),
        AlertRaised::Alert => work.tell(&Event::ReservationAlert(unpaid)),
        AlertRaised::Final => work.tell(&Event::ReservationFinal(unpaid)),
    }
}
