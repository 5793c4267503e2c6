//! Makes one customer of two.

use serde::{Deserialize, Serialize};

use crate::domain::customer::Gone;
use crate::domain::ids::CustomerId;
use crate::domain::refusal::CustomerRefusal;
use crate::engine::ops::customers::{Named, record};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves everything of one customer to another, who keeps its own words and takes those that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeCustomers {
    pub into: CustomerId,
    pub from: CustomerId,
}

impl Operation for MergeCustomers {
    const VERB: &'static str = "merge_customers";
    type Answer = CustomerId;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CustomerId, Failure> {
        let Self { into, from } = *self;
        if into == from {
            return Err(CustomerRefusal::Same.into());
        }
        let (mut one, other) = (record(work, into)?, record(work, from)?);
        work.put(&other.emptied(Gone::Merged(into)))?;
        if !one.note.is_empty() && !other.note.is_empty() {
            one.note = format!("{}; {}", one.note, other.note);
        }
        one.fill(&other);
        // written even if nothing changed: whoever names either of them meanwhile decides anew
        work.touch(&one)?;
        let named = Named::load(work, from)?;
        for mut cart in named.carts {
            cart.customer = Some(into);
            work.put(&cart)?;
        }
        for mut receipt in named.receipts {
            receipt.customer = Some(into);
            work.put(&receipt)?;
        }
        for mut booking in named.bookings {
            booking.customer = Some(into);
            work.put(&booking)?;
        }
        for mut waiting in named.waiting {
            waiting.customer = into;
            work.put(&waiting)?;
        }
        for mut series in named.series {
            series.customer = Some(into);
            work.put(&series)?;
        }
        Ok(into)
    }
}
