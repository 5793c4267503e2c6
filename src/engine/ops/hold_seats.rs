//! Holds seats in a cart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::best::{Access, Aisle};
use crate::domain::cart::Cart;
use crate::domain::house::{Keep, Settings};
use crate::domain::ids::{CartId, KeepId, PerformanceId};
use crate::domain::line::Line;
use crate::domain::owner::Owner;
use crate::domain::performance::{ADULT, Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::houses::SeatingPlan;
use crate::engine::ops::ending::{put_changed, put_keep};
use crate::engine::ops::open_cart::{open, this_or_new};
use crate::engine::ops::{cart_claims, claims, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Holds seats in a cart, all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldSeats {
    /// Cart; a new one if `None`.
    pub cart: Option<CartId>,
    /// Performance.
    pub performance: PerformanceId,
    /// Seats.
    pub seats: Wanted,
    /// Ticket type; adult if `None`.
    pub ticket_type: Option<String>,
    /// Treatment of seats kept by the house.
    pub kept: Kept,
}

/// Choice of seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Seats by position in the plan.
    Seats(Vec<SeatRef>),
    /// Seats by unique name.
    Named(Vec<String>),
    /// Best free seats together.
    Best(BestSeats),
}

/// Criteria for the best free seats together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestSeats {
    /// Number of seats.
    pub count: u32,
    /// Required category, by name.
    pub category: Option<String>,
    /// Required zone, by name.
    pub zone: Option<String>,
    /// Aisle preference.
    pub aisle: Aisle,
    /// Wheelchair place.
    #[serde(default, skip_serializing_if = "Access::is_ordinary")]
    pub access: Access,
}

/// Treatment of seats kept by the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Refuse them like taken seats.
    Refuse,
    /// Sell them; an explicit choice.
    Sell,
}

impl Operation for HoldSeats {
    const VERB: &'static str = "hold_seats";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        let performance = on_sale(work, self.performance)?;
        let house = work.house(performance.plan)?;
        if let Wanted::Best(BestSeats { count, .. }) = self.seats {
            // all of them would be new: refuse the number before the search fails
            let wanted = usize::try_from(count).unwrap_or(usize::MAX);
            at_most(&settings, cart.seat_count().saturating_add(wanted))?;
        }
        let chosen = self.choose(work, &house, &performance)?;
        let new = not_yet_in(&cart, performance.id, &chosen);
        if new.is_empty() {
            return Ok(cart);
        }
        at_most(&settings, cart.seat_count() + new.len())?;
        if self.kept == Kept::Sell {
            give_up_kept(work, &performance, &new)?;
        }
        renew(work, &mut cart)?;
        add_lines(
            work,
            &house,
            &mut cart,
            (&performance, &new, self.ticket_type()),
        )?;
        if self.cart.is_none() {
            open(work, &cart)?;
        } else {
            put_changed(work, &mut cart)?;
        }
        Ok(cart)
    }
}

impl HoldSeats {
    /// Requests seats as adult, in a new cart.
    #[must_use]
    pub const fn new(performance: PerformanceId, seats: Wanted) -> Self {
        Self {
            cart: None,
            performance,
            seats,
            ticket_type: None,
            kept: Kept::Refuse,
        }
    }

    /// Requested ticket type, or the default.
    #[must_use]
    pub fn ticket_type(&self) -> &str {
        self.ticket_type.as_deref().unwrap_or(ADULT)
    }

    fn choose(
        &self,
        work: &mut UnitOfWork<'_>,
        house: &SeatingPlan,
        performance: &Performance,
    ) -> Result<Vec<SeatRef>, Failure> {
        let chosen = match &self.seats {
            Wanted::Seats(chosen) => seats::checked(house, chosen)?,
            Wanted::Named(names) => house.seats(names)?,
            Wanted::Best(best) => {
                let wish = seats::BestWish {
                    seats: best,
                    ticket_type: self.ticket_type(),
                };
                seats::best(work, house, performance, &wish)?
            }
        };
        if chosen.is_empty() {
            Err(Refusal::NothingChosen.into())
        } else {
            Ok(chosen)
        }
    }
}

/// Checks a number of seats against the limit of a cart.
pub(super) fn at_most(settings: &Settings, seats: usize) -> Result<(), Refusal> {
    let wanted = u32::try_from(seats).unwrap_or(u32::MAX);
    let seats_max = settings.seats_max;
    if wanted > seats_max {
        Err(Refusal::TooManySeats { wanted, seats_max })
    } else {
        Ok(())
    }
}

