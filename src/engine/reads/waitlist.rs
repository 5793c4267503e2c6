//! Waiting lists: entries, their order, and why each still waits.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::domain::best::{self, Access, Aisle, SeatWish};
use crate::domain::cart::{Cart, CartState};
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::line::seated;
use crate::domain::performance::{ADULT, Performance};
use crate::domain::time::Instant;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::reads::carts::{PerformanceLabel, label, named};
use crate::engine::reads::{Question, Snapshot, is_free};
use crate::engine::work::Failure;
use crate::store::Row;

/// Waiting list entry with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitView {
    pub waiting: Waiting,
    pub customer: Customer,
    pub performance: PerformanceLabel,
    pub category: Option<String>,
    /// Ticket type of the offered seats, or the first accepted one.
    pub ticket_type: String,
    /// Position among those who wait, from 1; `None` if it does not wait.
    pub place: Option<usize>,
    pub why: WaitReason,
}

/// Reason why a waiting list entry still waits, or its offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    NothingFree,
    /// Suitable seats are free, but not enough together.
    NotTogether {
        /// Free seats in all.
        free: usize,
    },
    /// Suitable seats are free and about to be offered.
    AboutToBeOffered,
    Offered {
        cart: CartId,
        seats: Vec<String>,
        until: Instant,
    },
    Ended,
}

/// Lists waiting list entries, by performance and position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadWaitlist {
    pub performance: Option<PerformanceId>,
    pub which: WhichWaiting,
}

/// Selection of waiting list entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichWaiting {
    /// Entries that wait or have an offer.
    #[default]
    Open,
    /// Ended entries too.
    All,
}

impl Question for ReadWaitlist {
    type Answer = Vec<WaitView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let only = self.performance.map(|id| id.to_string()).unwrap_or_default();
        let states = match self.which {
            WhichWaiting::Open => " AND state IN ('waiting', 'offered')",
            WhichWaiting::All => "",
        };
        let condition =
            format!("WHERE ($1 = '' OR performance = $1){states} ORDER BY performance, since, key LIMIT 500");
        let mut entries: Vec<Waiting> = snapshot.select(&condition, &[only.into()])?;
        Waiting::in_order(&mut entries);
        let mut places: HashMap<PerformanceId, usize> = HashMap::new();
        let entries = entries.into_iter().map(|waiting| {
            let place = places.entry(waiting.performance).or_default();
            let place = (waiting.state == WaitState::Waiting).then(|| {
                *place += 1;
                *place
            });
            (waiting, place)
        });
        let entries: Vec<_> = entries.collect();
        snapshot.each(&entries, |snapshot, (waiting, place)| view(snapshot, waiting.clone(), *place))
    }
}

/// Length of a waiting list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WaitlistLength {
    /// Parties waiting.
    pub people: usize,
    /// Seats they wait for in all.
    pub seats: usize,
}

/// Lengths of the non-empty waiting lists, of one performance or of all.
pub(in crate::engine) fn lines(
    snapshot: &mut Snapshot<'_>,
    performance: Option<PerformanceId>,
) -> Result<Vec<(PerformanceId, WaitlistLength)>, Failure> {
    let only = performance.map(|id| id.to_string()).unwrap_or_default();
    let rows = snapshot.query(
        "SELECT performance, COUNT(*), CAST(SUM(seats) AS BIGINT) FROM waiting \
         WHERE ($1 = '' OR performance = $1) AND state IN ('waiting', 'offered') AND state = 'waiting' \
         GROUP BY performance",
        &[only.into()],
    )?;
    let number = |row: &Row, column| usize::try_from(row.int(column)).unwrap_or_default();
    let line = |row: &Row| {
        let line = WaitlistLength { people: number(row, 1), seats: number(row, 2) };
        Some((row.text(0).parse().ok()?, line))
    };
    Ok(rows.iter().filter_map(line).collect())
}

/// Adds display names to an entry returned by an operation.
#[derive(Clone, Debug)]
pub struct ReadWaiting(pub Waiting);

impl Question for ReadWaiting {
    type Answer = WaitView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<WaitView, Failure> {
        let query = ReadWaitlist { performance: Some(self.0.performance), which: WhichWaiting::Open };
        let line = query.ask(snapshot)?;
        let found = line.into_iter().find(|view| view.waiting.id == self.0.id);
        found.map_or_else(|| view(snapshot, self.0.clone(), None), Ok)
    }
}

