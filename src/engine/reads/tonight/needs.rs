//! What needs an operator, soonest first.

use crate::domain::cart::{AlertRaised, Cart, Customer};
use crate::domain::event::Event;
use crate::domain::house::Keep;
use crate::domain::ids::{CartId, KeepId, PerformanceId, ReceiptId};
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::time::{Instant, Span};
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::reads::events::{self, EventView};
use crate::engine::reads::jobs::{JobView, ReadJobs, WhichJobs};
use crate::engine::reads::worklist::{ReadWorklist, WorkView};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Carts that run out within this need somebody.
const RUN_OUT_SOON: Span = Span::minutes(2);

/// How many parked jobs are shown; Jobs has them all.
const PARKED_MAX: usize = 20;

/// How far back tickets that were told of are looked for.
const TICKETS_LATELY: Span = Span::minutes(24 * 60);

/// How long what was told stands here.
const TOLD_LATELY: Span = Span::minutes(30);

/// Something that needs an operator, with when it bites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// When; `None` means now.
    pub at: Option<Instant>,
    /// What.
    pub what: NeedKind,
}

/// What needs an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeedKind {
    /// Something on the worklist.
    Work(Box<WorkView>),
    /// Carts run out before long.
    CartsRunOut {
        /// How many.
        carts: usize,
        /// Seats in them.
        seats: usize,
    },
    /// A reservation has been told of as not paid: its seats go back at its pay-by.
    Unpaid {
        /// The cart.
        cart: CartId,
        /// For whom.
        customer: Customer,
        /// How many seats go back.
        seats: usize,
        /// Whether it was told for the first time or for the last.
        told: AlertRaised,
    },
    /// Seats are held for somebody who waited for them: call them.
    Offered {
        /// The cart.
        cart: CartId,
        /// Who.
        customer: Customer,
        /// How many seats.
        seats: usize,
    },
    /// Paid tickets lie at the desk shortly before their performance starts.
    Uncollected {
        /// The performance.
        performance: PerformanceId,
        /// Its title.
        title: String,
        /// How many tickets.
        tickets: usize,
        /// Their receipts.
        receipts: Vec<ReceiptId>,
    },
    /// A job is parked: it waits until somebody runs it.
    Parked(Box<JobView>),
    /// Something was told that somebody may have to deal with.
    Told(Box<EventView>),
    /// Seats that the house keeps go on sale.
    KeepEnds {
        /// The keep.
        keep: KeepId,
        /// The performance.
        performance: PerformanceId,
        /// Its title.
        title: String,
        /// Names of the seats.
        seats: Vec<String>,
        /// For whom or why they are kept.
        reason: String,
    },
}

/// What needs an operator now, and what will.
pub(super) fn read(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs: Vec<Need> = ReadWorklist
        .ask(snapshot)?
        .into_iter()
        .map(|view| Need {
            at: None,
            what: NeedKind::Work(Box::new(view)),
        })
        .collect();
    needs.extend(parked(snapshot)?);
    let params = [now.millis().into(), (now + RUN_OUT_SOON).millis().into()];
    let carts: Vec<Cart> = snapshot.select(
        "WHERE state = 'active' AND expires_at > $1 AND expires_at <= $2 ORDER BY expires_at",
        &params,
    )?;
    let running: Vec<&Cart> = carts.iter().filter(|cart| cart.seat_count() > 0).collect();
    let mut later = Vec::new();
    if let Some(first) = running.first() {
        let seats = running.iter().map(|cart| cart.seat_count()).sum();
        later.push(Need {
            at: Some(first.expires_at),
            what: NeedKind::CartsRunOut {
                carts: running.len(),
                seats,
            },
        });
    }
    let keeps: Vec<Keep> = snapshot.select(
        "WHERE live > 0 AND until_at > $1 ORDER BY until_at LIMIT 100",
        &[now.millis().into()],
    )?;
    for keep in keeps {
        let performance: Performance = snapshot.get(keep.performance)?;
        let seats = snapshot.house(performance.plan)?.names(&keep.live);
        let (performance, title) = (performance.id, performance.title);
        later.push(Need {
            at: Some(keep.until),
            what: NeedKind::KeepEnds {
                keep: keep.id,
                performance,
                title,
                seats,
                reason: keep.reason,
            },
        });
    }
    later.extend(told(snapshot)?);
    later.extend(happened(snapshot)?);
    later.extend(uncollected(snapshot)?);
    later.sort_by_key(|need| need.at);
    needs.extend(later);
    Ok(needs)
}

