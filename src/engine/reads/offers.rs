//! Offers: free equals of what an item of the worklist is about, with the act that takes one.

use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::PerformanceId;
use crate::domain::line::{Line, ticket_type};
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Alternative;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, hull};
use crate::engine::ops::{HoldSeats, ItemAct, SeatChoice};
use crate::engine::reads::instead::ReadInstead;
use crate::engine::reads::resources::ReadResources;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Free equal of what was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeEqual {
    pub cells: Alternative,
    /// Act that settles the item by it.
    pub act: ItemAct,
}

/// Finds free equals of what an item's owner lost, best first: for seats as many together, in their category before
/// others; for time the same length, elsewhere at the same time before later. None for money, and none for a
/// performance that does not take place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOffers(pub WorklistItem);

/// Finds the same of several items, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOffersOfEach(pub Vec<WorklistItem>);

impl Question for ReadOffers {
    type Answer = Vec<FreeEqual>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeEqual>, Failure> {
        offers(snapshot, &self.0)
    }
}

impl Question for ReadOffersOfEach {
    type Answer = Vec<Vec<FreeEqual>>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        snapshot.each(&self.0, offers)
    }
}

fn offers(snapshot: &mut Snapshot<'_>, item: &WorklistItem) -> Result<Vec<FreeEqual>, Failure> {
    let WorkKind::Displaced { owner, loss, .. } = &item.what else {
        return Ok(Vec::new());
    };
    match &loss.cells {
        CellGroup::Seats { performance, seats } => of_seats(snapshot, owner, (*performance, seats)),
        CellGroup::Time { resource, slots } => of_time(snapshot, owner, (resource, slots)),
    }
}

fn of_seats(
    snapshot: &mut Snapshot<'_>,
    owner: &Owner,
    (id, seats): (PerformanceId, &[SeatRef]),
) -> Result<Vec<FreeEqual>, Failure> {
    let performance: Performance = snapshot.get(id)?;
    if performance.state != PerformanceState::Open || performance.start <= snapshot.now() {
        return Ok(Vec::new());
    }
    let wanted = HoldSeats {
        ticket_type: ticket_type(&lines_of(snapshot, owner)?, owner),
        ..HoldSeats::new(id, SeatChoice::Seats(seats.to_vec()))
    };
    let found = ReadInstead::from(&wanted).ask(snapshot)?;
    let offer = |cells: Alternative| {
        let seats = SeatChoice::Named(cells.seats().to_vec());
        let act = ItemAct::Reseat { performance: id, seats };
        FreeEqual { cells, act }
    };
    Ok(found.into_iter().map(offer).collect())
}

/// The lines of an owner's receipt, or of its cart.
fn lines_of(snapshot: &mut Snapshot<'_>, owner: &Owner) -> Result<Vec<Line>, Failure> {
    let Some(id) = owner.cart() else {
        return Ok(Vec::new());
    };
    let cart: Cart = snapshot.get(id)?;
    Ok(match cart.state {
        CartState::Done(receipt) => snapshot.get::<Receipt>(receipt)?.lines,
        CartState::Active | CartState::Canceled | CartState::Expired => cart.lines,
    })
}

fn of_time(
    snapshot: &mut Snapshot<'_>,
    owner: &Owner,
    (lost, slots): (&ResourceId, &[Slot]),
) -> Result<Vec<FreeEqual>, Failure> {
    let Some((asked, slot)) = asked_time(snapshot, owner, (lost, slots))? else {
        return Ok(Vec::new());
    };
    let found = ReadInstead::of(std::slice::from_ref(&asked), slot).ask(snapshot)?;
    let resources = ReadResources::default().ask(snapshot)?;
    let offer = |cells: Alternative| {
        let at = cells.slot()?;
        let to = resources.iter().find(|one| one.name == at.resource)?;
        let act = ItemAct::Move { to: Some(to.id.clone()).filter(|to| *to != asked), from: at.from };
        Some(FreeEqual { cells, act })
    };
    Ok(found.into_iter().filter_map(offer).collect())
}

/// The resource that was asked for, and the time that has to go elsewhere: of a booking all of it.
fn asked_time(
    snapshot: &mut Snapshot<'_>,
    owner: &Owner,
    (lost, slots): (&ResourceId, &[Slot]),
) -> Result<Option<(ResourceId, Slot)>, Failure> {
    let Some(booking) = owner.booking() else {
        let resource: Resource = snapshot.get(lost)?;
        let inside = slots.iter().filter_map(|slot| resource.grid.inside(*slot));
        let slot = hull(&inside.collect::<Vec<_>>());
        return Ok(slot.map(|slot| (lost.clone(), slot)));
    };
    let booking: Booking = snapshot.get(booking)?;
    Ok(booking.asked_for(lost))
}
