//! Tasks for the operator, soonest first.

use std::collections::BTreeSet;

use chrono_tz::Tz;

use crate::domain::cart::{AlertRaised, Cart};
use crate::domain::customer::Customer;
use crate::domain::event::Event;
use crate::domain::house::{Keep, WorkKind, WorklistItem};
use crate::domain::ids::{CartId, KeepId, PerformanceId, ReceiptId};
use crate::domain::loss::CellGroup;
use crate::domain::money::Price;
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::receipt::Receipt;
use crate::domain::time::{Instant, Span};
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::reads::events::{self, EventView};
use crate::engine::reads::jobs::{JobView, ReadJobs, WhichJobs};
use crate::engine::reads::worklist::{self, WorkView};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Carts expiring within this span are shown.
const RUN_OUT_SOON: Span = Span::minutes(2);

/// Most parked jobs shown here; the Jobs screen has all.
const PARKED_MAX: usize = 20;

/// Age limit of ticket alerts.
const TICKETS_LATELY: Span = Span::minutes(24 * 60);

/// Age limit of other events.
const TOLD_LATELY: Span = Span::minutes(30);

/// Task for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Time it becomes urgent; `None` means now.
    pub at: Option<Instant>,
    pub what: NeedKind,
}

/// Kind of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeedKind {
    Work(Box<WorkView>),
    /// Paid orders of a canceled performance, still to be settled.
    Canceled(CanceledNight),
    /// Carts about to expire.
    CartsRunOut {
        carts: usize,
        seats: usize,
    },
    /// Unpaid reservation after an alert: its seats are released at its pay-by time.
    Unpaid {
        cart: CartId,
        customer: Customer,
        seats: usize,
        told: AlertRaised,
    },
    /// Seats held for a waiting customer, who should be called.
    Offered {
        cart: CartId,
        customer: Customer,
        seats: usize,
    },
    /// Paid tickets not collected shortly before their performance starts.
    Uncollected {
        performance: PerformanceId,
        title: String,
        tickets: usize,
        receipts: Vec<ReceiptId>,
    },
    /// Parked job, which waits to be run by hand.
    Parked(Box<JobView>),
    /// Event that may need action.
    Told(Box<EventView>),
    /// Seats kept by the house that go on sale soon.
    KeepEnds {
        keep: KeepId,
        performance: PerformanceId,
        title: String,
        seats: Vec<String>,
        reason: String,
    },
}

/// Paid orders of a canceled performance that are still to be settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanceledNight {
    pub performance: PerformanceId,
    pub title: String,
    pub start: Instant,
    pub zone: Tz,
    pub orders: usize,
    /// Money paid for their seats, in minor units, by currency.
    pub paid: Vec<Price>,
}

impl Need {
    fn new(at: impl Into<Option<Instant>>, what: NeedKind) -> Self {
        let at = at.into();
        Self { at, what }
    }
}

pub(super) fn read(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs = listed(snapshot)?;
    needs.extend(parked(snapshot)?);
    let params = [now.millis().into(), (now + RUN_OUT_SOON).millis().into()];
    let carts: Vec<Cart> = snapshot
        .select("WHERE state = 'active' AND expires_at > $1 AND expires_at <= $2 ORDER BY expires_at", &params)?;
    let running: Vec<&Cart> = carts.iter().filter(|cart| cart.seat_count() > 0).collect();
    let mut later = Vec::new();
    if let Some(first) = running.first() {
        let seats = running.iter().map(|cart| cart.seat_count()).sum();
        let carts = running.len();
        later.push(Need::new(first.expires_at, NeedKind::CartsRunOut { carts, seats }));
    }
    let keeps: Vec<Keep> =
        snapshot.select("WHERE live > 0 AND until_at > $1 ORDER BY until_at LIMIT 100", &[now.millis().into()])?;
    for keep in keeps {
        let performance: Performance = snapshot.get(keep.performance)?;
        let what = NeedKind::KeepEnds {
            keep: keep.id,
            performance: performance.id,
            seats: snapshot.seating(performance.plan)?.names(&keep.live),
            title: performance.title,
            reason: keep.reason,
        };
        later.push(Need::new(keep.until, what));
    }
    later.extend(unpaid_and_offered(snapshot)?);
    later.extend(happened(snapshot)?);
    later.extend(uncollected(snapshot)?);
    later.sort_by_key(|need| need.at);
    needs.extend(later);
    Ok(needs)
}

/// Items of the worklist; those of a canceled performance as one.
fn listed(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let mut needs = Vec::new();
    let mut nights: Vec<(CanceledNight, BTreeSet<CartId>)> = Vec::new();
    let open = worklist::open(snapshot)?;
    let told = snapshot.each(&open, |snapshot, item| match canceled_order(snapshot, item)? {
        Some((performance, order, paid)) => Ok(Ok((night(snapshot, &performance)?, order, paid))),
        None => Ok(Err(worklist::view(snapshot, item)?)),
    })?;
    for told in told {
        let (night, order, paid) = match told {
            Ok(canceled) => canceled,
            Err(view) => {
                needs.push(Need::new(None, NeedKind::Work(Box::new(view))));
                continue;
            }
        };
        let performance = night.performance;
        let of_night = |(night, _): &(CanceledNight, _)| night.performance == performance;
        if !nights.iter().any(of_night) {
            nights.push((night, BTreeSet::new()));
        }
        if let Some((night, orders)) = nights.iter_mut().find(|one| of_night(one)) {
            orders.insert(order);
            night.orders = orders.len();
            match night.paid.iter_mut().find(|one| one.currency == paid.currency) {
                Some(sum) => sum.minor += paid.minor,
                None => night.paid.push(paid),
            }
        }
    }
    let nights = nights.into_iter().map(|(night, _)| NeedKind::Canceled(night));
    needs.extend(nights.map(|what| Need::new(None, what)));
    Ok(needs)
}

