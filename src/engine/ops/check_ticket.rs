//! Tickets at the door: each is admitted once, and its admission can be undone.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::correction::ReceiptKind;
use crate::domain::ids::{PerformanceId, ReceiptId};
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::receipt::{MadeAgain, Receipt, TicketUse};
use crate::domain::refusal::{Refusal, TicketRefusal};
use crate::domain::ticket_code::{TicketCode, TicketKey, TicketPlace};
use crate::domain::time::{Instant, Span};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::kinds::TICKET_KEY;

/// Time before the start from which a ticket is one of tonight.
const DOORS_BEFORE: Span = Span::minutes(12 * 60);

/// Condition for receipts by the beginning of their id: no digit is above `f`.
const BY_BEGIN: &str = "WHERE key >= $1 AND key < $1 || 'g'";

/// Admits the one who has a ticket, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckTicket {
    pub code: TicketCode,
    /// The performance at this door; without one, any that is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance: Option<PerformanceId>,
}

/// Takes an admission back: the ticket admits again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoTicketCheck {
    pub code: TicketCode,
}

/// Ticket that was admitted, or whose admission was undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admitted {
    pub receipt: ReceiptId,
    /// Number of the receipt.
    pub number: String,
    pub performance: PerformanceId,
    pub title: String,
    pub start: Instant,
    /// Time zone of the theater.
    pub zone: Tz,
    /// Seat in the words of a ticket.
    pub seat: String,
    /// Ticket type.
    pub kind: String,
    /// Seats of its receipt for this performance that are in.
    pub used: usize,
    /// Seats of its receipt for this performance.
    pub of: usize,
}

/// Ticket that a code means.
struct CodedTicket {
    receipt: Receipt,
    place: TicketPlace,
    /// Issue of the code, counted from 1.
    issue: usize,
    kind: String,
    performance: Performance,
    /// Seat in the words of a ticket.
    seat: String,
}

impl Operation for CheckTicket {
    const VERB: &'static str = "check_ticket";
    type Answer = Admitted;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Admitted, Failure> {
        let mut found = find(work, self.code)?;
        found.is_good(work)?;
        let (night, now) = (&found.performance, work.now());
        let (performance, start) = (night.title.clone(), night.start);
        if now >= night.end {
            return Err(Refusal::from(TicketRefusal::TicketOfPast { performance, start }).into());
        }
        if self.performance.map_or(now < start - DOORS_BEFORE, |door| door != night.id) {
            return Err(Refusal::from(TicketRefusal::TicketOfAnother { performance, start }).into());
        }
        if let Some(used) = found.receipt.used.iter().find(|used| used.is_of(&found.place)) {
            let (seat, at, station) = (found.seat, used.at, used.station.clone());
            return Err(Refusal::from(TicketRefusal::TicketUsed { seat, at, station }).into());
        }
        let (line, seat, station) = (found.place.line, found.place.seat, work.actor().station.clone());
        found.receipt.used.push(TicketUse { line, seat, at: now, station });
        work.put(&found.receipt)?;
        found.admitted(work)
    }
}

impl Operation for UndoTicketCheck {
    const VERB: &'static str = "undo_ticket_check";
    type Answer = Admitted;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Admitted, Failure> {
        let mut found = find(work, self.code)?;
        found.is_good(work)?;
        let before = found.receipt.used.len();
        found.receipt.used.retain(|used| !used.is_of(&found.place));
        if found.receipt.used.len() == before {
            return Err(Refusal::from(TicketRefusal::TicketNotUsed { seat: found.seat }).into());
        }
        work.put(&found.receipt)?;
        found.admitted(work)
    }
}

/// Finds the ticket that a code was made for, of any issue.
fn find(work: &mut UnitOfWork<'_>, code: TicketCode) -> Result<CodedTicket, Failure> {
    let Some(key) = work.find::<TicketKey>(TICKET_KEY)? else {
        return Err(Refusal::from(TicketRefusal::TicketForeign).into());
    };
    let receipts: Vec<Receipt> = work.select(BY_BEGIN, &[code.receipt_begin().into()])?;
    let refusal = if receipts.is_empty() { TicketRefusal::TicketForeign } else { TicketRefusal::TicketForged };
    for receipt in receipts {
        let Some((line, place, issue)) = receipt.ticket_of(&key, code) else { continue };
        let Some(performance) = line.goods.performance() else { continue };
        let performance: Performance = work.get(performance)?;
        let seat = work.seating(performance.plan)?.plan.ticket_words(place.seat);
        let kind = line.kind.clone();
        return Ok(CodedTicket { receipt, place, issue, kind, performance, seat });
    }
    Err(Refusal::from(refusal).into())
}

impl CodedTicket {
    /// Refuses a ticket that is dead: of an older issue, of a canceled performance, or whose seat is gone.
    fn is_good(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let seat = self.seat.clone();
        if let Some(anew) = self.receipt.reissues.get(self.issue - 1) {
            let MadeAgain { at, operator, approved, .. } = anew.clone();
            return Err(Refusal::from(TicketRefusal::TicketReissued { seat, at, operator, approved }).into());
        }
        if self.performance.state != PerformanceState::Open {
            let (performance, start) = (self.performance.title.clone(), self.performance.start);
            return Err(Refusal::from(TicketRefusal::TicketOfCanceled { performance, start }).into());
        }
        match self.receipt.gone(self.place.line, self.place.seat) {
            None => Ok(()),
            Some("returned") => Err(self.returned(work)?.into()),
            Some(_) => Err(Refusal::from(TicketRefusal::TicketLost { seat }).into()),
        }
    }

    /// Names the receipt by which the seat came back.
    fn returned(&self, work: &mut UnitOfWork<'_>) -> Result<Refusal, Failure> {
        let (seat, mut by) = (self.seat.clone(), None);
        for id in &self.receipt.corrected_by {
            let receipt: Receipt = work.get(*id)?;
            let mut returned = receipt.correction.iter().flat_map(|one| &one.returned);
            let is_it = returned.any(|one| {
                let of = (one.receipt, one.line) == (self.place.receipt, self.place.line);
                of && matches!(&one.cells, CellGroup::Seats { seats, .. } if seats.contains(&self.place.seat))
            });
            by = if is_it { Some(receipt) } else { by };
        }
        Ok(match by {
            None => TicketRefusal::TicketLost { seat },
            Some(by) if by.kind() == ReceiptKind::Exchange => {
                TicketRefusal::TicketExchanged { seat, receipt: by.number }
            }
            Some(by) => TicketRefusal::TicketReturned { seat, receipt: by.number, at: by.issued_at },
        }
        .into())
    }

    fn admitted(self, work: &mut UnitOfWork<'_>) -> Result<Admitted, Failure> {
        let theater: Theater = work.get(self.performance.theater)?;
        let lines = || self.receipt.lines.iter().filter(|line| line.goods.performance() == Some(self.performance.id));
        let is_in = |line: &Line| {
            let used = self.receipt.used.iter().filter(|used| used.line == line.number);
            used.filter(|used| line.goods.seats().contains(&used.seat)).count()
        };
        Ok(Admitted {
            receipt: self.receipt.id,
            used: lines().map(is_in).sum(),
            of: lines().map(|line| line.goods.seats().len()).sum(),
            number: self.receipt.number,
            performance: self.performance.id,
            title: self.performance.title,
            start: self.performance.start,
            zone: theater.time_zone,
            seat: self.seat,
            kind: self.kind,
        })
    }
}
