//! Search for bookings by title, customer and phone, with words of their resource and day.

use crate::domain::booking::{Booking, Cause};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::engine::reads::find::matches::Likes;
use crate::engine::reads::find::{Hit, HitTarget, KIND_MAX, LOOKED_AT, Search, days, joined};
use crate::engine::work::Failure;

impl Search<'_, '_> {
    /// Finds bookings by title, customer and phone, with words of their resource and day: the next
    /// first, then the past.
    pub(super) fn bookings(&mut self, resources: &[String]) -> Result<Vec<Hit>, Failure> {
        let mut hits = Vec::new();
        for (side, order) in [("until_at > $1", "from_at"), ("until_at <= $1", "from_at DESC")] {
            let mut likes = Likes::after(vec![self.now.millis().into()]);
            let named = likes.but(&mut self.words, resources, &["title", "customer"]);
            let condition = format!(
                "WHERE live > 0 AND performance = '' AND {side} AND ({named}) ORDER BY {order} LIMIT {LOOKED_AT}"
            );
            let found: Vec<Booking> = self.snapshot.select(&condition, &likes.params)?;
            let customers = found.iter().map(|booking| booking.customer);
            self.snapshot.load_customers(customers)?;
            for booking in found {
                hits.extend(self.booking(&booking)?);
            }
        }
        hits.truncate(KIND_MAX);
        Ok(hits)
    }

    fn booking(&mut self, booking: &Booking) -> Result<Option<Hit>, Failure> {
        let (Some(taken), Some(slot)) = (booking.taken.first(), booking.extent()) else {
            return Ok(None);
        };
        let one: Resource = self.snapshot.get(&taken.resource)?;
        let (zone, customer) = (one.zone(), self.snapshot.customer(booking.customer)?);
        let title = booking.title_for(&customer);
        let fields = [title, &customer.name, &one.name, &days(slot.from(), zone)];
        if !self.words.are_in(&fields, &customer.phone) {
            return Ok(None);
        }
        let title = match booking.cause {
            Cause::Booking | Cause::Other(_) | Cause::Performance(_) => clean(title),
            Cause::Maintenance | Cause::Relocation | Cause::Disable | Cause::OutOfService => {
                format!("out of use: {}", clean(title))
            }
        };
        Ok(Some(Hit {
            target: HitTarget::Booking(booking.id, one.id.clone(), slot.from()),
            name: title,
            what: joined(&[&one.name, &customer.name, &customer.phone]),
            when: slot.words(one.grid),
            rank: self.rank(slot.from(), slot.until()),
        }))
    }
}
