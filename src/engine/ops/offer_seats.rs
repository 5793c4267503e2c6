//! Job of a waiting list: offers free seats to the first entry they fit.

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::event::{Event, Offer};
use crate::domain::house::Settings;
use crate::domain::ids::PerformanceId;
use crate::domain::job::Outcome;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::ops::carts::{new_cart, open};
use crate::engine::ops::{BestSeats, pricing, seats, waitlist};
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most offers per run; the next run continues a moment later.
const OFFERS_MAX: usize = 10;

/// Interval of checks without a change.
const LOOK_AGAIN: Span = Span::minutes(15);

/// Extra checks after an entry joins: the last one comes after every transaction that had begun before must have ended.
const JOINED_LOOKS: [Span; 3] = [Span::seconds(2), Span::seconds(8), Span::seconds(31)];

/// Offers seats in the order of the waiting list; closes the list when sales close, except for offers that still run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferSeats {
    pub performance: PerformanceId,
}

impl Operation for OfferSeats {
    const VERB: &'static str = "offer_seats";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let found = work.find::<Performance>(&self.performance.to_string())?;
        let Some(performance) = found else {
            return Ok(Outcome::Gone);
        };
        let mut line = waitlist::load(work, performance.id)?;
        for waiting in &mut line {
            settle(work, waiting)?;
        }
        line.retain(|waiting| waiting.state.is_open());
        if !performance.is_on_sale(work.now()) {
            close(work, &mut line)?;
            return match next(work, &line)? {
                None => Ok(Outcome::Done),
                Some(end) => Ok(Outcome::Deadline(end)),
            };
        }
        let seating = work.seating(performance.plan)?;
        let settings = work.settings()?;
        let mut offers = 0;
        for waiting in &mut line {
            if waiting.state == WaitState::Waiting && offers < OFFERS_MAX {
                offers += usize::from(offer(work, (&seating, &settings), &performance, waiting)?);
            }
        }
        if line.is_empty() {
            return Ok(Outcome::Done);
        }
        let wait = if offers == OFFERS_MAX { Span::seconds(1) } else { soon(&line, work.now()).unwrap_or(LOOK_AGAIN) };
        let again = (work.now() + wait).min(performance.start);
        let next = next(work, &line)?.map_or(again, |end| end.min(again));
        Ok(Outcome::Deadline(next))
    }
}

/// Time until the next extra check for a new entry: a concurrent transaction may have freed seats
/// without seeing the entry, and committed after this run.
fn soon(line: &[Waiting], now: Instant) -> Option<Span> {
    let newest = line.iter().map(|waiting| waiting.since).max()?;
    let next = JOINED_LOOKS.into_iter().map(|span| newest + span);
    let next = next.filter(|at| *at > now).min()?;
    Some(next.since(now))
}

/// End of the first offer, if there is one.
fn next(work: &mut UnitOfWork<'_>, line: &[Waiting]) -> Result<Option<Instant>, Failure> {
    let mut next: Option<Instant> = None;
    for waiting in line {
        if let WaitState::Offered { cart, .. } = waiting.state {
            let end = work.get::<Cart>(cart)?.expires_at;
            next = Some(next.map_or(end, |next| next.min(end)));
        }
    }
    Ok(next)
}

/// Updates an entry from the state of its offer.
fn settle(work: &mut UnitOfWork<'_>, waiting: &mut Waiting) -> Result<(), Failure> {
    let WaitState::Offered { cart: id, .. } = waiting.state else {
        return Ok(());
    };
    let cart: Cart = work.get(id)?;
    waiting.state = match cart.state_at(work.now()) {
        CartState::Active if cart.reservation.is_none() => return Ok(()),
        CartState::Active | CartState::Done(_) => WaitState::Served { cart: id },
        CartState::Canceled | CartState::Expired => WaitState::Lapsed { cart: id, at: work.now() },
    };
    work.put(waiting)?;
    if matches!(waiting.state, WaitState::Lapsed { .. }) {
        work.tell(&Event::OfferLapsed(offer_of(waiting, &cart)))?;
    }
    Ok(())
}

/// Closes all waiting entries; those with an offer keep it until its end.
fn close(work: &mut UnitOfWork<'_>, line: &mut [Waiting]) -> Result<(), Failure> {
    for waiting in line {
        if waiting.state == WaitState::Waiting {
            waiting.state = WaitState::Closed { at: work.now() };
            work.put(&*waiting)?;
        }
    }
    Ok(())
}

/// Offers the best seats to an entry, of the first ticket type with fitting seats; returns whether it did.
fn offer(
    work: &mut UnitOfWork<'_>,
    (seating, settings): (&SeatingPlan, &Settings),
    performance: &Performance,
    waiting: &mut Waiting,
) -> Result<bool, Failure> {
    let category = waiting
        .category
        .and_then(|place| seating.plan.categories.get(usize::from(place)))
        .map(|category| category.name.clone());
    let seats = BestSeats { count: waiting.seats, category, ..BestSeats::default() };
    let mut found = None;
    for ticket_type in performance.ticket_types(waiting.category) {
        match seats::best(work, seating, performance, (&seats, ticket_type)) {
            Ok(seats) => {
                found = Some((seats, ticket_type));
                break;
            }
            Err(Failure::Refused(Refusal::NoSeatsTogether { .. })) => {}
            Err(failure) => return Err(failure),
        }
        if let Some(places) = places(work, seating, performance, (waiting, ticket_type))? {
            found = Some((places, ticket_type));
            break;
        }
    }
    let Some((found, ticket_type)) = found else {
        return Ok(false);
    };
    let mut cart = new_cart(work, settings, Some(settings.offer));
    cart.customer = Some(waiting.customer);
    cart.set_aside = true;
    cart.offered_to = Some(waiting.id);
    pricing::add_lines(work, (seating, performance), &mut cart, (&found, ticket_type))?;
    open(work, &cart)?;
    waiting.state = WaitState::Offered { cart: cart.id, at: work.now() };
    work.put(waiting)?;
    work.tell(&Event::SeatsOffered(offer_of(waiting, &cart)))?;
    Ok(true)
}

/// Places of the first standing room that has as many as an entry waits for, and sells them as a ticket type.
fn places(
    work: &mut UnitOfWork<'_>,
    seating: &SeatingPlan,
    performance: &Performance,
    (waiting, ticket_type): (&Waiting, &str),
) -> Result<Option<Vec<SeatRef>>, Failure> {
    for area in seating.plan.standing() {
        let asked = waiting.category.is_none_or(|category| category == area.category);
        if asked && performance.sells(area.category, ticket_type) {
            match seats::places(work, performance.id, (&area, waiting.seats), seats::FREE) {
                Ok(places) => return Ok(Some(places)),
                Err(Failure::Refused(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
    }
    Ok(None)
}

fn offer_of(waiting: &Waiting, cart: &Cart) -> Offer {
    Offer {
        waiting: waiting.id,
        cart: cart.id,
        performance: waiting.performance,
        customer: Some(waiting.customer),
        seats: cart.seat_count(),
        until: cart.expires_at,
    }
}
