//! Moves a performance to another start.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::Keep;
use crate::domain::ids::{CartId, KeepId, PerformanceId, ReceiptId};
use crate::domain::job::JobKind;
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, PerformanceState, Postponed};
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{NightRefusal, Refusal};
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::changes::in_use;
use crate::engine::ops::ending::{put_changed, put_jobs, put_keep};
use crate::engine::ops::texts::reasoned;
use crate::engine::ops::{cart_claims, carts, claims, halls, seats, taking, tickets};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves a performance with its hall, all or none: seats and carts keep their claims; pay-by times of reservations, ends of
/// keeps and their jobs move by the same difference. Tickets printed before are void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostponePerformance {
    pub performance: PerformanceId,
    pub start: Instant,
    /// New end; as long after the start as before if `None`.
    pub end: Option<Instant>,
    pub reason: String,
}

impl Operation for PostponePerformance {
    const VERB: &'static str = "postpone_performance";
    type Answer = Performance;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Performance, Failure> {
        let reason = reasoned(&self.reason)?;
        let before: Performance = work.get(self.performance)?;
        in_use(&before)?;
        let mut performance = self.moved(&before, work.now())?;
        performance.postponed.push(Postponed {
            from: before.start,
            reason,
            operator: work.actor().operator.clone(),
            at: work.now(),
        });
        halls::postpone(work, &before, &mut performance)?;
        work.put(&performance)?;
        work.put_job(JobKind::SalesClose, performance.id, performance.start)?;
        let moved = Move { from: before.start, to: performance.start, now: work.now() };
        let seating = work.seating(performance.plan)?;
        let mut owners: Vec<Owner> = seats::all_chunks(work, &seating, &performance)?
            .values()
            .flat_map(|chunk| chunk.claims_from(0))
            .filter(|(_, claim)| !claim.is_late(work.late_at()))
            .map(|(_, claim)| claim.owner)
            .collect();
        owners.sort_unstable();
        owners.dedup();
        let mut carts: Vec<CartId> = owners.iter().filter_map(Owner::cart).collect();
        carts.dedup();
        for cart in carts {
            moved.cart(work, cart)?;
        }
        for owner in owners {
            if let Owner::Keep(keep) = owner {
                moved.keep(work, keep)?;
            }
        }
        Ok(performance)
    }
}

impl PostponePerformance {
    /// The performance at its new time; refuses one that can't move there.
    fn moved(&self, before: &Performance, now: Instant) -> Result<Performance, Refusal> {
        let title = || before.title.clone();
        let start = self.start;
        let end = self.end.unwrap_or_else(|| before.end.moved(before.start, start));
        if before.state == PerformanceState::Canceled {
            return Err(NightRefusal::NightCanceled { performance: title() }.into());
        }
        if before.end <= now {
            return Err(NightRefusal::NightOver { performance: title(), end: before.end }.into());
        }
        if start == before.start {
            return Err(NightRefusal::SameStart { performance: title(), start }.into());
        }
        if start <= now {
            return Err(Refusal::InThePast { at: start });
        }
        let slot = Slot::new(start, end).map_err(|_| Refusal::EndsBeforeStart)?;
        taking::possible("end", slot)?;
        Ok(Performance { start, end, ..before.clone() })
    }
}

/// Move of a start, and of the deadlines that follow it.
#[derive(Clone, Copy)]
struct Move {
    from: Instant,
    to: Instant,
    now: Instant,
}

impl Move {
    /// A deadline moved by the same difference. One that would be past by then is half-way to the new start, or as before
    /// if that is sooner.
    fn deadline(self, at: Instant) -> Instant {
        let moved = at.moved(self.from, self.to);
        if moved > self.now {
            return moved;
        }
        at.min(self.now + self.to.since(self.now).part(1, 2))
    }

    /// Moves the pay-by of a reservation, or the alert of uncollected tickets. Other carts stay as they are.
    fn cart(self, work: &mut UnitOfWork<'_>, id: CartId) -> Result<(), Failure> {
        let mut cart: Cart = work.get(id)?;
        match (cart.state_at(self.now), cart.reservation) {
            (CartState::Done(receipt), _) => Self::tickets(work, receipt),
            (CartState::Active, Some(_)) if cart.payment_began_at.is_none() => self.reservation(work, &mut cart),
            (CartState::Active | CartState::Canceled | CartState::Expired, _) => Ok(()),
        }
    }

    /// Moves the pay-by and the alerts; no later than another start in the cart allows.
    fn reservation(self, work: &mut UnitOfWork<'_>, cart: &mut Cart) -> Result<(), Failure> {
        let (before, mut pay_by) = (cart.expires_at, self.deadline(cart.expires_at));
        if let Some((first, _)) = carts::first_start(work, cart)? {
            let latest = first - work.settings()?.reserve_before;
            pay_by = pay_by.min(latest.max(before));
        }
        cart_claims::move_deadline(work, cart, pay_by)?;
        (cart.expires_at, cart.hold_cap_at) = (pay_by, pay_by);
        if let Some(reservation) = &mut cart.reservation {
            reservation.alert_at = reservation.alert_at.moved(before, pay_by);
            reservation.final_at = reservation.final_at.moved(before, pay_by);
            reservation.told = reservation.told.min(reservation.due(self.now));
        }
        put_jobs(work, cart)?;
        put_changed(work, cart)
    }

    fn tickets(work: &mut UnitOfWork<'_>, id: ReceiptId) -> Result<(), Failure> {
        let mut receipt: Receipt = work.get(id)?;
        if receipt.tickets.wait() {
            tickets::keep(work, &mut receipt)?;
            work.put(&receipt)?;
        }
        Ok(())
    }

    fn keep(self, work: &mut UnitOfWork<'_>, id: KeepId) -> Result<(), Failure> {
        let mut keep: Keep = work.get(id)?;
        let (owner, until) = (Owner::Keep(id), self.deadline(keep.until));
        claims::free(work, (keep.performance, &keep.live), &owner)?;
        let act = Act::Book { until: Some(until) };
        claims::act(work, (keep.performance, &keep.live), (&owner, act))?;
        keep.until = until;
        work.put_job(JobKind::KeepRelease, id, until)?;
        put_keep(work, &keep)
    }
}
