//! The house's settings.

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::cli::table::Table;
use crate::cli::values;
use crate::domain::job::PolicyChange;
use crate::domain::refusal::Refusal;
use crate::engine::ops::CloseDays;

mod chosen;
mod tables;

use chosen::Chosen;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// All settings
    List,
    /// Set one; carts that are open keep what they were opened with
    Set(Set),
    /// Days on which the house is closed: repeats leave them out
    ClosedDays(ClosedDays),
}

#[derive(Debug, Args)]
pub(super) struct ClosedDays {
    /// Closed on this day: 2026-12-25; may come several times
    #[arg(long, value_name = "DATE")]
    close: Vec<String>,
    /// Open on this day after all
    #[arg(long, value_name = "DATE")]
    open: Vec<String>,
}

impl ClosedDays {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let now = call.now_in(call.settings.time_zone);
        let dates = |field: &str, texts: &[String]| {
            let dates = texts.iter().map(|text| values::date(field, text, now));
            dates.collect::<Result<Vec<_>, Refusal>>()
        };
        let (close, open) = (dates("close", &self.close)?, dates("open", &self.open)?);
        if !(close.is_empty() && open.is_empty()) {
            call.settings = call.run(CloseDays { close, open })?;
        }
        let days = call.settings.closed_days.iter().map(ToString::to_string);
        let list = DayList(days.collect());
        call.answer(&list)
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct DayList(Vec<String>);

impl Answer for DayList {
    fn people(&self) -> String {
        if self.0.is_empty() {
            "The house is closed on no day.".to_owned()
        } else {
            format!("Closed on {}.", self.0.join(", "))
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Set {
    /// Which: hold, hold-cap, seats-max, currency, time-zone, reserve, reserve-before, reserve-alert, reserve-final,
    /// offer, collect-before, listener-limit, job-history, job.KIND.slot (or limit, checks, horizon, tries, retry,
    /// priority; run for an own kind), listener.EVENT
    #[arg(value_parser = Chosen::parse)]
    setting: Chosen,
    /// The value: 30m, 20, EUR, Europe/London; "usual" for a kind of job; a shell command, or none, for a listener
    #[arg(allow_hyphen_values = true)]
    value: String,
}

/// The policy of a kind of job by settings with their values.
pub(super) fn policy<'a>(
    given: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<PolicyChange, Refusal> {
    let mut change = PolicyChange::default();
    for (word, text) in given {
        if let Some(setting) = tables::OF_JOB.iter().find(|one| one.word == word) {
            (setting.set)(&mut change, text)?;
        }
    }
    Ok(change)
}

#[derive(Serialize)]
struct SettingAnswer {
    id: String,
    value: String,
}

impl Verb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List => {
                let listed = Chosen::listed(&call.settings);
                let list = listed.iter().map(|chosen| chosen.of(&call.settings));
                call.answer(&SettingList(list.collect()))
            }
            Self::ClosedDays(days) => days.run(call),
            Self::Set(set) => {
                let settings = call.run(set.setting.change(&set.value)?)?;
                call.answer(&set.setting.of(&settings))
            }
        }
    }
}

impl Answer for SettingAnswer {
    fn people(&self) -> String {
        format!("{} is {} now.", self.id, self.value)
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct SettingList(Vec<SettingAnswer>);

impl Answer for SettingList {
    fn people(&self) -> String {
        let table = Table::of(&self.0)
            .words("SETTING", |setting| setting.id.clone())
            .words("VALUE", |setting| setting.value.clone());
        table.text()
    }
}
