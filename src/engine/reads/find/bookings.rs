//! Search for bookings by title, customer and phone, with words of their resource and day.

use crate::domain::booking::{Booking, Cause};
use crate::domain::customer::Customer;
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
            let told = self.snapshot.each(&found, |snapshot, booking| {
                let resource = booking.taken.first().map(|taken| snapshot.get::<Resource>(&taken.resource));
                Ok((snapshot.customer(booking.customer)?, resource.transpose()?))
            })?;
            for (booking, (customer, resource)) in found.iter().zip(told) {
                hits.extend(resource.and_then(|one| self.booking(booking, &customer, &one)));
            }
        }
        hits.truncate(KIND_MAX);
        Ok(hits)
    }

    fn booking(&mut self, booking: &Booking, customer: &Customer, one: &Resource) -> Option<Hit> {
        let slot = booking.extent()?;
        let title = booking.title_for(customer);
        let fields = [title, &customer.name, &one.name, &days(slot.from(), one.zone())];
        if !self.words.are_in(&fields, &customer.phone) {
            return None;
        }
        let title = match booking.cause {
            Cause::Booking | Cause::Other(_) | Cause::Performance(_) => clean(title),
            Cause::Maintenance | Cause::Relocation | Cause::Disable | Cause::OutOfService => {
                format!("out of use: {}", clean(title))
            }
        };
        Some(Hit {
            target: HitTarget::Booking(booking.id, one.id.clone(), slot.from()),
            name: title,
            what: joined(&[&one.name, &customer.name, &customer.phone]),
            when: slot.words(one.grid, self.now),
            rank: self.rank(slot.from(), slot.until()),
        })
    }
}
