//! Wording of refused changes, and of what stands in the way of retiring something.

use crate::domain::refusal::{Ahead, ChangeRefusal, Fact, RefusedNight};
use crate::domain::time::Local;
use crate::words::{self, count, day_time, list, names, span_of, taken};

/// Things ahead that a sentence names.
const AHEAD_MAX: usize = 5;

pub(super) fn refusal(refusal: &ChangeRefusal, here: Local) -> String {
    match refusal {
        ChangeRefusal::StartStays { performance, facts } => format!(
            "{}. So the start of {performance} stays. Postpone it instead: all of them move along.",
            taken::seats(facts, here)
        ),
        ChangeRefusal::CurrencyStays { performance, currency, facts } => format!(
            "{}. So the currency of {performance} stays {currency}. Add another performance in the other one.",
            taken::seats(facts, here)
        ),
        ChangeRefusal::TypeStays { performance, ticket_type, seats } => format!(
            "{} {} taken as {ticket_type}, so its price of {performance} stays. Change the price, or retype these seats first.",
            span_of(seats),
            names::is_are(seats.len())
        ),
        ChangeRefusal::GridStays { resource, zone, segment } => format!(
            "{resource} has days or parts in {zone} by segments of {} minutes; both stay. Add another resource, and retire this one.",
            segment.minutes()
        ),
        ChangeRefusal::ZoneStays { theater, zone } => {
            format!(
                "{theater} has performances by the time of {zone}, which stays. Add another theater, and retire this one."
            )
        }
        ChangeRefusal::Retired { what, name } => {
            format!("The {what} {name} is retired. Choose another, or bring it back: {what} change, with --no-retired.")
        }
        ChangeRefusal::StandsAhead { what, name, ahead } => {
            format!("The {what} {name} can't be retired yet: {}. End or move that first.", all_ahead(ahead, here))
        }
        ChangeRefusal::NightsStay { nights } => {
            let (named, others) = nights.split_at(nights.len().min(AHEAD_MAX));
            let named: Vec<String> = named.iter().map(|one| night(one, here)).collect();
            let others = if others.is_empty() { String::new() } else { format!("\nAnd {} more.", others.len()) };
            format!("Nothing was changed.\n{}{others}", named.join("\n"))
        }
    }
}

fn all_ahead(ahead: &[Ahead], here: Local) -> String {
    let facts: Vec<Fact> = ahead.iter().filter_map(Ahead::fact).cloned().collect();
    let (seats, slots): (Vec<Fact>, Vec<Fact>) = facts.into_iter().partition(|fact| fact.seat().is_some());
    let others: Vec<String> = ahead.iter().filter_map(|one| told(one, here)).collect();
    let more = others.len().saturating_sub(AHEAD_MAX);
    let more = (more > 0).then(|| format!("{more} more"));
    let others: Vec<String> = others.into_iter().take(AHEAD_MAX).chain(more).collect();
    let times = taken::slots(&slots, here.now);
    let parts = [taken::seats(&seats, here), times.trim_end_matches('.').to_owned(), list(&others)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Night with the sentence that refuses it.
fn night(of: &RefusedNight, here: Local) -> String {
    let here = here.in_zone(of.zone);
    format!("{}, {}: {}", of.performance, day_time(of.start, here), words::refusal(&of.why, here))
}

fn told(ahead: &Ahead, here: Local) -> Option<String> {
    Some(match ahead {
        Ahead::Taken(_) => return None,
        Ahead::Performance { title, start, zone } => format!("{title} {}", day_time(*start, here.in_zone(*zone))),
        Ahead::HallOf(theater) => format!("it is the hall of {theater}"),
        Ahead::Part(part) => format!("{part} is a part of it"),
        Ahead::Followed(calendar) => format!("it follows the calendar {calendar}"),
        Ahead::Items(items) => format!("{} to be dealt with", count(*items, "worklist item")),
        Ahead::Waiting(guests) => format!("{} on the waiting list", count(*guests, "guest")),
    })
}
