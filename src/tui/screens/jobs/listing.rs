//! Filter and sort order of jobs and runs, with the queries that read them.
//!
//! Import cycle with [`jobs`](super): methods of the screen that owns it.

use crate::domain::job::JobKind;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView, WhichRuns};
use crate::engine::reads::jobs::{JobView, ReadJobs, WhichJobs};
use crate::tui::context::Context;
use crate::tui::go::JobName;
use crate::tui::list::Cursor;
use crate::tui::screens::jobs::{Chosen, Jobs};
use crate::words;

/// Filter of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    const fn next(self) -> Self {
        match self {
            Self::Due => Self::Parked,
            Self::Parked => Self::History,
            Self::History => Self::Rare,
            Self::Rare => Self::Due,
        }
    }

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    Due,
    Kind,
}

impl Jobs {
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        self.stale.read(context.shared.now);
        let kind = self.kind.map(|kind| kind.word().to_owned());
        let question = ReadJobs { which: WhichJobs::All, kind: kind.clone() };
        context.load(&mut self.waiting, question);
        let history = ReadRuns {
            kind,
            which: if self.shows == Shows::Rare { WhichRuns::Rare } else { WhichRuns::All },
            ..ReadRuns::default()
        };
        context.load_pages(&mut self.runs, history);
    }

    /// Reads the next page of the history.
    pub(super) fn read_on(&mut self, context: &mut Context<'_>) {
        if !self.shows.are_jobs() {
            context.load_more(&mut self.runs);
        }
    }

    /// Jobs, filtered and sorted, parked ones first.
    pub(super) fn listed(&self) -> Vec<&JobView> {
        let jobs = self.waiting.value().map_or(&[][..], Vec::as_slice);
        let mut listed: Vec<&JobView> = match self.shows {
            Shows::Due => jobs.iter().collect(),
            Shows::Parked => jobs.iter().filter(|job| job.parked.is_some()).collect(),
            Shows::History | Shows::Rare => Vec::new(),
        };
        if self.sort == Sort::Kind {
            listed.sort_by_key(|job| (job.parked.is_none(), words::jobs::kind(&job.kind)));
        }
        listed
    }

    /// Runs, filtered.
    pub(super) fn listed_runs(&self) -> &[RunView] {
        match self.shows {
            Shows::Due | Shows::Parked => &[],
            Shows::History | Shows::Rare => self.runs.rows(),
        }
    }

    /// Keys of the rows, jobs or runs.
    pub(super) fn rows(&self) -> Vec<Chosen> {
        let jobs = self.listed().into_iter().map(|job| Chosen::Job(JobName::of(job)));
        let runs = self.listed_runs().iter().map(|run| Chosen::Run(run.seq));
        jobs.chain(runs).collect()
    }

    /// Job under the cursor.
    pub(super) fn job(&self) -> Option<&JobView> {
        let Some(Chosen::Job(name)) = self.selected.key() else {
            return None;
        };
        self.listed().into_iter().find(|job| JobName::of(job) == *name)
    }

    /// Run under the cursor.
    pub(super) fn run(&self) -> Option<&RunView> {
        let Some(Chosen::Run(seq)) = self.selected.key() else {
            return None;
        };
        self.listed_runs().iter().find(|run| run.seq == *seq)
    }

    pub(super) fn refilter(&mut self, context: &mut Context<'_>) {
        let rare = self.shows == Shows::Rare;
        self.shows = self.shows.next();
        context.note(format!("Shown: {}; <filter> goes on", self.shows.words()));
        if rare || self.shows == Shows::Rare {
            self.anew(context);
        } else {
            self.selected = Cursor::default();
            self.selected.keep(self.rows());
        }
    }

    pub(super) fn next_kind(&mut self, context: &mut Context<'_>) {
        let mut kinds = JobKind::built_in().chain(self.own_kinds.iter().copied());
        self.kind = match self.kind {
            None => kinds.next(),
            Some(kind) => kinds.skip_while(|one| *one != kind).nth(1),
        };
        let words = self.kind.map_or_else(|| "every kind".to_owned(), |kind| words::jobs::kind(kind.word()));
        context.note(format!("Shown: {words}; <category> goes on"));
        self.anew(context);
    }

    pub(super) fn resort(&mut self, context: &mut Context<'_>) {
        let (sort, words) = match self.sort {
            Sort::Due => (Sort::Kind, "by kind"),
            Sort::Kind => (Sort::Due, "the next first"),
        };
        self.sort = sort;
        context.note(format!("Sorted {words}"));
    }

    /// Drops the data of the previous list and reads the new one.
    fn anew(&mut self, context: &mut Context<'_>) {
        self.waiting.forget();
        self.runs.forget();
        self.selected = Cursor::default();
        self.ask(context);
    }
}
