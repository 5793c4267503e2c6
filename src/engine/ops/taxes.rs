//! Tax of a receipt: by the house's rates at its sale.

use crate::domain::booking::Booking;
use crate::domain::correction::Correction;
use crate::domain::line::{Goods, Line};
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::tax::{Rate, Rates, taxed};
use crate::engine::work::{Failure, UnitOfWork};

/// Notes the rates of a receipt's lines, and the tax of its total by rate. Cells that come back have the rate that they were
/// sold at, and a fee that of the first of them, or of what it is given back for.
pub(super) fn note(work: &mut UnitOfWork<'_>, receipt: &mut Receipt) -> Result<(), Failure> {
    let rates = work.settings()?.tax_rates;
    let mut amounts = Vec::new();
    for line in &mut receipt.lines {
        line.tax = if rates.is_empty() { None } else { rate(work, &rates, line)? };
        amounts.extend(line.tax.zip(Some(line.total()?)));
    }
    if let Some(correction) = &receipt.correction {
        let mut of_fee = None;
        for returned in &correction.returned {
            let sold: Receipt = work.get(returned.receipt)?;
            let line = sold.lines.iter().find(|line| returned.is_of(sold.id, line));
            let rate = line.and_then(|line| line.tax);
            of_fee = of_fee.or(rate);
            amounts.extend(rate.zip(Some(-returned.total()?)));
        }
        if of_fee.is_none() {
            of_fee = rate_of_paid(work, correction)?;
        }
        amounts.extend(of_fee.zip(Some(correction.fee)));
    }
    receipt.taxes = taxed(amounts);
    Ok(())
}

/// Rate of what money without cells is given back for.
fn rate_of_paid(work: &mut UnitOfWork<'_>, correction: &Correction) -> Result<Option<Rate>, Failure> {
    let Some(of) = correction.of.first() else {
        return Ok(None);
    };
    let paid: Receipt = work.get(of)?;
    let is_it = |line: &&Line| correction.booking.is_none_or(|booking| line.goods.pays(booking));
    Ok(paid.lines.iter().find(is_it).and_then(|line| line.tax))
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
