//! Wording of performances that moved, and of their tickets.

use crate::domain::performance::Performance;
use crate::domain::receipt::Tickets;
use crate::domain::refusal::NightRefusal;
use crate::domain::text::clean;
use crate::domain::time::{Instant, Local};
use crate::engine::reads::customers::PerformanceCustomer;
use crate::words::{count, day_time, list};

/// Moves of a performance, oldest first: `postponed from Sat 21 Nov 20:00: the singer is ill`.
#[must_use]
pub fn postponed(performance: &Performance, here: Local) -> Vec<String> {
    let moves = performance.postponed.iter();
    moves
        .map(|one| {
            let from = day_time(one.from, here);
            format!("postponed from {from}: {}", clean(&one.reason))
        })
        .collect()
}

/// Word for where the tickets of an order are.
#[must_use]
pub const fn door_state(order: &PerformanceCustomer) -> &'static str {
    match order.tickets {
        None => "not paid",
        Some(Tickets::Waiting { .. }) => "waiting",
        Some(Tickets::Collected { .. }) => "collected",
        Some(Tickets::Given) => "given",
    }
}

/// Void tickets of an order, by the start that they show.
#[must_use]
pub fn void_tickets(start: Instant, here: Local) -> String {
    let day = here.format(start, "%a %-d %b");
    format!("tickets of {day} are void: print again")
}

pub(super) fn refusal(refusal: &NightRefusal, here: Local) -> String {
    match refusal {
        NightRefusal::NightCanceled { performance } => {
            format!("{performance} was canceled; it can't move. Add a performance at the new time.")
        }
        NightRefusal::NightOver { performance, end } => {
            format!("{performance} ended {}; it can't move. Add a performance at the new time.", day_time(*end, here))
        }
        NightRefusal::SameStart { performance, start } => {
            format!("{performance} starts {} already. Choose another start.", day_time(*start, here))
        }
        NightRefusal::CapacityTaken { area, wanted, taken } => format!(
            "{area} can't have {}: {taken} are held, sold, kept or out of use. Choose {taken} or more.",
            count(usize::try_from(*wanted).unwrap_or(usize::MAX), "place")
        ),
        NightRefusal::PlaysThen { performance, when, plays } => {
            let starts = plays.iter().map(|play| day_time(play.start, here.in_zone(play.zone)));
            let starts = list(&starts.collect::<Vec<_>>());
            format!("{performance} does not play {when:?}, but {starts}. Write one of these.")
        }
        NightRefusal::WaitlistFull { performance, places: most } => {
            format!("The waiting list of {performance} is full: {most} may wait. Remove one, or raise waitlist-max.")
        }
        NightRefusal::TicketsVoid { receipt, start } => format!(
            "The tickets of {receipt} are of {}, and the performance moved. Print them again, then hand them over.",
            day_time(*start, here)
        ),
        NightRefusal::TicketsCollected { receipt, operator, at } => {
            format!("{operator} handed over the tickets of {receipt} {}. Look who has them.", day_time(*at, here))
        }
    }
}
