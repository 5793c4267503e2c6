//! Events of documents that an operation changed: sales, bookings and performances, told as they are left by it.
//!
//! One rule tells all changes of such a document, in the transaction of the change. The journal has the change itself, so
//! an event that no listener waits for is not stored a second time.

use crate::domain::booking::{Booking, BookingState, Cause};
use crate::domain::event::{Booked, Event, Night, Sale};
use crate::domain::money::amount;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::receipt::Receipt;
use crate::engine::work::{Failure, UnitOfWork, WorkDocument};
use crate::store::Fault;
use crate::store::document::{DocKind, Document};

impl UnitOfWork<'_> {
    /// Tells listeners of the receipts, bookings and performances that the operation leaves changed.
    pub(crate) fn tell_changes(&mut self) -> Result<(), Failure> {
        let told = [DocKind::Receipt, DocKind::Booking, DocKind::Performance];
        let is_told = |kind: DocKind, document: &WorkDocument| told.contains(&kind) && document.changed.is_some();
        if !self.documents.iter().any(|((kind, _), document)| is_told(*kind, document)) {
            return Ok(());
        }
        let settings = self.settings()?;
        let listeners = &settings.listeners;
        if listeners.is_empty() {
            return Ok(());
        }
        let mut events = Vec::new();
        for ((kind, _), document) in self.documents.iter().filter(|((kind, _), document)| is_told(*kind, document)) {
            events.extend(if *kind == DocKind::Receipt {
                of(document, receipt)?
            } else if *kind == DocKind::Booking {
                of(document, booking)?
            } else {
                of(document, performance)?
            });
        }
        events.retain(|event| listeners.contains_key(event.word()));
        events.iter().try_for_each(|event| self.tell(event))
    }
}

/// Event of a changed document, from what it was and what it is.
fn of<D: Document>(
    document: &WorkDocument,
    event: fn(Option<&D>, &D) -> Option<Event>,
) -> Result<Option<Event>, Fault> {
    let was = document.loaded.as_ref().map(|stored| stored.parse::<D>()).transpose()?;
    let is = document.present().map(|stored| stored.parse::<D>()).transpose()?;
    Ok(is.and_then(|is| event(was.as_ref(), &is)))
}

fn receipt(was: Option<&Receipt>, is: &Receipt) -> Option<Event> {
    if was.is_some() {
        return None;
    }
    let sale = Sale {
        receipt: is.id,
        number: is.number.clone(),
        customer: is.customer,
        total: amount(is.total, is.currency),
        currency: is.currency.to_string(),
        seats: is.seat_count(),
    };
    Some(match &is.correction {
        None => Event::ReceiptIssued(sale),
        Some(correction) => Event::ReceiptCorrected { sale, of: correction.of.clone() },
    })
}

fn booking(was: Option<&Booking>, is: &Booking) -> Option<Event> {
    let slot = is.extent().filter(|_| is.cause == Cause::Booking)?;
    let resources = is.asked().map(|taken| taken.resource.clone()).collect();
    let booked = Booked { booking: is.id, customer: is.customer, resources, slot };
    let stood = was.filter(|was| was.state == BookingState::Active);
    match (stood, is.state) {
        (None, BookingState::Active) => Some(Event::BookingMade(booked)),
        (Some(_), BookingState::Canceled) => Some(Event::BookingCanceled(booked)),
        (Some(was), BookingState::Active) => {
            let place = |of: &Booking| of.asked().map(|taken| taken.resource.clone()).collect::<Vec<_>>();
            let was_at = was.extent().filter(|at| *at != slot || place(was) != booked.resources)?;
            Some(Event::BookingMoved { booked, was: was_at })
        }
        (None, BookingState::Canceled) => None,
    }
}

fn performance(was: Option<&Performance>, is: &Performance) -> Option<Event> {
    let was = was?;
    let night = Night { performance: is.id, title: is.title.clone(), start: is.start, end: is.end };
    if was.state != is.state {
        return (is.state == PerformanceState::Canceled).then_some(Event::PerformanceCanceled(night));
    }
    if was.postponed.len() < is.postponed.len() {
        return Some(Event::PerformancePostponed { night, was: was.start });
    }
    let said = |of: &Performance| (of.title.clone(), of.description.clone(), of.start, of.end, of.prices.clone());
    (said(was) != said(is)).then_some(Event::PerformanceChanged(night))
}
