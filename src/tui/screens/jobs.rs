//! Jobs: due jobs with their reasons, parked jobs, and the history of runs.
//!
//! The list is read again after a change that touches it or when a job came due, at most once a second; the screen is
//! redrawn each second only while a countdown is on it. Actions go through the engine, which writes them to the history like runs.

use std::collections::BTreeSet;

use crate::domain::job::JobKind;
use crate::engine::reads::jobs::runs::ReadRuns;
use crate::engine::reads::jobs::{JobSubject, JobView, ReadJobs};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::go::{Go, JobName};
use crate::tui::list::Cursor;
use crate::tui::msg::{Answer, Changed, Subject};
use crate::tui::pages::Pages;
use crate::tui::remote::Remote;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::Shared;
use crate::tui::stale::Stale;
use crate::tui::targets::{List, Target};
use crate::words;

mod details;
mod doing;
mod listing;
#[cfg(test)]
mod tests;
mod view;

use listing::{Shows, Sort};

/// State of the screen Jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    /// Parked jobs, then scheduled jobs, next first.
    waiting: Remote<ReadJobs, Vec<JobView>>,
    runs: Pages<ReadRuns>,
    stale: Stale,
    shows: Shows,
    sort: Sort,
    kind: Option<JobKind>,
    /// Own kinds seen in the list.
    own_kinds: BTreeSet<JobKind>,
    selected: Cursor<Chosen>,
}

/// Key of a row that stays the same between two reads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Chosen {
    Job(JobName),
    Run(i64),
}

impl Jobs {
    pub(crate) fn enter(&mut self, context: &mut Context<'_>) {
        self.ask(context);
    }

    /// Opens the screen with a job under the cursor.
    pub(crate) fn show(&mut self, job: JobName, context: &mut Context<'_>) {
        self.shows = Shows::Due;
        self.kind = None;
        self.selected = Cursor::on(Chosen::Job(job));
        self.ask(context);
    }

    /// True while a countdown is on the screen.
    pub(crate) fn counts(&self, shared: &Shared) -> bool {
        let counted = |job: &JobView| job.parked.is_none() && words::jobs::is_counted(job.next_check_at, shared.now);
        self.listed().into_iter().any(counted)
    }

    /// Handles the one-second tick: reads again what changed or came due.
    pub(crate) fn tick(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let came_due = |job: &JobView| job.parked.is_none() && job.known().is_some() && job.next_check_at <= now;
        let jobs = self.waiting.value().map_or(&[][..], Vec::as_slice);
        if jobs.iter().any(came_due) {
            self.stale.add(&Changed::Everything);
        }
        self.stale.look(now);
        if self.stale.due(now).is_some() {
            self.ask(context);
        }
    }

    pub(crate) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if self.selected.act(action, self.rows()) {
            self.moved(context);
            return Handled::Yes;
        }
        match Some(action) {
            Some(Action::Main | Action::RunNow | Action::PutOff | Action::Park | Action::Copy)
                if !context.aims(&mut self.selected) => {}
            Some(Action::Main) => self.go_there(context),
            Some(Action::RunNow) => self.run_now(context),
            Some(Action::PutOff) => self.ask_when(context),
            Some(Action::Park) => self.park(context),
            Some(Action::Filter) => self.refilter(context),
            Some(Action::Category) => self.next_kind(context),
            Some(Action::Sort) => self.resort(context),
            Some(Action::Copy) => self.copy(context),
            Some(Action::Left | Action::Right) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(List::Jobs, index) = target else {
            return;
        };
        if self.selected.click((*index, click), self.rows()) {
            self.go_there(context);
        }
        self.moved(context);
    }

    pub(crate) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) {
        if let Answer::Jobs(jobs) = answer {
            let kinds = jobs.iter().flatten().filter_map(JobView::known);
            self.own_kinds.extend(kinds.filter(|kind| kind.is_own()));
            context.settle(&mut self.waiting, number, jobs);
        } else if let Answer::Runs(runs) = answer {
            context.settle_page(&mut self.runs, number, runs);
        }
        let rows = self.rows();
        if !rows.is_empty() {
            self.selected.keep(rows);
        }
    }

    /// Handles a change in the house: a list that names what changed is read again within a second.
    pub(crate) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        // a job watches no cell
        let touches = |subject| !matches!(subject, Subject::Seats(_) | Subject::Day(..) | Subject::Booking(_));
        if changed.touches(touches) {
            self.stale.add(changed);
            self.tick(context);
        }
    }

    /// Reads on at the last row.
    fn moved(&mut self, context: &mut Context<'_>) {
        if self.selected.key() == self.rows().last() {
            self.read_on(context);
        }
    }

    /// Opens the screen of the job's subject.
    fn go_there(&mut self, context: &mut Context<'_>) {
        let about = match self.selected.key() {
            Some(Chosen::Job(_)) => self.job().map(|job| job.about.clone()),
            Some(Chosen::Run(_)) => self.run().map(|run| run.about.clone()),
            None => None,
        };
        match about {
            Some(JobSubject::Cart(cart)) if cart.reservation.is_some() => {
                context.go(Go::Reservation(cart.id));
            }
            Some(JobSubject::Cart(cart)) => context.go(Go::Cart(cart.id)),
            Some(
                JobSubject::Performance(performance)
                | JobSubject::Keep { performance, .. }
                | JobSubject::Line { performance, .. },
            ) => context.go(Go::Sell(performance.id)),
            Some(JobSubject::Tickets { receipt, .. }) => context.go(Go::Receipt(receipt)),
            Some(JobSubject::Resource { id, .. }) => {
                let now = context.shared.now;
                context.go(Go::Time(id, now));
            }
            Some(JobSubject::House) => context.note("It is about the whole house"),
            Some(JobSubject::Own { subject, .. }) => {
                context.note(format!("Only its command knows {subject}"));
            }
            Some(JobSubject::Unknown) => context.note("What it watched is gone"),
            None => context.note("No job is listed; <filter> shows others"),
        }
    }

    fn copy(&self, context: &mut Context<'_>) {
        let subject = match self.selected.key() {
            Some(Chosen::Job(job)) => Some(job.subject.clone()),
            Some(Chosen::Run(_)) => self.run().map(|run| run.subject.clone()),
            None => None,
        };
        if let Some(subject) = subject {
            context.copy(subject);
        }
    }
}
