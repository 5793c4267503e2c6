//! A setting by its typed name: a plain one, a guard of a kind of job, or a listener.

use crate::cli::settings::tables::{OF_HOUSE, OF_JOB, Setting};
use crate::domain::event::Event;
use crate::domain::house::Settings;
use crate::domain::job::{JobKind, JobPolicy, PolicyChange};
use crate::domain::refusal::Refusal;
use crate::engine::ops::ChangeSettings;

#[derive(Clone, Copy, Debug)]
pub(super) enum Chosen {
    Plain(&'static Setting<Settings, ChangeSettings>),
    Job(JobKind, &'static Setting<JobPolicy, PolicyChange>),
    /// The shell command of an own kind of job.
    Run(JobKind),
    Listener(&'static str),
}

impl Chosen {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let name = text.trim().to_lowercase();
        let found = match name.split('.').collect::<Vec<_>>().as_slice() {
            [plain] => {
                let found = OF_HOUSE.iter().find(|one| one.word == *plain);
                found.map(Self::Plain)
            }
            ["job", kind, "run"] => {
                let kind = JobKind::from_word(&JobKind::typed(kind));
                kind.map(Self::Run)
            }
            ["job", kind, guard] => {
                let kind = JobKind::from_word(&JobKind::typed(kind));
                let guard = OF_JOB.iter().find(|one| one.word == *guard);
                kind.zip(guard).map(|(kind, guard)| Self::Job(kind, guard))
            }
            ["listener", event] => {
                let event = event.replace('-', "_");
                let known = Event::words().into_iter().find(|word| *word == event);
                known.map(Self::Listener)
            }
            _ => None,
        };
        let plain = OF_HOUSE.each_ref().map(|one| one.word).join(", ");
        let guards = OF_JOB.each_ref().map(|one| one.word).join(", ");
        found.ok_or_else(|| {
            format!(
                "there is no such setting; there are {plain}, job.KIND.X ({guards}) and listener.EVENT ({})",
                Event::words().join(", ")
            )
        })
    }

    pub(super) fn of(self, settings: &Settings) -> (String, String) {
        match self {
            Self::Plain(setting) => (setting.word.to_owned(), (setting.get)(settings)),
            Self::Job(kind, guard) => {
                (format!("job.{}.{}", kind.word(), guard.word), (guard.get)(&settings.policy(kind)))
            }
            Self::Run(kind) => {
                let command = settings.own_jobs.get(kind.word()).cloned();
                (format!("job.{}.run", kind.word()), command.unwrap_or_default())
            }
            Self::Listener(event) => {
                let command = settings.listeners.get(event).cloned();
                (format!("listener.{event}"), command.unwrap_or_default())
            }
        }
    }

    pub(super) fn change(self, value: &str) -> Result<ChangeSettings, Refusal> {
        let mut change = ChangeSettings::default();
        match self {
            Self::Plain(setting) => (setting.set)(&mut change, value)?,
            Self::Run(kind) => change.own_job = Some((kind, value.to_owned())),
            Self::Job(kind, _) if value == "usual" => change.job = Some((kind, None)),
            Self::Job(kind, guard) => {
                let mut policy = PolicyChange::default();
                (guard.set)(&mut policy, value)?;
                change.job = Some((kind, Some(policy)));
            }
            Self::Listener(event) => change.listener = Some((event.to_owned(), value.to_owned())),
        }
        Ok(change)
    }

    /// Settings to list: all plain ones, and those set for kinds of job and listeners.
    pub(super) fn listed(settings: &Settings) -> Vec<Self> {
        let set = |kind: &JobKind| settings.jobs.contains_key(kind.word());
        let guards = settings.job_kinds().filter(set);
        let of_kind = |kind: JobKind| OF_JOB.iter().filter(move |guard| kind.has_setting(guard.word));
        let guards = guards.flat_map(|kind| of_kind(kind).map(move |guard| Self::Job(kind, guard)));
        let heard = |word: &&str| settings.listeners.contains_key(*word);
        let listeners = Event::words().into_iter().filter(heard);
        let plain = OF_HOUSE.iter().map(Self::Plain);
        plain.chain(settings.own_kinds().map(Self::Run)).chain(guards).chain(listeners.map(Self::Listener)).collect()
    }
}
