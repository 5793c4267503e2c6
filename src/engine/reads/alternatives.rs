//! Seats or time to offer when others were refused.

use crate::domain::best::{self, Access, Aisle, SeatWish};
use crate::domain::cart::Cart;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::Desk;
use crate::engine::ops::carts::not_yet_in;
use crate::engine::ops::{AnyOperation, HoldSeats, Wanted};
use crate::engine::reads::bookings::ReadBooking;
use crate::engine::reads::instead::ReadInstead;
use crate::engine::reads::names::ReadSeatNames;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Finds as many free seats together as were refused, nearest to them, preferably in their
/// category. Each choice can be held if requested at once.
#[derive(Clone, Debug)]
pub struct ReadAlternatives {
    /// Refused request.
    pub wanted: HoldSeats,
    /// Unique names of the taken seats.
    pub refused: Vec<String>,
}

impl Question for ReadAlternatives {
    type Answer = Vec<Vec<SeatRef>>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let performance: Performance = snapshot.get(self.wanted.performance)?;
        let house = snapshot.house(performance.plan)?;
        let mut seats = match &self.wanted.seats {
            Wanted::Seats(seats) => seats.clone(),
            Wanted::Named(names) => house.seats(names)?,
            Wanted::Best(_) => house.seats(&self.refused)?,
        };
        if let Some(cart) = self.wanted.cart {
            let cart: Cart = snapshot.get(cart)?;
            seats = not_yet_in(&cart, performance.id, &seats);
        }
        let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
        let ticket_type = self.wanted.ticket_type();
        let free = |seat: SeatRef| {
            let chunk = usize::try_from(seat.row)
                .ok()
                .and_then(|row| chunks.get(row));
            house.sells(&performance, seat, ticket_type)
                && chunk.is_some_and(|chunk| chunk.is_free(seat.seat, now))
        };
        let known = best::SeatSearch {
            plan: &house.plan,
            layout: &house.layout,
            free: &free,
        };
        let category = seats
            .first()
            .and_then(|seat| house.plan.seat(*seat))
            .map(|seat| seat.category);
        let wish = |category| SeatWish {
            count: u32::try_from(seats.len()).unwrap_or(u32::MAX),
            category,
            zone: None,
            aisle: Aisle::Any,
            access: Access::of(&house.plan, &seats),
        };
        let mut found = best::alternatives(&known, &wish(category), &seats);
        if found.is_empty() {
            found = best::alternatives(&known, &wish(None), &seats);
        }
        Ok(found.into_iter().map(|choice| choice.seats).collect())
    }
}

/// Search for alternatives to a refused operation.
#[derive(Clone, Debug)]
pub enum Instead {
    /// Other seats.
    Seats(HoldSeats),
    /// Other time.
    Time(ReadInstead),
}

impl From<&HoldSeats> for Instead {
    fn from(wanted: &HoldSeats) -> Self {
        Self::Seats(wanted.clone())
    }
}

impl From<ReadInstead> for Instead {
    fn from(instead: ReadInstead) -> Self {
        Self::Time(instead)
    }
}

/// Adds free alternatives to an operation's failure, if its refusal can offer some.
#[must_use]
pub fn with_offers(desk: &Desk, operation: &AnyOperation, failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) => match instead_of(desk, operation) {
            Some(instead) => offer(desk, refusal, instead).into(),
            None => refusal.into(),
        },
        fault @ Failure::Fault(_) => fault,
    }
}

/// Adds free alternatives to a refusal, if it can offer some.
#[must_use]
pub fn offer(desk: &Desk, refusal: Refusal, instead: impl Into<Instead>) -> Refusal {
    let mut refusal = refusal;
    match (&mut refusal, instead.into()) {
        (
            Refusal::SeatsTaken {
                seats,
                alternatives,
                ..
            },
            Instead::Seats(wanted),
        ) => {
            let (performance, refused) = (wanted.performance, seats.clone());
            let choices = desk.read(ReadAlternatives { wanted, refused });
            let choices = choices.unwrap_or_default();
            let names = ReadSeatNames {
                performance,
                choices,
            };
            *alternatives = desk.read(names).unwrap_or_default();
        }
        (
            Refusal::SlotTaken { alternatives, .. } | Refusal::TooFewFree { alternatives, .. },
            Instead::Time(instead),
        ) => *alternatives = desk.read(instead).unwrap_or_default(),
        _ => {}
    }
    refusal
}

/// Returns the search for alternatives to an operation.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most operations want neither seats nor time"
)]
fn instead_of(desk: &Desk, operation: &AnyOperation) -> Option<Instead> {
    let instead = match operation {
        AnyOperation::HoldSeats(hold) => return Some(Instead::from(&**hold)),
        AnyOperation::HoldSlot(hold) => match hold.wants.as_slice() {
            [one] => ReadInstead::of(std::slice::from_ref(&one.resource), one.slot),
            _ => return None,
        },
        AnyOperation::BookSlot(book) => ReadInstead::of_wants(&book.wants),
        AnyOperation::BookSeries(book) => ReadInstead {
            resources: book.resources.clone(),
            any: book.any.clone(),
            slots: book.slots.clone(),
        },
        AnyOperation::MoveBooking(moving) => {
            let resources = if let Some(to) = moving.to.as_ref().or(moving.from.as_ref()) {
                vec![to.clone()]
            } else {
                let booking = desk.read(ReadBooking(moving.booking)).ok()?.booking;
                booking.asked().map(|one| one.resource.clone()).collect()
            };
            ReadInstead::of(&resources, moving.slot)
        }
        _ => return None,
    };
    Some(Instead::Time(instead))
}
