//! Actions of an operator on a job: run now, run later, park, unpark.

use crate::domain::job::JobKind;
use crate::domain::text::clean;
use crate::domain::time::typed;
use crate::engine::ops::{ControlJob, JobAct};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::context::Context;
use crate::tui::kit::prompt::{Prompt, PromptWords};
use crate::tui::kit::shared::Tone;
use crate::tui::screens::jobs::Jobs;

const LATER: PromptWords = ("run it later", "+15m   20:30   fri 14:00", &[("Enter", "later"), ("Esc", "close")]);

const PARK: PromptWords =
    ("park it, because", "what it waits for; may be empty", &[("Enter", "park it"), ("Esc", "close")]);

impl Jobs {
    /// Job under the cursor, if its kind is known to this program; otherwise tells why nothing can be done.
    fn steered(&self, context: &mut Context<'_>) -> Option<(JobKind, String)> {
        let Some(job) = self.job(context.shared) else {
            context.note("Put the cursor on a job first; <filter> shows those that wait");
            return None;
        };
        let Some(kind) = job.known() else {
            let words = "A newer willcall wrote this kind: it is left alone; update this one";
            context.say(Tone::Refused, words);
            return None;
        };
        Some((kind, job.subject.clone()))
    }

    fn command(act: JobAct, name: (JobKind, String), context: &mut Context<'_>) {
        let (kind, subject) = name;
        let control = ControlJob { kind, subject, act };
        context.act(DeskAct::run(control));
    }

    pub(super) fn run_now(&mut self, context: &mut Context<'_>) {
        if let Some(name) = self.steered(context) {
            Self::command(JobAct::RunNow, name, context);
        }
    }

    pub(super) fn ask_when(&mut self, context: &mut Context<'_>) {
        let Some(name) = self.steered(context) else {
            return;
        };
        context.open(Prompt::new(LATER, "", context.shared, move |text, context| {
            let at = typed::deadline(text, context.shared.here()).map_err(|error| error.to_string())?;
            Self::command(JobAct::Later(at), name.clone(), context);
            Ok(())
        }));
    }

    /// Parks a scheduled job, with a reason, or puts a parked job back in the schedule.
    pub(super) fn park(&mut self, context: &mut Context<'_>) {
        let Some(name) = self.steered(context) else {
            return;
        };
        if self.job(context.shared).is_some_and(|job| job.parked.is_some()) {
            Self::command(JobAct::Retry, name, context);
            return;
        }
        context.open(Prompt::new(PARK, "", context.shared, move |text, context| {
            Self::command(JobAct::Park(clean(text)), name.clone(), context);
            Ok(())
        }));
    }
}
