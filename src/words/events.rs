//! Sentences for events.

use crate::domain::event::{Booked, Event, Uncollected, Unpaid};
use crate::engine::reads::events::EventView;
use crate::words::{count, list};

/// Sentence for an event; an event of a newer program is named by its word.
#[must_use]
pub fn words(view: &EventView) -> String {
    match view.event() {
        Some(event) => of(&event, &view.customer.name),
        None => view.word.replace('_', " "),
    }
}

fn of(event: &Event, customer: &str) -> String {
    match event {
        Event::CartExpired { seats, station, .. } => {
            format!("{} of {} went back: not paid in time ({station})", count(*seats, "seat"), somebody(customer))
        }
        Event::ReservationAlert(unpaid) => of_unpaid((unpaid, customer), "not paid"),
        Event::ReservationFinal(unpaid) => of_unpaid((unpaid, customer), "still not paid: last reminder"),
        Event::CartRunsOut { station, seats, .. } => {
            format!("{} set aside at {station} for {} run out", count(*seats, "seat"), somebody(customer))
        }
        Event::SeatsOffered(offer) => {
            format!("{} offered to {}, who waited", count(offer.seats, "seat"), somebody(customer))
        }
        Event::OfferLapsed(offer) => {
            format!("{} did not take {}: offered to the next", somebody(customer), count(offer.seats, "seat"))
        }
        Event::KeepReleased { reason, seats, .. } => {
            format!("{} ({reason}) on sale", count(*seats, "house seat"))
        }
        Event::SalesClosed { title, waiting, .. } => match waiting {
            0 => format!("sales of {title} closed"),
            waiting => format!("sales of {title} closed while {waiting} still waited"),
        },
        Event::TicketsUncollected(tickets) => of_tickets(tickets, customer),
        Event::TakenOver { from_operator, from_station, operator, station, .. } => {
            format!("{operator} at {station} took over the cart of {from_operator} at {from_station}")
        }
        Event::ResourceTakenOver { resource, owners, .. } => {
            format!("{resource} taken out of use: {} displaced", count(owners.len(), "owner"))
        }
        Event::ReceiptIssued(sale) => format!("{} {} sold to {}", sale.currency, sale.total, somebody(customer)),
        Event::ReceiptCorrected { sale, .. } => {
            format!("{} corrects a sale to {}: {} {}", sale.number, somebody(customer), sale.currency, sale.total)
        }
        Event::BookingMade(booked) => format!("{} booked for {}", places(booked), somebody(customer)),
        Event::BookingMoved { booked, .. } => format!("booking of {} moved: {}", somebody(customer), places(booked)),
        Event::BookingCanceled(booked) => format!("booking of {} canceled: {}", somebody(customer), places(booked)),
        Event::PerformanceChanged(night) => format!("{} was changed", night.title),
        Event::PerformancePostponed { night, .. } => format!("{} was postponed", night.title),
        Event::PerformanceCanceled(night) => format!("{} was canceled", night.title),
        Event::JobParked { kind, reason, .. } => {
            format!("job parked, {}: {reason}", super::jobs::kind(kind))
        }
        Event::ListenerFailed { heard, command, problem, .. } => {
            format!("the listener of {heard} failed: {problem} ({command})")
        }
    }
}

/// Resources of a booking, by their ids.
fn places(booked: &Booked) -> String {
    let ids: Vec<String> = booked.resources.iter().map(|id| id.as_str().to_owned()).collect();
    list(&ids)
}

fn of_unpaid((unpaid, customer): (&Unpaid, &str), how: &str) -> String {
    let seats = count(unpaid.seats, "seat");
    format!("{seats} reserved for {}, {how}", somebody(customer))
}

fn of_tickets(tickets: &Uncollected, customer: &str) -> String {
    let of = if customer.is_empty() { &tickets.number } else { customer };
    let count = count(tickets.seats, "ticket");
    format!("{count} of {of} not collected: {}", tickets.title)
}

fn somebody(customer: &str) -> &str {
    if customer.is_empty() { "somebody" } else { customer }
}
