//! Price of a booking's time.

use crate::domain::booking::{Booking, Cause, Taken};
use crate::domain::money;
use crate::domain::money::Price;
use crate::domain::resource::Resource;
use crate::engine::ops::currency;
use crate::engine::work::{Failure, UnitOfWork};

/// Total price of the segments; `None` without a price, or in several currencies.
pub(in crate::engine::ops) fn price(work: &mut UnitOfWork<'_>, taken: &[Taken]) -> Result<Option<Price>, Failure> {
    let mut total: Option<Price> = None;
    for one in taken.iter().filter(|one| one.part_of.is_none()) {
        let resource: Resource = work.get(&one.resource)?;
        let Some(segment) = resource.price else {
            continue;
        };
        let kept = one.kept().into_iter();
        let segments = kept.map(|slot| resource.grid.segments(slot)).sum();
        let minor = money::times(segment.minor, segments)?;
        let before = total.unwrap_or(Price { minor: 0, currency: segment.currency });
        currency::in_one(&mut Some(before.currency), segment.currency)?;
        total = Some(Price { minor: money::sum([before.minor, minor])?, currency: segment.currency });
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
