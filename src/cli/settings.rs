//! The house's settings.

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::cli::values;
use crate::domain::house::Settings;
use crate::domain::refusal::Refusal;
use crate::engine::ops::ChangeSettings;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// All settings
    List,
    /// Set one; carts that are open keep what they were opened with
    Set(Set),
}

#[derive(Debug, Args)]
pub(super) struct Set {
    /// Which
    setting: Setting,
    /// Its value: 30m, 20, EUR, Europe/London
    #[arg(allow_hyphen_values = true)]
    value: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Setting {
    /// How long a cart holds its seats
    Hold,
    /// How far a cart's deadline can be moved from its opening
    HoldCap,
    /// How many seats a cart may have
    SeatsMax,
    /// The currency of a performance that names none
    Currency,
    /// The time zone of a theater that names none
    TimeZone,
}

#[derive(Serialize)]
struct SettingAnswer {
    id: &'static str,
    value: String,
}

impl Setting {
    const ALL: [Self; 5] = [
        Self::Hold,
        Self::HoldCap,
        Self::SeatsMax,
        Self::Currency,
        Self::TimeZone,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::HoldCap => "hold-cap",
            Self::SeatsMax => "seats-max",
            Self::Currency => "currency",
            Self::TimeZone => "time-zone",
        }
    }

    fn of(self, settings: &Settings) -> SettingAnswer {
        let value = match self {
            Self::Hold => settings.hold.to_string(),
            Self::HoldCap => settings.hold_cap.to_string(),
            Self::SeatsMax => settings.seats_max.to_string(),
            Self::Currency => settings.currency.to_string(),
            Self::TimeZone => settings.time_zone.to_string(),
        };
        SettingAnswer {
            id: self.word(),
            value,
        }
    }

    fn change(self, value: &str) -> Result<ChangeSettings, Refusal> {
        let none = ChangeSettings::default();
        Ok(match self {
            Self::Hold => ChangeSettings {
                hold: Some(values::span(self.word(), value)?),
                ..none
            },
            Self::HoldCap => ChangeSettings {
                hold_cap: Some(values::span(self.word(), value)?),
                ..none
            },
            Self::SeatsMax => ChangeSettings {
                seats_max: Some(values::count(self.word(), value)?),
                ..none
            },
            Self::Currency => ChangeSettings {
                currency: Some(values::currency(value)?),
                ..none
            },
            Self::TimeZone => ChangeSettings {
                time_zone: Some(values::zone(value)?),
                ..none
            },
        })
    }
}

impl Verb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List => {
                let list = Setting::ALL.map(|setting| setting.of(&call.settings));
                call.answer(&SettingList(list.into()))
            }
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
        let mut table = Table::new([words("SETTING"), words("VALUE")]);
        for setting in &self.0 {
            table.row([setting.id.to_owned(), setting.value.clone()]);
        }
        table.text()
    }
}