fn view(snapshot: &mut Snapshot<'_>, waiting: Waiting, place: Option<usize>) -> Result<WaitView, Failure> {
    let waiting = as_it_stands(snapshot, waiting)?;
    // first, since the search for seats takes longest
    let (at, customer) = (label(snapshot, waiting.performance)?, snapshot.customer(Some(waiting.customer))?);
    let performance: Performance = snapshot.get(waiting.performance)?;
    let seating = snapshot.seating(performance.plan)?;
    let category = waiting
        .category
        .and_then(|place| seating.plan.categories.get(usize::from(place)))
        .map(|category| category.name.clone());
    let why = match &waiting.state {
        WaitState::Waiting => why_waiting(snapshot, &performance, &waiting)?,
        WaitState::Offered { cart, .. } => offered(snapshot, *cart)?,
        WaitState::Served { .. } | WaitState::Lapsed { .. } | WaitState::Removed { .. } | WaitState::Closed { .. } => {
            WaitReason::Ended
        }
    };
    let offered = match &waiting.state {
        WaitState::Offered { cart, .. } | WaitState::Served { cart } => {
            let cart: Cart = snapshot.get(cart)?;
            cart.lines.first().map(|line| line.kind.clone())
        }
        WaitState::Waiting | WaitState::Lapsed { .. } | WaitState::Removed { .. } | WaitState::Closed { .. } => None,
    };
    let first = || performance.ticket_types(waiting.category).first().copied();
    Ok(WaitView {
        ticket_type: offered.unwrap_or_else(|| first().unwrap_or(ADULT).to_owned()),
        performance: at,
        customer,
        category,
        place,
        why,
        waiting,
    })
}

/// Updates an entry's state by the present state of its offer, which no job may have recorded yet.
fn as_it_stands(snapshot: &mut Snapshot<'_>, waiting: Waiting) -> Result<Waiting, Failure> {
    let WaitState::Offered { cart: id, .. } = waiting.state else {
        return Ok(waiting);
    };
    let cart: Cart = snapshot.get(id)?;
    let state = match cart.state_at(snapshot.now()) {
        CartState::Active if cart.reservation.is_none() => return Ok(waiting),
        CartState::Active | CartState::Done(_) => WaitState::Served { cart: id },
        CartState::Canceled | CartState::Expired => {
            WaitState::Lapsed { cart: id, at: cart.expires_at.min(snapshot.now()) }
        }
    };
    Ok(Waiting { state, ..waiting })
}

fn offered(snapshot: &mut Snapshot<'_>, id: CartId) -> Result<WaitReason, Failure> {
    let cart: Cart = snapshot.get(id)?;
    let mut seats = Vec::new();
    for (performance, held) in seated(&cart.lines) {
        let names = named(snapshot, performance, held)?;
        seats.extend(names.into_iter().map(|(_, name)| name));
    }
    Ok(WaitReason::Offered { cart: id, seats, until: cart.expires_at })
}

fn why_waiting(
    snapshot: &mut Snapshot<'_>,
    performance: &Performance,
    waiting: &Waiting,
) -> Result<WaitReason, Failure> {
    let seating = snapshot.seating(performance.plan)?;
    let (chunks, now) = (snapshot.chunks(performance.id)?, snapshot.now());
    let is_free = |seat| is_free(&chunks, seat, now);
    let types = performance.ticket_types(waiting.category);
    let sold_as = |seat, ticket_type: &str| seating.sells(performance, seat, ticket_type);
    let wish = SeatWish {
        count: waiting.seats,
        category: waiting.category,
        zone: None,
        aisle: Aisle::Any,
        access: Access::Ordinary,
    };
    let on_sale = |seat| is_free(seat) && types.iter().any(|one| sold_as(seat, one));
    let open = best::fitting(&seating.search(&on_sale), &wish);
    let fits = |ticket_type: &&str| {
        let free = |seat| is_free(seat) && sold_as(seat, ticket_type);
        best::best(&seating.search(&free), &wish).is_some()
    };
    Ok(if open == 0 || !performance.is_on_sale(now) {
        WaitReason::NothingFree
    } else if types.iter().any(fits) {
        WaitReason::AboutToBeOffered
    } else {
        WaitReason::NotTogether { free: open }
    })
}
