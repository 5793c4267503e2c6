//! Details of the row under the cursor: subject, reason, attempts and keys.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::text::clean;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{JobView, short};
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, from_row};
use crate::tui::kit::hints::hints;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::jobs::Jobs;
use crate::tui::widgets::facts;
use crate::words;

/// Lines of a panel in which each fact stands whole.
const ROOMY: u16 = 12;

impl Jobs {
    pub(super) fn details(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let (title, subject, lines) = if self.folded_here(shared).is_some() {
            let line = |job: &JobView| {
                let about = words::jobs::about(&job.about, shared.now);
                let what = if about.is_empty() { words::jobs::kind(&job.kind) } else { about };
                let words = format!("{}  {what}: {}", words::jobs::when(job, shared.here()), words::jobs::then(job));
                (words, shared.theme.text)
            };
            ("By themselves".to_owned(), String::new(), self.by_themselves(shared).map(line).collect())
        } else if let Some(job) = self.job(shared) {
            let kind = words::jobs::kind(&job.kind);
            (kind, short(&job.subject), of_job(shared, job))
        } else if let Some(run) = self.run(shared) {
            let kind = words::jobs::kind(&run.kind);
            (kind, short(&run.subject), of_run(shared, run))
        } else {
            ("Job".to_owned(), String::new(), Vec::new())
        };
        // the tail of an id tells nobody anything
        let subject = if subject.starts_with("..") { String::new() } else { clean(&subject) };
        let titles = [clean(&title), subject];
        let inner = canvas.panel(area, titles, Focus::Elsewhere);
        let lines = facts(lines, (inner.width, if inner.height < ROOMY { 2 } else { 4 }));
        let below = from_row(inner, cells(lines.len() + 1));
        canvas.lines(inner, lines);
        // a panel at the foot stands on the key bar
        let is_beside = area.width < shared.size.width;
        let one = self.job(shared).filter(|_| is_beside && self.folded_here(shared).is_none());
        if let Some(job) = one.filter(|job| job.known().is_some()) {
            keys(shared, job, (below, canvas));
        }
    }
}

fn of_job(shared: &Shared, job: &JobView) -> Vec<(String, Style)> {
    let (theme, here) = (&shared.theme, shared.here());
    let at = job.next_check_at;
    let when = words::jobs::due(at, here);
    let about = words::jobs::about(&job.about, here.now);
    let first = match (&job.parked, about.is_empty()) {
        (None, false) => format!("{about}, {when}"),
        (None, true) => when,
        (Some(_), _) => about,
    };
    let looked = match job.check_count {
        0 => String::new(),
        checks => format!(", looked {}", words::count(number(checks), "time")),
    };
    let failed = match job.failures {
        0 => String::new(),
        tries => format!(", failed {}", words::count(number(tries), "time")),
    };
    let due = format!(
        "due {}, first due {}{looked}{failed}",
        here.format(at, "%a %-d %b %H:%M:%S"),
        here.format(job.first_check_at, "%a %-d %b %H:%M:%S"),
    );
    let mut lines = vec![(first, theme.strong)];
    if let Some(reason) = &job.parked {
        lines.push((format!("! parked: {reason}"), theme.warning));
    }
    lines.push((words::jobs::why(job).to_owned(), theme.text));
    lines.push((due, theme.quiet));
    lines
}

fn of_run(shared: &Shared, run: &RunView) -> Vec<(String, Style)> {
    let (theme, here) = (&shared.theme, shared.here());
    let micros = u32::try_from(run.took_micros).unwrap_or(u32::MAX);
    let took = format!("took {:.1} ms", f64::from(micros) / 1000.0);
    let attempt = if run.attempt > 1 { format!(", try {}", run.attempt) } else { String::new() };
    vec![
        (words::jobs::about(&run.about, here.now), theme.strong),
        (
            format!(
                "{}{}",
                words::jobs::outcome(&run.outcome),
                if run.detail.is_empty() { String::new() } else { format!(": {}", run.detail) }
            ),
            theme.text,
        ),
        (
            format!(
                "due {}, started {}, {took}{attempt}",
                here.format(run.due_at, "%a %-d %b %H:%M:%S"),
                run.started_at.format(here.zone, "%H:%M:%S"),
            ),
            theme.quiet,
        ),
        (format!("by {} at {}", run.operator, run.station), theme.quiet),
    ]
}

fn number(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Draws the keys, each as a button for the mouse, one a line below the facts.
fn keys(shared: &Shared, job: &JobView, (below, canvas): (Rect, &mut Canvas<'_>)) {
    let parked = job.parked.is_some();
    let park = if parked { "back in its turn" } else { "park" };
    let can =
        [(Action::Main, "go there"), (Action::RunNow, "run now"), (Action::PutOff, "later"), (Action::Park, park)];
    for (line, one) in below.rows().zip(can) {
        hints(shared, (KeyPlace::Jobs, &[one]), (after(line, 1), 0), canvas);
    }
}
