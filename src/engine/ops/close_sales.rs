//! Job at the start of a performance: closes its sales and its waiting list.

use serde::{Deserialize, Serialize};

use crate::domain::event::Event;
use crate::domain::ids::PerformanceId;
use crate::domain::job::{JobKind, Outcome};
use crate::domain::performance::{Performance, PerformanceState};
use crate::engine::ops::waitlist;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Closes the sales of a performance at its start. Sales are refused by time anyway: this sends the event and tidies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseSales {
    pub performance: PerformanceId,
}

impl Operation for CloseSales {
    const VERB: &'static str = "close_sales";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let found = work.find::<Performance>(&self.performance.to_string())?;
        let open = |performance: &Performance| performance.state == PerformanceState::Open;
        let Some(performance) = found.filter(open) else {
            return Ok(Outcome::Gone);
        };
        if performance.start > work.now() {
            return Ok(Outcome::Deadline(performance.start));
        }
        let line = waitlist::load(work, performance.id)?;
        if !line.is_empty() {
            let now = work.now();
            work.put_job(JobKind::Waitlist, performance.id, now)?;
        }
        work.tell(&Event::SalesClosed { performance: performance.id, title: performance.title, waiting: line.len() })?;
        Ok(Outcome::Done)
    }
}
