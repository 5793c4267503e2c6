//! The house's settings.

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::out::Answer;
use crate::cli::table::Table;
use crate::cli::values;
use crate::domain::house::Settings;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{ChangeSettings, CloseDays};

mod chosen;

use chosen::Chosen;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// All settings
    List,
    /// Set one; carts that are open keep what they were opened with
    Set(Set),
    /// Days on which the house is closed: what repeats leaves them out
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
    /// offer, collect-before, listener-limit, job-history, job.KIND.slot (or limit, checks, horizon, tries, retry, priority), listener.EVENT
    #[arg(value_parser = Chosen::parse)]
    setting: Chosen,
    /// Its value: 30m, 20, EUR, Europe/London; "usual" for a kind of job; a shell command, or none, for a listener
    #[arg(allow_hyphen_values = true)]
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// How long a reservation has to be paid when nobody says
    Reserve,
    /// How long before its earliest start a reservation has to be paid
    ReserveBefore,
    /// How long after it was made a reservation that is not paid is told of
    ReserveAlert,
    /// How long after it was made it is told of for the last time
    ReserveFinal,
    /// How long seats that came free are held for who waits for them
    Offer,
    /// How long before the start paid tickets that nobody has collected are told of
    CollectBefore,
    /// How long a listener's command may take
    ListenerLimit,
    /// How long the history of jobs and events is kept
    JobHistory,
}

#[derive(Serialize)]
struct SettingAnswer {
    id: String,
    value: String,
}

impl Setting {
    const ALL: [Self; 13] = [
        Self::Hold,
        Self::HoldCap,
        Self::SeatsMax,
        Self::Currency,
        Self::TimeZone,
        Self::Reserve,
        Self::ReserveBefore,
        Self::ReserveAlert,
        Self::ReserveFinal,
        Self::Offer,
        Self::CollectBefore,
        Self::ListenerLimit,
        Self::JobHistory,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::HoldCap => "hold-cap",
            Self::SeatsMax => "seats-max",
            Self::Currency => "currency",
            Self::TimeZone => "time-zone",
            Self::Reserve => "reserve",
            Self::ReserveBefore => "reserve-before",
            Self::ReserveAlert => "reserve-alert",
            Self::ReserveFinal => "reserve-final",
            Self::Offer => "offer",
            Self::CollectBefore => "collect-before",
            Self::ListenerLimit => "listener-limit",
            Self::JobHistory => "job-history",
        }
    }

    fn of(self, settings: &Settings) -> SettingAnswer {
        let value = match self {
            Self::Hold => settings.hold.to_string(),
            Self::HoldCap => settings.hold_cap.to_string(),
            Self::SeatsMax => settings.seats_max.to_string(),
            Self::Currency => settings.currency.to_string(),
            Self::TimeZone => settings.time_zone.to_string(),
            Self::Reserve => settings.reserve.to_string(),
            Self::ReserveBefore => settings.reserve_before.to_string(),
            Self::ReserveAlert => settings.reserve_alert.to_string(),
            Self::ReserveFinal => settings.reserve_final.to_string(),
            Self::Offer => settings.offer.to_string(),
            Self::CollectBefore => settings.collect_before.to_string(),
            Self::ListenerLimit => settings.listener_limit.to_string(),
            Self::JobHistory => settings.job_history.to_string(),
        };
        SettingAnswer {
            id: self.word().to_owned(),
            value,
        }
    }

    fn change(self, value: &str) -> Result<ChangeSettings, Refusal> {
        let span = || values::span(self.word(), value).map(Some);
        let mut change = ChangeSettings::default();
        match self {
            Self::Hold => change.hold = span()?,
            Self::HoldCap => change.hold_cap = span()?,
            Self::SeatsMax => change.seats_max = Some(values::count(self.word(), value)?),
            Self::Currency => change.currency = Some(values::currency(value)?),
            Self::TimeZone => change.time_zone = Some(values::zone(value)?),
            Self::Reserve => change.reserve = span()?,
            Self::ReserveBefore => change.reserve_before = span()?,
            Self::ReserveAlert => change.reserve_alert = span()?,
            Self::ReserveFinal => change.reserve_final = span()?,
            Self::Offer => change.offer = span()?,
            Self::CollectBefore => change.collect_before = span()?,
            Self::ListenerLimit => change.listener_limit = span()?,
            Self::JobHistory => change.job_history = span()?,
        }
        Ok(change)
    }
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
