//! Lines of counted resources that lose some of their units: what does not lose the same time gets a line of its own.

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, CartState};
use crate::domain::ids::LineId;
use crate::domain::line::Line;
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::engine::ops::claims;
use crate::engine::work::{Failure, UnitOfWork};

/// Parts the units of a line by its losses, each at its share of the price; returns the losses with their owners. The line
/// keeps the units that lose nothing.
pub(super) fn part(
    work: &mut UnitOfWork<'_>,
    id: LineId,
    mut losses: Vec<Loss>,
) -> Result<Vec<(Owner, Loss)>, Failure> {
    let mut cart: Cart = work.get(id.cart)?;
    let mut receipt: Option<Receipt> = match cart.state {
        CartState::Done(id) => Some(work.get(id)?),
        CartState::Active | CartState::Canceled | CartState::Expired => None,
    };
    let lines = receipt.as_ref().map_or(&cart.lines, |receipt| &receipt.lines);
    let Some(whole) = lines.iter().find(|line| line.number == id.number).cloned() else {
        return Ok(Vec::new());
    };
    let mut rest = Some(whole.clone());
    let mut parts: Vec<Line> = Vec::new();
    for loss in &mut losses {
        let units = loss.units.unwrap_or_default();
        loss.of = Some(whole.units()).filter(|had| *had > units);
        let Some(keeps) = rest.as_mut().filter(|rest| rest.units() > units) else {
            parts.extend(rest.take());
            continue;
        };
        keeps.set_units(keeps.units() - units)?;
        let given = whole.goods.taken().first().map_or_else(Vec::new, |asked| asked.given.clone());
        let mut part = Line { number: cart.next_number(), given_before: given, ..whole.clone() };
        part.set_units(units)?;
        parts.push(part);
    }
    let owners: Vec<Owner> = parts.iter().map(|part| part.owner(cart.id)).collect();
    if rest.is_some() || parts.len() > 1 {
        let lost = losses.iter().map(|loss| Some(&loss.cells));
        let parts_of_it = rest.iter().map(|line| (line, None)).chain(parts.iter().zip(lost));
        claim(work, (&cart, &whole), parts_of_it)?;
        let lines = receipt.as_mut().map_or(&mut cart.lines, |receipt| &mut receipt.lines);
        for line in rest.into_iter().chain(parts) {
            match lines.iter_mut().find(|known| known.number == line.number) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
        }
        work.put(&cart)?;
        receipt.iter().try_for_each(|receipt| work.put(receipt))?;
    }
    Ok(owners.into_iter().zip(losses).collect())
}

/// Gives what a line still has to its parts, each but what it loses.
fn claim<'l>(
    work: &mut UnitOfWork<'_>,
    (cart, whole): (&Cart, &Line),
    parts: impl Iterator<Item = (&'l Line, Option<&'l CellGroup>)>,
) -> Result<(), Failure> {
    let act = match cart.state {
        CartState::Done(_) => Act::Book { until: None },
        CartState::Active | CartState::Canceled | CartState::Expired => Act::Hold { until: cart.expires_at },
    };
    claims::free(work, &whole.goods, &whole.owner(cart.id))?;
    for (line, lost) in parts {
        let mut goods = line.goods.clone();
        if let Some(lost) = lost {
            goods.take(lost);
        }
        claims::act(work, &goods, (&line.owner(cart.id), act))?;
    }
    Ok(())
}
