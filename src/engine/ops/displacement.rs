//! Displacement: removes taken cells from their owners.
//!
//! An owner that paid, reserved, or set its cart aside gets a worklist item; an open cart only
//! loses the cells. Either way the event `resource_taken_over` names the owners.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use crate::domain::availability::{CellRange, Claim};
use crate::domain::booking::{Booking, layers};
use crate::domain::cart::{Cart, CartState};
use crate::domain::event::Event;
use crate::domain::house::{Keep, WorkKind, WorklistItem};
use crate::domain::ids::{CartId, KeepId, LineId};
use crate::domain::line::{Goods, Line};
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::Price;
use crate::domain::owner::Owner;
use crate::domain::performance::Performance;
use crate::domain::prices;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::time::{Grid, Slot, hull};
use crate::engine::ops::booking::{price, price_follows};
use crate::engine::ops::ending::{put_changed, put_keep};
use crate::engine::ops::worklist::put_on_worklist;
use crate::engine::ops::{claims, paying, returns, tickets, unit_lines};
use crate::engine::work::{Failure, UnitOfWork};

#[derive(Debug, Default)]
pub(super) struct Displaced {
    pub(super) items: Vec<WorklistItem>,
    /// Open carts that lost something, sorted.
    pub(super) carts: BTreeSet<CartId>,
    /// Keeps of the house that lost seats, sorted.
    pub(super) keeps: BTreeSet<KeepId>,
}

impl Displaced {
    pub(super) fn add(&mut self, more: Self) {
        self.items.extend(more.items);
        self.carts.extend(more.carts);
        self.keeps.extend(more.keeps);
    }
}

/// Frees claims, and removes their cells from the owners.
pub(super) fn take_away(
    work: &mut UnitOfWork<'_>,
    claims: &[(CellRange, Claim)],
    reason: &str,
) -> Result<Displaced, Failure> {
    for (cells, claim) in claims {
        let cells = claims::cells_in(work, cells)?;
        claims::free(work, &cells, &claim.owner)?;
    }
    displace(work, claims, reason)
}

/// Removes the cells of displaced claims from their owners, and sends an event for each resource.
pub(super) fn displace(
    work: &mut UnitOfWork<'_>,
    displaced: &[(CellRange, Claim)],
    reason: &str,
) -> Result<Displaced, Failure> {
    let mut taken: BTreeMap<(Owner, &str), Lost> = BTreeMap::new();
    for (cells, claim) in displaced {
        let more = lost(work, cells)?;
        match taken.entry((claim.owner.clone(), &cells.chunk.resource)) {
            Entry::Vacant(new) => drop(new.insert(more)),
            Entry::Occupied(mut has) => has.get_mut().add(more),
        }
    }
    let mut taken_over: BTreeMap<&str, (Vec<Owner>, Vec<Slot>)> = BTreeMap::new();
    for ((owner, resource), lost) in &taken {
        let (owners, slots) = taken_over.entry(resource).or_default();
        owners.push(owner.clone());
        slots.extend(slots_of(work, &lost.cells)?);
    }
    for (resource, (owners, slots)) in taken_over {
        if let Some(slot) = hull(&slots) {
            work.tell(&Event::ResourceTakenOver { resource: resource.to_owned(), owners, slot })?;
        }
    }
    let mut done = Displaced::default();
    for ((owner, _), lost) in taken {
        for (owner, loss) in losses_of(work, owner, (lost, reason))? {
            match take(work, &owner, &loss)? {
                Outcome::Listed(paid) => {
                    let what = WorkKind::Displaced { owner, loss, paid };
                    done.items.push(put_on_worklist(work, what)?);
                }
                Outcome::Dropped => {
                    done.carts.extend(owner.cart());
                    done.keeps.extend(owner.keep());
                }
            }
        }
    }
    Ok(done)
}