/// Loads a performance whose seats are on sale.
///
/// # Errors
/// The performance was canceled or has started.
pub(super) fn on_sale(
    work: &mut UnitOfWork<'_>,
    id: PerformanceId,
) -> Result<Performance, Failure> {
    let performance: Performance = work.get(id)?;
    if performance.is_on_sale(work.now()) {
        return Ok(performance);
    }
    let canceled = performance.state == PerformanceState::Canceled;
    Err(Refusal::SalesClosed {
        performance: performance.title,
        start: performance.start,
        canceled,
    }
    .into())
}

/// Seats that a cart does not have yet.
pub(in crate::engine) fn not_yet_in(
    cart: &Cart,
    performance: PerformanceId,
    seats: &[SeatRef],
) -> Vec<SeatRef> {
    let has = |seat: &SeatRef| {
        cart.lines.iter().any(|line| {
            line.goods.performance() == Some(performance) && line.goods.seats().contains(seat)
        })
    };
    seats.iter().copied().filter(|seat| !has(seat)).collect()
}

/// Renews the deadline of a cart and of its claims.
pub(super) fn renew(work: &mut UnitOfWork<'_>, cart: &mut Cart) -> Result<(), Failure> {
    let before = cart.expires_at;
    cart.renew(work.now());
    if cart.expires_at > before {
        extend_claims(work, cart)
    } else {
        Ok(())
    }
}

/// Sets the deadline of a cart on all its claims.
pub(super) fn extend_claims(work: &mut UnitOfWork<'_>, cart: &Cart) -> Result<(), Failure> {
    let until = cart.expires_at;
    cart_claims::act_all(work, cart, Act::Extend { until })
}

/// Adds a line per price and holds its seats until the cart's deadline.
pub(super) fn add_lines(
    work: &mut UnitOfWork<'_>,
    house: &SeatingPlan,
    cart: &mut Cart,
    wanted: (&Performance, &[SeatRef], &str),
) -> Result<(), Failure> {
    let first = cart.next_line;
    price_lines(house, cart, wanted)?;
    cart_claims::hold_from(work, cart, first)
}

/// Adds a line per price, without holding its seats.
pub(super) fn price_lines(
    house: &SeatingPlan,
    cart: &mut Cart,
    (performance, chosen, ticket_type): (&Performance, &[SeatRef], &str),
) -> Result<(), Failure> {
    let currency = *cart.currency.get_or_insert(performance.currency);
    if currency != performance.currency {
        return Err(Refusal::OtherCurrency {
            cart: currency,
            performance: performance.currency,
        }
        .into());
    }
    let (ticket_type, priced) = seats::price(house, performance, (chosen, ticket_type))?;
    for (price, group) in priced {
        cart.add_line(Line::of_seats(performance.id, (&ticket_type, price), group));
    }
    cart.total()?;
    Ok(())
}

/// Removes seats from their keeps; returns the seats without a keep.
pub(super) fn give_up_kept(
    work: &mut UnitOfWork<'_>,
    performance: &Performance,
    seats: &[SeatRef],
) -> Result<Vec<SeatRef>, Failure> {
    let Some(cells) = claims::cells_of(performance.id, seats)? else {
        return Ok(Vec::new());
    };
    let chunks = work.chunks(&cells.chunk_keys())?;
    let mut keeps: BTreeMap<KeepId, Vec<SeatRef>> = BTreeMap::new();
    let mut others = Vec::new();
    for seat in seats {
        let claim = chunks
            .get(&claims::chunk_of(performance.id, seat.row))
            .and_then(|chunk| chunk.claim(seat.seat));
        match claim.map(|claim| &claim.owner) {
            Some(Owner::Keep(keep)) => keeps.entry(*keep).or_default().push(*seat),
            Some(
                Owner::Line(_) | Owner::Disable(..) | Owner::Booking(..) | Owner::DisableTime(..),
            )
            | None => others.push(*seat),
        }
    }
    for (id, given) in keeps {
        let mut keep: Keep = work.get(id)?;
        claims::free(work, (performance.id, &given), &Owner::Keep(id))?;
        keep.live.retain(|seat| !given.contains(seat));
        put_keep(work, &keep)?;
    }
    Ok(others)
}
