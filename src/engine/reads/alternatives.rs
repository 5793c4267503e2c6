//! Seats or time to offer when others were refused.

use crate::domain::refusal::{Refusal, WantedCells};
use crate::engine::Desk;
use crate::engine::ops::AnyOperation;
use crate::engine::reads::bookings::ReadBooking;
use crate::engine::reads::instead::{ReadInstead, WantedTime};
use crate::engine::work::Failure;

/// Adds free alternatives to an operation's failure, if its refusal can offer some.
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
pub fn offer(desk: &Desk, mut refusal: Refusal, search: impl Into<ReadInstead>) -> Refusal {
    if let Refusal::Taken { wanted, facts, instead } = &mut refusal {
        let mut search = search.into();
        let of_seats = *wanted == WantedCells::Seats;
        match &mut search {
            ReadInstead::Seats { refused, .. } if of_seats => {
                let names = facts.iter().filter_map(|fact| fact.seat());
                *refused = names.map(str::to_owned).collect();
            }
            ReadInstead::Time(_) if !of_seats => {}
            ReadInstead::Seats { .. } | ReadInstead::Time(_) => return refusal,
        }
        *instead = desk.read(search).unwrap_or_default();
    }
    refusal
}

/// Returns the search for alternatives to an operation.
#[expect(clippy::wildcard_enum_match_arm, reason = "most operations want neither seats nor time")]
fn instead_of(desk: &Desk, operation: &AnyOperation) -> Option<ReadInstead> {
    Some(match operation {
        AnyOperation::HoldSeats(hold) => ReadInstead::from(&**hold),
        AnyOperation::HoldSlot(hold) => match hold.wants.as_slice() {
            [one] => ReadInstead::of(std::slice::from_ref(&one.resource), one.slot),
            _ => return None,
        },
        AnyOperation::BookSlot(book) => ReadInstead::of_wants(&book.wants),
        AnyOperation::BookSeries(book) => ReadInstead::Time(WantedTime {
            resources: book.resources.clone(),
            any: book.any.clone(),
            slots: book.slots.clone(),
        }),
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
    })
}
