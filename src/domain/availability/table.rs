//! The table of operations: what an act means for cells with one claim.
//!
//! Import cycle with [`availability`](super), whose acts and claims it is about.

use crate::domain::availability::{Act, Claim, Grip, RefusedWhy};
use crate::domain::owner::Owner;
use crate::domain::time::Instant;

pub(super) enum Verdict {
    /// The owner's claim.
    Set,
    Free,
    /// The cells stay unchanged.
    Same,
    Displace,
    No(RefusedWhy),
}

/// The claim that an act makes; none when it frees.
pub(super) fn claim_of(act: Act, owner: &Owner, before: Option<&Claim>) -> Option<Claim> {
    let (grip, until) = match act {
        Act::Hold { until } => (Grip::Held, Some(until)),
        Act::Extend { until } => {
            (Grip::Held, Some(before.and_then(|claim| claim.until).map_or(until, |old| old.max(until))))
        }
        Act::Book { until } => (Grip::Booked, until),
        Act::Settle => (Grip::Booked, None),
        Act::Disable => (Grip::Disabled, None),
        Act::Release | Act::Enable => return None,
    };
    Some(Claim { owner: owner.clone(), grip, until })
}

/// Result of an act on cells with one claim; an arm is an entry of the table, or several with one result.
#[expect(clippy::match_same_arms, reason = "an arm is an entry of the table, also where another has the same result")]
pub(super) fn decide(act: Act, owner: &Owner, claim: Option<&Claim>, now: Instant) -> Verdict {
    let Some(claim) = claim else {
        return match act {
            Act::Hold { .. } | Act::Book { .. } | Act::Disable => Verdict::Set,
            Act::Extend { .. } | Act::Settle | Act::Release | Act::Enable => Verdict::No(RefusedWhy::NotYours),
        };
    };
    let own = claim.owner.acts_as(owner);
    match (act, claim.grip, claim.is_late(now)) {
        (Act::Hold { .. } | Act::Book { .. }, Grip::Held | Grip::Booked, true) => Verdict::Set,
        (Act::Hold { .. }, Grip::Held | Grip::Booked, false) if own => Verdict::Same,
        (Act::Book { .. }, Grip::Held, false) if own => Verdict::Set,
        (Act::Book { .. }, Grip::Booked, false) if own => Verdict::Same,
        (Act::Hold { .. } | Act::Book { .. }, Grip::Held | Grip::Booked, false) => Verdict::No(RefusedWhy::Taken),
        (Act::Extend { .. } | Act::Settle | Act::Release, Grip::Held | Grip::Booked, true) if own => {
            Verdict::No(RefusedWhy::Expired)
        }
        (Act::Extend { .. } | Act::Settle, Grip::Held, false) if own => Verdict::Set,
        (Act::Settle, Grip::Booked, false) if own => Verdict::Same,
        (Act::Release, Grip::Held | Grip::Booked, false) if own => Verdict::Free,
        (Act::Disable, Grip::Held | Grip::Booked, true) => Verdict::Set,
        (Act::Disable, Grip::Held | Grip::Booked, false) => Verdict::Displace,
        (Act::Disable, Grip::Disabled, _) if own => Verdict::Same,
        (Act::Enable, Grip::Disabled, _) if own => Verdict::Free,
        (Act::Enable, ..) => Verdict::No(RefusedWhy::NotYours),
        (Act::Extend { .. } | Act::Settle | Act::Release, Grip::Held | Grip::Booked, _) => {
            Verdict::No(RefusedWhy::NotYours)
        }
        (_, Grip::Disabled, _) => Verdict::No(RefusedWhy::Disabled),
    }
}
