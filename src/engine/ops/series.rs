//! Repeats: checks a date without booking it, and collects what stands in the way of several.

use crate::domain::availability::Act;
use crate::engine::ops::booking::{Request, Want, planned};
use crate::engine::ops::claims;
use crate::engine::work::{Failure, UnitOfWork};

/// Checks that a request can be booked; nothing is put.
pub(super) fn possible(
    work: &mut UnitOfWork<'_>,
    wants: &[Want],
    request: &Request<'_>,
) -> Result<(), Failure> {
    let booking = planned(work, wants, request)?;
    let act = (&booking.owner(), Act::Book { until: None });
    claims::would_do(work, &booking.taken, act)
}
