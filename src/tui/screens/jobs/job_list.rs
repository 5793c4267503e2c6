//! Drawing of Jobs: the list, with the details of the row under the cursor below it; in a wide terminal beside it, above
//! the history.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span as Text};

use crate::domain::job::RunOutcome;
use crate::domain::text::width;
use crate::domain::time::{Instant, Span};
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{JobSubject, JobView};
use crate::tui::data::msg::ClockJump;
use crate::tui::kit::canvas::{Canvas, Focus, cells, first_rows, from_row};
use crate::tui::kit::list::{HEADING, LazyLine, heading};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::RowList;
use crate::tui::screens::jobs::Jobs;
use crate::tui::screens::jobs::job_order::{Shows, Sort};
use crate::tui::widgets::bar::curve;
use crate::words;

/// Minimum width for details beside the list, and for half as much again of them.
pub(super) const WITH_SIDE: u16 = 110;
const WIDE_SIDE: u16 = 150;
/// Lines of the details panel; above the history at most.
const DETAILS: u16 = 7;
const ABOVE_HISTORY: u16 = 14;
/// Minutes of the next hour, one a column.
const HOUR: usize = 60;
/// Heading of jobs that come due within an hour.
const NEXT_HOUR: &str = "  NEXT HOUR";
/// Width of a job's time.
const WHEN: usize = 13;
/// Maximum width of a job's subject: its effect stands near it.
const ABOUT_MAX: usize = 110;
/// Least width of the reasons of parked jobs.
const THEN: usize = 23;
/// Columns of a run: time, outcome, kind, subject.
const RUN: [Column; 4] =
    [Column::text("", WHEN - 1), Column::text("", 11), Column::text("", 13), Column::text("", 0).up_to(usize::MAX)];