/// The canceled performance, cart and price of an item about paid seats.
fn canceled_order(
    snapshot: &mut Snapshot<'_>,
    item: &WorklistItem,
) -> Result<Option<(Performance, CartId, Price)>, Failure> {
    let WorkKind::Displaced { owner, loss, paid: Some(paid) } = &item.what else {
        return Ok(None);
    };
    let (CellGroup::Seats { performance, .. }, Some(cart)) = (&loss.cells, owner.cart()) else {
        return Ok(None);
    };
    let performance: Performance = snapshot.get(*performance)?;
    let is_canceled = performance.state == PerformanceState::Canceled;
    Ok(is_canceled.then_some((performance, cart, *paid)))
}

fn night(snapshot: &mut Snapshot<'_>, performance: &Performance) -> Result<CanceledNight, Failure> {
    let theater: Theater = snapshot.get(performance.theater)?;
    Ok(CanceledNight {
        performance: performance.id,
        title: performance.title.clone(),
        start: performance.start,
        zone: theater.time_zone,
        orders: 0,
        paid: Vec::new(),
    })
}

fn parked(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let parked = ReadJobs { which: WhichJobs::Parked, kind: None };
    let jobs = parked.ask(snapshot)?.into_iter();
    let need = |job| Need::new(None, NeedKind::Parked(Box::new(job)));
    Ok(jobs.take(PARKED_MAX).map(need).collect())
}

/// Uncollected tickets after an alert, by performance, until [`TOLD_LATELY`] after its start.
fn uncollected(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs: Vec<Need> = Vec::new();
    for event in events::of_tickets(snapshot.sql(), now - TICKETS_LATELY)? {
        let Some(Event::TicketsUncollected(told)) = event.event() else {
            continue;
        };
        let receipt: Option<Receipt> = snapshot.find(&told.receipt.to_string())?;
        let waits = receipt.is_some_and(|receipt| receipt.tickets.wait());
        if !waits || told.start + TOLD_LATELY <= now {
            continue;
        }
        let of_show = |need: &&mut Need| matches!(&need.what, NeedKind::Uncollected { performance, .. } if *performance == told.performance);
        if let Some(Need { what: NeedKind::Uncollected { tickets, receipts, .. }, .. }) = needs.iter_mut().find(of_show)
        {
            *tickets += told.seats;
            receipts.push(told.receipt);
            continue;
        }
        let what = NeedKind::Uncollected {
            performance: told.performance,
            title: told.title,
            tickets: told.seats,
            receipts: vec![told.receipt],
        };
        needs.push(Need::new(told.start, what));
    }
    Ok(needs)
}

/// Recent events that an operator may have to act on.
fn happened(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let since = snapshot.now() - TOLD_LATELY;
    let events = events::lately(snapshot.sql(), since)?;
    let need = |event: EventView| Need::new(event.at, NeedKind::Told(Box::new(event)));
    Ok(events.into_iter().filter(concerns).map(need).collect())
}

/// Returns whether an event concerns an operator: the expiry of an anonymous cart does not, nor
/// does a take-over at the same station.
fn concerns(event: &EventView) -> bool {
    match event.event() {
        Some(Event::CartExpired { customer, .. }) => customer.is_some(),
        Some(Event::TakenOver { from_station, station, .. }) => from_station != station,
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
            | Event::ReceiptIssued(_)
            | Event::ReceiptCorrected { .. }
            | Event::BookingMade(_)
            | Event::BookingMoved { .. }
            | Event::BookingCanceled(_)
            | Event::PerformanceChanged(_)
            | Event::PerformancePostponed { .. }
            | Event::PerformanceCanceled(_)
            | Event::JobParked { .. },
        )
        | None => false,
    }
}

/// Reservations after an alert, and offers to waiting customers, at most a page of each.
fn unpaid_and_offered(snapshot: &mut Snapshot<'_>) -> Result<Vec<Need>, Failure> {
    let now = snapshot.now();
    let mut needs = Vec::new();
    let unpaid: Vec<Cart> = snapshot.select(
        "WHERE state = 'active' AND reserved = 1 AND expires_at > $1 ORDER BY expires_at LIMIT 100",
        &[now.millis().into()],
    )?;
    for cart in unpaid {
        let told = cart.reservation.map(|made| made.told);
        let Some(told) = told.filter(|told| *told != AlertRaised::Nothing) else {
            continue;
        };
        let what = NeedKind::Unpaid {
            cart: cart.id,
            customer: snapshot.customer(cart.customer)?,
            seats: cart.seat_count(),
            told,
        };
        needs.push(Need::new(cart.expires_at, what));
    }
    let offered: Vec<Waiting> = snapshot.select("WHERE state = 'offered' ORDER BY since LIMIT 100", &[])?;
    for waiting in offered {
        let WaitState::Offered { cart: id, .. } = waiting.state else {
            continue;
        };
        let cart: Cart = snapshot.get(id)?;
        if cart.is_live(now) {
            let what = NeedKind::Offered {
                cart: id,
                customer: snapshot.customer(Some(waiting.customer))?,
                seats: cart.seat_count(),
            };
            needs.push(Need::new(cart.expires_at, what));
        }
    }
    Ok(needs)
}
