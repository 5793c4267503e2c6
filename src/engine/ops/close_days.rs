//! The house is closed on a day.

use chrono::NaiveDate;
use serde::Serialize;

use crate::domain::house::Settings;
use crate::domain::refusal::Refusal;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// The most closed days of a house.
const CLOSED_DAYS_MAX: usize = 2000;

/// Changes the list of days when the house is closed, which what repeats leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CloseDays {
    /// Days that the house is closed on from now on.
    pub close: Vec<NaiveDate>,
    /// Days that it is open on after all.
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
            return Err(Refusal::BadValue {
                field: "closed days".into(),
                problem: format!("there are at most {CLOSED_DAYS_MAX}"),
            }
            .into());
        }
        work.put(&settings)?;
        Ok(settings)
    }
}
