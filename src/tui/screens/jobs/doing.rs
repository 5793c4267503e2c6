//! Actions of an operator on a job: run now, run later, park, unpark.

use crate::domain::job::JobKind;
use crate::domain::text::clean;
use crate::domain::time::typed;
use crate::engine::ops::{ControlJob, JobAct};
use crate::tui::data::acts::DeskAct;
use crate::tui::kit::context::Context;
use crate::tui::kit::go::{Go, JobName, JobPrompt, PromptPurpose};
use crate::tui::kit::shared::Tone;
use crate::tui::screens::jobs::Jobs;

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
        if self.steered(context).is_some()
            && let Some(job) = self.job(context.shared)
        {
            let prompt = JobPrompt::Later(JobName::of(job));
            context.go(Go::Ask(PromptPurpose::Job(prompt)));
        }
    }

    /// Parks a scheduled job, with a reason, or puts a parked job back in the schedule.
    pub(super) fn park(&mut self, context: &mut Context<'_>) {
        let Some(name) = self.steered(context) else {
            return;
        };
        let Some(job) = self.job(context.shared) else { return };
        if job.parked.is_some() {
            Self::command(JobAct::Retry, name, context);
        } else {
            let prompt = JobPrompt::Park(JobName::of(job));
            context.go(Go::Ask(PromptPurpose::Job(prompt)));
        }
    }

    /// Handles Enter after a time or a reason.
    pub(crate) fn typed(wish: &JobPrompt, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let (JobPrompt::Later(name) | JobPrompt::Park(name)) = wish;
        let kind = JobKind::from_word(&name.kind);
        let kind = kind.ok_or_else(|| "this kind is left alone".to_owned())?;
        let act = match wish {
            JobPrompt::Later(_) => {
                let at = typed::deadline(text, context.shared.here()).map_err(|error| error.to_string())?;
                JobAct::Later(at)
            }
            JobPrompt::Park(_) => JobAct::Park(clean(text)),
        };
        Self::command(act, (kind, name.subject.clone()), context);
        Ok(())
    }
}
