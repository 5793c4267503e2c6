//! Pricing: makes lines of a cart at today's prices, in the cart's one currency.

use crate::domain::booking::Cause;
use crate::domain::cart::Cart;
use crate::domain::ids::PerformanceId;
use crate::domain::line::{Goods, Line};
use crate::domain::money;
use crate::domain::performance::{Performance, PerformanceState, TicketPrice};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::{Limit, Problem, Refusal, Requirement};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Slot;
use crate::engine::ops::booking::{Past, bookable};
use crate::engine::ops::cart_claims::hold_from;
use crate::engine::ops::changes::in_use;
use crate::engine::ops::taking::number;
use crate::engine::ops::{currency, seats};
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, UnitOfWork};

/// Most slots in a cart.
const SLOTS_MAX: usize = 50;

/// Loads a performance whose seats are on sale; refuses a canceled or started one.
pub(super) fn on_sale(work: &mut UnitOfWork<'_>, id: PerformanceId) -> Result<Performance, Failure> {
    let performance: Performance = work.get(id)?;
    if performance.is_on_sale(work.now()) {
        return Ok(performance);
    }
    in_use(&performance)?;
    let canceled = performance.state == PerformanceState::Canceled;
    Err(Refusal::SalesClosed { performance: performance.title, start: performance.start, canceled }.into())
}

/// Checks that there is a price, and no two for the same seats and type.
pub(super) fn each_once(prices: &[TicketPrice]) -> Result<(), Refusal> {
    let problem = if prices.is_empty() {
        Problem::Missing(Requirement::Price)
    } else if (1..).zip(prices).any(|(next, price)| {
        let mut later = prices.iter().skip(next);
        later.any(|other| other.is_for_the_same(price))
    }) {
        Problem::PriceTwice
    } else {
        return Ok(());
    };
    Err(Refusal::bad("price", problem))
}

/// Adds a line per price and holds its seats until the cart's deadline.
pub(super) fn add_lines(
    work: &mut UnitOfWork<'_>,
    of: (&SeatingPlan, &Performance),
    cart: &mut Cart,
    wanted: (&[SeatRef], &str),
) -> Result<(), Failure> {
    let next = cart.next_line;
    let first = price_lines(work, of, cart, wanted)?;
    hold_from(work, cart, first.min(next))
}

/// Adds a line per price, without holding its seats; comps cost nothing. Places join the line of their area, ticket type
/// and price. Returns the number of the first line with new seats.
pub(super) fn price_lines(
    work: &mut UnitOfWork<'_>,
    (seating, performance): (&SeatingPlan, &Performance),
    cart: &mut Cart,
    wanted: (&[SeatRef], &str),
) -> Result<u32, Failure> {
    currency::in_one(&mut cart.currency, performance.currency)?;
    let (ticket_type, priced) = seats::price(seating, performance, wanted)?;
    let comp = work.settings()?.is_comp(&ticket_type);
    let mut first = u32::MAX;
    for (price, group) in priced {
        let price = if comp { 0 } else { price };
        let line = Line { comp, ..Line::of_seats(performance.id, (&ticket_type, price), group) };
        let is_like = |known: &&mut Line| seating.is_more_of(known, &line);
        first = first.min(match cart.lines.iter_mut().find(is_like) {
            Some(known) => known.gain(line.goods.seats()),
            None => cart.add_line(line),
        });
    }
    cart.total()?;
    Ok(first)
}

/// Adds a line for a slot at today's price, without holding it.
pub(super) fn add_slot(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    (id, (wanted, units)): (&ResourceId, (Slot, u32)),
    past: Past,
) -> Result<(), Failure> {
    let slots = cart.lines.iter().filter(|line| line.goods.is_time());
    if slots.count() >= SLOTS_MAX {
        return Err(Refusal::bad("slots", Problem::AtMost(SLOTS_MAX, Limit::CartSlots)).into());
    }
    let mut taken = bookable(work, (id, wanted), (&Cause::Booking, past))?;
    number(work, &mut taken, units)?;
    let resource: Resource = work.get(id)?;
    let settings = work.settings()?;
    let slots: Vec<Slot> = taken.first().map(|asked| asked.core).into_iter().collect();
    let rules = settings.price_rules(&resource);
    let mut parts = resource.worked((rules, &slots), &mut cart.currency, settings.currency)?;
    for part in &mut parts {
        part.each = money::times(part.each, units)?;
    }
    let unit_price = parts.first().map_or(0, |part| part.each);
    let count = parts.iter().map(|part| part.count).sum();
    parts.retain(|_| resource.prices.is_some());
    cart.add_line(Line {
        number: 0,
        goods: Goods::Time { resource: resource.id, wanted, taken },
        kind: String::new(),
        comp: false,
        unit_price,
        count,
        parts,
        tax: None,
        given_before: Vec::new(),
    });
    cart.total()?;
    Ok(())
}
