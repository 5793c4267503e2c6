//! Jobs: due jobs with their reasons, parked jobs, and the history of runs.
//!
//! The screen is redrawn each second only while a countdown is on it. Actions go through the engine, which writes them to the
//! history like runs.

use std::collections::BTreeSet;

use crate::domain::job::JobKind;
use crate::engine::reads::find::HitTarget;
use crate::engine::reads::jobs::{JobSubject, JobView};
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go, JobName};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::words;

mod details;
mod job_acts;
mod job_list;
mod job_order;
#[cfg(test)]
mod tests;

use job_order::{Shows, Sort};
use ratatui::layout::Rect;

/// State of the screen Jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    shows: Shows,
    sort: Sort,
    kind: Option<JobKind>,
    /// True once the jobs that end by themselves are to have a row each.
    unfolded: bool,
    /// Own kinds seen in the list.
    own_kinds: BTreeSet<JobKind>,
    selected: Cursor<JobRowKey>,
    /// Rows of the history that are wanted.
    far: usize,
}

/// Key of a row that stays the same between two reads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum JobRowKey {
    Job(JobName),
    Run(i64),
}

impl ScreenState for Jobs {
    fn place(&self, _shared: &Shared) -> KeyPlace {
        KeyPlace::Jobs
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if self.selected.act(action, self.rows(context.shared)) {
            self.moved(context.shared);
            return Handled::Yes;
        }
        match Some(action) {
            Some(Action::Main | Action::RunNow | Action::PutOff | Action::Park | Action::Copy)
                if !context.aims(&mut self.selected) => {}
            Some(Action::Main | Action::RunNow | Action::PutOff | Action::Park | Action::Copy)
                if self.folded_here(context.shared).is_some() =>
            {
                self.unfolded = true;
            }
            Some(Action::Close) if self.unfolded => self.refold(context.shared),
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

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is always of use")]
    fn offers(&self, action: Action, shared: &Shared) -> bool {
        let can_steer = || self.job(shared).is_some_and(|job| job.known().is_some() && !self.is_fold(job, shared));
        match action {
            Action::Main => self.selected.key().is_some(),
            Action::RunNow | Action::PutOff | Action::Park => can_steer(),
            Action::Sort => self.shows.are_jobs(),
            _ => true,
        }
    }

    fn of_moment(&self, shared: &Shared) -> Vec<(Action, &'static str)> {
        let is_parked = self.job(shared).is_some_and(|job| job.parked.is_some());
        is_parked.then_some((Action::Park, "back in its turn")).into_iter().collect()
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(RowList::Jobs, index) = target else {
            return;
        };
        if self.selected.click((*index, click), self.rows(context.shared)) {
            self.act(Action::Main, context);
        }
        self.moved(context.shared);
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(self.question());
        if !self.shows.are_jobs() || shared.size.width >= job_list::WITH_SIDE {
            needs.list(self.history(), self.far);
        }
    }

    fn is_unread(&self, shared: &Shared) -> bool {
        let reads = &shared.reads;
        if self.shows.are_jobs() { reads.is_unread(&self.question()) } else { reads.is_unread(&self.history()) }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        let shared = &*context.shared;
        if matches!(question, Query::Jobs(_)) {
            let kinds = self.jobs(shared).iter().filter_map(JobView::known);
            self.own_kinds.extend(kinds.filter(|kind| kind.is_own()));
        }
        let rows = self.rows(shared);
        if !rows.is_empty() && matches!(question, Query::Jobs(_)) == self.shows.are_jobs() {
            self.selected.keep(rows);
        }
    }

    fn counts(&self, shared: &Shared) -> bool {
        let counted = |job: &JobView| job.parked.is_none() && words::jobs::is_counted(job.next_check_at, shared.now);
        self.listed(shared).into_iter().any(counted)
    }

    fn as_list(&self, shared: &Shared) -> Option<ShownList> {
        Some(if self.shows.are_jobs() {
            ShownList::Jobs(self.listed(shared).into_iter().cloned().collect())
        } else {
            ShownList::Runs(self.runs(shared).to_vec())
        })
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

impl Jobs {
    /// Opens the screen with a job under the cursor.
    pub(crate) fn show(&mut self, job: JobName) {
        self.shows = Shows::Due;
        (self.kind, self.unfolded) = (None, true);
        self.selected = Cursor::on(JobRowKey::Job(job));
    }

    /// Reads on at the last row.
    fn moved(&mut self, shared: &Shared) {
        let rows = self.rows(shared);
        if !self.shows.are_jobs() && self.selected.key() == rows.last() {
            self.far = rows.len() + 1;
        }
    }

    /// Opens the screen of the job's subject.
    fn go_there(&mut self, context: &mut Context<'_>) {
        let about = match self.selected.key() {
            Some(JobRowKey::Job(_)) => self.job(context.shared).map(|job| job.about.clone()),
            Some(JobRowKey::Run(_)) => self.run(context.shared).map(|run| run.about.clone()),
            None => None,
        };
        match about {
            Some(JobSubject::Cart(cart)) if cart.reservation.is_some() => {
                context.go(Go::Show(HitTarget::Reservation(cart.id)));
            }
            Some(JobSubject::Cart(cart)) => context.go(Go::cart(cart.id)),
            Some(
                JobSubject::Performance(performance)
                | JobSubject::Keep { performance, .. }
                | JobSubject::Line { performance, .. },
            ) => context.go(Go::sell(performance.id)),
            Some(JobSubject::Tickets { receipt, .. }) => context.go(Go::Show(HitTarget::Receipt(receipt))),
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
            Some(JobRowKey::Job(job)) => Some(job.subject.clone()),
            Some(JobRowKey::Run(_)) => self.run(context.shared).map(|run| run.subject.clone()),
            None => None,
        };
        if let Some(subject) = subject {
            context.copy(subject);
        }
    }
}
