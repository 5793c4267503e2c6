//! A performance that moves to another start.

use clap::Args;

use crate::cli::answers::performance;
use crate::cli::call::{Call, Done};
use crate::cli::{times, values};
use crate::engine::ops::PostponePerformance;
use crate::engine::reads::catalog::ReadPerformance;
use crate::engine::reads::customers::ReadPerformanceCustomers;

#[derive(Debug, Args)]
pub(in crate::cli) struct Postpone {
    /// Id, end of an id, or title
    performance: String,
    /// New start in the theater's local time: 2026-12-01T19:30
    #[arg(long, value_name = "TIME")]
    start: String,
    /// New end in the theater's local time (default: as long after the start as before)
    #[arg(long, value_name = "TIME")]
    end: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Postpone {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let before = call.performance(&self.performance)?;
        let here = call.now_in(before.theater.time_zone);
        let start = times::moment("start", &self.start, here)?;
        let moved = call.run(PostponePerformance {
            performance: before.performance.id,
            start,
            end: values::some(self.end.as_ref(), |end| times::end("end", end, (start, here)))?,
            reason: self.reason.clone(),
        })?;
        let view = call.read(ReadPerformance(moved.id))?;
        let customers = call.read(ReadPerformanceCustomers(moved.id))?;
        call.answer(&performance::postponed(&view, &customers, call.present()))
    }
}
