//! Filter and sort order of jobs and runs, with the queries that read them.
//!
//! Import cycle with [`jobs`](super): methods of the screen that owns it.

use crate::domain::job::JobKind;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView, WhichRuns};
use crate::engine::reads::jobs::{JobSubject, JobView, ReadJobs, WhichJobs};
use crate::tui::kit::context::{Context, JobName};
use crate::tui::kit::list::{Cursor, next};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::jobs::{JobRowKey, Jobs};
use crate::words;

/// Filter of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
pub(super) enum Shows {
    /// Parked jobs, then scheduled ones.
    #[default]
    Due,
    Parked,
    History,
    /// Runs that failed, were parked, or were started by hand.
    Rare,
}

impl Shows {
    pub(super) const fn are_jobs(self) -> bool {
        matches!(self, Self::Due | Self::Parked)
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Due => "due next",
            Self::Parked => "parked",
            Self::History => "history",
            Self::Rare => "history: failed, parked, by hand",
        }
    }
}

/// Sort order of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
pub(super) enum Sort {
    #[default]
    Due,
    Kind,
}

/// Number of jobs that end by themselves from which they share a row.
const FOLD_FROM: usize = 8;

/// True for a job that nobody has to do anything about: carts run out, sales close, the house keeps itself in order.
fn ends_by_itself(job: &JobView) -> bool {
    let is_cart = || !matches!(&job.about, JobSubject::Cart(cart) if cart.reservation.is_some());
    let by_itself = match job.known() {
        Some(JobKind::CartExpiry | JobKind::CartWarning) => is_cart(),
        Some(JobKind::SalesClose | JobKind::Horizon | JobKind::Tidying | JobKind::Backup) => true,
        Some(
            JobKind::Reservation
            | JobKind::TicketsUncollected
            | JobKind::KeepRelease
            | JobKind::Waitlist
            | JobKind::ListenerCall
            | JobKind::Own(_),
        )
        | None => false,
    };
    by_itself && job.parked.is_none() && job.failures == 0
}

impl Jobs {
    /// Question for parked jobs, then scheduled jobs, next first.
    pub(super) fn question(&self) -> ReadJobs {
        ReadJobs { which: WhichJobs::All, kind: self.kind.map(|kind| kind.word().to_owned()) }
    }

    pub(super) fn history(&self) -> ReadRuns {
        ReadRuns {
            kind: self.question().kind,
            which: if self.shows == Shows::Rare { WhichRuns::Rare } else { WhichRuns::All },
            ..ReadRuns::default()
        }
    }

