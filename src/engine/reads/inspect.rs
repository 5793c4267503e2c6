//! One seat with its story, and finding anything by what people remember of it.

use crate::domain::availability::{Chunk, Claim, Grip};
use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::documents::chunk_key;
use crate::engine::reads::journal::{ChangeView, history_of};
use crate::engine::reads::{Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::document::DocKind;

/// A seat of a performance, with its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatStory {
    /// The seat's name.
    pub seat: String,
    /// What stands on it, in a sentence.
    pub now: String,
    /// The receipt that has it.
    pub receipt: Option<(ReceiptId, String)>,
    /// What happened to it, newest first.
    pub events: Vec<SeatEvent>,
}

/// Something that happened to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatEvent {
    /// When.
    pub at: Instant,
    /// By whom.
    pub operator: String,
    /// Where.
    pub station: String,
    /// What it became: `held`, `booked`, `disabled`, `free`.
    pub state: String,
}

/// Asks for a seat's story.
#[derive(Clone, Copy, Debug)]
pub struct ReadSeatStory {
    /// The performance.
    pub performance: PerformanceId,
    /// The seat.
    pub seat: SeatRef,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What to open.
    pub target: HitTarget,
    /// What people read.
    pub label: String,
}

/// What a hit opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// A performance.
    Performance(PerformanceId),
    /// A seat of a performance.
    Seat(PerformanceId, SeatRef),
    /// A receipt.
    Receipt(ReceiptId),
    /// An open cart.
    Cart(CartId),
}

/// Finds performances by title, receipts by number or customer, open carts by customer or id, best first.
#[derive(Clone, Debug)]
pub struct ReadFind {
    /// What somebody typed.
    pub text: String,
    /// The performance on the screen, whose seats are found by name.
    pub performance: Option<PerformanceId>,
}

/// How many changes of a row are looked through for one seat's story.
const CHANGES_MAX: usize = 400;

/// How many hits a search gives.
const HITS_MAX: usize = 30;

impl Question for ReadSeatStory {
    type Answer = SeatStory;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<SeatStory, Failure> {
        let performance: Performance = snapshot.get(self.performance)?;
        let house = snapshot.house(performance.plan)?;
        let key = chunk_key(&crate::domain::availability::ChunkKey {
            resource: performance.id.to_string(),
            number: self.seat.row,
        });
        let chunk: Chunk = snapshot.get(&key)?;
        let now = snapshot.now();
        let claim = chunk.claim_at(self.seat.seat, now).cloned();
        let receipt = match claim.as_ref().map(|claim| &claim.owner) {
            Some(Owner::Line(line)) => match snapshot.get::<Cart>(line.cart)?.state {
                CartState::Done(id) => Some((id, snapshot.get::<Receipt>(id)?.number)),
                CartState::Active | CartState::Canceled | CartState::Expired => None,
            },
            Some(
                Owner::Keep(_) | Owner::Disable(..) | Owner::Booking(..) | Owner::DisableTime(..),
            )
            | None => None,
        };
        let changes = history_of(snapshot, (DocKind::Chunk, &key), CHANGES_MAX)?;
        Ok(SeatStory {
            seat: house.plan.seat_name(self.seat).to_owned(),
            now: state_of(claim.as_ref()).to_owned(),
            receipt,
            events: events_of(&changes, self.seat.seat)?,
        })
    }
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

/// What happened to one cell, from the changes of its chunk, newest first.
fn events_of(changes: &[ChangeView], cell: u32) -> Result<Vec<SeatEvent>, Failure> {
    let mut events = Vec::new();
    let mut oldest_first = changes.iter().rev().peekable();
    let mut before: Option<Claim> = None;
    if let Some(oldest) = oldest_first.next_if(|change| change.version > 1) {
        // who did what it shows is further back
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
                at: change.at,
                operator: change.operator.clone(),
                station: change.station.clone(),
                state,
            });
        }
        before = after;
    }
    events.reverse();
    Ok(events)
}

impl Question for ReadFind {
    type Answer = Vec<Hit>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Hit>, Failure> {
        let text = self.text.trim().to_lowercase();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let mut hits = Vec::new();
        if let Some(id) = self.performance {
            let performance: Performance = snapshot.get(id)?;
            let house = snapshot.house(performance.plan)?;
            hits.extend(house.seat(&text).map(|seat| Hit {
                target: HitTarget::Seat(id, seat),
                label: format!("seat {}, {}", house.plan.seat_name(seat), performance.title),
            }));
        }
        let like = format!("%{}%", literal(&text));
        hits.extend(receipts_like(snapshot, &text, &like)?);
        hits.extend(performances_like(snapshot, &like)?);
        hits.extend(carts_like(snapshot, &like)?);
        hits.truncate(HITS_MAX);
        Ok(hits)
    }
}

fn receipts_like(snapshot: &mut Snapshot<'_>, text: &str, like: &str) -> Result<Vec<Hit>, Failure> {
    let condition = "WHERE lower(number) = $1 OR number LIKE $2 ESCAPE '!' OR customer LIKE $3 ESCAPE '!' \
                     ORDER BY issued_at DESC LIMIT 15";
    let receipts: Vec<Receipt> = snapshot.select(
        condition,
        &[
            text.into(),
            format!("%/{}", literal(text)).into(),
            like.into(),
        ],
    )?;
    let label = |receipt: &Receipt| {
        let price = crate::domain::money::priced(receipt.total, receipt.currency);
        format!(
            "receipt {}  {price}  {}",
            receipt.number, receipt.customer.name
        )
    };
    Ok(receipts
        .iter()
        .map(|receipt| Hit {
            target: HitTarget::Receipt(receipt.id),
            label: label(receipt),
        })
        .collect())
}

fn performances_like(snapshot: &mut Snapshot<'_>, like: &str) -> Result<Vec<Hit>, Failure> {
    let now = snapshot.now().millis();
    let found: Vec<Performance> = snapshot.select(
        "WHERE title LIKE $1 ESCAPE '!' AND start_at > $2 ORDER BY start_at LIMIT 15",
        &[like.into(), now.into()],
    )?;
    let mut hits = Vec::new();
    for performance in found {
        let label = super::carts::label(snapshot, performance.id)?;
        let when = label.start.format(label.zone, "%a %e %b %H:%M");
        hits.push(Hit {
            target: HitTarget::Performance(performance.id),
            label: format!("{}  {when}  {}", label.title, label.theater),
        });
    }
    Ok(hits)
}

fn carts_like(snapshot: &mut Snapshot<'_>, like: &str) -> Result<Vec<Hit>, Failure> {
    let now = snapshot.now().millis();
    let condition = "WHERE state = 'active' AND expires_at > $1 AND (customer LIKE $2 ESCAPE '!' OR key LIKE $2 ESCAPE '!') ORDER BY expires_at LIMIT 10";
    let carts: Vec<Cart> = snapshot.select(condition, &[now.into(), like.into()])?;
    let label = |cart: &Cart| {
        format!(
            "cart ..{}  {} seats  {}  {}",
            cart.id.tail(),
            cart.seat_count(),
            cart.station,
            cart.customer.name
        )
    };
    Ok(carts
        .iter()
        .map(|cart| Hit {
            target: HitTarget::Cart(cart.id),
            label: label(cart),
        })
        .collect())
}
