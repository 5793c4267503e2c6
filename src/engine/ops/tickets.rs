//! Alert times of uncollected tickets, the key of their codes, and papers made again.

use crate::domain::job::JobKind;
use crate::domain::line::seated;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::receipt::{MadeAgain, Receipt, Tickets};
use crate::domain::refusal::{NightRefusal, Problem, Refusal};
use crate::domain::ticket_code::TicketKey;
use crate::domain::time::Instant;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::kinds::TICKET_KEY;

/// Performance that a receipt has tickets for.
pub(super) struct Show {
    pub(super) performance: Performance,
    pub(super) seats: usize,
    /// Time of the alert if they are uncollected.
    pub(super) tell_at: Instant,
}

/// Performances that a receipt still has seats of, by start, without canceled ones.
///
/// If the regular alert time is past already, the alert comes at half the time left when the tickets were kept.
pub(super) fn shows(work: &mut UnitOfWork<'_>, receipt: &Receipt, since: Instant) -> Result<Vec<Show>, Failure> {
    let before = work.settings()?.collect_before;
    let mut shows: Vec<Show> = Vec::new();
    for (id, seats) in seated(&receipt.lines) {
        let known = shows.iter_mut().find(|show| show.performance.id == id);
        if let Some(show) = known {
            show.seats += seats.len();
            continue;
        }
        let performance: Performance = work.get(id)?;
        if performance.state != PerformanceState::Open {
            continue;
        }
        let usual = performance.start - before;
        let tell_at = if usual > since { usual } else { since + performance.start.since(since).part(1, 2) };
        shows.push(Show { seats: seats.len(), tell_at, performance });
    }
    shows.sort_by_key(|show| show.performance.start);
    Ok(shows)
}

/// Keeps a receipt's tickets at the desk, and schedules the first alert; refuses if no performance is still to come.
pub(super) fn keep(work: &mut UnitOfWork<'_>, receipt: &mut Receipt) -> Result<(), Failure> {
    let now = work.now();
    let shows = shows(work, receipt, now)?;
    let Some(first) = shows.iter().find(|show| show.performance.start > now) else {
        return Err(Refusal::bad("receipt", Problem::Over).into());
    };
    receipt.tickets = Tickets::Waiting { told: None };
    work.put_job(JobKind::TicketsUncollected, receipt.id, first.tell_at)
}

/// Ends the alert of a receipt that has no seats any more.
pub(super) fn end_without_seats(work: &mut UnitOfWork<'_>, receipt: &Receipt) {
    if receipt.tickets.wait() && seated(&receipt.lines).next().is_none() {
        work.end_job(JobKind::TicketsUncollected, receipt.id);
    }
}

/// Schedules the next alert of waiting tickets, as of their sale, for a receipt that has seats again.
pub(super) fn look_again(work: &mut UnitOfWork<'_>, receipt: &Receipt) -> Result<(), Failure> {
    let Tickets::Waiting { told } = receipt.tickets else {
        return Ok(());
    };
    let now = work.now();
    let is_due = |show: &Show| show.performance.start > told.unwrap_or(now).max(now);
    match shows(work, receipt, receipt.issued_at)?.into_iter().find(is_due) {
        Some(next) => work.put_job(JobKind::TicketsUncollected, receipt.id, next.tell_at),
        None => Ok(()),
    }
}

/// Papers that the actor makes again now.
pub(super) fn made_again(work: &UnitOfWork<'_>, reason: String) -> MadeAgain {
    let approved = work.approved().map(str::to_owned);
    MadeAgain { at: work.now(), operator: work.actor().operator.clone(), approved, reason }
}

/// The key of the house's codes, made with its first performance.
pub(super) fn key(work: &mut UnitOfWork<'_>) -> Result<TicketKey, Failure> {
    if let Some(key) = work.find::<TicketKey>(TICKET_KEY)? {
        return Ok(key);
    }
    let key = TicketKey::random();
    work.put(&key)?;
    Ok(key)
}

/// Refuses tickets that show a start which their performance no longer has.
pub(super) fn not_void(work: &mut UnitOfWork<'_>, receipt: &Receipt) -> Result<(), Failure> {
    for (id, _) in seated(&receipt.lines) {
        let performance: Performance = work.get(id)?;
        if let Some(start) = performance.start_was(receipt.tickets_of()) {
            let receipt = receipt.number.clone();
            return Err(NightRefusal::TicketsVoid { receipt, start }.into());
        }
    }
    Ok(())
}
