//! Queries of the calendar.

use crate::domain::house::WorkKind;
use crate::domain::loss::LostCells;
use crate::domain::refusal::Alternative;
use crate::domain::time::Slot;
use crate::engine::reads::Question;
use crate::engine::reads::bookings::{ReadBooking, ReadSeries};
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::free_time::FreeResource;
use crate::engine::reads::instead::ReadInstead;
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::worklist::ReadWorklist;
use crate::engine::{Desk, Failure};
use crate::tui::msg::Answer;
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;
use crate::tui::time::{ResourceList, TimeAnswer, TimeQuery};

impl Runtime {
    /// Runs a query about time.
    pub(super) fn read_time(&self, ticket: Ticket, query: TimeQuery) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let answer = answer(&runtime.desk, query);
            runtime.answer(ticket, answer.map(|answer| Answer::Time(Box::new(answer))));
        });
    }
}

fn answer(desk: &Desk, query: TimeQuery) -> Result<TimeAnswer, Failure> {
    match query {
        TimeQuery::Resources => Ok(TimeAnswer::Resources(ResourceList {
            resources: desk.read(ReadResources(Filter::default()))?,
            currency: desk.read(ReadSettings)?.currency,
        })),
        TimeQuery::Page(query) => read(desk, query, TimeAnswer::Page),
        TimeQuery::Displaced => {
            let items = desk.read(ReadWorklist)?;
            let of_time = items
                .into_iter()
                .filter(|view| matches!(&view.item.what, WorkKind::Displaced { loss, .. } if matches!(loss.cells, LostCells::Time { .. })));
            Ok(TimeAnswer::Displaced(of_time.collect()))
        }
        TimeQuery::Checks(checks) => {
            let checks: Result<Vec<_>, Failure> =
                checks.into_iter().map(|check| desk.read(check)).collect();
            checks.map(TimeAnswer::Checks)
        }
        TimeQuery::Free(query) => read(desk, query, TimeAnswer::Free),
        TimeQuery::Instead(query) => Ok(TimeAnswer::Free(instead(desk, query)?)),
        TimeQuery::Booking(id) => read(desk, ReadBooking(id), |view| {
            TimeAnswer::Booking(Box::new(view))
        }),
        TimeQuery::Series(id) => read(desk, ReadSeries(id), |view| {
            TimeAnswer::Series(Box::new(view))
        }),
    }
}

/// Free alternatives, each with its only resource.
fn instead(desk: &Desk, query: ReadInstead) -> Result<Vec<FreeResource>, Failure> {
    let facts = desk.read(query)?;
    let all = desk.read(ReadResources(Filter::default()))?;
    let free = |free: Alternative| {
        let at = free.slot()?;
        let resource = all.iter().find(|one| one.name == at.resource)?.clone();
        let slots = vec![Slot::new(at.from, at.until).ok()?];
        Some(FreeResource { resource, slots })
    };
    Ok(facts.into_iter().filter_map(free).collect())
}

fn read<Q: Question>(
    desk: &Desk,
    question: Q,
    wrap: impl FnOnce(Q::Answer) -> TimeAnswer,
) -> Result<TimeAnswer, Failure> {
    desk.read(question).map(wrap)
}
