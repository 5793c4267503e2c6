//! Wording of waiting list entries.

use super::names::list;
use super::numbers::count;
use super::when::{clock, day_time};
use crate::domain::time::Local;
use crate::domain::waiting::WaitState;
use crate::engine::reads::waitlist::{WaitReason, WaitView};

/// State of a waiting list entry: waiting and why, or how it ended.
#[must_use]
pub fn waits(view: &WaitView, here: Local) -> String {
    let wanted = usize::try_from(view.waiting.seats).unwrap_or(usize::MAX);
    match &view.why {
        WaitReason::NothingFree => match &view.category {
            Some(category) => format!("nothing of {category} is free"),
            None => "nothing is free".to_owned(),
        },
        WaitReason::NotTogether { free } => format!("{free} free, but no {wanted} together"),
        WaitReason::AboutToBeOffered => "seats are free: offered in a moment".to_owned(),
        WaitReason::Offered { seats, until, .. } => {
            format!("{} held as {} until {}", list(seats), view.ticket_type, clock(*until, here.zone))
        }
        WaitReason::Ended => ended(&view.waiting.state, wanted, here),
    }
}

fn ended(state: &WaitState, seats: usize, here: Local) -> String {
    match state {
        WaitState::Waiting | WaitState::Offered { .. } => String::new(),
        WaitState::Served { .. } => format!("took {}", count(seats, "seat")),
        WaitState::Lapsed { at, .. } => {
            format!("did not take the offer, {}", day_time(*at, here))
        }
        WaitState::Removed { operator, at } => {
            format!("taken off by {operator}, {}", day_time(*at, here))
        }
        WaitState::Closed { .. } => "sales closed before anything came free".to_owned(),
    }
}
