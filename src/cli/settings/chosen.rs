//! A setting by the name that was typed: a plain one, a guard of a kind of job, or a listener.

use crate::cli::settings::{Setting, SettingAnswer};
use crate::cli::values;
use crate::domain::event::Event;
use crate::domain::house::Settings;
use crate::domain::job::{JobKind, Policy, PolicyChange};
use crate::domain::refusal::Refusal;
use crate::engine::ops::ChangeSettings;

/// A setting of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// One that has a name of its own.
    Plain(Setting),
    /// What a kind of job may do.
    Job(JobKind, Guard),
    /// The shell command that hears an event.
    Listener(&'static str),
}

/// What can be set for a kind of job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    Slot,
    Limit,
    Checks,
    Horizon,
    Tries,
    Retry,
    Priority,
}

impl Guard {
    const ALL: [Self; 7] = [
        Self::Slot,
        Self::Limit,
        Self::Checks,
        Self::Horizon,
        Self::Tries,
        Self::Retry,
        Self::Priority,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Slot => "slot",
            Self::Limit => "limit",
            Self::Checks => "checks",
            Self::Horizon => "horizon",
            Self::Tries => "tries",
            Self::Retry => "retry",
            Self::Priority => "priority",
        }
    }

    fn of(self, policy: &Policy) -> String {
        match self {
            Self::Slot => policy.slot.to_string(),
            Self::Limit => policy.limit.to_string(),
            Self::Checks => policy.checks.to_string(),
            Self::Horizon => policy.horizon.to_string(),
            Self::Tries => policy.tries.to_string(),
            Self::Retry => policy.retry.to_string(),
            Self::Priority => policy.priority.to_string(),
        }
    }

    fn change(self, value: &str) -> Result<PolicyChange, Refusal> {
        let (none, field) = (PolicyChange::default(), self.word());
        let span = || values::span(field, value).map(Some);
        let count = || values::count(field, value).map(Some);
        Ok(match self {
            Self::Slot => PolicyChange {
                slot: span()?,
                ..none
            },
            Self::Limit => PolicyChange {
                limit: span()?,
                ..none
            },
            Self::Horizon => PolicyChange {
                horizon: span()?,
                ..none
            },
            Self::Retry => PolicyChange {
                retry: span()?,
                ..none
            },
            Self::Checks => PolicyChange {
                checks: count()?,
                ..none
            },
            Self::Tries => PolicyChange {
                tries: count()?,
                ..none
            },
            Self::Priority => PolicyChange {
                priority: count()?.map(|number| u8::try_from(number).unwrap_or(u8::MAX)),
                ..none
            },
        })
    }
}

impl Chosen {
    /// # Errors
    /// There is no such setting.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let name = text.trim().to_lowercase();
        let found = match name.split('.').collect::<Vec<_>>().as_slice() {
            [plain] => {
                let found = Setting::ALL.into_iter().find(|one| one.word() == *plain);
                found.map(Self::Plain)
            }
            ["job", kind, guard] => {
                let kind = JobKind::from_word(&kind.replace('-', "_"));
                let guard = Guard::ALL.into_iter().find(|one| one.word() == *guard);
                kind.zip(guard).map(|(kind, guard)| Self::Job(kind, guard))
            }
            ["listener", event] => {
                let event = event.replace('-', "_");
                let known = Event::WORDS.into_iter().find(|word| *word == event);
                known.map(Self::Listener)
            }
            _ => None,
        };
        let plain = Setting::ALL.map(Setting::word).join(", ");
        let guards = Guard::ALL.map(Guard::word).join(", ");
        found.ok_or_else(|| {
            format!(
                "there is no such setting; there are {plain}, job.KIND.X ({guards}) and listener.EVENT ({})",
                Event::WORDS.join(", ")
            )
        })
    }

    /// Its value in a house.
    pub(super) fn of(self, settings: &Settings) -> SettingAnswer {
        let (id, value) = match self {
            Self::Plain(setting) => return setting.of(settings),
            Self::Job(kind, guard) => (
                format!("job.{}.{}", kind.word(), guard.word()),
                guard.of(&settings.policy(kind)),
            ),
            Self::Listener(event) => {
                let command = settings.listeners.get(event).cloned();
                (format!("listener.{event}"), command.unwrap_or_default())
            }
        };
        SettingAnswer { id, value }
    }

    /// # Errors
    /// A value that cannot be read.
    pub(super) fn change(self, value: &str) -> Result<ChangeSettings, Refusal> {
        let mut change = ChangeSettings::default();
        match self {
            Self::Plain(setting) => return setting.change(value),
            Self::Job(kind, _) if value == "usual" => change.job = Some((kind, None)),
            Self::Job(kind, guard) => change.job = Some((kind, Some(guard.change(value)?))),
            Self::Listener(event) => change.listener = Some((event.to_owned(), value.to_owned())),
        }
        Ok(change)
    }

    /// What there is to list: the plain ones, and what was set for kinds of job and listeners.
    pub(super) fn listed(settings: &Settings) -> Vec<Self> {
        let set = |kind: &JobKind| settings.jobs.contains_key(kind.word());
        let guards = JobKind::ALL.into_iter().filter(set);
        let guards = guards.flat_map(|kind| Guard::ALL.map(|guard| Self::Job(kind, guard)));
        let heard = |word: &&str| settings.listeners.contains_key(*word);
        let listeners = Event::WORDS.into_iter().filter(heard);
        let plain = Setting::ALL.into_iter().map(Self::Plain);
        plain
            .chain(guards)
            .chain(listeners.map(Self::Listener))
            .collect()
    }
}
