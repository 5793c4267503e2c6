//! Customers of a performance: those who have seats of it, or lost them and have to be called.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::domain::cart::{Cart, CartState};
use crate::domain::customer::Customer;
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::line::Line;
use crate::domain::loss::Loss;
use crate::domain::money::{self, Price};
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::receipt::{Receipt, Tickets};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

pub mod known;
pub(in crate::engine::reads) mod matching;

/// Order of a customer for a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerformanceCustomer {
    pub customer: Customer,
    /// Number of the receipt; none for a cart or reservation that was not paid.
    pub number: Option<String>,
    pub receipt: Option<ReceiptId>,
    pub cart: CartId,
    /// Names of the seats that it has, or lost and are not settled.
    pub seats: Vec<String>,
    /// Seats by ticket type.
    pub types: Vec<(String, usize)>,
    /// Money paid for these seats; none if nothing was.
    pub paid: Option<Price>,
    /// Money to be paid for these seats; none once they are paid.
    pub owed: Option<Price>,
    /// Where the tickets are; none before they are paid.
    pub tickets: Option<Tickets>,
}

impl PerformanceCustomer {
    /// Counts the ticket types of the seats that some lines have of a performance, or lost; returns their price and the seats.
    fn count(&mut self, lines: &[Line], performance: PerformanceId) -> Result<(i64, Vec<SeatRef>), Failure> {
        let (mut minor, mut seats): (i64, Vec<SeatRef>) = (0, Vec::new());
        for line in lines.iter().filter(|line| line.goods.performance() == Some(performance)) {
            let mine = [line.goods.seats(), line.goods.lost()].concat();
            minor += money::times(line.unit_price, u32::try_from(mine.len()).unwrap_or(u32::MAX))?;
            match self.types.iter_mut().find(|(kind, _)| *kind == line.kind) {
                Some((_, count)) => *count += mine.len(),
                None if mine.is_empty() => {}
                None => self.types.push((line.kind.clone(), mine.len())),
            }
            seats.extend(mine);
        }
        Ok((minor, seats))
    }

    /// Returns whether somebody may come for it: all but sales without a name whose tickets were handed over at once, and
    /// carts without a name.
    fn may_come(&self) -> bool {
        !self.customer.name.is_empty() || !matches!(self.tickets, None | Some(Tickets::Given))
    }
}

/// Lists who may come for tickets of a performance, by last name; those without one last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadDoor(pub PerformanceId);

impl Question for ReadDoor {
    type Answer = Vec<PerformanceCustomer>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<PerformanceCustomer>, Failure> {
        let mut door = ReadPerformanceCustomers(self.0).ask(snapshot)?;
        door.retain(PerformanceCustomer::may_come);
        door.sort_by_cached_key(|one| {
            let name = one.customer.last_first().to_lowercase();
            (name.is_empty(), name, one.number.clone())
        });
        Ok(door)
    }
}

/// Lists the customers of a performance, by name, those without one last: paid, reserved, set aside, and those who lost their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPerformanceCustomers(pub PerformanceId);

impl Question for ReadPerformanceCustomers {
    type Answer = Vec<PerformanceCustomer>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<PerformanceCustomer>, Failure> {
        let performance: Performance = snapshot.get(self.0)?;
        let seating = snapshot.seating(performance.plan)?;
        let mut orders: BTreeMap<CartId, BTreeSet<SeatRef>> = BTreeMap::new();
        let now = snapshot.now();
        for chunk in snapshot.chunks(self.0)? {
            let live = chunk.claims_from(0).filter(|(_, claim)| !claim.is_late(now));
            for (cells, claim) in live {
                if let Some(cart) = claim.owner.cart() {
                    let row = chunk.number;
                    let seats = cells.cells().map(|seat| SeatRef { row, seat });
                    orders.entry(cart).or_default().extend(seats);
                }
            }
        }
        for (cart, loss) in losses(snapshot, &performance)? {
            let seats = loss.cells.seats_of(self.0);
            orders.entry(cart).or_default().extend(seats);
        }
        let keys: Vec<String> = orders.keys().map(ToString::to_string).collect();
        let carts: Vec<Cart> = snapshot.all(&keys)?;
        let found = snapshot.each(&carts, |snapshot, cart| {
            let seats = orders.get(&cart.id).cloned().unwrap_or_default();
            let order = order_of(snapshot, (cart, &performance), &seats)?;
            Ok(order.map(|(order, seats)| PerformanceCustomer { seats: seating.names(&seats), ..order }))
        })?;
        let mut found: Vec<PerformanceCustomer> = found.into_iter().flatten().collect();
        found.sort_by(|one, other| {
            let name = |of: &PerformanceCustomer| {
                let name = of.customer.name.to_lowercase();
                (name.is_empty(), name, of.number.clone())
            };
            name(one).cmp(&name(other))
        });
        Ok(found)
    }
}

/// Losses of seats of a performance with the carts that had them; of a canceled one the settled losses too.
pub(super) fn losses(snapshot: &mut Snapshot<'_>, performance: &Performance) -> Result<Vec<(CartId, Loss)>, Failure> {
    let open = match performance.state {
        PerformanceState::Open => "state = 'open' AND ",
        PerformanceState::Canceled | PerformanceState::Retired => "",
    };
    let of_it = format!("WHERE {open}performance <> '' AND performance = $1 ORDER BY key");
    let items: Vec<WorklistItem> = snapshot.select(&of_it, &[performance.id.to_string().into()])?;
    let lost = items.into_iter().filter_map(|item| {
        let WorkKind::Displaced { owner, loss, .. } = item.what else {
            return None;
        };
        Some((owner.cart()?, loss))
    });
    Ok(lost.collect())
}

/// The order of a cart with its seats; none if nothing of it is left to tell the customer.
fn order_of(
    snapshot: &mut Snapshot<'_>,
    (cart, performance): (&Cart, &Performance),
    seats: &BTreeSet<SeatRef>,
) -> Result<Option<(PerformanceCustomer, Vec<SeatRef>)>, Failure> {
    let mut order = PerformanceCustomer {
        customer: snapshot.customer(cart.customer)?,
        number: None,
        receipt: None,
        cart: cart.id,
        seats: Vec::new(),
        types: Vec::new(),
        paid: None,
        owed: None,
        tickets: None,
    };
    let CartState::Done(receipt) = cart.state else {
        let (minor, _) = order.count(&cart.lines, performance.id)?;
        order.owed = cart.currency.map(|currency| Price { minor, currency });
        return Ok(Some((order, seats.iter().copied().collect())));
    };
    let receipt: Receipt = snapshot.get(receipt)?;
    let (minor, mut left) = order.count(&receipt.lines, performance.id)?;
    left.sort_unstable();
    order.customer = snapshot.customer(receipt.customer)?;
    (order.number, order.receipt) = (Some(receipt.number), Some(receipt.id));
    order.paid = Some(Price { minor, currency: receipt.currency });
    order.tickets = Some(receipt.tickets);
    Ok((!left.is_empty()).then_some((order, left)))
}
