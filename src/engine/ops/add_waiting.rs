//! Adds an entry to the waiting list of a performance.

use serde::{Deserialize, Serialize};

use crate::domain::customer::Customer;
use crate::domain::ids::{PerformanceId, WaitId};
use crate::domain::job::JobKind;
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::ops::carts::at_most;
use crate::engine::ops::pricing::on_sale;
use crate::engine::ops::{customers, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Adds a customer to the end of a waiting list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddWaiting {
    pub performance: PerformanceId,
    /// Customer; the name is required.
    pub customer: Customer,
    /// Number of adjacent seats.
    pub seats: u32,
    /// Required category, by name.
    pub category: Option<String>,
}

impl Operation for AddWaiting {
    const VERB: &'static str = "add_waiting";
    type Answer = Waiting;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Waiting, Failure> {
        let performance = on_sale(work, self.performance)?;
        let seating = work.seating(performance.plan)?;
        let is_named = !clean(&self.customer.name).is_empty();
        let customer = customers::named(work, &self.customer, None)?;
        let customer = customer.filter(|_| is_named).ok_or(Refusal::NameMissing)?;
        if self.seats == 0 {
            return Err(Refusal::NothingChosen.into());
        }
        let settings = work.settings()?;
        at_most(&settings, usize::try_from(self.seats).unwrap_or(usize::MAX))?;
        let category = self.category.as_deref();
        let category = category.map(|name| seats::category(&seating, name)).transpose()?;
        let waiting = Waiting {
            id: WaitId::random(),
            performance: performance.id,
            customer,
            seats: self.seats,
            category,
            since: work.now(),
            operator: work.actor().operator.clone(),
            state: WaitState::Waiting,
        };
        work.create(&waiting)?;
        let now = work.now();
        work.put_job(JobKind::Waitlist, performance.id, now)?;
        Ok(waiting)
    }
}
