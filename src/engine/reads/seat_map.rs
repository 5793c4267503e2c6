//! Seat map of a performance: the state of each seat.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::availability::{Chunk, Claim, Grip};
use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::house::{Keep, WorkKind, WorklistItem};
use crate::domain::ids::{BookingId, CartId, KeepId, LineId, PerformanceId};
use crate::domain::owner::Owner;
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::{Plan, SeatRef, StandingRoom};
use crate::domain::time::Instant;
use crate::engine::reads::waitlist::{self, WaitlistLength};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// All seats of one performance with their states, from one snapshot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatMap {
    pub performance: Performance,
    pub theater: String,
    pub zone: Tz,
    /// Plan version on sale.
    pub plan: Arc<Plan>,
    /// Time of the snapshot, by which deadlines were judged.
    pub at: Instant,
    pub free: u32,
    /// Number of free seats of each category of the plan.
    pub free_of: Vec<u32>,
    pub waiting: WaitlistLength,
    /// Seat states by row of the plan, in chunk order; rows that nobody changes are shared with copies of the map.
    pub rows: Vec<Arc<[SeatState]>>,
}

/// Places of standing room by state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaTally {
    pub area: String,
    /// Places that are not out of use.
    pub places: u32,
    pub free: u32,
    pub held: u32,
    pub kept: u32,
    /// Sold.
    pub booked: u32,
    pub disabled: u32,
}

/// State of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatState {
    Free,
    Held(Box<Holder>),
    Kept {
        /// Reason or person.
        reason: String,
        /// Time it becomes free.
        until: Instant,
    },
    /// Sold.
    Booked {
        line: LineId,
    },
    Disabled {
        operator: String,
        /// Operator who approved it.
        #[serde(skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
        reason: String,
        /// A buyer of the seat is on the worklist.
        displaced: bool,
    },
}

/// Cart that holds a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    pub cart: CartId,
    pub line: u32,
    pub operator: String,
    pub station: String,
    pub set_aside: bool,
    /// Customer of a reservation.
    pub reserved: Option<String>,
    pub offered_to: Option<String>,
    pub until: Instant,
}

impl SeatMap {
    /// Returns the state of a seat; `None` outside the plan.
    pub fn state(&self, seat: SeatRef) -> Option<&SeatState> {
        self.rows.get(usize::try_from(seat.row).ok()?)?.get(usize::try_from(seat.seat).ok()?)
    }

    /// States of all seats, in chunk order.
    pub fn states(&self) -> impl Iterator<Item = &SeatState> {
        self.rows.iter().flat_map(|row| row.iter())
    }

    /// Returns whether a seat is free.
    pub fn is_free(&self, seat: SeatRef) -> bool {
        matches!(self.state(seat), Some(SeatState::Free))
    }

    /// Returns a test for seats that are free and sold as a ticket type.
    pub fn on_sale(&self, ticket_type: &str) -> impl Fn(SeatRef) -> bool {
        let categories = (0..).zip(&self.plan.categories);
        let sold: Vec<bool> = categories.map(|(category, _)| self.performance.sells(category, ticket_type)).collect();
        let is_sold = move |category: u16| sold.get(usize::from(category)) == Some(&true);
        move |seat| self.is_free(seat) && self.plan.seat(seat).is_some_and(|found| is_sold(found.category))
    }

    /// Counts the places of standing room by state.
    pub fn tally(&self, area: &StandingRoom<'_>) -> AreaTally {
        let mut tally = AreaTally { area: area.name.clone(), ..AreaTally::default() };
        let rows = area.rows.iter().filter_map(|row| self.rows.get(usize::try_from(*row).ok()?));
        for state in rows.flat_map(|row| row.iter()) {
            *match state {
                SeatState::Free => &mut tally.free,
                SeatState::Held(_) => &mut tally.held,
                SeatState::Kept { .. } => &mut tally.kept,
                SeatState::Booked { .. } => &mut tally.booked,
                SeatState::Disabled { .. } => &mut tally.disabled,
            } += 1;
            tally.places += 1;
        }
        tally.places -= tally.disabled;
        tally
    }