/// Jobs that wait until somebody has seen them.
fn parked(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let parked = ReadJobs {
        which: WhichJobs::Parked,
        kind: None,
    };
    let jobs = parked.ask(snapshot)?.into_iter();
    let need = |job: JobView| Need {
        at: None,
        what: NeedKind::Parked(Box::new(job)),
    };
    Ok(jobs.take(PARKED_MAX).map(need).collect())
}

/// Tickets that were told of and still lie at the desk, by performance, until it has begun for a while.
fn uncollected(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs: Vec<Need> = Vec::new();
    for event in events::of_tickets(snapshot.sql(), now - TICKETS_LATELY)? {
        let Some(Event::TicketsUncollected(told)) = event.event() else {
            continue;
        };
        let key = [told.receipt.to_string()];
        let receipt = snapshot.all::<Receipt>(&key)?.pop();
        let lies = receipt.is_some_and(|receipt| receipt.tickets.wait());
        if !lies || told.start + TOLD_LATELY <= now {
            continue;
        }
        let of_show = |need: &&mut Need| matches!(&need.what, NeedKind::Uncollected { performance, .. } if *performance == told.performance);
        if let Some(Need {
            what: NeedKind::Uncollected {
                tickets, receipts, ..
            },
            ..
        }) = needs.iter_mut().find(of_show)
        {
            *tickets += told.seats;
            receipts.push(told.receipt);
            continue;
        }
        needs.push(Need {
            at: Some(told.start),
            what: NeedKind::Uncollected {
                performance: told.performance,
                title: told.title,
                tickets: told.seats,
                receipts: vec![told.receipt],
            },
        });
    }
    Ok(needs)
}

/// What was told of late and concerns somebody who was promised something, or who had a cart.
fn happened(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let since = snapshot.now() - TOLD_LATELY;
    let events = events::lately(snapshot.sql(), since)?;
    let need = |event: EventView| Need {
        at: Some(event.at),
        what: NeedKind::Told(Box::new(event)),
    };
    Ok(events.into_iter().filter(concerns).map(need).collect())
}

/// Whether an event concerns an operator: an anonymous cart that ran out, or one that went on at its own station,
/// does not.
fn concerns(event: &EventView) -> bool {
    match event.event() {
        Some(Event::CartExpired { customer, .. }) => !customer.is_empty(),
        Some(Event::TakenOver {
            from_station,
            station,
            ..
        }) => from_station != station,
        Some(Event::SalesClosed { waiting, .. }) => waiting > 0,
        Some(Event::OfferLapsed(_) | Event::ListenerFailed { .. }) => true,
        Some(
            Event::ReservationAlert(_)
            | Event::ReservationFinal(_)
            | Event::CartRunsOut { .. }
            | Event::SeatsOffered(_)
            | Event::KeepReleased { .. }
            | Event::TicketsUncollected(_)
            | Event::ResourceTakenOver { .. }
            | Event::JobParked { .. },
        )
        | None => false,
    }
}

/// Reservations that were told of, and offers to who waits, at most a page of each.
fn told(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs = Vec::new();
    let unpaid: Vec<Cart> = snapshot.select(
        "WHERE state = 'active' AND reserved = 1 AND expires_at > $1 ORDER BY expires_at LIMIT 100",
        &[now.millis().into()],
    )?;
    let is_told = |cart: &Cart| {
        cart.reservation
            .is_some_and(|made| made.told != AlertRaised::Nothing)
    };
    for cart in unpaid.into_iter().filter(is_told) {
        let told = cart
            .reservation
            .map_or(AlertRaised::Nothing, |made| made.told);
        let (seats, customer) = (cart.seat_count(), cart.customer);
        let what = NeedKind::Unpaid {
            cart: cart.id,
            customer,
            seats,
            told,
        };
        let at = Some(cart.expires_at);
        needs.push(Need { at, what });
    }
    let offered: Vec<Waiting> =
        snapshot.select("WHERE state = 'offered' ORDER BY since LIMIT 100", &[])?;
    for waiting in offered {
        let WaitState::Offered { cart: id, .. } = waiting.state else {
            continue;
        };
        let cart: Cart = snapshot.get(id)?;
        if cart.is_live(now) {
            let what = NeedKind::Offered {
                cart: id,
                customer: waiting.customer,
                seats: cart.seat_count(),
            };
            let at = Some(cart.expires_at);
            needs.push(Need { at, what });
        }
    }
    Ok(needs)
}
