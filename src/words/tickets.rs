//! Wording of the door: who is admitted, and why a ticket admits nobody.

use crate::domain::operator::acting;
use crate::domain::refusal::TicketRefusal;
use crate::domain::text::clean;
use crate::domain::time::Local;
use crate::engine::ops::Admitted;
use crate::words::day_time;

/// Admission in a line: `Seat F9, Adult: Action Movie 5, Sat 21 Nov 19:30; 3 of 4 of till-1/7 are in`.
#[must_use]
pub fn admitted(admitted: &Admitted, here: Local) -> String {
    let start = day_time(admitted.start, here.in_zone(admitted.zone));
    let (seat, kind, title) = (clean(&admitted.seat), clean(&admitted.kind), clean(&admitted.title));
    format!("{seat}, {kind}: {title}, {start}; {} of {} of {} are in", admitted.used, admitted.of, admitted.number)
}

/// A ticket that would be admitted, in a line.
#[must_use]
pub fn would_admit(admitted: &Admitted, here: Local) -> String {
    let start = day_time(admitted.start, here.in_zone(admitted.zone));
    format!("Good: {}, {}, {start}", clean(&admitted.seat), clean(&admitted.title))
}

pub(super) fn refusal(refusal: &TicketRefusal, here: Local) -> String {
    match refusal {
        TicketRefusal::TicketForeign => {
            "No ticket of this house has that code. Read it again; if it stays, it is of another house, or made up."
                .into()
        }
        TicketRefusal::TicketForged => {
            "That code is wrong: no ticket of this house has it. Read it again; if it stays, it is forged.".into()
        }
        TicketRefusal::TicketUsed { seat, at, station } => {
            format!("{seat} was admitted {} at {station}. Nobody else goes in with it.", day_time(*at, here))
        }
        TicketRefusal::TicketNotUsed { seat } => {
            format!("{seat} was not admitted. There is nothing to undo.")
        }
        TicketRefusal::TicketReissued { seat, at, operator, approved } => format!(
            "{} issued the tickets of {seat} anew {}; this one is dead. Ask for the new ticket.",
            acting(operator, approved.as_deref()),
            day_time(*at, here)
        ),
        TicketRefusal::TicketReturned { seat, receipt, at } => format!(
            "{seat} was given back {} by receipt {receipt}; this ticket is dead. Sell another one.",
            day_time(*at, here)
        ),
        TicketRefusal::TicketExchanged { seat, receipt } => {
            format!("{seat} was exchanged; this ticket is dead. Ask for the tickets of receipt {receipt}.")
        }
        TicketRefusal::TicketLost { seat } => {
            format!("The house took {seat} away after it was sold. Send the customer to the desk.")
        }
        TicketRefusal::TicketOfCanceled { performance, start } => {
            format!("{performance}, {}, was canceled. Send the customer to the desk.", day_time(*start, here))
        }
        TicketRefusal::TicketOfPast { performance, start } => {
            format!("The ticket is for {performance}, {}; that is over.", day_time(*start, here))
        }
        TicketRefusal::TicketOfAnother { performance, start } => {
            format!("The ticket is for another night: {performance}, {}.", day_time(*start, here))
        }
        TicketRefusal::CopyReason { receipt } => {
            format!("The papers of {receipt} were printed before. Say why there is to be a copy.")
        }
        TicketRefusal::NoTickets { receipt } => {
            format!("{receipt} has no tickets of seats. Choose a receipt whose seats the customer still has.")
        }
    }
}
