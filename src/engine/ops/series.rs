//! Repeats: checks a date without booking it.

use crate::domain::availability::Act;
use crate::domain::refusal::Refusal;
use crate::engine::ops::booking::{Request, Want, planned};
use crate::engine::ops::claims;
use crate::engine::work::{Failure, UnitOfWork};

/// Returns what stands in the way of a request, if anything; nothing is put. Absent resources are refused.
pub(super) fn in_the_way(
    work: &mut UnitOfWork<'_>,
    wants: &[Want],
    request: &Request<'_>,
) -> Result<Option<Refusal>, Failure> {
    let act = Act::Book { until: None };
    let booking = planned(work, wants, request);
    match booking.and_then(|one| claims::would_do(work, &one.taken, (&one.owner(), act))) {
        Ok(()) => Ok(None),
        Err(Failure::Refused(refusal @ (Refusal::NotFound { .. } | Refusal::NothingChosen))) => Err(refusal.into()),
        Err(Failure::Refused(refusal)) => Ok(Some(refusal)),
        Err(fault @ Failure::Fault(_)) => Err(fault),
    }
}