/// Cells that an owner lost of one resource; of a counted one with the number of units of each segment.
struct Lost {
    cells: CellGroup,
    units: BTreeMap<Slot, u32>,
}

impl Lost {
    fn add(&mut self, more: Self) {
        self.cells.add(more.cells);
        for (segment, units) in more.units {
            *self.units.entry(segment).or_default() += units;
        }
    }
}

fn lost(work: &mut UnitOfWork<'_>, range: &CellRange) -> Result<Lost, Failure> {
    let cells = claims::cells_in(work, range)?;
    let mut units = BTreeMap::new();
    if let CellGroup::Time { resource, .. } = &cells {
        let resource: Resource = work.get(resource)?;
        let stride = resource.stride();
        for segment in (range.from / stride..=range.to / stride).filter(|_| resource.count.is_some()) {
            let from = range.from.max(segment * stride);
            let to = range.to.min(segment * stride + stride - 1);
            let slot = resource.slot_of(&CellRange { from, to, ..range.clone() });
            units.extend(slot.map(|slot| (slot, to - from + 1)));
        }
    }
    Ok(Lost { cells, units })
}

/// Losses of an owner: of a counted resource one for each number of units that loses the same time.
fn losses_of(
    work: &mut UnitOfWork<'_>,
    owner: Owner,
    (gone, reason): (Lost, &str),
) -> Result<Vec<(Owner, Loss)>, Failure> {
    let loss = Loss { cells: gone.cells, units: None, of: None, reason: reason.to_owned() };
    let CellGroup::Time { resource, .. } = &loss.cells else {
        return Ok(vec![(owner, loss)]);
    };
    let units: Vec<(Slot, u32)> = gone.units.into_iter().collect();
    if units.is_empty() {
        return Ok(vec![(owner, loss)]);
    }
    let layer = |(units, slots)| {
        let cells = CellGroup::Time { resource: resource.clone(), slots };
        Loss { cells, units: Some(units), ..loss.clone() }
    };
    let mut apart: Vec<Loss> = layers(&units).into_iter().map(layer).collect();
    if let Owner::Line(line) = owner {
        return unit_lines::part(work, line, apart);
    }
    if let Some(id) = owner.booking() {
        let booking: Booking = work.get(id)?;
        for loss in &mut apart {
            let slots = units.iter().map(|(slot, _)| *slot);
            let had = slots.map(|slot| booking.units_in(resource, slot)).max();
            loss.of = had.filter(|had| Some(*had) > loss.units);
        }
    }
    Ok(apart.into_iter().map(|loss| (owner.clone(), loss)).collect())
}

/// Time of lost cells: that of the performance, or their slots.
fn slots_of(work: &mut UnitOfWork<'_>, cells: &CellGroup) -> Result<Vec<Slot>, Failure> {
    Ok(match cells {
        CellGroup::Seats { performance, .. } => {
            let at: Performance = work.get(performance)?;
            Slot::new(at.start, at.end).into_iter().collect()
        }
        CellGroup::Time { slots, .. } => slots.clone(),
    })
}

/// Outcome of a loss for its owner.
enum Outcome {
    Dropped,
    /// A worklist item is needed, with what was paid for the cells.
    Listed(Option<Price>),
}

