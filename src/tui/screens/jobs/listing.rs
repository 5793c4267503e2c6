//! Which jobs or runs are listed, in which order, and what is asked of the house for them.

use crate::domain::job::JobKind;
use crate::engine::reads::jobs::JobView;
use crate::engine::reads::jobs::runs::{ReadRuns, RunView, WhichRuns};
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote};
use crate::tui::screens::jobs::{Chosen, Ended, JobName, Jobs};
use crate::tui::shared::{Context, Tone};
use crate::tui::wording;

/// The house answers so many runs at once.
const READ_AT_ONCE: usize = 100;

/// What is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shows {
    /// What is parked, then what comes due.
    #[default]
    Due,
    /// What is parked.
    Parked,
    /// What was run.
    History,
    /// What failed, was parked, or was done by hand.
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

/// The order of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    Due,
    Kind,
}

impl Jobs {
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        self.outdated = None;
        self.read_at = context.shared.now;
        let kind = self.kind.map(|kind| kind.word().to_owned());
        if let Some(ticket) = self.waiting.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Jobs(kind));
        }
        if let Some(ticket) = self.runs.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Runs(self.history(None)));
        }
    }

    fn history(&self, before: Option<i64>) -> ReadRuns {
        ReadRuns {
            kind: self.kind.map(|kind| kind.word().to_owned()),
            which: if self.shows == Shows::Rare {
                WhichRuns::Rare
            } else {
                WhichRuns::All
            },
            before,
            ..ReadRuns::default()
        }
    }

    pub(super) fn ask_older(&mut self, context: &mut Context<'_>) {
        let last = self
            .runs
            .value()
            .and_then(|runs| runs.last())
            .map(|run| run.seq);
        let is_waiting = matches!(self.older, Remote::Waiting(..));
        if self.shows.are_jobs() || last.is_none() || is_waiting || self.ended.is_some() {
            return;
        }
        if let Some(ticket) = self.older.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Runs(self.history(last)));
        }
    }

    /// The newest came: what was read of older ones stays below them.
    pub(super) fn newest_came(&mut self, runs: Result<Vec<RunView>, Trouble>) {
        let before: Vec<RunView> = self.runs.value().cloned().unwrap_or_default();
        let runs = runs.map(|mut runs| {
            let last = runs.last().map(|run| run.seq);
            match before.iter().position(|run| Some(run.seq) == last) {
                Some(at) => runs.extend(before.into_iter().skip(at + 1)),
                None => self.ended = (runs.len() < READ_AT_ONCE).then_some(Ended),
            }
            runs
        });
        if self.runs.settle(runs) == Again::Yes {
            self.outdated = Some(super::Outdated);
        }
        self.select_listed();
    }

    pub(super) fn older_came(
        &mut self,
        runs: Result<Vec<RunView>, Trouble>,
        context: &mut Context<'_>,
    ) {
        self.older.forget();
        match runs {
            Ok(older) => {
                self.ended = (older.len() < READ_AT_ONCE).then_some(Ended);
                if let Some(runs) = self.runs.value_mut() {
                    runs.extend(older);
                }
            }
            Err(trouble) => context.say(Tone::Refused, trouble.sentence()),
        }
    }

    /// The jobs as listed: the parked ones first.
    pub(super) fn listed(&self) -> Vec<&JobView> {
        let jobs = self.waiting.value().map_or(&[][..], Vec::as_slice);
        let mut listed: Vec<&JobView> = match self.shows {
            Shows::Due => jobs.iter().collect(),
            Shows::Parked => jobs.iter().filter(|job| job.parked.is_some()).collect(),
            Shows::History | Shows::Rare => Vec::new(),
        };
        if self.sort == Sort::Kind {
            listed.sort_by_key(|job| (job.parked.is_none(), wording::jobs::kind(&job.kind)));
        }
        listed
    }

    /// The runs as listed.
    pub(super) fn listed_runs(&self) -> &[RunView] {
        match self.shows {
            Shows::Due | Shows::Parked => &[],
            Shows::History | Shows::Rare => self.runs.value().map_or(&[][..], Vec::as_slice),
        }
    }

    /// The rows of the list, whatever they are.
    pub(super) fn rows(&self) -> Vec<Chosen> {
        let jobs = self
            .listed()
            .into_iter()
            .map(|job| Chosen::Job(JobName::of(job)));
        let runs = self.listed_runs().iter().map(|run| Chosen::Run(run.seq));
        jobs.chain(runs).collect()
    }

    pub(super) fn row(&self, index: usize) -> Option<Chosen> {
        self.rows().into_iter().nth(index)
    }

    /// The job under the cursor.
    pub(super) fn job(&self) -> Option<&JobView> {
        let Some(Chosen::Job(name)) = &self.selected else {
            return None;
        };
        self.listed()
            .into_iter()
            .find(|job| JobName::of(job) == *name)
    }

    /// The run under the cursor.
    pub(super) fn run(&self) -> Option<&RunView> {
        let Some(Chosen::Run(seq)) = &self.selected else {
            return None;
        };
        self.listed_runs().iter().find(|run| run.seq == *seq)
    }

    /// The cursor stays on its row; when that is gone it goes to the first.
    pub(super) fn select_listed(&mut self) {
        let rows = self.rows();
        let is_listed = rows.iter().any(|row| Some(row) == self.selected.as_ref());
        if !is_listed && !rows.is_empty() {
            self.selected = rows.into_iter().next();
        }
    }

    pub(super) fn refilter(&mut self, context: &mut Context<'_>) {
        let rare = self.shows == Shows::Rare;
        self.shows = self.shows.next();
        context.say(
            Tone::Note,
            format!("Shown: {}; f goes on", self.shows.words()),
        );
        if rare || self.shows == Shows::Rare {
            self.anew(context);
        } else {
            self.selected = None;
            self.select_listed();
        }
    }

    pub(super) fn next_kind(&mut self, context: &mut Context<'_>) {
        let next = |kind: JobKind| {
            let mut kinds = JobKind::ALL.into_iter().skip_while(move |one| *one != kind);
            kinds.nth(1)
        };
        self.kind = match self.kind {
            None => JobKind::ALL.first().copied(),
            Some(kind) => next(kind),
        };
        let words = self.kind.map_or_else(
            || "every kind".to_owned(),
            |kind| wording::jobs::kind(kind.word()),
        );
        context.say(Tone::Note, format!("Shown: {words}; c goes on"));
        self.anew(context);
    }

    pub(super) fn resort(&mut self, context: &mut Context<'_>) {
        let (sort, words) = match self.sort {
            Sort::Due => (Sort::Kind, "by kind"),
            Sort::Kind => (Sort::Due, "the next first"),
        };
        self.sort = sort;
        context.say(Tone::Note, format!("Sorted {words}"));
    }

    /// Another list: what was read of the one before is no part of it.
    fn anew(&mut self, context: &mut Context<'_>) {
        self.waiting.forget();
        self.runs.forget();
        self.older.forget();
        self.ended = None;
        self.selected = None;
        self.ask(context);
    }
}
