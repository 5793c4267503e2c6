//! Checks the guest of a booking in or out.

use serde::{Deserialize, Serialize};

use crate::domain::booking::{Booking, Cause};
use crate::domain::ids::BookingId;
use crate::domain::refusal::{Refusal, StayRefusal};
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::ops::booking::{not_left, price, price_follows, standing};
use crate::engine::ops::releases::give_back;
use crate::engine::ops::{customers, paying};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Records that the guest of a booking came, or left; who leaves early gives the nights to come back. Repeating it
/// changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckGuest {
    pub booking: BookingId,
    pub happened: Happened,
    #[serde(default)]
    pub unpaid: OpenAmount,
}

/// Change of a guest's presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    CheckedIn,
    CheckedOut,
}

/// Departure of a guest with an open amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenAmount {
    #[default]
    Refuse,
    /// The amount stays open.
    Accept,
}

impl Operation for CheckGuest {
    const VERB: &'static str = "check_guest";
    type Answer = Booking;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Booking, Failure> {
        let mut booking = standing(work, self.booking)?;
        let title = customers::title(work, &booking)?;
        if booking.cause != Cause::Booking {
            return Err(Refusal::NotABooking { title }.into());
        }
        match self.happened {
            Happened::CheckedIn if booking.checked_in_at.is_none() => {
                begun(work, &booking, title)?;
                booking.checked_in_at = Some(work.now());
            }
            Happened::CheckedOut if booking.checked_out_at.is_none() => {
                if booking.checked_in_at.is_none() {
                    return Err(StayRefusal::NotCheckedIn { title }.into());
                }
                leave(work, &mut booking)?;
                if let Some(price) = booking.price.filter(|_| booking.open() > 0 && self.unpaid == OpenAmount::Refuse) {
                    let (open, currency) = (booking.open(), price.currency);
                    return Err(StayRefusal::StayUnpaid { title, open, currency }.into());
                }
                booking.checked_out_at = Some(work.now());
            }
            Happened::CheckedIn => {
                not_left(work, &booking)?;
                return Ok(booking);
            }
            Happened::CheckedOut => return Ok(booking),
        }
        paying::put(work, &booking)?;
        Ok(booking)
    }
}

/// Refuses a day before the first of a booking.
fn begun(work: &mut UnitOfWork<'_>, booking: &Booking, title: String) -> Result<(), Failure> {
    let Some(first) = booking.asked().map(|taken| (taken.core.from(), taken.resource.clone())).min() else {
        return Ok(());
    };
    let day = work.get::<Resource>(&first.1)?.grid.day_at(first.0);
    if work.now() < day.start {
        return Err(StayRefusal::StayNotBegun { title, from: day.date }.into());
    }
    Ok(())
}

/// Gives back the nights from the day of departure on; the night of the arrival stays. Time by the hour is kept.
fn leave(work: &mut UnitOfWork<'_>, booking: &mut Booking) -> Result<(), Failure> {
    let follows = price_follows(work, booking)?;
    let mut gave = false;
    for taken in booking.asked().cloned().collect::<Vec<_>>() {
        let grid = work.get::<Resource>(&taken.resource)?.grid;
        if !grid.segment.is_day() {
            continue;
        }
        let from = grid.day_at(work.now()).start.max(grid.day_at(taken.core.from()).end);
        for stretch in taken.kept() {
            if let Ok(left) = Slot::new(from.max(stretch.from()), stretch.until()) {
                give_back(work, booking, (Some(&taken.resource), left))?;
                gave = true;
            }
        }
    }
    if gave && follows {
        booking.price = price(work, &booking.taken)?;
    }
    Ok(())
}
