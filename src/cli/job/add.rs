//! `job add` and `job kinds`: the house's own kinds of job.

use clap::Args;
use serde_json::Value;

use crate::cli::answers::object;
use crate::cli::call::{Call, Done};
use crate::cli::job::answer;
use crate::cli::out::{AsCsv, Rendered};
use crate::cli::table::Table;
use crate::cli::{times, values};
use crate::domain::house::Settings;
use crate::domain::job::JobKind;
use crate::domain::settings::{policy, priority};
use crate::engine::ops::AddJob;
use crate::engine::reads::jobs::ReadJob;

#[derive(Debug, Args)]
pub(in crate::cli) struct AddJobArgs {
    /// Kind: order-shipped; a new one is made with --run
    #[arg(long)]
    kind: String,
    /// Thing to check: order-77
    #[arg(long)]
    subject: String,
    /// When it is checked first: +1h, 2026-12-01T19:30
    #[arg(long, value_name = "TIME")]
    due: String,
    /// The shell command of the kind: it reads the job as JSON, and ends with 0: done, 75: look again at the time on
    /// its last line, or another code: failed
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,
    /// Times round up to a whole number of these [default: 1m]
    #[arg(long, value_name = "SPAN")]
    slot: Option<String>,
    /// Time limit of the command [default: 10s]
    #[arg(long, value_name = "SPAN")]
    limit: Option<String>,
    /// Checks that may ask for another, at most; 0: without end [default: 5]
    #[arg(long, value_name = "COUNT")]
    checks: Option<String>,
    /// Farthest next check [default: 720h]
    #[arg(long, value_name = "SPAN")]
    horizon: Option<String>,
    /// Tries of a check [default: 5]
    #[arg(long, value_name = "COUNT")]
    tries: Option<String>,
    /// Wait before a failed check is tried again; doubled each time [default: the slot]
    #[arg(long, value_name = "SPAN")]
    retry: Option<String>,
    /// Which goes first when many are due: 0 before 9 [default: its kind's, as job.KIND.priority says]
    #[arg(long, value_name = "NUMBER")]
    priority: Option<String>,
}

impl AddJobArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let kind = JobKind::typed(&self.kind);
        let given = [
            ("slot", &self.slot),
            ("limit", &self.limit),
            ("checks", &self.checks),
            ("horizon", &self.horizon),
            ("tries", &self.tries),
            ("retry", &self.retry),
        ];
        if let Some(command) = &self.run {
            call.desk
                .check_command(command)
                .map_err(|problem| values::bad("run", format!("it can't be run: {problem}")))?;
        }
        let due = times::deadline("due", &self.due, call.now_in(call.out.zone))?;
        call.run(AddJob {
            kind: kind.clone(),
            subject: self.subject.clone(),
            due,
            run: self.run.clone(),
            policy: policy(given.into_iter().filter_map(|(word, text)| Some((word, text.as_deref()?))))?,
            priority: values::some(self.priority.as_ref(), |text| priority("priority", text))?,
        })?;
        let subject = self.subject.clone();
        let view = call.read(ReadJob { kind, subject })?;
        answer(call, &view)
    }
}

pub(super) fn kinds(call: &mut Call<'_>, csv: &AsCsv) -> Done {
    csv.choose(call.out);
    let kinds: Vec<JobKind> = call.settings.job_kinds().collect();
    let settings = &call.settings;
    let run = |kind: &JobKind| settings.own_jobs.get(kind.word()).cloned();
    let fact = |name: &'static str| {
        move |kind: &JobKind| {
            let mut facts = settings.policy(*kind).facts().filter(|(word, _)| kind.has_setting(word));
            facts.find(|(word, _)| *word == name).map(|(_, fact)| fact).unwrap_or_default()
        }
    };
    let table = Table::of(&kinds)
        .words("KIND", |kind| kind.word().to_owned())
        .words("SLOT", fact("slot"))
        .words("LIMIT", fact("limit"))
        .numbers("CHECKS", fact("checks"))
        .words("HORIZON", fact("horizon"))
        .numbers("TRIES", fact("tries"))
        .words("RETRY", fact("retry"))
        .numbers("PRIORITY", fact("priority"))
        .words("RUN", |kind| run(kind).unwrap_or_default());
    let rendered = Rendered::list(&kinds, |kind| json(*kind, settings), table.text())
        .columns("kind own slot limit checks horizon tries retry priority run");
    call.answer(&rendered)
}

fn json(kind: JobKind, settings: &Settings) -> Value {
    let policy = settings.policy(kind);
    object! {
        "kind": kind.word(),
        "own": kind.is_own(),
        "slot": policy.slot.to_string(),
        "limit": policy.limit.to_string(),
        "retry": policy.retry.to_string(),
        policy { tries, priority },
        ? "checks": kind.has_setting("checks").then_some(policy.checks),
        ? "horizon": kind.has_setting("horizon").then(|| policy.horizon.to_string()),
        ? "run": settings.own_jobs.get(kind.word()),
    }
}