    /// Sets the state of a seat, and counts it; returns whether it became free or was.
    pub fn set(&mut self, seat: SeatRef, state: SeatState) -> bool {
        if self.state(seat).is_none_or(|own| *own == state) {
            return false;
        }
        let place = usize::try_from(seat.row).ok().zip(usize::try_from(seat.seat).ok());
        let Some(own) = place.and_then(|(row, at)| Arc::make_mut(self.rows.get_mut(row)?).get_mut(at)) else {
            return false;
        };
        let (was_free, is_free) = (*own == SeatState::Free, state == SeatState::Free);
        *own = state;
        if was_free == is_free {
            return false;
        }
        let category = self.plan.seat(seat).map(|seat| usize::from(seat.category));
        let of_category = category.and_then(|category| self.free_of.get_mut(category));
        for count in [Some(&mut self.free), of_category].into_iter().flatten() {
            *count = if is_free { count.saturating_add(1) } else { count.saturating_sub(1) };
        }
        true
    }

    /// Counts the free seats again, after a change of `rows`.
    pub fn count(&mut self) {
        let mut free_of = vec![0; self.plan.categories.len()];
        let free = self.states().zip(self.plan.seats()).filter(|(state, _)| **state == SeatState::Free);
        let mut all = 0;
        for (_, (_, seat)) in free {
            all += 1;
            if let Some(count) = free_of.get_mut(usize::from(seat.category)) {
                *count += 1;
            }
        }
        (self.free, self.free_of) = (all, free_of);
    }
}

/// Reads the seat map of a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadSeatMap(pub PerformanceId);

impl Question for ReadSeatMap {
    type Answer = SeatMap;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<SeatMap, Failure> {
        let performance: Performance = snapshot.get(self.0)?;
        let theater: Theater = snapshot.get(performance.theater)?;
        let seating = snapshot.seating(performance.plan)?;
        let chunks = snapshot.chunks(performance.id)?;
        let now = snapshot.now();
        let owners = Owners::load(snapshot, performance.id, &chunks)?;
        let lines = waitlist::lines(snapshot, Some(performance.id))?;
        let waiting = lines.first().map(|(_, line)| *line).unwrap_or_default();
        let rows = chunks.iter().map(|chunk| row_of(chunk, &owners, now)).collect();
        let mut map = SeatMap {
            performance,
            theater: theater.name,
            zone: theater.time_zone,
            plan: Arc::clone(&seating.plan),
            at: now,
            free: 0,
            free_of: Vec::new(),
            waiting,
            rows,
        };
        map.count();
        Ok(map)
    }
}

fn row_of(chunk: &Chunk, owners: &Owners, now: Instant) -> Arc<[SeatState]> {
    let mut row = vec![SeatState::Free; usize::try_from(chunk.cells).unwrap_or_default()];
    for run in chunk.runs.iter().filter(|run| !run.claim.is_late(now)) {
        for seat in run.from..=run.to {
            let place = usize::try_from(seat).ok();
            if let Some(place) = place.and_then(|place| row.get_mut(place)) {
                let at = SeatRef { row: chunk.number, seat };
                *place = owners.state(&run.claim, at);
            }
        }
    }
    row.into()
}

struct Owners {
    /// Carts with the name of their customer.
    carts: HashMap<CartId, (Cart, String)>,
    keeps: HashMap<KeepId, Keep>,
    disables: HashMap<BookingId, Booking>,
    displaced: HashSet<SeatRef>,
}

