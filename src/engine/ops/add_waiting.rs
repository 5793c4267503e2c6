//! Adds an entry to the waiting list of a performance.

use serde::{Deserialize, Serialize};

use crate::domain::customer::Customer;
use crate::domain::ids::{PerformanceId, WaitId};
use crate::domain::job::JobKind;
use crate::domain::refusal::{NightRefusal, Problem, Refusal};
use crate::domain::text::clean;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::ops::carts::at_most;
use crate::engine::ops::pricing::on_sale;
use crate::engine::ops::waitlist::load;
use crate::engine::ops::{customers, seats};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Highest number of a priority.
const PRIORITY_MAX: u32 = 1000;

/// Adds a customer to a waiting list, behind those of the same priority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddWaiting {
    pub performance: PerformanceId,
    /// Customer; the name is required.
    pub customer: Customer,
    /// Number of adjacent seats.
    pub seats: u32,
    /// Required category, by name.
    pub category: Option<String>,
    /// Lower ones are offered seats first, from 1; that is the usual one.
    #[serde(default)]
    pub priority: Option<u32>,
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
        let priority = self.priority.unwrap_or(Waiting::usual());
        if !(1..=PRIORITY_MAX).contains(&priority) {
            return Err(Refusal::bad("priority", Problem::Between(1, PRIORITY_MAX)).into());
        }
        let settings = work.settings()?;
        at_most(&settings, usize::try_from(self.seats).unwrap_or(usize::MAX))?;
        let category = self.category.as_deref();
        let category = category.map(|name| seats::category(&seating, name)).transpose()?;
        let most = settings.waitlist_max;
        if u32::try_from(load(work, performance.id)?.len()).unwrap_or(u32::MAX) >= most {
            return Err(NightRefusal::WaitlistFull { performance: performance.title, places: most }.into());
        }
        let waiting = Waiting {
            id: WaitId::random(),
            performance: performance.id,
            customer,
            seats: self.seats,
            category,
            priority,
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