/// Removes cells from one owner.
fn take(work: &mut UnitOfWork<'_>, owner: &Owner, loss: &Loss) -> Result<Outcome, Failure> {
    match (owner, &loss.cells) {
        (Owner::Line(line), _) => from_line(work, *line, loss),
        (Owner::Keep(id), CellGroup::Seats { seats, .. }) => {
            let mut keep: Keep = work.get(id)?;
            keep.live.retain(|seat| !seats.contains(seat));
            put_keep(work, &keep)?;
            Ok(Outcome::Dropped)
        }
        (Owner::Booking(_, id), CellGroup::Time { resource, slots }) => {
            let mut booking: Booking = work.get(id)?;
            let (follows, before) = (price_follows(work, &booking)?, booking.overpaid());
            match loss.units {
                Some(units) => booking.lose_units(resource, slots, units),
                None => booking.taken.iter_mut().for_each(|taken| taken.lose(resource, slots)),
            }
            if follows {
                booking.price = price(work, &booking.taken)?;
            }
            paying::put(work, &booking)?;
            let minor = booking.overpaid() - before;
            let currency = paying::currency(work, &booking)?.filter(|_| minor > 0);
            Ok(Outcome::Listed(currency.map(|currency| Price { minor, currency })))
        }
        (Owner::Keep(_), CellGroup::Time { .. })
        | (Owner::Booking(..), CellGroup::Seats { .. })
        | (Owner::Disable(..), _) => Ok(Outcome::Dropped),
    }
}

/// Removes cells from a line of a cart or receipt.
fn from_line(work: &mut UnitOfWork<'_>, line: LineId, loss: &Loss) -> Result<Outcome, Failure> {
    let mut cart: Cart = work.get(line.cart)?;
    let is_mine = |one: &&mut Line| one.number == line.number;
    if let CartState::Done(receipt) = cart.state {
        let mut receipt: Receipt = work.get(receipt)?;
        let currency = receipt.currency;
        let mut paid = None;
        if let Some(issued) = receipt.lines.iter_mut().find(is_mine) {
            let cells = issued.goods.returnable().map(|left| left.meet(&loss.cells));
            let minor = cells.map(|cells| returns::worth(work, issued, &cells)).transpose()?.unwrap_or(0);
            paid = Some(Price { minor, currency });
            issued.goods.lose(&loss.cells);
        }
        tickets::end_without_seats(work, &receipt);
        work.put(&receipt)?;
        return Ok(Outcome::Listed(paid));
    }
    if let Some(mine) = cart.lines.iter_mut().find(is_mine) {
        cart.lost.extend(wanted_of(&mine.goods, loss));
        mine.goods.take(&loss.cells);
        mine.count = match &mine.goods {
            Goods::Seats { .. } => mine.seat_count(),
            Goods::Time { .. } => {
                let (grid, slots) = charged(work, &mine.goods)?;
                mine.parts = prices::within(&mine.parts, grid, &slots);
                mine.unit_price = mine.parts.first().map_or(mine.unit_price, |part| part.each);
                slots.into_iter().map(|slot| grid.segments(slot)).sum()
            }
            Goods::Booking { .. } => mine.count,
        };
        if mine.count == 0 {
            claims::free(work, &mine.goods, &Owner::Line(line))?;
        }
    }
    cart.lines.retain(|line| line.count > 0);
    cart.forget_currency();
    put_changed(work, &mut cart)?;
    Ok(if cart.is_takeable() { Outcome::Listed(None) } else { Outcome::Dropped })
}

/// Restricts a loss to the requested resource and its core time.
fn wanted_of(goods: &Goods, loss: &Loss) -> Option<Loss> {
    let CellGroup::Time { resource, slots } = &loss.cells else {
        return Some(loss.clone());
    };
    let asked = goods.taken().first()?;
    let inside = slots.iter().filter_map(|slot| slot.meet(&asked.core));
    let slots: Vec<Slot> = inside.collect();
    (asked.resource == *resource && !slots.is_empty())
        .then(|| Loss { cells: CellGroup::Time { resource: resource.clone(), slots }, ..loss.clone() })
}

/// Segments still held of a time line, without the time needed before and after.
fn charged(work: &mut UnitOfWork<'_>, goods: &Goods) -> Result<(Grid, Vec<Slot>), Failure> {
    let asked = goods.taken().first().ok_or(Refusal::NothingChosen)?;
    let resource: Resource = work.get(&asked.resource)?;
    Ok((resource.grid, asked.live.iter().filter_map(|slot| slot.meet(&asked.core)).collect()))
}
