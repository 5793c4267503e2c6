//! Worklist: open items for an operator to resolve.

use std::collections::BTreeMap;

use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState};
use crate::domain::customer::Customer;
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{BookingId, CartId, CustomerId, PerformanceId, ReceiptId, WorkId};
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::Price;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// Open worklist item with display names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkView {
    pub item: WorklistItem,
    pub performance: Option<PerformanceId>,
    pub title: String,
    pub seats: Vec<String>,
    /// Description of the owner: `receipt till-2/457`, `cart ..3fa2c1`.
    pub owner: String,
    pub order: Option<OrderId>,
    pub customer: Customer,
    /// The payment that bought nothing, what was paid for the lost cells or too much, or went back beyond what its means
    /// paid; none if nothing was.
    pub price: Option<Price>,
}

/// Order of a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderId {
    Receipt(ReceiptId),
    Reservation(CartId),
}

/// Lists open items, unissued payments first, then oldest first.
#[derive(Clone, Copy, Debug)]
pub struct ReadWorklist;

impl Question for ReadWorklist {
    type Answer = Vec<WorkView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<WorkView>, Failure> {
        let items = open(snapshot)?;
        snapshot.each(&items, view)
    }
}

/// Open items, unissued payments first, then oldest first. What is overpaid because time was taken away stands with that
/// time alone.
pub(super) fn open(snapshot: &mut Snapshot<'_>) -> Result<Vec<WorklistItem>, Failure> {
    let mut items: Vec<WorklistItem> = snapshot.select("WHERE state = 'open' ORDER BY kind DESC, since, key", &[])?;
    let mut lost: BTreeMap<BookingId, i64> = BTreeMap::new();
    for item in &items {
        if let (WorkKind::Displaced { paid: Some(paid), .. }, Some(booking)) = (&item.what, item.what.booking()) {
            *lost.entry(booking).or_default() += paid.minor;
        }
    }
    items.retain_mut(|item| match &mut item.what {
        WorkKind::Overpaid { booking, minor, .. } => {
            *minor -= lost.get(booking).copied().unwrap_or_default().min(*minor);
            *minor > 0
        }
        WorkKind::Displaced { .. }
        | WorkKind::UnissuedPayment { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => true,
    });
    Ok(items)
}

/// Reads one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadItem(pub WorkId);

impl Question for ReadItem {
    type Answer = WorkView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<WorkView, Failure> {
        let item = snapshot.get(self.0)?;
        view(snapshot, &item)
    }
}

/// Adds display names to an item returned by an operation.
#[derive(Clone, Debug)]
pub struct ReadWorkItem(pub WorklistItem);

impl Question for ReadWorkItem {
    type Answer = WorkView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<WorkView, Failure> {
        view(snapshot, &self.0)
    }
}

/// Adds display names to items returned by an operation.
#[derive(Clone, Debug)]
pub struct ReadWorkItems(pub Vec<WorklistItem>);

impl Question for ReadWorkItems {
    type Answer = Vec<WorkView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<WorkView>, Failure> {
        snapshot.each(&self.0, view)
    }
}

pub(super) fn view(snapshot: &mut Snapshot<'_>, item: &WorklistItem) -> Result<WorkView, Failure> {
    let price = match &item.what {
        WorkKind::UnissuedPayment { minor, currency, .. }
        | WorkKind::Overpaid { minor, currency, .. }
        | WorkKind::Overridden { minor, currency, .. } => Some(Price { minor: *minor, currency: *currency }),
        WorkKind::Displaced { paid, .. } => *paid,
        WorkKind::Differs { .. } => None,
    };
    let price = match item.what.booking() {
        // some of it may have gone back since
        Some(booking) => {
            let over = snapshot.get::<Booking>(booking)?.overpaid();
            price.map(|price| Price { minor: price.minor.min(over), ..price }).filter(|price| price.minor > 0)
        }
        None => price,
    };
    let (lost, owner, order, customer) = match &item.what {
        WorkKind::Overpaid { booking, .. } => {
            let booking: Booking = snapshot.get(*booking)?;
            let customer = snapshot.customer(booking.customer)?;
            let title = booking.title_for(&customer).to_owned();
            let owner = format!("booking ..{}", booking.id.tail());
            let lost = Some((None, title, Vec::new()));
            (lost, owner, None, booking.customer)
        }
        WorkKind::Overridden { receipt, .. } => {
            let receipt: Receipt = snapshot.get(*receipt)?;
            let by = format!("{}@{}", receipt.operator, receipt.station);
            let order = Some(OrderId::Receipt(receipt.id));
            (Some((None, by, Vec::new())), format!("receipt {}", receipt.number), order, receipt.customer)
        }
        WorkKind::Differs { calendar, resource, here, there, title, .. } => {
            let resource: Resource = snapshot.get(resource)?;
            let words = |slot: &Option<Slot>| slot.map(|slot| slot.words(resource.grid, snapshot.now()));
            let here = words(here).map(|slot| format!("here {slot}"));
            let there = words(there)
                .map_or_else(|| "gone there".to_owned(), |slot| format!("there {slot} {title}").trim_end().to_owned());
            let lost = (None, resource.name.clone(), here.into_iter().chain([there]).collect());
            (Some(lost), calendar.clone(), None, None)
        }
        WorkKind::UnissuedPayment { cart, .. } => {
            let owner = cart_in_words(snapshot, *cart)?;
            let cart: Cart = snapshot.get(*cart)?;
            (None, owner, None, cart.customer)
        }
        WorkKind::Displaced { owner, loss, .. } => {
            let (order, customer) = order_of(snapshot, owner)?;
            let lost = lost(snapshot, loss)?;
            (Some(lost), owner_in_words(snapshot, owner)?, order, customer)
        }
    };
    let (performance, title, seats) = lost.unwrap_or_default();
    let (customer, item) = (snapshot.customer(customer)?, item.clone());
    Ok(WorkView { item, performance, title, seats, owner, order, customer, price })
}

/// The performance of lost cells, the title or name of their resource, and the cells in words.
fn lost(snapshot: &mut Snapshot<'_>, loss: &Loss) -> Result<(Option<PerformanceId>, String, Vec<String>), Failure> {
    Ok(match &loss.cells {
        CellGroup::Seats { performance, seats } => {
            let found: Performance = snapshot.get(*performance)?;
            let names = snapshot.seating(found.plan)?.names(seats);
            (Some(*performance), found.title, names)
        }
        CellGroup::Time { resource, slots } => {
            let resource: Resource = snapshot.get(resource)?;
            let now = snapshot.now();
            let words = slots.iter().map(|slot| slot.words(resource.grid, now));
            (None, loss.told(&resource), words.collect())
        }
    })
}

/// Order and customer of an owner.
fn order_of(snapshot: &mut Snapshot<'_>, owner: &Owner) -> Result<(Option<OrderId>, Option<CustomerId>), Failure> {
    if let Some(booking) = owner.booking() {
        return Ok((None, snapshot.get::<Booking>(booking)?.customer));
    }
    let Owner::Line(line) = owner else {
        return Ok((None, None));
    };
    let cart: Cart = snapshot.get(line.cart)?;
    Ok(match cart.state {
        CartState::Done(receipt) => {
            let customer = snapshot.get::<Receipt>(receipt)?.customer;
            (Some(OrderId::Receipt(receipt)), customer)
        }
        CartState::Active if cart.reservation.is_some() => (Some(OrderId::Reservation(cart.id)), cart.customer),
        CartState::Active | CartState::Canceled | CartState::Expired => (None, cart.customer),
    })
}

/// Describes an owner: `receipt till-2/457`, `cart ..3fa2c1`.
pub(super) fn owner_in_words(snapshot: &mut Snapshot<'_>, owner: &Owner) -> Result<String, Failure> {
    if let Some(booking) = owner.booking() {
        let booking: Booking = snapshot.get(booking)?;
        let customer = snapshot.customer(booking.customer)?;
        return Ok(booking.title_for(&customer).to_owned());
    }
    let Owner::Line(line) = owner else {
        return Ok(owner.to_string());
    };
    cart_in_words(snapshot, line.cart)
}

fn cart_in_words(snapshot: &mut Snapshot<'_>, cart: CartId) -> Result<String, Failure> {
    Ok(match snapshot.get::<Cart>(cart)?.state {
        CartState::Done(receipt) => format!("receipt {}", snapshot.get::<Receipt>(receipt)?.number),
        CartState::Active | CartState::Canceled | CartState::Expired => {
            format!("cart ..{}", cart.tail())
        }
    })
}