impl Jobs {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if self.selected.key().is_none() {
            self.list(shared, area, canvas);
        } else if area.width < WITH_SIDE {
            let lines = cells(self.lines(shared, area.width).len() + 2);
            let below = DETAILS.min(area.height * 2 / 7);
            let lines = [Constraint::Length(lines.min(area.height - below)), Constraint::Length(below)];
            let [list, below] = area.layout(&Layout::vertical(lines));
            self.list(shared, list, canvas);
            self.details(shared, below, canvas);
        } else {
            let beside = if area.width < WIDE_SIDE {
                [Constraint::Fill(2), Constraint::Fill(1)]
            } else {
                [Constraint::Fill(3), Constraint::Fill(2)]
            };
            let [list, side] = area.layout(&Layout::horizontal(beside));
            let has_history = self.shows.are_jobs() && self.acted(shared).next().is_some();
            let about = if has_history { ABOVE_HISTORY.min(side.height / 2) } else { side.height };
            self.list(shared, list, canvas);
            self.details(shared, first_rows(side, about), canvas);
            if has_history {
                self.last_runs(shared, from_row(side, about), canvas);
            }
        }
    }

    fn lines<'a>(&'a self, shared: &'a Shared, columns: u16) -> Vec<(usize, LazyLine<'a>)> {
        if self.shows.are_jobs() {
            return self.job_lines(shared, columns);
        }
        let runs = self.listed_runs(shared).iter().enumerate();
        let line = |(index, run)| {
            let line: LazyLine<'_> = Box::new(move || run_line(shared, run, columns));
            (index, line)
        };
        runs.map(line).collect()
    }

    fn list(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let count = shared.keyed(&self.count_words(shared));
        let inner = canvas.panel(area, [&self.title(), &count], Focus::Here);
        let lines = self.lines(shared, inner.width);
        if lines.is_empty() {
            self.nothing(shared, inner, canvas);
            return;
        }
        let view = self.selected.view(RowList::Jobs, inner, self.rows(shared));
        view.draw(canvas, lines, |line| line());
    }

    fn title(&self) -> String {
        let kind = self.kind.map_or_else(String::new, |kind| format!(" | {}", words::jobs::kind(kind.word())));
        let sort = match self.sort {
            Sort::Kind if self.shows.are_jobs() => " | by kind",
            Sort::Kind | Sort::Due => "",
        };
        format!("Jobs | {}{kind}{sort}", self.shows.words())
    }

    fn count_words(&self, shared: &Shared) -> String {
        if !self.shows.are_jobs() {
            let count = words::count(self.listed_runs(shared).len(), "run");
            return if shared.reads.goes_on(&self.history()) {
                format!("latest {count}, <last> for more")
            } else {
                count
            };
        }
        let jobs = self.jobs(shared);
        let parked = jobs.iter().filter(|job| job.parked.is_some()).count();
        let scheduled = format!("{} scheduled", jobs.len() - parked);
        match (parked, shared.reads.get(&self.question())) {
            (_, None) => String::new(),
            (0, _) => scheduled,
            (parked, _) => format!("! {parked} parked, {scheduled}"),
        }
    }

    fn nothing(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let placeholder = if self.shows.are_jobs() {
            shared.in_place_of(&self.question())
        } else {
            shared.in_place_of(&self.history())
        };
        let text = match (&placeholder, self.shows) {
            (Some(words), _) => words,
            (_, _) if self.kind.is_some() => "None of this kind. <category> shows the next kind, then all.",
            (_, Shows::Due) => {
                "Nothing waits. What is held, reserved or kept comes due by itself and stands here until then."
            }
            (_, Shows::Parked) => {
                "Nothing is parked. What fails again and again waits here, with its reason, until you run it."
            }
            (_, Shows::History) => "Nothing was run yet. <filter> shows what is due next.",
            (_, Shows::Rare) => "Nothing failed, and nobody did anything by hand. <filter> shows what is due next.",
        };
        canvas.note(area, &shared.keyed(text));
    }

    fn job_lines<'a>(&'a self, shared: &'a Shared, columns: u16) -> Vec<(usize, LazyLine<'a>)> {
        let listed = self.listed(shared);
        let folded = self.folds(shared);
        let room = usize::from(columns).saturating_sub(2 + WHEN);
        let then = listed.iter().map(|job| match job.parked {
            Some(_) => THEN.max(room / 4),
            None => width(&effect(shared, (job, folded(job)))),
        });
        // the bar of a long list stands behind it
        let then = 1 + then.max().unwrap_or_default();
        let mut lines = Vec::new();
        if shared.clock_jump != ClockJump::None {
            let words = "  ! The machine's clock is in doubt: nothing runs until <commands> confirm-clock";
            lines.push(heading(shared.keyed(words), shared.theme.warning));
        }
        let mut before = None;
        for (index, job) in listed.into_iter().enumerate() {
            let group = if self.sort == Sort::Kind && job.parked.is_none() { "  BY KIND" } else { group(job, shared) };
            if before != Some(group) {
                let strip = if group == NEXT_HOUR { self.next_hour(shared, columns) } else { String::new() };
                let line = move || {
                    Line::from(vec![
                        Text::styled(group, shared.theme.title),
                        Text::styled(strip.clone(), shared.theme.quiet),
                    ])
                };
                lines.push((HEADING, Box::new(line)));
            }
            before = Some(group);
            let folded = folded(job);
            lines.push((index, Box::new(move || job_line(shared, (job, folded), (room, then)))));
        }
        lines
    }

    /// The next hour, a column a minute: how much comes due in each.
    fn next_hour(&self, shared: &Shared, columns: u16) -> String {
        let indent = 2 + WHEN - NEXT_HOUR.len();
        if usize::from(columns) < 2 + WHEN + HOUR || shared.glyphs.is_plain {
            return String::new();
        }
        let mut minutes = [0; HOUR];
        for job in self.jobs(shared).iter().filter(|job| job.parked.is_none()) {
            let minute = usize::try_from(job.next_check_at.since(shared.now).millis() / 60_000).ok();
            if let Some(due) = minute.and_then(|at| minutes.get_mut(at)) {
                *due += 1;
            }
        }
        let strip = curve(&minutes, (1, 1), &shared.glyphs).concat().replace(' ', "·");
        format!("{:indent$}{strip}", "")
    }

    /// Runs that did something; one that only found that it is too early tells nobody anything.
    fn acted<'s>(&self, shared: &'s Shared) -> impl Iterator<Item = &'s RunView> + use<'s> {
        let idle = [RunOutcome::Again, RunOutcome::Moved].map(|one| one.word());
        let runs = self.runs(shared).iter();
        runs.filter(move |run| !idle.contains(&run.outcome.as_str()))
    }

    /// Draws the newest runs beside the list; they take no cursor.
    fn last_runs(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let right = shared.keyed("<filter> shows them all");
        let inner = canvas.panel(area, ["Run last", &right], Focus::Elsewhere);
        let runs = self.acted(shared);
        canvas.lines(inner, runs.map(|run| run_line(shared, run, inner.width)));
    }
}

