//! Tax of a receipt: by the house's rates at its sale.

use crate::domain::booking::Booking;
use crate::domain::correction::Correction;
use crate::domain::line::{Goods, Line};
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::tax::{Rate, Rates, shared, taxed};
use crate::engine::ops::returns;
use crate::engine::work::{Failure, UnitOfWork};

/// Notes the rates of a receipt's lines, and the tax of its total by rate. Cells that come back have the rate that they were
/// sold at, and a fee is shared by the rates of all of them, or of what it is given back for.
pub(super) fn note(work: &mut UnitOfWork<'_>, receipt: &mut Receipt) -> Result<(), Failure> {
    let settings = work.settings()?;
    let mut amounts = Vec::new();
    for line in &mut receipt.lines {
        line.tax = if settings.tax_rates.is_empty() { None } else { rate(work, &settings.tax_rates, line)? };
        amounts.extend(line.tax.zip(Some(line.total()?)));
    }
    if let Some(correction) = &receipt.correction {
        let mut sold_at = Vec::new();
        for returned in &correction.returned {
            let sold: Receipt = work.get(returned.receipt)?;
            let line = sold.lines.iter().find(|line| returned.is_of(sold.id, line));
            sold_at.push((line.and_then(|line| line.tax), returned.total()?));
        }
        amounts.extend(sold_at.iter().filter_map(|(rate, minor)| rate.zip(Some(-minor))));
        if sold_at.is_empty() {
            sold_at = paid_for(work, correction)?;
        }
        amounts.extend(shared(correction.fee, sold_at));
    }
    receipt.taxes = taxed(amounts);
    Ok(())
}

/// Rates and prices of what money without cells is given back for: of what the customer still has, or once had.
fn paid_for(work: &mut UnitOfWork<'_>, correction: &Correction) -> Result<Vec<(Option<Rate>, i64)>, Failure> {
    let (mut left, mut issued) = (Vec::new(), Vec::new());
    let is_it = |line: &&Line| correction.booking.is_none_or(|booking| line.goods.pays(booking));
    for id in &correction.of {
        let paid: Receipt = work.get(id)?;
        for line in paid.lines.iter().filter(is_it) {
            let total = line.total()?;
            let price = match line.goods.returnable() {
                Some(cells) => returns::worth(work, line, &cells)?,
                None => total,
            };
            left.push((line.tax, price));
            issued.push((line.tax, total));
        }
    }
    Ok(if left.iter().any(|(_, price)| *price > 0) { left } else { issued })
}

/// Rate of a line: by its ticket type, or by its resource or the resource's kind.
fn rate(work: &mut UnitOfWork<'_>, rates: &Rates, line: &Line) -> Result<Option<Rate>, Failure> {
    let resource: ResourceId = match &line.goods {
        Goods::Seats { .. } => return Ok(rates.of(&[&line.kind])),
        Goods::Time { resource, .. } => resource.clone(),
        Goods::Booking { booking } => match work.get::<Booking>(booking)?.taken.into_iter().next() {
            Some(taken) => taken.resource,
            None => return Ok(rates.of(&[])),
        },
    };
    let resource: Resource = work.get(&resource)?;
    Ok(rates.of(&[&resource.name, &resource.kind]))
}
