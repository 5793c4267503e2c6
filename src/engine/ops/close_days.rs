//! Closed days of the house.

use chrono::NaiveDate;
use serde::Serialize;

use crate::domain::house::Settings;
use crate::domain::refusal::{Limit, Problem, Refusal};
use crate::engine::work::{Failure, Operation, UnitOfWork};

const CLOSED_DAYS_MAX: usize = 2000;

/// Changes the list of closed days, which repeats leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CloseDays {
    pub close: Vec<NaiveDate>,
    pub open: Vec<NaiveDate>,
}

impl Operation for CloseDays {
    const VERB: &'static str = "close_days";
    type Answer = Settings;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Settings, Failure> {
        let mut settings = work.settings()?;
        let days = &mut settings.closed_days;
        days.extend(&self.close);
        days.retain(|day| !self.open.contains(day));
        days.sort_unstable();
        days.dedup();
        if days.len() > CLOSED_DAYS_MAX {
            let problem = Problem::AtMost(CLOSED_DAYS_MAX, Limit::ClosedDays);
            return Err(Refusal::bad("closed days", problem).into());
        }
        work.put(&settings)?;
        Ok(settings)
    }
}
