//! Enables time.

use serde::Serialize;

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, BookingState, Cause, Taken};
use crate::domain::ids::BookingId;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::time::{common, joined, subtract};
use crate::engine::ops::customers;
use crate::engine::ops::outages::{marked_by, unmark};
use crate::engine::ops::seat_acts::Whose;
use crate::engine::ops::{booking, claims};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Enables the time of one act: a disable, maintenance or another cause, or a mark. Disables and
/// marks can be ended by their operator, or by anybody explicitly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnableSlot {
    /// Act.
    pub id: BookingId,
    /// Operators whose act may be ended.
    pub whose: Whose,
}

impl Operation for EnableSlot {
    const VERB: &'static str = "enable_slot";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        match work.find::<Booking>(&self.id.to_string())? {
            Some(found) => self.enable(work, found),
            None => self.unmark(work),
        }
    }
}

impl EnableSlot {
    fn enable(&self, work: &mut UnitOfWork<'_>, mut found: Booking) -> Result<(), Failure> {
        if found.state == BookingState::Canceled {
            return Ok(());
        }
        match found.cause {
            Cause::Disable => {}
            Cause::Maintenance | Cause::Relocation | Cause::Other(_) | Cause::OutOfService => {
                booking::allowed(work, &found, self.whose)?;
                return booking::end(work, &mut found);
            }
            Cause::Booking => {
                return Err(
                    Refusal::bad("id", Problem::Booked(customers::title(work, &found)?)).into(),
                );
            }
            Cause::Performance(_) => {
                return Err(Refusal::HallOfPerformance { title: found.title }.into());
            }
        }
        booking::allowed(work, &found, self.whose)?;
        claims::act(work, &found.taken, (&found.owner(), Act::Enable))?;
        let had: Vec<Taken> = found.taken.clone();
        for taken in &mut found.taken {
            taken.live.clear();
        }
        found.state = BookingState::Canceled;
        work.put(&found)?;
        hand_over(work, &found.overlaps, had)
    }

    fn unmark(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let marked = marked_by(work, self.id)?;
        if marked.is_empty() {
            return Err(Refusal::NotFound {
                what: "booking".into(),
                name: self.id.to_string(),
            }
            .into());
        }
        marked
            .iter()
            .try_for_each(|resource| unmark(work, (resource, Some(self.id)), self.whose))
    }
}

/// Passes the time of an ended disable to the other acts of its operator that include it: they keep
/// it disabled.
fn hand_over(
    work: &mut UnitOfWork<'_>,
    acts: &[BookingId],
    mut had: Vec<Taken>,
) -> Result<(), Failure> {
    for id in acts {
        let mut heir: Booking = work.get(*id)?;
        if heir.state == BookingState::Canceled {
            continue;
        }
        let mut gets = Vec::new();
        for taken in &mut heir.taken {
            for left in had
                .iter_mut()
                .filter(|left| left.resource == taken.resource)
            {
                let both = common(&left.live, &[taken.core]);
                left.live = subtract(&left.live, &both);
                gets.push(Taken {
                    live: both.clone(),
                    ..taken.clone()
                });
                taken.live = joined([taken.live.as_slice(), both.as_slice()].concat());
            }
        }
        claims::act(work, &gets, (&heir.owner(), Act::Disable))?;
        let others = acts.iter().filter(|other| *other != id);
        heir.overlaps.extend(others);
        heir.overlaps.sort_unstable();
        heir.overlaps.dedup();
        work.put(&heir)?;
    }
    Ok(())
}
