//! Seat inspection: one seat with its history.

use serde::{Deserialize, Serialize};

use crate::domain::availability::{Chunk, Claim, Grip};
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::reads::journal::{ChangeView, history_of};
use crate::engine::reads::worklist::OrderId;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::chunks::chunk_key;
use crate::store::document::DocKind;

/// Seat of a performance, with its history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatStory {
    pub seat: String,
    /// State in a sentence.
    pub now: String,
    /// Receipt that has the seat, or lost it and waits on the worklist.
    pub receipt: Option<(ReceiptId, String)>,
    /// Reservation that has the seat, or lost it.
    pub reservation: Option<CartId>,
    /// Customer's name; may be empty.
    pub customer: String,
    pub phone: String,
    /// Changes of the seat, newest first.
    pub events: Vec<SeatEvent>,
}

impl SeatStory {
    /// Returns the order that has the seat, or lost it.
    pub fn order(&self) -> Option<OrderId> {
        let receipt = self.receipt.as_ref().map(|(id, _)| OrderId::Receipt(*id));
        receipt.or(self.reservation.map(OrderId::Reservation))
    }
}

/// Change of a seat's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatEvent {
    pub at: Instant,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    pub station: String,
    /// New state: `held`, `booked`, `kept`, `disabled`, `free`.
    pub state: String,
}

/// Reads a seat's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadSeatStory {
    pub performance: PerformanceId,
    pub seat: SeatRef,
}

/// Most changes of a row examined for one seat.
const CHANGES_MAX: usize = 400;

impl Question for ReadSeatStory {
    type Answer = SeatStory;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<SeatStory, Failure> {
        let performance: Performance = snapshot.get(self.performance)?;
        let seating = snapshot.seating(performance.plan)?;
        let key = chunk_key(&crate::domain::availability::ChunkKey {
            resource: performance.id.to_string(),
            number: self.seat.row,
        });
        let chunk: Chunk = snapshot.get(&key)?;
        let now = snapshot.now();
        let claim = chunk.claim_at(self.seat.seat, now).cloned();
        let owner = match claim.as_ref() {
            Some(claim) if claim.grip == Grip::Disabled => displaced(snapshot, self)?,
            Some(claim) => Some(claim.owner.clone()),
            None => None,
        };
        let cart = owner.as_ref().and_then(Owner::cart);
        let cart: Option<Cart> = cart.map(|cart| snapshot.get(cart)).transpose()?;
        let receipt: Option<Receipt> = match cart.as_ref().map(|cart| &cart.state) {
            Some(CartState::Done(id)) => Some(snapshot.get(*id)?),
            Some(CartState::Active | CartState::Canceled | CartState::Expired) | None => None,
        };
        let reserved = cart.as_ref().filter(|cart| cart.reservation.is_some());
        let customer = match (&receipt, reserved) {
            (Some(receipt), _) => receipt.customer,
            (None, Some(cart)) => cart.customer,
            (None, None) => None,
        };
        let customer = snapshot.customer(customer)?;
        let changes = history_of(snapshot.sql(), (DocKind::Chunk, &key), CHANGES_MAX)?;
        Ok(SeatStory {
            seat: seating.plan.seat_name(self.seat).to_owned(),
            now: state_of(claim.as_ref()).to_owned(),
            customer: customer.name,
            phone: customer.phone,
            reservation: reserved.filter(|cart| cart.state == CartState::Active).map(|cart| cart.id),
            receipt: receipt.map(|receipt| (receipt.id, receipt.number)),
            events: events_of(&changes, self.seat.seat)?,
        })
    }
}

/// Returns the owner that lost a seat and waits on the worklist.
fn displaced(snapshot: &mut Snapshot<'_>, of: &ReadSeatStory) -> Result<Option<Owner>, Failure> {
    let open: Vec<WorklistItem> = snapshot.select("WHERE state = 'open' ORDER BY since, key", &[])?;
    let mut lost = open.into_iter().filter_map(|item| match item.what {
        WorkKind::Displaced { owner, loss, .. } => {
            let seats = loss.cells.seats_of(of.performance);
            seats.contains(&of.seat).then_some(owner)
        }
        WorkKind::UnissuedPayment { .. }
        | WorkKind::Overpaid { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => None,
    });
    Ok(lost.next())
}

fn state_of(claim: Option<&Claim>) -> &'static str {
    match claim.map(|claim| (&claim.owner, claim.grip)) {
        None => "free",
        Some((Owner::Keep(_), _)) => "kept",
        Some((_, Grip::Held)) => "held",
        Some((_, Grip::Booked)) => "booked",
        Some((_, Grip::Disabled)) => "disabled",
    }
}

/// Changes of one cell, from the versions of its chunk, newest first.
fn events_of(changes: &[ChangeView], cell: u32) -> Result<Vec<SeatEvent>, Failure> {
    let mut events = Vec::new();
    let mut oldest_first = changes.iter().rev().peekable();
    let mut before: Option<Claim> = None;
    if let Some(oldest) = oldest_first.next_if(|change| change.version.change.version > 1) {
        // the author of this state is in an older version
        before = oldest.parse::<Chunk>()?.claim(cell).cloned();
    }
    for change in oldest_first {
        let chunk: Chunk = change.parse()?;
        let after = chunk.claim(cell).cloned();
        let same = match (&before, &after) {
            (Some(old), Some(new)) => old.owner == new.owner && old.grip == new.grip,
            (old, new) => old == new,
        };
        if !same {
            let state = state_of(after.as_ref()).to_owned();
            events.push(SeatEvent {
                at: change.at(),
                operator: change.version.operator.clone(),
                approved: change.version.approved.clone(),
                station: change.version.station.clone(),
                state,
            });
        }
        before = after;
    }
    events.reverse();
    Ok(events)
}