/// Heading above a job, by its time.
fn group(job: &JobView, shared: &Shared) -> &'static str {
    let at = job.next_check_at;
    let day = |at: Instant| at.in_zone(shared.zone).date_naive();
    if job.parked.is_some() {
        "  PARKED: each waits until you run it"
    } else if at <= shared.now {
        "  NOW"
    } else if at.since(shared.now) <= Span::minutes(60) {
        NEXT_HOUR
    } else if day(at) == day(shared.now) {
        "  TODAY"
    } else {
        "  LATER"
    }
}

/// Effect of a job; for a parked one its reason, and for jobs that share the row the way to them.
fn effect(shared: &Shared, (job, folded): (&JobView, usize)) -> String {
    match &job.parked {
        Some(reason) => reason.to_string(),
        None if folded > 0 => shared.keyed("<jobs.main> lists them"),
        None => words::jobs::then(job).to_owned(),
    }
}

/// Row of a job: time, subject, effect, in some columns behind the time and for the effect. Jobs that share it are counted.
fn job_line(shared: &Shared, (job, folded): (&JobView, usize), (room, then): (usize, usize)) -> Line<'static> {
    let theme = &shared.theme;
    let when = words::jobs::when(job, shared.here());
    let near = job.next_check_at.since(shared.now).millis() <= 120_000;
    let style = match (&job.parked, job.known()) {
        (Some(_), _) => theme.warning,
        (None, None) => theme.quiet,
        (None, Some(_)) if near => theme.warning,
        (None, Some(_)) => theme.strong,
    };
    let kind = words::jobs::kind(&job.kind);
    let about = match (&job.about, words::jobs::about(&job.about, shared.now)) {
        (JobSubject::Own { .. }, subject) => format!("{kind} {subject}"),
        (_, about) if about.is_empty() => kind,
        (_, about) => about,
    };
    let about = if folded > 0 { format!("the next of {folded} that end by themselves") } else { about };
    let columns = [Column::text("", WHEN - 1), Column::text("", 0).up_to(ABOUT_MAX), Column::text("", then)];
    let effect = effect(shared, (job, folded));
    Table::new(columns, room + WHEN + 1).line([(when, style), (about, theme.text), (effect, theme.quiet)])
}

/// Row of a run: time, outcome, subject.
fn run_line(shared: &Shared, run: &RunView, columns: u16) -> Line<'static> {
    let theme = &shared.theme;
    let here = shared.here();
    let same_day = run.started_at.in_zone(here.zone).date_naive() == here.today();
    let when = if same_day { words::clock(run.started_at, here.zone) } else { words::jobs::day(run.started_at, here) };
    let style = match run.outcome.as_str() {
        "failed" | "parked" => theme.danger,
        "done" => theme.done,
        _ => theme.quiet,
    };
    let about = words::jobs::about(&run.about, shared.now);
    let about = if about.is_empty() { &run.detail } else { &about };
    let kind = words::jobs::kind(&run.kind);
    let table = Table::new(RUN, usize::from(columns).saturating_sub(1));
    let outcome = words::jobs::outcome(&run.outcome);
    table.line([(when, theme.text), (outcome, style), (kind, theme.strong), (about.clone(), theme.text)])
}