impl Owners {
    fn load(snapshot: &mut Snapshot<'_>, performance: PerformanceId, chunks: &[Chunk]) -> Result<Self, Failure> {
        let mut keys: (Vec<String>, Vec<String>, Vec<String>) = Default::default();
        for claim in chunks.iter().flat_map(|chunk| &chunk.runs).map(|run| &run.claim) {
            match (&claim.owner, claim.grip) {
                (Owner::Line(line), Grip::Held) => keys.0.push(line.cart.to_string()),
                (Owner::Line(_), Grip::Booked | Grip::Disabled) | (Owner::Booking(..), _) => {}
                (Owner::Keep(keep), _) => keys.1.push(keep.to_string()),
                (Owner::Disable(disable, _), _) => keys.2.push(disable.to_string()),
            }
        }
        let mut carts = HashMap::new();
        let found: Vec<Cart> = snapshot.all(&keys.0)?;
        snapshot.load_customers(found.iter().map(|cart| cart.customer))?;
        for cart in found {
            let customer = snapshot.customer(cart.customer)?.name;
            carts.insert(cart.id, (cart, customer));
        }
        let keeps = snapshot.all::<Keep>(&keys.1)?.into_iter().map(|keep| (keep.id, keep)).collect();
        let disables = snapshot.all::<Booking>(&keys.2)?.into_iter().map(|disable| (disable.id, disable)).collect();
        let displaced = if keys.2.is_empty() { HashSet::new() } else { displaced_from(snapshot, performance)? };
        Ok(Self { carts, keeps, disables, displaced })
    }

    fn state(&self, claim: &Claim, seat: SeatRef) -> SeatState {
        let until = claim.until.unwrap_or_default();
        match (&claim.owner, claim.grip) {
            (Owner::Line(line), Grip::Held) => {
                let found = self.carts.get(&line.cart);
                let (cart, customer) = (found.map(|(cart, _)| cart), found.map(|(_, name)| name));
                SeatState::Held(Box::new(Holder {
                    cart: line.cart,
                    line: line.number,
                    operator: cart.map(|cart| cart.operator.clone()).unwrap_or_default(),
                    station: cart.map(|cart| cart.station.clone()).unwrap_or_default(),
                    set_aside: cart.is_some_and(|cart| cart.set_aside),
                    reserved: cart.filter(|cart| cart.reservation.is_some()).and(customer.cloned()),
                    offered_to: cart.filter(|cart| cart.offered_to.is_some()).and(customer.cloned()),
                    until,
                }))
            }
            (Owner::Line(line), Grip::Booked | Grip::Disabled) => SeatState::Booked { line: *line },
            (Owner::Keep(keep), _) => {
                let reason = self.keeps.get(keep).map(|keep| keep.reason.clone()).unwrap_or_default();
                SeatState::Kept { reason, until }
            }
            (Owner::Disable(disable, operator), _) => {
                let act = self.disables.get(disable);
                SeatState::Disabled {
                    operator: operator.clone(),
                    approved: act.and_then(|act| act.approved.clone()),
                    reason: act.map(|act| act.title.clone()).unwrap_or_default(),
                    displaced: self.displaced.contains(&seat),
                }
            }
            // a booking claims only time, never seats; show the seat as taken anyway
            (Owner::Booking(_, booking), _) => SeatState::Kept { reason: booking.tail(), until },
        }
    }
}

/// Seats of a performance lost by owners on the worklist.
fn displaced_from(snapshot: &mut Snapshot<'_>, performance: PerformanceId) -> Result<HashSet<SeatRef>, Failure> {
    let open: Vec<WorklistItem> = snapshot.select("WHERE state = 'open'", &[])?;
    let lost = open.iter().flat_map(|item| match &item.what {
        WorkKind::Displaced { loss, .. } => loss.cells.seats_of(performance),
        WorkKind::UnissuedPayment { .. }
        | WorkKind::Overpaid { .. }
        | WorkKind::Overridden { .. }
        | WorkKind::Differs { .. } => &[],
    });
    Ok(lost.copied().collect())
}
