//! Price of a booking's time.

use crate::domain::booking::{Booking, Cause, Taken};
use crate::domain::money;
use crate::domain::money::Price;
use crate::domain::prices;
use crate::domain::resource::Resource;
use crate::engine::work::{Failure, UnitOfWork};

/// Total price of the segments; `None` without a price, or in several currencies.
pub(in crate::engine::ops) fn price(work: &mut UnitOfWork<'_>, taken: &[Taken]) -> Result<Option<Price>, Failure> {
    let (mut total, mut currency) = (None, None);
    let settings = work.settings()?;
    for one in taken.iter().filter(|one| one.part_of.is_none()) {
        let resource: Resource = work.get(&one.resource)?;
        if resource.price.is_none() && resource.prices.is_none() {
            continue;
        }
        let usual = resource.price.map_or(settings.currency, |price| price.currency);
        let parts = resource.worked((settings.price_rules(&resource), &one.kept()), &mut currency, usual)?;
        let all = money::times(prices::total(&parts)?, one.number)?;
        let minor = money::sum([total.map_or(0, |before: Price| before.minor), all])?;
        total = Some(Price { minor, currency: currency.unwrap_or(usual) });
    }
    Ok(total)
}

/// Returns whether a booking's price follows its time: it costs what its segments cost.
pub(in crate::engine::ops) fn price_follows(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<bool, Failure> {
    if booking.cause != Cause::Booking {
        return Ok(false);
    }
    match price(work, &booking.taken) {
        Ok(price) => Ok(booking.price == price),
        Err(Failure::Refused(_)) => Ok(false),
        Err(fault @ Failure::Fault(_)) => Err(fault),
    }
}
