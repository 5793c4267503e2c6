//! Carts: one with its display names, and the lists of open carts and reservations.

use crate::domain::cart::{Cart, CartState, Reservation};
use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::domain::money::Currency;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

mod lines;
mod losses;
mod returns;

pub use lines::{GoodsView, LineView, PerformanceLabel, TimeView};
pub(super) use lines::{label, lines, named, time, title};
use losses::losses;
pub use losses::{LossView, LostWhat};
pub(super) use returns::returns;
pub use returns::{ReturnedCells, ReturnedView};
use serde::{Deserialize, Serialize};

/// Cart with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CartView {
    pub cart: Cart,
    pub customer: Customer,
    /// State when read: expired once past the deadline.
    pub state: CartState,
    /// Number of the receipt of a completed cart.
    pub receipt: Option<String>,
    /// Lines: seats, then time.
    pub lines: Vec<LineView>,
    /// Cells of receipts that it brings back.
    pub returns: Vec<ReturnedView>,
    pub lost: Vec<LossView>,
    /// Total price in minor units.
    pub total: i64,
}

impl CartView {
    /// Returns whether it has no lines and brings nothing back.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.returns.is_empty()
    }

    /// Summary for a list.
    pub fn row(&self) -> CartRow {
        let title = self.lines.first().map_or("", LineView::title);
        CartRow::of((&self.cart, self.customer.clone()), self.state, self.total, title.to_owned())
    }
}

/// Cart in one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CartRow {
    pub id: CartId,
    /// State when read.
    pub state: CartState,
    pub operator: String,
    pub station: String,
    pub set_aside: bool,
    pub reservation: Option<Reservation>,
    pub customer: Customer,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub seats: usize,
    /// Total price in minor units.
    pub total: i64,
    /// Currency; `None` for an empty cart.
    pub currency: Option<Currency>,
    /// Title of the performance, or name of the resource, of its first line.
    pub title: String,
}

impl CartRow {
    fn of((cart, customer): (&Cart, Customer), state: CartState, total: i64, title: String) -> Self {
        Self {
            id: cart.id,
            state,
            operator: cart.operator.clone(),
            station: cart.station.clone(),
            set_aside: cart.set_aside,
            reservation: cart.reservation,
            customer,
            created_at: cart.created_at,
            expires_at: cart.expires_at,
            seats: cart.seat_count(),
            total,
            currency: cart.currency,
            title,
        }
    }
}

/// Reads one cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadCart(pub CartId);

/// Adds display names to a cart returned by an operation, in the state it had then.
#[derive(Clone, Debug)]
pub struct ReadAnsweredCart(pub Cart);

impl Question for ReadAnsweredCart {
    type Answer = CartView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<CartView, Failure> {
        let answered = self.0.state;
        let view = view(snapshot, self.0.clone())?;
        Ok(CartView { state: answered, ..view })
    }
}

/// Lists carts that are active and not past their deadline, by deadline, at most
/// [`PAGE_MAX`](crate::engine::reads::PAGE_MAX).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadOpenCarts {
    pub after: Option<CartId>,
    /// Carts of this station first, then those set aside.
    pub station: Option<String>,
}

/// Lists unpaid reservations by pay-by time: the first 100, or those after one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadReservations {
    pub after: Option<CartId>,
}

/// Lists all carts, oldest first.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct ReadCarts {
    pub after: Option<CartId>,
}

impl Question for ReadCart {
    type Answer = CartView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<CartView, Failure> {
        let cart = snapshot.get(self.0)?;
        view(snapshot, cart)
    }
}

/// Adds display names to a cart.
fn view(snapshot: &mut Snapshot<'_>, cart: Cart) -> Result<CartView, Failure> {
    let lines = lines(snapshot, cart.id, &cart.lines)?;
    let state = cart.state_at(snapshot.now());
    let receipt = match state {
        CartState::Done(receipt) => Some(snapshot.get::<Receipt>(receipt)?.number),
        CartState::Active | CartState::Canceled | CartState::Expired => None,
    };
    Ok(CartView {
        state,
        receipt,
        lines,
        returns: returns(snapshot, &cart.returns)?,
        lost: losses(snapshot, &cart.lost)?,
        customer: snapshot.customer(cart.customer)?,
        total: cart.total()?,
        cart,
    })
}

/// Sort position at which a list of open carts by deadline continues: after a cart, or at the present time.
fn place_after(snapshot: &mut Snapshot<'_>, after: Option<CartId>) -> Result<(i64, String), Failure> {
    let now = snapshot.now().millis();
    let Some(after) = after else {
        return Ok((now, String::new()));
    };
    let deadline = snapshot.get::<Cart>(after)?.expires_at.millis();
    Ok((deadline.max(now), after.to_string()))
}

impl Question for ReadOpenCarts {
    type Answer = Vec<CartRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CartRow>, Failure> {
        let now = snapshot.now().millis();
        let last = place_after(snapshot, self.after)?;
        let station = self.station.as_deref().unwrap_or_default();
        let carts: Vec<Cart> = snapshot.select(
            "WHERE state = 'active' AND expires_at > $1 AND (expires_at > $2 OR (expires_at = $2 AND key > $3)) \
             ORDER BY CASE WHEN $4 = '' THEN 0 WHEN station = $4 THEN 1 WHEN set_aside = 1 THEN 2 ELSE 3 END, \
             expires_at, key LIMIT 100",
            &[now.into(), last.0.into(), last.1.into(), station.into()],
        )?;
        rows(snapshot, &carts)
    }
}

impl Question for ReadReservations {
    type Answer = Vec<CartRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CartRow>, Failure> {
        let now = snapshot.now().millis();
        let last = place_after(snapshot, self.after)?;
        let carts: Vec<Cart> = snapshot.select(
            "WHERE state = 'active' AND reserved = 1 AND expires_at > $1 \
             AND (expires_at > $2 OR (expires_at = $2 AND key > $3)) ORDER BY expires_at, key LIMIT 100",
            &[now.into(), last.0.into(), last.1.into()],
        )?;
        rows(snapshot, &carts)
    }
}

impl Question for ReadCarts {
    type Answer = Vec<CartRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CartRow>, Failure> {
        let after = self.after.map(|cart| cart.to_string()).unwrap_or_default();
        let carts: Vec<Cart> = snapshot.select("WHERE key > $1 ORDER BY key LIMIT 100", &[after.into()])?;
        rows(snapshot, &carts)
    }
}

fn rows(snapshot: &mut Snapshot<'_>, carts: &[Cart]) -> Result<Vec<CartRow>, Failure> {
    snapshot.each(carts, row)
}

fn row(snapshot: &mut Snapshot<'_>, cart: &Cart) -> Result<CartRow, Failure> {
    let title = title(snapshot, &cart.lines)?;
    let state = cart.state_at(snapshot.now());
    let customer = snapshot.customer(cart.customer)?;
    Ok(CartRow::of((cart, customer), state, cart.total()?, title))
}
