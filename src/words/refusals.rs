//! Sentences of refusals: the facts (which seats, held by whom, until when), then what to do.

use super::clock::{clock_alone, clock_in_doubt};
use super::names::{is_are, list};
use super::problem::problem;
use super::sentence::{capital, fault};
use super::when::{clock, day_time};
use super::{
    changes, corrections, counts, customers, jobs, nights, operators, prices, season, stays, taken, tickets, tills,
};
use crate::domain::money::{Currency, amount};
use crate::domain::operator::{acting, hands};
use crate::domain::refusal::{Lack, MarkedResource, Refusal};
use crate::domain::time::{Local, Wall};
use crate::engine::Failure;

/// Differing times that a sentence names.
const DIFFERING_MAX: usize = 3;

/// Sentence for a failure, with local times.
#[must_use]
pub fn failure(failure: &Failure, here: Local) -> String {
    match failure {
        Failure::Refused(no) => refusal(no, here),
        Failure::Fault(of) => fault(of),
    }
}

/// Sentence for a refusal, with local times.
#[must_use]
#[expect(clippy::too_many_lines, reason = "one arm for each refusal: the compiler finds one without a sentence")]
pub fn refusal(refusal: &Refusal, here: Local) -> String {
    let Local { now, zone } = here;
    let money = |minor: &i64, currency: &Currency| amount(*minor, *currency);
    match refusal {
        Refusal::Taken { wanted, facts, instead } => taken::sentence((wanted, instead), facts, here),
        Refusal::NotYours { lack, facts } => taken::not_yours(*lack, facts, now),
        Refusal::DisabledByAnother { facts } => taken::disabled_by_another(facts),
        Refusal::NoSeatsTogether { free: 0, .. } => {
            "No such seat is free. Ask for others, or choose another performance.".to_owned()
        }
        Refusal::NoSeatsTogether { count, most_together: most, free } => format!(
            "No {count} free seats are together; the most is {most}, and {free} are free in all. Ask for {most}, or pick them one by one."
        ),
        Refusal::UnknownSeat { seats } => {
            let seats = list(seats);
            format!("This plan has no seat {seats}. Write seats as the map names them.")
        }
        Refusal::RepeatedSeat { seat } => {
            format!("Seat {seat} is named twice. Name each seat once.")
        }
        Refusal::NothingChosen => "Nothing is chosen. Name at least one.".to_owned(),
        Refusal::AreaShort { area, free, lack: None, .. } if *free == 0 => {
            format!("{area} is full. Nothing was taken. Choose another area, or wait for returns.")
        }
        Refusal::AreaShort { area, wanted, free, lack } => {
            let (wanted, are) = (wanted, is_are(usize::try_from(*free).unwrap_or(2)));
            let what = match lack {
                None => "left",
                Some(Lack::Kept) => "kept by the house",
                Some(Lack::InCart | Lack::OutOfUse | Lack::InBooking) => "out of use",
            };
            format!("Of {area} {free} {are} {what}, not {wanted}. Nothing has changed. Ask for fewer.")
        }
        Refusal::TooManySeats { wanted, seats_max } => {
            format!("That would be {wanted} seats; a cart has at most {seats_max}. Take the rest separately.")
        }
        Refusal::NotOnSale { seats, ticket_type, ticket_types } => not_on_sale(seats, ticket_type, ticket_types),
        Refusal::SalesClosed { performance, canceled: true, .. } => {
            format!("{performance} was canceled. Choose another performance.")
        }
        Refusal::SalesClosed { performance, start, .. } => {
            let start = clock(*start, zone);
            format!("{performance} started at {start}; its sales are closed. Choose a later one.")
        }
        Refusal::CartExpired { at } => {
            let at = clock(*at, zone);
            format!("The hold ended at {at}; the seats went back. Revive the cart to take them again.")
        }
        Refusal::CartCanceled => "The cart was canceled; its seats went back. Revive it to take them again.".to_owned(),
        Refusal::CartDone { receipt } => {
            format!("This cart is paid: receipt {receipt}. Open a new cart.")
        }
        Refusal::CartActive => "This cart is open; only one that ended can be revived.".to_owned(),
        Refusal::CartEmpty => "The cart is empty. Pick seats first.".to_owned(),
        Refusal::CartElsewhere { operator, station } => {
            format!("{operator} at {station} works on this cart. Ask them to set it aside, or take it over first.")
        }
        Refusal::HoldCap { until } => {
            let until = clock(*until, zone);
            format!("The hold can't go beyond {until}. Sell it before then, or begin a card payment.")
        }
        Refusal::UnknownLine { line } => {
            format!("The cart has no line {line:?}. Look at the cart to see its lines.")
        }
        Refusal::OtherCurrency { cart, performance } => {
            format!("The cart is in {cart}, and this in {performance}. Sell it in a cart of its own.")
        }
        Refusal::TotalChanged { total, seen, currency } => {
            let (total, seen) = (money(total, currency), money(seen, currency));
            format!("The total is {currency} {total} now, not {seen}. Look at the cart, then take the new total.")
        }
        Refusal::PaymentShort { total, missing, currency, .. } => {
            let (total, missing) = (money(total, currency), money(missing, currency));
            format!("{currency} {missing} of {total} is missing. Take the rest in cash or by card.")
        }
        Refusal::CardOver { due, charged, currency } => {
            let (due, charged) = (money(due, currency), money(charged, currency));
            format!("A card can't be charged {currency} {charged} when {due} is due. Charge at most {due}.")
        }
        Refusal::ChargeUnsaid { due, total, currency } => {
            let (due, total) = (money(due, currency), money(total, currency));
            format!(
                "The total fell from {currency} {due} to {total} after the card payment began. Say what the card was charged: card=REFERENCE:{due}."
            )
        }
        Refusal::PaymentRecorded { receipt: Some(number) } => {
            format!("This card payment is recorded: receipt {number}.")
        }
        Refusal::PaymentRecorded { receipt: None } => {
            "This card payment is recorded: it was put on the worklist. Look there.".to_owned()
        }
        Refusal::PaymentUnderWay { operator, station } => format!(
            "A card payment has begun on this cart: {operator} at {station}. Ask them; to cancel it anyway, take the cart over first."
        ),
        Refusal::CardReferenceMissing => "The reference from the card slip is missing. Type it in.".to_owned(),
        Refusal::BadValue { field, problem: of } => {
            let (field, problem) = (capital(&field.replace('-', " ")), problem(of));
            format!("{field}: {problem}.")
        }
        Refusal::EndsBeforeStart => "It ends before it starts, or with it. Choose a later end.".to_owned(),
        Refusal::InThePast { at } => {
            let at = at.format(zone, "%a %-d %b %Y %H:%M");
            format!("{at} is past. Choose a time to come.")
        }
        Refusal::PayByTooLate { until, performance, start } => {
            let (start, until) = (day_time(*start, here), day_time(*until, here));
            format!(
                "{performance} starts {start}; a reservation is paid by {until} at the latest. Choose that, or an earlier time."
            )
        }
        Refusal::TooLateToReserve { performance, start } => {
            let start = day_time(*start, here);
            format!("{performance} starts {start}: too soon to reserve. Sell it now, or keep the cart.")
        }
        Refusal::AlertsOutOfOrder { alert, last, until } => {
            let until = day_time(*until, here);
            format!(
                "Alerts after {alert} and {last} don't both come, in this order, before it has to be paid, {until}. Choose shorter ones."
            )
        }
        Refusal::NameMissing => "A name is needed. Say who it is for.".to_owned(),
        Refusal::NotFound { what, name, known } => {
            let what = match what.as_str() {
                "work" => "worklist item",
                "waiting" => "waiting list entry",
                other => other,
            };
            match known.as_slice() {
                [] => format!("There is no {what} {name:?}. List them to see what there is."),
                known => format!("There is no {what} {name:?}. Choose {}.", known.join(", ")),
            }
        }
        Refusal::Ambiguous { name, which, .. } => {
            let which = which.join("; ");
            format!("{name:?} means more than one: {which}. Write one of these.")
        }
        Refusal::Exists { what, name } => {
            format!("A {what} named {name:?} exists. Choose another name.")
        }
        Refusal::ClockInDoubt { at, seen, station } => clock_in_doubt((*at, *seen), station, zone),
        Refusal::ClockAlone { until } => clock_alone(*until, zone),
        Refusal::CommandReused { command } => {
            format!("The command id {command} was used for something else. Leave it out, or make a new one.")
        }
        Refusal::DoneBefore { command } => format!(
            "The command {command} was done before the house was moved to this version, and is not done again. Look at what it made."
        ),
        Refusal::DatesOverlap { resource, first, second, zone, nights } => {
            let (zone, nights) = (*zone, *nights);
            let wall = Wall { zone, nights };
            let (first, second) = (first.words(wall, now), second.words(wall, now));
            format!(
                "Its dates overlap one another: {resource} {first} and {second}. Make them shorter, or repeat it less often. Nothing was booked."
            )
        }
        Refusal::TimesDiffer { resource, times, zone, nights } => {
            let wall = Wall { zone: *zone, nights: *nights };
            let said = times
                .iter()
                .take(DIFFERING_MAX)
                .map(|time| format!("{} here, {} there", time.here.words(wall, now), time.there.words(wall, now)));
            let more = match times.len().saturating_sub(DIFFERING_MAX) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            format!(
                "The calendar has changed since it was imported: {resource}, {}{more}. Nothing was booked. Move the booking, or follow the calendar: willcall calendar follow NAME FILE --resource {resource}",
                said.collect::<Vec<_>>().join("; ")
            )
        }
        Refusal::NotOpen { resource, from, horizon, zone } => {
            let open = match horizon {
                Some(day) => format!("its last open day is {}", day.pred_opt().unwrap_or(*day).format("%a %-d %b %Y")),
                None => "none of its days is open".to_owned(),
            };
            let from = from.format(*zone, "%a %-d %b %Y");
            format!("{resource} is not open on {from}: {open}. Choose an earlier day, or open more.")
        }
        Refusal::OutOfService(marked) => {
            let MarkedResource { resource, from, operator, approved, reason, cause, zone } = &**marked;
            let by = hands(operator, approved.as_deref());
            let why = if reason.is_empty() || reason == cause { String::new() } else { format!(" ({reason})") };
            let from = from.format(*zone, "%a %-d %b %Y %H:%M");
            match cause.as_str() {
                "" | "out of service" => format!(
                    "{resource} is out of service since {from}, by {by}{why}. Take another, or put it back in service."
                ),
                cause => format!(
                    "{resource} is out of use from {from} until further notice: {cause}, by {by}{why}. Take another, or put it back into use."
                ),
            }
        }
        Refusal::OutsideHours { resource, hours, hire } => {
            let what = if *hire { "a hand-over and a return" } else { "a time" };
            format!("{resource} is open {hours}. Choose {what} within.")
        }
        Refusal::HouseClosed { day } => format!(
            "The house is closed on {}. Choose another day; bookings are taken all the same on the command line, with --closed.",
            day.format("%a %-d %b %Y")
        ),
        Refusal::NoWholeSegment(not) => taken::no_whole_segment(not, now),
        Refusal::RepeatedResource { resource } => {
            format!("{resource} is named twice, or with what it is a part of. Name it once.")
        }
        Refusal::BookingCanceled { title } => format!("{title} was canceled. Book it again."),
        Refusal::NotABooking { title } => {
            format!("{title} is out of use, not booked. Put it back into use instead.")
        }
        Refusal::HallOfPerformance { title } => {
            format!("{title} has the hall. Cancel the performance, and the hall is free.")
        }
        Refusal::WrongPolicy { resource, policy } if policy == "preallocated" => {
            format!("The days of {resource} have to be opened first.")
        }
        Refusal::WrongPolicy { resource, .. } => {
            format!("The days of {resource} are always open; there is nothing to open or close.")
        }
        Refusal::InService { resource } => {
            format!("{resource} is in service; there is nothing to put back.")
        }
        Refusal::AlreadyResolved { operator, approved } => {
            let by = acting(operator, approved.as_deref());
            format!("{by} has dealt with it already. Nothing is left to do.")
        }
        Refusal::OutOfRange { field, least, most } => {
            let field = capital(&field.replace('-', " "));
            format!("{field} has to be from {least} to {most}.")
        }
        Refusal::Customer(refusal) => customers::refusal(refusal, here),
        Refusal::Night(refusal) => nights::refusal(refusal, here),
        Refusal::Change(refusal) => changes::refusal(refusal, here),
        Refusal::Price(refusal) => prices::refusal(refusal),
        Refusal::Count(refusal) => counts::refusal(refusal, here.now),
        Refusal::Stay(refusal) => stays::refusal(refusal, here),
        Refusal::Credit(refusal) => corrections::credit_refusal(refusal, here),
        Refusal::Correction(refusal) => corrections::refusal(refusal),
        Refusal::Till(refusal) => tills::refusal(refusal, here),
        Refusal::Operator(refusal) => operators::refusal(refusal, here),
        Refusal::Ticket(refusal) => tickets::refusal(refusal, here),
        Refusal::Job(refusal) => jobs::refusal(refusal, here),
        Refusal::Season(refusal) => season::refusal(refusal, here),
    }
}

fn not_on_sale(seats: &[String], ticket_type: &str, ticket_types: &[String]) -> String {
    let (named, has) = match seats {
        [] => ("No such seat".to_owned(), "has a"),
        [_] => (list(seats), "has no"),
        _ => (list(seats), "have no"),
    };
    match ticket_types {
        [] if seats.is_empty() => "No such seat is on sale here.".to_owned(),
        [] => format!("{named} {} not on sale here.", is_are(seats.len())),
        types => format!("{named} {has} price for {ticket_type:?}. Choose {}.", types.join(", ")),
    }
}
