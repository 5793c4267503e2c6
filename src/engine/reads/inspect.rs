//! One seat with its story, and finding anything by what people remember of it.

use crate::domain::availability::{Chunk, Claim, Grip};
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::{WorkItem, WorkKind};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::chunks::chunk_key;
use crate::engine::reads::journal::{ChangeView, history_of};
use crate::engine::reads::worklist::OrderId;
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
    /// The receipt that has it, or lost it and waits on the worklist.
    pub receipt: Option<(ReceiptId, String)>,
    /// The reservation that has it, or lost it.
    pub reservation: Option<CartId>,
    /// The name of its customer, when that is known.
    pub customer: String,
    /// The customer's phone number.
    pub phone: String,
    /// What happened to it, newest first.
    pub events: Vec<SeatEvent>,
}

impl SeatStory {
    /// The order that has the seat, or lost it.
    #[must_use]
    pub fn order(&self) -> Option<OrderId> {
        let receipt = self.receipt.as_ref().map(|(id, _)| OrderId::Receipt(*id));
        receipt.or(self.reservation.map(OrderId::Reservation))
    }
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
        let owner = match claim.as_ref() {
            Some(claim) if claim.grip == Grip::Disabled => displaced(snapshot, self)?,
            Some(claim) => Some(claim.owner.clone()),
            None => None,
        };
        let cart: Option<Cart> = match owner {
            Some(Owner::Line(line)) => Some(snapshot.get(line.cart)?),
            Some(
                Owner::Keep(_) | Owner::Disable(..) | Owner::Booking(..) | Owner::DisableTime(..),
            )
            | None => None,
        };
        let receipt: Option<Receipt> = match cart.as_ref().map(|cart| &cart.state) {
            Some(CartState::Done(id)) => Some(snapshot.get(*id)?),
            Some(CartState::Active | CartState::Canceled | CartState::Expired) | None => None,
        };
        let reserved = cart.as_ref().filter(|cart| cart.reservation.is_some());
        let customer = receipt.as_ref().map(|receipt| &receipt.customer);
        let customer = customer.or(reserved.map(|cart| &cart.customer));
        let customer = customer.cloned().unwrap_or_default();
        let changes = history_of(snapshot.sql(), (DocKind::Chunk, &key), CHANGES_MAX)?;
        Ok(SeatStory {
            seat: house.plan.seat_name(self.seat).to_owned(),
            now: state_of(claim.as_ref()).to_owned(),
            customer: customer.name,
            phone: customer.phone,
            reservation: reserved
                .filter(|cart| cart.state == CartState::Active)
                .map(|cart| cart.id),
            receipt: receipt.map(|receipt| (receipt.id, receipt.number)),
            events: events_of(&changes, self.seat.seat)?,
        })
    }
}

/// The owner that lost a seat and waits for another.
fn displaced(snapshot: &mut Snapshot<'_>, of: &ReadSeatStory) -> Result<Option<Owner>, Failure> {
    let open: Vec<WorkItem> = snapshot.select("WHERE state = 'open' ORDER BY since, key", &[])?;
    let mut lost = open.into_iter().filter_map(|item| match item.what {
        WorkKind::Displaced {
            performance,
            seats,
            owner,
            ..
        } if performance == of.performance && seats.contains(&of.seat) => Some(owner),
        WorkKind::Displaced { .. }
        | WorkKind::DisplacedTime { .. }
        | WorkKind::UnissuedPayment { .. } => None,
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
            if let Some(seat) = house.seat(&text) {
                let name = house.plan.seat_name(seat).to_owned();
                hits.push(Hit {
                    target: HitTarget::Seat(id, seat),
                    label: format!("seat {name}  {}", shown(snapshot, [id])?),
                });
            }
        }
        let like = format!("%{}%", literal(&text));
        hits.extend(receipts_like(snapshot, &text, &like)?);
        hits.extend(performances_like(snapshot, &like)?);
        hits.extend(carts_like(snapshot, &like)?);
        hits.truncate(HITS_MAX);
        Ok(hits)
    }
}

/// Performances in a few words: the first, and how many more there are.
fn shown(
    snapshot: &mut Snapshot<'_>,
    performances: impl IntoIterator<Item = PerformanceId>,
) -> Result<String, Failure> {
    let mut all: Vec<PerformanceId> = performances.into_iter().collect();
    all.dedup();
    let Some((first, more)) = all.split_first() else {
        return Ok(String::new());
    };
    let label = super::carts::label(snapshot, *first)?;
    let when = label.start.format(label.zone, "%a %-d %b %H:%M");
    let more = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Ok(format!("{} {when}{more}", label.title))
}

/// What is known of it, side by side.
fn joined<const N: usize>(parts: [&String; N]) -> String {
    let known = parts.into_iter().filter(|part| !part.is_empty());
    known.cloned().collect::<Vec<_>>().join("  ")
}

/// Receipts by number, with or without the station's name, then by customer, newest first. Both are looked up in
/// an index: a customer's in that of the receipts that name one.
fn receipts_like(snapshot: &mut Snapshot<'_>, text: &str, like: &str) -> Result<Vec<Hit>, Failure> {
    let mut keys = numbered(snapshot, text)?;
    let named = "SELECT key FROM receipt WHERE customer > '' AND customer LIKE $1 ESCAPE '!' ORDER BY issued_at DESC LIMIT 15";
    for row in snapshot.query(named, &[like.into()])? {
        let key = row.text(0).to_owned();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let mut receipts: Vec<Receipt> = snapshot.all(&keys)?;
    let place = |receipt: &Receipt| keys.iter().position(|key| *key == receipt.id.to_string());
    receipts.sort_by_key(place);
    let mut hits = Vec::new();
    for receipt in receipts {
        let price = crate::domain::money::priced(receipt.total, receipt.currency);
        let shown = shown(snapshot, receipt.lines.iter().map(|line| line.performance))?;
        let number = format!("receipt {}", receipt.number);
        let label = joined([&number, &price, &receipt.customer.name, &shown]);
        hits.push(Hit {
            target: HitTarget::Receipt(receipt.id),
            label,
        });
    }
    Ok(hits)
}

/// The keys of receipts with a number as it was typed: `till-2/457`, or `457` of any station.
fn numbered(snapshot: &mut Snapshot<'_>, text: &str) -> Result<Vec<String>, Failure> {
    let (station, number) = text.rsplit_once('/').unwrap_or(("", text));
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    let mut keys = Vec::new();
    for row in snapshot.query("SELECT key FROM station ORDER BY key LIMIT 500", &[])? {
        let name = row.text(0);
        if !station.is_empty() && name.to_lowercase() != station {
            continue;
        }
        let number = format!("{name}/{number}");
        let found = snapshot.query(
            "SELECT key FROM receipt WHERE number = $1",
            &[number.into()],
        )?;
        keys.extend(found.iter().map(|row| row.text(0).to_owned()));
    }
    Ok(keys)
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
        let when = label.start.format(label.zone, "%a %-d %b %H:%M");
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
    let mut hits = Vec::new();
    for cart in carts {
        let shown = shown(snapshot, cart.lines.iter().map(|line| line.performance))?;
        let name = format!("cart ..{}", cart.id.tail());
        let seats = match cart.seat_count() {
            1 => "1 seat".to_owned(),
            count => format!("{count} seats"),
        };
        let label = joined([&name, &seats, &cart.station, &cart.customer.name, &shown]);
        hits.push(Hit {
            target: HitTarget::Cart(cart.id),
            label,
        });
    }
    Ok(hits)
}
