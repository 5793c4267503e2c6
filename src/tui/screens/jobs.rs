//! Jobs: what comes due next and why, what is parked, and what was run.
//!
//! The list is read again when something changed or came due, at most once a second; only a time that is counted
//! down on the screen draws it each second. What is done here is done by the house, and written down like a run.

use crate::domain::job::JobKind;
use crate::domain::time::{Instant, Span};
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{JobSubject, JobView};
use crate::tui::action::Action;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Changed, Effect, Trouble, only};
use crate::tui::pages::Pages;
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::targets::{List, Target};
use crate::tui::wording;

mod details;
mod doing;
mod listing;
#[cfg(test)]
mod tests;
mod view;

pub use doing::JobPrompt;
use listing::{Shows, Sort};

/// How many rows a page of the list has.
const PAGE: isize = 10;
/// What changed is read again at most this often.
const READ_EVERY: Span = Span::seconds(1);

/// A job by its kind's word and its subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobName {
    /// Its kind's word.
    pub kind: String,
    /// The id of what it watches.
    pub subject: String,
}

impl JobName {
    /// A job's name.
    #[must_use]
    pub fn of(job: &JobView) -> Self {
        Self {
            kind: job.kind.clone(),
            subject: job.subject.clone(),
        }
    }
}

/// State of the screen Jobs.
#[derive(Debug, Default)]
pub struct Jobs {
    /// Those that wait for somebody, then those that run by themselves, the next first.
    waiting: Remote<Vec<JobView>>,
    runs: Pages<RunView>,
    read_at: Instant,
    outdated: Option<Outdated>,
    shows: Shows,
    sort: Sort,
    kind: Option<JobKind>,
    selected: Option<Chosen>,
    /// What somebody does to a job, until the house has answered.
    doing: Option<(Ticket, doing::Doing)>,
}

/// Something changed since the list was read.
#[derive(Clone, Copy, Debug)]
struct Outdated;

/// A row of the list by what stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Chosen {
    Job(JobName),
    Run(i64),
}

impl Jobs {
    /// The screen comes to the top: asks for what it shows.
    pub fn enter(&mut self, context: &mut Context<'_>) {
        self.ask(context);
    }

    /// Comes to the top with one job under the cursor.
    pub fn show(&mut self, job: JobName, context: &mut Context<'_>) {
        self.shows = Shows::Due;
        self.kind = None;
        self.selected = Some(Chosen::Job(job));
        self.ask(context);
    }

    /// Whose keys hold now.
    #[must_use]
    pub const fn place(&self) -> KeyPlace {
        KeyPlace::Jobs
    }

    /// Whether a countdown stands on the screen.
    #[must_use]
    pub fn counts(&self, shared: &Shared) -> bool {
        let counted = |job: &JobView| {
            job.parked.is_none() && wording::jobs::is_counted(job.next_check_at, shared.now)
        };
        self.listed().into_iter().any(counted)
    }

    /// A second went by: reads again what changed or came due since.
    pub fn tick(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let came_due = |job: &JobView| {
            job.parked.is_none() && job.known().is_some() && job.next_check_at <= now
        };
        let jobs = self.waiting.value().map_or(&[][..], Vec::as_slice);
        let is_old = self.outdated.is_some() || jobs.iter().any(came_due);
        if is_old && now.since(self.read_at) >= READ_EVERY {
            self.ask(context);
        }
    }

    /// Does what a key means.
    pub fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match Some(action) {
            Some(Action::Up) => self.step(-1, context),
            Some(Action::Down) => self.step(1, context),
            Some(Action::PageUp) => self.step(-PAGE, context),
            Some(Action::PageDown) => self.step(PAGE, context),
            Some(Action::First) => self.step(isize::MIN, context),
            Some(Action::Last) => self.step(isize::MAX, context),
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

    /// A click on one of its targets.
    pub fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(List::Jobs, index) = target else {
            return;
        };
        match click {
            Click::Single => self.selected = self.row(*index).or(self.selected.take()),
            Click::Double => self.go_there(context),
            Click::WheelUp => self.step(-1, context),
            Click::WheelDown => self.step(1, context),
            Click::Drag | Click::Release => {}
        }
    }

    /// Whether it asked with this ticket.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        let doing = self.doing.as_ref().map(|(ticket, _)| *ticket);
        self.waiting.awaits(ticket) || self.runs.awaits(ticket) || doing == Some(ticket)
    }

    /// An answer to a ticket that it awaits.
    pub fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.waiting.awaits(ticket) {
            let jobs = only!(answer, Answer::Jobs(jobs) => jobs);
            if self.waiting.settle(jobs) == Again::Yes {
                self.outdated = Some(Outdated);
            }
            self.select_listed();
        } else if let Some((_, doing)) = self.doing.take_if(|(mine, _)| *mine == ticket) {
            self.done(&doing, answer, context);
        } else {
            self.runs_came(only!(answer, Answer::Runs(runs) => runs), context);
        }
    }

    /// Something in the house changed; it is asked for again within a second.
    pub fn changed(&mut self, _changed: &Changed, context: &mut Context<'_>) {
        self.outdated = Some(Outdated);
        self.tick(context);
    }

    fn step(&mut self, by: isize, context: &mut Context<'_>) {
        let rows = self.rows();
        let last = rows.len().saturating_sub(1);
        let at = rows
            .iter()
            .position(|row| Some(row) == self.selected.as_ref());
        let next = at.unwrap_or(0).saturating_add_signed(by).min(last);
        self.selected = rows.get(next).cloned();
        if next == last && by > 0 {
            self.read_on(context);
        }
    }

    /// Goes to what the job watches.
    fn go_there(&mut self, context: &mut Context<'_>) {
        let about = match &self.selected {
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
            Some(JobSubject::House) => context.say(Tone::Note, "It is about the whole house"),
            Some(JobSubject::Unknown) => context.say(Tone::Note, "What it watched is gone"),
            None => context.say(Tone::Note, "No job is listed; <filter> shows others"),
        }
    }

    fn copy(&self, context: &mut Context<'_>) {
        let subject = match &self.selected {
            Some(Chosen::Job(job)) => Some(job.subject.clone()),
            Some(Chosen::Run(_)) => self.run().map(|run| run.subject.clone()),
            None => None,
        };
        if let Some(subject) = subject {
            context.say(Tone::Note, format!("{subject} is on the clipboard"));
            context.effect(Effect::Copy(subject));
        }
    }
}