    pub(super) fn jobs<'s>(&self, shared: &'s Shared) -> &'s [JobView] {
        shared.reads.rows(&self.question())
    }

    pub(super) fn runs<'s>(&self, shared: &'s Shared) -> &'s [RunView] {
        shared.reads.rows(&self.history())
    }

    /// Jobs, filtered and sorted, parked ones first.
    pub(super) fn listed<'s>(&self, shared: &'s Shared) -> Vec<&'s JobView> {
        let jobs = self.jobs(shared);
        let mut listed: Vec<&JobView> = match self.shows {
            Shows::Due => jobs.iter().collect(),
            Shows::Parked => jobs.iter().filter(|job| job.parked.is_some()).collect(),
            Shows::History | Shows::Rare => Vec::new(),
        };
        if self.is_folded(shared) {
            let first = listed.iter().position(|job| ends_by_itself(job));
            listed = listed
                .into_iter()
                .enumerate()
                .filter(|(at, job)| !ends_by_itself(job) || Some(*at) == first)
                .map(|(_, job)| job)
                .collect();
        }
        if self.sort == Sort::Kind {
            listed.sort_by_key(|job| (job.parked.is_none(), words::jobs::kind(&job.kind)));
        }
        listed
    }

    /// True if the jobs that end by themselves share a row.
    fn is_folded(&self, shared: &Shared) -> bool {
        let is_usual = self.shows == Shows::Due && self.sort == Sort::Due && self.kind.is_none() && !self.unfolded;
        is_usual && self.by_themselves(shared).count() >= FOLD_FROM
    }

    /// Jobs that nobody has to do anything about, the next one first.
    pub(super) fn by_themselves<'s>(&self, shared: &'s Shared) -> impl Iterator<Item = &'s JobView> + use<'s> {
        self.jobs(shared).iter().filter(|job| ends_by_itself(job))
    }

    /// The first of the jobs that share the row under the cursor.
    pub(super) fn folded_here<'s>(&self, shared: &'s Shared) -> Option<&'s JobView> {
        self.job(shared).filter(|job| self.is_fold(job, shared))
    }

    /// Number of jobs that share the row of a job; zero for a row of its own.
    pub(super) fn folds(&self, shared: &Shared) -> impl Fn(&JobView) -> usize + use<> {
        let count = if self.is_folded(shared) { self.by_themselves(shared).count() } else { 0 };
        move |job| if ends_by_itself(job) { count } else { 0 }
    }

    /// True for the job whose row the others share.
    pub(super) fn is_fold(&self, job: &JobView, shared: &Shared) -> bool {
        self.is_folded(shared) && ends_by_itself(job)
    }

    pub(super) fn refold(&mut self, shared: &Shared) {
        self.unfolded = false;
        self.selected.keep(self.rows(shared));
    }

    /// Runs, filtered.
    pub(super) fn listed_runs<'s>(&self, shared: &'s Shared) -> &'s [RunView] {
        match self.shows {
            Shows::Due | Shows::Parked => &[],
            Shows::History | Shows::Rare => self.runs(shared),
        }
    }

    /// Keys of the rows, jobs or runs.
    pub(super) fn rows(&self, shared: &Shared) -> Vec<JobRowKey> {
        let jobs = self.listed(shared).into_iter().map(|job| JobRowKey::Job(JobName::of(job)));
        let runs = self.listed_runs(shared).iter().map(|run| JobRowKey::Run(run.seq));
        jobs.chain(runs).collect()
    }

    /// Job under the cursor.
    pub(super) fn job<'s>(&self, shared: &'s Shared) -> Option<&'s JobView> {
        let Some(JobRowKey::Job(name)) = self.selected.key() else {
            return None;
        };
        self.listed(shared).into_iter().find(|job| JobName::of(job) == *name)
    }

    /// Run under the cursor.
    pub(super) fn run<'s>(&self, shared: &'s Shared) -> Option<&'s RunView> {
        let Some(JobRowKey::Run(seq)) = self.selected.key() else {
            return None;
        };
        self.listed_runs(shared).iter().find(|run| run.seq == *seq)
    }

    pub(super) fn refilter(&mut self, context: &mut Context<'_>) {
        self.shows = next(self.shows);
        context.note(format!("Shown: {}; <filter> goes on", self.shows.words()));
        self.anew(context.shared);
    }

    pub(super) fn next_kind(&mut self, context: &mut Context<'_>) {
        let mut kinds = JobKind::built_in().chain(self.own_kinds.iter().copied());
        self.kind = match self.kind {
            None => kinds.next(),
            Some(kind) => kinds.skip_while(|one| *one != kind).nth(1),
        };
        let words = self.kind.map_or_else(|| "every kind".to_owned(), |kind| words::jobs::kind(kind.word()));
        context.note(format!("Shown: {words}; <category> goes on"));
        self.anew(context.shared);
    }

    pub(super) fn resort(&mut self, context: &mut Context<'_>) {
        self.sort = next(self.sort);
        let words = if self.sort == Sort::Kind { "by kind" } else { "the next first" };
        context.note(format!("Sorted {words}"));
    }

    /// Begins at the first row of another list.
    fn anew(&mut self, shared: &Shared) {
        self.far = 0;
        self.selected = Cursor::default();
        self.selected.keep(self.rows(shared));
    }
}
